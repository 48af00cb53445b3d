// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/schedule/op_lists.h"

namespace pw {

struct ListRequest {
    int microbatches = 1;
    LaunchRule rule = LaunchRule::Artifact; // of H-1F1B
    bool overlap = true;
    // Most that a stage's forwards may hold at a time, in the unit of ChunkedPipeline::held, for the kinds
    // that are searched under a limit (ZB-1p, ZB-2p, ZB-V). Empty: as published, what S micro-batches hold
    // on each of S stages, twice that for ZB-2p.
    std::vector<double> memoryLimit = {};
    const std::function<bool()>* stop = nullptr; // gives the search up: error "schedule.stopped"
};

// The op lists of a schedule kind for this pipeline; a row of the table in builders.cpp each. Fails with
// "schedule.chunks" for a number of chunks that the kind does not run, "schedule.microbatches" (interleaved:
// a multiple of the stages), and "schedule.memory" (infeasible) for a limit below one micro-batch.
Result<OpLists> opLists(ScheduleKind kind, const ChunkedPipeline& pipeline, const ListRequest& request);

// Whether the kind obeys ListRequest::memoryLimit.
bool takesMemoryLimit(ScheduleKind kind);

// Launch-count lists; with `split` each backward is its two halves, one after the other, so that the
// gradient of the inputs leaves earlier.
OpLists launchCountLists(const std::vector<int>& launch, int microbatches, bool split);

// The zero-bubble scheduler: searches op lists with a separate pass for the gradient of the weights, one
// limit a stage, and returns the best that it simulated (arXiv 2401.10241 describes the published heuristic;
// this one is a reconstruction, list schedulers under many policies). Best is the smallest largest span of a
// stage; with one chunk a stage, among the lists that are in no figure (largest span, makespan, bubble) worse
// than 1F1B with split backward, capped by the same limit. No lists if it was stopped.
OpLists zeroBubbleLists(const ChunkedPipeline& pipeline, int microbatches, const std::vector<double>& limit,
                        bool overlap, const std::function<bool()>* stop = nullptr);

// ZB-H1, made by hand (arXiv 2401.10241): 1F1B whose stage i puts off its weight gradients by i
// micro-batches.
OpLists zbH1Lists(int stages, int microbatches);

} // namespace pw
