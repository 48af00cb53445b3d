// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/file.h"
#include "core/exchange/exports/torchtitan_models.h"
#include "core/exchange/exports/torchtitan_transformers.h"
#include "core/exchange/imports/import_table.h"
#include "tests/exchange/script_run.h"
#include "tests/exchange/target_plans.h"
#include "tests/test_data.h"

#include <nlohmann/json.hpp>

#include <QTest>

#include <map>

using namespace pw;

namespace {

// Published configurations, and what torchtitan calls them.
const std::map<std::string, std::string> kCalled = {
    {"deepseek-ai/DeepSeek-R1", "deepseek_v3 671B"},
    {"deepseek-ai/DeepSeek-V3.1", "deepseek_v3 671B"},
    {"nvidia/DeepSeek-V3-0324-NVFP4", "deepseek_v3 671B"},
    {"Qwen/Qwen3-0.6B", "qwen3 0.6B"},
    {"Qwen/Qwen3-1.7B", "qwen3 1.7B"},
    {"Qwen/Qwen3-4B", "qwen3 4B"},
    {"Qwen/Qwen3-8B", "qwen3 8B"},
    {"Qwen/Qwen3-14B", "qwen3 14B"},
    {"Qwen/Qwen3-32B", "qwen3 32B"},
    {"Qwen/Qwen3-30B-A3B", "qwen3 30B-A3B"},
    {"Qwen/Qwen3-235B-A22B", "qwen3 235B-A22B"},
    {"openai/gpt-oss-20b", "gpt_oss 20b"},
    {"openai/gpt-oss-120b", "gpt_oss 120b"},
};
// Text parts of the same sizes, as the trainer's in everything that a plan depends on.
const std::map<std::string, std::string> kTextParts = {
    {"Qwen/Qwen3-VL-4B-Instruct", "qwen3 4B"},
    {"Qwen/Qwen3-VL-8B-Instruct", "qwen3 8B"},
    {"Qwen/Qwen3-VL-32B-Instruct", "qwen3 32B"},
    {"Qwen/Qwen3-VL-2B-Instruct", "qwen3 1.7B"},
    {"Qwen/Qwen3-VL-30B-A3B-Instruct", "qwen3 30B-A3B"},
    {"Qwen/Qwen3-VL-235B-A22B-Instruct", "qwen3 235B-A22B"},
};

std::map<std::string, Model> publishedModels() {
    std::map<std::string, Model> models;
    const auto text = readFile(test::testData("configurations/2025-26.json"));
    for (const Json& row : Json::parse(text ? *text : "[]"))
        if (const auto got = importerTable()[0].import(row["config"].dump(), "config.json", {}))
            models[row["model"].get<std::string>()] = std::get<Model>(got->what);
    return models;
}

// A plan of 16 GPUs: as many stages as nodes, or one.
TargetPlan planOf(const Model& model, bool staged, int ep) {
    TargetPlan target = planFor("torchtitan");
    target.model = model;
    target.recipe.precision = Precision::Bf16;
    for (Node& n : target.cluster.nodes)
        n.kind = "A100-SXM4-80GB";
    Pipeline& p = target.plan.pipelines[0];
    const int blocks = static_cast<int>(model.blocks);
    p.stages.clear();
    for (int i = 0; i < (staged ? 4 : 1); ++i) {
        const int first = staged ? i * blocks / 4 : 0, next = staged ? (i + 1) * blocks / 4 : blocks;
        p.stages.push_back(blockStage(first, next - 1, blocks, 4 * i, staged ? 4 : 16, 1));
        p.stages.back().zero = 2;
        p.stages.back().ep = ep;
    }
    if (!staged) {
        p.microbatchSize = 16;
        p.microbatches = 8;
        p.schedule.launch = {1};
    }
    return target;
}

ExportResult exportOf(const TargetPlan& target, const char* release) {
    const auto problem = target.problem();
    const auto evaluation = evaluate(*problem, target.plan, {.keepOps = true});
    if (!evaluation) {
        qWarning("%s", evaluation.error().text().c_str());
        return {};
    }
    return makeExport(*exporterRow("torchtitan"), {*problem, {}, target.plan, *evaluation, release});
}

// A model of other sizes than the trainer's, as it was published.
Model publicModel(const char* name) {
    return *readModelFile(std::string(PW_SOURCE_DIR) + "/samples/models/" + name + ".json");
}

// What the stand-in of the trainer has been told by plan.py, or before main by the module that it imports.
Json toldTheTrainer(const ExportResult& made, std::string& errors, const char* release = "main") {
    const bool main = std::string_view(release) == "main";
    const std::string list = std::string("trainers/torchtitan-") + release + ".txt";
    ScriptRun run(made);
    const auto out =
        run.run({QStringLiteral("python3"), QStringLiteral(PW_SOURCE_DIR "/tests/exchange/trainer_stub.py"),
                 main ? QStringLiteral("torchtitan") : QStringLiteral("torchtitan-flavor"),
                 QString::fromStdString(test::testData(list).string()),
                 run.path(main ? QStringLiteral("plan.py") : QStringLiteral("planned_model.py")),
                 QStringLiteral("{}")});
    errors = out.errors;
    return out.code == 0 && !out.lines.empty() ? Json::parse(out.lines.front()) : Json();
}

std::string madeText(const ExportResult& made, const char* name) {
    for (const ExportFile& file : made.files)
        if (file.name == name)
            return file.text;
    return {};
}

Json configOf(const ExportResult& made) {
    const std::string text = madeText(made, "config.json");
    return text.empty() ? Json() : Json::parse(text);
}

std::string refusedFor(const ExportResult& made) {
    std::string all;
    for (const Refusal& refusal : made.refusals)
        all += reasonOf(refusal).text() + "\n";
    return all;
}

} // namespace

