// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later

// What the window says of an edit stands until the next one.
#include "core/edit/edit.h"
#include "tests/ui/window_fixture.h"
#include "ui/widgets/message_bar.h"

#include <QPushButton>
#include <QSignalSpy>
#include <QUndoStack>

using namespace pw;

class RefusalsTest : public QObject {
    Q_OBJECT

    WindowFolders m_folder;

    // What the bars of the window say now.
    static QString said(MainWindow& window) {
        QStringList all;
        for (const MessageBar* bar : window.findChildren<MessageBar*>())
            if (bar->isVisible())
                all << bar->accessibleName();
        return all.join(QLatin1Char('\n'));
    }
    static bool rename(MainWindow& window, const char* name) {
        Document& document = window.context().document;
        return document.apply(renameItem(*document.project(), document.project()->cluster.nodes[0].id, name),
                              QStringLiteral("Rename"));
    }

private Q_SLOTS:
    void initTestCase() { m_folder.use(); }

    void aRefusalGoesWithTheNextEdit() {
        const auto window = shownWindow();
        QVERIFY(window->openFile(m_folder.smallProjectFile()));
        QVERIFY(!said(*window).contains(QStringLiteral("Refused.")));
        QVERIFY(!rename(*window, "gpu a,6"));
        QString now = said(*window);
        QVERIFY2(now.contains(QStringLiteral("Refused. n1: ")), qPrintable(now));
        QVERIFY2(!now.contains(QStringLiteral("switch")), qPrintable(now));
        QVERIFY(rename(*window, "gpu-a"));
        now = said(*window);
        QVERIFY2(!now.contains(QStringLiteral("Refused.")), qPrintable(now));
        QVERIFY(!rename(*window, ""));
        now = said(*window);
        QVERIFY2(now.contains(QStringLiteral("Refused. gpu-a: ")), qPrintable(now));
        window->context().document.undoStack()->undo();
        now = said(*window);
        QVERIFY2(!now.contains(QStringLiteral("Refused.")), qPrintable(now));
    }

    void whatDoesNotFitGoesWithTheNextEdit() {
        const auto window = shownWindow();
        QVERIFY(window->openFile(m_folder.smallProjectFile()));
        Q_EMIT window->context().whatIf.nodeDropped(QStringLiteral("n1"), QStringLiteral("Plan 1, edited"),
                                                    QStringLiteral("stage 3 needs 94.1 GiB"));
        QString now = said(*window);
        QVERIFY2(now.contains(QStringLiteral("Plan 1, edited does not fit. Stage 3 needs 94.1 GiB")),
                 qPrintable(now));
        QVERIFY(rename(*window, "gpu-a"));
        now = said(*window);
        QVERIFY2(!now.contains(QStringLiteral("does not fit")), qPrintable(now));
    }

    // The plan without a node was only mended: one click has a search answer what it means.
    void aLostNodeIsSearchedWithout() {
        const auto window = shownWindow();
        QVERIFY(window->openFile(m_folder.smallProjectFile()));
        Q_EMIT window->context().whatIf.nodeDropped(QStringLiteral("n3"), QStringLiteral("Plan 1, edited"),
                                                    QString());
        QVERIFY2(said(*window).contains(QStringLiteral("Without n3.")), qPrintable(said(*window)));
        QPushButton* search = nullptr;
        for (QPushButton* button : window->findChildren<QPushButton*>(QStringLiteral("messageBar.action")))
            if (button->isVisible() && button->text() == QLatin1String("Search without n3"))
                search = button;
        QVERIFY(search);
        QSignalSpy ended(&window->context().runner, &SearchRunner::finished);
        search->click();
        QCOMPARE(window->context().document.project()->forbidden, std::vector<std::string>{"n3"});
        QVERIFY(ended.wait(60'000));
        QVERIFY(!window->context().candidates.all().empty());
        QVERIFY2(!said(*window).contains(QStringLiteral("Without n3.")), qPrintable(said(*window)));
        window->context().document.undoStack()->undo();
        QVERIFY(window->context().document.project()->forbidden.empty());
    }

    // Messages of other things stay.
    void otherMessagesStay() {
        const auto window = shownWindow();
        QVERIFY(window->openFile(m_folder.smallProjectFile()));
        QVERIFY(!rename(*window, "a b"));
        QVERIFY(!window->openFile(m_folder.filePath(QStringLiteral("none.pwx"))));
        const QString before = said(*window);
        QVERIFY2(before.contains(QStringLiteral("none.pwx was not opened.")), qPrintable(before));
        QVERIFY(rename(*window, "gpu-a"));
        QCOMPARE(said(*window), before);
    }
};

QTEST_MAIN(RefusalsTest)
#include "refusals_test.moc"
