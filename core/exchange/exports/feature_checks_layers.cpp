// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/exports/feature_checks.h"

#include "core/plan/stage_partition.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

// Model, batch, schedule and layers.

namespace pw::features {

namespace {

// Forwards before the first backward, for kinds that fix them; 0 for others.
std::int64_t fixedLaunch(ScheduleKind kind, std::size_t stages, std::size_t i, std::int64_t microbatches) {
    switch (kind) {
    case ScheduleKind::GPipe:
        return microbatches;
    case ScheduleKind::OneFOneB:
        return std::min(static_cast<std::int64_t>(stages - i), microbatches);
    default:
        return 0;
    }
}

std::vector<std::string> labelsOf(const std::vector<ScheduleChoice>& schedules) {
    std::vector<std::string> labels; // each once, whatever the rules of its launch counts
    for (const ScheduleChoice& choice : schedules) {
        std::string own = label(choice.kind);
        if (choice.loneStage)
            own += " of one stage";
        if (std::find(labels.begin(), labels.end(), own) == labels.end())
            labels.push_back(std::move(own));
    }
    return labels;
}

} // namespace

std::string modelAllowed(const Capability& can) {
    const ModelTraits all = (ModelTraits{1} << static_cast<unsigned>(ModelTrait::kCount)) - 1;
    return (can.models & all) == all ? "any" : "some";
}

void checkModel(const Capability& can, const Problem& problem, const Plan&, Refusals& out) {
    const ModelTraits wrong = traitsOf(problem.model()) & ~can.models;
    for (unsigned t = 0; t < static_cast<unsigned>(ModelTrait::kCount); ++t)
        if ((wrong >> t & 1U) != 0)
            out.push_back({"",
                           "model " + problem.model().name,
                           {"it has {trait}; the trainer's models have not",
                            {{"trait", words(static_cast<ModelTrait>(t))}}}});
    const Model& m = problem.model();
    if (can.models != ~ModelTraits{0} && m.learnedPositions != 0 && problem.recipe().seq > m.positions)
        out.push_back({"",
                       "model " + m.name,
                       {"it has {positions} positions for {tokens} tokens",
                        {{"positions", m.positions}, {"tokens", problem.recipe().seq}}}});
}

std::string precisionAllowed(const Capability& can) {
    return namesOrAny(can.precisions);
}

void checkPrecision(const Capability& can, const Problem& problem, const Plan&, Refusals& out) {
    const Precision own = problem.precision();
    if (can.precisions.empty() ||
        std::find(can.precisions.begin(), can.precisions.end(), own) != can.precisions.end())
        return;
    std::set<std::string> without; // kinds for whose sake it is not the target's
    if (problem.recipe().precision == Precision::Auto)
        for (std::size_t d = 0; d < problem.allowed().size(); ++d)
            if (const DeviceKind& kind = problem.topology().kindOf(static_cast<DeviceIndex>(d));
                problem.allowed()[d] && kind.peak(can.precisions.front()).value <= 0.0)
                without.insert(kind.name);
    if (without.empty())
        out.push_back({"",
                       "recipe",
                       {"{precision}; {possible} can be asked for",
                        {{"precision", name(own)}, {"possible", precisionAllowed(can)}}}});
    else
        out.push_back({"",
                       "recipe",
                       {"{precision}, for {kinds} cannot run {wanted}; {possible} can be asked for, or these "
                        "left out",
                        {{"precision", name(own)},
                         {"kinds", fmt::format("{}", fmt::join(without, ", "))},
                         {"wanted", name(can.precisions.front())},
                         {"possible", precisionAllowed(can)}}}});
}

std::string batchAllowed(const Capability&) {
    return "whole";
}

void checkBatch(const Capability&, const Problem& problem, const Plan& plan, Refusals& out) {
    std::int64_t sequences = 0;
    std::vector<std::string> parts;
    for (const Pipeline& p : plan.pipelines) {
        sequences += p.count * p.microbatches * p.microbatchSize;
        parts.push_back(
            fmt::format("{} x {} micro-batches of {} sequences", p.count, p.microbatches, p.microbatchSize));
    }
    if (sequences != problem.recipe().gbs)
        out.push_back({"",
                       "plan",
                       {"{parts} are {sequences} sequences; the global batch is {gbs}",
                        {{"parts", fmt::format("{}", fmt::join(parts, " and "))},
                         {"sequences", sequences},
                         {"gbs", problem.recipe().gbs}}}});
}

std::string scheduleAllowed(const Capability& can) {
    if (can.schedules.empty())
        return can.freeLaunch ? "any" : "any, fixed counts";
    return fmt::format("{}", fmt::join(labelsOf(can.schedules), ", "));
}

void checkSchedule(const Capability& can, const Problem&, const Plan& plan, Refusals& out) {
    for (std::size_t p = 0; p < plan.pipelines.size(); ++p) {
        const Pipeline& pipeline = plan.pipelines[p];
        const PlanSchedule& schedule = pipeline.schedule;
        const std::size_t stages = pipeline.stages.size();
        const bool runs =
            std::any_of(can.schedules.begin(), can.schedules.end(), [&](const ScheduleChoice& c) {
                return c.allows(stages) && runsAs(c.kind, pipeline);
            });
        if (runs || (can.takes(schedule.kind, stages) && (can.freeLaunch || schedule.launch.empty())))
            continue;
        const std::string where = plan.pipelines.size() > 1 ? fmt::format("pipeline {}", p) : "plan";
        if (!can.takes(schedule.kind, stages)) {
            out.push_back(
                {"",
                 where,
                 {schedule.launch.empty()
                      ? "the schedule is {schedule}; {possible} is what runs"
                      : "the schedule is {schedule} with launch counts {launch}; {possible} is what runs",
                  {{"schedule", label(schedule.kind)},
                   {"launch", fmt::format("{}", fmt::join(schedule.launch, ", "))},
                   {"possible", fmt::format("{}", fmt::join(labelsOf(can.schedules), " or "))}}}});
            continue;
        }
        for (std::size_t i = 0; i < schedule.launch.size(); ++i) {
            const std::int64_t fixed = fixedLaunch(schedule.kind, stages, i, pipeline.microbatches);
            if (fixed > 0 && std::min<std::int64_t>(schedule.launch[i], pipeline.microbatches) != fixed)
                out.push_back({"",
                               stageName(plan, p, i),
                               {"launch count {launch}; {schedule} fixes it to {fixed}",
                                {{"launch", schedule.launch[i]},
                                 {"schedule", label(schedule.kind)},
                                 {"fixed", fixed}}}});
        }
    }
}

std::string unevenAllowed(const Capability& can) {
    return yes(can.unevenLayers);
}

void checkUneven(const Capability& can, const Problem& problem, const Plan& plan, Refusals& out) {
    if (can.unevenLayers)
        return;
    for (std::size_t p = 0; p < plan.pipelines.size(); ++p) {
        int first = -1;
        for (std::size_t i = 0; i < plan.pipelines[p].stages.size(); ++i)
            for (const LayerRange& chunk : plan.pipelines[p].stages[i].chunks) {
                const int blocks = wholeBlocks(problem.model(), chunk);
                first = first < 0 ? blocks : first;
                if (blocks != first)
                    out.push_back(
                        {"",
                         stageName(plan, p, i),
                         {"{blocks} blocks after {first} in stage 0; the trainer divides them evenly itself",
                          {{"blocks", blocks}, {"first", first}}}});
            }
    }
}

std::string subLayerAllowed(const Capability& can) {
    return yes(can.subLayers);
}

void checkSubLayer(const Capability& can, const Problem& problem, const Plan& plan, Refusals& out) {
    const int last = fineLayerCount(problem.model()) - 1;
    for (std::size_t p = 0; !can.subLayers && p < plan.pipelines.size(); ++p)
        for (std::size_t i = 0; i < plan.pipelines[p].stages.size(); ++i)
            for (const LayerRange& chunk : plan.pipelines[p].stages[i].chunks)
                if (chunk.last < last && chunk.last % 2 == 1)
                    out.push_back(
                        {"",
                         stageName(plan, p, i),
                         {"ends between attention and MLP of block {block}; whole blocks are possible",
                          {{"block", (chunk.last - 1) / 2}}}});
}

std::string layerOrderAllowed(const Capability&) {
    return "no";
}

void checkLayerOrder(const Capability&, const Problem& problem, const Plan& plan, Refusals& out) {
    for (std::size_t p = 0; p < plan.pipelines.size(); ++p) {
        const Pipeline& pipeline = plan.pipelines[p];
        if (std::any_of(pipeline.stages.begin(), pipeline.stages.end(), [&](const Stage& s) {
                return static_cast<int>(s.chunks.size()) != pipeline.schedule.chunks;
            }))
            continue; // the row of virtual stages says it
        const ChunkLayout layout = pipeline.layout();
        int next = 0;
        for (int v = 0; v < layout.virtualStages(); ++v) {
            const auto i = static_cast<std::size_t>(layout.stageOf(v));
            const LayerRange range = pipeline.stages[i].chunks[static_cast<std::size_t>(layout.chunkOf(v))];
            if (range.first != next || range.last < range.first)
                out.push_back({"",
                               stageName(plan, p, i),
                               {"fine layers {first} to {last}; {next} is next in order",
                                {{"first", range.first}, {"last", range.last}, {"next", next}}}});
            next = range.last + 1;
        }
        if (const int all = fineLayerCount(problem.model()); next != all)
            out.push_back({"",
                           stageName(plan, p, pipeline.stages.size() - 1),
                           {"ends with fine layer {layer}; the model ends with {last}",
                            {{"layer", next - 1}, {"last", all - 1}}}});
    }
}

std::string emptyAllowed(const Capability& can) {
    return can.loneEnds ? "embedding, head" : "no";
}

void checkEmpty(const Capability& can, const Problem& problem, const Plan& plan, Refusals& out) {
    const int last = fineLayerCount(problem.model()) - 1;
    for (std::size_t p = 0; p < plan.pipelines.size(); ++p)
        for (std::size_t i = 0; i < plan.pipelines[p].stages.size(); ++i)
            for (const LayerRange& chunk : plan.pipelines[p].stages[i].chunks) {
                const bool lone = (chunk.first == 0 || chunk.last == last) && chunk.first <= chunk.last;
                const bool block = std::max(chunk.first, 1) <= std::min(chunk.last, last - 1);
                if (!block && !(lone && can.loneEnds))
                    out.push_back(
                        {"", stageName(plan, p, i),
                         lone ? "holds no transformer block; at least one is needed" : "holds no layer"});
            }
}

std::string virtualAllowed(const Capability& can) {
    return yes(can.virtualStages);
}

void checkVirtual(const Capability& can, const Problem&, const Plan& plan, Refusals& out) {
    for (std::size_t p = 0; p < plan.pipelines.size(); ++p) {
        const Pipeline& pipeline = plan.pipelines[p];
        if (!can.virtualStages && pipeline.schedule.chunks != 1)
            out.push_back(
                {"",
                 plan.pipelines.size() > 1 ? fmt::format("pipeline {}", p) : "plan",
                 {"{chunks} virtual stages a stage; 1 is possible", {{"chunks", pipeline.schedule.chunks}}}});
        for (std::size_t i = 0; i < pipeline.stages.size(); ++i)
            if (const auto held = static_cast<int>(pipeline.stages[i].chunks.size());
                held != pipeline.schedule.chunks || (!can.virtualStages && held != 1))
                out.push_back(
                    {"",
                     stageName(plan, p, i),
                     {"{pieces} pieces of the model; the schedule runs {expected}",
                      {{"pieces", held}, {"expected", can.virtualStages ? pipeline.schedule.chunks : 1}}}});
    }
}

std::string partitionAllowed(const Capability& can) {
    return yes(can.partitions);
}

void checkPartition(const Capability& can, const Problem&, const Plan& plan, Refusals& out) {
    for (std::size_t p = 0; !can.partitions && p < plan.pipelines.size(); ++p)
        for (std::size_t i = 0; i < plan.pipelines[p].stages.size(); ++i)
            if (const Stage& stage = plan.pipelines[p].stages[i]; !stage.partition.empty())
                out.push_back({"",
                               stageName(plan, p, i),
                               {"{partition}; no trainer known runs tensor partitions (search without them: "
                                "{--partitions} off)",
                                {{"partition", partitionText(stage)}}}});
}

} // namespace pw::features

namespace pw {

bool runsAs(ScheduleKind kind, const Pipeline& pipeline) {
    const std::vector<int>& launch = pipeline.schedule.launch;
    if (launch.size() != pipeline.stages.size() || pipeline.schedule.chunks != 1 ||
        !usesLaunchCounts(pipeline.schedule.kind))
        return false;
    for (std::size_t i = 0; i < launch.size(); ++i)
        if (std::min<std::int64_t>(launch[i], pipeline.microbatches) !=
            features::fixedLaunch(kind, launch.size(), i, pipeline.microbatches))
            return false;
    return true;
}

} // namespace pw
