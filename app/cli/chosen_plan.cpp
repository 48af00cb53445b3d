// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/chosen_plan.h"

#include "app/cli/parse.h"
#include "app/cli/plan_text.h"
#include "app/cli/trainer_plan.h"

#include "core/base/hash.h"
#include "core/document/plan_document.h"
#include "core/document/plan_file.h"
#include "core/document/search_summary.h"
#include "core/exchange/exports/runs_with.h"
#include "core/search/proof/capacity_bound.h"
#include "core/search/proof/certificate.h"
#include "core/search/proof/launch_count_bound.h"
#include "core/search/proof/scope_coverage.h"
#include "core/search/space/levelled.h"

#include <nlohmann/json.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <limits>

namespace pw::cli {

namespace {

// What the file's search has to say of its answer; the rest of its notes is made anew.
Diagnostics searchNotes(const Problem& problem, const JsonReader& file) {
    const Diagnostics known = problemNotes(problem);
    Diagnostics notes = notesFrom(file);
    std::erase_if(notes, [&](const Diagnostic& note) {
        return std::ranges::any_of(known, [&](const Diagnostic& other) {
            return note.code == other.code && note.where == other.where && note.message == other.message;
        });
    });
    return notes;
}

// The file's bound, if it follows from the file's certificate: what it speaks of is said as it is proven
// again here, not as the file has it.
void carryBound(const Problem& own, const Plan& plan, const JsonReader& file, SearchOutcome& outcome) {
    Json certificate;
    ProofScope said;
    Space space = own.space();
    if (file.has("bound")) {
        const JsonReader bound = file.object("bound");
        if (bound.has("scope"))
            said = proofScopeFromJson(bound.object("scope"));
        space.partitions = space.partitions || said.partitions;
        space.foldExperts = said.foldExperts;
        space.sharded = said.sharded;
        if (bound.has("certificate"))
            certificate = bound.value()["certificate"];
    }
    std::shared_ptr<const Problem> problem = own.withSpace(std::move(space));
    ProofScope scope = scopeOf(*problem, familyOf(certificate));
    if (scope.takesSharded()) {
        scope.sharded = said.sharded;
        scope.levelled = said.levelled;
    }
    outcome.covered = contains(scope, *problem, plan);
    if (outcome.covered && scope.levelled)
        problem = levelled(*problem)->problem; // contains() has seen that there is one
    const Seconds value(file.number("lower_bound_s", 0.0, std::numeric_limits<double>::max(), 0.0));
    if (!outcome.covered || certificate.is_null() || value.value <= 0) {
        outcome.covered = outcome.covered && !scope.levelled; // without a bound nothing is said of that Space
        return;
    }
    const bool anyShape = scope.family == ProofScope::Family::AnyShape;
    if (provesBound(*problem, certificate, value, true, scope.sharded))
        outcome.bound = Bound{value, scope, anyShape ? CapacityBound::kKind : LaunchCountBound::kKind,
                              std::make_shared<const Json>(certificate)};
    else
        outcome.notes.push_back(
            {Severity::Warning, "bound.certificate", "bound",
             "the file's lower bound does not follow from its certificate and is left out"});
}

// A plan written or changed by hand comes from no search, nor does one that is judged under another problem;
// then the outcome says "feasible" and nothing else. "optimal" needs the proof, a bound that the plan meets:
// an enumeration leaves none.
Result<SearchOutcome> searchOf(const Problem& problem, const ProblemFlags::ChosenPlan& chosen,
                               Evaluation evaluation, const std::string& name, FileBound bound) {
    const JsonReader file(chosen.document, name);
    SearchOutcome outcome;
    outcome.status = SearchStatus::Feasible;
    outcome.planner = "hand-written";
    outcome.plans = {FoundPlan{chosen.plan, std::move(evaluation)}};
    const JsonReader entry = planEntries(file)[chosen.index];
    const std::string planHash = entry.text("plan_hash", "");
    if (file.text("problem_hash", "") != problem.hash() || planHash != hashText(canonicalKey(chosen.plan)))
        return outcome;
    readSearchFigures(file, outcome);
    outcome.planner = entry.text("planner", outcome.planner);
    outcome.optimalInOwnSpace = outcome.optimalInOwnSpace && chosen.index == 0; // is said of the first
    outcome.notes = searchNotes(problem, file);
    outcome.phases = phasesOf(file);
    outcome.plans.front().foundBy = entry.text("found_by", "");
    outcome.plans.front().differs = differencesOf(entry);
    if (bound == FileBound::Proven)
        carryBound(problem, chosen.plan, file, outcome);
    if (Status read = file.status(); !read)
        return read.error();
    return outcome;
}

} // namespace

std::optional<Error> JudgedPlan::refusal() const {
    if (evaluation().feasible)
        return std::nullopt;
    return infeasible("plan.infeasible", "", "the plan cannot run", evaluation().reasons);
}

Json JudgedPlan::document(DeviceNames names) const {
    Json document = planDocument(*problem, outcome, names);
    writeRunsWith(document, *problem, outcome.plans);
    return document;
}

std::string JudgedPlan::text() const {
    return problemLine(*problem) + figuresText(*problem, plan(), evaluation()) + notesText(*problem) + "\n" +
           stagesTable(*problem, plan(), evaluation());
}

void PlanFlags::addTo(CLI::App& sub) {
    sub.add_option(
           "--plan", plan,
           "plan document, or FILE:k for the k-th plan of its list; or a trainer's own script, configuration "
           "or folder of them, with --cluster")
        ->type_name("P")
        ->required();
    sub.add_option("--with", more, "further files of a trainer's plan: hostfile, launch script")
        ->type_name("FILE");
    sub.add_option("--vocabulary", vocabulary,
                   "tokens of the vocabulary, where a trainer's plan leaves it to its tokenizer")
        ->type_name("N");
    problem.addTo(sub);
}

Result<JudgedPlan> judgePlan(const Session& session, const PlanFlags& flags, bool keepOps, FileBound bound) {
    std::int64_t vocabulary = 0;
    if (Status s = takeCount("--vocabulary", flags.vocabulary, ModelLimits::vocab, vocabulary); !s)
        return s.error();
    Result<std::optional<TrainerPlan>> trainer =
        readTrainerPlan(session, flags.plan, flags.more, flags.problem.model(), vocabulary);
    if (!trainer)
        return trainer.error();
    Result<ProblemFlags::ChosenPlan> chosen = *trainer ? flags.problem.bind(session, **trainer, flags.plan)
                                                       : flags.problem.plan(session, flags.plan);
    if (!chosen)
        return chosen.error();
    Result<Evaluation> evaluation = evaluate(*chosen->problem, chosen->plan, {.keepOps = keepOps});
    if (!evaluation)
        return evaluation.error();
    Result<SearchOutcome> outcome =
        searchOf(*chosen->problem, *chosen, *std::move(evaluation), flags.plan, bound);
    if (!outcome)
        return outcome.error();
    if (outcome->status == SearchStatus::Optimal && !outcome->meetsBound())
        outcome->status = SearchStatus::Feasible;
    return JudgedPlan{chosen->problem, *std::move(outcome), chosen->listed, *std::move(trainer),
                      chosen->listed.empty() ? Json() : std::move(chosen->document)};
}

Result<std::optional<JudgedPlan>> judgePlanFor(const JudgedPlan& first, const PlanFlags& flags,
                                               const ExporterRow& trainer, bool keepOps) {
    std::optional<JudgedPlan> none;
    if (first.file.is_null() || planArgument(flags.plan).file != flags.plan)
        return none;
    Result<std::optional<PlanForTrainer>> found =
        planForTrainer(first.file, first.problem, trainer.format, flags.plan);
    if (!found)
        return found.error();
    if (!*found)
        return none;
    PlanForTrainer& own = **found;
    Result<Evaluation> evaluation = evaluate(*own.asked.problem, own.plan, {.keepOps = keepOps});
    if (!evaluation)
        return evaluation.error();
    SearchOutcome outcome;
    outcome.status = SearchStatus::Feasible;
    outcome.planner = JsonReader(first.file, flags.plan).text("planner", "");
    outcome.plans = {FoundPlan{std::move(own.plan), *std::move(evaluation)}};
    if (!own.asked.leftOut.empty())
        outcome.notes.push_back({Severity::Note,
                                 "search.left_out",
                                 "search",
                                 {"found for {target} without {kinds}, in {precision}",
                                  {{"target", trainer.label},
                                   {"kinds", fmt::format("{}", fmt::join(own.asked.leftOut, ", "))},
                                   {"precision", name(own.asked.instead)}}}});
    return std::optional(JudgedPlan{own.asked.problem, std::move(outcome), {}, std::nullopt, Json()});
}

} // namespace pw::cli
