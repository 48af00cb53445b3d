// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "core/problem/problem.h"

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace pw {

// The stage-cost table: what any run of layers costs on any kind of device in any configuration,
// contention-free.
//
// Layers repeat, so a configuration keeps one unit cost per distinct layer and counts of each up to every
// block; a stage query is the sum of count x unit over the distinct ones, in a fixed order. Cached and fresh
// answers share that order and are therefore equal to the last bit, which differences of prefix sums would
// not be.
//
// Times: a measured profile row if there is one, interpolated between two, else the roofline of the operators
// scaled to the nearest measured block of the same kind, of another sequence length if need be ("fitted"),
// else the plain roofline ("estimated"). A row that is faster than its own matrix products at the device's
// highest peak is not believed (see problemNotes). Memory follows the published activation formulas (arXiv
// 2205.05198), per operator so that grouped heads and gated MLPs come out right; states by the recipe
// (resources/manual/accuracy.md#memory). All memory is estimated.

// Bytes of training state per parameter: 18 in mixed precision with Adam and fp32 main gradients (weight 2,
// gradient 4, main weight and moments 12), 16 in fp32; 2 less where gradients stay in 16 bits.
struct StateBytes {
    double weight, gradient, optimizer;
};
StateBytes stateBytes(const Problem& problem);

// A collective of one group of ranks as a line: s, and s per byte of the whole tensor. All zero: not asked
// for.
struct LinearTime {
    double fixed = 0.0, perByte = 0.0;
    double operator()(double bytes) const { return fixed + perByte * bytes; }
    auto operator<=>(const LinearTime&) const = default;
};

// One block on one device of a replica that divides its operators one by one (core/partition), for one
// micro-batch; by its roofline. Takes the place of the tensor-parallel block; embedding and head stay
// tensor-parallel. All zero: not asked for.
struct DividedBlock {
    double forward = 0.0, backward = 0.0; // s, with all communication; backward with weightGrad
    double weightGrad = 0.0;
    double comm = 0.0;                            // s, exposed part of forward + backward
    double sync = 0.0;                            // s, once an iteration: gradients summed inside the replica
    double endsForward = 0.0, endsBackward = 0.0; // s, once a run of blocks: see core/partition
    double weights = 0.0;                         // parameters of the matrices on this device
    double kept = 0.0, keptInput = 0.0;           // bytes a micro-batch: of the block, and of its input alone
    double transient = 0.0;                       // bytes
    auto operator<=>(const DividedBlock&) const = default;
};

struct CostConfig {
    int kind = 0;       // index into Topology::kinds()
    double speed = 1.0; // of the node
    int tp = 1, cp = 1, ep = 1;
    int expertTp = 0; // tensor-parallel ranks that cut an expert between them; 0 = tp
    int mbs = 1;      // sequences per micro-batch and replica
    Recompute recompute = Recompute::None;
    bool sequenceParallel = false;
    double fabric = 0.0;         // between two GPUs of the node, bytes/s; 0 = the kind's own
    double fabricLatency = 2e-6; // s
    int fabricGpus = 8;          // in the node
    LinearTime tensor;           // all-reduce of a tensor-parallel group over several nodes; zero: inside one
    LinearTime context; // all-gather over a context-parallel group of several nodes; zero: inside one
    LinearTime experts; // all-to-all over an expert-parallel group of several nodes; zero: inside one
    LinearTime gather;  // all-gather over the ranks that share a layer's weights (ZeRO-3); zero: not sharded
    std::int64_t seq = 0; // tokens a sequence; 0 = the recipe's
    double stall = 0.0;   // s that the host is held up in both passes of a block, besides its calls
    DividedBlock divided;
    auto operator<=>(const CostConfig&) const = default;
};

// The configuration's share of the device: kind, speed, and the fabric of its node.
void placeOn(CostConfig& config, const Topology& topology, DeviceIndex device);

// One layer, or one whole block, on one tensor-parallel rank for one micro-batch.
struct UnitCost {
    double forward = 0.0;    // s, with tensor-parallel communication
    double backward = 0.0;   // s, likewise, without recompute
    double recompute = 0.0;  // s, added to the backward pass
    double weightGrad = 0.0; // s, separable part of backward
    double comm = 0.0;       // s, exposed tensor-parallel part of forward + backward where known apart
    double shard = 0.0;      // s that gathering sharded weights adds to forward + backward
    double innerSync = 0.0;  // s, once an iteration: gradients summed inside a partitioned replica
    double update = 0.0;     // s, optimiser step with unsharded states
    double measured = 0.0;   // s of forward + backward + recompute that rest on measured rows
    double parameters = 0.0; // of this rank
    double shared = 0.0,
           routed = 0.0;    // of these, with expert parallelism: of all replicas, of this one's experts
    double kept = 0.0;      // bytes kept per micro-batch in flight
    double transient = 0.0; // bytes alive during the layer's own pass
    double tensors = 0.0;   // parameter tensors
    Provenance provenance = Provenance::Estimated;
    Provenance updateProvenance = Provenance::Estimated;
    bool operator==(const UnitCost&) const = default;
};

// A run of whole blocks; embedding and head come with the first and the last one. `dp` shards optimiser
// states under ZeRO-1. A head that takes the embedding's matrix holds its own copy where it is away from it.
struct StageCost {
    double forward = 0.0, backward = 0.0; // s; backward with recompute
    double recompute = 0.0, weightGrad = 0.0, comm = 0.0, shard = 0.0, optimizer = 0.0, measured = 0.0;
    double innerSync = 0.0;                                       // s, once an iteration, inside the replica
    double shared = 0.0, routed = 0.0;                            // parameters, see UnitCost
    double weights = 0.0, gradients = 0.0, optimizerStates = 0.0; // bytes on a rank
    double kept = 0.0, transient = 0.0, communication = 0.0;      // bytes on a rank
    double tensors = 0.0;                               // parameter tensors, where each is gathered by itself
    double syncGradients = 0.0, syncWeights = 0.0;      // bytes that a rank reduces and gathers over dp
    Provenance provenance = Provenance::Measured;       // of forward and backward
    Provenance updateProvenance = Provenance::Measured; // of the optimiser step
    double total() const { return forward + backward; }
    double fixedMemory() const { return weights + gradients + optimizerStates + transient + communication; }
};

// Two runs of layers on the same rank.
StageCost sumOfStages(const StageCost& a, const StageCost& b);

// Unit costs of one configuration. Immutable.
class ConfigCosts {
public:
    ConfigCosts(const Problem& problem, const CostConfig& config);

    // Fine layers first..last, both included. A head needs no copy of the embedding where another chunk of
    // the same devices holds the embedding.
    StageCost stage(int firstLayer, int lastLayer, int dp, int zero, bool embeddingIsHere = false) const;
    // Blocks [first, end); the embedding joins block 0 and the head the last one.
    StageCost blocks(int first, int end, int dp, int zero) const {
        return stage(first == 0 ? 0 : 2 * first + 1, end == m_blocks ? 2 * m_blocks + 1 : 2 * end, dp, zero);
    }
    // A stage of `count` blocks that costs no more, in any figure, than every run of so many blocks: for
    // bounds. Linear in count: the mean block, less what the cheapest run falls short of it (blocks may
    // alternate).
    StageCost leastStage(int count, bool withEmbedding, bool withHead, int dp, int zero) const;
    // Likewise of runs of `count` blocks behind the leading dense ones (leadingDense()), where all are alike
    // in most models, and of so many leading ones with them.
    StageCost leastRun(int lead, int count, bool withEmbedding, bool withHead, int dp, int zero) const;
    // s of the block that takes least, and of the longest forward pass of one; the ends of runs aside.
    double quickestBlock() const;
    double longestForward() const;
    double endsForward() const { return m_ends.forward; } // of a run of divided blocks

    int operators() const { return m_operators; } // unit costs that were worked out to make it

private:
    void addUnit(StageCost& sum, const UnitCost& unit, double count) const;
    void finish(StageCost& sum, double parameters, int dp, int zero) const;

    int m_blocks;
    int m_operators = 0;
    double m_boundaryBytes; // one micro-batch's activation at a layer boundary, this replica
    StateBytes m_states;    // per parameter
    int m_shardRanks;       // of ZeRO; 0 = all
    double m_expertRanks;   // of those that share the weights, how many hold different experts; below 1 where
                            // an expert is on more devices than the other weights are
    double m_step = 0.0;    // s of the optimiser's step per parameter
    double m_largest = 0.0; // parameters of the largest block on a rank
    double m_tiedCopy;      // parameters of the head's own copy of the embedding's matrix
    UnitCost m_embedding, m_head; // the head with the layers that predict further tokens
    bool m_divided = false;
    UnitCost m_ends;                            // of a run of divided blocks
    std::vector<UnitCost> m_blockUnits;         // distinct
    std::vector<std::vector<int>> m_blockCount; // [unit][b]: blocks before b with this unit
    std::vector<UnitCost> m_attention, m_mlp;   // by distinct block unit
    std::vector<int> m_unitOf;                  // block -> unit
    // Runs of any of some blocks, see leastStage.
    struct Least {
        UnitCost mean, shortfall;
    };
    Least leastOf(int first, int end) const;
    StageCost leastStage(const Least& of, int lead, int count, bool withEmbedding, bool withHead, int dp,
                         int zero) const;
    Least m_any, m_behind; // all blocks; those behind the leading dense ones
    UnitCost m_lead;       // the least of each figure of these
};

// All configurations asked for so far. Shared by threads; entries never move or change.
class CostTable {
public:
    explicit CostTable(const Problem& problem) : m_problem(problem) {}
    const ConfigCosts& costs(const CostConfig& config) const;
    // What `name` stands for, made once.
    DividedBlock divided(const std::string& name, const std::function<DividedBlock()>& make) const;
    std::int64_t lookups() const { return counted(m_lookups); }
    std::int64_t hits() const { return counted(m_hits); }
    std::int64_t operators() const { return counted(m_operators); } // unit costs worked out, each once

private:
    std::int64_t counted(const std::int64_t& count) const {
        const std::lock_guard lock(m_mutex);
        return count;
    }

    const Problem& m_problem;
    mutable std::mutex m_mutex;
    mutable std::map<CostConfig, std::unique_ptr<ConfigCosts>> m_table;
    mutable std::map<std::string, DividedBlock> m_divided;
    mutable std::int64_t m_lookups = 0, m_hits = 0, m_operators = 0;
};

// Bytes of a number in the forward pass, and of one micro-batch's activation of `sequences` at a layer
// boundary.
double elementBytes(Precision precision);
double boundaryBytes(const Problem& problem, double sequences);

// Whether sequence parallelism is on for a stage of this tensor-parallel size (auto: whenever tp > 1 divides
// the sequence).
bool usesSequenceParallel(const Problem& problem, int tp);
// Whether the model can be cut into tp slices: heads, kv heads (or a multiple) of every kind of
// attention, ffn.
bool divides(const Model& model, int tp);

// What weakens a result, the same for every view: what the model's figures leave out, rows that are not
// believed, what the profile does not state.
Diagnostics problemNotes(const Problem& problem);

} // namespace pw
