// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/answers/target_question.h"

#include "core/answers/node_groups.h"
#include "core/answers/require.h"
#include "core/base/one_line.h"
#include "core/search/proof/capacity_bound.h"

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

// Whether plans without those kinds may be faster than this one, as far as that is known without a search.
bool mayBeFaster(const Problem& problem, const TargetQuestion& without, const ExporterRow& target,
                 Seconds best, Seconds open) {
    const std::vector<const DeviceKind*> left = allowedKinds(*without.problem);
    const bool computeFaster = std::ranges::any_of(left, [&](const DeviceKind* kind) {
        return kind->peak(without.instead) > kind->peak(problem.precision());
    });
    if (!computeFaster && !takesLess(open.value, best.value))
        return false;
    if (target.capability.partitions) // the bound does not speak of them
        return true;
    return CapacityBound(*without.problem).compute().value < best;
}

const char* textOf(TargetQuestion::Why why) {
    switch (why) {
    case TargetQuestion::Why::Idle:
        return "{kinds} left out: with them the precision is {precision}, and the best plan that was found "
               "for {target} leaves them idle; without them it is {instead}, and the plan no slower";
    case TargetQuestion::Why::Slower:
        return "{kinds} left out: with them the precision is {precision}, in which no plan as fast was found "
               "for {target}; without them it is {instead}";
    case TargetQuestion::Why::NotTrained:
        break;
    }
    return "{kinds} left out: with them the precision is {precision}, in which {target} does not train; "
           "without them it is {instead}";
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
        asked->why = TargetQuestion::Why::Idle;
    return asked;
}

std::optional<TargetQuestion> withFewerKinds(const Problem& problem, const ExporterRow& target,
                                             const FoundPlan* best, Seconds open,
                                             const std::vector<std::string>& required) {
    if (problem.recipe().precision != Precision::Auto || problem.precision() == Precision::Bf16)
        return std::nullopt;
    if (best != nullptr)
        if (std::optional<TargetQuestion> without = withoutIdle(problem, target, best->plan))
            return without;
    for (const Precision wanted : {Precision::Bf16, Precision::Fp16}) { // as `auto` prefers them
        if (wanted == problem.precision())
            break;
        if (!hasPrecision(target, wanted))
            continue;
        std::optional<TargetQuestion> without = withoutThoseThatLack(problem, wanted);
        if (!without || !checkRequired(*without->problem, required))
            continue;
        without->why = TargetQuestion::Why::Slower;
        if (best == nullptr || mayBeFaster(problem, *without, target, best->evaluation.iteration, open))
            return without;
    }
    return std::nullopt;
}

std::optional<Diagnostic> noteOf(const TargetQuestion& asked, const Problem& problem,
                                 const ExporterRow& target) {
    if (asked.leftOut.empty())
        return std::nullopt;
    return Diagnostic{Severity::Note,
                      "search.left_out",
                      "search",
                      {textOf(asked.why),
                       {{"kinds", fmt::format("{}", fmt::join(asked.leftOut, ", "))},
                        {"precision", name(problem.precision())},
                        {"target", target.label},
                        {"instead", name(asked.instead)}}}};
}

Diagnostic noteOfFailure(const TargetQuestion& without, const ExporterRow& target, const Error& error) {
    Error placed(error.kind, error.code, {}, error.asWording());
    placed.reasons = error.reasons;
    return {Severity::Note,
            "search.not_left_out",
            "search",
            {"{kinds} not left out: without them the precision is {instead}, but the search for {target} "
             "failed: {error}",
             {{"kinds", fmt::format("{}", fmt::join(without.leftOut, ", "))},
              {"instead", name(without.instead)},
              {"target", target.label},
              {"error", oneLine(placed)}}}};
}

} // namespace pw
