// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibrate/constants_fit.h"

#include "core/base/parallel.h"
#include "core/calibrate/robust_fit.h"
#include "core/calibrate/run_case.h"
#include "core/calibrate/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <mutex>
#include <set>

namespace pw {

namespace {

constexpr double kKnee = 0.03;
constexpr double kFullWeight = 10.0; // runs of a source that weighs as much as any

using Vector = std::vector<double>;

struct FittedRun {
    std::size_t source = 0;
    RunRow row;
};

// Behind the constants of a set, the logarithms of those that are fitted.
class Variables {
public:
    Variables() {
        const auto list = ConstantSet::builtin().list();
        for (std::size_t i = 0; i < list.size(); ++i)
            if (list[i].fit == FittedTo::Runs)
                m_index.push_back(i);
    }
    Vector logs(double FittedConstant::*figure) const {
        Vector logs;
        for (const std::size_t i : m_index)
            logs.push_back(std::log(ConstantSet::builtin().list()[i].*figure));
        return logs;
    }
    ConstantSet constants(const Vector& logs) const {
        Vector values;
        for (const FittedConstant& constant : ConstantSet::builtin().list())
            values.push_back(constant.value);
        for (std::size_t j = 0; j < m_index.size(); ++j)
            values[m_index[j]] = std::exp(logs[j]);
        return ConstantSet::builtin().with(values);
    }
    std::string name(std::size_t j) const {
        const FittedConstant& constant = ConstantSet::builtin().list()[m_index[j]];
        return constant.section + "." + constant.name;
    }

private:
    std::vector<std::size_t> m_index;
};

double rounded(double value) {
    const std::string text = fmt::format("{:.4g}", value);
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
}

ConstantsFit fitTo(const std::vector<FittedRun>& runs, const Variables& variables, const Vector& from,
                   std::stop_token stop) {
    std::vector<RunRow> rows;
    std::map<std::size_t, double> counts;
    for (const FittedRun& run : runs) {
        rows.push_back(run.row);
        counts[run.source] += 1.0;
    }
    RobustFit fit;
    fit.residuals = [&](const Vector& logs) {
        const auto predictions = predictRuns(rows, 1, stop, {}, {}, variables.constants(logs));
        Vector residuals;
        for (std::size_t i = 0; i < rows.size(); ++i)
            residuals.push_back(predictions[i].status == PredictionStatus::Ok
                                    ? std::log(predictions[i].iterTimeS / *rows[i].iterTimeS)
                                    : 0.0); // stopped; what is predicted does not depend on the constants
        return residuals;
    };
    for (const FittedRun& run : runs)
        fit.weights.push_back(std::min(1.0 / counts[run.source], 1.0 / kFullWeight));
    fit.knee = kKnee;
    fit.start = from;
    fit.least = variables.logs(&FittedConstant::least);
    fit.most = variables.logs(&FittedConstant::most);
    fit.pull.assign(from.size(), 0.0);
    const RobustFitResult found = fitRobustly(fit, stop);

    ConstantsFit result;
    Vector values;
    const ConstantSet fitted = variables.constants(found.x);
    for (const FittedConstant& constant : fitted.list())
        values.push_back(constant.fit == FittedTo::Runs ? rounded(constant.value) : constant.value);
    result.constants = ConstantSet::builtin().with(values);
    result.runs = static_cast<int>(rows.size());
    result.startLoss = found.startLoss;
    result.loss = found.loss;
    result.evaluations = found.evaluations;
    result.settled = found.settled;
    for (std::size_t j = 0; j < found.moved.size(); ++j)
        if (!found.moved[j])
            result.untold.push_back(variables.name(j));
    return result;
}

// The runs that count for the loss.
std::vector<FittedRun> fittedRuns(const std::vector<RunSource>& sources, const ConstantsFitOptions& options,
                                  const std::stop_token& stop) {
    std::vector<FittedRun> runs;
    for (std::size_t s = 0; s < sources.size(); ++s) {
        std::vector<FittedRun> own;
        const std::vector<RunRow>& rows = sources[s].rows;
        const std::vector<bool> scored =
            scoredRows(rows, predictRuns(rows, options.threads, stop, {}, sources[s].layers));
        for (std::size_t i = 0; i < rows.size(); ++i) {
            if (!scored[i] || rows[i].iterTimeS.value_or(0.0) <= 0.0)
                continue;
            const Result<RunCase> run = runCase(rows[i], {}, sources[s].layers);
            if (run && run->problem->profiles().empty() &&
                !splitsBackward(run->plan.pipelines.front().schedule.kind))
                own.push_back({s, rows[i]});
        }
        const std::size_t most =
            options.mostRuns > 0 ? static_cast<std::size_t>(options.mostRuns) : own.size();
        const std::size_t taken = std::min(most, own.size());
        for (std::size_t k = 0; k < taken; ++k)
            runs.push_back(own[k * own.size() / taken]);
    }
    return runs;
}

// Everything that is left out once, and which fit has not seen it.
struct LeftOut {
    std::string name;
    std::size_t source = 0; // or
    bool framework = false;
    bool covers(std::size_t s, const RunRow& row) const {
        return framework ? frameworkOf(row) == name : s == source;
    }
};

class Run {
public:
    Run(const std::vector<RunSource>& sources, const ConstantsFitOptions& options, std::stop_token stop)
        : m_sources(sources), m_options(options), m_stop(std::move(stop)),
          m_runs(fittedRuns(sources, options, m_stop)) {}

