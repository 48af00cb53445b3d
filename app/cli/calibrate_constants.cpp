// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/calibrate_constants.h"

#include "app/cli/run_sources.h"
#include "app/cli/table.h"
#include "app/cli/terminal.h"

#include "core/base/file.h"

#include <fmt/format.h>

#include <algorithm>
#include <unistd.h>

namespace pw::cli {

namespace {

std::string constantPercent(double share) {
    return fmt::format("{:.1f}", 100.0 * share);
}

Json constantFigures(const ErrorFigures& e) {
    Json json{{"rows", e.count}};
    if (e.count > 0)
        json.update(Json{{"median", e.median}, {"p90", e.p90}, {"bias", e.bias}});
    return json;
}

Json document(const ConstantsFit& fit) {
    Json values = Json::object();
    for (const FittedConstant& constant : fit.constants.list())
        if (constant.fit == FittedTo::Runs)
            values[constant.section][constant.name] = constant.value;
    return Json{{"runs", fit.runs},       {"start_loss", fit.startLoss},
                {"loss", fit.loss},       {"evaluations", fit.evaluations},
                {"settled", fit.settled}, {"untold", fit.untold},
                {"constants", values}};
}

Json document(const std::vector<LeftOutErrors>& list) {
    Json json = Json::array();
    for (const LeftOutErrors& e : list)
        json.push_back({{"left_out", e.leftOut},
                        {"source", e.source},
                        {"all_in", constantFigures(e.allIn)},
                        {"unseen", constantFigures(e.unseen)},
                        {"fit", e.fit == LeftOutErrors::kAll ? Json() : Json(e.fit)}});
    return json;
}

Json document(const std::vector<RunSource>& sources, const ConstantsReport& report) {
    Json json{{"all", document(report.all)},
              {"from_builtin", document(report.fromBuiltin)},
              {"fits", Json::array()},
              {"sources", Json::array()},
              {"sources_left_out", document(report.sources)},
              {"frameworks_left_out", document(report.frameworks)}};
    for (const ConstantsFit& fit : report.fits)
        json["fits"].push_back(document(fit));
    for (std::size_t s = 0; s < sources.size(); ++s)
        json["sources"].push_back({{"source", sources[s].name},
                                   {"builtin", constantFigures(report.builtin[s])},
                                   {"all_in", constantFigures(report.allIn[s])}});
    return json;
}

void addPair(std::vector<std::string>& cells, const ErrorFigures& e) {
    cells.push_back(e.count > 0 ? constantPercent(e.median) : "");
    cells.push_back(e.count > 0 ? constantPercent(e.p90) : "");
}

std::string leftOutText(const char* what, const std::vector<LeftOutErrors>& list,
                        const ConstantsReport& report) {
    if (list.empty())
        return {};
    Table table({what, "runs of", ">rows", ">all in", ">p90", ">unseen", ">p90", ">fitted to", "untold"});
    for (const LeftOutErrors& e : list) {
        const ConstantsFit& fit = fitOf(report, e.fit);
        std::vector<std::string> cells{e.leftOut, e.source, fmt::format("{}", e.allIn.count)};
        addPair(cells, e.allIn);
        addPair(cells, e.unseen);
        cells.push_back(fmt::format("{}{}", fit.runs, fit.settled ? "" : ", not settled"));
        cells.push_back(fmt::format("{}", fmt::join(fit.untold, " ")));
        table.add(cells);
    }
    return "\n" + table.text();
}

// What the fits with something left out made of each constant, beside the one that has seen all.
std::string constantsText(const ConstantsReport& report) {
    Table table({"constant", "unit", ">start", ">built in", ">all in", ">from built in", ">least, left out",
                 ">most, left out"});
    const auto builtin = ConstantSet::builtin().list();
    for (std::size_t i = 0; i < builtin.size(); ++i) {
        if (builtin[i].fit != FittedTo::Runs)
            continue;
        const double all = report.all.constants.list()[i].value;
        double least = all, most = all;
        for (const ConstantsFit& fit : report.fits)
            if (fit.runs > 0) {
                least = std::min(least, fit.constants.list()[i].value);
                most = std::max(most, fit.constants.list()[i].value);
            }
        const auto number = [](double value) { return fmt::format("{:.4g}", value); };
        table.add({builtin[i].section + "." + builtin[i].name, builtin[i].unit, number(builtin[i].start),
                   number(builtin[i].value), number(all),
                   number(report.fromBuiltin.constants.list()[i].value), number(least), number(most)});
    }
    return "\n" + table.text();
}

std::string reportText(const std::vector<RunSource>& sources, const ConstantsReport& report) {
    Table errors({"source", ">rows", ">built in", ">p90", ">all in", ">p90"});
    for (std::size_t s = 0; s < sources.size(); ++s) {
        std::vector<std::string> cells{sources[s].name, fmt::format("{}", report.allIn[s].count)};
        addPair(cells, report.builtin[s]);
        addPair(cells, report.allIn[s]);
        errors.add(cells);
    }
    const auto line = [](const char* from, const ConstantsFit& fit) {
        return fmt::format("loss {:.4f} from {} ({:.4f} there), {} evaluations{}\n", fit.loss, from,
                           fit.startLoss, fit.evaluations, fit.settled ? "" : ", not settled");
    };
    return fmt::format(
               "Errors of time in %, median and 90th percentile of |predicted / measured - 1| over "
               "rows of quality A\nand B: with the built-in constants, with those fitted to all runs, "
               "and by fits that have not seen the rows.\nEvery fit begins at the constants' start, "
               "which knows no run.\n\n{} runs fitted to\n{}{}\n",
               report.all.runs, line("start", report.all), line("the built-in values", report.fromBuiltin)) +
           errors.text() + leftOutText("source left out", report.sources, report) +
           leftOutText("framework left out", report.frameworks, report) + constantsText(report);
}

} // namespace

Result<Answer> calibrateConstants(const Session& session, const ConstantsFlags& flags) {
    Diagnostics notes;
    const Result<std::vector<RunSource>> sources = readRunSources(flags.files, &notes);
    if (!sources)
        return sources.error();
    session.note(notes);
    const auto leavesOut = [&](const char* what) {
        return std::find(flags.leaveOut.begin(), flags.leaveOut.end(), what) != flags.leaveOut.end();
    };
    ConstantsFitOptions options;
    options.leaveOutSources = leavesOut("source");
    options.leaveOutFrameworks = leavesOut("framework");
    options.threads = flags.threads;
    const bool watched = isatty(STDERR_FILENO) == 1 && !session.logsToTerminal;
    options.progress = [&](const std::string& text) {
        session.event(LogLevel::Info, "calibrate", text);
        if (watched)
            say(text + "\n");
    };
    const Result<ConstantsReport> report = fitConstants(*sources, options, session.stop);
    if (!report)
        return report.error();
    Answer answer{document(*sources, *report), reportText(*sources, *report), {}};
    if (Status written = writeFileAtomically(flags.out, report->all.constants.text()); !written)
        return written.error();
    answer.document["out"] = flags.out;
    answer.text += fmt::format("\nwritten to {}: give it to validate as --constants\n", flags.out);
    return answer;
}

} // namespace pw::cli