// A model is one of the trainer's models to the parameter, or its transformers backend builds it, or it is
// refused.
class TitanModelsTest : public QObject {
    Q_OBJECT

private:
    const std::map<std::string, Model> m_models = publishedModels();

private Q_SLOTS:
    void publishedConfigurationsAreTheTrainers() {
        QVERIFY(m_models.size() > 80);
        for (const auto& [name, model] : m_models) {
            const TitanModel* titan = titanModelOf(model);
            const auto expected = kCalled.find(name);
            const auto part = kTextParts.find(name);
            const std::string called =
                titan == nullptr ? "" : std::string(titan->family) + " " + titan->flavor;
            QVERIFY2(called == (expected != kCalled.end()  ? expected->second
                                : part != kTextParts.end() ? part->second
                                                           : std::string()),
                     (name + " is taken for " + called).c_str());
        }
    }

    void everySizeCounts() {
        for (const auto& [name, called] : kCalled) {
            const Model& model = m_models.at(name);
            for (std::int64_t Model::*size : {&Model::blocks, &Model::hidden, &Model::heads, &Model::vocab,
                                              &Model::headDim, &Model::kvHeads}) {
                Model other = model;
                ++(other.*size);
                QVERIFY2(titanModelOf(other) == nullptr, name.c_str());
            }
            Model other = model;
            other.tied = !other.tied;
            QVERIFY2(titanModelOf(other) == nullptr, name.c_str());
            if (hasExperts(model)) {
                other = model;
                other.experts.perToken *= 2;
                QVERIFY2(titanModelOf(other) == nullptr, name.c_str());
            } else {
                other = model;
                other.ffn += 64;
                QVERIFY2(titanModelOf(other) == nullptr, name.c_str());
            }
        }
    }

