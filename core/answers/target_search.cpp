// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/answers/target_search.h"
#include "core/answers/shared_searches.h"
#include "core/answers/target_space.h"
#include "core/evaluate/launch_stated.h"
#include "core/search/planners.h"
#include "core/search/space/chain.h"

#include <algorithm>
#include <set>

namespace pw {

namespace {

constexpr const char* kUniformPlanner = "megatron";

// What was found under another question, judged under the one that was asked: over fewer kinds of GPU the
// precision may be another, and where the target never shards the optimiser alone, with the sharding that it
// has.
void judgeAgain(const Problem& problem, const Capability& can, bool fewerKinds,
                std::vector<FoundPlan>& plans) {
    const bool sharded = reshards(problem.recipe(), can);
    if (!sharded && !fewerKinds)
        return;
    std::vector<FoundPlan> judged;
    for (FoundPlan& found : plans) {
        for (Pipeline& pipeline : found.plan.pipelines)
            for (Stage& stage : pipeline.stages)
                if (sharded && stage.dp() > 1 && std::ranges::find(can.zero, stage.zero) == can.zero.end())
                    stage.zero = *std::ranges::find_if(can.zero, [](int zero) { return zero > 1; });
        Result<Evaluation> again = evaluate(problem, found.plan);
        const bool fits = again && again->feasible;
        if (sharded || !fits) { // launch counts were chosen by the memory under the other question
            Plan open = withoutLaunchCounts(found.plan);
            Result<Evaluation> chosen = evaluate(problem, open);
            if (chosen && chosen->feasible &&
                (!fits || takesLess(chosen->iteration.value, again->iteration.value))) {
                found.plan = withLaunchCounts(std::move(open), *chosen);
                again = std::move(chosen);
            }
        }
        if (again && again->feasible)
            judged.push_back({std::move(found.plan), *std::move(again), std::move(found.foundBy)});
    }
    plans = std::move(judged);
}

// Whether it can run no pipeline of those that were found.
bool refusesPipelines(const Problem& problem, const ExporterRow& target,
                      const std::vector<FoundPlan>& plans) {
    const auto isPipeline = [](const FoundPlan& found) {
        return found.plan.pipelines.size() > 1 || found.plan.pipelines.front().stages.size() > 1;
    };
    const bool some = std::ranges::any_of(plans, isPipeline);
    return some && std::ranges::none_of(plans, [&](const FoundPlan& found) {
               return isPipeline(found) && canRun(target, problem, found.plan);
           });
}

void merge(SearchOutcome& into, SearchOutcome more) {
    for (const auto plans : {&SearchOutcome::plans, &SearchOutcome::differing})
        (into.*plans)
            .insert((into.*plans).end(), std::make_move_iterator((more.*plans).begin()),
                    std::make_move_iterator((more.*plans).end()));
    into.wall += more.wall;
    append(into.phases, std::move(more.phases));
    into.work += more.work;
    into.evaluated += more.evaluated;
    into.cacheLookups += more.cacheLookups;
    into.cacheHits += more.cacheHits;
    into.operatorEvaluations += more.operatorEvaluations;
    for (const auto& [reason, count] : more.rejected)
        into.rejected[reason] += count;
    into.timeLimit = into.timeLimit || more.timeLimit;
    if (more.status == SearchStatus::Stopped || into.status == SearchStatus::Infeasible)
        into.status = more.status;
    if (into.reasons.empty())
        into.reasons = std::move(more.reasons);
}

void sortUnique(std::vector<FoundPlan>& plans) {
    std::vector<std::pair<std::string, FoundPlan>> keyed;
    for (FoundPlan& found : plans)
        keyed.emplace_back(canonicalKey(found.plan), std::move(found));
    std::sort(keyed.begin(), keyed.end(), [](const auto& a, const auto& b) {
        const double x = a.second.evaluation.iteration.value, y = b.second.evaluation.iteration.value;
        return x != y ? x < y : a.first < b.first;
    });
    plans.clear();
    std::set<std::string> seen;
    for (auto& [key, found] : keyed)
        if (seen.insert(key).second)
            plans.push_back(std::move(found));
}

// Whether the best plan of the question without some kinds takes the place of the best with them, if any.
bool isPreferred(const TargetQuestion& without, const FoundPlan* with, const FoundPlan& found) {
    if (with == nullptr)
        return true;
    const double before = with->evaluation.iteration.value, after = found.evaluation.iteration.value;
    return without.why == TargetQuestion::Why::Idle ? !takesLess(before, after) : takesLess(after, before);
}

} // namespace

std::optional<FoundPlan> asItRuns(const Problem& problem, const ExporterRow& target, FoundPlan found) {
    std::vector<FoundPlan> plans;
    plans.push_back(std::move(found));
    judgeAgain(problem, target.capability, true, plans);
    if (plans.empty() || !exportRefusals(target, problem, plans.front().plan).empty())
        return std::nullopt;
    return std::move(plans.front());
}

void takeKnown(const Problem& problem, const ExporterRow& target, const Problem& foundUnder,
               SearchOutcome known, std::size_t top, SearchOutcome& found) {
    const bool isJudged =
        foundUnder.hash() == problem.hash() && !reshards(problem.recipe(), target.capability);
    const std::string best = found.plans.empty() ? "" : canonicalKey(found.plans.front().plan);
    for (const auto plans : {&SearchOutcome::plans, &SearchOutcome::differing}) {
        std::vector<FoundPlan> kept;
        for (FoundPlan& plan : known.*plans)
            if (isJudged) {
                if (canRun(target, problem, plan.plan))
                    kept.push_back(std::move(plan));
            } else if (std::optional<FoundPlan> judged = asItRuns(problem, target, std::move(plan)))
                kept.push_back(*std::move(judged));
        known.*plans = std::move(kept);
    }
    merge(found, std::move(known));
    sortUnique(found.plans);
    if (found.plans.empty())
        return;
    const auto own = std::ranges::find_if(
        found.plans, [&](const FoundPlan& plan) { return canonicalKey(plan.plan) == best; });
    if (own != found.plans.end() &&
        !takesLess(found.plans.front().evaluation.iteration.value, own->evaluation.iteration.value))
        std::rotate(found.plans.begin(), own, own + 1); // of equals the search's own
    if (canonicalKey(found.plans.front().plan) != best) {
        found.bound = {};
        found.optimalInOwnSpace = false;
        if (found.status == SearchStatus::Optimal || found.status == SearchStatus::Infeasible)
            found.status = SearchStatus::Feasible;
    }
    for (; found.plans.size() > top; found.plans.pop_back()) // what differs is told though it is not listed
        found.differing.push_back(std::move(found.plans.back()));
    markDifferences(problem, found.plans, found.differing);
}

std::optional<Error> keepRunnable(const Problem& problem, const ExporterRow& target, std::size_t top,
                                  SearchOutcome& outcome) {
    std::vector<Refusal> refusals; // of the best plan that is refused
    std::vector<FoundPlan> kept;
    const std::size_t all = outcome.plans.size();
    bool bestRefused = false;
    std::vector<FoundPlan> differing = std::move(outcome.differing);
    for (std::size_t i = 0; i < all; ++i) {
        FoundPlan& found = outcome.plans[i];
        if (kept.size() >= top) { // what was marked in the longer list may be so in the shorter one
            if (!found.differs.empty())
                differing.push_back(std::move(found));
            continue;
        }
        std::vector<Refusal> own = exportRefusals(target, problem, found.plan);
        if (own.empty())
            kept.push_back(std::move(found));
        else if (refusals.empty())
            refusals = std::move(own);
        bestRefused = bestRefused || (i == 0 && kept.empty());
    }
    outcome.plans = std::move(kept);
    std::erase_if(differing, [&](const FoundPlan& found) {
        return outcome.plans.empty() || !exportRefusals(target, problem, found.plan).empty();
    });
    outcome.differing = std::move(differing);
    markDifferences(problem, outcome.plans, outcome.differing);
    if (bestRefused && outcome.status == SearchStatus::Optimal) {
        outcome.status = outcome.plans.empty() ? SearchStatus::Infeasible : SearchStatus::Feasible;
        outcome.bound = {};
    }
    if (all == 0 || !outcome.plans.empty())
        return std::nullopt;
    Error error = infeasible("search.target", target.format,
                             {"none of the {plans} plans found can run on {target}; the best was refused",
                              {{"plans", all}, {"target", target.label}}});
    for (const Refusal& r : refusals)
        error.reasons.push_back(reasonOf(r));
    return error;
}

std::optional<Error> neverRuns(const Problem& problem, const ExporterRow& target) {
    const std::vector<Refusal> never = questionRefusals(target, problem);
    if (never.empty())
        return std::nullopt;
    Error impossible = infeasible("search.target", target.format,
                                  {"{target} can run no plan of this question", {{"target", target.label}}});
    for (const Refusal& refusal : never)
        impossible.reasons.push_back(reasonOf(refusal));
    return impossible;
}

bool constrains(const ExporterRow& target) {
    return target.trainer || target.check != nullptr;
}

void restrictTo(const Capability& capability, SearchOptions& options) {
    options.partitions = options.partitions && capability.partitions;
    options.fineCuts = options.fineCuts && capability.subLayers;
    WiderSpace& wider = options.wider;
    std::vector<ScheduleKind> kinds; // beyond launch counts
    bool every = true;
    for (std::size_t k = 0; k < kScheduleKinds; ++k)
        if (const auto kind = static_cast<ScheduleKind>(k); !usesLaunchCounts(kind) && wider.has(kind)) {
            if (capability.searches(kind))
                kinds.push_back(kind);
            else
                every = false;
        }
    wider.schedules = wider.schedules && !kinds.empty();
    if (!every) // else as it is: targets that ask alike share their searches
        wider.kinds = wider.schedules ? std::move(kinds) : std::vector<ScheduleKind>();
    wider.mixedStages = wider.mixedStages && capability.kindsInStage != KindsInStage::One;
    if (!capability.replicaShapes)
        wider.pipelines = 1;
}

Result<SearchOutcome> searchForTarget(const std::shared_ptr<const Problem>& problem,
                                      const SearchOptions& options, const ExporterRow& target,
                                      SearchObserver& observer, const std::stop_token& stop,
                                      std::optional<Error>& refused) {
    SharedSearches alone(observer);
    return searchForTarget(problem, options, target, alone, stop, refused);
}

Result<SearchOutcome> searchForTarget(const std::shared_ptr<const Problem>& problem,
                                      const SearchOptions& options, const ExporterRow& target,
                                      SharedSearches& shared, const std::stop_token& stop,
                                      std::optional<Error>& refused) {
    SearchOptions own = options;
    own.top = std::max(options.top, kLookedThrough);
    restrictTo(target.capability, own);
    std::vector<std::string> planners = {options.planner};
    if (!target.capability.stageSizes && options.planner != kUniformPlanner)
        planners.emplace_back(kUniformPlanner);
    std::vector<std::shared_ptr<const Problem>> questions;
    std::optional<Error> impossible;
    const std::vector<Space> spaces = spacesFor(*problem, target.capability);
    for (const Space& space : spaces)
        for (const Recipe& recipe : recipesFor(problem->recipe(), target.capability)) {
            auto asked = Problem::make(problem->topology().cluster(), problem->model(), recipe,
                                       problem->profiles().rows(), space, problem->constants());
            if (!asked) // the recipe, or nothing is left of a kind
                impossible = asked.error();
            else if (std::optional<Error> never = neverRuns(**asked, target))
                impossible = std::move(never);
            else
                questions.push_back(*std::move(asked));
        }
    const bool fewerKinds = spaces.size() > 1 || spaces.front().forbidden != problem->space().forbidden;
    const bool several = fewerKinds || questions.size() * planners.size() > 1;
    std::optional<SearchOutcome> all;
    for (const auto& asked : questions)
        for (const std::string& planner : planners) {
            if (all && stop.stop_requested())
                break;
            own.planner = planner;
            own.without = planner == options.planner ? options.without : std::vector<std::string>();
            own.proves = options.proves && !several; // nothing is made of what is proven of a part
            const Result<SearchOutcome>& found = shared.search(asked, own, stop);
            if (!found)
                return found.error();
            if (all)
                merge(*all, *found);
            else
                all = *found;
        }
    if (!all)
        return *impossible;
    const auto judge = [&](SearchOutcome& found) {
        judgeAgain(*problem, target.capability, fewerKinds, found.plans);
        judgeAgain(*problem, target.capability, fewerKinds, found.differing);
    };
    judge(*all);
    own.without = options.without;
    own.proves = false;
    own.top = options.top; // none of them is refused
    const bool unpiped =
        reshards(problem->recipe(), target.capability) || refusesPipelines(*problem, target, all->plans);
    for (const auto& asked : questions) {
        if (!unpiped || stop.stop_requested())
            break;
        SearchOutcome single = shared.singleStages(*asked, own, target, stop);
        judge(single);
        merge(*all, std::move(single));
    }
    all->planner = options.planner;
    all->without = options.without;
    if (several || unpiped) { // each has settled its own part only
        all->bound = {};
        if (all->status == SearchStatus::Optimal)
            all->status = SearchStatus::Feasible;
        sortUnique(all->plans);
    }
    markDifferences(*problem, all->plans, all->differing);
    refused = keepRunnable(*problem, target, static_cast<std::size_t>(options.top), *all);
    return *std::move(all);
}

std::optional<Diagnostic> askWithFewerKinds(TargetQuestion& asked, const ExporterRow& target,
                                            const AskedAgain& again, const Searcher& searcher,
                                            SearchOutcome& outcome) {
    if (!asked.leftOut.empty())
        return std::nullopt;
    const FoundPlan* before = outcome.plans.empty() ? nullptr : &outcome.plans.front();
    std::optional<TargetQuestion> without =
        withFewerKinds(*asked.problem, target, before, again.open, again.required);
    if (!without)
        return std::nullopt;
    Result<SearchOutcome> found = searcher(without->problem);
    if (!found) {
        const ErrorKind kind = found.error().kind; // none without them, or stopped: no failure
        return kind == ErrorKind::Infeasible || kind == ErrorKind::Stopped
                   ? std::nullopt
                   : std::optional(noteOfFailure(*without, target, found.error()));
    }
    takeKnown(*without->problem, target, *asked.problem, outcome, again.top, *found);
    if (found->plans.empty() || !isPreferred(*without, before, found->plans.front()))
        return std::nullopt;
    asked = *std::move(without);
    outcome = *std::move(found);
    return std::nullopt;
}

} // namespace pw
