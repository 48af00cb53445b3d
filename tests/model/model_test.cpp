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

Model mixtral() {
    Model m = llama(32, 4096, 32, 8, 14336, 32000);
    m.experts.count = 8;
    m.experts.perToken = 2;
    m.experts.ffn = 14336;
    return m;
}

Model deepseekV3() {
    Model m = llama(61, 7168, 128, 128, 18432, 129280);
    m.experts = {256, 8, 2048, 1, 2048, false, true, {0, 1, 2}};
    m.latent = {1536, 512, 128, 64, 128};
    m.headDim = 192;
    m.predictionDepth = 1;
    return m;
}

Model deepseekV2Lite() { // queries without a latent
    Model m = llama(27, 2048, 16, 16, 10944, 102400);
    m.experts = {64, 6, 1408, 2, 1408, false, false, {0}};
    m.latent = {0, 512, 128, 64, 128};
    m.headDim = 192;
    return m;
}

// Sum of the products' sizes of one token over a whole model, counted by hand for the two kinds of block.
double deepseekFlopsPerToken(double seq) {
    const double h = 7168, heads = 128;
    const double attention = h * 1536 + 1536 * heads * 192 + h * (512 + 64) + 512 * heads * 256 +
                             heads * 128 * h + seq * heads * (192 + 128);
    const double dense = 3 * h * 18432;
    const double experts = h * 256 + (8 + 1) * 3 * h * 2048;
    return 2 * (61 * attention + 3 * dense + 58 * experts + h * 129280);
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

    void expertsAndLatentAttentionAreCountedAsPublished() {
        QCOMPARE(parameterCount(mixtral()), 46'702'792'704);
        QCOMPARE(activeParameterCount(mixtral()), 12'879'925'248); // "13B active"
        QCOMPARE(parameterCount(deepseekV3()), 671'026'419'200);
        // 37.55 billion active with both vocabulary matrices (the report's 37); the prediction layer's
        // own 11.6.
        QCOMPARE(activeParameterCount(deepseekV3()), 37'552'297'472);
        QCOMPARE(predictionParameterCount(deepseekV3()), 11'610'068'224);
        QCOMPARE(parameterCount(deepseekV2Lite()), 15'706'484'224);
        QCOMPARE(predictionParameterCount(deepseekV2Lite()), 0);
        QCOMPARE(modelNotes(deepseekV3()).size(), std::size_t{1});
        QVERIFY(modelNotes(mixtral()).empty());
        const Model dense = llama(32, 4096, 32, 8, 14336, 128256);
        QCOMPARE(activeParameterCount(dense), parameterCount(dense));
    }

    void normsOfQueriesAndKeysAreCounted() {
        Model m = llama(36, 4096, 32, 8, 12288, 151936); // Qwen3-8B
        m.queryKeyNorm = true;
        QCOMPARE(parameterCount(m), 8'190'735'360);
    }

    void expertsStandWhereTheyAreSaidTo() {
        const Model m = deepseekV3();
        QVERIFY(!hasExperts(m, 0) && !hasExperts(m, 2) && hasExperts(m, 3) && hasExperts(m, 60));
        QVERIFY(hasExperts(mixtral(), 0));
        QVERIFY(!hasExperts(gptNeo27(), 0));
        QCOMPARE(mlpWidths(m), (std::vector<std::int64_t>{2048, 18432}));
        QCOMPARE(mlpWidths(mixtral()), (std::vector<std::int64_t>{14336}));
        Model unused = mixtral();
        unused.ffn = 1000; // the dense width of a model without dense blocks
        QCOMPARE(mlpWidths(unused), (std::vector<std::int64_t>{14336}));
    }

    void ranksShareWhatCanBeCut() {
        const Model m = mixtral();
        const double routed = 8.0 * 3 * 4096 * 14336, whole = 4096.0 * 8 + 4096;
        QCOMPARE(layerParameters(m, 0, LayerKind::Mlp, 1), routed + whole);
        QCOMPARE(layerParameters(m, 0, LayerKind::Mlp, 4, 2), routed / 8 + whole);
        const Model d = deepseekV3();
        const double shared = 3.0 * 7168 * 2048;
        QCOMPARE(layerParameters(d, 9, LayerKind::Mlp, 2, 64),
                 (256 / 64 * shared + shared) / 2 + 7168.0 * 256 + 256 + 7168);
        QCOMPARE(layerParameters(d, 0, LayerKind::Mlp, 2, 64), 3.0 * 7168 * 18432 / 2 + 7168);
        // Whole experts: only the shared one is cut.
        QCOMPARE(layerParameters(d, 9, LayerKind::Mlp, 2, 64, 1),
                 256 / 64 * shared + shared / 2 + 7168.0 * 256 + 256 + 7168);
        QCOMPARE(routedParameters(d, 9, LayerKind::Mlp, 2, 64, 1), 256 / 64 * shared);
        QCOMPARE(routedParameters(d, 9, LayerKind::Mlp, 2, 64), 128 / 64 * shared);
        // Fewer key-value heads than ranks are copied.
        QCOMPARE(layerParameters(m, 0, LayerKind::Attention, 16),
                 4096.0 * 4096 * 2 / 16 + 4096.0 * 2 * 128 + 4096);
        // Every rank holds the latents' down-projections.
        const double down = 7168.0 * (1536 + 512 + 64) + 1536 + 512 + 7168;
        const double heads = (1536.0 * 192 + 512 * 256 + 128 * 7168) * 128;
        QCOMPARE(layerParameters(d, 9, LayerKind::Attention, 8), heads / 8 + down);
    }

    void flopsFollowTheExpertsInUse() {
        double sum = 0;
        for (const FineLayer& l : fineLayers(deepseekV3(), 4096))
            sum += l.forwardFlops.value;
        QVERIFY(std::abs(sum / (4096 * deepseekFlopsPerToken(4096)) - 1) < 1e-12);
        // Few tokens do not read every expert's weights.
        const double few = fineLayers(mixtral(), 2)[2].forwardBytes.value;
        const double some = fineLayers(mixtral(), 4)[2].forwardBytes.value;
        const double many = fineLayers(mixtral(), 8)[2].forwardBytes.value;
        QVERIFY(some > 1.9 * few);
        QVERIFY(many < 1.01 * some);
    }

    void fineLayersAddUpAndAreInOrder() {
        for (const Model& m : {llama(32, 4096, 32, 8, 14336, 128256), gptNeo27(), opt350m(), mixtral(),
                               deepseekV3(), deepseekV2Lite()}) {
            const std::vector<FineLayer> layers = fineLayers(m, 2048);
            QCOMPARE(static_cast<int>(layers.size()), fineLayerCount(m));
            std::int64_t sum = 0, active = 0;
            for (std::size_t i = 0; i < layers.size(); ++i) {
                sum += layers[i].parameters;
                active += layers[i].active;
                QCOMPARE(layers[i].index, static_cast<int>(i));
                QVERIFY(layers[i].forwardBytes.value > 0);
            }
            QCOMPARE(sum, parameterCount(m));
            QCOMPARE(active, activeParameterCount(m));
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
        Model gated = mixtral();
        gated.experts.shared = 1;
        gated.experts.sharedFfn = 20480;
        gated.experts.sharedGate = gated.queryKeyNorm = true;
        Model parts = llama(32, 4096, 32, 8, 14336, 128256);
        parts.parts = {96, OutputGate::Heads, true, true, {4, 64, 1024}};
        parts.others = {{{0, 2}, 64, 16, 128, {0, OutputGate::Width, false, false, {}}, {}},
                        {{1, 31}, 0, 0, 0, {}, {8, 16, 128, 64, 4}}};
        parts.queryKeyNorm = parts.wideQueryKeyNorm = parts.ownFormulas = parts.chunks = true;
        parts.attentionNorms = 2;
        parts.mlpNorms = 0;
        parts.rotaryScaling = {"llama3", 8.0, 8192, 1.0, 4.0};
        QVERIFY(!toJson(gated).contains("rope_scaling")); // files of other models stay as they are
        gated.experts.routerInputScale = gated.experts.bias = true;
        for (const Model& m : {llama(32, 4096, 32, 8, 14336, 128256), gptNeo27(), opt350m(), mixtral(), gated,
                               deepseekV3(), deepseekV2Lite(), parts}) {
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
        QVERIFY(status.error().reasons[0].where == "model.window");
    }

    void badExpertsAndLatentsAreNamed_data() {
        QTest::addColumn<QByteArray>("patch");
        QTest::addColumn<QByteArray>("place");
        const auto row = [](const char* patch, const char* place) {
            QTest::newRow(patch) << QByteArray(patch) << QByteArray(place);
        };
        row(R"({"experts": {"count": 0}})", "experts/count");
        row(R"({"experts": {"per_token": 257}})", "experts/per_token");
        row(R"({"experts": {"per_token": 2.5}})", "experts/per_token");
        row(R"({"experts": {"count": 65536}})", "experts/ffn");
        row(R"({"experts": {"shared": 60000}})", "experts/shared_ffn");
        row(R"({"experts": {"dense_blocks": [0, 61]}})", "experts/dense_blocks/1");
        row(R"({"experts": {"dense_blocks": [0, -1]}})", "experts/dense_blocks/1");
        row(R"({"experts": {"dense_blocks": [2, 1]}})", "experts/dense_blocks");
        row(R"({"experts": 8})", "experts");
        row(R"({"mlp_bias": true})", "mlp_bias");
        row(R"({"latent_attention": {"kv_rank": 0}})", "latent_attention/kv_rank");
        row(R"({"latent_attention": {"value_dim": 4000000}})", "latent_attention/value_dim");
        row(R"({"latent_attention": {"plain_dim": 127}})", "head_dim");
        row(R"({"kv_heads": 64})", "kv_heads");
        row(R"({"query_key_norm": true})", "query_key_norm");
        row(R"({"prediction_depth": -1})", "prediction_depth");
    }
    void badExpertsAndLatentsAreNamed() {
        QFETCH(QByteArray, patch);
        QFETCH(QByteArray, place);
        Json json = toJson(deepseekV3());
        json.merge_patch(Json::parse(patch.toStdString()));
        const Result<Model> m = modelFromJson(JsonReader(json, "m.json"));
        QVERIFY(!m);
        QCOMPARE(m.error().where, "m.json#/" + place.toStdString());
        QVERIFY2(m.error().reasons.empty(), m.error().text().c_str());
    }

    void badAttentionIsNamed_data() {
        QTest::addColumn<QByteArray>("patch");
        QTest::addColumn<QByteArray>("place");
        const auto row = [](const char* patch, const char* place) {
            QTest::newRow(patch) << QByteArray(patch) << QByteArray(place);
        };
        row(R"({"attention": {"output_gate": "wide"}})", "attention/output_gate");
        row(R"({"attention": {"value_dim": 4000000}})", "attention/value_dim");
        row(R"({"attention": {"index": {"heads": 4, "dim": 64}}})", "attention/index/tokens");
        row(R"({"attention": {"index": {"heads": 4, "tokens": 64}}})", "attention/index/dim");
        row(R"({"other_attention": [{"blocks": [0, 32]}]})", "other_attention/0/blocks/1");
        row(R"({"other_attention": [{"blocks": []}]})", "other_attention/0/blocks");
        row(R"({"other_attention": [{"blocks": [3, 2]}]})", "other_attention/0/blocks");
        row(R"({"other_attention": [{"blocks": [1]}, {"blocks": [0, 1]}]})", "other_attention");
        row(R"({"other_attention": [{"blocks": [1], "kv_heads": 5}]})", "other_attention/0/kv_heads");
        row(R"({"other_attention": [{"blocks": [1], "head_dim": 4000000}]})", "other_attention/0/head_dim");
        row(R"({"other_attention": [{"blocks": [1], "linear": {"key_heads": 3, "value_heads": 16, "key_dim": 64,
                "value_dim": 64, "kernel": 4}}]})",
            "other_attention/0/linear/key_heads");
        row(R"({"other_attention": [{"blocks": [1], "linear": {"key_heads": 8, "value_heads": 16, "key_dim": 64,
                "value_dim": 64, "kernel": 65}}]})",
            "other_attention/0/linear/kernel");
        row(R"({"wide_query_key_norm": true})", "wide_query_key_norm");
        row(R"({"attention_norms": 9})", "attention_norms");
        row(R"({"mlp_norms": -1})", "mlp_norms");
    }
    void badAttentionIsNamed() {
        QFETCH(QByteArray, patch);
        QFETCH(QByteArray, place);
        Json json = toJson(llama(32, 4096, 32, 8, 14336, 128256));
        json.merge_patch(Json::parse(patch.toStdString()));
        const Result<Model> m = modelFromJson(JsonReader(json, "m.json"));
        QVERIFY(!m);
        QCOMPARE(m.error().where, "m.json#/" + place.toStdString());
        QVERIFY2(m.error().reasons.empty(), m.error().text().c_str());
    }

    void partsThatLatentsDoNotHaveAreRefused() {
        Json json = toJson(deepseekV3());
        json["attention"] = {{"sinks", true}};
        QVERIFY(!modelFromJson(JsonReader(json, "m.json")));
        json.erase("attention");
        json["other_attention"] = {{{"blocks", {1}}, {"heads", 64}, {"kv_heads", 64}}};
        const Result<Model> heads = modelFromJson(JsonReader(json, "m.json"));
        QCOMPARE(heads.error().where, std::string("m.json#/other_attention/0/heads"));
        json["other_attention"] = {{{"blocks", {1}}, {"index", {{"tokens", 2048}}}}};
        QVERIFY(modelFromJson(JsonReader(json, "m.json")));
    }

    void placesInAFormHaveDots() {
        Model m = deepseekV3();
        m.experts.perToken = 300;
        const Status status = checkModel(m, "model");
        QCOMPARE(status.error().where, std::string("model.experts.per_token"));
    }
};

QTEST_APPLESS_MAIN(ModelTest)
#include "model_test.moc"
