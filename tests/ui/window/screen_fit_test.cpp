// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/window_fixture.h"
#include "ui/base/background_job.h"
#include "ui/commands/commands.h"
#include "ui/help/help.h"
#include "ui/help/manual_window.h"
#include "ui/window/dialog_pictures.h"
#include "ui/window/dock_area.h"
#include "ui/window/screen_fit.h"

#include <QDialog>
#include <QDockWidget>
#include <QPushButton>
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

    // 1366 x 768 at 150 % text. Every button that is not greyed away lies inside, or where it is scrolled to.
    void eachDialogIsReachableOnASmallScreen_data() {
        QTest::addColumn<int>("index");
        for (std::size_t i = 0; i < dialogPictures().size(); ++i)
            QTest::newRow(dialogPictures()[i].name) << static_cast<int>(i);
    }
    void eachDialogIsReachableOnASmallScreen() {
        QFETCH(int, index);
        static std::unique_ptr<MainWindow> window;
        if (!window) {
            window = std::make_unique<MainWindow>();
            QVERIFY(window->openFile(m_folder.smallProjectFile()));
            QVERIFY(searched(*window));
        }
        const QSize room(902, 478); // inside a usual frame
        for (const QSize& size : {room, QSize(480, 300)}) {
            const auto dialog =
                dialogPictures()[static_cast<std::size_t>(index)].make(*window, m_folder.path());
            QVERIFY(dialog);
            dialog->ensurePolished();
            shrinkInto(*dialog, size);
            dialog->show();
            QTRY_VERIFY_WITH_TIMEOUT(!BackgroundJob::anyRunning(), 60'000);
            QVERIFY2(dialog->width() <= size.width() && dialog->height() <= size.height(),
                     qPrintable(QStringLiteral("%1 x %2").arg(dialog->width()).arg(dialog->height())));
            for (QPushButton* button : dialog->findChildren<QPushButton*>()) {
                if (!button->isVisible())
                    continue;
                auto* scroll = dialog->findChild<QScrollArea*>(QStringLiteral("fitted"));
                if (scroll)
                    scroll->ensureWidgetVisible(button);
                const QRect place(button->mapTo(dialog.get(), QPoint()), button->size());
                QVERIFY2(dialog->rect().contains(place), qPrintable(button->text()));
            }
        }
        if (index + 1 == static_cast<int>(dialogPictures().size()))
            window.reset();
    }

    void aDialogIsFittedAsItIsShown() {
        MainWindow window;
        QDialog dialog;
        dialog.resize(window.screen()->size() * 2);
        dialog.show();
        QVERIFY(QTest::qWaitForWindowExposed(&dialog));
        QVERIFY(window.screen()->availableGeometry().contains(dialog.frameGeometry()));
    }

    // The manual would be wider than the screen of this test, and then was left at its edge.
    void theManualIsFittedAsItIsShown() {
        MainWindow window;
        const QSize unfitted = ManualWindow().size();
        window.commands().action("help.manual")->trigger();
        ManualWindow* manual = window.help().manual();
        QVERIFY(QTest::qWaitForWindowExposed(manual));
        const QRect screen = manual->screen()->availableGeometry();
        QVERIFY(unfitted.width() > screen.width());
        QVERIFY(manual->frameSize().width() <= screen.width() &&
                manual->frameSize().height() <= screen.height());
        manual->close();
        manual->move(screen.right() - 60, screen.bottom() - 60);
        window.commands().action("help.manual")->trigger();
        QVERIFY(QTest::qWaitForWindowExposed(manual));
        QVERIFY(screen.contains(manual->frameGeometry()));
    }
};

QTEST_MAIN(ScreenFitTest)
#include "screen_fit_test.moc"
