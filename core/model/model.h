// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/base/quantity.h"

#include <cstdint>
#include <string>
#include <vector>

namespace pw {

// How the transformer is built. One value covers the Llama, GPT-2, GPT-Neo and OPT families: they differ in
// data, not in code paths.
struct Model {
    std::string name;
    std::string family; // model_type of the Hugging Face file: "llama", "gpt2", "gpt_neo", "opt"
    std::int64_t blocks = 0;
    std::int64_t hidden = 0;
    std::int64_t heads = 0;
    std::int64_t kvHeads = 0;
    std::int64_t headDim = 0;
    std::int64_t ffn = 0;
    std::int64_t vocab = 0;
    std::int64_t positions = 0;        // longest sequence
    std::int64_t learnedPositions = 0; // rows of a learned position table (OPT keeps 2 extra); 0 = rotary
    std::int64_t embedProjection =
        0; // OPT: width of the word embedding where it differs from hidden; 0 = none
    bool gatedMlp = false;
    bool rmsNorm = false; // scale only; else scale and bias
    bool finalNorm = true;
    bool tied = false; // head shares the embedding matrix
    bool qkvBias = false, attentionOutBias = false, mlpBias = false;
    std::vector<std::int64_t>
        window;        // per block: local attention window in tokens, 0 = global; empty = all global
    std::string dtype; // what the file states, informational
    std::string source;
    bool operator==(const Model&) const = default;
};

enum class LayerKind { Embedding, Attention, Mlp, Head };
const char* name(LayerKind kind);

// A fine layer: the unit of the plan document's indices. Embedding, then attention and MLP of every block
// (each with the norm in front of it), then the head with the final norm: 2 * blocks + 2 of them. Figures are
// for one sequence of `seq` tokens, forward pass, multiply and add counted as two.
struct FineLayer {
    int index = 0;
    LayerKind kind = LayerKind::Embedding;
    int block = -1;              // -1 for embedding and head
    std::int64_t parameters = 0; // of a tied head: only its own (final norm)
    Flops forwardFlops;
    Bytes forwardBytes; // moved by the forward pass, in 2-byte elements
    Bytes outputBytes;  // activation handed to the next layer, in 2-byte elements
};

// What a model may measure. Wide enough for anything trained so far times thirty, and narrow enough that
// every count below stays under 2^62.
struct ModelLimits {
    static constexpr std::int64_t blocks = 10'000;
    static constexpr std::int64_t hidden = std::int64_t{1} << 20;
    static constexpr std::int64_t heads = std::int64_t{1} << 16;
    static constexpr std::int64_t attentionWidth = std::int64_t{1} << 22; // heads * headDim
    static constexpr std::int64_t ffn = std::int64_t{1} << 24;
    static constexpr std::int64_t vocab = std::int64_t{1} << 26;
    static constexpr std::int64_t positions = std::int64_t{1} << 27;
};

// Attention counts the full square of scores (or seq x min(window, seq)), as trainers compute it; bytes
// assume an attention kernel that keeps the scores on chip.
std::vector<FineLayer> fineLayers(const Model& model, std::int64_t seq);
std::int64_t parameterCount(const Model& model); // equals the published count exactly

inline int fineLayerCount(const Model& m) {
    return static_cast<int>(2 * m.blocks + 2);
}

// Sizes are positive, within ModelLimits and fit together (kv heads divide heads); one error per field, at
// `where`#/field of a file or `where`.field of a form.
Status checkModel(const Model& model, const std::string& where);

// File form (schema "pipewright-model-1").
Result<Model> modelFromJson(const JsonReader& reader);
Json toJson(const Model& model);
// A Pipewright model or a Hugging Face config.json, recognised by content (the importer is in core/exchange).

} // namespace pw
