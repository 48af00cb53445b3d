// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/accuracy/memory_cases.h"

#include "core/accuracy/conformal.h"
#include "core/accuracy/published_runs.h"
#include "core/calibrate/score.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace pw {

namespace {

double apart(const MemoryCase& c) {
    return std::log((c.measured + kSpanOwn) / (c.predicted + kSpanOwn));
}

std::set<std::string> sourcesOf(const std::vector<MemoryCase>& cases) {
    std::set<std::string> sources;
    for (const MemoryCase& c : cases)
        sources.insert(c.source);
    return sources;
}

// The half width for a source that is none of these.
double strangersHalf(const std::vector<MemoryCase>& cases) {
    std::map<std::string, std::vector<double>> needed;
    for (const MemoryCase& c : cases)
        needed[c.source].push_back(std::abs(apart(c)));
    std::vector<std::vector<double>> lists;
    lists.reserve(needed.size());
    for (auto& [source, list] : needed)
        lists.push_back(std::move(list));
    return groupWidth(lists);
}

} // namespace

double chanceToFit(const Problem& problem, const Evaluation& evaluation) {
    double least = std::numeric_limits<double>::infinity();
    for (const DeviceMemory& m : evaluation.memory)
        least = std::min(least,
                         roomRatio(m.peak.total(),
                                   problem.topology().devices()[static_cast<std::size_t>(m.device)].memory));
    return chanceToFit(memorySpans().of(problem.recipe().stack), least);
}

Result<std::vector<MemoryCase>> predictedPeaks(int threads, const std::stop_token& stop) {
    std::vector<MemoryCase> cases;
    for (const PublishedTable& published : publishedTables()) {
        const Result<PublishedRuns> runs = readPublished(published);
        if (!runs)
            return runs.error();
        std::vector<RunRow> rows;
        const std::vector<bool> doubtful = doubtfulRows(runs->rows);
        for (std::size_t i = 0; i < runs->rows.size(); ++i)
            if (runs->rows[i].peakMemGib.value_or(0.0) > 0.0 && !doubtful[i])
                rows.push_back(runs->rows[i]);
        const std::vector<RunPrediction> predictions = predictRuns(rows, threads, stop, {}, runs->layers);
        for (std::size_t i = 0; i < rows.size(); ++i)
            if (predictions[i].status == PredictionStatus::Ok)
                cases.push_back({published.name, predictions[i].stack, rows[i].rowId,
                                 predictions[i].peakMemGib, rows[i].peakMemGib.value_or(0.0)});
    }
    if (stop.stop_requested())
        return stopped("stopped", "stopped before all runs were predicted");
    return cases;
}

MemorySpans fittedSpans(const std::vector<MemoryCase>& cases) {
    MemorySpans spans;
    spans.strangers = {0.0, strangersHalf(cases), static_cast<int>(cases.size()),
                       static_cast<int>(sourcesOf(cases).size())};
    std::map<std::string, std::vector<MemoryCase>> byStack;
    for (const MemoryCase& c : cases)
        if (!c.stack.empty())
            byStack[c.stack].push_back(c);
    for (const auto& [stack, own] : byStack) {
        const auto rows = static_cast<double>(own.size());
        if (rows < kStackRows)
            continue;
        std::vector<double> errors;
        for (const MemoryCase& c : own)
            errors.push_back(apart(c));
        MemorySpan span;
        span.rows = static_cast<int>(own.size());
        span.sources = static_cast<int>(sourcesOf(own).size());
        span.centre = quantile(errors, 0.5) * rows / (rows + kStackRows);
        for (double& e : errors)
            e = std::abs(e - span.centre);
        span.half = std::hypot(quantile(errors, kBandShare), spans.strangers.half) / std::sqrt(2.0);
        spans.stacks[stack] = span;
    }
    return spans;
}

std::vector<MemoryCoverage> memoryCoverage(const std::vector<MemoryCase>& cases) {
    std::vector<MemoryCoverage> found;
    for (const std::string& source : sourcesOf(cases)) {
        std::vector<MemoryCase> others;
        for (const MemoryCase& c : cases)
            if (c.source != source)
                others.push_back(c);
        if (others.empty())
            continue;
        const MemorySpans spans = fittedSpans(others);
        MemoryCoverage of;
        of.source = source;
        std::vector<double> halves;
        for (const MemoryCase& c : cases) {
            if (c.source != source)
                continue;
            const MemorySpan& span = spans.of(c.stack);
            halves.push_back(span.half);
            of.inside += std::abs(apart(c) - span.centre) <= span.half ? 1.0 : 0.0;
        }
        of.rows = static_cast<int>(halves.size());
        of.inside /= of.rows;
        of.half = quantile(halves, 0.5);
        found.push_back(std::move(of));
    }
    return found;
}

} // namespace pw
