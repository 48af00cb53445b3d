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

// HexiScale runs in Relaxed-System-Lab/FlashFlex, whose readers are hexiscale/process_args.py and
// llama/arguments.py: a replica is a pipeline, a stage has a tensor-parallel size, a number of layers and its
// global ranks. It runs GPipe alone: forward_step returns a pair (hexiscale/heterogeneous_pipeline.py:551),
// which 1F1B takes for the output (130, 263), so that its first send ends with an error. But a step may be
// several rounds of GPipe (--accum-iter; llama_train.py:168), and on one stage rounds of one micro-batch each
// are what 1F1B does: a pass forward, a pass back, one micro-batch held.

namespace pw {

namespace {

constexpr std::int64_t kSequence = 4096; // fixed in the code
constexpr std::int64_t kSteps = 10;      // that train.sh asks for

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

const Device& deviceOf(const Problem& problem, DeviceIndex d) {
    return problem.topology().devices()[static_cast<std::size_t>(d)];
}

// Ranks rise pipeline by pipeline, and in a pipeline stage by stage, whatever nodes that comes back to. A
// process reads the samples of the last pipeline whose first rank is not above its own (llama_train.py:34),
// its stage is its place among the sorted ranks of its pipeline (hexiscale/heterogeneous_pipeline.py:53, 55),
// and ranks that sum a block's gradients are looked up as they stand, in the order of the pipelines, among
// sorted ones (hexiscale/gen_hetero_groups.py:410).
LaunchOrder rankOrder(const Problem& problem, const std::vector<PlainPipeline>& pipelines) {
    LaunchOrder order;
    for (const PlainPipeline& pipeline : pipelines)
        for (const PlainStage& stage : pipeline.stages)
            for (const DeviceIndex d : stage.devices) {
                const Device& device = deviceOf(problem, d);
                if (order.nodes.empty() || order.nodes.back().node != device.node)
                    order.nodes.push_back({device.node, {}});
                order.nodes.back().gpus.push_back(device.slot);
            }
    return order;
}

// `machines`: the number of a node among those that are started; what devices_id names.
Json configuration(const ExportInput& input, const std::vector<PlainPipeline>& pipelines,
                   const std::map<DeviceIndex, int>& ranks, const std::map<int, int>& machines) {
    Json sizes = Json::array(), layers = Json::array(), layouts = Json::array(), devices = Json::array();
    for (const PlainPipeline& pipeline : pipelines) {
        Json tp = Json::array(), held = Json::array(), own = Json::array(), local = Json::array();
        for (const PlainStage& stage : pipeline.stages) {
            tp.push_back(stage.stage->tp);
            held.push_back(wholeBlocks(input.problem.model(), stage.stage->chunks.front()));
            Json global = Json::array(), places = Json::array();
            for (const DeviceIndex d : stage.devices) {
                global.push_back(ranks.at(d));
                places.push_back(machines.at(deviceOf(input.problem, d).node));
            }
            own.push_back(std::move(global));
            local.push_back(std::move(places));
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

// flash-attn 2 (flash_attn_varlen_func) is built for compute capability 8.0, which is what bf16 comes with,
// and runs half precision only.
bool usesFlashAttention(const Problem& problem, const Plan& plan) {
    return problem.precision() != Precision::Fp32 && everyKindHasBf16(problem, plan);
}

// Whether the pipeline holds one micro-batch of several.
bool takesTurns(const Pipeline& pipeline) {
    const PlanSchedule& schedule = pipeline.schedule;
    return pipeline.stages.size() == 1 && pipeline.microbatches > 1 &&
           (schedule.launch.empty() ? schedule.kind == ScheduleKind::OneFOneB
                                    : runsAs(ScheduleKind::OneFOneB, pipeline));
}

// Rounds of GPipe that make a step, as many in all pipelines; see checkRounds().
std::int64_t roundsOf(const Plan& plan) {
    const Pipeline& first = plan.pipelines.front();
    return takesTurns(first) ? first.microbatches : 1;
}

const char* shardingName(const Plan& plan) {
    int level = 0;
    for (const Pipeline& pipeline : plan.pipelines)
        for (const Stage& stage : pipeline.stages)
            level = std::max(level, stage.zero);
    return level == 3 ? "zero3" : level == 2 ? "zero2" : "ddp";
}

// Gives each process its rank, and its GPU alone: the trainer takes GPU number rank % GPUs that it sees
// (third_party/megatron/initialize.py:165). Its own llama/generate_hetero_scripts.py:129 starts it likewise.
std::string rankScript(const Problem& problem, const LaunchOrder& started,
                       const std::map<DeviceIndex, int>& ranks) {
    std::vector<int> list;
    for (const RankNode& node : started.nodes)
        for (const int slot : node.gpus)
            list.push_back(ranks.at(problem.topology().firstOfNode(node.node) + slot));
    return fmt::format(R"sh(#!/bin/bash
# Started by launch.sh for every process of a node: gives it the rank that all_hetero_configs.json means, and
# its GPU alone.
set -euo pipefail
# Ranks of the plan in the order in which torchrun counts: node by node, GPU by GPU.
ranks=({})
IFS=, read -ra gpus <<<"$CUDA_VISIBLE_DEVICES"
export CUDA_VISIBLE_DEVICES=${{gpus[$LOCAL_RANK]}} RANK=${{ranks[$RANK]}} LOCAL_RANK=0
exec python3 -u "$@"
)sh",
                       fmt::join(list, " "));
}

// `order`: that of the ranks.
std::string script(const ExportInput& input, const std::vector<PlainPipeline>& pipelines,
                   const LaunchOrder& order) {
    const std::int64_t rounds = roundsOf(input.plan);
    std::vector<std::int64_t> batches, chunks; // of a round
    for (const PlainPipeline& p : pipelines) {
        chunks.push_back(p.microbatches / rounds);
        batches.push_back(chunks.back() * p.microbatchSize);
    }
    const Stage& first = input.plan.pipelines.front().stages.front();
    const Precision precision = input.problem.precision();
    const bool half = precision == Precision::Bf16 || precision == Precision::Fp16;
    std::string text = "#!/bin/bash\n";
    text += fmt::format("# For {}: {} GPUs, {} pipelines.\n",
                        exporterRow("hexiscale")->releases.front().label, order.world(), pipelines.size());
    text += "# GPUs in rank order:\n" + placementComment(input.problem, order);
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
    line("--pipeline-type Gpipe");
    line(fmt::format("--default_dp_type {}", shardingName(input.plan)));
    line(fmt::format("--mixed_precision {}", name(precision)));
    if (half)
        line(fmt::format("--{}", name(precision))); // parameters are float32 without it
    if (usesFlashAttention(input.problem, input.plan))
        line("--use-flash-attn");
    if (first.recompute == Recompute::Full)
        line("--checkpoint-layers");
    line(fmt::format("--accum-iter {}", rounds));
    line(fmt::format("--run-iter {}", kSteps * rounds)); // rounds, not steps
    text += ")\nexec bash \"$here/launch.sh\" --no_python bash \"$here/rank.sh\" llama_train.py "
            "\"${ARGUMENTS[@]}\" \"$@\"\n";
    return text;
}

// Tensor parallelism of the stage that holds it, and the stage's number, block by block.
std::vector<std::pair<int, std::size_t>> blockOwners(const Model& model, const Pipeline& pipeline) {
    std::vector<std::pair<int, std::size_t>> owners;
    for (std::size_t s = 0; s < pipeline.stages.size(); ++s)
        for (const LayerRange& chunk : pipeline.stages[s].chunks)
            owners.insert(owners.end(), static_cast<std::size_t>(std::max(0, wholeBlocks(model, chunk))),
                          {pipeline.stages[s].tp, s});
    return owners;
}

// A tensor-parallel GPU has half of the gate's and half of the MLP's columns where there are two, and parts
// of queries, keys and values alike; gradients are summed with the first half of all columns of a GPU that
// has them all (hexiscale/fsdp_comm_utils.py:356).
void checkBlockSizes(const Problem& problem, const Plan& plan, std::vector<Refusal>& refusals) {
    const auto first = blockOwners(problem.model(), plan.pipelines.front());
    for (std::size_t p = 1; p < plan.pipelines.size(); ++p) {
        const auto own = blockOwners(problem.model(), plan.pipelines[p]);
        for (std::size_t b = 0; b < std::min(own.size(), first.size()); ++b)
            if (own[b].first != first[b].first) {
                refusals.push_back(
                    {"E_TP_PER_STAGE",
                     stageName(plan, p, own[b].second),
                     {"tensor parallel {own}, for the same blocks {first} in the first pipeline; "
                      "the trainer sums gradients of other columns then",
                      {{"own", own[b].first}, {"first", first[b].first}}}});
                break;
            }
    }
}

// What a block's gradients are summed over, and its parameters sharded over. FSDP gets the GPUs of all stages
// with the block, tensor-parallel ones too (llama/modules/hybrid_parallel_model_dist.py:232); sums of its own
// take their place where nothing is sharded and there are several pipelines
// (hexiscale/heterogeneous_pipeline.py:659).
void checkGroups(const Problem& problem, const Plan& plan, std::vector<Refusal>& refusals) {
    checkBlockSizes(problem, plan, refusals);
    const bool alone =
        plan.pipelines.size() == 1 && plan.pipelines.front().stages.front().replicas.size() == 1;
    for (std::size_t p = 0; p < plan.pipelines.size(); ++p)
        for (std::size_t s = 0; s < plan.pipelines[p].stages.size(); ++s) {
            const Stage& stage = plan.pipelines[p].stages[s];
            if (stage.tp == 1)
                continue;
            if (alone)
                refusals.push_back(
                    {"E_TP_PER_STAGE",
                     stageName(plan, p, s),
                     {"tensor parallel {tp} in an only pipeline; the trainer averages gradients over "
                      "tensor-parallel GPUs then, whose parameters are not the same",
                      {{"tp", stage.tp}}}});
            else if (stage.zero > 1)
                refusals.push_back(
                    {"E_SHARDING",
                     stageName(plan, p, s),
                     {"sharding (ZeRO) {zero} under tensor parallel {tp}; the trainer shards over "
                      "tensor-parallel GPUs too, whose parameters are not the same",
                      {{"zero", stage.zero}, {"tp", stage.tp}}}});
        }
}

// The run has as many rounds in all pipelines. Gradients that are sharded are summed in the last one of a
// step alone, where those of the others are no more (hexiscale/fsdp_comm_utils.py:429).
void checkRounds(const Plan& plan, std::vector<Refusal>& refusals) {
    const std::vector<Pipeline>& all = plan.pipelines;
    if (std::ranges::none_of(all, takesTurns))
        return;
    const bool alone = all.size() == 1 && all.front().stages.front().replicas.size() == 1; // nothing to sum
    for (std::size_t p = 0; p < all.size(); ++p) {
        const std::string where = stageName(plan, p, 0);
        const Pipeline& own = all[p];
        if (takesTurns(own) != takesTurns(all.front()))
            refusals.push_back({"E_SCHEDULE",
                                where,
                                {"all micro-batches at once in one pipeline and one after the other in "
                                 "another; the trainer runs as many rounds in all"}});
        else if (takesTurns(own) && own.microbatches != all.front().microbatches)
            refusals.push_back({"E_MB_SPLIT_UNEVEN",
                                where,
                                {"{own} micro-batches one after the other, {first} in the first pipeline; "
                                 "the trainer runs as many rounds in all",
                                 {{"own", own.microbatches}, {"first", all.front().microbatches}}}});
        if (takesTurns(own) && own.stages.front().zero > 1 && !alone)
            refusals.push_back({"E_SHARDING",
                                where,
                                {"sharding (ZeRO) {zero} and {rounds} micro-batches one after the other; the "
                                 "trainer loses the gradients of all but the last",
                                 {{"zero", own.stages.front().zero}, {"rounds", own.microbatches}}}});
    }
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
    checkGroups(problem, plan, refusals);
    checkRounds(plan, refusals);
    checkHostNames(problem, usedNodes(problem, plan), refusals);
}

void hexiscaleNotes(const Problem& problem, const Plan& plan, const std::string&, Diagnostics& notes) {
    const Model& m = problem.model();
    const std::string where = "model " + m.name;
    // llama/modules/Llamamodel_pipeline.py:70, 77. Every model of the trainer is built so, and the work is
    // the same: said, not refused.
    notes.push_back(
        {Severity::Warning, "export.residual", where,
         "the trainer's blocks hand on the MLP's result without adding to it what went in: it trains "
         "another model than Llama, in the same time and memory"});
    const auto sequences = [](const PlainPipeline& p) { return p.microbatches * p.microbatchSize; };
    const std::vector<PlainPipeline> pipelines = plainPipelines(plan);
    if (std::ranges::any_of(
            pipelines, [&](const PlainPipeline& p) { return sequences(p) != sequences(pipelines.front()); }))
        notes.push_back(
            {Severity::Warning, "export.batch_weights", "plan",
             "pipelines take batches of different size, and the trainer averages their gradients as "
             "if they were of one: sequences of the smaller ones weigh more"});
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
    const LaunchOrder started = usedNodes(input.problem, input.plan);
    const LaunchOrder order = rankOrder(input.problem, pipelines);
    const std::map<DeviceIndex, int> ranks = ranksOf(input.problem, order);
    std::map<int, int> machines;
    for (const RankNode& node : started.nodes)
        machines.emplace(node.node, static_cast<int>(machines.size()));
    std::vector<ExportFile> files = {
        {"all_hetero_configs.json", printJson(configuration(input, pipelines, ranks, machines))},
        {"train.sh", script(input, pipelines, order)},
        {"rank.sh", rankScript(input.problem, started, ranks)}};
    for (ExportFile& file : launchFiles(input.problem, started, "./train.sh"))
        files.push_back(std::move(file));
    return files;
}

} // namespace pw
