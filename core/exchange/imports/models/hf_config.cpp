// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/imports/models/hf_config.h"

#include "core/exchange/imports/models/hf_family.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace pw {

namespace {

std::string modelName(const JsonReader& config, const std::filesystem::path& path) {
    std::string stated = config.text("_name_or_path", "");
    while (stated.ends_with('/'))
        stated.pop_back();
    if (!stated.empty())
        return std::filesystem::path(stated).filename().string();
    if (path.filename() == "config.json" && path.has_parent_path())
        return path.parent_path().filename().string();
    return path.stem().string();
}

const HfFamily* familyOf(const JsonReader& config) {
    const std::string type = config.text("model_type");
    const auto families = hfFamilies();
    if (const auto known = std::ranges::find(families, std::string_view(type), &HfFamily::type);
        known != families.end())
        return &*known;
    const auto refused = hfRefused();
    if (const auto row = std::ranges::find(refused, std::string_view(type), &HfRefused::type);
        row != refused.end()) {
        config.fail(
            "hf.unsupported", config.where("model_type"),
            {"is \"{type}\", which cannot be planned: {reason}", {{"type", type}, {"reason", row->reason}}});
        return nullptr;
    }
    std::string known;
    for (const HfFamily& family : families)
        known += (known.empty() ? "" : ", ") + std::string(family.type);
    if (!type.empty())
        config.fail("hf.model_type", config.where("model_type"),
                    {"is \"{type}\"; known are {known}. Any other decoder can be entered size by size",
                     {{"type", type}, {"known", known}}});
    return nullptr;
}

// Where the language model of a multimodal configuration stands.
constexpr const char* kTextParts[] = {"text_config", "llm_config", "language_config"};

// The part of a file that describes the language model, with what the file leaves to the whole and to the
// class laid beneath it.
struct TextPart {
    Json config;
    std::string pointer;
    const HfFamily* family = nullptr;
};

Result<TextPart> textPart(const JsonReader& root, const std::string& file) {
    TextPart part;
    part.config = root.value();
    for (const char* key : kTextParts)
        if (root.has(key)) {
            const JsonReader text = root.object(key);
            if (Status s = root.status(); !s)
                return s.error();
            part.config = text.value();
            part.pointer = std::string("/") + key;
            // Some files name the type of the whole alone.
            if (const std::string whole = root.text("model_type", "");
                !text.has("model_type") && !whole.empty())
                part.config["model_type"] = whole + "_text";
            if (!text.value().contains("tie_word_embeddings") && root.has("tie_word_embeddings"))
                part.config["tie_word_embeddings"] = root.value()["tie_word_embeddings"];
            break;
        }
    const JsonReader config(part.config, file, part.pointer);
    part.family = familyOf(config);
    if (part.family == nullptr)
        return config.status().error();
    Json beneath = Json::parse(part.family->assumed);
    if (!part.pointer.empty())
        beneath.update(Json::parse(part.family->sizes));
    for (const auto& [key, value] : beneath.items())
        if (!part.config.contains(key))
            part.config[key] = value;
    return part;
}

// A trainer's flags would have to say that positions turn a part of a head only.
bool turnsPartly(const Json& config) {
    const auto below = [](const Json& in) {
        const auto factor = in.find("partial_rotary_factor");
        return factor != in.end() && factor->is_number() && factor->get<double>() < 1.0;
    };
    const auto parameters = config.find("rope_parameters");
    return below(config) || (parameters != config.end() && parameters->is_object() && below(*parameters));
}

// What release 5 keeps of rotary positions; where blocks differ, of those that see all tokens.
JsonReader rotaryParameters(const JsonReader& config) {
    const JsonReader parameters = config.object("rope_parameters");
    return parameters.has("full_attention") ? parameters.object("full_attention") : parameters;
}

double rotaryBase(const JsonReader& config) {
    const bool apart = config.has("rope_parameters");
    const JsonReader in = apart ? rotaryParameters(config) : config;
    return in.number(in.has("rope_theta") ? "rope_theta" : "rotary_emb_base", 1e-3, ModelLimits::rotaryBase,
                     0.0); // as GPT-NeoX calls it
}

// Of "rope_scaling", or what release 5 has in its place. Three rows of positions (Qwen2-VL's mrope) are the
// plain ones where a model reads text.
RotaryScaling rotaryScaling(const JsonReader& config) {
    RotaryScaling s;
    const char* key = config.has("rope_scaling") ? "rope_scaling" : "rope_parameters";
    if (!config.has(key) || !config.value()[key].is_object())
        return s;
    const JsonReader in =
        std::string_view(key) == "rope_parameters" ? rotaryParameters(config) : config.object(key);
    const std::string kind = in.text("rope_type", in.text("type", ""));
    if (kind.empty() || kind == "default" || kind == "mrope")
        return s;
    s.kind = kind == "su" ? "longrope" : kind; // as Phi-3 called it first
    s.factor = in.number("factor", 0.0, ModelLimits::rotaryFactor, 0.0);
    const JsonReader& of = in.has("original_max_position_embeddings") ? in : config; // Phi-3 has it outside
    s.positions = of.count("original_max_position_embeddings", 0, ModelLimits::positions, 0);
    s.lowFrequency = in.number("low_freq_factor", 0.0, ModelLimits::rotaryFactor, 0.0);
    s.highFrequency = in.number("high_freq_factor", 0.0, ModelLimits::rotaryFactor, 0.0);
    return s;
}

Diagnostic scalingNote(const JsonReader& config, const RotaryScaling& s) {
    const std::string place = config.where(config.has("rope_scaling") ? "rope_scaling" : "rope_parameters");
    if (s.factor == 0.0)
        return {Severity::Note,
                "hf.rope_scaling",
                place,
                {"Rotary positions are scaled ({kind}): no figure depends on it, and a trainer that is not "
                 "told trains another model",
                 {{"kind", s.kind}}}};
    return {Severity::Note,
            "hf.rope_scaling",
            place,
            {"Rotary positions are scaled ({kind}, factor {factor}): no figure depends on it, and a trainer "
             "that is not told trains another model",
             {{"kind", s.kind}, {"factor", s.factor}}}};
}

double normEpsilon(const JsonReader& config) {
    for (const char* key : {"rms_norm_eps", "layer_norm_eps", "layer_norm_epsilon", "norm_eps"})
        if (config.has(key))
            return config.number(key, 0.0, ModelLimits::normEpsilon, 0.0);
    return 0.0;
}

void build(const JsonReader& config, const HfFamily& family, Model& m) {
    const HfBuild& built = family.build;
    m.gatedMlp = built.gatedMlp;
    m.rmsNorm = built.rmsNorm;
    m.queryKeyNorm =
        built.headNorms || (built.headNormsKey != nullptr && config.flag(built.headNormsKey, false));
    m.wideQueryKeyNorm = built.wideNorms;
    m.parts.outputGate = built.gate;
    m.parts.sinks = built.sinks;
    m.attentionNorms = built.attentionNorms;
    m.mlpNorms = built.mlpNorms;
    m.ownFormulas = built.ownFormulas || turnsPartly(config.value());
    const auto bias = [&](const char* key) { return key != nullptr && config.flag(key, false); };
    m.qkvBias = bias(family.bias.qkv);
    m.attentionOutBias = bias(family.bias.attentionOut);
    m.mlpBias = bias(family.bias.mlp);
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
    const Result<TextPart> part = textPart(root, path.string());
    if (!part)
        return part.error();
    const JsonReader config(part->config, path.string(), part->pointer);
    const HfFamily& family = *part->family;

    Model m;
    m.name = modelName(root, path);
    m.family = family.type;
    m.blocks = config.count(family.keys.blocks, 1, ModelLimits::blocks);
    m.hidden = config.count(family.keys.hidden, 1, ModelLimits::hidden);
    m.heads = config.count(family.keys.heads, 1, ModelLimits::heads);
    m.ffn = family.ffnLeftOut ? config.count(family.keys.ffn, 1, ModelLimits::ffn, 4 * m.hidden)
                              : config.count(family.keys.ffn, 1, ModelLimits::ffn);
    m.vocab = config.count("vocab_size", 1, ModelLimits::vocab);
    m.positions = config.count(family.keys.positions, 1, ModelLimits::positions);
    m.tied = config.flag("tie_word_embeddings", family.tied);
    m.rotaryBase = rotaryBase(config);
    m.rotaryScaling = rotaryScaling(config);
    m.normEpsilon = normEpsilon(config);
    m.dtype = root.text("torch_dtype", root.text("dtype", config.text("torch_dtype", "")));
    m.source = path.filename().string();
    family.heads(config, family, m);
    build(config, family, m);
    const Diagnostics others = m.ownFormulas ? Diagnostics() : otherFormulas(config, family);
    m.ownFormulas = m.ownFormulas || !others.empty();
    readWindows(config, family.windows, m);
    if (family.experts != nullptr)
        readExperts(config, *family.experts, m);
    if (family.further != nullptr)
        m.predictionDepth = config.count(family.further, 0, ModelLimits::predictionDepth, 0);
    if (family.special != nullptr)
        family.special(config, m);
    for (const JsonReader* reader : {&root, &config})
        if (Status s = reader->status(); !s)
            return s.error();
    if (Status s = checkModel(m, config.where()); !s)
        return s.error();

    Imported imported;
    imported.kind = "hf-config";
    imported.summary = fmt::format("{}: {}, {} blocks, hidden {}, {} parameters", m.name, m.family, m.blocks,
                                   m.hidden, parameterCount(m));
    if (hasExperts(m))
        imported.summary += fmt::format(", {} active", activeParameterCount(m));
    imported.notes = modelNotes(m);
    append(imported.notes, others);
    if (scalesPositions(m))
        imported.notes.push_back(scalingNote(config, m.rotaryScaling));
    imported.what = std::move(m);
    return imported;
}

} // namespace pw
