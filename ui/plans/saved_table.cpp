// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plans/saved_table.h"

#include "core/document/plan_document.h"
#include "core/document/search_summary.h"
#include "ui/base/convert.h"
#include "ui/plans/differing_plans.h"
#include "ui/session/candidates.h"
#include "ui/session/document.h"
#include "ui/session/search_runner.h"

#include <nlohmann/json.hpp>

#include <set>

namespace pw {

namespace {
constexpr char kDemand[] = "demand"; // what the search asked of plans, in its summary
} // namespace

SavedTable withTable(const AppContext& context, const Project& project) {
    SavedTable saved{project, 0};
    std::set<std::string> names;
    for (const KeptPlan& kept : project.plans)
        names.insert(kept.name);
    const QHash<int, DifferingPlan> differing = differingPlans(context.candidates.all());
    std::size_t plans = 0, bytes = 0;
    for (const Candidate& candidate : context.candidates.all()) {
        if (candidate.foreign || !candidate.base.isEmpty() || names.contains(s(candidate.name)))
            continue;
        if ((plans >= SavedTable::kMostPlans && !differing.contains(candidate.id)) ||
            bytes >= SavedTable::kMostBytes) {
            ++saved.leftOut;
            continue;
        }
        std::string entry = keptEntry(*candidate.problem, candidate.plan, candidate.evaluation);
        ++plans;
        bytes += entry.size();
        saved.project.plans.push_back(
            {s(candidate.name), s(candidate.note), false, candidate.problem->hash(), {}, std::move(entry)});
    }
    const SearchRunner& runner = context.runner;
    if (runner.problem() && runner.outcome() && !runner.outcome()->plans.empty()) {
        Json summary = searchSummary(*runner.outcome());
        if (const SearchDemand& asked = runner.demanded(); asked != SearchDemand{})
            summary[kDemand] = asked.toJson();
        saved.project.search = KeptSearch{runner.problem()->hash(), summary.dump()};
    }
    return saved;
}

void restoreSearch(const AppContext& context) {
    const auto problem = context.document.problem();
    const std::optional<KeptSearch>& kept = context.document.project()->search;
    if (!problem || !kept || kept->problemHash != problem->hash() || context.runner.outcome())
        return;
    const Result<Json> summary = parseJson(kept->summary, "search");
    if (!summary)
        return;
    const JsonReader reader(*summary, "search");
    Result<SearchOutcome> outcome = searchFromSummary(reader);
    const SearchDemand asked =
        reader.has(kDemand) ? SearchDemand::fromJson(reader.object(kDemand)) : SearchDemand{};
    if (!outcome || !reader.status())
        return; // of another program's making: its plans are there all the same
    for (const Candidate& candidate : context.candidates.all())
        if (candidate.base.isEmpty() && candidate.evaluation.feasible &&
            !Candidates::isStale(candidate, problem))
            outcome->plans.push_back({candidate.plan, candidate.evaluation});
    if (!outcome->plans.empty())
        context.runner.restore(problem, *std::move(outcome), asked);
}

} // namespace pw
