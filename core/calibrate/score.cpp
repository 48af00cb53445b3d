// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibrate/score.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace pw {

namespace {

constexpr std::size_t kLeastGroup = 3; // tau of two runs is only ever -1 or 1

// Pairs in order, against it, and tied in one of the two.
struct PairCounts {
    double concordant = 0.0, discordant = 0.0, pairs = 0.0, tiedMeasured = 0.0, tiedPredicted = 0.0;

    void add(const std::vector<MeasuredPair>& runs) {
        for (std::size_t i = 0; i < runs.size(); ++i)
            for (std::size_t j = i + 1; j < runs.size(); ++j) {
                const double measured = runs[i].measured - runs[j].measured;
                const double predicted = runs[i].predicted - runs[j].predicted;
                pairs += 1.0;
                tiedMeasured += measured == 0.0 ? 1.0 : 0.0;
                tiedPredicted += predicted == 0.0 ? 1.0 : 0.0;
                if (measured * predicted > 0.0)
                    concordant += 1.0;
                else if (measured * predicted < 0.0)
                    discordant += 1.0;
            }
    }
    std::optional<double> tau() const {
        const double scale = std::sqrt((pairs - tiedMeasured) * (pairs - tiedPredicted));
        if (scale <= 0.0)
            return std::nullopt;
        return (concordant - discordant) / scale;
    }
};

bool scorable(const RunRow& row) {
    return row.quality == "A" || row.quality == "B";
}

} // namespace

RunGroup runGroup(const RunRow& row) {
    return {
        row.model,           row.nLayers.value_or(0), row.hidden.value_or(0), row.gpu, row.nGpus.value_or(0),
        row.gbs.value_or(0), row.seqLen.value_or(0)};
}

std::vector<bool> doubtfulRows(const std::vector<RunRow>& rows) {
    std::map<std::pair<double, double>, std::vector<std::size_t>> same;
    for (std::size_t i = 0; i < rows.size(); ++i)
        if (rows[i].iterTimeS && rows[i].peakMemGib)
            same[{*rows[i].iterTimeS, *rows[i].peakMemGib}].push_back(i);
    std::vector<bool> doubtful(rows.size(), false);
    for (const auto& [figures, members] : same)
        for (const std::size_t i : members)
            for (const std::size_t j : members)
                if (rows[i].nGpus != rows[j].nGpus)
                    doubtful[i] = true;
    return doubtful;
}

double quantile(std::vector<double> values, double share) {
    std::sort(values.begin(), values.end());
    const double at = share * static_cast<double>(values.size() - 1);
    const auto below = static_cast<std::size_t>(std::floor(at));
    const std::size_t above = std::min(below + 1, values.size() - 1);
    return values[below] + (at - std::floor(at)) * (values[above] - values[below]);
}

ErrorFigures errorFigures(std::vector<double> signedErrors) {
    ErrorFigures figures;
    figures.count = static_cast<int>(signedErrors.size());
    if (signedErrors.empty())
        return figures;
    figures.bias = quantile(signedErrors, 0.5);
    for (double& error : signedErrors)
        error = std::abs(error);
    figures.median = quantile(signedErrors, 0.5);
    figures.p90 = quantile(signedErrors, 0.9);
    return figures;
}

std::optional<double> kendallTau(const std::vector<MeasuredPair>& runs) {
    PairCounts counts;
    counts.add(runs);
    return counts.tau();
}

double regret(const std::vector<MeasuredPair>& runs) {
    const auto chosen =
        std::min_element(runs.begin(), runs.end(), [](const MeasuredPair& a, const MeasuredPair& b) {
            return a.predicted < b.predicted;
        });
    const auto best =
        std::min_element(runs.begin(), runs.end(), [](const MeasuredPair& a, const MeasuredPair& b) {
            return a.measured < b.measured;
        });
    return chosen->measured / best->measured - 1.0;
}

Ranking ranking(const std::vector<std::vector<MeasuredPair>>& groups) {
    Ranking result;
    PairCounts pooled;
    std::vector<double> taus, regrets;
    for (const std::vector<MeasuredPair>& group : groups) {
        const std::optional<double> tau = kendallTau(group);
        if (group.size() < kLeastGroup || !tau)
            continue;
        pooled.add(group);
        taus.push_back(*tau);
        regrets.push_back(regret(group));
    }
    result.groups = static_cast<int>(taus.size());
    result.pairs = static_cast<int>(pooled.pairs);
    if (taus.empty())
        return result;
    result.medianTau = quantile(taus, 0.5);
    result.pooledTau = pooled.tau().value_or(0.0);
    result.medianRegret = quantile(regrets, 0.5);
    result.worstRegret = *std::max_element(regrets.begin(), regrets.end());
    return result;
}

std::vector<bool> scoredRows(const std::vector<RunRow>& rows, const std::vector<RunPrediction>& predictions) {
    const std::vector<bool> doubtful = doubtfulRows(rows);
    std::vector<bool> counts(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i)
        counts[i] = scorable(rows[i]) && predictions[i].status == PredictionStatus::Ok && !doubtful[i];
    return counts;
}

std::optional<double> timeError(const RunRow& row, const RunPrediction& prediction) {
    if (prediction.status != PredictionStatus::Ok || row.iterTimeS.value_or(0.0) <= 0.0)
        return std::nullopt;
    return prediction.iterTimeS / *row.iterTimeS - 1.0;
}

std::optional<double> memoryError(const RunRow& row, const RunPrediction& prediction) {
    if (prediction.status != PredictionStatus::Ok || row.peakMemGib.value_or(0.0) <= 0.0)
        return std::nullopt;
    return prediction.peakMemGib / *row.peakMemGib - 1.0;
}

SourceScore scoreRuns(std::string source, const std::vector<RunRow>& rows,
                      const std::vector<RunPrediction>& predictions) {
    SourceScore score;
    score.source = std::move(source);
    score.rows = static_cast<int>(rows.size());
    const std::vector<bool> counts = scoredRows(rows, predictions);
    std::vector<double> time, memory;
    std::map<RunGroup, std::vector<MeasuredPair>> groups;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const RunRow& row = rows[i];
        const RunPrediction& prediction = predictions[i];
        if (!scorable(row))
            continue;
        ++score.scorable;
        score.unsupported += prediction.status == PredictionStatus::Unsupported ? 1 : 0;
        score.errors += prediction.status == PredictionStatus::Error ? 1 : 0;
        if (prediction.status != PredictionStatus::Ok)
            continue;
        ++score.predicted;
        if (!counts[i]) {
            ++score.doubtful;
            continue;
        }
        const std::optional<double> error = timeError(row, prediction);
        const bool worked = error.has_value();
        if (worked) {
            time.push_back(*error);
            groups[runGroup(row)].push_back({*row.iterTimeS, prediction.iterTimeS});
        }
        if (const std::optional<double> of = memoryError(row, prediction))
            memory.push_back(*of);
        if (worked)
            ++(prediction.fits ? score.fits.fitsWorked : score.fits.tooLargeWorked);
        else if (row.failed())
            ++(prediction.fits ? score.fits.fitsFailed : score.fits.tooLargeFailed);
    }
    score.time = errorFigures(std::move(time));
    score.memory = errorFigures(std::move(memory));
    std::vector<std::vector<MeasuredPair>> listed;
    for (auto& [key, group] : groups)
        listed.push_back(std::move(group));
    score.ranking = ranking(listed);
    return score;
}

} // namespace pw
