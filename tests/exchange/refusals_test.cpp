// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/exports/export.h"
#include "tests/exchange/refused_plans.h"

#include <QTest>

#include <algorithm>

using namespace pw;

namespace {

// Every code that a target can answer with.
const std::map<std::string, std::vector<std::string>>& refusalCodes() {
    static const std::vector<std::string> layers = {"E_DIVIDE_GBS",          "E_LAYER_ORDER",
                                                    "E_EMPTY_STAGE nothing", "E_DIVIDE_HEADS",
                                                    "E_UNSUPPORTED_MODEL",   "E_PARTITION"};
    static const auto withLayers = [](std::vector<std::string> own) {
        own.insert(own.end(), layers.begin(), layers.end());
        return own;
    };
    static const auto with = [](std::vector<std::string> own) {
        own.insert(own.end(), {"E_SCHEDULE", "E_SCHEDULE counts"});
        return withLayers(std::move(own));
    };
    static const std::vector<std::string> uniform =
        with({"E_SUBLAYER", "E_VPP", "E_VPP groups", "E_TP_PER_STAGE", "E_DP_PER_STAGE", "E_STAGE_SIZE",
              "E_NONCONTIGUOUS_DEVICES", "E_LOCAL_MIX", "E_MB_SPLIT_UNEVEN", "E_MB_SPLIT_UNEVEN odd",
              "E_REPLICA_SHAPE", "E_RECOMPUTE_PER_STAGE", "E_RECOMPUTE_PER_STAGE part", "E_SHARDING",
              "E_SHARDING 3", "E_SEQUENCE_PARALLEL", "E_CP", "E_EP", "E_HOST_NAME"});
    const auto plus = [](std::vector<std::string> list, const std::vector<std::string>& more) {
        list.insert(list.end(), more.begin(), more.end());
        return list;
    };
    static const std::map<std::string, std::vector<std::string>> table = {
        {"megatron",
         plus(uniform, {"E_PRECISION fp8", "E_SHARDING sgd", "E_VENDOR neither", "E_VENDOR_MIX"})},
        {"megatron-bridge", plus(uniform, {"E_PRECISION fp8", "E_OPTIMIZER", "E_VENDOR", "E_VENDOR_MIX"})},
        {"nemo2", plus(uniform, {"E_PRECISION fp8", "E_STAGE_SIZE nodes", "E_OPTIMIZER", "E_VENDOR"})},
        {"torchtitan", withLayers({"E_SCHEDULE divided backward",
                                   "E_SUBLAYER",
                                   "E_VPP",
                                   "E_TP_PER_STAGE",
                                   "E_DP_PER_STAGE",
                                   "E_STAGE_SIZE",
                                   "E_NONCONTIGUOUS_DEVICES",
                                   "E_LOCAL_MIX",
                                   "E_MB_SPLIT_UNEVEN",
                                   "E_REPLICA_SHAPE",
                                   "E_RECOMPUTE_PER_STAGE",
                                   "E_RECOMPUTE_PER_STAGE part",
                                   "E_SHARDING",
                                   "E_SEQUENCE_PARALLEL",
                                   "E_CP",
                                   "E_EP",
                                   "E_HOST_NAME",
                                   "E_PRECISION fp16",
                                   "E_OPTIMIZER",
                                   "E_VENDOR neither",
                                   "E_VENDOR_MIX",
                                   "E_UNSUPPORTED_MODEL further tokens"})},
        {"flagscale",
         with({"E_SUBLAYER", "E_VPP", "E_EMPTY_STAGE", "E_NONCONTIGUOUS_DEVICES", "E_DEVICE_TYPE_ORDER",
               "E_LOCAL_MIX", "E_MB_SPLIT_UNEVEN", "E_REPLICA_SHAPE", "E_RECOMPUTE_PER_STAGE selective",
               "E_SHARDING", "E_SHARDING 3", "E_SHARDING sgd", "E_SEQUENCE_PARALLEL", "E_CP", "E_EP",
               "E_TIED_EMBED", "E_HOST_NAME", "E_PRECISION fp8"})},
        {"hexiscale", with({"E_SUBLAYER",
                            "E_VPP",
                            "E_EMPTY_STAGE",
                            "E_DP_PER_STAGE",
                            "E_MB_SPLIT_UNEVEN",
                            "E_RECOMPUTE_PER_STAGE",
                            "E_RECOMPUTE_PER_STAGE selective",
                            "E_RECOMPUTE_PER_STAGE part",
                            "E_SCHEDULE two kinds",
                            "E_SHARDING",
                            "E_SHARDING 3",
                            "E_SHARDING over tensor parallelism",
                            "E_TP_PER_STAGE one pipeline",
                            "E_TP_PER_STAGE in two pipelines",
                            "E_SEQUENCE_PARALLEL",
                            "E_CP",
                            "E_EP",
                            "E_OPTIMIZER",
                            "E_VENDOR neither",
                            "E_VENDOR_MIX",
                            "E_UNSUPPORTED_MODEL size",
                            "E_UNSUPPORTED_MODEL sequence",
                            "E_UNSUPPORTED_MODEL heads",
                            "E_UNSUPPORTED_MODEL rotary base",
                            "E_UNSUPPORTED_MODEL rotary scaling",
                            "E_UNSUPPORTED_MODEL further tokens",
                            "E_HOST_NAME",
                            "E_PRECISION fp8"})},
        {"hetu", with({"E_SUBLAYER",
                       "E_VPP",
                       "E_EMPTY_STAGE",
                       "E_DP_PER_STAGE",
                       "E_MB_SPLIT_UNEVEN",
                       "E_RECOMPUTE_PER_STAGE selective",
                       "E_SHARDING",
                       "E_SHARDING 3",
                       "E_SEQUENCE_PARALLEL",
                       "E_CP",
                       "E_EP",
                       "E_UNSUPPORTED_MODEL rotary base",
                       "E_UNSUPPORTED_MODEL rotary scaling",
                       "E_UNSUPPORTED_MODEL further tokens",
                       "E_DIVIDE_HEADS words",
                       "E_PRECISION fp16",
                       "E_PRECISION fp32",
                       "E_OPTIMIZER",
                       "E_VENDOR",
                       "E_VENDOR_MIX",
                       "E_HOST_NAME"})},
        {"aceso", with({"E_VPP", "E_NONCONTIGUOUS_DEVICES", "E_LOCAL_MIX", "E_MB_SPLIT_UNEVEN",
                        "E_REPLICA_SHAPE", "E_SHARDING", "E_SEQUENCE_PARALLEL", "E_CP", "E_EP",
                        "E_UNSUPPORTED_MODEL size", "E_UNSUPPORTED_MODEL heads", "E_TP_PER_STAGE 4 behind 3",
                        "E_DP_PER_STAGE 3 behind 2", "E_UNSUPPORTED_MODEL further tokens", "E_HOST_NAME",
                        "E_PRECISION fp8", "E_OPTIMIZER", "E_VENDOR", "E_VENDOR_MIX"})},
        {"galvatron", with({"E_SUBLAYER",
                            "E_VPP",
                            "E_EMPTY_STAGE",
                            "E_TP_PER_STAGE",
                            "E_STAGE_SIZE",
                            "E_DEVICE_TYPE_ORDER kinds",
                            "E_MB_SPLIT_UNEVEN",
                            "E_REPLICA_SHAPE",
                            "E_RECOMPUTE_PER_STAGE selective",
                            "E_SHARDING",
                            "E_SHARDING 0 and 2",
                            "E_SEQUENCE_PARALLEL",
                            "E_EP",
                            "E_UNSUPPORTED_MODEL further tokens",
                            "E_UNSUPPORTED_MODEL yarn",
                            "E_UNSUPPORTED_MODEL learned positions",
                            "E_UNSUPPORTED_MODEL query norms",
                            "E_UNSUPPORTED_MODEL shared experts",
                            "E_UNSUPPORTED_MODEL dense blocks",
                            "E_HOST_NAME",
                            "E_PRECISION fp8",
                            "E_PRECISION fp32",
                            "E_OPTIMIZER",
                            "E_VENDOR neither",
                            "E_PRECISION kernels"})},
        {"runner",
         {"E_DIVIDE_GBS", "E_LAYER_ORDER", "E_EMPTY_STAGE nothing", "E_DIVIDE_HEADS", "E_PARTITION",
          "E_UNSUPPORTED_MODEL further tokens", "E_UNSUPPORTED_MODEL family", "E_UNSUPPORTED_MODEL router",
          "E_UNSUPPORTED_MODEL", "E_SCHEDULE zb-1p", "E_SHARDING 3", "E_CP", "E_MB_SPLIT_UNEVEN odd",
          "E_PRECISION fp8", "E_VENDOR neither", "E_VENDOR_MIX", "E_VENDOR_MIX one of them", "E_HOST_NAME"}},
        {"deepspeed", {"E_NO_WRITER", "E_UNEVEN_LAYERS", "E_SHARDING 3"}},
        {"alpa", {"E_NO_WRITER", "E_SHARDING"}},
        {"torch-schedule", {"E_PARTITION", "E_LAYER_ORDER", "E_DIVIDE_GBS"}},
        {"launch", {"E_NONCONTIGUOUS_DEVICES", "E_REPLICA_SHAPE", "E_HOST_NAME"}},
    };
    return table;
}

} // namespace

