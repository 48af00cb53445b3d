// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/plan.h"
#include "core/schedule/schedule.h"

#include <functional>
#include <string>
#include <vector>

namespace pw {

// Bytes on one device at its peak, by what holds them.
struct MemoryParts {
    Bytes reserve, weights, gradients, optimizer, communication, transient, activations;
    Bytes total() const {
        return reserve + weights + gradients + optimizer + communication + transient + activations;
    }
};

struct DeviceMemory {
    DeviceIndex device = 0;
    int pipeline = 0, stage = 0;
    MemoryParts peak;
    Bytes perMicrobatch; // activations kept by one micro-batch in flight
    Bytes capacity;
};

// Of one of a stage's pieces of the model; sums of these are the stage's figures.
struct ChunkFigures {
    Seconds forward, backward, recompute, weightGrad;
    Seconds send;           // behind it; 0 behind the last one and where the same stage goes on
    double keptShare = 1.0; // of what a micro-batch in flight keeps on the stage
};

struct StageFigures {
    Seconds forward, backward, weightGrad; // contention-free
    Seconds send;                          // behind its first chunk; 0 behind the last stage
    Seconds recompute;                     // part of backward
    Seconds communication;                 // tensor-parallel part of forward + backward, where known apart
    Seconds sync, optimizer;               // after the last backward
    std::string link; // "NVLink3+NVSwitch" or the id of the narrowest link; "" for the last stage
    std::vector<ChunkFigures> chunks;
    int inFlight = 0;
    Provenance forwardProvenance = Provenance::Estimated; // of the compute times
    Provenance sendProvenance = Provenance::Estimated;
    Provenance syncProvenance = Provenance::Estimated;
    Provenance optimizerProvenance = Provenance::Estimated;
    double measuredShare = 0.0; // of forward + backward
};

struct PipelineFigures {
    std::vector<StageFigures> stages;
    // Uncapped: the plan's own, or what its schedule makes of the times. Empty for kinds without.
    std::vector<int> launch;
    Simulation simulation; // ops kept only if asked for
    // Zero-bubble kinds: each stage steps when its own gradients are there, the step is validated later, and
    // the iteration is the largest span of a stage. The simulation's clock starts at the first stage's.
    bool staggered = false;
};

struct TimeParts { // adds up to iteration_s on the stage that is busiest
    Seconds fill, steady, drain, exposedTp, exposedDp, exposedPp, sync, optimizer;
};

// Everything that a plan document says about one plan (resources/manual/plan-document.md#a-plan).
struct Evaluation {
    Seconds iteration;  // simulated; the only ranked time
    Seconds closedForm; // a filter
    double tokensPerSecond = 0.0;
    double bubble = 0.0;
    double measuredShare = 0.0; // of all computing time, measured or interpolated
    // Of the iteration: the worst of everything in it that takes time, communication included. What is not
    // measured throughout carries the mark of an estimate.
    Provenance provenance = Provenance::Estimated;
    bool isEstimated() const { return provenance != Provenance::Measured; }
    TimeParts time;
    std::vector<PipelineFigures> pipelines;
    std::vector<DeviceMemory> memory; // one entry a used device, in device order
    bool feasible = true;
    std::vector<Wording> reasons; // why not, in numbers: "stage 2 needs 43.1 GiB of 39.6 GiB on A100-40"
};

struct StagePrices; // priced_stage.h

struct EvaluateOptions {
    bool keepOps = false;                        // for timelines and traces
    const std::function<bool()>* stop = nullptr; // gives the evaluation up: error "schedule.stopped"
    // A plan that takes so long says nothing: given up, with error "plan.slower", as soon as its stages' own
    // work is seen to take that long, before any schedule is searched for it. 0: none.
    Seconds below = Seconds(0.0);
    StagePrices* known = nullptr; // of the plan judged before, by this problem and cost table; updated
};

class CostTable;

// Judges a plan. Fails (bad input) only for a plan that checkPlan refuses or whose devices no links join, or
// if it is stopped; too little memory is a result.
Result<Evaluation> evaluate(const Problem& problem, const Plan& plan, const EvaluateOptions& options = {});
// The same with a table that the caller keeps for many plans of this problem.
Result<Evaluation> evaluate(const Problem& problem, const CostTable& costs, const Plan& plan,
                            const EvaluateOptions& options = {});

// Why a stage stands still, by cause; seconds. Warm-up is before its first op, cool-down after its last one
// until the iteration ends, where stages are staggered both of its own span alone; what remains between ops
// waits for a slower stage or for a transfer that is not hidden. With the busy time the causes add up to the
// iteration. Needs a simulation that kept its ops; one entry a stage, none without ops.
struct IdleTime {
    Seconds warmUp, slowerStage, transfer, coolDown;
    Seconds total() const { return warmUp + slowerStage + transfer + coolDown; }
};
std::vector<IdleTime> idleByCause(const PipelineFigures& figures, Seconds iteration);
// The same from bare times; `after`: seconds of gradient sync and optimiser step behind each stage's last op.
std::vector<IdleTime> idleByCause(const Simulation& simulation, const std::vector<double>& after,
                                  Seconds iteration, bool staggered = false);

// Activations in flight over time on a stage: (time, micro-batches whose activations it holds) at each
// change, first entry at 0. Chunks, and the halves of a divided backward pass, hold parts of a micro-batch.
// Needs a simulation that kept its ops.
struct InFlightStep {
    double time = 0.0;
    double count = 0.0;
};
std::vector<InFlightStep> inFlightOverTime(const Simulation& simulation, int stage);

} // namespace pw
