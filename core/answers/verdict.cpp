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

std::string presentText(const Evaluation& evaluation) {
    if (evaluation.feasible)
        return fmt::format("{} an iteration", formatDuration(evaluation.iteration));
    return fmt::format("cannot run ({})", evaluation.reasons.empty() ? std::string("it does not fit")
                                                                     : evaluation.reasons.front().message);
}

std::string sentenceOf(const Verdict& verdict, const Evaluation& present, const ExporterRow* target) {
    const std::string now = presentText(present);
    const char* label = target != nullptr ? target->label : "any trainer";
    if (!verdict.best)
        return fmt::format("This plan: {}; a quick search found no other for {}.", now, label);
    const std::string other = formatDuration(verdict.best->evaluation.iteration);
    const std::string bound = verdict.bound.value > 0.0 ? fmt::format("; none of its kind is under {}",
                                                                      formatDuration(verdict.bound))
                                                        : std::string();
    if (verdict.isAsGood())
        return fmt::format("This plan: {}, as good as the best that a quick search finds for {} ({}){}.", now,
                           label, other, bound);
    const std::string plan = shortly(*verdict.problem, verdict.best->plan);
    if (present.feasible)
        return fmt::format(
            "This plan: {}, {:.1f} % slower than the {} of the best that a quick search finds for {}: {}{}.",
            now, 100 * verdict.slower(), other, label, plan, bound);
    return fmt::format("This plan: {}; the best that a quick search finds for {} takes {}: {}{}.", now, label,
                       other, plan, bound);
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
        verdict.bound = outcome.covered ? outcome.bound.value : Seconds();
    }
    verdict.text = sentenceOf(verdict, present.evaluation, target);
    return verdict;
}

Json toJson(const Verdict& verdict) {
    Json json = {
        {"present_s", verdict.present.value}, {"feasible", verdict.feasible}, {"text", verdict.text}};
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
