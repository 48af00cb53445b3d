// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/whatif/costing.h"

#include "core/timeline/build.h"

namespace pw::whatif {

Costing::Costing(std::shared_ptr<const Problem> problem)
    : m_problem(std::move(problem)), m_costs(std::make_unique<CostTable>(*m_problem)) {}

Costing::~Costing() = default;

Result<Evaluation> Costing::evaluate(const Plan& plan, const EvaluateOptions& options) const {
    EvaluateOptions own = options;
    own.known = &m_known;
    return pw::evaluate(*m_problem, *m_costs, plan, own);
}

Result<Costed> Costing::cost(const Plan& plan, const std::function<bool()>* stop) const {
    Result<Evaluation> judged = evaluate(plan, {.keepOps = true, .stop = stop});
    if (!judged)
        return judged.error();
    Costed costed{plan, *std::move(judged), {}};
    for (std::size_t p = 0; p < costed.plan.pipelines.size(); ++p)
        if (std::vector<int>& launch = costed.plan.pipelines[p].schedule.launch; launch.empty())
            launch = costed.evaluation.pipelines[p].launch;
    costed.timeline = buildTimeline(*m_problem, costed.plan, costed.evaluation);
    return costed;
}

} // namespace pw::whatif
