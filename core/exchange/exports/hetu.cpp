// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/exports/exporters.h"
#include "core/exchange/exports/fixed_rotary.h"
#include "core/exchange/exports/hetu_run.h"
#include "core/exchange/exports/launch_files.h"

#include <nlohmann/json.hpp>

#include <algorithm>

// Hetu's ds_parallel_config, as its models/llama/generate_llama_hetero_4d_config.py writes it: every
// parameter with its split, its copies and its devices in each of P pipelines, the blocks in their order. For
// every leaf and pipeline dup * product(split) = size of the device group * P, which makes a file provable.

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
                  {"rmsnorm_final", leaf(last, Split::Rows)}}},
                {"lm_head", leaf(last, Split::Columns)},
                {"label", leaf(last, Split::Batch, "placeholder")}};
    }

private:
    enum class Split { Batch, Rows, Columns };

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
            copies.push_back(split == Split::Batch ? tp : count);
            OrderedJson ids = OrderedJson::array();
            for (const DeviceIndex d : stage.devices)
                ids.push_back(m_ranks.at(d));
            groups.push_back(std::move(ids));
        }
        OrderedJson parts = OrderedJson::object();
        if (split == Split::Batch)
            parts["0"] = std::move(all);
        else
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
                {"rmsnorm1", leaf(b, Split::Rows)},
                {"attn", {{"qkv", leaf(b, Split::Columns)}, {"dense", leaf(b, Split::Rows)}}},
                {"rmsnorm2", leaf(b, Split::Rows)},
                {"mlp",
                 {{"dense_h_to_4h", leaf(b, Split::Columns)},
                  {"dense_4h_to_h", leaf(b, Split::Rows)},
                  {"activation_func", OrderedJson::object()}}}};
    }

    const ExportInput& m_input;
    const std::vector<PlainPipeline>& m_pipelines;
    const std::map<DeviceIndex, int>& m_ranks;
};

// The trainer has two models, and its Llama is the one that is written. Its GPT has ReLU and no bias
// (models/gpt/gpt_model.py:33, 179, 209), which no model of a GPT's other traits here has.
void checkModels(const Model& m, std::vector<Refusal>& refusals) {
    constexpr ModelTraits kGpt =
        traits({ModelTrait::LearnedPositions, ModelTrait::PlainMlp, ModelTrait::LayerNorm, ModelTrait::Tied});
    constexpr ModelTraits kNotLlamas = kGpt | traits({ModelTrait::Relu});
    const ModelTraits own = traitsOf(m);
    const auto refuse = [&](Wording why) {
        refusals.push_back({"E_UNSUPPORTED_MODEL", "model " + m.name, std::move(why)});
    };
    const bool biased = m.qkvBias || m.attentionOutBias || m.mlpBias;
    const bool relu = (own & traits({ModelTrait::Relu})) != 0;
    if ((own & kGpt) == kGpt) {
        if (biased)
            refuse("its products have biases; the trainer's GPT has none, and its Llama is another model");
        if (!relu)
            refuse("its MLP has no ReLU; the trainer's GPT has ReLU, and its Llama is another model");
        if (!biased && relu)
            refuse("it is built as the trainer's GPT; the export writes the trainer's Llama alone");
        return;
    }
    for (unsigned t = 0; t < static_cast<unsigned>(ModelTrait::kCount); ++t)
        if (((own & kNotLlamas) >> t & 1U) != 0)
            refuse({"it has {trait}; the trainer's Llama has not",
                    {{"trait", words(static_cast<ModelTrait>(t))}}});
    if ((own & traits({ModelTrait::MixedBias})) != 0 && m.qkvBias != m.attentionOutBias)
        refuse({"it has {trait}; the trainer's Llama has one switch for those of attention",
                {{"trait", words(ModelTrait::MixedBias)}}});
}

} // namespace

void checkHetuQuestion(const Problem& problem, const std::string&, std::vector<Refusal>& refusals) {
    checkModels(problem.model(), refusals);
    checkFixedRotary(problem.model(), refusals);
}

// Embedding and head are cut by words.
void checkHetu(const Problem& problem, const Plan& plan, const std::string&, std::vector<Refusal>& refusals) {
    const std::int64_t vocab = problem.model().vocab;
    for (std::size_t p = 0; p < plan.pipelines.size(); ++p)
        for (std::size_t i = 0, last = plan.pipelines[p].stages.size() - 1; i <= last; ++i)
            if (const int tp = plan.pipelines[p].stages[i].tp; (i == 0 || i == last) && vocab % tp != 0)
                refusals.push_back({"E_DIVIDE_HEADS",
                                    stageName(plan, p, i),
                                    {"{value} words of the vocabulary do not divide by tensor parallel {tp}",
                                     {{"value", vocab}, {"tp", tp}}}});
    checkHostNames(problem, usedNodes(problem, plan), refusals);
}

void hetuNotes(const Problem& problem, const Plan&, const std::string&, Diagnostics& notes) {
    fixedRotaryNote(problem.model(), notes);
}

std::vector<ExportFile> exportHetu(const ExportInput& input) {
    const std::vector<PlainPipeline> pipelines = plainPipelines(input.plan);
    const LaunchOrder order = usedNodes(input.problem, input.plan);
    const std::map<DeviceIndex, int> ranks = ranksOf(input.problem, order);
    std::vector<ExportFile> files = {
        {"ds_parallel_config.json", HetuWriter(input, pipelines, ranks).write().dump(2) + "\n"}};
    for (ExportFile& file : hetuRunFiles(input, pipelines, order, ranks))
        files.push_back(std::move(file));
    return files;
}

} // namespace pw
