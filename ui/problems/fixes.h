// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/diagnostics.h"
#include "core/base/result.h"
#include "core/project/project.h"

#include <QString>

#include <functional>
#include <optional>

namespace pw {

// What mends a problem where one way is open, or one is the nearest: an edit of the project, or else the
// place or the command where people choose.
struct Fix {
    using Edit = std::function<Result<Project>(const Project&)>;

    QString text;             // "Link n3 to s1"
    Edit edit = {};           // of the project that it was found in: one step of undo, called `text`
    QString where = {};       // as Selection::requestFocus takes it
    const char* command = ""; // of the command table
};

// None where several ways are as near as each other, or none is known.
std::optional<Fix> fixOf(const Project& project, const Diagnostic& problem);

// The recipe with what takes memory left to the search: micro-batch, recompute, sharding, sequence
// parallelism. None if all of it is so already.
std::optional<Fix> fixOfMemory(const Project& project);

} // namespace pw
