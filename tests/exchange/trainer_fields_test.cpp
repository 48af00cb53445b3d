// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/file.h"
#include "core/base/text.h"
#include "core/exchange/imports/import_table.h"
#include "tests/exchange/script_run.h"
#include "tests/exchange/target_plans.h"
#include "tests/test_data.h"

#include <nlohmann/json.hpp>

#include <QRegularExpression>
#include <QTest>

#include <algorithm>
#include <functional>
#include <set>

using namespace pw;

namespace {

using Names = std::set<std::string>;

// Lines of tests/data/trainers: what exists in the release that files are written for.
Names listed(const std::string& name) {
    const auto text = readFile(test::testData("trainers/" + name));
    Names names;
    for (const TextLine& line : linesOf(text ? std::string_view(*text) : std::string_view()))
        if (!line.text.empty() && line.text.front() != '#')
            names.insert(std::string(line.text));
    return names;
}

// Of megatron.txt, the flags of one release: "qk-layernorm 0.12-0.19".
Names megatronFlags(const std::string& release) {
    Names flags;
    for (const std::string& line : listed("megatron.txt")) {
        const std::size_t blank = line.find(' ');
        for (const std::string_view part : partsOf(std::string_view(line).substr(blank + 1), ',')) {
            const std::size_t dash = part.find('-');
            const std::string_view last = dash == std::string_view::npos ? part : part.substr(dash + 1);
            if (part.substr(0, dash) <= release && release <= last)
                flags.insert(line.substr(0, blank));
        }
    }
    return flags;
}

std::string textOf(const ExportResult& made, const std::string& name) {
    for (const ExportFile& file : made.files)
        if (file.name == name)
            return file.text;
    return {};
}

// All that begins with "--" in the arrays of a script.
Names flagsOf(const std::string& script) {
    Names flags;
    static const QRegularExpression flag(QStringLiteral("^    --([\\w-]+)"),
                                         QRegularExpression::MultilineOption);
    auto found = flag.globalMatch(QString::fromStdString(script));
    while (found.hasNext())
        flags.insert(found.next().captured(1).toStdString());
    return flags;
}

// Leaves of a train YAML, as the runner makes flags of them.
Names yamlFlags(const std::string& yaml) {
    Names flags;
    static const QRegularExpression key(QStringLiteral("(?:^\\s+|[{,]\\s*)(\\w+): (?!\\{)\\S"),
                                        QRegularExpression::MultilineOption);
    auto found = key.globalMatch(QString::fromStdString(yaml));
    while (found.hasNext())
        flags.insert(found.next().captured(1).replace(QLatin1Char('_'), QLatin1Char('-')).toStdString());
    return flags;
}

// Shapes of plan and model that make exporters write all that they can.
struct Variant {
    const char* name;
    std::function<void(TargetPlan&)> edit;
};

void onAmpere(TargetPlan& t) {
    for (Node& n : t.cluster.nodes)
        n.kind = "A100-SXM4-80GB";
}

const std::vector<Variant>& variants() {
    static const std::vector<Variant> list = {
        {"as it is", [](TargetPlan&) {}},
        {"bf16",
         [](TargetPlan& t) {
             onAmpere(t);
             t.recipe.precision = Precision::Bf16;
         }},
        {"fp32", [](TargetPlan& t) { t.recipe.precision = Precision::Fp32; }},
        {"tf32",
         [](TargetPlan& t) {
             onAmpere(t);
             t.recipe.precision = Precision::Tf32;
         }},
        {"further tokens", [](TargetPlan& t) { t.model.predictionDepth = 2; }},
        {"windows",
         [](TargetPlan& t) {
             t.model.window.assign(static_cast<std::size_t>(t.model.blocks), 1024);
             t.model.window.back() = 0;
         }},
        {"recompute",
         [](TargetPlan& t) {
             for (Stage& s : t.plan.pipelines[0].stages)
                 s.recompute = Recompute::Full;
         }},
        {"recompute of some blocks",
         [](TargetPlan& t) {
             for (Stage& s : t.plan.pipelines[0].stages) {
                 s.recompute = Recompute::Full;
                 s.recomputeLayers = 3;
             }
         }},
        {"recompute of attention",
         [](TargetPlan& t) {
             for (Stage& s : t.plan.pipelines[0].stages)
                 s.recompute = Recompute::Selective;
         }},
        {"sharded",
         [](TargetPlan& t) {
             for (Stage& s : t.plan.pipelines[0].stages)
                 s.zero = std::max(s.zero, 1);
         }},
        {"virtual stages",
         [](TargetPlan& t) {
             const Plan other = sampleChunkedPlan(ScheduleKind::Interleaved);
             t.plan.pipelines[0].schedule = other.pipelines[0].schedule;
             for (std::size_t i = 0; i < t.plan.pipelines[0].stages.size() && i < 4; ++i)
                 t.plan.pipelines[0].stages[i].chunks = other.pipelines[0].stages[i].chunks;
         }},
        {"experts",
         [](TargetPlan& t) {
             onAmpere(t);
             t.recipe.precision = Precision::Bf16;
             t.model.experts.count = 8;
             t.model.experts.perToken = 2;
             t.model.experts.ffn = t.model.ffn;
             for (Stage& s : t.plan.pipelines[0].stages)
                 s.ep = 2;
         }},
        {"latent attention",
         [](TargetPlan& t) {
             onAmpere(t);
             t.recipe.precision = Precision::Bf16;
             makeLatent(t.model);
             t.model.experts.count = 64;
             t.model.experts.perToken = 6;
             t.model.experts.ffn = 1408;
             t.model.experts.shared = 2;
             t.model.experts.sharedFfn = 1408;
             t.model.experts.routerBias = true;
             t.model.experts.groups = 8;
             t.model.experts.groupsPerToken = 4;
             t.model.experts.scale = 2.5;
             t.model.experts.denseBlocks = {0};
         }},
        {"latent attention that is scaled",
         [](TargetPlan& t) {
             makeLatent(t.model);
             t.model.rotaryScaling = {"yarn", 40.0, 4096, 0.0, 0.0};
         }},
        {"shared experts with a gate",
         [](TargetPlan& t) {
             t.model.family = "qwen2_moe";
             t.model.experts.count = 8;
             t.model.experts.perToken = 2;
             t.model.experts.ffn = t.model.experts.sharedFfn = t.model.ffn;
             t.model.experts.shared = 1;
             t.model.experts.sharedGate = true;
         }},
        {"like GPT-2",
         [](TargetPlan& t) {
             t.model.learnedPositions = t.model.positions;
             t.model.gatedMlp = t.model.rmsNorm = false;
             t.model.qkvBias = t.model.attentionOutBias = t.model.mlpBias = true;
         }},
        {"scaled positions",
         [](TargetPlan& t) {
             t.model.rotaryScaling = {"llama3", 8.0, 8192, 1.0, 4.0};
         }},
        {"positions scaled linearly",
         [](TargetPlan& t) {
             t.model.rotaryScaling = {"linear", 2.0, 0, 0.0, 0.0};
         }},
        {"norms of queries", [](TargetPlan& t) { t.model.queryKeyNorm = true; }},
        {"bias of queries", [](TargetPlan& t) { t.model.qkvBias = true; }},
    };
    return list;
}

} // namespace

