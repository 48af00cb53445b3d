// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/project/annotations.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace pw {

namespace {

constexpr double kSceneLimit = 1e7;  // as of nodes and switches
constexpr double kLongestMark = 1e9; // seconds
constexpr double kLargestNote = 1e4; // px

std::set<std::string> idsFromJson(const std::vector<JsonReader>& items) {
    std::set<std::string> ids;
    for (const JsonReader& item : items) {
        if (item.value().is_string())
            ids.insert(item.value().get<std::string>());
        else
            item.fail("json.type", item.where(), "expected the id of a node or switch");
    }
    return ids;
}

} // namespace

std::set<std::string> withGroups(const Annotations& annotations, const std::set<std::string>& items) {
    std::set<std::string> all = items;
    for (const std::set<std::string>& group : annotations.groups)
        if (std::any_of(group.begin(), group.end(),
                        [&items](const std::string& id) { return items.contains(id); }))
            all.insert(group.begin(), group.end());
    return all;
}

Json toJson(const Annotations& annotations) {
    Json notes = Json::array(), groups = Json::array(), marks = Json::array();
    for (const Note& note : annotations.notes)
        notes.push_back({{"id", note.id},
                         {"text", note.text},
                         {"x", note.at.x},
                         {"y", note.at.y},
                         {"width", note.width},
                         {"height", note.height}});
    for (const std::set<std::string>& group : annotations.groups)
        groups.push_back(group);
    for (const TimeMark& mark : annotations.marks)
        marks.push_back({{"at_s", mark.at.value}, {"text", mark.text}});
    return Json{{"notes", std::move(notes)},
                {"groups", std::move(groups)},
                {"locked", annotations.locked},
                {"marks", std::move(marks)}};
}

Annotations annotationsFromJson(const JsonReader& reader) {
    Annotations annotations;
    if (reader.has("notes"))
        for (const JsonReader& item : reader.array("notes")) {
            Note note;
            note.id = item.text("id");
            note.text = item.text("text", "");
            note.at = {item.number("x", -kSceneLimit, kSceneLimit),
                       item.number("y", -kSceneLimit, kSceneLimit)};
            note.width = item.number("width", 16.0, kLargestNote, note.width);
            note.height = item.number("height", 16.0, kLargestNote, note.height);
            annotations.notes.push_back(std::move(note));
        }
    if (reader.has("groups"))
        for (const JsonReader& item : reader.array("groups"))
            annotations.groups.push_back(idsFromJson(item.items()));
    if (reader.has("locked"))
        annotations.locked = idsFromJson(reader.array("locked"));
    if (reader.has("marks"))
        for (const JsonReader& item : reader.array("marks"))
            annotations.marks.push_back(
                {Seconds(item.number("at_s", 0.0, kLongestMark)), item.text("text", "")});
    std::stable_sort(annotations.marks.begin(), annotations.marks.end(),
                     [](const TimeMark& a, const TimeMark& b) { return a.at < b.at; });
    return annotations;
}

} // namespace pw
