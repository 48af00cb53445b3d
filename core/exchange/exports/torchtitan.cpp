// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/exports/exporters.h"
#include "core/exchange/exports/launch_files.h"
#include "core/exchange/exports/torch_schedule.h"

#include <fmt/format.h>

#include <algorithm>

// torchtitan names the modules of every model part. 0.1 knows only where parts begin, 0.2 lists them in TOML,
// and main has no TOML any more but a Python table of configurations.

namespace pw {

namespace {

struct Flavor {
    const char* name;
    std::int64_t blocks, hidden, ffn, heads, kvHeads, vocab;
};
constexpr Flavor kLlama3[] = {{"8B", 32, 4096, 14336, 32, 8, 128256},
                              {"70B", 80, 8192, 28672, 64, 8, 128256},
                              {"405B", 126, 16384, 53248, 128, 8, 128256}};

const Flavor* flavorOf(const Model& m) {
    for (const Flavor& f : kLlama3)
        if (m.blocks == f.blocks && m.hidden == f.hidden && m.ffn == f.ffn && m.heads == f.heads &&
            m.kvHeads == f.kvHeads && m.vocab == f.vocab)
            return &f;
    return nullptr;
}

bool isMain(const ExportInput& input) {
    return input.release == "main";
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
    }
    return parts;
}

std::string quoted(const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names)
        text += fmt::format("{}\"{}\"", text.empty() ? "" : ", ", name);
    return "[" + text + "]";
}

// What all releases say, under their sections; `key = value`.
struct Setting {
    const char* section;
    std::string key, value;
};

class Settings {
public:
    explicit Settings(const ExportInput& input)
        : m_input(input), m_pipeline(input.plan.pipelines.front()), m_stage(m_pipeline.stages.front()) {
        training();
        parallelism();
        add("activation_checkpoint", "mode", fmt::format("\"{}\"", name(m_stage.recompute)));
        if (m_stage.recompute == Recompute::Selective)
            add("activation_checkpoint", "selective_ac_option", "\"op\"");
    }
    const std::vector<Setting>& list() const { return m_list; }

private:
    void add(const char* section, const char* key, std::string value) {
        m_list.push_back({section, key, std::move(value)});
    }
    void add(const char* section, const char* key, std::int64_t value) {
        add(section, key, std::to_string(value));
    }

    void training() {
        const Recipe& recipe = m_input.problem.recipe();
        const std::int64_t size = m_pipeline.microbatchSize * m_pipeline.count / m_stage.dp();
        add("training", "local_batch_size", size * m_pipeline.microbatches);
        add("training", "global_batch_size", recipe.gbs);
        add("training", "seq_len", recipe.seq);
        if (m_stage.dp() > 1 || m_stage.cp > 1)
            add("training", "mixed_precision_param",
                m_input.problem.precision() == Precision::Bf16 ? "\"bfloat16\"" : "\"float32\"");
        if (isMain(m_input))
            add("parallelism", "num_pp_microbatches", m_pipeline.microbatches);
        else
            add("parallelism", "pipeline_parallel_microbatch_size", size);
    }

