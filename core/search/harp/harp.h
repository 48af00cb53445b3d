// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/search/search.h"

#include <stop_token>

namespace pw {

// The planner "harp", after HARP (EuroSys 2026, doi 10.1145/3767295.3803603; arXiv 2509.24859 as HAPT;
// artifact in repository Lssyes/harp). Published: layers finer than blocks, each distinct one priced once
// (fine_layers.h); the dynamic programme over layers and the devices used of each sub-cluster, t_max by
// bisection and upper cut, memory by launch count (harp_programme.h); the launch counts of H-1F1B.
//
// This project's: where the programme departs from the artifact to be exact, as its header says. Every order
// of up to four classes of nodes as the chain of sub-clusters, every micro-batch that divides the batch, and
// both rules of launch counts with classic 1F1B as the least of them. What is promising is found on whole
// blocks and then solved again on fine layers. Stage times have no gradient sync and no optimiser step in the
// programme, so that its best few plans are judged by simulated iteration, which decides.
//
// All devices are used as published; a second run may leave some out, and notes say which of the two won. A
// plan cut inside a block is covered by no bound.
SearchOutcome runHarp(const Problem& problem, const SearchOptions& options, SearchObserver& observer,
                      const std::stop_token& stop);
std::int64_t harpWork(const Problem& problem); // 20,000,000

} // namespace pw