// One plan that a target takes and one refusal for every code that it has.
class RefusalsTest : public QObject {
    Q_OBJECT

private slots:
    // Twelve stages with one fault are one line; whatever differs stays apart.
    void theSameOfSeveralStagesIsSaidOnce() {
        const auto refusal = [](const char* where, int zero, std::vector<std::string> targets = {}) {
            Refusal made("E_SHARDING", where, {"sharding (ZeRO) {zero}", {{"zero", zero}}});
            made.targets = std::move(targets);
            return made;
        };
        const std::vector<Refusal> said = saidOnce(
            {refusal("stage 0", 1), refusal("stage 2", 2), refusal("stage 1", 1), refusal("plan", 1),
             refusal("stage 2", 1), refusal("stage 7", 1), refusal("stage 3", 1, {"hetu"}),
             refusal("plan", 1), refusal("stage 1.0", 1), refusal("stage 1.1", 1), refusal("stage 2", 1)});
        QStringList places;
        for (const Refusal& each : said)
            places << QString::fromStdString(each.where);
        QCOMPARE(places,
                 (QStringList{QStringLiteral("stages 0 to 2, 7"), QStringLiteral("stage 2"),
                              QStringLiteral("plan"), QStringLiteral("stage 3"), QStringLiteral("plan"),
                              QStringLiteral("stage 1.0"), QStringLiteral("stage 1.1")}));
        QCOMPARE(said[3].targets, std::vector<std::string>{"hetu"});
        QVERIFY(saidOnce({}).empty());
    }

