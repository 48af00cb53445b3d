// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/findings/advisor.h"

#include <utility>

#include <fmt/format.h>

namespace pw {

Advisor::Advisor(const std::shared_ptr<const Problem>& problem, const Plan& plan, const std::stop_token& stop,
                 std::function<bool(const Problem&, const Plan&)> runs)
    : m_costing(problem), m_plan(plan), m_stop(stop), m_runs(std::move(runs)) {}

Status Advisor::judge() {
    Result<whatif::Costed> costed = m_costing.cost(m_plan);
    if (!costed)
        return costed.error();
    m_now = *std::move(costed);
    m_plan = m_now.plan;
    m_times = stageTimes(m_now.timeline, m_now.evaluation);
    return Ok{};
}

const DeviceMemory* Advisor::fullest(int stage) const {
    const DeviceMemory* fullest = nullptr;
    for (const DeviceMemory& m : now().memory)
        if (m.stage == stage && m.capacity.value > 0.0 &&
            (!fullest || m.peak.total() / m.capacity > fullest->peak.total() / fullest->capacity))
            fullest = &m;
    return fullest;
}

void Advisor::attempt(const Result<Plan>& edited, const std::string& remedy, std::optional<Trial>& best) {
    if (!edited || stopped() || *edited == m_plan)
        return;
    const auto [known, fresh] = m_known.try_emplace(canonicalKey(*edited));
    if (fresh && m_runs && !m_runs(problem(), *edited)) {
        ++m_refused;
    } else if (fresh) {
        const std::function<bool()> stop = [this] { return stopped(); };
        Result<Evaluation> judged = m_costing.evaluate(*edited, {.stop = &stop});
        ++m_tried;
        if (judged)
            known->second = *std::move(judged);
    }
    if (!known->second || !known->second->feasible)
        return;
    if (!best || known->second->iteration < best->iteration)
        best = Trial{remedy, *edited, nullptr, known->second->iteration, true};
}

void Advisor::attempt(const Result<std::shared_ptr<const Problem>>& changed, const std::string& remedy,
                      std::optional<Trial>& best) {
    if (!changed || stopped())
        return;
    const Result<Evaluation> judged = evaluate(**changed, m_plan);
    ++m_tried;
    if (judged && judged->feasible && (!best || judged->iteration < best->iteration))
        best = Trial{remedy, std::nullopt, *changed, judged->iteration, true};
}

Finding Advisor::with(Finding finding, const std::optional<Trial>& best) const {
    if (!best)
        return finding;
    const Seconds gain = now().iteration - best->iteration;
    if (now().feasible && gain.value < kWorth * iteration())
        return finding;
    finding.remedy = best->remedy;
    finding.plan = best->plan;
    finding.problem = best->problem;
    finding.iteration = best->iteration;
    finding.gain = gain;
    return finding;
}

std::string rateText(BytesPerSecond rate) {
    return fmt::format("{:.4g} Gbit/s", rate.value * 8.0 / 1e9);
}

} // namespace pw