    Result<ConstantsReport> report() {
        const Error halted = stopped("stopped", "stopped before the fits were done");
        if (m_stop.stop_requested())
            return halted;
        if (m_runs.empty())
            return badInput("calibrate.runs", "", "no run has a time that can be fitted to");
        list();
        fitAll();
        if (!m_stop.stop_requested())
            score();
        if (m_stop.stop_requested())
            return halted;
        return std::move(m_report);
    }

private:
    struct Task {
        std::vector<bool> seen; // of m_runs
        std::string name;
        ConstantsFit* result = nullptr;
    };

    void list() {
        if (m_options.leaveOutSources)
            for (std::size_t s = 0; s < m_sources.size(); ++s)
                m_leftOut.push_back({m_sources[s].name, s, false});
        if (m_options.leaveOutFrameworks) {
            std::set<std::string> names;
            for (const RunSource& source : m_sources)
                for (const RunRow& row : source.rows)
                    names.insert(frameworkOf(row));
            for (const std::string& name : names)
                m_leftOut.push_back({name, 0, true});
        }
        // What is left out may be the same runs by either name, or none that are fitted to.
        for (const LeftOut& left : m_leftOut) {
            std::vector<bool> seen(m_runs.size());
            for (std::size_t i = 0; i < m_runs.size(); ++i)
                seen[i] = !left.covers(m_runs[i].source, m_runs[i].row);
            const auto known = std::find_if(m_tasks.begin(), m_tasks.end(),
                                            [&](const Task& task) { return task.seen == seen; });
            const bool whole = std::find(seen.begin(), seen.end(), false) == seen.end();
            m_fitOf.push_back(whole ? LeftOutErrors::kAll : static_cast<int>(known - m_tasks.begin()));
            if (!whole && known == m_tasks.end())
                m_tasks.push_back({std::move(seen), "without " + left.name, nullptr});
        }
        m_report.fits.resize(m_tasks.size());
        for (std::size_t t = 0; t < m_tasks.size(); ++t)
            m_tasks[t].result = &m_report.fits[t];
        const std::vector<bool> all(m_runs.size(), true);
        m_tasks.insert(m_tasks.begin(), {{all, "all", &m_report.all},
                                         {all, "all, from the built-in values", &m_report.fromBuiltin}});
    }

