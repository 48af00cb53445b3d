// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/best_so_far.h"

#include "core/document/plan_document.h"
#include "core/exchange/exports/runs_with.h"

#include <nlohmann/json.hpp>

#include <utility>

namespace pw::cli {

BestSoFar::BestSoFar(QuestionObserver& to, const std::shared_ptr<const Problem>& problem,
                     const Question& question, PlanOutput output)
    : m_to(to), m_answer(problem, question), m_planner(question.options.planner), m_output(std::move(output)),
      m_seed(question.options.seed), m_clock(*question.options.clock), m_begin(m_clock.steady()) {
    if (!m_output.out.empty() && m_answer.knows())
        m_writer.emplace(PacedWork::Pace(), m_clock);
}

BestSoFar::~BestSoFar() = default;

void BestSoFar::found(const FoundPlan& plan) {
    m_to.found(plan);
    if (!m_writer)
        return;
    const std::lock_guard lock(m_mutex);
    const auto isBetter = [this](const FoundPlan& p) {
        return m_best.value <= 0.0 || p.evaluation.iteration < m_best;
    };
    if (!isBetter(plan)) // before it costs an evaluation
        return;
    const std::optional<FoundPlan> answer = m_answer.from(plan);
    if (!answer || !isBetter(*answer))
        return;
    m_best = answer->evaluation.iteration;
    // Whatever stands in its way is told at the end of the search, where the file is written in any case.
    m_writer->give([this, plan = *answer] { write(plan); });
}

void BestSoFar::write(FoundPlan plan) const {
    SearchOutcome outcome;
    outcome.status = SearchStatus::Stopped;
    outcome.planner = m_planner;
    outcome.seed = m_seed;
    outcome.covered = false;
    outcome.wall = m_clock.steady() - m_begin;
    outcome.plans.push_back(std::move(plan));
    const DeviceNames names = m_output.names(m_answer.problem().topology());
    Json document = planDocument(m_answer.problem(), outcome, names);
    writeRunsWith(document, m_answer.problem(), outcome.plans);
    document["notes"] =
        Json::array({toJson(Diagnostic(Severity::Note, "plan.unfinished", "search",
                                       "the best plan so far of a search that had not ended"))});
    static_cast<void>(m_output.write(document, names));
}

} // namespace pw::cli
