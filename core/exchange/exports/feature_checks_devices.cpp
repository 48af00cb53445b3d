// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/exports/feature_checks.h"

#include "core/exchange/launch_order.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>

// Parallelism, devices and micro-batches.

namespace pw::features {

namespace {

constexpr double kShareTolerance = 1e-9;

const char* grainText(Grain grain) {
    return grain == Grain::No ? "no" : grain == Grain::Plan ? "one for all" : "yes";
}

// One value for all stages: a refusal for each that differs from the first one's.
template <class Value>
void checkOneForAll(const Plan& plan, Refusals& out, const char* pattern, const Value& valueOf) {
    bool started = false;
    int first = 0;
    eachStage(plan, [&](const Pipeline& pipeline, const Stage& stage, std::string where) {
        const int own = valueOf(pipeline, stage);
        if (!started)
            first = own;
        started = true;
        if (own != first)
            out.push_back({"", std::move(where), {pattern, {{"own", own}, {"first", first}}}});
    });
}

int replicasOfOne(const Pipeline& pipeline, const Stage& stage) {
    return stage.dp() / std::max(1, pipeline.count);
}

bool equalShares(const Stage& stage) {
    const auto [least, most] =
        std::minmax_element(stage.replicas.begin(), stage.replicas.end(),
                            [](const Replica& a, const Replica& b) { return a.share < b.share; });
    return most->share - least->share <= kShareTolerance;
}

std::string kindsOf(const Problem& problem, const Stage& stage) {
    std::vector<std::string> names;
    for (const Replica& replica : stage.replicas)
        for (const DeviceIndex d : replica.devices)
            if (const std::string& n = problem.topology().kindOf(d).shortName;
                std::find(names.begin(), names.end(), n) == names.end())
                names.push_back(n);
    return names.size() < 2 ? std::string() : fmt::format("{}", fmt::join(names, " and "));
}

} // namespace

std::string vendorAllowed(const Capability& can) {
    return can.vendors.empty()                                          ? "any"
           : std::ranges::find(can.vendors, "AMD") != can.vendors.end() ? "yes"
                                                                        : "no";
}

void checkVendor(const Capability& can, const Problem& problem, const Plan&, Refusals& out) {
    std::set<std::string> others;
    for (std::size_t d = 0; d < problem.allowed().size(); ++d)
        if (problem.allowed()[d]) {
            const DeviceKind& kind = problem.topology().kindOf(static_cast<DeviceIndex>(d));
            if (can.runsOn(kind))
                return;
            others.insert(kind.vendor);
        }
    if (!others.empty())
        out.push_back({"",
                       "cluster",
                       {"GPUs of {vendors} alone; it runs on those of {possible}",
                        {{"vendors", fmt::format("{}", fmt::join(others, " and "))},
                         {"possible", fmt::format("{}", fmt::join(can.vendors, " and "))}}}});
}

std::string vendorsAllowed(const Capability& can) {
    return can.mixesVendors ? "yes" : "one";
}

void checkVendors(const Capability& can, const Problem& problem, const Plan& plan, Refusals& out) {
    std::set<std::string> used;
    eachStage(plan, [&](const Pipeline&, const Stage& stage, std::string where) {
        std::set<std::string> others; // of this stage
        for (const Replica& replica : stage.replicas)
            for (const DeviceIndex d : replica.devices) {
                const DeviceKind& kind = problem.topology().kindOf(d);
                if (!kind.vendor.empty())
                    (can.runsOn(kind) ? used : others).insert(kind.vendor);
            }
        if (!others.empty())
            out.push_back({"",
                           std::move(where),
                           {"on GPUs of {vendors}; it runs on those of {possible}",
                            {{"vendors", fmt::format("{}", fmt::join(others, " and "))},
                             {"possible", fmt::format("{}", fmt::join(can.vendors, " and "))}}}});
    });
    if (!can.mixesVendors && used.size() > 1)
        out.push_back({"",
                       "plan",
                       {"on GPUs of {vendors}, whose communication libraries form no group together",
                        {{"vendors", fmt::format("{}", fmt::join(used, " and "))}}}});
}

std::string tpAllowed(const Capability& can) {
    return grainText(can.tp);
}

void checkTp(const Capability& can, const Problem&, const Plan& plan, Refusals& out) {
    if (can.tp == Grain::Plan)
        checkOneForAll(plan, out,
                       "tensor parallel {own}, the first stage's is {first}; one is for all stages",
                       [](const Pipeline&, const Stage& s) { return s.tp; });
}

std::string divideAllowed(const Capability& can) {
    return can.repeatedKeys ? "heads" : "heads and keys";
}

void checkDivide(const Capability& can, const Problem& problem, const Plan& plan, Refusals& out) {
    const Model& m = problem.model();
    eachStage(plan, [&](const Pipeline&, const Stage& stage, const std::string& where) {
        const auto divides = [&](const char* pattern, std::int64_t value) {
            if (value % stage.tp != 0)
                out.push_back({"", where, {pattern, {{"value", value}, {"tp", stage.tp}}}});
        };
        divides("{value} attention heads do not divide by tensor parallel {tp}", m.heads);
        if (!hasLatentAttention(m) && !(can.repeatedKeys && stage.tp % m.kvHeads == 0))
            divides("{value} key-value heads do not divide by tensor parallel {tp}", m.kvHeads);
        for (const std::int64_t width : mlpWidths(m))
            divides("{value} columns of the MLP do not divide by tensor parallel {tp}", width);
        if (stage.sequenceParallel && stage.tp > 1)
            divides("{value} tokens do not divide by tensor parallel {tp}", problem.recipe().seq);
    });
}

std::string sequenceAllowed(const Capability& can) {
    const auto modes = can.sequenceParallelModes;
    return modes.size() == 2 ? grainText(can.sequenceParallel) : modes.front() ? "always" : "no";
}

// Stages with tensor parallel 1 have nothing to divide, and any flag suits them.
void checkSequence(const Capability& can, const Problem&, const Plan& plan, Refusals& out) {
    OneForAll<bool> asked;
    eachStage(plan, [&](const Pipeline&, const Stage& stage, std::string where) {
        if (stage.tp == 1)
            return;
        const auto& modes = can.sequenceParallelModes;
        if (std::find(modes.begin(), modes.end(), stage.sequenceParallel) == modes.end())
            out.push_back({"", where,
                           stage.sequenceParallel ? "uses sequence parallelism; the trainer has none"
                                                  : "tensor parallelism without sequence parallelism; the "
                                                    "trainer always uses both"});
        else
            asked.add(stage.sequenceParallel, where);
    });
    if (can.sequenceParallel == Grain::Plan && asked.differ())
        out.push_back({"", asked.where(),
                       "some stages use sequence parallelism and others do not; one flag is for all"});
}

std::string dpAllowed(const Capability& can) {
    return can.dp == Replication::Uniform     ? "one for all"
           : can.dp == Replication::Pipelines ? "by pipeline"
                                              : "yes";
}

void checkDp(const Capability& can, const Problem&, const Plan& plan, Refusals& out) {
    if (can.dp == Replication::Stages)
        return;
    if (can.dp == Replication::Uniform)
        return checkOneForAll(plan, out,
                              "data parallel {own}, the first stage's is {first}; one is for all stages",
                              replicasOfOne);
    for (const Pipeline& pipeline : plan.pipelines) {
        Plan alone;
        alone.pipelines = {pipeline};
        checkOneForAll(alone, out, "data parallel {own}, the first stage's is {first}; one is for all stages",
                       replicasOfOne);
    }
}

std::string sizeAllowed(const Capability& can) {
    return yes(can.stageSizes);
}

void checkSize(const Capability& can, const Problem&, const Plan& plan, Refusals& out) {
    if (!can.stageSizes)
        checkOneForAll(
            plan, out, "number of GPUs {own}, the first stage's is {first}; one is for all stages",
            [](const Pipeline& p, const Stage& s) { return s.deviceCount() / std::max(1, p.count); });
}

std::string placementAllowed(const Capability& can) {
    switch (can.placement) {
    case Placement::Automatic:
        return "no";
    case Placement::NodeOrder:
    case Placement::TwoOrders:
        return "by node order";
    case Placement::Explicit:
        return "yes";
    }
    return {};
}

void checkPlacement(const Capability& can, const Problem& problem, const Plan& plan, Refusals& out) {
    if (can.placement == Placement::Explicit)
        return;
    if (can.placement == Placement::Automatic) {
        OneForAll<std::string> kinds;
        eachStage(plan, [&](const Pipeline&, const Stage& stage, const std::string& where) {
            for (const Replica& replica : stage.replicas)
                for (const DeviceIndex d : replica.devices)
                    kinds.add(problem.topology().kindOf(d).shortName, where);
        });
        if (kinds.differ())
            out.push_back({"E_DEVICE_TYPE_ORDER",
                           kinds.where(),
                           {"stages on {kinds}; the trainer knows GPUs of one kind and no placement",
                            {{"kinds", fmt::format("{}", fmt::join(kinds.values(), " and "))}}}});
        return;
    }
    for (const Pipeline& pipeline : plan.pipelines) {
        const LaunchOrder order = can.placement == Placement::TwoOrders
                                      ? bestLaunchOrder(problem, pipeline)
                                      : launchOrder(problem, pipeline, RankNesting::StagesOutside);
        const auto node = [&](int n) {
            return problem.topology().cluster().nodes[static_cast<std::size_t>(n)].id;
        };
        for (const LaunchOrder::Fault& fault : order.faults)
            out.push_back({"",
                           stageName(plan, 0, fault.stage),
                           {"comes back to node {node} after {after}; a node holds consecutive ranks, which "
                            "follow the stages",
                            {{"node", node(fault.node)}, {"after", node(fault.after)}}}});
    }
}

std::string mixAllowed(const Capability& can) {
    return can.kindsInStage == KindsInStage::One           ? "one"
           : can.kindsInStage == KindsInStage::EqualShares ? "with equal shares"
                                                           : "yes";
}

void checkMix(const Capability& can, const Problem& problem, const Plan& plan, Refusals& out) {
    if (can.kindsInStage == KindsInStage::Any)
        return;
    eachStage(plan, [&](const Pipeline&, const Stage& stage, std::string where) {
        const std::string kinds = kindsOf(problem, stage);
        if (kinds.empty())
            return;
        if (can.kindsInStage == KindsInStage::One)
            out.push_back(
                {"", std::move(where), {"mixes {kinds}; a stage is of one kind", {{"kinds", kinds}}}});
        else if (!equalShares(stage))
            out.push_back(
                {"",
                 std::move(where),
                 {"mixes {kinds} with unequal shares; every replica gets as much", {{"kinds", kinds}}}});
    });
}

std::string splitAllowed(const Capability& can) {
    return can.unequalShares && can.microbatchSizes && can.microbatchCounts ? "yes"
           : can.microbatchSizes && can.microbatchCounts                    ? "by pipeline"
           : can.microbatchCounts                                           ? "counts"
           : can.microbatchSizes                                            ? "sizes"
                                                                            : "no";
}

void checkSplit(const Capability& can, const Problem&, const Plan& plan, Refusals& out) {
    eachStage(plan, [&](const Pipeline& pipeline, const Stage& stage, std::string where) {
        const Stage& first = pipeline.stages.front();
        if (equalShares(stage)) {
            if (const int dp = replicasOfOne(pipeline, stage); pipeline.microbatchSize % dp != 0)
                out.push_back({"",
                               std::move(where),
                               {"a micro-batch of {sequences} sequences over {replicas} replicas; equal "
                                "whole numbers are possible",
                                {{"sequences", pipeline.microbatchSize}, {"replicas", dp}}}});
            return;
        }
        bool paired = stage.replicas.size() == first.replicas.size();
        for (std::size_t r = 0; paired && r < stage.replicas.size(); ++r)
            paired = std::abs(stage.replicas[r].share - first.replicas[r].share) <= kShareTolerance;
        // A replica that is a pipeline has its own micro-batch, the same in all of its stages.
        const bool asPipelines = can.dp == Replication::Pipelines && can.microbatchSizes && paired;
        const auto [least, most] =
            std::minmax_element(stage.replicas.begin(), stage.replicas.end(),
                                [](const Replica& a, const Replica& b) { return a.share < b.share; });
        if (!can.unequalShares && !asPipelines)
            out.push_back({"",
                           std::move(where),
                           {"replicas take {least} to {most} of a micro-batch; equal shares are possible",
                            {{"least", fmt::format("{:.4g}", least->share)},
                             {"most", fmt::format("{:.4g}", most->share)}}}});
    });
    const Pipeline& first = plan.pipelines.front();
    for (std::size_t p = 1; p < plan.pipelines.size(); ++p) {
        const Pipeline& own = plan.pipelines[p];
        if (!can.microbatchCounts && own.microbatches != first.microbatches)
            out.push_back({"",
                           fmt::format("pipeline {}", p),
                           {"{own} micro-batches, the first pipeline has {first}; one number is for all",
                            {{"own", own.microbatches}, {"first", first.microbatches}}}});
        if (!can.microbatchSizes && own.microbatchSize != first.microbatchSize)
            out.push_back({"",
                           fmt::format("pipeline {}", p),
                           {"micro-batches of {own} sequences, the first pipeline's are of {first}; one size "
                            "is for all",
                            {{"own", own.microbatchSize}, {"first", first.microbatchSize}}}});
    }
}

std::string shapeAllowed(const Capability& can) {
    return yes(can.replicaShapes);
}

void checkShape(const Capability& can, const Problem&, const Plan& plan, Refusals& out) {
    if (!can.replicaShapes && plan.pipelines.size() != 1)
        out.push_back({"",
                       "plan",
                       {"{pipelines} pipelines of different shape; one is possible",
                        {{"pipelines", plan.pipelines.size()}}}});
}

std::string cpAllowed(const Capability& can) {
    return grainText(can.cp);
}

void checkCp(const Capability& can, const Problem& problem, const Plan& plan, Refusals& out) {
    eachStage(plan, [&](const Pipeline&, const Stage& stage, const std::string& where) {
        if (stage.cp > 1 && can.cp == Grain::No)
            out.push_back({"", where, {"context parallel {cp}; 1 is possible", {{"cp", stage.cp}}}});
        else if (stage.cp > 1 && problem.recipe().seq % (2 * stage.cp) != 0)
            out.push_back({"",
                           where,
                           {"{tokens} tokens do not divide by 2 x context parallel {cp}",
                            {{"tokens", problem.recipe().seq}, {"cp", stage.cp}}}});
    });
    if (can.cp == Grain::Plan)
        checkOneForAll(plan, out,
                       "context parallel {own}, the first stage's is {first}; one is for all stages",
                       [](const Pipeline&, const Stage& s) { return s.cp; });
}

std::string epAllowed(const Capability& can) {
    return grainText(can.ep);
}

void checkEp(const Capability& can, const Problem& problem, const Plan& plan, Refusals& out) {
    const std::int64_t experts = problem.model().experts.count;
    eachStage(plan, [&](const Pipeline&, const Stage& stage, const std::string& where) {
        if (stage.ep > 1 && can.ep == Grain::No)
            out.push_back({"", where, {"expert parallel {ep}; 1 is possible", {{"ep", stage.ep}}}});
        else if (stage.ep > 1 && (experts == 0 || experts % stage.ep != 0))
            out.push_back({"",
                           where,
                           {"expert parallel {ep} does not divide {experts} experts",
                            {{"ep", stage.ep}, {"experts", experts}}}});
        else if (stage.ep > 1 && !can.foldsExperts && stage.dp() % stage.ep != 0)
            out.push_back({"",
                           where,
                           {"expert parallel {ep} does not divide {replicas} replicas",
                            {{"ep", stage.ep}, {"replicas", stage.dp()}}}});
    });
    if (can.ep == Grain::Plan)
        checkOneForAll(plan, out,
                       "expert parallel {own}, the first stage's is {first}; one is for all stages",
                       [](const Pipeline&, const Stage& s) { return s.ep; });
}

} // namespace pw::features
