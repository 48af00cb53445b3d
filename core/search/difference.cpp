// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/difference.h"

#include "core/accuracy/memory_cases.h"
#include "core/evaluate/utilisation.h"
#include "core/problem/memory_span.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace pw {

namespace {

// Whole blocks, the embedding and the head aside; `last`: the head's fine layer. In fine layers.
int blockLayers(const Stage& stage, int last) {
    int layers = 0;
    for (const LayerRange& chunk : stage.chunks)
        layers += chunk.last - chunk.first + 1 - (chunk.first == 0 ? 1 : 0) - (chunk.last == last ? 1 : 0);
    return layers;
}

bool dividesAlike(const Stage& a, const Stage& b) {
    return a.tp == b.tp && a.cp == b.cp && a.ep == b.ep && a.dp() == b.dp() && a.zero == b.zero &&
           a.sequenceParallel == b.sequenceParallel && a.recompute == b.recompute &&
           a.recomputeLayers == b.recomputeLayers && a.partition == b.partition;
}

bool hasEqualStages(const Plan& plan) {
    int last = 0;
    for (const Pipeline& pipeline : plan.pipelines)
        for (const Stage& stage : pipeline.stages)
            for (const LayerRange& chunk : stage.chunks)
                last = std::max(last, chunk.last);
    const Stage& first = plan.pipelines.front().stages.front();
    return std::ranges::all_of(plan.pipelines, [&](const Pipeline& pipeline) {
        return std::ranges::all_of(pipeline.stages, [&](const Stage& stage) {
            return dividesAlike(stage, first) && blockLayers(stage, last) == blockLayers(first, last);
        });
    });
}

std::string percent(double share) {
    return fmt::format("{:.0f} %", 100.0 * share);
}

} // namespace

std::span<const DifferenceRow> differenceTable() {
    static constexpr std::array table = {
        DifferenceRow{Difference::HalfTheGpus, "half_the_gpus"},
        DifferenceRow{Difference::FewerGpus, "fewer_gpus"},
        DifferenceRow{Difference::LessMemory, "less_memory"},
        DifferenceRow{Difference::SurerToFit, "surer_to_fit"},
        DifferenceRow{Difference::OtherSchedule, "other_schedule"},
        DifferenceRow{Difference::FewerStages, "fewer_stages"},
        DifferenceRow{Difference::EqualStages, "equal_stages"},
    };
    return table;
}

const char* name(Difference difference) {
    return std::ranges::find(differenceTable(), difference, &DifferenceRow::difference)->name;
}

std::optional<Difference> differenceFromName(std::string_view text) {
    for (const DifferenceRow& row : differenceTable())
        if (row.name == text)
            return row.difference;
    return std::nullopt;
}

PlanTraits traitsOf(const Problem& problem, const Plan& plan, const Evaluation& evaluation) {
    PlanTraits traits;
    traits.iteration = evaluation.iteration.value;
    traits.gpus = usedGpus(plan);
    traits.memory = fullestShare(evaluation);
    traits.schedule = plan.pipelines.front().schedule.kind;
    for (const Pipeline& pipeline : plan.pipelines)
        traits.stages = std::max(traits.stages, static_cast<int>(pipeline.stages.size()));
    traits.equalStages = traits.stages > 1 && hasEqualStages(plan);
    traits.fitChance = chanceToFit(problem, evaluation);
    return traits;
}

bool isSetApart(Difference by, const PlanTraits& fastest, const PlanTraits& plan) {
    constexpr double kLessMemory = 0.85; // of the fastest plan's share
    switch (by) {
    case Difference::HalfTheGpus:
        return 2 * plan.gpus <= fastest.gpus;
    case Difference::FewerGpus:
        return 4 * plan.gpus <= 3 * fastest.gpus;
    case Difference::LessMemory:
        return plan.memory <= kLessMemory * fastest.memory;
    case Difference::SurerToFit:
        return plan.fitChance >= kLikelyToFit && fastest.fitChance < kLikelyToFit;
    case Difference::OtherSchedule:
        return plan.schedule != fastest.schedule;
    case Difference::FewerStages:
        return 4 * plan.stages <= 3 * fastest.stages;
    case Difference::EqualStages:
        return plan.equalStages && !fastest.equalStages && fastest.stages > 1;
    }
    return false;
}

std::vector<std::vector<Difference>> differencesFromFirst(std::span<const PlanTraits> plans) {
    std::vector<std::vector<Difference>> all(plans.size());
    for (const DifferenceRow& row : differenceTable()) {
        std::size_t best = 0; // none
        for (std::size_t i = 1; i < plans.size(); ++i)
            if (plans[i].iteration <= kMostTime * plans[0].iteration &&
                isSetApart(row.difference, plans[0], plans[i]) &&
                (best == 0 || plans[i].iteration < plans[best].iteration))
                best = i;
        const bool said = row.difference == Difference::FewerGpus && best > 0 && !all[best].empty();
        if (best > 0 && !said)
            all[best].push_back(row.difference);
    }
    return all;
}

Wording wordingOf(Difference by, const PlanTraits& fastest, const PlanTraits& plan) {
    switch (by) {
    case Difference::HalfTheGpus:
        return {"half the GPUs: {gpus} in place of {of}", {{"gpus", plan.gpus}, {"of", fastest.gpus}}};
    case Difference::FewerGpus:
        return {"fewer GPUs: {gpus} in place of {of}", {{"gpus", plan.gpus}, {"of", fastest.gpus}}};
    case Difference::LessMemory:
        return {"less memory: {share} of what may be used of the fullest GPU in place of {of}",
                {{"share", percent(plan.memory)}, {"of", percent(fastest.memory)}}};
    case Difference::SurerToFit:
        return {"surer to fit: a chance of {chance} in place of {of}",
                // What is just not likely enough is not rounded up to it.
                {{"chance", percent(plan.fitChance)},
                 {"of", percent(std::min(fastest.fitChance, kLikelyToFit - 0.01))}}};
    case Difference::OtherSchedule:
        return {"another schedule: {schedule} in place of {of}",
                {{"schedule", label(plan.schedule)}, {"of", label(fastest.schedule)}}};
    case Difference::FewerStages:
        return {"fewer stages: {stages} in place of {of}", {{"stages", plan.stages}, {"of", fastest.stages}}};
    case Difference::EqualStages:
        return {"equal stages: as many blocks on each of {stages}, divided alike", {{"stages", plan.stages}}};
    }
    return {};
}

} // namespace pw
