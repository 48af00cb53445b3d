// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/constants.h"
#include "core/base/diagnostics.h"
#include "core/cluster/cluster.h"

#include <span>
#include <string_view>

namespace pw {

// The kinds of network that nodes are joined by, as a switch's `medium` names them. What a kind makes of a
// line rate is one figure of constants.json, the same for links that are drawn and for those of measured
// runs.
struct NetworkKind {
    std::string_view name; // "InfiniBand"
    bool remote;           // adapters reach memory without the host's help
    double CommConstants::*share;
};
std::span<const NetworkKind> networkKinds();             // in order of precedence where a text names several
const NetworkKind* networkKind(std::string_view medium); // whatever its case; null: of none

// Share of a line rate that training gets out of this medium; one that is not known counts as Ethernet,
// which unknownMedia() warns of.
double usableShare(const CommConstants& constants, std::string_view medium);

// Of a link whose latency nobody states: 5 us where adapters reach memory themselves, 20 us through the
// hosts' TCP; what is not known counts as Ethernet.
Seconds usualLatency(std::string_view medium);

// A warning for each switch of another medium.
Diagnostics unknownMedia(const Cluster& cluster);

// Of the switches at a link's ends the one that decides on its medium: that of Ethernet if one of them is
// that, as nothing else goes into its ports. Null between two nodes.
const Switch* decidingSwitch(const Cluster& cluster, const Link& link);
std::string_view mediumOf(const Cluster& cluster, const Link& link); // between two nodes Ethernet

// Whether a kind's NVLink, or what takes its place, leads to a switch or a mesh: an NVLink domain may join
// nodes of it.
bool reachesSwitch(const DeviceKind& kind);

} // namespace pw
