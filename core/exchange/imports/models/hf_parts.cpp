// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/imports/models/hf_family.h"

#include <map>

namespace pw {

namespace {

// The model's own attention, to be changed for some blocks.
OtherAttention likeOwn(const Model& m) {
    return {{}, m.heads, m.kvHeads, m.headDim, m.parts, {}};
}

// Puts it in place of the model's own in blocks of which `is` holds.
template <class Is>
void addOther(Model& m, OtherAttention other, Is is) {
    for (std::int64_t b = 0; b < m.blocks; ++b)
        if (is(static_cast<std::size_t>(b)))
            other.blocks.push_back(b);
    if (!other.blocks.empty())
        m.others.push_back(std::move(other));
}

void refuse(const JsonReader& config, const char* key, const char* why) {
    config.fail("hf.unsupported", config.where(key), why);
}

} // namespace

// Qwen3-Next and Qwen3.5: gated delta nets, every fourth block gated attention.
void readDeltaNet(const JsonReader& config, Model& m) {
    if (!config.flag("attn_output_gate", true))
        refuse(config, "attn_output_gate", "is false: this type projects a gate with its queries");
    OtherAttention other;
    LinearAttention& l = other.linear;
    l.keyHeads = config.count("linear_num_key_heads", 1, ModelLimits::heads);
    l.valueHeads = config.count("linear_num_value_heads", 1, ModelLimits::heads);
    l.keyDim = config.count("linear_key_head_dim", 1, ModelLimits::attentionWidth);
    l.valueDim = config.count("linear_value_head_dim", 1, ModelLimits::attentionWidth);
    l.kernel = config.count("linear_conv_kernel_dim", 1, ModelLimits::kernel);
    const std::vector<std::string> types = readLayerTypes(config, "layer_types", m.blocks);
    const std::int64_t every = config.count("full_attention_interval", 1, ModelLimits::blocks);
    addOther(m, std::move(other), [&](std::size_t b) {
        return types.empty() ? (static_cast<std::int64_t>(b) + 1) % every != 0
                             : types[b] == "linear_attention";
    });
}

// DeepSeek-V3.2 and GLM-5: an index chooses what latent attention sees; some blocks take an earlier choice.
void readIndexer(const JsonReader& config, Model& m) {
    SparseIndex& x = m.parts.index;
    x.heads = config.count("index_n_heads", 1, ModelLimits::heads);
    x.dim = config.count("index_head_dim", 1, ModelLimits::attentionWidth);
    x.tokens = config.count("index_topk", 1, ModelLimits::positions);
    const std::vector<std::string> types = readLayerTypes(config, "indexer_types", m.blocks);
    const std::int64_t every = config.count("index_topk_freq", 1, ModelLimits::blocks, 1);
    const std::int64_t offset = config.count("index_skip_topk_offset", 0, ModelLimits::blocks, 2);
    if (types.empty() && config.has("index_topk_pattern"))
        refuse(config, "index_topk_pattern",
               "is given without indexer_types, which say the same block by block");
    OtherAttention shared = likeOwn(m);
    shared.parts.index.heads = shared.parts.index.dim = 0;
    addOther(m, std::move(shared), [&](std::size_t b) {
        if (!types.empty())
            return types[b] == "shared";
        return std::max<std::int64_t>(static_cast<std::int64_t>(b) - offset + 1, 0) % every != 0;
    });
}

// MiniMax-M3: blocks of keys chosen by an index in most layers, all keys in the others. Release 5 of
// transformers writes the index's sizes flat and its layers as layer_types.
void readMinimaxM3(const JsonReader& config, Model& m) {
    const bool nested = config.has("sparse_attention_config");
    const JsonReader sizes = nested ? config.object("sparse_attention_config") : config;
    const auto size = [&](const char* inside, const char* flat, std::int64_t high) {
        return sizes.count(nested ? inside : flat, 1, high);
    };
    m.parts.index.heads = size("sparse_num_index_heads", "index_n_heads", ModelLimits::heads);
    m.parts.index.dim = size("sparse_index_dim", "index_head_dim", ModelLimits::attentionWidth);
    m.parts.index.tokens = size("sparse_topk_blocks", "index_topk_blocks", ModelLimits::positions >> 16) *
                           size("sparse_block_size", "index_block_size", std::int64_t{1} << 16);
    std::vector<bool> sparse;
    if (nested)
        for (const std::int64_t on : readPerBlock(sizes, "sparse_attention_freq", m.blocks, 0, 1))
            sparse.push_back(on == 1);
    else
        for (const std::string& type : readLayerTypes(config, "layer_types", m.blocks))
            sparse.push_back(type == "minimax_m3_sparse");
    if (sparse.empty())
        sparse.assign(static_cast<std::size_t>(m.blocks), false); // the class's: all layers see all keys
    OtherAttention full = likeOwn(m);
    full.parts.index = {};
    addOther(m, std::move(full), [&](std::size_t b) { return !sparse[b]; });
}

void readMinimaxM2(const JsonReader& config, Model& m) {
    if (config.text("qk_norm_type", "per_layer") != "per_layer")
        refuse(config, "qk_norm_type", "is not \"per_layer\", the only norm that this type builds");
    m.queryKeyNorm = m.wideQueryKeyNorm = config.flag("use_qk_norm", true);
}

// Llama 4: no_rope_layers has a 1 for blocks that rotate positions, and these see their own chunk alone.
void readLlama4(const JsonReader& config, Model& m) {
    if (!config.has("no_rope_layers") || config.array("no_rope_layers").empty())
        return;
    const std::int64_t chunk = config.count("attention_chunk_size", 1, ModelLimits::positions);
    m.window.clear();
    for (const std::int64_t rotated : readPerBlock(config, "no_rope_layers", m.blocks, 0, 1))
        m.window.push_back(rotated == 1 ? chunk : 0);
    m.chunks = true;
}

// MiMo-V2: blocks with a window have key-value heads of their own, and sinks.
void readMimoV2(const JsonReader& config, Model& m) {
    m.parts.valueDim = config.count("v_head_dim", 1, ModelLimits::attentionWidth, m.headDim);
    m.parts.sinks = config.flag("add_full_attention_sink_bias", false);
    OtherAttention local = likeOwn(m);
    local.heads = config.count("swa_num_attention_heads", 1, ModelLimits::heads, m.heads);
    local.kvHeads = config.count("swa_num_key_value_heads", 1, ModelLimits::heads, m.kvHeads);
    local.headDim = config.count("swa_head_dim", 1, ModelLimits::attentionWidth, m.headDim);
    local.parts.valueDim = config.count("swa_v_head_dim", 1, ModelLimits::attentionWidth, m.parts.valueDim);
    local.parts.sinks = config.flag("add_swa_attention_sink_bias", false);
    const std::int64_t window = config.count("sliding_window", 1, ModelLimits::positions);
    const std::vector<std::int64_t> pattern = readPerBlock(config, "hybrid_layer_pattern", m.blocks, 0, 1);
    if (pattern.empty())
        return;
    for (const std::int64_t is : pattern)
        m.window.push_back(is == 1 ? window : 0);
    addOther(m, std::move(local), [&](std::size_t b) { return pattern[b] == 1; });
}

// Laguna: as many query heads as a list says, block by block.
void readLaguna(const JsonReader& config, Model& m) {
    if (!config.has("num_attention_heads_per_layer"))
        return;
    const std::vector<std::int64_t> heads =
        readPerBlock(config, "num_attention_heads_per_layer", m.blocks, 1, ModelLimits::heads);
    std::map<std::int64_t, OtherAttention> others;
    for (const std::int64_t count : heads)
        if (count != m.heads && !others.contains(count)) {
            needDivisor(config, "num_key_value_heads", m.kvHeads, count, "num_attention_heads_per_layer");
            others[count] = likeOwn(m);
            others[count].heads = count;
        }
    for (auto& [count, other] : others)
        addOther(m, std::move(other), [&, count = count](std::size_t b) { return heads[b] == count; });
}

// Gemma 4: blocks that see all tokens have wider heads, fewer of keys, and may read values from their keys;
// experts may stand beside the MLP, with norms of their own (three more a block).
void readGemma4(const JsonReader& config, Model& m) {
    if (config.count("hidden_size_per_layer_input", 0, ModelLimits::hidden) > 0)
        refuse(config, "hidden_size_per_layer_input", "is above 0: inputs of each layer's own have no price");
    if (config.count("num_kv_shared_layers", 0, ModelLimits::blocks) > 0)
        refuse(config, "num_kv_shared_layers", "is above 0: keys and values of other layers have no price");
    OtherAttention full = likeOwn(m);
    full.headDim = config.count("global_head_dim", 1, ModelLimits::attentionWidth, m.headDim);
    full.parts.keysAreValues = config.flag("attention_k_eq_v", false);
    if (full.parts.keysAreValues)
        full.kvHeads = config.count("num_global_key_value_heads", 1, ModelLimits::heads, m.kvHeads);
    const std::vector<std::string> types = readLayerTypes(config, "layer_types", m.blocks);
    addOther(m, std::move(full),
             [&](std::size_t b) { return types.empty() ? (b + 1) % 6 == 0 : types[b] == "full_attention"; });
    if (!config.flag("enable_moe_block", false))
        return;
    static constexpr HfExperts kBeside{.count = {"num_experts", "num_local_experts"},
                                       .perToken = {"top_k_experts", "num_experts_per_tok"},
                                       .ffn = {"moe_intermediate_size", "expert_intermediate_size"},
                                       .sharedFfn = "intermediate_size",
                                       .oneShared = true,
                                       .routerBias = true};
    readExperts(config, kBeside, m);
    m.experts.routerInputScale = true;
    m.mlpNorms = 5;
}

} // namespace pw
