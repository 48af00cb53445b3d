// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/answers/deadline.h"

#include "core/search/space/least_memory.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <span>

namespace pw {

namespace {

constexpr int kMostExtraGpus = 4096;    // that are looked at where a drawing is too small
constexpr std::size_t kMostSets = 4096; // to list of the largest with fewer GPUs

bool inside(const NodeCounts& small, const NodeCounts& large) {
    for (std::size_t g = 0; g < small.size(); ++g)
        if (small[g] > large[g])
            return false;
    return true;
}

class DeadlineSearch {
public:
    DeadlineSearch(const std::shared_ptr<const Problem>& problem, Seconds deadline, const Searcher& searcher,
                   const std::stop_token& stop)
        : m_problem(problem), m_searcher(searcher), m_stop(stop) {
        m_answer.deadline = deadline;
        m_answer.groups = nodeGroups(*problem);
        m_answer.searchLimit = deadlineSearches(gpusOf(m_answer.groups, allNodes(m_answer.groups)));
    }

    Result<DeadlineAnswer> run() {
        const NodeCounts all = allNodes(m_answer.groups);
        look(all);
        if (!m_error && m_sets.count(all) > 0) {
            m_answer.all = m_sets.at(all);
            if (!m_answer.met)
                tryWithoutGroups();
            if (m_answer.met) {
                reduce();
                proveFewest();
            } else {
                m_answer.best = m_answer.all;
                auto extras =
                    extraNodes(*m_problem, m_answer.groups, m_answer.all.iteration, m_searcher, m_stop);
                if (!extras)
                    return extras.error();
                m_answer.extras = *std::move(extras);
                tryMore();
            }
        }
        if (m_error)
            return *m_error;
        m_answer.stopped = m_stop.stop_requested();
        return std::move(m_answer);
    }

private:
    // All nodes together need not be the fastest: a search finds more in less, and kinds left out may allow
    // another precision.
    void tryWithoutGroups() {
        constexpr std::size_t kMostGroups = 6;
        const std::size_t groups = std::min(m_answer.groups.size(), kMostGroups);
        std::vector<NodeCounts> sets;
        for (std::size_t left = 1; left + 1 < std::size_t{1} << groups; ++left) {
            NodeCounts counts = allNodes(m_answer.groups);
            for (std::size_t g = 0; g < groups; ++g)
                if ((left >> g & 1) == 0)
                    counts[g] = 0;
            sets.push_back(std::move(counts));
        }
        sortByGpus(sets);
        for (const NodeCounts& counts : sets)
            if (!m_answer.met && !provenOut(counts))
                look(counts);
    }

    void sortByGpus(std::vector<NodeCounts>& sets) const {
        std::stable_sort(sets.begin(), sets.end(), [&](const NodeCounts& a, const NodeCounts& b) {
            return gpusOf(m_answer.groups, a) > gpusOf(m_answer.groups, b);
        });
    }

    // The set as it was searched; null if it was not and there are no searches left.
    const NodeSet* look(const NodeCounts& counts) {
        if (const auto known = m_sets.find(counts); known != m_sets.end())
            return &known->second;
        if (m_error || m_stop.stop_requested() || m_answer.searches == m_answer.searchLimit)
            return nullptr;
        ++m_answer.searches;
        auto problem = withCounts(*m_problem, m_answer.groups, counts);
        if (!problem) {
            m_error = problem.error();
            return nullptr;
        }
        Result<SearchOutcome> outcome = m_searcher(*problem);
        if (!outcome) {
            m_error = outcome.error();
            return nullptr;
        }
        NodeSet set;
        set.counts = counts;
        set.gpus = gpusOf(m_answer.groups, counts);
        set.bound = outcome->bound.ofAnyLaunches();
        set.states = statesThatCannotFit(**problem);
        set.precision = (*problem)->precision();
        set.proven = set.states || set.bound > m_answer.deadline;
        if (!outcome->plans.empty())
            set.iteration = outcome->plans.front().evaluation.iteration;
        const bool first = m_sets.empty();
        if (first || meets(set))
            adopt(set, *std::move(problem), *std::move(outcome));
        return &m_sets.emplace(counts, std::move(set)).first->second;
    }

    bool meets(const NodeSet& set) const {
        return set.iteration.value > 0.0 && set.iteration <= m_answer.deadline;
    }

