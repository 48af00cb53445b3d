// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cluster/switch_sides.h"

namespace pw {

double SwitchSides::oversubscription() const {
    return toNodes.value > 0.0 && toSwitches.value > 0.0 ? toNodes / toSwitches : 0.0;
}

SwitchSides sidesOf(const Cluster& cluster, std::string_view switchId) {
    SwitchSides sides;
    for (const Link& link : cluster.links) {
        if (link.a != switchId && link.b != switchId)
            continue;
        const bool toSwitch = cluster.findSwitch(link.a == switchId ? link.b : link.a) != nullptr;
        (toSwitch ? sides.switchLinks : sides.nodeLinks) += 1;
        (toSwitch ? sides.toSwitches : sides.toNodes) += link.bandwidth * link.lanes;
    }
    return sides;
}

} // namespace pw
