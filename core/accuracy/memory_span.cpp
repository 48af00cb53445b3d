// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/accuracy/memory_span.h"

#include "core/accuracy/conformal.h"
#include "core/accuracy/published_runs.h"
#include "core/base/json.h"
#include "core/calibrate/score.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <set>

namespace pw {

namespace embedded {
extern const char* const memorySpansJson; // resources/calibration/memory_spans.json
}

namespace {

constexpr double kOwn = 1.0; // GiB that are added to both before they are divided
constexpr const char* kSchema = "pipewright-memory-spans-1";
constexpr double kNormal80 = 1.2815515655; // standard deviations that 80 % lie within

double apart(const MemoryCase& c) {
    return std::log((c.measured + kOwn) / (c.predicted + kOwn));
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

// The inverse of the normal distribution from 0.5 on, by bisection of erfc.
double deviations(double chance) {
    double low = 0.0, high = 8.0;
    for (int step = 0; step < 60; ++step) {
        const double middle = 0.5 * (low + high);
        (1.0 - 0.5 * std::erfc(middle / std::sqrt(2.0)) < chance ? low : high) = middle;
    }
    return high;
}

Json toJson(const MemorySpan& span) {
    const auto rounded = [](double value) { return std::round(value * 1e4) / 1e4; };
    return Json{{"centre", rounded(span.centre)},
                {"half", rounded(span.half)},
                {"rows", span.rows},
                {"sources", span.sources}};
}

MemorySpan spanFromJson(const JsonReader& reader) {
    constexpr double kWidest = 5.0;
    constexpr std::int64_t kMost = 1'000'000'000;
    MemorySpan span;
    span.centre = reader.number("centre", -kWidest, kWidest);
    span.half = reader.number("half", 1e-4, kWidest);
    span.rows = static_cast<int>(reader.count("rows", 0, kMost));
    span.sources = static_cast<int>(reader.count("sources", 0, kMost));
    return span;
}

} // namespace

const MemorySpan& MemorySpans::of(std::string_view stack) const {
    const auto found = stacks.find(std::string(stack));
    return found == stacks.end() ? strangers : found->second;
}

double lowOf(const MemorySpan& span, double gib) {
    return std::max(0.0, (gib + kOwn) * std::exp(span.centre - span.half) - kOwn);
}

double highOf(const MemorySpan& span, double gib) {
    return (gib + kOwn) * std::exp(span.centre + span.half) - kOwn;
}

double chanceToFit(const MemorySpan& span, Bytes peak, Bytes usable) {
    const double room = std::log((toGibibytes(usable) + kOwn) / (toGibibytes(peak) + kOwn));
    return 1.0 - 0.5 * std::erfc(kNormal80 * room / (span.half * std::sqrt(2.0)));
}

double chanceToFit(const Problem& problem, const Evaluation& evaluation) {
    const MemorySpan& span = memorySpans().of(problem.recipe().stack);
    double least = 1.0;
    for (const DeviceMemory& m : evaluation.memory)
        least = std::min(least, chanceToFit(span, m.peak.total(), m.capacity));
    return least;
}

Bytes roomFor(const MemorySpan& span, Bytes usable, double chance) {
    const double margin = deviations(chance) * span.half / kNormal80;
    return gibibytes(std::max(0.0, (toGibibytes(usable) + kOwn) * std::exp(-margin) - kOwn));
}

std::string memorySpansJson(const MemorySpans& spans) {
    Json stacks = Json::object();
    for (const auto& [stack, span] : spans.stacks)
        stacks[stack] = toJson(span);
    return printJson(
        Json{{"schema", kSchema}, {"strangers", toJson(spans.strangers)}, {"stacks", std::move(stacks)}});
}

Result<MemorySpans> readMemorySpans(std::string_view text, const std::string& file) {
    const Result<Json> document = parseJson(text, file);
    if (!document)
        return document.error();
    const JsonReader reader(*document, file);
    MemorySpans spans;
    if (reader.text("schema") != kSchema)
        reader.fail("spans.schema", reader.where("schema"), {"expected {schema}", {{"schema", kSchema}}});
    spans.strangers = spanFromJson(reader.object("strangers"));
    for (const auto& [stack, span] : reader.object("stacks").members())
        spans.stacks[stack] = spanFromJson(span);
    if (const Status sound = reader.status(); !sound)
        return sound.error();
    return spans;
}

const MemorySpans& memorySpans() {
    static const MemorySpans spans = [] {
        Result<MemorySpans> read = readMemorySpans(embedded::memorySpansJson, "memory_spans.json");
        if (!read) { // a mistake of ours in what is compiled in
            std::fprintf(stderr, "memory spans: %s\n", read.error().text().c_str());
            std::abort();
        }
        return *std::move(read);
    }();
    return spans;
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
