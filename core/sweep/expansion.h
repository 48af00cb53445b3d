// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sweep/composer.h"

#include <stop_token>
#include <string>
#include <vector>

namespace pw {

// The tasks of a sweep: what is left of the product of its axes, each with its identity and what it will
// take.

struct SweepTask {
    Assignment at;
    std::string id; // hash of (problem of the composition, what it costs, options, scenario, draw, plan)
    double expected = 0.0; // s of one core; 0 where an earlier task asks the same
};

// A piece of work for one process: tasks one after the other.
struct SweepChunk {
    std::size_t first = 0, count = 0;
    double expected = 0.0; // s
};

struct Expansion {
    std::vector<SweepTask> tasks; // in the order of the product, the last axis fastest
    std::vector<SweepChunk> chunks;
    double expected = 0.0; // s of one core
    std::uint64_t combinations = 0, skipped = 0, beyondCaps = 0;
    std::size_t infeasible = 0;   // tasks that are known to have no plan; they stay, as rows that say so
    std::vector<Error> why;       // the first of them, as reasons
    std::size_t compositions = 0; // that were checked
};

struct ExpansionOptions {
    std::size_t chunkTasks = 0; // of a chunk; 0: by expected time
    int threads = 0;            // 0 = all cores; changes nothing but the time it takes
    std::stop_token stop;
};

// Checks every problem. Bad input: 20 of those that are none, each with its place; a cap in a figure that a
// kind does not have. Infeasible: nothing is left. Stopped: by the token.
Result<Expansion> expand(const SweepDocument& sweep, const Composer& composer, const std::string& file,
                         const ExpansionOptions& options);

// What a search takes on one core by the number of GPUs and its limit of `work` (0: the planner's own):
// medians of the default planner with Llama 3 8B on drawn clusters of one to six kinds, 8 to 1,024 GPUs
// (2026-11-29), and on the sample of 16,384, between them by powers. Bounds take some tenth of it whatever
// the limit. Good to a factor of about three where searches are not of one cluster.
double expectedSeconds(std::int64_t gpus, std::int64_t work);

// As people say how long they wait, from seconds: "41 s", "12 minutes", "3.3 hours", "2.1 days".
std::string roughTime(double seconds);

// By expected time: some 64 chunks, each of 30 s at least and 20 minutes at most, and never more than 1,000.
std::vector<SweepChunk> chunksOf(const std::vector<SweepTask>& tasks, std::size_t chunkTasks);

} // namespace pw
