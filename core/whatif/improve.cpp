// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/whatif/improve.h"

#include "core/whatif/costing.h"
#include "core/whatif/whatif.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>

namespace pw::whatif {

namespace {

// What a plan is worth: bytes over capacity, then seconds; less is better. Steps below a millionth are noise
// of summation, not progress.
struct Worth {
    double overflow = 0.0, iteration = 0.0;
    bool betterThan(const Worth& other) const {
        const double slack = 1.0 - 1e-6;
        return overflow < other.overflow * slack ||
               (overflow <= other.overflow && iteration < other.iteration * slack);
    }
};

Worth worthOf(const Evaluation& evaluation) {
    Worth worth{0.0, evaluation.iteration.value};
    for (const DeviceMemory& device : evaluation.memory)
        if (device.capacity.value > 0.0)
            worth.overflow += std::max(0.0, (device.peak.total() - device.capacity).value);
    return worth;
}

std::set<DeviceIndex> deviceSet(const Stage& stage) {
    std::set<DeviceIndex> devices;
    for (const Replica& replica : stage.replicas)
        devices.insert(replica.devices.begin(), replica.devices.end());
    return devices;
}

const Stage* stageWith(const Plan& plan, DeviceIndex device) {
    for (const Pipeline& pipeline : plan.pipelines)
        for (const Stage& stage : pipeline.stages)
            if (deviceSet(stage).contains(device))
                return &stage;
    return nullptr;
}

bool overlap(const Stage& a, const Stage& b) {
    for (const LayerRange& one : a.chunks)
        for (const LayerRange& other : b.chunks)
            if (one.first <= other.last && other.first <= one.last)
                return true;
    return false;
}

bool mixesKinds(const Problem& problem, const Plan& plan) {
    return std::ranges::any_of(plan.pipelines.front().stages, [&](const Stage& stage) {
        std::set<std::string_view> kinds;
        for (const DeviceIndex device : deviceSet(stage))
            kinds.insert(problem.topology().kindOf(device).name);
        return kinds.size() > 1;
    });
}

bool isWithin(const Problem& problem, const Plan& start, const Plan& edited, const WiderSpace& wider) {
    const ScheduleKind kind = edited.pipelines.front().schedule.kind;
    const bool within = std::ranges::all_of(edited.pipelines, [&](const Pipeline& pipeline) {
        return problem.space().allows(kind, pipeline.stages.size());
    });
    const bool schedule = wider.schedules || within || kind == start.pipelines.front().schedule.kind;
    return schedule && (wider.mixedStages || !mixesKinds(problem, edited) || mixesKinds(problem, start));
}

// All edits of a plan that a step may be.
class Neighbours {
public:
    Neighbours(const Problem& problem, const Plan& plan, const std::function<bool(Plan)>& visit)
        : m_problem(problem), m_plan(plan), m_visit(visit) {}

    void all() {
        const auto stages = static_cast<int>(m_plan.pipelines.front().stages.size());
        for (int boundary = 0; boundary < boundaries(m_plan); ++boundary)
            moveAway(boundary);
        for (int stage = 0; stage < stages; ++stage)
            changeStage(stage, stages);
        if (!m_go)
            return;
        for (const std::int64_t size : microbatchChoices(m_problem, m_plan))
            take([&] { return setMicrobatch(m_problem, m_plan, size); });
        for (const ScheduleChoice& choice : scheduleChoices())
            take([&] { return setSchedule(m_problem, m_plan, choice.kind, choice.rule); });
    }

private:
    template <class Edit>
    void take(const Edit& edit) {
        if (!m_go)
            return;
        Result<Plan> edited = edit();
        if (edited && *edited != m_plan)
            m_go = m_visit(*std::move(edited));
    }

    void moveAway(int boundary) {
        if (!m_go)
            return;
        const BoundaryRange range = boundaryRange(m_plan, boundary);
        const int place = boundaryLayer(m_plan, boundary);
        for (const int by : {-8, -4, -2, 2, 4, 8}) // fine layers: whole blocks
            if (place + by >= range.low && place + by <= range.high)
                take([&] { return moveBoundary(m_problem, m_plan, boundary, place + by); });
    }

