// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/harp/harp_programme.h"

#include "core/base/quantity.h"
#include "core/search/harp/harp_rules.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace pw {
namespace {

class Programme {
public:
    Programme(const HarpRules& rules, const std::function<bool(std::int64_t)>& spend)
        : m_rules(rules), m_in(rules.in), m_spend(spend) {
        const std::vector<int>& order = rules.q.order;
        int states = 0, units = 0;
        for (const int c : order) {
            const HarpCluster& cluster = m_in.clusters[static_cast<std::size_t>(c)];
            int unit = cluster.devices;
            for (const int size : cluster.sizes)
                unit = std::gcd(unit, size);
            m_places.push_back({c, std::max(1, unit), cluster.devices / std::max(1, unit), states});
            states += (m_places.back().units + 1) * (m_in.layers + 1);
            units += m_places.back().units;
        }
        m_states.resize(static_cast<std::size_t>(states));
        m_countStages = m_in.stages < std::min(m_in.layers, units);
        prepareReach();
    }

    bool over() const { return m_over; }

    // The least sum of stage and boundary times with what gradient sums add under a limit, and how; infinity
    // if there is none or the search was ended.
    double solve(double limit, HarpPlan& plan) {
        const auto last = static_cast<int>(m_places.size()) - 1;
        const bool apart = std::any_of(m_in.ends.begin(), m_in.ends.end(), [](double t) { return t > 0.0; });
        if (m_rules.q.allDevices || !apart)
            return solve(limit, last, m_rules.q.allDevices ? last : 0, plan);
        double best = kNever; // for every last cluster by itself, whose ends are then known
        HarpPlan found;
        for (int p = last; p >= 0; --p)
            if (const double sum = solve(limit, p, p, found); sum < best) {
                best = sum;
                plan = found;
            }
        return m_over ? kNever : best;
    }

private:
    // The last stage is on one of the clusters from the place `first` to `last`.
    double solve(double limit, int last, int first, HarpPlan& plan) {
        for (std::vector<Entry>& state : m_states)
            state.clear();
        for (int p = last; p >= 0 && !m_over; --p) {
            if (p >= first)
                extend(kNothing, 0, p, 0, m_in.layers, limit);
            for (int u = 1; u <= m_places[static_cast<std::size_t>(p)].units && !m_over; ++u) {
                for (int cut = 1; cut < m_in.layers; ++cut) {
                    const int from = state(p, u, cut);
                    for (std::size_t e = 0; e < m_states[static_cast<std::size_t>(from)].size(); ++e)
                        extendOver(from, static_cast<int>(e), p, u, cut, limit);
                }
                m_over = m_spend(m_steps + 1);
                m_steps = 0;
            }
        }
        if (m_over)
            return kNever;
        return read(limit, first == last ? last : kNothing, plan);
    }

    static constexpr int kNothing = -1;
    struct Place {
        int cluster = 0, unit = 1, units = 0, states = 0;
        int full() const { return units; }
    };
    struct Entry {
        double sum = 0.0;
        double late = 0.0; // s by which gradient sums end behind the stage's own last backward pass
        int launch = 0, stages = 0;
        int before = kNothing, beforeEntry = 0; // the stages behind
        int end = 0;
        std::uint16_t size = 0, way = 0;
    };

    int state(int place, int units, int first) const {
        return m_places[static_cast<std::size_t>(place)].states + units * (m_in.layers + 1) + first;
    }

    // Fastest way of any run [f, end), f <= first, on a submesh: where to begin to look.
    void prepareReach() {
        m_reachAt.resize(m_places.size());
        for (std::size_t p = 0; p < m_places.size(); ++p) {
            const int c = m_places[p].cluster;
            const std::size_t sizes = m_in.clusters[static_cast<std::size_t>(c)].sizes.size();
            m_reachAt[p] = m_reach.size();
            m_reach.resize(m_reach.size() + sizes * static_cast<std::size_t>((m_in.layers + 1) * m_in.layers),
                           kNever);
            for (std::size_t s = 0; s < sizes; ++s)
                for (int end = 1; end <= m_in.layers; ++end) {
                    double* row = reach(p, s, end);
                    double least = kNever;
                    for (int first = 0; first < end; ++first) {
                        const auto& ways = m_in.ways[m_in.waysAt(c, s, m_in.run[m_in.runAt(first, end)])];
                        if (!ways.empty())
                            least = std::min(least, ways.front().time);
                        row[first] = least;
                    }
                }
        }
    }
    double* reach(std::size_t place, std::size_t size, int end) {
        return &m_reach[m_reachAt[place] +
                        (size * static_cast<std::size_t>(m_in.layers + 1) + static_cast<std::size_t>(end)) *
                            static_cast<std::size_t>(m_in.layers)];
    }

