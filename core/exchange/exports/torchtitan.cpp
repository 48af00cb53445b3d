// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/exports/exporters.h"
#include "core/exchange/exports/launch_files.h"
#include "core/exchange/exports/torch_schedule.h"
#include "core/exchange/exports/torchtitan_models.h"
#include "core/exchange/exports/torchtitan_transformers.h"

#include <fmt/format.h>

#include <algorithm>

// torchtitan names the modules of every model part. 0.1 knows only where parts begin, 0.2 lists them in TOML,
// and main has no TOML any more but Python functions that make a configuration, counts batches in tokens and
// has a class in place of each mode of recompute. GPipe and 1F1B go by their names; any other order of passes
// is the simulated one, handed over as a CSV (pipeline_parallel_schedule_csv, run by PyTorch's
// _PipelineScheduleRuntime, which takes one stage a rank as well as several).

namespace pw {

namespace {

// Python for the file beside the module.
constexpr const char* kScheduleBeside = "os.path.join(os.path.dirname(__file__), \"schedule.csv\")";

bool isMain(const ExportInput& input) {
    return input.release == "main";
}

// Whether the model is of none of the trainer's own sizes, so that its transformers backend builds it.
bool isTransformers(const ExportInput& input) {
    return titanModelOf(input.problem.model()) == nullptr;
}

// The module that tells a flavor before main what the model has otherwise; its text is empty where there is
// nothing to tell.
constexpr const char* kNumbersModule = "planned_model";
std::string numbersModule(const ExportInput& input) {
    const Model& m = input.problem.model();
    return isMain(input) ? std::string() : titanNumbersModule(*titanModelOf(m), m, input.release);
}

// By virtual stage; every module of the model once and in order.
std::vector<std::vector<std::string>> modules(const ExportInput& input) {
    const Pipeline& pipeline = input.plan.pipelines.front();
    const ChunkLayout layout = pipeline.layout();
    const int last = fineLayerCount(input.problem.model()) - 1;
    std::vector<std::vector<std::string>> parts;
    for (int v = 0; v < layout.virtualStages(); ++v) {
        const LayerRange range = pipeline.stages[static_cast<std::size_t>(layout.stageOf(v))]
                                     .chunks[static_cast<std::size_t>(layout.chunkOf(v))];
        std::vector<std::string>& part = parts.emplace_back();
        for (int layer = range.first; layer <= range.last; ++layer)
            if (layer == 0)
                part.emplace_back("tok_embeddings");
            else if (layer == last)
                part.insert(part.end(), {"norm", isMain(input) ? "lm_head" : "output"});
            else if (layer % 2 == 1)
                part.push_back(fmt::format("layers.{}", layer / 2));
        if (isTransformers(input)) // what no part names it leaves out: pipeline.py:231
            part.emplace_back("rotary_emb");
    }
    return parts;
}

std::string quoted(const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names)
        text += fmt::format("{}\"{}\"", text.empty() ? "" : ", ", name);
    return "[" + text + "]";
}

// Whether the trainer has the plan's order of passes under a name; else it reads it from a file.
const char* namedSchedule(const Pipeline& pipeline) {
    return runsAs(ScheduleKind::OneFOneB, pipeline) ? "1F1B"
           : runsAs(ScheduleKind::GPipe, pipeline)  ? "GPipe"
                                                    : nullptr;
}

bool readsSchedule(const Pipeline& pipeline) {
    return pipeline.stages.size() > 1 && namedSchedule(pipeline) == nullptr;
}

// What a release says, under its sections; `key = value`.
struct Setting {
    const char* section;
    std::string key, value;
};

class Settings {
public:
    explicit Settings(const ExportInput& input)
        : m_input(input), m_pipeline(input.plan.pipelines.front()), m_stage(m_pipeline.stages.front()) {
        if (isMain(input))
            trainingInTokens();
        else
            trainingInSequences();
        parallelism();
        recompute();
    }
    const std::vector<Setting>& list() const { return m_list; }

private:
    void add(const char* section, const char* key, std::string value) {
        m_list.push_back({section, key, std::move(value)});
    }
    void add(const char* section, const char* key, std::int64_t value) {
        add(section, key, std::to_string(value));
    }

    std::int64_t size() const { return sequencesOnRank(m_pipeline); }
    bool staged() const { return m_pipeline.stages.size() > 1; }
    const char* elements() const {
        return m_input.problem.precision() == Precision::Bf16 ? "\"bfloat16\"" : "\"float32\"";
    }

