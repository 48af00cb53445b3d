// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/search/search.h"

#include "core/accuracy/band.h"
#include "core/accuracy/tie.h"
#include "core/base/hash.h"
#include "core/cost/cost.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace pw {
namespace {

constexpr const char* kSchema = "pipewright-plan-1";

Json memoryJson(const Problem& problem, const Evaluation& evaluation) {
    Json list = Json::array();
    for (const DeviceMemory& m : evaluation.memory)
        list.push_back({{"device", problem.topology().devices()[static_cast<std::size_t>(m.device)].id},
                        {"bytes", m.peak.total().value},
                        {"capacity", m.capacity.value},
                        {"weights", m.peak.weights.value},
                        {"gradients", m.peak.gradients.value},
                        {"optimizer", m.peak.optimizer.value},
                        {"activations", m.peak.activations.value},
                        {"transient", m.peak.transient.value},
                        {"communication", m.peak.communication.value},
                        {"reserve", m.peak.reserve.value}});
    return list;
}

Json notesJson(const Problem& problem, const Diagnostics& ofSearch) {
    Json list = Json::array();
    Diagnostics all = problemNotes(problem);
    append(all, ofSearch);
    for (const Diagnostic& d : all)
        list.push_back({{"severity", name(d.severity)},
                        {"code", d.code},
                        {"where", d.where},
                        {"message", d.message},
                        {"value", d.value},
                        {"limit", d.limit}});
    return list;
}

// The span that the iteration is expected in, and the measured cases that say so.
Json expectedJson(const Features& features, Seconds iteration) {
    constexpr std::size_t kNamed = 12;
    const CaseTable& table = measuredCases();
    const ErrorBand band = errorBand(features);
    Json nearest = Json::array();
    for (std::size_t i = 0; i < std::min(kNamed, band.cases.size()); ++i) {
        const MeasuredCase& found = table.cases[static_cast<std::size_t>(band.cases[i].index)];
        nearest.push_back({{"source", table.sources[static_cast<std::size_t>(found.source)]},
                           {"row_id", found.rowId},
                           {"distance", band.cases[i].distance},
                           {"weight", band.cases[i].weight}});
    }
    return Json{{"share", kBandShare},
                {"low_s", iteration.value * band.low},
                {"high_s", iteration.value * band.high},
                {"near", band.isNear()},
                {"distance", band.distance},
                {"cases", band.cases.size()},
                {"sources", band.sources},
                {"nearest", std::move(nearest)}};
}

// How sure it is that the first of the list takes less time than another.
Json againstFirst(const Problem& problem, const std::vector<FoundPlan>& plans, std::size_t other) {
    const auto featuresAt = [&](std::size_t i) {
        return featuresOf(problem, plans[i].plan, plans[i].evaluation);
    };
    const TimeComparison c = compareTimes(featuresAt(0), plans[0].evaluation.iteration, featuresAt(other),
                                          plans[other].evaluation.iteration);
    return Json{{"plan", other + 1},
                {"first_faster", c.firstFaster},
                {"tie", c.isTie()},
                {"low", c.low},
                {"high", c.high}};
}

// Of the plan as a reader gets it: with the launch counts that the evaluation chose, where it left them open.
std::string planHash(Plan plan, const Evaluation& evaluation) {
    for (std::size_t p = 0; p < plan.pipelines.size(); ++p)
        plan.pipelines[p].schedule.launch = evaluation.pipelines[p].launch;
    return hashText(canonicalKey(plan));
}

} // namespace

Json planEntry(const Problem& problem, const Plan& plan, const Evaluation& e) {
    Json entry = toJson(problem, plan);
    for (std::size_t p = 0; p < plan.pipelines.size(); ++p) {
        entry["pipelines"][p]["schedule"]["launch"] = e.pipelines[p].launch;
        Json& stages = entry["pipelines"][p]["stages"];
        for (std::size_t i = 0; i < plan.pipelines[p].stages.size(); ++i) {
            const StageFigures& f = e.pipelines[p].stages[i];
            stages[i].update({{"forward_s", f.forward.value},
                              {"backward_s", f.backward.value},
                              {"weight_grad_s", f.weightGrad.value},
                              {"recompute_s", f.recompute.value},
                              {"send_s", f.send.value},
                              {"sync_s", f.sync.value},
                              {"optimizer_s", f.optimizer.value},
                              {"link", f.link},
                              {"in_flight", f.inFlight},
                              {"provenance", name(f.forwardProvenance)},
                              {"measured_share", f.measuredShare}});
        }
    }
    entry.update({{"plan_hash", planHash(plan, e)},
                  {"iteration_s", e.iteration.value},
                  {"expected", expectedJson(featuresOf(problem, plan, e), e.iteration)},
                  {"closed_form_s", e.closedForm.value},
                  {"tokens_per_s", e.tokensPerSecond},
                  {"bubble", e.bubble},
                  {"measured_share", e.measuredShare},
                  {"provenance", name(e.provenance)},
                  {"time",
                   {{"fill", e.time.fill.value},
                    {"steady", e.time.steady.value},
                    {"drain", e.time.drain.value},
                    {"exposed_tp", e.time.exposedTp.value},
                    {"exposed_dp", e.time.exposedDp.value},
                    {"exposed_pp", e.time.exposedPp.value},
                    {"sync", e.time.sync.value},
                    {"optimizer", e.time.optimizer.value}}},
                  {"layer_count", fineLayerCount(problem.model())},
                  {"precision", name(problem.precision())},
                  {"gbs", problem.recipe().gbs},
                  {"seq", problem.recipe().seq},
                  {"feasible", e.feasible},
                  {"reasons", e.reasons},
                  {"peak_memory", memoryJson(problem, e)}});
    return entry;
}

