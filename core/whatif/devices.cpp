// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/whatif/arrange.h"
#include "core/whatif/whatif.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

namespace pw::whatif {
namespace {

const std::string& idOf(const Problem& problem, DeviceIndex d) {
    return problem.topology().devices()[static_cast<std::size_t>(d)].id;
}

std::vector<DeviceIndex> without(const std::vector<DeviceIndex>& list, const std::vector<DeviceIndex>& gone) {
    std::vector<DeviceIndex> left;
    for (const DeviceIndex d : list)
        if (!holds(gone, d))
            left.push_back(d);
    return left;
}

// In topology order, so that neighbours make groups, unless the list had an order of its own.
std::vector<DeviceIndex> with(std::vector<DeviceIndex> list, const std::vector<DeviceIndex>& more) {
    const bool ordered = std::is_sorted(list.begin(), list.end());
    list.insert(list.end(), more.begin(), more.end());
    if (ordered)
        std::sort(list.begin(), list.end());
    return list;
}

// The stage on other devices at the tp nearest to its own.
Status rearrange(const Problem& problem, Pipeline& pipeline, int stage,
                 const std::vector<DeviceIndex>& devices) {
    Stage& own = pipeline.stages[static_cast<std::size_t>(stage)];
    if (devicesOf(own) == devices)
        return Ok{};
    Result<Stage> made = arrangedNearest(problem, pipeline, own, devices);
    if (!made)
        return refusal({"stage {stage}: {why}", {{"stage", stage}, {"why", made.error()}}});
    own = *std::move(made);
    return Ok{};
}

} // namespace

std::vector<DeviceIndex> unusedDevices(const Problem& problem, const Plan& plan) {
    std::vector<bool> used(problem.topology().devices().size(), false);
    for (const Pipeline& pipeline : plan.pipelines)
        for (const Stage& stage : pipeline.stages)
            for (const DeviceIndex d : devicesOf(stage))
                used[static_cast<std::size_t>(d)] = true;
    std::vector<DeviceIndex> free;
    for (std::size_t d = 0; d < used.size(); ++d)
        if (!used[d] && problem.allowed()[d])
            free.push_back(static_cast<DeviceIndex>(d));
    return free;
}

Result<Plan> moveDevices(const Problem& problem, const Plan& plan, const std::vector<DeviceIndex>& devices,
                         int stage) {
    if (const Status known = hasStage(plan, stage); !known)
        return known.error();
    Plan edited = plan;
    Pipeline& pipeline = edited.pipelines.front();
    const std::vector<DeviceIndex> own = devicesOf(pipeline.stages[static_cast<std::size_t>(stage)]);
    std::vector<DeviceIndex> coming;
    for (const DeviceIndex d : devices) {
        if (!problem.allowed()[static_cast<std::size_t>(d)])
            return refusal({"device {device} is to stay unused", {{"device", idOf(problem, d)}}});
        if (!holds(own, d) && !holds(coming, d))
            coming.push_back(d);
    }
    if (coming.empty())
        return edited;
    for (std::size_t i = 0; i < pipeline.stages.size(); ++i) {
        if (static_cast<int>(i) == stage)
            continue;
        const std::vector<DeviceIndex> left = without(devicesOf(pipeline.stages[i]), coming);
        if (left.empty())
            return refusal(
                {"stage {stage} would be left without a device; merge it with a neighbour", {{"stage", i}}});
        if (const Status done = rearrange(problem, pipeline, static_cast<int>(i), left); !done)
            return done.error();
    }
    if (const Status done = rearrange(problem, pipeline, stage, with(own, coming)); !done)
        return done.error();
    return checked(problem, std::move(edited));
}

Result<Plan> releaseDevices(const Problem& problem, const Plan& plan,
                            const std::vector<DeviceIndex>& devices) {
    if (const Status known = hasStage(plan, 0); !known)
        return known.error();
    Plan edited = plan;
    Pipeline& pipeline = edited.pipelines.front();
    for (std::size_t i = 0; i < pipeline.stages.size(); ++i) {
        const std::vector<DeviceIndex> left = without(devicesOf(pipeline.stages[i]), devices);
        if (left.empty())
            return refusal(
                {"stage {stage} would be left without a device; merge it with a neighbour", {{"stage", i}}});
        if (const Status done = rearrange(problem, pipeline, static_cast<int>(i), left); !done)
            return done.error();
    }
    return checked(problem, std::move(edited));
}

Result<Plan> dropNode(const Problem& problem, const Plan& plan, int node) {
    return dropNodes(problem, plan, {node});
}

Result<Plan> dropNodes(const Problem& problem, const Plan& plan, const std::vector<int>& nodes) {
    if (const Status known = hasStage(plan, 0); !known)
        return known.error();
    const auto& all = problem.topology().cluster().nodes;
    std::vector<DeviceIndex> gone;
    std::vector<std::string> ids;
    for (const int node : nodes) {
        if (node < 0 || node >= static_cast<int>(all.size()))
            return refusal({"there is no node {node}", {{"node", node}}});
        const DeviceIndex first = problem.topology().firstOfNode(node);
        for (int slot = 0; slot < all[static_cast<std::size_t>(node)].gpus; ++slot)
            gone.push_back(first + slot);
        ids.push_back(all[static_cast<std::size_t>(node)].id);
    }
    Plan edited = plan;
    Pipeline& pipeline = edited.pipelines.front();
    std::vector<int> inner = innerLayers(problem, pipeline);
    bool touched = false;
    for (std::size_t i = 0; i < pipeline.stages.size();) {
        const std::vector<DeviceIndex> before = devicesOf(pipeline.stages[i]);
        const std::vector<DeviceIndex> left = without(before, gone);
        touched = touched || left.size() < before.size();
        if (!left.empty()) {
            if (const Status done = rearrange(problem, pipeline, static_cast<int>(i), left); !done)
                return done.error();
            ++i;
            continue;
        }
        if (pipeline.stages.size() == 1)
            return refusal("no device is left");
        // Its blocks in two halves, the larger one forward, or all to the one neighbour at an end.
        const int blocks = inner[i] / 2, forward = i == 0                  ? 0
                                                   : i + 1 == inner.size() ? inner[i]
                                                                           : 2 * (blocks - blocks / 2);
        if (i > 0)
            inner[i - 1] += forward;
        if (i + 1 < inner.size())
            inner[i + 1] += inner[i] - forward;
        inner.erase(inner.begin() + static_cast<std::ptrdiff_t>(i));
        pipeline.stages.erase(pipeline.stages.begin() + static_cast<std::ptrdiff_t>(i));
        pipeline.schedule.launch.clear();
    }
    if (!touched)
        return refusal({"the plan does not use {node}", {{"node", fmt::format("{}", fmt::join(ids, ", "))}}});
    if (pipeline.stages.size() != plan.pipelines.front().stages.size())
        if (const Status laid = layOut(problem, pipeline, inner); !laid)
            return laid.error();
    return checked(problem, std::move(edited));
}

Result<Plan> setTp(const Problem& problem, const Plan& plan, int stage, int tp) {
    if (const Status known = hasStage(plan, stage); !known)
        return known.error();
    Plan edited = plan;
    Pipeline& pipeline = edited.pipelines.front();
    Stage& own = pipeline.stages[static_cast<std::size_t>(stage)];
    if (own.tp == tp)
        return edited;
    Result<Stage> made = arranged(problem, pipeline, own, devicesOf(own), tp);
    if (!made)
        return refusal({"stage {stage}: {why}", {{"stage", stage}, {"why", made.error()}}});
    own = *std::move(made);
    return checked(problem, std::move(edited));
}

std::vector<int> tpChoices(const Problem& problem, const Plan& plan, int stage) {
    std::vector<int> choices;
    if (!hasStage(plan, stage))
        return choices;
    const int devices = plan.pipelines.front().stages[static_cast<std::size_t>(stage)].deviceCount();
    for (int tp = 1; tp <= devices; ++tp)
        if (devices % tp == 0 && setTp(problem, plan, stage, tp))
            choices.push_back(tp);
    return choices;
}

Result<Plan> setDp(const Problem& problem, const Plan& plan, int stage, int dp) {
    if (const Status known = hasStage(plan, stage); !known)
        return known.error();
    Plan edited = plan;
    Pipeline& pipeline = edited.pipelines.front();
    Stage& own = pipeline.stages[static_cast<std::size_t>(stage)];
    const int each = own.tp * own.cp * pipeline.count, now = own.dp() / pipeline.count;
    if (dp == now)
        return edited;
    if (dp < 1)
        return refusal({"stage {stage} needs at least one replica", {{"stage", stage}}});
    if (pipeline.count > 1)
        return refusal("identical pipelines share their devices; their replicas are not changed one by one");
    std::vector<DeviceIndex> devices = devicesOf(own);
    if (dp < now) {
        devices.resize(static_cast<std::size_t>(dp * each));
    } else {
        const Topology& topology = problem.topology();
        const auto nodeOf = [&](DeviceIndex d) {
            return topology.devices()[static_cast<std::size_t>(d)].domain;
        };
        std::set<int> nodes;
        for (const DeviceIndex d : devices)
            nodes.insert(nodeOf(d));
        std::vector<DeviceIndex> near, far;
        for (const DeviceIndex d : unusedDevices(problem, plan))
            if (&topology.kindOf(d) == &topology.kindOf(devices.front()))
                (nodes.contains(nodeOf(d)) ? near : far).push_back(d);
        near.insert(near.end(), far.begin(), far.end());
        const auto missing = static_cast<std::size_t>((dp - now) * each);
        if (near.size() < missing)
            return refusal({near.empty() ? "stage {stage} needs {missing} more {kind}; none is unused"
                            : near.size() == 1
                                ? "stage {stage} needs {missing} more {kind}; 1 is unused"
                                : "stage {stage} needs {missing} more {kind}; {unused} are unused",
                            {{"stage", stage},
                             {"missing", missing},
                             {"kind", topology.kindOf(devices.front()).shortName},
                             {"unused", near.size()}}});
        near.resize(missing);
        devices = with(std::move(devices), near);
    }
    Result<Stage> made = arranged(problem, pipeline, own, std::move(devices), own.tp);
    if (!made)
        return refusal({"stage {stage}: {why}", {{"stage", stage}, {"why", made.error()}}});
    own = *std::move(made);
    return checked(problem, std::move(edited));
}

} // namespace pw::whatif
