// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/trainer_plan.h"

#include "core/answers/target_search.h"
#include "core/base/units.h"
#include "core/document/plan_document.h"
#include "core/exchange/imports/import_table.h"
#include "core/search/planners.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

namespace pw::cli {

namespace {

constexpr std::int64_t kQuickWork = 200'000; // stage candidates: about a second
constexpr std::size_t kMostFiles = 64;       // of a folder
constexpr double kEqual = 0.005;

// "2 stages of 16 and 16 blocks, micro-batches of 2, full recompute".
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

} // namespace

Result<std::optional<TrainerPlan>> readTrainerPlan(const Session& session, const std::string& argument,
                                                   const std::vector<std::string>& more) {
    namespace fs = std::filesystem;
    std::optional<TrainerPlan> none;
    std::vector<std::string> files = {argument};
    std::error_code ignored;
    const bool folder = fs::is_directory(argument, ignored);
    if (folder) {
        files.clear();
        for (fs::recursive_directory_iterator at(argument, ignored), end; at != end && !ignored;
             at.increment(ignored))
            if (at->is_regular_file(ignored) && files.size() < kMostFiles)
                files.push_back(at->path().string());
        std::sort(files.begin(), files.end());
    } else if (!fs::exists(argument, ignored)) {
        return none; // FILE:k, or nothing at all
    }
    files.insert(files.end(), more.begin(), more.end());
    std::vector<Imported> parts;
    std::vector<std::string> taken;
    for (const std::string& file : files) {
        const Result<const ImporterRow*> row = recogniseFile(file);
        if (!row || *row == nullptr) {
            if (folder)
                continue;
            if (file == argument)
                return none;
            return row ? badInput("plan.part", file, "is no part of a trainer's plan that is known")
                       : row.error();
        }
        Result<Imported> part = importFile(file, (*row)->kind, {});
        if (!part)
            return part.error();
        const bool useful =
            std::holds_alternative<TrainerPlan>(part->what) || std::holds_alternative<Inventory>(part->what);
        if (!useful && folder)
            continue;
        if (!useful)
            return badInput("plan.part", file, fmt::format("is no plan: {}", part->summary));
        session.note(part->notes);
        parts.push_back(*std::move(part));
        taken.push_back(file);
    }
    if (parts.empty())
        return badInput("plan.part", argument, "holds no file of a trainer that is known");
    Result<Imported> joined = joinImported(std::move(parts), taken);
    if (!joined)
        return joined.error();
    TrainerPlan* plan = std::get_if<TrainerPlan>(&joined->what);
    if (plan == nullptr)
        return badInput("plan.part", argument, fmt::format("is no plan: {}", joined->summary));
    return std::optional(std::move(*plan));
}

Verdict judgeAgainstSearch(const std::shared_ptr<const Problem>& problem, const TrainerPlan& trainer,
                           const FoundPlan& present, const std::stop_token& stop) {
    const Seconds own = present.evaluation.iteration;
    const std::string now =
        present.evaluation.feasible
            ? fmt::format("{} an iteration", formatDuration(own))
            : fmt::format("cannot run ({})", present.evaluation.reasons.empty()
                                                 ? std::string("it does not fit")
                                                 : present.evaluation.reasons.front().message);
    Verdict verdict;
    verdict.document = {{"present_s", own.value}, {"feasible", present.evaluation.feasible}};

    const ExporterRow* target = exporterRow(trainer.trainer);
    Space space = problem->space();
    if (target != nullptr)
        restrictTo(target->capability, space);
    SearchOptions options;
    options.work = kQuickWork;
    const Result<std::shared_ptr<const Problem>> asked =
        Problem::make(problem->topology().cluster(), problem->model(), problem->recipe(),
                      problem->profiles().rows(), space, problem->constants());
    SearchObserver silent;
    std::optional<Error> refused;
    Result<SearchOutcome> outcome = !asked ? asked.error()
                                    : target != nullptr
                                        ? searchForTarget(*asked, options, *target, silent, stop, refused)
                                        : search(*asked, options, silent, stop);
    if (!outcome || outcome->plans.empty()) {
        verdict.line = fmt::format("This plan: {}; a quick search found no other for {}.", now,
                                   target != nullptr ? target->label : "this trainer");
        return verdict;
    }
    const FoundPlan& best = outcome->plans.front();
    const Seconds other = best.evaluation.iteration;
    const double gain = own / other - 1;
    verdict.document["best_found_s"] = other.value;
    verdict.document["slower_than_best"] = gain;
    verdict.document["best_found"] = planEntry(**asked, best.plan, best.evaluation);
    std::string bound;
    if (outcome->covered && outcome->bound.value.value > 0) {
        verdict.document["lower_bound_s"] = outcome->bound.value.value;
        bound = fmt::format("; none of its kind is under {}", formatDuration(outcome->bound.value));
    }
    const char* label = target != nullptr ? target->label : "the same trainer";
    if (present.evaluation.feasible && gain <= kEqual)
        verdict.line =
            fmt::format("This plan: {}, as good as the best that a quick search finds for {} ({}){}.", now,
                        label, formatDuration(other), bound);
    else if (present.evaluation.feasible)
        verdict.line =
            fmt::format("This plan: {}, {:.1f} % slower than the {} of the best that a quick search finds "
                        "for {}: {}{}.",
                        now, 100 * gain, formatDuration(other), label, shortly(**asked, best.plan), bound);
    else
        verdict.line = fmt::format("This plan: {}; the best that a quick search finds for {} takes {}: {}{}.",
                                   now, label, formatDuration(other), shortly(**asked, best.plan), bound);
    return verdict;
}

} // namespace pw::cli
