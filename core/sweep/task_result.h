// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/clock.h"
#include "core/base/json.h"
#include "core/sweep/composer.h"

#include <stop_token>
#include <string>

namespace pw {

// One task worked out. Predicted, all of it.
struct TaskResult {
    std::string record;   // recordLine() of id, status and recordColumns(), as far as they are known
    std::string document; // the plan document as JSON, if it was asked for and there is a plan
};
inline constexpr std::size_t kMostRecord = 4096;

// Works one out on `threads` threads. No plan is a result, and so is a problem that cannot be. Stopped: by
// the token before it was done; nothing that would repeat is known then.
Result<TaskResult> workOut(const Composer& composer, const Assignment& task, const std::string& id,
                           int threads, bool withDocument, const std::stop_token& stop,
                           const Clock& clock = systemClock());

// At most 240 bytes of a text, in whole characters of UTF-8, and "..." where there was more.
std::string shortened(std::string text);
// A record as one line of at most kMostRecord bytes. Where it is longer, what is longest goes first: the
// peaks of kinds and all reasons but one, then as much of reason, stages and host as must. Bytes that are no
// UTF-8 are replaced. The other keys hold numbers, hashes and names of the program's own, which stay far
// below it.
std::string recordLine(Json record);

} // namespace pw
