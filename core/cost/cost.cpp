// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/cost/cost.h"

#include <algorithm>
#include <limits>

namespace pw {

void placeOn(CostConfig& config, const Topology& topology, DeviceIndex device) {
    const Device& d = topology.devices()[static_cast<std::size_t>(device)];
    config.kind = d.kind;
    config.speed = d.speed;
    const Domain& domain = topology.domainOfNode(d.node);
    config.fabric = domain.bandwidth.value;
    config.fabricLatency = domain.latency.value;
    config.fabricGpus = domain.gpus;
}

StateBytes stateBytes(const Problem& problem) {
    const bool mixed = elementBytes(problem.precision()) < 4.0;
    const bool adam = problem.recipe().optimizer == Optimizer::Adam;
    const bool wide = !mixed || isOn(problem.recipe().software.gradFp32, true);
    return {mixed ? 2.0 : 4.0, wide ? 4.0 : 2.0, (mixed ? 4.0 : 0.0) + (adam ? 8.0 : 4.0)};
}

double elementBytes(Precision precision) {
    return precision == Precision::Fp32 || precision == Precision::Tf32 ? 4.0 : 2.0;
}

double boundaryBytes(const Problem& problem, double sequences) {
    return sequences * static_cast<double>(problem.recipe().seq) *
           static_cast<double>(problem.model().hidden) * elementBytes(problem.precision());
}

bool usesSequenceParallel(const Problem& problem, int tp) {
    if (tp < 2 || problem.recipe().seq % tp != 0)
        return false;
    return problem.recipe().sequenceParallel != Choice::Off;
}

bool divides(const Model& model, int tp) {
    const auto attention = [&](int block) {
        const AttentionForm f = attentionForm(model, block);
        if (f.linear.valueHeads > 0)
            return f.linear.keyHeads % tp == 0 && f.linear.valueHeads % tp == 0;
        return f.heads % tp == 0 && (f.kvHeads % tp == 0 || tp % f.kvHeads == 0);
    };
    return std::ranges::all_of(attentionKinds(model), attention) &&
           std::ranges::all_of(mlpWidths(model), [&](std::int64_t width) { return width % tp == 0; });
}

StageCost sumOfStages(const StageCost& a, const StageCost& b) {
    StageCost c;
    for (double StageCost::*figure :
         {&StageCost::forward, &StageCost::backward, &StageCost::recompute, &StageCost::weightGrad,
          &StageCost::comm, &StageCost::shard, &StageCost::innerSync, &StageCost::optimizer,
          &StageCost::measured, &StageCost::shared, &StageCost::routed, &StageCost::weights,
          &StageCost::gradients, &StageCost::optimizerStates, &StageCost::kept, &StageCost::tensors,
          &StageCost::syncGradients, &StageCost::syncWeights})
        c.*figure = a.*figure + b.*figure;
    c.transient = std::max(a.transient, b.transient);
    c.communication = std::max(a.communication, b.communication);
    c.provenance = std::max(a.provenance, b.provenance);
    c.updateProvenance = std::max(a.updateProvenance, b.updateProvenance);
    return c;
}

void ConfigCosts::addUnit(StageCost& total, const UnitCost& unit, double count) const {
    total.forward += count * unit.forward;
    total.backward += count * (unit.backward + unit.recompute);
    total.recompute += count * unit.recompute;
    total.weightGrad += count * unit.weightGrad;
    total.comm += count * unit.comm;
    total.shard += count * unit.shard;
    total.innerSync += count * unit.innerSync;
    total.tensors += count * unit.tensors;
    total.optimizer += count * unit.update;
    total.measured += count * unit.measured;
    total.kept += count * unit.kept;
    total.transient = std::max(total.transient, unit.transient);
    total.provenance = std::max(total.provenance, unit.provenance);
    total.updateProvenance = std::max(total.updateProvenance, unit.updateProvenance);
    total.shared += count * unit.shared;
    total.routed += count * unit.routed;
    total.weights += count * unit.parameters; // parameters until finish()
}

void ConfigCosts::finish(StageCost& total, double parameters, int dp, int zero) const {
    const double ranks = m_shardRanks > 0 ? std::min(m_shardRanks, dp) : dp;
    const double shards = zero >= 1 ? ranks : 1.0;
    // A rank's experts are shared by one replica in ep only, so that each of these has a larger shard of
    // them.
    const double apart = std::min(m_expertRanks, ranks) - 1.0;
    const double dealt = parameters + apart * total.routed;
    total.weights = (zero >= 3 ? dealt / ranks : parameters) * m_states.weight;
    total.gradients = (zero >= 2 ? dealt / ranks : parameters) * m_states.gradient;
    total.optimizerStates = (shards > 1.0 ? dealt : parameters) * m_states.optimizer / shards;
    total.optimizer = (total.optimizer + (shards > 1.0 ? apart * total.routed * m_step : 0.0)) / shards;
    if (shards > 1.0) // rows hold the whole step; that a share of the states takes its share is assumed
        total.updateProvenance = std::max(total.updateProvenance, Provenance::Fitted);
    if (zero >= 3) // of the layer at work and the one that is fetched, weights and gradients
        total.transient += (2.0 * m_states.weight + m_states.gradient) * m_largest;
    else if (zero == 2) { // of the layer at work until its gradients are summed, and of a tied matrix
        const double end = std::max(m_embedding.parameters, m_head.parameters);
        total.transient +=
            m_states.gradient * (m_tiedCopy > 0.0 ? end + m_largest : std::max(end, m_largest));
    }
    // A ring over n ranks moves (n - 1) / n of the bytes; experts go round among dp / ep.
    double summed = parameters;
    if (m_expertRanks != 1.0 && dp > 1)
        summed = total.shared + total.routed * (1.0 - m_expertRanks / dp) / (1.0 - 1.0 / dp);
    total.syncGradients = summed * m_states.gradient;
    total.syncWeights = summed * m_states.weight;
    total.communication = 4.0 * m_boundaryBytes; // send and receive, activation and gradient
}

StageCost ConfigCosts::stage(int firstLayer, int lastLayer, int dp, int zero, bool embeddingIsHere) const {
    StageCost total;
    const int lastFine = 2 * m_blocks + 1;
    if (firstLayer == 0)
        addUnit(total, m_embedding, 1.0);
    if (m_divided)
        addUnit(total, m_ends, 1.0);
    // Whole blocks between the two ends, then the halves that a cut inside a block leaves.
    const int firstBlock = firstLayer <= 1 ? 0 : firstLayer / 2; // first block that starts inside
    const int endBlock = std::min(m_blocks, lastLayer / 2);      // first block that does not end inside
    if (firstLayer > 0 && firstLayer % 2 == 0 && firstLayer < lastFine) { // starts with an MLP
        UnitCost mlp =
            m_mlp[static_cast<std::size_t>(m_unitOf[static_cast<std::size_t>(firstLayer / 2 - 1)])];
        // Full recompute starts from the block's input, which the stage before holds; here it is the MLP's
        // own.
        mlp.kept = std::max(mlp.kept, m_boundaryBytes);
        addUnit(total, mlp, 1.0);
    }
    for (std::size_t u = 0; u < m_blockUnits.size(); ++u) {
        const int count = endBlock > firstBlock ? m_blockCount[u][static_cast<std::size_t>(endBlock)] -
                                                      m_blockCount[u][static_cast<std::size_t>(firstBlock)]
                                                : 0;
        if (count > 0)
            addUnit(total, m_blockUnits[u], count);
    }
    if (lastLayer % 2 == 1 && lastLayer < lastFine && lastLayer >= firstLayer) // ends with an attention
        addUnit(total,
                m_attention[static_cast<std::size_t>(m_unitOf[static_cast<std::size_t>(lastLayer / 2)])],
                1.0);
    double copy = 0.0;
    if (lastLayer == lastFine) {
        addUnit(total, m_head, 1.0);
        if (firstLayer > 0 && !embeddingIsHere)
            copy = m_tiedCopy;
    }
    total.shared += copy;
    finish(total, total.weights + copy, dp, zero);
    return total;
}

StageCost ConfigCosts::leastStage(const Least& of, int lead, int count, bool withEmbedding, bool withHead,
                                  int dp, int zero) const {
    StageCost total;
    if (withEmbedding)
        addUnit(total, m_embedding, 1.0);
    if (m_divided)
        addUnit(total, m_ends, 1.0);
    if (lead > 0)
        addUnit(total, m_lead, lead);
    if (count > 0) {
        addUnit(total, of.mean, count);
        addUnit(total, of.shortfall, -1.0);
    }
    if (withHead)
        addUnit(total, m_head, 1.0);
    const double copy = withHead && !withEmbedding ? m_tiedCopy : 0.0;
    total.shared += copy;
    finish(total, total.weights + copy, dp, zero);
    return total;
}

StageCost ConfigCosts::leastStage(int count, bool withEmbedding, bool withHead, int dp, int zero) const {
    return leastStage(m_any, 0, count, withEmbedding, withHead, dp, zero);
}

StageCost ConfigCosts::leastRun(int lead, int count, bool withEmbedding, bool withHead, int dp,
                                int zero) const {
    return leastStage(m_behind, lead, count, withEmbedding, withHead, dp, zero);
}

double ConfigCosts::quickestBlock() const {
    double least = std::numeric_limits<double>::infinity();
    for (const UnitCost& unit : m_blockUnits)
        least = std::min(least, unit.forward + unit.backward + unit.recompute);
    return least;
}

double ConfigCosts::longestForward() const {
    double most = 0.0;
    for (const UnitCost& unit : m_blockUnits)
        most = std::max(most, unit.forward);
    return most;
}

DividedBlock CostTable::divided(const std::string& name, const std::function<DividedBlock()>& make) const {
    {
        const std::scoped_lock lock(m_mutex);
        if (const auto known = m_divided.find(name); known != m_divided.end())
            return known->second;
    }
    const DividedBlock block = make();
    const std::scoped_lock lock(m_mutex);
    return m_divided.try_emplace(name, block).first->second;
}

const ConfigCosts& CostTable::costs(const CostConfig& config) const {
    const std::scoped_lock lock(m_mutex);
    ++m_lookups;
    auto& entry = m_table[config];
    if (entry) {
        ++m_hits;
    } else {
        entry = std::make_unique<ConfigCosts>(m_problem, config);
        m_operators += entry->operators();
    }
    return *entry;
}

} // namespace pw
