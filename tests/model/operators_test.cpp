// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/operators.h"

#include <QTest>

#include <cmath>

using namespace pw;

namespace {

bool near(double got, double expected, double tolerance = 1e-12) {
    return std::abs(got - expected) <= tolerance * std::abs(expected);
}

Model smallGpt() {
    Model m;
    m.name = "gpt";
    m.family = "gpt2";
    m.blocks = 4;
    m.hidden = 2048;
    m.heads = m.kvHeads = 16;
    m.headDim = 128;
    m.ffn = 8192;
    m.vocab = 50304;
    m.positions = m.learnedPositions = 2048;
    m.qkvBias = m.attentionOutBias = m.mlpBias = true;
    return m;
}

Model smallLlama() {
    Model m = smallGpt();
    m.family = "llama";
    m.kvHeads = 4;
    m.ffn = 5632;
    m.gatedMlp = m.rmsNorm = true;
    m.learnedPositions = 0;
    m.qkvBias = m.attentionOutBias = m.mlpBias = false;
    return m;
}

Model experts() {
    Model m = smallLlama();
    m.experts.count = 8;
    m.experts.perToken = 2;
    m.experts.ffn = 5632;
    return m;
}

RankShape whole(double sequences, double seq) {
    RankShape shape;
    shape.sequences = sequences;
    shape.seq = seq;
    return shape;
}

double weightedFlops(const LayerOperators& layer) {
    double sum = 0.0;
    for (const Operator& op : layer.list)
        if (op.kind == OperatorKind::Product && op.weights)
            sum += 2.0 * op.groups * op.m * op.n * op.k;
    return sum;
}

double memoryBytes(const LayerOperators& layer) {
    double sum = 0.0;
    for (const Operator& op : layer.list)
        sum += op.forwardBytes + op.backwardBytes;
    return sum;
}

} // namespace

class OperatorsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // arXiv 2104.04473: 24 b s h^2 + 4 b s^2 h FLOP in a block's forward pass, 2 b s h V in the head.
    void flopsOfABlockArePublished() {
        RankShape shape = whole(3, 2048);
        shape.fusedAttention = false;
        const double tokens = 3.0 * 2048, h = 2048, s = 2048;
        const double block = layerOperators(smallGpt(), LayerKind::Attention, 0, shape).flops() +
                             layerOperators(smallGpt(), LayerKind::Mlp, 0, shape).flops();
        QVERIFY(near(block, 24.0 * tokens * h * h + 4.0 * tokens * s * h));
        QVERIFY(
            near(layerOperators(smallGpt(), LayerKind::Head, -1, shape).flops(), 2.0 * tokens * h * 50304));
        // A fused kernel skips what the causal mask hides.
        shape.fusedAttention = true;
        const double fused = layerOperators(smallGpt(), LayerKind::Attention, 0, shape).flops() +
                             layerOperators(smallGpt(), LayerKind::Mlp, 0, shape).flops();
        QVERIFY(near(fused, 24.0 * tokens * h * h + 2.0 * tokens * s * h));
    }

    // Every weighted product is a matrix of the model, seen by every token.
    void weightedProductsAreTheParameters() {
        for (const Model& m : {smallGpt(), smallLlama()})
            for (const LayerKind kind : {LayerKind::Attention, LayerKind::Mlp}) {
                const double tokens = 2.0 * 1024;
                const LayerOperators layer = layerOperators(m, kind, 1, whole(2, 1024));
                QVERIFY(near(weightedFlops(layer),
                             2.0 * tokens * static_cast<double>(layerParameters(m, kind, 1).sliced)));
            }
    }

    void expertsDoTheChosenOnesWork() {
        const Model m = experts();
        const double tokens = 4096;
        const LayerParameters p = layerParameters(m, LayerKind::Mlp, 0);
        const double router = tokens * 2.0 * 2048 * 8;
        const double got = weightedFlops(layerOperators(m, LayerKind::Mlp, 0, whole(2, 2048)));
        QVERIFY(near(got, 2.0 * tokens * static_cast<double>(p.chosen) + router));
        // Expert ranks do as much work each and hold fewer experts.
        RankShape shape = whole(2, 2048);
        shape.ep = 4;
        const LayerOperators spread = layerOperators(m, LayerKind::Mlp, 0, shape);
        QVERIFY(near(weightedFlops(spread), got));
        QVERIFY(near(spread.routed, tokens * 2.0 * 2048 * 2.0 * 0.75));
        QCOMPARE(layerOperators(m, LayerKind::Mlp, 0, whole(2, 2048)).routed, 0.0);
        // The busiest rank has more to multiply, to keep and to fetch; without expert ranks there is none.
        shape.expertLoad = 1.5;
        const LayerOperators busy = layerOperators(m, LayerKind::Mlp, 0, shape);
        QVERIFY(near(weightedFlops(busy), 1.5 * (got - router) + router));
        QVERIFY(near(busy.routed, 1.5 * spread.routed));
        QVERIFY(busy.kept > spread.kept);
        shape.ep = 1;
        QVERIFY(near(weightedFlops(layerOperators(m, LayerKind::Mlp, 0, shape)), got));
    }

    // Slices of tensor-parallel ranks go to the experts; these ranks gather a row for each chosen expert.
    void tensorParallelRanksDealOutTheirSlices() {
        const Model m = experts();
        RankShape shape = whole(2, 2048);
        shape.ep = 4;
        const LayerOperators alone = layerOperators(m, LayerKind::Mlp, 0, shape);
        shape.tp = 2;
        const LayerOperators sliced = layerOperators(m, LayerKind::Mlp, 0, shape);
        QVERIFY(near(sliced.routed, 0.5 * alone.routed));
        QVERIFY(near(sliced.collected, 2.0 * sliced.boundary)); // two experts a token
        QVERIFY(near(weightedFlops(sliced), 0.5 * weightedFlops(alone)));
        // Without expert ranks every one of them has all tokens at hand.
        shape.ep = 1;
        QVERIFY(near(layerOperators(m, LayerKind::Mlp, 0, shape).collected, sliced.boundary));
    }

    // Of sequence-parallel ranks each has its part of what goes into the first product of half a block and of
    // the gradient of what comes out of the last one; experts get theirs from everywhere.
    void boundariesLieSpread() {
        RankShape shape = whole(2, 2048);
        shape.tp = 4;
        const auto spreads = [&](const Model& m, LayerKind kind) {
            std::vector<double> list;
            for (const Operator& op : layerOperators(m, kind, 0, shape).list)
                if (op.kind == OperatorKind::Product && op.quantised)
                    list.insert(list.end(), {op.inputSpread, op.gradientSpread});
            return list;
        };
        const std::vector<double> none(4, 1.0), both{4.0, 1.0, 1.0, 4.0};
        QVERIFY(spreads(smallLlama(), LayerKind::Attention) == none);
        shape.sequenceParallel = true;
        QVERIFY(spreads(smallLlama(), LayerKind::Attention) == both);
        QVERIFY(spreads(smallLlama(), LayerKind::Mlp) == both);
        QVERIFY(spreads(experts(), LayerKind::Mlp) == none);
    }

    // Whole experts on every tensor-parallel rank work on its slice of the tokens at their full width: as
    // much to multiply and to send, but nothing is gathered or kept for the others.
    void wholeExpertsGatherNothing() {
        Model m = experts();
        RankShape shape = whole(2, 2048);
        shape.tp = 2;
        shape.ep = 4;
        const LayerOperators cut = layerOperators(m, LayerKind::Mlp, 0, shape);
        shape.expertTp = 1;
        const LayerOperators apart = layerOperators(m, LayerKind::Mlp, 0, shape);
        QVERIFY(near(weightedFlops(apart), weightedFlops(cut)));
        QVERIFY(near(apart.routed, cut.routed));
        QCOMPARE(cut.collectives, 2);
        QCOMPARE(apart.collectives, 0);
        const double rows = 4096.0 * 2; // two experts a token
        QVERIFY(near(cut.kept - apart.kept, 0.5 * rows * 2048 * 2.0));
        // A shared expert stays cut: the boundary is gathered for it.
        m.experts.shared = 1;
        m.experts.sharedFfn = 5632;
        const LayerOperators shared = layerOperators(m, LayerKind::Mlp, 0, shape);
        QCOMPARE(shared.collectives, 2);
        QVERIFY(near(shared.collected, shared.boundary));
        // Without expert ranks there is nothing to deal out.
        shape.ep = 1;
        const LayerOperators alone = layerOperators(m, LayerKind::Mlp, 0, shape);
        shape.expertTp = 0;
        QVERIFY(near(alone.kept, layerOperators(m, LayerKind::Mlp, 0, shape).kept));
    }

    void latentAttentionExpandsItsLatents() {
        Model m = smallLlama();
        m.kvHeads = m.heads;
        m.headDim = 192;
        m.latent = {1536, 512, 128, 64, 128};
        const double tokens = 1024;
        const double expected =
            2.0 * tokens *
            (2048.0 * (1536 + 512 + 64) + 1536.0 * 16 * 192 + 512.0 * 16 * (128 + 128) + 16.0 * 128 * 2048);
        QVERIFY(near(weightedFlops(layerOperators(m, LayerKind::Attention, 0, whole(1, 1024))), expected));
    }

    // arXiv 2205.05198: s b h (34 + 5 a s / h) bytes a block without recompute, and its tensor-parallel
    // forms.
    void activationsArePublished() {
        RankShape shape = whole(2, 1024);
        shape.fusedAttention = false;
        shape.dropout = true;
        const double sbh = 2.0 * 1024 * 2048, scores = 5.0 * 16 * 1024 / 2048.0;
        const auto kept = [&] {
            return layerOperators(smallGpt(), LayerKind::Attention, 0, shape).kept +
                   layerOperators(smallGpt(), LayerKind::Mlp, 0, shape).kept;
        };
        QVERIFY(near(kept(), sbh * (34.0 + scores)));
        shape.tp = 8;
        QVERIFY(near(kept(), sbh * (10.0 + 24.0 / 8 + scores / 8)));
        shape.sequenceParallel = true;
        QVERIFY(near(kept(), sbh / 8 * (34.0 + scores)));
    }

    // Every weighted product of linear attention is a matrix of the model; the rule itself costs a token the
    // same however long the sequence is.
    void linearAttentionGrowsWithTheSequence() {
        Model m = smallLlama();
        m.others = {{{0, 1, 2}, 0, 0, 0, {}, {8, 16, 128, 64, 4}}};
        const LayerParameters p = layerParameters(m, LayerKind::Attention, 0);
        const double convolution = (2.0 * 8 * 128 + 16 * 64) * 4;
        const LayerOperators layer = layerOperators(m, LayerKind::Attention, 0, whole(2, 1024));
        QVERIFY(near(weightedFlops(layer), 2.0 * 2048 * (static_cast<double>(p.sliced) - convolution)));
        QCOMPARE(p.sliced, 2048 * (2 * 1024 + 2 * 1024 + 2 * 16) + (2 * 1024 + 1024) * 4 + 1024 * 2048);
        QCOMPARE(p.whole, 2048 + 2 * 16 + 64);
        QVERIFY(near(deltaRuleFlops(m.others[0].linear), 2.0 * (3 * 128 * 64 + 64 * (3 * 128 + 2 * 64))));
        const auto rule = [&](double seq) {
            return layerOperators(m, LayerKind::Attention, 0, whole(1, seq)).flops() / seq;
        };
        QVERIFY(near(rule(1024), rule(65536)));
        const auto own = [&](double seq) {
            return layerOperators(m, LayerKind::Attention, 3, whole(1, seq)).flops() / seq;
        };
        QVERIFY(own(65536) > 2.0 * own(1024)); // the model's own attention does not
        // Heads are dealt out; over context-parallel ranks only states go round.
        RankShape shape = whole(1, 4096);
        const LayerOperators alone = layerOperators(m, LayerKind::Attention, 0, shape);
        shape.tp = 4;
        QVERIFY(near(layerOperators(m, LayerKind::Attention, 0, shape).flops(), alone.flops() / 4));
        shape.tp = 1;
        shape.cp = 4;
        QVERIFY(near(layerOperators(m, LayerKind::Attention, 0, shape).exchanged, 3.0 * 16 * 128 * 64 * 4));
        QVERIFY(near(fineLayers(m, 4096)[1].forwardFlops.value, alone.flops() + 2.0 * 4096 * convolution));
    }

    void partsOfAttentionAreParameters() {
        Model m = smallLlama();
        m.headDim = 64;
        m.parts.valueDim = 96;
        m.parts.outputGate = OutputGate::Width;
        m.parts.sinks = true;
        const double tokens = 2.0 * 1024;
        LayerParameters p = layerParameters(m, LayerKind::Attention, 0);
        QVERIFY(near(weightedFlops(layerOperators(m, LayerKind::Attention, 0, whole(2, 1024))),
                     2.0 * tokens * static_cast<double>(p.sliced)));
        QCOMPARE(p.sliced, 2048 * (2 * 16 * 64 + 4 * (64 + 96)) + 16 * 96 * 2048);
        QCOMPARE(p.whole, 2048 + 16);
        m.parts.outputGate = OutputGate::Heads;
        m.parts.keysAreValues = true;
        p = layerParameters(m, LayerKind::Attention, 0);
        QCOMPARE(p.sliced, 2048 * (16 * 64 + 16 + 4 * 64) + 16 * 96 * 2048);
        QVERIFY(near(weightedFlops(layerOperators(m, LayerKind::Attention, 0, whole(2, 1024))),
                     2.0 * tokens * static_cast<double>(p.sliced)));
        // A rank of more than there are key-value heads has a copy of one.
        QVERIFY(near(layerParameters(m, 0, LayerKind::Attention, 8),
                     (2048.0 * (16 * 64 + 16) + 16 * 96 * 2048) / 8 + 2048 * 64 + 2048 + 16));
    }

    // Half the square of a chunk, all that an index chooses and half the square of its own scores.
    void scoresAreOfWhatIsSeen() {
        Model m = smallLlama();
        const auto scores = [&] {
            double sum = 0.0;
            for (const Operator& op : layerOperators(m, LayerKind::Attention, 1, whole(1, 16384)).list)
                sum += op.kind == OperatorKind::Attention ? op.flops : 0.0;
            return sum;
        };
        const double token = 2.0 * 16384 * 16 * (128 + 128);
        QVERIFY(near(scores(), token * 8192));
        m.window = {0, 4096, 0, 0};
        QVERIFY(near(scores(), token * 4096));
        m.chunks = true;
        QVERIFY(near(scores(), token * 2048));
        m.window.clear();
        m.chunks = false;
        m.parts.index = {4, 32, 1024};
        QVERIFY(near(scores(), token * 1024 + 2.0 * 16384 * 4 * 32 * 8192));
        m.parts.index = {0, 0, 1024}; // takes the choice of another block
        QVERIFY(near(scores(), token * 1024));
        m.parts.index.tokens = 100'000; // more than there are
        QVERIFY(near(scores(), token * 8192));
    }

    void everyNormKeepsItsInput() {
        Model m = smallLlama();
        const RankShape shape = whole(1, 1024);
        const double row = 1024.0 * 2048 * 2;
        for (const LayerKind kind : {LayerKind::Attention, LayerKind::Mlp}) {
            m.attentionNorms = m.mlpNorms = 1;
            const LayerOperators one = layerOperators(m, kind, 0, shape);
            m.attentionNorms = m.mlpNorms = 2;
            const LayerOperators two = layerOperators(m, kind, 0, shape);
            QVERIFY(near(two.kept - one.kept, row, 1e-9));
            QVERIFY(near(memoryBytes(two) - memoryBytes(one), 6.0 * row, 1e-9));
            QCOMPARE(layerParameters(m, kind, 0).whole, 2 * 2048);
        }
        m.mlpNorms = 0;
        QCOMPARE(layerParameters(m, LayerKind::Mlp, 0).whole, 0);
    }

    void parallelismDividesTheWork() {
        const RankShape one = whole(1, 4096);
        for (const LayerKind kind : {LayerKind::Attention, LayerKind::Mlp, LayerKind::Head}) {
            const LayerOperators alone = layerOperators(smallLlama(), kind, 0, one);
            RankShape tensor = one;
            tensor.tp = 4;
            QVERIFY(near(layerOperators(smallLlama(), kind, 0, tensor).flops(), alone.flops() / 4));
            RankShape context = one;
            context.cp = 4;
            QVERIFY(near(layerOperators(smallLlama(), kind, 0, context).flops(), alone.flops() / 4));
        }
        RankShape context = one;
        context.cp = 4;
        QVERIFY(near(layerOperators(smallLlama(), LayerKind::Attention, 0, context).exchanged,
                     3.0 * 1024 * 2 * 4 * 128 * 2.0));
    }

    void fusionSavesPassesNotProducts() {
        RankShape shape = whole(1, 2048);
        double last = 1e300;
        for (const Fusion fusion : {Fusion::None, Fusion::Hand, Fusion::Compiler}) {
            shape.fusion = fusion;
            const LayerOperators layer = layerOperators(smallLlama(), LayerKind::Mlp, 0, shape);
            QVERIFY(memoryBytes(layer) < last);
            last = memoryBytes(layer);
            QVERIFY(
                near(layer.flops(), layerOperators(smallLlama(), LayerKind::Mlp, 0, whole(1, 2048)).flops()));
        }
    }
};

QTEST_APPLESS_MAIN(OperatorsTest)
#include "operators_test.moc"
