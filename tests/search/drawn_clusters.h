// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/problem/problem.h"
#include "tests/search/random_problem.h"

#include <algorithm>
#include <string>
#include <vector>

// Clusters as people have them, drawn at random: two to seven kinds, one to 64 nodes of one to eight GPUs,
// behind one switch, two levels of them, leaves and spines or sites far apart, from 1 Gbit/s to an NVLink
// rack. The models are drawn to need between a twentieth and two thirds of the memory. random_problem.h draws
// what all plans can be tried of.

namespace pw::test {

enum class Network { Star, TwoLevel, LeafSpine, Sites };
inline constexpr const char* kNetworkNames[] = {"star", "two levels", "leaf and spine", "sites"};

struct DrawnCluster {
    Cluster cluster;
    Network network = Network::Star;
    std::string text; // what it is, in a line
};

inline Link drawnLink(const std::string& a, const std::string& b, double bandwidth, double latency) {
    return {a + "-" + b, a, b, BytesPerSecond(bandwidth), 1, Seconds(latency), 0.88};
}

inline DrawnCluster drawCluster(Random& random, int mostNodes = 64) {
    static const std::vector<std::string> kKinds = {"P100-SXM2-16GB",
                                                    "V100-SXM2-16GB",
                                                    "V100-SXM2-32GB",
                                                    "T4",
                                                    "RTX 3090",
                                                    "RTX 4090",
                                                    "A10",
                                                    "A30",
                                                    "A40",
                                                    "L40S-48GB",
                                                    "A100-PCIe-40GB",
                                                    "A100-SXM4-40GB",
                                                    "A100-SXM4-80GB",
                                                    "H100-PCIe-80GB",
                                                    "H100-SXM-80GB",
                                                    "H20-96GB",
                                                    "H200-141GB",
                                                    "B200-SXM"};
    constexpr double kGigabit = 1.25e8; // bytes/s
    DrawnCluster drawn;
    Cluster& c = drawn.cluster;
    c.name = "drawn";
    drawn.network = static_cast<Network>(random.below(4));
    const auto nodes = static_cast<int>(std::lround(logUniform(random, 1.0, mostNodes)));
    const int kinds = std::min(nodes, 2 + static_cast<int>(random.below(6)));
    struct Sort {
        std::string kind;
        int gpus = 1, count = 1;
        double speed = 1.0, network = 0.0;
    };
    std::vector<Sort> sorts;
    const double usual = kGigabit * pick<double>(random, {1, 10, 25, 100, 200, 400, 1600, 3200, 7200});
    for (int k = 0; k < kinds; ++k) {
        Sort sort;
        sort.kind = pick(random, kKinds);
        sort.gpus = pick<int>(random, {1, 2, 4, 8, 8});
        sort.speed = random.below(8) == 0 ? random.uniform(0.5, 1.0) : 1.0;
        sort.network = random.below(3) == 0
                           ? kGigabit * pick<double>(random, {1, 10, 25, 50, 100, 200, 400, 800})
                           : usual;
        sorts.push_back(sort);
    }
    for (int left = nodes - kinds; left > 0; --left)
        ++sorts[random.below(sorts.size())].count;

    std::vector<std::string> leaves;
    const int groups = drawn.network == Network::Star    ? 1
                       : drawn.network == Network::Sites ? 2 + static_cast<int>(random.below(2))
                                                         : 2 + static_cast<int>(random.below(7));
    const double trunk = drawn.network == Network::Sites
                             ? kGigabit * pick<double>(random, {0.1, 1, 5, 10, 100})
                         : random.below(2) == 0 ? 8.0 * usual // non-blocking for so many nodes a leaf
                                                : usual * pick<double>(random, {0.5, 1, 2, 4});
    const double far = drawn.network == Network::Sites ? logUniform(random, 1e-3, 5e-2) : 1e-6;
    for (int g = 0; g < groups; ++g) {
        leaves.push_back("s" + std::to_string(g + 1));
        c.switches.push_back({leaves.back(), "Ethernet", {}});
    }
    if (drawn.network == Network::TwoLevel || drawn.network == Network::Sites) {
        c.switches.push_back({"core", "Ethernet", {}});
        for (const std::string& leaf : leaves)
            c.links.push_back(drawnLink(leaf, "core", trunk, far));
    } else if (drawn.network == Network::LeafSpine) {
        for (int s = 0; s < 2; ++s) {
            c.switches.push_back({"spine" + std::to_string(s + 1), "InfiniBand", {}});
            for (const std::string& leaf : leaves)
                c.links.push_back(drawnLink(leaf, c.switches.back().id, trunk / 2.0, far));
        }
    }
    const bool bySort =
        random.below(2) == 0; // a leaf has one kind as far as it goes; else they are dealt out
    int made = 0;
    for (const Sort& sort : sorts) {
        drawn.text += (drawn.text.empty() ? "" : " + ") + std::to_string(sort.count) + "x" +
                      std::to_string(sort.gpus) + " " + sort.kind;
        for (int n = 0; n < sort.count; ++n, ++made) {
            Node node;
            node.id = "n" + std::to_string(made + 1);
            node.kind = sort.kind;
            node.gpus = sort.gpus;
            node.speed = sort.speed;
            c.nodes.push_back(node);
            const auto leaf = static_cast<std::size_t>(bySort ? made * groups / nodes : made % groups);
            c.links.push_back(drawnLink(node.id, leaves[leaf], sort.network, 2e-6));
        }
    }
    drawn.text += ", " + std::string(kNetworkNames[static_cast<std::size_t>(drawn.network)]);
    return drawn;
}

// A transformer that needs about this many bytes of weights, gradients and optimiser state.
inline Model drawModel(Random& random, double bytes) {
    static constexpr int kShapes[][3] = {{12, 768, 12},   {24, 1024, 16},   {24, 2048, 16}, {32, 2560, 20},
                                         {32, 4096, 32},  {40, 5120, 40},   {60, 6656, 52}, {80, 8192, 64},
                                         {96, 12288, 96}, {126, 16384, 128}};
    Model model;
    model.name = "drawn";
    model.family = "gpt2";
    model.gatedMlp = model.rmsNorm = random.below(2) == 0;
    model.tied = random.below(3) == 0;
    model.vocab = pick<std::int64_t>(random, {32000, 50304, 128256});
    for (const auto& [blocks, hidden, heads] : kShapes) {
        const double parameters = 12.0 * blocks * hidden * hidden;
        if (model.blocks > 0 && 18.0 * parameters > bytes)
            break;
        model.blocks = blocks;
        model.hidden = hidden;
        model.heads = heads;
    }
    model.headDim = model.hidden / model.heads;
    model.kvHeads = random.below(2) == 0 ? model.heads : std::max<std::int64_t>(1, model.heads / 4);
    model.ffn = model.gatedMlp ? 8 * model.hidden / 3 / 256 * 256 : 4 * model.hidden;
    model.positions = 32768;
    model.qkvBias = model.attentionOutBias = model.mlpBias = !model.gatedMlp;
    return model;
}

struct DrawnProblem {
    std::shared_ptr<const Problem> problem;
    Cluster cluster;
    std::string text;
};

// Never fails for what it draws.
inline DrawnProblem drawProblem(Random& random, int mostNodes = 64) {
    DrawnCluster drawn = drawCluster(random, mostNodes);
    double memory = 0.0;
    int gpus = 0;
    for (const Node& node : drawn.cluster.nodes) {
        memory += node.gpus * Catalogue::builtin().find(node.kind)->memory.value;
        gpus += node.gpus;
    }
    const Model model = drawModel(random, memory * logUniform(random, 0.05, 0.67));
    Recipe recipe;
    recipe.seq = pick<std::int64_t>(random, {1024, 2048, 4096});
    recipe.gbs = pick<std::int64_t>(random, {32, 64, 128, 256, 512});
    DrawnProblem problem;
    problem.text = std::to_string(gpus) + " GPUs: " + drawn.text + "; " + std::to_string(model.blocks) +
                   " blocks of " + std::to_string(model.hidden) + ", batch " + std::to_string(recipe.gbs) +
                   " x " + std::to_string(recipe.seq);
    problem.cluster = std::move(drawn.cluster);
    auto made = Problem::make(problem.cluster, model, recipe, {}, Space{});
    if (!made)
        problem.text += ": " + made.error().text();
    else
        problem.problem = *made;
    return problem;
}

// Nodes to forbid, some of them staying: one, a kind, those of a switch, half of them, or all but one.
inline std::vector<std::string> drawForbidden(Random& random, const Cluster& cluster) {
    std::vector<std::string> forbidden;
    const Node& some = pick(random, cluster.nodes);
    const std::size_t way = random.below(5);
    std::string leaf;
    for (const Link& link : cluster.links)
        if (link.a == some.id)
            leaf = link.b;
    for (const Node& node : cluster.nodes) {
        bool out = false;
        if (way == 0)
            out = node.id == some.id;
        else if (way == 1)
            out = node.kind == some.kind;
        else if (way == 2)
            out = std::any_of(cluster.links.begin(), cluster.links.end(),
                              [&](const Link& link) { return link.a == node.id && link.b == leaf; });
        else if (way == 3)
            out = random.below(2) == 0;
        else
            out = node.id != some.id;
        if (out)
            forbidden.push_back(node.id);
    }
    if (forbidden.size() == cluster.nodes.size())
        forbidden.pop_back();
    return forbidden;
}

} // namespace pw::test