    void written_data() {
        QTest::addColumn<QString>("model");
        for (const auto& [name, called] : kCalled)
            QTest::newRow(name.c_str()) << QString::fromStdString(name);
    }
    // Every family, by a stand-in of the trainer that knows its fields, functions and arguments.
    void written() {
        QFETCH(QString, model);
        Model m = m_models.at(model.toStdString());
        m.rotaryBase = 0.0; // one of them was published with two
        for (const bool further : {false, true}) {
            m.predictionDepth = further ? 1 : 0;
            const TargetPlan target = planOf(m, !m.tied && !further, hasExperts(m) ? 4 : 1);
            const ExportResult made = exportOf(target, "main");
            if (further && m.latent.kvRank == 0) {
                QVERIFY(!made.refusals.empty());
                continue;
            }
            QVERIFY2(made.refusals.empty(), refusedFor(made).c_str());
            std::string errors;
            const Json set = toldTheTrainer(made, errors);
            QVERIFY2(set.is_object(), errors.c_str());
            QVERIFY(configOf(made).is_null() && !set.contains("config.hf_model"));
            const TitanModel& titan = *titanModelOf(m);
            QCOMPARE(set["config.model_spec"].get<std::string>(),
                     "model_registry('" + std::string(titan.flavor) + "'" +
                         (further ? ", num_mtp_layers=1)" : ")"));
            QCOMPARE(set.contains("config.loss"), further);
            QCOMPARE(set.contains("config.parallelism.expert_parallel_degree"), hasExperts(m));
            if (hasExperts(m))
                QCOMPARE(set["config.parallelism.expert_parallel_degree"].get<int>(), 4);
        }
    }

    // Of other sizes the model goes to the trainer's transformers backend as a configuration of Hugging Face,
    // which is read back as what was planned.
    void otherSizes_data() {
        QTest::addColumn<QString>("sample");
        QTest::addColumn<QString>("change");
        QTest::addColumn<QString>("type");
        QTest::addColumn<bool>("staged");
        const auto row = [](const char* name, const char* sample, const char* change, const char* type,
                            bool staged) {
            QTest::newRow(name) << QString::fromLatin1(sample) << QString::fromLatin1(change)
                                << QString::fromLatin1(type) << staged;
        };
        row("Llama 2", "llama2-7b", "", "llama", true);
        row("Llama 2 in one stage", "llama2-7b", "", "llama", false);
        row("Llama of another width", "llama3-8b", "ffn", "llama", true);
        row("Qwen2", "llama2-7b", "bias", "qwen2", true);
        row("Qwen3", "llama2-7b", "norm", "qwen3", true);
        row("Mixtral", "mixtral-8x7b", "", "mixtral", false);
        row("YaRN of Llama 3's own size", "llama3-8b", "yarn", "llama", true);
        row("Llama 2, scaled linearly", "llama2-7b", "linear", "llama", true);
        row("Llama 2, scaled as Llama 3.1", "llama2-7b", "llama3", "llama", true);
        row("Qwen3 with experts", "mixtral-8x7b", "norm dense", "qwen3_moe", false);
    }
    void otherSizes() {
        QFETCH(QString, sample);
        QFETCH(QString, change);
        QFETCH(QString, type);
        QFETCH(bool, staged);
        Model m = publicModel(sample.toLatin1().constData());
        m.rotaryScaling = change == QLatin1String("yarn")     ? RotaryScaling{"yarn", 4.0, 8192, 0.0, 0.0}
                          : change == QLatin1String("linear") ? RotaryScaling{"linear", 8.0, 0, 0.0, 0.0}
                          : change == QLatin1String("llama3") ? RotaryScaling{"llama3", 16.0, 4096, 2.0, 8.0}
                                                              : RotaryScaling();
        if (change == QLatin1String("ffn"))
            m.ffn += 128;
        m.qkvBias = change == QLatin1String("bias");
        m.queryKeyNorm = change.startsWith(QLatin1String("norm"));
        if (change.endsWith(QLatin1String("dense")))
            m.experts.denseBlocks = {0, 3};
        QVERIFY(titanModelOf(m) == nullptr);
        QCOMPARE(QString::fromLatin1(transformersFamily(m)), type);
        const ExportResult made = exportOf(planOf(m, staged, hasExperts(m) ? 4 : 1), "main");
        QVERIFY2(made.refusals.empty(), refusedFor(made).c_str());
        QVERIFY(made.notes.empty()); // config.json says how positions are scaled
        std::string errors;
        const Json set = toldTheTrainer(made, errors);
        QVERIFY2(set.is_object(), errors.c_str());
        QCOMPARE(set["config.parallelism.pipeline_parallel_degree"].get<int>(), staged ? 4 : 1);
        QCOMPARE(set.contains("config.parallelism.expert_parallel_degree"), hasExperts(m));
        const Json config = configOf(made);
        QCOMPARE(config["model_type"].get<std::string>(), type.toStdString());
        const auto read = importerTable()[0].import(config.dump(), "config.json", {});
        QVERIFY2(read, read ? "" : read.error().text().c_str());
        Model back = std::get<Model>(read->what);
        QVERIFY(back.positions >= m.positions);
        for (auto text : {&Model::name, &Model::family, &Model::dtype, &Model::source})
            back.*text = m.*text;
        back.positions = m.positions;
        QVERIFY2(back == m, (toJson(back).dump() + "\n" + toJson(m).dump()).c_str());
    }

