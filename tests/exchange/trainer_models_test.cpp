// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/file.h"
#include "core/exchange/exports/export.h"
#include "tests/exchange/exported_file.h"
#include "tests/exchange/made_files.h"
#include "tests/exchange/script_run.h"
#include "tests/exchange/target_plans.h"

#include <nlohmann/json.hpp>

#include <QTest>

#include <algorithm>
#include <functional>
#include <tuple>

using namespace pw;

// What a trainer that knows few models makes of its files is the model that was planned.
class TrainerModelsTest : public QObject {
    Q_OBJECT

private slots:
    // LlamaConfig swallows names that it does not know, and its Trainer leaves out positions and groups: what
    // comes out of both is the model that was asked for, on every GPU, whatever the order in which nodes come
    // in.
    void hetuBuildsTheModel_data() {
        QTest::addColumn<int>("model");
        QTest::addColumn<bool>("turned");
        for (int model = 0; model < 5; ++model)
            for (const bool turned : {false, true})
                QTest::addRow("model %d%s", model, turned ? ", last node first" : "") << model << turned;
    }
    void hetuBuildsTheModel() {
        QFETCH(int, model);
        QFETCH(bool, turned);
        const MadeFiles one = filesMade("hetu", {}, {"", hetuModels()[static_cast<std::size_t>(model)]});
        QVERIFY(one.result.refusals.empty());
        const Model& m = one.problem->model();
        const Json nodes = Json::parse(fileOf(one.result, "settings.json"))["nodes"];
        Json devices = Json::array();
        std::vector<std::string> hosts;
        for (std::size_t n = 0; n < nodes.size(); ++n) {
            const Json& node = nodes[turned ? nodes.size() - 1 - n : n];
            for (std::size_t g = 0; g < node["gpus"].size(); ++g) {
                devices.push_back(Json::array({node["name"], g}));
                hosts.push_back(node["name"].get<std::string>());
            }
        }
        QVERIFY(hosts.size() >= 12);
        for (const std::size_t rank : {std::size_t(0), hosts.size() / 2, hosts.size() - 1}) {
            std::string errors;
            const Json built = runHetu(one, devices, static_cast<int>(rank), hosts[rank], errors);
            QVERIFY2(built.is_object(), errors.c_str());
            QVERIFY(built["vocab_size"] == m.vocab && built["hidden_size"] == m.hidden);
            QVERIFY(built["intermediate_size"] == m.ffn && built["num_hidden_layers"] == m.blocks);
            QVERIFY(built["num_attention_heads"] == m.heads && built["num_key_value_heads"] == m.kvHeads);
            QVERIFY(built["head_dim"] == m.headDim && built["rms_norm_eps"] == m.normEpsilon);
            QVERIFY(built["attention_bias"] == m.qkvBias && built["mlp_bias"] == m.mlpBias);
            QVERIFY(built["positions"] == one.problem->recipe().seq);
            QVERIFY(built["groups"] == Json::parse(model == 3 ? "[0,0,1,1,2,2,3,3]" : "[0,1]"));
        }
    }

    // A process on a node that the plan does not have, or a plan whose GPU nobody came for, is said.
    void hetuSaysWhoIsMissing() {
        const MadeFiles one = filesMade("hetu", {}, {"as it is", [](TargetPlan&) {}});
        Json devices = Json::array();
        for (int g = 0; g < 16; ++g)
            devices.push_back(Json::array({"n1", g}));
        std::string errors;
        QVERIFY(!runHetu(one, devices, 0, "n9", errors).is_object());
        QVERIFY2(errors.find("HETU_LOCAL_HOSTNAME is n9") != std::string::npos, errors.c_str());
        QVERIFY(!runHetu(one, devices, 0, "n1", errors).is_object());
        QVERIFY2(errors.find("no process is on n2 GPU 0") != std::string::npos, errors.c_str());
    }

