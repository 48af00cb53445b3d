// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/imports/import_table.h"
#include "tests/test_data.h"

#include <QtTest>
#include <nlohmann/json.hpp>

#include <algorithm>

using namespace pw;

namespace {

Result<Imported> importText(const std::string& text, const std::string& path = "model/config.json") {
    return importerTable()[0].import(text, path, {});
}

std::string llama() {
    return R"({"model_type": "llama", "hidden_size": 4096, "intermediate_size": 14336, "num_hidden_layers": 32,
               "num_attention_heads": 32, "num_key_value_heads": 8, "vocab_size": 128256,
               "max_position_embeddings": 8192, "torch_dtype": "bfloat16"})";
}

std::string deepseek() { // V2
    return R"({"model_type": "deepseek_v2", "hidden_size": 5120, "intermediate_size": 12288,
               "num_hidden_layers": 60, "num_attention_heads": 128, "num_key_value_heads": 128,
               "vocab_size": 102400, "max_position_embeddings": 163840, "q_lora_rank": 1536, "kv_lora_rank": 512,
               "qk_nope_head_dim": 128, "qk_rope_head_dim": 64, "v_head_dim": 128, "n_routed_experts": 160,
               "n_shared_experts": 2, "num_experts_per_tok": 6, "moe_intermediate_size": 1536,
               "first_k_dense_replace": 1, "moe_layer_freq": 1})";
}

std::string changed(const std::string& text, const std::string& patch) {
    Json value = Json::parse(text);
    value.merge_patch(Json::parse(patch));
    return value.dump();
}

std::vector<std::string> placesOf(const Error& e) {
    std::vector<std::string> list = {e.where};
    for (const Error& reason : e.reasons)
        list.push_back(reason.where);
    std::sort(list.begin(), list.end());
    return list;
}

} // namespace

class HfConfigTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void readsWhatNormsAdd() {
        QCOMPARE(std::get<Model>(importText(llama())->what).normEpsilon, 0.0);
        for (const char* key : {"rms_norm_eps", "layer_norm_eps", "layer_norm_epsilon", "norm_eps"}) {
            const auto got = importText(changed(llama(), std::string("{\"") + key + "\": 1e-6}"));
            QVERIFY2(got, got ? "" : got.error().text().c_str());
            QCOMPARE(std::get<Model>(got->what).normEpsilon, 1e-6);
        }
        QVERIFY(!importText(changed(llama(), R"({"rms_norm_eps": 2})")));
    }

    // Kept and said, wherever a release has it; a model without it stays as it was.
    void readsScaledPositions() {
        const auto scaling = [](const std::string& patch) {
            const auto got = importText(changed(llama(), patch));
            if (!got)
                qFatal("%s", got.error().text().c_str());
            RotaryScaling s = std::get<Model>(got->what).rotaryScaling;
            const auto said = std::ranges::find(got->notes, "hf.rope_scaling", &Diagnostic::code);
            if ((said != got->notes.end()) == s.kind.empty() ||
                (said != got->notes.end() && said->message.find(s.kind) == std::string::npos))
                return RotaryScaling{"not said", 0.0, 0, 0.0, 0.0};
            return s;
        };
        // Llama 3.1 as published.
        QCOMPARE(scaling(R"({"rope_scaling": {"factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
                             "original_max_position_embeddings": 8192, "rope_type": "llama3"}})"),
                 (RotaryScaling{"llama3", 8.0, 8192, 1.0, 4.0}));
        QCOMPARE(scaling(R"({"rope_scaling": {"type": "linear", "factor": 2}})"),
                 (RotaryScaling{"linear", 2.0, 0, 0.0, 0.0}));
        QCOMPARE(scaling(R"({"rope_scaling": {"type": "su", "short_factor": [1], "long_factor": [2]},
                             "original_max_position_embeddings": 4096})"),
                 (RotaryScaling{"longrope", 0.0, 4096, 0.0, 0.0}));
        QCOMPARE(scaling(R"({"rope_parameters": {"rope_theta": 1e6, "rope_type": "yarn", "factor": 4.0}})"),
                 (RotaryScaling{"yarn", 4.0, 0, 0.0, 0.0}));
        QCOMPARE(scaling(R"({"rope_parameters": {"sliding_attention": {"rope_type": "default"},
                             "full_attention": {"rope_type": "linear", "factor": 8.0}}})"),
                 (RotaryScaling{"linear", 8.0, 0, 0.0, 0.0}));
        for (const char* none : {R"({"rope_scaling": null})", R"({"rope_scaling": {"type": "mrope"}})",
                                 R"({"rope_parameters": {"rope_type": "default"}})", "{}"})
            QCOMPARE(scaling(none), RotaryScaling{});
        QVERIFY(!importText(changed(llama(), R"({"rope_scaling": {"type": "linear", "factor": "two"}})")));
    }

    void readsLlama() {
        const Result<Imported> got = importText(llama());
        QVERIFY2(got, got ? "" : got.error().text().c_str());
        const Model& m = std::get<Model>(got->what);
        QCOMPARE(m.name, std::string("model"));
        QCOMPARE(m.headDim, 128);
        QCOMPARE(m.dtype, std::string("bfloat16"));
        QVERIFY(!m.tied && m.gatedMlp && m.rmsNorm && m.window.empty());
        QCOMPARE(parameterCount(m), 8'030'261'248);
    }

    void readsOptWithItsProjectionAndWithout() {
        const std::string opt350 =
            R"({"model_type": "opt", "hidden_size": 1024, "num_hidden_layers": 24, "ffn_dim": 4096,
            "num_attention_heads": 16, "word_embed_proj_dim": 512, "max_position_embeddings": 2048,
            "vocab_size": 50272, "do_layer_norm_before": false})";
        QCOMPARE(parameterCount(std::get<Model>(importText(opt350)->what)), 331'196'416);
        const Result<Imported> opt125 = importText(changed(
            opt350,
            R"({"hidden_size": 768, "num_hidden_layers": 12, "num_attention_heads": 12, "ffn_dim": 3072,
                                "word_embed_proj_dim": 768, "do_layer_norm_before": true})"));
        QCOMPARE(std::get<Model>(opt125->what).embedProjection, 0);
        QCOMPARE(parameterCount(std::get<Model>(opt125->what)), 125'239'296);
    }

    void readsInternlmAndMpt() {
        const auto parameters = [](const std::string& text) {
            const Result<Imported> got = importText(text);
            return got ? parameterCount(std::get<Model>(got->what)) : 0;
        };
        const std::string internlm =
            changed(llama(), R"({"model_type": "internlm", "bias": true, "vocab_size": 103168,
                "intermediate_size": 11008, "num_key_value_heads": null})");
        QCOMPARE(parameters(internlm), 7'321'948'160); // InternLM-7B
        QCOMPARE(parameters(changed(llama(), R"({"model_type": "internlm2", "vocab_size": 92544})")),
                 7'737'708'544); // InternLM2-7B
        const std::string mpt =
            R"({"model_type": "mpt", "d_model": 4096, "n_layers": 32, "n_heads": 32, "expansion_ratio": 4,
                "max_seq_len": 2048, "vocab_size": 50432, "no_bias": true, "learned_pos_emb": true,
                "attn_config": {"alibi": true, "qk_ln": false}})";
        QCOMPARE(parameters(mpt), 6'649'286'656); // MPT-7B
        QCOMPARE(parameters(changed(mpt, R"({"attn_config": {"alibi": false}})")),
                 6'649'286'656 + 2048 * 4096);
        QCOMPARE(importText(changed(mpt, R"({"attn_config": {"qk_ln": true}})")).error().where,
                 std::string("model/config.json#/attn_config/qk_ln"));
        QCOMPARE(importText(changed(mpt, R"({"attn_config": {"kv_n_heads": 5}})")).error().where,
                 std::string("model/config.json#/attn_config/kv_n_heads"));
    }

    void readsGemma2() {
        const std::string gemma =
            R"({"model_type": "gemma2", "hidden_size": 3584, "intermediate_size": 14336, "num_hidden_layers": 42,
                "num_attention_heads": 16, "num_key_value_heads": 8, "head_dim": 256, "vocab_size": 256000,
                "max_position_embeddings": 8192, "sliding_window": 4096})";
        const Model m = std::get<Model>(importText(gemma)->what);
        QCOMPARE(parameterCount(m), 9'241'705'984); // Gemma 2 9B
        QVERIFY(m.tied && m.window[0] == 4096 && m.window[1] == 0);
    }

    void namesAModelWhoseFolderEndsInASlash() {
        const Result<Imported> got = importText(changed(llama(), R"({"_name_or_path": "meta/llama-8b/"})"));
        QCOMPARE(std::get<Model>(got->what).name, std::string("llama-8b"));
    }

    void takesTheSizesOfTheClassInsideAWholeOnly() {
        const std::string text = R"({"model_type": "llama", "vocab_size": 32064})";
        const Result<Imported> inside = importText(R"({"model_type": "llava", "text_config": )" + text + "}");
        QVERIFY2(inside, inside ? "" : inside.error().text().c_str());
        QCOMPARE(parameterCount(std::get<Model>(inside->what)), 6'738'415'616 + 2 * 64 * 4096); // Llama 2 7B
        QVERIFY(!importText(text));
    }

    // No size says them: planned all the same, kept as the model's own, and named.
    void namesFormulasThatAreNotTheFamilys() {
        const auto said = [](const std::string& text) {
            const auto got = importText(text);
            if (!got)
                qFatal("%s", got.error().text().c_str());
            QStringList places;
            for (const Diagnostic& note : got->notes)
                if (note.code == "hf.formulas")
                    places << QString::fromStdString(note.where).section(QLatin1Char('/'), -1);
            if (std::get<Model>(got->what).ownFormulas == places.isEmpty())
                qFatal("named and kept are two things");
            return places.join(QLatin1Char(' '));
        };
        const std::string gpt2 = R"({"model_type": "gpt2", "n_layer": 12, "n_embd": 768, "n_head": 12,
            "n_positions": 1024, "vocab_size": 50257, "activation_function": "gelu_new"})";
        const std::string neox = R"({"model_type": "gpt_neox", "num_hidden_layers": 6, "hidden_size": 512,
            "num_attention_heads": 8, "intermediate_size": 2048, "max_position_embeddings": 2048,
            "vocab_size": 50304, "hidden_act": "gelu_fast", "rotary_pct": 0.25, "rotary_emb_base": 20000,
            "use_parallel_residual": true})"; // Pythia 70M, but for its base
        const std::string moe = changed(llama(), R"({"model_type": "qwen3_moe", "num_experts": 128,
            "num_experts_per_tok": 8, "moe_intermediate_size": 768, "norm_topk_prob": true})");
        for (const std::string& usual : {changed(llama(), R"({"hidden_act": "silu"})"), gpt2, neox, moe})
            QCOMPARE(said(usual), QString());
        for (const auto& [base, patch, key] :
             {std::tuple(llama(), R"({"hidden_act": "relu"})", "hidden_act"),
              std::tuple(llama(), R"({"hidden_act": "gelu"})", "hidden_act"),
              std::tuple(gpt2, R"({"activation_function": "relu"})", "activation_function"),
              std::tuple(gpt2, R"({"scale_attn_weights": false})", "scale_attn_weights"),
              std::tuple(gpt2, R"({"scale_attn_by_inverse_layer_idx": true})",
                         "scale_attn_by_inverse_layer_idx"),
              std::tuple(neox, R"({"use_parallel_residual": false})", "use_parallel_residual"),
              std::tuple(neox, R"({"rotary_pct": 1.0})", "rotary_pct"),
              std::tuple(moe, R"({"norm_topk_prob": false})", "norm_topk_prob")})
            QCOMPARE(said(changed(base, patch)), QString::fromLatin1(key));
        QCOMPARE(std::get<Model>(importText(neox)->what).rotaryBase, 20000.0);
    }

    void readsExperts() {
        const std::string moe = changed(llama(), R"({"model_type": "qwen3_moe", "hidden_size": 2048,
            "num_hidden_layers": 48, "num_key_value_heads": 4, "head_dim": 128, "intermediate_size": 6144,
            "vocab_size": 151936, "num_experts": 128, "num_experts_per_tok": 8, "moe_intermediate_size": 768,
            "decoder_sparse_step": 1, "mlp_only_layers": []})");
        Model m = std::get<Model>(importText(moe)->what);
        QCOMPARE(parameterCount(m), 30'532'122'624); // Qwen3-30B-A3B
        QVERIFY(m.experts.denseBlocks.empty() && m.queryKeyNorm);
        m = std::get<Model>(
            importText(changed(moe, R"({"decoder_sparse_step": 3, "mlp_only_layers": [5]})"))->what);
        QCOMPARE(m.experts.denseBlocks.size(), std::size_t{33});
        QVERIFY(hasExperts(m, 2) && !hasExperts(m, 5) && !hasExperts(m, 6) && hasExperts(m, 47));
        const std::string gated = changed(llama(), R"({"model_type": "qwen2_moe", "hidden_size": 2048,
            "num_hidden_layers": 24, "num_attention_heads": 16, "num_key_value_heads": 16,
            "intermediate_size": 5632, "vocab_size": 151936, "num_experts": 60, "num_experts_per_tok": 4,
            "moe_intermediate_size": 1408, "shared_expert_intermediate_size": 5632})");
        QCOMPARE(parameterCount(std::get<Model>(importText(gated)->what)),
                 14'315'784'192); // Qwen1.5-MoE-A2.7B
    }

    void readsLatentAttentionWithItsQueriesAndWithout() {
        Model m = std::get<Model>(importText(deepseek())->what);
        QCOMPARE(parameterCount(m), 235'741'434'880); // DeepSeek-V2
        QCOMPARE(m.experts.denseBlocks, std::vector<std::int64_t>{0});
        QVERIFY(!m.experts.routerBias);
        m = std::get<Model>(
            importText(changed(deepseek(), R"({"model_type": "deepseek_v3", "moe_layer_freq": 2,
            "num_nextn_predict_layers": 1})"))
                ->what);
        QVERIFY(m.experts.routerBias && m.predictionDepth == 1);
        QVERIFY(!hasExperts(m, 0) && !hasExperts(m, 1) && hasExperts(m, 2) && !hasExperts(m, 3));
        Json direct = Json::parse(deepseek());
        direct["q_lora_rank"] = nullptr;
        QCOMPARE(std::get<Model>(importText(direct.dump())->what).latent.queryRank, 0);
        direct.erase("q_lora_rank");
        QCOMPARE(importText(direct.dump()).error().where, std::string("model/config.json#/q_lora_rank"));
    }

    void namesEveryWrongFieldOfExperts_data() {
        QTest::addColumn<QByteArray>("patch");
        QTest::addColumn<QByteArrayList>("fields");
        const auto row = [](const char* patch, const QByteArrayList& fields) {
            QTest::newRow(patch) << QByteArray(patch) << fields;
        };
        row(R"({"num_experts_per_tok": 161})", {"num_experts_per_tok"});
        row(R"({"first_k_dense_replace": 61})", {"first_k_dense_replace"});
        row(R"({"moe_layer_freq": 0, "kv_lora_rank": null})", {"kv_lora_rank", "moe_layer_freq"});
        row(R"({"n_routed_experts": 60000})", {"moe_intermediate_size"});
        row(R"({"n_shared_experts": 60000})", {"n_shared_experts"});
        row(R"({"n_routed_experts": "160"})", {"n_routed_experts"});
        row(R"({"num_hidden_layers": 0})", {"num_hidden_layers"});
        row(R"({"v_head_dim": 4000000})", {"v_head_dim"});
        row(R"({"qk_nope_head_dim": -1})", {"qk_nope_head_dim"});
    }
    void namesEveryWrongFieldOfExperts() {
        QFETCH(QByteArray, patch);
        QFETCH(QByteArrayList, fields);
        const auto got = importText(changed(deepseek(), patch.toStdString().c_str()));
        QVERIFY(!got);
        std::vector<std::string> expected;
        for (const QByteArray& f : fields)
            expected.push_back("model/config.json#/" + f.toStdString());
        QVERIFY2(placesOf(got.error()) == expected, got.error().text().c_str());
    }

    void expandsAttentionTypes() {
        const std::string neo =
            R"({"model_type": "gpt_neo", "hidden_size": 2560, "num_layers": 32, "num_heads": 20,
            "intermediate_size": null, "max_position_embeddings": 2048, "vocab_size": 50257, "window_size": 256,
            "attention_types": [[["global", "local"], 16]]})";
        const Model m = std::get<Model>(importText(neo)->what);
        QCOMPARE(m.window.size(), std::size_t{32});
        QCOMPARE(m.window[0], 0);
        QCOMPARE(m.window[31], 256);
        QCOMPARE(m.ffn, 10240);
        QCOMPARE(parameterCount(m), 2'651'307'520);
        for (const char* wrong : {R"([[["global", "local"], 15]])", R"([[["global", "near"], 16]])",
                                  R"([["global", 32]])", R"([[["global"], 9000000000]])", R"("global")"}) {
            const auto got = importText(changed(neo, std::string(R"({"attention_types": )") + wrong + "}"));
            QVERIFY2(!got, wrong);
            QVERIFY2(got.error().where.find("config.json#/attention_types") != std::string::npos, wrong);
        }
    }

    void descendsIntoTextConfig() {
        const auto got = importText(R"({"model_type": "wrapper", "text_config": )" + llama() + "}");
        QVERIFY(got);
        QCOMPARE(parameterCount(std::get<Model>(got->what)), 8'030'261'248);
        const auto bad = importText(R"({"text_config": )" + changed(llama(), R"({"vocab_size": -1})") + "}");
        QCOMPARE(bad.error().where, std::string("model/config.json#/text_config/vocab_size"));
    }

    void namesEveryWrongField_data() {
        QTest::addColumn<QByteArray>("patch");
        QTest::addColumn<QByteArrayList>("fields");
        const auto row = [](const char* patch, const QByteArrayList& fields) {
            QTest::newRow(patch) << QByteArray(patch) << fields;
        };
        row(R"({"vocab_size": null})", {"vocab_size"});
        row(R"({"hidden_size": 4096.5, "num_hidden_layers": "32", "tie_word_embeddings": "false"})",
            {"hidden_size", "num_hidden_layers", "tie_word_embeddings"});
        row(R"({"num_hidden_layers": -32, "vocab_size": 0})", {"num_hidden_layers", "vocab_size"});
        row(R"({"hidden_size": 18446744073709551616})", {"hidden_size"});
        row(R"({"num_hidden_layers": 2000000000})", {"num_hidden_layers"});
        row(R"({"num_key_value_heads": 5})", {"num_key_value_heads"});
        row(R"({"hidden_size": 4100})", {"num_attention_heads"});
        row(R"({"head_dim": 4000000})", {"head_dim"});
        row(R"({"model_type": "quasar_x"})", {"model_type"});
        row(R"({"intermediate_size": null})", {"intermediate_size"});
    }
    void namesEveryWrongField() {
        QFETCH(QByteArray, patch);
        QFETCH(QByteArrayList, fields);
        const auto got = importText(changed(llama(), patch.toStdString()));
        QVERIFY(!got);
        QCOMPARE(got.error().kind, ErrorKind::BadInput);
        std::vector<std::string> expected;
        for (const QByteArray& f : fields)
            expected.push_back("model/config.json#/" + f.toStdString());
        QVERIFY2(placesOf(got.error()) == expected, got.error().text().c_str());
    }

    void listsTheTypesItKnows() {
        const auto got = importText(changed(llama(), R"({"model_type": "quasar_x"})"));
        for (const char* type : {"quasar_x", "llama", "mixtral", "deepseek_v3", "gpt2", "gpt_neo", "opt"})
            QVERIFY(got.error().message.find(type) != std::string::npos);
    }

    void sampleFiles_data() {
        QTest::addColumn<qint64>("parameters");
        QTest::newRow("hf_llama2_7b") << qint64{6'738'415'616};
        QTest::newRow("hf_llama3_8b") << qint64{8'030'261'248};
        QTest::newRow("hf_llama3_70b") << qint64{70'553'706'496};
        QTest::newRow("hf_mistral_7b") << qint64{7'241'732'096};
        QTest::newRow("hf_qwen2_0.5b") << qint64{494'032'768};
        QTest::newRow("hf_qwen2_7b") << qint64{7'615'616'512};
        QTest::newRow("hf_mixtral_8x7b") << qint64{46'702'792'704};
        QTest::newRow("hf_deepseek_v3") << qint64{671'026'419'200};
        QTest::newRow("hf_gpt_neox_20b") << qint64{20'554'567'680};
        QTest::newRow("hf_gpt2") << qint64{124'439'808};
        QTest::newRow("hf_gpt_neo_2.7b") << qint64{2'651'307'520};
    }
    void sampleFiles() {
        const auto path = test::testData("models/" + std::string(QTest::currentDataTag()) + "_config.json");
        QFETCH(qint64, parameters);
        const Result<Imported> got = importFile(path, "", {});
        QVERIFY2(got, got ? "" : got.error().text().c_str());
        QCOMPARE(got->kind, std::string("hf-config"));
        QCOMPARE(parameterCount(std::get<Model>(got->what)), parameters);
        const Result<Model> model = readModelFile(path);
        QVERIFY(model);
        QVERIFY(*model == std::get<Model>(got->what));
    }

    void badSampleFiles_data() {
        QTest::addColumn<QByteArray>("place"); // how every message's place ends; empty = accepted
        QTest::newRow("hf_config_bom") << QByteArray();
        QTest::newRow("hf_config_truncated") << QByteArray(":11:18");
        QTest::newRow("hf_config_wrong_types") << QByteArray("#/num_hidden_layers");
        QTest::newRow("hf_config_negative") << QByteArray("#/num_hidden_layers");
        QTest::newRow("hf_config_nan") << QByteArray(":7:23");
        QTest::newRow("hf_config_huge") << QByteArray("");
        QTest::newRow("hf_config_duplicate_key") << QByteArray("");
        QTest::newRow("hf_config_unknown_model_type") << QByteArray("#/model_type");
        QTest::newRow("json_deep_nesting") << QByteArray("");
    }
    void badSampleFiles() {
        const std::string name = QTest::currentDataTag();
        const auto path = test::testData("bad/" + name + ".json");
        QFETCH(QByteArray, place);
        const Result<Imported> got = importFile(path, "hf-config", {});
        QCOMPARE(static_cast<bool>(got), name == "hf_config_bom");
        if (got)
            return;
        qInfo("%s", got.error().text().c_str());
        QCOMPARE(got.error().kind, ErrorKind::BadInput);
        QVERIFY(got.error().where.ends_with(place.toStdString()));
        QVERIFY(!got.error().where.empty() && !got.error().message.empty());
    }

    void modelFilesOfBothFormsAreTold() {
        QTemporaryDir dir;
        const std::filesystem::path path = std::filesystem::path(dir.path().toStdString()) / "m.json";
        const Model m = std::get<Model>(importText(llama())->what);
        QFile file(dir.filePath(QStringLiteral("m.json")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(QByteArray::fromStdString(printJson(toJson(m))));
        file.close();
        const Result<Model> own = readModelFile(path);
        QVERIFY2(own, own ? "" : own.error().text().c_str());
        QVERIFY(*own == m);
        QCOMPARE(readModelFile(path.parent_path() / "none.json").error().kind, ErrorKind::BadInput);
        const Error refused = importFile(path, "", {}).error();
        QCOMPARE(refused.code, std::string("import.unrecognised"));
        QCOMPARE(refused.message,
                 std::string("is a model of this program and needs no import: --model takes it"));
        QCOMPARE(importFile(path, "quasar", {}).error().code, std::string("import.kind"));
    }
};

QTEST_APPLESS_MAIN(HfConfigTest)
#include "hf_config_test.moc"
