// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/calibrate_run.h"
#include "app/cli/table.h"

#include "core/base/file.h"
#include "core/base/units.h"
#include "core/exchange/imports/measurements/kineto.h"
#include "core/formats/source.h"
#include "core/overlay/run_fit.h"

#include <fmt/format.h>

namespace pw::cli {

namespace {

Json errorJson(const ErrorFigures& e) {
    return {{"stages", e.count}, {"median", e.median}, {"p90", e.p90}, {"bias", e.bias}};
}

std::string fitText(const RunFit& fit, const std::string& standing) {
    Table errors({"error of passes in %", ">stages", ">median", ">p90", ">bias"});
    const auto add = [&](const char* name, const ErrorFigures& e) {
        errors.add({name, fmt::format("{}", e.count), fmt::format("{:.1f}", 100 * e.median),
                    fmt::format("{:.1f}", 100 * e.p90), fmt::format("{:.1f}", 100 * e.bias)});
    };
    add("before", fit.before);
    add("after, the same stages", fit.after);
    if (fit.crossValidated)
        add("after, stages not seen by the fit", *fit.crossValidated);
    Table factors({"factor of", ">arithmetic, memory", ">link"});
    for (const auto& [name, f] : fit.calibration.kinds)
        factors.add({name, fmt::format("{:.3f}", f.compute), ""});
    for (const auto& [medium, factor] : fit.calibration.links)
        factors.add({medium, "", fmt::format("{:.3f}", factor)});
    std::string text = fmt::format("{}\n{}\nstep: {} {}, estimated {} before and {} after\n", errors.text(),
                                   factors.text(), standing, formatDuration(fit.measured),
                                   formatDuration(fit.iterationBefore), formatDuration(fit.iterationAfter));
    if (fit.isFurtherOff()) {
        text += fmt::format("with these factors the step is predicted further off than before: {:+.1f} % in "
                            "place of {:+.1f} %\n",
                            100.0 * fit.errorAfter(), 100.0 * fit.errorBefore());
        if (fit.remains)
            text += fmt::format("what remains, above all: {}\n", fit.remains->message);
    }
    if (!fit.crossValidated)
        text += "one stage a kind is too few to validate a fit\n";
    return text;
}

} // namespace

// The schema may stand behind megabytes of operations; what looks like a trace may be too long to be read
// whole.
Result<bool> isRunRecord(const std::string& file) {
    const Result<std::string> head = readHead(file);
    if (!head)
        return head.error();
    if (recogniseRun(*head, file) || recogniseKineto(*head, file) || head->find('{') != 0)
        return recogniseRun(*head, file);
    const Result<std::string> text = readText(file);
    if (!text)
        return text.error();
    return recogniseRun(*text, file);
}

Result<Answer> calibrateRun(const std::string& file, const std::string& out) {
    const Result<std::string> text = readText(file);
    if (!text)
        return text.error();
    const Result<RunRecord> run = readRunRecord(*text, file);
    if (!run)
        return run.error();
    const Result<RunFit> fit = fitRun(*run);
    if (!fit)
        return fit.error();
    Answer answer{toJson(fit->calibration), fitText(*fit, run->standing()), {}};
    Json& figures = answer.document["fit"];
    figures = {{"run", file},
               {"standing", run->standing()},
               {"stages", fit->stages},
               {"before", errorJson(fit->before)},
               {"after", errorJson(fit->after)},
               {"iteration_s",
                {{"measured", fit->measured.value},
                 {"before", fit->iterationBefore.value},
                 {"after", fit->iterationAfter.value}}},
               {"further_off", fit->isFurtherOff()}};
    if (fit->remains)
        figures["remains"] = fit->remains->message;
    if (fit->crossValidated)
        figures["cross_validated"] = errorJson(*fit->crossValidated);
    if (Status written = writeFileAtomically(out, printJson(answer.document)); !written)
        return written.error();
    answer.text +=
        fmt::format("\nwritten to {}: {}give it as --calibration{}\n", out,
                    fit->isFurtherOff() ? "if you want these factors all the same, " : "",
                    fit->calibration.emulated ? ", which takes it with --emulated alone: it says nothing "
                                                "of real GPUs"
                                              : "");
    return answer;
}

} // namespace pw::cli
