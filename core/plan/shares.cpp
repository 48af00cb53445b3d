// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/shares.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace pw {

std::vector<std::int64_t> sharesBySpeed(std::int64_t total, const std::vector<double>& speeds) {
    const auto replicas = static_cast<std::int64_t>(speeds.size());
    if (total < replicas)
        return {};
    const double sum = std::accumulate(speeds.begin(), speeds.end(), 0.0);
    std::vector<std::int64_t> shares;
    std::vector<std::pair<double, std::size_t>> rest; // negative remainder, replica: largest first
    std::int64_t given = 0;
    for (std::size_t r = 0; r < speeds.size(); ++r) {
        // One each, and what is beyond that by speed.
        const double exact = static_cast<double>(total - replicas) * speeds[r] / sum;
        shares.push_back(1 + static_cast<std::int64_t>(std::floor(exact)));
        rest.emplace_back(std::floor(exact) - exact, r);
        given += shares.back();
    }
    std::sort(rest.begin(), rest.end());
    for (std::size_t k = 0; given < total; ++k, ++given)
        ++shares[rest[k % rest.size()].second];
    return shares;
}

std::vector<std::int64_t> sequencesBySpeed(const Problem& problem, const CostTable& table, const Stage& stage,
                                           std::int64_t microbatchSize) {
    std::vector<double> speeds;
    for (const Replica& replica : stage.replicas) {
        CostConfig config;
        placeOn(config, problem.topology(), replica.devices.front());
        config.tp = stage.tp;
        config.cp = stage.cp;
        config.mbs = static_cast<int>(std::max<std::int64_t>(1, microbatchSize / stage.dp()));
        config.recompute = stage.recompute;
        config.sequenceParallel = stage.sequenceParallel;
        speeds.push_back(1.0 / table.costs(config).leastStage(1, false, false, 1, 0).total());
    }
    return sharesBySpeed(microbatchSize, speeds);
}

bool mixesDevices(const Problem& problem, const Stage& stage) {
    const auto deviceOf = [&](const Replica& replica) -> const Device& {
        return problem.topology().devices()[static_cast<std::size_t>(replica.devices.front())];
    };
    return std::ranges::any_of(stage.replicas, [&](const Replica& replica) {
        const Device &own = deviceOf(replica), &first = deviceOf(stage.replicas.front());
        return own.kind != first.kind || own.speed != first.speed;
    });
}

} // namespace pw
