// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
// What the units of a configuration cost.

#include "core/cost/cost.h"

#include "core/cost/measured.h"
#include "core/cost/roofline.h"

#include <algorithm>

namespace pw {
namespace {

void scaleTimes(UnitCost& unit, double forward, double backward) {
    unit.forward *= forward;
    unit.backward *= backward;
    unit.weightGrad *= backward;
    unit.recompute *= forward;
    unit.comm *= 0.5 * (forward + backward); // half of it lies in either pass
}

// Puts a measured time in place of the roofline's; what the roofline alone knows (the share of the weight
// gradient, of recompute) keeps its proportion.
void takeMeasured(UnitCost& unit, const TimedCost& time, double speed, bool full) {
    scaleTimes(unit, time.forward.value / speed / unit.forward, time.backward.value / speed / unit.backward);
    if (time.update.value > 0.0) {
        unit.update = time.update.value / speed;
        unit.updateProvenance = time.provenance;
    }
    unit.comm = 0.0; // inside the measured figures and not known apart
    // Full recompute repeats the measured forward pass; of a part of it only the roofline knows the share.
    unit.measured = unit.forward + unit.backward + (full ? unit.recompute : 0.0);
    unit.provenance =
        unit.recompute > 0.0 && !full ? std::max(time.provenance, Provenance::Fitted) : time.provenance;
}

// Under ZeRO-3 the weights of a unit are gathered before either pass and its gradients scattered after the
// backward one, for every micro-batch. Where the next unit's gather runs beside the computation, which slows
// it a little, only what is longer than it counts.
void shardWeights(UnitCost& unit, const Problem& problem, const CostConfig& config) {
    const Software& software = problem.recipe().software;
    const StateBytes bytes = stateBytes(problem);
    const bool perTensor = isOn(software.perTensor, false);
    const auto time = [&](double perParameter) {
        const double moving = config.gather.perByte * unit.parameters * perParameter;
        // Many small calls: the next one starts while the last one's tail is on its way.
        return perTensor ? std::max(unit.tensors * config.gather.fixed, moving)
                         : config.gather.fixed + moving;
    };
    const double weights = time(bytes.weight), gradients = time(bytes.gradient);
    const double forward = unit.forward, backward = unit.backward + unit.recompute;
    if (isOn(software.overlapGather, true)) {
        const double slowed = problem.constants().compute().overlapSlowdown;
        unit.forward = std::max(forward * slowed, weights);
        unit.backward = std::max(backward * slowed, weights + gradients) - unit.recompute;
    } else {
        unit.forward = forward + weights;
        unit.backward = backward + 2.0 * weights + gradients - unit.recompute;
    }
    unit.shard = unit.forward + unit.backward + unit.recompute - forward - backward;
}

// A divided block in place of its tensor-parallel twin, whose roofline is `whole` and whose time as it is
// believed is `timed`: what a measurement says of the one is taken to hold for the other. Norms and biases
// are held whole.
UnitCost dividedUnit(const Problem& problem, const CostConfig& config, const UnitCost& whole,
                     const UnitCost& timed) {
    const DividedBlock& divided = config.divided;
    const Recompute mode = config.recompute;
    const std::int64_t vectors = layerParameters(problem.model(), LayerKind::Attention, 0).whole +
                                 layerParameters(problem.model(), LayerKind::Mlp, 0).whole;
    UnitCost unit;
    unit.forward = divided.forward;
    unit.backward = divided.backward;
    unit.weightGrad = divided.weightGrad;
    unit.comm = divided.comm;
    unit.recompute = mode == Recompute::None ? 0.0 : divided.forward;
    scaleTimes(unit, timed.forward / whole.forward, timed.backward / whole.backward);
    unit.innerSync = divided.sync;
    unit.parameters = divided.weights + static_cast<double>(vectors);
    unit.update = timed.update * (unit.parameters / whole.parameters);
    unit.kept = mode == Recompute::None ? divided.kept : divided.keptInput;
    unit.transient = divided.transient + (divided.kept - unit.kept);
    unit.tensors = whole.tensors;
    return unit;
}

// Of what a head has alive at most, logits in 16 bits and their copy, softmax and gradient in fp32: the
// softmax, which each of its passes keeps until it runs backward.
constexpr double kSoftmax = 4.0 / 14.0;

// The head with `depth` layers that predict further tokens behind it: each a junction, a block like the last
// one, and the head once more, whose weights are there already.
UnitCost withFurtherTokens(const UnitCost& head, const UnitCost& junction, const UnitCost& block,
                           std::int64_t depth) {
    UnitCost pass = head;
    pass.parameters = pass.shared = pass.routed = pass.update = pass.tensors = 0.0;
    pass.kept += kSoftmax * head.transient;
    const UnitCost layer = sumOfUnits(sumOfUnits(junction, block), pass);
    UnitCost sum = head;
    for (std::int64_t n = 0; n < depth; ++n)
        sum = sumOfUnits(sum, layer);
    return sum;
}

// Figures that a run of blocks sums up.
constexpr double UnitCost::*kSummed[] = {&UnitCost::forward,    &UnitCost::backward,   &UnitCost::recompute,
                                         &UnitCost::weightGrad, &UnitCost::comm,       &UnitCost::shard,
                                         &UnitCost::innerSync,  &UnitCost::update,     &UnitCost::tensors,
                                         &UnitCost::measured,   &UnitCost::parameters, &UnitCost::shared,
                                         &UnitCost::routed,     &UnitCost::kept};

} // namespace

ConfigCosts::ConfigCosts(const Problem& problem, const CostConfig& config)
    : m_blocks(static_cast<int>(problem.model().blocks)) {
    const Model& model = problem.model();
    m_boundaryBytes =
        boundaryBytes(problem, config.mbs) / (config.sequenceParallel ? config.tp * config.cp : config.cp);
    m_states = stateBytes(problem);
    m_shardRanks = problem.recipe().software.shardRanks;
    m_expertRanks = config.expertTp > 0 ? static_cast<double>(config.ep) * config.expertTp / config.tp
                                        : static_cast<double>(config.ep);
    m_tiedCopy = headTakesEmbedding(model) ? layerParameters(model, -1, LayerKind::Embedding, config.tp) -
                                                 static_cast<double>(model.learnedPositions * model.hidden)
                                           : 0.0;

    const std::optional<RooflineFit> fit = nearestFit(problem, config);
    auto priced = [&](UnitCost unit, int profileLayer) {
        if (const auto time = measuredTime(problem, config, profileLayer)) {
            takeMeasured(unit, *time, config.speed, config.recompute == Recompute::Full);
        } else if (fit && profileLayer > 0) {
            scaleTimes(unit, fit->forward, fit->backward);
            unit.provenance = Provenance::Fitted;
        }
        return unit;
    };
    auto sharded = [&](UnitCost unit) {
        if (config.gather.perByte > 0.0)
            shardWeights(unit, problem, config);
        return unit;
    };

    m_embedding = sharded(priced(rooflineLayer(problem, config, {LayerKind::Embedding}), 0));
    m_head = sharded(priced(rooflineLayer(problem, config, {LayerKind::Head}), m_blocks + 1));
    m_step = m_head.update / m_head.parameters;
    m_divided = config.divided.forward > 0.0;
    if (m_divided) {
        m_ends.forward = config.divided.endsForward;
        m_ends.backward = config.divided.endsBackward;
        m_ends.comm = m_ends.forward + m_ends.backward;
        m_ends.updateProvenance = Provenance::Measured; // it has no step
    }
    // Blocks differ in window, kind of attention and experts: each kind of half is priced once.
    std::map<std::pair<std::int64_t, int>, UnitCost> attentions;
    std::map<bool, UnitCost> mlps;
    for (int b = 0; b < m_blocks; ++b) {
        const auto [withWindow, newWindow] =
            attentions.try_emplace({windowOf(model, b), otherAttention(model, b)});
        if (newWindow)
            withWindow->second = rooflineLayer(problem, config, {LayerKind::Attention, b});
        const auto [withExperts, newExperts] = mlps.try_emplace(hasExperts(model, b));
        if (newExperts)
            withExperts->second = rooflineLayer(problem, config, {LayerKind::Mlp, b});
        const UnitCost& attention = withWindow->second;
        const UnitCost& mlp = withExperts->second;
        const UnitCost whole = sumOfUnits(attention, mlp);
        UnitCost block = priced(whole, b + 1);
        if (m_divided)
            block = dividedUnit(problem, config, whole, block);
        block = sharded(block);
        auto at = std::find(m_blockUnits.begin(), m_blockUnits.end(), block);
        if (at == m_blockUnits.end()) {
            m_blockUnits.push_back(block);
            at = m_blockUnits.end() - 1;
            // A cut inside a block divides its measured time as the roofline does.
            auto part = [&](UnitCost unit) {
                scaleTimes(unit, block.forward / whole.forward, block.backward / whole.backward);
                unit.update = block.update * (unit.parameters / whole.parameters);
                unit.provenance = std::max(block.provenance, Provenance::Interpolated);
                unit.updateProvenance = std::max(block.updateProvenance, Provenance::Interpolated);
                if (block.comm == 0.0)
                    unit.comm = 0.0;
                unit.measured = block.measured * (unit.forward + unit.backward + unit.recompute) /
                                (block.forward + block.backward + block.recompute);
                return unit;
            };
            m_attention.push_back(part(attention));
            m_mlp.push_back(part(mlp));
        }
        m_unitOf.push_back(static_cast<int>(at - m_blockUnits.begin()));
    }
    m_operators = static_cast<int>(2 + attentions.size() + mlps.size()); // embedding and head are two
    if (model.predictionDepth > 0) {
        const UnitCost& last = m_blockUnits[static_cast<std::size_t>(m_unitOf.back())];
        m_head = withFurtherTokens(m_head, sharded(rooflineLayer(problem, config, {LayerKind::Junction})),
                                   last, model.predictionDepth);
        ++m_operators;
    }
    m_blockCount.assign(m_blockUnits.size(), std::vector<int>(static_cast<std::size_t>(m_blocks) + 1, 0));
    for (std::size_t u = 0; u < m_blockUnits.size(); ++u)
        for (std::size_t b = 0; b < m_unitOf.size(); ++b)
            m_blockCount[u][b + 1] = m_blockCount[u][b] + (m_unitOf[b] == static_cast<int>(u) ? 1 : 0);

    for (const UnitCost& unit : m_blockUnits)
        m_largest = std::max(m_largest, unit.parameters);
    const int lead = leadingDense(model);
    m_any = leastOf(0, m_blocks);
    m_behind = lead > 0 ? leastOf(lead, m_blocks) : m_any;
    if (lead > 0) {
        const Least front = leastOf(0, lead);
        m_lead = front.mean;
        for (double UnitCost::*figure : kSummed)
            m_lead.*figure = std::max(0.0, front.mean.*figure - front.shortfall.*figure);
    }
}

ConfigCosts::Least ConfigCosts::leastOf(int first, int end) const {
    Least least;
    const auto unitAt = [&](int b) -> const UnitCost& {
        return m_blockUnits[static_cast<std::size_t>(m_unitOf[static_cast<std::size_t>(b)])];
    };
    for (double UnitCost::*figure : kSummed) {
        double sum = 0.0;
        for (int b = first; b < end; ++b)
            sum += unitAt(b).*figure;
        const double mean = sum / (end - first);
        // The run that lies furthest below the mean: the deepest fall of the running sum of deviations.
        double deviation = 0.0, peak = 0.0, fall = 0.0;
        for (int b = first; b < end; ++b) {
            deviation += unitAt(b).*figure - mean;
            fall = std::max(fall, peak - deviation);
            peak = std::max(peak, deviation);
        }
        least.mean.*figure = mean;
        least.shortfall.*figure = fall;
    }
    least.mean.transient = unitAt(first).transient;
    for (int b = first; b < end; ++b)
        least.mean.transient = std::min(least.mean.transient, unitAt(b).transient);
    return least;
}

} // namespace pw
