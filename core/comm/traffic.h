// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/cluster/topology.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace pw {

// What one communication operation asks of the drawing: a fixed time (launch, latencies) and then, on each
// resource that it crosses, so many seconds at that resource's full attainable rate. A resource is one
// direction of a link, or one GPU's port: to its node's fabric (out, in) or to the network (out, in). Alone,
// the operation takes the fixed time and the largest of the loads; several at once share (finishTogether).
class Traffic {
public:
    struct Load {
        std::int64_t resource = 0;
        double seconds = 0.0;
        double bytes = 0.0; // over a link, without what an algorithm loses
    };

    // Moves bytes over a link's whole bundle.
    void link(const Topology& topology, int link, bool forward, double bytes);
    enum class Port { FabricOut, FabricIn, NetworkOut, NetworkIn };
    void port(const Topology& topology, DeviceIndex device, Port port, double bytes, double rate);
    void block() { m_blocked = true; } // no way between two of its devices
    void load(const Load& load) { m_loads.push_back(load); }
    void settle(); // adds up loads on the same resource; before any of the below

    void fix(double seconds) { m_fixed += seconds; }
    void scale(double factor); // all loads' times: what an algorithm loses
    // Loads and fixed time: less where computation hides a part, more for what is done so many times.
    void stretch(double factor);
    // Both, one after the other.
    void append(const Traffic& next);

    double fixed() const { return m_fixed; }
    bool blocked() const { return m_blocked; }
    Load busiest() const;                                      // of the settled loads; none: zero seconds
    double largest() const;                                    // s; infinite when blocked
    Seconds alone() const;                                     // 0 when nothing moves
    const std::vector<Load>& loads() const { return m_loads; } // settled: by resource, links first
    // Id of the link, or name of the port's bus, that takes longest; "" if nothing moves.
    std::string slowest(const Topology& topology) const;
    bool crossesNodes(const Topology& topology) const;
    // Index into Cluster::links of a resource that is a link's, and whether from its a to its b; -1: a port.
    static int linkOf(const Topology& topology, std::int64_t resource);
    static bool isForward(std::int64_t resource) { return resource % 2 == 1; }
    // Whether the resource is a link that belongs to no node.
    static bool isBetweenSwitches(const Topology& topology, std::int64_t resource);

private:
    std::vector<Load> m_loads;
    double m_fixed = 0.0;
    bool m_blocked = false;
};

// When operations end that start at given times and share what they both cross: every one runs at the speed
// that it has alone, until the sum on a resource would pass its rate; then those that cross it get equal
// fractions of their own speeds (max-min). Seconds on the callers' clock; one that moves nothing ends at its
// start.
std::vector<double> finishTogether(std::span<const double> starts, std::span<const Traffic* const> traffic);

} // namespace pw
