// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/exchange/exports/export.h"
#include "core/exchange/launch_order.h"

#include <string>
#include <utility>
#include <vector>

namespace pw {

// A plan in the terms of Megatron core: what Megatron-LM's arguments, NeMo 2 and Megatron-Bridge all say,
// each in its own words.
struct MegatronRun {
    int tp = 1, pp = 1, vpp = 1, cp = 1, ep = 1, dp = 1;
    std::int64_t microbatchSize = 1; // of a replica
    std::int64_t microbatches = 1;
    bool sequenceParallel = false;
    bool distributedOptimizer = false;
    // What runs behind computation, as the plan was predicted: sums of gradients, gathers of stepped weights,
    // tensor-parallel communication, and sends between virtual stages.
    bool overlapsGradients = false, overlapsParameters = false, overlapsTensor = false, overlapsSends = false;
    Recompute recompute = Recompute::None;
    int recomputedBlocks = 0;    // Full only: the first of each stage; 0 = all
    std::vector<int> blocks;     // by virtual stage, in the order of the forward pass
    std::vector<bool> embedding; // virtual stages that hold it, and the head
    std::vector<bool> head;
    int furtherTokens = 0; // layers that predict them, with the head
    // Core before 0.13, which takes other numbers of blocks for the first and the last stage only; 0: the
    // same as the others.
    int firstBlocks = 0, lastBlocks = 0;
    LaunchOrder order;

    int world() const { return tp * cp * dp * pp; }
    // "Et*5|t*9|t*9|t*9L": PP * VPP segments, no groups, no commas; the canonical form of
    // --pipeline-model-parallel-layout. Layers that predict further tokens are "m" in front of L.
    std::string layout() const;
};

// Only for plans without a refusal.
MegatronRun megatronRun(const ExportInput& input);

// What differs between the releases that files are written for; all found in their arguments.py.
struct MegatronCore {
    bool layouts = true;     // --pipeline-model-parallel-layout: 0.13
    bool halfExperts = true; // experts in fp16, spread over ranks and as grouped products: 0.16
    bool bareNull = true;    // NullTokenizer has --vocab-size tokens: 0.18; before that one more
    // Layers that predict further tokens (pipeline_parallel_layer_layout.py:111 of 0.13 and arguments.py:973
    // of 0.12, 1231 of 0.16 refuse)
    bool furtherInLayouts = true; // stand in layouts: 0.14,
    bool furtherWithCp = true;    // beside context parallelism: 0.13,
    bool furtherLearned = true;   // and with learned positions: 0.17
    bool windows = true;          // blocks that attend locally: 0.15,
    bool windowPattern = true;    // beside others that do not: not in NeMo 2
    bool sharedExpertGate = true; // moe_layer.py:236 of 0.16; before, moe_module_specs.py:68 of 0.15 has none
    // Rotary positions of latent attention: a fused kernel takes them (transformer_config.py:930 of 0.12
    // refuses it, and it is on by default), and YaRN knows the longest sequence before the scaling, which is
    // 4096 (transformer_config.py:1442 of 0.14; in 0.13, and in what FlagScale stands on,
    // --max-position-embeddings is taken for it).
    bool fusedLatentRope = true; // 0.13
    bool latentScaling = true;   // 0.14, not FlagScale
    // Whether a plan of the model says its layers by a layout.
    bool takesLayout(const Model& model) const {
        return layouts && (furtherInLayouts || model.predictionDepth == 0);
    }
};
MegatronCore megatronCore(const std::string& release); // "0.19"; others stand on cores of their own

// The rules of Megatron-LM that no row of capabilityTable() has, those that it asserts and those that it
// leaves to fail in a running job.
void checkMegatron(const Problem& problem, const Plan& plan, const std::string& release,
                   std::vector<Refusal>& refusals);

// The model's own arguments, "--num-layers" and its value; an empty value is a bare flag.
std::vector<std::pair<std::string, std::string>>
megatronModelArguments(const Problem& problem, const Plan& plan, const MegatronCore& core);
// Of rotary positions that are scaled, the flags that say it; empty where none do. Llama 3's other numbers
// are the trainer's own (rotary_pos_embedding.py:92 of 0.19), and its linear scaling takes whole factors.
// Latent attention knows YaRN alone.
std::vector<std::pair<std::string, std::string>> megatronScaling(const Model& model,
                                                                 const MegatronCore& core);
// What NullTokenizer is given so that the trainer's vocabulary is the model's.
std::int64_t nullVocabulary(const Model& model, const MegatronCore& core);

// Kinds in use that are older than what the trainers on the core are built for; `how` one does without that:
// "run with ..."
void warnOfOldKinds(const Problem& problem, const Plan& plan, const Wording& how, Diagnostics& notes);
// What the trainer does otherwise than planned, or is not told because the model does not say it.
void megatronNotes(const Problem& problem, const Plan& plan, const std::string& release, Diagnostics& notes);
// What the trainers on the core refuse of a model: windows of several sizes or before core 0.15, a gate on
// shared experts before 0.16, layers that predict further tokens beside learned positions before 0.17.
void checkMegatronQuestion(const Problem& problem, const std::string& release,
                           std::vector<Refusal>& refusals);
// Of stages: experts without sequence parallelism beside tensor parallelism, or spread over ranks in fp16
// before 0.16; context parallelism beside layers that predict further tokens before 0.13.
void checkMegatronStages(const Problem& problem, const Plan& plan, const MegatronCore& core,
                         std::vector<Refusal>& refusals);

// The window of the blocks that attend locally, 0 where none does; and where others do not, which blocks do:
// "([1]*1+[0]*1)".
std::int64_t megatronWindow(const Model& model);
std::string megatronWindowPattern(const Model& model);

// Lines for the head of a file: what runs where, with '#' in front.
std::string megatronSummary(const ExportInput& input, const MegatronRun& run, const std::string& release);

} // namespace pw
