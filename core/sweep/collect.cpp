// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sweep/collect.h"

#include "core/base/json.h"
#include "core/base/quantity.h"
#include "core/base/text.h"
#include "core/formats/csv.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <set>

namespace pw {

namespace {

constexpr std::size_t kMostBest = 10;
constexpr const char *kTask = "task", *kId = "id", *kStatus = "status";
constexpr const char* kResultStem = "result_";

template <class Of>
std::vector<std::uint32_t> valuesOf(const SweepFolder& folder, const Assignment& at, const Of& of) {
    std::vector<std::uint32_t> values;
    for (std::size_t a = 0; a < folder.sweep.axes.size(); ++a)
        if (std::invoke(of, folder.sweep.axes[a]))
            values.push_back(at[a]);
    return values;
}

std::vector<std::size_t> bestOf(const Collection& collection) {
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < collection.rows.size(); ++i)
        if (collection.rows[i].iteration > 0.0)
            order.push_back(i);
    std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
        return isBefore(collection.rows[a], collection.rows[b]);
    });
    order.resize(std::min(order.size(), kMostBest));
    return order;
}

using Values = std::vector<std::uint32_t>;

// One combination of scenario and draw, for one model and recipe.
struct World {
    std::size_t looked = 0; // choices that were
    double best = kNever;   // s
};

Robustness robustnessIn(const std::map<std::pair<Values, Values>, World>& worlds,
                        const Collection& collection, const std::vector<std::size_t>& tasks,
                        const std::function<std::pair<Values, Values>(std::size_t)>& worldOf) {
    Robustness robust;
    robust.example = tasks.front();
    robust.worlds = tasks.size();
    std::vector<double> times;
    for (const std::size_t i : tasks) {
        const double time = collection.rows[i].iteration;
        if (time <= 0.0)
            continue;
        times.push_back(time);
        robust.mean += time;
        const World& world = worlds.at(worldOf(i));
        if (world.looked < 2)
            continue; // nothing to be held against
        ++robust.compared;
        const double regret = time / world.best - 1.0;
        robust.meanRegret += regret;
        robust.worstRegret = std::max(robust.worstRegret, regret);
    }
    robust.plans = times.size();
    if (times.empty())
        return robust;
    std::ranges::sort(times);
    const double count = static_cast<double>(times.size());
    robust.mean /= count;
    robust.meanRegret /= static_cast<double>(std::max<std::size_t>(1, robust.compared));
    robust.worst = times.back();
    robust.ninetieth = times[static_cast<std::size_t>(std::ceil(0.9 * count)) - 1]; // nearest rank
    return robust;
}

void addRobustness(const SweepFolder& folder, Collection& collection) {
    if (std::ranges::none_of(folder.sweep.axes, &SweepAxis::isWorld))
        return;
    const auto isAsked = [](const SweepAxis& axis) {
        return axis.kind == AxisKind::Model || axis.kind == AxisKind::Recipe;
    };
    const auto isHeld = [](const SweepAxis& axis) { return !axis.isWorld(); };
    const auto worldOf = [&](std::size_t i) {
        const Assignment& at = collection.tasks[i].at;
        return std::pair(valuesOf(folder, at, &SweepAxis::isWorld), valuesOf(folder, at, isAsked));
    };
    std::map<std::pair<Values, Values>, World> worlds;
    std::map<Values, std::vector<std::size_t>> choices;
    for (std::size_t i = 0; i < collection.rows.size(); ++i) {
        if (collection.rows[i].record.empty())
            continue;
        choices[valuesOf(folder, collection.tasks[i].at, isHeld)].push_back(i);
        World& world = worlds[worldOf(i)];
        ++world.looked;
        if (const double time = collection.rows[i].iteration; time > 0.0)
            world.best = std::min(world.best, time);
    }
    std::map<Values, std::size_t> choicesFor; // by what is asked
    for (const auto& [held, tasks] : choices)
        ++choicesFor[valuesOf(folder, collection.tasks[tasks.front()].at, isAsked)];
    collection.sameWorlds = std::ranges::all_of(
        worlds, [&](const auto& at) { return at.second.looked == choicesFor.at(at.first.second); });
    for (const auto& [held, tasks] : choices)
        collection.robust.push_back(robustnessIn(worlds, collection, tasks, worldOf));
    std::ranges::stable_sort(collection.robust, [](const Robustness& a, const Robustness& b) {
        const double lostA = static_cast<double>(a.worlds - a.plans) / static_cast<double>(a.worlds);
        const double lostB = static_cast<double>(b.worlds - b.plans) / static_cast<double>(b.worlds);
        // What was held against nothing may be anything.
        return std::tuple(lostA, a.compared == 0, a.worstRegret, a.mean) <
               std::tuple(lostB, b.compared == 0, b.worstRegret, b.mean);
    });
}

