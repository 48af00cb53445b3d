// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/operators.h"

#include <algorithm>

namespace pw {
namespace {

// Passes over memory that the elementwise operators of a layer need, over those of hand-fused kernels. A
// compiler also joins a norm to the addition before it.
double passes(Fusion fusion) {
    switch (fusion) {
    case Fusion::None:
        return 1.6;
    case Fusion::Hand:
        return 1.0;
    case Fusion::Compiler:
        return 0.75;
    }
    return 1.0;
}

// Framework calls of half a block's forward pass: products, elementwise operators, views, collectives.
int hostOperators(Fusion fusion) {
    switch (fusion) {
    case Fusion::None:
        return 17;
    case Fusion::Hand:
        return 13;
    case Fusion::Compiler:
        return 7;
    }
    return 13;
}

constexpr double kScoreBytes = 2.0; // scores are kept in 16 bits, or in the model's 4-byte numbers

class Builder {
public:
    Builder(const Model& model, const RankShape& shape)
        : m(model), s(shape), e(shape.elementBytes), tp(shape.tp),
          tokens(shape.sequences * shape.seq / shape.cp), h(static_cast<double>(model.hidden)),
          row(tokens * h / (shape.sequenceParallel ? tp : 1.0)) {
        out.boundary = tokens * h * e;
        out.hostOperators = hostOperators(shape.fusion);
    }

    LayerOperators embedding() {
        memory("look-up", 3.0 * row * e, 3.0 * row * e);
        out.kept = 8.0 * tokens; // token ids
        out.transient = row * e;
        out.collectives = tp > 1.0 ? 1 : 0;
        return std::move(out);
    }

    LayerOperators attention(int block) {
        const double heads = static_cast<double>(m.heads) / tp;
        const double q = heads * static_cast<double>(m.headDim);
        const double v = heads * static_cast<double>(valueDim(m));
        // kv heads are copied when fewer than tp
        const double kv =
            std::max(static_cast<double>(m.kvHeads * m.headDim) / tp, static_cast<double>(m.headDim));
        norm();
        double keys = kv, values = kv, latents = 0.0;
        if (hasLatentAttention(m)) {
            const LatentAttention& l = m.latent;
            const auto queryRank = static_cast<double>(l.queryRank), kvRank = static_cast<double>(l.kvRank);
            latents = queryRank + kvRank + static_cast<double>(l.rotaryDim);
            keys = q;
            values = v;
            product("latents", tokens, latents, h);
            pass("latent norms", 2.0 * tokens * latents * e, 4.0 * tokens * latents * e);
            product("queries", tokens, q, l.queryRank > 0 ? queryRank : h);
            product("keys and values", tokens, heads * static_cast<double>(l.plainDim + l.valueDim), kvRank);
            pass("join keys", 2.0 * tokens * q * e, 2.0 * tokens * q * e);
        } else {
            product("qkv", tokens, q + 2.0 * kv, h);
        }
        if (m.learnedPositions == 0)
            pass("rotate", 2.0 * (q + keys) * tokens * e, 2.0 * (q + keys) * tokens * e);
        const double softmax = core(block, heads, q);
        product("projection", tokens, h, v);
        residual();

        out.collectives = tp > 1.0 ? 2 : 0;
        out.exchanged = s.cp > 1 ? (s.cp - 1) * tokens * (keys + values) * e : 0.0;
        out.keptInput = row * e;
        out.keptCore = softmax;
        out.kept = 2.0 * row * e + (s.dropout ? row : 0.0) +
                   tokens * (q + v + keys + values + 2.0 * latents) * e + softmax;
        out.transient += 2.0 * row * e;
        return std::move(out);
    }

    LayerOperators mlp(int block) {
        norm();
        out.kept = 2.0 * row * e + (s.dropout ? row : 0.0);
        if (!hasExperts(m, block))
            twoProducts(tokens, static_cast<double>(m.ffn) / tp, 1.0);
        else
            experts();
        residual();
        out.collectives = tp > 1.0 ? 2 : 0;
        out.transient += 2.0 * row * e;
        return std::move(out);
    }

    LayerOperators head() {
        const auto width = m.embedProjection > 0 ? static_cast<double>(m.embedProjection) : h;
        const double vocab = static_cast<double>(m.vocab) / tp;
        norm();
        product("logits", tokens, vocab, width);
        out.list.back().quantised = false;
        // Cross-entropy in fp32, step by step as frameworks have it: the logits are widened (6 bytes an
        // element), their maximum found (4), subtracted (8), exponentiated (8), summed (4), divided (8);
        // back: scaled (8) and narrowed (6).
        // A compiler saves about half of that; one kernel in place of all reads the logits and writes their
        // gradient over them.
        const double share = s.fusion == Fusion::Compiler ? 0.5 : 1.0;
        if (s.fusedLoss)
            memory("cross-entropy", e * tokens * vocab, 2.0 * e * tokens * vocab);
        else
            memory("cross-entropy", share * 38.0 * tokens * vocab, share * 14.0 * tokens * vocab);
        out.kept = 2.0 * row * e;
        // Logits, their fp32 copy, its softmax and gradient; a compiler fuses the copy away.
        const double wide = s.fusedLoss ? e : s.fusion == Fusion::Compiler ? 8.0 : 12.0;
        out.transient = tokens * vocab * (e + wide);
        out.collectives = tp > 1.0 ? 1 : 0;
        return std::move(out);
    }

private:
    Operator& product(const char* name, double rows, double n, double k, double groups = 1.0) {
        Operator op;
        op.kind = OperatorKind::Product;
        op.name = name;
        op.groups = groups;
        op.m = rows;
        op.n = n;
        op.k = k;
        op.weights = true;
        op.quantised = true;
        out.list.push_back(op);
        return out.list.back();
    }
    void memory(const char* name, double forward, double backward, bool core = false) {
        Operator op;
        op.name = name;
        op.forwardBytes = forward;
        op.backwardBytes = backward;
        op.core = core;
        out.list.push_back(op);
    }
    // An elementwise operator whose passes depend on what is fused.
    void pass(const char* name, double forward, double backward) {
        memory(name, forward * passes(s.fusion), backward * passes(s.fusion));
    }
    void norm() { pass("norm", 2.0 * row * e, 4.0 * row * e); }
    void residual() {
        if (s.dropout) // bias, dropout and addition: reads three, writes one and the mask
            pass("dropout and residual", 4.5 * row * e, 2.5 * row * e);
        else
            pass("residual", 3.0 * row * e, 2.0 * row * e);
    }

