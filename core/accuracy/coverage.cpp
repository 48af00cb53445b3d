// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/accuracy/coverage.h"

#include "core/accuracy/band.h"
#include "core/accuracy/conformal.h"
#include "core/accuracy/tie.h"
#include "core/calibrate/score.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace pw {

namespace {

// A left-out case: its band without width, and how far from its centre the run came out.
struct Trial {
    int source = 0;
    int index = 0;  // into CaseTable::cases
    int group = -1; // what was left out with it: index into Trials::groups; -1: the case alone
    double miss = 0.0;
    Neighbourhood around;
};

struct Pair {
    int source = 0;
    double apart = 0.0;     // distance of the two configurations
    double miss = 0.0;      // difference of the residuals
    double predicted = 0.0; // ln of the second's over the first's time
    double measured = 0.0;
};

// Something that is left out whole.
enum class Kind { Source, Stack, Generation };
struct Group {
    Kind kind = Kind::Source;
    std::string name;
};

struct Trials {
    std::vector<Group> groups;
    std::vector<Trial> whole, rows; // a group of the case, or only the case, left out
    std::vector<Pair> pairs;
};

// The smallest value that `kBandShare` of the items do not exceed, each source weighing the root of its
// items; those that do not count have no say.
template <class Items, class Value>
double conformal(const Items& items, const std::vector<bool>& counts, const Value& value) {
    std::map<int, int> rows;
    for (std::size_t i = 0; i < items.size(); ++i)
        rows[items[i].source] += counts[i] ? 1 : 0;
    std::vector<std::pair<double, double>> weighted;
    double all = 0.0;
    for (std::size_t i = 0; i < items.size(); ++i) {
        if (!counts[i])
            continue;
        weighted.emplace_back(value(items[i]), 1.0 / std::sqrt(rows[items[i].source]));
        all += weighted.back().second;
    }
    std::sort(weighted.begin(), weighted.end());
    double sum = 0.0;
    for (const auto& [found, weight] : weighted)
        if ((sum += weight) >= kBandShare * all)
            return found;
    return 0.0;
}

double beyond(double miss, double covered) {
    return std::sqrt(std::max(0.0, miss * miss - covered * covered));
}

double farWidth(const Trials& trials, const std::vector<bool>& counts, double near) {
    std::vector<std::vector<double>> needed(trials.groups.size());
    for (std::size_t i = 0; i < trials.whole.size(); ++i) {
        const Trial& t = trials.whole[i];
        if (counts[i])
            needed[static_cast<std::size_t>(t.group)].push_back(
                beyond(t.miss, halfWidth(t.around, {near, 0.0, 0.0})) / halfWidth(t.around, {0.0, 1.0, 0.0}));
    }
    return groupWidth(needed);
}

// What counts where something is unseen. Rows and pairs of a group are those of its cases.
struct Counted {
    std::vector<bool> whole, rows, pairs;
};

// Each of the two widths given the other: rows for what near cases tell, groups for a stranger's.
BandWidths widthsOf(const Trials& trials, const Counted& counted) {
    constexpr int kRounds = 12; // the fifth no longer changes the third digit
    BandWidths widths;
    for (int round = 0; round < kRounds; ++round) {
        widths.far = farWidth(trials, counted.whole, widths.near);
        widths.near = conformal(trials.rows, counted.rows, [&](const Trial& t) {
            return beyond(t.miss, halfWidth(t.around, {0.0, widths.far, 0.0})) /
                   halfWidth(t.around, {1.0, 0.0, 0.0});
        });
    }
    return widths;
}

// Of comparisons (tie.h).
double pairWidth(const Trials& trials, const Counted& counted) {
    double low = 1e-4, high = 1.0, width = 0.0;
    for (int step = 0; step < 40; ++step) {
        width = std::sqrt(low * high);
        const double needed = conformal(trials.pairs, counted.pairs, [&](const Pair& p) {
            return std::abs(p.miss) / pairReach(p.apart, width);
        });
        (needed > 1.0 ? low : high) = width;
    }
    return width;
}

int groupIndex(Trials& trials, Kind kind, const std::string& name) {
    const auto at = std::find_if(trials.groups.begin(), trials.groups.end(),
                                 [&](const Group& g) { return g.kind == kind && g.name == name; });
    if (at != trials.groups.end())
        return static_cast<int>(at - trials.groups.begin());
    trials.groups.push_back({kind, name});
    return static_cast<int>(trials.groups.size()) - 1;
}

const std::string& nameOf(const CaseTable& table, const MeasuredCase& of, Kind kind) {
    switch (kind) {
    case Kind::Source:
        return table.sources[static_cast<std::size_t>(of.source)];
    case Kind::Stack:
        return of.stack;
    case Kind::Generation:
        return of.generation;
    }
    return of.stack;
}

Trials trialsOf(const CaseTable& table) {
    Trials trials;
    const std::size_t count = table.cases.size();
    std::vector<double> distances(count);
    for (std::size_t i = 0; i < count; ++i) {
        const MeasuredCase& own = table.cases[i];
        for (std::size_t j = 0; j < count; ++j)
            distances[j] = distance(own.features, table.cases[j].features);
        const auto trial = [&](int group, const LeftOut& without) {
            Trial t{own.source, static_cast<int>(i), group, 0.0,
                    neighbourhood(table, own.features, distances, without)};
            t.miss = -own.residual - t.around.centre;
            return t;
        };
        for (const Kind kind : {Kind::Source, Kind::Stack, Kind::Generation}) {
            const std::string& name = nameOf(table, own, kind);
            Trial t = trial(groupIndex(trials, kind, name),
                            [&](std::size_t j) { return nameOf(table, table.cases[j], kind) == name; });
            if (!t.around.cases.empty()) // else there is no other
                trials.whole.push_back(std::move(t));
        }
        if (count > 1)
            trials.rows.push_back(trial(-1, [i](std::size_t j) { return j == i; }));
        for (std::size_t j = 0; j < i; ++j) {
            const MeasuredCase& other = table.cases[j];
            if (other.group != own.group || other.source != own.source)
                continue;
            const double predicted = own.logPredicted - other.logPredicted;
            trials.pairs.push_back({own.source, distances[j], own.residual - other.residual, predicted,
                                    predicted - (own.residual - other.residual)});
        }
    }
    return trials;
}

// Everything but what a group's own cases say, of whatever else they are part of.
Counted countedWithout(const CaseTable& table, const Trials& trials, const Group* group) {
    const auto own = [&](std::size_t i) {
        return group != nullptr && nameOf(table, table.cases[i], group->kind) == group->name;
    };
    Counted counted;
    std::vector<bool> ownSource(table.sources.size(), false);
    for (std::size_t i = 0; i < table.cases.size(); ++i)
        if (own(i))
            ownSource[static_cast<std::size_t>(table.cases[i].source)] = true;
    for (const Trial& t : trials.rows)
        counted.rows.push_back(!own(static_cast<std::size_t>(t.index)));
    for (const Trial& t : trials.whole)
        counted.whole.push_back(!own(static_cast<std::size_t>(t.index)));
    for (const Pair& p : trials.pairs)
        counted.pairs.push_back(!ownSource[static_cast<std::size_t>(p.source)]);
    return counted;
}

void addPairs(SourceCoverage& of, const std::vector<Pair>& pairs, int source, double width) {
    constexpr double kSame = 1e-9; // measured times
    for (const Pair& p : pairs) {
        if (p.source != source || std::abs(p.measured) < kSame)
            continue;
        ++of.pairs;
        const TimeComparison comparison = compareTimes(p.predicted, p.apart, width);
        const bool right = p.predicted * p.measured > 0.0;
        if (comparison.isTie()) {
            of.tiesRight += right ? 1 : 0;
            continue;
        }
        ++of.called;
        of.right += right ? 1 : 0;
        of.promised += std::max(comparison.firstFaster, 1.0 - comparison.firstFaster);
    }
    of.promised /= std::max(1, of.called);
}

} // namespace