// Nothing is written that the pinned release does not have, and the release's own checks, in the form of
// stubs, take it.
class TrainerFieldsTest : public QObject {
    Q_OBJECT

private:
    struct Made {
        std::shared_ptr<const Problem> problem;
        ExportResult result;
    };
    static Made made(const std::string& format, const std::string& release, const Variant& variant) {
        TargetPlan target = planFor(format);
        if (format == "nemo2") // as many GPUs on every node
            for (Node& n : target.cluster.nodes)
                n.gpus = 8;
        variant.edit(target);
        Made made{target.problem(), {}};
        const auto evaluation = evaluate(*made.problem, target.plan, {.keepOps = true});
        if (evaluation)
            made.result =
                makeExport(*exporterRow(format), {*made.problem, {}, target.plan, *evaluation, release});
        return made;
    }

    static Json runStub(const std::string& kind, const std::string& list, const Made& one, const Json& values,
                        std::string& errors) {
        ScriptRun run(one.result);
        const auto out = run.run(
            {QStringLiteral("python3"), QStringLiteral(PW_SOURCE_DIR "/tests/exchange/trainer_stub.py"),
             QString::fromStdString(kind),
             QString::fromStdString(test::testData("trainers/" + list).string()),
             run.path(QStringLiteral("plan.py")), QString::fromStdString(values.dump())});
        errors = out.errors;
        return out.code == 0 && !out.lines.empty() ? Json::parse(out.lines.front()) : Json();
    }

private slots:
    void flags_data() {
        QTest::addColumn<QString>("format");
        QTest::addColumn<QString>("release");
        QTest::addColumn<int>("variant");
        for (const char* format : {"megatron", "flagscale", "hexiscale", "hetu"})
            for (const ExportRelease& release : exporterRow(format)->releases)
                for (std::size_t v = 0; v < variants().size(); ++v)
                    QTest::addRow("%s %s, %s", format, release.name, variants()[v].name)
                        << QString::fromLatin1(format) << QString::fromLatin1(release.name)
                        << static_cast<int>(v);
    }
    void flags() {
        QFETCH(QString, format);
        QFETCH(QString, release);
        QFETCH(int, variant);
        const std::string name = format.toStdString();
        const Made one = made(name, release.toStdString(), variants()[static_cast<std::size_t>(variant)]);
        if (!one.result.refusals.empty())
            return; // what a target cannot express is refusals_test's
        const Names known = name == "megatron" ? megatronFlags(release.toStdString()) : listed(name + ".txt");
        QVERIFY(known.size() > 30);
        const Names written = name == "flagscale"  ? yamlFlags(textOf(one.result, "train/pipewright.yaml"))
                              : name == "megatron" ? flagsOf(textOf(one.result, "pretrain.sh"))
                                                   : flagsOf(textOf(one.result, "train.sh"));
        QVERIFY(written.size() > 10);
        for (const std::string& flag : written)
            QVERIFY2(known.contains(flag), flag.c_str());
    }

