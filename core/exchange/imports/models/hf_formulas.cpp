// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/imports/models/hf_family.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <string_view>

namespace pw {

namespace {

// What exports take for granted of a family, since no size of a Model says it; and the runner, where it is
// given no config.json.
struct Usual {
    const char* type;
    const char* key;
    const char* value;
};
constexpr Usual kUsual[] = {
    {"gpt2", "scale_attn_weights", "true"},
    {"gpt2", "scale_attn_by_inverse_layer_idx", "false"},
    {"gpt_neox", "use_parallel_residual", "true"},
    {"gpt_neox", "rotary_pct", "0.25"},
    // Whether the weights of a token's experts add up to 1: as the published checkpoints have it.
    {"qwen2_moe", "norm_topk_prob", "false"},
    {"qwen3_moe", "norm_topk_prob", "true"},
    {"qwen3_vl_moe_text", "norm_topk_prob", "true"},
    {"deepseek_v2", "norm_topk_prob", "false"},
    {"deepseek_v3", "norm_topk_prob", "true"},
    {"deepseek_v32", "norm_topk_prob", "true"},
    {"kimi_k2", "norm_topk_prob", "true"},
    {"dots1", "norm_topk_prob", "true"},
};

constexpr const char* kActivationKeys[] = {"hidden_act", "hidden_activation", "activation_function"};

// Names of one function; the approximations of GELU are one, too.
std::string_view activationClass(std::string_view name) {
    constexpr std::string_view kGelu[] = {"gelu",        "gelu_new",          "gelu_fast",
                                          "gelu_python", "gelu_pytorch_tanh", "gelu_accurate"};
    return std::ranges::find(kGelu, name) != std::end(kGelu) ? "gelu" : name == "swish" ? "silu" : name;
}

std::string_view usualActivation(const HfFamily& family) {
    return family.build.gatedMlp ? "silu" : std::string_view(family.type) == "opt" ? "relu" : "gelu";
}

} // namespace

Diagnostics otherFormulas(const JsonReader& config, const HfFamily& family) {
    Diagnostics notes;
    const auto say = [&](const char* key, const std::string& value, std::string_view usual) {
        notes.push_back({Severity::Note,
                         "hf.formulas",
                         config.where(key),
                         {"is {value}, where such models have {usual}: no figure depends on it, and exports "
                          "refuse the model rather than train another one",
                          {{"value", value}, {"usual", std::string(usual)}}}});
    };
    for (const char* key : kActivationKeys)
        if (config.has(key) && config.value()[key].is_string())
            if (const auto name = config.value()[key].get<std::string>();
                activationClass(name) != usualActivation(family))
                say(key, name, usualActivation(family));
    for (const Usual& usual : kUsual)
        if (std::string_view(usual.type) == family.type && config.has(usual.key) &&
            !config.value()[usual.key].is_null() && config.value()[usual.key] != Json::parse(usual.value))
            say(usual.key, config.value()[usual.key].dump(), usual.value);
    return notes;
}

} // namespace pw
