// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibrate/validate.h"

#include "core/base/parallel.h"
#include "core/base/text.h"
#include "core/calibrate/run_case.h"
#include "core/calibrate/unsupported.h"
#include "core/calibrate/words.h"
#include "core/evaluate/evaluation.h"
#include "core/formats/csv.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace pw {

namespace {

RunPrediction refusedRun(const RunRow& row, const Error& error) {
    RunPrediction prediction;
    prediction.rowId = row.rowId;
    prediction.status = error.code == kUnsupported ? PredictionStatus::Unsupported : PredictionStatus::Error;
    prediction.remarks = error.text();
    return prediction;
}

std::string listed(const std::vector<std::string>& texts) {
    return fmt::format("{}", fmt::join(texts, "; "));
}

Bytes peakOf(const Evaluation& evaluation, const Plan& plan, MemoryRanks ranks) {
    double peak = 0.0;
    for (const DeviceMemory& device : evaluation.memory) {
        const int last =
            static_cast<int>(plan.pipelines[static_cast<std::size_t>(device.pipeline)].stages.size()) - 1;
        if ((ranks == MemoryRanks::FirstStage && device.stage != 0) ||
            (ranks == MemoryRanks::LastStage && device.stage != last))
            continue;
        peak = std::max(peak, device.peak.total().value);
    }
    return Bytes(peak);
}

} // namespace

MemoryBasis memoryBasis(std::string_view definition) {
    const std::vector<std::string> words = wordsOf(definition);
    if (contains(lowered(definition), "gpu memory"))
        return MemoryBasis::GpuMemory;
    if (hasAnyWord(words, {"reserved", "reserve"}))
        return MemoryBasis::Reserved;
    if (hasAnyWord(words, {"smi", "use", "used", "total", "device"}))
        return MemoryBasis::DeviceInUse;
    if (hasAnyWord(words, {"allocated", "max"}))
        return MemoryBasis::Allocated;
    return MemoryBasis::Unstated;
}

double printedGib(double held, double reserve, MemoryBasis basis, const MemoryConstants& constants) {
    const double allocated = held - reserve + constants.workspaces;
    switch (basis) {
    case MemoryBasis::Unstated:
        return held;
    case MemoryBasis::Allocated:
        return allocated;
    case MemoryBasis::Reserved:
        return constants.reservedFactor * allocated;
    case MemoryBasis::DeviceInUse:
        return held + constants.inUseOffset;
    case MemoryBasis::GpuMemory:
        return held + constants.gpuMemoryOffset;
    }
    return held;
}

MemoryRanks memoryRanks(std::string_view definition) {
    const std::string text = lowered(definition);
    if (contains(text, "last rank") || contains(text, "last pipeline stage"))
        return MemoryRanks::LastStage;
    if (contains(text, "rank 0") || contains(text, "first pipeline stage"))
        return MemoryRanks::FirstStage;
    return MemoryRanks::Most;
}

const char* name(PredictionStatus status) {
    switch (status) {
    case PredictionStatus::Ok:
        return "ok";
    case PredictionStatus::Unsupported:
        return "unsupported";
    case PredictionStatus::Error:
        return "error";
    }
    return "error";
}

RunPrediction predictRun(const RunRow& row, const Calibration& calibration,
                         const std::vector<LayerTime>& layers, const ConstantSet& constants,
                         const RunVisitor& visit) {
    const Result<RunCase> run = runCase(row, calibration, layers, constants);
    if (!run)
        return refusedRun(row, run.error());
    const Result<Evaluation> evaluation = evaluate(*run->problem, run->plan);
    if (!evaluation)
        return refusedRun(row, evaluation.error());
    RunPrediction prediction;
    prediction.rowId = row.rowId;
    prediction.iterTimeS = evaluation->iteration.value;
    prediction.peakMemGib =
        printedGib(toGibibytes(peakOf(*evaluation, run->plan, memoryRanks(row.memDef))),
                   toGibibytes(run->problem->recipe().reserve), memoryBasis(row.memDef), constants.memory()) +
        calibration.memoryOffset;
    prediction.fits = evaluation->feasible;
    prediction.stack = run->problem->recipe().stack;
    if (!std::isfinite(prediction.iterTimeS) || prediction.iterTimeS <= 0.0)
        return refusedRun(row, failure("runs.time", "", "the prediction is not a time above 0"));
    std::vector<std::string> said = run->assumptions;
    if (!evaluation->feasible && !evaluation->reasons.empty())
        said.insert(said.begin(), evaluation->reasons.front().message);
    prediction.remarks = listed(said);
    if (visit)
        visit(*run, *evaluation, prediction);
    return prediction;
}

std::vector<RunPrediction> predictRuns(const std::vector<RunRow>& rows, int threads, std::stop_token stop,
                                       const Calibration& calibration, const std::vector<LayerTime>& layers,
                                       const ConstantSet& constants, const RunVisitor& visit) {
    std::vector<RunPrediction> predictions(rows.size());
    inParallel(rows.size(), threads, [&](std::size_t i) {
        predictions[i] = stop.stop_requested()
                             ? refusedRun(rows[i], stopped("stopped", "stopped before this row"))
                             : predictRun(rows[i], calibration, layers, constants, visit);
    });
    return predictions;
}

std::string predictionsCsv(const std::vector<RunPrediction>& predictions) {
    std::string text = "row_id,status,pred_iter_time_s,pred_peak_mem_gib,fits,message,stack,"
                       "expected_low_s,expected_high_s,expected_low_gib,expected_high_gib,fit_chance\n";
    for (const RunPrediction& p : predictions) {
        const bool ok = p.status == PredictionStatus::Ok;
        text += fmt::format("{},{},{},{},{},{},{}", csvField(p.rowId), name(p.status),
                            ok ? fmt::format("{:.6g}", p.iterTimeS) : "",
                            ok ? fmt::format("{:.4f}", p.peakMemGib) : "", ok ? (p.fits ? "1" : "0") : "",
                            csvField(p.remarks), csvField(p.stack));
        text += p.expected ? fmt::format(",{:.6g},{:.6g},{:.4f},{:.4f},{:.4f}\n", p.expected->lowS,
                                         p.expected->highS, p.expected->lowGib, p.expected->highGib,
                                         p.expected->fitChance)
                           : ",,,,,\n";
    }
    return text;
}

} // namespace pw
