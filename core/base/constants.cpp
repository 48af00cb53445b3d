// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/constants.h"

#include "core/base/json.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <atomic>
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

// constinit: no guard stands before a read.
constinit thread_local const ConstantSet* t_current = nullptr;

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

} // namespace

ConstantSet::ConstantSet(std::vector<FittedConstant> list) : m_list(std::move(list)) {
    static std::atomic<std::uint64_t> last{0};
    m_id = ++last;
}

const ConstantSet& ConstantSet::builtin() {
    static const ConstantSet set(readBuiltin());
    return set;
}

const ConstantSet& ConstantSet::current() {
    return t_current ? *t_current : builtin();
}

Result<ConstantSet> ConstantSet::read(std::string_view text, const std::string& file) {
    const Result<Json> document = parseJson(text, file);
    if (!document)
        return document.error();
    const JsonReader reader(*document, file);
    if (reader.text("schema") != kSchema)
        reader.fail("constants.schema", reader.where("schema"),
                    {"is not \"{schema}\"", {{"schema", kSchema}}});
    std::vector<FittedConstant> list = builtin().m_list;
    for (const auto& [section, content] : reader.object("sections").members())
        for (const JsonReader& item : content.items()) {
            const std::string name = item.text("name");
            const auto at = std::find_if(list.begin(), list.end(), [&](const FittedConstant& constant) {
                return constant.section == section && constant.name == name;
            });
            if (at == list.end()) {
                item.fail("constants.name", item.where("name"),
                          {"there is no constant {section}.{name}", {{"section", section}, {"name", name}}});
                continue;
            }
            const bool ranged = at->fit == FittedTo::Runs;
            at->value = item.number("value", ranged ? at->least : kLeast, ranged ? at->most : kMost);
        }
    if (const Status sound = reader.status(); !sound)
        return sound.error();
    return ConstantSet(std::move(list));
}

std::string ConstantSet::text() const {
    // Ordered, so that a new fit changes the lines of its values alone.
    auto document = nlohmann::ordered_json::parse(embedded::constantsJson);
    for (auto& [section, items] : document["sections"].items())
        for (auto& item : items)
            item["value"] = value(section, item["name"].get<std::string>());
    return document.dump(2) + "\n";
}

double ConstantSet::value(std::string_view section, std::string_view name) const {
    for (const FittedConstant& constant : m_list)
        if (constant.section == section && constant.name == name)
            return constant.value;
    fatal("no " + std::string(section) + "." + std::string(name));
}

ConstantSet ConstantSet::with(std::span<const double> values) const {
    if (values.size() != m_list.size())
        fatal("values for another set");
    std::vector<FittedConstant> list = m_list;
    for (std::size_t i = 0; i < list.size(); ++i)
        list[i].value = values[i];
    return ConstantSet(std::move(list));
}

ConstantScope::ConstantScope(const ConstantSet& set) : m_before(t_current) {
    t_current = &set;
}

ConstantScope::~ConstantScope() {
    t_current = m_before;
}

} // namespace pw
