// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/model.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace pw {

namespace {

constexpr const char* kSchema = "pipewright-model-1";

} // namespace

Status checkModel(const Model& m, const std::string& where) {
    Error error{ErrorKind::BadInput, "model.range", "", "", {}};
    const auto refuse = [&](const char* field, const std::string& message) {
        const std::string place = where + (where.find('#') == std::string::npos ? "." : "/") + field;
        if (error.message.empty()) {
            error.where = place;
            error.message = message;
        } else {
            error.reasons.push_back(place + ": " + message);
        }
    };
    const auto range = [&](const char* field, std::int64_t value, std::int64_t low, std::int64_t high) {
        if (value < low || value > high)
            refuse(field, fmt::format("is {}, must be {} to {}", value, low, high));
        return value >= low && value <= high;
    };
    range("blocks", m.blocks, 1, ModelLimits::blocks);
    range("hidden", m.hidden, 1, ModelLimits::hidden);
    const bool heads = range("heads", m.heads, 1, ModelLimits::heads);
    const bool kvHeads = range("kv_heads", m.kvHeads, 1, ModelLimits::heads);
    const bool headDim = range("head_dim", m.headDim, 1, ModelLimits::attentionWidth);
    range("ffn", m.ffn, 1, ModelLimits::ffn);
    range("vocab", m.vocab, 1, ModelLimits::vocab);
    range("positions", m.positions, 1, ModelLimits::positions);
    range("learned_positions", m.learnedPositions, 0, ModelLimits::positions);
    range("embed_projection", m.embedProjection, 0, ModelLimits::hidden);
    if (heads && kvHeads && m.heads % m.kvHeads != 0)
        refuse("kv_heads", fmt::format("{} does not divide {} heads", m.kvHeads, m.heads));
    if (heads && headDim && m.heads * m.headDim > ModelLimits::attentionWidth)
        refuse("head_dim",
               fmt::format("{} heads of {} are above {}", m.heads, m.headDim, ModelLimits::attentionWidth));
    if (!m.window.empty() && static_cast<std::int64_t>(m.window.size()) != m.blocks)
        refuse("window", fmt::format("has {} entries for {} blocks", m.window.size(), m.blocks));
    for (std::int64_t w : m.window)
        if (w < 0 || w > ModelLimits::positions) {
            refuse("window", fmt::format("holds {}, must be 0 to {}", w, ModelLimits::positions));
            break;
        }
    if (!error.message.empty())
        return error;
    return Ok{};
}

Result<Model> modelFromJson(const JsonReader& reader) {
    if (const std::string schema = reader.text("schema"); !schema.empty() && schema != kSchema)
        reader.fail("model.schema", reader.where("schema"),
                    fmt::format("is \"{}\"; this version reads \"{}\"", schema, kSchema));
    Model m;
    m.name = reader.text("name");
    m.family = reader.text("family", "");
    m.blocks = reader.count("blocks", 1, ModelLimits::blocks);
    m.hidden = reader.count("hidden", 1, ModelLimits::hidden);
    m.heads = reader.count("heads", 1, ModelLimits::heads);
    m.kvHeads = reader.count("kv_heads", 1, ModelLimits::heads, m.heads);
    if (!reader.has("head_dim") && m.heads > 0 && m.hidden % m.heads != 0)
        reader.fail("model.heads", reader.where("heads"),
                    fmt::format("{} does not divide hidden {}: state head_dim", m.heads, m.hidden));
    m.headDim =
        reader.count("head_dim", 1, ModelLimits::attentionWidth, m.heads > 0 ? m.hidden / m.heads : 1);
    m.ffn = reader.count("ffn", 1, ModelLimits::ffn, 4 * m.hidden);
    m.vocab = reader.count("vocab", 1, ModelLimits::vocab);
    m.positions = reader.count("positions", 1, ModelLimits::positions);
    m.learnedPositions = reader.count("learned_positions", 0, ModelLimits::positions, 0);
    m.embedProjection = reader.count("embed_projection", 0, ModelLimits::hidden, 0);
    m.gatedMlp = reader.flag("gated_mlp", false);
    m.rmsNorm = reader.flag("rms_norm", false);
    m.finalNorm = reader.flag("final_norm", true);
    m.tied = reader.flag("tied", false);
    m.qkvBias = reader.flag("qkv_bias", false);
    m.attentionOutBias = reader.flag("attention_out_bias", false);
    m.mlpBias = reader.flag("mlp_bias", false);
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
    return Json{{"schema", kSchema},
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
}

} // namespace pw
