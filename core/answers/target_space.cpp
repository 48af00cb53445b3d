// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/answers/target_space.h"

#include "core/exchange/exports/export.h"

#include <algorithm>
#include <utility>

namespace pw {

namespace {

bool has(const std::vector<int>& list, int value) {
    return std::find(list.begin(), list.end(), value) != list.end();
}

// What the recipe leaves open, as far as the target has it. Where it asks for more sharding than the target
// has, only pipelines are left, which shard the optimiser alone: plans of one stage that shard more would end
// the search for them early.
Recipe restricted(Recipe recipe, const Capability& can) {
    if (recipe.zero > 1 && !has(can.zero, recipe.zero) && has(can.zero, 1))
        recipe.zero = 1;
    if (recipe.sequenceParallel == Choice::Auto && can.sequenceParallelModes.size() == 1)
        recipe.sequenceParallel = can.sequenceParallelModes.front() ? Choice::On : Choice::Off;
    if (recipe.recompute.empty() && (can.recomputeModes.size() < 3 || !can.recomputeFirst))
        recipe.recompute = can.recomputeModes;
    return recipe;
}

// As planners shard, as far as the target does: with the optimiser sharded, without, or both of these apart.
std::vector<int> shardings(const Recipe& asked, const Capability& can) {
    const std::vector<int> levels = can.zeroOf(asked.optimizer);
    if (asked.zero >= 0 || has(levels, 0) == has(levels, 1))
        return {asked.zero};
    if (has(levels, 1))
        return {1};
    return reshards(asked, can) ? std::vector<int>{0, asked.zero} : std::vector<int>{0};
}

// Kinds of GPU that a plan for the target may use together: all that it runs on, those of one vendor, or one
// where it places stages by itself.
std::vector<std::vector<std::string>> kindsTogether(const std::vector<DeviceKind>& kinds,
                                                    const Capability& can) {
    std::vector<std::pair<std::string, std::vector<std::string>>> groups; // by what they have in common
    std::vector<std::string> anywhere;                                    // of no known vendor
    for (const DeviceKind& kind : kinds) {
        if (!can.runsOn(kind))
            continue;
        const std::string common = can.placement == Placement::Automatic ? kind.name
                                   : can.mixesVendors                    ? "any"
                                                                         : kind.vendor;
        if (common.empty()) {
            anywhere.push_back(kind.name);
            continue;
        }
        auto at = std::ranges::find(groups, common, &decltype(groups)::value_type::first);
        if (at == groups.end())
            at = groups.insert(groups.end(), {common, {}});
        at->second.push_back(kind.name);
    }
    if (groups.empty() && !anywhere.empty())
        groups.emplace_back();
    std::vector<std::vector<std::string>> list;
    for (auto& [common, names] : groups) {
        names.insert(names.end(), anywhere.begin(), anywhere.end());
        list.push_back(std::move(names));
    }
    return list;
}

} // namespace

bool reshards(const Recipe& asked, const Capability& can) {
    const std::vector<int> levels = can.zeroOf(asked.optimizer);
    return asked.zero < 0 && !has(levels, 1) && std::ranges::any_of(levels, [](int z) { return z > 1; });
}

std::vector<Recipe> recipesFor(const Recipe& asked, const Capability& can) {
    std::vector<Recipe> list;
    for (const int zero : shardings(asked, can)) {
        Recipe recipe = restricted(asked, can);
        if (asked.zero < 0)
            recipe.zero = zero;
        if (can.recompute != Grain::Plan) {
            list.push_back(std::move(recipe));
            continue;
        }
        for (const Recompute mode : recipe.recompute.empty() ? can.recomputeModes : recipe.recompute) {
            list.push_back(recipe);
            list.back().recompute = {mode};
        }
    }
    return list;
}

std::vector<Space> spacesFor(const Problem& problem, const Capability& can) {
    Space space = problem.space();
    restrictTo(can, space);
    if (!hasExperts(
            problem.model())) // it asks the same then, and targets that ask alike share their searches
        space.foldExperts = problem.space().foldExperts;
    const std::vector<DeviceKind>& kinds = problem.topology().kinds();
    std::vector<Space> list;
    for (const std::vector<std::string>& together : kindsTogether(kinds, can)) {
        list.push_back(space);
        for (const DeviceKind& kind : kinds)
            if (std::ranges::find(together, kind.name) == together.end())
                list.back().forbidden.push_back(kind.name);
    }
    return list.empty() ? std::vector<Space>{space} : list; // whose question is refused
}

} // namespace pw
