// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/window_fixture.h"
#include "ui/window/dock_area.h"
#include "ui/window/screen_fit.h"

#include <QDockWidget>
#include <QScreen>
#include <QScrollArea>

using namespace pw;

// The window stands on the screen that there is, whatever it was left on.
class ScreenFitTest : public QObject {
    Q_OBJECT

private:
    WindowFolders m_folder;

private Q_SLOTS:
    void initTestCase() { m_folder.use(); }

    void aWindowIsMovedAndMadeSmallerUntilItsFrameFits() {
        const QMargins frame(4, 30, 4, 4);
        for (const QSize& size : {QSize(1366, 768), QSize(1280, 720), QSize(1024, 768), QSize(2560, 1600)}) {
            const QRect screen(QPoint(0, 24), size - QSize(0, 24)); // a panel on top
            const QRect outer = fittedTo(screen, {-40, -40, 1600, 1000}, frame).marginsAdded(frame);
            QVERIFY2(screen.contains(outer), qPrintable(QStringLiteral("%1").arg(size.width())));
            QCOMPARE(outer.width(), std::min(size.width(), 1608));
        }
        const QRect there(100, 100, 800, 600);
        QCOMPARE(fittedTo({0, 0, 1600, 1000}, there, frame), there);
    }

    void theFirstStartFitsTheScreen() {
        MainWindow window;
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        QTRY_VERIFY(window.screen()->availableGeometry().contains(window.frameGeometry()));
    }

    // What was kept is of a screen that is larger than this one.
    void aKeptPlaceIsHeldInside() {
        QByteArray kept;
        {
            MainWindow window;
            window.setMinimumSize(0, 0);
            window.setGeometry(900, 900, 3000, 2000);
            kept = window.saveGeometry();
        }
        Settings settings = Settings::load();
        settings.geometry = kept;
        settings.save();
        MainWindow window;
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        QTRY_VERIFY(window.screen()->availableGeometry().contains(window.frameGeometry()));
        Settings().save();
    }

    // On a screen that is too small for the docks these scroll; nothing is out of reach.
    void docksScrollWhereTheyHaveTooLittleRoom() {
        const QString file = m_folder.smallProjectFile();
        MainWindow window;
        QVERIFY(window.openFile(file));
        window.show();
        window.resize(window.minimumSize());
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        const auto* page = window.findChild<QScrollArea*>(QStringLiteral("dockArea.page"));
        QVERIFY(page);
        QTRY_VERIFY(window.docks().width() >= window.docks().minimumSizeHint().width());
        QTRY_VERIFY(page->viewport()->width() <= window.width());
        QVERIFY(window.minimumWidth() <= 683 && window.minimumHeight() <= 420); // 1366 x 768 at 200 %
    }
};

QTEST_MAIN(ScreenFitTest)
#include "screen_fit_test.moc"
