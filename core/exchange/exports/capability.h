// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/plan/plan.h"

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace pw {

// What an export target can express, as data: the capability matrix, the refusals that every target shares,
// the list of targets that could take what one refuses, and the Space of a search for a target all follow
// from one value a target. What only one target asks of a plan is that exporter's own check.

// Why a target cannot express a plan: never approximated. `where` names the stage or replica.
// The code is a row's of capabilityTable() ("E_SCHEDULE"), or the exporter's own; what is said is the plan's
// value and what the target allows.
struct Refusal : Remark {
    using Remark::Remark;
    std::vector<std::string> targets; // trainers of this problem that could express what is refused here
};
// The same as a reason of an error: "the message. Can be expressed by flagscale, hetu".
Error reasonOf(const Refusal& refusal);
// Refusals that say the same of several stages are one, at the place of the first: "stages 0 to 11",
// "stages 0, 2, 5 to 7". Places that are no stage of a plan's only pipeline stay apart.
std::vector<Refusal> saidOnce(const std::vector<Refusal>& refusals);

// How finely a setting may be chosen.
enum class Grain : std::uint8_t { No, Plan, Stage };

// Data parallelism: one size for all stages; a size a stage; or a replica is a pipeline of its own, so that
// the replicas of all stages must pair up.
enum class Replication : std::uint8_t { Uniform, Stages, Pipelines };

// What puts a stage on its GPUs.
enum class Placement : std::uint8_t {
    Automatic, // nothing that a plan could say: GPUs of one kind only
    NodeOrder, // the order of the nodes: ranks follow the stages, and a node holds consecutive ranks
    TwoOrders, // the same, or ranks that follow the pipelines: all stages of a replica one after the other
    Explicit,  // ranks or devices by name
};

enum class KindsInStage : std::uint8_t { One, EqualShares, Any };

// Properties of a model that not every trainer has. A target states those that it runs.
enum class ModelTrait : std::uint8_t {
    Rotary,
    LearnedPositions,
    GatedMlp,
    PlainMlp,
    GroupedHeads,
    WideHeads,
    RmsNorm,
    LayerNorm,
    Tied,
    Untied,
    NoBias,
    BiasOnQkv,
    BiasEverywhere,
    QueryKeyNorm,
    Experts,
    LatentAttention,
    // What no trainer here runs as the model means it.
    SharedExpertGate,
    LocalAttention,
    Relu,
    ParallelBlocks,
    Alibi,
    EmbedProjection,
    NoFinalNorm,
    PositionRows,
    MixedBias,
    FurtherTokens,
    AttentionParts,
    BlockNorms,
    ExpertParts,
    OwnFormulas,
    kCount
};
using ModelTraits = std::uint32_t; // bits by ModelTrait
constexpr ModelTraits traits(std::initializer_list<ModelTrait> list) {
    ModelTraits bits = 0;
    for (const ModelTrait t : list)
        bits |= ModelTraits{1} << static_cast<unsigned>(t);
    return bits;
}
ModelTraits traitsOf(const Model& model);
const char* words(ModelTrait trait); // "rotary positions"

// The default is a target that takes everything.
struct Capability {
    bool unevenLayers = true;
    Grain tp = Grain::Stage;
    Replication dp = Replication::Stages;
    bool stageSizes = true; // stages may hold different numbers of GPUs
    Placement placement = Placement::Explicit;
    KindsInStage kindsInStage = KindsInStage::Any;
    Grain recompute = Grain::Stage;
    std::vector<Recompute> recomputeModes = {Recompute::None, Recompute::Selective, Recompute::Full};
    bool recomputeFirst = true;   // of a stage's blocks the first ones only
    bool recomputeOver = true;    // that, counted over all virtual stages of a stage
    bool unequalShares = true;    // replicas of a stage take different parts of a micro-batch
    bool microbatchSizes = true;  // different ones in different pipelines
    bool microbatchCounts = true; // likewise
    bool replicaShapes = true;    // pipelines of different shape
    bool virtualStages = true;    // several pieces of the model a stage
    Grain cp = Grain::Stage, ep = Grain::Stage;
    bool foldsExperts =
        true; // ep may divide all devices of a stage, not its replicas alone: Stage::expertTp()
    std::vector<ScheduleChoice> schedules = {}; // empty: every one
    // Of these, what the own check of the first release refuses, though another one runs it: no search tries
    // it.
    std::vector<ScheduleKind> notSearched = {};
    bool freeLaunch = true; // launch counts other than the schedule's fixed ones
    std::vector<int> zero = {0, 1, 2, 3};
    Grain zeroGrain = Grain::Stage;
    Grain sequenceParallel = Grain::Stage;
    std::vector<bool> sequenceParallelModes = {false, true};
    bool partitions = true;   // of tensors in space and time (core/partition)
    bool subLayers = true;    // boundaries inside a transformer block
    bool loneEnds = true;     // a stage of only the embedding or the head
    bool repeatedKeys = true; // tp may be a multiple of the key-value heads, which are then repeated
    ModelTraits models = ~ModelTraits{0};
    std::vector<Precision> precisions = {}; // empty: every one
    std::vector<Optimizer> optimizers = {}; // empty: every one
    bool shardsSgd = true;                  // ZeRO of any optimizer, not of Adam alone
    std::vector<std::string> vendors = {};  // of GPUs that it runs on; empty: any
    bool mixesVendors = true;               // in one job

    std::vector<int> zeroOf(Optimizer optimizer) const;      // of `zero` what it has with that optimizer
    bool runsOn(const DeviceKind& kind) const;               // one of no known vendor is the user's own
    bool takes(ScheduleKind kind, std::size_t stages) const; // in pipelines of so many stages
    bool takes(ScheduleKind kind) const { return takes(kind, 2); }
    bool searches(ScheduleKind kind) const; // in its first release
};

// One row of the matrix.
struct CapabilityRow {
    const char* key;   // "tp-per-stage": documents
    const char* label; // "Tensor parallel by stage"
    const char* code;  // of its refusals
    // What the target allows, in a word or two: "yes", "no", "one for all".
    std::string (*allowed)(const Capability&);
    // Every reason why the plan does not go with it; codes and targets are filled in by the caller.
    void (*check)(const Capability&, const Problem&, const Plan&, std::vector<Refusal>&);
    bool ofAnyPlan = false; // the reasons are the question's, whatever the plan
};
const std::vector<CapabilityRow>& capabilityTable();

// The reasons of one row, with its code.
std::vector<Refusal> refusalsOf(const CapabilityRow& feature, const Capability& capability,
                                const Problem& problem, const Plan& plan);

// Names used by every exporter's messages: "stage 2", "stage 1.2" where there are several pipelines.
std::string stageName(const Plan& plan, std::size_t pipeline, std::size_t stage);

// What a trainer sets once for all stages: the values that they have, and the first stage, in the order in
// which they are added, whose value is not the one of those before it.
template <class Value>
class OneForAll {
public:
    void add(const Value& value, const std::string& stage) {
        if (m_values.insert(value).second && m_values.size() == 2)
            m_where = stage;
    }
    bool differ() const { return m_values.size() > 1; }
    const std::string& where() const { return m_where; }
    const std::set<Value>& values() const { return m_values; }

private:
    std::set<Value> m_values;
    std::string m_where;
};

// Whether the pipeline's own launch counts are those that a schedule of `kind` (GPipe or 1F1B) fixes.
bool runsAs(ScheduleKind kind, const Pipeline& pipeline);

// Kinds of the GPUs that the plan uses, each once, in the plan's order.
std::vector<const DeviceKind*> usedKinds(const Problem& problem, const Plan& plan);

// Whether all of them have bf16, and with it compute capability 8.0, which kernels ask for.
bool everyKindHasBf16(const Problem& problem, const Plan& plan);

// Whole blocks that a chunk holds; the half blocks of a cut inside a block do not count.
int wholeBlocks(const Model& model, const LayerRange& range);

// The number N for which "the first N blocks of every stage are recomputed" is what the stages do (all of
// their blocks where a stage has fewer); 0 if there is none.
int commonRecomputedBlocks(const Problem& problem, const Plan& plan);

} // namespace pw
