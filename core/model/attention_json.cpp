// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/attention_json.h"

#include <nlohmann/json.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace pw {

namespace {

struct GateName {
    OutputGate gate;
    const char* name;
};
constexpr std::array kGates = {GateName{OutputGate::None, "none"}, GateName{OutputGate::Heads, "heads"},
                               GateName{OutputGate::Width, "width"}};

AttentionParts partsFromJson(const JsonReader& reader) {
    AttentionParts parts;
    parts.valueDim = reader.count("value_dim", 0, ModelLimits::attentionWidth, 0);
    const std::string gate = reader.text("output_gate", "none");
    const auto known = std::ranges::find(kGates, gate, &GateName::name);
    if (known == kGates.end())
        reader.fail("model.output_gate", reader.where("output_gate"),
                    {"is \"{found}\"; known are none, heads, width", {{"found", gate}}});
    else
        parts.outputGate = known->gate;
    parts.sinks = reader.flag("sinks", false);
    parts.keysAreValues = reader.flag("keys_are_values", false);
    if (reader.has("index")) {
        const JsonReader index = reader.object("index");
        parts.index.heads = index.count("heads", 0, ModelLimits::heads, 0);
        parts.index.dim = index.count("dim", 0, ModelLimits::attentionWidth, 0);
        parts.index.tokens = index.count("tokens", 1, ModelLimits::positions);
    }
    return parts;
}

void partsToJson(const AttentionParts& parts, Json& json) {
    if (parts.valueDim > 0)
        json["value_dim"] = parts.valueDim;
    if (parts.outputGate != OutputGate::None)
        json["output_gate"] = std::ranges::find(kGates, parts.outputGate, &GateName::gate)->name;
    if (parts.sinks)
        json["sinks"] = true;
    if (parts.keysAreValues)
        json["keys_are_values"] = true;
    if (parts.index != SparseIndex{})
        json["index"] = {
            {"heads", parts.index.heads}, {"dim", parts.index.dim}, {"tokens", parts.index.tokens}};
}

LinearAttention linearFromJson(const JsonReader& reader) {
    LinearAttention l;
    l.keyHeads = reader.count("key_heads", 1, ModelLimits::heads);
    l.valueHeads = reader.count("value_heads", 1, ModelLimits::heads);
    l.keyDim = reader.count("key_dim", 1, ModelLimits::attentionWidth);
    l.valueDim = reader.count("value_dim", 1, ModelLimits::attentionWidth);
    l.kernel = reader.count("kernel", 0, ModelLimits::kernel);
    return l;
}

void checkWidth(ModelRefusals& to, const std::string& field, std::int64_t heads, std::int64_t dim) {
    if (heads > 0 && heads <= ModelLimits::heads && dim <= ModelLimits::attentionWidth &&
        heads * dim > ModelLimits::attentionWidth)
        to.refuse(field, {"is {value}, which over {heads} heads is above {limit}",
                          {{"value", dim}, {"heads", heads}, {"limit", ModelLimits::attentionWidth}}});
}

void checkParts(const AttentionParts& parts, std::int64_t heads, bool latent, const std::string& at,
                ModelRefusals& to) {
    to.range(at + "value_dim", parts.valueDim, 0, ModelLimits::attentionWidth);
    checkWidth(to, at + "value_dim", heads, parts.valueDim);
    if (latent &&
        (parts.valueDim > 0 || parts.outputGate != OutputGate::None || parts.keysAreValues || parts.sinks))
        to.refuse(at + "value_dim", "and a gate, sinks or shared keys are not known with latent attention");
    const SparseIndex& x = parts.index;
    to.range(at + "index/tokens", x.tokens, 0, ModelLimits::positions);
    if (to.range(at + "index/heads", x.heads, 0, ModelLimits::heads) && x.heads > 0 &&
        to.range(at + "index/dim", x.dim, 1, ModelLimits::attentionWidth))
        checkWidth(to, at + "index/dim", x.heads, x.dim);
    if (x.heads > 0 && x.tokens == 0)
        to.refuse(at + "index/tokens", "is 0, and an index chooses some");
}

void checkLinear(const LinearAttention& l, const std::string& at, ModelRefusals& to) {
    to.range(at + "key_dim", l.keyDim, 1, ModelLimits::attentionWidth);
    to.range(at + "value_dim", l.valueDim, 1, ModelLimits::attentionWidth);
    to.range(at + "kernel", l.kernel, 0, ModelLimits::kernel);
    checkWidth(to, at + "value_dim", l.valueHeads, l.valueDim);
    checkWidth(to, at + "key_dim", l.keyHeads, l.keyDim);
    if (to.range(at + "key_heads", l.keyHeads, 1, ModelLimits::heads) &&
        to.range(at + "value_heads", l.valueHeads, 1, ModelLimits::heads) && l.valueHeads % l.keyHeads != 0)
        to.refuse(at + "key_heads", {"{value} does not divide {heads} value heads",
                                     {{"value", l.keyHeads}, {"heads", l.valueHeads}}});
}

void checkOther(const Model& m, const OtherAttention& other, const std::string& at, ModelRefusals& to) {
    if (other.blocks.empty())
        to.refuse(at + "blocks", "names no block");
    to.blocks(at + "blocks", other.blocks, m.blocks);
    if (other.linear != LinearAttention{}) {
        checkLinear(other.linear, at + "linear/", to);
        return;
    }
    const bool heads = to.range(at + "heads", other.heads, 1, ModelLimits::heads);
    const bool kvHeads = to.range(at + "kv_heads", other.kvHeads, 1, ModelLimits::heads);
    to.range(at + "head_dim", other.headDim, 1, ModelLimits::attentionWidth);
    checkWidth(to, at + "head_dim", other.heads, other.headDim);
    if (heads && kvHeads && other.heads % other.kvHeads != 0)
        to.refuse(at + "kv_heads", {"{value} does not divide {heads} heads",
                                    {{"value", other.kvHeads}, {"heads", other.heads}}});
    if (hasLatentAttention(m) &&
        (other.heads != m.heads || other.kvHeads != m.kvHeads || other.headDim != m.headDim))
        to.refuse(at + "heads", "differ from the model's, whose latents they are expanded from");
    checkParts(other.parts, other.heads, hasLatentAttention(m), at, to);
}

} // namespace

