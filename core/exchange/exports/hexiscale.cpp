// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/exports/exporters.h"
#include "core/exchange/exports/fixed_rotary.h"
#include "core/exchange/exports/launch_files.h"
#include "core/exchange/exports/plain_pipelines.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>

// HexiScale runs in Relaxed-System-Lab/FlashFlex, whose readers are hexiscale/process_args.py and
// llama/arguments.py: a replica is a pipeline, a stage has a tensor-parallel size, a number of layers and its
// global ranks.

namespace pw {

namespace {

constexpr std::int64_t kSequence = 4096; // fixed in the code

// What --model_size fixes: the number of heads, and the norms' epsilon (llama/llama-config). Width, blocks
// and vocabulary are overwritten, key-value heads are as many as heads (llama/llama_config_utils.py:43, 75).
struct LlamaSize {
    const char* name;
    std::int64_t heads;
    double epsilon;
};
constexpr LlamaSize kSizes[] = {
    {"llama-7b", 32, 1e-6}, {"llama-13b", 40, 1e-6}, {"llama-30b", 52, 1e-6}, {"llama-70b", 64, 1e-5}};

const LlamaSize* sizeOf(const Model& m) {
    const auto* size = std::ranges::find(kSizes, m.heads, &LlamaSize::heads);
    return size == std::end(kSizes) ? nullptr : size;
}

// No size of the MLP is handed on (llama/llama_config_utils.py:16), and flash-attn's GatedMlp takes 8/3 of
// the width, rounded up to a multiple of 128: that of a Llama of 7 billion parameters, not of larger ones.
std::int64_t mlpOf(std::int64_t hidden) {
    return (8 * hidden / 3 + 127) / 128 * 128;
}

Json configuration(const ExportInput& input, const std::vector<PlainPipeline>& pipelines,
                   const std::map<DeviceIndex, int>& ranks) {
    Json sizes = Json::array(), layers = Json::array(), layouts = Json::array(), devices = Json::array();
    for (const PlainPipeline& pipeline : pipelines) {
        Json tp = Json::array(), held = Json::array(), own = Json::array(), local = Json::array();
        for (const PlainStage& stage : pipeline.stages) {
            tp.push_back(stage.stage->tp);
            held.push_back(wholeBlocks(input.problem.model(), stage.stage->chunks.front()));
            std::vector<std::pair<int, int>> places; // the reader sorts the ranks of a stage
            for (const DeviceIndex d : stage.devices)
                places.emplace_back(ranks.at(d),
                                    input.problem.topology().devices()[static_cast<std::size_t>(d)].slot);
            std::sort(places.begin(), places.end());
            Json global = Json::array(), slots = Json::array();
            for (const auto& [rank, slot] : places) {
                global.push_back(rank);
                slots.push_back(slot);
            }
            own.push_back(std::move(global));
            local.push_back(std::move(slots));
        }
        sizes.push_back(std::move(tp));
        layers.push_back(std::move(held));
        layouts.push_back(std::move(own));
        devices.push_back(std::move(local));
    }
    return {{"hetero_configs", std::move(sizes)},
            {"layer_partitions", std::move(layers)},
            {"pp_layouts", std::move(layouts)},
            {"devices_id", std::move(devices)}};
}

// Of all pipelines, which the check holds to one kind; the schedule of a single stage is either.
std::optional<ScheduleKind> scheduleOf(const Plan& plan) {
    const bool gpipeFirst = plan.pipelines.front().schedule.kind == ScheduleKind::GPipe;
    for (const ScheduleKind kind : {gpipeFirst ? ScheduleKind::GPipe : ScheduleKind::OneFOneB,
                                    gpipeFirst ? ScheduleKind::OneFOneB : ScheduleKind::GPipe})
        if (std::all_of(plan.pipelines.begin(), plan.pipelines.end(), [&](const Pipeline& p) {
                return p.stages.size() == 1 || runsAs(kind, p) ||
                       (p.schedule.kind == kind && p.schedule.launch.empty());
            }))
            return kind;
    return std::nullopt;
}

// flash-attn 2 (flash_attn_varlen_func) is built for compute capability 8.0, which is what bf16 comes with,
// and runs half precision only.
bool usesFlashAttention(const Problem& problem, const Plan& plan) {
    return problem.precision() != Precision::Fp32 && everyKindHasBf16(problem, plan);
}

const char* shardingName(const Plan& plan) {
    int level = 0;
    for (const Pipeline& pipeline : plan.pipelines)
        for (const Stage& stage : pipeline.stages)
            level = std::max(level, stage.zero);
    return level == 3 ? "zero3" : level == 2 ? "zero2" : "ddp";
}

std::string script(const ExportInput& input, const std::vector<PlainPipeline>& pipelines,
                   const LaunchOrder& order) {
    std::vector<std::int64_t> batches, chunks;
    for (const PlainPipeline& p : pipelines) {
        batches.push_back(p.microbatches * p.microbatchSize);
        chunks.push_back(p.microbatches);
    }
    const Stage& first = input.plan.pipelines.front().stages.front();
    const Precision precision = input.problem.precision();
    const bool half = precision == Precision::Bf16 || precision == Precision::Fp16;
    std::string text = "#!/bin/bash\n";
    text += fmt::format("# For {}: {} GPUs, {} pipelines.\n",
                        exporterRow("hexiscale")->releases.front().label, order.world(), pipelines.size());
    text += "# Nodes in rank order:\n" + placementComment(input.problem, order);
    text += R"sh(# Run it on every node, or hand it to slurm.sbatch:
#     HEXISCALE_HOME=... ./train.sh [ARGUMENT...]
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
cd "${HEXISCALE_HOME:?set it to the FlashFlex checkout}" # its script and the sizes of models are looked for here
ARGUMENTS=(
    --all_hetero_configs_path "$here/all_hetero_configs.json"
)sh";
    const auto line = [&](const std::string& words) { text += "    " + words + "\n"; };
    const Model& m = input.problem.model();
    line(fmt::format("--model_size {}", sizeOf(m)->name));
    line("--overwrite_config 1");
    line(fmt::format("--hidden_size {}", m.hidden));
    line(fmt::format("--num_attention_heads {}", m.heads));
    line(fmt::format("--num_hidden_layers {}", m.blocks));
    line(fmt::format("--vocab_size {}", m.vocab));
    line(fmt::format("--total-layer-num {}", m.blocks));
    line(fmt::format("--global_bsz_size {}", fmt::join(batches, " ")));
    line(fmt::format("--chunks {}", fmt::join(chunks, " ")));
    line(fmt::format("--pipeline-type {}", scheduleOf(input.plan) == ScheduleKind::GPipe ? "Gpipe" : "1F1B"));
    line(fmt::format("--default_dp_type {}", shardingName(input.plan)));
    line(fmt::format("--mixed_precision {}", name(precision)));
    if (half)
        line(fmt::format("--{}", name(precision))); // parameters are float32 without it
    if (usesFlashAttention(input.problem, input.plan))
        line("--use-flash-attn");
    if (first.recompute == Recompute::Full)
        line("--checkpoint-layers");
    const bool sequence = std::any_of(pipelines.begin(), pipelines.end(), [](const PlainPipeline& p) {
        return std::any_of(p.stages.begin(), p.stages.end(),
                           [](const PlainStage& s) { return s.stage->tp > 1 && s.stage->sequenceParallel; });
    });
    if (sequence)
        line("--seq-parallel");
    line("--accum-iter 1");
    line("--run-iter 10");
    text += ")\nexec bash \"$here/launch.sh\" llama_train.py \"${ARGUMENTS[@]}\" \"$@\"\n";
    return text;
}

} // namespace

void checkHexiscaleQuestion(const Problem& problem, const std::string&, std::vector<Refusal>& refusals) {
    const Model& m = problem.model();
    const std::string where = "model " + m.name;
    if (sizeOf(m) == nullptr)
        refusals.push_back(
            {"E_UNSUPPORTED_MODEL",
             where,
             {"{heads} attention heads; the trainer's models have 32, 40, 52 or 64", {{"heads", m.heads}}}});
    if (m.gatedMlp && m.ffn != mlpOf(m.hidden))
        refusals.push_back({"E_UNSUPPORTED_MODEL",
                            where,
                            {"an MLP of {ffn} columns; the trainer makes {made} of the hidden {hidden}",
                             {{"ffn", m.ffn}, {"made", mlpOf(m.hidden)}, {"hidden", m.hidden}}}});
    checkFixedRotary(m, refusals);
    if (problem.recipe().seq != kSequence)
        refusals.push_back({"E_UNSUPPORTED_MODEL",
                            where,
                            {"sequences of {tokens} tokens; {fixed} are fixed in the trainer",
                             {{"tokens", problem.recipe().seq}, {"fixed", kSequence}}}});
}

void checkHexiscale(const Problem& problem, const Plan& plan, const std::string&,
                    std::vector<Refusal>& refusals) {
    if (!scheduleOf(plan))
        refusals.push_back(
            {"E_SCHEDULE", "plan", "some pipelines run GPipe and others 1F1B; one schedule is for all"});
    checkHostNames(problem, usedNodes(problem, plan), refusals);
}

void hexiscaleNotes(const Problem& problem, const Plan& plan, const std::string&, Diagnostics& notes) {
    const Model& m = problem.model();
    const std::string where = "model " + m.name;
    fixedRotaryNote(m, notes);
    if (const double own = sizeOf(m)->epsilon; m.normEpsilon > 0.0 && m.normEpsilon != own)
        notes.push_back({Severity::Warning,
                         "export.norm_epsilon",
                         where,
                         {"its norms' epsilon is {own}; the trainer takes {trainers}, which no flag changes",
                          {{"own", m.normEpsilon}, {"trainers", own}}}});
    // llama/llama_config_utils.py:39 leaves the number of positions in, and flash-attn's embedding makes a
    // table of it.
    notes.push_back(
        {Severity::Warning,
         "export.learned_positions",
         where,
         {"the trainer adds a table of {positions} learned positions to the embedding, beside the "
          "rotary ones: {parameters} parameters more",
          {{"positions", kSequence}, {"parameters", kSequence * m.hidden}}}});
    if (!usesFlashAttention(problem, plan))
        notes.push_back({Severity::Warning, "export.flash_attention", "plan",
                         "runs without flash attention, which needs half precision and compute capability "
                         "8.0: attention takes more time and memory than predicted"});
}

std::vector<ExportFile> exportHexiscale(const ExportInput& input) {
    const std::vector<PlainPipeline> pipelines = plainPipelines(input.plan);
    const LaunchOrder order = usedNodes(input.problem, input.plan);
    std::vector<ExportFile> files = {
        {"all_hetero_configs.json",
         printJson(configuration(input, pipelines, ranksOf(input.problem, order)))},
        {"train.sh", script(input, pipelines, order)}};
    for (ExportFile& file : launchFiles(input.problem, order, "./train.sh"))
        files.push_back(std::move(file));
    return files;
}

} // namespace pw
