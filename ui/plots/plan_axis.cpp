// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/plan_axis.h"

#include "core/base/pareto.h"
#include "core/evaluate/idle_share.h"
#include "ui/base/format.h"
#include "ui/session/plan_text.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace pw {

namespace {

double gpusOf(const Plan& plan) {
    double gpus = 0.0;
    for (const Pipeline& pipeline : plan.pipelines)
        for (const Stage& stage : pipeline.stages)
            gpus += stage.deviceCount();
    return gpus;
}

double peakShareOf(const Candidate& plan) {
    const DeviceMemory* fullest = fullestDevice(plan.evaluation);
    return fullest && fullest->capacity.value > 0.0 ? fullest->peak.total() / fullest->capacity : 0.0;
}

} // namespace

QString axisName(PlanAxis axis) {
    switch (axis) {
    case PlanAxis::Iteration:
        return PlanBrush::tr("Iteration, s");
    case PlanAxis::Tokens:
        return PlanBrush::tr("Tokens/s, k");
    case PlanAxis::Bubble:
        return PlanBrush::tr("Bubble, %");
    case PlanAxis::PeakShare:
        return PlanBrush::tr("Peak memory, %");
    case PlanAxis::Gpus:
        return PlanBrush::tr("GPUs");
    case PlanAxis::Stages:
        return PlanBrush::tr("Stages");
    case PlanAxis::Microbatches:
        return PlanBrush::tr("Micro-batches");
    case PlanAxis::Measured:
        return PlanBrush::tr("Measured, %");
    }
    return {};
}

QString axisText(PlanAxis axis, double value) {
    switch (axis) {
    case PlanAxis::Iteration:
        return iterationText(Seconds(value));
    case PlanAxis::Tokens:
        return tokensText(value * 1e3);
    case PlanAxis::Bubble:
    case PlanAxis::PeakShare:
    case PlanAxis::Measured:
        return shareText(value / 100.0);
    case PlanAxis::Gpus:
    case PlanAxis::Stages:
    case PlanAxis::Microbatches:
        break;
    }
    return decimalText(value, 0);
}

double axisValue(PlanAxis axis, const Candidate& plan) {
    const Evaluation& e = plan.evaluation;
    switch (axis) {
    case PlanAxis::Iteration:
        return e.iteration.value;
    case PlanAxis::Tokens:
        return e.tokensPerSecond / 1e3;
    case PlanAxis::Bubble:
        return idleShare(e.bubble) * 100.0;
    case PlanAxis::PeakShare:
        return peakShareOf(plan) * 100.0;
    case PlanAxis::Gpus:
        return gpusOf(plan.plan);
    case PlanAxis::Stages:
        return stageCount(plan.plan);
    case PlanAxis::Microbatches:
        return std::accumulate(plan.plan.pipelines.begin(), plan.plan.pipelines.end(), 0.0,
                               [](double sum, const Pipeline& pipeline) {
                                   return sum + static_cast<double>(pipeline.microbatches);
                               });
    case PlanAxis::Measured:
        return e.measuredShare * 100.0;
    }
    return 0.0;
}

bool lowerIsBetter(PlanAxis axis) {
    return axis != PlanAxis::Tokens && axis != PlanAxis::Measured;
}

std::vector<int> planRanks(const std::vector<Candidate>& plans) {
    std::map<std::string, std::vector<std::size_t>> ofQuestion;
    for (std::size_t i = 0; i < plans.size(); ++i)
        if (plans[i].evaluation.feasible)
            ofQuestion[plans[i].problem->hash()].push_back(i);
    std::vector<int> ranks(plans.size(), 0);
    for (const auto& [hash, members] : ofQuestion) {
        std::vector<std::vector<double>> points;
        for (const std::size_t i : members)
            points.push_back(
                {plans[i].evaluation.iteration.value, gpusOf(plans[i].plan), peakShareOf(plans[i])});
        const std::vector<int> found = paretoRanks(points);
        for (std::size_t k = 0; k < members.size(); ++k)
            ranks[members[k]] = found[k];
    }
    return ranks;
}

PlanBrush& PlanBrush::of(Candidates& candidates) {
    if (auto* made = candidates.findChild<PlanBrush*>(QString(), Qt::FindDirectChildrenOnly))
        return *made;
    return *new PlanBrush(&candidates);
}

void PlanBrush::setRange(PlanAxis axis, std::optional<Range> range) {
    auto& held = m_ranges[static_cast<std::size_t>(axis)];
    if (held == range)
        return;
    held = range;
    Q_EMIT changed();
}

void PlanBrush::setRanges(PlanAxis x, const Range& onX, PlanAxis y, const Range& onY) {
    m_ranges[static_cast<std::size_t>(x)] = onX;
    m_ranges[static_cast<std::size_t>(y)] = onY;
    Q_EMIT changed();
}

void PlanBrush::clear() {
    if (isEmpty())
        return;
    m_ranges = {};
    Q_EMIT changed();
}

bool PlanBrush::isEmpty() const {
    return std::none_of(m_ranges.begin(), m_ranges.end(),
                        [](const auto& range) { return range.has_value(); });
}

bool PlanBrush::passes(const Candidate& plan) const {
    for (int a = 0; a < kPlanAxes; ++a)
        if (const auto& range = m_ranges[static_cast<std::size_t>(a)]) {
            const double value = axisValue(static_cast<PlanAxis>(a), plan);
            if (value < range->low || value > range->high)
                return false;
        }
    return true;
}

} // namespace pw
