// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibrate/fit.h"

#include "core/base/random.h"
#include "core/calibrate/robust_fit.h"
#include "core/calibrate/run_case.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

namespace pw {

namespace {

constexpr double kResidual =
    0.08; // of a usual prediction, in logarithms: what sources leave, standard deviations
// Of factors' logarithms; chosen by hand near what ten published sources show (drawnCalibrations(): compute
// and memory 0.01 to 0.1, software to 0.2, fabrics and links mostly below 0.1 and as far as 0.4) and by what
// the same draws leave of their errors.
constexpr double kComputePrior = 0.08, kMemoryPrior = 0.06, kFabricPrior = 0.1, kLinkPrior = 0.1;
constexpr double kSoftwarePrior = 0.12;
constexpr double kOffsetRuns = 2.0; // peaks that the prior of no offset is worth
constexpr double kRunKnee = 0.1;    // residuals beyond count linearly
constexpr double kFarthest = 2.3;   // of a factor's logarithm: what readCalibration accepts

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
        for (const std::string& kind : m_kinds)
            for (const auto& [part, prior] :
                 {std::pair("compute", kComputePrior), std::pair("memory", kMemoryPrior),
                  std::pair("fabric", kFabricPrior)})
                m_all.push_back({{part, kind}, prior, true});
        for (const std::string& medium : m_media)
            m_all.push_back({{"links", medium}, kLinkPrior, true});
        for (const SoftwareGroup& group : softwareGroups())
            if (group.ofWholeSteps)
                m_all.push_back({{group.name, {}}, kSoftwarePrior, true});
    }
    struct Parameter {
        FactorName name;
        double prior; // of the logarithm
        bool open;    // else it stays at 1
    };
    std::size_t size() const { return m_all.size(); }
    const Parameter& operator[](std::size_t i) const { return m_all[i]; }
    void close(std::size_t i) { m_all[i].open = false; }
    Calibration calibration(const Vector& logs) const {
        Calibration result;
        std::size_t at = 0;
        for (const std::string& kind : m_kinds) {
            result.kinds[kind] = {std::exp(logs[at]), std::exp(logs[at + 1]), std::exp(logs[at + 2])};
            at += 3;
        }
        for (const std::string& medium : m_media)
            result.links[medium] = std::exp(logs[at++]);
        for (const SoftwareGroup& group : softwareGroups()) {
            if (!group.ofWholeSteps)
                continue;
            if (logs[at] != 0.0)
                result.software[group.name] = std::exp(logs[at]);
            ++at;
        }
        return result;
    }

private:
    std::vector<std::string> m_kinds, m_media;
    std::vector<Parameter> m_all;
};

class Fit {
public:
    Fit(const std::vector<RunRow>& rows, const Parameters& parameters, int threads, std::stop_token stop,
        const std::vector<LayerTime>& layers)
        : m_rows(rows), m_parameters(parameters), m_layers(layers), m_threads(threads),
          m_stop(std::move(stop)) {}

    // ln(predicted / measured) of the rows; a row that is not predicted tells nothing.
    Vector residuals(const Vector& logs) const {
        const auto predictions =
            predictRuns(m_rows, m_threads, m_stop, m_parameters.calibration(logs), m_layers);
        Vector result;
        for (std::size_t i = 0; i < m_rows.size(); ++i)
            result.push_back(predictions[i].status == PredictionStatus::Ok
                                 ? std::log(predictions[i].iterTimeS / *m_rows[i].iterTimeS)
                                 : 0.0);
        return result;
    }

