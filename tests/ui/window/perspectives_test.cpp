// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/settle.h"
#include "tests/ui/window_fixture.h"
#include "ui/base/error_text.h"
#include "ui/commands/commands.h"
#include "ui/plans/plan_table_model.h"
#include "ui/session/compare_set.h"
#include "ui/session/document.h"
#include "ui/session/search_runner.h"
#include "ui/session/selection.h"
#include "ui/window/dock_area.h"
#include "ui/window/dock_table.h"

#include <QAbstractButton>
#include <QAccessible>
#include <QApplication>
#include <QComboBox>
#include <QDockWidget>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QTableView>
#include <QToolButton>

#include <algorithm> // keep: ranges::is_permutation()

using namespace pw;

// Draw, Look and Compare: which of them comes up, and that each keeps its docks.
class PerspectivesTest : public QObject {
    Q_OBJECT

private:
    WindowFolders m_folder;

    void open(MainWindow& window, const QSize& size = {1600, 1000}) const {
        window.resize(size);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        window.resize(size); // of this screen or larger
        QVERIFY(window.openFile(m_folder.smallProjectFile()));
        QVERIFY(settle());
    }
    static Perspective shown(MainWindow& window) {
        return static_cast<Perspective>(window.docks().arranged());
    }
    static QDockWidget* dock(MainWindow& window, const char* name) {
        return window.docks().dock(QLatin1String(name));
    }
    static bool isSeen(MainWindow& window, const char* name) {
        return !dock(window, name)->visibleRegion().isEmpty();
    }
    static bool isLit(MainWindow& window, const char* segment) {
        return window.findChild<QToolButton*>(QLatin1String("perspectives.") + QLatin1String(segment))
            ->isChecked();
    }
    static void press(MainWindow& window, const char* segment) {
        auto* button =
            window.findChild<QToolButton*>(QLatin1String("perspectives.") + QLatin1String(segment));
        QTest::mouseClick(button, Qt::LeftButton);
        QVERIFY(settle());
    }

private Q_SLOTS:
    void initTestCase() { m_folder.use(); }
    void cleanup() { Settings().save(); }

    // Also on a screen of 1366 x 768, where an empty panel below it was too high once.
    void theDrawingHasMostOfALowWindow() {
        MainWindow window;
        open(window, {1366, 768});
        QVERIFY(dock(window, "topology")->height() > 380);
    }

