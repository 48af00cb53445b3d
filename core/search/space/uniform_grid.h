// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/cost/cost.h"
#include "core/plan/plan.h"
#include "core/search/space/grid_pools.h"
#include "core/search/space/rejection.h"

#include <functional>
#include <limits>
#include <optional>
#include <vector>

namespace pw {

// What people run on GPUs that they take for equal: pp stages of dp replicas of tp GPUs each, the same
// numbers and the same layers everywhere, every GPU of the pool in use. Rank order is Megatron-LM's (tensor
// parallel first, then data parallel, then pipeline), over the pool's nodes one after the other, so that on
// mixed pools the slowest GPU of each stage sets its pace.

struct UniformGrid {
    int pp = 1, tp = 1, dp = 1;
    std::int64_t mbs = 1; // a replica's
    Recompute recompute = Recompute::None;
    int chunks = 1;          // a stage; several run interleaved 1F1B
    std::vector<int> blocks; // per virtual stage, in the order of the forward pass
    double least = 0.0;      // s; no simulation of it is shorter
    int zero = -1;           // ZeRO stage; -1: as the recipe has it for so many replicas
};

struct GridLimits {
    bool interleaved = true;
    int leastStages = 1, mostStages = std::numeric_limits<int>::max();
    int mostTp = std::numeric_limits<int>::max();
    int zero = -1; // UniformGrid::zero of all of them; 2 and 3 are of one stage
};

// Who asks for grids: counts a candidate's work and says whether to end, and counts what is rejected.
struct GridCounter {
    std::function<bool(std::int64_t)> spend;
    std::function<void(Rejection)> reject;
};

// Every grid over the whole pool that the Space allows and that may fit its memory, least time first. Where
// pp does not divide the blocks the first and the last stage hold more or fewer than the others, as
// Megatron-LM's options for those two stages allow; interleaved runs need blocks and micro-batches that
// divide. `below`: s; grids that cannot be faster may be left out.
std::vector<UniformGrid> uniformGrids(const Problem& problem, const CostTable& table, const GpuPool& pool,
                                      const GridLimits& limits, const GridCounter& counter,
                                      double below = std::numeric_limits<double>::infinity());

Plan planOf(const Problem& problem, const GpuPool& pool, const UniformGrid& grid);
// Whether the plan is a grid of some pool that uniformGrids() lists, memory aside.
bool isUniformGrid(const Problem& problem, const Plan& plan);

// Visits the plans of all grids that may take less than below(). False if `counter` says to end before that.
bool eachGridBelow(const Problem& problem, const CostTable& table, const std::function<double()>& below,
                   const std::function<void(Plan)>& visit, const GridCounter& counter);

// s: the least time of a grid that fits, if that is below `below`; else `below`. Most are not simulated for
// that. Nothing once `stop` says so.
std::optional<double> leastOfGrids(const Problem& problem, const CostTable& table, double below,
                                   const std::function<bool()>& stop);
} // namespace pw
