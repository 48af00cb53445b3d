// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/imports/models/hf_family.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace pw {

namespace {

const char* present(const JsonReader& config, const std::array<const char*, 2>& keys) {
    return keys[1] != nullptr && !config.has(keys[0]) && config.has(keys[1]) ? keys[1] : keys[0];
}

// A number, or a list of the same number for every block.
std::int64_t uniform(const JsonReader& config, const char* key, std::int64_t low, std::int64_t high) {
    if (!config.has(key) || !config.value()[key].is_array())
        return config.count(key, low, high);
    const std::vector<JsonReader> items = config.array(key);
    if (items.empty() || std::ranges::any_of(items, [&](const JsonReader& item) {
            return item.value() != items.front().value() || !item.value().is_number_integer() ||
                   item.value().get<double>() < static_cast<double>(low) ||
                   item.value().get<double>() > static_cast<double>(high);
        })) {
        config.fail(
            "hf.experts", config.where(key),
            {"must hold one whole number from {low} to {high} for all layers: experts that differ from "
             "layer to layer have no price",
             {{"low", low}, {"high", high}}});
        return low;
    }
    return items.front().value().get<std::int64_t>();
}

} // namespace

void readExperts(const JsonReader& config, const HfExperts& keys, Model& m) {
    if (keys.optional && !config.has(present(config, keys.count))) // a dense member of the family
        return;
    Experts& e = m.experts;
    const char* countKey = present(config, keys.count);
    const char* perTokenKey = present(config, keys.perToken);
    const char* widthKey = present(config, keys.ffn);
    e.count = uniform(config, countKey, 1, ModelLimits::experts);
    e.perToken = uniform(config, perTokenKey, 1, ModelLimits::experts);
    e.ffn = uniform(config, widthKey, 1, ModelLimits::ffn);
    if (e.count != 1 && e.perToken > e.count)
        config.fail("hf.experts", config.where(perTokenKey),
                    {"is {per_token}, which is above {count_key} {count}",
                     {{"per_token", e.perToken}, {"count_key", countKey}, {"count", e.count}}});
    if (e.count * e.ffn > ModelLimits::expertWidth)
        config.fail("hf.range", config.where(widthKey),
                    {"is {ffn}, which over {count} experts is above {limit}",
                     {{"ffn", e.ffn}, {"count", e.count}, {"limit", ModelLimits::expertWidth}}});
    if (keys.oneShared)
        e.shared = 1;
    else if (keys.shared != nullptr && config.has(keys.shared))
        e.shared = uniform(config, keys.shared, 0, ModelLimits::experts);
    if (e.shared > 0)
        e.sharedFfn = keys.sharedFfn == nullptr ? e.ffn : config.count(keys.sharedFfn, 1, ModelLimits::ffn);
    if (sharedWidth(m) > ModelLimits::ffn)
        config.fail("hf.range", config.where(keys.shared != nullptr ? keys.shared : keys.sharedFfn),
                    {"is {shared}, which of width {ffn} is above {limit}",
                     {{"shared", e.shared}, {"ffn", e.sharedFfn}, {"limit", ModelLimits::ffn}}});
    e.sharedGate = keys.sharedGate;
    e.routerBias = keys.routerBias;
    e.bias = keys.bias;
    std::vector<bool> dense;
    if (config.has("mlp_layer_types"))
        dense = denseListed(config, m.blocks);
    else if (keys.dense != nullptr)
        dense = keys.dense(config, m.blocks);
    for (std::size_t block = 0; block < dense.size(); ++block)
        if (dense[block])
            e.denseBlocks.push_back(static_cast<std::int64_t>(block));
}

std::vector<bool> denseFirst(const JsonReader& config, std::int64_t blocks) {
    std::vector<bool> dense(static_cast<std::size_t>(blocks), false);
    if (config.has("moe_layer_freq") && config.value()["moe_layer_freq"].is_array()) { // 1 = experts
        const std::vector<std::int64_t> sparse = readPerBlock(config, "moe_layer_freq", blocks, 0, 1);
        for (std::size_t b = 0; b < sparse.size(); ++b)
            dense[b] = sparse[b] == 0;
        return dense;
    }
    const std::int64_t first = config.count("first_k_dense_replace", 0, ModelLimits::blocks, 0);
    if (blocks != 1 && first > blocks)
        config.fail("hf.experts", config.where("first_k_dense_replace"),
                    {"is {first}, which is above num_hidden_layers {blocks}",
                     {{"first", first}, {"blocks", blocks}}});
    const std::int64_t step = config.count("moe_layer_freq", 1, ModelLimits::blocks, 1);
    for (std::int64_t b = 0; b < blocks; ++b)
        dense[static_cast<std::size_t>(b)] = b < first || b % step != 0;
    return dense;
}

std::vector<bool> denseSteps(const JsonReader& config, std::int64_t blocks) {
    const std::int64_t step = config.count("decoder_sparse_step", 1, ModelLimits::blocks, 1);
    std::vector<bool> dense(static_cast<std::size_t>(blocks), false);
    for (std::size_t b = 0; b < dense.size(); ++b)
        dense[b] = static_cast<std::int64_t>(b + 1) % step != 0;
    if (config.has("mlp_only_layers") && blocks != 1)
        for (const JsonReader& item : config.array("mlp_only_layers")) {
            const Json& value = item.value();
            if (value.is_number_unsigned() && value.get<std::uint64_t>() < dense.size())
                dense[value.get<std::size_t>()] = true;
            else
                item.fail("hf.experts", item.where(),
                          {"must be a layer, 0 to {blocks}", {{"blocks", blocks - 1}}});
        }
    return dense;
}

std::vector<bool> denseInterleaved(const JsonReader& config, std::int64_t blocks) {
    const std::int64_t step = config.count("interleave_moe_layer_step", 1, ModelLimits::blocks, 1);
    std::vector<bool> dense(static_cast<std::size_t>(blocks), false);
    for (std::size_t b = 0; b < dense.size(); ++b)
        dense[b] = static_cast<std::int64_t>(b + 1) % step != 0;
    return dense;
}

std::vector<bool> denseOutside(const JsonReader& config, std::int64_t blocks) {
    const std::int64_t first = config.count("moe_layer_start_index", 0, ModelLimits::blocks, 0);
    // -1 is the last one.
    const std::int64_t end = config.count("moe_layer_end_index", -1, ModelLimits::blocks, -1);
    const std::int64_t last = end < 0 ? blocks - 1 : end;
    const std::int64_t step = config.count("moe_layer_interval", 1, ModelLimits::blocks, 1);
    std::vector<bool> dense(static_cast<std::size_t>(blocks), false);
    for (std::int64_t b = 0; b < blocks; ++b)
        dense[static_cast<std::size_t>(b)] = b < first || b > last || (b + 1) % step != 0;
    return dense;
}

std::vector<bool> denseListed(const JsonReader& config, std::int64_t blocks) {
    const std::vector<std::string> types = readLayerTypes(config, "mlp_layer_types", blocks);
    std::vector<bool> dense;
    for (std::size_t b = 0; b < types.size(); ++b) {
        if (types[b] != "dense" && types[b] != "sparse" && types[b] != "moe")
            config.fail("hf.layer_types", config.where("mlp_layer_types") + "/" + std::to_string(b),
                        {"is \"{type}\"; known are dense, sparse, moe", {{"type", types[b]}}});
        dense.push_back(types[b] == "dense");
    }
    return dense;
}

} // namespace pw
