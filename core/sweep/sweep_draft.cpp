// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sweep/sweep_draft.h"

#include "core/base/json.h"
#include "core/base/text.h"
#include "core/search/options.h"
#include "core/sweep/sweep_document.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>

namespace pw {

namespace {

constexpr const char *kNodes = "cluster.nodes", *kDraws = "uncertainty", *kBatch = "recipe.gbs";

// Nodes by short name of their kind, in the order in which they are drawn first.
std::vector<std::pair<std::string, std::vector<std::string>>> nodesByKind(const Cluster& cluster) {
    std::vector<std::pair<std::string, std::vector<std::string>>> kinds;
    for (const Node& node : cluster.nodes) {
        const DeviceKind* kind = findKind(cluster, node.kind);
        const std::string name = kind != nullptr ? kind->shortName : node.kind;
        auto at = std::ranges::find(kinds, name, &decltype(kinds)::value_type::first);
        if (at == kinds.end())
            at = kinds.insert(at, {name, {}});
        at->second.push_back(node.id);
    }
    return kinds;
}

Json valueOf(std::string_view text, bool isText) {
    if (!isText) {
        const Json parsed = Json::parse(text, nullptr, false);
        if (parsed.is_number() || parsed.is_boolean())
            return parsed;
    }
    return std::string(text);
}

Json valuesOf(const std::string& text, bool isText) {
    Json values = Json::array();
    std::size_t from = 0;
    while (from <= text.size()) {
        const std::size_t to = std::min(text.find(',', from), text.size());
        if (const std::string_view value = trimmed(std::string_view(text).substr(from, to - from));
            !value.empty())
            values.push_back(valueOf(value, isText));
        from = to + 1;
    }
    return values;
}

// What tables and pictures call it.
std::string nameOf(const DraftAxis& axis) {
    if (axis.of == kNodes)
        return axis.deviceKind + " nodes";
    const std::size_t dot = axis.of.find('.');
    return dot == std::string::npos ? axis.of : axis.of.substr(dot + 1);
}

Json axisJson(const DraftAxis& axis, std::map<std::string, int>& taken) {
    std::string name = nameOf(axis);
    if (const int times = ++taken[name]; times > 1)
        name += fmt::format(" {}", times);
    Json json = {{"name", name}, {"of", axis.of}};
    if (axis.of == kDraws) {
        const Json count = valueOf(trimmed(std::string_view(axis.values)), false);
        json["count"] = count;
        json["seed"] = 1;
        return json;
    }
    if (axis.of == kNodes)
        json["class"] = axis.deviceKind;
    const bool isText =
        axis.of == "cluster" || axis.of == "model" || axis.of == "plan" || axis.of == "scenario";
    json["values"] = valuesOf(axis.values, isText);
    return json;
}

Json trainingJson(const SweepDraft& draft) {
    Json training = {{"tokens", draft.tokens}};
    if (draft.deadlineDays > 0.0)
        training["deadline_days"] = draft.deadlineDays;
    if (draft.budget > 0.0)
        training["budget"] = draft.budget;
    if (draft.powerOverhead != 1.0)
        training["power_overhead"] = draft.powerOverhead;
    if (draft.failures.gpuHours > 0.0)
        training["failures"] = {{"gpu_hours", draft.failures.gpuHours},
                                {"checkpoint_s", draft.failures.checkpoint},
                                {"restart_s", draft.failures.restart}};
    return training;
}

DraftAxis batchAxis(const Project& project) {
    const std::int64_t batch = project.recipe.gbs;
    return {kBatch, {}, fmt::format("{}, {}, {}", batch, 2 * batch, 4 * batch)};
}

} // namespace

SweepDraft sweepDraft(SweepTemplate from, const Project& project, const std::vector<std::string>& plans) {
    SweepDraft draft;
    const auto kinds = nodesByKind(project.cluster);
    switch (from) {
    case SweepTemplate::Offers:
        draft.name = "which-offer";
        draft.axes = {{"cluster", {}, {}}, batchAxis(project)};
        break;
    case SweepTemplate::Counts:
        draft.name = "how-many-nodes";
        for (const auto& [kind, nodes] : kinds)
            draft.axes.push_back(
                {kNodes, kind,
                 fmt::format("0, {}{}", nodes.size(),
                             nodes.size() > 1 ? fmt::format(", {}", 2 * nodes.size()) : ", 2")});
        break;
    case SweepTemplate::Robust: {
        draft.name = "which-plan";
        std::vector<std::string> judged = {kSearchAnew};
        judged.insert(judged.end(), plans.begin(), plans.end());
        draft.axes.push_back({"plan", {}, fmt::format("{}", fmt::join(judged, ", "))});
        std::vector<std::string> events = {"none"};
        for (const auto& [kind, nodes] : kinds)
            for (const char* event : {"lost:{}", "slow:{}:0.9"})
                events.push_back(fmt::format(fmt::runtime(event), nodes.front()));
        draft.axes.push_back({"scenario", {}, fmt::format("{}", fmt::join(events, ", "))});
        draft.axes.push_back({kDraws, {}, "8"});
        break;
    }
    case SweepTemplate::Own:
        draft.name = "sweep";
        draft.axes = {batchAxis(project)};
        break;
    }
    return draft;
}

std::vector<AxisChoice> axisChoices(const Project& project) {
    std::vector<AxisChoice> choices;
    for (const auto& [kind, nodes] : nodesByKind(project.cluster))
        choices.push_back({kNodes, kind});
    for (const char* of : {"cluster", "model", kBatch, "recipe.seq", "recipe.mbs", "recipe.recompute",
                           "search.planner", "search.target", "plan", "scenario", kDraws})
        choices.push_back({of, {}});
    return choices;
}

std::map<std::string, std::string> sweepOptions(const SearchOptions& options) {
    std::map<std::string, std::string> differing;
    const SearchOptions usual;
    for (const SearchOptionRow& row : searchOptionTable()) {
        // How many plans a task keeps is its own.
        if (!isPartOfQuestion(row.name) || std::string_view(row.name) == "top")
            continue;
        std::string text = searchOptionText(options, row.name);
        if (text != searchOptionText(usual, row.name))
            differing.emplace(row.name, std::move(text));
    }
    return differing;
}

std::string sweepText(const SweepDraft& draft, const std::string& projectFile) {
    Json axes = Json::array(), limit = Json::object();
    std::map<std::string, int> taken;
    for (const DraftAxis& axis : draft.axes)
        axes.push_back(axisJson(axis, taken));
    if (draft.pricePerHour > 0.0)
        limit["price_per_hour"] = draft.pricePerHour;
    if (draft.watts > 0.0)
        limit["power_w"] = draft.watts;
    Json base = {{"project", projectFile}};
    for (const auto& [option, value] : draft.search)
        base["search"][option] = value;
    Json document = {{"schema", kSweepSchema},
                     {"name", draft.name},
                     {"base", std::move(base)},
                     {"axes", std::move(axes)},
                     {"keep", {{"plans", 1}, {"documents", draft.keepAll ? "all" : "none"}}}};
    if (!limit.empty())
        document["limit"] = std::move(limit);
    if (draft.tokens > 0.0)
        document["training"] = trainingJson(draft);
    return printJson(document);
}

} // namespace pw
