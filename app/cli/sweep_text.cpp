// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/sweep_text.h"

#include "app/cli/table.h"

#include "core/base/json.h"
#include "core/base/units.h"
#include "core/sweep/expansion.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace pw::cli {

namespace {

constexpr std::size_t kShownRobust = 10;

Json axesJson(const SweepFolder& folder, const Assignment& at) {
    Json axes = Json::object();
    for (std::size_t a = 0; a < folder.sweep.axes.size(); ++a)
        axes[folder.sweep.axes[a].name] = Json::parse(folder.sweep.axes[a].values[at[a]]);
    return axes;
}

std::vector<std::string> headingsOf(const SweepFolder& folder, bool worlds, std::vector<std::string> more) {
    std::vector<std::string> all;
    for (const SweepAxis& axis : folder.sweep.axes)
        if (worlds || !axis.isWorld())
            all.push_back(axis.name);
    all.insert(all.end(), more.begin(), more.end());
    return all;
}

std::vector<std::string> cellsOf(const SweepFolder& folder, const Assignment& at, bool worlds,
                                 std::vector<std::string> more) {
    std::vector<std::string> all;
    for (std::size_t a = 0; a < folder.sweep.axes.size(); ++a)
        if (worlds || !folder.sweep.axes[a].isWorld())
            all.push_back(plainValue(folder.sweep.axes[a].values[at[a]]));
    all.insert(all.end(), more.begin(), more.end());
    return all;
}

std::string share(double value) {
    return fmt::format("{:.1f} %", 100.0 * value);
}

// Three digits where one behind the point would leave none of a small one.
std::string threeDigits(double value) {
    constexpr double kSmall = 10.0, kLarge = 1000.0;
    return value < kSmall   ? fmt::format("{:.3g}", value)
           : value < kLarge ? fmt::format("{:.1f}", value)
                            : fmt::format("{:.0f}", value);
}

std::string bestRowsText(const SweepFolder& folder, const Collection& collection) {
    const bool training = folder.sweep.training.has_value();
    Table table(headingsOf(folder, true,
                           training
                               ? std::vector<std::string>{">iteration ∴", ">tokens/s", ">days", ">money",
                                                          ">MWh", ">goodput", "meets"}
                               : std::vector<std::string>{">iteration ∴", ">tokens/s", ">price/h", ">kW"}));
    for (const std::size_t i : collection.best) {
        const CollectedTask& row = collection.rows[i];
        const Json record = Json::parse(row.record);
        std::vector<std::string> figures = {formatDuration(Seconds(row.iteration)),
                                            fmt::format("{:.0f}", row.tokensPerSecond)};
        const auto known = [](double figure) {
            return figure > 0.0 && std::isfinite(figure) ? threeDigits(figure) : std::string();
        };
        if (row.cost) {
            const TrainingCost& cost = *row.cost;
            figures.insert(figures.end(), {cost.ends() ? threeDigits(cost.days) : "no end", known(cost.money),
                                           known(cost.energyKwh / 1000.0), share(cost.goodput.share),
                                           cost.meets ? "yes" : "no"});
        } else {
            const double price = record.value("price_per_hour", 0.0);
            figures.insert(figures.end(), {price > 0.0 ? fmt::format("{:.2f}", price) : std::string(),
                                           known(record.value("power_w", 0.0) / 1000.0)});
        }
        table.add(cellsOf(folder, collection.tasks[i].at, true, std::move(figures)));
    }
    return table.text();
}

std::string robustText(const SweepFolder& folder, const Collection& collection) {
    Table table(
        headingsOf(folder, false,
                   {">worlds", ">with a plan", ">mean", ">90 %", ">worst", ">mean regret", ">worst regret"}));
    for (std::size_t i = 0; i < std::min(kShownRobust, collection.robust.size()); ++i) {
        const Robustness& robust = collection.robust[i];
        const auto time = [](double s) { return s > 0.0 ? formatDuration(Seconds(s)) : std::string(); };
        const auto regret = [](const Robustness& of, double value) {
            return of.compared > 0 ? share(value) : std::string("-");
        };
        table.add(cellsOf(folder, collection.tasks[robust.example].at, false,
                          {fmt::format("{}", robust.worlds), fmt::format("{}", robust.plans),
                           time(robust.mean), time(robust.ninetieth), time(robust.worst),
                           regret(robust, robust.meanRegret), regret(robust, robust.worstRegret)}));
    }
    std::string text = table.text();
    const bool loses = std::ranges::any_of(
        collection.robust, [](const Robustness& r) { return r.plans > 0 && r.plans < r.worlds; });
    if (loses)
        text += "times and regret are over the worlds with a plan\n";
    if (!collection.sameWorlds)
        text += "choices were looked at in different worlds: regret is over those where another was, too\n";
    return text;
}

} // namespace

