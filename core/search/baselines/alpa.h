// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/search/search.h"

#include <stop_token>

namespace pw {

// The planner "alpa": the published inter-operator programme (alpa_programme.h), for every micro-batch size.
// A stage takes 2^p GPUs of one host, or whole hosts; instead of the intra-operator integer programme it
// takes the fastest (dp, tp, recompute) of this project's costs that fits into memory. Layers are whole
// blocks.
//
// Alpa knows one kind of device. On mixed clusters it runs on every class of nodes by itself, and on all GPUs
// together as if each were the slowest and the smallest of them, hosts being the largest equal parts of the
// nodes; devices are then assigned as it does, the largest submeshes first. Such a stage may mix kinds, and
// no bound covers it. What it finds is judged by evaluate() under 1F1B like everything else.
//
// On more than 64 GPUs submeshes are no smaller than a 64th of them, and whole hosts come in powers of two.
SearchOutcome runAlpa(const Problem& problem, const SearchOptions& options, SearchObserver& observer,
                      const std::stop_token& stop);
std::int64_t alpaWork(const Problem& problem); // 40,000,000

} // namespace pw
