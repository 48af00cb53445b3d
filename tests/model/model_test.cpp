// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/model.h"

#include <QtTest>
#include <nlohmann/json.hpp>

using namespace pw;

namespace {

Model llama(std::int64_t blocks, std::int64_t hidden, std::int64_t heads, std::int64_t kvHeads,
            std::int64_t ffn, std::int64_t vocab) {
    Model m;
    m.name = "llama";
    m.family = "llama";
    m.blocks = blocks;
    m.hidden = hidden;
    m.heads = heads;
    m.kvHeads = kvHeads;
    m.headDim = hidden / heads;
    m.ffn = ffn;
    m.vocab = vocab;
    m.positions = 8192;
    m.gatedMlp = true;
    m.rmsNorm = true;
    return m;
}

Model gpt(std::int64_t blocks, std::int64_t hidden, std::int64_t heads, std::int64_t vocab,
          std::int64_t positions) {
    Model m = llama(blocks, hidden, heads, heads, 4 * hidden, vocab);
    m.name = m.family = "gpt2";
    m.positions = m.learnedPositions = positions;
    m.gatedMlp = m.rmsNorm = false;
    m.tied = m.qkvBias = m.attentionOutBias = m.mlpBias = true;
    return m;
}

Model gptNeo27() {
    Model m = gpt(32, 2560, 20, 50257, 2048);
    m.qkvBias = false;
    for (int block = 0; block < 32; ++block)
        m.window.push_back(block % 2 == 0 ? 0 : 256);
    return m;
}

Model opt350m() {
    Model m = gpt(24, 1024, 16, 50272, 2048);
    m.learnedPositions = 2050;
    m.embedProjection = 512;
    m.finalNorm = false;
    return m;
}

} // namespace

class ModelTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void parametersEqualThePublishedCounts() {
        QCOMPARE(parameterCount(llama(32, 4096, 32, 32, 11008, 32000)), 6'738'415'616);  // Llama-2-7B
        QCOMPARE(parameterCount(llama(32, 4096, 32, 8, 14336, 128256)), 8'030'261'248);  // Llama-3-8B
        QCOMPARE(parameterCount(llama(80, 8192, 64, 8, 28672, 128256)), 70'553'706'496); // Llama-3-70B
        QCOMPARE(parameterCount(llama(32, 4096, 32, 8, 14336, 32000)), 7'241'732'096);   // Mistral-7B
        QCOMPARE(parameterCount(gpt(12, 768, 12, 50257, 1024)), 124'439'808);            // GPT-2
        QCOMPARE(parameterCount(gptNeo27()), 2'651'307'520);
        QCOMPARE(parameterCount(opt350m()), 331'196'416);
    }

    void aBiasOnQkvAloneAndATiedHeadAreData() {
        Model qwen = llama(24, 896, 14, 2, 4864, 151936); // Qwen2-0.5B
        qwen.tied = qwen.qkvBias = true;
        QCOMPARE(parameterCount(qwen), 494'032'768);
        qwen = llama(28, 3584, 28, 4, 18944, 152064); // Qwen2-7B
        qwen.qkvBias = true;
        QCOMPARE(parameterCount(qwen), 7'615'616'512);
    }

    void fineLayersAddUpAndAreInOrder() {
        for (const Model& m : {llama(32, 4096, 32, 8, 14336, 128256), gptNeo27(), opt350m()}) {
            const std::vector<FineLayer> layers = fineLayers(m, 2048);
            QCOMPARE(static_cast<int>(layers.size()), fineLayerCount(m));
            std::int64_t sum = 0;
            for (std::size_t i = 0; i < layers.size(); ++i) {
                sum += layers[i].parameters;
                QCOMPARE(layers[i].index, static_cast<int>(i));
                QVERIFY(layers[i].forwardBytes.value > 0);
            }
            QCOMPARE(sum, parameterCount(m));
            QCOMPARE(layers.front().kind, LayerKind::Embedding);
            QCOMPARE(layers[1].kind, LayerKind::Attention);
            QCOMPARE(layers[2].kind, LayerKind::Mlp);
            QCOMPARE(layers[2].block, 0);
            QCOMPARE(layers.back().kind, LayerKind::Head);
            QCOMPARE(layers.back().block, -1);
            QCOMPARE(layers[1].outputBytes.value, 2.0 * 2048 * static_cast<double>(m.hidden));
            QCOMPARE(layers.back().outputBytes.value, 0.0);
        }
    }

    // Published form for GPT (SC'21, doi:10.1145/3458817.3476209, eq. 3): a forward pass takes
    // 24 B s l h^2 (1 + s / 6h + V / 12 l h) floating-point operations.
    void flopsAgreeWithThePublishedFormula() {
        const Model m = gpt(24, 2048, 16, 51200, 2048);
        double sum = 0;
        for (const FineLayer& l : fineLayers(m, 2048))
            sum += l.forwardFlops.value;
        const double s = 2048, h = 2048, depth = 24, v = 51200;
        const double published = 24 * s * depth * h * h * (1 + s / (6 * h) + v / (12 * depth * h));
        QVERIFY(std::abs(sum / published - 1) < 1e-12);
    }

    void localAttentionSeesOnlyItsWindow() {
        const std::vector<FineLayer> layers = fineLayers(gptNeo27(), 2048);
        QCOMPARE(layers[1].forwardFlops.value - layers[3].forwardFlops.value,
                 4.0 * 2048 * (2048 - 256) * 2560);
        const std::vector<FineLayer> brief = fineLayers(gptNeo27(), 128);
        QCOMPARE(brief[1].forwardFlops.value, brief[3].forwardFlops.value);
    }

    void comesBackFromItsOwnFileUnchanged() {
        for (const Model& m : {llama(32, 4096, 32, 8, 14336, 128256), gptNeo27(), opt350m()}) {
            const Json json = toJson(m);
            const Result<Model> again = modelFromJson(JsonReader(json, "m.json"));
            QVERIFY2(again, again ? "" : again.error().text().c_str());
            QVERIFY(*again == m);
        }
    }

    void badFieldsAreAllNamed() {
        Json json = toJson(llama(32, 4096, 32, 8, 14336, 128256));
        json["hidden"] = 4096.5;
        json["blocks"] = "32";
        json["vocab"] = 0;
        const Result<Model> m = modelFromJson(JsonReader(json, "m.json"));
        QVERIFY(!m);
        QCOMPARE(m.error().where, std::string("m.json#/blocks"));
        QCOMPARE(m.error().reasons.size(), std::size_t{2});

        Model wrong = llama(32, 4096, 32, 5, 14336, 128256);
        wrong.window = {0, 256};
        const Status status = checkModel(wrong, "model");
        QVERIFY(!status);
        QCOMPARE(status.error().where, std::string("model.kv_heads"));
        QCOMPARE(status.error().reasons.size(), std::size_t{1});
        QVERIFY(status.error().reasons[0].find("model.window") == 0);
    }
};

QTEST_APPLESS_MAIN(ModelTest)
#include "model_test.moc"
