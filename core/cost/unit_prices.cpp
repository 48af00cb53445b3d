// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cost/unit_prices.h"

#include "core/cost/measured.h"

#include <algorithm>

namespace pw {
namespace {

// Of what a head has alive at most, logits in 16 bits and their copy, softmax and gradient in fp32: the
// softmax, which each of its passes keeps until it runs backward.
constexpr double kSoftmax = 4.0 / 14.0;

} // namespace

void scaleTimes(UnitCost& unit, double forward, double backward) {
    unit.forward *= forward;
    unit.backward *= backward;
    unit.weightGrad *= backward;
    unit.recompute *= forward;
    unit.comm *= 0.5 * (forward + backward); // half of it lies in either pass
}

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

} // namespace pw