BandWidths calibratedWidths(const CaseTable& table) {
    const Trials trials = trialsOf(table);
    const Counted all = countedWithout(table, trials, nullptr);
    BandWidths widths = widthsOf(trials, all);
    widths.pair = pairWidth(trials, all);
    return widths;
}

namespace {

void addWhole(GroupCoverage& of, const Trials& trials, int group, const BandWidths& widths) {
    std::vector<double> distances, halves;
    for (const Trial& t : trials.whole)
        if (t.group == group) {
            distances.push_back(t.around.distance);
            halves.push_back(halfWidth(t.around, widths));
            of.inside += std::abs(t.miss) <= halves.back() ? 1.0 : 0.0;
        }
    of.name = trials.groups[static_cast<std::size_t>(group)].name;
    of.rows = static_cast<int>(halves.size());
    if (of.rows == 0)
        return;
    of.inside /= of.rows;
    of.distance = quantile(distances, 0.5);
    of.halfWidth = quantile(halves, 0.5);
}

void addRows(SourceCoverage& of, const Trials& trials, int source, const BandWidths& widths) {
    std::vector<double> halves;
    for (const Trial& t : trials.rows)
        if (t.source == source) {
            halves.push_back(halfWidth(t.around, widths));
            of.rowInside += std::abs(t.miss) <= halves.back() ? 1.0 : 0.0;
        }
    of.rowInside /= static_cast<double>(std::max<std::size_t>(1, halves.size()));
    of.rowHalfWidth = halves.empty() ? 0.0 : quantile(halves, 0.5);
}

} // namespace

Coverage coverage(const CaseTable& table) {
    const Trials trials = trialsOf(table);
    Coverage found;
    for (std::size_t g = 0; g < trials.groups.size(); ++g) {
        const Group& group = trials.groups[g];
        const Counted others = countedWithout(table, trials, &group);
        const BandWidths widths = widthsOf(trials, others);
        SourceCoverage of;
        addWhole(of, trials, static_cast<int>(g), widths);
        if (of.rows == 0)
            continue;
        if (group.kind != Kind::Source) {
            (group.kind == Kind::Stack ? found.stacks : found.generations).push_back(of);
            continue;
        }
        const int source = static_cast<int>(
            std::find(table.sources.begin(), table.sources.end(), group.name) - table.sources.begin());
        addRows(of, trials, source, widths);
        addPairs(of, trials.pairs, source, pairWidth(trials, others));
        found.sources.push_back(std::move(of));
    }
    return found;
}

} // namespace pw
