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

// Of half a block in tensor parallelism, forward pass: gather and scatter; and what each is to the host:
// memory for it, its launch, waiting for it.
constexpr int kCollectives = 2, kCallsOfCollective = 3;

constexpr double kScoreBytes = 2.0; // scores are kept in 16 bits, or in the model's 4-byte numbers

class Builder {
public:
    Builder(const Model& model, const RankShape& shape)
        : m(model), s(shape), e(shape.elementBytes), tp(shape.tp),
          tokens(shape.sequences * shape.seq / shape.cp), h(static_cast<double>(model.hidden)),
          spread(shape.sequenceParallel ? tp : 1.0), row(tokens * h / spread) {
        out.boundary = out.collected = tokens * h * e;
        out.hostOperators = hostOperators(shape.fusion);
        // The others' are among theirs.
        if (shape.fusion == Fusion::None && shape.tp > 1)
            out.hostOperators += kCollectives * kCallsOfCollective;
    }

    LayerOperators embedding() {
        memory("look-up", 3.0 * row * e, 3.0 * row * e);
        out.kept = 8.0 * tokens; // token ids
        out.transient = row * e;
        out.collectives = tp > 1.0 ? 1 : 0;
        return std::move(out);
    }

    LayerOperators attention(int block) {
        const AttentionForm f = attentionForm(m, block);
        if (f.linear.valueHeads > 0)
            return linear(f.linear);
        const double heads = static_cast<double>(f.heads) / tp;
        const double q = heads * static_cast<double>(f.headDim);
        const double v = heads * static_cast<double>(f.valueDim);
        // kv heads are copied when fewer than tp
        const double kvHeads = std::max(static_cast<double>(f.kvHeads) / tp, 1.0);
        double keys = kvHeads * static_cast<double>(f.headDim);
        double values = kvHeads * static_cast<double>(f.valueDim);
        norm();
        double latents = 0.0;
        if (f.latent) {
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
            product("qkv", tokens, q + (keys + (f.parts.keysAreValues ? 0.0 : values)), h).inputSpread =
                spread;
        }
        if (m.learnedPositions == 0)
            pass("rotate", 2.0 * (q + keys) * tokens * e, 2.0 * (q + keys) * tokens * e);
        double extra = index(f);
        const double softmax = core(block, f, heads, q);
        extra += gate(f, v);
        product("projection", tokens, h, v).gradientSpread = spread;
        residual(m.attentionNorms);

        out.collectives = tp > 1.0 ? 2 : 0;
        out.exchanged = s.cp > 1 ? (s.cp - 1) * tokens * (keys + values) * e : 0.0;
        out.keptInput = row * e;
        out.keptCore = softmax;
        out.kept = keptEdges(m.attentionNorms) +
                   tokens * (q + v + keys + values + 2.0 * latents + extra) * e + softmax;
        out.transient += 2.0 * row * e;
        return std::move(out);
    }

