// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/random.h"
#include "core/whatif/whatif.h"
#include "tests/project/small_project.h"

#include <string>

namespace pw::test {

// The small project's question, with eight blocks.
inline std::shared_ptr<const Problem> editProblem() {
    Project project = smallProject();
    project.model->blocks = 8;
    const auto made = problemOf(project);
    return made ? *made : nullptr;
}

inline Stage stageOn(const Problem& problem, LayerRange layers, const std::vector<std::string>& devices,
                     int tp) {
    Stage stage;
    stage.chunks = {layers};
    stage.tp = tp;
    const std::size_t each = static_cast<std::size_t>(tp);
    for (std::size_t first = 0; first < devices.size(); first += each) {
        Replica replica;
        for (std::size_t k = 0; k < each; ++k)
            replica.devices.push_back(problem.topology().find(devices[first + k]));
        replica.share = static_cast<double>(each) / static_cast<double>(devices.size());
        stage.replicas.push_back(replica);
    }
    return stage;
}

// Three stages: 4 A100 of n1 with blocks 0 to 2, 2 of n2 with 3 to 5, 4 V100 of n3 with the rest. 16
// micro-batches of 4 sequences.
inline Plan editPlan(const Problem& problem) {
    Plan plan;
    Pipeline pipeline;
    pipeline.microbatchSize = 4;
    pipeline.microbatches = 16;
    pipeline.schedule.launch = {3, 2, 1};
    const int blocks = static_cast<int>(problem.model().blocks);
    pipeline.stages = {
        stageOn(problem, layersOfBlocks(0, 3, blocks), {"n1.g0", "n1.g1", "n1.g2", "n1.g3"}, 2),
        stageOn(problem, layersOfBlocks(3, 6, blocks), {"n2.g0", "n2.g1"}, 1),
        stageOn(problem, layersOfBlocks(6, 8, blocks), {"n3.g0", "n3.g1", "n3.g2", "n3.g3"}, 2)};
    plan.pipelines.push_back(pipeline);
    return plan;
}

// Any edit with any arguments, many of them nonsense.
inline Result<Plan> randomEdit(Random& random, const Problem& problem, const Plan& plan) {
    const auto any = [&](std::size_t count) { return static_cast<int>(random.below(count)); };
    const std::size_t stages = plan.pipelines.front().stages.size();
    const std::size_t devices = problem.topology().devices().size();
    const int stage = any(stages + 1);
    switch (any(12)) {
    case 0:
    case 1:
    case 2:
        return whatif::moveBoundary(problem, plan, any(stages), any(problem.layers().size()));
    case 3:
        return whatif::moveDevices(problem, plan, {any(devices), any(devices)}, stage);
    case 4:
        return whatif::setTp(problem, plan, stage, 1 + any(4));
    case 5:
        return whatif::setDp(problem, plan, stage, any(5));
    case 6:
        return whatif::setRecompute(problem, plan, stage, static_cast<Recompute>(any(3)), any(3));
    case 7:
        return whatif::setMicrobatch(problem, plan, 1 + any(8));
    case 8:
        return whatif::setSchedule(problem, plan, static_cast<ScheduleKind>(any(9)),
                                   static_cast<LaunchRule>(any(3)));
    case 9:
        return random.below(2) == 0 ? whatif::splitStage(problem, plan, stage)
                                    : whatif::mergeStages(problem, plan, stage);
    case 10:
        return whatif::reorderStage(problem, plan, stage, any(stages));
    default:
        return random.below(8) == 0
                   ? whatif::dropNode(problem, plan, any(problem.topology().cluster().nodes.size()))
                   : whatif::releaseDevices(problem, plan, {any(devices)});
    }
}

} // namespace pw::test