    // What the backend cannot, by the trainer's own code, and what is not written for it.
    void otherSizesRefused_data() {
        QTest::addColumn<QString>("sample");
        QTest::addColumn<QString>("change");
        QTest::addColumn<QString>("release");
        QTest::addColumn<QString>("why");
        const auto row = [](const char* sample, const char* change, const char* release, const char* why) {
            QTest::addRow("%s %s %s", sample, change, release)
                << QString::fromLatin1(sample) << QString::fromLatin1(change) << QString::fromLatin1(release)
                << QString::fromLatin1(why);
        };
        row("llama2-7b", "tied", "main", "shares the embedding's matrix; outside of its own sizes");
        row("llama2-7b", "window", "main", "attend locally; outside of its own sizes");
        row("llama2-7b", "biases", "main", "biases everywhere; outside of its own sizes");
        row("llama2-7b", "plain tensors", "main", "the trainer always uses both");
        row("llama2-7b", "lone head", "main", "holds no transformer block");
        row("llama2-7b", "context", "main", "deals them out in blocks of 128");
        row("llama2-7b", "longrope", "main", "the export writes linear scaling, Llama 3's and YaRN");
        row("llama2-7b", "", "0.2", "before main the export names");
        row("mixtral-8x7b", "staged", "main", "has none of experts");
        row("mixtral-8x7b", "sliced", "main", "slices none");
        row("mixtral-8x7b", "fp32", "main", "multiplies experts in bf16");
        row("mixtral-8x7b", "shared", "main", "the export writes only");
        row("mixtral-8x7b", "grouped", "main", "the export writes only");
    }
    void otherSizesRefused() {
        QFETCH(QString, sample);
        QFETCH(QString, change);
        QFETCH(QString, release);
        QFETCH(QString, why);
        Model m = publicModel(sample.toLatin1().constData());
        const int blocks = static_cast<int>(m.blocks);
        const bool experts = hasExperts(m);
        if (change == QLatin1String("tied"))
            m.tied = true;
        if (change == QLatin1String("window"))
            m.window.assign(static_cast<std::size_t>(blocks), 512);
        if (change == QLatin1String("biases"))
            m.qkvBias = m.attentionOutBias = m.mlpBias = true;
        if (change == QLatin1String("shared")) {
            m.experts.shared = 1;
            m.experts.sharedFfn = m.experts.ffn;
        }
        if (change == QLatin1String("longrope"))
            m.rotaryScaling = {"longrope", 32.0, 4096, 0.0, 0.0};
        if (change == QLatin1String("grouped"))
            m.experts.groups = 4;
        TargetPlan target = planOf(m, !experts || change == QLatin1String("staged"), experts ? 4 : 1);
        Pipeline& p = target.plan.pipelines[0];
        if (change == QLatin1String("plain tensors"))
            for (int i = 0; i < 4; ++i) {
                Stage& s = p.stages[static_cast<std::size_t>(i)];
                s = blockStage(i * blocks / 4, (i + 1) * blocks / 4 - 1, blocks, 4 * i, 2, 2);
                s.zero = 2;
                s.sequenceParallel = false;
            }
        if (change == QLatin1String("lone head")) {
            const int last = fineLayerCount(m) - 1;
            p.stages[2].chunks[0].last = last - 1;
            p.stages[3].chunks[0] = {last, last};
        }
        if (change == QLatin1String("context"))
            for (int i = 0; i < 4; ++i) {
                Stage& s = p.stages[static_cast<std::size_t>(i)];
                s = blockStage(i * blocks / 4, (i + 1) * blocks / 4 - 1, blocks, 4 * i, 2, 1);
                s.zero = 2;
                s.cp = 2;
                target.recipe.seq = 2048 + 32;
            }
        if (change == QLatin1String("sliced")) {
            p.stages = {blockStage(0, blocks - 1, blocks, 0, 8, 2)};
            p.stages[0].zero = p.stages[0].ep = 2;
        }
        if (change == QLatin1String("fp32"))
            target.recipe.precision = Precision::Fp32;
        std::vector<Refusal> refusals =
            exportRefusals(*exporterRow("torchtitan"), *target.problem(), target.plan, release.toStdString());
        std::string all;
        for (const Refusal& refusal : refusals)
            all += reasonOf(refusal).text() + "\n";
        QVERIFY2(all.find(why.toStdString()) != std::string::npos, all.c_str());
    }

