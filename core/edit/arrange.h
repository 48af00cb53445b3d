// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/edit/edit.h"

namespace pw {

// Where an item stands on the drawing, in px at 100 %. Sizes are the drawing's business, so it gives them.
struct ItemBox {
    std::string id;
    double x = 0.0, y = 0.0, width = 0.0, height = 0.0;
};

enum class Alignment { Left, Centre, Right, Top, Middle, Bottom };

// Puts one edge, or the middle, of all boxes on a common line: the outermost edge, or the middle of all. What
// is locked stays where it is. A box that would come onto another of them, or onto one of `others`, which
// stay, goes on along the line to where it has room. Fewer than two boxes are refused.
Result<Project> alignItems(const Project& project, std::vector<ItemBox> boxes, Alignment line,
                           const std::vector<ItemBox>& others = {});
// Makes the gaps between neighbours equal; the outermost two stay. Where these have too little room between
// them, neighbours stand a step of the grid apart and the last one goes on; none comes onto one of `others`,
// which stay, and none onto what is locked. Fewer than three boxes are refused.
Result<Project> distributeItems(const Project& project, std::vector<ItemBox> boxes, bool horizontally,
                                const std::vector<ItemBox>& others = {});
// Puts all boxes of the drawing in rows (tidy.cpp): nodes by their switch, switches above them level by
// level, nodes of one NVLink domain together, those without a link last. What is locked stays where it is,
// and nothing is put onto it.
Result<Project> tidyItems(const Project& project, const std::vector<ItemBox>& boxes);

// The items as text in the cluster's file form, with the links and whole NVLink domains between them and the
// device kinds that they need: what another drawing, or another program, can paste.
Result<std::string> copyItems(const Project& project, const ItemIds& items);
// Adds what copyItems wrote under fresh ids, shifted. A kind that the cluster has with other figures keeps
// them.
Result<Project> pasteItems(const Project& project, std::string_view text, double dx, double dy,
                           ItemIds* copies);

// Notes, groups, locks and marks.
Result<Project> addNote(const Project& project, Note note); // gives it an id
Result<Project> setNote(const Project& project, const Note& note);
Result<Project> removeNotes(const Project& project, const ItemIds& notes);
Result<Project> moveNotes(const Project& project, const ItemIds& notes, double dx, double dy);
Result<Project> groupItems(const Project& project, const ItemIds& items); // two nodes or switches at least
Result<Project> ungroupItems(const Project& project, const ItemIds& items);
Result<Project> lockItems(const Project& project, const ItemIds& items, bool locked);
Result<Project> setMarks(const Project& project, std::vector<TimeMark> marks);

} // namespace pw