Json planDocument(const Problem& problem, const SearchOutcome& outcome) {
    Json plans = Json::array();
    for (const FoundPlan& found : outcome.plans)
        plans.push_back(planEntry(problem, found.plan, found.evaluation));
    Json against = Json::array();
    for (std::size_t i = 1; i < outcome.plans.size(); ++i)
        against.push_back(againstFirst(problem, outcome.plans, i));
    Json bound = {{"space", outcome.bound.space},
                  {"kind", outcome.bound.kind},
                  {"covers_best", outcome.covered},
                  {"certificate", nullptr}};
    if (outcome.bound.certificate)
        bound["certificate"] = *outcome.bound.certificate;
    Json document = {{"schema", kSchema},
                     {"tool_version", PW_VERSION},
                     {"problem_hash", problem.hash()},
                     {"problem", problem.toJson()},
                     {"planner", outcome.planner},
                     {"without", outcome.without},
                     {"seed", outcome.seed},
                     {"status", name(outcome.status)},
                     {"wall_s", outcome.wall},
                     {"work", outcome.work},
                     {"evaluated", outcome.evaluated},
                     {"cache", {{"lookups", outcome.cacheLookups}, {"hits", outcome.cacheHits}}},
                     {"operator_evaluations", outcome.operatorEvaluations},
                     {"rejected", outcome.rejected},
                     {"lower_bound_s", outcome.bound.value.value},
                     {"gap", nullptr},
                     {"bound", bound},
                     {"optimal_in_own_space", outcome.optimalInOwnSpace && !outcome.plans.empty()},
                     {"notes", notesJson(problem, outcome.notes)},
                     {"plans", plans},
                     {"against_first", against}};
    if (!outcome.plans.empty() && outcome.covered && outcome.bound.value.value > 0.0)
        document["gap"] = outcome.gap();
    return document;
}

namespace {

// What planDocument() and planEntry() say about a plan: read by others, made anew by evaluate().
void passOverFigures(const JsonReader& file, const std::vector<JsonReader>& entries) {
    file.passOver({"tool_version",
                   "problem_hash",
                   "planner",
                   "without",
                   "seed",
                   "status",
                   "wall_s",
                   "work",
                   "evaluated",
                   "cache",
                   "operator_evaluations",
                   "rejected",
                   "lower_bound_s",
                   "gap",
                   "bound",
                   "notes",
                   "optimal_in_own_space",
                   "tournament",
                   "against_first",
                   "deadline",
                   "answers",
                   "pareto",
                   "target"});
    for (const JsonReader& entry : entries) {
        entry.passOver({"planner", "plan_hash", "iteration_s", "closed_form_s", "tokens_per_s", "bubble",
                        "measured_share", "provenance", "time", "layer_count", "precision", "gbs", "seq",
                        "feasible", "reasons", "peak_memory", "expected"});
        for (const JsonReader& pipeline : entry.array("pipelines"))
            for (const JsonReader& stage : pipeline.array("stages"))
                stage.passOver({"forward_s", "backward_s", "weight_grad_s", "recompute_s", "send_s", "sync_s",
                                "optimizer_s", "link", "in_flight", "provenance", "measured_share"});
    }
}

} // namespace

Result<PlanFile> readPlanFile(std::string_view text, const std::string& file) {
    const Result<Json> parsed = parseJson(text, file);
    if (!parsed)
        return parsed.error();
    const JsonReader reader(*parsed, file);
    const std::string schema = reader.text("schema");
    if (const Status read = reader.status(); !read)
        return read.error();
    if (schema != kSchema)
        return badInput("plan.schema", reader.where("schema"),
                        fmt::format("\"{}\"; expected \"{}\"", schema, kSchema));
    const JsonReader question = reader.object("problem");
    const std::vector<JsonReader> entries = reader.array("plans");
    if (const Status read = reader.status(); !read)
        return read.error();
    auto problem = Problem::fromJson(question);
    if (!problem)
        return problem.error();
    PlanFile result;
    result.problem = *problem;
    for (const JsonReader& entry : entries) {
        auto plan = planFromJson(entry, *result.problem);
        if (!plan)
            return plan.error();
        result.plans.push_back(*std::move(plan));
    }
    passOverFigures(reader, entries);
    result.notes = reader.unread();
    return result;
}

} // namespace pw