    void everyTargetIsHere() {
        for (const ExporterRow& row : exporterTable())
            QVERIFY2(refusalCodes().contains(row.format) || (!row.trainer && row.check == nullptr),
                     row.format);
    }

    void takenAsItIs_data() {
        QTest::addColumn<QString>("format");
        for (const auto& [format, list] : refusalCodes())
            if (exporterRow(format)->write != nullptr && format != "nemo2")
                QTest::newRow(format.c_str()) << QString::fromStdString(format);
    }
    void takenAsItIs() {
        QFETCH(QString, format);
        const TargetPlan target = planFor(format.toStdString());
        const auto problem = target.problem();
        Plan plan = target.plan;
        const Status sound = checkPlan(*problem, plan, "plan");
        QVERIFY2(sound, sound ? "" : sound.error().text().c_str());
        const std::vector<Refusal> refusals =
            exportRefusals(*exporterRow(format.toStdString()), *problem, plan);
        QVERIFY2(refusals.empty(), refusals.empty() ? "" : reasonOf(refusals.front()).text().c_str());
    }

    void refused_data() {
        QTest::addColumn<QString>("format");
        QTest::addColumn<QString>("code");
        for (const auto& [format, list] : refusalCodes())
            for (const std::string& code : list)
                QTest::newRow((format + " " + code).c_str())
                    << QString::fromStdString(format) << QString::fromStdString(code);
    }
    void refused() {
        QFETCH(QString, format);
        QFETCH(QString, code);
        TargetPlan target = planFor(format.toStdString());
        edits().at(code.toStdString())(target);
        const auto problem = target.problem();
        const ExporterRow& row = *exporterRow(format.toStdString());
        const ExportResult made = makeExport(row, {*problem, {}, target.plan, {}});
        QVERIFY(made.files.empty());
        const std::string wanted = code.section(QLatin1Char(' '), 0, 0).toStdString();
        std::string all;
        bool found = false;
        for (const Refusal& r : made.refusals) {
            all += r.code + " " + reasonOf(r).text() + "; ";
            found = found || (r.code == wanted && !r.where.empty() && !r.message.empty());
            for (const std::string& other : r.targets)
                QVERIFY2(other != row.format && exporterRow(other) != nullptr &&
                             questionRefusals(*exporterRow(other), *problem).empty(),
                         other.c_str());
        }
        QVERIFY2(found, all.c_str());
    }