    // Its launcher gets the folder's program with the arguments as they were given.
    void hetuIsStarted() {
        ScriptRun run(filesMade("hetu", {}, {"as it is", [](TargetPlan&) {}}).result);
        run.fake(QStringLiteral("python3"));
        run.place(QStringLiteral("environment.sh"), "export HETU=here\n");
        const auto out =
            run.run({QStringLiteral("bash"), run.path(QStringLiteral("train.sh")), QStringLiteral("--data"),
                     QStringLiteral("two words.json")},
                    {{QStringLiteral("HETU_ENVIRONMENT"), run.path(QStringLiteral("bin/environment.sh"))},
                     {QStringLiteral("HETU_SERVER"), QStringLiteral("n0")}});
        QVERIFY2(out.code == 0, out.errors.c_str());
        const auto holds = [&](const std::string& word) {
            return std::find(out.lines.begin(), out.lines.end(), word) != out.lines.end();
        };
        QVERIFY(holds("hetu.rpc.pssh_start") && holds("hosts.yaml") && holds("16"));
        QCOMPARE(out.lines.back(), std::string("python3 -u train.py --server n0 --port 23457 '--data' "
                                               "'two words.json'"));
    }

    // What its arguments, params.json and flash-attn 2.4.2 make of --model_size and --overwrite_config: heads
    // of the size, as many key-value heads, an MLP of 8/3 of the width.
    void hexiscaleBuildsTheModel() {
        for (const auto& [heads, hidden, ffn, name] :
             {std::tuple{32, 4096, 11008, "llama-7b"}, std::tuple{40, 5120, 13696, "llama-13b"},
              std::tuple{52, 6656, 17792, "llama-30b"}, std::tuple{64, 8192, 21888, "llama-70b"},
              std::tuple{40, 2560, 6912, "llama-13b"}}) {
            const int width = hidden, columns = ffn, own = heads;
            const MadeFiles one = filesMade("hexiscale", {}, {"", [&](TargetPlan& t) {
                                                                  t.model.heads = t.model.kvHeads = own;
                                                                  t.model.hidden = width;
                                                                  t.model.headDim = width / own;
                                                                  t.model.ffn = columns;
                                                                  t.model.vocab = 50000;
                                                              }});
            QVERIFY2(one.result.refusals.empty(), name);
            const std::string script = fileOf(one.result, "train.sh");
            for (const std::string& line :
                 {std::string("--model_size ") + name, std::string("--overwrite_config 1"),
                  "--hidden_size " + std::to_string(width), "--num_attention_heads " + std::to_string(own),
                  std::string("--num_hidden_layers 32"), std::string("--total-layer-num 32"),
                  std::string("--vocab_size 50000")})
                QVERIFY2(script.find("    " + line + "\n") != std::string::npos, line.c_str());
        }
    }

    // Llama 2's own 13B and 70B are other models there.
    void hexiscaleRefusesOtherModels_data() {
        QTest::addColumn<int>("heads");
        QTest::addColumn<int>("keys");
        QTest::addColumn<int>("hidden");
        QTest::addColumn<int>("ffn");
        QTest::addColumn<QString>("reason");
        QTest::newRow("13B") << 40 << 40 << 5120 << 13824 << QStringLiteral("makes 13696");
        QTest::newRow("30B") << 52 << 52 << 6656 << 17920 << QStringLiteral("makes 17792");
        QTest::newRow("70B, MLP") << 64 << 64 << 8192 << 28672 << QStringLiteral("makes 21888");
        QTest::newRow("70B, heads") << 64 << 8 << 8192 << 21888 << QStringLiteral("shared by groups");
        QTest::newRow("48 heads") << 48 << 48 << 6144 << 16384 << QStringLiteral("48 attention heads");
    }
    void hexiscaleRefusesOtherModels() {
        QFETCH(int, heads);
        QFETCH(int, keys);
        QFETCH(int, hidden);
        QFETCH(int, ffn);
        QFETCH(QString, reason);
        const MadeFiles one = filesMade("hexiscale", {}, {"", [&](TargetPlan& t) {
                                                              t.model.heads = heads;
                                                              t.model.kvHeads = keys;
                                                              t.model.hidden = hidden;
                                                              t.model.headDim = hidden / heads;
                                                              t.model.ffn = ffn;
                                                          }});
        QCOMPARE(one.result.refusals.size(), std::size_t(1));
        const std::string said = reasonOf(one.result.refusals.front()).message;
        QVERIFY2(said.find(reason.toStdString()) != std::string::npos, said.c_str());
    }

