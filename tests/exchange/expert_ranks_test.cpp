// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/exports/export.h"
#include "tests/exchange/exported_file.h"
#include "tests/exchange/target_plans.h"

#include <QTest>

#include <algorithm>
#include <string>
#include <vector>

using namespace pw;

namespace {

// Four stages of four A100s each, whose eight experts lie over all of them.
TargetPlan overAllDevices(const char* format, int tp, int cp) {
    TargetPlan target = planFor(format);
    Model& m = target.model;
    m.experts.count = 8;
    m.experts.perToken = 2;
    m.experts.ffn = m.ffn;
    for (Node& n : target.cluster.nodes)
        n.kind = "A100-SXM4-40GB";
    for (Stage& s : target.plan.pipelines.front().stages) {
        std::vector<Replica> own;
        for (const Replica& replica : s.replicas)
            for (const DeviceIndex device : replica.devices) {
                if (own.empty() || own.back().devices.size() == static_cast<std::size_t>(tp * cp))
                    own.emplace_back();
                own.back().devices.push_back(device);
            }
        for (Replica& replica : own)
            replica.share = 1.0 / static_cast<double>(own.size());
        s.replicas = std::move(own);
        s.tp = tp;
        s.cp = cp;
        s.ep = 4;
        s.sequenceParallel = tp > 1;
    }
    Pipeline& p = target.plan.pipelines.front();
    p.microbatchSize = p.stages.front().dp();
    p.microbatches = target.recipe.gbs / p.microbatchSize;
    return target;
}

} // namespace

// Experts over more ranks than a stage has replicas: Megatron-Core's own groups (parallel_state.py:871 of
// main) are over all devices of a stage, by tensor-parallel parts or whole.
class ExpertRanksTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void megatronSpreadsThem_data() {
        QTest::addColumn<int>("tp");
        QTest::addColumn<int>("cp");
        QTest::addColumn<QString>("cut"); // --expert-tensor-parallel-size
        QTest::newRow("over replicas") << 1 << 1 << QString();
        QTest::newRow("over context parallelism too") << 1 << 2 << QString();
        QTest::newRow("whole ones over tensor parallelism too") << 2 << 1 << QStringLiteral("1");
        QTest::newRow("over all three") << 2 << 2 << QStringLiteral("1");
    }
    void megatronSpreadsThem() {
        QFETCH(int, tp);
        QFETCH(int, cp);
        QFETCH(QString, cut);
        const TargetPlan target = overAllDevices("megatron", tp, cp);
        const auto problem = target.problem();
        const Status sound = checkPlan(*problem, target.plan, "plan");
        QVERIFY2(sound, sound ? "" : sound.error().text().c_str());
        const ExportResult made = makeExport(*exporterRow("megatron"), {*problem, {}, target.plan, {}});
        QVERIFY2(made.refusals.empty(),
                 made.refusals.empty() ? "" : reasonOf(made.refusals.front()).text().c_str());
        const std::string script = fileOf(made, "pretrain.sh");
        QVERIFY(script.find("--expert-model-parallel-size 4") != std::string::npos);
        const std::string flag = "--expert-tensor-parallel-size";
        QCOMPARE(script.find(flag) != std::string::npos, !cut.isEmpty());
        QVERIFY(cut.isEmpty() || script.find(flag + " " + cut.toStdString()) != std::string::npos);
    }

    // Nodes with whole pipelines: ranks run over the stages first, and the core asserts that experts have as
    // many data-parallel ranks as the rest.
    void megatronRefusesOtherReplicasOfExperts_data() {
        QTest::addColumn<QString>("format");
        QTest::addColumn<int>("ep");
        QTest::addColumn<int>("cp");
        QTest::addColumn<bool>("taken");
        for (const char* format : {"megatron", "megatron-bridge"}) {
            const auto row = [&](const char* what, int ep, int cp, bool taken) {
                QTest::addRow("%s, %s", format, what) << QString::fromLatin1(format) << ep << cp << taken;
            };
            row("no expert parallelism", 1, 1, true);
            row("over replicas", 2, 1, false);
            row("context parallelism alone", 1, 2, false);
            row("over context-parallel ranks", 2, 2, true);
        }
    }
    void megatronRefusesOtherReplicasOfExperts() {
        QFETCH(QString, format);
        QFETCH(int, ep);
        QFETCH(int, cp);
        QFETCH(bool, taken);
        TargetPlan target = overAllDevices(format.toLatin1().constData(), 1, cp);
        Pipeline& p = target.plan.pipelines.front();
        p.stages.resize(2);
        p.schedule.launch = {2, 1};
        const int dp = 8 / cp;
        for (int s = 0; s < 2; ++s) {
            Stage& stage = p.stages[static_cast<std::size_t>(s)];
            stage.chunks = {layersOfBlocks(16 * s, 16 * (s + 1), 32)};
            stage.ep = ep;
            stage.replicas.assign(static_cast<std::size_t>(dp), {});
            for (int r = 0; r < dp; ++r) { // GPU by GPU: stage 0 and stage 1 of a pipeline, then the next one
                Replica& replica = stage.replicas[static_cast<std::size_t>(r)];
                replica.share = 1.0 / dp;
                for (int c = 0; c < cp; ++c)
                    replica.devices.push_back((r * 2 + s) * cp + c);
            }
        }
        p.microbatchSize = dp;
        p.microbatches = target.recipe.gbs / dp;
        const auto problem = target.problem();
        const Status sound = checkPlan(*problem, target.plan, "plan");
        QVERIFY2(sound, sound ? "" : sound.error().text().c_str());
        const std::vector<Refusal> refusals =
            exportRefusals(*exporterRow(format.toStdString()), *problem, target.plan);
        if (taken)
            QVERIFY2(refusals.empty(), refusals.empty() ? "" : reasonOf(refusals.front()).text().c_str());
        else
            QVERIFY(refusals.size() == 1 && refusals.front().code == "E_NONCONTIGUOUS_DEVICES");
    }

    // Those whose groups are of replicas refuse, with the number.
    void othersRefuse() {
        for (const char* format : {"runner", "flagscale"}) {
            const TargetPlan target = overAllDevices(format, 2, 1);
            const auto problem = target.problem();
            const std::vector<Refusal> refusals = exportRefusals(*exporterRow(format), *problem, target.plan);
            const auto found = std::ranges::find_if(refusals, [](const Refusal& r) {
                return r.code == "E_EP" && r.message == "expert parallel 4 does not divide 2 replicas";
            });
            QVERIFY2(found != refusals.end(), format);
        }
    }
};

QTEST_APPLESS_MAIN(ExpertRanksTest)
#include "expert_ranks_test.moc"
