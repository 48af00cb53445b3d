// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/search/space/chain.h"

#include "core/base/parallel.h"
#include "core/base/quantity.h"
#include "core/comm/comm.h"
#include "core/cost/roofline.h"

#include <algorithm>
#include <numeric>

namespace pw {
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
        const std::int64_t devices = allowedGpus(problem);
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

ChainSpaces chainSpaces(const Problem& problem, const CostTable& table, const std::vector<Sharing>& wanted,
                        const std::function<bool()>& stop, std::int64_t* empty, int threads,
                        ChainSpaces built) {
    SpaceMemo memo(problem);
    const std::vector<std::int64_t> sizes = ChainSpace::microbatchSizes(problem);
    ChainSpaces spaces(wanted.size() * sizes.size());
    for (std::unique_ptr<ChainSpace>& space : built) {
        const auto sharing = std::ranges::find(wanted, space->sharing()) - wanted.begin();
        const auto size = std::ranges::find(sizes, space->microbatchSize()) - sizes.begin();
        spaces[static_cast<std::size_t>(sharing) * sizes.size() + static_cast<std::size_t>(size)] =
            std::move(space);
    }
    inParallel(spaces.size(), threads, [&](std::size_t i) {
        if (!spaces[i] && !stop())
            spaces[i] = std::make_unique<ChainSpace>(problem, table, sizes[i % sizes.size()],
                                                     wanted[i / sizes.size()], &memo);
    });
    const auto without = std::erase_if(
        spaces, [](const std::unique_ptr<ChainSpace>& space) { return space && space->options().empty(); });
    if (empty)
        *empty += static_cast<std::int64_t>(without);
    std::erase(spaces, nullptr); // stopped before
    return spaces;
}

std::vector<const ChainSpace*> pointersTo(const ChainSpaces& spaces) {
    std::vector<const ChainSpace*> list;
    for (const auto& space : spaces)
        list.push_back(space.get());
    return list;
}

std::vector<int> stageSizes(const ChainClass& cls) {
    std::vector<int> sizes;
    for (int g = 1; g < cls.gpusPerNode; g *= 2)
        sizes.push_back(g);
    for (int whole = 1; whole <= static_cast<int>(cls.nodes.size()); ++whole)
        sizes.push_back(whole * cls.gpusPerNode);
    return sizes;
}

int allowedGpus(const Problem& problem) {
    return static_cast<int>(std::ranges::count(problem.allowed(), true));
}

int mostStages(const Problem& problem) {
    const int most = std::min(allowedGpus(problem), static_cast<int>(problem.model().blocks));
    const int asked = problem.space().maxStages;
    return asked > 0 ? std::min(asked, most) : most;
}

ChainSpace::ChainSpace(const Problem& problem, const CostTable& table, std::int64_t microbatchSize,
                       Sharing sharing, SpaceMemo* shared)
    : m_problem(problem), m_classes(classes(problem)), m_blocks(static_cast<int>(problem.model().blocks)),
      m_lead(leadingDense(problem.model())), m_sharing(sharing), m_microbatchSize(microbatchSize),
      m_microbatches(static_cast<int>(problem.recipe().gbs / microbatchSize)) {
    m_maxStages = mostStages(problem);
    const Recipe& recipe = problem.recipe();
    SpaceMemo own(problem);
    SpaceMemo& memo = shared ? *shared : own;
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
                if (microbatchSize % dp != 0 || (problem.space().foldExperts ? g : dp) % sharing.ep != 0)
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
                    addOption(table, option, memo);
                }
                if (!problem.space().partitions || sharing != Sharing{} || !StagePartitions::possible(tp))
                    continue;
                for (const StagePartitions::Ways& ways : memo.partitions.of(
                         devices(option, 0).front(), mbs, m_microbatches, option.sequenceParallel))
                    for (const Recompute mode : modes) {
                        if (mode == Recompute::Selective)
                            continue; // repeats a part of what a partition divides as one
                        option.partition = ways;
                        option.recompute = mode;
                        addOption(table, option, memo);
                    }
            }
    }
    makePorts();
    makeSyncs();
}

StageCost ChainSpace::cost(const ChainStage& stage) const {
    return cost(stage, m_options[static_cast<std::size_t>(stage.option)].zero);
}

StageCost ChainSpace::cost(const ChainStage& stage, int zero) const {
    const StageOption& option = m_options[static_cast<std::size_t>(stage.option)];
    if (!option.plain || stage.recomputed == 0)
        return option.costs->blocks(stage.first, stage.end, option.copies(), zero);
    const LayerRange all = layersOfBlocks(stage.first, stage.end, m_blocks);
    const int split = 2 * (stage.first + stage.recomputed); // last fine layer that is recomputed
    const int ranks = option.copies();
    return sumOfStages(option.costs->stage(all.first, split, ranks, zero, stage.first == 0),
                       option.plain->stage(split + 1, all.last, ranks, zero, stage.first == 0));
}

// Groups lie within runs of tp * cp * ep devices. Runs on other nodes of the same switch are like the first
// one, and have cables of their own.
int ChainSpace::devicesAlike(const StageOption& option) const {
    const ChainClass& cls = m_classes[static_cast<std::size_t>(option.cls)];
    if (option.dp % option.ep != 0) // groups of experts lie across those of replicas
        return option.devices;
    const int run = std::lcm(option.tp * option.cp * option.ep, cls.gpusPerNode);
    const int nodes = (option.devices + cls.gpusPerNode - 1) / cls.gpusPerNode;
    return run < option.devices && option.zero < 3 && cls.inOneRack(0, nodes) ? run : option.devices;
}

void ChainSpace::addOption(const CostTable& table, StageOption option, SpaceMemo& memo) {
    StageOption one = option;
    one.devices = option.tp * option.cp;
    one.dp = 1;
    const std::vector<DeviceIndex> replica = devices(one, 0).front();
    CostConfig config;
    placeOn(config, m_problem.topology(), replica.front());
    config.tp = option.tp;
    config.cp = option.cp;
    config.ep = option.ep;
    config.expertTp = option.expertTp();
    config.mbs = option.mbs;
    config.recompute = option.recompute;
    config.sequenceParallel = option.sequenceParallel;
    const int perNode = m_classes[static_cast<std::size_t>(option.cls)].gpusPerNode;
    if (option.zero >= 3 ||
        option.tp * option.cp * option.ep > perNode) { // tensor-parallel groups stay inside their nodes
        StageOption alike = option;
        alike.devices = devicesAlike(option);
        const CostConfig& placed =
            memo.groups.at({option.cls, alike.devices, option.tp, option.cp, option.ep, option.mbs}, [&] {
                CostConfig made = config;
                placeGroups(made, m_problem, tensorGroups(alike, 0), option.zero);
                return made;
            });
        config.tensor = placed.tensor;
        config.context = placed.context;
        config.experts = placed.experts;
        config.gather = placed.gather;
    }
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

bool ChainSpace::entersOnce(const Chain& chain) const {
    std::vector<bool> left(m_classes.size(), false);
    for (std::size_t i = 0; i < chain.size(); ++i) {
        const auto cls = [&](const ChainStage& stage) {
            return static_cast<std::size_t>(m_options[static_cast<std::size_t>(stage.option)].cls);
        };
        if (left[cls(chain[i])])
            return false;
        if (i + 1 < chain.size() && cls(chain[i + 1]) != cls(chain[i]))
            left[cls(chain[i])] = true;
    }
    return true;
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
