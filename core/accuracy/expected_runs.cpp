// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/accuracy/expected_runs.h"

#include "core/accuracy/band.h"
#include "core/accuracy/memory_cases.h"
#include "core/calibrate/run_case.h"

namespace pw {

RunVisitor expectations() {
    return [](const RunCase& run, const Evaluation& evaluation, RunPrediction& prediction) {
        const ErrorBand band = errorBand(*run.problem, run.plan, evaluation);
        const MemorySpan& memory = memorySpans().of(prediction.stack);
        RunPrediction::Expected expected;
        expected.lowS = prediction.iterTimeS * band.low;
        expected.highS = prediction.iterTimeS * band.high;
        expected.lowGib = lowOf(memory, prediction.peakMemGib);
        expected.highGib = highOf(memory, prediction.peakMemGib);
        expected.fitChance = chanceToFit(*run.problem, evaluation);
        prediction.expected = expected;
    };
}

} // namespace pw
