// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/proof/chain_sweep.h"

#include <array>
#include <cmath>

namespace pw {
namespace {

constexpr int kMostTried = 32; // launches of a stage; what more of them still win is given away

// s, what 2c + D leaves to wait for behind L launched forwards:  max(0, 2c + D - (L - 1) f).
double waitWith(const ChainWay& way, std::size_t at, double path, int launch) {
    return std::max(0.0, path - (launch - 1) * way.forward[at]);
}

} // namespace

ChainSweep::ChainSweep(const ChainSpace& space, ChainWays& ways, double upper,
                       const std::function<bool()>& stop, std::int64_t& steps)
    : m_space(space), m_ways(ways), m_classes(ways.classes().size()), m_best(upper), m_steps(steps),
      m_stop(stop), m_blocks(ways.blocks()), m_frontKeeps(space.leadBlocks() > 0 ? 0 : 1),
      m_microbatches(space.microbatches()) {}

void ChainSweep::goTo(std::size_t place) {
    m_place = place;
    m_worths = m_ways.worths(place + 1);
    m_frontTail = m_ways.leastTail(place + 1);
    m_quick = m_ways.quickest(place) * (1.0 - kLineRounding);
    m_needed.clear();
}

ChainLabels ChainSweep::none() const {
    ChainLabels labels(static_cast<std::size_t>(m_blocks) + 1);
    labels[0] = {0.0, 0.0, 0.0};
    return labels;
}

std::vector<double> ChainSweep::neededBy(const std::vector<double>& worths) const {
    std::vector<double> needed(static_cast<std::size_t>(m_blocks) + 1, 0.0);
    for (std::size_t f = 0; f < ChainWays::kFills; ++f) {
        const double fill = m_ways.fill(f);
        const double worth = worths[f] * (1.0 + kLineRounding) + kLineRounding;
        for (auto left = static_cast<std::size_t>(std::max(0.0, std::floor(worth) + 1.0));
             left < needed.size(); ++left)
            needed[left] =
                fill > 0.0 ? std::max(needed[left], (static_cast<double>(left) - worth) / fill) : kNever;
    }
    return needed;
}

double ChainSweep::transfer(std::size_t cls, int nodes, std::size_t behind, int nodesBehind) {
    const auto port = [&](std::size_t c, int of) { return m_space.leastCrossing(m_ways.classes()[c], of); };
    const double ports = std::max(port(cls, nodes), port(behind, nodesBehind));
    if (cls == behind)
        return ports;
    const int most = std::max(nodes, nodesBehind);
    const auto [known, isNew] =
        m_crossings.try_emplace((static_cast<std::size_t>(most) * m_classes + cls) * m_classes + behind);
    if (isNew)
        known->second = crossing(cls, behind, most);
    return std::max(ports, known->second);
}

// s: the bytes over what lies between two switches, which is there once for all of their nodes; else over
// so many nodes' ports:  c >= latency + bytes / widest.
double ChainSweep::crossing(std::size_t from, std::size_t to, int nodes) const {
    const Topology& topology = m_space.problem().topology();
    const auto nodeOf = [&](std::size_t c) {
        const DeviceIndex device = m_ways.classAt(c).nodes.front().front();
        return topology.devices()[static_cast<std::size_t>(device)].node;
    };
    // What several nodes joined by NVLink send goes over the cables of them all.
    const auto several = [&](std::size_t c) {
        return std::ranges::any_of(m_ways.classAt(c).nodes.front(), [&](DeviceIndex device) {
            return topology.devices()[static_cast<std::size_t>(device)].node != nodeOf(c);
        });
    };
    const int a = nodeOf(from), b = nodeOf(to);
    const bool plain = std::ranges::all_of(std::array{from, to}, [&](std::size_t c) {
        return !m_ways.classAt(c).shared && m_ways.classAt(c).oneRack() && !several(c);
    });
    // Stages between that hold leading blocks alone are left out, and might lie on a better way.
    if (a == b || !plain || m_space.leadBlocks() > 1)
        return 0.0;
    const Path path = topology.path(a, b);
    if (!path.reachable)
        return 0.0;
    const double bytes = boundaryBytes(m_space.problem(), static_cast<double>(m_space.microbatchSize()));
    double time = bytes / (path.bandwidth.value * nodes);
    if (m_space.onOneSwitch())
        for (const PathLink& l : path.between()) {
            const Link& link = topology.cluster().links[static_cast<std::size_t>(l.link)];
            time = std::max(time, l.share * bytes / link.usable().value);
        }
    return path.latency.value + time * (1.0 - kLineRounding);
}

void ChainSweep::closeWith(const ChainWay& way, double send, const ChainLabels& behind) {
    for (int n = 0; n <= m_blocks - m_frontKeeps; ++n) {
        const ChainLabel& label = behind[static_cast<std::size_t>(n)];
        const int left = m_blocks - n;
        if (tooSlow(label, left) || left < way.first || left > way.most())
            continue;
        const std::size_t at = way.at(left);
        if (tooLong(way, at, send, label))
            continue;
        m_best = std::min(m_best, ended(way, at, send, label, value(way, left, send, label)));
    }
}

// s:  V' = max(min over L of max(B t(L) + max(0, 2c + D - (L - 1) f), B (t(L) + 2c + D) / L),
//              t(L) + 2c + V,  t + (B + 1) c + D)
// over the launches that memory allows. A stage waits for its first gradient; each micro-batch is in
// flight for t + 2c + D at least, with L at a time (Little's law); the last one's activation leaves after
// B transfers. The third part never falls with the launches. The first is concave behind the first launch
// count while there is a wait, since t is a - b / L there: once it is no lower than before, only its far
// end can be.
double ChainSweep::value(const ChainWay& way, int blocks, double send, const ChainLabel& behind) {
    const std::size_t at = way.at(blocks);
    const double path = 2.0 * send + behind.around;
    double least = kNever, lowest = kNever;
    for (int tried = 0; tried <= way.mostLaunch[at] - way.launch[at]; ++tried) {
        --m_steps;
        const bool last = tried == kMostTried;
        const int launch = way.launch[at] + tried;
        const double t = tried == 0 ? way.time[at] : way.timeWith(blocks, launch);
        const double wait = waitWith(way, at, path, launch);
        const double busy = m_microbatches * t + (last ? 0.0 : wait);
        const double turns = m_microbatches * (t + path) / (last ? way.mostLaunch[at] : launch);
        const double held = std::max(busy, turns);
        least = std::min(least, std::max(held, t + 2.0 * send + behind.bound));
        if (last || (wait <= 0.0 && turns <= busy) ||
            (busy >= lowest && busyAtFarEnd(way, blocks, path) >= lowest))
            break;
        lowest = std::min(lowest, held);
    }
    return std::max(least, way.time[at] + (m_microbatches + 1.0) * send + behind.around);
}

// s, value() without what launches bring.
double ChainSweep::leastValue(const ChainWay& way, std::size_t at, double send,
                              const ChainLabel& behind) const {
    return std::max({m_microbatches * way.time[at], way.time[at] + 2.0 * send + behind.bound,
                     way.time[at] + (m_microbatches + 1.0) * send + behind.around});
}

// s, B t(L) + the wait: the lower one of the last launch count with a wait and the first without, as far
// as memory allows them.
double ChainSweep::busyAtFarEnd(const ChainWay& way, int blocks, double path) const {
    const std::size_t at = way.at(blocks);
    const double none = std::ceil(path / way.forward[at]) + 1.0;
    const int last = static_cast<int>(std::min<double>(way.mostLaunch[at], none));
    double least = kNever;
    for (const int launch : {std::max(way.launch[at], last - 1), last})
        least =
            std::min(least, m_microbatches * way.timeWith(blocks, launch) + waitWith(way, at, path, launch));
    return least;
}

} // namespace pw
