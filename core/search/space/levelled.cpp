// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/space/levelled.h"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace pw {
namespace {

constexpr double kLeastOfUsual = 0.5; // of the usual way: what has less is another class for good

// What a cable is, wherever it leads.
using Cable = std::tuple<double, int, double, double, double>; // bytes/s a lane, lanes, s, share, of one flow
Cable cableOf(const Link& l) {
    return {l.bandwidth.value, l.lanes, l.latency.value, l.efficiency, l.flowBandwidth.value};
}
double usable(const Cable& cable) {
    return std::get<0>(cable) * std::get<1>(cable) * std::get<3>(cable);
}

struct Way {
    std::vector<std::size_t> links; // in use, by what they carry, the widest first
    std::vector<Cable> cables;      // of these
    double rate() const {
        return std::accumulate(cables.begin(), cables.end(), 0.0,
                               [](double sum, const Cable& c) { return sum + usable(c); });
    }
};

Way wayOf(const Topology& topology, int node) {
    Way way;
    for (const int link : topology.cables(node))
        way.links.push_back(static_cast<std::size_t>(link));
    const std::vector<Link>& links = topology.cluster().links;
    std::ranges::stable_sort(way.links, std::ranges::greater(), [&](std::size_t l) {
        return std::pair(usable(cableOf(links[l])), cableOf(links[l]));
    });
    for (const std::size_t l : way.links)
        way.cables.push_back(cableOf(links[l]));
    return way;
}

const std::string& farEnd(const Link& link, const std::string& node) {
    return link.a == node ? link.b : link.a;
}

// Makes drawings level, kind by kind.
class Leveller {
public:
    explicit Leveller(const Topology& topology)
        : m_cluster(topology.cluster()), m_ways(m_cluster.nodes.size()) {
        for (std::size_t n = 0; n < m_ways.size(); ++n)
            m_ways[n] = wayOf(topology, static_cast<int>(n));
        for (const Link& link : m_cluster.links)
            m_ids.insert(link.id);
    }

    bool level(const std::vector<std::size_t>& nodes) {
        std::map<std::vector<Cable>, std::vector<std::size_t>> byCables;
        for (const std::size_t n : nodes)
            byCables[m_ways[n].cables].push_back(n);
        if (byCables.size() < 2)
            return false;
        // That of most nodes; of equally many the narrower one, which promises nothing.
        const auto usual = std::ranges::max_element(byCables, {}, [&](const auto& entry) {
            return std::pair(entry.second.size(), -m_ways[entry.second.front()].rate());
        });
        bool changed = false;
        for (const auto& [cables, own] : byCables)
            for (const std::size_t n : own)
                changed = (&own != &usual->second && follow(n, usual->second)) || changed;
        return changed;
    }

    const Cluster& cluster() const { return m_cluster; }

private:
    bool follow(std::size_t node, const std::vector<std::size_t>& usual) {
        const Way &own = m_ways[node], &way = m_ways[usual.front()];
        const double ratio = own.rate() / way.rate();
        if (own.links.empty() || !(ratio >= kLeastOfUsual && ratio <= 1.0 / kLeastOfUsual))
            return false;
        if (own.links.size() == way.links.size()) {
            for (std::size_t i = 0; i < own.links.size(); ++i)
                take(m_cluster.links[own.links[i]], m_cluster.links[way.links[i]]);
            return true;
        }
        return own.links.size() < way.links.size() && addCables(node, usual);
    }

    static void take(Link& link, const Link& of) {
        link.bandwidth = of.bandwidth;
        link.lanes = of.lanes;
        link.latency = of.latency;
        link.efficiency = of.efficiency;
        link.flowBandwidth = of.flowBandwidth;
    }

    // As one of the usual nodes is cabled that reaches all that this one reaches.
    bool addCables(std::size_t node, const std::vector<std::size_t>& usual) {
        const std::string id = m_cluster.nodes[node].id; // the list of links grows
        std::multiset<std::string> own;
        for (const std::size_t l : m_ways[node].links)
            own.insert(farEnd(m_cluster.links[l], id));
        for (const std::size_t like : usual) {
            const std::string& other = m_cluster.nodes[like].id;
            std::multiset<std::string> missing;
            for (const std::size_t l : m_ways[like].links)
                missing.insert(farEnd(m_cluster.links[l], other));
            bool all = true;
            for (const std::string& end : own)
                if (const auto at = missing.find(end); at != missing.end())
                    missing.erase(at);
                else
                    all = false;
            if (!all)
                continue;
            for (const std::size_t l : m_ways[like].links) {
                Link cable = m_cluster.links[l];
                const auto at = missing.find(farEnd(cable, other));
                if (at == missing.end())
                    continue;
                missing.erase(at);
                (cable.a == other ? cable.a : cable.b) = id;
                for (int copy = 1; !m_ids.insert(cable.id).second; ++copy)
                    cable.id = m_cluster.links[l].id + "-level" + std::to_string(copy);
                m_cluster.links.push_back(std::move(cable));
            }
            return true;
        }
        return false;
    }

