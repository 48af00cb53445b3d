// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
// What a run keeps beside its best plans for what sets it apart.

#include "core/search/run.h"

#include "core/problem/memory_span.h"
#include "core/search/space/alike_stages.h"

#include <algorithm>
#include <optional>

namespace pw {

namespace {

// Without time, memory, the chance to fit and schedule.
PlanTraits traitsOf(const ChainSpace& space, const Chain& chain) {
    PlanTraits traits;
    traits.stages = static_cast<int>(chain.size());
    traits.equalStages = traits.stages > 1;
    const StageOption& first = space.options()[static_cast<std::size_t>(chain.front().option)];
    for (const ChainStage& stage : chain) {
        const StageOption& option = space.options()[static_cast<std::size_t>(stage.option)];
        traits.gpus += option.devices;
        traits.equalStages = traits.equalStages && stage.blocks() == chain.front().blocks() &&
                             stage.recomputed == chain.front().recomputed && option.tp == first.tp &&
                             option.cp == first.cp && option.ep == first.ep && option.dp == first.dp &&
                             option.zero == first.zero && option.sequenceParallel == first.sequenceParallel &&
                             option.recompute == first.recompute && option.partition == first.partition;
    }
    return traits;
}

} // namespace

void SearchRun::meetTrials(std::size_t space, const Chain& chain, const std::string& foundBy) {
    const MemorySpan& span = memorySpans().of(m_problem.recipe().stack);
    std::optional<PlanTraits> traits; // none for the many that are too slow
    for (const ChainTrial& trial : m_evaluators[space].trials()) {
        if (!isWorthMeeting(trial.result.iteration))
            continue;
        if (!traits)
            traits = traitsOf(*m_spaces[space], chain);
        traits->iteration = trial.result.iteration;
        traits->memory = trial.fullest;
        traits->fitChance = chanceToFit(span, trial.room);
        traits->schedule = trial.result.schedule.kind;
        if (m_met.takes(*traits))
            m_met.keep(*traits, {trial.result.iteration, space, chain, trial.result, nullptr,
                                 foundBy.empty() ? openPhases() : foundBy});
    }
}

void SearchRun::meet(const Plan& plan, const Evaluation& evaluation, const std::string& foundBy) {
    if (!isWorthMeeting(evaluation.iteration.value))
        return;
    if (const PlanTraits traits = traitsOf(m_problem, plan, evaluation); m_met.takes(traits)) {
        auto own = std::make_shared<const FoundPlan>(FoundPlan{plan, evaluation, openPhases() + foundBy});
        m_met.keep(traits, {traits.iteration, 0, {}, {}, std::move(own), {}});
    }
}

void SearchRun::meet(const FoundPlan& found) {
    meet(found.plan, found.evaluation, found.foundBy.empty() ? "" : kWithin + found.foundBy);
}

void SearchRun::guess(const ChainSpace& space, const Chain& chain, double about) {
    if (about <= 0.0 || !isWorthMeeting(about))
        return;
    const int gpus = traitsOf(space, chain).gpus;
    if (m_met.takesGuess(about, gpus, chain.size()))
        m_met.keepGuess(about, gpus, {&space, chain, openPhases()});
}

std::vector<FoundPlan> SearchRun::differingFrom(const FoundPlan& fastest, const std::function<bool()>& soon,
                                                const std::function<bool()>& late) {
    const PlanTraits traits = traitsOf(m_problem, fastest.plan, fastest.evaluation);
    for (const MetPlans::Guess& guess : m_met.promisingGuesses(traits)) {
        const auto at = std::ranges::find(m_spaces, guess.space, &std::unique_ptr<ChainSpace>::get);
        if (at == m_spaces.end() || !areAlike(**at, guess.chain) || !soon())
            continue;
        const auto space = static_cast<std::size_t>(at - m_spaces.begin());
        std::int64_t operations = 0;
        m_evaluators[space].best(guess.chain, kMostTime * traits.iteration, operations, late);
        meetTrials(space, guess.chain, guess.foundBy);
    }
    std::vector<FoundPlan> list;
    for (const std::shared_ptr<const MetPlan>& met : m_met.differingFrom(traits)) {
        const auto plan = met->plan || !soon() ? met->plan : found(*met, late);
        if (plan && plan->evaluation.feasible)
            list.push_back(*plan);
    }
    return list;
}

} // namespace pw
