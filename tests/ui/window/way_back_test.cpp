// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/settle.h"
#include "tests/ui/window_fixture.h"
#include "ui/session/compare_set.h"
#include "ui/window/dock_area.h"
#include "ui/window/dock_focus.h"
#include "ui/window/dock_table.h"

#include <QApplication>
#include <QDockWidget>
#include <QLabel>
#include <QListWidget>
#include <QTableView>

using namespace pw;

// From a stage or a bar back to the plan as a whole: by Esc in whatever view of the plan, and by a click on
// the plan's row.
class WayBackTest : public QObject {
    Q_OBJECT

private:
    Selection& selection() { return m_window->context().selection; }
    QString heading() const {
        return m_window->findChild<QLabel*>(QStringLiteral("details.heading"))->text();
    }
    QDockWidget* reveal(const QString& name) {
        QDockWidget* dock = m_window->docks().dock(name);
        m_window->docks().reveal(dock);
        return settle() ? dock : nullptr;
    }
    void leaveDetail() {
        QVERIFY2(heading().startsWith(QLatin1String("Stage")), qPrintable(heading()));
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
        QCOMPARE(selection().stage(), -1);
        QCOMPARE(selection().bar().track, -1);
        QVERIFY2(heading().startsWith(QLatin1String("Plan")), qPrintable(heading()));
    }

    WindowFolders m_folders;
    std::unique_ptr<MainWindow> m_window;

private Q_SLOTS:
    void initTestCase() {
        m_folders.use();
        m_window = shownWindow();
        QVERIFY(m_window->openFile(m_folders.smallProjectFile()));
        QVERIFY(searched(*m_window));
        const auto& plans = m_window->context().candidates.all();
        QVERIFY(plans.size() >= 2);
        m_window->context().compare.setPlans({plans[0].id, plans[1].id});
        m_window->docks();
        selection().setPlan(plans[0].id);
    }
    void cleanupTestCase() { m_window.reset(); }
    void init() {
        m_window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        selection().setItems({});
        selection().setStage(0);
    }

    void byEscFromEveryView_data() {
        QTest::addColumn<QString>("dock");
        for (const DockRow& row : planningLayout().docks)
            QTest::newRow(row.name) << QString::fromLatin1(row.name);
    }
    void byEscFromEveryView() {
        QFETCH(QString, dock);
        QDockWidget* shown = reveal(dock);
        QVERIFY(shown);
        focusView(*shown, Qt::OtherFocusReason);
        QTRY_VERIFY(shown->isAncestorOf(QApplication::focusWidget()));
        leaveDetail();
    }

    void byEscFromAFloatingView() {
        QDockWidget* dock = reveal(QStringLiteral("breakdown"));
        QVERIFY(dock);
        dock->setFloating(true);
        QVERIFY(QTest::qWaitForWindowExposed(dock));
        selection().setBar({0, 0, 0}); // with its stage
        QTest::keyClick(dock->widget()->focusProxy(), Qt::Key_Escape);
        QCOMPARE(selection().stage(), -1);
        QCOMPARE(selection().bar().track, -1);
        dock->setFloating(false);
    }

    // What a view has to forget of its own it forgets first.
    void theMarksOfAComparisonGoFirst() {
        QDockWidget* dock = reveal(QStringLiteral("compare"));
        QVERIFY(dock);
        CompareSet& compare = m_window->context().compare;
        compare.setMicrobatch(0);
        focusView(*dock, Qt::OtherFocusReason);
        QTRY_VERIFY(dock->isAncestorOf(QApplication::focusWidget()));
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
        QCOMPARE(compare.microbatch(), -1);
        QCOMPARE(selection().stage(), 0);
        leaveDetail();
    }

    void byAClickOnThePlansRow() {
        QVERIFY(reveal(QStringLiteral("plans")));
        auto* table = m_window->findChild<QTableView*>(QStringLiteral("plans.table"));
        const QModelIndex row = table->currentIndex().siblingAtColumn(2);
        QVERIFY(row.isValid());
        table->scrollTo(row);
        QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, table->visualRect(row).center());
        QCOMPARE(selection().stage(), -1);
        QVERIFY2(heading().startsWith(QLatin1String("Plan")), qPrintable(heading()));
    }

    void byAClickInTheListOfBestPlans() {
        QVERIFY(reveal(QStringLiteral("search")));
        auto* list = m_window->findChild<QListWidget*>(QStringLiteral("search.bestPlans"));
        QVERIFY(list->count() > 0 && list->isVisible());
        QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualItemRect(list->item(0)).center());
        QCOMPARE(selection().stage(), -1);
    }
};

QTEST_MAIN(WayBackTest)
#include "way_back_test.moc"
