// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/runs/run_fixture.h"
#include "ui/runs/run_rows.h"

#include <algorithm>

using namespace pw;

// What the table of residuals says where there is nothing to hold a time against.
class RunRowsTest : public QObject {
    Q_OBJECT

    // The run shown with the times of its step and of what stage 0 does not compute.
    static PlanRun timed(const PlanRun& run, RunPair step, RunPair rest) {
        PlanRun other = run;
        other.overlay.iteration = step;
        other.overlay.stages.front().rest = rest;
        return other;
    }
    static PlanRunRow rowOf(const PlanRun& run, const QString& what) {
        const PlanRunTable table = residualTable(run, nullptr);
        const auto at = std::ranges::find_if(
            table.rows, [&](const PlanRunRow& row) { return row.cells[1].startsWith(what); });
        return at == table.rows.end() ? PlanRunRow() : *at;
    }

private Q_SLOTS:
    void differencesThatReadZeroHaveNoSign_data() {
        QTest::addColumn<double>("measured");
        QTest::addColumn<double>("predicted");
        QTest::addColumn<QString>("difference");
        QTest::newRow("none") << 2.0 << 2.0 << QStringLiteral("0.0 ms");
        QTest::newRow("some nanoseconds") << 0.25 << 0.25 + 20e-9 << QStringLiteral("0.0 \u00b5s");
        QTest::newRow("slower") << 2.0 << 1.75 << QStringLiteral("\u2212250.0 ms");
        QTest::newRow("faster") << 2.0 << 3.5 << QStringLiteral("+1.500 s");
    }
    void differencesThatReadZeroHaveNoSign() {
        QFETCH(double, measured);
        QFETCH(double, predicted);
        RunFixture app;
        QVERIFY(app.load(app.write(QStringLiteral("run.json"), app.made())));
        const PlanRun run = timed(*app.runs.shown(app.plan), {Seconds(measured), Seconds(predicted)}, {});
        const PlanRunRow row = rowOf(run, QStringLiteral("step"));
        QVERIFY(!row.cells.isEmpty());
        QTEST(row.cells[5], "difference");
    }

    // A stage that is predicted to compute all the time is not slower for resting a little.
    void whatIsPredictedToTakeNoneHasNoTone() {
        RunFixture app;
        QVERIFY(app.load(app.write(QStringLiteral("run.json"), app.made())));
        const PlanRunPointer shown = app.runs.shown(app.plan);
        const PlanRun& run = *shown;
        const auto toneOfRest = [&](double measured, double predicted) {
            return rowOf(timed(run, run.overlay.iteration, {Seconds(measured), Seconds(predicted)}),
                         QStringLiteral("rest"))
                .tone;
        };
        QCOMPARE(toneOfRest(0.01, 0.0), 0);
        QCOMPARE(toneOfRest(0.01, 1e-17), 0); // what is left of a difference of floating-point numbers
        QCOMPARE(toneOfRest(0.01, 0.005), 1);
        QCOMPARE(toneOfRest(0.01, 0.02), -1);
        QCOMPARE(toneOfRest(0.0, 0.02), -1);
        QCOMPARE(toneOfRest(0.01, 0.0101), 0);
    }
};

QTEST_MAIN(RunRowsTest)
#include "run_rows_test.moc"
