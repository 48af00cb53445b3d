// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/exports/export.h"
#include "core/partition/divided_block.h"
#include "tests/exchange/target_plans.h"

#include <QTest>

#include <algorithm>
#include <functional>
#include <map>

using namespace pw;

namespace {

// What is done to a plan that a target takes, so that it answers with a code.
using Edit = std::function<void(TargetPlan&)>;

Stage& stageOf(TargetPlan& target, std::size_t i) {
    return target.plan.pipelines[0].stages[i];
}

// Of 32 micro-batches: more than 1F1B has in flight, fewer than GPipe.
int otherLaunch(int launch) {
    return launch < 16 ? launch + 2 : launch - 2;
}

const std::map<std::string, Edit>& edits() {
    static const std::map<std::string, Edit> table = {
        {"E_TP_PER_STAGE",
         [](TargetPlan& t) {
             Stage& s = t.plan.pipelines[0].stages.back();
             s.tp = 1;
             s.replicas = replicas(12, 4, 1);
         }},
        {"E_TP_PER_STAGE 4 behind 3",
         [](TargetPlan& t) {
             stageOf(t, 1).tp = 3;
             stageOf(t, 2).tp = 4;
         }},
        {"E_DP_PER_STAGE",
         [](TargetPlan& t) { t.plan.pipelines[0].stages.back().replicas = replicas(12, 1, 2); }},
        {"E_DP_PER_STAGE 3 behind 2", [](TargetPlan& t) { stageOf(t, 1).replicas = replicas(4, 3, 1); }},
        {"E_STAGE_SIZE",
         [](TargetPlan& t) { t.plan.pipelines[0].stages.back().replicas = replicas(12, 1, 2); }},
        {"E_STAGE_SIZE nodes", [](TargetPlan&) {}}, // 8 GPUs in one node, 4 in the others
        {"E_NONCONTIGUOUS_DEVICES",
         [](TargetPlan& t) {
             stageOf(t, 0).replicas[1].devices = {8, 9};
             stageOf(t, 2).replicas[0].devices = {2, 3};
         }},
        {"E_DEVICE_TYPE_ORDER",
         [](TargetPlan& t) { std::swap(stageOf(t, 1).replicas, stageOf(t, 2).replicas); }},
        {"E_DEVICE_TYPE_ORDER kinds", [](TargetPlan& t) { stageOf(t, 0).replicas = replicas(0, 2, 2); }},
        {"E_RECOMPUTE_PER_STAGE", [](TargetPlan& t) { stageOf(t, 1).recompute = Recompute::Full; }},
        {"E_RECOMPUTE_PER_STAGE selective",
         [](TargetPlan& t) { stageOf(t, 1).recompute = Recompute::Selective; }},
        {"E_RECOMPUTE_PER_STAGE part",
         [](TargetPlan& t) {
             for (Stage& s : t.plan.pipelines[0].stages)
                 s.recompute = Recompute::Full;
             stageOf(t, 0).recomputeLayers = 3;
         }},
        {"E_MB_SPLIT_UNEVEN",
         [](TargetPlan& t) {
             stageOf(t, 1).replicas[0].share = 0.75;
             stageOf(t, 1).replicas[1].share = 0.25;
         }},
        {"E_MB_SPLIT_UNEVEN odd",
         [](TargetPlan& t) {
             t.plan.pipelines[0].microbatchSize = 1;
             t.plan.pipelines[0].microbatches = 128;
         }},
        {"E_REPLICA_SHAPE", [](TargetPlan& t) { t.plan.pipelines.push_back(t.plan.pipelines[0]); }},
        {"E_LAYER_ORDER", [](TargetPlan& t) { std::swap(stageOf(t, 0).chunks, stageOf(t, 1).chunks); }},
        {"E_EMPTY_STAGE",
         [](TargetPlan& t) {
             stageOf(t, 0).chunks = {{0, 0}};
             stageOf(t, 1).chunks[0].first = 1;
         }},
        {"E_EMPTY_STAGE nothing",
         [](TargetPlan& t) {
             stageOf(t, 1).chunks = {{21, 20}};
         }},
        {"E_DIVIDE_HEADS",
         [](TargetPlan& t) {
             for (Stage& s : t.plan.pipelines[0].stages)
                 s.tp = 3;
         }},
        {"E_DIVIDE_GBS", [](TargetPlan& t) { --t.plan.pipelines[0].microbatches; }},
        {"E_VPP", [](TargetPlan& t) { t.plan.pipelines[0].schedule.chunks = 2; }},
        {"E_VPP groups",
         [](TargetPlan& t) {
             t.plan = sampleChunkedPlan(ScheduleKind::Interleaved);
             t.plan.pipelines[0].microbatches = 31;
         }},
        {"E_CP", [](TargetPlan& t) { stageOf(t, 1).cp = 2; }},
        {"E_EP", [](TargetPlan& t) { stageOf(t, 1).ep = 2; }},
        {"E_TIED_EMBED",
         [](TargetPlan& t) {
             t.model.tied = true;
             t.plan.pipelines[0].stages.back().tp = 4;
             t.plan.pipelines[0].stages.back().replicas = replicas(12, 1, 4);
         }},
        {"E_UNSUPPORTED_MODEL family", [](TargetPlan& t) { t.model.family = "phi3"; }},
        {"E_UNSUPPORTED_MODEL router",
         [](TargetPlan& t) {
             t.model.experts.count = 8;
             t.model.experts.perToken = 2;
             t.model.experts.ffn = t.model.ffn;
             t.model.experts.routerBias = true;
         }},
        {"E_UNSUPPORTED_MODEL",
         [](TargetPlan& t) {
             t.model.window.assign(32, 256);
             t.model.chunks = true;
         }},
        {"E_SCHEDULE zb-1p", [](TargetPlan& t) { t.plan = sampleChunkedPlan(ScheduleKind::Zb1p); }},
        {"E_UNSUPPORTED_MODEL further tokens", [](TargetPlan& t) { t.model.predictionDepth = 1; }},
        {"E_UNSUPPORTED_MODEL size", [](TargetPlan& t) { t.model.ffn += 128; }},
        {"E_UNSUPPORTED_MODEL sequence", [](TargetPlan& t) { t.recipe.seq = 2048; }},
        {"E_UNSUPPORTED_MODEL heads", [](TargetPlan& t) { t.model.kvHeads = 8; }},
        {"E_SCHEDULE",
         [](TargetPlan& t) {
             PlanSchedule& schedule = t.plan.pipelines[0].schedule;
             schedule.kind = ScheduleKind::H1F1B;
             for (int& l : schedule.launch)
                 l = otherLaunch(l);
         }},
        {"E_SCHEDULE counts",
         [](TargetPlan& t) {
             int& l = t.plan.pipelines[0].schedule.launch[0];
             l = otherLaunch(l);
         }},
        {"E_SCHEDULE divided backward",
         [](TargetPlan& t) { t.plan = sampleChunkedPlan(ScheduleKind::ZbH1); }},
        {"E_SCHEDULE two kinds",
         [](TargetPlan& t) {
             t.plan.pipelines.push_back(t.plan.pipelines[0]);
             t.plan.pipelines[1].schedule = {ScheduleKind::OneFOneB, LaunchRule::Artifact, 1, {4, 3, 2, 1}};
         }},
        {"E_SUBLAYER",
         [](TargetPlan& t) {
             --stageOf(t, 0).chunks[0].last;
             --stageOf(t, 1).chunks[0].first;
         }},
        {"E_PARTITION",
         [](TargetPlan& t) {
             Stage& s = stageOf(t, 1);
             s.partition = partition::steadyWays(*t.problem(), {8, 9, 10, 11}, 4, 32, true).front();
         }},
        {"E_SHARDING",
         [](TargetPlan& t) { stageOf(t, 0).zero = t.plan.pipelines[0].stages[0].zero == 0 ? 1 : 3; }},
        {"E_SHARDING 3",
         [](TargetPlan& t) {
             for (Stage& s : t.plan.pipelines[0].stages)
                 s.zero = 3;
         }},
        {"E_SHARDING 0 and 2", [](TargetPlan& t) { stageOf(t, 0).zero = 2; }},
        {"E_LOCAL_MIX",
         [](TargetPlan& t) {
             std::swap(stageOf(t, 1).replicas[1], stageOf(t, 2).replicas[0]);
             stageOf(t, 1).replicas[0].share = 0.75;
             stageOf(t, 1).replicas[1].share = 0.25;
         }},
        {"E_SEQUENCE_PARALLEL",
         [](TargetPlan& t) { stageOf(t, 1).sequenceParallel = !stageOf(t, 1).sequenceParallel; }},
        {"E_PRECISION fp32", [](TargetPlan& t) { t.recipe.precision = Precision::Fp32; }},
        {"E_PRECISION fp8",
         [](TargetPlan& t) {
             for (Node& n : t.cluster.nodes)
                 n.kind = "H100-SXM-80GB";
             t.recipe.precision = Precision::Fp8;
         }},
        {"E_PRECISION fp16", [](TargetPlan& t) { t.recipe.precision = Precision::Fp16; }},
        {"E_HOST_NAME",
         [](TargetPlan& t) {
             for (Node& n : t.cluster.nodes)
                 n.id = n.id == "n2" ? "n$2" : n.id;
             for (Link& l : t.cluster.links) {
                 l.a = l.a == "n2" ? "n$2" : l.a;
                 l.b = l.b == "n2" ? "n$2" : l.b;
             }
         }},
        {"E_UNEVEN_LAYERS", [](TargetPlan&) {}},
        {"E_NO_WRITER", [](TargetPlan&) {}},
    };
    return table;
}

// Every code that a target can answer with.
const std::map<std::string, std::vector<std::string>>& codes() {
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
        {"megatron", plus(uniform, {"E_PRECISION fp8"})},
        {"megatron-bridge", plus(uniform, {"E_PRECISION fp8"})},
        {"nemo2", plus(uniform, {"E_PRECISION fp8", "E_STAGE_SIZE nodes"})},
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
                                   "E_UNSUPPORTED_MODEL size",
                                   "E_UNSUPPORTED_MODEL further tokens"})},
        {"flagscale",
         with({"E_SUBLAYER", "E_VPP", "E_EMPTY_STAGE", "E_NONCONTIGUOUS_DEVICES", "E_DEVICE_TYPE_ORDER",
               "E_LOCAL_MIX", "E_MB_SPLIT_UNEVEN", "E_REPLICA_SHAPE", "E_RECOMPUTE_PER_STAGE selective",
               "E_SHARDING", "E_SHARDING 3", "E_SEQUENCE_PARALLEL", "E_CP", "E_EP", "E_TIED_EMBED",
               "E_HOST_NAME", "E_PRECISION fp8"})},
        {"hexiscale",
         with({"E_SUBLAYER", "E_VPP", "E_EMPTY_STAGE", "E_DP_PER_STAGE", "E_MB_SPLIT_UNEVEN",
               "E_RECOMPUTE_PER_STAGE", "E_RECOMPUTE_PER_STAGE selective", "E_RECOMPUTE_PER_STAGE part",
               "E_SCHEDULE two kinds", "E_SHARDING", "E_SEQUENCE_PARALLEL", "E_CP", "E_EP",
               "E_UNSUPPORTED_MODEL size", "E_UNSUPPORTED_MODEL sequence",
               "E_UNSUPPORTED_MODEL further tokens", "E_HOST_NAME", "E_PRECISION fp8"})},
        {"hetu", with({"E_SUBLAYER", "E_VPP", "E_EMPTY_STAGE", "E_DP_PER_STAGE", "E_MB_SPLIT_UNEVEN",
                       "E_RECOMPUTE_PER_STAGE selective", "E_SHARDING", "E_SHARDING 3", "E_SEQUENCE_PARALLEL",
                       "E_CP", "E_EP", "E_UNSUPPORTED_MODEL heads", "E_UNSUPPORTED_MODEL further tokens",
                       "E_PRECISION fp16", "E_PRECISION fp32", "E_HOST_NAME"})},
        {"aceso",
         with({"E_VPP", "E_NONCONTIGUOUS_DEVICES", "E_LOCAL_MIX", "E_MB_SPLIT_UNEVEN", "E_REPLICA_SHAPE",
               "E_SHARDING", "E_SEQUENCE_PARALLEL", "E_CP", "E_EP", "E_UNSUPPORTED_MODEL size",
               "E_UNSUPPORTED_MODEL heads", "E_TP_PER_STAGE 4 behind 3", "E_DP_PER_STAGE 3 behind 2",
               "E_UNSUPPORTED_MODEL further tokens", "E_HOST_NAME", "E_PRECISION fp8"})},
        {"galvatron",
         with({"E_SUBLAYER", "E_VPP", "E_EMPTY_STAGE", "E_TP_PER_STAGE", "E_STAGE_SIZE",
               "E_DEVICE_TYPE_ORDER kinds", "E_MB_SPLIT_UNEVEN", "E_REPLICA_SHAPE",
               "E_RECOMPUTE_PER_STAGE selective", "E_SHARDING", "E_SHARDING 0 and 2", "E_SEQUENCE_PARALLEL",
               "E_EP", "E_UNSUPPORTED_MODEL further tokens", "E_HOST_NAME", "E_PRECISION fp8"})},
        {"runner",
         {"E_DIVIDE_GBS", "E_LAYER_ORDER", "E_EMPTY_STAGE nothing", "E_DIVIDE_HEADS", "E_PARTITION",
          "E_UNSUPPORTED_MODEL further tokens", "E_UNSUPPORTED_MODEL family", "E_UNSUPPORTED_MODEL router",
          "E_UNSUPPORTED_MODEL", "E_SCHEDULE zb-1p", "E_SHARDING 3", "E_CP", "E_MB_SPLIT_UNEVEN odd",
          "E_PRECISION fp8", "E_HOST_NAME"}},
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
    void everyTargetIsHere() {
        for (const ExporterRow& row : exporterTable())
            QVERIFY2(codes().contains(row.format) || (!row.trainer && row.check == nullptr), row.format);
    }

    void takenAsItIs_data() {
        QTest::addColumn<QString>("format");
        for (const auto& [format, list] : codes())
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
        for (const auto& [format, list] : codes())
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
        for (const auto& [format, list] : codes()) {
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
        for (Node& n : target.cluster.nodes) // Hetu's attention wants bf16
            n.kind = "A100-SXM4-40GB";
        QVERIFY(target.model.kvHeads != target.model.heads); // which Hetu's models cannot have
        QVERIFY(!named("hetu"));
        QVERIFY(named("flagscale"));
        target.model.kvHeads = target.model.heads;
        QVERIFY(named("hetu"));
    }

    // Every row of the table is reached by some target, so that none is dead.
    void everyRowRefusesSomething() {
        std::map<std::string, int> seen;
        for (const auto& [format, list] : codes())
            for (const std::string& code : list)
                ++seen[code.substr(0, code.find(' '))];
        for (const CapabilityRow& row : capabilityTable())
            QVERIFY2(seen.contains(row.code), row.code);
    }
};

QTEST_APPLESS_MAIN(RefusalsTest)
#include "refusals_test.moc"
