// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/file.h"
#include "core/exchange/imports/import_table.h"
#include "core/profile/reach.h"
#include "tests/schemas/schema_validator.h"
#include "tests/skip.h"

#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>
#include <fmt/format.h>

#include <map>

using namespace pw;

// The profiler that users run: what it wrote imports as it is, follows the schema, and answers a plan.
class ProfilerTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void recordedOutputImportsAsItIs_data() {
        QTest::addColumn<int>("tp");
        QTest::newRow("one process") << 1;
        QTest::newRow("two processes") << 2;
    }
    void recordedOutputImportsAsItIs() {
        QFETCH(int, tp);
        const std::filesystem::path path =
            fmt::format("{}/samples/profiler/recorded-cpu-tp{}.json", PW_SOURCE_DIR, tp);
        const auto imported = importFile(path, {}, {});
        QVERIFY2(imported, imported ? "" : imported.error().text().c_str());
        const auto& rows = std::get<std::vector<ProfileRow>>(imported->what);
        QCOMPARE(rows.size(), std::size_t{18}); // 4 blocks, embedding and head at three micro-batches
        for (const ProfileRow& row : rows) {
            QVERIFY(row.forward.value > 0.0 && row.backward.value > 0.0 && row.update.value > 0.0);
            QVERIFY(row.confidence > 0.0 && !row.software.empty() && !row.date.empty());
            QCOMPARE(row.kind, std::string("CPU")); // and no GPU is claimed
        }
        const auto reach = reachOf(rows);
        QCOMPARE(reach.size(), std::size_t{1});
        QCOMPARE(reach.front().layers, 6);
        QCOMPARE(reach.front().tp, tp);
        QCOMPARE(reach.front().microbatches, (std::vector<int>{1, 2, 4}));
        const ProfileTable table(rows);
        QCOMPARE(table.find("CPU", 3, tp, 3, Precision::Fp32, 64)->provenance, Provenance::Interpolated);

        const Result<Json> document = parseJson(*readFile(path), "recorded");
        const auto schema = [](const std::string& name) -> const Json& {
            static std::map<std::string, Json> read;
            return read
                .try_emplace(
                    name,
                    *parseJson(*readFile(std::filesystem::path(PW_SOURCE_DIR "/resources/schemas") / name),
                               name))
                .first->second;
        };
        for (const Json& row : (*document)["rows"])
            QVERIFY(SchemaValidator(schema).validate(row, "profile.schema.json").empty());
    }

    // A block of the profiler has as many parameters as the model's, so that what is timed is what is
    // planned. Biases of a router are no layer's.
    void blocksHaveTheModelsParameters_data() {
        QTest::addColumn<QString>("config");
        QTest::newRow("mixtral") << QStringLiteral(
            R"({"model_type":"mixtral","hidden_size":64,"num_hidden_layers":2,"num_attention_heads":4,"num_key_value_heads":2,"intermediate_size":128,"vocab_size":96,"hidden_act":"silu","rms_norm_eps":1e-6,"num_local_experts":4,"num_experts_per_tok":2,"max_position_embeddings":64})");
        QTest::newRow("deepseek_v3") << QStringLiteral(
            R"({"model_type":"deepseek_v3","hidden_size":64,"num_hidden_layers":3,"num_attention_heads":4,"num_key_value_heads":4,"intermediate_size":128,"vocab_size":96,"hidden_act":"silu","rms_norm_eps":1e-6,"n_routed_experts":8,"num_experts_per_tok":2,"n_shared_experts":1,"moe_intermediate_size":32,"first_k_dense_replace":1,"moe_layer_freq":1,"n_group":1,"topk_group":1,"scoring_func":"sigmoid","kv_lora_rank":16,"q_lora_rank":24,"qk_nope_head_dim":16,"qk_rope_head_dim":8,"v_head_dim":16,"max_position_embeddings":64})");
        QTest::newRow("qwen3, wide heads") << QStringLiteral(
            R"({"model_type":"qwen3","hidden_size":64,"num_hidden_layers":2,"num_attention_heads":4,"num_key_value_heads":2,"head_dim":32,"intermediate_size":128,"vocab_size":96,"hidden_act":"silu","rms_norm_eps":1e-6,"max_position_embeddings":64,"use_sliding_window":false,"sliding_window":16})");
        QTest::newRow("gpt2") << QStringLiteral(
            R"({"model_type":"gpt2","n_embd":64,"n_layer":2,"n_head":4,"n_positions":64,"vocab_size":96,"activation_function":"gelu_new"})");
        QTest::newRow("gpt_neox") << QStringLiteral(
            R"({"model_type":"gpt_neox","hidden_size":64,"num_hidden_layers":2,"num_attention_heads":4,"intermediate_size":256,"vocab_size":96,"hidden_act":"gelu","rotary_pct":0.25,"max_position_embeddings":64})");
        QTest::newRow("opt") << QStringLiteral(
            R"({"model_type":"opt","hidden_size":64,"num_hidden_layers":2,"num_attention_heads":4,"ffn_dim":256,"vocab_size":96,"activation_function":"relu","max_position_embeddings":64})");
        QTest::newRow("qwen2_moe, shared experts with a gate") << QStringLiteral(
            R"({"model_type":"qwen2_moe","hidden_size":64,"num_hidden_layers":3,"num_attention_heads":4,"num_key_value_heads":4,"intermediate_size":128,"vocab_size":96,"hidden_act":"silu","rms_norm_eps":1e-6,"num_experts":4,"num_experts_per_tok":2,"moe_intermediate_size":32,"shared_expert_intermediate_size":48,"decoder_sparse_step":1,"mlp_only_layers":[1],"max_position_embeddings":64})");
    }
    void blocksHaveTheModelsParameters() {
        QFETCH(QString, config);
        QTemporaryDir dir;
        const QString path = dir.filePath(QStringLiteral("config.json")),
                      out = dir.filePath(QStringLiteral("o"));
        QVERIFY(writeFileAtomically(path.toStdString(), config.toStdString()));
        const auto model = readModelFile(path.toStdString());
        QVERIFY2(model, model ? "" : model.error().text().c_str());
        QProcess python; // Debian's, which has Debian's PyTorch
        python.start(QStringLiteral("/usr/bin/python3"),
                     {QStringLiteral("-c"), QStringLiteral(R"py(
import sys
try:
    import torch
except ImportError:
    sys.exit(77)
sys.path.insert(0, sys.argv[1])
import model_config, timed_layers
from functions import TensorRanks
timed = model_config.of_config("m", sys.argv[2], 16)
for block in range(timed.shape.blocks):
    layer = timed_layers.timed_layer(timed, [2 * block + 1, 2 * block + 2], 1, TensorRanks(), torch.float32,
                                     torch.device("cpu"))
    print(sum(weight.value.numel() for weight in layer.alone.context.weights.values()))
    layer.passes(layer.alone.states(8, 1), layer.alone.ids(8, 1))
    assert sum(float(bucket.flat.abs().sum()) > 0.0 for bucket in layer.buckets) == 2
    layer.update()
)py"),
                      QStringLiteral(PW_SOURCE_DIR "/samples/profiler"), path});
        if (!python.waitForStarted())
            PW_SKIP("torch", "python3 is not installed");
        QVERIFY(python.waitForFinished(120000));
        if (python.exitCode() == 77)
            PW_SKIP("torch", "PyTorch is not installed");
        QVERIFY2(python.exitCode() == 0, python.readAllStandardError().constData());
        const QList<QByteArray> counts = python.readAllStandardOutput().trimmed().split('\n');
        QCOMPARE(counts.size(), static_cast<qsizetype>(model->blocks));
        for (int b = 0; b < counts.size(); ++b) {
            std::int64_t planned = 0;
            for (const LayerKind kind : {LayerKind::Attention, LayerKind::Mlp})
                planned += layerParameters(*model, kind, b).total();
            if (model->experts.routerBias && hasExperts(*model, b))
                planned -= model->experts.count;
            QCOMPARE(counts[b].toLongLong(), static_cast<qlonglong>(planned));
        }
    }

    void refusesWhatItCannotMeasure() {
        QTemporaryDir dir;
        const QString path = dir.filePath(QStringLiteral("config.json"));
        QVERIFY(writeFileAtomically(
            path.toStdString(),
            R"({"model_type":"qwen2","hidden_size":64,"num_hidden_layers":2,"num_attention_heads":4,"intermediate_size":64,"vocab_size":96,"sliding_window":8})"));
        QProcess python;
        python.start(QStringLiteral("/usr/bin/python3"),
                     {QStringLiteral("-c"), QStringLiteral("import torch")});
        if (!python.waitForStarted() || !python.waitForFinished(60000) || python.exitCode() != 0)
            PW_SKIP("torch", "PyTorch is not installed");
        python.start(QStringLiteral("/usr/bin/python3"),
                     {QStringLiteral(PW_SOURCE_DIR "/samples/profiler/profile_layers.py"),
                      QStringLiteral("--model"), QStringLiteral("m"), QStringLiteral("--config"), path,
                      QStringLiteral("--seq"), QStringLiteral("16"), QStringLiteral("--out"),
                      dir.filePath(QStringLiteral("out.json"))});
        QVERIFY(python.waitForFinished(60000));
        QCOMPARE(python.exitCode(), 3);
        QVERIFY(python.readAllStandardError().contains("windows of attention"));
        QVERIFY(!QFile::exists(dir.filePath(QStringLiteral("out.json"))));
    }

    void theScriptIsPython() {
        QProcess python;
        python.start(QStringLiteral("python3"),
                     {QStringLiteral("-c"),
                      QStringLiteral("import ast, sys; ast.parse(open(sys.argv[1]).read())"),
                      QStringLiteral(PW_SOURCE_DIR "/samples/profiler/profile_layers.py")});
        if (!python.waitForStarted())
            PW_SKIP("python3", "python3 is not installed");
        QVERIFY(python.waitForFinished(60000));
        QCOMPARE(python.exitCode(), 0);
    }
};

QTEST_APPLESS_MAIN(ProfilerTest)
#include "profiler_test.moc"
