// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/cluster/cluster.h"

#include <span>
#include <vector>

namespace pw {

// A link that a way crosses, in one direction, with its share of what passes.
struct PathLink {
    int link = 0;        // index into Cluster::links
    bool forward = true; // crossed from its a to its b
    double share = 1.0;
};

// The way between two nodes: of those of fewest hops the widest ones that carry most together. Only switches
// forward: a node does not carry the traffic of others. Ways that are taken share what passes evenly, about
// as switches spread flows over equal-cost ways (ECMP; by hop there, by whole way here), parallel cables
// (LAG), and GPUs over the rails that a node is cabled to. That is the mean over many flows: that a few of
// them meet on one way by chance is not modelled. A way that is so narrow that an even share of it would hold
// up the others is not taken. The way back is the same one.
//
//           +-- s1 --+            two ways of 4 hops: a to l1 and l2 to b carry
//     a -- l1        l2 -- b      everything, each link of a spine half of it
//           +-- s2 --+
struct Path {
    bool reachable = false;
    int hops = 0;
    double ways = 0.0;           // that share
    Seconds latency;             // of the slowest of them
    BytesPerSecond bandwidth;    // usable, of all ways together
    std::vector<PathLink> links; // by hop, from the first node to the last
    int leave = 0, enter = 0;    // how many of them leave the first node and enter the last

    std::span<const PathLink> leaving() const { return std::span(links).first(std::size_t(leave)); }
    std::span<const PathLink> entering() const { return std::span(links).last(std::size_t(enter)); }
    std::span<const PathLink> between() const { // switches
        return hops < 2 ? std::span<const PathLink>()
                        : std::span(links).subspan(std::size_t(leave),
                                                   links.size() - std::size_t(leave) - std::size_t(enter));
    }
    Path reversed() const;
    // One of the ways: at each hop the first link of the list that joins on.
    std::vector<int> oneWay(const Cluster& cluster, std::string_view firstNode) const;
};

// What is as wide as another but for the rounding of products.
bool asWide(double width, double least);

// Finds the ways out of one node at a time.
class PathFinder {
public:
    // `closed`: a flag a link, over which nothing goes; empty: none of them is.
    explicit PathFinder(const Cluster& cluster, const std::vector<bool>& closed = {});
    void start(int node); // index into Cluster::nodes
    Path to(int node);

private:
    struct Edge { // of the drawing, from one of its items
        int to = 0;
        PathLink link;
        double width = 0.0; // bytes/s
    };
    struct Reached {
        int hops = -1;
        double width = 0.0;
    };
    struct Counted { // ways from the first node, to the last one, and the slowest from the first
        double from = 0.0, to = 0.0, latency = 0.0;
    };
    struct Step {
        int from = 0, to = 0;
        PathLink link;
        double width = 0.0; // bytes/s
    };
    // Over links no narrower than that; none of it is known to be reachable by these.
    Path over(double least, int node);
    // Widths of links on the ways of fewest hops, from the widest way's down to where more are no use.
    std::vector<double> widths(int node) const;

    const Cluster& m_cluster;
    std::vector<std::vector<Edge>> m_edges; // by item: nodes, then switches; neighbours in file order
    std::vector<Reached> m_reached;
    std::vector<std::vector<Step>> m_into; // by item: what leads to it from one hop less
    std::vector<Counted> m_counted;
    int m_start = 0;
};

} // namespace pw