std::string csvText(const Json& value) {
    if (value.is_null())
        return {};
    return csvField(value.is_string() ? value.get<std::string>() : value.dump());
}

} // namespace

std::span<const ResultColumn> recordColumns() {
    using enum ResultColumn::Type;
    static constexpr std::array columns = {
        ResultColumn{"exit", Integer, "0 a plan, 3 none, 4 the budget of work ended first"},
        ResultColumn{"iteration_s", Real, "predicted time of an iteration, s"},
        ResultColumn{"expected_low_s", Real, "80 % of measured runs are expected from here, s"},
        ResultColumn{"expected_high_s", Real, "to here, s"},
        ResultColumn{"tokens_per_s", Real, "tokens a second"},
        ResultColumn{"gpus", Integer, "of the composition"},
        ResultColumn{"gpus_used", Integer, "by the plan"},
        ResultColumn{"price_per_hour", Real, "of all GPUs of the composition, in the currency of the prices"},
        ResultColumn{"power_w", Real, "of all GPUs of the composition at full power, W"},
        ResultColumn{"price_per_token", Real, "of the GPUs that the plan uses"},
        ResultColumn{"energy_j_per_token", Real, "of the GPUs that the plan uses, at full power, J"},
        ResultColumn{"bubble", Real,
                     "idle over useful time of the stage that idles most, as in plan documents"},
        ResultColumn{"fullest", Real, "share of its memory that the fullest GPU needs"},
        ResultColumn{"peak", Structure, "memory of the fullest GPU of each kind, bytes and share"},
        ResultColumn{"stages", Text, "GPUs a stage"},
        ResultColumn{"schedule", Text, "kind of schedule"},
        ResultColumn{"microbatches", Integer, "of the first pipeline"},
        ResultColumn{"microbatch_size", Integer, "sequences of a micro-batch"},
        ResultColumn{"lower_bound_s", Real, "no plan of the space takes less, s"},
        ResultColumn{"gap", Real, "iteration over the bound, less 1"},
        ResultColumn{"measured_share", Real, "of the computing time that rests on measurements"},
        ResultColumn{"planner", Text, "that searched"},
        ResultColumn{"work", Integer, "stage candidates"},
        ResultColumn{"evaluated", Integer, "plans that were simulated"},
        ResultColumn{"reasons", Structure, "why there is no plan"},
        ResultColumn{"problem_hash", Text, "of what was searched"},
        ResultColumn{"plan_hash", Text, "of the plan by the ids of its devices"},
        ResultColumn{"wall_s", Real, "time that it took, s"},
        ResultColumn{"host", Text, "that worked it out"},
        ResultColumn{"tool_version", Text, "of the program that did"},
    };
    return columns;
}

std::span<const ResultColumn> trainingColumns() {
    using enum ResultColumn::Type;
    static constexpr std::array columns = {
        ResultColumn{"days", Real, "for all tokens, with failures and checkpoints"},
        ResultColumn{"money", Real, "of all GPUs of the composition for that time"},
        ResultColumn{"energy_kwh", Real, "for all tokens, at full power and with the overhead, kWh"},
        ResultColumn{"goodput", Real, "share of the time that is kept work"},
        ResultColumn{"checkpoint_interval_s", Real, "of work between two checkpoints, s; Daly's"},
        ResultColumn{"meets", Integer, "1 where deadline and budget are met"},
    };
    return columns;
}

CollectedTask collectedTask(const SweepFolder& folder, const std::string& text, const Json& record) {
    CollectedTask row;
    row.record = text;
    row.iteration = record.value("iteration_s", 0.0);
    row.tokensPerSecond = record.value("tokens_per_s", 0.0);
    if (folder.sweep.training && row.tokensPerSecond > 0.0)
        row.cost =
            trainingCost(*folder.sweep.training,
                         {row.tokensPerSecond, record.value("gpus_used", std::int64_t{0}),
                          record.value("price_per_hour", 0.0), record.value("energy_j_per_token", 0.0)});
    return row;
}

bool isBefore(const CollectedTask& a, const CollectedTask& b) {
    if (!a.cost || !b.cost)
        return a.tokensPerSecond > b.tokensPerSecond;
    const auto key = [](const TrainingCost& cost) {
        return std::tuple(!cost.meets, !cost.ends(), cost.money <= 0.0, cost.money, cost.days);
    };
    return key(*a.cost) < key(*b.cost);
}

