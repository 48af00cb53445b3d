// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/project/project.h"
#include "core/search/search.h"
#include "core/sweep/training_cost.h"

#include <map>
#include <string>
#include <vector>

namespace pw {

// A sweep as a form states it, around one project: the axes as texts, and limits. A template is a draft to
// begin with; those of samples/sweeps ask the same questions.

enum class SweepTemplate { Offers, Counts, Robust, Own };

struct DraftAxis {
    std::string of;         // as documents have it: "cluster", "recipe.gbs"
    std::string deviceKind; // of cluster.nodes
    // With commas between them; of "uncertainty" the number of draws.
    std::string values;
};

struct SweepDraft {
    std::string name;
    std::vector<DraftAxis> axes;
    std::map<std::string, std::string> search; // options of every search by name, kTargetOption among them
    double pricePerHour = 0.0, watts = 0.0;    // of all GPUs of a composition, at most; 0: no limit
    double tokens = 0.0;                       // of a training run; 0: none is stated
    double deadlineDays = 0.0, budget = 0.0;   // of that run; 0: none
    FailureModel failures;                     // of its GPUs
    double powerOverhead = 1.0;                // of its facility over its GPUs
    bool keepAll = true;                       // plan documents of all tasks, else of none
};

// `plans`: plan documents to be judged, "FILE:k".
SweepDraft sweepDraft(SweepTemplate from, const Project& project, const std::vector<std::string>& plans);

// What an axis can be of, in this project: every kind of axis but that of nodes once for each device kind.
struct AxisChoice {
    std::string of, deviceKind;
};
std::vector<AxisChoice> axisChoices(const Project& project);

// Those options, as names and texts, in which a search differs from one that nobody set up, as far as a sweep
// can have them.
std::map<std::string, std::string> sweepOptions(const SearchOptions& options);

// The document (schema pipewright-sweep-1) over this project file. What is wrong with the values is told
// where it is read.
std::string sweepText(const SweepDraft& draft, const std::string& projectFile);

} // namespace pw
