// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/pipewright/pattern_search.h"

#include "core/base/quantity.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

namespace pw {
namespace {

using Found = PatternSearch::Found;

constexpr std::size_t kDeep = 16; // stages of a pipeline that is not deep, at most

bool isBetter(const Found& a, const Found& b) {
    return a.value != b.value ? a.value < b.value : a.pattern < b.pattern;
}

void keepBest(std::vector<Found>& list, std::size_t most) {
    std::sort(list.begin(), list.end(), isBetter);
    if (list.size() > most)
        list.resize(most);
}

} // namespace

PatternSearch::PatternSearch(SearchRun& run, std::size_t space)
    : m_run(run), m_space(*run.spaces()[space]), m_programme(m_space) {}

Found PatternSearch::judge(const Pattern& pattern, double deadline, double cutoff) {
    Found found{kNever, pattern, {}};
    if (!m_programme.placeable(pattern))
        return found;
    using Reserve = PatternProgramme::Reserve;
    for (const Reserve reserve : {Reserve::Ceil, Reserve::Artifact, Reserve::One}) {
        if (m_run.spend(static_cast<std::int64_t>(pattern.size()),
                        16 * static_cast<std::int64_t>(pattern.size())))
            break;
        auto layers = m_programme.best(pattern, reserve, deadline, cutoff);
        if (!layers)
            continue;
        found.value = std::min(found.value, layers->value);
        const bool known = std::any_of(found.layers.begin(), found.layers.end(),
                                       [&](const auto& l) { return l.chain == layers->chain; });
        if (!known)
            found.layers.push_back(*std::move(layers));
    }
    return found;
}

void PatternSearch::fill(Pattern& pattern, int option, std::size_t most) const {
    for (std::size_t k = 0; k < most; ++k) {
        pattern.push_back(option);
        if (!m_programme.placeable(pattern)) {
            pattern.pop_back();
            return;
        }
    }
}

std::vector<Found> PatternSearch::uniform(double deadline, std::size_t most) {
    const auto& options = m_space.options();
    std::vector<int> order(m_space.classes().size()); // the fastest behind, where fewest are in flight
    std::iota(order.begin(), order.end(), 0);
    const auto memory = [&](int c) { return m_space.classes()[static_cast<std::size_t>(c)].capacity; };
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return memory(a) < memory(b); });

    // One option a class: alike in replicas and tensor-parallel size, as far as the class has such ones.
    std::map<std::pair<int, int>, std::vector<int>> alike; // (dp, tp) -> options, by class in order
    for (const int cls : order)
        for (const int o : m_programme.options()) {
            const StageOption& option = options[static_cast<std::size_t>(o)];
            if (option.cls == cls)
                alike[{option.dp, option.tp}].push_back(o);
        }
    std::vector<Found> best;
    for (const auto& [shape, list] : alike) {
        if (m_run.over())
            break;
        Pattern pattern;
        for (const int o : list)
            fill(pattern, o, static_cast<std::size_t>(m_space.blocks()));
        if (pattern.size() > kDeep) // what a pipeline of few stages makes of it is another start
            best.push_back(judge(Pattern(pattern.begin(), pattern.begin() + kDeep), deadline));
        best.push_back(judge(pattern, deadline));
    }
    std::erase_if(best, [](const Found& f) { return f.value == kNever; });
    keepBest(best, 3 * most);
    // The same stages with the classes in every order, and without some of them.
    std::vector<Found> all = best;
    std::set<Pattern> seen;
    for (const Found& found : best) {
        std::vector<Pattern> segments;
        for (const int o : found.pattern) {
            if (segments.empty() || segments.back().front() != o)
                segments.emplace_back();
            segments.back().push_back(o);
        }
        constexpr std::size_t kMostOrdered = 5; // 325 sequences of subsets
        if (segments.size() > kMostOrdered)
            continue;
        std::vector<std::size_t> places(segments.size());
        std::iota(places.begin(), places.end(), std::size_t{0});
        do
            for (std::size_t count = 1; count <= places.size(); ++count) {
                Pattern pattern;
                for (std::size_t k = 0; k < count; ++k)
                    pattern.insert(pattern.end(), segments[places[k]].begin(), segments[places[k]].end());
                if (m_run.over())
                    break;
                if (seen.insert(pattern).second)
                    all.push_back(judge(pattern, deadline));
            }
        while (std::next_permutation(places.begin(), places.end()));
    }
    std::erase_if(all, [](const Found& f) { return f.value == kNever; });
    std::sort(all.begin(), all.end(), isBetter);
    all.erase(std::unique(all.begin(), all.end(),
                          [](const Found& a, const Found& b) { return a.pattern == b.pattern; }),
              all.end());
    keepBest(all, most);
    return all;
}

double PatternSearch::estimate(int index, int stages) {
    const StageOption& option = m_space.options()[static_cast<std::size_t>(index)];
    const ChainClass& cls = m_space.classes()[static_cast<std::size_t>(option.cls)];
    const StageLine& line = m_programme.lineOf(index, stages == 1, stages == 1);
    const int blocks = (m_space.blocks() + stages - 1) / stages;
    const int inFlight = std::min(stages, m_space.microbatches());
    if (blocks > line.mostByMemory(inFlight))
        return kNever;
    const double t = line.time(blocks) + line.slowerBlock * line.recomputed(blocks, inFlight);
    const bool inNode = stages * option.devices <= cls.gpusPerNode;
    const double send =
        inNode ? 0.0 : m_space.leastCrossing(option.cls, std::max(1, option.devices / cls.gpusPerNode));
    return m_space.microbatches() * std::max(t, send) + (stages - 1) * (t + 2.0 * send) + line.tail(blocks);
}

