// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cost/measured.h"

#include "core/cost/roofline.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

namespace pw {
namespace {

// The highest rate that the kind's silicon has, in any precision: nothing measured can be faster.
double highestPeak(const DeviceKind& kind) {
    return std::max({kind.fp32.value, kind.tf32.value, kind.fp16.value, kind.bf16.value, kind.fp8.value});
}

// Judges profile rows by the matrix products that their layer cannot do without.
class Judge {
public:
    explicit Judge(const Problem& problem) : m_problem(problem) {}

    // The shortest time of the forward products of a row's layer: at the highest peak, in any precision.
    double shortest(const DeviceKind& kind, const ProfileRow& row) {
        return flops(row.layer, row.seq) * row.mbs / (highestPeak(kind) * row.tp);
    }

    // The backward pass does two products for each of the forward one's.
    bool believable(const DeviceKind& kind, const ProfileRow& row) {
        const double least = shortest(kind, row);
        return row.forward.value >= least && row.backward.value >= 2.0 * least;
    }

    // Sources with a row of this layer that cannot be. A profiler that missed a product in one row missed it
    // in all rows of the layer, also where the rest of the time happens to cover for it.
    std::vector<std::string> doubted(const DeviceKind& kind, int layer) {
        std::vector<std::string> sources;
        for (const ProfileRow& row : m_problem.profiles().of(kind.name, layer))
            if (!believable(kind, row) && std::ranges::find(sources, row.source) == sources.end())
                sources.push_back(row.source);
        return sources;
    }

private:
    // Forward FLOP of the matrix products in a profiler's layer (0 embedding, 1..blocks, blocks+1 head), one
    // sequence. A row that states no length has the plan's.
    double flops(int layer, std::int64_t seq) {
        const auto blocks = static_cast<int>(m_problem.model().blocks);
        if (layer == 0)
            return 0.0; // a look-up
        const auto& fine = layers(seq);
        if (layer > blocks)
            return fine.back().forwardFlops.value;
        return fine[static_cast<std::size_t>(2 * layer - 1)].forwardFlops.value +
               fine[static_cast<std::size_t>(2 * layer)].forwardFlops.value;
    }

    const std::vector<FineLayer>& layers(std::int64_t seq) {
        if (seq == 0 || seq == m_problem.recipe().seq)
            return m_problem.layers();
        auto& list = m_layers[seq];
        if (list.empty())
            list = fineLayers(m_problem.model(), seq);
        return list;
    }

