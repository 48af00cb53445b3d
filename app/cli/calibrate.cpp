// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/calibrate_constants.h"
#include "app/cli/calibrate_run.h"
#include "app/cli/run_sources.h"
#include "app/cli/session.h"
#include "app/cli/table.h"

#include "core/base/file.h"
#include "core/calibrate/fit.h"

#include <fmt/format.h>

namespace pw::cli {

namespace {

struct CalibrateFlags {
    std::vector<std::string> runs;
    bool constants = false;
    std::vector<std::string> leaveOut;
    std::string out;
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
        add("after, runs not seen by the fit", report.crossValidated);
    Table factors({"factor of", ">arithmetic", ">memory", ">fabric", ">link"});
    for (const auto& [name, f] : report.calibration.kinds)
        factors.add({name, fmt::format("{:.3f}", f.compute), fmt::format("{:.3f}", f.memory),
                     fmt::format("{:.3f}", f.fabric), ""});
    for (const auto& [medium, factor] : report.calibration.links)
        factors.add({medium, "", "", "", fmt::format("{:.3f}", factor)});
    std::string text = fmt::format("{}\n{}", errors.text(), factors.text());
    if (report.left > 0)
        text += fmt::format("\n{} rows left out: no time, or not predicted\n", report.left);
    if (report.folds == 0)
        text += "\none run is too few to validate a fit\n";
    return text;
}

Result<Answer> calibrate(const Session& session, const CalibrateFlags& flags) {
    if (flags.constants)
        return calibrateConstants(session, {flags.runs, flags.leaveOut, flags.out, flags.options.threads});
    if (!flags.leaveOut.empty())
        return usage("--leave-out goes with --constants");
    if (flags.runs.size() != 1)
        return usage("one table of your own runs is fitted to, RUNS.csv, or one run of the runner, run.json");
    const Result<bool> record = isRunRecord(flags.runs.front());
    if (!record)
        return record.error();
    if (*record)
        return calibrateRun(flags.runs.front(), flags.out);
    Diagnostics notes;
    const Result<std::vector<RunSource>> sources = readRunSources(flags.runs, &notes);
    if (!sources)
        return sources.error();
    session.note(notes);
    const Result<FitReport> report = fitCalibration(sources->front().rows, flags.options, session.stop);
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
                    "RUNS.csv, measured runs in the 46-column form; or run.json of the runner");
    sub->add_option("--out", flags->out, "the factors, for --calibration; or the constants")
        ->type_name("FILE")
        ->required();
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
