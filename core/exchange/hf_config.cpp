// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/hf_config.h"

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
                    fmt::format("is {}, which does not divide {} {}", part, what, whole));
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
            config.fail("hf.range", config.where("head_dim"),
                        fmt::format("is {}, which over {} heads is above {}", m.headDim, m.heads,
                                    ModelLimits::attentionWidth));
    } else {
        needDivisor(config, "num_attention_heads", m.heads, m.hidden, "hidden_size");
        m.headDim = std::max<std::int64_t>(1, m.hidden / m.heads);
    }
    m.gatedMlp = m.rmsNorm = true;
    m.qkvBias = m.attentionOutBias = config.flag("attention_bias", false);
    m.mlpBias = config.flag("mlp_bias", false);
}

void readMistral(const JsonReader& config, Model& m) {
    readLlama(config, m);
    slidingWindow(config, m);
}

void readQwen2(const JsonReader& config, Model& m) {
    readLlama(config, m);
    m.qkvBias = true;
    m.attentionOutBias = false;
    if (config.flag("use_sliding_window", false))
        config.fail("hf.unsupported", config.where("use_sliding_window"),
                    "is true: windows over part of the layers are not read; state the model in Pipewright's "
                    "own form");
}

constexpr Keys kGpt2Keys = {"n_layer", "n_embd", "n_head", "n_inner", "n_positions"};
constexpr Keys kGptNeoKeys = {"num_layers", "hidden_size", "num_heads", "intermediate_size",
                              "max_position_embeddings"};
constexpr Keys kOptKeys = {"num_hidden_layers", "hidden_size", "num_attention_heads", "ffn_dim",
                           "max_position_embeddings"};
constexpr Keys kCommonKeys = {"num_hidden_layers", "hidden_size", "num_attention_heads", "intermediate_size",
                              "max_position_embeddings"};

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
                    fmt::format("does not come to the {} layers of num_layers", m.blocks));
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
    {"llama", kCommonKeys, false, readLlama},   {"mistral", kCommonKeys, false, readMistral},
    {"qwen2", kCommonKeys, false, readQwen2},   {"gpt2", kGpt2Keys, true, readGpt2},
    {"gpt_neo", kGptNeoKeys, true, readGptNeo}, {"opt", kOptKeys, true, readOpt},
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
                    fmt::format("is \"{}\"; known are {}. Any other decoder can be entered size by size",
                                type, known));
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
    imported.what = std::move(m);
    return imported;
}

} // namespace pw
