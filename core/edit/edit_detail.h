// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/project/project.h"

#include <string_view>

// What the edits share; not for use outside core/edit.
namespace pw::edit_detail {

Error unknownItem(std::string_view id);

// Names in `forbidden` that no longer mean anything are dropped: a node that was removed cannot stay unused.
void pruneForbidden(Project& project);

// The same for groups and locks; and they follow an item to its new name.
void pruneAnnotations(Project& project);
void renameAnnotated(Project& project, const std::string& id, const std::string& newId);

// What is kept of the question before, plans and how the search ended, answers the one after it likewise: no
// name changes a time. Entries that are no JSON stay as they are, and old.
void renameInPlans(const Project& before, Project& edited, const std::string& id, const std::string& newId);

} // namespace pw::edit_detail