    const Problem& m_problem;
    std::map<std::int64_t, std::vector<FineLayer>> m_layers; // of other lengths, as met
};

std::optional<TimedCost> believedTime(const Problem& problem, const CostConfig& config, int layer,
                                      std::int64_t seq) {
    const DeviceKind& kind = problem.topology().kinds()[static_cast<std::size_t>(config.kind)];
    const auto find = [&](std::span<const std::string> without) {
        return problem.profiles().find(kind.name, layer, config.tp, config.mbs, problem.precision(), seq,
                                       without);
    };
    const auto found = find({});
    if (!found)
        return found;
    const std::vector<std::string> doubted = Judge(problem).doubted(kind, layer);
    return doubted.empty() ? found : find(doubted);
}

} // namespace

std::optional<TimedCost> measuredTime(const Problem& problem, const CostConfig& config, int layer) {
    if (config.cp > 1 || config.ep > 1)
        return std::nullopt; // rows are of whole sequences and all experts
    return believedTime(problem, config, layer, problem.recipe().seq);
}

UnitCost sumOfUnits(const UnitCost& a, const UnitCost& b) {
    UnitCost c;
    c.forward = a.forward + b.forward;
    c.backward = a.backward + b.backward;
    c.recompute = a.recompute + b.recompute;
    c.weightGrad = a.weightGrad + b.weightGrad;
    c.comm = a.comm + b.comm;
    c.shard = a.shard + b.shard;
    c.innerSync = a.innerSync + b.innerSync;
    c.update = a.update + b.update;
    c.measured = a.measured + b.measured;
    c.parameters = a.parameters + b.parameters;
    c.shared = a.shared + b.shared;
    c.routed = a.routed + b.routed;
    c.kept = a.kept + b.kept;
    c.tensors = a.tensors + b.tensors;
    c.transient = std::max(a.transient, b.transient);
    c.provenance = std::max(a.provenance, b.provenance);
    c.updateProvenance = std::max(a.updateProvenance, b.updateProvenance);
    return c;
}

std::optional<RooflineFit> nearestFit(const Problem& problem, const CostConfig& config) {
    const DeviceKind& kind = problem.topology().kinds()[static_cast<std::size_t>(config.kind)];
    using Measurement = std::tuple<int, int, std::int64_t>; // tp, mbs, sequence length
    std::set<Measurement> points;                           // with a row for block 1
    for (const ProfileRow& row : problem.profiles().of(kind.name, 1))
        points.insert({row.tp, row.mbs, row.seq > 0 ? row.seq : problem.recipe().seq});
    const auto octaves = [](auto a, auto b) {
        return std::abs(std::log2(static_cast<double>(a) / static_cast<double>(b)));
    };
    const auto distance = [&](const Measurement& p) {
        return 4.0 * octaves(std::get<0>(p), config.tp) + octaves(std::get<1>(p), config.mbs) +
               2.0 * octaves(std::get<2>(p), problem.recipe().seq);
    };
    std::vector<Measurement> order(points.begin(), points.end());
    std::ranges::stable_sort(order, {}, distance);
    for (const auto& [tp, mbs, seq] : order) {
        CostConfig at = config;
        at.tp = tp;
        at.mbs = mbs;
        at.seq = seq;
        at.speed = 1.0;
        at.fabric = 0.0;
        at.cp = at.ep = 1;
        at.expertTp = 0;
        at.recompute = Recompute::None;
        const auto time = believedTime(problem, at, 1, seq);
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
        notes.push_back(
            {Severity::Note, "profile.none", "profiles", "No measurements: every time is an estimate"});
        return notes;
    }
    bool unstated = false;
    std::set<std::int64_t> lengths;                // stated, other than the plan's
    std::set<std::pair<std::string, int>> doubted; // (kind, layer), one note each
    Judge judge(problem);
    for (const ProfileRow& row : problem.profiles().rows()) {
        unstated = unstated || row.precision.empty();
        if (row.seq > 0 && row.seq != problem.recipe().seq)
            lengths.insert(row.seq);
        const DeviceKind* kind = findKind(problem.topology().cluster(), row.kind);
        if (!kind || judge.believable(*kind, row) || !doubted.insert({row.kind, row.layer}).second)
            continue;
        const double least = judge.shortest(*kind, row);
        const bool forward = row.forward.value < least;
        notes.push_back(
            {Severity::Warning,
             "profile.implausible",
             row.kind,
             {row.layer > blocks
                  ? "The measured head cannot hold its matrix product; it is estimated instead"
                  : "The measured layer {layer} cannot hold its matrix product; it is estimated instead",
              {{"layer", row.layer},
               {"value", fmt::format("{} {:.2f} ms", forward ? "forward" : "backward",
                                     (forward ? row.forward : row.backward).value * 1e3)},
               {"limit", fmt::format("at least {:.2f} ms", (forward ? least : 2.0 * least) * 1e3)}}}});
    }
    if (!lengths.empty())
        notes.push_back(
            {Severity::Warning,
             "profile.sequence",
             "profiles",
             {"Rows measured at another sequence length serve as a fit only: what they say of {lengths} "
              "tokens is carried to this plan's {seq}",
              {{"lengths", fmt::format("{}", fmt::join(lengths, ", "))}, {"seq", problem.recipe().seq}}}});
    if (unstated)
        notes.push_back({Severity::Note, "profile.precision", "profiles",
                         "Some measured rows do not state their precision; they are taken for this plan's"});
    notes.push_back(
        {Severity::Note, "profile.memory", "profiles", "Memory is not measured: it is estimated"});
    return notes;
}

} // namespace pw
