// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/evaluate/stage_terms.h"

#include "core/cost/roofline.h"
#include "core/partition/divided_block.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace pw {

std::vector<double> syncEnds(const std::vector<double>& lastEnd, const std::vector<StageTail>& tails) {
    std::vector<const Traffic*> traffic;
    std::vector<double> starts = lastEnd;
    for (std::size_t i = 0; i < tails.size(); ++i) {
        traffic.push_back(&tails[i].sync);
        starts[i] += tails[i].inner;
    }
    return finishTogether(starts, traffic);
}

namespace {

// Once all gradients are there.
double stepped(const std::vector<double>& synced, const std::vector<StageTail>& tails) {
    double reduced = 0.0, optimizer = 0.0;
    for (std::size_t i = 0; i < synced.size(); ++i) {
        reduced = std::max(reduced, synced[i] + tails[i].tied);
        optimizer = std::max(optimizer, tails[i].optimizer);
    }
    return reduced + optimizer;
}

} // namespace

double stepTime(const Problem& problem, const StageCost& cost) {
    return cost.optimizer + problem.recipe().software.betweenSteps;
}

double iterationEnd(const std::vector<double>& lastEnd, const std::vector<StageTail>& tails) {
    return stepped(syncEnds(lastEnd, tails), tails);
}

double iterationEndAlone(const std::vector<double>& lastEnd, const std::vector<StageTail>& tails) {
    std::vector<double> synced(lastEnd);
    for (std::size_t i = 0; i < synced.size(); ++i)
        synced[i] += tails[i].inner + tails[i].sync.alone().value;
    return stepped(synced, tails);
}

std::size_t shardSize(const Problem& problem, std::size_t replicas) {
    const int ranks = problem.recipe().software.shardRanks;
    return ranks > 0 ? std::min(static_cast<std::size_t>(ranks), replicas) : replicas;
}

