// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/space/coverage.h"

#include "core/search/space/uniform_grid.h"
#include "core/whatif/arrange.h"

#include <algorithm>
#include <cmath>

namespace pw {

int classOf(const std::vector<ChainClass>& classes, const std::vector<DeviceIndex>& devices) {
    for (std::size_t c = 0; c < classes.size(); ++c) {
        const ChainClass& cls = classes[c];
        const auto whole = static_cast<std::size_t>(cls.gpusPerNode);
        std::size_t at = 0;
        auto rack = cls.nodes.begin();
        std::size_t r = 0;
        // Nodes of a rack are in the order of their devices; most stages stay in one.
        const auto nodeOf = [&](DeviceIndex device) {
            for (std::size_t tried = 0; tried < cls.racks.size(); ++tried) {
                const auto end = rack + cls.racks[r];
                const auto behind = std::upper_bound(
                    rack, end, device, [](DeviceIndex d, const auto& gpus) { return d < gpus.front(); });
                if (behind != rack &&
                    std::find((behind - 1)->begin(), (behind - 1)->end(), device) != (behind - 1)->end())
                    return behind - 1;
                r = (r + 1) % cls.racks.size();
                rack = r == 0 ? cls.nodes.begin() : end;
            }
            return cls.nodes.end();
        };
        while (at < devices.size()) {
            const auto node = nodeOf(devices[at]);
            if (node == cls.nodes.end())
                break;
            const auto first = std::find(node->begin(), node->end(), devices[at]);
            const std::size_t run =
                std::min(devices.size() - at, static_cast<std::size_t>(node->end() - first));
            if (!std::equal(first, first + static_cast<std::ptrdiff_t>(run),
                            devices.begin() + static_cast<std::ptrdiff_t>(at)) ||
                (run < whole && run < devices.size()))
                break;
            at += run;
        }
        if (at == devices.size())
            return static_cast<int>(c);
    }
    return -1;
}

bool isOption(const ChainSpace& space, const Stage& stage) {
    if (Sharing{stage.cp, stage.ep} != space.sharing() ||
        std::any_of(stage.replicas.begin(), stage.replicas.end(), [&](const Replica& replica) {
            return std::abs(replica.share * stage.dp() - 1.0) > 1e-9;
        }))
        return false;
    const int cls = classOf(space.classes(), whatif::devicesOf(stage));
    return std::any_of(space.options().begin(), space.options().end(), [&](const StageOption& option) {
        return option.cls == cls && option.tp == stage.tp && option.dp == stage.dp() &&
               option.zero == stage.zero && option.sequenceParallel == stage.sequenceParallel &&
               option.recompute == stage.recompute && (stage.recomputeLayers == 0 || option.plain) &&
               (option.partition ? *option.partition == stage.partition : stage.partition.empty());
    });
}

namespace {

bool holdsEnough(const Pipeline& pipeline) {
    if (!usesLaunchCounts(pipeline.schedule.kind))
        return false;
    const std::vector<int>& launch = pipeline.schedule.launch;
    const auto stages = static_cast<std::int64_t>(pipeline.stages.size());
    for (std::size_t i = 0; i < launch.size(); ++i)
        if (launch[i] < std::min(pipeline.microbatches, stages - static_cast<std::int64_t>(i)))
            return false;
    return true;
}

// Whether no class is left and entered again.
bool entersOnce(const ChainSpace& space, const Pipeline& pipeline) {
    std::vector<int> entered;
    for (const Stage& stage : pipeline.stages) {
        const int cls = classOf(space.classes(), whatif::devicesOf(stage));
        if (!entered.empty() && entered.back() == cls)
            continue;
        if (std::find(entered.begin(), entered.end(), cls) != entered.end())
            return false;
        entered.push_back(cls);
    }
    return true;
}

} // namespace

bool coveredByBound(const ChainSpace& space, const Plan& plan) {
    if (plan.pipelines.size() != 1)
        return false;
    const Pipeline& pipeline = plan.pipelines.front();
    const int fineLayers = 2 * space.blocks() + 2;
    return pipeline.count == 1 && pipeline.microbatchSize == space.microbatchSize() &&
           static_cast<int>(pipeline.stages.size()) <= space.maxStages() && holdsEnough(pipeline) &&
           std::all_of(pipeline.stages.begin(), pipeline.stages.end(),
                       [&](const Stage& stage) {
                           return stage.chunks.size() == 1 &&
                                  areWholeBlocks(stage.chunks.front(), fineLayers) && isOption(space, stage);
                       }) &&
           entersOnce(space, pipeline);
}

bool coveredByBound(const Problem& problem, const Plan& plan) {
    if (plan.pipelines.size() != 1)
        return false;
    if (isUniformGrid(problem, plan))
        return true;
    const std::int64_t size = plan.pipelines.front().microbatchSize;
    const std::vector<std::int64_t> sizes = ChainSpace::microbatchSizes(problem);
    if (std::find(sizes.begin(), sizes.end(), size) == sizes.end())
        return false;
    const CostTable table(problem);
    const Stage& first = plan.pipelines.front().stages.front();
    const Sharing sharing{first.cp, first.ep};
    const std::vector<Sharing> allowed = sharings(problem);
    return std::find(allowed.begin(), allowed.end(), sharing) != allowed.end() &&
           coveredByBound(ChainSpace(problem, table, size, sharing), plan);
}

} // namespace pw