    Cluster m_cluster;
    std::vector<Way> m_ways; // by node, as it is drawn
    std::set<std::string> m_ids;
};

// Whether the cable has become one of more lanes and is the same otherwise.
bool hasMoreLanes(const Link& now, const Link& before) {
    return now.lanes >= before.lanes && now.bandwidth == before.bandwidth &&
           now.efficiency == before.efficiency && now.flowBandwidth == before.flowBandwidth &&
           now.latency <= before.latency;
}

// GPUs spread over the lanes of all cables of a node: of more lanes a GPU gets no less only where they are
// alike.
bool hasAlikeCables(const Topology& topology, int node) {
    const std::vector<Link>& links = topology.cluster().links;
    const std::vector<int>& cables = topology.cables(node);
    return std::ranges::all_of(cables, [&](int c) {
        const Link &one = links[static_cast<std::size_t>(c)],
                   &first = links[static_cast<std::size_t>(cables.front())];
        return one.bandwidth == first.bandwidth && one.efficiency == first.efficiency &&
               one.flowBandwidth == first.flowBandwidth;
    });
}

bool goesNoWorse(const Path& now, const Path& before) {
    const auto same = [](const PathLink& a, const PathLink& b) {
        return a.link == b.link && a.forward == b.forward && a.share == b.share;
    };
    return now.reachable == before.reachable && now.hops == before.hops &&
           now.bandwidth >= before.bandwidth && now.latency <= before.latency &&
           std::ranges::equal(now.links, before.links, same);
}

// Whether nothing can take longer: more lanes on the same cables, and between any two nodes the same ways
// with the same shares, each no narrower. A cable that is added may do harm: flows spread over it that were
// better off on the others.
bool isWider(const Topology& now, const Topology& before) {
    constexpr std::size_t kMostClasses = 96; // of larger drawings it is not looked into
    const std::vector<Link>&after = now.cluster().links, &drawn = before.cluster().links;
    if (after.size() != drawn.size() || before.classes().size() > kMostClasses)
        return false;
    for (std::size_t l = 0; l < drawn.size(); ++l)
        if (!hasMoreLanes(after[l], drawn[l]))
            return false;
    std::vector<int> nodes; // two of each class, whose nodes reach all others alike
    for (const NodeClass& nodeClass : before.classes())
        for (std::size_t n = 0; n < std::min<std::size_t>(2, nodeClass.nodes.size()); ++n)
            nodes.push_back(nodeClass.nodes[n]);
    for (const int a : nodes) {
        if (!hasAlikeCables(before, a))
            return false;
        for (const int b : nodes)
            if (a != b && !goesNoWorse(now.path(a, b), before.path(a, b)))
                return false;
    }
    return true;
}

} // namespace

std::optional<Levelled> levelled(const Problem& problem) {
    const Topology& topology = problem.topology();
    const std::vector<Node>& nodes = topology.cluster().nodes;
    using Sort = std::tuple<std::string, int, double, double, double, double>;
    std::map<Sort, std::vector<std::size_t>> sorts;
    for (std::size_t n = 0; n < nodes.size(); ++n) {
        const Node& node = nodes[n];
        const auto first = static_cast<std::size_t>(topology.firstOfNode(static_cast<int>(n)));
        bool allowed = false;
        for (std::size_t d = first; d < first + static_cast<std::size_t>(node.gpus); ++d)
            allowed = allowed || problem.allowed()[d];
        if (allowed)
            sorts[{node.kind, node.gpus, node.speed, node.memoryTaken.value, node.intraBandwidth.value,
                   node.intraLatency.value}]
                .push_back(n);
    }
    Leveller leveller(topology);
    bool changed = false;
    for (const auto& [sort, members] : sorts)
        changed = leveller.level(members) || changed;
    if (!changed)
        return std::nullopt;
    const auto made = Problem::make(leveller.cluster(), problem.model(), problem.recipe(),
                                    problem.profiles().rows(), problem.space(), problem.constants());
    if (!made)
        return std::nullopt;
    return Levelled{*made, isWider((*made)->topology(), topology)};
}

} // namespace pw
