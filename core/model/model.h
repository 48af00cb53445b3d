// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/diagnostics.h"
#include "core/base/json.h"
#include "core/base/quantity.h"
#include "core/model/attention.h"

#include <cstdint>
#include <string>
#include <vector>

namespace pw {

// Experts in place of a block's MLP (Mixtral, arXiv:2401.04088; DeepSeek, arXiv:2401.06066): a router sends
// every token to `perToken` of `count`, and the shared ones see all tokens. Widths are inner widths.
struct Experts {
    std::int64_t count = 0; // routed, per block; 0 = the model has no experts
    std::int64_t perToken = 0;
    std::int64_t ffn = 0;
    std::int64_t shared = 0;
    std::int64_t sharedFfn = 0;            // of one shared expert
    bool sharedGate = false;               // a learned weight of the shared experts for each token (Qwen2)
    bool routerBias = false;               // a number an expert that balances their load (DeepSeek-V3)
    std::vector<std::int64_t> denseBlocks; // ascending; these keep a dense MLP of Model::ffn
    // Of the router, for trainers alone: no figure depends on them. 0 = not stated.
    std::int64_t groups = 0;         // of experts;
    std::int64_t groupsPerToken = 0; // a token is sent to experts of so many of them
    double scale = 0.0;              // of the weights of a token's experts
    bool routerInputScale = false;   // a number for each element that the router reads (Gemma 4)
    bool bias = false;               // on the products of the routed experts (gpt-oss)
    bool operator==(const Experts&) const = default;
};

// How rotary positions are stretched over sequences longer than those that they were first trained for, in
// Hugging Face's words, for trainers alone: no figure depends on it. 0 = not stated.
struct RotaryScaling {
    std::string kind;           // "llama3", "yarn", "linear", "dynamic", "longrope"; empty = they are not
    double factor = 0.0;        // of the longest sequence
    std::int64_t positions = 0; // longest sequence before that
    // Wavelengths that are stretched and left, as shares of `positions` (Llama 3).
    double lowFrequency = 0.0, highFrequency = 0.0;
    bool operator==(const RotaryScaling&) const = default;
};

// How the transformer is built. One value covers all families: they differ in data, not in code paths.
struct Model {
    std::string name;
    std::string family; // model_type of the Hugging Face file: "llama", "gpt2", "mixtral", ...
    std::int64_t blocks = 0;
    std::int64_t hidden = 0;
    std::int64_t heads = 0;
    std::int64_t kvHeads = 0;
    std::int64_t headDim = 0; // of a query or key; with latent attention both parts
    std::int64_t ffn = 0;
    std::int64_t vocab = 0;
    std::int64_t positions = 0; // longest sequence
    // Longest wavelength of rotary positions over 2 pi (arXiv:2104.09864, theta), for trainers alone: no
    // figure depends on it. 0 = not stated.
    double rotaryBase = 0.0;
    RotaryScaling rotaryScaling;
    double normEpsilon = 0.0;          // added below the root of a norm, for trainers alone; 0 = not stated
    std::int64_t learnedPositions = 0; // rows of a learned position table (OPT keeps 2 extra); 0 = rotary
    std::int64_t embedProjection =
        0; // OPT: width of the word embedding where it differs from hidden; 0 = none
    bool gatedMlp = false;
    bool rmsNorm = false; // scale only; else scale and bias
    bool finalNorm = true;
    bool tied = false; // head shares the embedding matrix
    bool qkvBias = false, attentionOutBias = false, mlpBias = false;
    bool queryKeyNorm = false;     // queries and keys are normalised head by head (Qwen3)
    bool wideQueryKeyNorm = false; // then over all heads at once (OLMo 2)
    int attentionNorms = 1; // of the hidden state in a block's attention half: 2 = behind it too (Gemma)
    int mlpNorms = 1;       // likewise; 0 = the MLP reads what attention reads (Cohere)
    // Activation, positions or scales are the model's own, which no size here says: prices hardly feel it, a
    // trainer's flags would have to.
    bool ownFormulas = false;
    Experts experts;
    LatentAttention latent;
    AttentionParts parts;
    std::vector<OtherAttention> others; // no block twice
    std::int64_t predictionDepth = 0;   // layers that predict further tokens, behind the last block
    std::vector<std::int64_t>
        window;          // per block: local attention window in tokens, 0 = global; empty = all global
    bool chunks = false; // windows do not slide: tokens see their own chunk of so many (Llama 4)
    std::string dtype;   // what the file states, informational
    std::string source;
    bool operator==(const Model&) const = default;
};

// Junction: what joins the hidden state and the next token's embedding in front of a block that predicts a
// further token (DeepSeek-V3, arXiv:2412.19437, section 2.2). It is no fine layer: it and its block stand
// with the head.
enum class LayerKind { Embedding, Attention, Mlp, Head, Junction };
const char* name(LayerKind kind);

// A fine layer: the unit of the plan document's indices. Embedding, then attention and MLP of every block
// (each with the norm in front of it), then the head with the final norm: 2 * blocks + 2 of them. Figures are
// for one sequence of `seq` tokens, forward pass, multiply and add counted as two.
struct FineLayer {
    int index = 0;
    LayerKind kind = LayerKind::Embedding;
    int block = -1;              // -1 for embedding and head
    std::int64_t parameters = 0; // of a tied head: only its own (final norm)
    std::int64_t active = 0;     // of them, what one token uses
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
    static constexpr std::int64_t experts = std::int64_t{1} << 16;
    static constexpr std::int64_t expertWidth = std::int64_t{1} << 25; // routed experts times their ffn
    static constexpr std::int64_t predictionDepth = 64;
    static constexpr std::int64_t norms = 8;   // of the hidden state in half a block
    static constexpr std::int64_t kernel = 64; // of a convolution over tokens
    static constexpr double rotaryBase = 1e15;
    static constexpr double rotaryFactor = 1e6;
    static constexpr double normEpsilon = 1.0;
    static constexpr std::int64_t vocab = std::int64_t{1} << 26;
    static constexpr std::int64_t positions = std::int64_t{1} << 27;
    static constexpr double routerScale = 1000.0;
};

// Parameters of one layer, by how parallelism divides them. Exact counts.
struct LayerParameters {
    std::int64_t sliced = 0; // matrices cut by tensor parallelism
    std::int64_t routed = 0; // matrices of the routed experts: cut likewise, and dealt out over expert ranks
    std::int64_t chosen = 0; // of `routed`, the experts that one token is sent to
    std::int64_t whole = 0; // on every rank: norms, biases, router, index, latent down-projections, positions
    std::int64_t total() const { return sliced + routed + whole; }
    std::int64_t active() const { return sliced + chosen + whole; }
};

// `block` counts for attention and MLP only; -1 for the others. The head is without predictionDepth's layers.
LayerParameters layerParameters(const Model& model, LayerKind kind, int block);
// Parameters of the layer on one of tp * ep ranks that share it.
// `expertTp`: ranks that cut an expert between them, 0 = tp.
double layerParameters(const Model& model, int block, LayerKind kind, int tp, int ep = 1, int expertTp = 0);
double routedParameters(const Model& model, int block, LayerKind kind, int tp, int ep,
                        int expertTp = 0); // of these, the experts'

bool hasExperts(const Model& model, int block); // else the block's MLP is dense
// Blocks in front of the first with experts; 0 where none has any.
int leadingDense(const Model& model);
inline bool hasExperts(const Model& m) {
    return m.experts.count > 0;
}
inline bool scalesPositions(const Model& m) {
    return !m.rotaryScaling.kind.empty();
}
inline bool hasLatentAttention(const Model& m) {
    return m.latent.kvRank > 0;
}
// Whether the stage of the head works with the embedding's matrix, so that where it is another stage than the
// first it holds a copy, and both sum its gradient: a tied head, or layers that predict further tokens.
inline bool headTakesEmbedding(const Model& m) {
    return m.tied || m.predictionDepth > 0;
}
// How a block mixes tokens, put together.
struct AttentionForm {
    std::int64_t heads = 0, kvHeads = 0, headDim = 0, valueDim = 0;
    AttentionParts parts;
    LinearAttention linear; // valueHeads 0 = softmax attention of the above
    bool latent = false;    // expanded from Model::latent
};
AttentionForm attentionForm(const Model& model, int block);
std::int64_t gateWidth(const AttentionForm& form); // what the projection of its output gate hands out
// Width of what the queries of its sparse index are made from.
std::int64_t indexSource(const Model& model, const AttentionForm& form);
// -1 = the model's own attention, else an index into Model::others.
int otherAttention(const Model& model, int block);
// Whether every block attends as the model's flat sizes say, without any part of attention.h but latents, and
// has its norms in front of both halves.
bool isPlain(const Model& model);
// The first block of every kind of attention; a window makes none.
std::vector<int> attentionKinds(const Model& model);
inline std::int64_t sharedWidth(const Model& m) { // inner width of a block's shared experts together
    return m.experts.shared * m.experts.sharedFfn;
}
inline std::int64_t windowOf(const Model& m, int block) { // tokens; 0 = global
    return m.window.empty() ? 0 : m.window[static_cast<std::size_t>(block)];
}
// Inner widths of the model's MLPs, each once: what tensor parallelism must divide.
std::vector<std::int64_t> mlpWidths(const Model& model);

// Attention counts the full square of scores (or seq x min(window, seq), or what a sparse index chooses with
// the square of its own scores), as trainers compute it; bytes assume an attention kernel that keeps the
// scores on chip. Linear attention counts the products of its chunks (deltaRuleFlops).
std::vector<FineLayer> fineLayers(const Model& model, std::int64_t seq);
std::int64_t parameterCount(const Model& model); // equals the published count exactly
std::int64_t activeParameterCount(const Model& model);
// Of the layers that predict further tokens (DeepSeek-V3, arXiv:2412.19437, section 2.2): two norms, a
// projection of both inputs, a block like the last, a norm; embedding and head are the model's own. They are
// no fine layers and in none of the counts above: prices and memory have them with the head, which every
// token passes once more for each of them.
std::int64_t predictionParameterCount(const Model& model);

// Products of the gated delta rule for one token of one value head, in chunks of 64 tokens as published
// kernels cut it (flash-linear-attention): 3 keyDim valueDim with the state that goes from chunk to chunk,
// 64 (3 keyDim + 2 valueDim) inside. Reconstruction.
double deltaRuleFlops(const LinearAttention& linear);
constexpr double kDeltaRuleChunk = 64.0;

// What the figures of this model leave out or rest on.
Diagnostics modelNotes(const Model& model);

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
