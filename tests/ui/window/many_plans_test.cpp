// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/planners.h"
#include "tests/ui/window_fixture.h"
#include "ui/plans/kept_plans.h"
#include "ui/window/dock_area.h"
#include "ui/window/dock_table.h"

#include <QDockWidget>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTableView>

using namespace pw;

// One plan and ten thousand of them, in the whole window: all views take them, and the table finds one. What
// works through all pairs of plans on each change would run into the time limit of a test.
class ManyPlansTest : public QObject {
    Q_OBJECT

private:
    WindowFolders m_folder;
    QString m_project;

    // Copies of a plan that was found, told apart by their launch counts and each a microsecond slower.
    static std::vector<FoundPlan> copies(const FoundPlan& found, int count) {
        std::vector<FoundPlan> plans(static_cast<std::size_t>(count), found);
        for (int i = 0; i < count; ++i) {
            FoundPlan& plan = plans[static_cast<std::size_t>(i)];
            plan.plan.pipelines.front().schedule.launch = {i + 1, i % 7 + 1};
            plan.evaluation.iteration = found.evaluation.iteration + Seconds(1e-6 * i);
            plan.evaluation.feasible = i % 10 != 9;
            if (!plan.evaluation.feasible)
                plan.evaluation.reasons = {"stage 0 needs 85.8 of 39.6 GiB on A100-40"};
        }
        return plans;
    }

private Q_SLOTS:
    void initTestCase() {
        m_folder.use();
        m_project = m_folder.smallProjectFile();
        QVERIFY(!m_project.isEmpty());
    }

    void allViewsTakeThem_data() {
        QTest::addColumn<int>("count");
        QTest::newRow("one") << 1;
        QTest::newRow("ten thousand") << 10'000;
    }
    void allViewsTakeThem() {
        QFETCH(int, count);
        MainWindow window;
        window.resize(1600, 1000);
        window.show();
        QVERIFY(window.openFile(m_project));
        AppContext& app = window.context();
        SearchOptions options;
        options.work = 20'000;
        SearchObserver nobody;
        const auto problem = app.document.problem();
        const auto outcome = search(problem, options, nobody, {});
        QVERIFY(outcome && !outcome->plans.empty());
        const int best =
            app.candidates.add(problem, copies(outcome->plans.front(), count), QStringLiteral("searched"));
        QCOMPARE(app.candidates.all().size(), static_cast<std::size_t>(count));
        app.selection.setPlan(best);
        for (QDockWidget* dock : window.docks().docks()) {
            dock->raise();
            QVERIFY2(!dock->grab().isNull(), qPrintable(dock->objectName()));
        }
        const auto* table = window.findChild<QTableView*>(QStringLiteral("plans.table"));
        QVERIFY(table->model()->rowCount() >= 1 &&
                table->model()->rowCount() <= count); // near ties are folded
        auto* filter = window.findChild<QLineEdit*>(QStringLiteral("plans.filter"));
        const QString last = QString::number(count);
        filter->setText(last);
        QVERIFY(table->model()->rowCount() >= 1 && (count == 1 || table->model()->rowCount() < count));
        filter->clear();
        app.candidates.setPinned(best, true);
        app.selection.setPlan(app.candidates.all().back().id);
        window.showPerspective(Perspective::Compare);
        app.candidates.clear();
        QCOMPARE(table->model()->rowCount(), 0);
    }

    // Thousands leave the table, come back and leave it again, each time in one change.
    void thousandsAreRemovedAtOnce() {
        constexpr int kAll = 10'000, kLeft = 2'000;
        MainWindow window;
        QVERIFY(window.openFile(m_project));
        AppContext& app = window.context();
        SearchOptions options;
        options.work = 20'000;
        SearchObserver nobody;
        const auto problem = app.document.problem();
        const auto outcome = search(problem, options, nobody, {});
        QVERIFY(outcome && !outcome->plans.empty());
        app.candidates.add(problem, copies(outcome->plans.front(), kAll), QStringLiteral("searched"));
        std::vector<int> ids; // one in five stays, so that they are no run
        for (std::size_t i = 0; i < app.candidates.all().size(); ++i)
            if (i % (kAll / kLeft) != 0)
                ids.push_back(app.candidates.all()[i].id);
        const QSignalSpy changes(&app.candidates, &Candidates::changed);
        QVERIFY(forgetPlans(app, ids));
        QCOMPARE(app.candidates.all().size(), static_cast<std::size_t>(kLeft));
        app.document.undoStack()->undo();
        QCOMPARE(app.candidates.all().size(), static_cast<std::size_t>(kAll));
        app.document.undoStack()->redo();
        QCOMPARE(app.candidates.all().size(), static_cast<std::size_t>(kLeft));
        QCOMPARE(changes.count(), 3);
        QVERIFY(!forgetPlans(app, ids)); // they are gone
    }
};

QTEST_MAIN(ManyPlansTest)
#include "many_plans_test.moc"
