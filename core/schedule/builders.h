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

// The pipeline with one chunk a stage that does the same work: each boundary's send is `sendShare` of what
// all chunks' activations together take over it, so that 1/chunks makes a send like each of theirs, and 1 as
// much traffic.
ChunkedPipeline wholeStages(const ChunkedPipeline& pipeline, double sendShare);

// The zero-bubble scheduler: searches op lists with a separate pass for the gradient of the weights, one
// limit a stage, and returns the best that it simulated (arXiv 2401.10241 describes the published heuristic;
// this one is a reconstruction, list schedulers under many policies). Best is the smallest largest span of a
// stage; with one chunk a stage, among the lists that are in no figure (largest span, makespan, bubble) worse
// than 1F1B with split backward, capped by the same limit. No lists if it was stopped.
//
// A V sends every micro-batch over each link twice, and its own 1F1B (2S - v micro-batches in flight on
// virtual stage v) holds half a micro-batch more a stage than S, so that no list under the published limit is
// it. The largest span of a V is held against 1F1B with split backward and one chunk a stage:
//
//   - where no send is longer than half the shortest forward of a chunk, that with sends as long;
//   - else that whose links carry as much (wholeStages(pipeline, 1)).
//
// With overlap, chunks of a stage that take the same, more micro-batches than stages, and stages of one
// order, it is never longer, unless spanBoundOfV() proves that none can be shorter: a stage that is busy all
// the time under 1F1B may have to wait here for the second chunk of the stages before it. Over 13,000 random
// pipelines no exception; where stages differ by two orders of magnitude, one in 300 is up to 4 % longer and
// the bound does not tell why. With two stages and three micro-batches, all that are longer have to be
// (exhaustive search).
OpLists zeroBubbleLists(const ChunkedPipeline& pipeline, int microbatches, const std::vector<double>& limit,
                        bool overlap, const std::function<bool()>* stop = nullptr);

// ZB-H1, made by hand (arXiv 2401.10241): 1F1B whose stage i puts off its weight gradients by i
// micro-batches, but none by more than `mostDelayed`.
OpLists zbH1Lists(int stages, int microbatches, int mostDelayed);
// As published unless that is in some figure (largest span, makespan, bubble) worse than 1F1B with split
// backward, as it may be where stages differ: then with half as many put off, or half of that, down to none,
// which is that 1F1B (this project's). One chunk a stage. Fails with "schedule.stopped" and what simulate()
// says about the pipeline.
Result<OpLists> zbH1Lists(const ChunkedPipeline& pipeline, int microbatches, bool overlap,
                          const std::function<bool()>* stop = nullptr);

} // namespace pw