Json columnValue(const CollectedTask& row, const Json& record, const ResultColumn& column) {
    const std::string_view key = column.key;
    const bool isTraining =
        std::ranges::any_of(trainingColumns(), [key](const ResultColumn& own) { return key == own.key; });
    if (!isTraining) {
        const auto at = record.find(column.key);
        return at == record.end() ? Json(nullptr) : *at;
    }
    if (!row.cost)
        return nullptr;
    const TrainingCost& cost = *row.cost;
    const auto known = [](double figure) {
        return figure > 0.0 && std::isfinite(figure) ? Json(figure) : Json(nullptr);
    };
    if (key == "days")
        return known(cost.days);
    if (key == "money")
        return known(cost.money);
    if (key == "energy_kwh")
        return known(cost.energyKwh);
    if (key == "goodput")
        return cost.goodput.share;
    if (key == "checkpoint_interval_s")
        return known(cost.goodput.interval);
    return cost.meets ? 1 : 0;
}

Result<Collection> collect(const SweepFolder& folder, bool anyVersion) {
    Collection collection;
    Result<std::vector<TaskLine>> tasks = readTasks(folder, std::nullopt);
    if (!tasks)
        return tasks.error();
    collection.tasks = *std::move(tasks);
    TaskStates states;
    std::map<std::string, std::string> records;
    const Status read = addStates(
        resultFiles(folder.resultsFolder(), *folder.disk), states,
        [&records](const std::string& id, const std::string& record) -> Status {
            records.emplace(id, record);
            return Ok{};
        },
        *folder.disk);
    if (!read)
        return read.error();
    std::set<std::string> versions;
    for (const TaskLine& task : collection.tasks) {
        CollectedTask row;
        if (const auto at = states.find(task.id); at != states.end()) {
            if (at->second.done) {
                versions.insert(at->second.toolVersion);
                const std::string& record = records.at(task.id);
                row = collectedTask(folder, record, Json::parse(record));
            }
            row.failed = at->second.failed();
        }
        collection.rows.push_back(std::move(row));
    }
    collection.versions.assign(versions.begin(), versions.end());
    if (collection.versions.size() > 1 && !anyVersion)
        return infeasible(
            "sweep.versions", folder.path.string(),
            {"has results of several versions of the program ({versions}), which may predict other "
             "times{?; --any-version takes them together}",
             {{"versions", fmt::format("{}", fmt::join(collection.versions, ", "))}}});
    collection.status = sweepStatus(folder, collection.tasks, states);
    collection.best = bestOf(collection);
    addRobustness(folder, collection);
    return collection;
}

Status checkAxisNames(const SweepDocument& sweep) {
    std::set<std::string> taken = {kTask, kId, kStatus};
    for (const SweepAxis& axis : sweep.axes)
        if (const std::string name = lowered(axis.name);
            name.starts_with(kResultStem) || !taken.insert(name).second)
            return badInput(
                "sweep.axis_name", axis.where,
                {"\"{name}\" is the name of another column of the results, too; call it otherwise",
                 {{"name", axis.name}}});
    return Ok{};
}

std::string columnName(const SweepDocument& sweep, const ResultColumn& column) {
    const bool isAxis = std::ranges::any_of(
        sweep.axes, [&column](const SweepAxis& axis) { return lowered(axis.name) == column.key; });
    return (isAxis ? kResultStem : "") + std::string(column.key);
}

Result<std::string> sweepCsv(const SweepFolder& folder, const Collection& collection) {
    if (const Status named = checkAxisNames(folder.sweep); !named)
        return named.error();
    std::vector<ResultColumn> columns(recordColumns().begin(), recordColumns().end());
    if (folder.sweep.training)
        columns.insert(columns.end(), trainingColumns().begin(), trainingColumns().end());
    std::string text = fmt::format("{},{}", kTask, kId);
    for (const SweepAxis& axis : folder.sweep.axes)
        text += ',' + csvField(axis.name);
    text += fmt::format(",{}", kStatus);
    for (const ResultColumn& column : columns)
        text += fmt::format(",{}", columnName(folder.sweep, column));
    text += '\n';
    for (std::size_t i = 0; i < collection.rows.size(); ++i) {
        const CollectedTask& row = collection.rows[i];
        const TaskLine& task = collection.tasks[i];
        const Json record = row.record.empty() ? Json::object() : Json::parse(row.record);
        text += fmt::format("{},{}", task.number, task.id);
        for (std::size_t a = 0; a < folder.sweep.axes.size(); ++a)
            text += ',' + csvField(plainValue(folder.sweep.axes[a].values[task.at[a]]));
        text += ',' + csvText(record.value(kStatus, row.failed ? kFailedStatus : kOpenStatus));
        for (const ResultColumn& column : columns)
            text += ',' + csvText(columnValue(row, record, column));
        text += '\n';
    }
    return text;
}

} // namespace pw
