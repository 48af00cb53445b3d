// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/answers/answer_so_far.h"

#include "core/answers/target_search.h"

namespace pw {

const ExporterRow* constraining(const Question& question) {
    return question.target != nullptr && constrains(*question.target) ? question.target : nullptr;
}

TargetQuestion askedFor(const std::shared_ptr<const Problem>& problem, const Question& question) {
    const ExporterRow* target = constraining(question);
    if (target == nullptr || (question.around && question.found))
        return {problem};
    TargetQuestion asked = questionFor(problem, *target);
    return checkRequired(*asked.problem, question.required) ? asked : TargetQuestion{problem};
}

AnswerSoFar::AnswerSoFar(const std::shared_ptr<const Problem>& problem, const Question& question)
    : m_target(constraining(question)), m_deadline(question.deadline.value > 0.0),
      m_asked(askedFor(problem, question).problem) {
    if (!question.required.empty() && checkRequired(*m_asked, question.required))
        m_complying.emplace(*m_asked, question.required);
}

std::optional<FoundPlan> AnswerSoFar::from(const FoundPlan& found) const {
    if (m_deadline)
        return std::nullopt;
    std::optional<FoundPlan> plan = found;
    if (m_target != nullptr)
        plan = asItRuns(*m_asked, *m_target, *std::move(plan));
    return plan && m_complying ? m_complying->from(*plan) : plan;
}

} // namespace pw
