// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/document/plan_document.h"
#include "core/exchange/exports/exporters.h"
#include "core/exchange/exports/megatron_run.h"

#include <nlohmann/json.hpp>

namespace pw {

namespace {

// What every Megatron-based trainer here runs.
constexpr ModelTraits kMegatronModels =
    traits({ModelTrait::Rotary, ModelTrait::LearnedPositions, ModelTrait::GatedMlp, ModelTrait::PlainMlp,
            ModelTrait::GroupedHeads, ModelTrait::WideHeads, ModelTrait::RmsNorm, ModelTrait::LayerNorm,
            ModelTrait::Tied, ModelTrait::Untied, ModelTrait::NoBias, ModelTrait::BiasOnQkv,
            ModelTrait::BiasEverywhere, ModelTrait::QueryKeyNorm});

constexpr ScheduleChoice k1F1B = {ScheduleKind::OneFOneB, LaunchRule::Artifact};
constexpr ScheduleChoice kInterleaved = {ScheduleKind::Interleaved, LaunchRule::Artifact};

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

void checkDeepspeedQuestion(const Problem&, const std::string&, std::vector<Refusal>& refusals) {
    refusals.push_back(
        {"E_NO_WRITER", "plan",
         "DeepSpeed works out the boundaries of stages itself (PipelineModule), and no setting "
         "states uneven ones; a user would have to subclass it"});
}

void checkAlpaQuestion(const Problem&, const std::string&, std::vector<Refusal>& refusals) {
    refusals.push_back({"E_NO_WRITER", "plan",
                        "Alpa takes a Python object (ManualStageOption) for hosts that are alike, picks the "
                        "hosts itself, and is not maintained since 2023"});
}

Capability launchable() {
    Capability can;
    can.placement = Placement::TwoOrders;
    can.replicaShapes = false;
    return can;
}

} // namespace

const std::vector<ExporterRow>& exporterTable() {
    static const std::vector<ExporterRow> table = {
        // First: what is offered to those who have no trainer yet, since it runs nearly any plan.
        {"runner",
         "Pipewright's runner",
         {{"1", "the runner of this version, PyTorch 1.13 and later"}},
         true,
         runner(),
         checkRunner,
         exportRunner,
         runnerNotes,
         checkRunnerQuestion},
        {"megatron",
         "Megatron-LM",
         {{"0.19", "Megatron-LM core 0.19.0 (2026-08-19)"},
          {"0.18", "Megatron-LM core 0.18.2 (2026-07-20)"},
          {"0.17", "Megatron-LM core 0.17.1 (2026-05-25)"},
          {"0.16", "Megatron-LM core 0.16.1 (2026-03-16)"},
          {"0.15", "Megatron-LM core 0.15.3 (2026-02-06)"},
          {"0.14", "Megatron-LM core 0.14.0 (2025-10-08)"},
          {"0.13", "Megatron-LM core 0.13.1 (2025-08-11)"},
          {"0.12", "Megatron-LM core 0.12, without pipeline layouts"}},
         true,
         megatron(),
         checkMegatron,
         exportMegatron,
         megatronNotes,
         checkMegatronQuestion},
        {"nemo2",
         "NeMo 2",
         {{"2025-09", "NeMo 2 at 8cfedd72 (2025-09-20)"}},
         true,
         megatron(),
         checkNemo,
         exportNemo,
         nemoNotes,
         checkMegatronQuestion},
        {"megatron-bridge",
         "Megatron-Bridge",
         {{"2026-08", "Megatron-Bridge at 067f987d (2026-08-22)"}},
         true,
         megatron(),
         checkMegatron,
         exportMegatronBridge,
         megatronBridgeNotes,
         checkMegatronQuestion},
        {"flagscale",
         "FlagScale",
         {{"2025-11", "FlagScale, November 2025 layout"}},
         true,
         flagscale(),
         checkFlagscale,
         exportFlagscale,
         megatronNotes,
         checkMegatronQuestion},
        {"hexiscale",
         "HexiScale",
         {{"2025-03", "HexiScale (FlashFlex) at 5ee1726b (2025-03-13)"}},
         true,
         hexiscale(),
         checkHexiscale,
         exportHexiscale,
         hexiscaleNotes,
         checkHexiscaleQuestion},
        {"hetu",
         "Hetu",
         {{"2025-07", "Hetu at 9e47240d (2025-07-18)"}},
         true,
         hetu(),
         checkHetu,
         exportHetu,
         hetuNotes,
         checkHetuQuestion},
        {"torchtitan",
         "torchtitan",
         {{"main", "torchtitan main at b5bcd76c (2026-08-21)"},
          {"0.2", "torchtitan 0.2.0 to 0.2.2 (2026-02-20)"},
          {"0.1", "torchtitan 0.1.0 (2025-06-17)"}},
         true,
         torchtitan(),
         checkTorchtitan,
         exportTorchtitan,
         nullptr,
         checkTorchtitanQuestion},
        {"aceso",
         "Aceso",
         {{"2023-10", "Aceso, EuroSys artifact at 53d00368 (2023-10-28)"}},
         true,
         aceso(),
         checkAceso,
         exportAceso,
         nullptr,
         checkAcesoQuestion},
        {"galvatron",
         "Galvatron",
         {{"2026-06", "Hetu-Galvatron at cea12ffb (2026-06-16)"}},
         true,
         galvatron(),
         checkGalvatron,
         exportGalvatron,
         galvatronNotes,
         checkGalvatronQuestion},
        {"deepspeed",
         "DeepSpeed",
         {{"2026-08", "DeepSpeed at edaa7221 (2026-08-22)"}},
         true,
         deepspeed(),
         nullptr,
         nullptr,
         nullptr,
         checkDeepspeedQuestion},
        {"alpa",
         "Alpa",
         {{"2023-12", "Alpa at b8078a9f (2023-12-09)"}},
         true,
         alpa(),
         nullptr,
         nullptr,
         nullptr,
         checkAlpaQuestion},
        {"torch-schedule",
         "PyTorch pipelining schedule",
         {{"2026-08", "torch.distributed.pipelining at 00722e64 (2026-08)"}},
         false,
         torchSchedule(),
         nullptr,
         exportTorchSchedule},
        {"launch",
         "Launch files",
         {{"any", "torchrun with static rendezvous; Slurm 20.11 and later"}},
         false,
         launchable(),
         checkLaunch,
         exportLaunch},
        {"chrome-trace",
         "Chrome trace",
         {{"any", "Trace Event Format (Perfetto, chrome://tracing)"}},
         false,
         {},
         nullptr,
         exportChromeTrace},
        {"csv", "Tables", {{"any", "CSV (RFC 4180)"}}, false, {}, nullptr, exportTables},
        {"plan",
         "Plan document",
         {{"1", "Pipewright plan document"}},
         false,
         {},
         nullptr,
         exportPlanDocument},
    };
    return table;
}

std::vector<ExportFile> exportPlanDocument(const ExportInput& input) {
    SearchOutcome outcome = input.outcome;
    outcome.plans = {FoundPlan{input.plan, input.evaluation}};
    return {{"plan.json", printJson(planDocument(input.problem, outcome))}};
}

} // namespace pw
