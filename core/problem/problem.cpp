// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/problem/problem.h"

#include "core/base/hash.h"
#include "core/problem/memory_span.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace pw {

namespace {

constexpr std::array kAutoOrder = {Precision::Bf16, Precision::Fp16, Precision::Fp32};

// The question in the one form that is hashed: without the places of the drawing, the prices, where figures
// of device kinds are from and what only trainers ask of a model, which change no plan, and with the figures
// of the device kinds in use, wherever they came from.
Json canonical(Json question) {
    for (const char* list : {"nodes", "switches"})
        for (Json& item : question["cluster"][list])
            item.erase("at");
    for (Json& kind : question["cluster"]["kinds"])
        for (const char* key : {"price_per_hour", "source", "date", "typical_network"})
            kind.erase(key);
    for (const char* key : {"rotary_base", "rope_scaling", "norm_epsilon"})
        question["model"].erase(key);
    if (question["model"].contains("experts"))
        for (const char* key : {"router_groups", "router_groups_per_token", "router_scale"})
            question["model"]["experts"].erase(key);
    return question;
}

// What `forbidden` leaves: a flag per device in DeviceIndex order, the kinds behind the flags that are set,
// and what is left of the network.
struct Usable {
    std::vector<bool> devices;
    std::vector<const DeviceKind*> kinds;
    std::vector<bool> closed;         // a flag per link, over which nothing goes; empty: none
    std::vector<std::string> unknown; // names that match nothing
};

Usable usable(const Cluster& cluster, const std::vector<std::string>& forbidden) {
    Usable result;
    std::unordered_map<std::string_view, bool> matched; // by name
    for (const std::string& name : forbidden)
        matched.emplace(name, false);
    const auto isForbidden = [&](auto&&... names) {
        bool found = false;
        const auto look = [&](std::string_view name) {
            if (const auto at = matched.find(name); at != matched.end())
                found = at->second = true;
        };
        (look(names), ...);
        return found;
    };
    for (const Node& node : cluster.nodes) {
        const DeviceKind* kind = findKind(cluster, node.kind);
        const bool wholeNode = kind != nullptr ? isForbidden(node.id, kind->name, kind->shortName)
                                               : isForbidden(node.id, node.kind);
        bool any = false;
        for (int slot = 0; slot < node.gpus; ++slot) {
            const bool out = !forbidden.empty() && isForbidden(fmt::format("{}.g{}", node.id, slot));
            result.devices.push_back(!wholeNode && !out);
            any = any || result.devices.back();
        }
        const auto same = [kind](const DeviceKind* k) { return k->name == kind->name; };
        if (any && kind != nullptr && std::none_of(result.kinds.begin(), result.kinds.end(), same))
            result.kinds.push_back(kind);
    }
    if (!forbidden.empty()) {
        std::unordered_set<std::string_view> out;
        for (const Switch& item : cluster.switches)
            if (isForbidden(item.id))
                out.insert(item.id);
        bool any = false;
        for (const Link& link : cluster.links) {
            result.closed.push_back(isForbidden(link.id) || out.contains(link.a) || out.contains(link.b));
            any = any || result.closed.back();
        }
        if (!any)
            result.closed.clear();
    }
    for (const std::string& name : forbidden)
        if (!matched[name])
            result.unknown.push_back(name);
    return result;
}

bool runs(const DeviceKind& kind, Precision p) {
    return kind.peak(p).value > 0.0;
}

// One numerics policy a plan: `auto` takes the first of bf16, fp16, fp32 that every kind in use can run.
std::optional<Precision> resolve(Precision wanted, const std::vector<const DeviceKind*>& kinds) {
    const auto everywhere = [&kinds](Precision p) {
        return std::all_of(kinds.begin(), kinds.end(), [p](const DeviceKind* k) { return runs(*k, p); });
    };
    if (wanted != Precision::Auto)
        return everywhere(wanted) ? std::optional(wanted) : std::nullopt;
    for (const Precision p : kAutoOrder)
        if (everywhere(p))
            return p;
    return std::nullopt;
}

constexpr const char* kNoDevice = "problem.no_device";
constexpr const char* kPrecision = "problem.precision";

// A kind is to blame if it cannot run what was asked for; with `auto`, if it lacks one of the three that are
// tried.
void precisionProblems(Precision wanted, const std::vector<const DeviceKind*>& kinds, Diagnostics& found) {
    if (resolve(wanted, kinds))
        return;
    for (const Precision p : kAutoOrder) {
        const Precision tried = wanted == Precision::Auto ? p : wanted;
        for (const DeviceKind* kind : kinds)
            if (!runs(*kind, tried))
                found.push_back(
                    {Severity::Error,
                     kPrecision,
                     "model.precision",
                     {"{kind} cannot run {value}; choose another precision or leave that kind unused",
                      {{"kind", kind->name}, {"value", name(tried)}}}});
        if (wanted != Precision::Auto)
            return;
    }
}

} // namespace

