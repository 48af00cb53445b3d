// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/attention_json.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace pw {

namespace {

constexpr const char* kSchema = "pipewright-model-1";

Experts expertsFromJson(const JsonReader& reader, const Model& m) {
    Experts e;
    e.count = reader.count("count", 1, ModelLimits::experts);
    e.perToken = reader.count("per_token", 1, ModelLimits::experts);
    e.ffn = reader.count("ffn", 1, ModelLimits::ffn, m.ffn);
    e.shared = reader.count("shared", 0, ModelLimits::experts, 0);
    if (e.shared > 0)
        e.sharedFfn = reader.count("shared_ffn", 1, ModelLimits::ffn, e.ffn);
    e.sharedGate = reader.flag("shared_gate", false);
    e.routerBias = reader.flag("router_bias", false);
    e.groups = reader.count("router_groups", 0, ModelLimits::experts, 0);
    e.groupsPerToken = reader.count("router_groups_per_token", 0, ModelLimits::experts, 0);
    e.scale = reader.number("router_scale", 0.0, ModelLimits::routerScale, 0.0);
    e.routerInputScale = reader.flag("router_input_scale", false);
    e.bias = reader.flag("bias", false);
    if (reader.has("dense_blocks"))
        e.denseBlocks = blocksFromJson(reader, "dense_blocks", m.blocks, "model.dense_blocks");
    return e;
}

LatentAttention latentFromJson(const JsonReader& reader) {
    LatentAttention l;
    l.queryRank = reader.count("query_rank", 0, ModelLimits::hidden, 0);
    l.kvRank = reader.count("kv_rank", 1, ModelLimits::hidden);
    l.plainDim = reader.count("plain_dim", 1, ModelLimits::attentionWidth);
    l.rotaryDim = reader.count("rotary_dim", 1, ModelLimits::attentionWidth);
    l.valueDim = reader.count("value_dim", 1, ModelLimits::attentionWidth);
    return l;
}

RotaryScaling scalingFromJson(const JsonReader& reader) {
    RotaryScaling s;
    s.kind = reader.text("kind");
    s.factor = reader.number("factor", 0.0, ModelLimits::rotaryFactor, 0.0);
    s.positions = reader.count("original_positions", 0, ModelLimits::positions, 0);
    s.lowFrequency = reader.number("low_frequency", 0.0, ModelLimits::rotaryFactor, 0.0);
    s.highFrequency = reader.number("high_frequency", 0.0, ModelLimits::rotaryFactor, 0.0);
    return s;
}

Json scalingToJson(const RotaryScaling& s) {
    Json json = {{"kind", s.kind}};
    for (const auto& [key, value] :
         {std::pair{"factor", s.factor}, std::pair{"low_frequency", s.lowFrequency},
          std::pair{"high_frequency", s.highFrequency}})
        if (value > 0.0)
            json[key] = value;
    if (s.positions > 0)
        json["original_positions"] = s.positions;
    return json;
}

void checkExperts(const Model& m, ModelRefusals& to) {
    const Experts& e = m.experts;
    const bool count = to.range("experts/count", e.count, 1, ModelLimits::experts);
    if (to.range("experts/per_token", e.perToken, 1, ModelLimits::experts) && count && e.perToken > e.count)
        to.refuse("experts/per_token",
                  {"is {value} of {experts} experts", {{"value", e.perToken}, {"experts", e.count}}});
    if (to.range("experts/ffn", e.ffn, 1, ModelLimits::ffn) && count &&
        e.count * e.ffn > ModelLimits::expertWidth)
        to.refuse("experts/ffn",
                  {"is {value}, which over {experts} experts is above {limit}",
                   {{"value", e.ffn}, {"experts", e.count}, {"limit", ModelLimits::expertWidth}}});
    if (to.range("experts/shared", e.shared, 0, ModelLimits::experts) && e.shared > 0 &&
        to.range("experts/shared_ffn", e.sharedFfn, 1, ModelLimits::ffn) && sharedWidth(m) > ModelLimits::ffn)
        to.refuse("experts/shared_ffn",
                  {"is {value}, which over {experts} experts is above {limit}",
                   {{"value", e.sharedFfn}, {"experts", e.shared}, {"limit", ModelLimits::ffn}}});
    if (count && e.groups > 0 && (e.count % e.groups != 0 || e.groupsPerToken > e.groups))
        to.refuse("experts/router_groups",
                  {"is {value} with {chosen} for a token; groups divide {experts} experts",
                   {{"value", e.groups}, {"chosen", e.groupsPerToken}, {"experts", e.count}}});
    to.blocks("experts/dense_blocks", e.denseBlocks, m.blocks);
    if (m.mlpBias)
        to.refuse("mlp_bias", "is true, and experts with biases are not known");
}

void checkLatent(const Model& m, ModelRefusals& to) {
    const LatentAttention& l = m.latent;
    to.range("latent_attention/query_rank", l.queryRank, 0, ModelLimits::hidden);
    to.range("latent_attention/kv_rank", l.kvRank, 1, ModelLimits::hidden);
    const bool plain = to.range("latent_attention/plain_dim", l.plainDim, 1, ModelLimits::attentionWidth);
    const bool rotary = to.range("latent_attention/rotary_dim", l.rotaryDim, 1, ModelLimits::attentionWidth);
    if (to.range("latent_attention/value_dim", l.valueDim, 1, ModelLimits::attentionWidth) &&
        m.heads <= ModelLimits::heads && m.heads * l.valueDim > ModelLimits::attentionWidth)
        to.refuse("latent_attention/value_dim",
                  {"is {value}, which over {heads} heads is above {limit}",
                   {{"value", l.valueDim}, {"heads", m.heads}, {"limit", ModelLimits::attentionWidth}}});
    if (plain && rotary && m.headDim != l.plainDim + l.rotaryDim)
        to.refuse("head_dim", {"is {value}, must be {plain} without positions and {rotary} with",
                               {{"value", m.headDim}, {"plain", l.plainDim}, {"rotary", l.rotaryDim}}});
    if (m.kvHeads != m.heads)
        to.refuse("kv_heads", {"is {value}, must be all {heads} heads with latent attention",
                               {{"value", m.kvHeads}, {"heads", m.heads}}});
    if (m.queryKeyNorm)
        to.refuse("query_key_norm", "is true, and latent attention normalises its latents instead");
}

} // namespace

