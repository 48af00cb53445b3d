// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/imports/import_table.h"
#include "core/exchange/imports/models/hf_family.h"
#include "tests/test_data.h"

#include <QtTest>
#include <nlohmann/json.hpp>

#include <fstream>
#include <set>
#include <sstream>

using namespace pw;

namespace {

// Configurations of models published in 2025 and 2026, each with its source and the parameters that
// hf_parameters.py counts module by module (oracle_test holds the file to that), or with the place at which
// it is refused.
const Json& published() {
    static const Json rows = [] {
        std::ifstream file(test::testData("configurations/2025-26.json"));
        std::stringstream text;
        text << file.rdbuf();
        return Json::parse(text.str());
    }();
    return rows;
}

Result<Imported> read(const Json& config) {
    return importerTable()[0].import(config.dump(), "model/config.json", {});
}

Model modelOf(const Json& config) {
    const Result<Imported> got = read(config);
    if (!got)
        qWarning("%s", got.error().text().c_str());
    return got ? std::get<Model>(got->what) : Model{};
}

Json named(const std::string& model) {
    for (const Json& row : published())
        if (row["model"] == model)
            return row["config"];
    return {};
}

std::string typeOf(const Json& config) {
    return modelOf(config).family;
}

} // namespace

class HfModelsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void configurations_data() {
        QTest::addColumn<int>("row");
        const Json& rows = published();
        for (std::size_t k = 0; k < rows.size(); ++k)
            QTest::newRow(rows[k]["model"].get<std::string>().c_str()) << static_cast<int>(k);
    }
    // To the parameter, or refused where the table says: never read with another count.
    void configurations() {
        QFETCH(int, row);
        const Json& rows = published();
        const Json& said = rows[static_cast<std::size_t>(row)];
        const Result<Imported> got = read(said["config"]);
        if (said["parameters"].is_null()) {
            QVERIFY(!got);
            QCOMPARE(got.error().kind, ErrorKind::BadInput);
            std::vector<std::string> places = {got.error().where};
            for (const Error& reason : got.error().reasons)
                places.push_back(reason.where);
            const std::string place = "model/config.json#" + said["refused_at"].get<std::string>();
            QVERIFY2(std::ranges::find(places, place) != places.end(), got.error().text().c_str());
            return;
        }
        QVERIFY2(got, got ? "" : got.error().text().c_str());
        const Model& m = std::get<Model>(got->what);
        // Routers' balancing numbers are buffers in transformers and counted here, as the hub does.
        QCOMPARE(parameterCount(m),
                 said["parameters"].get<std::int64_t>() + said["buffers"].get<std::int64_t>());
        // What was read is written, and read again as it was.
        const Json own = toJson(m);
        const Result<Model> again = modelFromJson(JsonReader(own, "m.json"));
        QVERIFY2(again, again ? "" : again.error().text().c_str());
        QVERIFY(*again == m);
        // Fine layers add up to the model.
        std::int64_t sum = 0;
        for (const FineLayer& layer : fineLayers(m, 4096)) {
            sum += layer.parameters;
            QVERIFY(layer.forwardFlops.value >= 0.0 && layer.active <= layer.parameters);
        }
        QCOMPARE(sum, parameterCount(m));
    }

    void atLeastSixtyAreExact() {
        int all = 0, exact = 0;
        std::set<std::string> types;
        for (const Json& row : published()) {
            if (row["source"].get<std::string>().starts_with("recalled"))
                continue; // tested above, but nobody has seen the file
            ++all;
            const Result<Imported> got = read(row["config"]);
            if (!got || row["parameters"].is_null())
                continue;
            exact += parameterCount(std::get<Model>(got->what)) ==
                     row["parameters"].get<std::int64_t>() + row["buffers"].get<std::int64_t>();
            types.insert(std::get<Model>(got->what).family);
        }
        qInfo("%d of %d configurations of %zu types are read to the parameter", exact, all, types.size());
        QVERIFY(all >= 75 && exact >= 60 && types.size() >= 30);
    }

    // A row of the table that no configuration shows is not believed.
    void everyTypeOfTheTableIsShown() {
        std::set<std::string> shown = {
            "llama",          "mistral",     "mixtral",     "internlm", "internlm2",
            "qwen2_moe",      "deepseek_v2", "deepseek_v3", "gpt2",     "gpt_neo",
            "gpt_neox",       "opt",         "mpt",         "gemma2", // hf_config_test
            "qwen2_5_vl_text"};                                       // writesOfReleaseFiveAreReadAlike
        for (const Json& row : published())
            if (!row["parameters"].is_null())
                shown.insert(typeOf(row["config"]));
        for (const HfFamily& family : hfFamilies())
            QVERIFY2(shown.contains(family.type), family.type);
    }

    void writesOfReleaseFiveAreReadAlike() {
        // Release 5 writes positions as rope_parameters, dtype, and for this type num_local_experts.
        Json config = named("Qwen/Qwen3-30B-A3B");
        const Model before = modelOf(config);
        config["num_local_experts"] = config["num_experts"];
        config.erase("num_experts");
        config["dtype"] = config["torch_dtype"];
        config.erase("torch_dtype");
        config["rope_parameters"] = {{"rope_theta", config["rope_theta"]}, {"rope_type", "default"}};
        config.erase("rope_theta");
        QVERIFY(modelOf(config) == before);
        // The language model is a part of the whole.
        const Json flat = named("Qwen/Qwen2.5-VL-7B-Instruct");
        Json text = flat;
        text["model_type"] = "qwen2_5_vl_text";
        Model whole =
            modelOf({{"model_type", "qwen2_5_vl"}, {"torch_dtype", "bfloat16"}, {"text_config", text}});
        whole.family = "qwen2_5_vl";
        QVERIFY(whole == modelOf(flat));
        // And the kinds of MLP as a list.
        Json glm = named("zai-org/GLM-4.5-Air");
        const Model air = modelOf(glm);
        glm.erase("first_k_dense_replace");
        glm["mlp_layer_types"] = Json::array({"dense"});
        for (int k = 1; k < 46; ++k)
            glm["mlp_layer_types"].push_back("sparse");
        QVERIFY(modelOf(glm) == air);
    }

    void windowsFollowLayerTypesElseTheClass() {
        Json config = named("openai/gpt-oss-20b");
        const Model listed = modelOf(config);
        QCOMPARE(listed.window[0], 128);
        QCOMPARE(listed.window[1], 0);
        config.erase("layer_types");
        QVERIFY(modelOf(config) == listed);
        config = named("google/gemma-3-27b-it"); // what differs from its class alone
        const Model gemma = modelOf(config);
        QCOMPARE(gemma.window.size(), std::size_t{62});
        for (int b = 0; b < 62; ++b)
            QCOMPARE(windowOf(gemma, b), (b + 1) % 6 == 0 ? 0 : 1024);
        const Model chunks = modelOf(named("meta-llama/Llama-4-Scout-17B-16E-Instruct"));
        QVERIFY(chunks.chunks);
        QCOMPARE(chunks.window[2], 8192);
        QCOMPARE(chunks.window[3], 0);
        config = named("Qwen/QwQ-32B");
        QVERIFY(modelOf(config).window.empty());
        config["use_sliding_window"] = true;
        config["max_window_layers"] = 48;
        const Model windows = modelOf(config);
        QCOMPARE(windows.window[47], 0);
        QCOMPARE(windows.window[48], 32768);
    }

    void blocksHaveAttentionOfTheirOwn() {
        const Model next = modelOf(named("Qwen/Qwen3-Next-80B-A3B-Thinking"));
        QCOMPARE(next.others.size(), std::size_t{1});
        QCOMPARE(otherAttention(next, 2), 0);
        QCOMPARE(otherAttention(next, 3), -1);
        QCOMPARE(attentionForm(next, 2).linear.valueHeads, 32);
        QVERIFY(attentionForm(next, 3).parts.outputGate == OutputGate::Width);
        QCOMPARE(attentionKinds(next), (std::vector<int>{0, 3}));
        const Model mimo = modelOf(named("XiaomiMiMo/MiMo-V2-Flash"));
        QVERIFY(attentionForm(mimo, 1).parts.sinks && !attentionForm(mimo, 0).parts.sinks);
        QCOMPARE(attentionForm(mimo, 1).kvHeads, 8);
        QCOMPARE(attentionForm(mimo, 0).valueDim, 128);
        const Model glm = modelOf(named("zai-org/GLM-5.2"));
        QCOMPARE(attentionForm(glm, 0).parts.index.heads, 32);
        QCOMPARE(attentionForm(glm, 3).parts.index.heads, 0);
        QCOMPARE(attentionForm(glm, 3).parts.index.tokens, 2048);
        QVERIFY(attentionForm(glm, 3).latent);
        const Model gemma = modelOf(named("google/gemma-4-26B-A4B"));
        QVERIFY(attentionForm(gemma, 5).parts.keysAreValues);
        QCOMPARE(attentionForm(gemma, 5).headDim, 512);
        QCOMPARE(attentionForm(gemma, 4).headDim, 256);
        const Model maverick = modelOf(named("meta-llama/Llama-4-Maverick-17B-128E-Instruct"));
        QVERIFY(!hasExperts(maverick, 0) && hasExperts(maverick, 1) && !hasExperts(maverick, 46));
    }

    // What the hub states of checkpoints that hold these layers; two of them with copies of embedding and
    // head.
    void furtherTokensAreCounted() {
        const auto all = [](const char* name, int copies) {
            const Model m = modelOf(named(name));
            return m.predictionDepth == 1
                       ? parameterCount(m) + predictionParameterCount(m) + copies * m.vocab * m.hidden
                       : 0;
        };
        QCOMPARE(all("zai-org/GLM-4.5", 2), 358'337'791'296);
        QCOMPARE(all("zai-org/GLM-4.5-Air", 2), 110'468'824'832);
        QCOMPARE(all("XiaomiMiMo/MiMo-7B-Base", 0), 7'833'409'536);
        QCOMPARE(modelOf(named("Qwen/Qwen3.5-27B")).predictionDepth, 1);
    }

    void refusals_data() {
        QTest::addColumn<QByteArray>("model");
        QTest::addColumn<QByteArray>("patch");
        QTest::addColumn<QByteArray>("place");
        QTest::addColumn<QByteArray>("word");
        const auto row = [](const char* model, const char* patch, const char* place, const char* word) {
            QTest::newRow(patch) << QByteArray(model) << QByteArray(patch) << QByteArray(place)
                                 << QByteArray(word);
        };
        row("openai/gpt-oss-20b", R"({"layer_types": ["full_attention"]})", "layer_types", "24 layers");
        row("Qwen/Qwen3-8B", R"({"model_type": "mamba2"})", "model_type", "Mamba");
        row("Qwen/Qwen3-8B", R"({"model_type": "t5"})", "model_type", "encoder");
        row("Qwen/Qwen3-Next-80B-A3B-Thinking", R"({"attn_output_gate": false})", "attn_output_gate", "gate");
        row("Qwen/Qwen3-Next-80B-A3B-Thinking", R"({"linear_num_value_heads": 0})", "linear_num_value_heads",
            "");
        row("poolside/Laguna-S-2.1-FP8", R"({"num_attention_heads_per_layer": [48, 72]})",
            "num_attention_heads_per_layer", "48 layers");
        row("poolside/Laguna-XS.2-FP8", R"({"mlp_layer_types": [1]})", "mlp_layer_types/0", "name");
        row("XiaomiMiMo/MiMo-V2-Flash", R"({"moe_layer_freq": [0, 7]})", "moe_layer_freq/1", "0 to 1");
        row("tencent/Hunyuan-A13B-Instruct", R"({"moe_topk": [8, 4]})", "moe_topk", "layer to layer");
        row("MiniMaxAI/MiniMax-M2.5", R"({"qk_norm_type": "per_head"})", "qk_norm_type", "per_layer");
        row("MiniMaxAI/MiniMax-M3", R"({"sparse_attention_config": {"sparse_topk_blocks": 0}})",
            "sparse_attention_config/sparse_topk_blocks", "");
        row("zai-org/GLM-5", R"({"index_topk": -1})", "index_topk", "");
    }
    void refusals() {
        QFETCH(QByteArray, model);
        QFETCH(QByteArray, patch);
        QFETCH(QByteArray, place);
        QFETCH(QByteArray, word);
        Json config = named(model.toStdString());
        config.merge_patch(Json::parse(patch.toStdString()));
        const Result<Imported> got = read(config);
        QVERIFY(!got);
        QCOMPARE(got.error().where, "model/config.json#/" + place.toStdString());
        QVERIFY2(got.error().text().find(word.toStdString()) != std::string::npos,
                 got.error().text().c_str());
    }

    void partsOfAMultimodalFileAreNamed() {
        Json config = named("google/gemma-3-4b-it");
        config["text_config"]["vocab_size"] = -1;
        QCOMPARE(read(config).error().where, std::string("model/config.json#/text_config/vocab_size"));
        config = named("google/gemma-3-4b-it");
        config["text_config"].erase("model_type"); // then that of the whole
        QCOMPARE(typeOf(config), std::string("gemma3_text"));
    }

    void whatIsOwnToAModelIsSaid() {
        QVERIFY(modelOf(named("google/gemma-3-1b-it")).ownFormulas);
        QVERIFY(
            modelOf(named("microsoft/Phi-4-mini-instruct")).ownFormulas); // positions turn a part of a head
        QVERIFY(!modelOf(named("microsoft/phi-4-reasoning")).ownFormulas);
        QVERIFY(!modelOf(named("Qwen/Qwen3-8B")).ownFormulas);
        const Result<Imported> next = read(named("Qwen/Qwen3-Next-80B-A3B-Thinking"));
        QVERIFY(
            std::ranges::any_of(next->notes, [](const Diagnostic& d) { return d.code == "model.linear"; }));
        const Result<Imported> sparse = read(named("deepseek-ai/DeepSeek-V3.2"));
        QVERIFY(
            std::ranges::any_of(sparse->notes, [](const Diagnostic& d) { return d.code == "model.sparse"; }));
    }
};

QTEST_APPLESS_MAIN(HfModelsTest)
#include "hf_models_test.moc"
