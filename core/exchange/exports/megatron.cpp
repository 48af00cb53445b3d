// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/exports/exporters.h"
#include "core/exchange/exports/launch_files.h"
#include "core/exchange/exports/megatron_run.h"

#include <fmt/format.h>

namespace pw {

namespace {

using Arguments = std::vector<std::pair<std::string, std::string>>;

bool isPlain(const std::string& value) {
    return value.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-/") ==
           std::string::npos;
}

// A bash array, a flag a line. The bars and stars of a layout must be quoted.
std::string array(const char* name, const Arguments& arguments) {
    std::string text = fmt::format("{}=(\n", name);
    for (const auto& [flag, value] : arguments)
        text += value.empty()    ? fmt::format("    {}\n", flag)
                : isPlain(value) ? fmt::format("    {} {}\n", flag, value)
                                 : fmt::format("    {} \"{}\"\n", flag, value);
    return text + ")\n";
}

// Blocks of core before 0.13; a layout says all of it and excludes these flags.
void addSplit(Arguments& list, const MegatronRun& run) {
    if (run.firstBlocks > 0)
        list.emplace_back("--decoder-first-pipeline-num-layers", std::to_string(run.firstBlocks));
    if (run.lastBlocks > 0)
        list.emplace_back("--decoder-last-pipeline-num-layers", std::to_string(run.lastBlocks));
    if (run.vpp > 1)
        list.emplace_back("--num-virtual-stages-per-pipeline-rank", std::to_string(run.vpp));
}

Arguments parallelArguments(const ExportInput& input, const MegatronRun& run) {
    Arguments list;
    list.emplace_back("--tensor-model-parallel-size", std::to_string(run.tp));
    list.emplace_back("--pipeline-model-parallel-size", std::to_string(run.pp));
    list.emplace_back("--context-parallel-size", std::to_string(run.cp));
    if (run.ep > 1)
        list.emplace_back("--expert-model-parallel-size", std::to_string(run.ep));
    if (const int cut = input.plan.pipelines.front().stages.front().expertTp(); cut > 0) // else as tp
        list.emplace_back("--expert-tensor-parallel-size", std::to_string(cut));
    if (run.pp > 1 && megatronCore(input.release).takesLayout(input.problem.model()))
        list.emplace_back("--pipeline-model-parallel-layout", run.layout());
    else if (run.pp > 1)
        addSplit(list, run);
    if (run.order.nesting == RankNesting::ReplicasOutside)
        list.emplace_back("--use-tp-pp-dp-mapping", "");
    if (run.sequenceParallel)
        list.emplace_back("--sequence-parallel", "");
    if (run.distributedOptimizer)
        list.emplace_back("--use-distributed-optimizer", "");
    for (const auto& [flag, on] :
         {std::pair("--overlap-grad-reduce", run.overlapsGradients),
          std::pair("--overlap-param-gather", run.overlapsParameters),
          std::pair("--tp-comm-overlap", run.overlapsTensor),
          std::pair("--no-overlap-p2p-communication", run.vpp > 1 && run.pp > 1 && !run.overlapsSends)})
        if (on)
            list.emplace_back(flag, "");
    if (run.recompute == Recompute::None)
        return list;
    list.emplace_back("--recompute-granularity", name(run.recompute));
    if (run.recompute == Recompute::Full) {
        list.emplace_back("--recompute-method", run.recomputedBlocks > 0 ? "block" : "uniform");
        list.emplace_back("--recompute-num-layers",
                          std::to_string(run.recomputedBlocks > 0 ? run.recomputedBlocks : 1));
    }
    return list;
}

Arguments batchArguments(const ExportInput& input, const MegatronRun& run) {
    const Recipe& recipe = input.problem.recipe();
    Arguments list;
    list.emplace_back("--micro-batch-size", std::to_string(run.microbatchSize));
    list.emplace_back("--global-batch-size", std::to_string(recipe.gbs));
    list.emplace_back("--optimizer", name(recipe.optimizer));
    if (const Precision p = input.problem.precision(); p == Precision::Bf16 || p == Precision::Fp16)
        list.emplace_back(fmt::format("--{}", name(p)), "");
    if (input.problem.precision() == Precision::Fp16 && isOn(recipe.software.gradFp32, true))
        list.emplace_back("--accumulate-allreduce-grads-in-fp32", "");
    return list;
}

std::string script(const ExportInput& input, const MegatronRun& run, const std::string& release) {
    const MegatronCore core = megatronCore(input.release);
    std::string text = "#!/bin/bash\n" + megatronSummary(input, run, release);
    text +=
        R"sh(# Run it on every node, or hand it to slurm.sbatch. Further arguments replace those of TRAINING.
#     MEGATRON_HOME=... ./pretrain.sh [ARGUMENT...]
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
)sh";
    if (run.tp > 1 || run.cp > 1)
        text += "# Asserted by the trainer with tensor or context parallelism on GPUs before Blackwell.\n"
                "export CUDA_DEVICE_MAX_CONNECTIONS=1\n";
    if (const Precision p = input.problem.precision(); p == Precision::Fp32 || p == Precision::Tf32)
        text += fmt::format("export NVIDIA_TF32_OVERRIDE={}\n", p == Precision::Tf32 ? 1 : 0);
    text += array("MODEL", megatronModelArguments(input.problem, input.plan, core));
    text += array("PARALLEL", parallelArguments(input, run));
    text += array("BATCH", batchArguments(input, run));
    text += "# Data, tokenizer, learning rate and length are yours to set.\n";
    text += array("TRAINING", {{"--tokenizer-type", "NullTokenizer"},
                               {"--vocab-size", std::to_string(nullVocabulary(input.problem.model(), core))},
                               {"--mock-data", ""},
                               {"--train-iters", "10"},
                               {"--log-interval", "1"}, // else ten iterations print nothing but the first
                               {"--eval-interval", "1000"},
                               {"--eval-iters", "1"}, // two at the end, where 200 would follow
                               {"--lr", "1e-4"},
                               {"--min-lr", "1e-5"}});
    text += "exec \"$here/launch.sh\" \"${MEGATRON_HOME:?set it to the Megatron-LM "
            "checkout}/pretrain_gpt.py\" \\\n"
            "    \"${MODEL[@]}\" \"${PARALLEL[@]}\" \"${BATCH[@]}\" \"${TRAINING[@]}\" \"$@\"\n";
    return text;
}

} // namespace

std::vector<ExportFile> exportMegatron(const ExportInput& input) {
    const MegatronRun run = megatronRun(input);
    const std::string label = findRelease(*exporterRow("megatron"), input.release)->label;
    std::vector<ExportFile> files = {{"pretrain.sh", script(input, run, label)}};
    for (ExportFile& file : launchFiles(input.problem, run.order, "./pretrain.sh"))
        files.push_back(std::move(file));
    return files;
}

} // namespace pw
