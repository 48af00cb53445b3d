// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/settle.h"
#include "tests/ui/window_fixture.h"
#include "ui/commands/commands.h"
#include "ui/window/dock_area.h"
#include "ui/window/dock_table.h"

#include <QAction>
#include <QDockWidget>
#include <QTest>

#include <cstdlib>

using namespace pw;

// The docks of the window: where they are, how large, and that they come back so.
class DockLayoutTest : public QObject {
    Q_OBJECT

private:
    WindowFolders m_folder;
    QString m_project;

private Q_SLOTS:
    void init() {
        m_project = m_folder.useAnew();
        QVERIFY(!m_project.isEmpty());
    }

    void docksCloseAndComeBack() {
        MainWindow window;
        window.show();
        QVERIFY(window.openFile(m_project));
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        for (const DockRow& row : planningLayout().docks)
            QVERIFY2(window.docks().dock(QLatin1String(row.name)), row.name);
        for (QDockWidget* dock : window.docks().docks()) {
            dock->close();
            QVERIFY(dock->isHidden());
        }
        window.commands().action("view.restoreLayout")->trigger();
        const DockArea& area = window.docks();
        for (QDockWidget* dock : area.docks())
            QCOMPARE(!dock->isHidden(), area.arrangement().has(dock->objectName()));
        window.showPerspective(Perspective::Look);
        QDockWidget* plans = window.docks().dock(QStringLiteral("plans"));
        plans->setFloating(true);
        QVERIFY(QTest::qWaitForWindowExposed(plans));
        plans->setFloating(false);
        QVERIFY(!plans->isFloating());
    }

    void f11FillsTheScreenAndComesBack() {
        MainWindow window;
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        QTest::keyClick(&window, Qt::Key_F11);
        QVERIFY(window.isFullScreen());
        QTest::keyClick(&window, Qt::Key_F11);
        QVERIFY(!window.isFullScreen() && window.isVisible());
    }

    void docksKeepTheirSizes() {
        const auto opened = [&](MainWindow& window) {
            window.show();
            if (!QTest::qWaitForWindowExposed(&window))
                return false;
            window.resize(1500, 900); // larger than this screen, inside which it opens
            if (!window.openFile(m_project))
                return false;
            window.showPerspective(Perspective::Look);
            return settle(); // the layout is restored once the docks have their size
        };
        QSize left, right;
        {
            MainWindow window;
            QVERIFY(opened(window));
            QDockWidget* topology = window.docks().dock(QStringLiteral("search"));
            QDockWidget* plans = window.docks().dock(QStringLiteral("plans"));
            QVERIFY(topology && plans);
            left = topology->size();
            window.docks().resizeDocks({topology}, {left.width() + 90}, Qt::Horizontal);
            window.docks().resizeDocks({plans}, {plans->height() + 70}, Qt::Vertical);
            QVERIFY(settle());
            QVERIFY(topology->width() > left.width() + 40);
            left = topology->size();
            right = plans->size();
            window.close();
        }
        { // A start that never shows the docks leaves them as they are.
            MainWindow window;
            window.show();
            QVERIFY(QTest::qWaitForWindowExposed(&window));
            window.close();
        }
        MainWindow window;
        QVERIFY(opened(window));
        const QSize leftNow = window.docks().dock(QStringLiteral("search"))->size();
        const QSize rightNow = window.docks().dock(QStringLiteral("plans"))->size();
        QVERIFY2(std::abs(leftNow.width() - left.width()) <= 4,
                 qPrintable(QStringLiteral("%1 wide, was %2").arg(leftNow.width()).arg(left.width())));
        QVERIFY2(std::abs(rightNow.height() - right.height()) <= 4,
                 qPrintable(QStringLiteral("%1 high, was %2").arg(rightNow.height()).arg(right.height())));
    }

    void docksFitTheSmallestWindow() {
        MainWindow window;
        window.resize(window.minimumSize());
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window) && window.openFile(m_project));
        window.showPerspective(Perspective::Look);
        QVERIFY(settle());
        QVERIFY(window.minimumWidth() <= 1280 && window.minimumHeight() <= 690); // of a screen with a bar
        const auto check = [&] {
            QString sizes;
            for (const QDockWidget* dock : window.docks().docks())
                sizes += QStringLiteral("%1 %2x%3, ")
                             .arg(dock->objectName())
                             .arg(dock->minimumSizeHint().width())
                             .arg(dock->minimumSizeHint().height());
            const QSize least = window.docks().minimumSizeHint();
            QVERIFY2(least.width() <= window.docks().width() && least.height() <= window.docks().height(),
                     qPrintable(QStringLiteral("%1x%2 in %3x%4: %5")
                                    .arg(least.width())
                                    .arg(least.height())
                                    .arg(window.docks().width())
                                    .arg(window.docks().height())
                                    .arg(sizes)));
            QList<QRect> shown; // of the docks that lie on top of their tabs
            for (const QDockWidget* dock : window.docks().docks())
                if (!dock->visibleRegion().isEmpty())
                    shown << dock->geometry();
            for (int i = 0; i < shown.size(); ++i)
                for (int k = 0; k < i; ++k)
                    QVERIFY(!shown[i].intersects(shown[k]));
            QVERIFY(window.docks().dock(QStringLiteral("timeline"))->height() >= 150);
        };
        const auto tabbed = [&] {
            return window.docks()
                .tabifiedDockWidgets(window.docks().dock(QStringLiteral("timeline")))
                .contains(window.docks().dock(QStringLiteral("memory")));
        };
        check();
        QVERIFY(tabbed());
        QVERIFY(searched(window)); // its results need room too
        QVERIFY(settle());
        check();
        window.resize(1600, 1000);
        QVERIFY(settle());
        check();
        QVERIFY(!tabbed());
        window.resize(window.minimumSize());
        QVERIFY(settle());
        check();
        QVERIFY(tabbed());
    }
};

QTEST_MAIN(DockLayoutTest)
#include "dock_layout_test.moc"
