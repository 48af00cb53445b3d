// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "core/base/memo.h"
#include "core/cost/cost.h"
#include "core/evaluate/stage_terms.h"
#include "core/search/space/rejection.h"
#include "core/search/space/stage_partitions.h"

#include <optional>
#include <vector>

namespace pw {

// The Space as its planners walk it. A chain is one pipeline; it is built from the last stage towards the
// first, because the launch count of a stage, and so its memory, depends only on what stands behind it.
// Devices are counted per class and named at the very end.

// Nodes that a stage cannot tell apart, with the same number of allowed GPUs (a node here being all that one
// NVLink domain joins, where there is one): those of one kind, memory and cable that reach each other as fast
// as their cables go, whatever switches lie between. Those of one switch stand behind each other, the largest
// switch first, so that a stage on neighbouring nodes crosses as few of them as may be; what it crosses is in
// its price.
struct ChainClass {
    std::string name;
    int kind = 0;
    double speed = 1.0;
    int gpusPerNode = 0;
    Bytes capacity, memory;                      // what a plan may use of a GPU; all that it has
    std::vector<std::vector<DeviceIndex>> nodes; // allowed GPUs of each
    std::vector<int> racks;                      // nodes on each switch
    bool shared = false;                         // NVLink joins some of these nodes to those of another class
    bool oneRack() const { return racks.size() == 1; }
    // Whether so many nodes from this one on share a switch.
    bool inOneRack(int first, int count) const;
    int gpus() const { return gpusPerNode * static_cast<int>(nodes.size()); }
};

// How many devices of the class a stage may take: 1, 2, 4, ... inside a node, or any number of whole nodes.
std::vector<int> stageSizes(const ChainClass& cls);

// What one stage may be, its layers aside.
struct StageOption {
    int cls = 0;
    int devices = 0; // tp * cp * dp
    int tp = 1, cp = 1, ep = 1, dp = 1, mbs = 1;
    int copies() const { return cp * dp; }                      // ranks with the same weights
    int expertTp() const { return copies() % ep == 0 ? 0 : 1; } // Stage::expertTp()
    int zero = 0;
    int shape = 0; // the first option of the same devices and replicas, which sends alike
    bool sequenceParallel = false;
    Recompute recompute = Recompute::None;
    StagePartitions::Ways partition; // null: tensor parallelism
    CostConfig config;
    const ConfigCosts* costs = nullptr; // of `config`
    // With full recompute, where a stage may recompute its first blocks only: the costs of the others.
    const ConfigCosts* plain = nullptr;
};

struct ChainStage {
    int option = 0;         // index into ChainSpace::options()
    int first = 0, end = 0; // blocks [first, end)
    int position = 0;       // devices of the class taken by the stages behind it
    int recomputed = 0;     // blocks from the first on, of options that recompute; 0 = all
    int blocks() const { return end - first; }
    bool operator==(const ChainStage&) const = default;
};
using Chain = std::vector<ChainStage>; // last stage first

// Recompute modes that a stage on this kind may take: the recipe's, or all that make a difference.
std::vector<Recompute> recomputeModes(const Problem& problem, const DeviceKind& kind);
// ZeRO stage of a stage with so many replicas: 1 at most, since pipelines shard no more than the optimiser
// (sharded_stages.h has the rest). That is never slower or larger here, so `auto` shards wherever there are
// replicas.
int shardingOf(const Problem& problem, int dp);

// GPUs that the Space does not forbid.
int allowedGpus(const Problem& problem);

// The most stages that a pipeline may have: the Space's number, and no more than blocks and allowed GPUs.
int mostStages(const Problem& problem);

// How the replicas of all stages of a plan share sequences and experts.
struct Sharing {
    int cp = 1, ep = 1;
    bool operator==(const Sharing&) const = default;
};

// What plans of the Space may have, none first. A model has use for context parallelism where sequences are
// long or too few for the devices: then stages of many replicas leave each pipeline few micro-batches to fill
// it with. So where the Space does not say, it goes as far as to let the largest stages of eightfold tensor
// parallelism have 32 micro-batches each, to 8 at most, or until a rank has 8,192 tokens of a sequence.
// Experts are dealt out in powers of two over up to 64 replicas.
std::vector<Sharing> sharings(const Problem& problem);

// What the spaces of one problem find once for all of them, on any thread: tensor partitions, and what groups
// of ranks on several nodes take.
struct SpaceMemo {
    explicit SpaceMemo(const Problem& problem) : partitions(problem) {}
    StagePartitions partitions;
    Memo<std::array<int, 6>, CostConfig> groups; // class, devices that they are found on, tp, cp, ep, mbs
};

// One choice of the micro-batch, of cp and ep: everything that is fixed before stages are chosen. May be
// asked from any thread.
class ChainSpace {
public:
    // `memo`: of the other spaces; null: its own.
    ChainSpace(const Problem& problem, const CostTable& table, std::int64_t microbatchSize,
               Sharing sharing = {}, SpaceMemo* memo = nullptr);

