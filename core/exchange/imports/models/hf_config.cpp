// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/imports/models/hf_config.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace pw {

namespace {

// The keys under which one model type keeps the sizes that all of them have.
struct Keys {
    const char* blocks;
    const char* hidden;
    const char* heads;
    const char* ffn;
    const char* positions;
};

struct Family {
    const char* type;
    Keys keys;
    bool tiedByDefault;
    void (*read)(const JsonReader& config, Model& model); // what is special to the type
};

// A size that was refused reads as 1: what is wrong with it has been said, and no second error follows from
// it.
void needDivisor(const JsonReader& config, const char* key, std::int64_t part, std::int64_t whole,
                 const char* what) {
    if (whole != 1 && whole % part != 0)
        config.fail("hf.division", config.where(key),
                    {"is {part}, which does not divide {what} {whole}",
                     {{"part", part}, {"what", what}, {"whole", whole}}});
}

void headsOfHidden(const JsonReader& config, const Keys& keys, Model& m) {
    needDivisor(config, keys.heads, m.heads, m.hidden, keys.hidden);
    m.kvHeads = m.heads;
    m.headDim = std::max<std::int64_t>(1, m.hidden / m.heads);
}

void slidingWindow(const JsonReader& config, Model& m) {
    if (config.has("sliding_window"))
        m.window.assign(static_cast<std::size_t>(m.blocks),
                        config.count("sliding_window", 1, ModelLimits::positions));
}

void readLlama(const JsonReader& config, Model& m) {
    m.kvHeads = config.count("num_key_value_heads", 1, ModelLimits::heads, m.heads);
    needDivisor(config, "num_key_value_heads", m.kvHeads, m.heads, "num_attention_heads");
    if (config.has("head_dim")) {
        m.headDim = config.count("head_dim", 1, ModelLimits::attentionWidth);
        if (m.heads * m.headDim > ModelLimits::attentionWidth)
            config.fail(
                "hf.range", config.where("head_dim"),
                {"is {head_dim}, which over {heads} heads is above {limit}",
                 {{"head_dim", m.headDim}, {"heads", m.heads}, {"limit", ModelLimits::attentionWidth}}});
    } else {
        needDivisor(config, "num_attention_heads", m.heads, m.hidden, "hidden_size");
        m.headDim = std::max<std::int64_t>(1, m.hidden / m.heads);
    }
    m.gatedMlp = m.rmsNorm = true;
    m.qkvBias = m.attentionOutBias = config.flag("attention_bias", false);
    m.mlpBias = config.flag("mlp_bias", false);
}

void readInternlm(const JsonReader& config, Model& m) {
    readLlama(config, m);
    m.qkvBias = m.attentionOutBias = config.flag("bias", false);
}

void readMistral(const JsonReader& config, Model& m) {
    readLlama(config, m);
    slidingWindow(config, m);
}

void refuseMixedWindows(const JsonReader& config) {
    if (config.flag("use_sliding_window", false))
        config.fail("hf.unsupported", config.where("use_sliding_window"),
                    "is true: windows over part of the layers are not read; state the model in Pipewright's "
                    "own form");
}

void readQwen2(const JsonReader& config, Model& m) {
    readLlama(config, m);
    m.qkvBias = config.flag("qkv_bias", true);
    m.attentionOutBias = false;
    refuseMixedWindows(config);
}

void readQwen3(const JsonReader& config, Model& m) {
    readLlama(config, m);
    m.queryKeyNorm = true;
    refuseMixedWindows(config);
}

// Routed experts under the key of the type, and how many of them a token is sent to.
void readRouted(const JsonReader& config, Model& m, const char* countKey, const char* widthKey) {
    Experts& e = m.experts;
    e.count = config.count(countKey, 1, ModelLimits::experts);
    e.perToken = config.count("num_experts_per_tok", 1, ModelLimits::experts);
    e.ffn = config.count(widthKey, 1, ModelLimits::ffn);
    if (e.count != 1 && e.perToken > e.count)
        config.fail("hf.experts", config.where("num_experts_per_tok"),
                    {"is {per_token}, which is above {count_key} {count}",
                     {{"per_token", e.perToken}, {"count_key", countKey}, {"count", e.count}}});
    if (e.count * e.ffn > ModelLimits::expertWidth)
        config.fail("hf.range", config.where(widthKey),
                    {"is {ffn}, which over {count} experts is above {limit}",
                     {{"ffn", e.ffn}, {"count", e.count}, {"limit", ModelLimits::expertWidth}}});
}

void readMixtral(const JsonReader& config, Model& m) {
    readMistral(config, m);
    readRouted(config, m, "num_local_experts", "intermediate_size");
}

// Blocks without experts: those listed, and all but every so-manieth.
void readQwenExperts(const JsonReader& config, Model& m) {
    readRouted(config, m, "num_experts", "moe_intermediate_size");
    const std::int64_t step = config.count("decoder_sparse_step", 1, ModelLimits::blocks, 1);
    std::vector<bool> dense(static_cast<std::size_t>(m.blocks), false);
    for (std::size_t block = 0; block < dense.size(); ++block)
        dense[block] = static_cast<std::int64_t>(block + 1) % step != 0;
    if (config.has("mlp_only_layers") && m.blocks != 1)
        for (const JsonReader& item : config.array("mlp_only_layers")) {
            const Json& value = item.value();
            if (value.is_number_unsigned() && value.get<std::uint64_t>() < dense.size())
                dense[value.get<std::size_t>()] = true;
            else
                item.fail("hf.experts", item.where(),
                          {"must be a layer, 0 to {blocks}", {{"blocks", m.blocks - 1}}});
        }
    for (std::size_t block = 0; block < dense.size(); ++block)
        if (dense[block])
            m.experts.denseBlocks.push_back(static_cast<std::int64_t>(block));
}

void readQwen2Moe(const JsonReader& config, Model& m) {
    readQwen2(config, m);
    readQwenExperts(config, m);
    m.experts.shared = 1;
    m.experts.sharedFfn = config.count("shared_expert_intermediate_size", 1, ModelLimits::ffn);
    m.experts.sharedGate = true;
}

void readQwen3Moe(const JsonReader& config, Model& m) {
    readQwen3(config, m);
    readQwenExperts(config, m);
}

void readLatentAttention(const JsonReader& config, Model& m) {
    LatentAttention& l = m.latent;
    if (!config.value().contains("q_lora_rank"))
        config.fail("json.missing", config.where("q_lora_rank"),
                    "is missing; expected a whole number, or null where queries have no latent");
    l.queryRank = config.count("q_lora_rank", 1, ModelLimits::hidden, 0);
    l.kvRank = config.count("kv_lora_rank", 1, ModelLimits::hidden);
    l.plainDim = config.count("qk_nope_head_dim", 1, ModelLimits::attentionWidth);
    l.rotaryDim = config.count("qk_rope_head_dim", 1, ModelLimits::attentionWidth);
    l.valueDim = config.count("v_head_dim", 1, ModelLimits::attentionWidth);
    const std::int64_t width = l.plainDim + l.rotaryDim;
    const auto fits = [&](const char* key, std::int64_t dim) {
        if (m.heads * dim > ModelLimits::attentionWidth)
            config.fail("hf.range", config.where(key),
                        {"comes to heads of {dim}, which over {heads} of them is above {limit}",
                         {{"dim", dim}, {"heads", m.heads}, {"limit", ModelLimits::attentionWidth}}});
    };
    fits("qk_nope_head_dim", width);
    fits("v_head_dim", l.valueDim);
    m.kvHeads = m.heads;
    m.headDim = width;
    m.qkvBias = m.attentionOutBias = config.flag("attention_bias", false);
}

void readDeepseekV2(const JsonReader& config, Model& m) {
    readLatentAttention(config, m);
    m.gatedMlp = m.rmsNorm = true;
    if (!config.has("n_routed_experts")) // a dense member of the family
        return;
    readRouted(config, m, "n_routed_experts", "moe_intermediate_size");
    m.experts.shared = config.count("n_shared_experts", 0, ModelLimits::experts, 0);
    m.experts.sharedFfn = m.experts.ffn;
    if (sharedWidth(m) > ModelLimits::ffn)
        config.fail("hf.range", config.where("n_shared_experts"),
                    {"is {shared}, which of width {ffn} is above {limit}",
                     {{"shared", m.experts.shared}, {"ffn", m.experts.ffn}, {"limit", ModelLimits::ffn}}});
    const std::int64_t first = config.count("first_k_dense_replace", 0, ModelLimits::blocks, 0);
    if (m.blocks != 1 && first > m.blocks)
        config.fail("hf.experts", config.where("first_k_dense_replace"),
                    {"is {first}, which is above num_hidden_layers {blocks}",
                     {{"first", first}, {"blocks", m.blocks}}});
    const std::int64_t step = config.count("moe_layer_freq", 1, ModelLimits::blocks, 1);
    for (std::int64_t block = 0; block < m.blocks; ++block)
        if (block < first || block % step != 0)
            m.experts.denseBlocks.push_back(block);
}

void readDeepseekV3(const JsonReader& config, Model& m) {
    readDeepseekV2(config, m);
    m.experts.routerBias = hasExperts(m);
    m.predictionDepth = config.count("num_nextn_predict_layers", 0, ModelLimits::predictionDepth, 0);
}

constexpr Keys kGpt2Keys = {"n_layer", "n_embd", "n_head", "n_inner", "n_positions"};
constexpr Keys kGptNeoKeys = {"num_layers", "hidden_size", "num_heads", "intermediate_size",
                              "max_position_embeddings"};
constexpr Keys kOptKeys = {"num_hidden_layers", "hidden_size", "num_attention_heads", "ffn_dim",
                           "max_position_embeddings"};
constexpr Keys kCommonKeys = {"num_hidden_layers", "hidden_size", "num_attention_heads", "intermediate_size",
                              "max_position_embeddings"};

constexpr Keys kMptKeys = {"n_layers", "d_model", "n_heads", "ffn_hidden_size", "max_seq_len"};

void readMpt(const JsonReader& config, Model& m) {
    headsOfHidden(config, kMptKeys, m);
    if (config.has("expansion_ratio"))
        m.ffn = m.hidden * config.count("expansion_ratio", 1, 16);
    m.qkvBias = m.attentionOutBias = m.mlpBias = !config.flag("no_bias", true);
    m.rmsNorm = !m.mlpBias; // its norms lose their bias with the rest
    bool alibi = false;
    if (config.has("attn_config")) {
        const JsonReader attention = config.object("attn_config");
        alibi = attention.flag("alibi", false);
        m.kvHeads = attention.count("kv_n_heads", 1, ModelLimits::heads, m.heads);
        needDivisor(attention, "kv_n_heads", m.kvHeads, m.heads, "n_heads");
        if (attention.flag("qk_ln", false))
            config.fail("hf.unsupported", attention.where("qk_ln"),
                        "is true: norms over all heads of queries and keys are not known");
    }
    if (!alibi && config.flag("learned_pos_emb", true))
        m.learnedPositions = m.positions;
}

void readGptNeox(const JsonReader& config, Model& m) {
    headsOfHidden(config, kCommonKeys, m);
    m.qkvBias = m.attentionOutBias = config.flag("attention_bias", true);
    m.mlpBias = true;
}

void readGpt2(const JsonReader& config, Model& m) {
    headsOfHidden(config, kGpt2Keys, m);
    m.learnedPositions = m.positions;
    m.qkvBias = m.attentionOutBias = m.mlpBias = true;
}

// attention_types is [[["global", "local"], 16]]: each list of types, so many times over.
std::vector<std::int64_t> neoWindows(const JsonReader& config, const Model& m) {
    const std::int64_t window = config.count("window_size", 1, ModelLimits::positions, 256);
    std::vector<std::int64_t> windows;
    for (const JsonReader& group : config.array("attention_types")) {
        const Json& value = group.value();
        if (!value.is_array() || value.size() != 2 || !value[0].is_array() ||
            !value[1].is_number_unsigned() ||
            value[1].get<std::uint64_t>() > static_cast<std::uint64_t>(ModelLimits::blocks)) {
            group.fail("hf.attention_types", group.where(), "must be a list of attention types and a count");
            continue;
        }
        std::vector<std::int64_t> once;
        for (const Json& type : value[0]) {
            if (type != "global" && type != "local")
                group.fail("hf.attention_types", group.where() + "/0",
                           "holds a type that is neither global nor local");
            once.push_back(type == "local" ? window : 0);
        }
        for (std::uint64_t i = 0; i < value[1].get<std::uint64_t>(); ++i)
            if (windows.size() <= static_cast<std::size_t>(m.blocks))
                windows.insert(windows.end(), once.begin(), once.end());
    }
    if (config.has("attention_types") && m.blocks != 1 &&
        static_cast<std::int64_t>(windows.size()) != m.blocks)
        config.fail("hf.attention_types", config.where("attention_types"),
                    {"does not come to the {blocks} layers of num_layers", {{"blocks", m.blocks}}});
    const bool local = std::any_of(windows.begin(), windows.end(), [](std::int64_t w) { return w > 0; });
    return local ? windows : std::vector<std::int64_t>{};
}

void readGptNeo(const JsonReader& config, Model& m) {
    headsOfHidden(config, kGptNeoKeys, m);
    m.learnedPositions = m.positions;
    m.attentionOutBias = m.mlpBias = true;
    m.window = neoWindows(config, m);
}

void readOpt(const JsonReader& config, Model& m) {
    headsOfHidden(config, kOptKeys, m);
    m.learnedPositions = m.positions + 2; // the table keeps two rows in front
    m.qkvBias = m.attentionOutBias = m.mlpBias = config.flag("enable_bias", true);
    const std::int64_t width = config.count("word_embed_proj_dim", 1, ModelLimits::hidden, m.hidden);
    m.embedProjection = width == m.hidden ? 0 : width;
    // With the norms behind the sublayers (opt-350m) there is none left to put at the end.
    m.finalNorm =
        config.flag("do_layer_norm_before", true) && !config.flag("_remove_final_layer_norm", false);
    if (!config.flag("layer_norm_elementwise_affine", true))
        config.fail("hf.unsupported", config.where("layer_norm_elementwise_affine"),
                    "is false: norms without scale and bias are not known");
}

constexpr Family kFamilies[] = {
    {"llama", kCommonKeys, false, readLlama},
    {"mistral", kCommonKeys, false, readMistral},
    {"internlm", kCommonKeys, false, readInternlm},
    {"internlm2", kCommonKeys, false, readInternlm},
    {"mixtral", kCommonKeys, false, readMixtral},
    {"qwen2", kCommonKeys, false, readQwen2},
    {"qwen2_moe", kCommonKeys, false, readQwen2Moe},
    {"qwen3", kCommonKeys, false, readQwen3},
    {"qwen3_moe", kCommonKeys, false, readQwen3Moe},
    {"deepseek_v2", kCommonKeys, false, readDeepseekV2},
    {"deepseek_v3", kCommonKeys, false, readDeepseekV3},
    {"gpt2", kGpt2Keys, true, readGpt2},
    {"gpt_neo", kGptNeoKeys, true, readGptNeo},
    {"gpt_neox", kCommonKeys, false, readGptNeox},
    {"opt", kOptKeys, true, readOpt},
    {"mpt", kMptKeys, true, readMpt},
};

std::string modelName(const JsonReader& config, const std::filesystem::path& path) {
    if (const std::string stated = config.text("_name_or_path", ""); !stated.empty())
        return std::filesystem::path(stated).filename().string();
    if (path.filename() == "config.json" && path.has_parent_path())
        return path.parent_path().filename().string();
    return path.stem().string();
}

const Family* family(const JsonReader& config) {
    const std::string type = config.text("model_type");
    std::string known;
    for (const Family& f : kFamilies) {
        if (type == f.type)
            return &f;
        known += (known.empty() ? "" : ", ") + std::string(f.type);
    }
    if (!type.empty())
        config.fail("hf.model_type", config.where("model_type"),
                    {"is \"{type}\"; known are {known}. Any other decoder can be entered size by size",
                     {{"type", type}, {"known", known}}});
    return nullptr;
}

} // namespace

