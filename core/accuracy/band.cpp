// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/accuracy/band.h"

#include "core/accuracy/published_runs.h"

#include <algorithm>
#include <cmath>

namespace pw {

namespace {

constexpr std::size_t kCasesOfSource = 8;
constexpr double kCaseFall = 0.15, kSourceFall = 0.15; // of weights with distance
constexpr double kSharedFall = 0.4;                    // of errors that configurations share
constexpr double kFloor = 0.02;                        // spread of a run that is repeated
constexpr double kStrange = 0.3;                       // distance at which half of the width is a stranger's
constexpr double kByDistance = 0.6, kByCommunication = 2.0; // how a stranger's width grows
constexpr double kLeastWeight = 0.05;                       // of a source or a case, against the nearest

// The nearest cases of one source, with weights that add up to its own.
struct SourceCases {
    std::vector<NearCase> cases; // nearest first
    double nearest() const { return cases.front().distance; }
};

// Cases come source by source.
std::vector<SourceCases> nearestOfSources(const CaseTable& table, const std::vector<double>& distances,
                                          const LeftOut& without) {
    std::vector<SourceCases> sources;
    std::vector<NearCase> own;
    const auto close = [&] {
        if (own.empty())
            return;
        const std::size_t kept = std::min(kCasesOfSource, own.size());
        std::partial_sort(own.begin(), own.begin() + static_cast<std::ptrdiff_t>(kept), own.end(),
                          [](const NearCase& a, const NearCase& b) {
                              return std::pair(a.distance, a.index) < std::pair(b.distance, b.index);
                          });
        own.resize(kept);
        sources.push_back({std::move(own)});
        own.clear();
    };
    int current = -1;
    for (std::size_t i = 0; i < table.cases.size(); ++i) {
        const int source = table.cases[i].source;
        if (source != current)
            close();
        current = source;
        if (!without || !without(i))
            own.push_back({static_cast<int>(i), distances[i], 0.0});
    }
    close();
    return sources;
}

// Gives the cases of a source their weights and leaves out those that hardly count.
void weigh(SourceCases& source, double sourceWeight) {
    double sum = 0.0;
    std::erase_if(source.cases, [&](NearCase& c) {
        c.weight = std::exp((source.nearest() - c.distance) / kCaseFall);
        sum += c.weight < kLeastWeight ? 0.0 : c.weight;
        return c.weight < kLeastWeight;
    });
    for (NearCase& c : source.cases)
        c.weight *= sourceWeight / sum;
}

} // namespace

Neighbourhood neighbourhood(const CaseTable& table, const Features& features,
                            const std::vector<double>& distances, const LeftOut& without) {
    Neighbourhood around;
    around.communication = features[Feature::TensorTime] + features[Feature::GradientTime];
    std::vector<SourceCases> sources = nearestOfSources(table, distances, without);
    for (const SourceCases& source : sources)
        around.distance = std::min(around.distance, source.nearest());
    double sum = 0.0;
    for (SourceCases& source : sources) {
        const double weight = std::exp((around.distance - source.nearest()) / kSourceFall);
        if (weight < kLeastWeight)
            continue;
        sum += weight;
        weigh(source, weight);
        ++around.sources;
        around.cases.insert(around.cases.end(), source.cases.begin(), source.cases.end());
    }
    double mean = 0.0;
    for (NearCase& c : around.cases) {
        c.weight /= sum;
        mean -= c.weight * table.cases[static_cast<std::size_t>(c.index)].residual;
    }
    around.centre = mean * std::exp(-around.distance / kSharedFall);
    for (const NearCase& c : around.cases) {
        const double off = -table.cases[static_cast<std::size_t>(c.index)].residual - around.centre;
        around.variance += c.weight * off * off;
    }
    std::stable_sort(around.cases.begin(), around.cases.end(),
                     [](const NearCase& a, const NearCase& b) { return a.distance < b.distance; });
    return around;
}

Neighbourhood neighbourhood(const CaseTable& table, const Features& features, const LeftOut& without) {
    std::vector<double> distances(table.cases.size());
    for (std::size_t i = 0; i < distances.size(); ++i)
        distances[i] = distance(features, table.cases[i].features);
    return neighbourhood(table, features, distances, without);
}

double halfWidth(const Neighbourhood& around, const BandWidths& widths) {
    const double apart = around.distance * around.distance;
    const double stranger = std::isfinite(apart) ? apart / (apart + kStrange * kStrange) : 1.0;
    const double far =
        std::hypot(1.0, kByDistance * around.distance, kByCommunication * around.communication);
    return std::hypot(std::sqrt((1.0 - stranger) * (around.variance + kFloor * kFloor)) * widths.near,
                      std::sqrt(stranger) * far * widths.far);
}

ErrorBand errorBand(const Features& features) {
    const CaseTable& table = measuredCases();
    Neighbourhood around = neighbourhood(table, features);
    const double half = halfWidth(around, table.widths);
    ErrorBand band;
    band.low = std::exp(around.centre - half);
    band.high = std::exp(around.centre + half);
    band.distance = around.distance;
    band.cases = std::move(around.cases);
    band.sources = around.sources;
    return band;
}

ErrorBand errorBand(const Problem& problem, const Plan& plan, const Evaluation& evaluation) {
    return errorBand(featuresOf(problem, plan, evaluation));
}

std::string caseText(const NearCase& near) {
    const CaseTable& table = measuredCases();
    const MeasuredCase& found = table.cases[static_cast<std::size_t>(near.index)];
    const std::string& name = table.sources[static_cast<std::size_t>(found.source)];
    for (const PublishedTable& published : publishedTables())
        if (published.name == name)
            return published.label + " " + found.rowId;
    return name + " " + found.rowId;
}

} // namespace pw
