// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/calibrate/run_table.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pw {

// TrainingLog::trainer of those that print their arguments; FlagScale stands on it.
inline constexpr const char* kListsArguments = "Megatron-LM";
// RunRow::framework of those that list Transformer Engine among them.
inline constexpr const char* kListsCoreArguments = "Megatron-LM core";

// What a trainer prints while it trains: time and memory, step by step. Read by the words in front of the
// numbers, which have stayed the same over the versions, from lines that launchers put their own marks in
// front of, with colours and progress bars:
//
//   Megatron-LM, FlagScale  elapsed time per iteration (ms): 1234.5 |     max allocated: 23456.7 (MB)
//   NeMo                    train_step_timing in s=3.130, ": " or in JSON
//   nanotron                time_per_iteration_ms: 1.23K                  Peak allocated 23456.78MiB
//   DeepSpeed               iter time (s): 1.234; CurrSamplesPerSec=51.8  MaxMemAllocated=38.49GB
//   torchtitan              tps: 7,890 (or wps), of one GPU               memory: 34.56GiB(36.42%)
//
// A log of Megatron-LM or FlagScale also lists all arguments, which describe the run.
struct TrainingLog {
    std::string trainer; // of the table above; "" = only arguments, or out of memory
    // One value a printed step, in their order; of one kind.
    enum class Kind { StepSeconds, SamplesPerSecond, TokensPerSecondPerGpu };
    Kind kind = Kind::StepSeconds;
    std::vector<double> steps;
    std::optional<double> peakGib;                      // the largest of any rank
    std::string peakDefinition;                         // "max allocated" or "max reserved"
    bool outOfMemory = false;                           // a CUDA allocation failed
    std::optional<std::int64_t> globalBatch, worldSize; // as last printed behind a step, and at the start
    // Megatron-LM's list: name and value as printed.
    std::vector<std::pair<std::string, std::string>> arguments;
};

// Whose log the text is, "" = of none that is known: a line says how long a step took or how fast it went, or
// memory ran out behind a list of arguments. A list of arguments alone is no log of a run. Looks no further
// than the first such line.
std::string trainerOfLog(std::string_view text);

// Whether the text has a list of arguments, whoever runs by them: of a run of Megatron-LM's rank 0 prints it,
// and the last rank the steps, so that each rank's own file lacks one of the two.
bool listsArguments(std::string_view text);

// Whether the text, or a line of it, says that a CUDA allocation failed.
bool saysOutOfMemory(std::string_view text);

// All that the text tells, and be it nothing.
TrainingLog scanTrainingLog(std::string_view text);

// Bad input at `file` if no line tells a step, nor that memory ran out.
Status checkSteps(const TrainingLog& log, const std::string& file);
// The one of which checkSteps() has nothing to say.
Result<TrainingLog> readTrainingLog(std::string_view text, const std::string& file);

// Steps that are timed as the run went on: the median without the first fifth, at least one of several, which
// allocate, compile and connect. Empty if there are none.
std::optional<double> steadyStep(const TrainingLog& log);

// The run that the arguments describe; what they do not say (GPUs, node, network) stays empty. Bad input at
// `file` if the log lists none.
Result<RunRow> runOfArguments(const TrainingLog& log, const std::string& file);

// Time and peak memory of the log into a row that states the run and not yet these. Bad input at `file` if
// the row lacks what the log's kind of step needs: sequences a step, their length, the number of GPUs.
Status takeLog(const TrainingLog& log, const std::string& file, RunRow& row);

} // namespace pw