void ModelRefusals::refuse(const std::string& field, Wording wording) {
    const bool file = where.find('#') != std::string::npos;
    std::string place = where + (file ? "/" : ".") + field;
    if (!file)
        std::replace(place.begin(), place.end(), '/', '.');
    list.push_back(badInput("model.range", place, std::move(wording)));
}

bool ModelRefusals::range(const std::string& field, std::int64_t value, std::int64_t low, std::int64_t high) {
    if (value < low || value > high)
        refuse(field,
               {"is {value}, must be {low} to {high}", {{"value", value}, {"low", low}, {"high", high}}});
    return value >= low && value <= high;
}

void ModelRefusals::blocks(const std::string& field, const std::vector<std::int64_t>& all,
                           std::int64_t blocks) {
    std::int64_t before = -1;
    for (const std::int64_t block : all) {
        if (block <= before || block >= blocks) {
            refuse(field, {"holds {value} after {before}, must ascend from 0 to {last}",
                           {{"value", block}, {"before", before}, {"last", blocks - 1}}});
            return;
        }
        before = block;
    }
}

std::vector<std::int64_t> blocksFromJson(const JsonReader& reader, const char* key, std::int64_t blocks,
                                         const char* code) {
    std::vector<std::int64_t> list;
    for (const JsonReader& item : reader.array(key)) {
        const Json& value = item.value();
        if (!value.is_number_integer() || value.get<double>() < 0.0 ||
            value.get<double>() >= static_cast<double>(blocks))
            item.fail(code, item.where(), {"must be a block, 0 to {last}", {{"last", blocks - 1}}});
        else
            list.push_back(value.get<std::int64_t>());
    }
    return list;
}