namespace {

using Groups = std::vector<std::vector<DeviceIndex>>;

// Of the last backward pass, what gradient reduction can hide behind; and what of it stays exposed at least:
// the first layers' gradients come last.
constexpr double kHidingShare = 0.8;
constexpr double kExposedShare = 0.1;
constexpr double kForever = 1e300; // s
// What stays exposed at least of so many bytes: the first layers' share, or a bucket if that is less.
double leastExposed(const Software& software, double bytes) {
    const double bucket = software.bucketBytes;
    return bucket > 0.0 && bytes > 0.0 ? std::min(kExposedShare, bucket / bytes) : kExposedShare;
}
// A block's weights are in about so many matrices.
constexpr double kBlockMatrices = 4.0;

// Rank r of every replica forms a group. With `size` each group falls into runs of so many neighbours.
Groups dataParallelGroups(const Groups& replicas, std::size_t size = 0) {
    if (size == 0)
        size = replicas.size();
    Groups groups;
    for (std::size_t first = 0; first < replicas.size(); first += size)
        for (std::size_t rank = 0; rank < replicas.front().size(); ++rank) {
            groups.emplace_back();
            for (std::size_t r = first; r < std::min(first + size, replicas.size()); ++r)
                groups.back().push_back(replicas[r][rank]);
        }
    return groups;
}

LinearTime lineOf(const Traffic& traffic, double bytes) {
    return {traffic.fixed(), traffic.largest() / bytes};
}

// Attainable rate of the narrowest single port by which groups that span nodes leave theirs; infinite for
// those that do not.
double onePort(const Topology& topology, const Groups& groups) {
    double rate = std::numeric_limits<double>::infinity();
    for (const auto& group : groups) {
        if (topology.joined(group.front(), group.back()))
            continue;
        const int first = topology.devices()[static_cast<std::size_t>(group.front())].node;
        const int last = topology.devices()[static_cast<std::size_t>(group.back())].node;
        const Path path = topology.path(first, last);
        if (!path.reachable)
            continue;
        for (const std::span<const PathLink> ends : {path.leaving(), path.entering()})
            for (const PathLink& end : ends) {
                const Link& link = topology.cluster().links[static_cast<std::size_t>(end.link)];
                rate = std::min(rate, link.bandwidth.value * link.efficiency);
            }
    }
    return rate;
}

// So many calls instead of one, each the fastest for its own size: rings for large messages, trees for small
// ones over many nodes.
Traffic inPieces(const Collected& collected, double bytes, double pieces) {
    const double calls = std::max(1.0, pieces);
    Traffic traffic = collected(Bytes(bytes / calls));
    traffic.stretch(calls);
    return traffic;
}

// ZeRO-1 whose shards are whole tensors.
bool ownersBroadcast(const Problem& problem, int zero) {
    return zero == 1 && isOn(problem.recipe().software.ownerBroadcasts, false);
}

// Where every rank keeps its own shard of the sum, it is only scattered.
Collective reduction(const Problem& problem, std::size_t replicas, int zero) {
    return zero > 0 && shardSize(problem, replicas) == replicas && !ownersBroadcast(problem, zero)
               ? Collective::ReduceScatter
               : Collective::AllReduce;
}

Collective gathering(const Problem& problem, int zero) {
    return ownersBroadcast(problem, zero) ? Collective::Broadcast : Collective::AllGather;
}

// Calls in which so many sharing ranks gather stepped weights.
double gatherCalls(const Problem& problem, std::size_t ranks, int zero, const StageCost& cost) {
    if (ownersBroadcast(problem, zero))
        return std::min(static_cast<double>(ranks), cost.tensors);
    return isOn(problem.recipe().software.perTensor, false) ? cost.tensors : 1.0;
}

// What is left of traffic that hides behind `passes` seconds of computation.
void hide(Traffic& traffic, double passes, double least) {
    const double all = traffic.alone().value;
    traffic.stretch(all > 0.0 ? std::max(all - kHidingShare * passes, least * all) / all : 1.0);
}

// As exposedReduction(), so many times; not `overlapped`: only the part that stays exposed in any case.
Traffic exposed(const Problem& problem, const Collected& reduction, int zero, double bytes, double backward,
                bool overlapped, double sums = 1.0) {
    const Software& software = problem.recipe().software;
    Traffic sync = inPieces(reduction, bytes,
                            software.bucketBytes > 0.0 ? std::ceil(bytes / software.bucketBytes) : 1.0);
    if (isOn(software.overlapGradients, zero >= 2))
        hide(sync, overlapped ? backward : kForever, leastExposed(software, bytes));
    sync.stretch(sums);
    return sync;
}

// What the reduction of a stage's gradients comes to, with the gathering of stepped weights.
Traffic syncOf(const Problem& problem, const Collected& reduction, int zero, const StageCost& cost,
               bool overlapped, double passes, const Collected& gather, std::size_t sharing,
               double sums = 1.0) {
    Traffic sync =
        exposed(problem, reduction, zero, cost.syncGradients, passes * cost.backward, overlapped, sums);
    if (zero > 0) {
        Traffic gathered = inPieces(gather, cost.syncWeights, gatherCalls(problem, sharing, zero, cost));
        // Stepped weights are gathered layer by layer behind the first forward pass, which waits for the
        // first.
        if (isOn(problem.recipe().software.overlapParameters, false))
            hide(gathered, overlapped ? passes * cost.forward : kForever,
                 leastExposed(problem.recipe().software, cost.syncWeights));
        sync.append(gathered);
    }
    return sync;
}

} // namespace

double hidingPasses(int stages, int chunks) {
    return 1.0 + (stages - 1.0) * (chunks - 1.0) / chunks;
}

Traffic exposedReduction(const Problem& problem, const Collected& reduction, int zero, double bytes,
                         double backward) {
    return exposed(problem, reduction, zero, bytes, backward, true);
}

namespace {

// Rank r of every one of `size` tensor-parallel groups that lie `stride` apart: those that share each
// sequence (stride 1) or the experts of a layer (stride cp). Empty if all lie inside their nodes.
Groups groupsOver(const Topology& topology, const Groups& tensor, std::size_t size, std::size_t stride) {
    Groups groups;
    bool spans = false;
    for (std::size_t run = 0; run + size * stride <= tensor.size(); run += size * stride)
        for (std::size_t first = run; first < run + stride; ++first)
            for (std::size_t rank = 0; rank < tensor[first].size(); ++rank) {
                std::vector<DeviceIndex>& group = groups.emplace_back();
                for (std::size_t k = 0; k < size; ++k)
                    group.push_back(tensor[first + k * stride][rank]);
                spans = spans || !topology.joined(group.front(), group.back());
            }
    return spans ? groups : Groups{};
}

} // namespace