    // Without a pipeline the trainer runs micro-batches one after the other until a step has its tokens.
    void trainingInTokens() {
        const Recipe& recipe = m_input.problem.recipe();
        add("training", "num_tokens_per_microbatch_per_dp_rank", size() * recipe.seq);
        add("training", "num_tokens_per_train_step", recipe.gbs * recipe.seq);
        add("training", "max_context_length", recipe.seq);
        add("training", "mixed_precision_param", elements());
        // Neither pipelines can be captured nor experts that are dispatched by the standard all-to-all, which
        // asks the host (torchtitan/trainer.py:192), nor masks that a forward pass makes first.
        add("training", "disable_cuda_graphs",
            staged() || m_stage.ep > 1 || isTransformers(m_input) ? "True" : "False");
        if (staged())
            add("parallelism", "num_pp_microbatches", m_pipeline.microbatches);
        add("parallelism", "enable_sequence_parallel", m_stage.sequenceParallel ? "True" : "False");
        if (!isTransformers(m_input))
            return;
        // Its only one (parallelize.py:99), and the only way to deal its masks out (trainer.py:59).
        add("parallelism", "spmd_backend", "\"partial_dtensor\"");
        if (m_stage.cp > 1)
            add("parallelism", "context_parallel_load_balancer", "\"ptrr\"");
    }

    // Without a pipeline a local batch is what runs at once.
    void trainingInSequences() {
        const Recipe& recipe = m_input.problem.recipe();
        add("training", "local_batch_size", size() * (staged() ? m_pipeline.microbatches : 1));
        add("training", "global_batch_size", recipe.gbs);
        add("training", "seq_len", recipe.seq);
        if (m_stage.dp() > 1 || m_stage.cp > 1)
            add("training", "mixed_precision_param", elements());
        if (staged())
            add("parallelism", "pipeline_parallel_microbatch_size", size());
    }

    void parallelism() {
        const char* section = "parallelism";
        add(section, "data_parallel_replicate_degree", 1);
        add(section, "data_parallel_shard_degree", m_stage.dp());
        if (m_stage.dp() > 1)
            add(section, "fsdp_reshard_after_forward", m_stage.zero == 3 ? "\"always\"" : "\"never\"");
        add(section, "tensor_parallel_degree", m_stage.tp);
        add(section, "context_parallel_degree", m_stage.cp);
        if (hasExperts(m_input.problem.model())) {
            add(section, "expert_parallel_degree", m_stage.ep);
            if (!isMain(m_input) && m_stage.ep > 1) // main slices none
                add(section, "expert_tensor_parallel_degree",
                    m_stage.expertTp() > 0 ? m_stage.expertTp() : m_stage.tp);
        }
        add(section, "pipeline_parallel_degree", static_cast<std::int64_t>(m_pipeline.stages.size()));
        if (!staged())
            return;
        // The name also says which virtual stages a rank has: those of ZB-V make a V.
        if (const char* named = namedSchedule(m_pipeline)) {
            add(section, "pipeline_parallel_schedule", fmt::format("\"{}\"", named));
        } else {
            const bool zigzag = chunkPlacement(m_pipeline.schedule.kind) == ChunkPlacement::Zigzag;
            add(section, "pipeline_parallel_schedule",
                zigzag ? "\"ZBVZeroBubble\"" : "\"PipelineScheduleMulti\"");
            add(section, "pipeline_parallel_schedule_csv",
                isMain(m_input) ? kScheduleBeside : "\"schedule.csv\"");
        }
        const std::vector<std::vector<std::string>> parts = modules(m_input);
        if (m_input.release == "0.1") {
            std::vector<std::string> starts;
            for (std::size_t v = 1; v < parts.size(); ++v)
                starts.push_back(parts[v].front());
            return add(section, "pipeline_parallel_split_points", quoted(starts));
        }
        std::string list = "[\n";
        for (const std::vector<std::string>& part : parts)
            list += "    " + quoted(part) + ",\n";
        add(section, "module_fqns_per_model_part", list + "]");
    }

    void recompute() {
        const Recompute mode = m_stage.recompute;
        if (isMain(m_input))
            return add("", "activation_checkpoint",
                       mode == Recompute::Full        ? "FullAC.Config()"
                       : mode == Recompute::Selective ? "SelectiveAC.Config()"
                                                      : "None");
        add("activation_checkpoint", "mode", fmt::format("\"{}\"", name(mode)));
        if (mode == Recompute::Selective)
            add("activation_checkpoint", "selective_ac_option", "\"op\"");
    }

