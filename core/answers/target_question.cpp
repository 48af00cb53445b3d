// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/answers/target_question.h"

#include "core/answers/node_groups.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace pw {

namespace {

// The question without the kinds that lack the precision, if it then comes to that.
std::optional<TargetQuestion> withoutThoseThatLack(const Problem& problem, Precision wanted) {
    TargetQuestion asked{nullptr, {}, wanted};
    std::vector<std::string> forbidden = problem.space().forbidden;
    for (const DeviceKind* kind : allowedKinds(problem))
        if (kind->peak(wanted).value <= 0.0) {
            forbidden.push_back(kind->name);
            asked.leftOut.push_back(kind->shortName);
        }
    if (asked.leftOut.empty())
        return std::nullopt;
    auto without = problem.withForbidden(std::move(forbidden));
    if (!without || (*without)->precision() != wanted)
        return std::nullopt;
    asked.problem = *std::move(without);
    return asked;
}

bool hasPrecision(const ExporterRow& target, Precision precision) {
    const std::vector<Precision>& can = target.capability.precisions;
    return can.empty() || std::ranges::find(can, precision) != can.end();
}

} // namespace

TargetQuestion questionFor(const std::shared_ptr<const Problem>& problem, const ExporterRow& target) {
    if (problem->recipe().precision != Precision::Auto || hasPrecision(target, problem->precision()))
        return {problem};
    for (const Precision wanted : target.capability.precisions)
        if (std::optional<TargetQuestion> asked = withoutThoseThatLack(*problem, wanted))
            return *std::move(asked);
    return {problem};
}

std::optional<TargetQuestion> withoutIdle(const Problem& problem, const ExporterRow& target,
                                          const Plan& plan) {
    if (problem.recipe().precision != Precision::Auto)
        return std::nullopt;
    const std::vector<const DeviceKind*> used = usedKinds(problem, plan);
    std::vector<std::string> forbidden = problem.space().forbidden;
    const std::size_t before = forbidden.size();
    for (const DeviceKind* kind : allowedKinds(problem))
        if (std::ranges::find(used, kind) == used.end())
            forbidden.push_back(kind->name);
    if (forbidden.size() == before)
        return std::nullopt;
    const auto usedAlone = problem.withForbidden(std::move(forbidden));
    if (!usedAlone || (*usedAlone)->precision() == problem.precision() ||
        !hasPrecision(target, (*usedAlone)->precision()))
        return std::nullopt;
    std::optional<TargetQuestion> asked = withoutThoseThatLack(problem, (*usedAlone)->precision());
    if (asked)
        asked->idle = true;
    return asked;
}

std::optional<Diagnostic> noteOf(const TargetQuestion& asked, const Problem& problem,
                                 const ExporterRow& target) {
    if (asked.leftOut.empty())
        return std::nullopt;
    return Diagnostic{
        Severity::Note,
        "search.left_out",
        "search",
        {asked.idle
             ? "{kinds} left out: with them the precision is {precision}, and the best plan that was "
               "found for {target} leaves them idle; without them it is {instead}, and the plan no slower"
             : "{kinds} left out: with them the precision is {precision}, in which {target} does not "
               "train; without them it is {instead}",
         {{"kinds", fmt::format("{}", fmt::join(asked.leftOut, ", "))},
          {"precision", name(problem.precision())},
          {"target", target.label},
          {"instead", name(asked.instead)}}}};
}

} // namespace pw
