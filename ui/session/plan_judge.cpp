// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/plan_judge.h"

#include "ui/session/shown_plan.h"

namespace pw {

namespace {

// Operations are most of an evaluation. They stand aside while all the rest is copied, whatever it is.
Evaluation withoutOps(Evaluation& evaluation) {
    std::vector<std::pair<std::vector<Op>, std::vector<Transfer>>> aside(evaluation.pipelines.size());
    const auto exchange = [&] {
        for (std::size_t p = 0; p < aside.size(); ++p) {
            aside[p].first.swap(evaluation.pipelines[p].simulation.ops);
            aside[p].second.swap(evaluation.pipelines[p].simulation.transfers);
        }
    };
    exchange();
    Evaluation bare = evaluation;
    exchange();
    return bare;
}

} // namespace

PlanJudge::PlanJudge(std::function<void(const JudgedPointer&)> done)
    : m_done(std::move(done)), m_costing(std::make_shared<std::unique_ptr<whatif::Costing>>()) {}

void PlanJudge::ask(const std::shared_ptr<const Problem>& problem, const Plan& plan, const QString& name,
                    int id) {
    m_job.start(
        [problem, plan, name, id, costing = m_costing](const std::stop_token& stop) {
            if (!*costing || (*costing)->problemPointer() != problem)
                *costing = std::make_unique<whatif::Costing>(problem);
            const std::function<bool()> halted = [&stop] { return stop.stop_requested(); };
            return judge(**costing, plan, name, id, &halted);
        },
        [this](const Result<JudgedPointer>& judged) {
            m_last =
                judged ? *judged
                       : std::make_shared<const JudgedPlan>(JudgedPlan{judged.error(), {}, nullptr, nullptr});
            if (!m_waiting)
                m_done(m_last);
        },
        BackgroundJob::Before::Finished);
}

JudgedPointer PlanJudge::wait() {
    m_waiting = true;
    m_job.wait();
    m_waiting = false;
    return m_last;
}

JudgedPointer PlanJudge::judge(const whatif::Costing& costing, const Plan& plan, const QString& name, int id,
                               const std::function<bool()>* stop) {
    auto judged = std::make_shared<JudgedPlan>();
    Result<whatif::Costed> costed = costing.cost(plan, stop);
    if (!costed) {
        judged->error = costed.error();
        return judged;
    }
    auto detail = std::make_shared<CandidateDetail>();
    detail->evaluation = std::move(costed->evaluation);
    detail->timeline = std::move(costed->timeline);
    judged->found = {std::move(costed->plan), withoutOps(detail->evaluation)};
    Candidate candidate;
    candidate.id = id;
    candidate.name = name;
    candidate.problem = costing.problemPointer();
    candidate.plan = judged->found.plan;
    candidate.evaluation = judged->found.evaluation;
    candidate.features = featuresOf(costing.problem(), candidate.plan, candidate.evaluation);
    candidate.band = errorBand(candidate.features);
    judged->detail = detail;
    judged->shown = std::make_shared<ShownPlan>(*makeShownPlan(candidate, detail, false));
    return judged;
}

} // namespace pw
