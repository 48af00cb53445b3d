// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sweep/composer.h"

#include <stop_token>
#include <string>

namespace pw {

// One task worked out. Predicted, all of it.
struct TaskResult {
    std::string record;     // compact JSON, at most kMostRecord bytes; taskColumns() are its keys
    double iteration = 0.0; // s; 0: no plan
    std::string document;   // the plan document as JSON, if it was asked for and there is a plan
};
inline constexpr std::size_t kMostRecord = 4096;

// Works one out on `threads` threads. No plan is a result, and so is a problem that cannot be. Stopped: by
// the token before it was done; nothing that would repeat is known then.
Result<TaskResult> workOut(const Composer& composer, const Assignment& task, const std::string& id,
                           int threads, bool withDocument, const std::stop_token& stop);

} // namespace pw
