// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/random.h"
#include "tests/draws.h"
#include "tests/ui/settle.h"
#include "tests/ui/window_fixture.h"
#include "ui/topology/canvas.h"
#include "ui/window/dock_area.h"
#include "ui/window/dock_table.h"
#include "ui/window/dock_title.h"

#include <QClipboard>
#include <QDialog>
#include <QDockWidget>
#include <QScrollArea>
#include <QToolButton>

using namespace pw;

// Docks on pages with little room, and one that has it all.
class DockAreaTest : public QObject {
    Q_OBJECT

private:
    WindowFolders m_folder;

    static QStringList seen(DockArea& area) {
        QStringList names;
        for (const QDockWidget* dock : area.docks())
            if (!dock->visibleRegion().isEmpty())
                names << dock->objectName();
        names.sort();
        return names;
    }
    void open(MainWindow& window, const QSize& size) const {
        window.resize(size);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        window.resize(size); // of this screen or larger
        QVERIFY(window.openFile(m_folder.smallProjectFile()));
        window.showPerspective(Perspective::Look);
        QVERIFY(settle()); // docks have their sizes
        QTRY_VERIFY(!seen(window.docks()).isEmpty());
    }

private Q_SLOTS:
    void initTestCase() { m_folder.use(); }

    void aDockHasThePageAndGivesItBack() {
        MainWindow window;
        open(window, {1600, 1000});
        DockArea& area = window.docks();
        QTRY_VERIFY(seen(area).contains(QStringLiteral("topology")) &&
                    seen(area).contains(QStringLiteral("plans")));
        const QStringList before = seen(area);
        QDockWidget* topology = area.dock(QStringLiteral("topology"));
        const int width = topology->width();
        const QByteArray layout = area.layoutState();
        auto* title = topology->findChild<DockTitle*>();
        QTest::mouseDClick(title, Qt::LeftButton, {}, {20, 10});
        QTRY_COMPARE(seen(area), QStringList(QStringLiteral("topology")));
        QVERIFY(!topology->isFloating());
        QTRY_VERIFY(topology->width() > 2 * width);
        QCOMPARE(area.layoutState(), layout); // what the next start gets
        QTest::mouseDClick(title, Qt::LeftButton, {}, {20, 10});
        QTRY_COMPARE(seen(area), before);
        QTRY_COMPARE(topology->width(), width);
        // Whoever is sent elsewhere meanwhile sees that.
        topology->findChild<QToolButton*>(QStringLiteral("topology.maximise"))->click();
        QTRY_VERIFY(area.isMaximised());
        window.commands().action("view.plans")->trigger();
        QVERIFY(!area.isMaximised());
        QTRY_VERIFY(seen(area).contains(QStringLiteral("plans")));
    }

    // Whatever is closed, raised, floated, arranged, resized and maximised in whatever order, without a pause
    // for layouts to settle or with one: nothing ends the program, and the page can be had again.
    void layoutsStandAnyOrder() {
        Random random(qEnvironmentVariable("PW_DOCK_SEED", QStringLiteral("20261126")).toULongLong());
        MainWindow window;
        open(window, {1600, 1000});
        DockArea& area = window.docks();
        const auto any = [&] {
            return area.docks()[static_cast<qsizetype>(random.below(area.docks().size()))];
        };
        for (int step = 0; step < test::draws(60, 600); ++step) {
            QDockWidget* dock = any();
            switch (random.below(9)) {
            case 0:
                dock->setVisible(!dock->isVisible());
                break;
            case 1:
                area.reveal(dock);
                break;
            case 2:
                dock->setFloating(!dock->isFloating());
                break;
            case 3:
                area.arrange(static_cast<int>(random.below(3)));
                break;
            case 4:
                window.resize(1000 + static_cast<int>(random.below(7)) * 100,
                              700 + static_cast<int>(random.below(4)) * 100);
                break;
            case 5:
                area.restoreDefault();
                break;
            default: {
                if (area.isMaximised())
                    area.maximise(nullptr);
                area.maximise(dock);
                if (random.below(2) == 0)
                    QCoreApplication::processEvents();
                if (random.below(3) > 0)
                    area.maximise(nullptr);
            }
            }
            if (random.below(3) == 0)
                QCoreApplication::processEvents();
        }
        area.restoreDefault();
        QTRY_VERIFY(!seen(area).isEmpty());
    }

