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

Model gpt() {
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

Model llama() {
    Model m = gpt();
    m.family = "llama";
    m.kvHeads = 4;
    m.ffn = 5632;
    m.gatedMlp = m.rmsNorm = true;
    m.learnedPositions = 0;
    m.qkvBias = m.attentionOutBias = m.mlpBias = false;
    return m;
}

Model experts() {
    Model m = llama();
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
        const double block = layerOperators(gpt(), LayerKind::Attention, 0, shape).flops() +
                             layerOperators(gpt(), LayerKind::Mlp, 0, shape).flops();
        QVERIFY(near(block, 24.0 * tokens * h * h + 4.0 * tokens * s * h));
        QVERIFY(near(layerOperators(gpt(), LayerKind::Head, -1, shape).flops(), 2.0 * tokens * h * 50304));
        // A fused kernel skips what the causal mask hides.
        shape.fusedAttention = true;
        const double fused = layerOperators(gpt(), LayerKind::Attention, 0, shape).flops() +
                             layerOperators(gpt(), LayerKind::Mlp, 0, shape).flops();
        QVERIFY(near(fused, 24.0 * tokens * h * h + 2.0 * tokens * s * h));
    }

    // Every weighted product is a matrix of the model, seen by every token.
    void weightedProductsAreTheParameters() {
        for (const Model& m : {gpt(), llama()})
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
    }

    void latentAttentionExpandsItsLatents() {
        Model m = llama();
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
            return layerOperators(gpt(), LayerKind::Attention, 0, shape).kept +
                   layerOperators(gpt(), LayerKind::Mlp, 0, shape).kept;
        };
        QVERIFY(near(kept(), sbh * (34.0 + scores)));
        shape.tp = 8;
        QVERIFY(near(kept(), sbh * (10.0 + 24.0 / 8 + scores / 8)));
        shape.sequenceParallel = true;
        QVERIFY(near(kept(), sbh / 8 * (34.0 + scores)));
    }

    void parallelismDividesTheWork() {
        const RankShape one = whole(1, 4096);
        for (const LayerKind kind : {LayerKind::Attention, LayerKind::Mlp, LayerKind::Head}) {
            const LayerOperators alone = layerOperators(llama(), kind, 0, one);
            RankShape tensor = one;
            tensor.tp = 4;
            QVERIFY(near(layerOperators(llama(), kind, 0, tensor).flops(), alone.flops() / 4));
            RankShape context = one;
            context.cp = 4;
            QVERIFY(near(layerOperators(llama(), kind, 0, context).flops(), alone.flops() / 4));
        }
        RankShape context = one;
        context.cp = 4;
        QVERIFY(near(layerOperators(llama(), LayerKind::Attention, 0, context).exchanged,
                     3.0 * 1024 * 2 * 4 * 128 * 2.0));
    }

    void fusionSavesPassesNotProducts() {
        RankShape shape = whole(1, 2048);
        double last = 1e300;
        for (const Fusion fusion : {Fusion::None, Fusion::Hand, Fusion::Compiler}) {
            shape.fusion = fusion;
            const LayerOperators layer = layerOperators(llama(), LayerKind::Mlp, 0, shape);
            QVERIFY(memoryBytes(layer) < last);
            last = memoryBytes(layer);
            QVERIFY(near(layer.flops(), layerOperators(llama(), LayerKind::Mlp, 0, whole(1, 2048)).flops()));
        }
    }
};

QTEST_APPLESS_MAIN(OperatorsTest)
#include "operators_test.moc"
