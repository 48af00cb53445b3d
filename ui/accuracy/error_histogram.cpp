// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/accuracy/error_histogram.h"

#include <algorithm>
#include <cmath>

namespace pw {

namespace {

std::vector<double> countedErrors(const StudySource& source, RunQuantity quantity) {
    std::vector<double> errors;
    for (std::size_t i = 0; i < source.rows.size(); ++i) {
        if (!source.counted[i])
            continue;
        const auto error = quantity == RunQuantity::Time ? timeError(source.rows[i], source.predictions[i])
                                                         : memoryError(source.rows[i], source.predictions[i]);
        if (error)
            errors.push_back(*error);
    }
    return errors;
}

std::array<double, ErrorHistogram::kBins> shares(const std::vector<double>& errors) {
    std::array<double, ErrorHistogram::kBins> bins{};
    for (const double error : errors) {
        const double bin = std::floor((error - ErrorHistogram::kFrom) / ErrorHistogram::kWidth);
        bins[static_cast<std::size_t>(std::clamp(bin, 0.0, ErrorHistogram::kBins - 1.0))] +=
            1.0 / static_cast<double>(errors.size());
    }
    return bins;
}

double shareWithin(const std::vector<double>& errors, double bound) {
    const auto count =
        std::count_if(errors.begin(), errors.end(), [bound](double e) { return std::abs(e) <= bound; });
    return errors.empty() ? 0.0 : static_cast<double>(count) / static_cast<double>(errors.size());
}

} // namespace

ErrorHistogram errorHistogram(const std::vector<StudySource>& sources, int chosen, RunQuantity quantity) {
    ErrorHistogram histogram;
    for (std::size_t i = 0; i < sources.size(); ++i) {
        const std::vector<double> errors = countedErrors(sources[i], quantity);
        if (errors.empty())
            continue;
        ++histogram.sources;
        const auto bins = shares(errors);
        for (std::size_t bin = 0; bin < bins.size(); ++bin)
            histogram.all[bin] += bins[bin];
        if (static_cast<int>(i) != chosen)
            continue;
        histogram.chosen = bins;
        histogram.runs = static_cast<int>(errors.size());
        histogram.within10 = shareWithin(errors, 0.10);
        histogram.within25 = shareWithin(errors, 0.25);
    }
    for (double& share : histogram.all)
        share /= std::max(histogram.sources, 1);
    return histogram;
}

} // namespace pw