bool recogniseHfConfig(std::string_view text, const std::filesystem::path&) {
    return text.find("\"model_type\"") != std::string_view::npos;
}

Result<Imported> importHfConfig(std::string_view text, const std::filesystem::path& path,
                                const ImportHints&) {
    const Result<Json> document = parseJson(text, path.string());
    if (!document)
        return document.error();
    const JsonReader root(*document, path.string());
    const JsonReader config = root.has("text_config") ? root.object("text_config") : root;
    const Family* found = family(config);
    if (!found)
        return config.status().error();

    Model m;
    m.name = modelName(root, path);
    m.family = found->type;
    m.blocks = config.count(found->keys.blocks, 1, ModelLimits::blocks);
    m.hidden = config.count(found->keys.hidden, 1, ModelLimits::hidden);
    m.heads = config.count(found->keys.heads, 1, ModelLimits::heads);
    // Types with learned positions leave the width out where it is four times hidden; the others always state
    // it.
    m.ffn = found->tiedByDefault ? config.count(found->keys.ffn, 1, ModelLimits::ffn, 4 * m.hidden)
                                 : config.count(found->keys.ffn, 1, ModelLimits::ffn);
    m.vocab = config.count("vocab_size", 1, ModelLimits::vocab);
    m.positions = config.count(found->keys.positions, 1, ModelLimits::positions);
    m.tied = config.flag("tie_word_embeddings", found->tiedByDefault);
    m.dtype = root.text("torch_dtype", root.text("dtype", config.text("torch_dtype", "")));
    m.source = path.filename().string();
    found->read(config, m);
    if (Status s = config.status(); !s)
        return s.error();
    if (Status s = checkModel(m, config.where()); !s)
        return s.error();

    Imported imported;
    imported.kind = "hf-config";
    imported.summary = fmt::format("{}: {}, {} blocks, hidden {}, {} parameters", m.name, m.family, m.blocks,
                                   m.hidden, parameterCount(m));
    if (hasExperts(m))
        imported.summary += fmt::format(", {} active", activeParameterCount(m));
    imported.what = std::move(m);
    return imported;
}

} // namespace pw
