// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plans/saved_table.h"

#include "core/document/plan_document.h"
#include "core/document/search_summary.h"
#include "ui/base/convert.h"
#include "ui/plans/differing_plans.h"
#include "ui/session/candidates.h"
#include "ui/session/compare_set.h"
#include "ui/session/document.h"
#include "ui/session/given_answers.h"
#include "ui/session/search_runner.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <set>

namespace pw {

namespace {

// Of the last search, in its summary.
constexpr char kDemand[] = "demand";                           // what it asked of plans
constexpr char kPlans[] = "plans", kDiffering[] = "differing"; // what it found, by the names of the table
constexpr char kUnrestricted[] = "unrestricted_s";             // SearchRunner::unrestricted()

// `names`: those that the file has. What is not among them is left out.
Json namesOf(const std::vector<FoundPlan>& plans, const std::string& problemHash,
             const Candidates& candidates, const std::set<std::string>& names) {
    Json list = Json::array();
    for (const FoundPlan& found : plans) {
        const Candidate* candidate = candidates.findFound(foundKey(found), problemHash);
        if (candidate && names.contains(s(candidate->name)))
            list.push_back(s(candidate->name));
    }
    return list;
}

// How the last search ended; nothing where the file does not have its best plan.
std::optional<KeptSearch> keptSearch(const SearchRunner& runner, const Candidates& candidates,
                                     const std::set<std::string>& names) {
    const SearchOutcome& outcome = *runner.outcome();
    const std::string& hash = runner.problem()->hash();
    if (outcome.plans.empty() || namesOf({outcome.plans.front()}, hash, candidates, names).empty())
        return std::nullopt;
    Json summary = searchSummary(outcome);
    summary[kPlans] = namesOf(outcome.plans, hash, candidates, names);
    summary[kDiffering] = namesOf(outcome.differing, hash, candidates, names);
    if (const SearchDemand& asked = runner.demanded(); asked != SearchDemand{})
        summary[kDemand] = asked.toJson();
    if (const double unrestricted = runner.unrestricted().value; unrestricted > 0.0)
        summary[kUnrestricted] = unrestricted;
    return KeptSearch{hash, summary.dump()};
}

// Up to the first that is not there.
std::vector<FoundPlan> plansNamed(const JsonReader& reader, const char* key, const Problem& problem,
                                  const Candidates& candidates) {
    std::vector<FoundPlan> plans;
    if (!reader.has(key))
        return plans;
    for (const JsonReader& name : reader.array(key)) {
        const Candidate* candidate =
            name.value().is_string()
                ? candidates.findNamed(q(name.value().get<std::string>()), problem.hash())
                : nullptr;
        if (!candidate || !candidate->base.isEmpty() || !candidate->evaluation.feasible)
            break;
        plans.push_back({candidate->plan, candidate->evaluation});
    }
    return plans;
}

// Of a file that does not say which plans the search found. Whatever answers the project was allowed to one
// that asked for nothing; of another none is known to be its own.
std::vector<FoundPlan> plansOfTable(const SearchDemand& asked, const std::shared_ptr<const Problem>& problem,
                                    const Candidates& candidates) {
    std::vector<FoundPlan> plans;
    if (asked != SearchDemand{})
        return plans;
    for (const Candidate& candidate : candidates.all())
        if (candidate.base.isEmpty() && !candidate.foreign && candidate.evaluation.feasible &&
            !Candidates::isStale(candidate, problem))
            plans.push_back({candidate.plan, candidate.evaluation});
    return plans;
}

// Nothing of a text that is another program's or spoilt.
SearchDemand demandIn(const JsonReader& reader) {
    const SearchDemand demand = SearchDemand::fromJson(reader);
    return reader.status() ? demand : SearchDemand{};
}

// Of a project's.
SearchDemand demandIn(const std::string& text) {
    const Result<Json> demand = parseJson(text, "demand");
    return demand ? demandIn(JsonReader(*demand, "demand")) : SearchDemand{};
}

SearchDemand demandOf(const KeptSearch& kept) {
    const Result<Json> summary = parseJson(kept.summary, "search");
    if (!summary)
        return {};
    const JsonReader reader(*summary, "search");
    return reader.has(kDemand) ? demandIn(reader.object(kDemand)) : SearchDemand{};
}

// In the file's own words, of which this program may not know all, as long as they ask the same. Nothing
// where nothing is or was asked: as files were before.
std::optional<std::string> keptDemand(const Project& project, const SearchDemand& demand) {
    if (project.demand && demandIn(*project.demand) == demand)
        return project.demand;
    const bool asked = demand != SearchDemand{} || project.demand ||
                       (project.search && demandOf(*project.search) != SearchDemand{});
    return asked ? std::optional(demand.toJson().dump()) : std::nullopt;
}

// Of plans that answer an earlier state of the project, as far as they are known, those of pinned and of
// compared plans first: with them the plans are there again when the file is opened. Not of large drawings,
// which would be in the file several times.
std::vector<KeptQuestion> keptQuestions(const AppContext& context, const Project& project) {
    constexpr std::size_t kMost = 8;
    constexpr int kMostGpus = 1024;
    const auto now = context.document.problem();
    std::vector<const KeptPlan*> plans;
    for (const KeptPlan& plan : project.plans)
        if (!now || plan.problemHash != now->hash())
            plans.push_back(&plan);
    std::ranges::stable_sort(plans, {}, [](const KeptPlan* p) {
        return p->pinned ? 0 : p->compared > 0 ? 1 : 2;
    });
    std::vector<KeptQuestion> questions;
    for (const KeptPlan* plan : plans) {
        const std::string& hash = plan->problemHash;
        if (questions.size() >= kMost || std::ranges::count(questions, hash, &KeptQuestion::problemHash) > 0)
            continue;
        const auto known = std::ranges::find(project.questions, hash, &KeptQuestion::problemHash);
        const auto asked = std::ranges::find(context.candidates.all(), hash,
                                             [](const Candidate& c) { return c.problem->hash(); });
        if (known != project.questions.end()) {
            questions.push_back(*known);
        } else if (asked != context.candidates.all().end() &&
                   asked->problem->topology().cluster().gpuCount() <= kMostGpus) {
            Json problem = asked->problem->toJson();
            problem.erase("profiles");
            questions.push_back({hash, problem.dump()});
        }
    }
    return questions;
}

// Which of the plans are held against each other: the base first, the others as they stand.
void placeCompared(Project& project, const AppContext& context) {
    std::vector<int> ids;
    const std::vector<CompareSet::Lane>& lanes = context.compare.lanes();
    ids.reserve(lanes.size());
    for (const CompareSet::Lane& lane : lanes)
        ids.push_back(lane.id);
    if (!ids.empty())
        std::rotate(ids.begin(), ids.begin() + static_cast<std::ptrdiff_t>(context.compare.base()),
                    ids.end());
    std::map<std::pair<std::string, std::string>, int> places; // by name and question
    for (const int id : ids)
        if (const Candidate* plan = context.candidates.find(id); plan && !plan->foreign)
            places.emplace(std::pair(s(plan->name), plan->problem->hash()),
                           static_cast<int>(places.size()) + 1);
    for (KeptPlan& kept : project.plans) {
        const auto at = places.find({kept.name, kept.problemHash});
        kept.compared = at == places.end() ? 0 : at->second;
    }
}

std::string entryOf(const Candidate& candidate, PlanEntries* entries) {
    const auto made = [&] { return keptEntry(*candidate.problem, candidate.plan, candidate.evaluation); };
    if (!entries)
        return made();
    const std::string of = candidate.problem->hash() + candidate.key;
    auto& [known, entry] = (*entries)[candidate.id];
    if (known != of) {
        known = of;
        entry = made();
    }
    return entry;
}

} // namespace

SavedTable withTable(const AppContext& context, const Project& project, const SavedTable::Limits& limits,
                     PlanEntries* entries) {
    SavedTable saved{project, 0};
    std::set<std::string> names;
    for (const KeptPlan& kept : project.plans)
        names.insert(kept.name);
    const bool fits = context.candidates.all().size() <= limits.plans;
    const QHash<int, DifferingPlan> differing =
        fits || limits.plans == 0 ? QHash<int, DifferingPlan>() : differingPlans(context.candidates.all());
    std::size_t plans = 0, bytes = 0;
    for (const Candidate& candidate : context.candidates.all()) {
        if (candidate.foreign || !candidate.base.isEmpty() || names.contains(s(candidate.name)))
            continue;
        const bool best = candidate.id == context.runner.bestId() && limits.plans > 0; // of the last search
        if (!best &&
            ((plans >= limits.plans && !differing.contains(candidate.id)) || bytes >= limits.bytes)) {
            ++saved.leftOut;
            continue;
        }
        std::string entry = entryOf(candidate, entries);
        ++plans;
        bytes += entry.size();
        names.insert(s(candidate.name));
        saved.project.plans.push_back({s(candidate.name),
                                       s(candidate.note),
                                       false,
                                       candidate.problem->hash(),
                                       {},
                                       std::move(entry),
                                       0});
    }
    placeCompared(saved.project, context);
    saved.project.questions = keptQuestions(context, saved.project);
    const SearchRunner& runner = context.runner;
    if (runner.problem() && runner.outcome())
        saved.project.search = keptSearch(runner, context.candidates, names);
    saved.project.demand = keptDemand(saved.project, context.runner.demand());
    if (!context.answers.all().empty()) { // else the file's stay, of which none may be about this state
        const std::string answers = context.answers.kept();
        saved.project.answers = answers.empty() ? std::nullopt : std::optional(answers);
    }
    return saved;
}

Project withWork(const AppContext& context, const Project& project, PlanEntries& entries) {
    constexpr SavedTable::Limits kWork = {64, 1U << 20}, kNoPlans = {0, 0};
    constexpr int kMostGpus = 1024;
    const bool small = project.cluster.gpuCount() <= kMostGpus;
    if (entries.size() > 2 * kWork.plans) // of plans that are gone
        entries.clear();
    return withTable(context, project, small ? kWork : kNoPlans, &entries).project;
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
    const Seconds unrestricted(reader.number(kUnrestricted, 0.0, std::numeric_limits<double>::max(), 0.0));
    if (!outcome)
        return; // of another program's making: its plans are there all the same
    outcome->plans = reader.has(kPlans) ? plansNamed(reader, kPlans, *problem, context.candidates)
                                        : plansOfTable(asked, problem, context.candidates);
    outcome->differing = plansNamed(reader, kDiffering, *problem, context.candidates);
    if (!reader.status() || outcome->plans.empty())
        return;
    markDifferences(*problem, outcome->plans, outcome->differing);
    context.runner.restore(problem, *std::move(outcome), asked, unrestricted);
}

void restoreCompared(const AppContext& context) {
    std::map<int, int> ids; // by place
    for (const KeptPlan& kept : context.document.project()->plans)
        if (kept.compared > 0)
            if (const Candidate* plan = context.candidates.findNamed(q(kept.name), kept.problemHash))
                ids.emplace(kept.compared, plan->id);
    if (ids.size() < CompareSet::kLeast)
        return;
    std::vector<int> lanes;
    lanes.reserve(ids.size());
    for (const auto& [place, id] : ids)
        lanes.push_back(id);
    context.compare.setPlans(lanes);
}

void restoreDemand(const AppContext& context) {
    const Project& project = *context.document.project();
    SearchDemand asked;
    if (project.demand)
        asked = demandIn(*project.demand);
    else if (project.search)
        asked = demandOf(*project.search);
    context.runner.setDemand(asked);
}

} // namespace pw
