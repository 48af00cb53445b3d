// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cost/measured.h"

#include "core/cost/roofline.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace pw {
namespace {

// The highest rate that the kind's silicon has, in any precision: nothing measured can be faster.
double highestPeak(const DeviceKind& kind) {
    return std::max({kind.fp32.value, kind.tf32.value, kind.fp16.value, kind.bf16.value, kind.fp8.value});
}

// Forward FLOP of the matrix products in a profiler's layer (0 embedding, 1..blocks, blocks+1 head), one
// sequence.
double profileLayerFlops(const Problem& problem, int layer) {
    const auto& fine = problem.layers();
    const auto blocks = static_cast<int>(problem.model().blocks);
    if (layer == 0)
        return 0.0; // a look-up
    if (layer > blocks)
        return fine.back().forwardFlops.value;
    return fine[static_cast<std::size_t>(2 * layer - 1)].forwardFlops.value +
           fine[static_cast<std::size_t>(2 * layer)].forwardFlops.value;
}

bool believable(const Problem& problem, const DeviceKind& kind, int layer, int tp, int mbs, double forward) {
    return forward * highestPeak(kind) * tp >= profileLayerFlops(problem, layer) * mbs;
}

} // namespace

std::optional<TimedCost> measuredTime(const Problem& problem, const CostConfig& config, int layer) {
    const DeviceKind& kind = problem.topology().kinds()[static_cast<std::size_t>(config.kind)];
    auto found = problem.profiles().find(kind.name, layer, config.tp, config.mbs, problem.precision(),
                                         problem.recipe().seq);
    if (!found || !believable(problem, kind, layer, config.tp, config.mbs, found->forward.value))
        return std::nullopt;
    return found;
}

UnitCost sumOfUnits(const UnitCost& a, const UnitCost& b) {
    UnitCost c;
    c.forward = a.forward + b.forward;
    c.backward = a.backward + b.backward;
    c.recompute = a.recompute + b.recompute;
    c.weightGrad = a.weightGrad + b.weightGrad;
    c.comm = a.comm + b.comm;
    c.update = a.update + b.update;
    c.measured = a.measured + b.measured;
    c.parameters = a.parameters + b.parameters;
    c.kept = a.kept + b.kept;
    c.transient = std::max(a.transient, b.transient);
    c.provenance = std::max(a.provenance, b.provenance);
    return c;
}

std::optional<RooflineFit> nearestFit(const Problem& problem, const CostConfig& config) {
    const DeviceKind& kind = problem.topology().kinds()[static_cast<std::size_t>(config.kind)];
    std::set<std::pair<int, int>> points; // (tp, mbs) with a row for block 1
    for (const ProfileRow& row : problem.profiles().rows())
        if (row.layer == 1 && (row.kind == kind.name || row.kind == kind.shortName))
            points.insert({row.tp, row.mbs});
    auto distance = [&](const std::pair<int, int>& p) {
        return 4.0 * std::abs(std::log2(static_cast<double>(p.first) / config.tp)) +
               std::abs(std::log2(static_cast<double>(p.second) / config.mbs));
    };
    std::vector<std::pair<int, int>> order(points.begin(), points.end());
    std::stable_sort(order.begin(), order.end(),
                     [&](const auto& a, const auto& b) { return distance(a) < distance(b); });
    for (const auto& [tp, mbs] : order) {
        CostConfig at = config;
        at.tp = tp;
        at.mbs = mbs;
        at.speed = 1.0;
        at.fabric = 0.0;
        at.recompute = Recompute::None;
        const auto time = measuredTime(problem, at, 1);
        if (!time)
            continue;
        const UnitCost block = sumOfUnits(rooflineLayer(problem, at, {LayerKind::Attention, 0}),
                                          rooflineLayer(problem, at, {LayerKind::Mlp, 0}));
        return RooflineFit{time->forward.value / block.forward, time->backward.value / block.backward};
    }
    return std::nullopt;
}

Diagnostics problemNotes(const Problem& problem) {
    Diagnostics notes = modelNotes(problem.model());
    const auto blocks = static_cast<int>(problem.model().blocks);
    if (problem.profiles().empty()) {
        notes.push_back({Severity::Note, "profile.none", "profiles",
                         "No measurements: every time is an estimate", "", ""});
        return notes;
    }
    bool unstated = false;
    std::set<std::pair<std::string, int>> doubted; // (kind, layer), one note each
    for (const ProfileRow& row : problem.profiles().rows()) {
        unstated = unstated || row.precision.empty();
        const DeviceKind* kind = findKind(problem.topology().cluster(), row.kind);
        if (!kind || believable(problem, *kind, row.layer, row.tp, row.mbs, row.forward.value) ||
            !doubted.insert({row.kind, row.layer}).second)
            continue;
        notes.push_back(
            {Severity::Warning, "profile.implausible", row.kind,
             fmt::format("The measured {} cannot hold its matrix product; it is estimated instead",
                         row.layer > blocks ? "head" : fmt::format("layer {}", row.layer)),
             fmt::format("{:.2f} ms", row.forward.value * 1e3),
             fmt::format("at least {:.2f} ms", profileLayerFlops(problem, row.layer) * row.mbs /
                                                   (highestPeak(*kind) * row.tp) * 1e3)});
    }
    if (unstated)
        notes.push_back({Severity::Note, "profile.precision", "profiles",
                         "Some measured rows do not state their precision; they are taken for this plan's",
                         "", ""});
    notes.push_back(
        {Severity::Note, "profile.memory", "profiles", "Memory is not measured: it is estimated", "", ""});
    return notes;
}

} // namespace pw
