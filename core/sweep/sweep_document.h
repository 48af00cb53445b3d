// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/diagnostics.h"
#include "core/sweep/training_cost.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pw {

// A sweep asks one question many times: every combination of the values of its axes is a task (schema
// resources/schemas/sweep.schema.json). What one task is never outgrows a machine; all of them may, which is
// why they are made into a folder (sweep_folder.h) that any number of machines work off.

inline constexpr const char* kSweepSchema = "pipewright-sweep-1";

// What an axis changes. A further one is a row of axisKindTable(), its check in sweep_document.cpp and what
// it does in composer.cpp.
enum class AxisKind { Cluster, NodeCount, Model, Plan, Recipe, Search, Scenario, Uncertainty };
struct AxisKindRow {
    AxisKind kind;
    const char* of; // in documents; one that ends with a dot goes on with a key ("recipe.gbs")
    const char* help;
};
const std::vector<AxisKindRow>& axisKindTable(); // in the order of the enumeration

// An option beside those of searchOptionTable(): only plans that this export format can run.
inline constexpr const char* kTargetOption = "target";
// Whether a sweep can have the option: threads change no result, and a time limit makes it unrepeatable.
bool isPartOfQuestion(std::string_view option);

// A value of a plan axis: nothing is judged, the task is searched. What a plan that is kept loses is what
// this one gains.
inline constexpr const char* kSearchAnew = "search";

// Values are compact JSON texts ("256", "\"a.json\""): what they mean depends on the axis alone.
struct SweepAxis {
    std::string name;
    AxisKind kind = AxisKind::Cluster;
    std::string key;                 // Recipe, Search: what stands behind the dot
    std::string deviceKind;          // NodeCount: by name or short name
    std::vector<std::string> values; // Uncertainty: 0 to count - 1
    std::uint64_t seed = 1;          // Uncertainty
    std::string where;               // in the document, for messages

    // True for what happens to a decision, a failure or a draw, and is not decided itself.
    bool isWorld() const { return kind == AxisKind::Scenario || kind == AxisKind::Uncertainty; }
    // What is bought, and what is trained on it.
    bool isComposition() const {
        return kind == AxisKind::Cluster || kind == AxisKind::NodeCount || kind == AxisKind::Model ||
               kind == AxisKind::Recipe;
    }
};

// The text of a value as people read it: without the quotes of a text.
std::string plainValue(const std::string& value);

struct SweepBase {
    std::string project, cluster, model, profiles, calibration; // files; empty: none
    std::string recipe = "{}", search = "{}";                   // JSON objects
    std::map<std::string, double> prices;                       // of a GPU hour by kind
    std::vector<std::string> forbidden;
};

// What a composition may cost at most; 0: no limit. One beyond any of them is no task.
struct SweepCaps {
    double pricePerHour = 0.0; // of all its GPUs, in the currency of the prices
    double watts = 0.0;        // of all its GPUs at full power
    std::int64_t leastGpus = 0, mostGpus = 0;
};

struct SweepSample {
    std::uint64_t count = 0; // 0: all combinations; else so many different ones, drawn by chance
    std::uint64_t seed = 1;
};

enum class KeepDocuments { None, All, BestOf };
struct SweepKeep {
    int plans = 1; // of each search
    KeepDocuments documents = KeepDocuments::None;
    std::vector<std::string> bestOf; // axes: one document for each combination of their values; none: one
};

struct SweepDocument {
    std::string name;
    SweepBase base;
    std::vector<SweepAxis> axes;
    std::vector<std::map<std::string, std::string>> skip; // partial assignments, values by axis
    SweepSample sample;
    SweepKeep keep;
    std::int64_t work = 0; // of every search; 0: the planner's default
    SweepCaps caps;
    std::optional<TrainingGoal> training;
    std::string source; // the document itself, as it was read

    const SweepAxis* axis(AxisKind kind) const; // the first of that kind; null: there is none
    const SweepAxis* axis(std::string_view name) const;
};

// Of the product of all axes, before anything is left out.
inline constexpr std::uint64_t kMostCombinations = std::uint64_t{1} << 53;
inline constexpr std::size_t kMostTasks = 1'000'000;

// Bad input with every place that is wrong. What the files hold is not looked at. `notes` gets the keys that
// are not known.
Result<SweepDocument> readSweep(std::string_view text, const std::string& file, Diagnostics* notes = nullptr);

} // namespace pw
