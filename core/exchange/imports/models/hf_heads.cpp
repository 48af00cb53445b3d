// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/imports/models/hf_family.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace pw {

// A size that was refused reads as 1: what is wrong with it has been said, and no second error follows from
// it.
void needDivisor(const JsonReader& config, const char* key, std::int64_t part, std::int64_t whole,
                 const char* what) {
    if (whole != 1 && whole % part != 0)
        config.fail("hf.division", config.where(key),
                    {"is {part}, which does not divide {what} {whole}",
                     {{"part", part}, {"what", what}, {"whole", whole}}});
}

void readHeadsOfHidden(const JsonReader& config, const HfFamily& family, Model& m) {
    needDivisor(config, family.keys.heads, m.heads, m.hidden, family.keys.hidden);
    m.kvHeads = m.heads;
    m.headDim = std::max<std::int64_t>(1, m.hidden / m.heads);
}

void readGroupedHeads(const JsonReader& config, const HfFamily& family, Model& m) {
    m.kvHeads = config.count("num_key_value_heads", 1, ModelLimits::heads, m.heads);
    needDivisor(config, "num_key_value_heads", m.kvHeads, m.heads, family.keys.heads);
    if (config.has("head_dim")) {
        m.headDim = config.count("head_dim", 1, ModelLimits::attentionWidth);
        if (m.heads * m.headDim > ModelLimits::attentionWidth)
            config.fail(
                "hf.range", config.where("head_dim"),
                {"is {head_dim}, which over {heads} heads is above {limit}",
                 {{"head_dim", m.headDim}, {"heads", m.heads}, {"limit", ModelLimits::attentionWidth}}});
    } else {
        needDivisor(config, family.keys.heads, m.heads, m.hidden, family.keys.hidden);
        m.headDim = std::max<std::int64_t>(1, m.hidden / m.heads);
    }
}

void readLatentHeads(const JsonReader& config, const HfFamily&, Model& m) {
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
}

std::vector<std::int64_t> readPerBlock(const JsonReader& config, const char* key, std::int64_t blocks,
                                       std::int64_t low, std::int64_t high) {
    std::vector<std::int64_t> list;
    for (const JsonReader& item : config.array(key)) {
        const Json& value = item.value();
        if (!value.is_number_integer() || value.get<double>() < static_cast<double>(low) ||
            value.get<double>() > static_cast<double>(high)) {
            item.fail("hf.range", item.where(),
                      {"must be a whole number from {low} to {high}", {{"low", low}, {"high", high}}});
            return {};
        }
        list.push_back(value.get<std::int64_t>());
    }
    if (blocks == 1 || static_cast<std::int64_t>(list.size()) == blocks)
        return list.size() == static_cast<std::size_t>(blocks) ? list : std::vector<std::int64_t>{};
    if (config.has(key))
        config.fail(
            "hf.layer_types", config.where(key),
            {"has {entries} entries for {blocks} layers", {{"entries", list.size()}, {"blocks", blocks}}});
    return {};
}

std::vector<std::string> readLayerTypes(const JsonReader& config, const char* key, std::int64_t blocks) {
    if (!config.has(key))
        return {};
    std::vector<std::string> types;
    for (const JsonReader& item : config.array(key)) {
        if (!item.value().is_string()) {
            item.fail("hf.layer_types", item.where(), "must be the name of a kind of layer");
            return {};
        }
        types.push_back(item.value().get<std::string>());
    }
    if (static_cast<std::int64_t>(types.size()) == blocks)
        return types;
    if (blocks != 1)
        config.fail(
            "hf.layer_types", config.where(key),
            {"has {entries} entries for {blocks} layers", {{"entries", types.size()}, {"blocks", blocks}}});
    return {};
}

namespace {

// The kinds of layer_types by name; a window holds for some.
struct LayerType {
    const char* name;
    bool window;
};
constexpr LayerType kLayerTypes[] = {{"full_attention", false},    {"sliding_attention", true},
                                     {"chunked_attention", true},  {"linear_attention", false},
                                     {"minimax_m3_sparse", false}, {"deepseek_sparse_attention", false}};

// Which blocks have a window: true for each.
std::vector<bool> windowed(const JsonReader& config, const HfWindows& w, std::int64_t blocks) {
    std::vector<bool> local(static_cast<std::size_t>(blocks), false);
    if (const auto types = readLayerTypes(config, "layer_types", blocks); !types.empty()) {
        for (std::size_t b = 0; b < types.size(); ++b) {
            const auto known = std::ranges::find(kLayerTypes, types[b], &LayerType::name);
            if (known == std::end(kLayerTypes)) {
                config.fail("hf.layer_types", config.where("layer_types") + "/" + std::to_string(b),
                            {"is \"{type}\", which is not known", {{"type", types[b]}}});
                return local;
            }
            local[b] = known->window;
        }
        return local;
    }
    std::int64_t every = w.every;
    if (w.rule == HfWindows::Rule::Every && config.has(w.everyKey) && config.value()[w.everyKey].is_number())
        every = config.count(w.everyKey, 1, ModelLimits::blocks);
    const std::int64_t from = w.rule == HfWindows::Rule::From
                                  ? config.count("max_window_layers", 0, ModelLimits::blocks, blocks)
                                  : 0;
    for (std::int64_t b = 0; b < blocks; ++b)
        local[static_cast<std::size_t>(b)] = w.rule == HfWindows::Rule::All ||
                                             (w.rule == HfWindows::Rule::Every && (b + 1) % every != 0) ||
                                             (w.rule == HfWindows::Rule::From && b >= from);
    return local;
}

} // namespace

void readWindows(const JsonReader& config, const HfWindows& w, Model& m) {
    const bool on = w.switchKey == nullptr || config.flag(w.switchKey, false);
    if (w.rule == HfWindows::Rule::None || !on || !config.has(w.key))
        return;
    const std::int64_t window = config.count(w.key, 1, ModelLimits::positions);
    const std::vector<bool> local = windowed(config, w, m.blocks);
    if (std::ranges::find(local, true) == local.end())
        return;
    m.chunks = w.chunks;
    for (const bool here : local)
        m.window.push_back(here ? window : 0);
}

} // namespace pw
