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

// A stage that starts L forwards is busy for L f; its first gradient is back after its own forward, the way
// there and back, and all that the stage behind does until its own first gradient has left.
std::vector<int> busyCounts(const StageTimes& times, int microbatches, std::vector<int> most) {
    const std::size_t stages = times.forward.size();
    most.resize(stages, microbatches);
    for (std::size_t i = 0; i < stages; ++i) { // counts fall by one a stage at least
        const int least = static_cast<int>(stages - i);
        most[i] = std::max(
            least, std::min({most[i], std::max(least, microbatches), i > 0 ? most[i - 1] - 1 : most[i]}));
    }
    std::vector<int> launch(stages, 1);
    double around = 0.0; // from a stage's first forward to the end of its first backward
    for (std::size_t i = stages; i-- > 0;) {
        const double back = times.forward[i] + (i + 1 < stages ? 2.0 * times.send[i] + around : 0.0);
        if (i + 1 < stages) {
            const double wanted = std::ceil(back / times.forward[i] - 1e-9);
            launch[i] = std::max(wanted < most[i] ? static_cast<int>(wanted) : most[i], launch[i + 1] + 1);
        }
        around = std::max(back, launch[i] * times.forward[i]) + times.backward[i];
    }
    return launch;
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
                              const std::vector<bool>& sameCluster, const std::vector<int>& most) {
    if (kind == ScheduleKind::H1F1B && rule == LaunchRule::Busy)
        return busyCounts(times, microbatches, most);
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

double closedForm(ScheduleKind kind, const StageTimes& times, int microbatches,
                  const std::vector<int>& launch) {
    if (kind == ScheduleKind::GPipe) { // exact: forwards of all micro-batches, then their backwards
        double once = 0.0, forward = 0.0, backward = 0.0;
        for (std::size_t i = 0; i < times.forward.size(); ++i) {
            const double c = i < times.send.size() ? times.send[i] : 0.0;
            once += times.forward[i] + times.backward[i] + 2.0 * c;
            forward = std::max({forward, times.forward[i], c});
            backward = std::max({backward, times.backward[i], c});
        }
        return once + (microbatches - 1) * (forward + backward);
    }
    // P of equation (2): the slowest stage, the slowest link, or the tightest round trip between two stages.
    const std::size_t n = times.forward.size();
    double fill = 0.0, period = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
        const double t = times.forward[i] + times.backward[i];
        const double c = i + 1 < n ? times.send[i] : 0.0;
        fill += t + 2.0 * c;
        period = std::max({period, t, c});
        double around = t;
        for (std::size_t j = i + 1; j < n; ++j) {
            around += 2.0 * times.send[j - 1] + times.forward[j] + times.backward[j];
            const int ahead = launch[i] - launch[j] + 1;
            if (ahead > 0)
                period = std::max(period, around / ahead);
        }
    }
    return fill + (microbatches - 1) * period;
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