void attentionFromJson(const JsonReader& reader, Model& m) {
    if (reader.has("attention"))
        m.parts = partsFromJson(reader.object("attention"));
    if (!reader.has("other_attention"))
        return;
    for (const JsonReader& item : reader.array("other_attention")) {
        OtherAttention other;
        other.blocks = blocksFromJson(item, "blocks", m.blocks, "model.other_attention");
        if (item.has("linear")) {
            other.linear = linearFromJson(item.object("linear"));
        } else {
            other.heads = item.count("heads", 1, ModelLimits::heads, m.heads);
            other.kvHeads = item.count("kv_heads", 1, ModelLimits::heads, m.kvHeads);
            other.headDim = item.count("head_dim", 1, ModelLimits::attentionWidth, m.headDim);
            other.parts = partsFromJson(item);
        }
        m.others.push_back(std::move(other));
    }
}

void attentionToJson(const Model& m, Json& json) {
    if (m.parts != AttentionParts{}) {
        json["attention"] = Json::object();
        partsToJson(m.parts, json["attention"]);
    }
    for (const OtherAttention& other : m.others) {
        Json item{{"blocks", other.blocks}};
        if (other.linear.valueHeads > 0) {
            item["linear"] = {{"key_heads", other.linear.keyHeads},
                              {"value_heads", other.linear.valueHeads},
                              {"key_dim", other.linear.keyDim},
                              {"value_dim", other.linear.valueDim},
                              {"kernel", other.linear.kernel}};
        } else {
            item["heads"] = other.heads;
            item["kv_heads"] = other.kvHeads;
            item["head_dim"] = other.headDim;
            partsToJson(other.parts, item);
        }
        json["other_attention"].push_back(std::move(item));
    }
}

void checkAttention(const Model& m, ModelRefusals& to) {
    checkParts(m.parts, m.heads, hasLatentAttention(m), "attention/", to);
    if (static_cast<std::int64_t>(m.others.size()) > m.blocks) {
        to.refuse("other_attention", {"has {entries} entries for {blocks} blocks",
                                      {{"entries", m.others.size()}, {"blocks", m.blocks}}});
        return;
    }
    std::vector<std::int64_t> taken;
    for (std::size_t k = 0; k < m.others.size(); ++k) {
        const std::string at = fmt::format("other_attention/{}/", k);
        checkOther(m, m.others[k], at, to);
        taken.insert(taken.end(), m.others[k].blocks.begin(), m.others[k].blocks.end());
    }
    std::ranges::sort(taken);
    if (const auto twice = std::ranges::adjacent_find(taken); twice != taken.end())
        to.refuse("other_attention", {"names block {value} twice", {{"value", *twice}}});
}

} // namespace pw