    const ExportInput& m_input;
    const Pipeline& m_pipeline;
    const Stage& m_stage;
    std::vector<Setting> m_list;
};

std::string head(const ExportInput& input, const LaunchOrder& order) {
    const Pipeline& p = input.plan.pipelines.front();
    std::string text =
        fmt::format("# For {}.\n", findRelease(*exporterRow("torchtitan"), input.release)->label);
    text +=
        fmt::format("# {} GPUs, {} micro-batches an iteration. The order of the nodes is the placement:\n",
                    order.world(), p.microbatches);
    return text + placementComment(input.problem, order);
}

std::string toml(const ExportInput& input, const LaunchOrder& order) {
    const TitanModel& model = *titanModelOf(input.problem.model());
    std::string text = head(input, order);
    text += fmt::format(
        "# Started by train.sh. The tokenizer's path and data are yours to add.\n\n[model]\nname = "
        "\"{}\"\nflavor = \"{}\"\n",
        model.family, model.flavor);
    if (!numbersModule(input).empty())
        text += fmt::format("\n[experimental]\ncustom_import = \"{}\"\n", kNumbersModule);
    const Settings settings(input);
    for (const char* section : {"training", "parallelism", "activation_checkpoint"}) {
        text += fmt::format("\n[{}]\n", section);
        for (const Setting& s : settings.list())
            if (std::string_view(s.section) == section)
                text += fmt::format("{} = {}\n", s.key, s.value);
    }
    return text;
}

// Arguments of the registry, the call closed.
std::string registered(const ExportInput& input, const TitanModel& model) {
    std::string call = fmt::format("model_registry(\"{}\"", model.flavor);
    // Its own attention takes no context parallelism (models/common/decoder.py:182).
    if (std::string_view(model.family) == "gpt_oss" && input.plan.pipelines.front().stages.front().cp > 1)
        call += ", attn_backend=\"flex\"";
    if (const std::int64_t depth = input.problem.model().predictionDepth; depth > 0)
        call += fmt::format(", num_mtp_layers={}", depth);
    return call + ")";
}

// The settings of configure(config), and planned().
std::string settingsPython(const ExportInput& input, const char* configuration) {
    std::string text;
    const Settings settings(input);
    for (const Setting& s : settings.list()) {
        std::string value = s.value;
        for (std::size_t at = value.find('\n'); at != std::string::npos; at = value.find('\n', at + 5))
            value.insert(at + 1, "    ");
        const char* dot = *s.section == '\0' ? "" : ".";
        text += fmt::format("    config.{}{}{} = {}\n", s.section, dot, s.key, value);
    }
    return text +
           fmt::format("    return config\n\n\ndef planned():\n    return configure({}())\n", configuration);
}

// A module that the trainer's --module and --config find. The model is set as well: the registry's own
// configurations may be another flavor's, or multiply in float8.
std::string python(const ExportInput& input, const LaunchOrder& order) {
    const TitanModel& model = *titanModelOf(input.problem.model());
    const bool further = input.problem.model().predictionDepth > 0; // their losses are added
    const std::string numbers = titanNumbers(model, input.problem.model());
    return head(input, order) +
           fmt::format(
               R"py(# Started by train.sh. Data, learning rate and length are those of {1} in
# torchtitan/models/{0}/config_registry.py, yours to change in planned().
import os

from torchtitan.config import CompileConfig
from torchtitan.distributed.activation_checkpoint import FullAC, SelectiveAC
{6}{2}from torchtitan.models.{0} import model_registry
from torchtitan.models.{0}.config_registry import {1}
{3}

def configure(config):
    config.model_spec = {4}
{7}{5}    config.compile = CompileConfig()
)py",
               model.family, model.configuration,
               further ? "from torchtitan.models.common.config_utils import decoder_vocab_size\n" : "",
               further ? "from torchtitan.models.deepseek_v3.mtp import MTPLoss\n" : "",
               registered(input, model),
               further ? "    config.loss = MTPLoss.Config(global_vocab_size=decoder_vocab_size("
                         "config.model_spec))\n"
                       : "",
               numbers.empty() ? "" : "from torchtitan.models.common import RMSNorm, RoPE\n", numbers) +
           settingsPython(input, model.configuration);
}

// The same of a model of other sizes, which config.json beside it has.
std::string transformersPython(const ExportInput& input, const LaunchOrder& order) {
    return head(input, order) +
           fmt::format(
               R"py(# Started by train.sh. The model is that of config.json beside this file, with random weights; it needs
# transformers 5.9.0. Data, learning rate and length are those of {0} in
# torchtitan/experiments/transformers_modeling_backend/config_registry.py, yours to change in planned().
import os

from torchtitan.config import CompileConfig
from torchtitan.distributed.activation_checkpoint import FullAC, SelectiveAC
{1}

def configure(config):
{2}    config.compile = CompileConfig()
)py",
               kTransformersConfiguration, transformersImports(),
               transformersModel(input.problem.model(), sequencesOnRank(input.plan.pipelines.front()))) +
           settingsPython(input, kTransformersConfiguration);
}