    void parallelism() {
        const char* section = "parallelism";
        add(section, "data_parallel_replicate_degree", 1);
        add(section, "data_parallel_shard_degree", m_stage.dp());
        if (m_stage.dp() > 1)
            add(section, "fsdp_reshard_after_forward", m_stage.zero == 3 ? "\"always\"" : "\"never\"");
        add(section, "tensor_parallel_degree", m_stage.tp);
        add(section, "context_parallel_degree", m_stage.cp);
        add(section, "pipeline_parallel_degree", static_cast<std::int64_t>(m_pipeline.stages.size()));
        if (m_pipeline.stages.size() == 1)
            return;
        // The order of passes over virtual stages is the simulated one; single stages have a fixed one.
        const ScheduleKind kind = m_pipeline.schedule.kind;
        if (m_pipeline.schedule.chunks > 1) {
            add(section, "pipeline_parallel_schedule", "\"PipelineScheduleMulti\"");
            add(section, "pipeline_parallel_schedule_csv", "\"schedule.csv\"");
        } else {
            add(section, "pipeline_parallel_schedule",
                kind == ScheduleKind::GPipe ? "\"GPipe\"" : "\"1F1B\"");
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
    std::string text = head(input, order);
    text +=
        fmt::format("# bash launch.sh -m torchtitan.train --job.config_file train.toml\n\n[model]\nname = "
                    "\"llama3\"\nflavor = \"{}\"\n",
                    flavorOf(input.problem.model())->name);
    const Settings settings(input);
    for (const char* section : {"training", "parallelism", "activation_checkpoint"}) {
        text += fmt::format("\n[{}]\n", section);
        for (const Setting& s : settings.list())
            if (std::string_view(s.section) == section)
                text += fmt::format("{} = {}\n", s.key, s.value);
    }
    return text;
}

std::string python(const ExportInput& input, const LaunchOrder& order) {
    std::string text = head(input, order);
    text +=
        fmt::format("# Applied to the configuration of llama3 {} in a config_registry of yours; start it by "
                    "launch.sh.\n\n\ndef configure(config):\n",
                    flavorOf(input.problem.model())->name);
    const Settings settings(input);
    for (const Setting& s : settings.list()) {
        std::string value = s.value;
        for (std::size_t at = value.find('\n'); at != std::string::npos; at = value.find('\n', at + 5))
            value.insert(at + 1, "    ");
        text += fmt::format("    config.{}.{} = {}\n", s.section, s.key, value);
    }
    return text + "    return config\n";
}

} // namespace

void checkTorchtitan(const Problem& problem, const Plan& plan, const std::string& release,
                     std::vector<Refusal>& refusals) {
    const Model& m = problem.model();
    if (flavorOf(m) == nullptr)
        refusals.push_back({"E_UNSUPPORTED_MODEL", "model " + m.name,
                            "it is none of llama3's flavours 8B, 70B and 405B, which are written"});
    if (plan.pipelines.size() != 1)
        return;
    const Pipeline& pipeline = plan.pipelines.front();
    const Stage& stage = pipeline.stages.front();
    // Mixed precision comes with sharding: without it everything is float32.
    if (stage.dp() == 1 && stage.cp == 1 && problem.precision() == Precision::Bf16)
        refusals.push_back({"E_PRECISION", "recipe",
                            "bf16 without sharded data or context parallelism; the trainer then computes in "
                            "fp32"});
    // A part of a 0.1 run begins with a module; one that begins with the head has two.
    const int last = fineLayerCount(m) - 1;
    for (std::size_t i = 0; release == "0.1" && i < pipeline.stages.size(); ++i)
        for (const LayerRange& range : pipeline.stages[i].chunks)
            if (range.first == last || (range.first == 0 && range.last == 0))
                refusals.push_back({"E_EMPTY_STAGE", stageName(plan, 0, i),
                                    "holds no transformer block; before 0.2 at least one is needed"});
    checkHostNames(problem, bestLaunchOrder(problem, pipeline), refusals);
}

std::vector<ExportFile> exportTorchtitan(const ExportInput& input) {
    const LaunchOrder order =
        launchOrder(input.problem, input.plan.pipelines.front(), RankNesting::StagesOutside);
    std::vector<ExportFile> files;
    if (isMain(input))
        files.push_back({"plan.py", python(input, order)});
    else
        files.push_back({"train.toml", toml(input, order)});
    if (input.plan.pipelines.front().schedule.chunks > 1)
        files.push_back({"schedule.csv", torchScheduleCsv(input.evaluation.pipelines.front())});
    for (ExportFile& file : launchFiles(input.problem, order, {}))
        files.push_back(std::move(file));
    return files;
}

} // namespace pw
