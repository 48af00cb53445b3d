// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/cluster/cluster.h"

#include <cstdint>
#include <string>

namespace pw {

// What may become of a cluster: a node lost or slow, or figures that turn out other than predicted.

struct Scenario {
    enum class Kind { None, Lost, Slow };
    Kind kind = Kind::None;
    std::string of;     // a node's id, or a device kind: its first node
    double speed = 1.0; // Slow: of the node, beside its own
};

// "none", "lost:n1", "slow:n3:0.9". Bad input at `where`.
Result<Scenario> scenarioFromText(const std::string& text, const std::string& where);

// Whether there is such a node in the cluster as it is drawn, or a kind of that name; bad input at `where`.
Status checkScenario(const Scenario& scenario, const Cluster& drawn, const std::string& where);

// The cluster after it happened; unchanged where the node is not among those that are there.
Cluster after(Cluster cluster, const Scenario& scenario);

// One draw of what predictions may have wrong about one part of a cluster and not about another: a factor for
// the speed of each device kind and one for the bandwidth of each link medium. What they have wrong about all
// of it alike changes no order of plans; the expected span of every result covers that.
//
//   ln(factor) ~ normal, 0 on average, with the variance at which 80 % of the differences of two such factors
//   lie within pairReach(1) (core/accuracy/tie.h): the reach of two configurations that differ clearly in one
//   thing, as calibrated on published runs. Factors stay within three standard deviations.
//
// This project's own construction. A factor depends on the seed, the number of the draw and the name of the
// kind or medium alone: draw 17 is the same world for every offer.
Cluster drawn(Cluster cluster, std::uint64_t seed, std::uint64_t draw);
double drawnFactor(std::uint64_t seed, std::uint64_t draw, const std::string& name);

} // namespace pw
