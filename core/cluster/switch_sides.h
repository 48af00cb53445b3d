// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/cluster/cluster.h"

#include <string_view>

namespace pw {

// What a switch is cabled to, by line rates of one direction, all lanes: down to nodes and up to switches.
struct SwitchSides {
    int nodeLinks = 0, switchLinks = 0;
    BytesPerSecond toNodes, toSwitches;
    // How often the nodes can ask for what leads on: 2 of "2 : 1", 1 where nothing blocks; 0: one of both
    // sides is missing, as a spine and a lone switch have it.
    double oversubscription() const;
};

SwitchSides sidesOf(const Cluster& cluster, std::string_view switchId);

} // namespace pw