    // What a trainer sets once for all stages is refused at the first one that is not like those before it.
    void differenceHasItsStage_data() {
        QTest::addColumn<QString>("format");
        QTest::addColumn<QString>("code");
        QTest::addColumn<QString>("where");
        for (const auto& [format, list] : refusalCodes()) {
            const ExporterRow& row = *exporterRow(format);
            const auto rows = [&](const char* edit, bool once, const char* where) {
                if (once && std::find(list.begin(), list.end(), edit) != list.end())
                    QTest::addRow("%s %s", format.c_str(), edit)
                        << QString::fromStdString(format) << QString::fromLatin1(edit)
                        << QString::fromLatin1(where);
            };
            // The edits change stage 1 and stage 0, which stage 1 differs from then.
            rows("E_SEQUENCE_PARALLEL", row.capability.sequenceParallel == Grain::Plan, "stage 1");
            rows("E_SHARDING 0 and 2", row.capability.zeroGrain == Grain::Plan, "stage 1");
        }
    }
    void differenceHasItsStage() {
        QFETCH(QString, format);
        QFETCH(QString, code);
        QFETCH(QString, where);
        TargetPlan target = planFor(format.toStdString());
        edits().at(code.toStdString())(target);
        const ExportResult made =
            makeExport(*exporterRow(format.toStdString()), {*target.problem(), {}, target.plan, {}});
        const std::string wanted = code.section(QLatin1Char(' '), 0, 0).toStdString();
        const auto at = std::ranges::find(made.refusals, wanted, &Refusal::code);
        QVERIFY(at != made.refusals.end());
        QCOMPARE(QString::fromStdString(at->where), where);
    }

    // Who could take what is refused leaves out trainers that run no plan of this model at all.
    void trainersThatNeverRunTheModelAreNotNamed() {
        TargetPlan target = planFor("megatron");
        edits().at("E_TP_PER_STAGE")(target);
        const auto named = [&](const char* format) {
            for (const Refusal& r : exportRefusals(*exporterRow("megatron"), *target.problem(), target.plan))
                if (r.code == "E_TP_PER_STAGE")
                    return std::count(r.targets.begin(), r.targets.end(), format) == 1;
            return false;
        };
        setKinds(target, "A100-SXM4-40GB");           // Hetu's attention wants bf16
        QVERIFY(target.model.rotaryBase == 500000.0); // which Hetu's models cannot have
        QVERIFY(!named("hetu"));
        QVERIFY(named("flagscale"));
        target.model.rotaryBase = 10000.0;
        QVERIFY(named("hetu"));
    }

    // Hetu has a GPT beside the Llama that is written: a model like it is held against that one, and where it
    // is that one, against what the export writes.
    void hetuSaysWhichOfItsModels() {
        TargetPlan target = planFor("hetu");
        const auto said = [&] {
            QStringList list;
            for (const Refusal& r : questionRefusals(*exporterRow("hetu"), *target.problem()))
                list << QString::fromStdString(reasonOf(r).message);
            return list;
        };
        QCOMPARE(said(), QStringList());
        Model& m = target.model;
        m.qkvBias = m.attentionOutBias = true;
        QCOMPARE(said(), QStringList());
        m.qkvBias = false;
        m.mlpBias = true;
        QCOMPARE(said(), QStringList(QStringLiteral(
                             "it has biases on some products only; the trainer's Llama has one "
                             "switch for those of attention")));
        m.attentionOutBias = m.mlpBias = false;
        m.tied = true;
        QCOMPARE(said(),
                 QStringList(QStringLiteral("it has a head that shares the embedding's matrix; the trainer's "
                                            "Llama has not")));
        m.family = "gpt2";
        m.learnedPositions = m.positions;
        m.rotaryBase = 0.0;
        m.gatedMlp = m.rmsNorm = false;
        m.qkvBias = m.attentionOutBias = m.mlpBias = true;
        QCOMPARE(said(),
                 (QStringList{QStringLiteral("its products have biases; the trainer's GPT has none, and "
                                             "its Llama is another model"),
                              QStringLiteral("its MLP has no ReLU; the trainer's GPT has ReLU, and its "
                                             "Llama is another model")}));
        m.family = "opt";
        m.qkvBias = m.attentionOutBias = m.mlpBias = false;
        QCOMPARE(said(),
                 QStringList(QStringLiteral(
                     "it is built as the trainer's GPT; the export writes the trainer's Llama alone")));
    }

    // Every row of the table is reached by some target, so that none is dead.
    void everyRowRefusesSomething() {
        std::map<std::string, int> seen;
        for (const auto& [format, list] : refusalCodes())
            for (const std::string& code : list)
                ++seen[code.substr(0, code.find(' '))];
        for (const CapabilityRow& row : capabilityTable())
            QVERIFY2(seen.contains(row.code), row.code);
    }
};

QTEST_APPLESS_MAIN(RefusalsTest)
#include "refusals_test.moc"
