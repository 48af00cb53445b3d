// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/edit/edit.h"

#include <string>
#include <string_view>

// What the edits share; not for use outside core/edit.
namespace pw::edit_detail {

inline const std::string kStranger = "\x01"; // in front of the names of what is pasted, until it is copied

Error unknownItem(std::string_view id);
Error nameTaken(const std::string& name);

// "n1-s1", the name of a link that nobody has named; "n1-s1-2" where that is taken. The name is taken then.
std::string takeLinkId(ItemIds& taken, const std::string& a, const std::string& b);
bool isOwnName(const Link& link); // one that takeLinkId() gives between the ends of the link
// The first error that the cluster check has about `id`, on a drawing that holds only what matters to it.
Status checkItem(const Cluster& part, const std::string& id);

// Names in `forbidden` that no longer mean anything are dropped: a node that was removed cannot stay unused.
void pruneForbidden(Project& project);

// The same for groups and locks; and they follow an item to its new name.
void pruneAnnotations(Project& project);
void renameAnnotated(Project& project, const NewNames& names);

// What is kept of the question before, plans and how the search ended, answers the one after it likewise: no
// name changes a time. Entries that are no JSON stay as they are, and old.
void renameInPlans(const Project& before, Project& edited, const NewNames& names);
// The new name of an item or of a device, "n1.g3", by that of its node; others stay.
std::string renamed(const NewNames& names, const std::string& name);

} // namespace pw::edit_detail
