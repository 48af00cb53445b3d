// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/stage_time.h"

#include <algorithm>
#include <numeric>

namespace pw {

double StageTime::total() const {
    return std::accumulate(busy.begin(), busy.end(), idle.total().value);
}

std::vector<StageTime> stageTimes(const Timeline& timeline, const Evaluation& evaluation) {
    std::vector<std::vector<IdleTime>> idle; // by pipeline and stage
    for (const PipelineFigures& figures : evaluation.pipelines)
        idle.push_back(idleByCause(figures, evaluation.iteration));
    std::vector<StageTime> times;
    for (const Track& track : timeline.tracks) {
        StageTime time;
        time.idle = idle[static_cast<std::size_t>(track.pipeline)][static_cast<std::size_t>(track.stage)];
        double sum = 0.0;
        for (const LaneRole role : {LaneRole::Compute, LaneRole::Sync}) {
            const RangeStatistics sums = rangeStatistics(track.lane(role), 0, timeline.end);
            for (std::size_t k = 0; k < kBarKinds; ++k) {
                time.busy[k] += static_cast<double>(sums.byKind[k].sum) / 1e9;
                sum += static_cast<double>(sums.byKind[k].sum) / 1e9;
            }
        }
        // A staggered stage's iteration is shorter than the timeline, on which it starts late.
        const Seconds before = time.idle.warmUp + time.idle.slowerStage + time.idle.transfer;
        const double whole =
            track.staggered ? evaluation.iteration.value : static_cast<double>(timeline.end) / 1e9;
        time.idle.coolDown = Seconds(std::max(0.0, whole - sum - before.value));
        times.push_back(time);
    }
    return times;
}

} // namespace pw
