// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/clock.h"
#include "core/sweep/sweep_folder.h"

#include <functional>
#include <stop_token>

namespace pw {

// What every engine runs: one chunk of a sweep, task after task in this process, with the inputs read once.
struct WorkOptions {
    int threads = 1;          // of each search
    bool retryFailed = false; // also what has failed three times
    std::stop_token stop;
    std::function<void(std::size_t done, std::size_t of)> progress; // may be empty
    const Clock* clock = &systemClock(); // of what is said about time, and of syncs; never null
};

struct WorkReport {
    std::size_t tasks = 0, known = 0; // of the chunk; with a result before
    std::size_t done = 0;             // worked out now
    std::size_t failed = 0;           // left alone
    bool stopped = false;             // with tasks open
    double searching = 0.0;           // s within searches and judgements, of `done`
};

// Results that are there already are kept, whoever wrote them. Failure: the disk; bad input: a chunk that is
// not there, a folder that is damaged.
Result<WorkReport> workOff(const SweepFolder& folder, std::size_t chunk, const WorkOptions& options);

} // namespace pw
