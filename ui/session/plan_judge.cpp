// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/plan_judge.h"

#include "ui/session/shown_plan.h"

namespace pw {

namespace {

Evaluation withoutOps(const Evaluation& evaluation) {
    Evaluation bare;
    bare.iteration = evaluation.iteration;
    bare.closedForm = evaluation.closedForm;
    bare.tokensPerSecond = evaluation.tokensPerSecond;
    bare.bubble = evaluation.bubble;
    bare.measuredShare = evaluation.measuredShare;
    bare.provenance = evaluation.provenance;
    bare.time = evaluation.time;
    bare.memory = evaluation.memory;
    bare.feasible = evaluation.feasible;
    bare.reasons = evaluation.reasons;
    for (const PipelineFigures& pipeline : evaluation.pipelines) {
        PipelineFigures figures;
        figures.stages = pipeline.stages;
        figures.launch = pipeline.launch;
        figures.staggered = pipeline.staggered;
        const Simulation& s = pipeline.simulation;
        figures.simulation = {s.makespan, {},       {},      s.peakInFlight, s.peakHeld,   s.held,
                              s.released, s.layout, s.split, s.busy,         s.firstStart, s.lastEnd};
        bare.pipelines.push_back(std::move(figures));
    }
    return bare;
}

} // namespace

PlanJudge::PlanJudge(std::function<void(JudgedPointer)> done)
    : m_done(std::move(done)), m_thread([this] { run(); }) {}

PlanJudge::~PlanJudge() {
    {
        const std::lock_guard lock(m_mutex);
        m_end = true;
    }
    m_changed.notify_all();
    m_thread.join();
}

std::uint64_t PlanJudge::ask(const std::shared_ptr<const Problem>& problem, const Plan& plan,
                             const QString& name, int id) {
    std::uint64_t order = 0;
    {
        const std::lock_guard lock(m_mutex);
        order = ++m_orders;
        m_request = Request{order, problem, plan, name, id};
    }
    m_changed.notify_all();
    return order;
}

JudgedPointer PlanJudge::wait(std::uint64_t order) {
    std::unique_lock lock(m_mutex);
    m_changed.wait(lock, [&] { return m_last && m_last->order >= order; });
    return m_last;
}

JudgedPointer PlanJudge::judge(const whatif::Costing& costing, const Plan& plan, const QString& name, int id,
                               std::uint64_t order, const std::function<bool()>* stop) {
    auto judged = std::make_shared<JudgedPlan>();
    judged->order = order;
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

void PlanJudge::run() {
    std::unique_ptr<whatif::Costing> costing;
    const std::function<bool()> stop = [this] {
        const std::lock_guard lock(m_mutex);
        return m_end;
    };
    for (;;) {
        Request request;
        {
            std::unique_lock lock(m_mutex);
            m_changed.wait(lock, [this] { return m_end || m_request; });
            if (m_end)
                return;
            request = *std::move(m_request);
            m_request.reset();
        }
        if (!costing || costing->problemPointer() != request.problem)
            costing = std::make_unique<whatif::Costing>(request.problem);
        const JudgedPointer judged =
            judge(*costing, request.plan, request.name, request.id, request.order, &stop);
        {
            const std::lock_guard lock(m_mutex);
            m_last = judged;
            if (m_end)
                return;
        }
        m_changed.notify_all();
        m_done(judged);
    }
}

} // namespace pw