SpanningGroups spanningGroups(const Topology& topology, const CostConfig& config, const Groups& replicas) {
    SpanningGroups spanning;
    Groups tensor;
    bool spans = false;
    for (const auto& replica : replicas)
        for (std::size_t first = 0; first < replica.size(); first += static_cast<std::size_t>(config.tp)) {
            const auto begin = replica.begin() + static_cast<std::ptrdiff_t>(first);
            tensor.emplace_back(begin, begin + config.tp);
            spans = spans || !topology.joined(tensor.back().front(), tensor.back().back());
        }
    const auto cp = static_cast<std::size_t>(config.cp), ep = static_cast<std::size_t>(config.ep);
    if (cp > 1)
        spanning.context = groupsOver(topology, tensor, cp, 1);
    // Experts that are dealt out over context-parallel ranks too, or whole to every device, go to neighbours
    // (Megatron-Core's order of ranks: tp, cp, ep, dp).
    if (ep > 1 && config.expertTp == 1) {
        Groups each;
        for (const std::vector<DeviceIndex>& group : tensor)
            for (const DeviceIndex device : group)
                each.push_back({device});
        spanning.experts = groupsOver(topology, each, ep, 1);
    } else if (ep > 1) {
        spanning.experts = groupsOver(topology, tensor, ep, tensor.size() / cp % ep == 0 ? cp : 1);
    }
    if (spans)
        spanning.tensor = std::move(tensor);
    return spanning;
}

Groups weightGroups(const Problem& problem, const Groups& replicas) {
    return dataParallelGroups(replicas, shardSize(problem, replicas.size()));
}

void placeGroups(CostConfig& config, const Problem& problem, const Groups& replicas, int zero) {
    const Topology& topology = problem.topology();
    const CommConstants& constants = problem.constants().comm();
    const auto line = [&](const Groups& groups, Collective collective, double bytes) {
        return groups.empty()
                   ? LinearTime{}
                   : lineOf(collectiveTraffic(topology, constants, groups, collective, Bytes(bytes)), bytes);
    };
    const SpanningGroups spanning = spanningGroups(topology, config, replicas);
    config.tensor = line(spanning.tensor, Collective::AllReduce, boundaryBytes(problem, config.mbs));
    if (!spanning.context.empty() || !spanning.experts.empty()) {
        const GroupBytes bytes = groupBytes(problem, config);
        config.context = line(spanning.context, Collective::AllGather, bytes.context);
        config.experts = line(spanning.experts, Collective::AllToAll, bytes.experts);
    }
    if (zero >= 3 && replicas.size() > 1) {
        // At the size of a block, or of its middling matrix where each tensor is gathered by itself.
        const Model& model = problem.model();
        const int block = static_cast<int>(model.blocks / 2);
        double bytes = stateBytes(problem).weight *
                       (layerParameters(model, block, LayerKind::Attention, config.tp, config.ep) +
                        layerParameters(model, block, LayerKind::Mlp, config.tp, config.ep, config.expertTp));
        if (isOn(problem.recipe().software.perTensor, false))
            bytes /= kBlockMatrices;
        const Groups sharing = weightGroups(problem, replicas);
        config.gather = line(sharing, Collective::AllGather, bytes);
        // A tensor by itself is too small to be dealt out over a node's ports: it leaves by one of them.
        if (isOn(problem.recipe().software.perTensor, false))
            config.gather.perByte = std::max(config.gather.perByte, 1.0 / onePort(topology, sharing));
    }
}

