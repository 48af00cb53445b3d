// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/exports/exporters.h"
#include "core/exchange/exports/launch_files.h"
#include "core/exchange/exports/plain_pipelines.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>

// Hetu's ds_parallel_config: every parameter with its split, its copies and its devices in each of P
// pipelines, whose blocks the trainer takes in the order of the file. For every leaf and pipeline dup *
// product(split) = size of the device group * P, which makes a file provable.

namespace pw {

namespace {

using OrderedJson = nlohmann::ordered_json;

class HetuWriter {
public:
    HetuWriter(const ExportInput& input, const std::vector<PlainPipeline>& pipelines,
               const std::map<DeviceIndex, int>& ranks)
        : m_input(input), m_pipelines(pipelines), m_ranks(ranks) {}

    OrderedJson write() const {
        const auto blocks = static_cast<int>(m_input.problem.model().blocks);
        OrderedJson list = OrderedJson::object(), recomputed = OrderedJson::array(),
                    granularity = OrderedJson::array();
        for (int b = 0; b < blocks; ++b)
            list["blocks" + std::to_string(b)] = block(b);
        for (std::size_t p = 0; p < m_pipelines.size(); ++p) {
            OrderedJson layers = OrderedJson::array();
            for (int b = 0; b < blocks; ++b)
                if (isRecomputed(p, b))
                    layers.push_back(b);
            granularity.push_back(layers.empty() ? OrderedJson(nullptr) : OrderedJson("full"));
            recomputed.push_back(std::move(layers));
        }
        OrderedJson devices = OrderedJson::array();
        for (std::size_t d = 0; d < m_ranks.size(); ++d)
            devices.push_back(d);
        const int last = blocks - 1;
        return {{"zero", zero()},
                {"devices", std::move(devices)},
                {"recompute_granularity", std::move(granularity)},
                {"recompute_layer_idxs_list", std::move(recomputed)},
                {"input", leaf(0, Split::Batch, "placeholder")},
                {"llama",
                 {{"wte", leaf(0, Split::Rows)},
                  {"blocks", std::move(list)},
                  {"rmsnorm_final", leaf(last, Split::Nothing)}}},
                {"lm_head", leaf(last, Split::Columns)},
                {"label", leaf(last, Split::Batch, "placeholder")}};
    }

private:
    enum class Split { Batch, Rows, Columns, Nothing };

    // The stage that holds a block; embedding and head go with the first and the last.
    const PlainStage& stageOf(std::size_t pipeline, int block) const {
        const std::vector<PlainStage>& stages = m_pipelines[pipeline].stages;
        return *std::find_if(stages.begin(), stages.end(), [&](const PlainStage& s) {
            return 2 * block + 2 <= s.stage->chunks.front().last;
        });
    }

    bool isRecomputed(std::size_t pipeline, int block) const {
        const Stage& stage = *stageOf(pipeline, block).stage;
        const int before = block - stage.chunks.front().first / 2; // of the stage's blocks
        return stage.recompute == Recompute::Full &&
               (stage.recomputeLayers == 0 || before < stage.recomputeLayers);
    }

    bool zero() const {
        return m_pipelines.size() > 1 &&
               std::any_of(m_pipelines.begin(), m_pipelines.end(), [](const PlainPipeline& p) {
                   return std::any_of(p.stages.begin(), p.stages.end(),
                                      [](const PlainStage& s) { return s.stage->zero == 1; });
               });
    }

    OrderedJson leaf(int block, Split split, const char* type = "variable") const {
        const auto count = static_cast<int>(m_pipelines.size());
        OrderedJson sizes = OrderedJson::array(), copies = OrderedJson::array(),
                    groups = OrderedJson::array(), all = OrderedJson::array();
        for (std::size_t p = 0; p < m_pipelines.size(); ++p) {
            const PlainStage& stage = stageOf(p, block);
            const int tp = stage.stage->tp;
            sizes.push_back(tp);
            all.push_back(count);
            copies.push_back(split == Split::Batch ? tp : split == Split::Nothing ? tp * count : count);
            OrderedJson ids = OrderedJson::array();
            for (const DeviceIndex d : stage.devices)
                ids.push_back(m_ranks.at(d));
            groups.push_back(std::move(ids));
        }
        OrderedJson parts = OrderedJson::object();
        if (split == Split::Batch)
            parts["0"] = std::move(all);
        else if (split != Split::Nothing)
            parts[split == Split::Rows ? "0" : "1"] = std::move(sizes);
        return {{"split", std::move(parts)},
                {"dup", std::move(copies)},
                {"device_group_union", std::move(groups)},
                {"type", type}};
    }

    OrderedJson block(int b) const {
        OrderedJson recompute = OrderedJson::array(), no = OrderedJson::array();
        for (std::size_t p = 0; p < m_pipelines.size(); ++p) {
            recompute.push_back(isRecomputed(p, b));
            no.push_back(false);
        }
        return {{"range", OrderedJson::array({b})},
                {"recompute", std::move(recompute)},
                {"output_recompute", no},
                {"cpu_offload", no},
                {"rmsnorm1", leaf(b, Split::Nothing)},
                {"attn", {{"qkv", leaf(b, Split::Columns)}, {"dense", leaf(b, Split::Rows)}}},
                {"rmsnorm2", leaf(b, Split::Nothing)},
                {"mlp",
                 {{"dense_h_to_4h", leaf(b, Split::Columns)},
                  {"dense_4h_to_h", leaf(b, Split::Rows)},
                  {"activation_func", OrderedJson::object()}}}};
    }