    void fitAll() {
        const Variables variables;
        const Vector start = variables.logs(&FittedConstant::start);
        const Vector builtin = variables.logs(&FittedConstant::value);
        inParallel(m_tasks.size(), m_options.threads, [&](std::size_t t) {
            const Task& task = m_tasks[t];
            std::vector<FittedRun> runs;
            for (std::size_t i = 0; i < m_runs.size(); ++i)
                if (task.seen[i])
                    runs.push_back(m_runs[i]);
            if (runs.empty() || m_stop.stop_requested())
                return;
            const bool again = task.result == &m_report.fromBuiltin;
            *task.result = fitTo(runs, variables, again ? builtin : start, m_stop);
            tell(task);
        });
    }

    void tell(const Task& task) {
        if (!m_options.progress)
            return;
        const std::scoped_lock lock(m_mutex);
        m_options.progress(fmt::format("fitted to {} runs ({}): loss {:.4f} from {:.4f}, {} evaluations{}",
                                       task.result->runs, task.name, task.result->loss,
                                       task.result->startLoss, task.result->evaluations,
                                       task.result->settled ? "" : ", not settled"));
    }

    void score() {
        std::vector<std::vector<RunPrediction>> allIn;
        for (std::size_t s = 0; s < m_sources.size(); ++s) {
            m_report.builtin.push_back(errors(m_sources[s].rows, predict(s, ConstantSet::builtin(), {})));
            allIn.push_back(predict(s, m_report.all.constants, {}));
            m_report.allIn.push_back(errors(m_sources[s].rows, allIn.back()));
        }
        for (std::size_t l = 0; l < m_leftOut.size(); ++l) {
            const LeftOut& left = m_leftOut[l];
            const ConstantsFit& fit = fitOf(m_report, m_fitOf[l]);
            if (fit.runs == 0)
                continue; // nothing else to fit to
            for (std::size_t s = 0; s < m_sources.size(); ++s) {
                std::vector<RunRow> rows;
                std::vector<RunPrediction> known;
                for (std::size_t i = 0; i < m_sources[s].rows.size(); ++i)
                    if (left.covers(s, m_sources[s].rows[i])) {
                        rows.push_back(m_sources[s].rows[i]);
                        known.push_back(allIn[s][i]);
                    }
                LeftOutErrors entry{left.name, m_sources[s].name, errors(rows, known), {}, m_fitOf[l]};
                if (entry.allIn.count == 0)
                    continue;
                entry.unseen = errors(rows, predict(s, fit.constants, rows));
                (left.framework ? m_report.frameworks : m_report.sources).push_back(std::move(entry));
            }
        }
    }

    // Of some rows of a source; of all where none are named.
    std::vector<RunPrediction> predict(std::size_t source, const ConstantSet& constants,
                                       const std::vector<RunRow>& rows) const {
        return predictRuns(rows.empty() ? m_sources[source].rows : rows, m_options.threads, m_stop, {},
                           m_sources[source].layers, constants);
    }

    static ErrorFigures errors(const std::vector<RunRow>& rows,
                               const std::vector<RunPrediction>& predictions) {
        return scoreRuns("", rows, predictions).time;
    }

    const std::vector<RunSource>& m_sources;
    const ConstantsFitOptions& m_options;
    std::stop_token m_stop;
    std::vector<FittedRun> m_runs;
    std::vector<LeftOut> m_leftOut;
    std::vector<int> m_fitOf; // of each that is left out
    std::vector<Task> m_tasks;
    std::mutex m_mutex;
    ConstantsReport m_report;
};

} // namespace

const ConstantsFit& fitOf(const ConstantsReport& report, int fit) {
    return fit == LeftOutErrors::kAll ? report.all : report.fits[static_cast<std::size_t>(fit)];
}

std::string frameworkOf(const RunRow& row) {
    const std::vector<std::string> words = wordsOf(row.framework);
    return words.empty() ? "unstated" : words.front();
}

Result<ConstantsReport> fitConstants(const std::vector<RunSource>& sources,
                                     const ConstantsFitOptions& options, std::stop_token stop) {
    return Run(sources, options, std::move(stop)).report();
}

} // namespace pw