    // Some plan of the variants must come through, or the test above says nothing.
    void everyTrainerTakesSome() {
        for (const char* format :
             {"megatron", "flagscale", "hexiscale", "hetu", "torchtitan", "nemo2", "megatron-bridge"}) {
            int taken = 0;
            for (const Variant& variant : variants())
                taken += made(format, {}, variant).result.refusals.empty() ? 1 : 0;
            QVERIFY2(taken > 1, format);
        }
    }

    void hexiscaleKeys() {
        const Names known = listed("hexiscale.txt");
        const Made one = made("hexiscale", {}, variants()[0]);
        const Json file = Json::parse(textOf(one.result, "all_hetero_configs.json"));
        for (const auto& [key, value] : file.items())
            QVERIFY2(known.contains("json." + key), key.c_str());
    }

    void toml_data() {
        QTest::addColumn<QString>("release");
        QTest::addColumn<int>("variant");
        for (const char* release : {"0.1", "0.2"})
            for (std::size_t v = 0; v < variants().size(); ++v)
                QTest::addRow("%s, %s", release, variants()[v].name)
                    << QString::fromLatin1(release) << static_cast<int>(v);
    }
    void toml() {
        QFETCH(QString, release);
        QFETCH(int, variant);
        const Made one =
            made("torchtitan", release.toStdString(), variants()[static_cast<std::size_t>(variant)]);
        if (!one.result.refusals.empty())
            return;
        const Names known = listed("torchtitan-" + release.toStdString() + ".txt");
        QString section;
        int settings = 0;
        for (const QString& line :
             QString::fromStdString(textOf(one.result, "train.toml")).split(QLatin1Char('\n'))) {
            static const QRegularExpression head(QStringLiteral("^\\[(\\w+)\\]$")),
                key(QStringLiteral("^(\\w+) = "));
            if (const auto found = head.match(line); found.hasMatch())
                section = found.captured(1);
            else if (const auto setting = key.match(line); setting.hasMatch()) {
                ++settings;
                const std::string name = (section + QLatin1Char('.') + setting.captured(1)).toStdString();
                QVERIFY2(known.contains(name), name.c_str());
            }
        }
        QVERIFY(settings > 8);
    }

    void python_data() {
        QTest::addColumn<QString>("format");
        QTest::addColumn<int>("variant");
        for (const char* format : {"torchtitan", "nemo2", "megatron-bridge"})
            for (std::size_t v = 0; v < variants().size(); ++v)
                QTest::addRow("%s, %s", format, variants()[v].name)
                    << QString::fromLatin1(format) << static_cast<int>(v);
    }
    void python() {
        QFETCH(QString, format);
        QFETCH(int, variant);
        const std::string name = format.toStdString();
        const Made one = made(name, {}, variants()[static_cast<std::size_t>(variant)]);
        if (!one.result.refusals.empty())
            return;
        const Model& m = one.problem->model();
        const std::string model = name == "nemo2" ? "recipe.model.config." : "cfg.model.";
        const Json values = {{model + "num_layers", m.blocks},
                             {model + "hidden_size", m.hidden},
                             {model + "ffn_hidden_size", m.ffn},
                             {model + "num_attention_heads", m.heads},
                             {model + "num_query_groups", m.kvHeads},
                             {name == "nemo2" ? "recipe.optim.config.use_distributed_optimizer"
                                              : "cfg.optimizer.use_distributed_optimizer",
                              true}}; // as recipes have it
        std::string errors;
        const Json set =
            runStub(name, name == "torchtitan" ? "torchtitan-main.txt" : name + ".txt", one, values, errors);
        QVERIFY2(set.is_object(), errors.c_str());
        if (name == "torchtitan") {
            QVERIFY(set["config.training.max_context_length"] == one.problem->recipe().seq);
            QVERIFY(set["config.training.num_tokens_per_train_step"] ==
                    one.problem->recipe().seq * one.problem->recipe().gbs);
            return;
        }
        // What the trainer makes of the two flags is what was planned.
        const bool sharded = std::string(variants()[static_cast<std::size_t>(variant)].name) == "sharded";
        QVERIFY(set[name == "nemo2" ? "recipe.trainer.strategy.ddp.use_distributed_optimizer"
                                    : "cfg.ddp.use_distributed_optimizer"] == sharded);
        QVERIFY(set[model + "seq_length"] == one.problem->recipe().seq);
        if (one.problem->precision() == Precision::Fp32)
            QVERIFY(set[name == "nemo2" ? "recipe.trainer.plugins" : "cfg.mixed_precision"]
                        .get<std::string>()
                        .starts_with(name == "nemo2" ? "MegatronMixedPrecision" : "MixedPrecisionConfig"));
        if (m.predictionDepth > 0)
            QVERIFY(set[model + "mtp_num_layers"] == m.predictionDepth);
        if (name == "nemo2")
            QVERIFY(set["recipe.trainer.num_nodes"] == 2);
    }

