// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/sweep/sweep_status.h"

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace pw {

// All results of a sweep as one table: a row a task, with or without a result.

// A figure of a task's record, of what a training run comes to, or of where the task stands, in one table for
// CSV, SQLite and whoever shows it.
struct ResultColumn {
    enum class Type { Text, Integer, Real, Structure };
    const char* key;
    Type type;
    const char* help; // with its unit
};
std::span<const ResultColumn> recordColumns();         // keys of a record (task_result.h)
std::span<const ResultColumn> trainingColumns();       // where the sweep states a training run
inline constexpr const char* kOpenStatus = "open";     // of a task without a result
inline constexpr const char* kFailedStatus = "failed"; // of one that was begun three times

struct CollectedTask {
    std::string record; // JSON; empty: no result
    bool failed = false;
    double iteration = 0.0; // s; 0: no plan
    double tokensPerSecond = 0.0;
    std::optional<TrainingCost> cost; // of a plan, where the sweep states a training run
};

// Of a record, as text and parsed.
CollectedTask collectedTask(const SweepFolder& folder, const std::string& text, const Json& record);

// Whether one plan is to be chosen before another: where a training run is stated that which meets the goal,
// of these the cheaper one and the faster of one price, unknown prices last; else that of more tokens a
// second.
bool isBefore(const CollectedTask& a, const CollectedTask& b);

// What a choice is worth over all worlds that the scenario and uncertainty axes make of it: every other axis
// is held. A world's best is taken over the choices for the same model and recipe.
struct Robustness {
    std::size_t example = 0;           // a task of it: the values of the held axes
    std::size_t worlds = 0, plans = 0; // looked at; with a plan that runs
    std::size_t compared = 0;          // with a plan, where another was looked at, if there is one
    double mean = 0.0, ninetieth = 0.0, worst = 0.0; // s an iteration, over the worlds with a plan
    double meanRegret = 0.0, worstRegret = 0.0;      // of iteration / the world's best - 1, over `compared`
};

struct Collection {
    std::vector<TaskLine> tasks;
    std::vector<CollectedTask> rows; // as tasks
    std::vector<std::string> versions;
    SweepStatus status;
    std::vector<std::size_t>
        best; // tasks: ten at most (kept of those that meet the goal, the cheapest first)
    std::vector<Robustness> robust; // best first; empty without such axes
    bool sameWorlds = true;         // all choices of `robust` were looked at in the same ones
};

// Failure: results disagree. Infeasible (refused): results of several versions of the program, unless
// `anyVersion`.
Result<Collection> collect(const SweepFolder& folder, bool anyVersion);

// A value of a row as JSON, null where it has none. `key`: of one of the tables.
Json columnValue(const CollectedTask& row, const Json& record, const ResultColumn& column);

// Bad input: an axis is named task, id, status or as another one, whatever the case of its letters, or its
// name begins with "result_".
Status checkAxisNames(const SweepDocument& sweep);
// Its key, behind "result_" where an axis has that name.
std::string columnName(const SweepDocument& sweep, const ResultColumn& column);

// One header and one line a task: task, id, the axes, status, the other columns. Bad input: an axis is named
// as a column is.
Result<std::string> sweepCsv(const SweepFolder& folder, const Collection& collection);

// The same in an SQLite database of its own, in one transaction: tables `sweep` (key, value), `task` and
// `result`, and the view `sweep_row` of both. Returns how many results are new, or of another version of the
// program than those in whose place they are. Failure or bad input as with any database, for one that holds
// another sweep, and for results of one version that differ in more than time and host.
Result<std::size_t> writeSweepDatabase(const std::filesystem::path& path, const SweepFolder& folder,
                                       const Collection& collection);

} // namespace pw
