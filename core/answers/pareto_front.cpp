// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/answers/deadline.h"
#include "core/answers/objective.h"
#include "core/document/plan_document.h"
#include "core/search/planners.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <limits>
#include <map>
#include <set>

namespace pw {

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

// One run of paretoFront().
class FrontSearch {
public:
    FrontSearch(const std::shared_ptr<const Problem>& problem, Objective objective, const Searcher& searcher,
                const std::stop_token& stop, Seconds deadline)
        : m_problem(problem), m_searcher(searcher), m_stop(stop), m_groups(nodeGroups(*problem)),
          m_limit(deadlineSearches(gpusOf(m_groups, allNodes(m_groups)))) {
        m_front.objective = objective;
        m_front.deadline = deadline;
    }

    Result<ParetoFront> run() {
        if (m_front.objective == Objective::Memory)
            spareMemory();
        else
            leaveNodesOut();
        if (m_error)
            return *m_error;
        m_front.archive = m_archive.size();
        keepFront();
        return std::move(m_front);
    }

private:
    struct Known {
        double value = 0.0; // of the objective
        FoundPlan found;
    };

    bool hasDeadline() const { return m_front.deadline.value > 0.0; }
    bool inTime(const Known& known) const {
        return !hasDeadline() || known.found.evaluation.iteration <= m_front.deadline;
    }

    void spareMemory() {
        double smallest = std::numeric_limits<double>::infinity();
        for (std::size_t d = 0; d < m_problem->allowed().size(); ++d)
            if (m_problem->allowed()[d])
                smallest = std::min(smallest, m_problem->topology().devices()[d].capacity.value);
        constexpr int kSteps = 10;
        m_front.variants = kSteps;
        for (int tenths = 0; tenths < kSteps && maySearch(m_limit); ++tenths) {
            Recipe recipe = m_problem->recipe();
            recipe.reserve += Bytes(smallest * tenths / kSteps);
            look(Problem::make(m_problem->topology().cluster(), m_problem->model(), recipe,
                               m_problem->profiles().rows(), m_problem->space(), m_problem->constants()));
        }
    }

    void leaveNodesOut() {
        const std::vector<NodeCounts> sets = spreadSets(m_groups);
        std::size_t next = 0;
        const auto goOn = [&](int limit) {
            for (; next < sets.size() && maySearch(limit); ++next)
                look(sets[next]);
        };
        if (hasDeadline()) {
            goOn(m_limit / 2);
            refine();
        }
        goOn(m_limit);
        if (hasDeadline())
            refine();
        std::set<NodeCounts> all(sets.begin(), sets.end());
        all.insert(m_sets.begin(), m_sets.end());
        m_front.variants = static_cast<int>(all.size());
    }

    // From the best plan in time, by steps that get smaller where none of a size helps.
    void refine() {
        int step = 1;
        for (const NodeGroup& group : m_groups)
            step = std::max(step, group.count() / 4);
        for (const Known* best = bestInTime(); best != nullptr && step > 0;) {
            const NodeCounts from = usedNodes(*m_problem, m_groups, best->found.plan);
            const double before = best->value;
            for (std::size_t g = 0; g < from.size(); ++g)
                for (const int change : {-step, step}) {
                    if (best->value >= before && !tryCounts(from, g, change))
                        return;
                    best = bestInTime();
                }
            if (best->value >= before)
                step /= 2;
        }
    }

    // Whether there may be more searches.
    bool tryCounts(NodeCounts counts, std::size_t group, int change) {
        counts[group] = std::clamp(counts[group] + change, 0, m_groups[group].count());
        if (gpusOf(m_groups, counts) == 0 || m_sets.count(counts) > 0)
            return true;
        if (!maySearch(m_limit))
            return false;
        look(counts);
        return !m_error;
    }

    void look(const NodeCounts& counts) {
        if (m_sets.insert(counts).second)
            look(withCounts(*m_problem, m_groups, counts));
    }

    const Known* bestInTime() const {
        const Known* best = nullptr;
        for (const auto& [key, known] : m_archive)
            if (inTime(known) && (best == nullptr || known.value < best->value))
                best = &known;
        return best;
    }

    bool maySearch(int limit) const {
        return !m_error && !m_stop.stop_requested() && m_front.searches < limit;
    }

