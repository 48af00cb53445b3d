// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/evaluate/priced_stage.h"
#include "core/timeline/timeline.h"

#include <memory>

namespace pw::whatif {

// A plan with everything that a view draws of it.
struct Costed {
    Plan plan; // with the launch counts that the schedule's rule came to, where they were left open
    Evaluation evaluation; // with ops
    Timeline timeline;
};

// Judges one plan after the other of the same question. What the last one has in common with the next is
// not priced again: after a boundary move two stages are, however many there are. Equal to evaluate() to the
// last bit. One thread at a time.
class Costing {
public:
    explicit Costing(std::shared_ptr<const Problem> problem);
    ~Costing();

    const Problem& problem() const { return *m_problem; }
    const std::shared_ptr<const Problem>& problemPointer() const { return m_problem; }
    Result<Evaluation> evaluate(const Plan& plan, const EvaluateOptions& options = {}) const;
    Result<Costed> cost(const Plan& plan, const std::function<bool()>* stop = nullptr) const;
    std::int64_t stagesPriced() const { return m_known.priced; }
    std::int64_t stagesKept() const { return m_known.kept; }

private:
    std::shared_ptr<const Problem> m_problem;
    std::unique_ptr<CostTable> m_costs;
    mutable StagePrices m_known;
};

} // namespace pw::whatif
