// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/schedule/schedule.h"

#include <cstdint>
#include <vector>

namespace pw {

// The general form of a schedule: one fixed, ordered list of passes per stage, over a pipeline whose stages
// hold one chunk of the model or several. Launch-count schedules have a faster simulation of their own
// (schedule.h); everything else, interleaved and zero-bubble, is a list.
struct ChunkedPipeline : ChunkLayout {
    // Seconds, per virtual stage in the order of the forward pass. A whole backward is inputGrad +
    // weightGrad.
    std::vector<double> forward, inputGrad, weightGrad;
    // Seconds, per boundary between virtual stages (one less); where both are of one stage nothing is sent.
    std::vector<double> send;
    // What the forward of a micro-batch holds of its stage's memory, and how much of it the gradient of the
    // inputs lets go of; the gradient of the weights, or a whole backward, releases the rest. Any unit.
    std::vector<double> held, released;

    // Seconds of passes that one micro-batch takes on the stage where they are most.
    double busiest() const;
};

// Bare stage times as a chunked pipeline. A chunk takes its share 1/chunks of its stage; `weight` is the
// separable part of each backward (empty: half of it); `wrap` is the send from the last stage to the first,
// which only Loop with several chunks has. A forward holds 2 units of a stage, of which either backward pass
// releases 1 (arXiv 2401.10241, where activations and weight-gradient inputs take as much).
ChunkedPipeline chunkedPipeline(const StageTimes& times, const std::vector<double>& weight, int chunks,
                                ChunkPlacement placement, double wrap);

// One pass in a stage's list. 8 bytes: lists of a million passes are walked by searches.
struct Pass {
    std::int32_t microbatch = 0;
    std::int16_t chunk = 0;
    OpKind kind = OpKind::Forward;
    bool operator==(const Pass&) const = default;
};

struct OpLists {
    std::vector<std::vector<Pass>> stages;
    bool split = false; // Backward is the gradient of the inputs alone, and each has its WeightGrad
};

// Runs the lists. A pass starts when its stage is free and its input is there; what one stage sends to
// another goes over one link, in order, one at a time, beside the compute (or, without overlap, before the
// sender's next pass). Fails with "schedule.input" for sizes or times that do not fit, "schedule.ops" unless
// every pass stands once in its stage's list, and "schedule.deadlock", with what each stage waits for.
Result<Simulation> simulate(const ChunkedPipeline& pipeline, int microbatches, const OpLists& lists,
                            const SimulationOptions& options = {});

// Micro-batches, of any of its chunks, that a stage starts before its first backward.
std::vector<int> forwardsBeforeBackward(const OpLists& lists);

inline constexpr double kUnknown = -1.0; // s: a time that is not known yet
inline std::size_t at(int i) {
    return static_cast<std::size_t>(i);
}

} // namespace pw
