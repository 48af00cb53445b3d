// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/accuracy/cases.h"

#include "core/accuracy/published_runs.h"
#include "core/base/parallel.h"
#include "core/calibrate/run_case.h"
#include "core/calibrate/score.h"
#include "core/formats/csv.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <optional>

namespace pw {

namespace embedded {
extern const char* const
    residualsCsv; // resources/calibration/residuals.csv, written into a unit by the build
}

namespace {

constexpr std::size_t kLeading = 7; // columns before the features

// Nothing for a run without a time, and for one that cannot be predicted.
std::optional<MeasuredCase> caseOf(const RunRow& row, const std::vector<LayerTime>& layers) {
    if (row.iterTimeS.value_or(0.0) <= 0.0)
        return std::nullopt;
    const Result<RunCase> run = runCase(row, {}, layers);
    if (!run)
        return std::nullopt;
    const Result<Evaluation> evaluation = evaluate(*run->problem, run->plan);
    if (!evaluation || !(evaluation->iteration.value > 0.0))
        return std::nullopt;
    MeasuredCase found;
    found.rowId = row.rowId;
    found.logPredicted = std::log(evaluation->iteration.value);
    found.residual = found.logPredicted - std::log(*row.iterTimeS);
    found.features = featuresOf(*run->problem, run->plan, *evaluation);
    found.stack = run->problem->recipe().stack;
    found.generation = generationOf(*run->problem, run->plan);
    return found;
}

std::vector<std::optional<MeasuredCase>> casesOf(const PublishedRuns& runs, int threads,
                                                 const std::stop_token& stop) {
    std::vector<std::optional<MeasuredCase>> found(runs.rows.size());
    inParallel(found.size(), threads, [&](std::size_t i) {
        if (!stop.stop_requested())
            found[i] = caseOf(runs.rows[i], runs.layers);
    });
    return found;
}

// A place in text that is read from left to right without copies: the table is read at start-up.
class Fields {
public:
    explicit Fields(std::string_view line, char separator = ',') : m_rest(line), m_separator(separator) {}
    std::string_view next() {
        const std::size_t comma = std::min(m_rest.find(m_separator), m_rest.size());
        const std::string_view field = m_rest.substr(0, comma);
        m_rest.remove_prefix(std::min(comma + 1, m_rest.size()));
        return field;
    }
    template <class T>
    bool next(T& value) {
        const std::string_view field = next();
        const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
        return error == std::errc() && end == field.data() + field.size();
    }

private:
    std::string_view m_rest;
    char m_separator;
};

bool readWidths(std::string_view line, BandWidths& widths) {
    Fields fields(line, ' ');
    return fields.next() == "#" && fields.next() == "near" && fields.next(widths.near) &&
           fields.next() == "far" && fields.next(widths.far) && fields.next() == "pair" &&
           fields.next(widths.pair);
}

std::string header() {
    std::string text = "source,row_id,group,stack,generation,ln_predicted,residual";
    for (const FeatureRow& row : featureTable())
        text += fmt::format(",{}", row.name);
    return text;
}

} // namespace

std::string generationOf(const Problem& problem, const Plan& plan) {
    bool fp16 = true, bf16 = true, fp8 = true;
    for (const Pipeline& pipeline : plan.pipelines)
        for (const Stage& stage : pipeline.stages)
            for (const Replica& replica : stage.replicas)
                for (const DeviceIndex d : replica.devices) {
                    const DeviceKind& kind = problem.topology().kindOf(d);
                    fp16 = fp16 && kind.fp16.value > 0.0;
                    bf16 = bf16 && kind.bf16.value > 0.0;
                    fp8 = fp8 && kind.fp8.value > 0.0;
                }
    return fp8 ? "fp8" : bf16 ? "bf16" : fp16 ? "fp16" : "fp32";
}

Result<CaseTable> predictedCases(int threads, std::stop_token stop) {
    CaseTable table;
    std::map<RunGroup, int> groups;
    for (const PublishedTable& published : publishedTables()) {
        const Result<PublishedRuns> runs = readPublished(published);
        if (!runs)
            return runs.error();
        const std::vector<bool> doubtful = doubtfulRows(runs->rows);
        std::vector<std::optional<MeasuredCase>> found = casesOf(*runs, threads, stop);
        for (std::size_t i = 0; i < found.size(); ++i) {
            if (!found[i] || doubtful[i])
                continue;
            found[i]->source = static_cast<int>(table.sources.size());
            found[i]->group =
                groups.try_emplace(runGroup(runs->rows[i]), static_cast<int>(groups.size())).first->second;
            table.cases.push_back(*std::move(found[i]));
        }
        const auto next = static_cast<int>(table.sources.size());
        if (!table.cases.empty() && table.cases.back().source == next) // else it prints no times
            table.sources.push_back(published.name);
    }
    if (stop.stop_requested())
        return stopped("stopped", "stopped before all runs were predicted");
    return table;
}

std::string residualsCsv(const CaseTable& table) {
    std::string text = fmt::format("# near {:.4g} far {:.4g} pair {:.4g}\n{}\n", table.widths.near,
                                   table.widths.far, table.widths.pair, header());
    for (const MeasuredCase& c : table.cases) {
        text += fmt::format("{},{},{},{},{},{:.5f},{:.5f}", table.sources[static_cast<std::size_t>(c.source)],
                            c.rowId, c.group, c.stack, c.generation, c.logPredicted, c.residual);
        for (const double value : c.features.values)
            text += fmt::format(",{:.4g}", value == 0.0 ? 0.0 : value); // no -0
        text += '\n';
    }
    return text;
}

Result<CaseTable> readResiduals(std::string_view text, const std::string& file) {
    CaseTable table;
    int line = 0;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        const std::string_view record = text.substr(at, end - at);
        at = end + 1;
        if (++line == 1) {
            if (!readWidths(record, table.widths))
                return badInput("residuals.widths", fmt::format("{}:1:1", file),
                                "expected \"# near N far N pair N\"");
            continue;
        }
        if (line == 2) {
            if (record != header())
                return badInput("residuals.columns", fmt::format("{}:2:1", file),
                                {"expected {features} columns: {header}",
                                 {{"features", kLeading + kFeatures}, {"header", header()}}});
            continue;
        }
        Fields fields(record);
        MeasuredCase c;
        const std::string_view source = fields.next();
        c.rowId = std::string(fields.next());
        bool sound = fields.next(c.group);
        c.stack = std::string(fields.next());
        c.generation = std::string(fields.next());
        sound = sound && fields.next(c.logPredicted) && fields.next(c.residual);
        for (double& value : c.features.values)
            sound = sound && fields.next(value);
        if (!sound || c.rowId.empty())
            return badInput("residuals.number", fmt::format("{}:{}:1", file, line),
                            "expected numbers in group and behind generation");
        if (table.sources.empty() || table.sources.back() != source)
            table.sources.emplace_back(source);
        c.source = static_cast<int>(table.sources.size()) - 1;
        table.cases.push_back(std::move(c));
    }
    return table;
}

const CaseTable& measuredCases() {
    static const CaseTable table = [] {
        Result<CaseTable> read = readResiduals(embedded::residualsCsv, "residuals.csv");
        if (!read || read->cases.empty()) { // a mistake of ours in what is compiled in
            std::fprintf(stderr, "residuals: %s\n", read ? "no rows" : read.error().text().c_str());
            std::abort();
        }
        return *std::move(read);
    }();
    return table;
}

} // namespace pw
