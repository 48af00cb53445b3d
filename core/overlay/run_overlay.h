// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/evaluate/evaluation.h"
#include "core/exchange/imports/measurements/run_record.h"

#include <optional>
#include <string>
#include <vector>

namespace pw {

// A run of the runner laid over the prediction of its plan.
//
// Times of a measured run are held against the predicted ones as they are. Those of an emulated run, of
// CPUs, or of tiny widths, are not the plan's GPUs': the prediction is multiplied by `scale`, what all passes
// took over what is predicted for them, so that only how stages differ from each other is compared; what does
// not scale with them (transfers, sums of gradients, the update) has no predicted time then.

struct RunPair {
    Seconds measured;
    std::optional<Seconds> predicted; // times `scale`
    // Predicted over measured, less one, as every error of a prediction is told: -0.1 where it took longer
    // than predicted. 0 where nothing is predicted.
    double error() const { return predicted && measured.value > 0.0 ? *predicted / measured - 1.0 : 0.0; }
};

// One operation of a stage: the median over steps and micro-batches of its slowest rank's.
struct RunOpRow {
    int pipeline = 0, stage = 0;
    RunOpKind kind = RunOpKind::Forward;
    std::int64_t count = 0; // operations of all ranks in the steps that count
    RunPair time;
};

struct RunStageRow {
    int pipeline = 0, stage = 0;
    RunPair busy, rest; // of a step: passes of its busiest rank; everything else, waiting above all
    // Forwards whose backward has not ended, most at a time.
    int inFlight = 0, predictedInFlight = 0;
};

// Why something was slower than predicted.
enum class RunCause : std::uint8_t { Kernel, Link, Host, Imbalance };
const char* name(RunCause cause); // "kernel", "link", "host", "imbalance"

struct RunFinding {
    RunCause cause = RunCause::Kernel;
    int pipeline = 0, stage = 0;
    // Measured over predicted, 0 where nothing is predicted; host: share of the step; imbalance: over the
    // middle rank.
    double ratio = 0.0;
    Seconds lost; // of a step
    Wording says;
};

struct RunMemory {
    std::string device;
    Bytes measured, predicted;
};

struct RunOverlay {
    bool emulated = false, tiny = false;
    bool measured = true; // RunRecord::isMeasured
    std::string standing; // "measured", "emulated, with tiny widths"
    std::optional<RunPace> pace;
    double scale = 1.0;
    std::vector<int> steps; // that count
    double firstLoss = 0.0, lastLoss = 0.0;
    RunPair iteration;        // median of the steps that count
    Seconds fastest, slowest; // of them
    std::vector<RunOpRow> rows;
    std::vector<RunStageRow> stages;
    std::vector<RunFinding> slower; // what costs most first
    std::vector<RunMemory> memory;  // of measured runs whose file names the devices
};

// `evaluation` is of `plan`, with its ops kept. Bad input where the run is not of it (checkRun), or has no
// recorded step.
Result<RunOverlay> overlayRun(const Problem& problem, const Plan& plan, const Evaluation& evaluation,
                              const RunRecord& run);

Json toJson(const RunOverlay& overlay);

} // namespace pw
