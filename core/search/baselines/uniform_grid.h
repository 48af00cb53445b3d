// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/search/run.h"

#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace pw {

// What people run on GPUs that they take for equal: pp stages of dp replicas of tp GPUs each, the same
// numbers and the same layers everywhere, every GPU of the pool in use. Rank order is Megatron-LM's (tensor
// parallel first, then data parallel, then pipeline), over the pool's nodes one after the other, so that on
// mixed pools the slowest GPU of each stage sets its pace.

// GPUs that a job is started on, node by node in rank order.
struct GpuPool {
    std::string name; // "A100-40 and V100-16"
    std::vector<std::vector<DeviceIndex>> nodes;
    bool all = false; // every allowed GPU
    int gpus() const;
};

// All allowed GPUs; then those of each smaller set of device kinds, larger sets first. A mixed pool is there
// in the order of the file, and again with the roomiest kinds in front, where 1F1B holds most activations, if
// that is another order.
std::vector<GpuPool> gpuPools(const Problem& problem);

struct UniformGrid {
    int pp = 1, tp = 1, dp = 1;
    std::int64_t mbs = 1; // a replica's
    Recompute recompute = Recompute::None;
    int chunks = 1;          // a stage; several run interleaved 1F1B
    std::vector<int> blocks; // per virtual stage, in the order of the forward pass
    double least = 0.0;      // s; no simulation of it is shorter
};

struct GridLimits {
    bool interleaved = true;
    int leastStages = 1, mostStages = std::numeric_limits<int>::max();
    int mostTp = std::numeric_limits<int>::max();
};

// Who asks for grids: counts a candidate's work and says whether to end, and counts what is rejected.
struct GridCounter {
    std::function<bool(std::int64_t)> spend;
    std::function<void(const char*)> reject;
};

// Every grid over the whole pool that the Space allows and that may fit its memory, least time first. Where
// pp does not divide the blocks the first and the last stage hold more or fewer than the others, as
// Megatron-LM's options for those two stages allow; interleaved runs need blocks and micro-batches that
// divide. `below`: s; grids that cannot be faster may be left out.
std::vector<UniformGrid> uniformGrids(const Problem& problem, const CostTable& table, const GpuPool& pool,
                                      const GridLimits& limits, const GridCounter& counter,
                                      double below = std::numeric_limits<double>::infinity());
std::vector<UniformGrid> uniformGrids(SearchRun& run, const GpuPool& pool, const GridLimits& limits = {});

Plan planOf(const Problem& problem, const GpuPool& pool, const UniformGrid& grid);
// Whether the plan is a grid of some pool that uniformGrids() lists, memory aside.
bool isUniformGrid(const Problem& problem, const Plan& plan);

// s: the least time of a grid that fits, if that is below `below`; else `below`. Most are not simulated for
// that. Nothing once `stop` says so.
std::optional<double> leastOfGrids(const Problem& problem, const CostTable& table, double below,
                                   const std::function<bool()>& stop);
// Considers every grid that may be faster than the best plan of the run. False if stopped before the end, or
// when the work that was asked for (its own amount does not count) is spent.
bool considerFasterGrids(SearchRun& run, const SearchOptions& options);

// Simulates grids until none that is left may belong to the best plans of the run.
void considerGrids(SearchRun& run, const GpuPool& pool, const std::vector<UniformGrid>& grids);

} // namespace pw
