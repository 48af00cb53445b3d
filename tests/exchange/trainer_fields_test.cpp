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
#include <tuple>

using namespace pw;

namespace {

using Names = std::set<std::string>;

// Lines of tests/data/trainers: what exists in the release that files are written for.
Names listedNames(const std::string& name) {
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
    for (const std::string& line : listedNames("megatron.txt")) {
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

    // Sizes that a file asserts, and what recipes have.
    static Json ofRecipes(const std::string& format, const Model& m) {
        const bool nemo = format == "nemo2";
        const std::string model = nemo ? "recipe.model.config." : "cfg.model.";
        return {{model + "num_layers", m.blocks},
                {model + "hidden_size", m.hidden},
                {model + "ffn_hidden_size", m.ffn},
                {model + "num_attention_heads", m.heads},
                {model + "num_query_groups", m.kvHeads},
                {nemo ? "recipe.optim.config.use_distributed_optimizer"
                      : "cfg.optimizer.use_distributed_optimizer",
                 true}};
    }

private slots:
    void flags_data() {
        QTest::addColumn<QString>("format");
        QTest::addColumn<QString>("release");
        QTest::addColumn<int>("variant");
        for (const char* format : {"megatron", "flagscale", "hexiscale"})
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
        const Names known =
            name == "megatron" ? megatronFlags(release.toStdString()) : listedNames(name + ".txt");
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
        const Names known = listedNames("hexiscale.txt");
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
        const Names known = listedNames("torchtitan-" + release.toStdString() + ".txt");
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
        const Json values = ofRecipes(name, m);
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

    // What a recipe of the same sizes has of its own is not what is trained: divisions of blocks, which the
    // core refuses beside a layout (the stub does, too), experts that are never cut, the tokenizer's
    // vocabulary, scaled positions, another epsilon.
    void recipesAreOverruled_data() {
        QTest::addColumn<QString>("format");
        QTest::addColumn<int>("variant");
        for (const char* format : {"nemo2", "megatron-bridge"})
            for (std::size_t v = 0; v < variants().size(); ++v)
                QTest::addRow("%s, %s", format, variants()[v].name)
                    << QString::fromLatin1(format) << static_cast<int>(v);
    }
    void recipesAreOverruled() {
        QFETCH(QString, format);
        QFETCH(int, variant);
        const std::string name = format.toStdString();
        const Made one = made(name, {}, {"", [&](TargetPlan& t) {
                                             variants()[static_cast<std::size_t>(variant)].edit(t);
                                             t.model.vocab = 128255; // tp 2: a row more
                                             t.model.normEpsilon = 1e-6;
                                         }});
        if (!one.result.refusals.empty())
            return;
        const Model& m = one.problem->model();
        const bool nemo = name == "nemo2";
        const std::string model = nemo ? "recipe.model.config." : "cfg.model.";
        const std::string strategy = nemo ? "recipe.trainer.strategy." : model;
        Json values = ofRecipes(name, m);
        values.update({{strategy + "account_for_embedding_in_pipeline_split", true},
                       {strategy + "account_for_loss_in_pipeline_split", true},
                       {strategy + "num_layers_in_first_pipeline_stage", 3},
                       {strategy + "num_layers_in_last_pipeline_stage", 2},
                       {strategy + "expert_tensor_parallel_size", 1},
                       {model + "vocab_size", 50304},
                       {model + "layernorm_epsilon", 1e-5},
                       {model + "rotary_base", 10000},
                       {model + "rotary_scaling_factor", 40},
                       {model + "seq_len_interpolation_factor", 16.0}});
        values.update(nemo ? Json{{model + "scale_factor", 16.0}}
                           : Json{{model + "rope_scaling", !(m.rotaryScaling.kind == "llama3")},
                                  {"cfg.tokenizer.use_tokenizer_vocab_size", true}});
        std::string errors;
        const Json set = runStub(name, name + ".txt", one, values, errors);
        QVERIFY2(set.is_object(), errors.c_str());
        QVERIFY(set[strategy + "account_for_embedding_in_pipeline_split"] == false);
        QVERIFY(set[strategy + "num_layers_in_first_pipeline_stage"].is_null());
        QVERIFY(set[strategy + "expert_tensor_parallel_size"] == (hasExperts(m) ? 2 : 1));
        QVERIFY(set[model + "vocab_size"] == 128256);
        QVERIFY(nemo || set["cfg.tokenizer.use_tokenizer_vocab_size"] == false);
        QVERIFY(set[model + "layernorm_epsilon"] == 1e-6);
        if (m.learnedPositions == 0)
            comparePositions(set, m, nemo);
    }

    // The recipe that a file starts with is one of the list, of a model that scales as this one does.
    void recipesExist() {
        for (const auto& [format, scaled, name] :
             {std::tuple("nemo2", false, "llama3_8b"), std::tuple("nemo2", true, "llama31_8b"),
              std::tuple("megatron-bridge", false, "llama3_8b_pretrain_2gpu_h100_bf16_config")}) {
            const Made one =
                made(format, {}, {"", [&](TargetPlan& t) {
                                      if (scaled)
                                          t.model.rotaryScaling = {"llama3", 8.0, 8192, 1.0, 4.0};
                                  }});
            const QString text = QString::fromStdString(textOf(one.result, "plan.py"));
            static const QRegularExpression recipe(
                QStringLiteral("(?:recipe = llm\\.|cfg = )(\\w+?)(?:\\.pretrain_recipe)?\\(\\)"));
            const auto found = recipe.match(text);
            QVERIFY2(found.hasMatch(), format);
            QCOMPARE(found.captured(1), QString::fromLatin1(name));
            QVERIFY(listedNames(std::string(format) + ".txt")
                        .contains("recipe " + found.captured(1).toStdString()));
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
        const Made one = made("hetu", {}, {"", hetuModels()[static_cast<std::size_t>(model)]});
        QVERIFY(one.result.refusals.empty());
        const Model& m = one.problem->model();
        const Json nodes = Json::parse(textOf(one.result, "settings.json"))["nodes"];
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
        const Made one = made("hetu", {}, variants()[0]);
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
        ScriptRun run(made("hetu", {}, variants()[0]).result);
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
            const Made one = made("hexiscale", {}, {"", [&](TargetPlan& t) {
                                                        t.model.heads = t.model.kvHeads = own;
                                                        t.model.hidden = width;
                                                        t.model.headDim = width / own;
                                                        t.model.ffn = columns;
                                                        t.model.vocab = 50000;
                                                    }});
            QVERIFY2(one.result.refusals.empty(), name);
            const std::string script = textOf(one.result, "train.sh");
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
        const Made one = made("hexiscale", {}, {"", [&](TargetPlan& t) {
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
        const Made one = made("hexiscale", {}, {"", [](TargetPlan& t) {
                                                    t.model.rotaryBase = 0.0;
                                                    t.model.normEpsilon = 1e-5;
                                                }});
        for (const char* code :
             {"export.rotary_base", "export.norm_epsilon", "export.learned_positions", "export.residual"})
            QVERIFY2(std::ranges::count(one.result.notes, code, &Diagnostic::code) == 1, code);
        const Made other = made("hexiscale", {}, {"", [](TargetPlan& t) { t.model.normEpsilon = 1e-6; }});
        for (const char* code : {"export.norm_epsilon", "export.batch_weights"})
            QVERIFY2(std::ranges::count(other.result.notes, code, &Diagnostic::code) == 0, code);
        const Made uneven = made("hexiscale", {}, {"", [](TargetPlan& t) {
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
    static void comparePositions(const Json& set, const Model& m, bool nemo) {
        const std::string model = nemo ? "recipe.model.config." : "cfg.model.";
        const std::string& kind = m.rotaryScaling.kind;
        QVERIFY(set[model + "rotary_base"] == m.rotaryBase);
        if (hasLatentAttention(m)) {
            QVERIFY(set[model + "rotary_scaling_factor"] == (kind.empty() ? 1.0 : m.rotaryScaling.factor));
            return;
        }
        const Json& interpolated = set[model + "seq_len_interpolation_factor"];
        QVERIFY(kind == "linear" ? interpolated == m.rotaryScaling.factor : interpolated.is_null());
        if (nemo)
            QVERIFY(set[model + "scale_factor"] == (kind == "llama3" ? m.rotaryScaling.factor : 1.0));
        else
            QVERIFY(set[model + "rope_scaling"] == (kind == "llama3"));
    }

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
    static Json runHetu(const Made& one, const Json& devices, int rank, const std::string& host,
                        std::string& errors) {
        Made with = one;
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

QTEST_GUILESS_MAIN(TrainerFieldsTest)
#include "trainer_fields_test.moc"
