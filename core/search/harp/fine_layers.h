// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/problem/problem.h"

#include <optional>
#include <string>
#include <vector>

namespace pw {

// HARP's layers (published: artifact of doi 10.1145/3767295.3803603, repository Lssyes/harp): [head],
// repeated blocks each cut into sub-layers, [tail]. Two things are kept apart here:
//
//   - clusterOperators(), the published clustering of a block's operators, which is computed and shown;
//   - StageRuns, the layers that plans may be cut between. A plan document knows attention and MLP of a block
//     and nothing finer, so that these two are the sub-layers that the planner uses, whatever the clustering
//     would choose.

// An operator of a block, in the order of the forward pass.
struct BlockOperator {
    std::string name;
    double flops = 0.0;
    bool heavy = false;      // has a matrix product
    double inputBytes = 0.0; // alive across a cut in front of it: made before, read at or behind it
};

// The block's operators for one sequence of the problem, whole. Bytes across a cut are those of the residual
// stream and of what the next operator reads (reconstruction; of latent attention only what the next product
// reads).
std::vector<BlockOperator> blockOperators(const Problem& problem, int block);

// Contiguous clusters, each with at most (1 + slack) of the mean FLOP and at least one heavy operator. Least
// largest input of any cluster but the first, then, within 1e-4 of it, least sum of these, then, within 1e-4
// again, least variance of the numbers of operators. The ends of the clusters; nothing if no clustering
// obeys.
std::optional<std::vector<int>> clusterOperators(const std::vector<BlockOperator>& operators, int clusters,
                                                 double slack = 0.5);

// Runs of layers that a stage may hold, deduplicated: two runs are the same if they hold as many layers of
// each distinct kind, the same layer first and the same one last; that decides what they cost.
class StageRuns {
public:
    // Layers are attention and MLP of every block with embedding and head apart, or whole blocks with the
    // embedding in the first and the head in the last.
    enum class Layers { Fine, Blocks };
    StageRuns(const Problem& problem, Layers layers);

    int layers() const { return static_cast<int>(m_range.size()); }
    // The model's fine layers of the layers [first, end).
    int firstFine(int first) const { return m_range[static_cast<std::size_t>(first)].first; }
    int lastFine(int end) const { return m_range[static_cast<std::size_t>(end - 1)].second; }
    // Which distinct run [first, end) is.
    int run(int first, int end) const {
        return m_run[static_cast<std::size_t>(first * (layers() + 1) + end)];
    }
    int runs() const { return static_cast<int>(m_example.size()); }
    std::pair<int, int> example(int run) const { return m_example[static_cast<std::size_t>(run)]; }

    // Layers that a profiler would have to price, each distinct one once, and without that.
    int distinctLayers() const { return m_distinct; }
    int allLayers() const { return m_fineLayers; }

private:
    std::vector<std::pair<int, int>> m_range; // fine layers of each layer, both included
    std::vector<int> m_run;
    std::vector<std::pair<int, int>> m_example;
    int m_distinct = 0, m_fineLayers = 0;
};

} // namespace pw
