// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/accuracy/coverage.h"

#include "core/accuracy/band.h"
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

struct Trials {
    std::vector<Trial> sources, rows; // the case's source, or only the case, left out
    std::vector<Pair> pairs;
};

// The smallest value that `kBandShare` of the items do not exceed, each source weighing the root of its
// items; those of source `without` do not count.
template <class Items, class Value>
double conformal(const Items& items, int without, const Value& value) {
    std::map<int, int> counts;
    for (const auto& item : items)
        ++counts[item.source];
    std::vector<std::pair<double, double>> weighted;
    double all = 0.0;
    for (const auto& item : items) {
        if (item.source == without)
            continue;
        weighted.emplace_back(value(item), 1.0 / std::sqrt(counts[item.source]));
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

// Each of the two widths given the other: rows for what near cases tell, sources for what distance adds.
BandWidths widthsOf(const Trials& trials, int without) {
    constexpr int kRounds = 12; // the fifth no longer changes the third digit
    BandWidths widths;
    for (int round = 0; round < kRounds; ++round) {
        widths.growth = conformal(trials.sources, without, [&](const Trial& t) {
            return beyond(t.miss, halfWidth(t.around, {widths.near, 0.0, 0.0})) / t.around.distance;
        });
        widths.near = conformal(trials.rows, without, [&](const Trial& t) {
            return beyond(t.miss, halfWidth(t.around, {0.0, widths.growth, 0.0})) /
                   halfWidth(t.around, {1.0, 0.0, 0.0});
        });
    }
    double low = 1e-4, high = 1.0;
    for (int step = 0; step < 40; ++step) {
        widths.pair = std::sqrt(low * high);
        const double needed = conformal(trials.pairs, without, [&](const Pair& p) {
            return std::abs(p.miss) / pairReach(p.apart, widths.pair);
        });
        (needed > 1.0 ? low : high) = widths.pair;
    }
    return widths;
}

Trials trialsOf(const CaseTable& table) {
    Trials trials;
    const std::size_t count = table.cases.size();
    std::vector<double> distances(count);
    const bool several = table.sources.size() > 1;
    for (std::size_t i = 0; i < count; ++i) {
        const MeasuredCase& own = table.cases[i];
        for (std::size_t j = 0; j < count; ++j)
            distances[j] = distance(own.features, table.cases[j].features);
        const auto trial = [&](LeftOut without) {
            Trial t{own.source, 0.0, neighbourhood(table, distances, without)};
            t.miss = -own.residual - t.around.centre;
            return t;
        };
        if (several)
            trials.sources.push_back(trial({own.source, -1}));
        trials.rows.push_back(trial({-1, static_cast<int>(i)}));
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
    return widthsOf(trialsOf(table), -1);
}

std::vector<SourceCoverage> coverage(const CaseTable& table) {
    const Trials trials = trialsOf(table);
    std::vector<SourceCoverage> found;
    for (int s = 0; s < static_cast<int>(table.sources.size()); ++s) {
        const BandWidths widths = widthsOf(trials, s);
        SourceCoverage of;
        of.source = table.sources[static_cast<std::size_t>(s)];
        std::vector<double> distances, halves, rowHalves;
        for (const Trial& t : trials.sources)
            if (t.source == s) {
                distances.push_back(t.around.distance);
                halves.push_back(halfWidth(t.around, widths));
                of.inside += std::abs(t.miss) <= halves.back() ? 1.0 : 0.0;
            }
        for (const Trial& t : trials.rows)
            if (t.source == s) {
                rowHalves.push_back(halfWidth(t.around, widths));
                of.rowInside += std::abs(t.miss) <= rowHalves.back() ? 1.0 : 0.0;
            }
        of.rows = static_cast<int>(halves.size());
        if (of.rows == 0)
            continue;
        of.inside /= of.rows;
        of.rowInside /= of.rows;
        of.distance = quantile(distances, 0.5);
        of.halfWidth = quantile(halves, 0.5);
        of.rowHalfWidth = quantile(rowHalves, 0.5);
        addPairs(of, trials.pairs, s, widths.pair);
        found.push_back(std::move(of));
    }
    return found;
}

} // namespace pw
