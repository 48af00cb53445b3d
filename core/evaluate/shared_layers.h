// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/evaluate/priced_stage.h"

namespace pw {

// Pipelines of different shape hold the same layers on different stages: gradients are summed layer by layer
// between all that hold one (published: AutoHet, arXiv 2512.20953, as layer-wise sync; in which order and
// over which ranks is a reconstruction). Without a sharded optimiser every replica of every owner is a member
// of one ring over the layer, just as the replicas of a stage are where all pipelines are alike. Optimisers
// are sharded inside a pipeline: its stage scatters its sum first, and its shards then meet the other
// pipelines' shards. Where owners cut a layer differently, the ring is run slice by slice over the finest
// cut.
struct SharedRun {
    struct Owner {
        std::size_t pipeline = 0, stage = 0;
        bool operator==(const Owner&) const = default;
    };
    std::vector<Owner> owners; // of every pipeline one
    Traffic sync;              // begins when all of them have their own sums
};

// Empty for a plan of one pipeline. Takes the sums that the runs hold off the tails of `stages` (pipeline by
// pipeline). Layers of the same owners are one run.
std::vector<SharedRun> sharedRuns(const Problem& problem, const CostTable& table, const Plan& plan,
                                  std::vector<std::vector<PricedStage>>& stages);

// When each stage's gradients are summed, its own replicas' and the other pipelines'; pipeline by pipeline
// as `lastEnd`. For one pipeline what syncEnds() says.
std::vector<std::vector<double>> syncedEnds(const std::vector<std::vector<double>>& lastEnd,
                                            const std::vector<std::vector<PricedStage>>& stages,
                                            const std::vector<SharedRun>& runs);

} // namespace pw