    LayerOperators mlp(int block) {
        if (m.mlpNorms > 0)
            norm();
        out.kept = keptEdges(m.mlpNorms);
        if (!hasExperts(m, block))
            twoProducts(tokens, static_cast<double>(m.ffn) / tp, 1.0, spread);
        else
            experts();
        residual(m.mlpNorms);
        out.collectives = tp > 1.0 && out.collected > 0.0 ? 2 : 0;
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

    // As megatron/core/transformer/multi_token_prediction.py has it: the projection is cut by its output, so
    // that its input, twice as wide as a boundary, is gathered before it and what it makes behind it. The
    // norm at the end of the layer is the head's, in front of its second pass.
    LayerOperators junction() {
        memory("look-up", 3.0 * row * e, 3.0 * row * e);
        norm();
        norm();
        pass("join", 4.0 * row * e, 4.0 * row * e);
        product("projection", tokens, h / tp, 2.0 * h);
        out.kept = 4.0 * row * e + 8.0 * tokens; // both inputs, both norms' outputs, token ids
        out.keptInput = out.kept;
        out.transient = 2.0 * tokens * h * e;
        out.collectives = tp > 1.0 ? 4 : 0; // of the embedding, of two boundaries in, of one out
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
    // What half a block hands on, after the norms that stand behind it.
    void residual(int norms) {
        for (int n = 1; n < norms; ++n)
            norm();
        if (s.dropout) // bias, dropout and addition: reads three, writes one and the mask
            pass("dropout and residual", 4.5 * row * e, 2.5 * row * e);
        else
            pass("residual", 3.0 * row * e, 2.0 * row * e);
    }

    // The input of half a block and what each norm hands on, and dropout's mask.
    double keptEdges(int norms) const { return (1.0 + norms) * row * e + (s.dropout ? row : 0.0); }

    // The gated delta rule between its projections: a short convolution, products inside chunks and with the
    // states that go from one to the next (deltaRuleFlops), at the rate of fused attention. Kept are what
    // goes into the convolution and comes out of it, the gate, the output, and of every chunk its inverted
    // products. Over context-parallel ranks only states go round.
    LayerOperators linear(const LinearAttention& l) {
        const double keys = static_cast<double>(l.keyHeads * l.keyDim) / tp;
        const double valueHeads = static_cast<double>(l.valueHeads) / tp;
        const double values = valueHeads * static_cast<double>(l.valueDim), mixed = 2.0 * keys + values;
        const double state = valueHeads * static_cast<double>(l.keyDim * l.valueDim) * 4.0;
        norm();
        product("qkv, gate and decay", tokens, mixed + values + 2.0 * valueHeads, h).inputSpread = spread;
        pass("convolution", 2.0 * mixed * tokens * e, 4.0 * mixed * tokens * e);
        Operator op;
        op.kind = OperatorKind::Attention;
        op.name = "delta rule";
        op.core = true;
        op.flops = tokens * valueHeads * deltaRuleFlops(l);
        out.list.push_back(op);
        const double moved = tokens * ((mixed + values) * e + 2.0 * state / kDeltaRuleChunk);
        memory("states", moved, 2.0 * moved, true);
        pass("gated norm", 3.0 * values * tokens * e, 5.0 * values * tokens * e);
        product("projection", tokens, h, values).gradientSpread = spread;
        residual(m.attentionNorms);

        out.collectives = tp > 1.0 ? 2 : 0;
        out.exchanged = s.cp > 1 ? (s.cp - 1) * s.sequences * state : 0.0;
        out.keptInput = row * e;
        out.keptCore = tokens * valueHeads * (kDeltaRuleChunk * e + 8.0);
        out.kept = keptEdges(m.attentionNorms) + tokens * (2.0 * mixed + 3.0 * values) * e + out.keptCore;
        out.transient += 2.0 * row * e;
        return std::move(out);
    }

    // A sparse index scores all tokens on every rank; returns the elements a token that are kept of it.
    double index(const AttentionForm& f) {
        const SparseIndex& x = f.parts.index;
        if (x.heads == 0)
            return 0.0;
        const auto heads = static_cast<double>(x.heads), dim = static_cast<double>(x.dim);
        product("index queries", tokens, heads * dim, static_cast<double>(indexSource(m, f)));
        product("index keys", tokens, dim + (f.latent ? heads : 0.0), h);
        pass("index norms", 4.0 * (heads + 1.0) * dim * tokens * e, 4.0 * (heads + 1.0) * dim * tokens * e);
        Operator op;
        op.kind = OperatorKind::Attention;
        op.name = "index";
        op.core = true;
        op.flops = 2.0 * s.sequences * heads * dim * (s.seq / s.cp) * 0.5 * s.seq;
        out.list.push_back(op);
        return (heads + 1.0) * dim;
    }

    // A gate on attention's output; returns the elements a token that are kept of it.
    double gate(const AttentionForm& f, double v) {
        if (f.parts.outputGate == OutputGate::None)
            return 0.0;
        const double width = static_cast<double>(gateWidth(f)) / tp;
        product("output gate", tokens, width, h).inputSpread = spread;
        pass("gate", (2.0 * v + width) * tokens * e, (3.0 * v + 2.0 * width) * tokens * e);
        return v + width;
    }

    // Scores, softmax and the sum of values; returns the bytes that stay for the backward pass.
    double core(int block, const AttentionForm& f, double heads, double q) {
        const std::int64_t window = windowOf(m, block);
        const double reach = window > 0 ? std::min(static_cast<double>(window), s.seq) : s.seq;
        const double rows = s.seq / s.cp;
        const auto keyDim = static_cast<double>(f.headDim);
        const auto valueWidth = static_cast<double>(f.valueDim);
        if (s.fusedAttention) {
            Operator op;
            op.kind = OperatorKind::Attention;
            op.name = "attention";
            op.core = true;
            // Under the causal mask half of the square is needed, of a window nearly all, of a chunk half; of
            // what an index chooses all, once the sequence is longer.
            const auto chosen = static_cast<double>(f.parts.index.tokens);
            double needed =
                rows * (window > 0 && reach < s.seq ? (m.chunks ? 0.5 : 1.0) * reach : 0.5 * s.seq);
            if (chosen > 0.0)
                needed = std::min(needed, rows * chosen);
            op.flops = 2.0 * s.sequences * heads * needed * (keyDim + valueWidth);
            op.headDim = 0.5 * (keyDim + valueWidth);
            op.reach = rows; // a ring of ranks hands slices of so many tokens round
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

    // `ranks`: over which their input and output lie spread.
    void twoProducts(double rows, double f, double groups, double ranks) {
        const double up = m.gatedMlp ? 2.0 : 1.0;
        const double all = groups > 1.0 ? rows / groups : rows; // rows of one group's product
        product("up", all, up * f, h, groups).inputSpread = ranks;
        pass("activation", (up + 1.0) * rows * f * e, (2.0 * up + 1.0) * rows * f * e);
        product("down", all, h, f, groups).gradientSpread = ranks;
        out.kept += rows * f * e * (up + 1.0);
        out.transient = std::max(out.transient, rows * f * up * e);
    }

    void experts() {
        const auto count = static_cast<double>(m.experts.count);
        const double sent = tokens * static_cast<double>(m.experts.perToken); // rows, one a chosen expert
        // Expert ranks deal their tokens out and get as many back, the busiest one more than the others: all
        // wait for it. A tensor-parallel rank deals out its slice; what arrives is gathered among these
        // ranks, a row for each chosen expert, and what leaves is scattered. Whole experts on every one of
        // them (expertTp = 1) multiply what arrives as it is: nothing is gathered but for shared experts,
        // which stay cut.
        const bool dealt = s.ep > 1, apart = dealt && s.expertTp == 1;
        const double cut = apart ? 1.0 : tp;
        const double met = sent * (dealt ? s.expertLoad : 1.0) * (cut / tp); // rows of this rank's experts
        const double here = std::max(1.0, std::min(count, sent) / s.ep);
        const double sliced = dealt ? tp : 1.0;
        const double own = tokens / sliced, copies = sent / sliced; // rows of this rank
        product("router", own, count, h);
        out.list.back().quantised = false;
        pass("choose experts", 3.0 * own * count * 4.0, 3.0 * own * count * 4.0);
        memory("sort by expert", (own + copies) * h * e, (own + copies) * h * e);
        twoProducts(met, static_cast<double>(m.experts.ffn) / cut, here, 1.0);
        memory("weigh and add", (copies + own) * h * e, (2.0 * copies + own) * h * e);
        out.kept += (copies + met) * h * e + own * count * 4.0; // into and out of the experts; scores
        if (m.experts.shared > 0)
            twoProducts(tokens, static_cast<double>(sharedWidth(m)) / tp, 1.0, spread);
        if (dealt) {
            out.routed = met / cut * h * e * (s.ep - 1) / s.ep;
            out.collected = ((apart ? 0.0 : met) + (m.experts.shared > 0 ? tokens : 0.0)) * h * e;
        }
        out.hostOperators *= 2;
    }

    const Model& m;
    const RankShape& s;
    const double e, tp, tokens, h;
    const double spread; // ranks over which the rows of a layer boundary lie
    const double row;    // elements of a layer boundary on a rank
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
    case LayerKind::Junction:
        return builder.junction();
    }
    return {};
}

} // namespace pw
