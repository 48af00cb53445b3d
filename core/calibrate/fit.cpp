// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibrate/fit.h"

#include "core/base/random.h"
#include "core/calibrate/robust_fit.h"
#include "core/calibrate/run_case.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

namespace pw {

namespace {

constexpr double kResidual = 0.05; // of a good prediction, in logarithms
constexpr double kPrior = 0.15;    // of a factor, likewise
constexpr double kRunKnee = 0.1;   // residuals beyond count linearly
constexpr double kFarthest = 2.3;  // of a factor's logarithm: what readCalibration accepts

using Vector = std::vector<double>;

// What may change, and what a vector of logarithms makes of it.
class Parameters {
public:
    explicit Parameters(const std::vector<RunRow>& rows) {
        std::set<std::string> kinds, media;
        for (const RunRow& row : rows) {
            const Result<RunCase> run = runCase(row);
            if (!run)
                continue;
            for (const DeviceKind& kind : run->problem->topology().kinds())
                kinds.insert(kind.name);
            for (const Switch& at : run->problem->topology().cluster().switches)
                media.insert(at.medium);
        }
        m_kinds.assign(kinds.begin(), kinds.end());
        m_media.assign(media.begin(), media.end());
    }
    std::size_t size() const { return 3 * m_kinds.size() + m_media.size(); }
    Calibration calibration(const Vector& logs) const {
        Calibration result;
        std::size_t at = 0;
        for (const std::string& kind : m_kinds) {
            result.kinds[kind] = {std::exp(logs[at]), std::exp(logs[at + 1]), std::exp(logs[at + 2])};
            at += 3;
        }
        for (const std::string& medium : m_media)
            result.links[medium] = std::exp(logs[at++]);
        return result;
    }

private:
    std::vector<std::string> m_kinds, m_media;
};

class Fit {
public:
    Fit(const std::vector<RunRow>& rows, const Parameters& parameters, int threads, std::stop_token stop)
        : m_rows(rows), m_parameters(parameters), m_threads(threads), m_stop(std::move(stop)) {}

    // ln(predicted / measured) of the rows; a row that is not predicted tells nothing.
    Vector residuals(const Vector& logs) const {
        const auto predictions = predictRuns(m_rows, m_threads, m_stop, m_parameters.calibration(logs));
        Vector result;
        for (std::size_t i = 0; i < m_rows.size(); ++i)
            result.push_back(predictions[i].status == PredictionStatus::Ok
                                 ? std::log(predictions[i].iterTimeS / *m_rows[i].iterTimeS)
                                 : 0.0);
        return result;
    }

    Vector best() const {
        const std::size_t n = m_parameters.size();
        RobustFit fit;
        fit.residuals = [this](const Vector& logs) { return residuals(logs); };
        // Near 0 a row counts (residual / kResidual)^2 / 2, as the prior does.
        fit.weights.assign(m_rows.size(), kRunKnee / (kResidual * kResidual));
        fit.knee = kRunKnee;
        fit.start.assign(n, 0.0);
        fit.least.assign(n, -kFarthest);
        fit.most.assign(n, kFarthest);
        fit.pull.assign(n, 1.0 / (kPrior * kPrior));
        return fitRobustly(fit, m_stop).x;
    }

private:
    const std::vector<RunRow>& m_rows;
    const Parameters& m_parameters;
    int m_threads;
    std::stop_token m_stop;
};

// The fold of every row. Equal configurations stay together if they make at least as many groups as folds.
std::vector<int> foldsOf(const std::vector<RunRow>& rows, int folds, std::uint64_t seed) {
    using Key = std::tuple<std::string, std::int64_t, std::int64_t>;
    std::vector<Key> keys;
    for (const RunRow& row : rows)
        keys.emplace_back(row.model, row.nGpus.value_or(0), row.gbs.value_or(0));
    std::vector<Key> groups(keys);
    std::sort(groups.begin(), groups.end());
    groups.erase(std::unique(groups.begin(), groups.end()), groups.end());
    const bool grouped = groups.size() >= static_cast<std::size_t>(folds);
    const std::size_t count = grouped ? groups.size() : rows.size();
    std::vector<std::size_t> order(count);
    for (std::size_t i = 0; i < count; ++i)
        order[i] = i;
    Random random(seed);
    for (std::size_t i = count; i > 1; --i)
        std::swap(order[i - 1], order[random.below(i)]);
    std::vector<int> foldOf(count);
    for (std::size_t i = 0; i < count; ++i)
        foldOf[order[i]] = static_cast<int>(i % static_cast<std::size_t>(folds));
    std::vector<int> result;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const auto group = static_cast<std::size_t>(std::lower_bound(groups.begin(), groups.end(), keys[i]) -
                                                    groups.begin());
        result.push_back(foldOf[grouped ? group : i]);
    }
    return result;
}

ErrorFigures figuresOf(Vector logs) {
    for (double& r : logs)
        r = std::expm1(r);
    return errorFigures(std::move(logs));
}

} // namespace

Result<FitReport> fitCalibration(const std::vector<RunRow>& rows, const FitOptions& options,
                                 std::stop_token stop) {
    FitReport report;
    std::vector<RunRow> used;
    const auto first = predictRuns(rows, options.threads, stop);
    for (std::size_t i = 0; i < rows.size(); ++i)
        if (rows[i].iterTimeS.value_or(0.0) > 0.0 && first[i].status == PredictionStatus::Ok)
            used.push_back(rows[i]);
    report.runs = static_cast<int>(used.size());
    report.left = static_cast<int>(rows.size() - used.size());
    if (used.empty())
        return badInput("calibrate.runs", "", "no run has a time that can be predicted");
    const Parameters parameters(used);
    const Fit all(used, parameters, options.threads, stop);
    const Vector logs = all.best();
    report.calibration = parameters.calibration(logs);
    report.before = figuresOf(all.residuals(Vector(parameters.size(), 0.0)));
    report.after = figuresOf(all.residuals(logs));

    const int folds = std::min<int>(options.folds, report.runs);
    if (folds >= 2) {
        report.folds = folds;
        const std::vector<int> fold = foldsOf(used, folds, options.seed);
        Vector unseen;
        for (int f = 0; f < folds && !stop.stop_requested(); ++f) {
            std::vector<RunRow> seen, kept;
            for (std::size_t i = 0; i < used.size(); ++i)
                (fold[i] == f ? kept : seen).push_back(used[i]);
            if (kept.empty() || seen.empty())
                continue;
            const Vector part = Fit(seen, parameters, options.threads, stop).best();
            const Vector tested = Fit(kept, parameters, options.threads, stop).residuals(part);
            unseen.insert(unseen.end(), tested.begin(), tested.end());
        }
        report.crossValidated = figuresOf(std::move(unseen));
    }
    if (stop.stop_requested())
        return stopped("stopped", "stopped before the fit was done");
    return report;
}

} // namespace pw
