// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/edit/edit.h"

#include "core/edit/edit_detail.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <string_view>
#include <tuple>
#include <unordered_set>

namespace pw {

namespace edit_detail {

Error unknownItem(std::string_view id) {
    return badInput("edit.unknown", std::string(id), {"there is no item called \"{item}\"", {{"item", id}}});
}

void pruneForbidden(Project& project) {
    const std::vector<std::string> unknown = unknownNames(project.cluster, project.forbidden);
    std::erase_if(project.forbidden, [&unknown](const std::string& name) {
        return std::find(unknown.begin(), unknown.end(), name) != unknown.end();
    });
}

} // namespace edit_detail

Result<Project> setCluster(const Project& project, const Cluster& cluster) {
    if (const Status sound = statusOf(checkCluster(cluster)); !sound)
        return sound.error();
    Project edited = project;
    edited.cluster = cluster;
    edit_detail::pruneForbidden(edited);
    edit_detail::pruneAnnotations(edited);
    return edited;
}

Result<Project> setModel(const Project& project, const Model& model) {
    if (const Status sound = checkModel(model, "model"); !sound)
        return sound.error();
    Project edited = project;
    edited.model = model;
    return edited;
}

Result<Project> setRecipe(const Project& project, const Recipe& recipe) {
    if (const Status sound = statusOf(recipeProblems(recipe), "model."); !sound)
        return sound.error();
    Project edited = project;
    edited.recipe = recipe;
    return edited;
}

Result<Project> setForbidden(const Project& project, const std::vector<std::string>& names) {
    if (const std::vector<std::string> unknown = unknownNames(project.cluster, names); !unknown.empty())
        return badInput("edit.forbidden", unknown.front(),
                        {"there is no node, device, device kind, switch or link called \"{name}\"",
                         {{"name", unknown.front()}}});
    Project edited = project;
    edited.forbidden = names;
    return edited;
}

Result<Project> addProfiles(const Project& project, const std::vector<ProfileRow>& rows) {
    using Key = std::tuple<std::string, std::string, int, int, int, std::int64_t, std::string, std::string>;
    const auto keyOf = [](const ProfileRow& r) {
        return Key(r.model, r.kind, r.layer, r.tp, r.mbs, r.seq, r.precision, r.source);
    };
    Project edited = project;
    std::map<Key, std::size_t> places;
    for (std::size_t i = 0; i < edited.profiles.size(); ++i)
        places.emplace(keyOf(edited.profiles[i]), i);
    for (const ProfileRow& row : rows) {
        if (!row.op.empty())
            continue; // no figure of the project rests on a single operator
        const auto [at, fresh] = places.emplace(keyOf(row), edited.profiles.size());
        if (fresh)
            edited.profiles.push_back(row);
        else
            edited.profiles[at->second] = row;
    }
    return edited;
}

Result<Project> removeProfiles(const Project& project, const std::string& source) {
    Project edited = project;
    if (std::erase_if(edited.profiles, [&source](const ProfileRow& r) { return r.source == source; }) == 0)
        return badInput("edit.profiles", source,
                        {"no measurement comes from \"{source}\"", {{"source", source}}});
    return edited;
}

Result<Project> keepPlan(const Project& project, const KeptPlan& plan) {
    if (plan.name.empty())
        return badInput("edit.plan", "", "a kept plan needs a name");
    if (const Result<Json> entry = parseJson(plan.entry, plan.name); !entry)
        return entry.error();
    else if (!entry->is_object())
        return badInput("edit.plan", plan.name, "a kept plan must be an entry of a plan document");
    Project edited = project;
    const auto same = [&plan](const KeptPlan& p) { return p.name == plan.name; };
    if (const auto at = std::find_if(edited.plans.begin(), edited.plans.end(), same);
        at != edited.plans.end())
        *at = plan;
    else
        edited.plans.push_back(plan);
    return edited;
}

Result<Project> keepEdited(const Project& project, const KeptPlan& base, const KeptPlan& edited) {
    const Result<Project> withBase = keepPlan(project, base);
    return withBase ? keepPlan(*withBase, edited) : withBase;
}

Result<Project> renamePlan(const Project& project, const std::string& name, const std::string& newName) {
    if (newName.empty())
        return badInput("edit.plan", name, "a kept plan needs a name");
    const auto called = [](const std::string& wanted) {
        return [&wanted](const KeptPlan& plan) { return plan.name == wanted; };
    };
    Project edited = project;
    const auto at = std::find_if(edited.plans.begin(), edited.plans.end(), called(name));
    if (at == edited.plans.end())
        return badInput("edit.plan", name, {"there is no kept plan called \"{plan}\"", {{"plan", name}}});
    if (newName != name && std::any_of(edited.plans.begin(), edited.plans.end(), called(newName)))
        return badInput("edit.plan", newName, {"another plan is called \"{plan}\"", {{"plan", newName}}});
    at->name = newName;
    for (KeptPlan& plan : edited.plans)
        if (plan.base == name)
            plan.base = newName;
    return edited;
}

Result<Project> dropPlan(const Project& project, const std::string& name) {
    return dropPlans(project, {name});
}

Result<Project> dropPlans(const Project& project, const std::vector<std::string>& names) {
    std::unordered_set<std::string_view> kept;
    for (const KeptPlan& plan : project.plans)
        kept.insert(plan.name);
    for (const std::string& name : names)
        if (!kept.contains(name))
            return badInput("edit.plan", name, {"there is no kept plan called \"{plan}\"", {{"plan", name}}});
    const std::unordered_set<std::string_view> dropped(names.begin(), names.end());
    Project edited = project;
    std::erase_if(edited.plans, [&dropped](const KeptPlan& plan) { return dropped.contains(plan.name); });
    return edited;
}

} // namespace pw