    // A set meets the deadline with what its plan uses of it.
    void adopt(NodeSet set, std::shared_ptr<const Problem> problem, SearchOutcome outcome) {
        if (meets(set)) {
            set.counts = usedNodes(*problem, m_answer.groups, outcome.plans.front().plan);
            set.gpus = gpusOf(m_answer.groups, set.counts);
            const NodeSet& best = m_answer.best;
            if (m_answer.met &&
                (set.gpus > best.gpus || (set.gpus == best.gpus && set.iteration >= best.iteration)))
                return;
            m_answer.met = true;
            m_answer.best = std::move(set);
        }
        m_answer.problem = std::move(problem);
        m_answer.outcome = std::move(outcome);
    }

    // Whether the set meets the deadline: it, or what is known to be inside it.
    bool suffices(const NodeCounts& counts) {
        for (const auto& [known, set] : m_sets)
            if (meets(set) && inside(known, counts))
                return true;
        const NodeSet* set = look(counts);
        return set != nullptr && meets(*set);
    }

    void reduce() {
        const std::vector<NodeGroup>& groups = m_answer.groups;
        std::vector<std::size_t> slowFirst(groups.size());
        std::iota(slowFirst.begin(), slowFirst.end(), std::size_t{0});
        std::stable_sort(slowFirst.begin(), slowFirst.end(), [&](std::size_t a, std::size_t b) {
            const auto peak = [&](std::size_t g) {
                return m_problem->topology().kinds()[static_cast<std::size_t>(groups[g].kind)].peak(
                    m_problem->precision());
            };
            return peak(a) < peak(b);
        });
        const NodeCounts start = m_answer.best.counts;
        for (const std::size_t first : slowFirst) {
            NodeCounts counts = start;
            fewestOf(first, counts);
            for (const std::size_t g : slowFirst)
                if (g != first)
                    fewestOf(g, counts);
        }
    }

    // Lowers one count as far as the deadline allows.
    void fewestOf(std::size_t group, NodeCounts& counts) {
        const int most = counts[group];
        int tooFew = -1, enough = most;
        if (std::accumulate(counts.begin(), counts.end(), 0) == most)
            tooFew = 0; // some node has to take part
        while (enough - tooFew > 1) {
            counts[group] = tooFew < 0 ? 0 : (tooFew + enough) / 2;
            (suffices(counts) ? enough : tooFew) = counts[group];
        }
        counts[group] = enough;
    }

    // The sets with fewer GPUs that have no larger one with fewer; nothing if they are too many.
    std::optional<std::vector<NodeCounts>> largestBelow(int gpus) const {
        const std::vector<NodeGroup>& groups = m_answer.groups;
        std::vector<NodeCounts> sets;
        NodeCounts counts(groups.size(), 0);
        std::size_t tried = 0;
        for (;;) {
            if (++tried > kMostSets)
                return std::nullopt;
            const std::size_t last = groups.size() - 1;
            counts[last] = 0;
            const int left = gpus - 1 - gpusOf(groups, counts);
            if (left >= 0) {
                counts[last] = std::min(groups[last].count(), left / groups[last].gpus);
                const int spare = gpus - 1 - gpusOf(groups, counts);
                bool largest = gpusOf(groups, counts) > 0;
                for (std::size_t g = 0; g < groups.size(); ++g)
                    largest = largest && (counts[g] == groups[g].count() || groups[g].gpus > spare);
                if (largest)
                    sets.push_back(counts);
            }
            std::size_t g = 0;
            for (; g < last; ++g) {
                if (++counts[g] <= groups[g].count())
                    break;
                counts[g] = 0;
            }
            if (g == last)
                break;
        }
        sortByGpus(sets);
        return sets;
    }

    bool provenOut(const NodeCounts& counts) {
        for (const auto& [larger, set] : m_sets)
            if (set.proven && inside(counts, larger)) {
                const auto problem = withCounts(*m_problem, m_answer.groups, counts);
                if (problem && (*problem)->precision() == set.precision)
                    return true;
            }
        return false;
    }

    void proveFewest() {
        for (bool better = true; better;) {
            better = false;
            m_answer.smaller.clear();
            m_answer.notSearched = 0;
            const int gpus = m_answer.best.gpus;
            const auto sets = largestBelow(gpus);
            if (!sets) {
                m_answer.notSearched = -1;
                return;
            }
            m_answer.fewest = true;
            for (const NodeCounts& counts : *sets) {
                const bool known = m_sets.count(counts) > 0;
                if (!known && provenOut(counts))
                    continue;
                const NodeSet* set = look(counts);
                if (m_answer.best.gpus < gpus) {
                    better = true;
                    break;
                }
                if (set == nullptr)
                    ++m_answer.notSearched;
                else
                    m_answer.smaller.push_back(*set);
                m_answer.fewest = m_answer.fewest && set != nullptr && set->proven;
            }
        }
    }

