// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/partition/divided_block.h"
#include "tests/exchange/target_plans.h"

#include <functional>
#include <map>
#include <string>

namespace pw {

// What is done to a plan that a target takes, so that it answers with a code.
using Edit = std::function<void(TargetPlan&)>;

inline Stage& stageOf(TargetPlan& target, std::size_t i) {
    return target.plan.pipelines[0].stages[i];
}

// Of 32 micro-batches: more than 1F1B has in flight, fewer than GPipe.
inline int otherLaunch(int launch) {
    return launch < 16 ? launch + 2 : launch - 2;
}

inline void setKinds(TargetPlan& target, const char* kind) {
    for (Node& n : target.cluster.nodes)
        n.kind = kind;
}

inline const std::map<std::string, Edit>& edits() {
    static const std::map<std::string, Edit> table = {
        {"E_TP_PER_STAGE",
         [](TargetPlan& t) {
             Stage& s = t.plan.pipelines[0].stages.back();
             s.tp = 1;
             s.replicas = replicas(12, 4, 1);
         }},
        {"E_TP_PER_STAGE 4 behind 3",
         [](TargetPlan& t) {
             stageOf(t, 1).tp = 3;
             stageOf(t, 2).tp = 4;
         }},
        {"E_DP_PER_STAGE",
         [](TargetPlan& t) { t.plan.pipelines[0].stages.back().replicas = replicas(12, 1, 2); }},
        {"E_DP_PER_STAGE 3 behind 2", [](TargetPlan& t) { stageOf(t, 1).replicas = replicas(4, 3, 1); }},
        {"E_STAGE_SIZE",
         [](TargetPlan& t) { t.plan.pipelines[0].stages.back().replicas = replicas(12, 1, 2); }},
        {"E_STAGE_SIZE nodes", [](TargetPlan&) {}}, // 8 GPUs in one node, 4 in the others
        {"E_NONCONTIGUOUS_DEVICES",
         [](TargetPlan& t) {
             stageOf(t, 0).replicas[1].devices = {8, 9};
             stageOf(t, 2).replicas[0].devices = {2, 3};
         }},
        {"E_DEVICE_TYPE_ORDER",
         [](TargetPlan& t) { std::swap(stageOf(t, 1).replicas, stageOf(t, 2).replicas); }},
        {"E_DEVICE_TYPE_ORDER kinds", [](TargetPlan& t) { stageOf(t, 1).replicas = replicas(8, 2, 2); }},
        {"E_RECOMPUTE_PER_STAGE", [](TargetPlan& t) { stageOf(t, 1).recompute = Recompute::Full; }},
        {"E_RECOMPUTE_PER_STAGE selective",
         [](TargetPlan& t) { stageOf(t, 1).recompute = Recompute::Selective; }},
        {"E_RECOMPUTE_PER_STAGE part",
         [](TargetPlan& t) {
             for (Stage& s : t.plan.pipelines[0].stages)
                 s.recompute = Recompute::Full;
             stageOf(t, 0).recomputeLayers = 3;
         }},
        {"E_MB_SPLIT_UNEVEN",
         [](TargetPlan& t) {
             stageOf(t, 1).replicas[0].share = 0.75;
             stageOf(t, 1).replicas[1].share = 0.25;
         }},
        {"E_MB_SPLIT_UNEVEN odd",
         [](TargetPlan& t) {
             t.plan.pipelines[0].microbatchSize = 1;
             t.plan.pipelines[0].microbatches = 128;
         }},
        {"E_REPLICA_SHAPE", [](TargetPlan& t) { t.plan.pipelines.push_back(t.plan.pipelines[0]); }},
        {"E_LAYER_ORDER", [](TargetPlan& t) { std::swap(stageOf(t, 0).chunks, stageOf(t, 1).chunks); }},
        {"E_EMPTY_STAGE",
         [](TargetPlan& t) {
             stageOf(t, 0).chunks = {{0, 0}};
             stageOf(t, 1).chunks[0].first = 1;
         }},
        {"E_EMPTY_STAGE nothing",
         [](TargetPlan& t) {
             stageOf(t, 1).chunks = {{21, 20}};
         }},
        {"E_DIVIDE_HEADS",
         [](TargetPlan& t) {
             for (Stage& s : t.plan.pipelines[0].stages)
                 s.tp = 3;
         }},
        {"E_DIVIDE_GBS", [](TargetPlan& t) { --t.plan.pipelines[0].microbatches; }},
        {"E_VPP", [](TargetPlan& t) { t.plan.pipelines[0].schedule.chunks = 2; }},
        {"E_VPP groups",
         [](TargetPlan& t) {
             t.plan = sampleChunkedPlan(ScheduleKind::Interleaved);
             t.plan.pipelines[0].microbatches = 31;
         }},
        {"E_CP", [](TargetPlan& t) { stageOf(t, 1).cp = 2; }},
        {"E_EP", [](TargetPlan& t) { stageOf(t, 1).ep = 2; }},
        {"E_TIED_EMBED",
         [](TargetPlan& t) {
             t.model.tied = true;
             t.plan.pipelines[0].stages.back().tp = 4;
             t.plan.pipelines[0].stages.back().replicas = replicas(12, 1, 4);
         }},
        {"E_UNSUPPORTED_MODEL family", [](TargetPlan& t) { t.model.family = "phi3"; }},
        {"E_UNSUPPORTED_MODEL router",
         [](TargetPlan& t) {
             t.model.experts.count = 8;
             t.model.experts.perToken = 2;
             t.model.experts.ffn = t.model.ffn;
             t.model.experts.routerBias = true;
         }},
        {"E_UNSUPPORTED_MODEL",
         [](TargetPlan& t) {
             t.model.window.assign(32, 256);
             t.model.chunks = true;
         }},
        {"E_SCHEDULE zb-1p", [](TargetPlan& t) { t.plan = sampleChunkedPlan(ScheduleKind::Zb1p); }},
        {"E_UNSUPPORTED_MODEL further tokens", [](TargetPlan& t) { t.model.predictionDepth = 1; }},
        {"E_UNSUPPORTED_MODEL size", [](TargetPlan& t) { t.model.ffn += 128; }},
        {"E_UNSUPPORTED_MODEL sequence", [](TargetPlan& t) { t.recipe.seq = 2048; }},
        {"E_UNSUPPORTED_MODEL heads", [](TargetPlan& t) { t.model.kvHeads = 8; }},
        {"E_UNSUPPORTED_MODEL rotary base", [](TargetPlan& t) { t.model.rotaryBase = 500000.0; }},
        {"E_UNSUPPORTED_MODEL rotary scaling",
         [](TargetPlan& t) {
             t.model.rotaryScaling = {"linear", 2.0, 0, 0.0, 0.0};
         }},
        {"E_UNSUPPORTED_MODEL yarn",
         [](TargetPlan& t) {
             t.model.rotaryScaling = {"yarn", 4.0, 0, 0.0, 0.0};
         }},
        {"E_UNSUPPORTED_MODEL learned positions",
         [](TargetPlan& t) { t.model.learnedPositions = t.model.positions; }},
        {"E_UNSUPPORTED_MODEL query norms", [](TargetPlan& t) { t.model.queryKeyNorm = true; }},
        {"E_UNSUPPORTED_MODEL shared experts",
         [](TargetPlan& t) {
             Experts& e = t.model.experts;
             e.count = 8;
             e.perToken = 2;
             e.shared = 1;
             e.ffn = e.sharedFfn = t.model.ffn;
         }},
        {"E_UNSUPPORTED_MODEL dense blocks",
         [](TargetPlan& t) {
             Experts& e = t.model.experts;
             e.count = 8;
             e.perToken = 2;
             e.ffn = t.model.ffn;
             e.denseBlocks = {0};
         }},
        {"E_DIVIDE_HEADS words", [](TargetPlan& t) { t.model.vocab = 32001; }},
        {"E_SCHEDULE",
         [](TargetPlan& t) {
             PlanSchedule& schedule = t.plan.pipelines[0].schedule;
             schedule.kind = ScheduleKind::H1F1B;
             for (int& l : schedule.launch)
                 l = otherLaunch(l);
         }},
        {"E_SCHEDULE counts",
         [](TargetPlan& t) {
             int& l = t.plan.pipelines[0].schedule.launch[0];
             l = otherLaunch(l);
         }},
        {"E_SCHEDULE divided backward",
         [](TargetPlan& t) { t.plan = sampleChunkedPlan(ScheduleKind::ZbH1); }},
        {"E_SCHEDULE two kinds",
         [](TargetPlan& t) {
             t.plan.pipelines.push_back(t.plan.pipelines[0]);
             t.plan.pipelines[1].schedule = {ScheduleKind::OneFOneB, LaunchRule::Artifact, 1, {4, 3, 2, 1}};
         }},
        {"E_SUBLAYER",
         [](TargetPlan& t) {
             --stageOf(t, 0).chunks[0].last;
             --stageOf(t, 1).chunks[0].first;
         }},
        {"E_PARTITION",
         [](TargetPlan& t) {
             Stage& s = stageOf(t, 1);
             s.partition = partition::steadyWays(*t.problem(), {8, 9, 10, 11}, 4, 32, true).front();
         }},
        {"E_SHARDING",
         [](TargetPlan& t) { stageOf(t, 0).zero = t.plan.pipelines[0].stages[0].zero == 0 ? 1 : 3; }},
        {"E_SHARDING 3",
         [](TargetPlan& t) {
             for (Stage& s : t.plan.pipelines[0].stages)
                 s.zero = 3;
         }},
        {"E_SHARDING 0 and 2", [](TargetPlan& t) { stageOf(t, 0).zero = 2; }},
        {"E_LOCAL_MIX",
         [](TargetPlan& t) {
             std::swap(stageOf(t, 1).replicas[1], stageOf(t, 2).replicas[0]);
             stageOf(t, 1).replicas[0].share = 0.75;
             stageOf(t, 1).replicas[1].share = 0.25;
         }},
        {"E_SEQUENCE_PARALLEL",
         [](TargetPlan& t) { stageOf(t, 1).sequenceParallel = !stageOf(t, 1).sequenceParallel; }},
        {"E_PRECISION fp32", [](TargetPlan& t) { t.recipe.precision = Precision::Fp32; }},
        {"E_PRECISION fp8",
         [](TargetPlan& t) {
             setKinds(t, "H100-SXM-80GB");
             t.recipe.precision = Precision::Fp8;
         }},
        {"E_PRECISION kernels",
         [](TargetPlan& t) { // both stages on V100
             stageOf(t, 0).replicas = replicas(8, 2, 2);
             stageOf(t, 1).replicas = replicas(12, 2, 2);
         }},
        {"E_OPTIMIZER", [](TargetPlan& t) { t.recipe.optimizer = Optimizer::Sgd; }},
        {"E_SHARDING sgd",
         [](TargetPlan& t) {
             t.recipe.optimizer = Optimizer::Sgd;
             for (Stage& s : t.plan.pipelines[0].stages)
                 s.zero = 1;
         }},
        {"E_VENDOR", [](TargetPlan& t) { setKinds(t, "MI300X-192GB"); }},
        {"E_VENDOR neither", [](TargetPlan& t) { setKinds(t, "Ascend 910B"); }},
        {"E_VENDOR_MIX", [](TargetPlan& t) { t.cluster.nodes.back().kind = "MI300X-192GB"; }},
        {"E_VENDOR_MIX one of them", [](TargetPlan& t) { t.cluster.nodes.back().kind = "Ascend 910B"; }},
        {"E_PRECISION fp16", [](TargetPlan& t) { t.recipe.precision = Precision::Fp16; }},
        {"E_HOST_NAME",
         [](TargetPlan& t) {
             const auto spoil = [](std::string& id) { id = id[0] == 'n' ? "n$" + id.substr(1) : id; };
             for (Node& n : t.cluster.nodes)
                 spoil(n.id);
             for (Link& l : t.cluster.links) {
                 spoil(l.a);
                 spoil(l.b);
             }
         }},
        {"E_SHARDING over tensor parallelism",
         [](TargetPlan& t) {
             for (Stage& s : t.plan.pipelines[0].stages)
                 s.zero = 2;
         }},
        {"E_TP_PER_STAGE one pipeline",
         [](TargetPlan& t) {
             t.plan.pipelines[0].microbatchSize = 1;
             t.plan.pipelines[0].microbatches = t.recipe.gbs;
             for (Stage& s : t.plan.pipelines[0].stages) {
                 s.replicas.resize(1);
                 s.replicas[0].share = 1.0;
             }
         }},
        {"E_TP_PER_STAGE in two pipelines",
         [](TargetPlan& t) {
             std::vector<Pipeline>& pipelines = t.plan.pipelines;
             pipelines.push_back(pipelines[0]);
             for (Pipeline& p : pipelines) {
                 p.microbatches /= 2;
                 p.share = 0.5;
                 for (Stage& s : p.stages)
                     s.replicas = replicas(s.replicas[&p == &pipelines[0] ? 0 : 1].devices.front(), 1, 2);
             }
             pipelines[1].stages[1].tp = 1;
             pipelines[1].stages[1].sequenceParallel = false;
             pipelines[1].stages[1].replicas[0].devices.pop_back();
         }},
        {"E_UNEVEN_LAYERS", [](TargetPlan&) {}},
        {"E_NO_WRITER", [](TargetPlan&) {}},
    };
    return table;
}

} // namespace pw
