// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sweep/collect.h"

#include <string>

namespace pw::cli {

// What `sweep` has to say of a sweep, as documents and as text.
Json statusDocument(const SweepFolder& folder, const SweepStatus& status);
std::string statusText(const SweepStatus& status);
// Open or failed tasks as what the command ends with; nothing where all have results.
std::optional<Error> openTasks(const SweepFolder& folder, const SweepStatus& status);

Json collectionDocument(const SweepFolder& folder, const Collection& collection);
std::string collectionText(const SweepFolder& folder, const Collection& collection);

} // namespace pw::cli
