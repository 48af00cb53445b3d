// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/problem/problem.h"

#include "core/base/hash.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

namespace pw {

namespace {

constexpr std::array kAutoOrder = {Precision::Bf16, Precision::Fp16, Precision::Fp32};

// The question in the one form that is hashed: without the places of the drawing, and with the figures of the
// device kinds in use, wherever they came from.
Json canonical(Json question) {
    for (const char* list : {"nodes", "switches"})
        for (Json& item : question["cluster"][list])
            item.erase("at");
    return question;
}

Error refused(const char* code, std::string message, std::vector<std::string> reasons) {
    return Error{ErrorKind::Infeasible, code, "", std::move(message), std::move(reasons)};
}

} // namespace

// Marks what the Space leaves usable.
Status Problem::forbid() {
    const std::vector<Device>& devices = m_topology->devices();
    const std::vector<DeviceKind>& kinds = m_topology->kinds();
    const std::vector<Node>& nodes = m_topology->cluster().nodes;
    m_allowed.assign(devices.size(), true);
    Diagnostics unknown;
    for (const std::string& name : m_space.forbidden) {
        bool found = false;
        for (std::size_t d = 0; d < devices.size(); ++d) {
            const DeviceKind& kind = kinds[static_cast<std::size_t>(devices[d].kind)];
            const Node& node = nodes[static_cast<std::size_t>(devices[d].node)];
            if (name == devices[d].id || name == node.id || name == kind.name || name == kind.shortName) {
                m_allowed[d] = false;
                found = true;
            }
        }
        if (!found)
            unknown.push_back({Severity::Error,
                               "space.forbidden",
                               name,
                               "is to stay unused but is no node, device or device kind of this cluster",
                               name,
                               {}});
    }
    if (hasErrors(unknown))
        return statusOf(unknown);
    if (std::find(m_allowed.begin(), m_allowed.end(), true) == m_allowed.end())
        return refused(
            "problem.no_device",
            fmt::format("all {} devices are to stay unused; none is left to train on", devices.size()), {});
    return Ok{};
}

// One numerics policy a plan: `auto` takes the first of bf16, fp16, fp32 that every device left can run.
Status Problem::resolvePrecision() {
    std::vector<bool> used(m_topology->kinds().size(), false);
    for (std::size_t d = 0; d < m_allowed.size(); ++d)
        if (m_allowed[d])
            used[static_cast<std::size_t>(m_topology->devices()[d].kind)] = true;
    const auto unable = [&](Precision p) {
        std::vector<std::string> reasons;
        for (std::size_t k = 0; k < used.size(); ++k)
            if (used[k] && m_topology->kinds()[k].peak(p).value <= 0.0)
                reasons.push_back(fmt::format("{} cannot run {}", m_topology->kinds()[k].name, name(p)));
        return reasons;
    };
    if (m_recipe.precision != Precision::Auto) {
        m_precision = m_recipe.precision;
        if (std::vector<std::string> reasons = unable(m_precision); !reasons.empty())
            return refused("problem.precision",
                           fmt::format("precision {} cannot be used on this cluster: {}", name(m_precision),
                                       fmt::join(reasons, "; ")),
                           reasons);
        return Ok{};
    }
    std::vector<std::string> all;
    for (const Precision p : kAutoOrder) {
        std::vector<std::string> reasons = unable(p);
        if (reasons.empty()) {
            m_precision = p;
            return Ok{};
        }
        all.insert(all.end(), reasons.begin(), reasons.end());
    }
    return refused("problem.precision", "no precision of bf16, fp16 and fp32 runs on every device",
                   std::move(all));
}

Result<std::shared_ptr<const Problem>> Problem::make(Cluster cluster, Model model, Recipe recipe,
                                                     std::vector<ProfileRow> profiles, Space space) {
    if (const Status sound = statusOf(checkCluster(cluster)); !sound)
        return sound.error();
    if (const Status sound = checkModel(model, "model"); !sound)
        return sound.error();
    if (const Status sound = checkRecipe(recipe, "recipe"); !sound)
        return sound.error();
    if (model.learnedPositions > 0 && recipe.seq > model.positions)
        return badInput("problem.seq", "recipe/seq",
                        fmt::format("is {}; expected at most {}, the positions that {} has learned",
                                    recipe.seq, model.positions, model.name));

    auto problem = std::make_shared<Problem>();
    problem->m_topology = Topology::make(cluster);
    problem->m_layers = fineLayers(model, recipe.seq);
    std::erase_if(profiles, [&model](const ProfileRow& row) { return row.model != model.name; });
    problem->m_profiles = ProfileTable(std::move(profiles));
    problem->m_model = std::move(model);
    problem->m_recipe = std::move(recipe);
    problem->m_space = std::move(space);
    std::vector<std::string>& forbidden =
        problem->m_space.forbidden; // a set: order and repetition mean nothing
    std::sort(forbidden.begin(), forbidden.end());
    forbidden.erase(std::unique(forbidden.begin(), forbidden.end()), forbidden.end());
    if (const Status usable = problem->forbid(); !usable)
        return usable.error();
    if (const Status runs = problem->resolvePrecision(); !runs)
        return runs.error();
    problem->m_hash = hashText(canonical(problem->toJson()).dump());
    return std::shared_ptr<const Problem>(std::move(problem));
}

Json Problem::toJson() const {
    Cluster cluster = m_topology->cluster();
    cluster.kinds = m_topology->kinds();
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
                item.fail("json.type", item.where(), "expected the id of a node or device, or a device kind");
        }
    if (const Status read = reader.status(); !read)
        return read.error();
    // What is left are limits that go beyond one field; their place is in the message.
    if (!cluster)
        return cluster.error();
    if (!model)
        return model.error();
    if (!recipe)
        return recipe.error();
    return make(*std::move(cluster), *std::move(model), *std::move(recipe), std::move(rows),
                std::move(space));
}

} // namespace pw
