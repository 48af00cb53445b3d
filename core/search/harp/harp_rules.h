// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/schedule/schedule.h"
#include "core/search/harp/harp_programme.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace pw {

// What both the programme and the objective of a given plan rest on.
class HarpRules {
public:
    HarpRules(const HarpInput& input, const HarpQuestion& question) : in(input), q(question) {}

    // Whether `devices` may be taken after `used` of the cluster.
    bool placeable(int cluster, int used, int devices) const {
        const HarpCluster& c = in.clusters[static_cast<std::size_t>(cluster)];
        if (used + devices > c.devices)
            return false;
        const int inHost = used % c.perHost;
        return devices < c.perHost ? inHost + devices <= c.perHost : inHost == 0 && devices % c.perHost == 0;
    }
    bool insideHost(int front, int back, int used) const {
        return front == back && used % in.clusters[static_cast<std::size_t>(back)].perHost != 0;
    }
    // Time of the boundary between a stage in front and one behind that begins with layer `cut`, on a cluster
    // of which `used` are taken; infinite where there is no link.
    double send(int front, std::size_t size, int back, int used, int cut) const {
        const double time = insideHost(front, back, used) ? in.hostSend[in.hostSendAt(front, size, cut)]
                                                          : in.send[in.sendAt(front, size, back, cut)];
        return std::isfinite(time) && !q.boundaries ? 0.0 : time;
    }
    int launchAfter(int launch, double send, bool inside, double limit) const {
        const auto most = static_cast<int>(std::min<std::int64_t>(in.microbatches, 1 << 20));
        int delta = 1;
        if (!inside && q.launch != HarpLaunch::Classic && send > 0.0)
            delta = h1f1bDelta(q.launch == HarpLaunch::Artifact ? LaunchRule::Artifact : LaunchRule::Ceil,
                               send, limit, most);
        return std::min(most, launch + delta);
    }
    // `late` of the stage behind, 0 if there is none; `send` to it.
    double late(const HarpWay& way, double late, double send) const {
        return std::max(way.sync, late - send - way.backward);
    }
    double total(double sum, double limit) const {
        return sum + static_cast<double>(in.microbatches - 1) * limit;
    }

    // t_max worth trying, ascending.
    std::vector<double> limits() const;

    const HarpInput& in;
    const HarpQuestion& q;
};

} // namespace pw
