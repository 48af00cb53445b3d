// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/model/model.h"

#include <array>
#include <span>
#include <vector>

namespace pw {

// A model_type of Hugging Face configurations is a row of data: where its sizes stand, what its class builds
// whatever the file says, which blocks attend locally, which have experts. A file may leave out what its
// class assumes, and transformers writes only what differs from the class into the part of a multimodal
// configuration that is the language model: both are laid beneath the file before it is read.

// The keys under which one model type keeps the sizes that all of them have.
struct HfKeys {
    const char* blocks = "num_hidden_layers";
    const char* hidden = "hidden_size";
    const char* heads = "num_attention_heads";
    const char* ffn = "intermediate_size";
    const char* positions = "max_position_embeddings";
};

// What the class builds whatever the file says.
struct HfBuild {
    bool gatedMlp = true, rmsNorm = true;
    bool headNorms = false, wideNorms = false; // Model::queryKeyNorm, wideQueryKeyNorm
    const char* headNormsKey = nullptr;        // the file may switch them on
    OutputGate gate = OutputGate::None;
    bool sinks = false;
    int attentionNorms = 1, mlpNorms = 1;
    bool ownFormulas = false;
};

// The keys that switch biases on; null = there are none.
struct HfBias {
    const char* qkv = nullptr;
    const char* attentionOut = nullptr;
    const char* mlp = nullptr;
};

// Which blocks attend to a window: those of `layer_types` if it is there, else by the class's rule.
struct HfWindows {
    enum class Rule : std::uint8_t {
        None,  // no block
        All,   // every block
        Every, // all but every so-manieth; 1 = none
        From   // those from max_window_layers on
    };
    Rule rule = Rule::None;
    const char* key = "sliding_window";
    const char* switchKey = nullptr;                 // is the window in force at all
    const char* everyKey = "sliding_window_pattern"; // of Every
    int every = 0;
    bool chunks = false; // Model::chunks
};

struct HfExperts {
    std::array<const char*, 2> count, perToken, ffn; // the first that the file has; releases differ
    const char* shared = nullptr;                    // how many are shared
    const char* sharedFfn = nullptr;                 // width of one; null = of a routed one
    bool oneShared = false;                          // of sharedFfn, and no key says so
    bool sharedGate = false, routerBias = false, bias = false;
    bool optional = false; // the type has dense members
    // Which blocks keep a dense MLP.
    std::vector<bool> (*dense)(const JsonReader& config, std::int64_t blocks) = nullptr;
};

struct HfFamily {
    const char* type;
    HfKeys keys = {};
    HfBuild build = {};
    HfBias bias = {};
    HfWindows windows = {};
    const HfExperts* experts = nullptr;
    const char* further = nullptr; // key of the layers that predict further tokens
    bool tied = false;
    bool ffnLeftOut = false; // four times hidden where it is
    void (*heads)(const JsonReader& config, const HfFamily& family, Model& model);
    void (*special)(const JsonReader& config, Model& model) = nullptr;
    const char* assumed = "{}"; // by the class, where the file is silent
    const char* sizes = "{}";   // likewise, in the language model of a multimodal configuration
};

std::span<const HfFamily> hfFamilies();

// Types that are known and cannot be planned, with the reason.
struct HfRefused {
    const char* type;
    const char* reason;
};
std::span<const HfRefused> hfRefused();

// Heads, key-value heads and their widths.
void readGroupedHeads(const JsonReader& config, const HfFamily& family, Model& m);
void readHeadsOfHidden(const JsonReader& config, const HfFamily& family, Model& m);
void readLatentHeads(const JsonReader& config, const HfFamily& family, Model& m);

// `layer_types`, one a block; empty where there is none or it is wrong, which is told.
std::vector<std::string> readLayerTypes(const JsonReader& config, const char* key, std::int64_t blocks);
void readWindows(const JsonReader& config, const HfWindows& windows, Model& m);
void readExperts(const JsonReader& config, const HfExperts& experts, Model& m);
// A list of numbers, one a block; empty where it is missing or wrong, which is told.
std::vector<std::int64_t> readPerBlock(const JsonReader& config, const char* key, std::int64_t blocks,
                                       std::int64_t low, std::int64_t high);
void needDivisor(const JsonReader& config, const char* key, std::int64_t part, std::int64_t whole,
                 const char* what);

// Blocks that keep a dense MLP, by the rule of a family.
std::vector<bool> denseFirst(const JsonReader& config, std::int64_t blocks);       // leading ones
std::vector<bool> denseSteps(const JsonReader& config, std::int64_t blocks);       // all but every so-manieth
std::vector<bool> denseInterleaved(const JsonReader& config, std::int64_t blocks); // likewise (Llama 4)
std::vector<bool> denseOutside(const JsonReader& config, std::int64_t blocks);     // of a range (ERNIE)
std::vector<bool> denseListed(const JsonReader& config, std::int64_t blocks);      // mlp_layer_types

// Stated formulas that are not those of the family, where its own are known to be the usual ones.
Diagnostics otherFormulas(const JsonReader& config, const HfFamily& family);

// What is special to a type.
void readMpt(const JsonReader& config, Model& m);
void readGpt2(const JsonReader& config, Model& m);
void readGptNeo(const JsonReader& config, Model& m);
void readGptNeox(const JsonReader& config, Model& m);
void readOpt(const JsonReader& config, Model& m);
void readDeltaNet(const JsonReader& config, Model& m);  // linear attention in most blocks
void readIndexer(const JsonReader& config, Model& m);   // sparse attention over latents
void readMinimaxM3(const JsonReader& config, Model& m); // sparse attention in some blocks
void readMimoV2(const JsonReader& config, Model& m);    // local blocks with heads of their own
void readLaguna(const JsonReader& config, Model& m);    // heads by block
void readGemma4(const JsonReader& config, Model& m);    // wide global heads, experts beside the MLP
void readMinimaxM2(const JsonReader& config, Model& m);
void readLlama4(const JsonReader& config, Model& m); // chunks where positions are rotated

} // namespace pw
