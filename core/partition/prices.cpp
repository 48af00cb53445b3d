// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/partition/prices.h"

#include "core/comm/comm.h"
#include "core/cost/cost.h"

#include <algorithm>
#include <bit>
#include <set>

namespace pw::partition {
namespace {

constexpr std::size_t kMostDevices = 32; // the cubic programme is not meant for more (published: 32)

Error unpriced(Wording wording) {
    return infeasible("partition.devices", "devices", std::move(wording));
}

double slices(const Sequence& way, const std::vector<Axis>& axes) {
    double n = 1.0;
    for (const Axis axis : axes)
        n *= slicesAlong(way, axis);
    return n;
}

// One device's share of a piece of work, in one step.
Operator share(const BlockNode::Work& work, const Sequence& way) {
    Operator op = work.op;
    if (op.kind == OperatorKind::Product) {
        op.groups /= slices(way, work.groups);
        op.m /= slices(way, work.m);
        op.n /= slices(way, work.n);
        op.k /= slices(way, work.k);
        return op;
    }
    const double n = slices(way, work.groups);
    op.flops /= n;
    op.forwardBytes /= n;
    op.backwardBytes /= n;
    return op;
}

} // namespace

Result<DeviceGroup> deviceGroup(const Topology& topology, std::vector<DeviceIndex> devices) {
    const std::size_t n = devices.size();
    if (n == 0 || !std::has_single_bit(n) || n > kMostDevices)
        return unpriced({"{number} devices; a partition needs a power of two, at most {limit}",
                         {{"number", n}, {"limit", kMostDevices}}});
    const auto device = [&](std::size_t i) -> const Device& {
        return topology.devices()[static_cast<std::size_t>(devices[i])];
    };
    std::size_t perNode = 1;
    while (perNode < n && device(perNode).domain == device(0).domain)
        ++perNode;
    std::set<int> nodes;
    for (std::size_t i = 0; i < n; ++i) {
        const Device &d = device(i), &first = device(0);
        if (d.kind != first.kind || d.speed != first.speed || d.capacity != first.capacity)
            return unpriced({"{id} and {other} differ; a partition needs equal devices",
                             {{"id", first.id}, {"other", d.id}}});
        const bool begins = i % perNode == 0; // another node, and one that did not come before
        if (n % perNode != 0 || begins != nodes.insert(d.domain).second ||
            d.domain != device(i - i % perNode).domain)
            return unpriced("the nodes do not hold equal numbers of the devices, one node after the other");
    }
    if (!std::has_single_bit(perNode))
        return unpriced(
            {"{per_node} devices of each node; a partition needs a power of two", {{"per_node", perNode}}});
    DeviceGroup group{std::move(devices), std::countr_zero(n), std::countr_zero(n / perNode)};
    return group;
}

GroupPrices::GroupPrices(const Problem& problem, DeviceGroup group)
    : m_topology(problem.topology()), m_constants(problem.constants().comm()), m_group(std::move(group)) {
    const int neighbourBits = m_group.bits - m_group.nodeBits;
    const Indicator neighbours = (1U << neighbourBits) - 1, all = (1U << m_group.bits) - 1;
    m_inside = exchange(devicesOf(groupsOf(neighbours, m_group.bits)));
    m_crossing = exchange(devicesOf(groupsOf(all & ~neighbours, m_group.bits)));
}

std::vector<std::vector<DeviceIndex>>
GroupPrices::devicesOf(const std::vector<std::vector<int>>& groups) const {
    std::vector<std::vector<DeviceIndex>> list;
    for (const auto& numbers : groups) {
        auto& members = list.emplace_back();
        for (const int number : numbers)
            members.push_back(m_group.devices[static_cast<std::size_t>(number)]);
    }
    return list;
}

GroupPrices::Line GroupPrices::exchange(const std::vector<std::vector<DeviceIndex>>& groups) const {
    const auto members = static_cast<double>(groups.front().size());
    if (members < 2.0)
        return {};
    const double bytes = 1e9; // any: all-to-all is linear
    const Traffic traffic =
        collectiveTraffic(m_topology, m_constants, groups, Collective::AllToAll, Bytes(bytes));
    const double received = bytes * (members - 1.0) / members * static_cast<double>(m_group.devices.size());
    return {traffic.fixed(), traffic.largest() / received};
}

double GroupPrices::allReduce(Indicator indicator, double bytes) const {
    if (indicator == 0 || bytes <= 0.0)
        return 0.0;
    const auto [entry, fresh] = m_allReduces.try_emplace({indicator, bytes}, 0.0);
    if (fresh)
        entry->second = collectiveTime(m_topology, m_constants, devicesOf(groupsOf(indicator, m_group.bits)),
                                       Collective::AllReduce, Bytes(bytes))
                            .value;
    return entry->second;
}

double GroupPrices::shift(const GridPlace& place, std::span<const Transfer> transfers,
                          std::span<const double> bytes) const {
    if (transfers.empty())
        return 0.0;
    std::vector<double> key = {static_cast<double>(place.first), static_cast<double>(place.k)};
    for (std::size_t i = 0; i < transfers.size(); ++i)
        key.insert(key.end(), {static_cast<double>(transfers[i].row),
                               static_cast<double>(transfers[i].column), bytes[i]});
    const auto [entry, fresh] = m_shifts.try_emplace(std::move(key), 0.0);
    if (fresh) {
        // Everybody's block is one part of a boundary between two sets of single devices.
        double all = 0.0;
        for (const double b : bytes)
            all += b * static_cast<double>(m_group.devices.size());
        std::vector<RankGroup> from, to;
        for (std::size_t i = 0; i < transfers.size(); ++i)
            for (std::size_t d = 0; d < m_group.devices.size(); ++d) {
                const int source = sender(place, static_cast<int>(d), transfers[i]);
                from.push_back({{&m_group.devices[static_cast<std::size_t>(source)], 1}, bytes[i] / all});
                to.push_back({{&m_group.devices[d], 1}, bytes[i] / all});
            }
        entry->second = boundaryTransfer(m_topology, m_constants, from, to, Bytes(all), false).time.value;
    }
    return entry->second;
}

WayPrices::WayPrices(const Problem& problem, const BlockGraph& graph, const GroupPrices& group)
    : m_graph(graph), m_group(group),
      m_device(problem.constants().compute(), problem.topology().kindOf(group.group().devices.front()),
               problem.precision(),
               problem.topology().devices()[static_cast<std::size_t>(group.group().devices.front())].speed,
               problem.recipe().software) {
    const StateBytes bytes = stateBytes(problem);
    m_stateBytes = bytes.weight + bytes.gradient + bytes.optimizer;
    const Software& software = problem.recipe().software;
    m_hiddenShare = isOn(software.overlapTensorBackward, true) || isOn(software.overlapTensor, false)
                        ? problem.constants().compute().hiddenShare
                        : 0.0;
}

WayPrice WayPrices::operator()(const BlockNode& node, const Sequence& way) const {
    WayPrice price;
    std::array<double, kPhases> compute{};
    const auto of = [&](Phase phase) -> double& { return compute[static_cast<std::size_t>(phase)]; };
    const auto addTimes = [&](const DeviceTime::Times& t) {
        of(Phase::Forward) += t.forward;
        of(Phase::Backward) += t.inputGrad;
        of(Phase::Gradient) += t.weightGrad;
    };
    std::size_t first = 0;
    if (const std::optional<GridPlace> place = gridOf(way)) {
        const Operator op = share(node.work.front(), way);
        const DeviceTime::Times t = m_device(op);
        const std::array step = {t.forward, t.inputGrad, t.weightGrad};
        const double e = m_graph.elementBytes;
        for (const Phase phase : kAllPhases)
            for (int s = 0; s < place->side(); ++s) {
                const std::vector<Transfer> transfers = transfersOf(place->k, phase, s);
                std::array<double, 2> bytes{};
                double spare = 0.0;
                for (std::size_t i = 0; i < transfers.size(); ++i) {
                    const Operand what = transfers[i].what;
                    bytes[i] = what == Operand::Input     ? op.m * op.k * e
                               : what == Operand::Output  ? op.m * op.n * e
                               : phase == Phase::Gradient ? op.k * op.n * m_graph.gradientBytes
                                                          : op.k * op.n * e;
                    spare += bytes[i];
                }
                const double own = step[static_cast<std::size_t>(phase)];
                const double ring =
                    m_group.shift(*place, transfers, std::span(bytes).first(transfers.size()));
                of(phase) += std::max(own, ring);
                price.ring += std::max(0.0, ring - own);
                price.spare = std::max(price.spare, spare);
            }
        first = 1;
    }
    for (std::size_t i = first; i < node.work.size(); ++i)
        addTimes(m_device(share(node.work[i], way)));

    price.forward = of(Phase::Forward);
    price.backward = of(Phase::Backward);
    price.weightGrad = of(Phase::Gradient);
    for (const AllReduce& reduce : allReducesOf(node, way)) {
        double time = m_group.allReduce(reduce.indicator, reduce.bytes);
        if (reduce.phase == Phase::Backward && node.linear && m_hiddenShare > 0.0)
            time = std::max(time * (1.0 - m_hiddenShare), time - price.weightGrad);
        (reduce.phase == Phase::Forward    ? price.forward
         : reduce.phase == Phase::Backward ? price.backward
                                           : price.sync) += time;
        price.collective += time;
    }
    price.states =
        node.weights * m_stateBytes / (slicesAlong(way, Axis::Inner) * slicesAlong(way, Axis::Columns));
    for (const Tensor& tensor : node.kept)
        price.kept += bytesOn(tensor, way);
    return price;
}

} // namespace pw::partition
