// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/accuracy/features.h"
#include "core/base/result.h"

#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace pw {

// One measured run and how far its prediction lies from it.
struct MeasuredCase {
    std::string rowId;
    int source = 0;            // index into CaseTable::sources
    int group = 0;             // runs of equal model, GPUs, batch and sequence length share it (score.h)
    std::string stack;         // software stack that it was priced with; "" = none known
    std::string generation;    // of its devices, see generationOf()
    double logPredicted = 0.0; // ln of the predicted iteration time in seconds
    double residual = 0.0;     // ln(predicted / measured)
    Features features;
};

// How wide bands (band.h) and differences of two plans (tie.h) are, from leaving out what was measured.
struct BandWidths {
    double near = 1.0;  // of the spread of near cases
    double far = 0.1;   // of the logarithm where nothing is near, before distance and communication widen it
    double pair = 0.05; // variance that two configurations far apart do not share
};

struct CaseTable {
    BandWidths widths;
    std::vector<std::string> sources; // names of publishedTables()
    std::vector<MeasuredCase> cases;  // source by source
};

// The generation of a plan's devices by the narrowest format that all of them multiply in: "fp32", "fp16",
// "bf16" or "fp8".
std::string generationOf(const Problem& problem, const Plan& plan);

// Predicts every published run that printed a time (published_runs.h). Rows that cannot be predicted or that
// contradict each other (doubtfulRows) are left out. Some seconds of work; `threads` 0 = as many as there
// are.
Result<CaseTable> predictedCases(int threads, std::stop_token stop);

// The same as it ships, resources/calibration/residuals.csv, so that nothing is predicted at start-up. Read
// at the first call. `validate --residuals FILE` writes the file anew after a change of the cost model, and a
// test holds it against predictedCases().
const CaseTable& measuredCases();

// A first line "# near 1.01 far 0.1 pair 0.07" with the widths, then source,row_id,group,stack,generation,
// ln_predicted,residual and a column for every feature.
std::string residualsCsv(const CaseTable& table);
Result<CaseTable> readResiduals(std::string_view text, const std::string& file);

} // namespace pw
