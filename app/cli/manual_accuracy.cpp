// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/manual_pages.h"
#include "app/cli/markdown.h"
#include "app/cli/run_sources.h"

#include "core/accuracy/band.h"
#include "core/accuracy/conformal.h"
#include "core/accuracy/coverage.h"
#include "core/accuracy/published_runs.h"
#include "core/accuracy/tie.h"
#include "core/calibrate/score.h"

#include <fmt/format.h>

#include <cmath>

namespace pw::cli {

namespace {

constexpr int kRunsOfSource = 120; // that the fits of generalityPage() see at most

std::string inPercent(double share) {
    return fmt::format("{:.1f} %", 100.0 * share);
}
std::string partInPercent(int part, int whole) {
    return whole > 0 ? fmt::format("{:.0f} %", 100.0 * part / whole) : std::string();
}

std::string labelOf(const std::string& source) {
    return publishedTable(source).label;
}

// The first is a word, the others right-aligned figures of it.
void addErrors(std::vector<std::string>& cells, const ErrorFigures& errors) {
    cells.push_back(errors.count > 0 ? inPercent(errors.median) : "");
    cells.push_back(errors.count > 0 ? inPercent(errors.p90) : "");
}

std::string scoresTable(const Session& session, const std::vector<RunSource>& sources) {
    MarkdownTable table({"source", ">rows", ">predicted", ">time: median", ">90 %", ">bias", ">tau",
                         ">memory: median", ">90 %"});
    for (const RunSource& source : sources) {
        const SourceScore score =
            scoreRuns(source.name, source.rows, predictRuns(source.rows, 0, session.stop, {}, source.layers));
        const PublishedTable& published = publishedTable(source.name);
        std::vector<std::string> cells = {fmt::format("[{}]({})", published.label, published.url),
                                          fmt::format("{}", score.scorable),
                                          fmt::format("{}", score.predicted)};
        addErrors(cells, score.time);
        cells.push_back(score.time.count > 0 ? fmt::format("{:+.1f} %", 100.0 * score.time.bias) : "");
        cells.push_back(score.ranking.groups > 0 ? fmt::format("{:.2f}", score.ranking.medianTau) : "");
        addErrors(cells, score.memory);
        table.add(cells);
    }
    return table.text();
}

std::string bandsTable() {
    const Coverage found = coverage(measuredCases());
    MarkdownTable table({"source left out", ">rows", ">nearest other case", ">inside the band", ">band",
                         ">row alone left out: inside", ">band", ">pairs", ">called", ">right", ">ties"});
    for (const SourceCoverage& s : found.sources)
        table.add({labelOf(s.name), fmt::format("{}", s.rows), fmt::format("{:.2f}", s.distance),
                   fmt::format("{:.0f} %", 100.0 * s.inside),
                   fmt::format("±{:.0f} %", 100.0 * std::expm1(s.halfWidth)),
                   fmt::format("{:.0f} %", 100.0 * s.rowInside),
                   fmt::format("±{:.0f} %", 100.0 * std::expm1(s.rowHalfWidth)), fmt::format("{}", s.pairs),
                   fmt::format("{}", s.called), partInPercent(s.right, s.called),
                   fmt::format("{}", s.pairs - s.called)});
    MarkdownTable wider({"left out whole", ">rows", ">nearest other case", ">inside the band", ">band"});
    const auto add = [&](const char* what, const std::vector<GroupCoverage>& groups) {
        for (const GroupCoverage& g : groups)
            wider.add({fmt::format("{} {}", what, g.name.empty() ? "not known" : g.name),
                       fmt::format("{}", g.rows), fmt::format("{:.2f}", g.distance),
                       fmt::format("{:.0f} %", 100.0 * g.inside),
                       fmt::format("±{:.0f} %", 100.0 * std::expm1(g.halfWidth))});
    };
    add("stack", found.stacks);
    add("devices up to", found.generations);
    return table.text() + "\n" + wider.text();
}

std::string leftOutTable(const char* what, const std::vector<LeftOutErrors>& list) {
    MarkdownTable table({what, "runs of", ">rows", ">all in: median", ">90 %", ">left out: median", ">90 %"});
    for (const LeftOutErrors& e : list) {
        std::vector<std::string> cells = {e.leftOut == e.source ? labelOf(e.source) : e.leftOut,
                                          labelOf(e.source), fmt::format("{}", e.allIn.count)};
        addErrors(cells, e.allIn);
        addErrors(cells, e.unseen);
        table.add(cells);
    }
    return table.text();
}

} // namespace

Result<std::string> accuracyPage(const Session& session, const CLI::App&) {
    const Result<std::vector<RunSource>> sources = readRunSources({});
    if (!sources)
        return sources.error();
    std::string page = pageHead("Accuracy in figures", "accuracy",
                                "Predictions of this version against the published runs that ship; "
                                "[accuracy](../accuracy.md) says how to read them.");
    page +=
        "\n## Errors\n\nOf |predicted / measured − 1| over rows of quality A and B; these are the runs that "
        "the model was made with.\n\n" +
        scoresTable(session, *sources);
    page +=
        fmt::format("\n## Bands\n\nHow the {:.0f} % spans and the comparisons (called from {:.0f} % on) hold "
                    "for each source as if nobody had seen it.\n\n{}",
                    100 * kBandShare, 100 * kCertain, bandsTable());
    return page;
}

Result<std::string> generalityPage(const Session& session, const CLI::App&) {
    const Result<std::vector<RunSource>> sources = readRunSources({});
    if (!sources)
        return sources.error();
    ConstantsFitOptions options;
    options.leaveOutFrameworks = false;
    options.mostRuns = kRunsOfSource;
    options.progress = [&](const std::string& text) { session.event(LogLevel::Info, "accuracy", text); };
    const Result<ConstantsReport> report = fitConstants(*sources, options, session.stop);
    if (!report)
        return report.error();
    return pageHead(
               "Generality in figures", "generality",
               "What the fitted constants owe to a source: its runs predicted by a fit that has not seen "
               "them. The terms of the model were chosen with all sources in sight, which no fit can take "
               "back.") +
           "\n" + leftOutTable("source left out", report->sources) +
           fmt::format(
               "\nEvery fit starts from the constants' `start` and sees at most {} runs of a source, {} in "
               "all; "
               "errors are of all runs. Sum of errors {:.3f}; begun at the constants that ship {:.3f}.\n",
               kRunsOfSource, report->all.runs, report->all.loss, report->fromBuiltin.loss);
}

} // namespace pw::cli
