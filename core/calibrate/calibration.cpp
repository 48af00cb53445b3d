// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibrate/calibration.h"

#include "core/cluster/network_kind.h"
#include "core/problem/word_field.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <vector>

namespace pw {

namespace {

constexpr double kLeastFactor = 0.1, kMostFactor = 10.0;
constexpr const char* kSchema = "pipewright-calibration-1";

DeviceKind scaled(DeviceKind kind, const KindFactors& factors) {
    for (FlopsPerSecond* rate : {&kind.fp32, &kind.tf32, &kind.fp16, &kind.bf16, &kind.fp8})
        *rate = *rate * factors.compute;
    kind.watts *= factors.compute;
    kind.memoryBandwidth = kind.memoryBandwidth * factors.memory;
    kind.intraBandwidth = kind.intraBandwidth * factors.fabric;
    kind.pcie = kind.pcie * factors.fabric;
    return kind;
}

} // namespace

std::span<const SoftwareGroup> softwareGroups() {
    static constexpr const char* kHost[] = {"kernel_launch", "host_call", "queued_launch", "graph_launch"};
    static constexpr const char* kAttention[] = {"attention_forward", "attention_backward",
                                                 "attention_library_share"};
    static constexpr const char* kHidden[] = {"hidden_share"};
    static constexpr const char* kUpdate[] = {"update_share"};
    static constexpr SoftwareGroup kGroups[] = {
        {"host", "time of the host and between kernels", kHost, 1.0, true},
        {"attention", "rate of fused attention", kAttention, 1.5, true},
        {"hidden", "share of tensor-parallel communication that is hidden", kHidden, 1.0, true},
        {kUpdateGroup, "rate of the optimizer's step", kUpdate, kMostFactor, false},
    };
    return kGroups;
}

ConstantSet calibrated(const ConstantSet& constants, const Calibration& calibration) {
    if (calibration.software.empty())
        return constants;
    std::vector<double> values;
    for (const FittedConstant& constant : constants.list()) {
        values.push_back(constant.value);
        for (const SoftwareGroup& group : softwareGroups())
            if (const auto factor = calibration.software.find(group.name);
                factor != calibration.software.end() &&
                std::find(group.constants.begin(), group.constants.end(), constant.name) !=
                    group.constants.end())
                values.back() = std::min(group.most, constant.value * factor->second);
    }
    return constants.with(values);
}

Cluster calibrated(Cluster cluster, const Calibration& calibration) {
    for (const auto& [name, factors] : calibration.kinds) {
        const bool used = std::any_of(cluster.nodes.begin(), cluster.nodes.end(), [&](const Node& node) {
            const DeviceKind* kind = findKind(cluster, node.kind);
            return kind && kind->name == name;
        });
        if (!used)
            continue;
        for (Node& node : cluster.nodes)
            if (const DeviceKind* kind = findKind(cluster, node.kind); kind && kind->name == name)
                node.intraBandwidth = node.intraBandwidth * factors.fabric;
        const DeviceKind changed = scaled(*findKind(cluster, name), factors);
        std::erase_if(cluster.kinds, [&](const DeviceKind& kind) { return kind.name == name; });
        cluster.kinds.push_back(changed);
    }
    for (Link& link : cluster.links)
        if (const auto factor = calibration.links.find(std::string(mediumOf(cluster, link)));
            factor != calibration.links.end())
            link.efficiency = std::min(1.0, link.efficiency * factor->second);
    return cluster;
}

Recipe calibrated(Recipe recipe, const Calibration& calibration) {
    if (recipe.stack.empty() && recipe.software.fusedUpdate == Choice::Auto)
        recipe.software.fusedUpdate = calibration.fusedUpdate;
    return recipe;
}

Result<Calibration> readCalibration(std::string_view text, const std::string& file) {
    const Result<Json> document = parseJson(text, file);
    if (!document)
        return document.error();
    const JsonReader reader(*document, file);
    Calibration calibration;
    if (reader.text("schema") != kSchema)
        reader.fail("calibration.schema", reader.where("schema"),
                    {"expected {schema}", {{"schema", kSchema}}});
    calibration.emulated = reader.flag("emulated", false);
    if (reader.has("kinds"))
        for (const auto& [name, kind] : reader.object("kinds").members()) {
            KindFactors& factors = calibration.kinds[name];
            factors.compute = kind.number("compute", kLeastFactor, kMostFactor, 1.0);
            factors.memory = kind.number("memory", kLeastFactor, kMostFactor, 1.0);
            factors.fabric = kind.number("fabric", kLeastFactor, kMostFactor, 1.0);
        }
    if (reader.has("links")) {
        const JsonReader links = reader.object("links");
        for (const auto& member : links.members())
            calibration.links[member.first] = links.number(member.first, kLeastFactor, kMostFactor);
    }
    if (reader.has("software")) {
        const JsonReader software = reader.object("software");
        for (const auto& member : software.members()) {
            const auto known = [&](const SoftwareGroup& group) { return member.first == group.name; };
            if (std::ranges::none_of(softwareGroups(), known))
                reader.fail("calibration.software", software.where(member.first),
                            {"\"{text}\" is no group of constants", {{"text", member.first}}});
            calibration.software[member.first] = software.number(member.first, kLeastFactor, kMostFactor);
        }
    }
    calibration.fusedUpdate =
        readWord(reader, "fused_update", Choice::Auto, {Choice::Auto, Choice::On, Choice::Off});
    constexpr double kMostOffset = 1000.0; // GiB
    calibration.memoryOffset = reader.number("memory_offset_gib", -kMostOffset, kMostOffset, 0.0);
    if (const Status sound = reader.status(); !sound)
        return sound.error();
    return calibration;
}

Json toJson(const Calibration& calibration) {
    Json kinds = Json::object(), links = Json::object(), software = Json::object();
    for (const auto& [name, factors] : calibration.kinds)
        kinds[name] = {{"compute", factors.compute}, {"memory", factors.memory}, {"fabric", factors.fabric}};
    for (const auto& [medium, factor] : calibration.links)
        links[medium] = factor;
    for (const auto& [group, factor] : calibration.software)
        software[group] = factor;
    Json document{{"schema", kSchema}, {"kinds", kinds}, {"links", links}};
    if (!calibration.software.empty())
        document["software"] = std::move(software);
    if (calibration.memoryOffset != 0.0)
        document["memory_offset_gib"] = calibration.memoryOffset;
    if (calibration.fusedUpdate != Choice::Auto)
        document["fused_update"] = name(calibration.fusedUpdate);
    if (calibration.emulated)
        document["emulated"] = true;
    return document;
}

} // namespace pw
