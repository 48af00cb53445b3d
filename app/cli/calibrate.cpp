// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/calibrate_constants.h"
#include "app/cli/calibrate_run.h"
#include "app/cli/run_sources.h"
#include "app/cli/session.h"
#include "app/cli/table.h"

#include "core/base/file.h"
#include "core/calibrate/fit.h"
#include "core/calibrate/own_runs.h"

#include <fmt/format.h>

#include <cmath>
#include <map>

namespace pw::cli {

namespace {

struct CalibrateFlags {
    std::vector<std::string> runs;
    bool constants = false;
    std::vector<std::string> leaveOut;
    std::string out;
    LoggedMachine machine;
    int draws = 0, drawn = 8;
    FitOptions options;
};

Json figures(const ErrorFigures& e) {
    return Json{{"runs", e.count}, {"median", e.median}, {"p90", e.p90}, {"bias", e.bias}};
}

Json document(const FitReport& report) {
    Json json = toJson(report.calibration);
    json["fit"] = {{"runs", report.runs},
                   {"left_out", report.left},
                   {"folds", report.folds},
                   {"before", figures(report.before)},
                   {"after", figures(report.after)}};
    if (report.folds > 0)
        json["fit"]["cross_validated"] = figures(report.crossValidated);
    Json factors = Json::array();
    for (const ToldFactor& f : report.factors)
        factors.push_back(
            {{"name", f.name.text()}, {"factor", f.factor}, {"told", f.told}, {"kept", f.kept}});
    json["fit"]["factors"] = std::move(factors);
    json["fit"]["memory"] = {
        {"runs", report.peaks}, {"before_gib", report.peakBefore}, {"after_gib", report.peakAfter}};
    return json;
}

std::string reportText(const FitReport& report) {
    Table errors({"error of time in %", ">runs", ">median", ">p90", ">bias"});
    const auto add = [&](const char* name, const ErrorFigures& e) {
        errors.add({name, fmt::format("{}", e.count), fmt::format("{:.1f}", 100 * e.median),
                    fmt::format("{:.1f}", 100 * e.p90), fmt::format("{:.1f}", 100 * e.bias)});
    };
    add("before", report.before);
    add("after, the same runs", report.after);
    if (report.folds > 0)
        add(report.folds == report.runs ? "after, each run left out" : "after, runs not seen by the fit",
            report.crossValidated);
    Table factors({"factor of", ">factor", ">told by the runs"});
    for (const ToldFactor& f : report.factors)
        factors.add({f.name.text(), f.kept ? fmt::format("{:.3f}", f.factor) : "1, too little told",
                     fmt::format("{:.0f} %", 100 * f.told)});
    std::string text = fmt::format("{}\n{}", errors.text(), factors.text());
    if (report.peaks > 0)
        text += fmt::format("\npeak memory of {} runs: {:+.1f} GiB", report.peaks,
                            report.calibration.memoryOffset);
    if (report.peaks > 1)
        text += fmt::format("; off by {:.1f} GiB before, by {:.1f} GiB with each run left out",
                            report.peakBefore, report.peakAfter);
    text += report.peaks > 0 ? "\n" : "";
    if (report.left > 0)
        text += fmt::format("\n{} rows left out: no time, or not predicted\n", report.left);
    if (report.folds == 0)
        text += "\none run is too few to validate a fit\n";
    return text;
}

// What calibrating to a few runs of one's own is worth, source by source.
Result<Answer> drawnAnswer(const Session& session, const CalibrateFlags& flags) {
    const Result<std::vector<RunSource>> sources = readRunSources(flags.runs);
    if (!sources)
        return sources.error();
    Table table({"source", ">rows", ">draws", ">before", ">after", ">worst draw"});
    Answer answer;
    answer.document = Json{{"runs", flags.drawn}, {"sources", Json::array()}};
    std::map<std::string, std::vector<double>> spreads; // of each factor's part, one value a source
    for (const RunSource& source : *sources) {
        std::vector<RunRow> rows;
        for (const RunRow& row : source.rows)
            if (row.quality != "C")
                rows.push_back(row);
        constexpr std::size_t kLeast = 30; // rows worth drawing from
        if (rows.size() < kLeast)
            continue;
        const Result<DrawnErrors> drawn =
            drawnCalibrations(rows, source.layers, flags.drawn, flags.draws, flags.options, session.stop);
        if (!drawn && session.stop.stop_requested())
            return drawn.error();
        if (!drawn) // no times: memory alone
            continue;
        const auto percent = [](double share) { return fmt::format("{:.1f} %", 100 * share); };
        table.add({source.name, fmt::format("{}", drawn->rows), fmt::format("{}", drawn->draws),
                   percent(drawn->before), percent(drawn->after), percent(drawn->worst)});
        answer.document["sources"].push_back({{"source", source.name},
                                              {"rows", drawn->rows},
                                              {"draws", drawn->draws},
                                              {"before", drawn->before},
                                              {"after", drawn->after},
                                              {"worst", drawn->worst}});
        for (const auto& [name, logs] : drawn->factors)
            spreads[name.part].push_back(quantile(logs, 0.5));
    }
    Table factors({"factor", ">sources", ">root mean square of ln"});
    for (const auto& [part, logs] : spreads) {
        double squares = 0.0;
        for (const double log : logs)
            squares += log * log;
        factors.add({part, fmt::format("{}", logs.size()),
                     fmt::format("{:.2f}", std::sqrt(squares / static_cast<double>(logs.size())))});
    }
    answer.text = fmt::format("Median error of the other rows, before and after calibrating to {} random "
                              "ones; median of the draws.\n\n{}\nHow far the fitted factors lie from 1, "
                              "source by source:\n\n{}",
                              flags.drawn, table.text(), factors.text());
    return answer;
}

Result<Answer> calibrate(const Session& session, const CalibrateFlags& flags) {
    if (flags.constants)
        return calibrateConstants(session, {flags.runs, flags.leaveOut, flags.out, flags.options.threads});
    if (!flags.leaveOut.empty())
        return usage("--leave-out goes with --constants");
    if (flags.draws > 0)
        return drawnAnswer(session, flags);
    if (flags.runs.empty())
        return usage(
            "takes a table of your own runs, RUNS.csv, their logs, or one run of the runner, run.json");
    if (flags.out.empty())
        return usage("--out FILE is where the factors go");
    for (const std::string& file : flags.runs) {
        const Result<bool> record = isRunRecord(file);
        if (!record)
            return record.error();
        if (!*record)
            continue;
        if (flags.runs.size() > 1)
            return badInput("runs.mixed", file, "is a run of the runner, and is read alone");
        return calibrateRun(file, flags.out);
    }
    Diagnostics notes;
    const Result<std::vector<RunRow>> rows = readOwnRuns(flags.runs, flags.machine, notes);
    if (!rows)
        return rows.error();
    session.note(notes);
    const Result<FitReport> report = fitCalibration(*rows, flags.options, session.stop);
    if (!report)
        return report.error();
    Answer answer{document(*report), reportText(*report), {}};
    if (Status written = writeFileAtomically(flags.out, printJson(answer.document)); !written)
        return written.error();
    answer.text += fmt::format("\nwritten to {}: give it as --calibration\n", flags.out);
    return answer;
}

} // namespace

Command addCalibrate(CLI::App& app) {
    auto flags = std::make_shared<CalibrateFlags>();
    CLI::App* sub = app.add_subcommand(
        "calibrate", "fit device and link figures to your own runs, and cross-validate what that gains");
    sub->add_option("RUNS", flags->runs,
                    "a table of measured runs, 46 columns or with the further ones, training logs that list "
                    "their arguments, or run.json of the runner");
    sub->add_option("--out", flags->out, "the factors, for --calibration; or the constants")
        ->type_name("FILE");
    sub->add_option("--gpu", flags->machine.gpu, "of logs: the GPUs that they ran on")->type_name("NAME");
    sub->add_option("--gpus-per-node", flags->machine.gpusPerNode, "of logs: GPUs in a node (default 8)")
        ->type_name("N")
        ->check(CLI::Range(1, 1024).description(""));
    sub->add_option("--network", flags->machine.network,
                    "of logs: what joins the nodes, in words, as in \"8x400Gb/s InfiniBand per node\"")
        ->type_name("TEXT");
    sub->add_option(
           "--draws", flags->draws,
           "instead: draw a few runs of each table so many times, calibrate to them, predict the rest")
        ->type_name("N")
        ->check(CLI::Range(1, 1000).description(""));
    sub->add_option("--drawn-runs", flags->drawn, "with --draws: of how many runs (default 8)")
        ->type_name("N")
        ->check(CLI::Range(1, 1000).description(""));
    sub->add_flag("--constants", flags->constants,
                  "fit the model's own constants instead, to any number of tables, one a source; without a "
                  "table to the published runs that ship");
    sub->add_option("--leave-out", flags->leaveOut,
                    "with --constants: fit again without each source or framework, and predict it")
        ->type_name("source,framework")
        ->delimiter(',')
        ->check(CLI::IsMember({"source", "framework"}).description(""));
    sub->add_option("--folds", flags->options.folds, "of the cross-validation (default 5)")
        ->type_name("K")
        ->check(CLI::Range(2, 100).description(""));
    sub->add_option("--seed", flags->options.seed, "which runs share a fold (default 1)")->type_name("N");
    sub->add_option("--threads", flags->options.threads, "0 (default): as many as the machine has")
        ->type_name("N")
        ->check(CLI::Range(0, 1024).description(""));
    return {sub, [flags](const Session& session) { return calibrate(session, *flags); }, true};
}

} // namespace pw::cli
