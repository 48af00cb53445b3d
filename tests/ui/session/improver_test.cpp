// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/improver.h"

#include "core/answers/target_search.h"
#include "tests/ui/stages/edited_fixture.h"
#include "tests/whatif/edited_plan.h"
#include "ui/stages/stage_rows.h"

#include <QSignalSpy>
#include <QTest>

#include <algorithm>

using namespace pw;

// Improving the plan in view: what it may change, and what is said of it.
class ImproverTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void improvingKeepsWhatIsLocked() {
        EditedMapFixture f;
        f.selection.setStage(1);
        f.rows->setFocus();
        f.rows->toggleLock();
        QCOMPARE(f.whatIf.locks().stages, std::vector<int>{1});
        Improver improver(f.whatIf, f.candidates, f.selection);
        QSignalSpy finished(&improver, &Improver::finished);
        QVERIFY(improver.start());
        QVERIFY(!improver.canStart()); // one at a time
        QTRY_COMPARE_WITH_TIMEOUT(finished.count(), 1, 60'000);
        QVERIFY(f.selection.plan() != f.base);
        QCOMPARE(f.current().origin, QStringLiteral("improved"));
        QVERIFY(f.current().evaluation.iteration < f.candidates.find(f.base)->evaluation.iteration);
        const auto& stages = f.current().plan.pipelines.front().stages;
        QVERIFY(std::find(stages.begin(), stages.end(), f.plan.pipelines.front().stages[1]) != stages.end());
        QVERIFY(improver.text().contains(QLatin1String("faster")));
        QVERIFY(f.whatIf.locks().isEmpty()); // they belonged to the plan that it began with
    }

    // The trainer that Search asks for takes what is made of a plan that it takes; without it the same plan
    // leads to one that it refuses.
    void improvingStaysWithinTheTrainer() {
        const ExporterRow& megatron = *exporterRow("megatron");
        for (const ExporterRow* target : {&megatron, static_cast<const ExporterRow*>(nullptr)}) {
            EditedMapFixture f;
            const auto problem = f.document.problem();
            Plan even = f.plan;
            Pipeline& pipeline = even.pipelines.front();
            pipeline.schedule.launch = {2, 1};
            pipeline.stages = {test::stageOn(*problem, layersOfBlocks(0, 4, 8), {"n1.g0", "n1.g1"}, 2),
                               test::stageOn(*problem, layersOfBlocks(4, 8, 8), {"n1.g2", "n1.g3"}, 2)};
            QVERIFY(canRun(megatron, *problem, even));
            const int start =
                f.candidates.add(problem, {{even, *evaluate(*problem, even)}}, QStringLiteral("by hand"));
            f.selection.setPlan(start);
            Improver improver(f.whatIf, f.candidates, f.selection);
            QSignalSpy finished(&improver, &Improver::finished);
            QVERIFY(improver.start({}, target));
            QTRY_COMPARE_WITH_TIMEOUT(finished.count(), 1, 60'000);
            QVERIFY(f.selection.plan() != start);
            QCOMPARE(canRun(megatron, *problem, f.current().plan), target != nullptr);
            QVERIFY2(!improver.text().contains(QStringLiteral("cannot run")), qPrintable(improver.text()));
        }
    }

    // One that takes neither is named.
    void improvingSaysThatTheTrainerCannotRunIt() {
        EditedMapFixture f;
        const ExporterRow& trainer = *exporterRow("hexiscale"); // only sizes of Llama
        QVERIFY(neverRuns(*f.document.problem(), trainer));
        Improver improver(f.whatIf, f.candidates, f.selection);
        QSignalSpy finished(&improver, &Improver::finished);
        QVERIFY(improver.start({}, &trainer));
        QTRY_COMPARE_WITH_TIMEOUT(finished.count(), 1, 60'000);
        QVERIFY(f.selection.plan() != f.base);
        QVERIFY2(improver.text().contains(QStringLiteral("HexiScale, which Search asks for, cannot run it")),
                 qPrintable(improver.text()));
    }

    // What did not fit is not "faster" than what does, nor kept where it still does not.
    void improvingWhatDoesNotFitSaysSo() {
        EditedMapFixture f;
        Project tight = *f.document.project();
        for (Node& node : tight.cluster.nodes)
            node.memoryTaken = findKind(tight.cluster, node.kind)->memory * 0.999;
        f.document.adopt(tight, QString());
        const auto problem = f.document.problem();
        QVERIFY(problem);
        const auto evaluation = evaluate(*problem, f.plan);
        QVERIFY(evaluation && !evaluation->feasible);
        f.candidates.clear();
        f.selection.setPlan(f.candidates.add(problem, {{f.plan, *evaluation}}, QStringLiteral("by hand")));
        Improver improver(f.whatIf, f.candidates, f.selection);
        QSignalSpy finished(&improver, &Improver::finished);
        QVERIFY(improver.start());
        QTRY_COMPARE_WITH_TIMEOUT(finished.count(), 1, 120'000);
        QVERIFY2(!improver.text().contains(QStringLiteral("faster")), qPrintable(improver.text()));
        for (const Candidate& candidate : f.candidates.all())
            QVERIFY(candidate.evaluation.feasible || candidate.origin == QStringLiteral("by hand"));
    }
};

QTEST_MAIN(ImproverTest)
#include "improver_test.moc"