    // Micro-batches (sequences of the whole pipeline) that divide the global batch, ascending.
    static std::vector<std::int64_t> microbatchSizes(const Problem& problem);
    static std::vector<ChainClass> classes(const Problem& problem);

    const Problem& problem() const { return m_problem; }
    const std::vector<ChainClass>& classes() const { return m_classes; }
    const std::vector<StageOption>& options() const { return m_options; }
    int blocks() const { return m_blocks; }
    int leadBlocks() const { return m_lead; } // of them: leadingDense()
    int maxStages() const { return m_maxStages; }
    std::int64_t microbatchSize() const { return m_microbatchSize; }
    const Sharing& sharing() const { return m_sharing; }
    int microbatches() const { return m_microbatches; }

    StageCost cost(const ChainStage& stage) const;
    StageCost cost(const ChainStage& stage, int zero) const; // under another ZeRO stage than the option's
    // Where `option` takes its devices after `used` of its class: inside one node, or whole nodes, the next
    // one where the rest of the last does not do. -1: nowhere.
    int placeOf(const StageOption& option, int used) const;
    double capacity(const StageOption& option) const {
        return m_classes[static_cast<std::size_t>(option.cls)].capacity.value;
    }
    Bytes memory(const StageOption& option) const {
        return m_classes[static_cast<std::size_t>(option.cls)].memory;
    }
    // One-way transfer from `front` to the stage behind it.
    struct Send {
        double time = 0.0;
        bool inNode = false; // crosses no network: such boundaries need no extra launches
    };
    const Send& send(const ChainStage& front, const ChainStage& back) const;
    // s: what a micro-batch's activations take at least between a stage on so many nodes of a class and one
    // on other nodes: over all cables of these nodes at once.
    double leastCrossing(int cls, int nodes) const {
        const ClassPort& port = m_ports[static_cast<std::size_t>(cls)];
        return port.fixed + port.bytes / nodes;
    }
    // s: what a micro-batch's activations take at least between stages of two classes, over what lies between
    // their switches; 0 where that is nothing, infinity where there is no way.
    double leastBetween(int a, int b) const {
        return m_between[static_cast<std::size_t>(a) * m_classes.size() + static_cast<std::size_t>(b)];
    }
    // s: what all micro-batches take at least on their way into or out of such a stage, if not all stages
    // share one node: then at least one of its boundaries, or of those of its neighbours in its node, crosses
    // the network.
    double leastOnNetwork(const StageOption& option) const {
        return m_onNetwork[static_cast<std::size_t>(&option - m_options.data())];
    }

    // s: what the ends of a pipeline take to sum the gradient of a tied embedding; infinity where there is no
    // way between them, 0 where it is not tied.
    double tied(const ChainStage& first, const ChainStage& last) const;

    // Reduction of a stage's gradients, see syncTraffic.
    Traffic sync(const ChainStage& stage, const StageCost& cost, bool overlapped = true) const;
    // Whether the nodes of every class hang on one switch: all of one class reach those of another over the
    // same links beyond their own.
    bool onOneSwitch() const { return m_onOneSwitch; }
    // What the reduction takes at least, wherever of its class the stage stands.
    double leastSync(const StageOption& option, const StageCost& cost) const;
    // Whether the reductions of two stages never cross anything in common, since stages use the ports and
    // cables of their own nodes alone.
    bool syncsApart() const { return m_syncsApart; }

    // Whether no class is left and entered again.
    bool entersOnce(const Chain& chain) const;
    // The finished plan: positions become devices, the first stage getting the first ones of each class.
    Plan plan(const Chain& chain, const ScheduleChoice& schedule, const std::vector<int>& launch) const;

    // A stage on devices from this place of its class on; without layers.
    Stage stage(const StageOption& option, int position) const;