    // The recipe that a file starts with is one of the list.
    void recipesExist() {
        for (const char* format : {"nemo2", "megatron-bridge"}) {
            const Made one = made(format, {}, variants()[0]);
            const QString text = QString::fromStdString(textOf(one.result, "plan.py"));
            static const QRegularExpression recipe(
                QStringLiteral("(?:recipe = llm\\.|cfg = )(\\w+?)(?:\\.pretrain_recipe)?\\(\\)"));
            const auto found = recipe.match(text);
            QVERIFY2(found.hasMatch(), format);
            QVERIFY(
                listed(std::string(format) + ".txt").contains("recipe " + found.captured(1).toStdString()));
        }
    }

    // torchrun finds what the scripts start, from wherever they are called.
    void launchers_data() {
        QTest::addColumn<QString>("format");
        QTest::addColumn<QString>("release");
        QTest::addColumn<QString>("home");
        QTest::addColumn<QString>("entry");
        QTest::newRow("hexiscale") << QStringLiteral("hexiscale") << QString()
                                   << QStringLiteral("HEXISCALE_HOME") << QStringLiteral("llama_train.py");
        for (const ExportRelease& release : exporterRow("torchtitan")->releases)
            QTest::addRow("torchtitan %s", release.name)
                << QStringLiteral("torchtitan") << QString::fromLatin1(release.name)
                << QStringLiteral("TORCHTITAN_HOME") << QStringLiteral("torchtitan/train.py");
    }
    void launchers() {
        QFETCH(QString, format);
        QFETCH(QString, release);
        QFETCH(QString, home);
        QFETCH(QString, entry);
        Made one = made(format.toStdString(), release.toStdString(), variants()[0]);
        QVERIFY(one.result.refusals.empty());
        one.result.files.push_back({"home/" + entry.toStdString(), "\n"});
        ScriptRun run(one.result);
        run.place(QStringLiteral("torchrun"),
                  QByteArray::fromStdString(*readFile(PW_SOURCE_DIR "/tests/exchange/torchrun_stub.sh")));
        const auto out = run.run({QStringLiteral("bash"), run.path(QStringLiteral("train.sh"))},
                                 {{home, run.path(QStringLiteral("home"))},
                                  {QStringLiteral("NODE_RANK"), QStringLiteral("0")},
                                  {QStringLiteral("PYTHONPATH"), QString()}});
        QVERIFY2(out.code == 0, out.errors.c_str());
        QVERIFY(out.lines.front().ends_with(entry.toStdString()));
    }

    // train_hetu_llama.py:187 takes the blocks in the order of the file.
    void hetuBlocksInOrder() {
        const Made one = made("hetu", {}, variants()[0]);
        QVERIFY(one.result.refusals.empty());
        Made with = one;
        with.result.files.push_back(
            {"train_hetu_llama.py", *readFile(PW_SOURCE_DIR "/tests/exchange/hetu_stub.py")});
        ScriptRun run(with.result);
        const auto out = run.run({QStringLiteral("bash"), run.path(QStringLiteral("train.sh"))});
        QVERIFY2(out.code == 0, out.errors.c_str());
        QCOMPARE(out.lines.back(), std::string("taken"));
    }
};

QTEST_GUILESS_MAIN(TrainerFieldsTest)
#include "trainer_fields_test.moc"
