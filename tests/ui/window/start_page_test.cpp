// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/window_fixture.h"
#include "ui/window/start_cards.h"

#include <QApplication>
#include <QContextMenuEvent>
#include <QMenu>
#include <QPointer>

using namespace pw;

class StartPageTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { m_folders.use(); }

    // The menu of a card belongs to the card, which what is chosen takes off the page.
    void menuOfARecentProjectOutlivesItsCard_data() {
        QTest::addColumn<int>("entry");
        QTest::addColumn<bool>("opens");
        QTest::newRow("open") << 0 << true;
        QTest::newRow("remove from the list") << 2 << false;
    }

    void menuOfARecentProjectOutlivesItsCard() {
        QFETCH(const int, entry);
        QFETCH(const bool, opens);
        const QString file = m_folders.smallProjectFile();
        MainWindow window;
        window.show();
        QVERIFY(window.openFile(file));
        window.showStartPage(true);
        const QPointer<RecentCard> card = window.findChild<RecentCard*>();
        QVERIFY(card);
        const QPoint at = card->rect().center();
        QContextMenuEvent asked(QContextMenuEvent::Mouse, at, card->mapToGlobal(at));
        QApplication::sendEvent(card, &asked);
        auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
        QVERIFY(menu);
        menu->setActiveAction(menu->actions().at(entry));
        QTest::keyClick(menu, Qt::Key_Return);
        QTRY_VERIFY(!card);
        QCOMPARE(window.findChild<QWidget*>(QStringLiteral("startPage"))->isVisible(), !opens);
    }

private:
    WindowFolders m_folders;
};

QTEST_MAIN(StartPageTest)
#include "start_page_test.moc"
