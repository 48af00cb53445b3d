// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/candidates.h"
#include "ui/session/what_if.h"

#include <algorithm>
#include <set>
#include <utility>

namespace pw {

// What improving a plan must keep, from edit to edit.

namespace {

// How many of its devices, then of its fine layers, another stage has.
std::pair<int, int> inCommon(const Stage& stage, const Stage& other) {
    std::set<DeviceIndex> devices;
    for (const Replica& replica : stage.replicas)
        devices.insert(replica.devices.begin(), replica.devices.end());
    int both = 0, layers = 0;
    for (const Replica& replica : other.replicas)
        for (const DeviceIndex device : replica.devices)
            both += devices.contains(device) ? 1 : 0;
    for (const LayerRange& one : stage.chunks)
        for (const LayerRange& two : other.chunks)
            layers += std::max(0, std::min(one.last, two.last) - std::max(one.first, two.first) + 1);
    return {both, layers};
}

// Which of the stages it has become: the one with most of its devices; -1: none has any.
int placeOf(const Stage& stage, const std::vector<Stage>& stages) {
    int at = -1;
    std::pair<int, int> most;
    for (std::size_t i = 0; i < stages.size(); ++i)
        if (const auto has = inCommon(stage, stages[i]); has.first > 0 && has > most) {
            most = has;
            at = static_cast<int>(i);
        }
    return at;
}

} // namespace

void WhatIf::toggleLock(int stage) {
    const Candidate* candidate = subject();
    if (!candidate || candidate->plan.pipelines.size() != 1 || stage < 0 ||
        stage >= static_cast<int>(candidate->plan.pipelines.front().stages.size()))
        return;
    m_lockedPlan = candidate->id;
    const std::vector<Stage>& stages = candidate->plan.pipelines.front().stages;
    const auto isIt = [&](const Stage& locked) { return placeOf(locked, stages) == stage; };
    if (std::erase_if(m_lockedStages, isIt) == 0)
        m_lockedStages.push_back(stages[static_cast<std::size_t>(stage)]);
    followLocks();
}

void WhatIf::toggleLock(const std::vector<DeviceIndex>& devices) {
    const Candidate* candidate = subject();
    if (!candidate || devices.empty())
        return;
    m_lockedPlan = candidate->id;
    const auto locked = [this](DeviceIndex device) {
        return std::find(m_locks.devices.begin(), m_locks.devices.end(), device) != m_locks.devices.end();
    };
    const bool all = std::all_of(devices.begin(), devices.end(), locked);
    for (const DeviceIndex device : devices)
        if (all)
            std::erase(m_locks.devices, device);
        else if (!locked(device))
            m_locks.devices.push_back(device);
    Q_EMIT locksChanged();
}

// From plan to edit and back they stay, as far as there are such stages; those of a plan that an edit of the
// project has made stale come back with it.
void WhatIf::followLocks() {
    if (m_locks.isEmpty() && m_lockedStages.empty())
        return;
    const Candidate* candidate = subject();
    if (!candidate && m_selection.plan() == m_lockedPlan && m_candidates.find(m_lockedPlan)) {
        m_locks.stages.clear();
        Q_EMIT locksChanged();
        return;
    }
    const Candidate* from = candidate ? m_candidates.baseOf(*candidate) : nullptr;
    const Candidate* locked = candidate ? m_candidates.find(m_lockedPlan) : nullptr;
    const bool same = locked && (locked->id == candidate->id || locked == from ||
                                 m_candidates.baseOf(*locked) == candidate);
    m_locks.stages.clear();
    if (!same) {
        m_locks = {};
        m_lockedStages.clear();
    }
    for (const Stage& stage : m_lockedStages)
        if (const int at = placeOf(stage, candidate->plan.pipelines.front().stages);
            at >= 0 && std::ranges::find(m_locks.stages, at) == m_locks.stages.end())
            m_locks.stages.push_back(at);
    Q_EMIT locksChanged();
}

} // namespace pw
