// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/answers/verdict.h"

#include "core/base/units.h"
#include "core/document/plan_document.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace pw {

namespace {

// "128 micro-batches of 2 through 0 to 15 on 8 GPUs (TP 2); 16 to 31 on 8 GPUs (TP 2); with recompute".
std::string shortly(const Problem& problem, const Plan& plan) {
    const Pipeline& p = plan.pipelines.front();
    std::vector<std::string> stages;
    bool recompute = false;
    for (const Stage& stage : p.stages) {
        stages.push_back(fmt::format("{} on {} GPUs (TP {})",
                                     layersText(stage, fineLayerCount(problem.model())), stage.deviceCount(),
                                     stage.tp));
        recompute = recompute || stage.recompute != Recompute::None;
    }
    return fmt::format("{} micro-batches of {} through {}{}", p.microbatches, p.microbatchSize,
                       fmt::join(stages, "; "), recompute ? "; with recompute" : "");
}

Wording presentText(const Evaluation& evaluation) {
    if (evaluation.feasible)
        return {"{time} an iteration", {{"time", formatDuration(evaluation.iteration)}}};
    if (evaluation.reasons.empty())
        return "cannot run (it does not fit)";
    return {"cannot run ({why})", {{"why", evaluation.reasons.front()}}};
}

Wording sentenceOf(const Verdict& verdict, const Evaluation& present, const ExporterRow* target) {
    Params params = {{"now", presentText(present)},
                     {"trainer", target != nullptr ? target->label : "any trainer"}};
    if (!verdict.best)
        return {"This plan: {now}; a quick search found no other for {trainer}.", std::move(params)};
    params.push_back({"other", formatDuration(verdict.best->evaluation.iteration)});
    params.push_back({"plan", shortly(*verdict.problem, verdict.best->plan)});
    params.push_back({"bound", verdict.bound.value > 0.0 ? Wording("; none of its kind is under {time}",
                                                                   {{"time", formatDuration(verdict.bound)}})
                                                         : Wording("")});
    if (verdict.feasible && verdict.slower() < -Verdict::kEqual)
        return {"This plan: {now}, faster than the best that a quick search finds for {trainer} ({other}).",
                std::move(params)};
    if (verdict.isAsGood())
        return {
            "This plan: {now}, as good as the best that a quick search finds for {trainer} ({other}){bound}.",
            std::move(params)};
    if (!present.feasible)
        return {"This plan: {now}; the best that a quick search finds for {trainer} takes {other}: "
                "{plan}{bound}.",
                std::move(params)};
    params.push_back({"slower", fmt::format("{:.1f}", 100 * verdict.slower())});
    return {"This plan: {now}, {slower} % slower than the {other} of the best that a quick search finds for "
            "{trainer}: {plan}{bound}.",
            std::move(params)};
}

} // namespace

Verdict verdictOn(const FoundPlan& present, const std::shared_ptr<const Problem>& searched,
                  const SearchOutcome& outcome, const ExporterRow* target) {
    Verdict verdict;
    verdict.present = present.evaluation.iteration;
    verdict.feasible = present.evaluation.feasible;
    verdict.problem = searched;
    if (!outcome.plans.empty()) {
        verdict.best = outcome.plans.front();
        verdict.bound = outcome.covered ? outcome.bound.ofAnyLaunches() : Seconds();
        if (verdict.feasible && verdict.present < verdict.bound) // which then speaks of other plans
            verdict.bound = {};
    }
    verdict.text = sentenceOf(verdict, present.evaluation, target);
    return verdict;
}

Json toJson(const Verdict& verdict) {
    Json json = {
        {"present_s", verdict.present.value}, {"feasible", verdict.feasible}, {"text", verdict.text.message}};
    if (!verdict.best)
        return json;
    json["best_found_s"] = verdict.best->evaluation.iteration.value;
    json["slower_than_best"] = verdict.slower();
    json["best_found"] = planEntry(*verdict.problem, verdict.best->plan, verdict.best->evaluation);
    if (verdict.bound.value > 0.0)
        json["lower_bound_s"] = verdict.bound.value;
    return json;
}

} // namespace pw