    Vector best() const {
        std::vector<std::size_t> open;
        for (std::size_t i = 0; i < m_parameters.size(); ++i)
            if (m_parameters[i].open)
                open.push_back(i);
        const std::size_t n = open.size();
        const auto spread = [&](const Vector& some) {
            Vector all(m_parameters.size(), 0.0);
            for (std::size_t i = 0; i < n; ++i)
                all[open[i]] = some[i];
            return all;
        };
        RobustFit fit;
        fit.residuals = [&](const Vector& some) { return residuals(spread(some)); };
        // Near 0 a row counts (residual / kResidual)^2 / 2, as the prior does.
        fit.weights.assign(m_rows.size(), kRunKnee / (kResidual * kResidual));
        fit.knee = kRunKnee;
        fit.start.assign(n, 0.0);
        fit.least.assign(n, -kFarthest);
        fit.most.assign(n, kFarthest);
        for (const std::size_t i : open)
            fit.pull.push_back(1.0 / (m_parameters[i].prior * m_parameters[i].prior));
        return spread(fitRobustly(fit, m_stop).x);
    }

    // Of every factor, as if it were alone: slopes at the fit, each row by its weight there.
    Vector told(const Vector& logs) const {
        constexpr double kProbe = 0.02;
        const Vector here = residuals(logs);
        Vector shares;
        for (std::size_t j = 0; j < m_parameters.size(); ++j) {
            double squares = 0.0;
            if (m_parameters[j].open) {
                Vector probed = logs;
                probed[j] += kProbe;
                const Vector there = residuals(probed);
                for (std::size_t i = 0; i < here.size(); ++i) {
                    const double slope = (there[i] - here[i]) / kProbe;
                    squares +=
                        slope * slope * kRunKnee / (kResidual * kResidual) / std::hypot(here[i], kRunKnee);
                }
            }
            const double pull = 1.0 / (m_parameters[j].prior * m_parameters[j].prior);
            shares.push_back(squares / (squares + pull));
        }
        return shares;
    }

private:
    const std::vector<RunRow>& m_rows;
    const Parameters& m_parameters;
    const std::vector<LayerTime>& m_layers;
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

namespace {

// The rows that a fit can use: measured and predicted.
std::vector<RunRow> usable(const std::vector<RunRow>& rows, const std::vector<RunPrediction>& predictions) {
    std::vector<RunRow> used;
    for (std::size_t i = 0; i < rows.size(); ++i)
        if (rows[i].iterTimeS.value_or(0.0) > 0.0 && predictions[i].status == PredictionStatus::Ok)
            used.push_back(rows[i]);
    return used;
}

// The fit, and again with what the runs told nothing of closed in `parameters`.
Vector fitted(const std::vector<RunRow>& rows, Parameters& parameters, Vector& told, int threads,
              const std::stop_token& stop, const std::vector<LayerTime>& layers) {
    const Vector first = Fit(rows, parameters, threads, stop, layers).best();
    told = Fit(rows, parameters, threads, stop, layers).told(first);
    bool closed = false;
    for (std::size_t i = 0; i < told.size(); ++i)
        if (parameters[i].open && told[i] < kLeastTold) {
            parameters.close(i);
            closed = true;
        }
    return closed ? Fit(rows, parameters, threads, stop, layers).best() : first;
}

double offsetOf(const std::vector<double>& apart) {
    const auto count = static_cast<double>(apart.size());
    return apart.empty() ? 0.0 : quantile(apart, 0.5) * count / (count + kOffsetRuns);
}

void fitPeaks(FitReport& report, const std::vector<RunRow>& rows, const std::vector<RunPrediction>& first) {
    std::vector<double> apart;
    for (std::size_t i = 0; i < rows.size(); ++i)
        if (const double peak = rows[i].peakMemGib.value_or(0.0);
            peak > 0.0 && first[i].status == PredictionStatus::Ok)
            apart.push_back(peak - first[i].peakMemGib);
    report.peaks = static_cast<int>(apart.size());
    report.calibration.memoryOffset = offsetOf(apart);
    if (apart.size() < 2)
        return;
    std::vector<double> before, after;
    for (std::size_t i = 0; i < apart.size(); ++i) {
        std::vector<double> others = apart;
        others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
        before.push_back(std::abs(apart[i]));
        after.push_back(std::abs(apart[i] - offsetOf(others)));
    }
    report.peakBefore = quantile(before, 0.5);
    report.peakAfter = quantile(after, 0.5);
}

} // namespace

std::string FactorName::text() const {
    return kind.empty() ? part : part + " of " + kind;
}

Result<FitReport> fitCalibration(const std::vector<RunRow>& rows, const FitOptions& options,
                                 std::stop_token stop) {
    const std::vector<LayerTime> none;
    FitReport report;
    const auto first = predictRuns(rows, options.threads, stop);
    const std::vector<RunRow> used = usable(rows, first);
    report.runs = static_cast<int>(used.size());
    report.left = static_cast<int>(rows.size() - used.size());
    if (used.empty())
        return badInput("calibrate.runs", "", "no run has a time that can be predicted");
    Parameters parameters(used);
    Vector told;
    const Vector logs = fitted(used, parameters, told, options.threads, stop, none);
    const Fit all(used, parameters, options.threads, stop, none);
    report.calibration = parameters.calibration(logs);
    for (std::size_t i = 0; i < parameters.size(); ++i)
        report.factors.push_back({parameters[i].name, std::exp(logs[i]), told[i], parameters[i].open});
    report.before = figuresOf(all.residuals(Vector(parameters.size(), 0.0)));
    report.after = figuresOf(all.residuals(logs));
    fitPeaks(report, rows, first);

    const int folds = report.runs <= kFewRuns ? report.runs : std::min<int>(options.folds, report.runs);
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
            Parameters own(used);
            Vector ofSeen;
            const Vector part = fitted(seen, own, ofSeen, options.threads, stop, none);
            const Vector tested = Fit(kept, own, options.threads, stop, none).residuals(part);
            unseen.insert(unseen.end(), tested.begin(), tested.end());
        }
        report.crossValidated = figuresOf(std::move(unseen));
    }
    if (stop.stop_requested())
        return stopped("stopped", "stopped before the fit was done");
    return report;
}