    // Scores, softmax and the sum of values; returns the bytes that stay for the backward pass.
    double core(int block, double heads, double q) {
        const std::int64_t window = windowOf(m, block);
        const double reach = window > 0 ? std::min(static_cast<double>(window), s.seq) : s.seq;
        const double rows = s.seq / s.cp;
        const auto keyDim = static_cast<double>(m.headDim);
        const auto valueWidth = static_cast<double>(valueDim(m));
        if (s.fusedAttention) {
            Operator op;
            op.kind = OperatorKind::Attention;
            op.name = "attention";
            op.core = true;
            // Under the causal mask half of the square is needed, of a window nearly all.
            const double needed = rows * (window > 0 && reach < s.seq ? reach : 0.5 * s.seq);
            op.flops = 2.0 * s.sequences * heads * needed * (keyDim + valueWidth);
            out.list.push_back(op);
            return 4.0 * s.sequences * heads * rows; // the softmax statistics
        }
        const double groups = s.sequences * heads;
        const double scores = groups * rows * reach;
        const double b = std::max(e, kScoreBytes);
        Operator& queryKey = product("scores", rows, reach, keyDim, groups);
        queryKey.weights = queryKey.quantised = false;
        queryKey.core = true;
        memory("softmax", (s.fusion == Fusion::None ? 6.0 : 2.0) * scores * b,
               (s.fusion == Fusion::None ? 9.0 : 3.0) * scores * b, true);
        if (s.dropout)
            memory("attention dropout", 2.5 * scores * b, 2.5 * scores * b, true);
        Operator& sum = product("values", rows, valueWidth, reach, groups);
        sum.weights = sum.quantised = false;
        sum.core = true;
        pass("transposes", 8.0 * tokens * q * e, 8.0 * tokens * q * e);
        out.transient = 2.0 * scores * b;
        // Softmax output, and with dropout its mask and its output.
        return scores * (s.dropout ? 2.0 * b + 1.0 : b);
    }

    void twoProducts(double rows, double f, double groups) {
        const double up = m.gatedMlp ? 2.0 : 1.0;
        const double all = groups > 1.0 ? rows / groups : rows; // rows of one group's product
        product("up", all, up * f, h, groups);
        pass("activation", (up + 1.0) * rows * f * e, (2.0 * up + 1.0) * rows * f * e);
        product("down", all, h, f, groups);
        out.kept += rows * f * e * (up + 1.0);
        out.transient = std::max(out.transient, rows * f * up * e);
    }

    void experts() {
        const auto count = static_cast<double>(m.experts.count);
        const double sent = tokens * static_cast<double>(m.experts.perToken); // rows, one a chosen expert
        // Expert ranks deal their tokens out and get as many back: the rows of a rank stay the same.
        const double here = std::max(1.0, std::min(count, sent) / s.ep);
        product("router", tokens, count, h);
        out.list.back().quantised = false;
        pass("choose experts", 3.0 * tokens * count * 4.0, 3.0 * tokens * count * 4.0);
        memory("sort by expert", (tokens + sent) * h * e, (tokens + sent) * h * e);
        twoProducts(sent, static_cast<double>(m.experts.ffn) / tp, here);
        memory("weigh and add", (sent + tokens) * h * e, (2.0 * sent + tokens) * h * e);
        out.kept += 2.0 * sent * h * e + tokens * count * 4.0; // into and out of the experts; scores
        if (m.experts.shared > 0)
            twoProducts(tokens, static_cast<double>(sharedWidth(m)) / tp, 1.0);
        if (s.ep > 1)
            out.routed = sent * h * e * (s.ep - 1) / s.ep;
        out.hostOperators *= 2;
    }

    const Model& m;
    const RankShape& s;
    const double e, tp, tokens, h;
    const double row; // elements of a layer boundary on a rank
    LayerOperators out;
};

} // namespace

double LayerOperators::flops() const {
    double sum = 0.0;
    for (const Operator& op : list)
        sum += op.kind == OperatorKind::Product ? 2.0 * op.groups * op.m * op.n * op.k : op.flops;
    return sum;
}

LayerOperators layerOperators(const Model& model, LayerKind kind, int block, const RankShape& shape) {
    Builder builder(model, shape);
    switch (kind) {
    case LayerKind::Embedding:
        return builder.embedding();
    case LayerKind::Attention:
        return builder.attention(block);
    case LayerKind::Mlp:
        return builder.mlp(block);
    case LayerKind::Head:
        return builder.head();
    }
    return {};
}

} // namespace pw