    // Each arrangement is kept with the docks that are in front, and one that nobody has seen not at all.
    void whatWasNeverShownLeavesNothing() {
        MainWindow window;
        open(window, {1600, 1000});
        const QMap<QString, QByteArray> kept = window.docks().layouts();
        QVERIFY(kept.contains(QStringLiteral("look")));
        int never = 0;
        for (const DockArrangement& each : planningLayout().arrangements) {
            const QString name = QLatin1String(each.name);
            QCOMPARE(kept.contains(name + QStringLiteral(".fronts")), kept.contains(name));
            never += kept.contains(name) ? 0 : 1;
        }
        QVERIFY(never > 0);
    }

    void theKeyTakesTheViewWithTheFocus() {
        MainWindow window;
        open(window, {1600, 1000});
        QApplication::setActiveWindow(&window);
        window.commands().action("view.timeline")->trigger();
        QDockWidget* timeline = window.docks().dock(QStringLiteral("timeline"));
        QTRY_VERIFY(QApplication::focusWidget() && timeline->isAncestorOf(QApplication::focusWidget()));
        window.commands().action("view.maximise")->trigger();
        QTRY_COMPARE(seen(window.docks()), QStringList(QStringLiteral("timeline")));
        window.commands().action("view.maximise")->trigger();
        QTRY_VERIFY(seen(window.docks()).size() > 3);
    }

    // Also while the window is not active, as just behind a dialog; of the drawing a picture is of all of it.
    void aPictureIsOfTheViewWithTheFocus() {
        MainWindow window;
        open(window, {1600, 1000});
        QApplication::setActiveWindow(&window);
        const auto copied = [&] {
            window.commands().action("view.copyImage")->trigger();
            return QApplication::clipboard()->image().size();
        };
        window.commands().action("view.timeline")->trigger();
        QDockWidget* timeline = window.docks().dock(QStringLiteral("timeline"));
        QTRY_VERIFY(QApplication::focusWidget() && timeline->isAncestorOf(QApplication::focusWidget()));
        QCOMPARE(copied(), timeline->size());
        {
            QDialog before(&window);
            before.show();
            QApplication::setActiveWindow(&before);
            before.setFocus();
        }
        QApplication::setActiveWindow(nullptr);
        QCOMPARE(copied(), timeline->size());
        QApplication::setActiveWindow(&window);
        window.commands().action("view.topology")->trigger();
        auto* canvas = window.findChild<TopologyCanvas*>();
        QTRY_VERIFY(canvas && canvas->hasFocus());
        canvas->setZoom(3.0);
        QCOMPARE(copied(), canvas->topology().content().size().toSize());
    }

    // Two columns where there is no room for three; all docks are there, as tabs, and come back.
    void aNarrowPageHasFewerColumns() {
        MainWindow window;
        open(window, {1600, 1000});
        DockArea& area = window.docks();
        QTRY_VERIFY(seen(area).contains(QStringLiteral("details")));
        QCOMPARE(area.tabifiedDockWidgets(area.dock(QStringLiteral("details")))
                     .contains(area.dock(QStringLiteral("plans"))),
                 false);
        window.resize(1024, 740);
        QTRY_VERIFY(area.tabifiedDockWidgets(area.dock(QStringLiteral("details")))
                        .contains(area.dock(QStringLiteral("plans"))));
        const auto* page = window.findChild<QScrollArea*>(QStringLiteral("dockArea.page"));
        QTRY_VERIFY2(area.minimumSizeHint().width() <= page->viewport()->width(),
                     qPrintable(QStringLiteral("%1").arg(area.minimumSizeHint().width())));
        for (const DockPlace& place : area.arrangement().places)
            QVERIFY(area.dock(QLatin1String(place.name))->toggleViewAction()->isChecked());
        window.resize(1600, 1000);
        QTRY_VERIFY(!area.tabifiedDockWidgets(area.dock(QStringLiteral("details")))
                         .contains(area.dock(QStringLiteral("plans"))));
        QTRY_VERIFY(seen(area).contains(QStringLiteral("details")));
    }
};

QTEST_MAIN(DockAreaTest)
#include "dock_area_test.moc"