    // So many more of the group, as far as there are searches left.
    std::optional<ExtraNode> lookAtMore(std::size_t group, int nodes, Seconds less) {
        if (m_error || m_stop.stop_requested() || m_answer.searches == m_answer.searchLimit)
            return std::nullopt;
        ++m_answer.searches;
        auto extra = extraOf(*m_problem, m_answer.groups, group, nodes, less, m_searcher);
        if (!extra) {
            m_error = extra.error();
            return std::nullopt;
        }
        return *extra;
    }

    // The fewest more nodes of the group found that meet the deadline, and the most that do not; the second
    // alone where half as many again do not bring enough to go on.
    std::vector<ExtraNode> moreOf(const ExtraNode& one, int mostGpus) {
        constexpr double kWorth = 0.02; // of the iteration
        const auto group = static_cast<std::size_t>(one.group);
        const int gpus = m_answer.groups[group].gpus;
        ExtraNode tooFew = one;
        std::optional<ExtraNode> enough;
        for (int nodes = std::min(guessedNodes(gpus), std::max(2, mostGpus / gpus));
             !enough && nodes * gpus <= mostGpus; nodes += (nodes + 1) / 2) {
            const auto more = lookAtMore(group, nodes, tooFew.iteration);
            if (!more)
                break;
            const double before = tooFew.iteration.value;
            if (m_answer.meets(*more))
                enough = more;
            else
                tooFew = *more;
            if (!enough && before > 0.0 && more->iteration.value > before * (1.0 - kWorth))
                break;
        }
        while (enough && enough->nodes - tooFew.nodes > std::max(1, enough->nodes / 32)) {
            const auto more = lookAtMore(group, (enough->nodes + tooFew.nodes) / 2, tooFew.iteration);
            if (!more)
                break;
            (m_answer.meets(*more) ? *enough : tooFew) = *more;
        }
        std::vector<ExtraNode> list;
        if (enough)
            list.push_back(*enough);
        if (tooFew.nodes > 1)
            list.push_back(tooFew);
        return list;
    }

    // That would do if time fell as GPUs are added.
    int guessedNodes(int gpus) const {
        const double now = m_answer.all.iteration.value;
        const double times = now > 0.0 ? now / m_answer.deadline.value : 2.0;
        return std::max(2,
                        static_cast<int>(std::min(1e6, std::ceil((times - 1.0) * m_answer.all.gpus / gpus))));
    }

    void tryMore() {
        constexpr std::size_t kGroups = 2; // that bring most
        if (m_answer.enough())
            return;
        const std::vector<ExtraNode> ones = m_answer.extras;
        int most = kMostExtraGpus; // the second group is worth a look below what the first one takes
        std::vector<ExtraNode> best;
        for (const ExtraNode& one : std::span(ones).first(std::min(kGroups, ones.size()))) {
            std::vector<ExtraNode> more = moreOf(one, most);
            if (more.empty() || (!best.empty() && !m_answer.meets(more.front())))
                continue;
            if (m_answer.meets(more.front()))
                most = more.front().nodes * m_answer.groups[static_cast<std::size_t>(one.group)].gpus - 1;
            best = std::move(more);
        }
        m_answer.extras.insert(m_answer.extras.end(), best.begin(), best.end());
    }

    const std::shared_ptr<const Problem>& m_problem;
    const Searcher& m_searcher;
    const std::stop_token& m_stop;
    DeadlineAnswer m_answer;
    std::map<NodeCounts, NodeSet> m_sets;
    std::optional<Error> m_error;
};

} // namespace

const ExtraNode* DeadlineAnswer::enough() const {
    const auto at = std::ranges::find_if(extras, [this](const ExtraNode& extra) { return meets(extra); });
    return at == extras.end() ? nullptr : &*at;
}

int deadlineSearches(int gpus) {
    return std::clamp(32768 / std::max(1, gpus), 24, 64);
}

Result<DeadlineAnswer> meetDeadline(const std::shared_ptr<const Problem>& problem, Seconds deadline,
                                    const Searcher& searcher, const std::stop_token& stop) {
    return DeadlineSearch(problem, deadline, searcher, stop).run();
}

} // namespace pw