// The folder is searched first, so that --module plan is plan.py beside it.
std::string start(const ExportInput& input) {
    std::string text = "#!/bin/bash\n# Starts this node's ranks: TORCHTITAN_HOME=... train.sh [ARGUMENT...]\n"
                       "set -euo pipefail\nhere=$(cd \"$(dirname \"$0\")\" && pwd)\n"
                       "cd \"${TORCHTITAN_HOME:?set it to the torchtitan checkout}\"\n";
    text += fmt::format("export PYTHONPATH=\"{}$PWD${{PYTHONPATH:+:$PYTHONPATH}}\"\n"
                        "exec bash \"$here/launch.sh\" -m torchtitan.train",
                        isMain(input) || !numbersModule(input).empty() ? "$here:" : "");
    if (isMain(input))
        text += " --module plan --config planned";
    else
        text += " --job.config_file \"$here/train.toml\"";
    if (!isMain(input) && readsSchedule(input.plan.pipelines.front()))
        text += " \\\n    --parallelism.pipeline_parallel_schedule_csv \"$here/schedule.csv\"";
    return text + " \"$@\"\n";
}

} // namespace

void checkTorchtitanQuestion(const Problem& problem, const std::string& release,
                             std::vector<Refusal>& refusals) {
    checkTitanModel(problem, release, refusals);
}

void checkTorchtitan(const Problem& problem, const Plan& plan, const std::string& release,
                     std::vector<Refusal>& refusals) {
    const Model& m = problem.model();
    if (plan.pipelines.size() != 1)
        return;
    const Pipeline& pipeline = plan.pipelines.front();
    const Stage& stage = pipeline.stages.front();
    // Before main mixed precision comes with sharding: without it everything is float32
    // (0.2.2 torchtitan/models/llama3/infra/parallelize.py:125; main applies FSDP to one replica too).
    const bool main = release == "main";
    if (!main && stage.dp() == 1 && stage.cp == 1 && problem.precision() == Precision::Bf16)
        refusals.push_back({"E_PRECISION", "recipe",
                            "bf16 without sharded data or context parallelism; the trainer then computes in "
                            "fp32"});
    if (!main && stage.tp > 1 && !stage.sequenceParallel)
        refusals.push_back({"E_SEQUENCE_PARALLEL", "plan",
                            "tensor parallelism without sequence parallelism; before main the trainer always "
                            "uses both"});
    // main: its integration tests leave these schedules out (features.py:129 of its own tests): the
    // backward pass of inputs asks every input of a stage for its gradient, FlexAttention's mask too.
    if (main && splitsBackward(pipeline.schedule.kind))
        refusals.push_back({"E_SCHEDULE",
                            "plan",
                            {"{schedule} divides the backward pass, which the masks of its attention have no "
                             "gradient for; 0.2 can",
                             {{"schedule", label(pipeline.schedule.kind)}}}});
    if (pipeline.stages.size() == 1 && pipeline.schedule.chunks > 1)
        refusals.push_back({"E_VPP", "plan", "virtual stages on one stage; two stages are the least"});
    // A part of a 0.1 run begins with a module; one that begins with the head has two.
    const int last = fineLayerCount(m) - 1;
    for (std::size_t i = 0; release == "0.1" && i < pipeline.stages.size(); ++i)
        for (const LayerRange& range : pipeline.stages[i].chunks)
            if (range.first == last || (range.first == 0 && range.last == 0))
                refusals.push_back({"E_EMPTY_STAGE", stageName(plan, 0, i),
                                    "holds no transformer block; before 0.2 at least one is needed"});
    checkTitanPlan(problem, plan, release, refusals);
    checkHostNames(problem, bestLaunchOrder(problem, pipeline), refusals);
}

std::vector<ExportFile> exportTorchtitan(const ExportInput& input) {
    const LaunchOrder order =
        launchOrder(input.problem, input.plan.pipelines.front(), RankNesting::StagesOutside);
    std::vector<ExportFile> files;
    if (isMain(input) && isTransformers(input)) {
        files.push_back({"plan.py", transformersPython(input, order)});
        files.push_back({"config.json", transformersConfig(input.problem)});
    } else if (isMain(input))
        files.push_back({"plan.py", python(input, order)});
    else
        files.push_back({"train.toml", toml(input, order)});
    if (std::string module = numbersModule(input); !module.empty())
        files.push_back({std::string(kNumbersModule) + ".py", std::move(module)});
    files.push_back({"train.sh", start(input)});
    if (readsSchedule(input.plan.pipelines.front()))
        files.push_back({"schedule.csv", torchScheduleCsv(input.evaluation.pipelines.front())});
    for (ExportFile& file : launchFiles(input.problem, order, "./train.sh"))
        files.push_back(std::move(file));
    return files;
}

} // namespace pw
