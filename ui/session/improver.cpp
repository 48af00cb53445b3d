// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/improver.h"

#include "core/answers/target_search.h"
#include "ui/base/convert.h"
#include "ui/base/format.h"
#include "ui/session/candidates.h"
#include "ui/session/plan_text.h"
#include "ui/session/selection.h"
#include "ui/session/what_if.h"

namespace pw {

Improver::Improver(WhatIf& whatIf, Candidates& candidates, Selection& selection, QObject* parent)
    : QObject(parent), m_whatIf(whatIf), m_candidates(candidates), m_selection(selection), m_job([this] {
          m_progress = m_mailbox->read();
          Q_EMIT progressed();
      }) {}

Improver::~Improver() = default;

bool Improver::canStart() const {
    const Candidate* subject = m_whatIf.subject();
    return !isRunning() && subject && subject->plan.pipelines.size() == 1;
}

bool Improver::start(const WiderSpace& wider, const ExporterRow* target) {
    if (!canStart())
        return false;
    const Candidate& subject = *m_whatIf.subject();
    m_problem = subject.problem;
    m_name = planTitle(subject);
    m_before = subject.evaluation.iteration;
    m_fitted = subject.evaluation.feasible;
    m_target = target && constrains(*target) ? target : nullptr;
    m_within = m_target && canRun(*m_target, *m_problem, subject.plan);
    m_progress = {0, 0, m_before};
    m_end.clear();
    m_failure.reset();
    m_mailbox = std::make_shared<Mailbox<whatif::ImproveProgress>>(m_progress);
    m_job.start(
        [mailbox = m_mailbox, problem = m_problem, plan = subject.plan, locks = m_whatIf.locks(), wider,
         target = m_target](const std::stop_token& stop) {
            const auto report = [&](const whatif::ImproveProgress& progress) {
                mailbox->write([&](whatif::ImproveProgress& last) { last = progress; });
            };
            whatif::Reach reach{.wider = wider};
            if (target)
                reach.takes = [&](const Plan& edited) { return canRun(*target, *problem, edited); };
            return whatif::improve(problem, plan, locks, reach, report, stop);
        },
        [this](const Result<whatif::Improvement>& found) { end(found); });
    Q_EMIT started();
    return true;
}

void Improver::stop() {
    m_job.stop();
}

void Improver::forget() {
    m_job.drop();
    m_problem.reset();
    m_end.clear();
    m_failure.reset();
}

QString Improver::text() const {
    return isRunning() ? tr("%1: %2 plans tried, %3 edits taken, %4")
                             .arg(m_name, countText(m_progress.tried), countText(m_progress.steps),
                                  iterationText(m_progress.iteration))
                       : m_end;
}

QString Improver::unhelpedText(const whatif::Improvement& found) const {
    return m_within ? tr("None of the %1 edits of %2 that %3 can run helps, within what Search allows.")
                          .arg(countText(found.tried), m_name.toLower(), q(m_target->label))
                    : tr("None of %1 edits of %2 helps, within what Search allows.")
                          .arg(countText(found.tried), m_name.toLower());
}

QString Improver::unfittedText(const whatif::Improvement& found) const {
    return m_within ? tr("%1 does not fit, and none of the %2 edits tried that %3 can run brings it into the "
                         "memory.")
                          .arg(m_name, countText(found.tried), q(m_target->label))
                    : tr("%1 does not fit, and none of %2 edits tried brings it into the memory.")
                          .arg(m_name, countText(found.tried));
}

void Improver::end(const Result<whatif::Improvement>& found) {
    if (!found) {
        m_failure = found.error();
    } else if (found->steps.empty()) {
        m_end = found->stopped ? tr("Stopped before an edit of %1 helped.").arg(m_name.toLower())
                               : unhelpedText(*found);
    } else if (const whatif::Improvement::Step& best = found->steps.back(); !best.evaluation.feasible) {
        // What needs less memory and still too much is no plan to keep.
        m_end = unfittedText(*found);
    } else {
        const int id = m_candidates.add(m_problem, {{best.plan, best.evaluation}}, tr("improved"));
        const QString made = planTitle(*m_candidates.find(id));
        const auto count = static_cast<std::int64_t>(found->steps.size());
        const QString edits = count == 1 ? tr("1 edit") : tr("%1 edits").arg(countText(count));
        m_end = m_fitted
                    ? tr("%1 is %2 % faster than %3, by %4 of %5 tried.")
                          .arg(made, decimalText(100.0 * (1.0 - best.evaluation.iteration / m_before), 2),
                               m_name.toLower(), edits, countText(found->tried))
                    : tr("%1 fits into the memory and takes %2, by %3 of %4 tried. The plan it was made from "
                         "(%5) does not fit.")
                          .arg(made, iterationText(best.evaluation.iteration), edits, countText(found->tried),
                               m_name.toLower());
        if (m_target && !m_within && !canRun(*m_target, *m_problem, best.plan))
            m_end +=
                QLatin1Char(' ') + tr("%1, which Search asks for, cannot run it, as it could not run %2.")
                                       .arg(q(m_target->label), m_name.toLower());
        m_selection.setPlan(id);
    }
    Q_EMIT finished();
}

} // namespace pw
