// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/compare.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <span>

#include "core/cluster/cluster_difference.h"
#include "core/compare/stage_time.h"
#include "core/evaluate/idle_share.h"
#include "core/evaluate/utilisation.h"

namespace pw {
namespace {

double entryOf(const StageTime& time, TimeEntry entry) {
    const auto busy = [&](BarKind kind) { return time.busy[static_cast<std::size_t>(kind)]; };
    switch (entry) {
    case TimeEntry::Forward:
        return busy(BarKind::Forward);
    case TimeEntry::Recompute:
        return busy(BarKind::Recompute);
    case TimeEntry::Backward:
        return busy(BarKind::Backward);
    case TimeEntry::WeightGrad:
        return busy(BarKind::WeightGrad);
    case TimeEntry::AllReduce:
        return busy(BarKind::AllReduce);
    case TimeEntry::Optimizer:
        return busy(BarKind::Optimizer);
    case TimeEntry::WarmUp:
        return time.idle.warmUp.value;
    case TimeEntry::SlowerStage:
        return time.idle.slowerStage.value;
    case TimeEntry::Transfer:
        return time.idle.transfer.value;
    case TimeEntry::CoolDown:
        return time.idle.coolDown.value;
    }
    return 0.0;
}

struct PlanTimes {
    std::array<double, kTimeEntries> mean{};
    std::array<int, kTimeEntries> largest{};
};

PlanTimes timesOf(const ComparedPlan& plan) {
    PlanTimes times;
    times.largest.fill(-1);
    const std::vector<StageTime> stages = stageTimes(*plan.timeline, *plan.evaluation);
    std::array<double, kTimeEntries> most{};
    double devices = 0.0;
    for (std::size_t t = 0; t < stages.size(); ++t) {
        const Track& track = plan.timeline->tracks[t];
        const double weight = plan.plan->pipelines[static_cast<std::size_t>(track.pipeline)]
                                  .stages[static_cast<std::size_t>(track.stage)]
                                  .deviceCount();
        devices += weight;
        for (std::size_t e = 0; e < kTimeEntries; ++e) {
            const double seconds = entryOf(stages[t], static_cast<TimeEntry>(e));
            times.mean[e] += weight * seconds;
            if (seconds > most[e]) {
                most[e] = seconds;
                times.largest[e] = static_cast<int>(t);
            }
        }
    }
    for (double& sum : times.mean)
        sum /= std::max(devices, 1.0);
    return times;
}

std::vector<TimeDifference> timeDifferences(const std::vector<ComparedPlan>& plans, std::size_t base) {
    std::vector<PlanTimes> all;
    for (const ComparedPlan& plan : plans)
        all.push_back(timesOf(plan));
    std::vector<TimeDifference> list;
    for (std::size_t e = 0; e < kTimeEntries; ++e) {
        TimeDifference row{static_cast<TimeEntry>(e), {}, {}, 0.0};
        bool any = false;
        for (const PlanTimes& times : all) {
            row.seconds.push_back(times.mean[e]);
            row.stage.push_back(times.largest[e]);
            any = any || times.mean[e] > 0.0;
            const double change = times.mean[e] - all[base].mean[e];
            if (std::abs(change) > std::abs(row.largest))
                row.largest = change;
        }
        if (any)
            list.push_back(std::move(row));
    }
    std::stable_sort(list.begin(), list.end(), [](const TimeDifference& a, const TimeDifference& b) {
        return std::abs(a.largest) > std::abs(b.largest);
    });
    return list;
}

// What a property is, in words, and where it is one of each stage what each has.
struct FieldValue {
    std::string text;
    std::vector<std::string> stages = {};
    bool isUniform() const {
        return !stages.empty() && std::ranges::count(stages, stages.front()) == std::ssize(stages);
    }
};

template <class Each>
FieldValue overStages(const Plan& plan, const Each& each) {
    FieldValue value;
    for (const Pipeline& pipeline : plan.pipelines) {
        if (!value.text.empty())
            value.text += " + ";
        std::vector<std::string> parts;
        for (const Stage& stage : pipeline.stages)
            parts.push_back(each(pipeline, stage));
        value.text += fmt::format("{}", fmt::join(parts, " "));
        value.stages.insert(value.stages.end(), parts.begin(), parts.end());
    }
    return value;
}

std::string blocksOf(const Problem& problem, const Stage& stage) {
    const int head = static_cast<int>(problem.layers().size()) - 1;
    int fine = 0;
    for (const LayerRange& range : stage.chunks)
        fine += std::min(range.last, head - 1) - std::max(range.first, 1) + 1;
    return fine % 2 == 0 ? fmt::format("{}", fine / 2) : fmt::format("{}.5", fine / 2);
}

std::string recomputeOf(const Stage& stage) {
    if (stage.recompute == Recompute::Full && stage.recomputeLayers > 0)
        return fmt::format("first-{}", stage.recomputeLayers);
    return name(stage.recompute);
}

std::vector<FieldValue> fieldValues(const ComparedPlan& compared, std::vector<std::string>& names) {
    const Plan& plan = *compared.plan;
    std::vector<FieldValue> values;
    const auto add = [&](const char* name, FieldValue value) {
        names.emplace_back(name);
        values.push_back(std::move(value));
    };
    int stages = 0;
    for (const Pipeline& pipeline : plan.pipelines)
        stages += static_cast<int>(pipeline.stages.size());
    add("stages", {fmt::format("{}", stages)});
    add("GPUs of a stage", {stagePattern(*compared.problem, plan)});
    add("blocks of a stage", overStages(plan, [&](const Pipeline&, const Stage& stage) {
            return blocksOf(*compared.problem, stage);
        }));
    add("tp × dp", overStages(plan, [](const Pipeline& pipeline, const Stage& stage) {
            return fmt::format("{}×{}", stage.tp, stage.dp() / std::max(pipeline.count, 1));
        }));
    add("recompute",
        overStages(plan, [](const Pipeline&, const Stage& stage) { return recomputeOf(stage); }));
    add("ZeRO",
        overStages(plan, [](const Pipeline&, const Stage& stage) { return fmt::format("{}", stage.zero); }));
    std::vector<std::string> schedules, launches, microbatches;
    for (const Pipeline& pipeline : plan.pipelines) {
        schedules.push_back(label(pipeline.schedule.kind));
        launches.push_back(fmt::format("{}", fmt::join(pipeline.schedule.launch, " ")));
        microbatches.push_back(fmt::format("{} of {}", pipeline.microbatches, pipeline.microbatchSize));
    }
    add("schedule", {fmt::format("{}", fmt::join(schedules, " + "))});
    add("launch", {fmt::format("{}", fmt::join(launches, " + "))});
    add("micro-batches", {fmt::format("{}", fmt::join(microbatches, " + "))});
    return values;
}

// `values`: by plan. The stages that differ are named alone where that is shorter over all plans.
std::vector<std::string> inBrief(const std::vector<FieldValue>& values) {
    const std::vector<std::string>& first = values.front().stages;
    const bool comparable = !first.empty() && std::ranges::all_of(values, [&](const FieldValue& value) {
        return value.stages.size() == first.size();
    });
    std::vector<std::size_t> apart; // stages
    for (std::size_t i = 0; comparable && i < first.size(); ++i)
        if (std::ranges::any_of(values, [&](const FieldValue& value) { return value.stages[i] != first[i]; }))
            apart.push_back(i);
    std::vector<std::string> all, alone;
    std::size_t longAll = 0, longAlone = 0; // bytes
    for (const FieldValue& value : values) {
        std::vector<std::string> parts;
        for (const std::size_t i : apart)
            parts.push_back(fmt::format("stage {}: {}", i, value.stages[i]));
        all.push_back(value.isUniform() ? value.stages.front() : value.text);
        alone.push_back(fmt::format("{}", fmt::join(parts, ", ")));
        longAll += all.back().size();
        longAlone += alone.back().size();
    }
    return !apart.empty() && longAlone < longAll ? alone : all;
}

std::vector<PlanField> planFields(const std::vector<ComparedPlan>& plans) {
    std::vector<std::string> names;
    std::vector<std::vector<FieldValue>> all; // by field and plan
    for (const ComparedPlan& plan : plans) {
        names.clear();
        std::vector<FieldValue> values = fieldValues(plan, names);
        all.resize(values.size());
        for (std::size_t i = 0; i < values.size(); ++i)
            all[i].push_back(std::move(values[i]));
    }
    std::vector<PlanField> fields;
    for (std::size_t i = 0; i < all.size(); ++i) {
        PlanField& field = fields.emplace_back(PlanField{names[i], {}, inBrief(all[i]), false});
        for (const FieldValue& value : all[i]) {
            field.values.push_back(value.text);
            field.differs = field.differs || value.text != field.values.front();
        }
    }
    return fields;
}

std::vector<PlanFigure> planFigures(const std::vector<ComparedPlan>& plans) {
    std::vector<PlanFigure> figures = {{"iteration", "s", {}, true, 3},
                                       {"tokens", "k/s", {}, false, 2},
                                       {"bubble", "%", {}, true, 1},
                                       {"fullest GPU", "%", {}, true, 1},
                                       {"GPUs", "", {}, true, 0}};
    for (const ComparedPlan& plan : plans) {
        const Evaluation& e = *plan.evaluation;
        const double values[] = {e.iteration.value, e.tokensPerSecond / 1e3, 100.0 * idleShare(e.bubble),
                                 100.0 * fullestShare(e), static_cast<double>(e.memory.size())};
        for (std::size_t i = 0; i < figures.size(); ++i)
            figures[i].values.push_back(values[i]);
    }
    return figures;
}

bool sameCluster(const std::vector<ComparedPlan>& plans) {
    return std::all_of(plans.begin(), plans.end(), [&](const ComparedPlan& plan) {
        return plan.problem->topology().cluster() == plans.front().problem->topology().cluster();
    });
}

std::vector<DevicePeaks> devicePeaks(const std::vector<ComparedPlan>& plans) {
    std::map<DeviceIndex, DevicePeaks> devices; // in topology order
    for (std::size_t p = 0; p < plans.size(); ++p)
        for (const DeviceMemory& m : plans[p].evaluation->memory) {
            DevicePeaks& row = devices[m.device];
            row.device = plans[p].problem->topology().devices()[static_cast<std::size_t>(m.device)].id;
            row.capacity = m.capacity;
            row.peak.resize(plans.size());
            row.peak[p] = m.peak;
        }
    std::vector<DevicePeaks> list;
    for (auto& [device, row] : devices)
        list.push_back(std::move(row));
    return list;
}

// Three of them, and how many more.
std::string namesOr(const std::vector<std::string>& names, const char* none) {
    constexpr std::size_t kMost = 3;
    if (names.empty())
        return none;
    std::string text =
        fmt::format("{}", fmt::join(std::span(names).first(std::min(kMost, names.size())), ", "));
    if (names.size() > kMost)
        text += fmt::format(" and {} more", names.size() - kMost);
    return text;
}

} // namespace

bool isSameWork(const Problem& a, const Problem& b) {
    return a.model() == b.model() && a.recipe().gbs == b.recipe().gbs && a.recipe().seq == b.recipe().seq;
}

std::vector<std::string> differingInputs(const Problem& a, const Problem& b) {
    std::vector<std::string> list;
    if (a.hash() == b.hash())
        return list;
    const auto two = [&list](const char* what, const auto& x, const auto& y) {
        if (x != y)
            list.push_back(fmt::format("{} {} and {}", what, x, y));
    };
    const auto named = [&](const char* what, const std::string& x, const std::string& y) {
        if (x == y)
            list.push_back(fmt::format("figures of the {}", what));
        else if (x.empty() || y.empty())
            list.push_back(fmt::format("{} {} and one without a name", what, x.empty() ? y : x));
        else
            two(what, x, y);
    };
    const Cluster &one = a.topology().cluster(), &other = b.topology().cluster();
    if (!(one == other)) {
        constexpr std::size_t kMost = 4; // of what differs in it
        const std::vector<Wording> differences = clusterDifferences(one, other);
        if (one.name != other.name || differences.empty())
            named("cluster", one.name, other.name);
        for (std::size_t i = 0; i < std::min(kMost, differences.size()); ++i)
            list.push_back(differences[i].message);
    }
    if (!(a.model() == b.model()))
        named("model", a.model().name, b.model().name);
    two("global batch", a.recipe().gbs, b.recipe().gbs);
    two("sequence", a.recipe().seq, b.recipe().seq);
    two("precision", std::string(name(a.precision())), std::string(name(b.precision())));
    const std::vector<std::string> parts = differingParts(a, b);
    const auto differs = [&parts](const char* part) { return std::ranges::count(parts, part) > 0; };
    if (differs("forbidden"))
        list.push_back(fmt::format("left out {} and {}", namesOr(a.space().forbidden, "nothing"),
                                   namesOr(b.space().forbidden, "nothing")));
    Recipe same = a.recipe();
    same.gbs = b.recipe().gbs;
    same.seq = b.recipe().seq;
    same.precision = b.recipe().precision;
    if (same != b.recipe())
        list.push_back("other settings of the training");
    if (a.profiles().rows().size() != b.profiles().rows().size())
        two("measured rows", a.profiles().rows().size(), b.profiles().rows().size());
    else if (differs("profiles"))
        list.push_back("measured times");
    if (differs("constants"))
        list.push_back("the calibration");
    if (list.empty())
        list.push_back("other figures of cluster or model");
    return list;
}

Comparison comparePlans(const std::vector<ComparedPlan>& plans, std::size_t base) {
    Comparison result;
    result.base = base;
    for (const ComparedPlan& plan : plans)
        result.names.push_back(plan.name);
    for (const ComparedPlan& plan : plans)
        result.sameWork = result.sameWork && isSameWork(*plans[base].problem, *plan.problem);
    for (const ComparedPlan& plan : plans)
        for (std::string& input : differingInputs(*plans[base].problem, *plan.problem))
            if (std::find(result.inputs.begin(), result.inputs.end(), input) == result.inputs.end())
                result.inputs.push_back(std::move(input));
    result.figures = planFigures(plans);
    result.time = timeDifferences(plans, base);
    result.fields = planFields(plans);
    if (sameCluster(plans))
        result.memory = devicePeaks(plans);
    result.sentences = comparisonText(result);
    return result;
}

} // namespace pw
