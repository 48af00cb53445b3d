// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schedule/schedule.h"

#include <algorithm>
#include <cmath>

namespace pw {

namespace {

double largestStageTime(const StageTimes& times) {
    double largest = 0.0;
    for (std::size_t i = 0; i < times.forward.size(); ++i)
        largest = std::max(largest, times.forward[i] + times.backward[i]);
    return largest;
}

} // namespace

int h1f1bDelta(LaunchRule rule, double send, double tau, int limit) {
    if (rule == LaunchRule::Artifact) // thresholds of the published artifact, repository Lssyes/harp
        return send < tau / 10.0 ? 1 : send < tau / 2.0 ? 2 : 3;
    // A round trip to the next stage lasts 2c longer, so ceil(2c/tau) more micro-batches must be in flight
    // (reconstruction). The slack keeps a ratio that is whole but for rounding from costing one more.
    const double roundTrips = std::ceil(2.0 * send / tau - 1e-9);
    return roundTrips < limit ? 1 + std::max(0, static_cast<int>(roundTrips)) : 1 + limit;
}

std::vector<int> launchCounts(ScheduleKind kind, LaunchRule rule, const StageTimes& times, int microbatches,
                              const std::vector<bool>& sameCluster) {
    const int stages = times.stages();
    std::vector<int> launch(times.forward.size(), 1);
    if (kind == ScheduleKind::GPipe) {
        std::fill(launch.begin(), launch.end(), microbatches);
        return launch;
    }
    const double tau = largestStageTime(times);
    for (int i = stages - 2; i >= 0; --i) {
        const auto at = static_cast<std::size_t>(i);
        int delta = 1; // OneFOneB
        if (kind == ScheduleKind::Eager)
            delta = 2;
        else if (kind == ScheduleKind::H1F1B && times.send[at] > 0.0 &&
                 !(at < sameCluster.size() && sameCluster[at]))
            delta = h1f1bDelta(rule, times.send[at], tau, microbatches);
        launch[at] = launch[at + 1] + delta;
    }
    return launch;
}

double idealTime(const StageTimes& times, int microbatches) {
    double once = 0.0, slowest = 0.0;
    for (std::size_t i = 0; i < times.forward.size(); ++i) {
        const double stage = times.forward[i] + times.backward[i];
        const double send = i < times.send.size() ? times.send[i] : 0.0;
        once += stage + 2.0 * send;
        slowest = std::max({slowest, stage, send});
    }
    return once + (microbatches - 1) * slowest;
}

double launchCountBound(const StageTimes& times, int microbatches) {
    double before = 0.0, bound = 0.0;
    for (std::size_t i = 0; i < times.forward.size(); ++i) {
        const double stage = times.forward[i] + times.backward[i];
        bound = std::max(bound, before + microbatches * stage);
        before += stage + 2.0 * (i < times.send.size() ? times.send[i] : 0.0);
    }
    return std::max(bound, before);
}

} // namespace pw
