// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/evaluate/shared_layers.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <set>

namespace pw {
namespace {

using Owner = SharedRun::Owner;
using DeviceLists = std::vector<std::vector<DeviceIndex>>;

std::vector<Owner> ownersOf(const Plan& plan, int layer) {
    std::vector<Owner> owners;
    for (std::size_t p = 0; p < plan.pipelines.size(); ++p)
        for (std::size_t i = 0; i < plan.pipelines[p].stages.size(); ++i)
            for (const LayerRange& range : plan.pipelines[p].stages[i].chunks)
                if (range.first <= layer && layer <= range.last)
                    owners.push_back({p, i});
    return owners;
}

// Layers between any two neighbouring cuts of the plan, with who holds them.
struct Piece {
    LayerRange layers;
    std::vector<Owner> owners;
};

std::vector<Piece> pieces(const Plan& plan) {
    std::set<int> begins;
    int end = 0;
    for (const Pipeline& pipeline : plan.pipelines)
        for (const Stage& stage : pipeline.stages)
            for (const LayerRange& range : stage.chunks) {
                begins.insert(range.first);
                end = std::max(end, range.last + 1);
            }
    begins.insert(end);
    std::vector<Piece> list;
    for (auto at = begins.begin(); std::next(at) != begins.end(); ++at)
        list.push_back({{*at, *std::next(at) - 1}, ownersOf(plan, *at)});
    return list;
}

// Ranks that hold a stage's sums together, each list one whole copy in equal slices.
DeviceLists holders(const Problem& problem, const Pipeline& pipeline, const Stage& stage) {
    const DeviceLists copies = sharingRanks(stage);
    if (shardingInUse(pipeline, stage) == 0)
        return copies;
    const std::size_t size = shardSize(problem, copies.size());
    DeviceLists list;
    for (std::size_t first = 0; first < copies.size(); first += size) {
        list.emplace_back();
        for (std::size_t rank = 0; rank < copies.front().size(); ++rank)
            for (std::size_t r = first; r < std::min(first + size, copies.size()); ++r)
                list.back().push_back(copies[r][rank]);
    }
    return list;
}

constexpr std::size_t kMostSlices = 65'536; // beyond it the cuts are taken to fall together

std::size_t finestCut(const std::vector<DeviceLists>& owners) {
    std::size_t slices = 1, most = 1;
    for (const DeviceLists& lists : owners)
        for (const auto& list : lists) {
            slices = std::lcm(slices, list.size());
            most = std::max(most, list.size());
            if (slices > kMostSlices)
                return most;
        }
    return slices;
}

// Gradient bytes of these layers of the stage, of a whole copy.
double gradientBytes(const Problem& problem, const CostTable& table, const Stage& stage,
                     const LayerRange& layers) {
    CostConfig config;
    placeOn(config, problem.topology(), stage.replicas.front().devices.front());
    config.tp = stage.tp;
    config.cp = stage.cp;
    config.ep = stage.ep;
    config.expertTp = stage.expertTp();
    config.sequenceParallel = stage.sequenceParallel;
    const bool embeds = stage.chunks.front().first == 0;
    return table.costs(config).stage(layers.first, layers.last, 1, 0, embeds).syncGradients * stage.tp;
}

bool sameOwners(const Piece& piece, const SharedRun& run) {
    return piece.owners == run.owners;
}

} // namespace

std::vector<SharedRun> sharedRuns(const Problem& problem, const CostTable& table, const Plan& plan,
                                  std::vector<std::vector<PricedStage>>& stages) {
    if (plan.pipelines.size() < 2)
        return {};
    std::vector<SharedRun> runs;
    std::vector<double> bytes; // of a whole copy, per run
    for (const Piece& piece : pieces(plan)) {
        double whole = 0.0;
        for (const Owner& o : piece.owners) {
            const Stage& stage = plan.pipelines[o.pipeline].stages[o.stage];
            whole = std::max(whole, gradientBytes(problem, table, stage, piece.layers));
        }
        const auto known =
            std::find_if(runs.begin(), runs.end(), [&](const SharedRun& r) { return sameOwners(piece, r); });
        if (known != runs.end()) {
            bytes[static_cast<std::size_t>(known - runs.begin())] += whole;
            continue;
        }
        runs.push_back({piece.owners, {}});
        bytes.push_back(whole);
    }
    for (std::size_t k = 0; k < runs.size(); ++k) {
        std::vector<DeviceLists> owners;
        int zero = 0;
        double backward = std::numeric_limits<double>::infinity();
        for (const Owner& o : runs[k].owners) {
            const Pipeline& pipeline = plan.pipelines[o.pipeline];
            owners.push_back(holders(problem, pipeline, pipeline.stages[o.stage]));
            zero = std::max(zero, shardingInUse(pipeline, pipeline.stages[o.stage]));
            backward = std::min(backward, stages[o.pipeline][o.stage].slowest.backward);
        }
        const std::size_t slices = finestCut(owners);
        DeviceLists groups(slices);
        for (const DeviceLists& lists : owners)
            for (const auto& list : lists)
                for (std::size_t g = 0; g < slices; ++g)
                    groups[g].push_back(list[g * list.size() / slices]);
        const double each = bytes[k] / static_cast<double>(slices);
        const auto reduce = [&](Bytes size) {
            return collectiveTraffic(problem.topology(), problem.constants().comm(), groups,
                                     Collective::AllReduce, size);
        };
        runs[k].sync = exposedReduction(problem, reduce, zero, each, backward);
    }
    for (std::size_t p = 0; p < plan.pipelines.size(); ++p)
        for (std::size_t i = 0; i < stages[p].size(); ++i)
            if (shardingInUse(plan.pipelines[p], plan.pipelines[p].stages[i]) == 0)
                stages[p][i].tail.sync = {}; // the runs' rings go over its replicas, too
    return runs;
}

std::vector<std::vector<double>> syncedEnds(const std::vector<std::vector<double>>& lastEnd,
                                            const std::vector<std::vector<PricedStage>>& stages,
                                            const std::vector<SharedRun>& runs) {
    std::vector<double> ends;
    std::vector<StageTail> tails;
    std::vector<std::size_t> first; // of each pipeline's stages in the two
    for (std::size_t p = 0; p < stages.size(); ++p) {
        first.push_back(ends.size());
        for (std::size_t i = 0; i < stages[p].size(); ++i) {
            ends.push_back(lastEnd[p][i]);
            tails.push_back(stages[p][i].tail);
        }
    }
    std::vector<double> synced = syncEnds(ends, tails);
    std::vector<double> begins;
    std::vector<const Traffic*> traffic;
    for (const SharedRun& run : runs) {
        double begin = 0.0;
        for (const Owner& o : run.owners)
            begin = std::max(begin, synced[first[o.pipeline] + o.stage]);
        begins.push_back(begin);
        traffic.push_back(&run.sync);
    }
    const std::vector<double> met = finishTogether(begins, traffic);
    for (std::size_t k = 0; k < runs.size(); ++k)
        for (const Owner& o : runs[k].owners) {
            double& end = synced[first[o.pipeline] + o.stage];
            end = std::max(end, met[k]);
        }
    std::vector<std::vector<double>> list;
    for (std::size_t p = 0; p < stages.size(); ++p)
        list.emplace_back(synced.begin() + static_cast<std::ptrdiff_t>(first[p]),
                          synced.begin() + static_cast<std::ptrdiff_t>(first[p] + stages[p].size()));
    return list;
}

} // namespace pw
