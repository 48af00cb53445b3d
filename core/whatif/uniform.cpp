// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cost/cost.h"
#include "core/whatif/arrange.h"
#include "core/whatif/whatif.h"

#include <algorithm>

namespace pw::whatif {
namespace {

constexpr std::size_t kStagesOfANode = 4; // at most, where there is but one

// The devices of each stage: those of a node, of neighbouring nodes where there are more than `most`, or
// equal parts of the only node.
std::vector<std::vector<DeviceIndex>> dividedByNode(const Problem& problem, std::size_t most) {
    std::vector<std::vector<DeviceIndex>> nodes;
    int last = -1;
    for (const DeviceIndex d : unusedDevices(problem, {})) {
        const int node = problem.topology().devices()[static_cast<std::size_t>(d)].node;
        if (nodes.empty() || node != last)
            nodes.emplace_back();
        nodes.back().push_back(d);
        last = node;
    }
    if (nodes.size() == 1) {
        const std::vector<DeviceIndex> all = nodes.front();
        std::size_t parts = std::min({kStagesOfANode, most, all.size()});
        while (all.size() % parts != 0)
            --parts;
        nodes.clear();
        const auto each = static_cast<std::ptrdiff_t>(all.size() / parts);
        for (auto first = all.begin(); first != all.end(); first += each)
            nodes.emplace_back(first, first + each);
    }
    std::vector<std::vector<DeviceIndex>> stages(std::min(nodes.size(), most));
    for (std::size_t n = 0; n < nodes.size(); ++n) {
        std::vector<DeviceIndex>& stage = stages[n * stages.size() / nodes.size()];
        stage.insert(stage.end(), nodes[n].begin(), nodes[n].end());
    }
    return stages;
}

} // namespace

Result<Plan> uniformPlan(const Problem& problem) {
    const std::size_t blocks = (problem.layers().size() - 2) / 2;
    const std::vector<std::vector<DeviceIndex>> devices = dividedByNode(problem, blocks);
    if (devices.empty())
        return refusal("no device may be used");
    Pipeline pipeline;
    pipeline.stages.resize(devices.size());
    const std::size_t stages = devices.size();
    for (std::size_t i = 0; i < stages; ++i)
        pipeline.stages[i].chunks = {layersOfBlocks(static_cast<int>(i * blocks / stages),
                                                    static_cast<int>((i + 1) * blocks / stages),
                                                    static_cast<int>(blocks))};
    // The smallest micro-batch that every stage can share among its replicas: few, since groups are wide.
    Result<Plan> made = refusal("no micro-batch divides the batch");
    const std::int64_t batch = problem.recipe().gbs;
    for (std::int64_t size = 1; size <= batch; ++size) {
        if (batch % size != 0)
            continue;
        pipeline.microbatchSize = size;
        pipeline.microbatches = batch / size;
        Plan plan{{pipeline}};
        Status sound = Ok{};
        for (std::size_t i = 0; i < stages && sound; ++i) {
            Stage wide = pipeline.stages[i];
            wide.tp = static_cast<int>(devices[i].size());
            Result<Stage> stage = arrangedNearest(problem, pipeline, wide, devices[i]);
            if (stage) {
                stage->sequenceParallel = usesSequenceParallel(problem, stage->tp);
                plan.pipelines.front().stages[i] = *std::move(stage);
            } else {
                sound = stage.error();
            }
        }
        made = sound ? checked(problem, std::move(plan)) : Result<Plan>(sound.error());
        if (made)
            break;
    }
    return made;
}

} // namespace pw::whatif
