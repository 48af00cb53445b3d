// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sweep/training_cost.h"

#include <cmath>

namespace pw {

namespace {

constexpr double kHour = 3600.0, kDay = 86400.0, kKilowattHour = 3.6e6;

} // namespace

Goodput goodputOf(const FailureModel& failures, std::int64_t gpus) {
    if (failures.gpuHours <= 0.0 || gpus <= 0)
        return {};
    const double between = failures.gpuHours * kHour / static_cast<double>(gpus);
    const double write = failures.checkpoint;
    const double ratio = write / (2.0 * between);
    Goodput goodput;
    goodput.interval =
        ratio < 1.0 ? std::sqrt(2.0 * write * between) * (1.0 + std::sqrt(ratio) / 3.0 + ratio / 9.0) - write
                    : between;
    // Without any time to write, a checkpoint after every moment loses nothing but restarts.
    const double lost = goodput.interval > 0.0
                            ? std::expm1((goodput.interval + write) / between) * between / goodput.interval
                            : 1.0;
    goodput.share = 1.0 / (lost * std::exp(failures.restart / between));
    return goodput;
}

TrainingCost trainingCost(const TrainingGoal& goal, const TrainingRates& rates) {
    TrainingCost cost;
    cost.goodput = goodputOf(goal.failures, rates.gpusUsed);
    const double seconds = goal.tokens / rates.tokensPerSecond / cost.goodput.share;
    cost.days = seconds / kDay;
    if (rates.pricePerHour > 0.0)
        cost.money = rates.pricePerHour * seconds / kHour;
    // GPUs draw power while they wait for a restart, too.
    if (rates.energyPerToken > 0.0)
        cost.energyKwh =
            rates.energyPerToken * goal.tokens / cost.goodput.share * goal.powerOverhead / kKilowattHour;
    cost.meets = cost.ends() && (goal.deadlineDays <= 0.0 || cost.days <= goal.deadlineDays) &&
                 (goal.budget <= 0.0 || (cost.money > 0.0 && cost.money <= goal.budget));
    return cost;
}

} // namespace pw