    void extendOver(int from, int entry, int place, int units, int first, double limit) {
        extend(from, entry, place, units, first, limit);
        const bool full = units == m_places[static_cast<std::size_t>(place)].full();
        if (!m_rules.q.allDevices)
            for (int p = place - 1; p >= 0; --p)
                extend(from, entry, p, 0, first, limit, place, units);
        else if (place > 0 && full && usesUp(place))
            extend(from, entry, place - 1, 0, first, limit, place, units);
    }
    bool usesUp(int place) const {
        const Place& at = m_places[static_cast<std::size_t>(place)];
        return at.units * at.unit == m_in.clusters[static_cast<std::size_t>(at.cluster)].devices;
    }

    void extend(int from, int entry, int place, int units, int end, double limit) {
        extend(from, entry, place, units, end, limit, place, units);
    }
    // Stages ending at layer `end` on `place`, of which `units` are taken, in front of an entry on `back`.
    void extend(int from, int entry, int place, int units, int end, double limit, int back, int backUnits) {
        const Place& at = m_places[static_cast<std::size_t>(place)];
        const HarpCluster& cluster = m_in.clusters[static_cast<std::size_t>(at.cluster)];
        Entry next;
        if (from != kNothing)
            next = m_states[static_cast<std::size_t>(from)][static_cast<std::size_t>(entry)];
        if (next.stages >= m_in.stages)
            return;
        const double sum = next.sum, late = next.late;
        const int launch = next.launch;
        next.before = from;
        next.beforeEntry = entry;
        next.end = end;
        ++next.stages;
        const Place& behind = m_places[static_cast<std::size_t>(back)];
        const int used = backUnits * behind.unit;
        const bool inside = m_rules.insideHost(at.cluster, behind.cluster, used);
        for (std::size_t s = 0; s < cluster.sizes.size(); ++s) {
            if (!m_rules.placeable(at.cluster, units * at.unit, cluster.sizes[s]))
                continue;
            double send = 0.0;
            next.launch = 1;
            if (from != kNothing) {
                send = m_rules.send(at.cluster, s, behind.cluster, used, end);
                if (send > limit || !std::isfinite(send))
                    continue;
                next.launch = m_rules.launchAfter(launch, send, inside, limit);
            }
            next.size = static_cast<std::uint16_t>(s);
            const int target = state(place, units + cluster.sizes[s] / at.unit, 0);
            const double* least = reach(static_cast<std::size_t>(place), s, end);
            // Least times fall with `first`.
            const auto begin = static_cast<int>(
                std::partition_point(least, least + end, [&](double t) { return t > limit; }) - least);
            m_steps += end - begin + 1;
            for (int first = begin; first < end; ++first) {
                const auto& ways = m_in.ways[m_in.waysAt(at.cluster, s, m_in.run[m_in.runAt(first, end)])];
                for (std::size_t w = 0; w < ways.size() && ways[w].time <= limit; ++w) {
                    if (ways[w].held < next.launch)
                        continue;
                    next.sum = sum + ways[w].time + 2.0 * send;
                    next.late = m_rules.late(ways[w], late, send);
                    next.way = static_cast<std::uint16_t>(w);
                    insert(m_states[static_cast<std::size_t>(target + first)], next);
                }
            }
        }
    }

    void insert(std::vector<Entry>& set, const Entry& entry) const {
        const auto dominates = [&](const Entry& a, const Entry& b) {
            return a.sum <= b.sum && a.sum + a.late <= b.sum + b.late && a.launch <= b.launch &&
                   (m_countStages ? a.stages <= b.stages : a.stages == 1 || b.stages > 1);
        };
        for (const Entry& known : set)
            if (dominates(known, entry))
                return;
        std::erase_if(set, [&](const Entry& known) { return dominates(entry, known); });
        set.push_back(entry);
    }