    // Why a search did not run stands in sight of who asked for it, in the panel as in the tool bar.
    void whyNothingRanIsReadOnALowScreen() {
        MainWindow window;
        open(window, {1366, 768});
        press(window, "draw");
        SearchRunner& runner = window.context().runner;
        SearchDemand demand;
        demand.target = exporterRow("hexiscale"); // only sizes of Llama
        runner.setDemand(demand);
        QSignalSpy ended(&runner, &SearchRunner::finished);
        window.commands().action("search.run")->trigger();
        QVERIFY(ended.wait(60'000));
        QVERIFY(runner.failure());
        const auto* reasons = window.findChild<QLabel*>(QStringLiteral("search.reasons"));
        QTRY_VERIFY(reasons->visibleRegion().contains(QPoint(reasons->width() / 2, 8)));
        const auto* inToolBar = window.findChild<QPushButton*>(QStringLiteral("blockedReason"));
        QVERIFY(inToolBar->isVisible());
        QVERIFY2(inToolBar->accessibleName().contains(sentence(*runner.failure())),
                 qPrintable(inToolBar->accessibleName()));
    }

    void whatIsChosenFirstShowsItsProperties() {
        MainWindow window;
        open(window, {1366, 640});
        QDockWidget *search = dock(window, "search"), *properties = dock(window, "properties");
        QVERIFY(window.docks().tabifiedDockWidgets(search).contains(properties));
        Selection& selection = window.context().selection;
        const QString node = q(window.context().document.project()->cluster.nodes.front().id);
        search->raise();
        dock(window, "topology")->widget()->setFocus();
        QVERIFY(settle());
        selection.setItems({node});
        QVERIFY(settle());
        QVERIFY(isSeen(window, "properties"));
        QVERIFY(dock(window, "topology")->isAncestorOf(QApplication::focusWidget()));
        // Whoever goes back to the search stays there, also while he works in it.
        search->raise();
        selection.setItems({node, QStringLiteral("other")});
        QVERIFY(settle());
        QVERIFY(isSeen(window, "search"));
        selection.setItems({});
        search->widget()->setFocus();
        selection.setItems({node});
        QVERIFY(settle());
        QVERIFY(isSeen(window, "search"));
    }

    void theDrawingHasTheWindowUntilThereIsAPlan() {
        MainWindow window;
        open(window);
        QCOMPARE(shown(window), Perspective::Draw);
        QVERIFY(isLit(window, "draw") && !isLit(window, "look"));
        QVERIFY(isSeen(window, "topology") && isSeen(window, "palette") && !isSeen(window, "timeline"));
        QVERIFY(2 * dock(window, "topology")->width() > window.docks().width());
        QVERIFY(searched(window));
        QCOMPARE(shown(window), Perspective::Look);
        QVERIFY(isLit(window, "look") && !isLit(window, "draw"));
        QVERIFY(settle());
        QVERIFY(isSeen(window, "timeline") && isSeen(window, "plans") && !isSeen(window, "palette"));
        QVERIFY(window.focusWidget() && window.focusWidget()->isVisible());
        // Whoever goes back to the drawing and searches again is not taken away from it.
        window.commands().action("view.draw")->trigger();
        QVERIFY(searched(window));
        QCOMPARE(shown(window), Perspective::Draw);
    }

    // Also where what had it stood before a button of the tool bar, which Qt would go on to.
    void theFocusGoesToThePlans() {
        MainWindow window;
        open(window);
        window.commands().action("view.model")->trigger();
        auto* catalogue = window.findChild<QComboBox*>(QStringLiteral("model.catalogue"));
        QCOMPARE(window.focusWidget(), catalogue);
        QVERIFY(searched(window));
        QVERIFY(settle());
        QCOMPARE(shown(window), Perspective::Look);
        QVERIFY(window.focusWidget() && dock(window, "plans")->isAncestorOf(window.focusWidget()));
    }

    // The table comes to the front of its tabs with the first plan of each search, unless the user has gone
    // elsewhere since.
    void theFirstPlanBringsTheTable_data() {
        QTest::addColumn<bool>("goesElsewhere");
        QTest::newRow("stays") << false;
        QTest::newRow("goes elsewhere") << true;
    }
    void theFirstPlanBringsTheTable() {
        QFETCH(const bool, goesElsewhere);
        MainWindow window;
        open(window);
        QVERIFY(searched(window));
        press(window, "look");
        dock(window, "topology")->widget()->setFocus();
        dock(window, "findings")->raise();
        QVERIFY(settle());
        QVERIFY(isSeen(window, "findings") && !isSeen(window, "plans"));
        QSignalSpy ended(&window.context().runner, &SearchRunner::finished);
        QVERIFY(window.context().runner.start());
        QCoreApplication::sendPostedEvents();
        if (goesElsewhere)
            dock(window, "findings")->widget()->setFocus();
        QVERIFY(ended.wait(60'000));
        QVERIFY(settle());
        QCOMPARE(isSeen(window, "plans"), !goesElsewhere);
    }

    // The button that began it is off while it runs, and Qt goes on to the next one: nobody has.
    void itDoesSoFromTheButtonToo() {
        MainWindow window;
        open(window);
        QVERIFY(searched(window));
        press(window, "look");
        dock(window, "findings")->raise();
        auto* run = window.findChild<QAbstractButton*>(QStringLiteral("toolBar.run"));
        run->setFocus();
        QSignalSpy ended(&window.context().runner, &SearchRunner::finished);
        run->click();
        QVERIFY(ended.wait(60'000));
        QVERIFY(settle());
        QVERIFY(isSeen(window, "plans"));
    }

    // What a project brings with it was not asked for.
    void plansOfAnOpenedProjectDoNot() {
        MainWindow window;
        open(window);
        QVERIFY(searched(window));
        press(window, "look");
        dock(window, "findings")->raise();
        QVERIFY(window.context().document.save(m_folder.filePath(QStringLiteral("withPlans.pwx"))));
        QVERIFY(window.openFile(m_folder.filePath(QStringLiteral("withPlans.pwx"))));
        QVERIFY(settle());
        QCOMPARE(shown(window), Perspective::Look);
        QVERIFY(!window.context().candidates.all().empty());
        QVERIFY(!isSeen(window, "plans"));
    }

    void whoeverHasChosenStays() {
        MainWindow window;
        open(window);
        press(window, "draw"); // lit already: it is a choice all the same
        QVERIFY(isLit(window, "draw"));
        QVERIFY(searched(window));
        QCOMPARE(shown(window), Perspective::Draw);
        // The next project has made no choice yet.
        window.context().document.undoStack()->setClean();
        QVERIFY(window.openFile(m_folder.smallProjectFile()));
        QVERIFY(searched(window));
        QCOMPARE(shown(window), Perspective::Look);
    }

    void screenReadersSwitchThem() {
        MainWindow window;
        open(window);
        auto* segment = window.findChild<QToolButton*>(QStringLiteral("perspectives.look"));
        QAccessibleInterface* told = QAccessible::queryAccessibleInterface(segment);
        QVERIFY(told && told->actionInterface());
        told->actionInterface()->doAction(QAccessibleActionInterface::toggleAction());
        QCOMPARE(shown(window), Perspective::Look);
        QVERIFY(isLit(window, "look") && !isLit(window, "draw"));
    }

    void screenReadersPauseASearch() {
        MainWindow window;
        open(window);
        SearchRunner& runner = window.context().runner;
        auto* pause = window.findChild<QAbstractButton*>(QStringLiteral("toolBar.pause"));
        QAccessibleActionInterface* told = QAccessible::queryAccessibleInterface(pause)->actionInterface();
        QVERIFY(runner.start()); // that it has ended would come by an event
        told->doAction(QAccessibleActionInterface::toggleAction());
        QVERIFY(runner.isPaused() && pause->isChecked());
        told->doAction(QAccessibleActionInterface::toggleAction());
        QVERIFY(!runner.isPaused() && !pause->isChecked());
        runner.stop();
        QTRY_VERIFY_WITH_TIMEOUT(!runner.isRunning(), 60'000);
    }

    void compareHasItsFourViewsAndAWayBack() {
        MainWindow window;
        open(window);
        QVERIFY(searched(window));
        window.commands().action("view.compare")->trigger();
        QVERIFY(settle());
        QCOMPARE(shown(window), Perspective::Compare);
        for (const char* name : {"plans", "compare", "pareto", "differences"})
            QVERIFY2(isSeen(window, name), name);
        QVERIFY(!isSeen(window, "topology"));
        window.commands().action("view.compare")->trigger();
        QCOMPARE(shown(window), Perspective::Look);
        window.commands().action("view.accuracy")->trigger();
        QVERIFY(!isLit(window, "look"));
        press(window, "compare"); // also from another page
        QVERIFY(dock(window, "compare")->isVisible());
    }

    // The rows that stand chosen in the table; what was added by hand since stays.
    void compareTakesTheChosenPlans() {
        MainWindow window;
        open(window);
        QVERIFY(searched(window));
        press(window, "look");
        CompareSet& set = window.context().compare;
        const auto compared = [&set] {
            std::vector<int> ids;
            for (const CompareSet::Lane& lane : set.lanes())
                ids.push_back(lane.id);
            return ids;
        };
        auto* table = window.findChild<QTableView*>(QStringLiteral("plans.table"));
        QVERIFY(table->model()->rowCount() >= 2);
        const auto choose = [table](const std::vector<int>& rows) {
            table->clearSelection();
            std::vector<int> ids;
            for (const int row : rows) {
                const QModelIndex index = table->model()->index(row, 0);
                table->selectionModel()->select(index,
                                                QItemSelectionModel::Select | QItemSelectionModel::Rows);
                ids.push_back(index.data(PlanTableModel::IdRole).toInt());
            }
            return ids;
        };
        choose({0});
        press(window, "compare");
        QVERIFY(set.lanes().empty()); // one is none to compare
        press(window, "look");
        const std::vector<int> both = choose({0, 1});
        press(window, "compare");
        QCOMPARE(shown(window), Perspective::Compare);
        std::vector<int> now = compared();
        QVERIFY(std::ranges::is_permutation(now, both));
        set.setBase(1);
        press(window, "look");
        press(window, "compare");
        QCOMPARE(compared(), now);
        QCOMPARE(set.base(), std::size_t{1});
    }

    // Tabs that a low window makes too, which the layout for a higher one does not have.
    void eachKeepsItsFrontTabs() {
        MainWindow window;
        open(window, {1366, 640});
        for (const char* name : {"model", "search"})
            dock(window, name)->raise();
        QVERIFY(settle());
        QVERIFY(isSeen(window, "model") && isSeen(window, "search") && !isSeen(window, "properties"));
        press(window, "look");
        dock(window, "findings")->raise();
        press(window, "compare");
        press(window, "draw");
        for (const char* name : {"model", "search"})
            QVERIFY2(isSeen(window, name), name);
        QVERIFY(!isSeen(window, "problems") && !isSeen(window, "properties"));
        press(window, "look");
        QVERIFY(isSeen(window, "findings"));
        press(window, "draw");
        window.commands().action("view.restoreLayout")->trigger(); // forgets them
        QVERIFY(settle());
        QVERIFY(isSeen(window, "problems") && !isSeen(window, "model"));
    }

    // Arranged while another page is in view, where no dock is in sight: a low window's tabs are made all the
    // same, and the ones that stood in front do so again.
    void aPageInBetweenChangesNothing() {
        MainWindow window;
        open(window, {1366, 640});
        dock(window, "model")->raise();
        press(window, "look");
        DockArea& area = window.docks();
        const auto low = [&] {
            return area.tabifiedDockWidgets(dock(window, "timeline")).contains(dock(window, "memory")) &&
                   area.tabifiedDockWidgets(dock(window, "details")).contains(dock(window, "breakdown"));
        };
        QVERIFY(low());
        dock(window, "sensitivity")->raise();
        press(window, "draw");
        dock(window, "search")->raise();
        QVERIFY(settle());
        window.commands().action("view.accuracy")->trigger();
        QVERIFY(settle());
        press(window, "look");
        QVERIFY(low());
        QVERIFY(isSeen(window, "sensitivity"));
        window.commands().action("view.accuracy")->trigger();
        QVERIFY(settle());
        press(window, "draw");
        QVERIFY(isSeen(window, "model") && isSeen(window, "search"));
    }

    // A window that shrinks and grows while another page is in view.
    void aPageOutOfSightFollowsTheSize() {
        MainWindow window;
        open(window);
        press(window, "look");
        DockArea& area = window.docks();
        const auto low = [&] {
            return area.tabifiedDockWidgets(dock(window, "timeline")).contains(dock(window, "memory"));
        };
        for (const int height : {640, 1000}) {
            window.commands().action("view.accuracy")->trigger();
            QVERIFY(settle());
            window.resize(1366, height);
            QVERIFY(settle());
            press(window, "look");
            QCOMPARE(low(), height == 640);
        }
    }

    // Also those that a low window's tabs bring, which its whole layout does not have.
    void frontTabsReturnWithTheNextStart() {
        {
            MainWindow window;
            open(window, {1366, 640});
            for (const char* name : {"model", "search"})
                dock(window, name)->raise();
            press(window, "look");
            for (const char* name : {"sensitivity", "findings", "memory"})
                dock(window, name)->raise();
            QVERIFY(settle());
            window.close();
        }
        MainWindow window;
        open(window, {1366, 640});
        for (const char* name : {"model", "search"})
            QVERIFY2(isSeen(window, name), name);
        press(window, "look");
        for (const char* name : {"sensitivity", "findings", "memory"})
            QVERIFY2(isSeen(window, name), name);
    }

    void eachKeepsItsDocksAlsoForTheNextStart() {
        const auto isOpen = [](MainWindow& window, const char* name) {
            return dock(window, name)->toggleViewAction()->isChecked();
        };
        int paletteWidth = 0;
        {
            MainWindow window;
            open(window);
            dock(window, "properties")->close();
            window.docks().resizeDocks({dock(window, "palette")}, {333}, Qt::Horizontal);
            QVERIFY(settle());
            paletteWidth = dock(window, "palette")->width();
            press(window, "look");
            QVERIFY(isOpen(window, "details") && !isOpen(window, "palette"));
            dock(window, "details")->close();
            press(window, "draw");
            QVERIFY(!isOpen(window, "properties") && isOpen(window, "search"));
            QVERIFY(std::abs(dock(window, "palette")->width() - paletteWidth) <= 4);
            press(window, "compare");
            QVERIFY(isOpen(window, "compare") && !isOpen(window, "details"));
            window.close();
        }
        MainWindow window;
        open(window);
        QVERIFY(!isOpen(window, "properties"));
        QVERIFY2(std::abs(dock(window, "palette")->width() - paletteWidth) <= 4,
                 qPrintable(QString::number(dock(window, "palette")->width())));
        press(window, "look");
        QVERIFY(!isOpen(window, "details"));
        window.commands().action("view.restoreLayout")->trigger(); // of this one
        QVERIFY(isOpen(window, "details"));
        press(window, "draw");
        QVERIFY(!isOpen(window, "properties"));
    }

    void goingToAViewGoesToWhereItIs() {
        MainWindow window;
        open(window);
        window.commands().action("view.timeline")->trigger();
        QCOMPARE(shown(window), Perspective::Look);
        dock(window, "timeline")->close();
        window.commands().action("view.timeline")->trigger(); // it was closed here: it comes back here
        QVERIFY(settle());
        QVERIFY(isSeen(window, "timeline"));
        window.commands().action("view.model")->trigger();
        QCOMPARE(shown(window), Perspective::Draw);
        dock(window, "timeline")->toggleViewAction()->trigger(); // asked for in the menu: here
        QVERIFY(settle());
        QCOMPARE(shown(window), Perspective::Draw);
        QVERIFY(dock(window, "timeline")->isVisible());
    }

    void allFitSmallScreens_data() {
        QTest::addColumn<QSize>("screen");
        QTest::newRow("1366 x 768") << QSize(1366, 768);
        QTest::newRow("1024 x 768") << QSize(1024, 768);
        QTest::newRow("1366 x 768 at 200 %") << QSize(683, 384);
    }
    void allFitSmallScreens() {
        QFETCH(QSize, screen);
        MainWindow window;
        open(window, screen - QSize(8, 34)); // its frame
        QVERIFY(searched(window));
        for (const char* segment : {"draw", "look", "compare"}) {
            press(window, segment);
            auto* button =
                window.findChild<QToolButton*>(QLatin1String("perspectives.") + QLatin1String(segment));
            QCOMPARE(button->visibleRegion().boundingRect(), button->rect()); // nothing lies over it
            const DockArea& area = window.docks();
            const auto* page = window.findChild<QScrollArea*>(QStringLiteral("dockArea.page"));
            if (screen.width() >= 1024)
                QVERIFY2(area.minimumSizeHint().width() <= page->viewport()->width(), segment);
            QList<QRect> seen;
            for (const QDockWidget* each : area.docks())
                if (!each->visibleRegion().isEmpty())
                    seen << each->geometry();
            QVERIFY2(seen.size() >= (screen.height() >= 768 ? 2 : 1), segment); // the rest is scrolled to
            for (int i = 0; i < seen.size(); ++i)
                for (int k = 0; k < i; ++k)
                    QVERIFY2(!seen[i].intersects(seen[k]), segment);
        }
    }
};

QTEST_MAIN(PerspectivesTest)
#include "perspectives_test.moc"
