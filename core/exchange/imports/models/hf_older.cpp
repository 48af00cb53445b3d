// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/imports/models/hf_family.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace pw {

namespace {

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

} // namespace

void readMpt(const JsonReader& config, Model& m) {
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
                        "is true: norms over all heads of queries and keys with biases are not known");
    }
    if (!alibi && config.flag("learned_pos_emb", true))
        m.learnedPositions = m.positions;
}

void readGptNeox(const JsonReader& config, Model& m) {
    m.qkvBias = m.attentionOutBias = config.flag("attention_bias", true);
    m.mlpBias = true;
}

void readGpt2(const JsonReader&, Model& m) {
    m.learnedPositions = m.positions;
    m.qkvBias = m.attentionOutBias = m.mlpBias = true;
}

void readGptNeo(const JsonReader& config, Model& m) {
    m.learnedPositions = m.positions;
    m.attentionOutBias = m.mlpBias = true;
    m.window = neoWindows(config, m);
}

void readOpt(const JsonReader& config, Model& m) {
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

} // namespace pw
