// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/harp/sub_clusters.h"

#include <algorithm>
#include <numeric>
#include <set>

namespace pw {
namespace {

bool sharesFastNetwork(const Problem& problem, const ChainClass& cls) {
    if (cls.nodes.size() < 2)
        return true;
    const Topology& topology = problem.topology();
    const auto nodeAt = [&](std::size_t n) {
        return topology.devices()[static_cast<std::size_t>(cls.nodes[n].front())].node;
    };
    const Path path = topology.path(nodeAt(0), nodeAt(1)); // nodes of a class reach each other alike
    return path.reachable && path.bandwidth.value >= kFastNetwork;
}

} // namespace

std::vector<SubCluster> harpSubClusters(const ChainSpace& space, bool anywhere) {
    constexpr std::size_t kFewNodes = 4, kFewClusters = 4;
    constexpr int kFewGpus = 32;
    int all = 0;
    for (const ChainClass& cls : space.classes())
        all += cls.gpus();
    std::vector<SubCluster> list;
    std::vector<bool> fast;
    for (std::size_t c = 0; c < space.classes().size(); ++c) {
        const ChainClass& cls = space.classes()[c];
        fast.push_back(anywhere || sharesFastNetwork(space.problem(), cls));
        std::set<int> sizes;
        for (const StageOption& option : space.options()) {
            if (option.cls != static_cast<int>(c) || (!fast.back() && option.devices > cls.gpusPerNode))
                continue;
            const int nodes = option.devices / cls.gpusPerNode;
            const int most = fast.back() ? cls.gpus() : cls.gpusPerNode;
            const bool regular = cls.nodes.size() <= kFewNodes || (nodes & (nodes - 1)) == 0;
            const bool large = all <= kFewGpus || 2 * space.maxStages() * option.devices >= all;
            if ((regular && large) || option.devices == most)
                sizes.insert(option.devices);
        }
        list.push_back({static_cast<int>(c), 0, cls.gpus(), {sizes.begin(), sizes.end()}});
    }
    std::size_t nodes = 0; // that would be sub-clusters of their own
    for (std::size_t c = 0; c < list.size(); ++c)
        nodes += fast[c] ? 1 : space.classes()[c].nodes.size();
    if (nodes > kFewClusters)
        return list;
    std::vector<SubCluster> apart;
    for (const SubCluster& whole : list) {
        const ChainClass& cls = space.classes()[static_cast<std::size_t>(whole.cls)];
        const int own = fast[static_cast<std::size_t>(whole.cls)] ? whole.devices : cls.gpusPerNode;
        for (int first = 0; first < whole.devices; first += own)
            apart.push_back({whole.cls, first, own, whole.sizes});
    }
    return apart;
}

std::vector<std::vector<int>> harpOrders(const std::vector<SubCluster>& clusters,
                                         const std::vector<ChainClass>& classes) {
    constexpr std::size_t kFewClusters = 4;
    std::vector<int> order(clusters.size());
    std::iota(order.begin(), order.end(), 0);
    std::vector<std::vector<int>> list;
    const auto at = [&](int c) -> const SubCluster& { return clusters[static_cast<std::size_t>(c)]; };
    if (clusters.size() <= kFewClusters) {
        do {
            bool filled = true;
            for (std::size_t i = 0; i < order.size(); ++i)
                for (std::size_t j = i + 1; j < order.size(); ++j)
                    filled = filled && (at(order[i]).cls != at(order[j]).cls ||
                                        at(order[i]).first > at(order[j]).first);
            if (filled)
                list.push_back(order);
        } while (std::next_permutation(order.begin(), order.end()));
        return list;
    }
    const auto by = [&](auto value) {
        std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
            return value(classes[static_cast<std::size_t>(at(a).cls)]) <
                   value(classes[static_cast<std::size_t>(at(b).cls)]);
        });
        list.push_back(order);
        list.emplace_back(order.rbegin(), order.rend());
    };
    by([](const ChainClass& c) { return c.capacity.value; });
    by([](const ChainClass& c) { return c.speed * c.gpus(); });
    return list;
}

} // namespace pw