    // Devices of each replica of a stage, counted from where the class begins to be used (the last stage's).
    std::vector<std::vector<DeviceIndex>> devices(const StageOption& option, int position) const;
    // Its tensor-parallel groups, those of a replica behind each other: what gradients are summed over.
    std::vector<std::vector<DeviceIndex>> tensorGroups(const StageOption& option, int position) const;

private:
    struct ClassPort {
        double fixed = 0.0,
               bytes = 0.0; // s: whatever is sent, and what all bytes take over one node's cables
    };
    std::vector<std::vector<DeviceIndex>> groupsOf(const StageOption& option, int position, int size) const;
    void makePorts();
    double waysBetween(const ChainClass& a, const ChainClass& b) const;
    void addOption(const CostTable& table, StageOption option, SpaceMemo& memo);
    // How many of a stage's devices stand for all of them where its groups exchange.
    int devicesAlike(const StageOption& option) const;
    bool hangOnOneSwitch() const;
    void makeSyncs();
    SyncPattern patternOf(const StageOption& option, int position, int nodes) const;

    const Problem& m_problem;
    std::vector<ChainClass> m_classes;
    std::vector<StageOption> m_options;
    int m_blocks, m_lead;
    int m_maxStages;
    Sharing m_sharing;
    std::int64_t m_microbatchSize;
    int m_microbatches;
    bool m_onOneSwitch = false, m_syncsApart = false;
    std::vector<ClassPort> m_ports;  // by class
    std::vector<double> m_onNetwork; // s, by option
    std::vector<double> m_between;   // s, [class][class]: leastBetween()
    std::vector<SyncPattern>
        m_syncs; // by option, inside a rack; empty where the optimiser's shards are fewer
    Memo<std::array<int, 5>, SyncPattern> m_syncsAcross; // class, devices, tp, zero, position
    Memo<std::array<int, 4>, Send> m_sends;
    Memo<std::array<int, 4>, double> m_tied; // option and position of either end
};

using ChainSpaces = std::vector<std::unique_ptr<ChainSpace>>;

// All choices of a problem that have stages to choose from: by `wanted`, then by micro-batch size. `empty`
// counts those without stages. `stop` is asked from all threads (0 = as many as there are cores). What is
// there in `built` is taken over.
ChainSpaces chainSpaces(const Problem& problem, const CostTable& table, const std::vector<Sharing>& wanted,
                        const std::function<bool()>& stop, std::int64_t* empty = nullptr, int threads = 1,
                        ChainSpaces built = {});

std::vector<const ChainSpace*> pointersTo(const ChainSpaces& spaces);

// A simulated chain under its best schedule.
struct ChainResult {
    double iteration = 0.0;
    ScheduleChoice schedule;
    std::vector<int> launch;
};

// The chain under one of the schedules that memory holds.
struct ChainTrial {
    ChainResult result;
    double fullest = 0.0; // share of its memory that the fullest stage's devices need
    double room = 1.0;    // roomRatio() of those that are least likely to hold it
};

// Whether a time is less than another, and not only a sum of the same times in another order.
inline bool takesLess(double seconds, double than) {
    constexpr double kRounding = 1e-12;
    return seconds < than * (1.0 - kRounding);
}

// Simulates chains without allocating, by the terms that evaluate() uses.
class ChainEvaluator {
public:
    explicit ChainEvaluator(const ChainSpace& space) : m_space(space) {}

    // The best schedule of the Space that fits into memory, or nothing. Chains whose launch-count bound is
    // not below `cutoff` are not simulated. `simulated` counts operations run. Once `stop` says true no
    // further schedule is tried.
    std::optional<ChainResult> best(const Chain& chain, double cutoff, std::int64_t& simulated,
                                    const std::function<bool()>& stop);
    // What of the last chain that best() was asked about was simulated, the slower schedules with it.
    const std::vector<ChainTrial>& trials() const { return m_trials; }
    // Why no schedule at all can run the last chain that best() was asked about: links that are not there.
    std::optional<Rejection> apart() const { return m_apart; }

private:
    const ChainSpace& m_space;
    std::optional<Rejection> m_apart;
    std::vector<ChainTrial> m_trials;
    StageTimes m_times;
    std::vector<bool> m_inNode; // per boundary
    std::vector<int> m_most;    // micro-batches that memory holds, per stage
    std::vector<StageCost> m_costs;
    std::vector<StageTail> m_tails;
    SimulationWorkspace m_workspace;
    Simulation m_simulation;
};

} // namespace pw
