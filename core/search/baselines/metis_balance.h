// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/search/space/rank_order.h"

#include <array>
#include <map>
#include <optional>
#include <vector>

namespace pw {

// A stage of Metis on ranks [first, first + dp * tp): which replica gets how many sequences of a micro-batch.
struct MetisStage {
    int first = 0, tp = 1, dp = 1;
    std::vector<std::int64_t> sequences; // per replica
    struct Part {                        // replicas that cost the same
        const ConfigCosts* costs = nullptr;
        double capacity = 0.0; // bytes on a device
    };
    std::vector<Part> parts;
    int zero = 0;
    double syncPerByte = 0.0; // s per byte of gradients, over the replicas; 0 for one replica

    double time(int firstBlock, int endBlock) const; // s, forward + backward of the slowest replica
};

// Prices stages of one order of the ranks, one micro-batch and one recompute mode; each once.
class MetisStages {
public:
    MetisStages(const Problem& problem, const CostTable& table, const RankOrder& ranks,
                std::int64_t microbatchSize, Recompute recompute)
        : m_problem(problem), m_table(table), m_ranks(ranks), m_microbatchSize(microbatchSize),
          m_recompute(recompute) {}

    // Null if the stage cannot be: a tensor-parallel group leaves its node, two vendors, fewer sequences than
    // replicas, sizes that the recipe does not allow.
    const MetisStage* stage(int first, int gpus, int tp);
    // One-way transfer over the boundary between neighbouring stages.
    double send(const MetisStage& from, const MetisStage& to);

private:
    MetisStage price(int first, int gpus, int tp) const;
    void shareOut(MetisStage& stage) const;
    const ConfigCosts& costs(std::size_t type, int tp, std::int64_t sequences) const;

    const Problem& m_problem;
    const CostTable& m_table;
    const RankOrder& m_ranks;
    std::int64_t m_microbatchSize;
    Recompute m_recompute;
    std::map<std::array<int, 3>, MetisStage> m_stages; // parts empty where it cannot be
    std::map<std::array<int, 5>, double> m_sends;
};

// The layer balancer: layers by stage capacity (blocks per second, normalised), dealt out in sevenths of a
// block along the pipeline; then up to three rounds in which stages that run out of memory give up all but
// 0.9 of capacity / demand of theirs, which goes to stages with room. Demand is this project's memory of the
// stage with min(B, S - i) micro-batches in flight; the published one, five times a profile of its own, is
// not taken over.
struct LayerSplit {
    std::vector<int> end;            // per stage, blocks up to and with it
    std::optional<std::size_t> full; // the stage that lacks most memory, if one does
};
LayerSplit balanceLayers(const Problem& problem, const std::vector<const MetisStage*>& stages,
                         int microbatches);

} // namespace pw
