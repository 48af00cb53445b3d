// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/problem/schedule_kind.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace pw {

// Contention-free times of a pipeline: f_i, b_i per stage, c_i per boundary behind stage i (one less).
struct StageTimes {
    std::vector<double> forward, backward, send; // seconds; sizes S, S, S-1
    int stages() const { return static_cast<int>(forward.size()); }
};

// Launch counts L_i, uncapped: forwards that stage i runs before its first backward. GPipe: `microbatches`
// for all. H-1F1B by the published thresholds (artifact) or 1 + ceil(2c/tau) (ceil, this project's reading),
// built from the last stage backwards with tau the largest f+b; or (busy, this project's own) so that no
// stage waits for its first gradient, but no more than `most` allows per stage (empty: no limit) where that
// leaves one more a stage. sameCluster[i] (empty = none is) marks boundaries inside one sub-cluster, whose
// delta is 1 but under `busy`.
std::vector<int> launchCounts(ScheduleKind kind, LaunchRule rule, const StageTimes& times, int microbatches,
                              const std::vector<bool>& sameCluster = {}, const std::vector<int>& most = {});

// The difference L_i - L_{i+1} over a boundary of `send` seconds between sub-clusters, tau the largest f+b.
// More micro-batches in flight than there are change nothing, so `limit` caps what a tiny tau would blow up.
int h1f1bDelta(LaunchRule rule, double send, double tau, int limit);

// Backward is the whole of it, or the gradient of the inputs alone where the schedule has WeightGrad passes.
enum class OpKind : std::uint8_t { Forward, Backward, WeightGrad };

// One executed operation of a stage.
struct Op {
    std::int32_t stage = 0;
    std::int32_t microbatch = 0;
    OpKind kind = OpKind::Forward;
    std::int16_t chunk = 0;
    double start = 0.0, end = 0.0;
};
// One transfer across the boundary behind virtual stage `boundary` (the stage itself, where each holds one
// chunk): forward carries the activation, backward the gradient.
struct Transfer {
    std::int32_t boundary = 0;
    std::int32_t microbatch = 0;
    OpKind kind = OpKind::Forward;
    double start = 0.0, end = 0.0;
};

struct Simulation {
    double makespan = 0.0;
    std::vector<Op> ops;             // grouped by stage, in order of execution
    std::vector<Transfer> transfers; // grouped by boundary and direction, in order; empty where c is 0
    // Per stage: forwards, of any of its chunks, whose backward has not ended.
    std::vector<int> peakInFlight;
    // What op lists know beyond that, empty for launch counts: the most that a stage's forwards held at a
    // time, and by virtual stage what each held and how much of it the gradient of the inputs released
    // (ChunkedPipeline).
    std::vector<double> peakHeld, held, released;
    ChunkLayout layout;
    bool split = false;                            // Backward ops are the gradient of the inputs alone
    std::vector<double> busy, firstStart, lastEnd; // per stage
    double bubble() const;                         // max over stages of span / busy - 1
    double largestSpan() const;                    // max over stages of last end - first start
};

struct SimulationOptions {
    bool overlap = true; // false: the sender stays blocked until its transfer ends
    bool keepOps = true; // false: figures only, for searches
    // Asked every few hundred micro-batches; once it says true the simulation gives up ("schedule.stopped").
    const std::function<bool()>* stop = nullptr;
    // Op lists without overlap: the sender waits behind backward passes alone. Interleaved orders of
    // Megatron-LM exchange what a forward and the backward behind it have to send in one call.
    bool paired = false;
};

// Scratch arrays that a search keeps between simulations, one per thread, so that none of them allocates.
struct SimulationWorkspace {
    std::vector<int> launch;                                  // capped by the number of micro-batches
    std::vector<double> stageFree, forwardFree, backwardFree; // per stage, and per boundary and direction
    std::vector<double> arrival; // per micro-batch: when its forward reaches the next stage
};

// Runs the fixed op lists of a launch-count schedule: forwards 0..L-2, then pairs of a forward and a
// backward, then the remaining backwards. An op starts when its stage is free and its input is there; a
// boundary carries one transfer at a time in each direction, in order. Never fails for launch counts made by
// launchCounts; a list that cannot progress is reported as Error "schedule.deadlock" with the waiting stages,
// and sizes that do not match or times that are negative or not finite as "schedule.input".
Result<Simulation> simulate(const StageTimes& times, int microbatches, const std::vector<int>& launch,
                            const SimulationOptions& options = {});
// The same into a Simulation that the caller keeps; its former content is overwritten.
Status simulate(const StageTimes& times, int microbatches, const std::vector<int>& launch,
                const SimulationOptions& options, SimulationWorkspace& workspace, Simulation& out);

// sum(t + 2c) + (B-1) * P, where the period P is the slowest stage, the slowest link or the tightest round
// trip between two stages, sum(t + 2c) / (L_i - L_j + 1) (reconstruction); GPipe has an exact form of its
// own. A filter beside the simulation: half of random pipelines are within 0.8 % of it, the worst some 8 %.
double closedForm(ScheduleKind kind, const StageTimes& times, int microbatches,
                  const std::vector<int>& launch);
struct ChunkedPipeline;
// For kinds that are op lists: the busiest stage or link, and the bubble that is published for equal stages,
// here summed over the stages as they are (reconstruction). Interleaved: fill and drain of one chunk a stage,
// and of the transfers once. Zero-bubble: the largest span of a stage, with max(0, F + B - W) of every other
// stage for ZB-H1 and ZB-1p, and nothing for ZB-2p and ZB-V.
double closedForm(ScheduleKind kind, const ChunkedPipeline& pipeline, int microbatches);
// sum(t + 2c) + (B-1) * max(t, c): a filter and a yardstick, not a bound.
double idealTime(const StageTimes& times, int microbatches);
// max(sum(t+2c), max_i[sum_{j<i}(t_j+2c_j) + B t_i]): below every launch-count schedule's makespan.
double launchCountBound(const StageTimes& times, int microbatches);

} // namespace pw