    void changeStage(int index, int stages) {
        if (!m_go)
            return;
        const Stage& stage = m_plan.pipelines.front().stages[static_cast<std::size_t>(index)];
        for (const int tp : tpChoices(m_problem, m_plan, index))
            if (tp != stage.tp)
                take([&] { return setTp(m_problem, m_plan, index, tp); });
        for (const Recompute mode : {Recompute::None, Recompute::Selective, Recompute::Full})
            take([&] { return setRecompute(m_problem, m_plan, index, mode); });
        take([&] { return setDp(m_problem, m_plan, index, stage.dp() + 1); });
        take([&] { return splitStage(m_problem, m_plan, index); });
        if (index + 1 < stages) {
            take([&] { return mergeStages(m_problem, m_plan, index); });
            take([&] { return reorderStage(m_problem, m_plan, index, index + 1); });
        }
        // Devices to the neighbours: the last replica, and half of them.
        const std::set<DeviceIndex> own = deviceSet(stage);
        std::vector<DeviceIndex> half(own.begin(), own.end());
        half.erase(half.begin(), half.begin() + static_cast<std::ptrdiff_t>((half.size() + 1) / 2));
        for (const int to : {index - 1, index + 1}) {
            if (to < 0 || to >= stages)
                continue;
            if (stage.dp() > 1)
                take([&] { return moveDevices(m_problem, m_plan, stage.replicas.back().devices, to); });
            if (!half.empty())
                take([&] { return moveDevices(m_problem, m_plan, half, to); });
        }
    }

    const Problem& m_problem;
    const Plan& m_plan;
    const std::function<bool(Plan)>& m_visit;
    bool m_go = true;
};

} // namespace

bool keeps(const Plan& start, const Plan& plan, const Locks& locks) {
    if (start.pipelines.empty() || plan.pipelines.empty())
        return locks.isEmpty();
    const std::vector<Stage>& before = start.pipelines.front().stages;
    const std::vector<Stage>& now = plan.pipelines.front().stages;
    for (const int locked : locks.stages)
        if (locked >= 0 && locked < static_cast<int>(before.size()) &&
            std::find(now.begin(), now.end(), before[static_cast<std::size_t>(locked)]) == now.end())
            return false;
    return std::all_of(locks.devices.begin(), locks.devices.end(), [&](DeviceIndex device) {
        const Stage* had = stageWith(start, device);
        const Stage* has = stageWith(plan, device);
        return !had || (has && overlap(*had, *has));
    });
}

void eachNeighbour(const Problem& problem, const Plan& plan, const std::function<bool(Plan)>& visit) {
    Neighbours(problem, plan, visit).all();
}

Result<Improvement> improve(const std::shared_ptr<const Problem>& problem, const Plan& start,
                            const Locks& locks, const Reach& reach,
                            const std::function<void(const ImproveProgress&)>& report,
                            const std::stop_token& stop) {
    if (start.pipelines.size() != 1)
        return badInput("improve.plan", "", "only plans with one pipeline can be improved by edits");
    const Costing costing(problem);
    const Result<Evaluation> first = costing.evaluate(start);
    if (!first)
        return first.error();
    Improvement result;
    Plan now = start;
    Worth best = worthOf(*first);
    Seconds iteration = first->iteration;
    const bool bounded = reach.takes && reach.takes(start);
    const std::function<bool()> stopping = [&stop] { return stop.stop_requested(); };
    while (true) {
        std::optional<Improvement::Step> next;
        eachNeighbour(*problem, now, [&](Plan edited) {
            result.stopped = stop.stop_requested();
            result.exhausted = result.tried >= reach.tries;
            if (result.stopped || result.exhausted)
                return false;
            if (!keeps(start, edited, locks) || !isWithin(*problem, start, edited, reach.wider) ||
                (bounded && !reach.takes(edited)))
                return true;
            ++result.tried;
            Result<Evaluation> evaluation = costing.evaluate(edited, {.stop = &stopping});
            if (!evaluation)
                return true; // devices that no links join, or given up
            if (const Worth worth = worthOf(*evaluation); worth.betterThan(best)) {
                best = worth;
                next = {std::move(edited), *std::move(evaluation)};
            }
            if (report)
                report({result.tried, static_cast<int>(result.steps.size()), iteration});
            return true;
        });
        if (!next)
            return result;
        now = next->plan;
        iteration = next->evaluation.iteration;
        result.steps.push_back(*std::move(next));
        if (report)
            report({result.tried, static_cast<int>(result.steps.size()), iteration});
        if (result.stopped || result.exhausted)
            return result;
    }
}

} // namespace pw::whatif