    // What no flag of its changes and does not change the shape of the work is said.
    void hexiscaleWarns() {
        const MadeFiles one = filesMade("hexiscale", {}, {"", [](TargetPlan& t) {
                                                              t.model.rotaryBase = 0.0;
                                                              t.model.normEpsilon = 1e-5;
                                                          }});
        for (const char* code :
             {"export.rotary_base", "export.norm_epsilon", "export.learned_positions", "export.residual"})
            QVERIFY2(std::ranges::count(one.result.notes, code, &Diagnostic::code) == 1, code);
        const MadeFiles other =
            filesMade("hexiscale", {}, {"", [](TargetPlan& t) { t.model.normEpsilon = 1e-6; }});
        for (const char* code : {"export.norm_epsilon", "export.batch_weights"})
            QVERIFY2(std::ranges::count(other.result.notes, code, &Diagnostic::code) == 0, code);
        const MadeFiles uneven =
            filesMade("hexiscale", {}, {"", [](TargetPlan& t) {
                                            std::vector<Pipeline>& p = t.plan.pipelines;
                                            p.push_back(p[0]);
                                            for (std::size_t i = 0; i < 2; ++i) {
                                                p[i].microbatchSize = 2;
                                                p[i].microbatches = i == 0 ? 24 : 40;
                                                p[i].share = i == 0 ? 0.375 : 0.625;
                                                p[i].schedule.launch.clear();
                                                for (Stage& s : p[i].stages) {
                                                    s.replicas = {Replica(s.replicas[i])};
                                                    s.replicas[0].share = 1.0;
                                                }
                                            }
                                        }});
        QVERIFY(uneven.result.refusals.empty());
        QVERIFY(std::ranges::count(uneven.result.notes, "export.batch_weights", &Diagnostic::code) == 1);
    }

private:
    // Sizes that LlamaConfig's defaults are not: 13 billion parameters of Llama 2, grouped heads and another
    // vocabulary, wide heads with biases; and eight pipelines, two of which hold a sequence.
    static const std::vector<std::function<void(TargetPlan&)>>& hetuModels() {
        static const std::vector<std::function<void(TargetPlan&)>> list = {
            [](TargetPlan& t) {
                t.model.hidden = 5120;
                t.model.heads = t.model.kvHeads = 40;
                t.model.ffn = 13824;
            },
            [](TargetPlan& t) {
                t.model.kvHeads = 8;
                t.model.ffn = 14336;
                t.model.vocab = 128256;
                t.model.normEpsilon = 1e-6;
            },
            [](TargetPlan& t) {
                t.model.headDim = 64;
                t.model.qkvBias = t.model.attentionOutBias = t.model.mlpBias = true;
            },
            [](TargetPlan& t) {
                t.plan.pipelines[0].stages = {blockStage(0, 15, 32, 0, 4, 2),
                                              blockStage(16, 31, 32, 8, 4, 2)};
                for (Stage& s : t.plan.pipelines[0].stages) {
                    s.tp = 1;
                    s.cp = 2;
                    s.sequenceParallel = false;
                }
                t.plan.pipelines[0].schedule.launch = {2, 1};
            },
            [](TargetPlan& t) { t.model.qkvBias = t.model.attentionOutBias = true; }};
        return list;
    }

    // The folder's program as a process of that rank, with the package that stands for Hetu's.
    static Json runHetu(const MadeFiles& one, const Json& devices, int rank, const std::string& host,
                        std::string& errors) {
        MadeFiles with = one;
        with.result.files.push_back({"hetu.py", *readFile(PW_SOURCE_DIR "/tests/exchange/hetu_stub.py")});
        ScriptRun run(with.result);
        const auto out = run.run({QStringLiteral("python3"), run.path(QStringLiteral("train.py")),
                                  QStringLiteral("--data"), QStringLiteral("texts.json"),
                                  QStringLiteral("--tokenizer"), QStringLiteral("folder")},
                                 {{QStringLiteral("STUB_DEVICES"), QString::fromStdString(devices.dump())},
                                  {QStringLiteral("STUB_RANK"), QString::number(rank)},
                                  {QStringLiteral("HETU_LOCAL_HOSTNAME"), QString::fromStdString(host)}});
        errors = out.errors;
        return out.code == 0 && !out.lines.empty() ? Json::parse(out.lines.back()) : Json();
    }
};

QTEST_GUILESS_MAIN(TrainerModelsTest)
#include "trainer_models_test.moc"
