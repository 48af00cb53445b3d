// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibrate/fit.h"

#include "core/base/random.h"
#include "core/calibrate/run_case.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

namespace pw {

namespace {

constexpr double kResidual = 0.05; // of a good prediction, in logarithms
constexpr double kPrior = 0.15;    // of a factor, likewise
constexpr double kHuber = 2.0;     // residuals beyond so many times kResidual count linearly
constexpr double kProbe = 0.02;    // step of the differences
constexpr double kLongest = 0.3;   // of a step, in any factor
constexpr int kSteps = 8, kHalvings = 5;

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

double huberWeight(double residual) {
    const double size = std::abs(residual) / kResidual;
    return size <= kHuber ? 1.0 : kHuber / size;
}

double loss(const Vector& residuals, const Vector& logs) {
    double sum = 0.0;
    for (const double r : residuals) {
        const double size = std::abs(r) / kResidual;
        sum += size <= kHuber ? size * size : kHuber * (2.0 * size - kHuber);
    }
    for (const double t : logs)
        sum += (t / kPrior) * (t / kPrior);
    return sum;
}

// Solves the symmetric positive definite a x = b by Gaussian elimination; a prior on the diagonal keeps it
// so.
Vector solve(std::vector<Vector> a, Vector b) {
    const std::size_t n = b.size();
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t r = i + 1; r < n; ++r) {
            const double share = a[r][i] / a[i][i];
            for (std::size_t c = i; c < n; ++c)
                a[r][c] -= share * a[i][c];
            b[r] -= share * b[i];
        }
    for (std::size_t i = n; i-- > 0;) {
        for (std::size_t c = i + 1; c < n; ++c)
            b[i] -= a[i][c] * b[c];
        b[i] /= a[i][i];
    }
    return b;
}

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
        Vector logs(m_parameters.size(), 0.0);
        Vector now = residuals(logs);
        for (int step = 0; step < kSteps && !m_stop.stop_requested(); ++step) {
            Vector change = direction(logs, now);
            bool better = false;
            for (int halving = 0; halving < kHalvings && !better; ++halving) {
                Vector tried = logs;
                for (std::size_t j = 0; j < tried.size(); ++j)
                    tried[j] += change[j];
                Vector then = residuals(tried);
                better = loss(then, tried) < loss(now, logs);
                if (better) {
                    logs = std::move(tried);
                    now = std::move(then);
                }
                for (double& c : change)
                    c *= 0.5;
            }
            if (!better)
                break;
        }
        return logs;
    }

private:
    Vector direction(const Vector& logs, const Vector& now) const {
        const std::size_t n = logs.size();
        std::vector<Vector> slopes;
        for (std::size_t j = 0; j < n; ++j) {
            Vector probed = logs;
            probed[j] += kProbe;
            Vector then = residuals(probed);
            for (std::size_t i = 0; i < then.size(); ++i)
                then[i] = (then[i] - now[i]) / kProbe;
            slopes.push_back(std::move(then));
        }
        std::vector<Vector> a(n, Vector(n, 0.0));
        Vector b(n, 0.0);
        for (std::size_t j = 0; j < n; ++j) {
            for (std::size_t i = 0; i < now.size(); ++i) {
                const double weight = huberWeight(now[i]) / (kResidual * kResidual);
                b[j] -= weight * slopes[j][i] * now[i];
                for (std::size_t k = 0; k < n; ++k)
                    a[j][k] += weight * slopes[j][i] * slopes[k][i];
            }
            a[j][j] += 1.0 / (kPrior * kPrior);
            b[j] -= logs[j] / (kPrior * kPrior);
        }
        Vector change = solve(std::move(a), std::move(b));
        // Shortened as a whole: cut one by one, the parts would no longer point downhill.
        double longest = 0.0;
        for (const double c : change)
            longest = std::max(longest, std::abs(c));
        for (double& c : change)
            c *= std::min(1.0, kLongest / std::max(longest, kLongest));
        return change;
    }

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
        return Error{ErrorKind::Stopped, "stopped", "", "stopped before the fit was done", {}};
    return report;
}

} // namespace pw