Result<DrawnErrors> drawnCalibrations(const std::vector<RunRow>& rows, const std::vector<LayerTime>& layers,
                                      int runs, int draws, const FitOptions& options,
                                      const std::stop_token& stop) {
    const auto first = predictRuns(rows, options.threads, stop, {}, layers);
    const std::vector<RunRow> used = usable(rows, first);
    if (static_cast<int>(used.size()) < runs + 2)
        return badInput("calibrate.runs", "",
                        {"{rows} rows can be predicted; {runs} are drawn, and two at least have to be left",
                         {{"rows", used.size()}, {"runs", runs}}});
    DrawnErrors result;
    result.rows = static_cast<int>(used.size());
    Random random(options.seed);
    Vector before, after;
    std::map<FactorName, Vector> factors;
    for (int d = 0; d < draws && !stop.stop_requested(); ++d) {
        std::vector<RunRow> rest = used, drawn;
        for (int k = 0; k < runs; ++k) {
            const auto at = static_cast<std::ptrdiff_t>(random.below(rest.size()));
            drawn.push_back(rest[static_cast<std::size_t>(at)]);
            rest.erase(rest.begin() + at);
        }
        Parameters parameters(used);
        Vector told;
        const Vector logs = fitted(drawn, parameters, told, options.threads, stop, layers);
        for (std::size_t i = 0; i < parameters.size(); ++i)
            if (parameters[i].open)
                factors[parameters[i].name].push_back(logs[i]);
        const Fit fit(rest, parameters, options.threads, stop, layers);
        before.push_back(figuresOf(fit.residuals(Vector(parameters.size(), 0.0))).median);
        after.push_back(figuresOf(fit.residuals(logs)).median);
        ++result.draws;
    }
    if (stop.stop_requested())
        return stopped("stopped", "stopped before all draws were done");
    result.before = quantile(before, 0.5);
    result.after = quantile(after, 0.5);
    result.worst = quantile(after, 1.0);
    result.factors.assign(factors.begin(), factors.end());
    return result;
}

} // namespace pw
