// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

namespace pw {

// How blocks mix tokens. A model has one attention of its own (Model::heads, kvHeads, headDim and these
// parts); what some blocks have in its place stands in Model::others.

// Multi-head latent attention (DeepSeek-V2, arXiv:2405.04434): queries, keys and values are expanded from
// narrow latents. A query or key is a part without positions and a rotary one; the rotary key is one for all
// heads.
struct LatentAttention {
    std::int64_t queryRank = 0; // 0 = queries come straight from the hidden state
    std::int64_t kvRank = 0;    // 0 = the model has plain attention
    std::int64_t plainDim = 0;  // qk_nope_head_dim
    std::int64_t rotaryDim = 0; // qk_rope_head_dim
    std::int64_t valueDim = 0;  // v_head_dim
    bool operator==(const LatentAttention&) const = default;
};

// Sparse attention (DeepSeek-V3.2, arXiv:2512.02556; MiniMax-M3): a narrow index of its own, the same on all
// tensor-parallel ranks, scores every earlier token, and attention goes to the best `tokens`. Over latents
// its queries come from theirs and every head has a weight for each token.
struct SparseIndex {
    std::int64_t heads = 0;  // 0 = the block takes the choice of an earlier one
    std::int64_t dim = 0;    // of a head
    std::int64_t tokens = 0; // 0 = attention goes to all
    bool operator==(const SparseIndex&) const = default;
};

// A learned gate on what attention hands to its output projection.
enum class OutputGate : std::uint8_t { None, Heads, Width }; // a number a head (Laguna), or each (Qwen3-Next)

struct AttentionParts {
    std::int64_t valueDim = 0; // of a head's value and output; 0 = as wide as its query
    OutputGate outputGate = OutputGate::None;
    bool sinks = false;         // a learned score a head that nothing is read from (gpt-oss)
    bool keysAreValues = false; // one projection for both (Gemma 4)
    SparseIndex index;
    bool operator==(const AttentionParts&) const = default;
};

// Linear attention by the gated delta rule (arXiv:2412.06464): every value head keeps a state of keyDim x
// valueDim that each token rewrites. A short convolution runs over queries, keys and values.
struct LinearAttention {
    std::int64_t keyHeads = 0, valueHeads = 0; // valueHeads 0 = none
    std::int64_t keyDim = 0, valueDim = 0;     // of a head
    std::int64_t kernel = 0;                   // tokens that the convolution spans
    bool operator==(const LinearAttention&) const = default;
};

// In place of the model's own attention. Linear, or softmax attention of these sizes; over latents (which are
// the model's) only the parts differ.
struct OtherAttention {
    std::vector<std::int64_t> blocks; // ascending
    std::int64_t heads = 0, kvHeads = 0, headDim = 0;
    AttentionParts parts;
    LinearAttention linear;
    bool operator==(const OtherAttention&) const = default;
};

} // namespace pw
