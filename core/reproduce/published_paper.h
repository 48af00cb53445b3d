// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/cluster/cluster.h"
#include "core/model/model.h"
#include "core/problem/recipe.h"
#include "core/problem/schedule_kind.h"

#include <nlohmann/json.hpp>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace pw {

// What a paper's authors have published of their system, with what it takes to predict the same: cluster,
// model, recipe, and which planners, plans, schedules or partitions are asked. A file of samples/published
// each, compiled in (schema "pipewright-published-1"). Nothing in here is a prediction, and no prediction
// rests on what is in here.

// One figure, or the two ends between which a paper says that its figures lie.
struct PublishedFigure {
    double low = 0.0, high = 0.0;
    bool operator==(const PublishedFigure&) const = default;
};

// What a row's prediction is made of. `figure` says which number of it.
struct PlannerRun { // a planner's best plan; of another case of the paper where `ofCase` names one
    std::string planner, ofCase;
    std::vector<std::string> without;
    auto operator<=>(const PlannerRun&) const = default;
};
struct PlannerFigure { // iteration (s), throughput (sequences/s), memory (GiB, most on a device)
    PlannerRun run;
};
struct PlannerRatio { // iteration, or operators (unit costs worked out): of the first run over the second
    PlannerRun over, run;
};
struct PublishedPlan { // the authors' plan; iteration, memory (of `device`, or most on any)
    Json plan;         // {"pipelines": [...]}, as plan documents have it
    std::string device;
};
struct BareSchedule { // of bare stage times; makespan (s), bubble (%)
    ScheduleKind kind = ScheduleKind::OneFOneB;
    std::vector<double> forward, backward, weight, send; // s; weight: of `backward`, may be empty
    int microbatches = 1;
};
struct BlockPartition { // of the first GPUs of the cluster, over tensor parallelism of the size `tp` (0: the
                        // fastest); gain (x), memory (% of it), collectives (% of its time), and operator:
                        // s that an operator takes under it in a pass
    int gpus = 1, blocks = 1, tp = 0;
    std::string operatorName, pass; // "forward", "backward", "weights", "sum"
};
struct MeasuredRun { // a row of the measurements that ship (core/accuracy); iteration, memory
    std::string table, row;
};
struct NotPredicted { // why not
    std::string why;
};

inline constexpr const char* kRatioUnit = "x";
struct PublishedRow {
    std::string quantity, unit; // for people; unit as printed behind a number, kRatioUnit of ratios
    std::string figure;         // of the prediction, as above
    std::variant<NotPredicted, PlannerFigure, PlannerRatio, PublishedPlan, BareSchedule, BlockPartition,
                 MeasuredRun>
        prediction;
    std::optional<PublishedFigure> published; // none: the paper shows it without a number, or another's work
    bool measured = false; // by the authors, on their machines; else they estimate or state it
    std::string where;     // "Table 2"; where in the source
    std::string why;       // why the prediction is another one, as far as it is known
};

struct PublishedCase {
    std::string name;
    std::optional<Cluster> cluster; // all three, or none where no row needs them
    std::optional<Model> model;
    std::optional<Recipe> recipe;
    std::string assumed; // what the paper leaves open and is taken here
    std::vector<PublishedRow> rows;
};

struct PublishedPaper {
    std::string name;          // "harp": what `reproduce` takes
    std::string title, source; // for people; where it was published
    std::string open;          // what of it is not public
    std::vector<PublishedCase> cases;
};

// Reads a file. Bad input with file and JSON pointer: whatever is missing, unknown, named and not there (a
// cluster, a model, a planner, a part of it, a case, a table's row), two cases of one name, or a figure that
// the prediction has not.
Result<PublishedPaper> readPublishedPaper(std::string_view text, const std::string& file);

// The files that ship, in the order in which they are listed. Sound, which a test holds.
struct PublishedFile {
    const char* name; // "harp": harp.json
    const char* text;
};
std::span<const PublishedFile> publishedFiles();
Result<std::vector<PublishedPaper>> publishedPapers();

} // namespace pw