Traffic syncTraffic(const Problem& problem, const Groups& replicas, int zero, const StageCost& cost,
                    bool overlapped, double passes, double sums) {
    if (replicas.size() < 2 || zero >= 3)
        return {};
    const Topology& topology = problem.topology();
    const std::size_t shard = shardSize(problem, replicas.size());
    const auto reduce = [&](Bytes bytes) {
        return collectiveTraffic(topology, problem.constants().comm(), dataParallelGroups(replicas),
                                 reduction(problem, replicas.size(), zero), bytes);
    };
    const auto gather = [&](Bytes bytes) {
        return collectiveTraffic(topology, problem.constants().comm(), dataParallelGroups(replicas, shard),
                                 gathering(problem, zero), bytes);
    };
    return syncOf(problem, reduce, zero, cost, overlapped, passes, gather, shard, sums);
}

SyncPattern::SyncPattern(const Problem& problem, const Groups& replicas, int dp, int nodes, int zero)
    : m_dp(dp), m_zero(zero) {
    if (dp < 2 || zero >= 3)
        return;
    const Topology& topology = problem.topology();
    const Groups groups = dataParallelGroups(replicas);
    const auto all = static_cast<std::size_t>(dp);
    m_reduce = CollectivePattern(topology, problem.constants().comm(), groups, reduction(problem, all, zero),
                                 dp, nodes);
    if (zero > 0)
        m_gather = CollectivePattern(topology, problem.constants().comm(), groups, gathering(problem, zero),
                                     dp, nodes);
}

Traffic SyncPattern::operator()(const Problem& problem, const StageCost& cost, bool overlapped) const {
    if (m_dp < 2 || m_zero >= 3)
        return {};
    return syncOf(
        problem, [this](Bytes bytes) { return m_reduce(bytes); }, m_zero, cost, overlapped, 1.0,
        [this](Bytes bytes) { return m_gather(bytes); }, static_cast<std::size_t>(m_dp));
}

double tiedBytes(const Problem& problem) {
    const Model& m = problem.model();
    const double width = static_cast<double>(m.embedProjection > 0 ? m.embedProjection : m.hidden);
    return static_cast<double>(m.vocab) * width * 4.0;
}

double tiedTime(const Problem& problem, const std::vector<std::vector<DeviceIndex>>& first,
                const std::vector<std::vector<DeviceIndex>>& last) {
    if (!headTakesEmbedding(problem.model()))
        return 0.0;
    // After the data-parallel sums one replica of each end exchanges its slices, both ways at once.
    const std::vector<DeviceIndex>& a = first.front();
    const std::vector<DeviceIndex>& b = last.front();
    const Bytes matrix(tiedBytes(problem));
    const RankGroup from{a, 1.0}, to{b, 1.0};
    return boundaryTransfer(problem.topology(), problem.constants().comm(), {&from, 1}, {&to, 1}, matrix,
                            false)
        .time.value;
}

void placePartition(CostConfig& config, const Problem& problem, const CostTable& table,
                    const std::vector<DeviceIndex>& devices, const partition::BlockWays& ways) {
    if (ways.empty())
        return;
    const std::string name = fmt::format("{} {} {}: {}", fmt::join(devices, ","), config.mbs,
                                         config.sequenceParallel, partition::text(ways));
    config.divided = table.divided(name, [&] {
        const auto block =
            partition::dividedBlock(problem, devices, config.mbs, ways, config.sequenceParallel);
        return block ? *block : DividedBlock{};
    });
}

MemoryParts memoryParts(const Problem& problem, const StageCost& cost, double held) {
    MemoryParts parts;
    parts.reserve = problem.recipe().reserve;
    parts.weights = Bytes(cost.weights);
    parts.gradients = Bytes(cost.gradients);
    parts.optimizer = Bytes(cost.optimizerStates);
    parts.communication = Bytes(cost.communication);
    parts.transient = Bytes(cost.transient);
    parts.activations = Bytes(cost.kept * held);
    return parts;
}

double memoryTotal(const Problem& problem, const StageCost& cost, double held) {
    return memoryParts(problem, cost, held).total().value;
}

int mostHeld(const Problem& problem, const StageCost& cost, Bytes capacity, int limit) {
    const double room = capacity.value - memoryTotal(problem, cost, 0.0);
    if (room >= limit * cost.kept)
        return limit;
    int most = std::max(0, static_cast<int>(room / cost.kept));
    while (most > 0 && memoryTotal(problem, cost, most) > capacity.value)
        --most; // the quotient is rounded
    return most;
}

} // namespace pw
