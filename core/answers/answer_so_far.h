// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/answers/question.h"
#include "core/answers/require.h"
#include "core/answers/target_question.h"

namespace pw {

// The question's target if that says of plans that it cannot run them; else null.
const ExporterRow* constraining(const Question& question);

// The problem as it is asked for the question's target. What must be used, and plans that are known, speak of
// the problem as it is.
TargetQuestion askedFor(const std::shared_ptr<const Problem>& problem, const Question& question);

// Plans that a search has met, as answers to the question while it goes on: what the target cannot run is
// none, alike nodes are exchanged for what is required, and with an objective the fastest plan is one end of
// the front. What is the least that meets a deadline is known at the end only: knows() nothing of it.
class AnswerSoFar {
public:
    AnswerSoFar(const std::shared_ptr<const Problem>& problem, const Question& question);

    bool knows() const { return !m_deadline; }
    const Problem& problem() const { return *m_asked; } // under which answers are judged
    // From several threads.
    std::optional<FoundPlan> from(const FoundPlan& found) const;

private:
    const ExporterRow* m_target; // null: none that constrains
    const bool m_deadline;
    const std::shared_ptr<const Problem> m_asked;
    std::optional<Complying> m_complying;
};

} // namespace pw
