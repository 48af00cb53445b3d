// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/inputs.h"
#include "app/cli/run_sources.h"
#include "app/cli/session.h"
#include "app/cli/table.h"

#include "core/accuracy/band.h"
#include "core/accuracy/conformal.h"
#include "core/accuracy/coverage.h"
#include "core/accuracy/expected_runs.h"
#include "core/accuracy/memory_cases.h"
#include "core/accuracy/tie.h"
#include "core/base/constants.h"
#include "core/base/file.h"
#include "core/calibrate/score.h"

#include <fmt/format.h>

#include <cmath>
#include <map>

namespace pw::cli {

namespace {

struct ValidateFlags {
    std::vector<std::string> files;
    std::string out, layers, residuals, memorySpans, constants;
    int threads = 0;
    bool bands = false;
};

std::string percent(double share) {
    return fmt::format("{:.1f}", 100.0 * share);
}

Json document(const SourceScore& s) {
    const auto errors = [](const ErrorFigures& e) {
        Json json{{"rows", e.count}};
        if (e.count > 0)
            json.update(Json{{"median", e.median}, {"p90", e.p90}, {"bias", e.bias}});
        return json;
    };
    Json ranking{{"groups", s.ranking.groups}, {"pairs", s.ranking.pairs}};
    if (s.ranking.groups > 0)
        ranking.update(Json{{"median_tau", s.ranking.medianTau},
                            {"pooled_tau", s.ranking.pooledTau},
                            {"median_regret", s.ranking.medianRegret},
                            {"worst_regret", s.ranking.worstRegret}});
    return Json{{"source", s.source},
                {"rows", s.rows},
                {"quality_a_b", s.scorable},
                {"predicted", s.predicted},
                {"unsupported", s.unsupported},
                {"errors", s.errors},
                {"doubtful", s.doubtful},
                {"time", errors(s.time)},
                {"memory", errors(s.memory)},
                {"fits",
                 {{"fits_worked", s.fits.fitsWorked},
                  {"fits_failed", s.fits.fitsFailed},
                  {"too_large_worked", s.fits.tooLargeWorked},
                  {"too_large_failed", s.fits.tooLargeFailed}}},
                {"ranking", ranking}};
}

Json document(const RunPrediction& p) {
    Json json{{"row_id", p.rowId}, {"status", name(p.status)}, {"message", p.remarks}, {"stack", p.stack}};
    if (p.status == PredictionStatus::Ok)
        json.update(
            Json{{"pred_iter_time_s", p.iterTimeS}, {"pred_peak_mem_gib", p.peakMemGib}, {"fits", p.fits}});
    if (p.expected)
        json.update(Json{{"expected_low_s", p.expected->lowS},
                         {"expected_high_s", p.expected->highS},
                         {"expected_low_gib", p.expected->lowGib},
                         {"expected_high_gib", p.expected->highGib},
                         {"fit_chance", p.expected->fitChance}});
    return json;
}

std::string scoreText(const std::vector<SourceScore>& scores) {
    Table table({"source", ">rows", ">A+B", ">predicted", ">time", ">p90", ">bias", ">memory", ">p90",
                 ">bias", ">ran: fits/not", ">failed: fits/not", ">tau", ">pooled", ">regret", ">groups"});
    for (const SourceScore& s : scores) {
        const auto figure = [](const ErrorFigures& e, double value) {
            return e.count > 0 ? percent(value) : std::string();
        };
        const bool ranked = s.ranking.groups > 0;
        table.add({s.source, fmt::format("{}", s.rows), fmt::format("{}", s.scorable),
                   fmt::format("{}", s.predicted), figure(s.time, s.time.median), figure(s.time, s.time.p90),
                   figure(s.time, s.time.bias), figure(s.memory, s.memory.median),
                   figure(s.memory, s.memory.p90), figure(s.memory, s.memory.bias),
                   fmt::format("{}/{}", s.fits.fitsWorked, s.fits.tooLargeWorked),
                   fmt::format("{}/{}", s.fits.fitsFailed, s.fits.tooLargeFailed),
                   ranked ? fmt::format("{:.2f}", s.ranking.medianTau) : "",
                   ranked ? fmt::format("{:.2f}", s.ranking.pooledTau) : "",
                   ranked ? percent(s.ranking.medianRegret) : "",
                   ranked ? fmt::format("{}", s.ranking.groups) : ""});
    }
    return "Errors in %, predicted / measured - 1: median and 90th percentile of their size, median of the "
           "signed\n"
           "ones (bias); rows of quality A and B. Kendall's tau-b and regret (%) in groups of equal model, "
           "GPUs,\n"
           "batch and sequence length with at least three runs: median over groups, and tau over all "
           "pairs.\n\n" +
           table.text();
}

// Reasons why rows of a source were not predicted, with how many each concerns.
std::string refusalText(const std::string& source, const std::vector<RunPrediction>& predictions) {
    std::map<std::string, int> reasons;
    for (const RunPrediction& p : predictions)
        if (p.status != PredictionStatus::Ok)
            ++reasons[fmt::format("{}: {}", name(p.status), p.remarks)];
    std::string text;
    for (const auto& [reason, count] : reasons)
        text += fmt::format("{}: {} x {}\n", source, count, reason);
    return text;
}

Result<ConstantSet> readConstants(const std::string& file) {
    if (file.empty())
        return ConstantSet::builtin();
    const Result<std::string> text = readFile(file);
    if (!text)
        return text.error();
    return ConstantSet::read(*text, file);
}

// Predicts the published runs anew and writes what error bands rest on.
Result<Answer> writeResiduals(const Session& session, const ValidateFlags& flags) {
    Result<CaseTable> table = predictedCases(flags.threads, session.stop);
    if (!table)
        return table.error();
    table->widths = calibratedWidths(*table);
    if (Status written = writeFileAtomically(flags.residuals, residualsCsv(*table)); !written)
        return written.error();
    return Answer{Json{{"residuals", flags.residuals}, {"cases", table->cases.size()}},
                  fmt::format("{} cases of {} sources written to {}\n", table->cases.size(),
                              table->sources.size(), flags.residuals),
                  {}};
}

Json groupsJson(const std::vector<GroupCoverage>& groups) {
    Json list = Json::array();
    for (const GroupCoverage& g : groups)
        list.push_back({{"name", g.name},
                        {"rows", g.rows},
                        {"distance", g.distance},
                        {"inside", g.inside},
                        {"half_width", g.halfWidth}});
    return list;
}

std::string groupsText(const Coverage& found) {
    Table table({"left out", ">rows", ">distance", ">inside", ">half width"});
    const auto add = [&](const char* what, const std::vector<GroupCoverage>& groups) {
        for (const GroupCoverage& g : groups)
            table.add({fmt::format("{} {}", what, g.name.empty() ? "not known" : g.name),
                       fmt::format("{}", g.rows), fmt::format("{:.2f}", g.distance), percent(g.inside),
                       percent(std::expm1(g.halfWidth))});
    };
    add("stack", found.stacks);
    add("devices up to", found.generations);
    return table.text();
}

Json memoryJson(const std::vector<MemoryCoverage>& coverage) {
    Json list = Json::array();
    for (const MemoryCoverage& m : coverage)
        list.push_back(
            {{"source", m.source}, {"rows", m.rows}, {"inside", m.inside}, {"half_width", m.half}});
    return list;
}

std::string memoryText(const std::vector<MemoryCoverage>& coverage) {
    Table table({"source", ">rows", ">inside", ">half width"});
    for (const MemoryCoverage& m : coverage)
        table.add({m.source, fmt::format("{}", m.rows), percent(m.inside), percent(std::expm1(m.half))});
    return table.text();
}

// Predicts the published peaks anew and writes what chances to fit rest on.
Result<Answer> writeMemorySpans(const Session& session, const ValidateFlags& flags) {
    const Result<std::vector<MemoryCase>> peaks = predictedPeaks(flags.threads, session.stop);
    if (!peaks)
        return peaks.error();
    const MemorySpans spans = fittedSpans(*peaks);
    if (Status written = writeFileAtomically(flags.memorySpans, memorySpansJson(spans)); !written)
        return written.error();
    return Answer{Json{{"memory_spans", flags.memorySpans}, {"peaks", peaks->size()}},
                  fmt::format("{} peaks of {} sources written to {}\n", peaks->size(),
                              spans.strangers.sources, flags.memorySpans),
                  {}};
}

// What error bands and comparisons would have been worth for each source, had nobody seen it.
Result<Answer> bandsAnswer(const Session& session, int threads) {
    const Result<std::vector<MemoryCase>> peaks = predictedPeaks(threads, session.stop);
    if (!peaks)
        return peaks.error();
    const std::vector<MemoryCoverage> memory = memoryCoverage(*peaks);
    const Coverage found = coverage(measuredCases());
    Answer answer;
    answer.document =
        Json{{"band_share", kBandShare},           {"certain", kCertain},
             {"sources", Json::array()},           {"memory", memoryJson(memory)},
             {"stacks", groupsJson(found.stacks)}, {"generations", groupsJson(found.generations)}};
    Table table({"source", ">rows", ">distance", ">inside", ">half width", ">row out: inside", ">half width",
                 ">pairs", ">called", ">right", ">promised", ">ties", ">right"});
    for (const SourceCoverage& s : found.sources) {
        const int ties = s.pairs - s.called;
        const auto share = [](int part, int whole) {
            return whole > 0 ? percent(static_cast<double>(part) / whole) : std::string();
        };
        table.add({s.name, fmt::format("{}", s.rows), fmt::format("{:.2f}", s.distance), percent(s.inside),
                   percent(std::expm1(s.halfWidth)), percent(s.rowInside),
                   percent(std::expm1(s.rowHalfWidth)), fmt::format("{}", s.pairs), share(s.called, s.pairs),
                   share(s.right, s.called), s.called > 0 ? percent(s.promised) : "", share(ties, s.pairs),
                   share(s.tiesRight, ties)});
        answer.document["sources"].push_back({{"source", s.name},
                                              {"rows", s.rows},
                                              {"distance", s.distance},
                                              {"inside", s.inside},
                                              {"half_width", s.halfWidth},
                                              {"row_inside", s.rowInside},
                                              {"row_half_width", s.rowHalfWidth},
                                              {"pairs", s.pairs},
                                              {"called", s.called},
                                              {"right", s.right},
                                              {"promised", s.promised},
                                              {"ties_right", s.tiesRight}});
    }
    answer.text =
        fmt::format("Each source left out: how far the nearest case of the others is (median), how "
                    "many of its rows (%) lie "
                    "in\n"
                    "the {:.0f} % band of the others, and how wide that is (+%, median); the same "
                    "with only the row itself "
                    "left out.\n"
                    "Pairs of runs of equal model, GPUs, batch and sequence length: where one was "
                    "called faster (at least "
                    "{:.0f} %\n"
                    "probable), how often it was; the others are called ties.\n\n{}\n"
                    "Likewise whole software stacks and generations of devices (by the narrowest "
                    "format that they multiply in):\n\n{}\n"
                    "Peak memory, each source left out:\n\n{}",
                    100 * kBandShare, 100 * kCertain, table.text(), groupsText(found), memoryText(memory));
    return answer;
}

Result<Answer> validate(const Session& session, const ValidateFlags& flags) {
    if (flags.bands)
        return bandsAnswer(session, flags.threads);
    if (!flags.residuals.empty())
        return writeResiduals(session, flags);
    if (!flags.memorySpans.empty())
        return writeMemorySpans(session, flags);
    const Result<Calibration> calibration = readCalibrationFlag(session);
    if (!calibration)
        return calibration.error();
    std::vector<LayerTime> layers;
    if (!flags.layers.empty()) {
        const Result<std::string> text = readFile(flags.layers);
        if (!text)
            return text.error();
        Result<std::vector<LayerTime>> read = readLayerTimes(*text, flags.layers);
        if (!read)
            return read.error();
        layers = *std::move(read);
    }
    const Result<ConstantSet> constants = readConstants(flags.constants);
    if (!constants)
        return constants.error();
    Diagnostics notes;
    Result<std::vector<RunSource>> sources = readRunSources(flags.files, &notes);
    if (!sources)
        return sources.error();
    session.note(notes);
    std::vector<SourceScore> scores;
    std::vector<RunPrediction> all;
    std::string refused;
    for (RunSource& source : *sources) {
        source.layers.insert(source.layers.end(), layers.begin(), layers.end());
        const std::vector<RunPrediction> predictions =
            predictRuns(source.rows, flags.threads, session.stop, *calibration, source.layers, *constants,
                        expectations());
        scores.push_back(scoreRuns(source.name, source.rows, predictions));
        refused += refusalText(source.name, predictions);
        all.insert(all.end(), predictions.begin(), predictions.end());
    }
    if (session.stop.stop_requested())
        return stopped("stopped", "stopped before all rows were predicted");
    Answer answer;
    answer.document = Json{{"sources", Json::array()}, {"predictions", Json::array()}};
    for (const SourceScore& score : scores)
        answer.document["sources"].push_back(document(score));
    for (const RunPrediction& prediction : all)
        answer.document["predictions"].push_back(document(prediction));
    answer.text = scoreText(scores) + (refused.empty() ? refused : "\nNot predicted:\n" + refused);
    for (const SourceScore& score : scores)
        if (score.doubtful > 0)
            answer.text += fmt::format("\nNot scored: {} rows of {} have the same time and memory as another "
                                       "at another number of GPUs; one of them is wrong\n",
                                       score.doubtful, score.source);
    if (!flags.out.empty()) {
        if (Status written = writeFileAtomically(flags.out, predictionsCsv(all)); !written)
            return written.error();
        answer.document["out"] = flags.out;
        answer.text += fmt::format("\npredictions written to {}\n", flags.out);
    }
    return answer;
}

} // namespace

Command addValidate(CLI::App& app) {
    auto flags = std::make_shared<ValidateFlags>();
    CLI::App* sub = app.add_subcommand("validate", "predict published runs and show the error");
    sub->add_option(
        "RUNS.csv", flags->files,
        "tables of measured runs, 46 columns or with the further ones; none: the published runs that ship");
    sub->add_option(
           "--out", flags->out,
           "write row_id,status,pred_iter_time_s,pred_peak_mem_gib,fits,message,stack,expected_low_s,"
           "expected_high_s,expected_low_gib,expected_high_gib,fit_chance")
        ->type_name("PRED.csv");
    sub->add_option("--layers", flags->layers, "measured layer times to rest on where they fit a run")
        ->type_name("FILE.csv");
    sub->add_flag("--bands", flags->bands,
                  "how many published runs lie in the error band of the others, source by source");
    sub->add_option("--residuals", flags->residuals,
                    "write what error bands rest on: residuals and features of the published runs")
        ->type_name("FILE.csv");
    sub->add_option("--memory-spans", flags->memorySpans,
                    "write what chances to fit rest on: spans of the published peaks by software stack")
        ->type_name("FILE.json");
    sub->add_option("--constants", flags->constants, "other values for the model's fitted constants")
        ->type_name("FILE.json");
    sub->add_option("--threads", flags->threads, "0 (default): as many as the machine has")
        ->type_name("N")
        ->check(CLI::Range(0, 1024).description(""));
    return {sub, [flags](const Session& session) { return validate(session, *flags); }, true};
}

} // namespace pw::cli
