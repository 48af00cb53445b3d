// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/exports/feature_checks.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

// Recompute, optimizer and sharding.

namespace pw::features {

std::string recomputeAllowed(const Capability& can) {
    std::vector<std::string> modes;
    for (const Recompute mode : can.recomputeModes)
        if (mode != Recompute::None)
            modes.emplace_back(name(mode));
    if (modes.empty())
        return "no";
    return can.recomputeModes.size() == 3 && can.recompute == Grain::Stage && can.recomputeFirst
               ? "yes"
               : fmt::format("{}{}", fmt::join(modes, ", "),
                             can.recompute == Grain::Plan ? ", one for all" : "");
}

void checkRecompute(const Capability& can, const Problem& problem, const Plan& plan, Refusals& out) {
    std::set<Recompute> used;
    bool partial = false;
    eachStage(plan, [&](const Pipeline&, const Stage& stage, std::string where) {
        used.insert(stage.recompute);
        int held = 0;
        for (const LayerRange& chunk : stage.chunks)
            held += wholeBlocks(problem.model(), chunk);
        const bool first =
            stage.recompute == Recompute::Full && stage.recomputeLayers > 0 && stage.recomputeLayers < held;
        partial = partial || first;
        const auto& modes = can.recomputeModes;
        if (std::find(modes.begin(), modes.end(), stage.recompute) == modes.end())
            out.push_back({"",
                           std::move(where),
                           {"recompute {mode}; possible: {possible}",
                            {{"mode", name(stage.recompute)}, {"possible", recomputeAllowed(can)}}}});
        else if (first && !can.recomputeFirst)
            out.push_back({"",
                           std::move(where),
                           {"recomputes the first {first} of {blocks} blocks; all or none is possible",
                            {{"first", stage.recomputeLayers}, {"blocks", held}}}});
        else if (first && !can.recomputeOver && stage.chunks.size() > 1)
            out.push_back(
                {"",
                 std::move(where),
                 {"recomputes the first {first} of {blocks} blocks over {chunks} virtual stages; a number is "
                  "counted in each",
                  {{"first", stage.recomputeLayers}, {"blocks", held}, {"chunks", stage.chunks.size()}}}});
    });
    if (can.recompute != Grain::Plan || !out.empty())
        return;
    if (used.size() > 1) {
        const Recompute first = plan.pipelines.front().stages.front().recompute;
        eachStage(plan, [&](const Pipeline&, const Stage& stage, std::string where) {
            if (stage.recompute != first)
                out.push_back(
                    {"",
                     std::move(where),
                     {"recompute {own}, the first stage's is {first}; one setting is for all stages",
                      {{"own", name(stage.recompute)}, {"first", name(first)}}}});
        });
    } else if (partial && commonRecomputedBlocks(problem, plan) == 0) {
        eachStage(plan, [&](const Pipeline&, const Stage& stage, std::string where) {
            out.push_back(
                {"",
                 std::move(where),
                 {"recomputes its first {blocks} blocks; one number is for all stages",
                  {{"blocks",
                    stage.recomputeLayers == 0 ? "and all other" : std::to_string(stage.recomputeLayers)}}}});
        });
    }
}

std::string optimizerAllowed(const Capability& can) {
    return namesOrAny(can.optimizers);
}

void checkOptimizer(const Capability& can, const Problem& problem, const Plan&, Refusals& out) {
    const Optimizer own = problem.recipe().optimizer;
    if (!can.optimizers.empty() && std::ranges::find(can.optimizers, own) == can.optimizers.end())
        out.push_back({"",
                       "recipe",
                       {"optimizer {optimizer}; its files say {possible}",
                        {{"optimizer", name(own)}, {"possible", optimizerAllowed(can)}}}});
}

std::string shardingAllowed(const Capability& can) {
    return can.zero.size() == 4 && can.zeroGrain == Grain::Stage
               ? "yes"
               : fmt::format("{}", fmt::join(can.zero, ", "));
}

// Nothing is sharded over one replica, whatever the level.
void checkSharding(const Capability& can, const Problem& problem, const Plan& plan, Refusals& out) {
    const Optimizer optimizer = problem.recipe().optimizer;
    const std::vector<int> possible = can.zeroOf(optimizer);
    OneForAll<int> levels;
    eachStage(plan, [&](const Pipeline&, const Stage& stage, std::string where) {
        if (stage.dp() < 2 && plan.pipelines.size() < 2)
            return;
        levels.add(stage.zero, where);
        if (std::ranges::find(possible, stage.zero) != possible.end())
            return;
        if (possible.size() < can.zero.size())
            out.push_back({"",
                           std::move(where),
                           {"sharding (ZeRO) {zero} with optimizer {optimizer}; {possible} are possible",
                            {{"zero", stage.zero},
                             {"optimizer", name(optimizer)},
                             {"possible", fmt::format("{}", fmt::join(possible, ", "))}}}});
        else
            out.push_back(
                {"",
                 std::move(where),
                 {"sharding (ZeRO) {zero}; {possible} are possible",
                  {{"zero", stage.zero}, {"possible", fmt::format("{}", fmt::join(can.zero, ", "))}}}});
    });
    if (can.zeroGrain == Grain::Plan && levels.differ())
        out.push_back({"",
                       levels.where(),
                       {"sharding (ZeRO) {levels} in different stages; one setting is for all",
                        {{"levels", fmt::format("{}", fmt::join(levels.values(), " and "))}}}});
}

} // namespace pw::features
