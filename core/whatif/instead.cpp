// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/whatif/instead.h"

#include "core/whatif/arrange.h"
#include "core/whatif/whatif.h"

#include <algorithm>
#include <cstddef>
#include <iterator>

namespace pw::whatif {
namespace {

std::vector<DeviceIndex> firstOf(const std::vector<DeviceIndex>& list, std::size_t count) {
    return {list.begin(), list.begin() + static_cast<std::ptrdiff_t>(count)};
}

class Nearest {
public:
    Nearest(const Problem& problem, const Plan& plan, int stage)
        : m_problem(problem), m_plan(plan), m_stage(stage), m_target(devicesOf(stageAt(stage))) {}

    std::optional<DeviceMove> of(const std::vector<DeviceIndex>& devices) {
        for (const DeviceIndex d : devices)
            if (!holds(m_target, d) && !holds(m_asked, d))
                m_asked.push_back(d);
        if (m_asked.empty() || !findOrigin())
            return std::nullopt;
        orderByNearness();
        std::optional<DeviceMove> found = withMore();
        if (!found)
            found = swapped();
        return found;
    }

private:
    const Stage& stageAt(int i) const { return m_plan.pipelines.front().stages[static_cast<std::size_t>(i)]; }
    int nodeOf(DeviceIndex d) const {
        return m_problem.topology().devices()[static_cast<std::size_t>(d)].node;
    }

    // The stage that all asked for are of, or none of them any.
    bool findOrigin() {
        const int stages = static_cast<int>(m_plan.pipelines.front().stages.size());
        std::size_t found = 0;
        for (int i = 0; i < stages; ++i) {
            const std::vector<DeviceIndex> own = devicesOf(stageAt(i));
            const auto here = static_cast<std::size_t>(
                std::ranges::count_if(m_asked, [&](DeviceIndex d) { return holds(own, d); }));
            if (here > 0) {
                m_from = i;
                m_origin = own;
                found = here;
            }
            if (here > 0 && here < m_asked.size())
                return false;
        }
        if (found > 0)
            return true;
        m_origin = unusedDevices(m_problem, m_plan);
        return std::ranges::all_of(m_asked, [&](DeviceIndex d) { return holds(m_origin, d); });
    }

    // Asked for, then what shares a replica with one of them, then a node, then the others, each as listed.
    void orderByNearness() {
        std::vector<DeviceIndex> sameReplica;
        if (m_from >= 0)
            for (const Replica& replica : stageAt(m_from).replicas)
                if (std::ranges::any_of(m_asked, [&](DeviceIndex d) { return holds(replica.devices, d); }))
                    sameReplica.insert(sameReplica.end(), replica.devices.begin(), replica.devices.end());
        const auto distance = [&](DeviceIndex d) {
            const bool near =
                std::ranges::any_of(m_asked, [&](DeviceIndex a) { return nodeOf(a) == nodeOf(d); });
            return holds(m_asked, d) ? 0 : holds(sameReplica, d) ? 1 : near ? 2 : 3;
        };
        std::ranges::stable_sort(m_origin, {}, distance);
    }

    // Every number up to a node's, then whole tensor-parallel groups.
    static bool tried(std::size_t count, const Stage& stage) {
        constexpr std::size_t kEach = 16;
        return count <= kEach || count % static_cast<std::size_t>(stage.tp) == 0;
    }

    std::optional<DeviceMove> withMore() const {
        for (std::size_t count = m_asked.size() + 1; count <= m_origin.size(); ++count) {
            if (!tried(count, stageAt(m_stage)))
                continue;
            std::vector<DeviceIndex> there = firstOf(m_origin, count);
            if (Result<Plan> moved = moveDevices(m_problem, m_plan, there, m_stage))
                return DeviceMove{std::move(there), {}, m_from, *std::move(moved)};
        }
        return std::nullopt;
    }

    std::optional<DeviceMove> swapped() const {
        // The last replicas of the stage go first: its first devices are those that the plan names it by.
        const std::vector<DeviceIndex> leaving(m_target.rbegin(), m_target.rend());
        const std::size_t most = std::min(m_origin.size(), leaving.size());
        for (std::size_t count = m_asked.size(); count <= most; ++count)
            if (tried(count, stageAt(m_stage)))
                if (std::optional<DeviceMove> made = swap(firstOf(m_origin, count), firstOf(leaving, count)))
                    return made;
        return m_from >= 0 ? swap(m_origin, m_target) : std::nullopt;
    }

    std::optional<DeviceMove> swap(std::vector<DeviceIndex> there, std::vector<DeviceIndex> back) const {
        Plan edited = m_plan;
        if (!placed(edited, m_stage, m_target, back, there))
            return std::nullopt;
        if (m_from >= 0 && !placed(edited, m_from, devicesOf(stageAt(m_from)), there, back))
            return std::nullopt;
        Result<Plan> sound = checked(m_problem, std::move(edited));
        if (!sound)
            return std::nullopt;
        std::ranges::sort(back);
        return DeviceMove{std::move(there), std::move(back), m_from, *std::move(sound)};
    }

    // The stage without the one and with the other devices, in topology order so that neighbours make groups.
    bool placed(Plan& plan, int stage, const std::vector<DeviceIndex>& own,
                const std::vector<DeviceIndex>& going, const std::vector<DeviceIndex>& coming) const {
        std::vector<DeviceIndex> devices = coming;
        std::ranges::copy_if(own, std::back_inserter(devices),
                             [&](DeviceIndex d) { return !holds(going, d); });
        std::ranges::sort(devices);
        Pipeline& pipeline = plan.pipelines.front();
        Stage& changed = pipeline.stages[static_cast<std::size_t>(stage)];
        Result<Stage> made = arrangedNearest(m_problem, pipeline, changed, devices);
        if (made)
            changed = *std::move(made);
        return static_cast<bool>(made);
    }

    const Problem& m_problem;
    const Plan& m_plan;
    int m_stage;
    std::vector<DeviceIndex> m_target, m_asked, m_origin;
    int m_from = -1;
};

} // namespace

std::optional<Plan> moveAtLargerMicrobatch(const Problem& problem, const Plan& plan,
                                           const std::vector<DeviceIndex>& devices, int stage) {
    if (devices.empty() || !hasStage(plan, stage))
        return std::nullopt;
    for (const std::int64_t size : microbatchChoices(problem, plan)) {
        if (size <= plan.pipelines.front().microbatchSize)
            continue;
        const Result<Plan> larger = setMicrobatch(problem, plan, size);
        if (!larger)
            continue;
        if (Result<Plan> moved = moveDevices(problem, *larger, devices, stage))
            return *std::move(moved);
    }
    return std::nullopt;
}

std::optional<DeviceMove> nearestMove(const Problem& problem, const Plan& plan,
                                      const std::vector<DeviceIndex>& devices, int stage) {
    if (!hasStage(plan, stage))
        return std::nullopt;
    return Nearest(problem, plan, stage).of(devices);
}

} // namespace pw::whatif
