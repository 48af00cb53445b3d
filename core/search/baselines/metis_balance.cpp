// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/baselines/metis_balance.h"

#include "core/comm/comm.h"
#include "core/evaluate/stage_terms.h"
#include "core/plan/shares.h"
#include "core/search/space/chain.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace pw {
namespace {

// Bytes that a stage needs on its fullest device over what that has.
double fullness(const Problem& problem, const MetisStage& stage, int first, int end, double inFlight) {
    double most = 0.0;
    for (const MetisStage::Part& part : stage.parts)
        most = std::max(most,
                        memoryTotal(problem, part.costs->blocks(first, end, stage.dp, stage.zero), inFlight) /
                            part.capacity);
    return most;
}

// Ends of the stages whose shares of the whole are `weights`; embedding and head count as blocks of their
// stages' time.
std::vector<int> dealBlocks(const std::vector<const MetisStage*>& stages, const std::vector<double>& weights,
                            int blocks) {
    constexpr double kSubUnits = 7.0; // a block
    const auto count = static_cast<int>(stages.size());
    const auto extra = [&](const MetisStage& stage, int first, int end) {
        const int middle = blocks / 2;
        const double one = blocks > 2 ? stage.time(middle, middle + 1) : stage.time(first, end);
        return std::max(0.0, stage.time(first, end) / one - 1.0);
    };
    const double embedding = extra(*stages.front(), 0, 1), head = extra(*stages.back(), blocks - 1, blocks);
    std::vector<int> ends;
    double done = 0.0;
    for (int i = 0; i < count; ++i) {
        done += weights[static_cast<std::size_t>(i)] * (blocks + embedding + head);
        const double units = std::floor((done - embedding) * kSubUnits);
        const int least = (ends.empty() ? 0 : ends.back()) + 1, most = blocks - (count - 1 - i);
        ends.push_back(std::clamp(static_cast<int>(std::lround(units / kSubUnits)), least, most));
    }
    ends.back() = blocks;
    return ends;
}

void normalise(std::vector<double>& weights) {
    const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
    for (double& w : weights)
        w /= sum;
}

} // namespace

double MetisStage::time(int firstBlock, int endBlock) const {
    double slowest = 0.0;
    for (const Part& part : parts)
        slowest = std::max(slowest, part.costs->blocks(firstBlock, endBlock, dp, zero).total());
    return slowest;
}

const ConfigCosts& MetisStages::costs(std::size_t type, int tp, std::int64_t sequences) const {
    CostConfig config = m_ranks.types()[type].place;
    config.tp = tp;
    config.mbs = static_cast<int>(sequences);
    config.recompute = m_recompute;
    config.sequenceParallel = usesSequenceParallel(m_problem, tp);
    return m_table.costs(config);
}

void MetisStages::shareOut(MetisStage& stage) const {
    const std::vector<std::size_t> types = m_ranks.typesOf(stage.first, stage.dp * stage.tp);
    if (types.size() == 1) {
        if (m_microbatchSize % stage.dp == 0)
            stage.sequences.assign(static_cast<std::size_t>(stage.dp), m_microbatchSize / stage.dp);
        return;
    }
    const std::int64_t mean = std::max<std::int64_t>(1, m_microbatchSize / stage.dp);
    std::vector<double> speeds;
    for (int r = 0; r < stage.dp; ++r) {
        const std::size_t type = m_ranks.typeOf(stage.first + r * stage.tp);
        speeds.push_back(1.0 / costs(type, stage.tp, mean).leastStage(1, false, false, 1, 0).total());
    }
    stage.sequences = sharesBySpeed(m_microbatchSize, speeds);
}

