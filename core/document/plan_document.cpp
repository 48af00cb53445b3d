// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/document/plan_document.h"

#include "core/base/dense_json.h"
#include "core/base/one_line.h"
#include "core/document/plan_figures.h"
#include "core/document/search_summary.h"
#include "core/search/tournament.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace pw {

Json planEntry(const Problem& problem, const Plan& plan, const Evaluation& evaluation, DeviceNames names) {
    Json entry = toJson(problem, plan, names);
    for (std::size_t p = 0; p < plan.pipelines.size(); ++p) {
        entry["pipelines"][p]["schedule"]["launch"] = evaluation.pipelines[p].launch;
        Json& stages = entry["pipelines"][p]["stages"];
        for (std::size_t i = 0; i < plan.pipelines[p].stages.size(); ++i)
            writeFigures(stages[i], stageFigures(), evaluation.pipelines[p].stages[i]);
    }
    writeFigures(entry, entryFigures(), problem, plan, evaluation, names);
    return entry;
}

std::string keptEntry(const Problem& problem, const Plan& plan, const Evaluation& evaluation) {
    return planEntry(problem, plan, evaluation, usualNames(problem.topology())).dump();
}

namespace {

Json entriesOf(const Problem& problem, const std::vector<FoundPlan>& plans, DeviceNames names) {
    Json entries = Json::array();
    for (const FoundPlan& found : plans) {
        entries.push_back(planEntry(problem, found.plan, found.evaluation, names));
        writeFigures(entries.back(), foundFigures(), found);
    }
    return entries;
}

} // namespace

Json planDocument(const Problem& problem, const SearchOutcome& outcome, DeviceNames names) {
    Json document = {{"schema", kPlanSchema},
                     {"problem", problem.toJson()},
                     {"plans", entriesOf(problem, outcome.plans, names)},
                     {"differing", entriesOf(problem, outcome.differing, names)}};
    writeFigures(document, searchFigures(), outcome);
    writeFigures(document, outcomeFigures(), problem, outcome);
    return document;
}

namespace {

double fullness(const Evaluation& evaluation) {
    double most = 0.0;
    for (const DeviceMemory& m : evaluation.memory)
        most = std::max(most, m.peak.total() / m.capacity);
    return most;
}

Bytes peakMemory(const Evaluation& evaluation) {
    Bytes most;
    for (const DeviceMemory& m : evaluation.memory)
        most = std::max(most, m.peak.total());
    return most;
}

} // namespace

Json tournamentDocument(const Problem& problem, const Tournament& tournament, DeviceNames names) {
    const std::vector<const TournamentRow*> order = tournament.ranked();
    Json document = planDocument(problem, tournament.overall(), names);
    for (std::size_t p = 0; p < order.size(); ++p)
        document["plans"][p]["planner"] = order[p]->planner->name;
    Json rows = Json::array();
    for (const TournamentRow& row : tournament.rows) {
        const SearchOutcome& o = row.outcome;
        Json entry = {{"planner", row.planner->name},
                      {"label", row.label()},
                      {"standing", row.planner->standing},
                      {"left_out", row.leftOut},
                      {"refusal", row.refusal ? inOneLine(*row.refusal) : ""}};
        if (!row.leftOut)
            writeFigures(entry, searchFigures(), o);
        if (!o.plans.empty()) {
            const FoundPlan& best = o.plans.front();
            const std::optional<double> gap = tournament.gap(row);
            entry.update({{"plan", std::find(order.begin(), order.end(), &row) - order.begin() + 1},
                          {"iteration_s", best.evaluation.iteration.value},
                          {"lower_bound_s", gap ? Json(tournament.boundOf(row).value.value) : Json(nullptr)},
                          {"bound_space", gap ? Json(tournament.boundOf(row).scope.text()) : Json(nullptr)},
                          {"gap", gap ? Json(*gap) : Json(nullptr)},
                          {"peak_memory_bytes", peakMemory(best.evaluation).value},
                          {"peak_memory_share", fullness(best.evaluation)}});
        }
        rows.push_back(std::move(entry));
    }
    document["tournament"] = std::move(rows);
    return document;
}

std::string printPlanDocument(const Json& document, DeviceNames names) {
    return names == DeviceNames::Ranges ? printDense(document) : printJson(document);
}

namespace {

void leaveOutPhaseTimes(Json& phases) {
    for (Json& phase : phases) {
        phase.erase("seconds");
        if (phase.contains("phases"))
            leaveOutPhaseTimes(phase["phases"]);
    }
}

} // namespace

void leaveOutRunTimes(Json& document) {
    if (!document.is_object())
        return;
    const auto leaveOut = [](Json& run) {
        for (const char* key : {"wall_s", "cache", "operator_evaluations"})
            run.erase(key);
    };
    leaveOut(document);
    if (const auto rows = document.find("tournament"); rows != document.end())
        for (Json& row : *rows)
            leaveOut(row);
    if (const auto search = document.find("search"); search != document.end() && search->contains("phases"))
        leaveOutPhaseTimes((*search)["phases"]);
}

} // namespace pw