Status checkModel(const Model& m, const std::string& where) {
    ModelRefusals to{where};
    to.range("blocks", m.blocks, 1, ModelLimits::blocks);
    to.range("hidden", m.hidden, 1, ModelLimits::hidden);
    const bool heads = to.range("heads", m.heads, 1, ModelLimits::heads);
    const bool kvHeads = to.range("kv_heads", m.kvHeads, 1, ModelLimits::heads);
    const bool headDim = to.range("head_dim", m.headDim, 1, ModelLimits::attentionWidth);
    to.range("ffn", m.ffn, 1, ModelLimits::ffn);
    to.range("vocab", m.vocab, 1, ModelLimits::vocab);
    to.range("positions", m.positions, 1, ModelLimits::positions);
    to.range("learned_positions", m.learnedPositions, 0, ModelLimits::positions);
    to.range("embed_projection", m.embedProjection, 0, ModelLimits::hidden);
    if (heads && kvHeads && m.heads % m.kvHeads != 0)
        to.refuse("kv_heads",
                  {"{value} does not divide {heads} heads", {{"value", m.kvHeads}, {"heads", m.heads}}});
    if (heads && headDim && m.heads * m.headDim > ModelLimits::attentionWidth)
        to.refuse("head_dim",
                  {"{heads} heads of {value} are above {limit}",
                   {{"heads", m.heads}, {"value", m.headDim}, {"limit", ModelLimits::attentionWidth}}});
    if (!m.window.empty() && static_cast<std::int64_t>(m.window.size()) != m.blocks)
        to.refuse("window", {"has {entries} entries for {blocks} blocks",
                             {{"entries", m.window.size()}, {"blocks", m.blocks}}});
    for (std::int64_t w : m.window)
        if (w < 0 || w > ModelLimits::positions) {
            to.refuse("window", {"holds {value}, must be 0 to {limit}",
                                 {{"value", w}, {"limit", ModelLimits::positions}}});
            break;
        }
    to.range("prediction_depth", m.predictionDepth, 0, ModelLimits::predictionDepth);
    to.range("attention_norms", m.attentionNorms, 0, ModelLimits::norms);
    to.range("mlp_norms", m.mlpNorms, 0, ModelLimits::norms);
    if (m.wideQueryKeyNorm && !m.queryKeyNorm)
        to.refuse("wide_query_key_norm", "is true, and query_key_norm is not");
    checkAttention(m, to);
    if (m.experts != Experts{})
        checkExperts(m, to);
    if (m.latent != LatentAttention{})
        checkLatent(m, to);
    return statusOf(std::move(to.list));
}

Result<Model> modelFromJson(const JsonReader& reader) {
    if (const std::string schema = reader.text("schema"); !schema.empty() && schema != kSchema)
        reader.fail(
            "model.schema", reader.where("schema"),
            {"is \"{found}\"; this version reads \"{known}\"", {{"found", schema}, {"known", kSchema}}});
    Model m;
    m.name = reader.text("name");
    m.family = reader.text("family", "");
    m.blocks = reader.count("blocks", 1, ModelLimits::blocks);
    m.hidden = reader.count("hidden", 1, ModelLimits::hidden);
    m.heads = reader.count("heads", 1, ModelLimits::heads);
    m.kvHeads = reader.count("kv_heads", 1, ModelLimits::heads, m.heads);
    if (reader.has("latent_attention"))
        m.latent = latentFromJson(reader.object("latent_attention"));
    if (!reader.has("head_dim") && !hasLatentAttention(m) && m.heads > 0 && m.hidden % m.heads != 0)
        reader.fail("model.heads", reader.where("heads"),
                    {"{heads} does not divide hidden {hidden}: state head_dim",
                     {{"heads", m.heads}, {"hidden", m.hidden}}});
    m.headDim = reader.count("head_dim", 1, ModelLimits::attentionWidth,
                             hasLatentAttention(m) ? m.latent.plainDim + m.latent.rotaryDim
                             : m.heads > 0         ? m.hidden / m.heads
                                                   : 1);
    m.ffn = reader.count("ffn", 1, ModelLimits::ffn, 4 * m.hidden);
    m.vocab = reader.count("vocab", 1, ModelLimits::vocab);
    m.positions = reader.count("positions", 1, ModelLimits::positions);
    m.rotaryBase = reader.number("rotary_base", 0.0, ModelLimits::rotaryBase, 0.0);
    if (reader.has("rope_scaling"))
        m.rotaryScaling = scalingFromJson(reader.object("rope_scaling"));
    m.normEpsilon = reader.number("norm_epsilon", 0.0, ModelLimits::normEpsilon, 0.0);
    m.learnedPositions = reader.count("learned_positions", 0, ModelLimits::positions, 0);
    m.embedProjection = reader.count("embed_projection", 0, ModelLimits::hidden, 0);
    m.gatedMlp = reader.flag("gated_mlp", false);
    m.rmsNorm = reader.flag("rms_norm", false);
    m.finalNorm = reader.flag("final_norm", true);
    m.tied = reader.flag("tied", false);
    m.qkvBias = reader.flag("qkv_bias", false);
    m.attentionOutBias = reader.flag("attention_out_bias", false);
    m.mlpBias = reader.flag("mlp_bias", false);
    m.queryKeyNorm = reader.flag("query_key_norm", false);
    m.wideQueryKeyNorm = reader.flag("wide_query_key_norm", false);
    m.attentionNorms = static_cast<int>(reader.count("attention_norms", 0, ModelLimits::norms, 1));
    m.mlpNorms = static_cast<int>(reader.count("mlp_norms", 0, ModelLimits::norms, 1));
    m.ownFormulas = reader.flag("own_formulas", false);
    m.chunks = reader.flag("chunks", false);
    attentionFromJson(reader, m);
    if (reader.has("experts"))
        m.experts = expertsFromJson(reader.object("experts"), m);
    m.predictionDepth = reader.count("prediction_depth", 0, ModelLimits::predictionDepth, 0);
    if (reader.has("window"))
        for (const JsonReader& item : reader.array("window")) {
            const Json& value = item.value();
            if (!value.is_number_integer() || value.get<double>() < 0.0 ||
                value.get<double>() > static_cast<double>(ModelLimits::positions))
                item.fail("model.window", item.where(),
                          "must be a window in tokens, or 0 for global attention");
            else
                m.window.push_back(value.get<std::int64_t>());
        }
    m.dtype = reader.text("dtype", "");
    m.source = reader.text("source", "");
    if (Status s = reader.status(); !s)
        return s.error();
    if (Status s = checkModel(m, reader.where()); !s)
        return s.error();
    return m;
}

