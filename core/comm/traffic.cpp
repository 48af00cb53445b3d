// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/comm/traffic.h"

#include "core/base/quantity.h"

#include <algorithm>

namespace pw {
namespace {

constexpr double kRounding = 1e-12; // of a speed or a span

std::int64_t links(const Topology& topology) {
    return 2 * static_cast<std::int64_t>(topology.cluster().links.size());
}

// One operation on its way: how much of it is left, and on which shared resources it weighs how much when it
// runs at its own full speed.
struct Running {
    std::size_t index = 0;
    double begin = 0.0; // of the moving part
    double alone = 0.0; // s that the moving part takes alone
    double left = 1.0;
    double speed = 0.0; // of 1 = alone
    std::vector<std::pair<std::size_t, double>> weights;
};

// Speeds of those that move now.
void share(std::vector<Running*>& moving, std::size_t resources) {
    std::vector<double> room(resources, 1.0);
    std::vector<Running*> open = moving;
    double level = 0.0;
    while (!open.empty()) {
        std::vector<double> slope(resources, 0.0);
        for (const Running* r : open)
            for (const auto& [resource, weight] : r->weights)
                slope[resource] += weight;
        double rise = 1.0 - level;
        for (std::size_t i = 0; i < resources; ++i)
            if (slope[i] > 0.0)
                rise = std::min(rise, room[i] / slope[i]);
        level += rise;
        for (std::size_t i = 0; i < resources; ++i)
            room[i] -= rise * slope[i];
        std::vector<Running*> next;
        for (Running* r : open) {
            r->speed = level;
            const bool full = std::any_of(r->weights.begin(), r->weights.end(), [&](const auto& w) {
                return w.second > 0.0 && room[w.first] <= kRounding;
            });
            if (!full && level < 1.0 - kRounding)
                next.push_back(r);
        }
        if (next.size() == open.size())
            break;
        open.swap(next);
    }
}

} // namespace

void Traffic::link(const Topology& topology, int link, bool forward, double bytes) {
    const Link& drawn = topology.cluster().links[static_cast<std::size_t>(link)];
    m_loads.push_back({2 * std::int64_t{link} + (forward ? 1 : 0), bytes / drawn.usable().value, bytes});
}

void Traffic::port(const Topology& topology, DeviceIndex device, Port port, double bytes, double rate) {
    m_loads.push_back(
        {links(topology) + 4 * std::int64_t{device} + static_cast<std::int64_t>(port), bytes / rate, 0.0});
}

void Traffic::settle() {
    std::stable_sort(m_loads.begin(), m_loads.end(),
                     [](const Load& a, const Load& b) { return a.resource < b.resource; });
    std::size_t kept = 0;
    for (std::size_t i = 0; i < m_loads.size(); ++i)
        if (kept > 0 && m_loads[kept - 1].resource == m_loads[i].resource) {
            m_loads[kept - 1].seconds += m_loads[i].seconds;
            m_loads[kept - 1].bytes += m_loads[i].bytes;
        } else {
            m_loads[kept++] = m_loads[i];
        }
    m_loads.resize(kept);
}

void Traffic::stretch(double factor) {
    scale(factor);
    for (Load& load : m_loads)
        load.bytes *= factor;
    m_fixed *= factor;
}

void Traffic::scale(double factor) {
    for (Load& load : m_loads)
        load.seconds *= factor;
}

void Traffic::append(const Traffic& next) {
    m_loads.insert(m_loads.end(), next.m_loads.begin(), next.m_loads.end());
    m_fixed += next.m_fixed;
    m_blocked = m_blocked || next.m_blocked;
    settle();
}

Traffic::Load Traffic::busiest() const {
    Load worst;
    for (const Load& load : m_loads)
        if (load.seconds > worst.seconds)
            worst = load;
    return worst;
}

double Traffic::largest() const {
    return m_blocked ? kNever : busiest().seconds;
}

Seconds Traffic::alone() const {
    const double moving = largest();
    return Seconds(moving > 0.0 ? m_fixed + moving : 0.0);
}

std::string Traffic::slowest(const Topology& topology) const {
    const auto worst = std::max_element(m_loads.begin(), m_loads.end(),
                                        [](const Load& a, const Load& b) { return a.seconds < b.seconds; });
    if (m_blocked || worst == m_loads.end() || worst->seconds <= 0.0)
        return {};
    if (worst->resource < links(topology))
        return topology.cluster().links[static_cast<std::size_t>(worst->resource / 2)].id;
    const std::int64_t port = worst->resource - links(topology);
    const DeviceKind& kind = topology.kindOf(static_cast<DeviceIndex>(port / 4));
    const bool own = !kind.intraLink.empty() && kind.intraLink != "none"; // as the catalogue has it
    return port % 4 >= 2 || !own ? "PCIe" : kind.intraLink;
}

int Traffic::linkOf(const Topology& topology, std::int64_t resource) {
    return resource < links(topology) ? static_cast<int>(resource / 2) : -1;
}

bool Traffic::isBetweenSwitches(const Topology& topology, std::int64_t resource) {
    const int index = linkOf(topology, resource);
    if (index < 0)
        return false;
    const Cluster& cluster = topology.cluster();
    const Link& link = cluster.links[static_cast<std::size_t>(index)];
    return cluster.findSwitch(link.a) && cluster.findSwitch(link.b);
}

bool Traffic::crossesNodes(const Topology& topology) const {
    return m_blocked || (!m_loads.empty() && m_loads.front().resource < links(topology));
}

std::vector<double> finishTogether(std::span<const double> starts, std::span<const Traffic* const> traffic) {
    std::vector<double> ends;
    std::vector<std::int64_t> seen, shared;
    for (std::size_t i = 0; i < traffic.size(); ++i) {
        ends.push_back(starts[i] + traffic[i]->alone().value);
        for (const Traffic::Load& load : traffic[i]->loads())
            seen.push_back(load.resource);
    }
    std::sort(seen.begin(), seen.end());
    for (std::size_t i = 1; i < seen.size(); ++i)
        if (seen[i] == seen[i - 1] && (shared.empty() || shared.back() != seen[i]))
            shared.push_back(seen[i]);
    if (shared.empty())
        return ends;

    std::vector<Running> running;
    for (std::size_t i = 0; i < traffic.size(); ++i) {
        Running r{i, starts[i] + traffic[i]->fixed(), traffic[i]->largest(), 1.0, 0.0, {}};
        if (!(r.alone > 0.0 && r.alone < kNever))
            continue;
        for (const Traffic::Load& load : traffic[i]->loads())
            if (const auto at = std::lower_bound(shared.begin(), shared.end(), load.resource);
                at != shared.end() && *at == load.resource)
                r.weights.emplace_back(static_cast<std::size_t>(at - shared.begin()), load.seconds / r.alone);
        if (!r.weights.empty())
            running.push_back(std::move(r));
    }
    double now = kNever;
    for (const Running& r : running)
        now = std::min(now, r.begin);
    while (!running.empty()) {
        std::vector<Running*> moving;
        double until = kNever; // next start or end
        for (Running& r : running)
            if (r.begin <= now)
                moving.push_back(&r);
            else
                until = std::min(until, r.begin);
        share(moving, shared.size());
        double span = until - now;
        for (const Running* r : moving)
            span = std::min(span, r->left * r->alone / r->speed);
        for (Running* r : moving) {
            const bool done = r->left * r->alone / r->speed <= span * (1.0 + kRounding);
            r->left = done ? 0.0 : r->left - span * r->speed / r->alone;
            if (done)
                ends[r->index] = std::max(ends[r->index], now + span); // never faster than alone
        }
        std::erase_if(running, [](const Running& r) { return r.left <= 0.0; });
        now = std::max(now + span, moving.empty() ? until : now);
    }
    return ends;
}

} // namespace pw
