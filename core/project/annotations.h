// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/cluster/cluster.h"

#include <set>
#include <string>
#include <vector>

namespace pw {

// A sheet of paper on the drawing.
struct Note {
    std::string id; // "t1"; unique among notes
    std::string text;
    Point at; // top left corner
    double width = 224.0, height = 80.0;
    bool operator==(const Note&) const = default;
};

// An instant of the iteration that the user wants to find again.
struct TimeMark {
    Seconds at;
    std::string text;
    bool operator==(const TimeMark&) const = default;
};

// What the user has written on the project without changing what it asks: no planner reads it.
struct Annotations {
    std::vector<Note> notes;
    std::vector<std::set<std::string>> groups; // nodes and switches that are chosen and moved together
    std::set<std::string> locked;              // nodes and switches that stay where they are
    std::vector<TimeMark> marks;               // in order of time

    bool empty() const { return notes.empty() && groups.empty() && locked.empty() && marks.empty(); }
    bool operator==(const Annotations&) const = default;
};

// The ids of `items` with those of every group that one of them is in.
std::set<std::string> withGroups(const Annotations& annotations, const std::set<std::string>& items);

Json toJson(const Annotations& annotations);
Annotations annotationsFromJson(const JsonReader& reader); // problems are the reader's

} // namespace pw
