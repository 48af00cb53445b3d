// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
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
    can.unequalShares = can.microbatchSizes = can.microbatchCounts = can.replicaShapes = false;
    can.cp = can.ep = Grain::Plan;
    can.schedules = {k1F1B, kInterleaved};
    can.freeLaunch = false;
    can.zero = {0, 1};
    can.zeroGrain = Grain::Plan;
    can.sequenceParallel = Grain::Plan;
    can.partitions = can.subLayers = false;
    can.models = kMegatronModels | traits({ModelTrait::Experts, ModelTrait::LatentAttention});
    can.precisions = {Precision::Bf16, Precision::Fp16, Precision::Fp32, Precision::Tf32};
    return can;
}

Capability megatronPython() {
    Capability can = megatron();
    can.precisions = {Precision::Bf16, Precision::Fp16};
    return can;
}

// A tensor and data size a process mesh, which may be one stage; ranks follow the device types.
Capability flagscale() {
    Capability can = megatron();
    can.tp = Grain::Stage;
    can.dp = Replication::Stages;
    can.stageSizes = true;
    can.placement = Placement::NodeOrder;
    can.kindsInStage = KindsInStage::One;
    can.recompute = Grain::Stage;
    can.virtualStages = false;
    can.cp = can.ep = Grain::No;
    can.schedules = {k1F1B};
    can.loneEnds = false;
    can.repeatedKeys = false;
    can.models = kMegatronModels;
    return can;
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
         exportMegatron},
        {"nemo2",
         "NeMo 2",
         {{"2025-09", "NeMo 2 at 8cfedd72 (2025-09-20)"}},
         true,
         megatronPython(),
         checkNemo,
         exportNemo},
        {"megatron-bridge",
         "Megatron-Bridge",
         {{"2026-08", "Megatron-Bridge at 067f987d (2026-08-22)"}},
         true,
         megatronPython(),
         checkMegatron,
         exportMegatronBridge},
        {"flagscale",
         "FlagScale",
         {{"2025-11", "FlagScale, November 2025 layout"}},
         true,
         flagscale(),
         checkFlagscale,
         exportFlagscale},
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
