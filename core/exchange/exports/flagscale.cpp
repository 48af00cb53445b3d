// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/exports/exporters.h"
#include "core/exchange/exports/flagscale_layout.h"
#include "core/exchange/exports/megatron_run.h"
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
    yaml.line(1, "expert_model_parallel_size: {}", layout.meshes.front().ep);
    yaml.flag(1, "sequence_parallel", layout.sequenceParallel);
    yaml.flag(1, "use_distributed_optimizer", layout.distributedOptimizer);
    yaml.flag(1, "bf16", input.problem.precision() == Precision::Bf16);
    yaml.flag(1, "fp16", input.problem.precision() == Precision::Fp16);
    writeRecompute(yaml, layout);
    std::vector<int> meshes;
    std::vector<std::string> types;
    for (const Mesh& mesh : layout.meshes) {
        meshes.insert(meshes.end(), {mesh.tp, 1, mesh.ep, mesh.dp, mesh.pp}); // tp, cp, ep, dp, pp
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

// YAML of a value that is a string in the trainer's eyes: numbers and words as they are.
std::string scalar(const std::string& value) {
    const bool plain = value.find_first_of("[]{}()*#:&!|>'\"%@`, ") == std::string::npos;
    return plain ? value : "\"" + value + "\"";
}

void writeModel(Yaml& yaml, const ExportInput& input, const Layout& layout) {
    const Recipe& recipe = input.problem.recipe();
    const MegatronCore core = megatronCore(input.release);
    yaml.line(0, "model:");
    for (const auto& [flag, value] : megatronModelArguments(input.problem, input.plan, core)) {
        std::string key = flag.substr(2);
        std::replace(key.begin(), key.end(), '-', '_');
        yaml.line(1, "{}: {}", key, value.empty() ? "true" : scalar(value));
    }
    yaml.line(1, "micro_batch_size: {}", layout.microbatchSize);
    yaml.line(1, "global_batch_size: {}", recipe.gbs);
    yaml.line(1, "optimizer: {}", name(recipe.optimizer));
    yaml.line(1, "train_iters: 10");
    yaml.line(1, "lr: 1.0e-4");
    yaml.line(1, "min_lr: 1.0e-5");
    yaml.line(0, "data:");
    yaml.line(1, "mock_data: true");
    yaml.line(1, "tokenizer: {{tokenizer_type: NullTokenizer, vocab_size: {}}}",
              nullVocabulary(input.problem.model(), core));
}

std::string train(const ExportInput& input, const Layout& layout) {
    Yaml yaml;
    yaml.line(0,
              "# Placement, batch and model as planned. Data, tokenizer, learning rate and length are yours "
              "to set.");
    yaml.line(0, "# {} micro-batches an iteration; mesh i runs {} / dp_i sequences of each.",
              layout.microbatches, layout.microbatchSize * layout.meshes.front().dp);
    writeSystem(yaml, input, layout);
    writeModel(yaml, input, layout);
    return yaml.take();
}

// Static rendezvous: with c10d the ranks follow the order of arrival and the placement would be random. The
// runner counts the GPUs of a host in a variable that ends in _VISIBLE_DEVICES, and fails where there is none
// (flagscale/runner/runner_train.py:372); those of single hosts stand below it.
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
    const std::vector<int>& common = layout.hosts.front().gpus;
    yaml.line(2, "CUDA_VISIBLE_DEVICES: \"{}\"", fmt::join(common, ","));
    yaml.line(2, "CUDA_DEVICE_MAX_CONNECTIONS: 1");
    if (const Precision p = input.problem.precision(); p == Precision::Fp32 || p == Precision::Tf32)
        yaml.line(2, "NVIDIA_TF32_OVERRIDE: {}", p == Precision::Tf32 ? 1 : 0);
    if (std::any_of(layout.hosts.begin(), layout.hosts.end(),
                    [&](const Host& h) { return h.gpus != common; })) {
        yaml.line(2, "# The planned GPUs of these hosts, in rank order.");
        yaml.line(2, "node_specific:");
    }
    for (const Host& host : layout.hosts)
        if (host.gpus != common)
            yaml.line(3, "\"{}\": {{CUDA_VISIBLE_DEVICES: \"{}\"}}", host.name, fmt::join(host.gpus, ","));
    yaml.line(0, "action: run");
    yaml.line(0, "hydra: {{run: {{dir: \"${{experiment.exp_dir}}/hydra\"}}}}");
    return yaml.take();
}

std::string hostfile(const Layout& layout) {
    std::string text = "# The order of the hosts is the placement of the stages: do not sort it.\n";
    for (const Host& host : layout.hosts)
        text += fmt::format("{} slots={} type={}\n", host.name, host.gpus.size(), host.type);
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

void checkFlagscale(const Problem& problem, const Plan& plan, const std::string& release,
                    std::vector<Refusal>& refusals) {
    if (plan.pipelines.size() != 1)
        return;
    flagscale::layoutOf(problem, plan, refusals);
    checkMegatronStages(problem, plan, megatronCore(release), refusals);
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