Json statusDocument(const SweepFolder& folder, const SweepStatus& status) {
    Json failed = Json::array(), chunks = Json::array();
    for (const FailedTask& task : status.failed)
        failed.push_back({{"task", task.task},
                          {"id", task.id},
                          {"chunk", task.chunk},
                          {"begins", task.begins},
                          {"attempt", std::filesystem::path(task.attempt).filename().string()},
                          {"log", task.log}});
    for (const ChunkStatus& chunk : status.chunks)
        chunks.push_back({{"tasks", chunk.tasks}, {"done", chunk.done}, {"failed", chunk.failed}});
    return {
        {"sweep", folder.path.string()}, {"name", folder.sweep.name},   {"tool_version", folder.toolVersion},
        {"tasks", status.tasks},         {"done", status.done},         {"infeasible", status.infeasible},
        {"begun", status.begun},         {"failed", std::move(failed)}, {"chunks", std::move(chunks)},
        {"wall_s", status.wall},         {"left_core_s", status.left}};
}

std::string statusText(const SweepStatus& status) {
    std::string text = fmt::format("{} of {} tasks have a result, {} of them no plan", status.done,
                                   status.tasks, status.infeasible);
    if (status.begun > 0)
        text += fmt::format("; {} begun", status.begun);
    if (!status.failed.empty())
        text += fmt::format("; {} failed", status.failed.size());
    if (status.done < status.tasks)
        text += fmt::format("; some {} of one core are left", roughTime(status.left));
    text += '\n';
    for (const FailedTask& task : status.failed) {
        text +=
            fmt::format("task {} of chunk {} was begun {} times without a result, last in {}\n", task.task,
                        task.chunk, task.begins, std::filesystem::path(task.attempt).filename().string());
        if (!task.log.empty())
            text += "  " + task.log + '\n';
    }
    return text;
}

std::optional<Error> openTasks(const SweepFolder& folder, const SweepStatus& status) {
    if (!status.failed.empty())
        return failure(
            "sweep.failed", folder.path.string(),
            {"tasks that failed: {count}; each was begun three times without a result, and --retry-failed of "
             "`sweep run` tries again",
             {{"count", status.failed.size()}}});
    if (!status.complete())
        return stopped("sweep.open", {"{count} of {all} tasks have no result yet",
                                      {{"count", status.tasks - status.done}, {"all", status.tasks}}});
    return std::nullopt;
}

Json collectionDocument(const SweepFolder& folder, const Collection& collection) {
    Json best = Json::array(), robust = Json::array();
    for (const std::size_t i : collection.best) {
        const CollectedTask& row = collection.rows[i];
        const Json record = Json::parse(row.record);
        Json entry = {{"task", collection.tasks[i].number},
                      {"id", collection.tasks[i].id},
                      {"axes", axesJson(folder, collection.tasks[i].at)}};
        for (const char* key : {"iteration_s", "tokens_per_s", "gpus", "price_per_hour", "power_w"})
            entry[key] = record.contains(key) ? record[key] : Json(nullptr);
        if (row.cost)
            for (const ResultColumn& column : trainingColumns())
                entry[column.key] = columnValue(row, record, column);
        std::error_code none;
        entry["document"] = std::filesystem::exists(folder.planFile(collection.tasks[i].id), none)
                                ? Json(folder.planFile(collection.tasks[i].id).string())
                                : Json(nullptr);
        best.push_back(std::move(entry));
    }
    for (const Robustness& r : collection.robust) {
        const auto ofPlans = [&r](double s) { return r.plans > 0 ? Json(s) : Json(nullptr); };
        const auto regret = [&r](double value) { return r.compared > 0 ? Json(value) : Json(nullptr); };
        Json axes = axesJson(folder, collection.tasks[r.example].at);
        for (const SweepAxis& axis : folder.sweep.axes)
            if (axis.isWorld())
                axes.erase(axis.name);
        robust.push_back({{"axes", std::move(axes)},
                          {"worlds", r.worlds},
                          {"plans", r.plans},
                          {"compared", r.compared},
                          {"mean_s", ofPlans(r.mean)},
                          {"p90_s", ofPlans(r.ninetieth)},
                          {"worst_s", ofPlans(r.worst)},
                          {"mean_regret", regret(r.meanRegret)},
                          {"worst_regret", regret(r.worstRegret)}});
    }
    return {{"sweep", folder.path.string()},
            {"tasks", collection.status.tasks},
            {"done", collection.status.done},
            {"failed", collection.status.failed.size()},
            {"infeasible", collection.status.infeasible},
            {"tool_versions", collection.versions},
            {"best", std::move(best)},
            {"robust", std::move(robust)},
            {"same_worlds", collection.sameWorlds}};
}

std::string collectionText(const SweepFolder& folder, const Collection& collection) {
    std::string text;
    if (!collection.best.empty())
        text += (folder.sweep.training ? "cheapest of those that meet the goal first:\n"
                                       : "most tokens a second first:\n") +
                bestRowsText(folder, collection);
    if (!collection.robust.empty())
        text += "\nover all scenarios and draws, those first that are furthest from losing:\n" +
                robustText(folder, collection);
    return text;
}

} // namespace pw::cli
