// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/search/space/chain.h"

#include "core/base/parallel.h"
#include "core/base/quantity.h"
#include "core/comm/comm.h"
#include "core/cost/roofline.h"

#include <algorithm>
#include <bit>
#include <map>
#include <set>
#include <tuple>

namespace pw {
namespace {

std::vector<RankGroup> evenGroups(const std::vector<std::vector<DeviceIndex>>& replicas) {
    std::vector<RankGroup> list;
    for (const auto& devices : replicas)
        list.push_back({devices, 1.0 / static_cast<double>(replicas.size())});
    return list;
}

} // namespace

std::vector<Recompute> recomputeModes(const Problem& problem, const DeviceKind& kind) {
    const std::vector<Recompute>& asked = problem.recipe().recompute;
    if (!asked.empty())
        return asked;
    // With fused attention there are no scores to free: what selective recompute then repeats, every second
    // product, is tried only where it is asked for.
    if (fusedAttention(problem, kind))
        return {Recompute::None, Recompute::Full};
    return {Recompute::None, Recompute::Selective, Recompute::Full};
}

int shardingOf(const Problem& problem, int dp) {
    return dp > 1 && problem.recipe().zero != 0 ? 1 : 0;
}

std::vector<std::int64_t> ChainSpace::microbatchSizes(const Problem& problem) {
    const std::int64_t gbs = problem.recipe().gbs;
    std::int64_t devices = 0;
    for (const bool allowed : problem.allowed())
        devices += allowed ? 1 : 0;
    constexpr std::int64_t kLargestReplicaBatch = 64;
    std::vector<std::int64_t> sizes;
    for (std::int64_t m = 1; m <= std::min(gbs, devices * kLargestReplicaBatch); ++m)
        if (gbs % m == 0)
            sizes.push_back(m);
    return sizes;
}

std::vector<Sharing> sharings(const Problem& problem) {
    constexpr std::int64_t kLargest = 64;
    constexpr std::int64_t kTokens = 8192;     // of a sequence on a rank
    constexpr std::int64_t kMicrobatches = 32; // a stage, with the usual 8-fold tensor parallelism
    constexpr std::int64_t kUsualTp = 8, kUsualCp = 8;
    const Recipe& recipe = problem.recipe();
    const Space& space = problem.space();
    std::int64_t mostCp = space.maxCp;
    if (mostCp == 0) {
        const auto devices = std::count(problem.allowed().begin(), problem.allowed().end(), true);
        mostCp = std::max(recipe.seq / kTokens,
                          std::min(kUsualCp, kMicrobatches * devices / (recipe.gbs * kUsualTp)));
    }
    const std::int64_t experts = problem.model().experts.count;
    const std::int64_t mostEp = experts > 1 ? (space.maxEp > 0 ? space.maxEp : kLargest) : 1;
    std::vector<Sharing> list;
    for (int cp = 1; cp == 1 || (cp <= std::min(mostCp, kLargest) && recipe.seq % (2 * cp) == 0); cp *= 2)
        for (int ep = 1; ep == 1 || (ep <= mostEp && experts % ep == 0); ep *= 2)
            list.push_back({cp, ep});
    return list;
}

std::vector<std::unique_ptr<ChainSpace>> chainSpaces(const Problem& problem, const CostTable& table,
                                                     const std::vector<Sharing>& wanted,
                                                     const std::function<bool()>& stop, std::int64_t* empty,
                                                     int threads) {
    StagePartitions partitions(problem);
    const std::vector<std::int64_t> sizes = ChainSpace::microbatchSizes(problem);
    std::vector<std::unique_ptr<ChainSpace>> spaces(wanted.size() * sizes.size());
    inParallel(spaces.size(), threads, [&](std::size_t i) {
        if (!stop())
            spaces[i] = std::make_unique<ChainSpace>(problem, table, sizes[i % sizes.size()],
                                                     wanted[i / sizes.size()], &partitions);
    });
    const auto without = std::erase_if(
        spaces, [](const std::unique_ptr<ChainSpace>& space) { return space && space->options().empty(); });
    if (empty)
        *empty += static_cast<std::int64_t>(without);
    std::erase(spaces, nullptr); // stopped before
    return spaces;
}

std::vector<const ChainSpace*> pointersTo(const std::vector<std::unique_ptr<ChainSpace>>& spaces) {
    std::vector<const ChainSpace*> list;
    for (const auto& space : spaces)
        list.push_back(space.get());
    return list;
}

bool ChainClass::inOneRack(int first, int count) const {
    int behind = 0;
    for (const int nodesHere : racks) {
        behind += nodesHere;
        if (first < behind)
            return first + count <= behind;
    }
    return false;
}

namespace {

int nodeOf(const Topology& topology, const ChainClass& cls) {
    return topology.devices()[static_cast<std::size_t>(cls.nodes.front().front())].node;
}

// The nodes' own cables, wherever they lead.
using Cables = std::vector<std::tuple<double, double, double>>; // bytes/s, s, bytes/s of one flow
Cables cablesOf(const Topology& topology, int node) {
    Cables cables;
    for (const int link : topology.cables(node)) {
        const Link& l = topology.cluster().links[static_cast<std::size_t>(link)];
        cables.emplace_back(l.usable().value, l.latency.value, l.flowBandwidth.value);
    }
    std::sort(cables.begin(), cables.end());
    return cables;
}

// Whether a flow between nodes of these feels no more than it does on one switch.
bool feelAlike(const Topology& topology, const ChainClass& a, const ChainClass& b) {
    constexpr double kFar = 5e-5; // s, of a round through further switches
    const int x = nodeOf(topology, a), y = nodeOf(topology, b);
    const Domain &one = topology.domainOfNode(x), &two = topology.domainOfNode(y);
    if (a.kind != b.kind || a.gpusPerNode != b.gpusPerNode || a.speed != b.speed ||
        a.capacity != b.capacity || a.shared || b.shared || one.nodes.size() != two.nodes.size() ||
        one.bandwidth != two.bandwidth || one.latency != two.latency)
        return false;
    const Cables cables = cablesOf(topology, x);
    if (cables.size() != 1 || cables != cablesOf(topology, y))
        return false;
    const Path path = topology.path(x, y);
    const auto& [rate, latency, flow] = cables.front();
    return path.reachable && path.links.size() > 1 && path.bandwidth.value >= rate &&
           path.latency.value - 2.0 * latency <= kFar;
}

std::vector<ChainClass> joined(const Problem& problem, std::vector<ChainClass> pieces) {
    if (problem.recipe().software.shardRanks != 0)
        return pieces; // priced by their places, one by one
    std::vector<std::vector<ChainClass>> alike;
    for (ChainClass& piece : pieces) {
        const auto with = std::find_if(alike.begin(), alike.end(), [&](const std::vector<ChainClass>& list) {
            return feelAlike(problem.topology(), list.front(), piece);
        });
        (with == alike.end() ? alike.emplace_back() : *with).push_back(std::move(piece));
    }
    std::vector<ChainClass> list;
    for (std::vector<ChainClass>& racks : alike) {
        std::stable_sort(racks.begin(), racks.end(), [](const ChainClass& a, const ChainClass& b) {
            return a.nodes.size() > b.nodes.size();
        });
        ChainClass whole = racks.front();
        for (std::size_t r = 1; r < racks.size(); ++r) {
            whole.racks.push_back(racks[r].racks.front());
            whole.nodes.insert(whole.nodes.end(), racks[r].nodes.begin(), racks[r].nodes.end());
        }
        list.push_back(std::move(whole));
    }
    return list;
}

// Of an NVLink domain, the GPUs that stages may share out as if they stood alone: all of them, or where the
// batch has no use for the odd part of their number (nine of 72), the largest power of two and the rest, as
// people leave two of 18 trays for other jobs. Nodes stay whole.
std::vector<std::vector<DeviceIndex>> divided(const Problem& problem, std::vector<DeviceIndex> gpus) {
    if (gpus.empty())
        return {};
    const auto n = static_cast<std::int64_t>(gpus.size());
    const auto even = static_cast<std::int64_t>(std::bit_floor(gpus.size()));
    const std::int64_t odd = n / (std::int64_t{1} << std::countr_zero(gpus.size()));
    const auto node = [&](std::int64_t at) {
        return problem.topology()
            .devices()[static_cast<std::size_t>(gpus[static_cast<std::size_t>(at)])]
            .node;
    };
    const bool several = node(0) != node(n - 1);
    if (!several || odd == 1 || problem.recipe().gbs % odd == 0 || node(even - 1) == node(even))
        return {std::move(gpus)};
    return {{gpus.begin(), gpus.begin() + even}, {gpus.begin() + even, gpus.end()}};
}

} // namespace

std::vector<ChainClass> ChainSpace::classes(const Problem& problem) {
    const Topology& topology = problem.topology();
    std::vector<ChainClass> list;
    for (const DomainClass& domainClass : topology.domainClasses()) {
        std::map<int, ChainClass> byCount; // an exclusion splits a class
        bool shared = domainClass.shared;
        for (const std::vector<int>& member : domainClass.members) {
            std::vector<DeviceIndex> allowed;
            for (const int node : member)
                for (int g = 0; g < topology.cluster().nodes[static_cast<std::size_t>(node)].gpus; ++g) {
                    const DeviceIndex d = topology.firstOfNode(node) + g;
                    if (problem.allowed()[static_cast<std::size_t>(d)])
                        allowed.push_back(d);
                }
            const std::vector<std::vector<DeviceIndex>> parts = divided(problem, std::move(allowed));
            shared = shared || parts.size() > 1;
            for (const std::vector<DeviceIndex>& part : parts) {
                const Device& device = topology.devices()[static_cast<std::size_t>(part.front())];
                ChainClass& entry = byCount[-static_cast<int>(part.size())];
                entry.name = domainClass.name;
                entry.kind = domainClass.kind;
                entry.speed = device.speed;
                entry.gpusPerNode = static_cast<int>(part.size());
                entry.capacity = device.capacity;
                entry.nodes.push_back(part);
            }
        }
        for (auto& [count, entry] : byCount) {
            entry.shared = shared;
            entry.racks = {static_cast<int>(entry.nodes.size())};
            list.push_back(std::move(entry));
        }
    }
    return joined(problem, std::move(list));
}

std::vector<int> stageSizes(const ChainClass& cls) {
    std::vector<int> sizes;
    for (int g = 1; g < cls.gpusPerNode; g *= 2)
        sizes.push_back(g);
    for (int whole = 1; whole <= static_cast<int>(cls.nodes.size()); ++whole)
        sizes.push_back(whole * cls.gpusPerNode);
    return sizes;
}

int mostStages(const Problem& problem) {
    const auto gpus = static_cast<int>(std::count(problem.allowed().begin(), problem.allowed().end(), true));
    const int most = std::min(gpus, static_cast<int>(problem.model().blocks));
    const int asked = problem.space().maxStages;
    return asked > 0 ? std::min(asked, most) : most;
}

ChainSpace::ChainSpace(const Problem& problem, const CostTable& table, std::int64_t microbatchSize,
                       Sharing sharing, StagePartitions* partitions)
    : m_problem(problem), m_classes(classes(problem)), m_blocks(static_cast<int>(problem.model().blocks)),
      m_lead(leadingDense(problem.model())), m_sharing(sharing), m_microbatchSize(microbatchSize),
      m_microbatches(static_cast<int>(problem.recipe().gbs / microbatchSize)) {
    m_maxStages = mostStages(problem);
    const Recipe& recipe = problem.recipe();
    StagePartitions own(problem);
    for (std::size_t c = 0; c < m_classes.size(); ++c) {
        const ChainClass& cls = m_classes[c];
        const int n = cls.gpusPerNode;
        const std::vector<Recompute> modes =
            recomputeModes(problem, problem.topology().kinds()[static_cast<std::size_t>(cls.kind)]);
        for (const int g : stageSizes(cls))
            for (int tp = 1; tp <= std::min({g, n, problem.space().maxTp}); tp *= 2) {
                const int each = tp * sharing.cp; // inside one node, or whole nodes
                if (g % each != 0 || (g > n && n % tp != 0) || (g > n && n % each != 0 && each % n != 0) ||
                    !divides(problem.model(), tp))
                    continue;
                const int dp = g / each;
                if (microbatchSize % dp != 0 || dp % sharing.ep != 0)
                    continue;
                const std::int64_t mbs = microbatchSize / dp;
                if (!recipe.mbs.empty() &&
                    std::find(recipe.mbs.begin(), recipe.mbs.end(), mbs) == recipe.mbs.end())
                    continue;
                StageOption option;
                option.cls = static_cast<int>(c);
                option.devices = g;
                option.tp = tp;
                option.cp = sharing.cp;
                option.ep = sharing.ep;
                option.dp = dp;
                option.mbs = static_cast<int>(mbs);
                option.zero = shardingOf(problem, option.copies());
                option.sequenceParallel = usesSequenceParallel(problem, tp);
                for (const Recompute mode : modes) {
                    option.recompute = mode;
                    addOption(table, option);
                }
                if (!problem.space().partitions || sharing != Sharing{} || !StagePartitions::possible(tp))
                    continue;
                for (const StagePartitions::Ways& ways :
                     (partitions ? *partitions : own)
                         .of(devices(option, 0).front(), mbs, m_microbatches, option.sequenceParallel))
                    for (const Recompute mode : modes) {
                        if (mode == Recompute::Selective)
                            continue; // repeats a part of what a partition divides as one
                        option.partition = ways;
                        option.recompute = mode;
                        addOption(table, option);
                    }
            }
    }
    makePorts();
    makeSyncs();
}

StageCost ChainSpace::cost(const ChainStage& stage) const {
    const StageOption& option = m_options[static_cast<std::size_t>(stage.option)];
    if (!option.plain || stage.recomputed == 0)
        return option.costs->blocks(stage.first, stage.end, option.copies(), option.zero);
    const LayerRange all = layersOfBlocks(stage.first, stage.end, m_blocks);
    const int split = 2 * (stage.first + stage.recomputed); // last fine layer that is recomputed
    const int ranks = option.copies();
    return sumOfStages(option.costs->stage(all.first, split, ranks, option.zero, stage.first == 0),
                       option.plain->stage(split + 1, all.last, ranks, option.zero, stage.first == 0));
}

void ChainSpace::addOption(const CostTable& table, StageOption option) {
    StageOption one = option;
    one.devices = option.tp * option.cp;
    one.dp = 1;
    const std::vector<DeviceIndex> replica = devices(one, 0).front();
    CostConfig config;
    placeOn(config, m_problem.topology(), replica.front());
    config.tp = option.tp;
    config.cp = option.cp;
    config.ep = option.ep;
    config.mbs = option.mbs;
    config.recompute = option.recompute;
    config.sequenceParallel = option.sequenceParallel;
    const int perNode = m_classes[static_cast<std::size_t>(option.cls)].gpusPerNode;
    if (option.zero >= 3 ||
        option.tp * option.cp * option.ep > perNode) // tensor-parallel groups stay inside their nodes
        placeGroups(config, m_problem, tensorGroups(option, 0), option.zero);
    if (option.partition)
        placePartition(config, m_problem, table, replica, *option.partition);
    option.costs = &table.costs(config);
    option.config = config;
    if (option.recompute == Recompute::Full && m_problem.recipe().recompute.empty()) {
        config.recompute = Recompute::None;
        option.plain = &table.costs(config);
    }
    const auto alike = std::find_if(m_options.rbegin(), m_options.rend(), [&](const StageOption& other) {
        return other.cls == option.cls && other.devices == option.devices && other.tp == option.tp;
    });
    option.shape = alike != m_options.rend() ? alike->shape : static_cast<int>(m_options.size());
    m_options.push_back(std::move(option));
}

int ChainSpace::placeOf(const StageOption& option, int used) const {
    const ChainClass& cls = m_classes[static_cast<std::size_t>(option.cls)];
    const int n = cls.gpusPerNode, inNode = used % n;
    if (inNode > 0 && inNode + option.devices > n)
        used += n - inNode;
    return used + option.devices <= cls.gpus() ? used : -1;
}

std::vector<std::vector<DeviceIndex>> ChainSpace::devices(const StageOption& option, int position) const {
    return groupsOf(option, position, option.tp * option.cp);
}

std::vector<std::vector<DeviceIndex>> ChainSpace::tensorGroups(const StageOption& option,
                                                               int position) const {
    return groupsOf(option, position, option.tp);
}

std::vector<std::vector<DeviceIndex>> ChainSpace::groupsOf(const StageOption& option, int position,
                                                           int size) const {
    const ChainClass& cls = m_classes[static_cast<std::size_t>(option.cls)];
    std::vector<std::vector<DeviceIndex>> groups(static_cast<std::size_t>(option.devices / size));
    for (int i = 0; i < option.devices; ++i) {
        const int at = position + i;
        groups[static_cast<std::size_t>(i / size)].push_back(cls.nodes[static_cast<std::size_t>(
            at / cls.gpusPerNode)][static_cast<std::size_t>(at % cls.gpusPerNode)]);
    }
    return groups;
}

const ChainSpace::Send& ChainSpace::send(const ChainStage& front, const ChainStage& back) const {
    const StageOption& from = m_options[static_cast<std::size_t>(front.option)];
    const StageOption& to = m_options[static_cast<std::size_t>(back.option)];
    // Nodes of a rack may be swapped: what counts is the place in the node, and whether both share one.
    const ChainClass &ofFrom = m_classes[static_cast<std::size_t>(from.cls)],
                     &ofTo = m_classes[static_cast<std::size_t>(to.cls)];
    const int ofBack = ofTo.oneRack() ? back.position % ofTo.gpusPerNode : back.position;
    const int ofFront = from.cls == to.cls ? front.position - back.position + ofBack
                        : ofFrom.oneRack() ? front.position % ofFrom.gpusPerNode
                                           : front.position;
    return m_sends.at({from.shape, ofFront, to.shape, ofBack}, [&] {
        const auto fromDevices = devices(from, ofFront);
        const auto toDevices = devices(to, ofBack);
        const TransferCost cost = boundaryTransfer(
            m_problem.topology(), m_problem.constants().comm(), evenGroups(fromDevices),
            evenGroups(toDevices), Bytes(boundaryBytes(m_problem, static_cast<double>(m_microbatchSize))),
            !to.sequenceParallel);
        return Send{cost.time.value, !cost.crossesNodes};
    });
}

double ChainSpace::leastOnNetwork(const StageOption& option) const {
    const int perNode = m_classes[static_cast<std::size_t>(option.cls)].gpusPerNode;
    return m_microbatches * leastCrossing(option.cls, std::max(1, option.devices / perNode));
}

void ChainSpace::makePorts() {
    constexpr double kRounding = 1e-9; // of sums and quotients, given away
    const Topology& topology = m_problem.topology();
    const CommConstants& constants = m_problem.constants().comm();
    const double bytes = boundaryBytes(m_problem, static_cast<double>(m_microbatchSize));
    for (const ChainClass& cls : m_classes) {
        std::set<int> nodes; // that NVLink joins, with their GPUs that other jobs have
        for (const DeviceIndex d : cls.nodes.front())
            nodes.insert(topology.devices()[static_cast<std::size_t>(d)].node);
        double rate = 0.0;
        for (const int node : nodes)
            for (const int link : topology.cables(node))
                rate += topology.cluster().links[static_cast<std::size_t>(link)].usable().value;
        if (cls.shared) // some of what leaves these GPUs may stay inside NVLink
            m_ports.push_back({0.0, 0.0});
        else
            m_ports.push_back({constants.launch.value + constants.step.value,
                               rate > 0.0 ? bytes / rate * (1.0 - kRounding) : kNever});
    }
}

Traffic ChainSpace::sync(const ChainStage& stage, const StageCost& cost, bool overlapped) const {
    const StageOption& option = m_options[static_cast<std::size_t>(stage.option)];
    const ChainClass& cls = m_classes[static_cast<std::size_t>(option.cls)];
    const int n = cls.gpusPerNode, nodes = (option.devices + n - 1) / n;
    if (m_syncs.empty())
        return syncTraffic(m_problem, tensorGroups(option, stage.position), option.zero, cost, overlapped);
    if (m_syncsApart || cls.inOneRack(stage.position / n, nodes)) {
        Traffic alike = m_syncs[static_cast<std::size_t>(stage.option)](m_problem, cost, overlapped);
        if (m_syncsApart || alike.blocked())
            return alike;
        // What it crosses is this stage's own, whichever nodes stand for it.
        Traffic own;
        own.fix(alike.fixed());
        own.load({-1 - stage.position -
                      static_cast<std::int64_t>(m_problem.topology().devices().size()) * option.cls,
                  alike.largest()});
        return own;
    }
    const std::array<int, 5> key{option.cls, option.devices, option.tp, option.zero, stage.position};
    const SyncPattern& pattern =
        m_syncsAcross.at(key, [&] { return patternOf(option, stage.position, nodes); });
    return pattern(m_problem, cost, overlapped);
}

double ChainSpace::leastSync(const StageOption& option, const StageCost& cost) const {
    const Traffic least =
        m_syncs.empty()
            ? syncTraffic(m_problem, tensorGroups(option, 0), option.zero, cost, false)
            : m_syncs[static_cast<std::size_t>(&option - m_options.data())](m_problem, cost, false);
    return least.alone().value;
}

// Priced from the devices of so many nodes.
SyncPattern ChainSpace::patternOf(const StageOption& option, int position, int nodes) const {
    const int perNode = m_classes[static_cast<std::size_t>(option.cls)].gpusPerNode;
    StageOption seen = option;
    seen.devices = std::min(option.devices, nodes * perNode);
    return {m_problem, tensorGroups(seen, position), option.copies(), std::max(1, option.devices / perNode),
            option.zero};
}

// Classes of more than one node whose nodes reach each other over one switch.
bool ChainSpace::hangOnOneSwitch() const {
    const Topology& topology = m_problem.topology();
    return std::ranges::all_of(m_classes, [&](const ChainClass& cls) {
        if (cls.nodes.size() < 2)
            return true;
        const auto nodeAt = [&](std::size_t n) {
            return topology.devices()[static_cast<std::size_t>(cls.nodes[n].front())].node;
        };
        const Path path = topology.path(nodeAt(0), nodeAt(1));
        return cls.oneRack() && path.reachable && path.links.size() == 2;
    });
}

void ChainSpace::makeSyncs() {
    m_onOneSwitch = hangOnOneSwitch();
    if (m_problem.recipe().software.shardRanks != 0)
        return;
    m_syncsApart = m_onOneSwitch;
    std::map<std::array<int, 4>, SyncPattern> known; // class, devices, tp, zero
    for (const StageOption& option : m_options) {
        const auto [at, fresh] = known.try_emplace({option.cls, option.devices, option.tp, option.zero});
        if (fresh)
            at->second = patternOf(option, 0, 2); // the first two stand for all
        m_syncs.push_back(at->second);
    }
}

Stage ChainSpace::stage(const StageOption& option, int position) const {
    Stage stage;
    for (auto& replica : devices(option, position))
        stage.replicas.push_back({std::move(replica), 1.0 / option.dp});
    stage.tp = option.tp;
    stage.cp = option.cp;
    stage.ep = option.ep;
    stage.sequenceParallel = option.sequenceParallel;
    stage.zero = option.zero;
    stage.recompute = option.recompute;
    if (option.partition)
        stage.partition = *option.partition;
    return stage;
}

Plan ChainSpace::plan(const Chain& chain, const ScheduleChoice& schedule,
                      const std::vector<int>& launch) const {
    std::vector<int> used(m_classes.size(), 0);
    for (const ChainStage& stage : chain) {
        const StageOption& option = m_options[static_cast<std::size_t>(stage.option)];
        used[static_cast<std::size_t>(option.cls)] = stage.position + option.devices;
    }
    Pipeline pipeline;
    pipeline.microbatches = m_microbatches;
    pipeline.microbatchSize = m_microbatchSize;
    pipeline.schedule.kind = schedule.kind;
    pipeline.schedule.rule = schedule.rule;
    pipeline.schedule.launch = launch;
    for (auto at = chain.rbegin(); at != chain.rend(); ++at) {
        const StageOption& option = m_options[static_cast<std::size_t>(at->option)];
        const ChainClass& cls = m_classes[static_cast<std::size_t>(option.cls)];
        const auto add = [&](int position) {
            pipeline.stages.push_back(stage(option, position));
            pipeline.stages.back().chunks = {layersOfBlocks(at->first, at->end, m_blocks)};
            pipeline.stages.back().recomputeLayers = at->recomputed;
        };
        if (!cls.oneRack()) {
            add(at->position); // as it is priced
            continue;
        }
        // Mirrored inside the nodes that the class uses: what was built last comes first.
        const int n = cls.gpusPerNode;
        const int span = (used[static_cast<std::size_t>(option.cls)] + n - 1) / n * n;
        const int spare = span - used[static_cast<std::size_t>(option.cls)];
        // A lone, partly used node is filled from its first GPU on.
        const int shift = span == n ? spare : 0;
        add(span - at->position - option.devices - shift);
    }
    return Plan{{std::move(pipeline)}};
}

} // namespace pw
