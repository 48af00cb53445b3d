// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/cost/device_time.h"
#include "core/partition/block_graph.h"
#include "core/partition/layout.h"

#include <map>

namespace pw::partition {

// The 2^n equal devices of a group, in the order of their numbers: node by node, so that the outer bits are
// the node's.
struct DeviceGroup {
    std::vector<DeviceIndex> devices;
    int bits = 0, nodeBits = 0;
};
// Refuses, with the reason: a number of devices that is no power of two, or above 32; kinds, speeds or memory
// that differ; nodes that do not hold equal powers of two of them, or are not listed one after the other.
Result<DeviceGroup> deviceGroup(const Topology& topology, std::vector<DeviceIndex> devices);

// What communication takes between the devices of a group, all of them at once, from core/comm over the drawn
// links. Published: linear in bytes, with slope and intercept for every group indicator from a profile. Here
// each is priced by its own traffic, so that groups share NICs and links as the drawing has them
// (reconstruction). Remembers what it was asked; not for several threads at once.
class GroupPrices {
public:
    // The group belongs to the problem's topology.
    GroupPrices(const Problem& problem, DeviceGroup group);

    // s; every group of the indicator reduces `bytes` on each of its devices.
    double allReduce(Indicator indicator, double bytes) const;
    // s; every device receives a block of bytes[i] as transfers[i] says, all at the same time.
    double shift(const GridPlace& place, std::span<const Transfer> transfers,
                 std::span<const double> bytes) const;
    // s for bytes that all devices together fetch: the slower of what moves inside nodes and between them.
    double redistribution(const Missing& bytes) const {
        const double inside = m_inside.perByte * bytes.inside, crossing = m_crossing.perByte * bytes.crossing;
        if (crossing > 0.0)
            return m_crossing.fixed + (inside < crossing ? crossing : inside);
        return inside > 0.0 ? m_inside.fixed + inside : 0.0;
    }
    const DeviceGroup& group() const { return m_group; }

private:
    struct Line {
        double fixed = 0.0, perByte = 0.0; // of what all devices receive together
    };
    Line exchange(const std::vector<std::vector<DeviceIndex>>& groups) const;
    std::vector<std::vector<DeviceIndex>> devicesOf(const std::vector<std::vector<int>>& groups) const;

    const Topology& m_topology;
    const CommConstants& m_constants;
    DeviceGroup m_group;
    Line m_inside, m_crossing;
    mutable std::map<std::pair<Indicator, double>, double> m_allReduces;
    mutable std::map<std::vector<double>, double> m_shifts;
};

// One operator divided one way, for the whole batch: published intraC = sum over steps of max(compute, ring)
// + all-reduces + alpha * memory.
struct WayPrice {
    double forward = 0.0, backward = 0.0, weightGrad = 0.0; // s, with the all-reduces inside a pass
    double sync = 0.0;       // s, all-reduce of weight gradients: once an iteration
    double collective = 0.0; // s, of all that, exposed all-reduces
    double ring = 0.0;       // s, of all that, transfers longer than the step they run beside
    double states = 0.0;     // bytes of weights, gradients and optimiser on a device
    double kept = 0.0;       // bytes that the backward pass needs, on a device
    double spare = 0.0;      // bytes of second buffers
    double time() const { return forward + backward + weightGrad + sync; }
    double memory() const { return states + kept; }
};

class WayPrices {
public:
    WayPrices(const Problem& problem, const BlockGraph& graph, const GroupPrices& group);
    // As in the layer costs, an all-reduce of an input gradient runs behind the product for the weight
    // gradient where the recipe's software overlaps them (hidden share of core/cost).
    WayPrice operator()(const BlockNode& node, const Sequence& way) const;

private:
    const BlockGraph& m_graph;
    const GroupPrices& m_group;
    DeviceTime m_device;
    double m_stateBytes;  // per parameter
    double m_hiddenShare; // of an input gradient's all-reduce; 0 = nothing runs behind anything
};

} // namespace pw::partition