    const ExportInput& m_input;
    const std::vector<PlainPipeline>& m_pipelines;
    const std::map<DeviceIndex, int>& m_ranks;
};

// The runtime numbers ranks as if all stages had the largest tensor-parallel size; those that a smaller stage
// leaves over are mapped to devices beyond the last one and listed as unused.
struct Numbering {
    int stageGpus = 1;
    std::vector<std::string> mapping; // "0:4"
    std::vector<int> unused;
};

Numbering numbered(const std::vector<PlainPipeline>& pipelines, const std::map<DeviceIndex, int>& ranks) {
    Numbering numbers;
    for (const PlainPipeline& p : pipelines)
        for (const PlainStage& s : p.stages)
            numbers.stageGpus = std::max(numbers.stageGpus, s.stage->tp);
    int rank = 0, beyond = static_cast<int>(ranks.size());
    for (const PlainPipeline& p : pipelines)
        for (const PlainStage& s : p.stages)
            for (int t = 0; t < numbers.stageGpus; ++t, ++rank) {
                const bool used = t < s.stage->tp;
                numbers.mapping.push_back(fmt::format(
                    "{}:{}", rank, used ? ranks.at(s.devices[static_cast<std::size_t>(t)]) : beyond++));
                if (!used)
                    numbers.unused.push_back(rank);
            }
    return numbers;
}

std::string script(const ExportInput& input, const std::vector<PlainPipeline>& pipelines,
                   const LaunchOrder& order, const std::map<DeviceIndex, int>& ranks) {
    const Model& m = input.problem.model();
    const Numbering numbers = numbered(pipelines, ranks);
    std::vector<std::size_t> stages;
    std::vector<std::int64_t> counts;
    std::vector<int> cp;
    for (const PlainPipeline& p : pipelines)
        stages.push_back(p.stages.size());
    for (std::size_t p = 0; p < pipelines.size();) {
        const int own = pipelines[p].stages.front().stage->cp;
        cp.push_back(own);
        counts.push_back(pipelines[p].microbatches);
        p += static_cast<std::size_t>(own);
    }
    std::string text = "#!/bin/bash\n";
    text += fmt::format("# For {}: {} GPUs, {} pipelines.\n", exporterRow("hetu")->releases.front().label,
                        order.world(), pipelines.size());
    text += "# Devices are numbered node by node:\n" + placementComment(input.problem, order);
    text +=
        R"sh(# Run it as Hetu's scripts/train_hetu.sh does, from examples/ampelos of a built Hetu. Data and server are
# yours to add:
#     ./train.sh --server_addr ... --server_port ... [ARGUMENT...]
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
ARGUMENTS=(
    --ds_parallel_config "$here/ds_parallel_config.json"
    --num_strategy 1
    --hetero
)sh";
    const auto line = [&](const std::string& words) { text += "    " + words + "\n"; };
    line(fmt::format("--ngpus {}", order.world()));
    line(fmt::format("--hetero_stage_gpus {}", numbers.stageGpus));
    line(fmt::format("--hetero_stages \"[{}]\"", fmt::join(stages, ",")));
    line(fmt::format("--micro_batch_num_list \"[{}]\"", fmt::join(counts, ",")));
    line(fmt::format("--cp_list \"[{}]\"", fmt::join(cp, ",")));
    line(fmt::format("--rank_to_device_mapping \"{{{}}}\"", fmt::join(numbers.mapping, ",")));
    line(fmt::format("--unused_rank \"[{}]\"", fmt::join(numbers.unused, ",")));
    line(fmt::format("--global_batch_size {}", input.problem.recipe().gbs));
    line(fmt::format("--micro_batch_size {}", pipelines.front().microbatchSize));
    line(fmt::format("--global_seq_len {}", input.problem.recipe().seq));
    line(fmt::format("--num_hidden_layers {}", m.blocks));
    line(fmt::format("--hidden_size {}", m.hidden));
    line(fmt::format("--ffn_hidden_size {}", m.ffn));
    line(fmt::format("--num_attention_heads {}", m.heads));
    line(fmt::format("--vocab_size {}", m.vocab));
    line("--dropout_prob 0");
    text +=
        "    --bf16\n    --use_flash_attn\n)\nexec python3 train_hetu_llama.py \"${ARGUMENTS[@]}\" \"$@\"\n";
    return text;
}

} // namespace

void checkHetu(const Problem& problem, const Plan& plan, const std::string&, std::vector<Refusal>& refusals) {
    checkHostNames(problem, usedNodes(problem, plan), refusals);
}

std::vector<ExportFile> exportHetu(const ExportInput& input) {
    const std::vector<PlainPipeline> pipelines = plainPipelines(input.plan);
    const LaunchOrder order = usedNodes(input.problem, input.plan);
    const std::map<DeviceIndex, int> ranks = ranksOf(input.problem, order);
    return {{"ds_parallel_config.json", HetuWriter(input, pipelines, ranks).write().dump(2) + "\n"},
            {"train.sh", script(input, pipelines, order, ranks)}};
}

} // namespace pw
