// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/exports/torchtitan_transformers.h"

#include "core/base/json.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <string_view>

namespace pw {

namespace {

constexpr std::int64_t kMaskBlock = 128; // tokens; model.py:1076

struct Architecture {
    std::string_view type;
    const char* name; // model.py:532 looks the class up by it
};
constexpr std::array kArchitectures = {
    Architecture{"llama", "LlamaForCausalLM"}, Architecture{"qwen2", "Qwen2ForCausalLM"},
    Architecture{"qwen3", "Qwen3ForCausalLM"}, Architecture{"mixtral", "MixtralForCausalLM"},
    Architecture{"qwen3_moe", "Qwen3MoeForCausalLM"}};

// What the table of capabilities refuses anyway.
bool isElsewhereRefused(const Model& m) {
    return !m.rmsNorm || !m.gatedMlp || m.learnedPositions > 0;
}

// Experts of one width, chosen by a router of nothing but a matrix.
bool hasPlainExperts(const Experts& e) {
    return e.shared == 0 && !e.sharedGate && !e.routerBias && !e.routerInputScale && !e.bias &&
           e.groups <= 1 && (e.scale == 0.0 || e.scale == 1.0);
}

// Of longer lists of numbers than a model here states (LongRoPE), and of what follows the length of a run's
// sequences (dynamic), nothing is written.
bool canWriteScaling(const RotaryScaling& s) {
    return s.kind.empty() || (s.factor > 0.0 && (s.kind == "linear" || s.kind == "llama3" ||
                                                 (s.kind == "yarn" && s.positions > 0)));
}

// As release 5 reads it; what a model leaves open of Llama 3's is that of Llama 3.1.
Json rotaryParameters(const Model& m) {
    const RotaryScaling& s = m.rotaryScaling;
    Json json = {{"rope_type", s.kind.empty() ? "default" : s.kind}};
    if (m.rotaryBase > 0.0)
        json["rope_theta"] = m.rotaryBase;
    if (s.kind.empty())
        return json;
    json["factor"] = s.factor;
    if (s.kind != "linear")
        json["original_max_position_embeddings"] = s.positions > 0 ? s.positions : std::int64_t{8192};
    if (s.kind == "llama3") {
        json["low_freq_factor"] = s.lowFrequency > 0.0 ? s.lowFrequency : 1.0;
        json["high_freq_factor"] = s.highFrequency > 0.0 ? s.highFrequency : 4.0;
    }
    return json;
}

} // namespace

std::int64_t sequencesOnRank(const Pipeline& pipeline) {
    return pipeline.microbatchSize * pipeline.count / pipeline.stages.front().dp();
}

const char* transformersFamily(const Model& m) {
    if (isElsewhereRefused(m) || !isPlain(m) || hasLatentAttention(m) || m.ownFormulas || m.chunks ||
        !m.finalNorm || m.embedProjection > 0 || m.predictionDepth > 0 || m.attentionOutBias || m.mlpBias)
        return nullptr;
    const bool wide = m.heads * m.headDim != m.hidden;
    if (!hasExperts(m))
        return !m.qkvBias ? (m.queryKeyNorm ? "qwen3" : "llama")
                          : (m.queryKeyNorm || wide ? nullptr : "qwen2");
    if (m.qkvBias || !hasPlainExperts(m.experts))
        return nullptr;
    if (m.queryKeyNorm)
        return "qwen3_moe";
    return m.experts.denseBlocks.empty() ? "mixtral" : nullptr;
}

void checkTransformersModel(const Problem& problem, std::vector<Refusal>& refusals) {
    const Model& m = problem.model();
    const std::string where = "model " + m.name;
    // In this order: parallelize.py:125 copies a shared matrix; model.py:1061 masks what is ahead and other
    // documents alone; model.py:464 takes biases away.
    bool told = isElsewhereRefused(m);
    for (const ModelTrait trait :
         {ModelTrait::Tied, ModelTrait::LocalAttention, ModelTrait::BiasEverywhere, ModelTrait::MixedBias})
        if ((traitsOf(m) & traits({trait})) != 0) {
            refusals.push_back({"E_UNSUPPORTED_MODEL",
                                where,
                                {"it has {trait}; outside of its own sizes the trainer has not",
                                 {{"trait", words(trait)}}}});
            told = true;
        }
    if (!canWriteScaling(m.rotaryScaling)) {
        refusals.push_back(
            {"E_UNSUPPORTED_MODEL",
             where,
             {"its rotary positions are scaled ({kind}); outside of the trainer's own sizes the "
              "export writes linear scaling, Llama 3's and YaRN, with factor and YaRN's length "
              "before it",
              {{"kind", m.rotaryScaling.kind}}}});
        told = true;
    }
    if (!told && transformersFamily(m) == nullptr)
        refusals.push_back(
            {"E_UNSUPPORTED_MODEL", where,
             "it is of none of the trainer's own sizes (Llama 3 8B, 70B, 405B; DeepSeek 16B, 236B, 671B; "
             "Qwen3 0.6B to 32B, 30B-A3B, 235B-A22B; gpt-oss 20b, 120b), and outside of them the export "
             "writes only what is built as Llama, Qwen2, Qwen3, Mixtral or Qwen3 with experts"});
    // models/common/moe.py:96, as with its own sizes: moe_replacement.py puts the trainer's experts in.
    if (hasExperts(m) && problem.precision() != Precision::Bf16)
        refusals.push_back({"E_PRECISION",
                            "recipe",
                            {"{precision}; the trainer multiplies experts in bf16",
                             {{"precision", name(problem.precision())}}}});
}

void checkTransformersPlan(const Problem& problem, const Plan& plan, std::vector<Refusal>& refusals) {
    const Model& m = problem.model();
    const Pipeline& pipeline = plan.pipelines.front();
    const Stage& stage = pipeline.stages.front();
    // Its integration tests (line 22) and its README say so.
    if (hasExperts(m) && pipeline.stages.size() > 1)
        refusals.push_back({"E_UNSUPPORTED_MODEL", "model " + m.name,
                            "a pipeline; outside of its own sizes the trainer has none of experts"});
    // parallelize.py:168.
    if (stage.tp > 1 && !stage.sequenceParallel)
        refusals.push_back({"E_SEQUENCE_PARALLEL", "plan",
                            "tensor parallelism without sequence parallelism; outside of its own sizes the "
                            "trainer always uses both"});
    // pipeline.py:229: a stage without blocks has a container that Transformers cannot slice.
    const int last = fineLayerCount(m) - 1;
    for (std::size_t i = 0; pipeline.stages.size() > 1 && i < pipeline.stages.size(); ++i)
        for (const LayerRange& range : pipeline.stages[i].chunks)
            if (range.first == last || (range.first == 0 && range.last == 0))
                refusals.push_back({"E_EMPTY_STAGE", stageName(plan, 0, i),
                                    "holds no transformer block; outside of the trainer's own sizes at "
                                    "least one is needed"});
    // parallelize.py:113.
    if (const std::int64_t tokens = sequencesOnRank(pipeline) * problem.recipe().seq;
        stage.cp > 1 && tokens % (kMaskBlock * stage.cp) != 0)
        refusals.push_back({"E_CP",
                            "plan",
                            {"{tokens} tokens of a micro-batch on a rank over context parallelism of {cp}; "
                             "outside of its own sizes the trainer deals them out in blocks of {block}",
                             {{"tokens", tokens}, {"cp", stage.cp}, {"block", kMaskBlock}}}});
}

std::string transformersConfig(const Problem& problem) {
    const Model& m = problem.model();
    const std::string_view type = transformersFamily(m);
    const Architecture& architecture = *std::ranges::find(kArchitectures, type, &Architecture::type);
    Json config = {{"architectures", Json::array({architecture.name})},
                   {"model_type", type},
                   {"hidden_size", m.hidden},
                   {"intermediate_size", m.ffn},
                   {"num_hidden_layers", m.blocks},
                   {"num_attention_heads", m.heads},
                   {"num_key_value_heads", m.kvHeads},
                   {"vocab_size", m.vocab},
                   {"max_position_embeddings", std::max(m.positions, problem.recipe().seq)},
                   {"hidden_act", "silu"},
                   {"tie_word_embeddings", false}};
    if (type != "qwen2") // whose heads are as wide as they have to be
        config["head_dim"] = m.headDim;
    if (m.normEpsilon > 0.0)
        config["rms_norm_eps"] = m.normEpsilon;
    if (m.rotaryBase > 0.0 || scalesPositions(m))
        config["rope_parameters"] = rotaryParameters(m);
    if (type == "mixtral") {
        config["intermediate_size"] = m.experts.ffn;
        config["num_local_experts"] = m.experts.count;
        config["num_experts_per_tok"] = m.experts.perToken;
    } else if (type == "qwen3_moe") {
        config["moe_intermediate_size"] = m.experts.ffn;
        config["num_experts"] = m.experts.count;
        config["num_experts_per_tok"] = m.experts.perToken;
        config["norm_topk_prob"] = true;
        config["decoder_sparse_step"] = 1;
        config["mlp_only_layers"] = m.experts.denseBlocks;
    }
    return printJson(config);
}

std::string transformersImports() {
    return "from torchtitan.experiments.transformers_modeling_backend import (\n"
           "    HFTransformerModel,\n    TitanModelConfig,\n    TitanMoeModelConfig,\n    flavors,\n"
           "    model_registry,\n)\n"
           "from torchtitan.experiments.transformers_modeling_backend.config_registry import (\n"
           "    transformers_modeling_backend_full,\n)\n";
}

std::string transformersModel(const Model& model, std::int64_t sequences) {
    // Sequences of a micro-batch stand one behind the other and must not see each other (model.py:1061). A
    // router without a word about it is taken for one that does not normalise (moe_replacement.py:266).
    const char* mask = sequences > 1 ? "attn_mask_type=\"block_causal\"" : "attn_mask_type=\"causal\"";
    const std::string sizes = hasExperts(model)
                                  ? fmt::format("TitanMoeModelConfig(norm_topk_prob=True, {})", mask)
                                  : fmt::format("TitanModelConfig({})", mask);
    return fmt::format("    config.hf_model = os.path.dirname(os.path.abspath(__file__))\n"
                       "    flavors[\"planned\"] = HFTransformerModel.Config(model_config={})\n"
                       "    config.model_spec = model_registry(\"planned\")\n",
                       sizes);
}

} // namespace pw
