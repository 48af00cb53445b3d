// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/edit/arrange.h"

#include "core/edit/edit_detail.h"

#include <fmt/format.h>

#include <algorithm>

namespace pw {

namespace edit_detail {

void pruneAnnotations(Project& project) {
    const Cluster& cluster = project.cluster;
    const auto gone = [&cluster](const std::string& id) {
        return cluster.node(id) == nullptr && cluster.findSwitch(id) == nullptr;
    };
    std::erase_if(project.annotations.locked, gone);
    for (std::set<std::string>& group : project.annotations.groups)
        std::erase_if(group, gone);
    std::erase_if(project.annotations.groups, [](const auto& group) { return group.size() < 2; });
}

void renameAnnotated(Project& project, const NewNames& names) {
    const auto rename = [&](std::set<std::string>& ids) {
        std::set<std::string> now;
        for (const std::string& id : ids) {
            const auto at = names.find(id);
            now.insert(at == names.end() ? id : at->second);
        }
        ids = std::move(now);
    };
    rename(project.annotations.locked);
    for (std::set<std::string>& group : project.annotations.groups)
        rename(group);
}

} // namespace edit_detail

namespace {

Note* findNote(Project& project, std::string_view id) {
    for (Note& note : project.annotations.notes)
        if (note.id == id)
            return &note;
    return nullptr;
}

ItemIds boxesOf(const Project& project, const ItemIds& items) {
    ItemIds boxes;
    for (const std::string& id : items)
        if (project.cluster.node(id) != nullptr || project.cluster.findSwitch(id) != nullptr)
            boxes.insert(id);
    return boxes;
}

} // namespace

Result<Project> addNote(const Project& project, Note note) {
    Project edited = project;
    int number = 1;
    do
        note.id = fmt::format("t{}", number++);
    while (findNote(edited, note.id) != nullptr);
    edited.annotations.notes.push_back(std::move(note));
    return edited;
}

Result<Project> setNote(const Project& project, const Note& note) {
    Project edited = project;
    Note* target = findNote(edited, note.id);
    if (target == nullptr)
        return edit_detail::unknownItem(note.id);
    *target = note;
    return edited;
}

Result<Project> removeNotes(const Project& project, const ItemIds& notes) {
    Project edited = project;
    std::erase_if(edited.annotations.notes, [&notes](const Note& n) { return notes.contains(n.id); });
    return edited;
}

Result<Project> moveNotes(const Project& project, const ItemIds& notes, double dx, double dy) {
    Project edited = project;
    for (Note& note : edited.annotations.notes)
        if (notes.contains(note.id))
            note.at = {note.at.x + dx, note.at.y + dy};
    return edited;
}

Result<Project> groupItems(const Project& project, const ItemIds& items) {
    ItemIds group = boxesOf(project, items);
    if (group.size() < 2)
        return badInput("edit.group", "", "a group needs two nodes or switches at least");
    Result<Project> edited = ungroupItems(project, group); // an item is in one group
    if (edited)
        edited->annotations.groups.push_back(std::move(group));
    return edited;
}

Result<Project> ungroupItems(const Project& project, const ItemIds& items) {
    Project edited = project;
    std::erase_if(edited.annotations.groups, [&items](const std::set<std::string>& group) {
        return std::any_of(group.begin(), group.end(),
                           [&items](const std::string& id) { return items.contains(id); });
    });
    return edited;
}

Result<Project> lockItems(const Project& project, const ItemIds& items, bool locked) {
    Project edited = project;
    for (const std::string& id : boxesOf(project, items)) {
        if (locked)
            edited.annotations.locked.insert(id);
        else
            edited.annotations.locked.erase(id);
    }
    return edited;
}

Result<Project> setMarks(const Project& project, std::vector<TimeMark> marks) {
    std::stable_sort(marks.begin(), marks.end(),
                     [](const TimeMark& a, const TimeMark& b) { return a.at < b.at; });
    Project edited = project;
    edited.annotations.marks = std::move(marks);
    return edited;
}

} // namespace pw