    // `last`: the place of the last stage, where that is known.
    double read(double limit, int last, HarpPlan& plan) const {
        const Entry* best = nullptr;
        double sum = kNever;
        int at = kNothing;
        for (int p = 0; p < static_cast<int>(m_places.size()); ++p) {
            const int most = m_places[static_cast<std::size_t>(p)].units;
            for (int u = 1; u <= most; ++u) {
                if (m_rules.q.allDevices && (p != 0 || u != most || !usesUp(p)))
                    continue;
                const double ends = last == kNothing ? 0.0 : endsOf(p, last);
                for (const Entry& entry : m_states[static_cast<std::size_t>(state(p, u, 0))]) {
                    const double own = entry.sum + entry.late + (entry.stages > 1 ? ends : 0.0);
                    if (own < sum) {
                        sum = own;
                        best = &entry;
                        at = state(p, u, 0);
                    }
                }
            }
        }
        if (best == nullptr)
            return kNever;
        plan.stages.clear();
        plan.limit = limit;
        plan.total = m_rules.total(sum, limit);
        for (const Entry* e = best; e != nullptr;) {
            const Place* place = nullptr;
            for (const Place& p : m_places)
                if (at >= p.states)
                    place = &p;
            HarpPlan::Stage stage;
            stage.first = (at - place->states) % (m_in.layers + 1);
            stage.end = e->end;
            stage.cluster = place->cluster;
            stage.size = e->size;
            stage.way = e->way;
            stage.position = (at - place->states) / (m_in.layers + 1) * place->unit -
                             m_in.clusters[static_cast<std::size_t>(place->cluster)].sizes[e->size];
            stage.launch = e->launch;
            plan.stages.push_back(stage);
            at = e->before;
            e = at == kNothing
                    ? nullptr
                    : &m_states[static_cast<std::size_t>(at)][static_cast<std::size_t>(e->beforeEntry)];
        }
        return sum;
    }
    double endsOf(int firstPlace, int lastPlace) const {
        return m_in.ends[m_in.endsAt(m_places[static_cast<std::size_t>(firstPlace)].cluster,
                                     m_places[static_cast<std::size_t>(lastPlace)].cluster)];
    }

    const HarpRules& m_rules;
    const HarpInput& m_in;
    const std::function<bool(std::int64_t)>& m_spend;
    std::vector<Place> m_places;              // the clusters in order
    std::vector<std::vector<Entry>> m_states; // the Pareto set of each
    std::vector<double> m_reach;
    std::vector<std::size_t> m_reachAt; // by place
    std::int64_t m_steps = 0;
    bool m_countStages = true, m_over = false;
};

void keepPlan(std::vector<HarpPlan>& plans, const HarpPlan& plan, std::size_t most) {
    for (HarpPlan& known : plans)
        if (known.stages == plan.stages) {
            if (plan.total < known.total)
                known = plan;
            return;
        }
    plans.push_back(plan);
    std::stable_sort(plans.begin(), plans.end(),
                     [](const HarpPlan& a, const HarpPlan& b) { return a.total < b.total; });
    if (plans.size() > most)
        plans.pop_back();
}

} // namespace

std::vector<HarpPlan> harpProgramme(const HarpInput& input, const HarpQuestion& question,
                                    const std::function<bool(std::int64_t)>& spend) {
    const HarpRules rules(input, question);
    const std::vector<double> list = rules.limits();
    Programme programme(rules, spend);
    std::vector<HarpPlan> plans;
    double best = question.below;
    HarpPlan plan;
    const auto solve = [&](std::size_t n) {
        const double sum = programme.solve(list[n], plan);
        if (std::isfinite(sum) && plan.total < question.below) {
            keepPlan(plans, plan, std::max<std::size_t>(1, question.keep));
            best = std::min(best, plan.total);
        }
        return sum;
    };
    if (!question.pruned) {
        for (std::size_t n = 0; n < list.size() && !programme.over(); ++n)
            solve(n);
        return plans;
    }
    // Tight limits are the quick ones: up from them until there is a plan, if none is known to be below.
    std::size_t low = 0, high = 0; // the least limit with a plan is in [low, high]
    for (std::size_t n = 1; !std::isfinite(best) && low < list.size() && !programme.over(); n *= 2) {
        high = std::min(n, list.size()) - 1;
        if (!std::isfinite(solve(high)))
            low = high + 1;
    }
    // Whatever is allowed under a limit is so under a larger one, at no more launches: what the loosest
    // hopeful one has no plan for none has, and no sum is below its.
    std::size_t end = 0;
    while (end < list.size() && rules.total(0.0, list[end]) < best)
        ++end;
    if (end <= low)
        return plans;
    const bool known = std::isfinite(best) && !plans.empty();
    const double least = solve(end - 1);
    if (!std::isfinite(least))
        return plans;
    if (!known)
        high = end - 1;
    while (low < high && !programme.over()) {
        const std::size_t middle = (low + high) / 2;
        if (std::isfinite(solve(middle)))
            high = middle;
        else
            low = middle + 1;
    }
    const auto hopeful = [&](std::size_t n) {
        return n < list.size() &&
               rules.total(least, list[n]) < std::min(question.below, best * (1.0 + question.slack));
    };
    std::size_t window = low;
    while (hopeful(window))
        ++window;
    const std::size_t step =
        question.most == 0
            ? 1
            : std::max<std::size_t>(1, (window - low) / std::max<std::size_t>(1, question.most));
    for (std::size_t n = low + 1; hopeful(n) && !programme.over(); n += step)
        solve(n);
    return plans;
}

} // namespace pw
