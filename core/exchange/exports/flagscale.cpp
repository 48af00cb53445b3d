// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/exports/exporters.h"
#include "core/exchange/exports/flagscale_layout.h"
#include "core/exchange/launch_order.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>

namespace pw {

namespace {

using flagscale::Host;
using flagscale::Layout;
using flagscale::Mesh;
using flagscale::RecomputeMode;
using flagscale::RecomputeRow;

// YAML of the three sections that the runner flattens into arguments: true is a bare flag, false is left out,
// so only true flags are written.
class Yaml {
public:
    template <class... Args>
    void line(int depth, fmt::format_string<Args...> format, Args&&... args) {
        m_text.append(static_cast<std::size_t>(2 * depth), ' ');
        fmt::format_to(std::back_inserter(m_text), format, std::forward<Args>(args)...);
        m_text += '\n';
    }
    void flag(int depth, const char* key, bool on) {
        if (on)
            line(depth, "{}: true", key);
    }
    std::string take() { return std::move(m_text); }

private:
    std::string m_text;
};

std::string rows(const std::vector<RecomputeRow>& list, std::int64_t microbatches) {
    std::string text;
    for (const RecomputeRow& row : list)
        text +=
            fmt::format("{}'[{}, {}, {}]'", text.empty() ? "" : ", ", row.stages, microbatches, row.value);
    return "[" + text + "]";
}

void writeRecompute(Yaml& yaml, const Layout& layout) {
    if (layout.recompute == RecomputeMode::None)
        return;
    yaml.line(1, "recompute:");
    if (layout.recompute == RecomputeMode::Selective) {
        yaml.line(2, "recompute_granularity: selective");
        return;
    }
    yaml.line(2, "recompute_granularity: full");
    yaml.line(2, "recompute_method: {}", layout.recompute == RecomputeMode::PerStage ? "block" : "uniform");
    yaml.line(2, "recompute_num_layers: 1");
    if (layout.recompute == RecomputeMode::FullEverywhere)
        return;
    const std::vector<RecomputeRow> block = {{static_cast<int>(layout.layers.size()), 1}};
    yaml.line(2, "recompute_granularity_per_stage_micro_batch: {}",
              rows(layout.granularity, layout.microbatches));
    yaml.line(2, "recompute_method_per_stage_micro_batch: {}", rows(block, layout.microbatches));
    yaml.line(2, "recompute_num_layers_per_stage_micro_batch: {}",
              rows(layout.recomputedLayers, layout.microbatches));
}

void writeSystem(Yaml& yaml, const ExportInput& input, const Layout& layout) {
    yaml.line(0, "system:");
    yaml.line(1, "tensor_model_parallel_size: {}", layout.meshes.front().tp);
    yaml.line(1, "pipeline_model_parallel_size: {}", layout.layers.size());
    yaml.flag(1, "sequence_parallel", layout.sequenceParallel);
    yaml.flag(1, "use_distributed_optimizer", layout.distributedOptimizer);
    yaml.flag(1, "bf16", input.problem.precision() == Precision::Bf16);
    yaml.flag(1, "fp16", input.problem.precision() == Precision::Fp16);
    writeRecompute(yaml, layout);
    std::vector<int> meshes;
    std::vector<std::string> types;
    for (const Mesh& mesh : layout.meshes) {
        meshes.insert(meshes.end(), {mesh.tp, 1, 1, mesh.dp, mesh.pp}); // tp, cp, ep, dp, pp
        types.push_back(mesh.type);
    }
    yaml.line(1, "hetero:");
    yaml.line(2, "enable_hetero: true");
    yaml.line(2, "hetero_pipeline_layer_split: [{}]", fmt::join(layout.layers, ", "));
    yaml.line(2, "hetero_process_meshes: [{}]", fmt::join(meshes, ", "));
    yaml.line(2, "hetero_device_types: [{}]", fmt::join(types, ", "));
    yaml.line(2, "hetero_current_device_type: {}", types.front());
    yaml.line(2, "standalone_embedding_stage: false");
    yaml.flag(2, "hetero_use_cpu_communication", layout.cpuCommunication);
    yaml.flag(2, "use_partial_reduce_for_shared_embedding", layout.partialReduceEmbedding);
}

void writeModel(Yaml& yaml, const ExportInput& input, const Layout& layout) {
    const Model& model = input.problem.model();
    const Recipe& recipe = input.problem.recipe();
    yaml.line(0, "model:");
    yaml.line(1, "num_layers: {}", model.blocks);
    yaml.line(1, "hidden_size: {}", model.hidden);
    yaml.line(1, "ffn_hidden_size: {}", model.ffn);
    yaml.line(1, "num_attention_heads: {}", model.heads);
    yaml.line(1, "kv_channels: {}", model.headDim);
    if (model.kvHeads != model.heads) {
        yaml.line(1, "group_query_attention: true");
        yaml.line(1, "num_query_groups: {}", model.kvHeads);
    }
    yaml.line(1, "seq_length: {}", recipe.seq);
    yaml.line(1, "max_position_embeddings: {}", std::max(model.positions, recipe.seq));
    yaml.line(1, "position_embedding_type: {}", model.learnedPositions > 0 ? "learned_absolute" : "rope");
    yaml.flag(1, "swiglu", model.gatedMlp);
    yaml.line(1, "normalization: {}", model.rmsNorm ? "RMSNorm" : "LayerNorm");
    yaml.flag(1, "disable_bias_linear", !model.mlpBias);
    yaml.flag(1, "add_qkv_bias", model.qkvBias && !model.mlpBias);
    yaml.flag(1, "qk_layernorm", model.queryKeyNorm);
    yaml.flag(1, "untie_embeddings_and_output_weights", !model.tied);
    yaml.line(1, "micro_batch_size: {}", layout.microbatchSize);
    yaml.line(1, "global_batch_size: {}", recipe.gbs);
    yaml.line(1, "optimizer: {}", name(recipe.optimizer));
    yaml.line(1, "train_iters: 10");
    yaml.line(0, "data:");
    yaml.line(1, "tokenizer: {{tokenizer_type: NullTokenizer, vocab_size: {}}}", model.vocab);
}

std::string train(const ExportInput& input, const Layout& layout) {
    Yaml yaml;
    yaml.line(0, "# Placement, batch and model as planned. Data set, tokenizer, learning rate and length are "
                 "yours to set.");
    yaml.line(0, "# {} micro-batches an iteration; mesh i runs {} / dp_i sequences of each.",
              layout.microbatches, layout.microbatchSize * layout.meshes.front().dp);
    writeSystem(yaml, input, layout);
    writeModel(yaml, input, layout);
    return yaml.take();
}

// Static rendezvous: with c10d the ranks follow the order of arrival and the placement would be random.
std::string experiment(const ExportInput& input, const Layout& layout) {
    Yaml yaml;
    yaml.line(0, "defaults:");
    yaml.line(1, "- train: pipewright");
    yaml.line(1, "- _self_");
    yaml.line(0, "experiment:");
    yaml.line(1, "exp_name: pipewright");
    yaml.line(1, "exp_dir: ./outputs/pipewright");
    yaml.line(1, "task: {{type: train, backend: megatron, entrypoint: ./flagscale/train/train_gpt.py}}");
    yaml.line(1, "runner: {{backend: torchrun, rdzv_backend: static, hostfile: ./hostfile}}");
    yaml.line(1, "envs:");
    yaml.line(2, "CUDA_DEVICE_MAX_CONNECTIONS: 1");
    if (const Precision p = input.problem.precision(); p == Precision::Fp32 || p == Precision::Tf32)
        yaml.line(2, "NVIDIA_TF32_OVERRIDE: {}", p == Precision::Tf32 ? 1 : 0);
    yaml.line(0, "action: run");
    yaml.line(0, "hydra: {{run: {{dir: \"${{experiment.exp_dir}}/hydra\"}}}}");
    if (std::all_of(layout.hosts.begin(), layout.hosts.end(), [](const Host& h) { return inOrder(h.slots); }))
        return yaml.take();
    yaml.line(0, "# The planned GPUs of these hosts, in rank order.");
    yaml.line(0, "node_specific:");
    for (const Host& host : layout.hosts)
        if (!inOrder(host.slots))
            yaml.line(1, "\"{}\": {{CUDA_VISIBLE_DEVICES: \"{}\"}}", host.name, fmt::join(host.slots, ","));
    return yaml.take();
}

std::string hostfile(const Layout& layout) {
    std::string text = "# The order of the hosts is the placement of the stages: do not sort it.\n";
    for (const Host& host : layout.hosts)
        text += fmt::format("{} slots={} type={}\n", host.name, host.slots.size(), host.type);
    return text;
}

constexpr const char* kLaunch = R"sh(#!/bin/bash
# Starts the planned run from a FlagScale checkout: FLAGSCALE_HOME=... launch.sh [run|dryrun|test|stop]
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
cd "${FLAGSCALE_HOME:?set it to the FlagScale checkout}"
exec python3 run.py --config-path "$here" --config-name experiment \
    experiment.runner.hostfile="$here/hostfile" action="${1:-run}"
)sh";

} // namespace

void checkFlagscale(const Problem& problem, const Plan& plan, const std::string&,
                    std::vector<Refusal>& refusals) {
    if (plan.pipelines.size() == 1)
        flagscale::layoutOf(problem, plan, refusals);
}

std::vector<ExportFile> exportFlagscale(const ExportInput& input) {
    std::vector<Refusal> none;
    const Layout layout = flagscale::layoutOf(input.problem, input.plan, none);
    return {{"experiment.yaml", experiment(input, layout)},
            {"train/pipewright.yaml", train(input, layout)},
            {"hostfile", hostfile(layout)},
            {"launch.sh", kLaunch}};
}

} // namespace pw
