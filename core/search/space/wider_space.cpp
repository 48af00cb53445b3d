// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/space/wider_space.h"

#include "core/plan/shares.h"
#include "core/search/space/coverage.h"
#include "core/whatif/arrange.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>

namespace pw {
namespace {

constexpr int kMostChunks = 4; // tried of kinds that take any number

StageOption replicasOn(const ClassRun& run, int tp) {
    StageOption option;
    option.cls = run.cls;
    option.devices = run.devices;
    option.tp = tp;
    option.dp = run.devices / tp;
    return option;
}

// The parts of a stage by class, and the devices of each in the order of the replicas.
struct Part {
    int cls = 0;
    std::vector<DeviceIndex> devices;
};
std::optional<std::vector<Part>> partsOf(const std::vector<ChainClass>& classes, const Stage& stage) {
    std::vector<Part> parts;
    for (const Replica& replica : stage.replicas) {
        const int cls = classOf(classes, {replica.devices.front()});
        if (cls < 0)
            return std::nullopt;
        if (parts.empty() || parts.back().cls != cls)
            parts.push_back({cls, {}});
        parts.back().devices.insert(parts.back().devices.end(), replica.devices.begin(),
                                    replica.devices.end());
    }
    for (const Part& part : parts) {
        const std::vector<int> sizes = stageSizes(classes[static_cast<std::size_t>(part.cls)]);
        if (classOf(classes, part.devices) != part.cls ||
            std::ranges::find(sizes, static_cast<int>(part.devices.size())) == sizes.end())
            return std::nullopt;
    }
    return parts;
}

// Whether devices of the same node in one plan are of the same node in the other.
bool nodesCorrespond(const Topology& topology, const Plan& a, const Plan& b) {
    std::map<int, int> there, back;
    const auto nodeOf = [&](DeviceIndex d) { return topology.devices()[static_cast<std::size_t>(d)].domain; };
    for (std::size_t p = 0; p < a.pipelines.size(); ++p)
        for (std::size_t s = 0; s < a.pipelines[p].stages.size(); ++s) {
            const std::vector<DeviceIndex> own = whatif::devicesOf(a.pipelines[p].stages[s]);
            const std::vector<DeviceIndex> other = whatif::devicesOf(b.pipelines[p].stages[s]);
            for (std::size_t d = 0; d < own.size(); ++d) {
                const int from = nodeOf(own[d]), to = nodeOf(other[d]);
                if (there.try_emplace(from, to).first->second != to ||
                    back.try_emplace(to, from).first->second != from)
                    return false;
            }
        }
    return true;
}

bool isMixed(const ChainSpace& space, const CostTable& table, const Stage& stage,
             const std::vector<Part>& parts) {
    const Problem& problem = space.problem();
    if (parts.size() != 2 || parts[0].cls == parts[1].cls || stage.recomputeLayers != 0)
        return false;
    const std::optional<Stage> own =
        mixedStage(space, table, {parts[0].cls, static_cast<int>(parts[0].devices.size()), 0},
                   {parts[1].cls, static_cast<int>(parts[1].devices.size()), 0}, stage.tp, stage.recompute);
    if (!own || !problem.space().wider.mixedStages)
        return false;
    Stage like = *own;
    like.chunks = stage.chunks;
    like.replicas = stage.replicas;
    return like == stage &&
           std::ranges::equal(own->replicas, stage.replicas,
                              [](const Replica& a, const Replica& b) { return a.share == b.share; });
}

bool pipelineInSpace(const ChainSpace& space, const CostTable& table, const Pipeline& pipeline) {
    const Problem& problem = space.problem();
    if (pipeline.count != 1 || static_cast<int>(pipeline.stages.size()) > space.maxStages())
        return false;
    const auto fineLayers = static_cast<int>(problem.layers().size());
    for (const Stage& stage : pipeline.stages)
        for (const LayerRange& range : stage.chunks) {
            // A stage of fewer blocks than chunks has the embedding or the head alone in one of them.
            const bool end = stage.chunks.size() > 1 && range.first == range.last &&
                             (range.first == 0 || range.last == fineLayers - 1);
            if (!end && !areWholeBlocks(range, fineLayers))
                return false;
        }
    // Dealt out to chunks as the schedule does.
    Pipeline dealt = pipeline;
    const std::vector<int> inner = whatif::innerLayers(problem, pipeline);
    if (!whatif::layOut(problem, dealt, inner) || dealt != pipeline)
        return false;
    std::set<int> entered;
    std::vector<int> last; // classes of the stage in front
    for (const Stage& stage : pipeline.stages) {
        const auto parts = partsOf(space.classes(), stage);
        if (!parts || !(parts->size() == 1 ? isOption(space, stage) : isMixed(space, table, stage, *parts)))
            return false;
        std::vector<int> now;
        for (const Part& part : *parts) {
            if (entered.contains(part.cls) && std::ranges::find(last, part.cls) == last.end())
                return false;
            now.push_back(part.cls);
        }
        entered.insert(now.begin(), now.end());
        last = std::move(now);
    }
    return true;
}

} // namespace

std::optional<Plan> filledInOrder(const ChainSpace& space, Plan plan) {
    std::vector<Pipeline*> order;
    for (Pipeline& pipeline : plan.pipelines)
        order.push_back(&pipeline);
    std::ranges::stable_sort(order, std::greater{},
                             [](const Pipeline* p) { return p->microbatches * p->microbatchSize; });
    std::vector<int> used(space.classes().size(), 0);
    for (Pipeline* pipeline : order)
        for (auto stage = pipeline->stages.rbegin(); stage != pipeline->stages.rend(); ++stage) {
            const auto parts = partsOf(space.classes(), *stage);
            if (!parts)
                return std::nullopt;
            auto replica = stage->replicas.begin();
            for (const Part& part : *parts) {
                StageOption option;
                option.cls = part.cls;
                option.devices = static_cast<int>(part.devices.size());
                option.tp = stage->tp;
                option.cp = stage->cp;
                int& position = used[static_cast<std::size_t>(part.cls)];
                if (space.placeOf(option, position) != position)
                    return std::nullopt;
                for (auto& devices : space.devices(option, position))
                    (replica++)->devices = std::move(devices);
                position += option.devices;
            }
        }
    return plan;
}

std::vector<ScheduleTrial> scheduleTrials(const Problem& problem) {
    std::vector<ScheduleTrial> trials;
    for (const ScheduleChoice& choice : problem.space().schedules)
        trials.push_back({choice.kind, choice.rule, 1, choice.loneStage});
    if (!problem.space().wider.schedules)
        return trials;
    // Every kind that no Space has from the start, those of one number of chunks first.
    for (const bool several : {false, true})
        for (std::size_t k = 0; k < kScheduleKinds; ++k) {
            const auto kind = static_cast<ScheduleKind>(k);
            const int least = leastChunks(kind), most = std::min(mostChunks(kind), kMostChunks);
            if (Space().allows(kind) || !problem.space().wider.has(kind) || (most > least) != several)
                continue;
            for (int chunks = least; chunks <= most; ++chunks)
                trials.push_back({kind, LaunchRule::Artifact, chunks});
        }
    return trials;
}

std::optional<Plan> underSchedule(const Problem& problem, Plan plan, const ScheduleTrial& trial) {
    for (Pipeline& pipeline : plan.pipelines) {
        const std::vector<int> inner = whatif::innerLayers(problem, pipeline);
        pipeline.schedule = {trial.kind, trial.rule, trial.chunks, {}};
        if ((trial.loneStage && pipeline.stages.size() > 1) ||
            unfitMicrobatches(trial.kind, pipeline.microbatches, static_cast<int>(pipeline.stages.size())) ||
            !whatif::layOut(problem, pipeline, inner))
            return std::nullopt;
    }
    return plan;
}

std::optional<Stage> mixedStage(const ChainSpace& space, const CostTable& table, const ClassRun& a,
                                const ClassRun& b, int tp, Recompute mode) {
    const Problem& problem = space.problem();
    if (space.sharing() != Sharing{})
        return std::nullopt;
    Stage stage;
    stage.tp = tp;
    stage.sequenceParallel = usesSequenceParallel(problem, tp);
    stage.recompute = mode;
    std::set<std::string> vendors;
    for (const ClassRun& run : {a, b}) {
        const ChainClass& cls = space.classes()[static_cast<std::size_t>(run.cls)];
        const DeviceKind& kind = problem.topology().kinds()[static_cast<std::size_t>(cls.kind)];
        const std::vector<Recompute> modes = recomputeModes(problem, kind);
        if (run.devices % tp != 0 || tp > std::min(cls.gpusPerNode, problem.space().maxTp) ||
            (run.devices > cls.gpusPerNode && cls.gpusPerNode % tp != 0) ||
            std::ranges::find(modes, mode) == modes.end())
            return std::nullopt;
        vendors.insert(kind.vendor);
        for (auto& devices : space.devices(replicasOn(run, tp), run.position))
            stage.replicas.push_back({std::move(devices), 0.0});
    }
    if (vendors.size() > 1 || (tp & (tp - 1)) != 0 || !divides(problem.model(), tp))
        return std::nullopt;
    stage.zero = shardingOf(problem, stage.dp());
    const std::vector<std::int64_t> sequences =
        sequencesBySpeed(problem, table, stage, space.microbatchSize());
    const std::vector<std::int64_t>& allowed = problem.recipe().mbs;
    if (sequences.empty() || std::ranges::any_of(sequences, [&](std::int64_t s) {
            return s > WiderSpace::kMostUneven ||
                   (!allowed.empty() && std::ranges::find(allowed, s) == allowed.end());
        }))
        return std::nullopt;
    for (std::size_t r = 0; r < sequences.size(); ++r)
        stage.replicas[r].share =
            static_cast<double>(sequences[r]) / static_cast<double>(space.microbatchSize());
    return stage;
}

bool inSpace(const Problem& problem, const CostTable& table, const std::vector<const ChainSpace*>& spaces,
             const Plan& plan) {
    if (static_cast<int>(plan.pipelines.size()) > problem.space().wider.pipelines)
        return false;
    const PlanSchedule& schedule = plan.pipelines.front().schedule;
    const std::vector<ScheduleTrial> trials = scheduleTrials(problem);
    const bool loneStages = std::ranges::all_of(
        plan.pipelines, [](const Pipeline& pipeline) { return pipeline.stages.size() == 1; });
    if (std::ranges::none_of(trials, [&](const ScheduleTrial& trial) {
            return trial.kind == schedule.kind && trial.rule == schedule.rule &&
                   trial.chunks == schedule.chunks && (loneStages || !trial.loneStage);
        }))
        return false;
    const std::optional<Plan> filled = filledInOrder(*spaces.front(), plan);
    if (!filled || !nodesCorrespond(problem.topology(), plan, *filled))
        return false;
    const Stage& first = plan.pipelines.front().stages.front();
    return std::ranges::all_of(plan.pipelines, [&](const Pipeline& pipeline) {
        const PlanSchedule& own = pipeline.schedule;
        if (own.kind != schedule.kind || own.rule != schedule.rule || own.chunks != schedule.chunks)
            return false;
        return std::ranges::any_of(spaces, [&](const ChainSpace* space) {
            return space->microbatchSize() == pipeline.microbatchSize &&
                   space->sharing() == Sharing{first.cp, first.ep} &&
                   pipelineInSpace(*space, table, pipeline);
        });
    });
}

std::optional<Plan> broughtIntoSpace(const Problem& problem, const CostTable& table,
                                     const std::vector<const ChainSpace*>& spaces, const Plan& plan) {
    std::optional<Plan> filled = filledInOrder(*spaces.front(), plan);
    if (!filled || !inSpace(problem, table, spaces, *filled))
        return std::nullopt;
    return filled;
}

} // namespace pw
