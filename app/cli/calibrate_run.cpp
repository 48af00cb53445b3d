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

std::string errorTable(const RunFit& fit) {
    Table errors({"error in %", "of", ">stages", ">median", ">p90", ">bias"});
    const auto add = [&](const char* name, const char* of, const std::optional<ErrorFigures>& e) {
        if (e)
            errors.add({name, of, fmt::format("{}", e->count), fmt::format("{:.1f}", 100 * e->median),
                        fmt::format("{:.1f}", 100 * e->p90), fmt::format("{:.1f}", 100 * e->bias)});
    };
    constexpr const char* kUnseen = "after, stages not seen by the fit";
    add("before", "passes", fit.before);
    add("after, the same stages", "passes", fit.after);
    add(kUnseen, "passes", fit.crossValidated);
    add("before", "optimizer steps", fit.updateBefore);
    add("after, the same stages", "optimizer steps", fit.updateAfter);
    add(kUnseen, "optimizer steps", fit.updateCrossValidated);
    return errors.text();
}

std::string factorTable(const Calibration& calibration) {
    Table factors({"factor of", ">arithmetic, memory", ">link", ">optimizer step"});
    for (const auto& [name, f] : calibration.kinds)
        factors.add({name, fmt::format("{:.3f}", f.compute), "", ""});
    for (const auto& [medium, factor] : calibration.links)
        factors.add({medium, "", fmt::format("{:.3f}", factor), ""});
    for (const auto& [group, factor] : calibration.software)
        factors.add({group, "", "", fmt::format("{:.3f}", factor)});
    return factors.text();
}

std::string fitText(const RunFit& fit, const std::string& standing) {
    std::string text =
        fmt::format("{}\n{}\nstep: {} {}{}, estimated {} before and {} after\n", errorTable(fit),
                    factorTable(fit.calibration), standing, formatDuration(fit.measured),
                    fit.ofRecordedSteps ? "" : " where it was not recorded",
                    formatDuration(fit.iterationBefore), formatDuration(fit.fitted.iteration));
    if (!fit.updateAfter)
        text += "the optimizer's step is not fitted: the run has no measured one\n";
    else if (fit.calibration.fusedUpdate == Choice::Off)
        text += "the run's optimizer did not step in one fused kernel; recipes that name no stack are "
                "predicted so with these factors\n";
    if (fit.isFurtherOff(fit.fitted)) {
        text += fmt::format("with these factors the step is predicted further off than before: {:+.1f} % in "
                            "place of {:+.1f} %\n",
                            100.0 * fit.errorOf(fit.fitted), 100.0 * fit.errorBefore());
        if (fit.fitted.remains)
            text += fmt::format("what remains, above all: {}\n", fit.fitted.remains->message);
    }
    if (!fit.crossValidated)
        text += "one stage a kind is too few to validate a fit\n";
    return text;
}

Json fitJson(const RunFit& fit, const std::string& file, const std::string& standing) {
    Json figures{{"run", file},
                 {"standing", standing},
                 {"stages", fit.stages},
                 {"before", errorJson(fit.before)},
                 {"after", errorJson(fit.after)},
                 {"iteration_s",
                  {{"measured", fit.measured.value},
                   {"of_recorded_steps", fit.ofRecordedSteps},
                   {"before", fit.iterationBefore.value},
                   {"after", fit.fitted.iteration.value}}},
                 {"further_off", fit.isFurtherOff(fit.fitted)}};
    if (fit.updateBefore && fit.updateAfter)
        figures["update"] = {{"before", errorJson(*fit.updateBefore)},
                             {"after", errorJson(*fit.updateAfter)}};
    if (fit.updateCrossValidated)
        figures["update"]["cross_validated"] = errorJson(*fit.updateCrossValidated);
    if (fit.fitted.remains)
        figures["remains"] = fit.fitted.remains->message;
    if (fit.crossValidated)
        figures["cross_validated"] = errorJson(*fit.crossValidated);
    return figures;
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
    answer.document["fit"] = fitJson(*fit, file, run->standing());
    if (Status written = writeFileAtomically(out, printJson(answer.document)); !written)
        return written.error();
    answer.text +=
        fmt::format("\nwritten to {}: {}give it as --calibration{}\n", out,
                    fit->isFurtherOff(fit->fitted) ? "if you want these factors all the same, " : "",
                    fit->calibration.emulated ? ", which takes it with --emulated alone: it says nothing "
                                                "of real GPUs"
                                              : "");
    return answer;
}

} // namespace pw::cli
