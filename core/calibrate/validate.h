// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/constants.h"
#include "core/calibrate/calibration.h"
#include "core/calibrate/layer_table.h"
#include "core/calibrate/run_table.h"

#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace pw {

struct Evaluation; // core/evaluate/evaluation.h
struct RunCase;    // run_case.h

// How a source measures memory. What an allocator has given out leaves out the reserve, which stands for the
// context and for collective libraries; what it holds is more by a share, since it keeps blocks of many
// sizes.
enum class MemoryBasis { Unstated, Allocated, Reserved, DeviceInUse, GpuMemory };
MemoryBasis memoryBasis(std::string_view definition); // by the words of the mem_def column
// What such a source prints where a plan holds so much on a device, `reserve` of it the reserve; all in GiB.
double printedGib(double held, double reserve, MemoryBasis basis, const MemoryConstants& constants);
// Of which devices it prints the peak.
enum class MemoryRanks { Most, FirstStage, LastStage };
MemoryRanks memoryRanks(std::string_view definition);

enum class PredictionStatus { Ok, Unsupported, Error };
const char* name(PredictionStatus status); // "ok", "unsupported", "error"

// What evaluate() makes of one row. A plan that does not fit is Ok with fits false, and has its time.
struct RunPrediction {
    std::string rowId;
    PredictionStatus status = PredictionStatus::Ok;
    double iterTimeS = 0.0;  // of status Ok
    double peakMemGib = 0.0; // most on the devices that the row speaks of, by its own definition of memory
    bool fits = false;
    std::string stack;   // the software stack that its framework's name was read as; "" = none known
    std::string remarks; // why not, or what was assumed
    // What 80 % of runs are expected within, and how likely the plan fits; see core/accuracy.
    struct Expected {
        double lowS = 0.0, highS = 0.0;     // iteration
        double lowGib = 0.0, highGib = 0.0; // peak memory, by the row's own definition
        double fitChance = 0.0;
    };
    std::optional<Expected> expected;
};

// Told each run that is predicted, to add to its prediction; from any thread.
using RunVisitor = std::function<void(const RunCase&, const Evaluation&, RunPrediction&)>;

RunPrediction predictRun(const RunRow& row, const Calibration& calibration = {},
                         const std::vector<LayerTime>& layers = {},
                         const ConstantSet& constants = ConstantSet::builtin(), const RunVisitor& visit = {});
// One for every row, in their order, whatever the number of threads (0 = as many as the machine has). A stop
// leaves the rest as errors that say so.
std::vector<RunPrediction> predictRuns(const std::vector<RunRow>& rows, int threads, std::stop_token stop,
                                       const Calibration& calibration = {},
                                       const std::vector<LayerTime>& layers = {},
                                       const ConstantSet& constants = ConstantSet::builtin(),
                                       const RunVisitor& visit = {});

// row_id,status,pred_iter_time_s,pred_peak_mem_gib,fits,message,stack,expected_low_s,expected_high_s,
// expected_low_gib,expected_high_gib,fit_chance; what a row has not is empty.
std::string predictionsCsv(const std::vector<RunPrediction>& predictions);

} // namespace pw