std::vector<Found> PatternSearch::ofOneClass(double deadline) {
    constexpr std::size_t kEach = 2; // of a class
    std::vector<Found> best;
    for (int cls = 0; cls < static_cast<int>(m_space.classes().size()) && !m_run.over(); ++cls) {
        std::vector<Found> ofClass; // by estimate
        for (const int o : m_programme.options()) {
            const StageOption& option = m_space.options()[static_cast<std::size_t>(o)];
            if (option.cls != cls)
                continue;
            Pattern all;
            fill(all, o, static_cast<std::size_t>(m_space.blocks()));
            for (std::size_t stages = 1; stages <= all.size();
                 stages = stages < all.size() ? std::min(2 * stages, all.size()) : stages + 1) {
                m_run.spend(1);
                const double about = estimate(o, static_cast<int>(stages));
                if (about < kNever)
                    ofClass.push_back({about, Pattern(stages, o), {}});
            }
        }
        keepBest(ofClass, kEach);
        for (const Found& found : ofClass)
            best.push_back(judge(found.pattern, deadline));
    }
    std::erase_if(best, [](const Found& f) { return f.value == kNever; });
    std::sort(best.begin(), best.end(), isBetter);
    return best;
}

std::vector<Pattern> PatternSearch::neighbours(const Pattern& pattern) const {
    const auto& options = m_space.options();
    const auto at = [&](int o) -> const StageOption& { return options[static_cast<std::size_t>(o)]; };
    std::vector<Pattern> list;
    const auto add = [&](Pattern p) {
        if (p != pattern && m_programme.placeable(p))
            list.push_back(std::move(p));
    };
    // Deep pipelines change where their stages do.
    const auto inside = [&](std::size_t i) {
        return pattern.size() > kDeep && i > 0 && i + 1 < pattern.size() && pattern[i - 1] == pattern[i] &&
               pattern[i] == pattern[i + 1];
    };
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        if (inside(i))
            continue;
        const auto here = static_cast<std::ptrdiff_t>(i);
        Pattern less = pattern;
        less.erase(less.begin() + here);
        add(less);
        for (const int o : m_programme.options()) {
            Pattern with = pattern;
            if (at(o).cls == at(pattern[i]).cls) {
                with[i] = o;
                add(with);
                if (2 * at(o).devices == at(pattern[i]).devices) { // in two
                    with.insert(with.begin() + here, o);
                    add(with);
                }
                if (i + 1 < pattern.size() && at(pattern[i + 1]).cls == at(o).cls &&
                    at(o).devices == at(pattern[i]).devices + at(pattern[i + 1]).devices) { // two in one
                    with = pattern;
                    with[i] = o;
                    with.erase(with.begin() + here + 1);
                    add(with);
                }
            }
            with = pattern;
            with.insert(with.begin() + here, o);
            add(with);
            if (i + 1 == pattern.size()) {
                with = pattern;
                with.push_back(o);
                add(with);
            }
        }
        if (i + 1 < pattern.size()) {
            Pattern swapped = pattern;
            std::swap(swapped[i], swapped[i + 1]);
            add(swapped);
        }
    }
    // Neighbouring classes in the other order, and all stages of a class in another way.
    std::vector<std::pair<std::size_t, std::size_t>> runs;
    for (std::size_t i = 0; i < pattern.size(); ++i)
        if (runs.empty() || at(pattern[runs.back().first]).cls != at(pattern[i]).cls)
            runs.emplace_back(i, i + 1);
        else
            runs.back().second = i + 1;
    const auto begin = pattern.begin();
    const auto place = [&](std::size_t i) { return begin + static_cast<std::ptrdiff_t>(i); };
    for (std::size_t r = 0; r < runs.size(); ++r) {
        if (r + 1 < runs.size()) {
            Pattern turned = pattern;
            std::rotate(turned.begin() + static_cast<std::ptrdiff_t>(runs[r].first),
                        turned.begin() + static_cast<std::ptrdiff_t>(runs[r].second),
                        turned.begin() + static_cast<std::ptrdiff_t>(runs[r + 1].second));
            add(turned);
        }
        for (const int o : m_programme.options())
            if (at(o).cls == at(pattern[runs[r].first]).cls) {
                Pattern other(begin, place(runs[r].first));
                const std::size_t rest = pattern.size() - runs[r].second + runs[r].first;
                const auto room = static_cast<std::size_t>(std::min(m_space.maxStages(), m_space.blocks()));
                fill(other, o, room - std::min(room, rest));
                other.insert(other.end(), place(runs[r].second), pattern.end());
                add(other);
            }
    }
    return list;
}

Found PatternSearch::descend(Found from, double deadline) {
    for (bool moved = true; moved && !m_run.over();) {
        moved = false;
        Found next = from;
        for (const Pattern& pattern : neighbours(from.pattern)) {
            if (m_run.over())
                break;
            const auto [known, fresh] = m_known.try_emplace(pattern, kNever);
            if (!fresh)
                continue;
            Found found = judge(pattern, deadline, next.value);
            known->second = found.value;
            if (isBetter(found, next))
                next = std::move(found);
        }
        if (next.value <
            from.value - 1e-9 * std::abs(from.value)) { // bounds may be below 0 where blocks differ
            from = judge(next.pattern, deadline);       // by all launch counts
            moved = true;
        }
    }
    return from;
}

} // namespace pw