    // A flavor by name is the model only with its rotary positions and norms: what it has otherwise is set.
    void positionsAreTheModels_data() {
        QTest::addColumn<QString>("model");
        QTest::addColumn<QString>("kind");
        QTest::addColumn<double>("factor");
        QTest::addColumn<double>("epsilon");
        QTest::addColumn<QString>("release");
        QTest::addColumn<QString>("told");
        const auto row = [](const char* model, const char* kind, double factor, double epsilon,
                            const char* release, const char* told) {
            QTest::addRow("%s %s %g, %g, %s", model, kind, factor, epsilon, release)
                << QString::fromLatin1(model) << QString::fromLatin1(kind) << factor << epsilon
                << QString::fromLatin1(release) << QString::fromLatin1(told);
        };
        row("llama", "", 0.0, 1e-5, "main", R"({"RoPE.scaling": "none"})");
        row("llama", "llama3", 8.0, 1e-5, "main", "{}");
        row("llama", "llama3", 8.0, 1e-6, "main", R"({"RMSNorm.eps": 1e-6})");
        row("llama", "llama3", 32.0, 0.0, "main",
            R"({"RoPE.scaling": "llama", "RoPE.scaling_factor": 32, "RoPE.low_freq_factor": 1,
                "RoPE.high_freq_factor": 4, "RoPE.original_max_position_embeddings": 8192})");
        row("deepseek", "", 0.0, 1e-6, "main", R"({"RoPE.scaling": "none", "RMSNorm.eps": 1e-6})");
        row("deepseek", "yarn", 40.0, 0.0, "main", "{}");
        row("deepseek", "yarn", 16.0, 0.0, "main",
            R"({"RoPE.scaling": "yarn", "RoPE.rope_factor": 16, "RoPE.original_seq_len": 4096})");
        row("qwen", "", 0.0, 1e-6, "main", "{}");
        row("llama", "", 0.0, 1e-5, "0.2",
            R"({"llama3_args.rope_scaling_args.scaling_factor": 1,
                "llama3_args.rope_scaling_args.low_freq_factor": 1,
                "llama3_args.rope_scaling_args.high_freq_factor": 4,
                "llama3_args.rope_scaling_args.original_max_position_embeddings": 8192})");
        row("llama", "llama3", 8.0, 0.0, "0.2", "{}");
        row("deepseek", "", 0.0, 1e-6, "0.2",
            R"({"deepseekv3_args.rope_factor": 1, "deepseekv3_args.original_seq_len": 4096,
                "deepseekv3_args.norm_eps": 1e-6})");
        row("deepseek", "yarn", 40.0, 0.0, "0.2", "{}");
        row("qwen", "", 0.0, 1e-5, "0.2", R"({"qwen3_args.norm_eps": 1e-5})");
        row("llama", "", 0.0, 0.0, "0.1", "{}");
        row("llama", "", 0.0, 1e-6, "0.1", R"({"llama3_configs.norm_eps": 1e-6})");
    }
    void positionsAreTheModels() {
        QFETCH(QString, model);
        QFETCH(QString, kind);
        QFETCH(double, factor);
        QFETCH(double, epsilon);
        QFETCH(QString, release);
        QFETCH(QString, told);
        Model m = model == QLatin1String("llama")  ? publicModel("llama3-8b")
                  : model == QLatin1String("qwen") ? m_models.at("Qwen/Qwen3-32B")
                                                   : m_models.at("deepseek-ai/DeepSeek-V3.1");
        m.predictionDepth = 0;
        m.rotaryScaling = {kind.toStdString(), factor, 0, 0.0, 0.0};
        m.normEpsilon = epsilon;
        TargetPlan target = planOf(m, true, hasExperts(m) ? 4 : 1);
        target.recipe.seq = 8192; // 0.2 scales DeepSeek's longer sequences alone
        const ExportResult made = exportOf(target, release.toLatin1().constData());
        QVERIFY2(made.refusals.empty(), refusedFor(made).c_str());
        QVERIFY(made.notes.empty());
        const Json expected = Json::parse(told.toStdString());
        if (release != QLatin1String("main")) {
            const bool imports =
                madeText(made, "train.toml").find("custom_import = \"planned_model\"\n") != std::string::npos;
            QCOMPARE(imports, !expected.empty());
            QCOMPARE(madeText(made, "planned_model.py").empty(), expected.empty());
            QCOMPARE(madeText(made, "train.sh").find("PYTHONPATH=\"$here:") != std::string::npos, imports);
            if (expected.empty())
                return;
        }
        std::string errors;
        Json set = toldTheTrainer(made, errors, release.toLatin1().constData());
        QVERIFY2(set.is_object(), errors.c_str());
        for (auto it = set.begin(); it != set.end();)
            it = it.key().starts_with("config.") ? set.erase(it) : std::next(it);
        QVERIFY2(set == expected, set.dump().c_str());
    }

    void refused() {
        const auto why = [&](const TargetPlan& target, const char* release) {
            return refusedFor(exportOf(target, release));
        };
        const auto has = [](const std::string& text, const char* part) {
            return text.find(part) != std::string::npos;
        };
        const Model tied = m_models.at("Qwen/Qwen3-1.7B"), experts = m_models.at("Qwen/Qwen3-30B-A3B");
        Model deepseek = m_models.at("deepseek-ai/DeepSeek-V3.1");
        QCOMPARE(deepseek.predictionDepth, 1);
        QVERIFY(has(why(planOf(tied, true, 1), "main"), "shares the embedding's matrix"));
        QVERIFY(has(why(planOf(deepseek, true, 4), "main"), "predict further tokens"));
        QVERIFY(has(why(planOf(deepseek, false, 4), "0.2"), "predict further tokens"));
        deepseek.predictionDepth = 0;
        QVERIFY(why(planOf(deepseek, true, 4), "main").empty());
        TargetPlan scaled = planOf(deepseek, true, 4);
        QVERIFY(has(why(scaled, "0.2"), "does so in sequences of more than 4096 tokens alone"));
        scaled.recipe.seq = 8192;
        QVERIFY(why(scaled, "0.2").empty());
        scaled.model.rotaryScaling.kind = "linear";
        QVERIFY(has(why(scaled, "main"), "(linear); the trainer's model of these sizes cannot be told so"));
        Model llama = publicModel("llama3-8b");
        llama.rotaryScaling = {"yarn", 4.0, 8192, 0.0, 0.0};
        QVERIFY(has(why(planOf(llama, true, 1), "0.2"), "(yarn); the trainer's model of these sizes cannot"));
        llama.rotaryScaling = {"llama3", 8.0, 8192, 1.0, 4.0};
        QVERIFY(has(why(planOf(llama, true, 1), "0.1"), "(llama3); before 0.2 the trainer scales none"));
        QVERIFY(has(why(planOf(deepseek, true, 4), "0.1"), "written for torchtitan main and 0.2 only"));
        QVERIFY(has(why(planOf(m_models.at("openai/gpt-oss-20b"), true, 4), "0.2"),
                    "written for torchtitan main only"));
        QVERIFY(has(why(planOf(m_models.at("Qwen/Qwen3-235B-A22B"), true, 4), "main"), "rotary base"));
        TargetPlan sliced = planOf(experts, true, 2);
        const int blocks = static_cast<int>(experts.blocks);
        for (int i = 0; i < 4; ++i) {
            Stage& s = sliced.plan.pipelines[0].stages[static_cast<std::size_t>(i)];
            s = blockStage(i * blocks / 4, (i + 1) * blocks / 4 - 1, blocks, 4 * i, 2, 2);
            s.zero = 2;
            s.ep = 2;
        }
        QVERIFY(has(why(sliced, "main"), "slices none"));
        const ExportResult both = exportOf(sliced, "0.2");
        QVERIFY2(both.refusals.empty(), refusedFor(both).c_str());
        QVERIFY(has(both.files.front().text, "expert_tensor_parallel_degree = 2"));
        // Whole ones over tensor-parallel ranks, too: main has nothing else, 0.2 is told.
        TargetPlan folded = sliced;
        for (Stage& s : folded.plan.pipelines[0].stages)
            s.ep = 4;
        const ExportResult onMain = exportOf(folded, "main"), before = exportOf(folded, "0.2");
        QVERIFY2(onMain.refusals.empty() && before.refusals.empty(),
                 (refusedFor(onMain) + refusedFor(before)).c_str());
        QVERIFY(!has(onMain.files.front().text, "expert_tensor_parallel_degree"));
        QVERIFY(has(before.files.front().text, "expert_tensor_parallel_degree = 1"));
        TargetPlan shared =
            folded; // ep 4 over two replicas whose two ranks share a sequence each: ep 2 is none
        for (Stage& s : shared.plan.pipelines[0].stages) {
            s.tp = 1;
            s.cp = 2;
        }
        QVERIFY2(why(shared, "main").empty() && why(shared, "0.2").empty(),
                 (why(shared, "main") + why(shared, "0.2")).c_str());
        for (Stage& s : shared.plan.pipelines[0].stages) {
            s.cp = 4;
            s.ep = 2;
            s.replicas = {{s.replicas[0].devices, 1.0}};
            s.replicas[0].devices = {s.replicas[0].devices[0], s.replicas[0].devices[0] + 1,
                                     s.replicas[0].devices[0] + 2, s.replicas[0].devices[0] + 3};
        }
        QVERIFY2(has(why(shared, "0.2"), "over all 4 ranks"), why(shared, "0.2").c_str());
        TargetPlan wide = planOf(experts, true, 4);
        wide.recipe.precision = Precision::Fp32;
        QVERIFY(has(why(wide, "main"), "multiplies experts in bf16"));
        TargetPlan longer = planOf(experts, true, 4);
        longer.recipe.seq = 65'536;
        QVERIFY(has(why(longer, "main"), "positions end at 40960"));
    }
};

QTEST_APPLESS_MAIN(TitanModelsTest)
#include "titan_models_test.moc"