    // What is found joins the archive as the problem itself judges it.
    void look(const Result<std::shared_ptr<const Problem>>& asked) {
        Result<SearchOutcome> outcome = asked ? m_searcher(*asked) : asked.error();
        if (!outcome) {
            m_error = outcome.error();
            return;
        }
        const bool first = m_front.searches++ == 0; // the problem itself
        for (const FoundPlan& found : outcome->plans) {
            auto [at, fresh] = m_archive.try_emplace(canonicalKey(found.plan));
            if (!fresh)
                continue;
            auto evaluation = evaluate(*m_problem, found.plan);
            if (evaluation && evaluation->feasible) {
                at->second.found = {found.plan, *std::move(evaluation), found.foundBy};
                at->second.value = objectiveValue(*m_problem, at->second.found, m_front.objective);
            } else {
                m_archive.erase(at);
            }
        }
        SearchOutcome& sum = m_front.outcome;
        if (first) {
            sum = *std::move(outcome);
            return;
        }
        sum.work += outcome->work;
        sum.evaluated += outcome->evaluated;
        sum.cacheLookups += outcome->cacheLookups;
        sum.cacheHits += outcome->cacheHits;
        sum.operatorEvaluations += outcome->operatorEvaluations;
        sum.wall += outcome->wall;
        append(sum.phases, std::move(outcome->phases));
    }

    void keepFront() {
        std::vector<Known> byTime;
        for (auto& [key, known] : m_archive)
            byTime.push_back(std::move(known));
        std::stable_sort(byTime.begin(), byTime.end(), [](const Known& a, const Known& b) {
            const Seconds timeA = a.found.evaluation.iteration, timeB = b.found.evaluation.iteration;
            return timeA != timeB ? timeA < timeB : a.value < b.value;
        });
        SearchOutcome& outcome = m_front.outcome;
        outcome.plans.clear();
        outcome.differing.clear(); // the points of the front differ by what was asked for
        const auto late = std::ranges::find_if(byTime, [this](const Known& known) { return !inTime(known); });
        m_front.inTime = static_cast<std::size_t>(late - byTime.begin());
        if (m_front.inTime == 0 && !byTime.empty())
            byTime.resize(1); // how far away the deadline is
        else
            byTime.resize(m_front.inTime);
        double least = std::numeric_limits<double>::infinity();
        for (Known& known : byTime)
            if (known.value < least) {
                least = known.value;
                m_front.values.push_back(known.value);
                outcome.plans.push_back(std::move(known.found));
            }
        std::reverse(m_front.values.begin(), m_front.values.end());
        std::reverse(outcome.plans.begin(), outcome.plans.end());
        outcome.optimalInOwnSpace = false;
        if (!outcome.plans.empty())
            outcome.status = m_stop.stop_requested() ? SearchStatus::Stopped : SearchStatus::Feasible;
    }

    const std::shared_ptr<const Problem>& m_problem;
    const Searcher& m_searcher;
    const std::stop_token& m_stop;
    const std::vector<NodeGroup> m_groups;
    const int m_limit; // of searches
    ParetoFront m_front;
    std::map<std::string, Known> m_archive; // by canonical key
    std::set<NodeCounts> m_sets;            // of nodes that were searched
    std::optional<Error> m_error;
};

} // namespace

Result<ParetoFront> paretoFront(const std::shared_ptr<const Problem>& problem, Objective objective,
                                const Searcher& searcher, const std::stop_token& stop, Seconds deadline) {
    return FrontSearch(problem, objective, searcher, stop, deadline).run();
}

std::optional<Error> refusalOf(const ParetoFront& front) {
    if (!front.misses())
        return refusalOf(front.outcome);
    const SearchOutcome& outcome = front.outcome;
    NodeSet all;
    all.iteration = outcome.plans.front().evaluation.iteration;
    all.bound = outcome.bound.ofAnyLaunches();
    all.proven = all.bound > front.deadline;
    Error error = infeasible("deadline.not_met", "--deadline",
                             {"no plan that was found takes at most {deadline}",
                              {{"deadline", deadlineText(front.deadline, front.run)}}});
    sayHowFar(error, all, outcome.bound.scope);
    return error;
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
    Json& pareto = document["pareto"] = {{"objective", row.name},     {"unit", row.unit},
                                         {"bounded", "iteration_s"},  {"points", std::move(points)},
                                         {"archive", front.archive},  {"searches", front.searches},
                                         {"variants", front.variants}};
    if (front.deadline.value > 0.0) {
        pareto["deadline_s"] = front.deadline.value;
        pareto["in_time"] = front.inTime;
    }
    return document;
}

} // namespace pw
