// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/pipewright/pattern_search.h"

#include "core/base/parallel.h"
#include "core/base/quantity.h"
#include "core/search/pipewright/filled_starts.h"
#include "core/search/pipewright/segment_starts.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <numeric>
#include <set>

namespace pw {
namespace {

using Found = PatternSearch::Found;
using Reserve = PatternProgramme::Reserve;

constexpr std::array kReserves = {Reserve::Ceil, Reserve::Artifact, Reserve::One};

constexpr std::size_t kDeep = 16;    // stages of a pipeline that is not deep, at most
constexpr std::size_t kAtOnce = 128; // patterns

bool isBetter(const Found& a, const Found& b) {
    return a.value != b.value ? a.value < b.value : a.pattern < b.pattern;
}

// Stages that are alike behind each other.
std::vector<Pattern> segmentsOf(const Pattern& pattern) {
    std::vector<Pattern> segments;
    for (const int o : pattern) {
        if (segments.empty() || segments.back().front() != o)
            segments.emplace_back();
        segments.back().push_back(o);
    }
    return segments;
}

// The patterns that were not seen yet: of few segments every sequence of every subset, of more every subset
// as it stands.
std::vector<Pattern> inOtherOrders(const std::vector<Found>& found, std::set<Pattern>& seen) {
    constexpr std::size_t kMostOrdered = 5; // 325 sequences of subsets
    constexpr std::size_t kMostLeftOut = 8; // 255 subsets
    std::vector<Pattern> list;
    const auto add = [&](const std::vector<Pattern>& segments, const std::vector<std::size_t>& places) {
        Pattern pattern;
        for (const std::size_t place : places)
            pattern.insert(pattern.end(), segments[place].begin(), segments[place].end());
        if (seen.insert(pattern).second)
            list.push_back(std::move(pattern));
    };
    for (const Found& one : found) {
        const std::vector<Pattern> segments = segmentsOf(one.pattern);
        std::vector<std::size_t> places;
        if (segments.size() > kMostOrdered) {
            for (unsigned kept = 1; segments.size() <= kMostLeftOut && kept >> segments.size() == 0; ++kept) {
                places.clear();
                for (std::size_t k = 0; k < segments.size(); ++k)
                    if ((kept >> k & 1U) != 0)
                        places.push_back(k);
                add(segments, places);
            }
            continue;
        }
        places.resize(segments.size());
        std::iota(places.begin(), places.end(), std::size_t{0});
        do
            for (std::size_t count = 1; count <= places.size(); ++count)
                add(segments, {places.begin(), places.begin() + static_cast<std::ptrdiff_t>(count)});
        while (std::next_permutation(places.begin(), places.end()));
    }
    return list;
}

void keepBest(std::vector<Found>& list, std::size_t most) {
    std::sort(list.begin(), list.end(), isBetter);
    if (list.size() > most)
        list.resize(most);
}

} // namespace

PatternSearch::PatternSearch(SearchRun& run, const PatternOptions& options, int threads)
    : m_run(run), m_options(options), m_space(options.space()),
      m_programmes(threadsFor(kAtOnce, threads), PatternProgramme(options)) {}

// How many of the patterns from this one on are judged at once: no more than work is left for, but one.
std::size_t PatternSearch::affordable(const std::vector<Pattern>& patterns, std::size_t from) const {
    std::int64_t left = m_run.workLimit() - m_run.work();
    std::size_t count = 0;
    while (count < kAtOnce && from + count < patterns.size()) {
        left -= static_cast<std::int64_t>(kReserves.size() * patterns[from + count].size());
        if (left < 0 && count > 0)
            break;
        ++count;
    }
    return count;
}

std::vector<Found> PatternSearch::judge(const std::vector<Pattern>& patterns, double deadline,
                                        double cutoff) {
    std::vector<Found> kept;
    for (std::size_t from = 0, count = 0; from < patterns.size() && !m_run.over(); from += count) {
        count = affordable(patterns, from);
        std::vector<Found> found(count);
        std::vector<std::int64_t> work(count, 0);
        std::atomic<std::size_t> next = 0;
        const std::size_t threads = std::min(count, m_programmes.size());
        inParallel(threads, static_cast<int>(threads), [&](std::size_t thread) {
            for (std::size_t k = next++; k < count; k = next++) {
                const Pattern& pattern = patterns[from + k];
                found[k] = {kNever, pattern, {}};
                if (!m_options.placeable(pattern, m_return))
                    continue;
                for (const Reserve reserve : kReserves) {
                    if (m_run.interrupted()() || m_run.work() + work[k] >= m_run.workLimit())
                        break;
                    work[k] += static_cast<std::int64_t>(pattern.size());
                    auto layers = m_programmes[thread].best(pattern, reserve, deadline, cutoff);
                    if (!layers)
                        continue;
                    found[k].value = std::min(found[k].value, layers->value);
                    const bool known = std::any_of(found[k].layers.begin(), found[k].layers.end(),
                                                   [&](const auto& l) { return l.chain == layers->chain; });
                    if (!known)
                        found[k].layers.push_back(*std::move(layers));
                }
            }
        });
        const std::int64_t all = std::accumulate(work.begin(), work.end(), std::int64_t{0});
        m_run.spend(all, 16 * all);
        for (Found& f : found)
            if (f.value < kNever) {
                for (const PatternProgramme::Layers& layers : f.layers)
                    m_run.guess(m_space, layers.chain, layers.value);
                if (cutoff < kNever)
                    cutoff = std::min(cutoff, f.value);
                kept.push_back(std::move(f));
            }
    }
    return kept;
}

void PatternSearch::fill(Pattern& pattern, int option, std::size_t most) const {
    for (std::size_t k = 0; k < most; ++k) {
        pattern.push_back(option);
        if (!m_options.placeable(pattern, m_return)) {
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
        for (const int o : m_options.list()) {
            const StageOption& option = options[static_cast<std::size_t>(o)];
            if (option.cls == cls)
                alike[{option.dp, option.tp}].push_back(o);
        }
    std::vector<Pattern> tried;
    for (const auto& [shape, list] : alike) {
        Pattern pattern;
        for (const int o : list)
            fill(pattern, o, static_cast<std::size_t>(m_space.blocks()));
        if (pattern.size() > kDeep) // what a pipeline of few stages makes of it is another start
            tried.emplace_back(pattern.begin(), pattern.begin() + kDeep);
        tried.push_back(std::move(pattern));
    }
    std::vector<Found> best = judge(tried, deadline);
    keepBest(best, 3 * most);
    // The same stages with the classes in every order, where they are few, and without some of them; of many
    // every subset as it stands, and the best of these in every order.
    std::set<Pattern> seen;
    std::vector<Found> all = judge(inOtherOrders(best, seen), deadline);
    std::vector<Found> few = all;
    keepBest(few, most);
    const std::vector<Found> turned = judge(inOtherOrders(few, seen), deadline);
    all.insert(all.end(), turned.begin(), turned.end());
    all.insert(all.end(), best.begin(), best.end());
    std::sort(all.begin(), all.end(), isBetter);
    all.erase(std::unique(all.begin(), all.end(),
                          [](const Found& a, const Found& b) { return a.pattern == b.pattern; }),
              all.end());
    keepBest(all, most);
    return all;
}

std::vector<Found> PatternSearch::filled(double deadline, std::size_t most) {
    const std::vector<Pattern> patterns = filledStarts(m_options);
    m_run.spend(static_cast<std::int64_t>(patterns.size()));
    std::vector<Found> best = judge(patterns, deadline);
    keepBest(best, most);
    return best;
}

std::vector<Found> PatternSearch::ofFewClasses(double deadline, std::size_t most) {
    constexpr std::size_t kJudged = 24; // of each number of classes
    std::vector<Pattern> promising;
    for (const std::vector<Pattern>& level :
         segmentStarts(m_options, kJudged, [&] { return m_run.over(); })) {
        m_run.spend(static_cast<std::int64_t>(level.size()));
        promising.insert(promising.end(), level.begin(), level.end());
    }
    std::vector<Found> best = judge(promising, deadline);
    keepBest(best, most);
    return best;
}

std::vector<Found> PatternSearch::withBothEnds(const Pattern& pattern, double deadline, std::size_t most) {
    m_return = PatternOptions::Return::ToTheEnds;
    const auto cls = [&](int o) { return m_space.options()[static_cast<std::size_t>(o)].cls; };
    // Of every class stages at both ends, in place of its own: one in front and one or two behind the others,
    // or behind all but one of these classes.
    std::set<int> classes;
    for (const int o : pattern)
        classes.insert(cls(o));
    std::set<Pattern> tried;
    for (const int back : m_options.list())
        for (const int front : m_options.list()) {
            if (cls(back) != cls(front))
                continue;
            std::set<int> without = classes;
            without.insert(cls(back)); // no other
            for (const int left : without) {
                Pattern between;
                for (const int o : pattern)
                    if (cls(o) != cls(back) && cls(o) != left)
                        between.push_back(o);
                if (between.empty())
                    continue;
                for (const std::size_t behind : {1U, 2U}) {
                    Pattern both(behind, back);
                    both.insert(both.end(), between.begin(), between.end());
                    both.push_back(front);
                    tried.insert(std::move(both));
                }
            }
        }
    std::vector<Found> best = judge({tried.begin(), tried.end()}, deadline);
    keepBest(best, most);
    for (Found& found : best)
        found = descend(std::move(found), deadline);
    m_return = PatternOptions::Return::Never;
    return best;
}

std::vector<Pattern> PatternSearch::neighbours(const Pattern& pattern) const {
    const auto& options = m_space.options();
    const auto at = [&](int o) -> const StageOption& { return options[static_cast<std::size_t>(o)]; };
    std::vector<Pattern> list;
    const auto add = [&](Pattern p) {
        if (p != pattern && m_options.placeable(p, m_return))
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
        for (const int o : m_options.list()) {
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
        for (const int o : m_options.list())
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
        std::vector<Pattern> fresh;
        for (Pattern& pattern : neighbours(from.pattern))
            if (m_known.insert(pattern).second)
                fresh.push_back(std::move(pattern));
        std::vector<Found> around = judge(fresh, deadline, from.value);
        const auto next = std::min_element(around.begin(), around.end(), isBetter);
        if (next != around.end() &&
            next->value <
                from.value - 1e-9 * std::abs(from.value)) { // bounds may be below 0 where blocks differ
            std::vector<Found> whole = judge({next->pattern}, deadline); // by all launch counts
            from = std::move(whole.empty() ? *next : whole.front());
            moved = true;
        }
    }
    return from;
}

std::vector<Found> PatternSearch::around(const Pattern& pattern, double deadline, std::size_t most) {
    std::vector<Found> best = judge(neighbours(pattern), deadline);
    keepBest(best, most);
    return best;
}

} // namespace pw