std::optional<Precision> resolvedPrecision(const Cluster& cluster, Precision wanted,
                                           const std::vector<std::string>& forbidden) {
    return resolve(wanted, usable(cluster, forbidden).kinds);
}

std::vector<std::string> unknownNames(const Cluster& cluster, const std::vector<std::string>& names) {
    return usable(cluster, names).unknown;
}

std::vector<bool> allowedDevices(const Cluster& cluster, const std::vector<std::string>& forbidden) {
    return usable(cluster, forbidden).devices;
}

std::vector<bool> closedLinks(const Cluster& cluster, const std::vector<std::string>& forbidden) {
    return usable(cluster, forbidden).closed;
}

Diagnostics questionProblems(const Cluster& cluster, const Model& model, const Recipe& recipe,
                             const std::vector<std::string>& forbidden) {
    Diagnostics found;
    const Usable left = usable(cluster, forbidden);
    for (const std::string& name : left.unknown)
        found.push_back(
            {Severity::Error,
             "space.forbidden",
             name,
             {"is to stay unused but is no node, device, device kind, switch or link of this cluster",
              {{"value", name}}}});
    if (left.kinds.empty())
        found.push_back({Severity::Error,
                         kNoDevice,
                         "",
                         {"all {devices} devices are to stay unused; none is left to train on",
                          {{"devices", left.devices.size()}}}});
    precisionProblems(recipe.precision, left.kinds, found);
    if (model.learnedPositions > 0 && recipe.seq > model.positions)
        found.push_back({Severity::Error,
                         "problem.seq",
                         "model.seq",
                         {"the sequence length is {value}; expected at most {limit}, the positions that "
                          "{model} has learned",
                          {{"value", recipe.seq}, {"limit", model.positions}, {"model", model.name}}}});
    return found;
}

namespace {

// `forbidden` is a set: order and repetition mean nothing.
Status sortAndCheck(std::vector<std::string>& forbidden, const Cluster& cluster, const Model& model,
                    const Recipe& recipe) {
    std::sort(forbidden.begin(), forbidden.end());
    forbidden.erase(std::unique(forbidden.begin(), forbidden.end()), forbidden.end());
    const Status sound = statusOf(questionProblems(cluster, model, recipe, forbidden));
    if (sound)
        return sound;
    Error error = sound.error();
    if (error.code == kNoDevice || error.code == kPrecision)
        error.kind = ErrorKind::Infeasible;
    return error;
}

// With devices as full as they may be to fit with the chance that the recipe asks for.
std::shared_ptr<const Topology> planned(std::shared_ptr<const Topology> topology, const Recipe& recipe) {
    if (recipe.fitChance <= Recipe{}.fitChance)
        return topology;
    const MemorySpan& span = memorySpans().of(recipe.stack);
    return topology->withCapacities([&](Bytes memory) { return roomFor(span, memory, recipe.fitChance); });
}

} // namespace

Result<std::shared_ptr<const Problem>> Problem::make(Cluster cluster, Model model, Recipe recipe,
                                                     std::vector<ProfileRow> profiles, Space space,
                                                     ConstantSet constants) {
    if (const Status sound = statusOf(checkCluster(cluster)); !sound)
        return sound.error();
    if (const Status sound = checkModel(model, "model"); !sound)
        return sound.error();
    if (const Status sound = checkRecipe(recipe, "recipe"); !sound)
        return sound.error();
    if (const Status sound = sortAndCheck(space.forbidden, cluster, model, recipe); !sound)
        return sound.error();

    auto problem = std::make_shared<Problem>();
    Usable left = usable(cluster, space.forbidden);
    problem->m_allowed = std::move(left.devices);
    problem->m_precision = *resolve(recipe.precision, left.kinds);
    problem->m_topology = planned(Topology::make(cluster, std::move(left.closed)), recipe);
    problem->m_layers = fineLayers(model, recipe.seq);
    std::erase_if(profiles, [&model](const ProfileRow& row) { return row.model != model.name; });
    problem->m_profiles = ProfileTable(std::move(profiles));
    problem->m_model = std::move(model);
    problem->m_recipe = std::move(recipe);
    problem->m_constants = std::move(constants);
    problem->m_space = std::move(space);
    problem->m_hash = hashText(canonical(problem->toJson()).dump());
    return std::shared_ptr<const Problem>(std::move(problem));
}

