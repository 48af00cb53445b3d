// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/exports/capabilities.h"

namespace pw::capabilities {

namespace {

// What every Megatron-based trainer here runs.
constexpr ModelTraits kMegatronModels =
    traits({ModelTrait::Rotary, ModelTrait::LearnedPositions, ModelTrait::GatedMlp, ModelTrait::PlainMlp,
            ModelTrait::GroupedHeads, ModelTrait::WideHeads, ModelTrait::RmsNorm, ModelTrait::LayerNorm,
            ModelTrait::Tied, ModelTrait::Untied, ModelTrait::NoBias, ModelTrait::BiasOnQkv,
            ModelTrait::BiasEverywhere, ModelTrait::QueryKeyNorm});

constexpr const char* kNvidia = "NVIDIA";
constexpr const char* kAmd = "AMD";

constexpr ScheduleChoice k1F1B = {ScheduleKind::OneFOneB, LaunchRule::Artifact};
constexpr ScheduleChoice kInterleaved = {ScheduleKind::Interleaved, LaunchRule::Artifact};

} // namespace

// One tensor, data and pipeline size for the whole run; the order of the nodes and the numbers of layers are
// all that may differ between stages.
Capability megatron() {
    Capability can;
    can.tp = Grain::Plan;
    can.dp = Replication::Uniform;
    can.stageSizes = false;
    can.placement = Placement::TwoOrders;
    can.kindsInStage = KindsInStage::EqualShares;
    can.recompute = Grain::Plan;
    can.recomputeOver = false;
    can.unequalShares = can.microbatchSizes = can.microbatchCounts = can.replicaShapes = false;
    can.cp = can.ep = Grain::Plan;
    can.schedules = {k1F1B, kInterleaved};
    can.freeLaunch = false;
    can.zero = {0, 1};
    can.zeroGrain = Grain::Plan;
    can.sequenceParallel = Grain::Plan;
    can.partitions = can.subLayers = false;
    can.models = kMegatronModels |
                 traits({ModelTrait::Experts, ModelTrait::SharedExpertGate, ModelTrait::LatentAttention,
                         ModelTrait::FurtherTokens, ModelTrait::LocalAttention});
    can.precisions = {Precision::Bf16, Precision::Fp16, Precision::Fp32, Precision::Tf32};
    can.shardsSgd = false; // asserted: megatron/core/optimizer/distrib_optimizer.py
    can.vendors = {kNvidia, kAmd};
    can.mixesVendors = false;
    return can;
}

// The same, set up from Python by files that name no optimizer.
Capability nemo() {
    Capability can = megatron();
    can.optimizers = {Optimizer::Adam};
    can.vendors = {kNvidia};
    return can;
}

// A tensor, data and expert size a process mesh, which may be one stage; ranks follow the device types.
Capability flagscale() {
    Capability can = megatron();
    can.tp = Grain::Stage;
    can.dp = Replication::Stages;
    can.stageSizes = true;
    can.placement = Placement::NodeOrder;
    can.kindsInStage = KindsInStage::One;
    can.recompute = Grain::Stage;
    can.virtualStages = false;
    can.cp = Grain::No;
    can.ep = Grain::Stage;
    can.foldsExperts = false;
    can.schedules = {k1F1B};
    can.loneEnds = false;
    can.repeatedKeys = false;
    can.vendors = {}; // and between them through the CPUs: flagscale_layout.cpp
    can.mixesVendors = true;
    return can;
}

// A replica is a pipeline of its own, of any shape, on any ranks.
Capability hexiscale() {
    Capability can = flagscale();
    can.dp = Replication::Pipelines;
    can.ep = Grain::No;
    can.placement = Placement::Explicit;
    can.kindsInStage = KindsInStage::Any;
    can.recompute = Grain::Plan;
    can.recomputeModes = {Recompute::None, Recompute::Full};
    can.recomputeFirst = false;
    can.microbatchSizes = can.microbatchCounts = can.replicaShapes = true;
    can.schedules = {{ScheduleKind::GPipe, LaunchRule::Artifact},
                     {ScheduleKind::OneFOneB, LaunchRule::Artifact, true}}; // by rounds: hexiscale.cpp
    can.zero = {0, 2}; // 3 is given a hook of other arguments: hexiscale/heterogeneous_pipeline.py:690
    // The model is built without its group (llama/modules/hybrid_parallel_model_dist.py:166), so that with
    // --seq-parallel sequences stay whole and blocks gather the same ones from all their GPUs.
    can.sequenceParallelModes = {false};
    can.models = traits({ModelTrait::Rotary, ModelTrait::GatedMlp, ModelTrait::RmsNorm, ModelTrait::Untied,
                         ModelTrait::NoBias});
    can.precisions = {Precision::Bf16, Precision::Fp16, Precision::Fp32};
    can.optimizers = {Optimizer::Adam};
    can.vendors = {kNvidia, kAmd};
    can.mixesVendors = false;
    return can;
}

Capability hetu() {
    Capability can = hexiscale();
    can.recompute = Grain::Stage;
    can.recomputeFirst = true;
    can.microbatchSizes = false;
    can.cp = Grain::Plan;
    can.schedules = {k1F1B};
    can.zero = {0, 1};
    can.sequenceParallelModes = {true};
    // Those of its Llama, which is written, and of its GPT, which is not: hetu.cpp says so.
    can.models = traits({ModelTrait::Rotary, ModelTrait::GatedMlp, ModelTrait::GroupedHeads,
                         ModelTrait::WideHeads, ModelTrait::RmsNorm, ModelTrait::Untied, ModelTrait::NoBias,
                         ModelTrait::BiasEverywhere, ModelTrait::MixedBias, ModelTrait::LearnedPositions,
                         ModelTrait::PlainMlp, ModelTrait::LayerNorm, ModelTrait::Tied, ModelTrait::Relu});
    can.vendors = {kNvidia};
    can.precisions = {Precision::Bf16}; // flash attention is asserted: models/llama/llama_model.py:251
    return can;
}

// Sharded data parallelism (FSDP) only. Any order of passes can be handed over as a CSV.
Capability torchtitan() {
    Capability can = megatron();
    can.placement = Placement::NodeOrder;
    can.recomputeFirst = false;
    can.schedules = {};
    can.notSearched = {ScheduleKind::ZbH1, ScheduleKind::Zb1p, ScheduleKind::Zb2p, ScheduleKind::ZbV};
    can.freeLaunch = true;
    can.zero = {2, 3};
    can.repeatedKeys = false; // main: models/common/decoder.py:195
    // What its families have together; torchtitan_models.h says which sizes of them, and
    // torchtitan_transformers.h what is built of other sizes.
    can.models = traits({ModelTrait::Rotary, ModelTrait::GatedMlp, ModelTrait::GroupedHeads,
                         ModelTrait::WideHeads, ModelTrait::RmsNorm, ModelTrait::Tied, ModelTrait::Untied,
                         ModelTrait::NoBias, ModelTrait::BiasOnQkv, ModelTrait::QueryKeyNorm,
                         ModelTrait::Experts, ModelTrait::LatentAttention, ModelTrait::FurtherTokens,
                         ModelTrait::LocalAttention, ModelTrait::BiasEverywhere, ModelTrait::MixedBias,
                         ModelTrait::AttentionParts, ModelTrait::ExpertParts, ModelTrait::OwnFormulas});
    can.precisions = {Precision::Bf16, Precision::Fp32};
    can.optimizers = {Optimizer::Adam};
    return can;
}

// samples/runner: what its plan.py, shape.py and placement.py refuse, and nothing else. The launch-count
// kinds stand as a search has them by default, so that its Space for this target is the open one.
Capability runner() {
    Capability can;
    can.cp = Grain::No;
    can.foldsExperts = false;
    can.partitions = false;
    can.zero = {0, 1, 2};
    can.schedules = Space().schedules;
    for (const ScheduleKind kind : {ScheduleKind::Interleaved, ScheduleKind::ZbH1, ScheduleKind::ZbV})
        can.schedules.push_back({kind, LaunchRule::Artifact});
    can.models = kMegatronModels |
                 traits({ModelTrait::Experts, ModelTrait::SharedExpertGate, ModelTrait::LocalAttention,
                         ModelTrait::Relu, ModelTrait::ParallelBlocks, ModelTrait::EmbedProjection,
                         ModelTrait::NoFinalNorm, ModelTrait::PositionRows, ModelTrait::MixedBias});
    can.precisions = {Precision::Bf16, Precision::Fp16, Precision::Fp32, Precision::Tf32};
    can.vendors = {kNvidia, kAmd}; // torch.cuda, and NCCL or RCCL under its name
    can.mixesVendors = false;
    return can;
}

// The order of passes alone.
Capability torchSchedule() {
    Capability can;
    can.partitions = false;
    return can;
}

// GPT-2-like models, operator by operator: even a cut inside a block.
Capability aceso() {
    Capability can = flagscale();
    can.ep = Grain::No;
    can.kindsInStage = KindsInStage::EqualShares;
    can.subLayers = can.loneEnds = true;
    can.zero = {0};
    can.sequenceParallelModes = {false};
    can.models = traits({ModelTrait::LearnedPositions, ModelTrait::PlainMlp, ModelTrait::LayerNorm,
                         ModelTrait::Tied, ModelTrait::BiasEverywhere});
    can.precisions = {Precision::Bf16, Precision::Fp16, Precision::Fp32};
    can.optimizers = {Optimizer::Adam};
    can.vendors = {kNvidia};
    can.mixesVendors = false;
    return can;
}

Capability galvatron() {
    Capability can = flagscale();
    can.stageSizes = false;
    can.placement = Placement::Automatic;
    can.recomputeModes = {Recompute::None, Recompute::Full};
    can.cp = can.ep = Grain::Stage;
    can.schedules = {k1F1B, {ScheduleKind::GPipe, LaunchRule::Artifact}};
    can.zero = {0, 2, 3};
    can.zeroGrain = Grain::Stage;
    // Asserted: galvatron/core/runtime/transformer/attention.py:142.
    can.sequenceParallelModes = {true};
    can.models = kMegatronModels | traits({ModelTrait::Experts}); // but those of checkGalvatronQuestion
    can.precisions = {Precision::Bf16, Precision::Fp16}; // of flash attention, asserted like the above
    can.optimizers = {Optimizer::Adam};
    can.vendors = {kNvidia, kAmd};
    can.mixesVendors = false;
    return can;
}

Capability deepspeed() {
    Capability can = megatron();
    can.unevenLayers = can.virtualStages = false;
    can.placement = Placement::NodeOrder;
    can.recomputeModes = {Recompute::None, Recompute::Full};
    can.recomputeFirst = false;
    can.cp = can.ep = Grain::No;
    can.schedules = {k1F1B};
    return can;
}

Capability alpa() {
    Capability can = flagscale();
    can.ep = Grain::No;
    can.placement = Placement::Automatic;
    can.recomputeModes = {Recompute::None};
    can.zero = {0, 3};
    can.models = ~ModelTraits{0};
    return can;
}

Capability launchable() {
    Capability can;
    can.placement = Placement::TwoOrders;
    can.replicaShapes = false;
    return can;
}

} // namespace pw::capabilities
