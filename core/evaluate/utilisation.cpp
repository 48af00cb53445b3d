// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/evaluate/utilisation.h"

#include <algorithm>
#include <cmath>

namespace pw {

double modelFlopsUtilisation(const Problem& problem, const Plan& plan, Seconds iteration) {
    double forward = 0.0; // of a sequence
    for (const FineLayer& layer : problem.layers())
        forward += layer.forwardFlops.value;
    double peak = 0.0;
    for (const Pipeline& pipeline : plan.pipelines)
        for (const Stage& stage : pipeline.stages)
            for (const Replica& replica : stage.replicas)
                for (const DeviceIndex d : replica.devices)
                    peak += problem.topology().kindOf(d).peak(problem.precision()).value;
    const double possible = peak * iteration.value;
    const double needed = 3.0 * forward * static_cast<double>(problem.recipe().gbs);
    return possible > 0.0 && std::isfinite(possible) ? needed / possible : 0.0;
}

double fullestShare(const Evaluation& evaluation) {
    double most = 0.0;
    for (const DeviceMemory& m : evaluation.memory)
        if (m.capacity.value > 0.0)
            most = std::max(most, m.peak.total() / m.capacity);
    return most;
}

} // namespace pw
