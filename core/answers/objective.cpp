// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/answers/objective.h"

#include "core/answers/deadline.h"
#include "core/document/plan_document.h"
#include "core/evaluate/utilisation.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <limits>
#include <map>

namespace pw {

const std::vector<ObjectiveRow>& objectiveTable() {
    static const std::vector<ObjectiveRow> table = {
        {Objective::Time, "time", "the shortest iteration", "s"},
        {Objective::Money, "money", "the lowest price of a token, by the device kinds' prices",
         "currency per token"},
        {Objective::Energy, "energy", "the least energy of a token, every device in use at its full power",
         "J per token"},
        {Objective::Memory, "memory", "the most memory to spare on the fullest device", "share of memory"},
    };
    return table;
}

std::optional<Objective> objectiveFromName(std::string_view name) {
    for (const ObjectiveRow& row : objectiveTable())
        if (name == row.name)
            return row.objective;
    return std::nullopt;
}

namespace {

double rateOf(const DeviceKind& kind, Objective objective) { // by second
    return objective == Objective::Money ? kind.pricePerHour / 3600.0 : kind.watts;
}

} // namespace

double objectiveValue(const Problem& problem, const FoundPlan& found, Objective objective) {
    if (objective == Objective::Time)
        return found.evaluation.iteration.value;
    if (objective == Objective::Memory)
        return fullestShare(found.evaluation);
    double rate = 0.0;
    for (const DeviceMemory& m : found.evaluation.memory)
        rate += rateOf(problem.topology().kindOf(m.device), objective);
    return rate * found.evaluation.iteration.value /
           (static_cast<double>(problem.recipe().gbs) * static_cast<double>(problem.recipe().seq));
}

Status checkObjective(const Problem& problem, Objective objective) {
    if (objective == Objective::Time || objective == Objective::Memory)
        return Ok{};
    std::vector<std::string> missing;
    for (const NodeGroup& group : nodeGroups(problem)) {
        const DeviceKind& kind = problem.topology().kinds()[static_cast<std::size_t>(group.kind)];
        if (rateOf(kind, objective) <= 0.0 &&
            std::find(missing.begin(), missing.end(), kind.name) == missing.end())
            missing.push_back(kind.name);
    }
    if (missing.empty())
        return Ok{};
    const bool money = objective == Objective::Money;
    Error error =
        infeasible(money ? "objective.price" : "objective.power", fmt::format("{}", fmt::join(missing, ", ")),
                   money ? "has no price: give what an hour of it costs, or leave the kind unused"
                         : "has no power: give watts in the cluster's own kind, or leave the kind unused");
    return error;
}

namespace {

// All, half, ..., one, none of each group; sets with most groups whole or out first, then the larger ones.
std::vector<NodeCounts> spreadSets(const std::vector<NodeGroup>& groups) {
    constexpr std::size_t kMost = 4096;
    std::vector<NodeCounts> sets = {{}};
    for (const NodeGroup& group : groups) {
        std::vector<int> levels = {0};
        for (int n = group.count(); n > 0; n /= 2)
            levels.push_back(n);
        if (sets.size() * levels.size() > kMost)
            levels = {0, group.count()};
        std::vector<NodeCounts> longer;
        for (const NodeCounts& counts : sets)
            for (const int n : levels) {
                longer.push_back(counts);
                longer.back().push_back(n);
            }
        sets = std::move(longer);
    }
    std::erase_if(sets, [&](const NodeCounts& counts) { return gpusOf(groups, counts) == 0; });
    const auto parted = [&](const NodeCounts& counts) {
        int groupsInPart = 0;
        for (std::size_t g = 0; g < groups.size(); ++g)
            groupsInPart += counts[g] > 0 && counts[g] < groups[g].count() ? 1 : 0;
        return groupsInPart;
    };
    std::stable_sort(sets.begin(), sets.end(), [&](const NodeCounts& a, const NodeCounts& b) {
        const int inPartA = parted(a), inPartB = parted(b);
        return inPartA != inPartB ? inPartA < inPartB : gpusOf(groups, a) > gpusOf(groups, b);
    });
    return sets;
}

using Variant = std::function<Result<std::shared_ptr<const Problem>>()>;

std::vector<Variant> variantsOf(const Problem& problem, Objective objective) {
    std::vector<Variant> variants;
    if (objective == Objective::Memory) {
        double smallest = std::numeric_limits<double>::infinity();
        for (std::size_t d = 0; d < problem.allowed().size(); ++d)
            if (problem.allowed()[d])
                smallest = std::min(smallest, problem.topology().devices()[d].capacity.value);
        for (int tenths = 0; tenths < 10; ++tenths)
            variants.push_back([&problem, smallest, tenths] {
                Recipe recipe = problem.recipe();
                recipe.reserve += Bytes(smallest * tenths / 10.0);
                return Problem::make(problem.topology().cluster(), problem.model(), recipe,
                                     problem.profiles().rows(), problem.space(), problem.constants());
            });
        return variants;
    }
    const std::vector<NodeGroup> groups = nodeGroups(problem);
    for (const NodeCounts& counts : spreadSets(groups))
        variants.push_back([&problem, groups, counts] { return withCounts(problem, groups, counts); });
    return variants;
}

} // namespace

Result<ParetoFront> paretoFront(const std::shared_ptr<const Problem>& problem, Objective objective,
                                const Searcher& searcher, const std::stop_token& stop) {
    ParetoFront front;
    front.objective = objective;
    const std::vector<Variant> variants = variantsOf(*problem, objective);
    front.variants = static_cast<int>(variants.size());
    const int limit = deadlineSearches(gpusOf(nodeGroups(*problem), allNodes(nodeGroups(*problem))));
    std::map<std::string, FoundPlan> archive; // by canonical key
    for (const Variant& variant : variants) {
        if (stop.stop_requested() || front.searches == limit)
            break;
        const auto asked = variant();
        if (!asked)
            return asked.error();
        Result<SearchOutcome> outcome = searcher(*asked);
        if (!outcome)
            return outcome.error();
        const bool first = front.searches++ == 0; // the problem itself
        for (const FoundPlan& found : outcome->plans) {
            auto [at, fresh] = archive.try_emplace(canonicalKey(found.plan));
            if (!fresh)
                continue;
            auto evaluation = evaluate(*problem, found.plan);
            if (evaluation && evaluation->feasible)
                at->second = {found.plan, *std::move(evaluation), found.foundBy};
            else
                archive.erase(at);
        }
        SearchOutcome& sum = front.outcome;
        if (first) {
            sum = *std::move(outcome);
            continue;
        }
        sum.work += outcome->work;
        sum.evaluated += outcome->evaluated;
        sum.cacheLookups += outcome->cacheLookups;
        sum.cacheHits += outcome->cacheHits;
        sum.operatorEvaluations += outcome->operatorEvaluations;
        sum.wall += outcome->wall;
        append(sum.phases, std::move(outcome->phases));
    }
    front.archive = archive.size();
    std::vector<std::pair<double, FoundPlan>> byTime;
    for (auto& [key, found] : archive) {
        const double value = objectiveValue(*problem, found, objective);
        byTime.emplace_back(value, std::move(found));
    }
    std::stable_sort(byTime.begin(), byTime.end(), [](const auto& a, const auto& b) {
        const Seconds timeA = a.second.evaluation.iteration, timeB = b.second.evaluation.iteration;
        return timeA != timeB ? timeA < timeB : a.first < b.first;
    });
    front.outcome.plans.clear();
    front.outcome.differing.clear(); // the points of the front differ by what was asked for
    double least = std::numeric_limits<double>::infinity();
    for (auto& [value, found] : byTime)
        if (value < least) {
            least = value;
            front.values.push_back(value);
            front.outcome.plans.push_back(std::move(found));
        }
    std::reverse(front.values.begin(), front.values.end());
    std::reverse(front.outcome.plans.begin(), front.outcome.plans.end());
    front.outcome.optimalInOwnSpace = false;
    if (!front.outcome.plans.empty())
        front.outcome.status = stop.stop_requested() ? SearchStatus::Stopped : SearchStatus::Feasible;
    return front;
}

Json paretoDocument(const Problem& problem, const ParetoFront& front, DeviceNames names) {
    const ObjectiveRow& row = objectiveTable()[static_cast<std::size_t>(front.objective)];
    Json document = planDocument(problem, front.outcome, names);
    document["gap"] = nullptr; // the first plan is not there for its time
    Json points = Json::array();
    for (std::size_t p = 0; p < front.values.size(); ++p)
        points.push_back({{"plan", p + 1},
                          {"iteration_s", front.outcome.plans[p].evaluation.iteration.value},
                          {"value", front.values[p]},
                          {"gpus", usedGpus(front.outcome.plans[p].plan)}});
    document["pareto"] = {{"objective", row.name},     {"unit", row.unit},
                          {"bounded", "iteration_s"},  {"points", std::move(points)},
                          {"archive", front.archive},  {"searches", front.searches},
                          {"variants", front.variants}};
    return document;
}

} // namespace pw
