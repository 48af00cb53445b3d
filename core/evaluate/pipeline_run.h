// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/evaluate/priced_stage.h"

namespace pw {

// A priced pipeline under its schedule.
struct PipelineRun {
    Simulation simulation;
    Simulation freeLinks;         // figures of the same order of passes without any transfer time
    std::vector<int> launch;      // uncapped; empty for kinds without launch counts
    std::vector<double> peakHeld; // per stage: micro-batches whose activations it holds at its peak
    double closedForm = 0.0;      // s
    bool staggered = false;       // PipelineFigures::staggered
};

// Launch counts by their fast simulator, every other kind as op lists. Zero-bubble kinds that are searched
// may hold as many micro-batches as published (S, or 2S for ZB-2p), and no more than the devices have memory
// for; a stage that has not even room for one is simulated as published, and its memory says that it does
// not fit. Fails with "schedule.stopped" when options.stop says so.
Result<PipelineRun> runPipeline(const Problem& problem, const Pipeline& pipeline,
                                const std::vector<PricedStage>& stages, const EvaluateOptions& options);

} // namespace pw
