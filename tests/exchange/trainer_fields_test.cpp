// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/file.h"
#include "core/base/text.h"
#include "core/exchange/imports/import_table.h"
#include "tests/exchange/exported_file.h"
#include "tests/exchange/made_files.h"
#include "tests/exchange/script_run.h"
#include "tests/exchange/target_plans.h"
#include "tests/test_data.h"

#include <nlohmann/json.hpp>

#include <QRegularExpression>
#include <QTest>

#include <algorithm>
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

void onAmpere(TargetPlan& t) {
    for (Node& n : t.cluster.nodes)
        n.kind = "A100-SXM4-80GB";
}

void inChunks(TargetPlan& t) {
    const Plan other = sampleChunkedPlan(ScheduleKind::Interleaved);
    t.plan.pipelines[0].schedule = other.pipelines[0].schedule;
    for (std::size_t i = 0; i < t.plan.pipelines[0].stages.size() && i < 4; ++i)
        t.plan.pipelines[0].stages[i].chunks = other.pipelines[0].stages[i].chunks;
}

// Shapes of plan and model that make exporters write all that they can.
const std::vector<TargetVariant>& variants() {
    static const std::vector<TargetVariant> list = {
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
        {"all that overlaps",
         [](TargetPlan& t) {
             Software& software = t.recipe.software;
             software.overlapGradients = software.overlapParameters = software.overlapTensor = Choice::On;
             for (Stage& s : t.plan.pipelines[0].stages) {
                 s.zero = std::max(s.zero, 1);
                 s.sequenceParallel = s.tp > 1;
             }
         }},
        {"virtual stages that wait for what they send",
         [](TargetPlan& t) {
             inChunks(t);
             t.recipe.software.overlapTransfers = Choice::Off;
         }},
        {"virtual stages", inChunks},
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
    static Json runStub(const std::string& kind, const std::string& list, const MadeFiles& one,
                        const Json& values, std::string& errors) {
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
        const MadeFiles one =
            filesMade(name, release.toStdString(), variants()[static_cast<std::size_t>(variant)]);
        if (!one.result.refusals.empty())
            return; // what a target cannot express is refusals_test's
        const Names known =
            name == "megatron" ? megatronFlags(release.toStdString()) : listedNames(name + ".txt");
        QVERIFY(known.size() > 30);
        const Names written = name == "flagscale"  ? yamlFlags(fileOf(one.result, "train/pipewright.yaml"))
                              : name == "megatron" ? flagsOf(fileOf(one.result, "pretrain.sh"))
                                                   : flagsOf(fileOf(one.result, "train.sh"));
        QVERIFY(written.size() > 10);
        for (const std::string& flag : written)
            QVERIFY2(known.contains(flag), flag.c_str());
    }

    // Some plan of the variants must come through, or the test above says nothing.
    void everyTrainerTakesSome() {
        for (const char* format :
             {"megatron", "flagscale", "hexiscale", "hetu", "torchtitan", "nemo2", "megatron-bridge"}) {
            int taken = 0;
            for (const TargetVariant& variant : variants())
                taken += filesMade(format, {}, variant).result.refusals.empty() ? 1 : 0;
            QVERIFY2(taken > 1, format);
        }
    }

    void hexiscaleKeys() {
        const Names known = listedNames("hexiscale.txt");
        const MadeFiles one = filesMade("hexiscale", {}, variants()[0]);
        const Json file = Json::parse(fileOf(one.result, "all_hetero_configs.json"));
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
        const MadeFiles one =
            filesMade("torchtitan", release.toStdString(), variants()[static_cast<std::size_t>(variant)]);
        if (!one.result.refusals.empty())
            return;
        const Names known = listedNames("torchtitan-" + release.toStdString() + ".txt");
        QString section;
        int settings = 0;
        for (const QString& line :
             QString::fromStdString(fileOf(one.result, "train.toml")).split(QLatin1Char('\n'))) {
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
        const MadeFiles one = filesMade(name, {}, variants()[static_cast<std::size_t>(variant)]);
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
        const std::string shape = variants()[static_cast<std::size_t>(variant)].name;
        const bool overlapped = shape == "all that overlaps";
        const std::string ddp = name == "nemo2" ? "recipe.trainer.strategy.ddp." : "cfg.ddp.";
        QVERIFY(set[ddp + "use_distributed_optimizer"] == (shape == "sharded" || overlapped));
        for (const char* what : {"overlap_grad_reduce", "overlap_param_gather"})
            QVERIFY2(set[ddp + what] == overlapped, what);
        QVERIFY(set[model + "tp_comm_overlap"] == overlapped);
        QVERIFY(set[model + "overlap_p2p_comm"] == (shape == "virtual stages"));
        QVERIFY(set[model + "batch_p2p_comm"] == (shape != "virtual stages"));
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
        const MadeFiles one = filesMade(name, {}, {"", [&](TargetPlan& t) {
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
        const std::string optimizer = nemo ? "recipe.optim.config." : "cfg.optimizer.";
        const std::string ddp = nemo ? "recipe.trainer.strategy.ddp." : "cfg.ddp.";
        values.update({{optimizer + "use_precision_aware_optimizer", true},
                       {optimizer + "exp_avg_dtype", "bfloat16"},
                       {optimizer + "overlap_param_gather", true},
                       {ddp + "overlap_param_gather", true},
                       {ddp + "overlap_grad_reduce", true},
                       {model + "moe_token_dispatcher_type", "flex"}});
        values.update(nemo ? Json{{model + "scale_factor", 16.0}}
                           : Json{{model + "rope_scaling", !(m.rotaryScaling.kind == "llama3")},
                                  {"cfg.tokenizer.use_tokenizer_vocab_size", true},
                                  {"cfg.comm_overlap", "CommOverlapConfig"},
                                  {model + "moe_flex_dispatcher_backend", "hybridep"}});
        std::string errors;
        const Json set = runStub(name, name + ".txt", one, values, errors);
        QVERIFY2(set.is_object(), errors.c_str());
        QVERIFY(set[strategy + "account_for_embedding_in_pipeline_split"] == false);
        QVERIFY(set[strategy + "num_layers_in_first_pipeline_stage"].is_null());
        QVERIFY(set[strategy + "expert_tensor_parallel_size"] == (hasExperts(m) ? 2 : 1));
        QVERIFY(set[model + "vocab_size"] == 128256);
        QVERIFY(nemo || set["cfg.tokenizer.use_tokenizer_vocab_size"] == false);
        QVERIFY(nemo || set["cfg.comm_overlap"].is_null());
        QVERIFY(set[optimizer + "use_precision_aware_optimizer"] == false);
        QVERIFY(set[optimizer + "exp_avg_dtype"] == "float32");
        QVERIFY(set[ddp + "overlap_param_gather"] == set[optimizer + "overlap_param_gather"]);
        QVERIFY(!hasExperts(m) || set[model + "moe_token_dispatcher_type"] == "alltoall");
        QVERIFY(!hasExperts(m) || nemo || set[model + "moe_flex_dispatcher_backend"].is_null());
        QVERIFY(set[model + "layernorm_epsilon"] == 1e-6);
        if (m.learnedPositions == 0)
            comparePositions(set, m, nemo);
    }

    // The recipe that a file starts with is one of the list, of a model that scales as this one does.
    void recipesExist() {
        for (const auto& [format, scaled, name] :
             {std::tuple("nemo2", false, "llama3_8b"), std::tuple("nemo2", true, "llama31_8b"),
              std::tuple("megatron-bridge", false, "llama3_8b_pretrain_2gpu_h100_bf16_config")}) {
            const MadeFiles one =
                filesMade(format, {}, {"", [&](TargetPlan& t) {
                                           if (scaled)
                                               t.model.rotaryScaling = {"llama3", 8.0, 8192, 1.0, 4.0};
                                       }});
            const QString text = QString::fromStdString(fileOf(one.result, "plan.py"));
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
        MadeFiles one = filesMade(format.toStdString(), release.toStdString(), variants()[0]);
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
};

QTEST_GUILESS_MAIN(TrainerFieldsTest)
#include "trainer_fields_test.moc"
