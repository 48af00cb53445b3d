// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
// What crosses links between stages, inside one and between the ends of a pipeline.

#include "core/search/space/chain.h"

#include "core/base/quantity.h"
#include "core/comm/comm.h"

#include <algorithm>
#include <map>
#include <set>

namespace pw {
namespace {

std::vector<RankGroup> evenGroups(const std::vector<std::vector<DeviceIndex>>& replicas) {
    std::vector<RankGroup> list;
    list.reserve(replicas.size());
    for (const auto& devices : replicas)
        list.push_back({devices, 1.0 / static_cast<double>(replicas.size())});
    return list;
}

} // namespace

const ChainSpace::Send& ChainSpace::send(const ChainStage& front, const ChainStage& back) const {
    const StageOption& from = m_options[static_cast<std::size_t>(front.option)];
    const StageOption& to = m_options[static_cast<std::size_t>(back.option)];
    // Nodes of a rack may be swapped: what counts is the place in the node, and whether both share one.
    const ChainClass &ofFrom = m_classes[static_cast<std::size_t>(from.cls)],
                     &ofTo = m_classes[static_cast<std::size_t>(to.cls)];
    const int ofBack = ofTo.oneRack() ? back.position % ofTo.gpusPerNode : back.position;
    const int ofFront = from.cls == to.cls ? front.position - back.position + ofBack
                        : ofFrom.oneRack() ? front.position % ofFrom.gpusPerNode
                                           : front.position;
    return m_sends.at({from.shape, ofFront, to.shape, ofBack}, [&] {
        const auto fromDevices = devices(from, ofFront);
        const auto toDevices = devices(to, ofBack);
        const TransferCost cost = boundaryTransfer(
            m_problem.topology(), m_problem.constants().comm(), evenGroups(fromDevices),
            evenGroups(toDevices), Bytes(boundaryBytes(m_problem, static_cast<double>(m_microbatchSize))),
            !to.sequenceParallel);
        return Send{cost.time.value, !cost.crossesNodes};
    });
}

double ChainSpace::tied(const ChainStage& first, const ChainStage& last) const {
    if (!headTakesEmbedding(m_problem.model()))
        return 0.0;
    return m_tied.at({first.option, first.position, last.option, last.position}, [&] {
        const auto of = [&](const ChainStage& stage) {
            return devices(m_options[static_cast<std::size_t>(stage.option)], stage.position);
        };
        return tiedTime(m_problem, of(first), of(last));
    });
}

void ChainSpace::makePorts() {
    constexpr double kRounding = 1e-9; // of sums and quotients, given away
    const Topology& topology = m_problem.topology();
    const CommConstants& constants = m_problem.constants().comm();
    const double bytes = boundaryBytes(m_problem, static_cast<double>(m_microbatchSize));
    for (const ChainClass& cls : m_classes) {
        std::set<int> nodes; // that NVLink joins, with their GPUs that other jobs have
        for (const DeviceIndex d : cls.nodes.front())
            nodes.insert(topology.devices()[static_cast<std::size_t>(d)].node);
        double rate = 0.0;
        for (const int node : nodes)
            for (const int link : topology.cables(node))
                rate += topology.cluster().links[static_cast<std::size_t>(link)].usable().value;
        if (cls.shared) // some of what leaves these GPUs may stay inside NVLink
            m_ports.push_back({0.0, 0.0});
        else
            m_ports.push_back({constants.launch.value + constants.step.value,
                               rate > 0.0 ? bytes / rate * (1.0 - kRounding) : kNever});
    }
    for (const ChainClass& a : m_classes)
        for (const ChainClass& b : m_classes)
            m_between.push_back(&a == &b ? 0.0 : waysBetween(a, b));
    m_onNetwork.reserve(m_options.size());
    for (const StageOption& option : m_options) {
        const int perNode = m_classes[static_cast<std::size_t>(option.cls)].gpusPerNode;
        m_onNetwork.push_back(m_microbatches *
                              leastCrossing(option.cls, std::max(1, option.devices / perNode)));
    }
}

// Nodes of a class on one switch have the same way to those of another: what all of them send crosses the
// same links between switches.
double ChainSpace::waysBetween(const ChainClass& a, const ChainClass& b) const {
    constexpr double kRounding = 1e-9; // of quotients, given away
    if (a.shared || b.shared || !a.oneRack() || !b.oneRack())
        return 0.0;
    const Topology& topology = m_problem.topology();
    const int from = topology.devices()[static_cast<std::size_t>(a.nodes.front().front())].node;
    const int to = topology.devices()[static_cast<std::size_t>(b.nodes.front().front())].node;
    if (from == to)
        return 0.0;
    const Path path = topology.path(from, to);
    if (!path.reachable)
        return kNever;
    const double bytes = boundaryBytes(m_problem, static_cast<double>(m_microbatchSize));
    double time = 0.0;
    for (const PathLink& l : path.between()) {
        const Link& link = topology.cluster().links[static_cast<std::size_t>(l.link)];
        time = std::max(time, l.share * bytes / link.usable().value);
    }
    return time * (1.0 - kRounding);
}

Traffic ChainSpace::sync(const ChainStage& stage, const StageCost& cost, bool overlapped) const {
    const StageOption& option = m_options[static_cast<std::size_t>(stage.option)];
    const ChainClass& cls = m_classes[static_cast<std::size_t>(option.cls)];
    const int n = cls.gpusPerNode, nodes = (option.devices + n - 1) / n;
    if (m_syncs.empty())
        return syncTraffic(m_problem, tensorGroups(option, stage.position), option.zero, cost, overlapped);
    if (m_syncsApart || cls.inOneRack(stage.position / n, nodes)) {
        Traffic alike = m_syncs[static_cast<std::size_t>(stage.option)](m_problem, cost, overlapped);
        if (m_syncsApart || alike.blocked())
            return alike;
        // What it crosses is this stage's own, whichever nodes stand for it.
        Traffic own;
        own.fix(alike.fixed());
        own.load({-1 - stage.position -
                      static_cast<std::int64_t>(m_problem.topology().devices().size()) * option.cls,
                  alike.largest()});
        return own;
    }
    const std::array<int, 5> key{option.cls, option.devices, option.tp, option.zero, stage.position};
    const SyncPattern& pattern =
        m_syncsAcross.at(key, [&] { return patternOf(option, stage.position, nodes); });
    return pattern(m_problem, cost, overlapped);
}

double ChainSpace::leastSync(const StageOption& option, const StageCost& cost) const {
    const Traffic least =
        m_syncs.empty()
            ? syncTraffic(m_problem, tensorGroups(option, 0), option.zero, cost, false)
            : m_syncs[static_cast<std::size_t>(&option - m_options.data())](m_problem, cost, false);
    return least.alone().value;
}

// Priced from the devices of so many nodes.
SyncPattern ChainSpace::patternOf(const StageOption& option, int position, int nodes) const {
    const int perNode = m_classes[static_cast<std::size_t>(option.cls)].gpusPerNode;
    StageOption seen = option;
    seen.devices = std::min(option.devices, nodes * perNode);
    return {m_problem, tensorGroups(seen, position), option.copies(), std::max(1, option.devices / perNode),
            option.zero};
}

// Classes of more than one node whose nodes reach each other over one switch, or several side by side.
bool ChainSpace::hangOnOneSwitch() const {
    const Topology& topology = m_problem.topology();
    return std::ranges::all_of(m_classes, [&](const ChainClass& cls) {
        if (cls.nodes.size() < 2)
            return true;
        const auto nodeAt = [&](std::size_t n) {
            return topology.devices()[static_cast<std::size_t>(cls.nodes[n].front())].node;
        };
        const Path path = topology.path(nodeAt(0), nodeAt(1));
        return cls.oneRack() && path.reachable && path.hops == 2;
    });
}

void ChainSpace::makeSyncs() {
    m_onOneSwitch = hangOnOneSwitch();
    if (m_problem.recipe().software.shardRanks != 0)
        return;
    m_syncsApart = m_onOneSwitch;
    std::map<std::array<int, 4>, SyncPattern> known; // class, devices, tp, zero
    for (const StageOption& option : m_options) {
        const auto [at, fresh] = known.try_emplace({option.cls, option.devices, option.tp, option.zero});
        if (fresh)
            at->second = patternOf(option, 0, 2); // the first two stand for all
        m_syncs.push_back(at->second);
    }
}

} // namespace pw