Json toJson(const Model& m) {
    Json json{{"schema", kSchema},
              {"name", m.name},
              {"family", m.family},
              {"blocks", m.blocks},
              {"hidden", m.hidden},
              {"heads", m.heads},
              {"kv_heads", m.kvHeads},
              {"head_dim", m.headDim},
              {"ffn", m.ffn},
              {"vocab", m.vocab},
              {"positions", m.positions},
              {"learned_positions", m.learnedPositions},
              {"embed_projection", m.embedProjection},
              {"gated_mlp", m.gatedMlp},
              {"rms_norm", m.rmsNorm},
              {"final_norm", m.finalNorm},
              {"tied", m.tied},
              {"qkv_bias", m.qkvBias},
              {"attention_out_bias", m.attentionOutBias},
              {"mlp_bias", m.mlpBias},
              {"window", m.window},
              {"dtype", m.dtype},
              {"source", m.source}};
    // What few models have is written for those only: files and hashes of the others stay as they are.
    for (const auto& [key, value] :
         {std::pair{"query_key_norm", m.queryKeyNorm}, std::pair{"wide_query_key_norm", m.wideQueryKeyNorm},
          std::pair{"own_formulas", m.ownFormulas}, std::pair{"chunks", m.chunks}})
        if (value)
            json[key] = true;
    if (m.rotaryBase > 0.0)
        json["rotary_base"] = m.rotaryBase;
    if (scalesPositions(m))
        json["rope_scaling"] = scalingToJson(m.rotaryScaling);
    if (m.normEpsilon > 0.0)
        json["norm_epsilon"] = m.normEpsilon;
    if (m.attentionNorms != 1)
        json["attention_norms"] = m.attentionNorms;
    if (m.mlpNorms != 1)
        json["mlp_norms"] = m.mlpNorms;
    attentionToJson(m, json);
    if (hasExperts(m)) {
        json["experts"] = {{"count", m.experts.count},
                           {"per_token", m.experts.perToken},
                           {"ffn", m.experts.ffn},
                           {"shared", m.experts.shared},
                           {"shared_gate", m.experts.sharedGate},
                           {"router_bias", m.experts.routerBias},
                           {"dense_blocks", m.experts.denseBlocks}};
        if (m.experts.shared > 0)
            json["experts"]["shared_ffn"] = m.experts.sharedFfn;
        if (m.experts.groups > 0) {
            json["experts"]["router_groups"] = m.experts.groups;
            json["experts"]["router_groups_per_token"] = m.experts.groupsPerToken;
        }
        if (m.experts.scale > 0.0)
            json["experts"]["router_scale"] = m.experts.scale;
        if (m.experts.routerInputScale)
            json["experts"]["router_input_scale"] = true;
        if (m.experts.bias)
            json["experts"]["bias"] = true;
    }
    if (hasLatentAttention(m))
        json["latent_attention"] = {{"query_rank", m.latent.queryRank},
                                    {"kv_rank", m.latent.kvRank},
                                    {"plain_dim", m.latent.plainDim},
                                    {"rotary_dim", m.latent.rotaryDim},
                                    {"value_dim", m.latent.valueDim}};
    if (m.predictionDepth > 0)
        json["prediction_depth"] = m.predictionDepth;
    return json;
}

} // namespace pw
