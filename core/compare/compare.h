// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/evaluate/evaluation.h"
#include "core/timeline/timeline.h"

#include <string>
#include <vector>

namespace pw {

// What differs between plans, and what it costs: one answer for the compare view and the command line.

// A plan to be compared; all of it outlives the call.
struct ComparedPlan {
    std::string name; // "plan 17"
    const Problem* problem = nullptr;
    const Plan* plan = nullptr;
    const Evaluation* evaluation = nullptr; // with ops
    const Timeline* timeline = nullptr;     // of it
};

enum class TimeEntry {
    Forward,
    Recompute,
    Backward,
    WeightGrad,
    AllReduce,
    Optimizer,
    WarmUp,
    SlowerStage,
    Transfer,
    CoolDown
};
inline constexpr int kTimeEntries = 10;
const char* label(TimeEntry entry); // "waits for a slower stage"

// Seconds of a GPU, the mean over those that a plan uses; the entries of a plan add up to its iteration.
struct TimeDifference {
    TimeEntry entry = TimeEntry::Forward;
    std::vector<double> seconds; // by plan
    std::vector<int> stage;      // by plan: the track where the entry is largest, -1 where it is nowhere
    double largest = 0.0;        // s, signed: the largest change against the base
};

// A property of the plan in words, one text a plan.
struct PlanField {
    std::string name; // "GPUs of a stage"
    std::vector<std::string> values;
    // By plan the same in brief: of what each stage has, one for all where they are alike, or, of plans with
    // as many stages, those stages alone where they differ, if that is shorter: "stage 3: 8, stage 5: 9".
    std::vector<std::string> brief;
    bool differs = false;
};

// A figure, more or less of which is better.
struct PlanFigure {
    std::string name, unit; // "iteration", "s"
    std::vector<double> values;
    bool lessIsBetter = true;
    int decimals = 2;
};

struct DevicePeaks {
    std::string device;            // "n1.g0"
    Bytes capacity;                // 0: the plans know different ones
    std::vector<MemoryParts> peak; // by plan; all zero where it is unused
};

struct Comparison {
    std::size_t base = 0;
    std::vector<std::string> names;
    // Empty: all plans answer the same question. Else what sets the questions apart ("global batch 256,
    // 512").
    std::vector<std::string> inputs;
    bool sameWork = true; // model, global batch and sequence length: times can be held against each other
    std::vector<PlanFigure> figures;
    std::vector<TimeDifference> time; // all entries that any plan has, largest change first
    std::vector<PlanField> fields;
    std::vector<DevicePeaks> memory;    // devices in use, in the base's order; empty for different clusters
    std::vector<std::string> sentences; // the answer in words: the verdict, then what makes it, largest first
};

// `plans`: two to four. `base`: which of them the others are held against.
Comparison comparePlans(const std::vector<ComparedPlan>& plans, std::size_t base);

// Comparison::sentences from its figures.
std::vector<std::string> comparisonText(const Comparison& comparison);
Json toJson(const Comparison& comparison);

// What sets two questions apart, in words.
std::vector<std::string> differingInputs(const Problem& a, const Problem& b);

// A duration with its sign, in s or ms: "+1.54 s", "−80 ms".
std::string signedDuration(double seconds);

} // namespace pw
