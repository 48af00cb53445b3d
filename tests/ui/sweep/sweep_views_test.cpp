// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
// The views of a sweep: what they show of a folder that is filled, and how they are walked.

#include "tests/sweep/large_sweep.h"
#include "tests/ui/settle.h"
#include "tests/ui/ui_fixture.h"
#include "ui/base/convert.h"
#include "ui/sweep/heat_plot.h"
#include "ui/sweep/heat_view.h"
#include "ui/sweep/sweep_front_plot.h"
#include "ui/sweep/sweep_front_view.h"
#include "ui/sweep/sweep_panel.h"
#include "ui/sweep/sweep_results_view.h"
#include "ui/sweep/sweep_study.h"
#include "ui/sweep/sweep_table.h"
#include "ui/sweep/sweep_table_model.h"
#include "ui/sweep/sweep_words.h"
#include "ui/widgets/message_bar.h"

#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>

using namespace pw;
using namespace pw::test;

namespace {

// All views in one window.
struct ShownSweep : UiFixture {
    SweepStudy& sweep = SweepStudy::of(document);
    SweepPanel* panel;
    HeatView* heat;
    SweepFrontView* front;
    SweepResultsView* results;

    ShownSweep() {
        window.resize(1300, 800);
        panel = new SweepPanel(context, &window);
        heat = new HeatView(context, &window);
        front = new SweepFrontView(context, &window);
        results = new SweepResultsView(context, &window);
        panel->setGeometry(0, 0, 300, 800);
        heat->setGeometry(300, 0, 600, 500);
        front->setGeometry(900, 0, 400, 500);
        results->setGeometry(300, 500, 1000, 300);
        window.show();
        if (!QTest::qWaitForWindowExposed(&window))
            qFatal("the window was not shown");
    }
    ~ShownSweep() { // before what they observe
        for (QWidget* view : {static_cast<QWidget*>(panel), static_cast<QWidget*>(heat),
                              static_cast<QWidget*>(front), static_cast<QWidget*>(results)})
            delete view;
    }
    ShownSweep(const ShownSweep&) = delete;
    ShownSweep& operator=(const ShownSweep&) = delete;
    bool open(const WrittenSweep& written) {
        sweep.open(q(written.path().string()));
        return QTest::qWaitFor([this] { return sweep.isOpen() && !sweep.isReading(); }, 60'000) && settled();
    }
    bool settled() {
        return QTest::qWaitFor([this] { return !front->isWorking(); }, 60'000) && settle();
    }
    // Until the next look has been taken.
    bool look() {
        QSignalSpy changed(&sweep, &SweepStudy::changed);
        sweep.look();
        return (changed.count() > 0 || changed.wait(60'000)) && settled();
    }
    QString label(const char* name) const { return panel->findChild<QLabel*>(QLatin1String(name))->text(); }
};

} // namespace

class SweepViewsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void noFolderIsToldAndNothingIsOpen() {
        ShownSweep app;
        const QTemporaryDir empty;
        QSignalSpy failed(&app.sweep, &SweepStudy::failed);
        app.sweep.open(empty.path());
        QVERIFY(failed.wait(60'000));
        QVERIFY(!app.sweep.isOpen());
        QVERIFY2(app.panel->message()->text().contains(QLatin1String("sweep.json")),
                 qPrintable(app.panel->message()->text()));
        QCOMPARE(app.results->table()->tasks()->rowCount(), 0);
    }

    void oneTask() {
        ShownSweep app;
        const WrittenSweep sweep({axis("gbs", "recipe.gbs", {64})}, kChunk);
        QVERIFY(app.open(sweep));
        QCOMPARE(app.results->table()->tasks()->rowCount(), 1);
        QCOMPARE(app.label("sweep.counts"),
                 QStringLiteral("0 of 1 tasks have a result, 0 of them no plan\n0 begun, 0 failed"));
        const HeatPlot& plot = *app.heat->plot();
        QCOMPARE(plot.cellText({}), QStringLiteral("gbs 64: no result yet"));
        sweep.append(sweep.begin(0) + sweep.plan(0, 2.5));
        QVERIFY(app.look());
        QCOMPARE(plot.cellText({}), QStringLiteral("gbs 64: 2.500 s"));
        QCOMPARE(app.label("sweep.counts"),
                 QStringLiteral("1 of 1 tasks have a result, 0 of them no plan\n0 begun, 0 failed"));
    }

    void damageIsToldAndTheRestShown() {
        ShownSweep app;
        const WrittenSweep sweep({axis("gbs", "recipe.gbs", {64, 128, 256})}, kChunk);
        sweep.append(sweep.plan(0, 1.0) + "{\"id\": }\n");
        sweep.append(sweep.plan(1, 2.0), "00000-local.0.there.2-00000002");
        sweep.append(sweep.plan(2, 3.0).substr(0, 20), "00000-local.0.there.3-00000003"); // half a line
        QVERIFY(app.open(sweep));
        QCOMPARE(app.sweep.status().done, std::size_t(2));
        QCOMPARE(app.sweep.damage().size(), std::size_t(1));
        QVERIFY2(app.panel->message()->text().contains(QLatin1String(".jsonl:2:")),
                 qPrintable(app.panel->message()->text()));
    }

    void whatWasWrongIsTakenBack() {
        ShownSweep app;
        const WrittenSweep sweep({axis("gbs", "recipe.gbs", {64, 128, 256})}, kChunk);
        sweep.append(sweep.plan(0, 1.0) + "{\"id\": }\n");
        QVERIFY(app.open(sweep));
        const QWidget& bar = *app.panel->message();
        QVERIFY(!bar.isHidden());
        QVERIFY2(app.panel->message()->text().startsWith(QLatin1String("results/")),
                 qPrintable(app.panel->message()->text())); // the folder stands above
        for (const auto& entry : std::filesystem::directory_iterator(sweep.path() / "results"))
            std::filesystem::resize_file(entry.path(), sweep.plan(0, 1.0).size());
        QVERIFY(app.look());
        QVERIFY(bar.isHidden());
        // So is that the folder is gone.
        const std::filesystem::path away = sweep.path().string() + ".away";
        std::filesystem::rename(sweep.path(), away);
        QVERIFY(app.look());
        QVERIFY(!bar.isHidden() && app.sweep.isOpen() && app.sweep.isGone());
        QVERIFY2(app.panel->message()->text().contains(QLatin1String("no longer there")),
                 qPrintable(app.panel->message()->text()));
        QVERIFY(!app.panel->findChild<QPushButton*>(QStringLiteral("sweep.run"))->isEnabled());
        QCOMPARE(app.sweep.status().done, std::size_t(1));
        std::filesystem::rename(away, sweep.path());
        QVERIFY(app.look());
        QVERIFY(bar.isHidden());
        QVERIFY(app.panel->findChild<QPushButton*>(QStringLiteral("sweep.run"))->isEnabled());
    }

    void withoutPlansThereIsNoFront() {
        ShownSweep app;
        const WrittenSweep sweep({axis("gbs", "recipe.gbs", {64, 128})}, kChunk);
        sweep.append(sweep.noPlan(0, "too large"));
        QVERIFY(app.open(sweep));
        QVERIFY(!app.front->plot()->isVisible());
        sweep.append(sweep.plan(1, 2.0, 3.0));
        QVERIFY(app.look());
        QVERIFY(app.front->plot()->isVisible());
        QCOMPARE(app.front->plot()->front(), std::vector<std::size_t>{1});
        QCOMPARE(app.front->plot()->pointCount(), 1);
    }

    void filesOfOneNameAreToldApart() {
        SweepAxis clusters;
        clusters.kind = AxisKind::Cluster;
        clusters.values = {R"("a/x/cluster.json")", R"("b/x/cluster.json")", R"("other.v2.json")"};
        QCOMPARE(valueText(clusters, 0), QStringLiteral("a/x/cluster"));
        QCOMPARE(valueText(clusters, 1), QStringLiteral("b/x/cluster"));
        QCOMPARE(valueText(clusters, 2), QStringLiteral("other.v2"));
        clusters.values = {R"("c.json")", R"("c.pwx")", R"("/c.json")"};
        QCOMPARE(valueText(clusters, 0), QStringLiteral("c.json"));
        QCOMPARE(valueText(clusters, 1), QStringLiteral("c.pwx"));
        QCOMPARE(valueText(clusters, 2), QStringLiteral("/c"));
    }

    void cellsAreWalkedAndSayWhy() {
        ShownSweep app;
        const WrittenSweep sweep({axis("gbs", "recipe.gbs", {64, 128, 256}),
                                  countAxis("V100", "V100-16", {0, 1}), drawAxis("draw", 2)},
                                 kChunk);
        for (std::size_t task = 0; task < sweep.tasks(); ++task)
            sweep.append(task < 2 ? sweep.noPlan(task, "stage 0 needs <b>85.8</b> of 39.6 GiB")
                                  : sweep.plan(task, 1.0 + 0.1 * static_cast<double>(task), 12.0));
        QVERIFY(app.open(sweep));
        HeatPlot& plot = *app.heat->plot();
        QCOMPARE(plot.map().columns, std::size_t(3));
        QCOMPARE(plot.map().rows, std::size_t(2));
        QTest::mouseClick(&plot, Qt::LeftButton, {}, plot.cellRect({0, 0, 0}).center().toPoint());
        QVERIFY2(plot.cellText(*plot.current()).contains(QLatin1String("stage 0 needs <b>85.8</b>")),
                 qPrintable(plot.cellText(*plot.current())));
        plot.setFocus();
        QTest::keyClick(&plot, Qt::Key_Up);
        QCOMPARE(plot.current(), (HeatPlot::Place{0, 1, 0}));
        QCOMPARE(app.sweep.chosen(), 2); // the better of the two draws
        QTest::keyClick(&plot, Qt::Key_End);
        QCOMPARE(app.sweep.chosen(), 10);
        QCOMPARE(app.results->table()->currentIndex().row(), 10);
        QTest::keyClick(&plot, Qt::Key_Left);
        QTest::keyClick(&plot, Qt::Key_Down);
        QCOMPARE(plot.current(), (HeatPlot::Place{0, 0, 1}));
        // Small multiples: the walk goes from one to the next.
        auto* panels = app.heat->findChild<QComboBox*>(QStringLiteral("sweep.heat.panels"));
        panels->setCurrentIndex(panels->findText(QStringLiteral("draw")));
        QCOMPARE(plot.map().panels, std::size_t(2));
        QTest::keyClick(&plot, Qt::Key_End);
        QTest::keyClick(&plot, Qt::Key_Right);
        QCOMPARE(plot.current()->panel, std::size_t(1));
        QCOMPARE(plot.accessibleParts().size(), std::size_t(12));
        // A row of the table leads to its cell.
        app.results->table()->selectRow(0);
        QCOMPARE(plot.current(), (HeatPlot::Place{0, 0, 0}));
    }

    void theFrontIsMarkedAndListed() {
        ShownSweep app;
        const WrittenSweep sweep({axis("gbs", "recipe.gbs", {64, 128, 256, 512})}, kChunk);
        const double times[] = {4.0, 3.0, 2.0, 3.5}, prices[] = {1.0, 2.0, 5.0, 4.0};
        for (std::size_t task = 0; task < 4; ++task)
            sweep.append(sweep.plan(task, times[task], prices[task]));
        QVERIFY(app.open(sweep));
        SweepFrontPlot& plot = *app.front->plot();
        QCOMPARE(plot.front(), (std::vector<std::size_t>{0, 1, 2}));
        QCOMPARE(plot.pointCount(), 4);
        QCOMPARE(app.front->table()->tasks()->rowCount(), 3);
        QTest::mouseClick(&plot, Qt::LeftButton, {}, plot.positionOf(3).toPoint());
        QCOMPARE(app.sweep.chosen(), 3);
        app.sweep.setChosen(0);
        plot.setFocus();
        QTest::keyClick(&plot, Qt::Key_Right);
        QCOMPARE(app.sweep.chosen(), 1);
    }

    void tableSortsNumbersAndKeepsTheChosen() {
        ShownSweep app;
        const WrittenSweep sweep({axis("gbs", "recipe.gbs", {64, 128, 256, 512})}, kChunk);
        sweep.append(sweep.plan(0, 10.0) + sweep.plan(1, 9.0) + sweep.noPlan(2, "why"));
        QVERIFY(app.open(sweep));
        SweepTable& table = *app.results->table();
        SweepTableModel& model = *table.tasks();
        const QAbstractItemModelTester tester(&model);
        app.sweep.setChosen(1);
        const int column = model.columnOf(SweepFigure::Iteration);
        for (const auto& [order, first] :
             {std::pair(Qt::AscendingOrder, 1), std::pair(Qt::DescendingOrder, 0)}) {
            table.sortByColumn(column, order);
            QCOMPARE(model.taskAt(0), first);
            QVERIFY(model.taskAt(2) >= 2 && model.taskAt(3) >= 2); // without the figure they stay last
            QCOMPARE(model.taskAt(table.currentIndex().row()), 1);
        }
        sweep.append(sweep.plan(3, 1.0));
        QVERIFY(app.look());
        QCOMPARE(model.taskAt(2), 3);
        QCOMPARE(model.taskAt(table.currentIndex().row()), 1);
    }

    void failuresAreListed() {
        ShownSweep app;
        const WrittenSweep sweep({axis("gbs", "recipe.gbs", {64, 128})}, kChunk);
        std::ofstream(sweep.path() / "log" / "00000.log") << "Killed: out of memory\n";
        for (int i = 0; i < 3; ++i)
            sweep.append(sweep.begin(1));
        QVERIFY(app.open(sweep));
        const auto* list = app.panel->findChild<QListWidget*>(QStringLiteral("sweep.failed"));
        QCOMPARE(list->count(), 1);
        QVERIFY2(list->item(0)->text().contains(QLatin1String("out of memory")),
                 qPrintable(list->item(0)->text()));
    }

    void fiftyNineThousandTasks() {
        const LargeSweep sweep;
        QCOMPARE(sweep.tasks(), std::size_t(59'049));
        ShownSweep app;
        QVERIFY(app.open(sweep));
        QCOMPARE(app.sweep.status().done, sweep.tasks());
        SweepTableModel& model = *app.results->table()->tasks();
        QCOMPARE(model.rowCount(), 59'049);
        app.results->table()->sortByColumn(model.columnOf(SweepFigure::Iteration), Qt::AscendingOrder);
        for (int row = 1; row < model.rowCount(); row += 997)
            QVERIFY(!(app.sweep.rows()[static_cast<std::size_t>(model.taskAt(row))].figures[0] <
                      app.sweep.rows()[static_cast<std::size_t>(model.taskAt(row - 1))].figures[0]));
        auto* y = app.heat->findChild<QComboBox*>(QStringLiteral("sweep.heat.y"));
        y->setCurrentIndex(y->findText(QStringLiteral("draw")));
        QVERIFY(app.settled());
        app.sweep.setChosen(40'000);
        QVERIFY(app.settled());
    }
};

QTEST_MAIN(SweepViewsTest)
#include "sweep_views_test.moc"