MetisStage MetisStages::price(int first, int gpus, int tp) const {
    MetisStage stage;
    stage.first = first;
    stage.tp = tp;
    stage.dp = gpus / tp;
    stage.zero = shardingOf(m_problem, stage.dp);
    if (!divides(m_problem.model(), tp) || !m_ranks.staysInNodes(first, gpus, tp) ||
        m_ranks.mixesVendors(m_ranks.typesOf(first, gpus)))
        return stage;
    shareOut(stage);
    const std::vector<std::int64_t>& allowed = m_problem.recipe().mbs;
    std::vector<std::pair<std::size_t, std::int64_t>> seen;
    std::vector<std::vector<DeviceIndex>> replicas;
    for (std::size_t r = 0; r < stage.sequences.size(); ++r) {
        if (!allowed.empty() &&
            std::find(allowed.begin(), allowed.end(), stage.sequences[r]) == allowed.end()) {
            stage.parts.clear();
            return stage;
        }
        const int rank = first + static_cast<int>(r) * tp;
        replicas.push_back(m_ranks.devices(rank, tp));
        const std::pair<std::size_t, std::int64_t> part{m_ranks.typeOf(rank), stage.sequences[r]};
        if (std::find(seen.begin(), seen.end(), part) != seen.end())
            continue;
        seen.push_back(part);
        stage.parts.push_back(
            {&costs(part.first, tp, part.second), m_ranks.types()[part.first].capacity.value});
    }
    if (stage.dp > 1 && !stage.parts.empty()) {
        // 2 (d - 1) / (d bw) a byte, at the bandwidth that a large sum sees.
        const double large = 1e9;
        StageCost cost;
        cost.syncGradients = large;
        stage.syncPerByte = syncTraffic(m_problem, replicas, 0, cost).alone().value / large;
    }
    return stage;
}

const MetisStage* MetisStages::stage(int first, int gpus, int tp) {
    auto at = m_stages.find({first, gpus, tp});
    if (at == m_stages.end())
        at = m_stages.emplace(std::array{first, gpus, tp}, price(first, gpus, tp)).first;
    return at->second.parts.empty() ? nullptr : &at->second;
}

double MetisStages::send(const MetisStage& from, const MetisStage& to) {
    const std::array key{from.first, from.tp, from.dp, to.tp, to.dp};
    if (const auto known = m_sends.find(key); known != m_sends.end())
        return known->second;
    const auto devicesOf = [&](const MetisStage& stage) {
        std::vector<std::vector<DeviceIndex>> list;
        for (int r = 0; r < stage.dp; ++r)
            list.push_back(m_ranks.devices(stage.first + r * stage.tp, stage.tp));
        return list;
    };
    const auto groupsOf = [&](const MetisStage& stage, const std::vector<std::vector<DeviceIndex>>& devices) {
        std::vector<RankGroup> groups;
        for (std::size_t r = 0; r < devices.size(); ++r)
            groups.push_back({devices[r], static_cast<double>(stage.sequences[r]) /
                                              static_cast<double>(m_microbatchSize)});
        return groups;
    };
    const auto fromDevices = devicesOf(from), toDevices = devicesOf(to);
    const double time =
        boundaryTransfer(m_problem.topology(), m_problem.constants().comm(), groupsOf(from, fromDevices),
                         groupsOf(to, toDevices),
                         Bytes(boundaryBytes(m_problem, static_cast<double>(m_microbatchSize))),
                         !usesSequenceParallel(m_problem, to.tp))
            .time.value;
    return m_sends.emplace(key, time).first->second;
}

LayerSplit balanceLayers(const Problem& problem, const std::vector<const MetisStage*>& stages,
                         int microbatches) {
    constexpr int kRounds = 3;
    constexpr double kKeep = 0.9;
    const auto blocks = static_cast<int>(problem.model().blocks);
    const int middle = blocks / 2;
    std::vector<double> weights;
    for (const MetisStage* stage : stages)
        weights.push_back(1.0 / stage->time(middle, std::min(middle + 1, blocks)));
    normalise(weights);
    LayerSplit split;
    for (int round = 0;; ++round) {
        split.end = dealBlocks(stages, weights, blocks);
        split.full.reset();
        std::vector<double> fullnesses;
        for (std::size_t i = 0; i < stages.size(); ++i) {
            const double inFlight = std::min(microbatches, static_cast<int>(stages.size() - i));
            fullnesses.push_back(
                fullness(problem, *stages[i], i == 0 ? 0 : split.end[i - 1], split.end[i], inFlight));
            if (fullnesses[i] > 1.0 && (!split.full || fullnesses[i] > fullnesses[*split.full]))
                split.full = i;
        }
        if (!split.full || round == kRounds)
            return split;
        double freed = 0.0, slack = 0.0;
        for (std::size_t i = 0; i < stages.size(); ++i) {
            if (fullnesses[i] > 1.0) {
                const double kept = weights[i] * kKeep / fullnesses[i];
                freed += weights[i] - kept;
                weights[i] = kept;
            } else
                slack += weights[i] * (1.0 - fullnesses[i]);
        }
        if (slack <= 0.0)
            return split;
        for (std::size_t i = 0; i < stages.size(); ++i)
            if (fullnesses[i] <= 1.0)
                weights[i] += freed * weights[i] * (1.0 - fullnesses[i]) / slack;
    }
}

} // namespace pw
