// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/answers/objective.h"

#include "core/evaluate/utilisation.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace pw {

const std::vector<ObjectiveRow>& objectiveTable() {
    static const std::vector<ObjectiveRow> table = {
        {Objective::Time, "time", "the shortest iteration", "s", "the fastest"},
        {Objective::Money, "money", "the lowest price of a token, by the device kinds' prices",
         "currency per token", "the cheapest"},
        {Objective::Energy, "energy", "the least energy of a token, every device in use at its full power",
         "J per token", "the one of least energy"},
        {Objective::Memory, "memory", "the most memory to spare on the fullest device", "share of memory",
         "the one with the most memory to spare"},
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
    for (const DeviceKind* kind : allowedKinds(problem))
        if (rateOf(*kind, objective) <= 0.0)
            missing.push_back(kind->name);
    if (missing.empty())
        return Ok{};
    const std::string names = fmt::format("{}", fmt::join(missing, ", "));
    const bool several = missing.size() > 1;
    if (objective == Objective::Money)
        return infeasible(
            "objective.price", names,
            several
                ? "these kinds have no price: give what an hour of each costs, or leave those kinds unused"
                : "has no price: give what an hour of it costs, or leave the kind unused");
    return infeasible("objective.power", names,
                      several
                          ? "these kinds have no power: give watts in kinds of the cluster's own, or "
                            "leave those kinds unused"
                          : "has no power: give watts in the cluster's own kind, or leave the kind unused");
}

} // namespace pw
