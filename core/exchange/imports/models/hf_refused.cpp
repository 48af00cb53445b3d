// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/imports/models/hf_family.h"

namespace pw {

namespace {

constexpr const char* kStates = "its layers with state spaces (Mamba) have no price";
constexpr const char* kConvolutions = "its layers of convolutions have no price";
constexpr const char* kEncoder = "an encoder beside the decoder has no place in a plan";
constexpr const char* kEncoderOnly = "an encoder has no place in a plan of a decoder";
constexpr HfRefused kRefused[] = {
    {"nemotron_h", kStates},
    {"falcon_h1", kStates},
    {"falcon_mamba", kStates},
    {"mamba", kStates},
    {"mamba2", kStates},
    {"jamba", kStates},
    {"bamba", kStates},
    {"zamba2", kStates},
    {"granitemoehybrid", kStates},
    {"plamo2", kStates},
    {"lfm2", kConvolutions},
    {"lfm2_moe", kConvolutions},
    {"nemotron-nas", "its blocks differ in width, and some have no attention"},
    {"deepseek_v4", "its compressed attention and the connections between its blocks have no price"},
    {"deepseek_ref", "it is DeepSeek's own form of a model that has no price"},
    {"kimi_linear", "its delta attention with a decay for every channel has no price"},
    {"kimi_k3", "its delta attention with a decay for every channel has no price"},
    {"minimax", "its lightning attention has no price"},
    {"minimax_text_01", "its lightning attention has no price"},
    {"longcat_flash", "its blocks of two attentions and experts that do nothing have no price"},
    {"gemma3n_text", "its inputs of each layer's own have no price"},
    {"apertus", "its activation has parameters of its own"},
    {"openelm", "its blocks differ in width"},
    {"recurrent_gemma", "its recurrent layers have no price"},
    {"rwkv", "its recurrent layers have no price"},
    {"t5", kEncoder},
    {"mt5", kEncoder},
    {"bart", kEncoder},
    {"whisper", kEncoder},
    {"t5gemma", kEncoder},
    {"bert", kEncoderOnly},
    {"roberta", kEncoderOnly},
    {"modernbert", kEncoderOnly},
};

} // namespace

std::span<const HfRefused> hfRefused() {
    return kRefused;
}

} // namespace pw
