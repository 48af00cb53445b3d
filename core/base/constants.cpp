// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/constants.h"

#include "core/base/json.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <optional>

namespace pw {

namespace embedded {
extern const char* const
    constantsJson; // resources/calibration/constants.json, written into a unit by the build
}

namespace {

constexpr const char* kSchema = "pipewright-constants-1";
constexpr double kLeast = 1e-300, kMost = 1e300;

[[noreturn]] void fatal(const std::string& text) {
    std::fprintf(stderr, "fitted constants: %s\n", text.c_str());
    std::abort();
}

std::optional<FittedTo> fittedToFromName(std::string_view name) {
    if (name == "runs")
        return FittedTo::Runs;
    if (name == "collectives")
        return FittedTo::Collectives;
    if (name == "hand")
        return FittedTo::Hand;
    return std::nullopt;
}

FittedConstant builtinConstant(const std::string& section, const JsonReader& item) {
    FittedConstant constant;
    constant.section = section;
    constant.name = item.text("name");
    constant.value = item.number("value", kLeast, kMost);
    constant.unit = item.text("unit");
    constant.meaning = item.text("meaning");
    constant.source = item.text("source");
    const std::optional<FittedTo> fit = fittedToFromName(item.text("fit"));
    if (!fit)
        item.fail("constants.fit", item.where("fit"), "is none of runs, collectives, hand");
    constant.fit = fit.value_or(FittedTo::Hand);
    if (constant.fit == FittedTo::Runs) {
        constant.least = item.number("least", kLeast, kMost);
        constant.most = item.number("most", constant.least, kMost);
        constant.start = item.number("start", constant.least, constant.most);
        constant.value = item.number("value", constant.least, constant.most);
    }
    return constant;
}

std::vector<FittedConstant> readBuiltin() {
    const Result<Json> document = parseJson(embedded::constantsJson, "constants.json");
    if (!document)
        fatal(document.error().text());
    const JsonReader reader(*document, "constants.json");
    std::vector<FittedConstant> list;
    for (const auto& [section, content] : reader.object("sections").members())
        for (const JsonReader& item : content.items())
            list.push_back(builtinConstant(section, item));
    if (const Status sound = reader.status(); !sound)
        fatal(sound.error().text());
    return list;
}

// A constant that the program itself asks for: a missing one is a mistake of ours.
double valueOf(const std::vector<FittedConstant>& list, std::string_view section, std::string_view name) {
    for (const FittedConstant& constant : list)
        if (constant.section == section && constant.name == name)
            return constant.value;
    fatal("no " + std::string(section) + "." + std::string(name));
}

CommConstants commOf(const std::vector<FittedConstant>& list) {
    const auto value = [&](const char* name) { return valueOf(list, "communication", name); };
    CommConstants c;
    c.launch = Seconds(value("launch"));
    c.step = Seconds(value("step"));
    c.switchedShare = value("switched_share");
    c.directShare = value("direct_share");
    c.meshShare = value("mesh_share");
    c.reducingShare = value("reducing_share");
    c.lowLatencyShare = value("low_latency_share");
    c.pcieShare = value("pcie_share");
    c.rdmaLatency = Seconds(value("rdma_latency"));
    c.ethernetLatency = Seconds(value("ethernet_latency"));
    c.rdmaShare = value("rdma_share");
    c.efaShare = value("efa_share");
    c.ethernetShare = value("ethernet_share");
    c.hostCopyRate = BytesPerSecond(value("host_copy_rate"));
    return c;
}

ComputeConstants computeOf(const std::vector<FittedConstant>& list) {
    const auto value = [&](const char* name) { return valueOf(list, "compute", name); };
    ComputeConstants c;
    c.sustainedShare = value("sustained_share");
    c.energy12nm = value("energy_12nm");
    c.energy8nm = value("energy_8nm");
    c.productStartup = value("product_startup");
    c.memoryShare = value("memory_share");
    c.kernelLaunch = value("kernel_launch");
    c.hostCall = value("host_call");
    c.attentionForward = value("attention_forward");
    c.attentionBackward = value("attention_backward");
    c.rowwiseShare = value("rowwise_share");
    c.quantiseBytes = value("quantise_bytes");
    c.overlapSlowdown = value("overlap_slowdown");
    c.hiddenShare = value("hidden_share");
    c.libraryShare = value("library_share");
    c.attentionLibraryShare = value("attention_library_share");
    c.queuedLaunch = value("queued_launch");
    c.graphLaunch = value("graph_launch");
    c.updateShare = value("update_share");
    return c;
}

MemoryConstants memoryOf(const std::vector<FittedConstant>& list) {
    const auto value = [&](const char* name) { return valueOf(list, "memory", name); };
    return {value("workspaces"), value("in_use_offset"), value("gpu_memory_offset"),
            value("reserved_factor")};
}

FittedConstant* findConstant(std::vector<FittedConstant>& list, std::string_view section,
                             std::string_view name) {
    const auto at = std::find_if(list.begin(), list.end(), [&](const FittedConstant& constant) {
        return constant.section == section && constant.name == name;
    });
    return at == list.end() ? nullptr : &*at;
}

void failUnknown(const JsonReader& reader, std::string where, const std::string& section,
                 const std::string& name) {
    reader.fail("constants.name", std::move(where),
                {"there is no constant {section}.{name}", {{"section", section}, {"name", name}}});
}

} // namespace

ConstantSet::ConstantSet(std::vector<FittedConstant> list) {
    auto content = std::make_shared<Content>();
    content->comm = commOf(list);
    content->compute = computeOf(list);
    content->memory = memoryOf(list);
    content->list = std::move(list);
    m_content = std::move(content);
}

const ConstantSet& ConstantSet::builtin() {
    static const ConstantSet set(readBuiltin());
    return set;
}

Result<ConstantSet> ConstantSet::read(std::string_view text, const std::string& file) {
    const Result<Json> document = parseJson(text, file);
    if (!document)
        return document.error();
    const JsonReader reader(*document, file);
    if (reader.text("schema") != kSchema)
        reader.fail("constants.schema", reader.where("schema"),
                    {"is not \"{schema}\"", {{"schema", kSchema}}});
    std::vector<FittedConstant> list = builtin().m_content->list;
    for (const auto& [section, content] : reader.object("sections").members())
        for (const JsonReader& item : content.items()) {
            const std::string name = item.text("name");
            FittedConstant* constant = findConstant(list, section, name);
            if (!constant) {
                failUnknown(item, item.where("name"), section, name);
                continue;
            }
            const bool ranged = constant->fit == FittedTo::Runs;
            constant->value =
                item.number("value", ranged ? constant->least : kLeast, ranged ? constant->most : kMost);
        }
    if (const Status sound = reader.status(); !sound)
        return sound.error();
    return ConstantSet(std::move(list));
}

Result<ConstantSet> ConstantSet::fromJson(const JsonReader& reader) {
    std::vector<FittedConstant> list = builtin().m_content->list;
    for (const auto& [section, values] : reader.members())
        for (const auto& [name, value] : values.members()) {
            if (FittedConstant* constant = findConstant(list, section, name))
                constant->value = values.number(name, kLeast, kMost);
            else
                failUnknown(value, value.where(), section, name);
        }
    if (const Status sound = reader.status(); !sound)
        return sound.error();
    return ConstantSet(std::move(list));
}

Json ConstantSet::toJson() const {
    Json sections = Json::object();
    for (const FittedConstant& constant : list())
        sections[constant.section][constant.name] = constant.value;
    return sections;
}

std::string ConstantSet::text() const {
    // Ordered, so that a new fit changes the lines of its values alone.
    auto document = nlohmann::ordered_json::parse(embedded::constantsJson);
    for (auto& [section, items] : document["sections"].items())
        for (auto& item : items)
            item["value"] = valueOf(m_content->list, section, item["name"].get<std::string>());
    return document.dump(2) + "\n";
}

ConstantSet ConstantSet::with(std::span<const double> values) const {
    std::vector<FittedConstant> list = m_content->list;
    if (values.size() != list.size())
        fatal("values for another set");
    for (std::size_t i = 0; i < list.size(); ++i)
        list[i].value = values[i];
    return ConstantSet(std::move(list));
}

bool ConstantSet::operator==(const ConstantSet& other) const {
    return m_content == other.m_content ||
           std::ranges::equal(list(), other.list(), {}, &FittedConstant::value, &FittedConstant::value);
}

} // namespace pw
