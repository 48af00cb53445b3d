// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/problem_flags.h"

#include "core/answers/by_trainer.h"
#include "core/evaluate/evaluation.h"
#include "core/plan/device_names.h"

namespace pw::cli {

// A plan out of a file, judged: what `evaluate`, `simulate` and `export` start from.
struct JudgedPlan {
    std::shared_ptr<const Problem> problem;
    // The search that found the plan, as the file tells it, with this plan as its only one. The bound is
    // carried over only if its certificate proves it for the problem at hand.
    SearchOutcome outcome;
    std::vector<FoundPlan> listed;      // all plans of the file: see ProblemFlags::ChosenPlan
    std::optional<TrainerPlan> trainer; // whose plan it is, unless it is Pipewright's own
    Json file;                          // as it was read; null: judged under another problem than its own

    const Plan& plan() const { return outcome.plans.front().plan; }
    const Evaluation& evaluation() const { return outcome.plans.front().evaluation; }
    // Infeasible with the numbers, if the plan does not fit.
    std::optional<Error> refusal() const;
    // "pipewright-plan-1" of this plan
    Json document(DeviceNames names = DeviceNames::Each) const;
    std::string text() const; // figures and stages, for people
};

struct PlanFlags {
    ProblemFlags problem;
    std::string plan;
    std::vector<std::string> more;
    std::string vocabulary;

    void addTo(CLI::App& sub);
};

// Whether the file's bound is proven again, which takes seconds of a large cluster, or nobody is shown one.
enum class FileBound { Proven, LeftOut };

Result<JudgedPlan> judgePlan(const Session& session, const PlanFlags& flags, bool keepOps,
                             FileBound bound = FileBound::Proven);

// The plan that the same file has for a trainer (`plan --target all`), judged as it was found. Nothing: it
// has none, or this one was named by its number.
Result<std::optional<JudgedPlan>> judgePlanFor(const JudgedPlan& first, const PlanFlags& flags,
                                               const ExporterRow& trainer, bool keepOps);

} // namespace pw::cli