std::vector<std::string> differingParts(const Problem& a, const Problem& b) {
    const Json one = canonical(a.toJson()), other = canonical(b.toJson());
    std::vector<std::string> parts;
    for (const char* part : {"cluster", "model", "recipe", "profiles", "forbidden", "constants"})
        if (one.value(part, Json()) != other.value(part, Json()))
            parts.emplace_back(part);
    return parts;
}

std::shared_ptr<const Problem> Problem::withSpace(Space space) const {
    auto other = std::make_shared<Problem>(*this);
    space.forbidden = std::move(other->m_space.forbidden);
    other->m_space = std::move(space);
    return other;
}

Result<std::shared_ptr<const Problem>> Problem::withForbidden(std::vector<std::string> forbidden) const {
    const Cluster& cluster = m_topology->cluster();
    if (const Status sound = sortAndCheck(forbidden, cluster, m_model, m_recipe); !sound)
        return sound.error();
    auto other = std::make_shared<Problem>(*this);
    Usable left = usable(cluster, forbidden);
    other->m_allowed = std::move(left.devices);
    if (left.closed != m_topology->closed())
        other->m_topology = planned(Topology::make(cluster, std::move(left.closed)), m_recipe);
    other->m_precision = *resolve(m_recipe.precision, left.kinds);
    other->m_space.forbidden = std::move(forbidden);
    other->m_hash = hashText(canonical(other->toJson()).dump());
    return std::shared_ptr<const Problem>(std::move(other));
}

std::shared_ptr<const Problem> Problem::withFitChance(double chance) const {
    auto other = std::make_shared<Problem>(*this);
    other->m_recipe.fitChance = chance;
    other->m_topology = planned(m_topology, other->m_recipe);
    other->m_hash = hashText(canonical(other->toJson()).dump());
    return other;
}

Json Problem::toJson() const {
    Cluster cluster = m_topology->cluster();
    cluster.kinds = m_topology->kinds();
    for (DeviceKind& kind : cluster.kinds)
        kind.typicalNetwork.clear(); // the network is the drawn one
    std::sort(cluster.kinds.begin(), cluster.kinds.end(),
              [](const DeviceKind& a, const DeviceKind& b) { return a.name < b.name; });
    Json rows = Json::array();
    for (const ProfileRow& row : m_profiles.rows())
        rows.push_back(pw::toJson(row));
    Json question = {{"cluster", pw::toJson(cluster)},
                     {"model", pw::toJson(m_model)},
                     {"recipe", pw::toJson(m_recipe)},
                     {"profiles", std::move(rows)}};
    if (!m_space.forbidden.empty())
        question["forbidden"] = m_space.forbidden;
    if (m_constants != ConstantSet::builtin())
        question["constants"] = m_constants.toJson();
    return question;
}

Result<std::shared_ptr<const Problem>> Problem::fromJson(const JsonReader& reader, Space space) {
    Result<Cluster> cluster = clusterFromJson(reader.object("cluster"));
    Result<Model> model = modelFromJson(reader.object("model"));
    Result<Recipe> recipe = recipeFromJson(reader.object("recipe"));
    std::vector<ProfileRow> rows;
    if (reader.has("profiles"))
        for (const JsonReader& item : reader.array("profiles"))
            if (Result<ProfileRow> row = profileRowFromJson(item))
                rows.push_back(*std::move(row));
    if (space.forbidden.empty() && reader.has("forbidden"))
        for (const JsonReader& item : reader.array("forbidden")) {
            if (item.value().is_string())
                space.forbidden.push_back(item.value().get<std::string>());
            else
                item.fail("json.type", item.where(),
                          "expected the id of a node, device, switch or link, or a device kind");
        }
    ConstantSet constants = ConstantSet::builtin();
    if (reader.has("constants"))
        if (Result<ConstantSet> stated = ConstantSet::fromJson(reader.object("constants")))
            constants = *std::move(stated);
    if (const Status read = reader.status(); !read)
        return read.error();
    // What is left are limits that go beyond one field; their place is in the message.
    if (!cluster)
        return cluster.error();
    if (!model)
        return model.error();
    if (!recipe)
        return recipe.error();
    return make(*std::move(cluster), *std::move(model), *std::move(recipe), std::move(rows), std::move(space),
                std::move(constants));
}

} // namespace pw
