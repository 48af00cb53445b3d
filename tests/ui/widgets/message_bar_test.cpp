// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/result.h"
#include "ui/widgets/alert.h"
#include "ui/widgets/message_bar.h"

#include <QAccessible>
#include <QHBoxLayout>
#include <QLabel>
#include <QShortcut>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>
#include <QVBoxLayout>

using namespace pw;

// The cross puts a bar away: a lasting state for as long as it says the same, an error only this once.
class MessageBarTest : public QObject {
    Q_OBJECT

private:
    static void close(const MessageBar& bar) {
        auto* button = bar.findChild<QToolButton*>(QStringLiteral("messageBar.close"));
        QVERIFY(!button->accessibleName().isEmpty());
        QTest::mouseClick(button, Qt::LeftButton);
        QVERIFY(!bar.isVisible());
    }

private Q_SLOTS:
    void errorsComeBack() {
        MessageBar bar;
        const auto fail = [&] {
            bar.setMessage(MessageBar::Tone::Error, QStringLiteral("Refused."), QStringLiteral("no file"));
        };
        fail();
        QVERIFY(bar.isVisible());
        close(bar);
        fail();
        QVERIFY(bar.isVisible());
    }

    // Flags of a trainer's script are what the message is about.
    void flagsOfAFileStandInFull() {
        MessageBar bar;
        bar.setError(QStringLiteral("Not read."), badInput("megatron.number", "train.sh:3",
                                                           "expected a number; --hidden-size is \"wide\""));
        QVERIFY2(bar.accessibleName().contains(QStringLiteral("--hidden-size is \"wide\"")),
                 qPrintable(bar.accessibleName()));
    }

    // What readers say unasked (that it is heard: tests/e2e/accessibility.py).
    void aReaderTakesItForAnAlert() {
        MessageBar bar;
        Announcer announcer;
        bar.setMessage(MessageBar::Tone::Error, QStringLiteral("Refused."), QStringLiteral("no file"));
        announcer.say(QStringLiteral("found"));
        for (QWidget* widget : {static_cast<QWidget*>(&bar), static_cast<QWidget*>(&announcer)}) {
            const QAccessibleInterface* heard = QAccessible::queryAccessibleInterface(widget);
            QVERIFY(heard);
            QCOMPARE(heard->role(), QAccessible::AlertMessage);
            QCOMPARE(heard->text(QAccessible::Name), widget->accessibleName());
        }
        QCOMPARE(announcer.accessibleName(), QStringLiteral("found"));
    }

    // What lies under it stays where it is, whether it comes, goes or the window grows.
    void aBarOverAnAreaMovesNothing() {
        QWidget area;
        auto* layout = new QVBoxLayout(&area);
        layout->setContentsMargins(0, 0, 0, 0);
        auto* content = new QLabel(QStringLiteral("content"));
        layout->addWidget(content, 1);
        auto* bar = new MessageBar;
        bar->layOver(&area, content);
        area.resize(300, 200);
        area.show();
        const QRect before = content->geometry();
        bar->setMessage(MessageBar::Tone::Error, QStringLiteral("Refused."), QStringLiteral("no file"));
        QVERIFY(bar->isVisible());
        QCoreApplication::processEvents();
        QCOMPARE(content->geometry(), before);
        QCOMPARE(bar->geometry().bottom(), 199);
        QVERIFY(area.childAt(290, 199) != content); // it lies on top
        area.resize(400, 250);
        QCoreApplication::processEvents();
        QCOMPARE(bar->geometry().bottom(), 249);
        QCOMPARE(bar->geometry().right(), 399);
        QWidget line; // lower than a bar
        auto* onLine = new MessageBar;
        line.resize(400, 24);
        onLine->layOver(&line, new QLabel(&line));
        QCOMPARE(onLine->height(), 24);
        close(*bar);
        QCoreApplication::processEvents();
        QCOMPARE(content->height(), 250);
    }

    // Whatever the words become, and as long as there is room for both; else the message comes first.
    void aBarBesideALabelLeavesItsWords() {
        QWidget line;
        auto* row = new QHBoxLayout(&line);
        row->setContentsMargins(0, 0, 0, 0);
        auto *label = new QLabel(QStringLiteral("stage 2")), *state = new QLabel(QStringLiteral("Saved"));
        row->addWidget(label, 1);
        row->addWidget(state);
        auto* bar = new MessageBar;
        bar->layOver(&line, label);
        line.resize(900, 24);
        line.show();
        bar->setMessage(MessageBar::Tone::Info, QStringLiteral("Added."), QString(80, QLatin1Char('w')));
        const auto wordsEnd = [label] {
            return label->x() + label->fontMetrics().horizontalAdvance(label->text());
        };
        QCoreApplication::processEvents();
        QVERIFY(bar->isVisible());
        QVERIFY(bar->x() > wordsEnd());
        QVERIFY(bar->geometry().right() < state->x());
        const int before = bar->x();
        label->setText(QStringLiteral("plan 12, stage 2 selected"));
        QCoreApplication::processEvents();
        QVERIFY(bar->x() > before && bar->x() > wordsEnd());
        line.resize(560, 24);
        QCoreApplication::processEvents();
        QCOMPARE(bar->x(), label->x());
        QVERIFY(bar->geometry().right() < state->x());
        line.resize(300, 24);
        QCoreApplication::processEvents();
        QCOMPARE(bar->geometry(), line.rect());
    }

    // Not to the view around it, which may go back by Esc.
    void escOnAButtonClosesTheBar() {
        QWidget area;
        auto* layout = new QVBoxLayout(&area);
        auto* bar = new MessageBar;
        layout->addWidget(bar);
        QShortcut around(QKeySequence(Qt::Key_Escape), &area);
        const QSignalSpy gone(&around, &QShortcut::activated);
        area.show();
        QVERIFY(QTest::qWaitForWindowActive(&area));
        for (const char* name : {"messageBar.close", "messageBar.action"}) {
            bar->setMessage(MessageBar::Tone::Error, QStringLiteral("Refused."), QStringLiteral("no file"),
                            QStringLiteral("Choose"));
            auto* button = bar->findChild<QWidget*>(QLatin1String(name));
            button->setFocus();
            QVERIFY(button->hasFocus());
            QTest::keyClick(button, Qt::Key_Escape, Qt::ControlModifier);
            QVERIFY(bar->isVisible());
            QTest::keyClick(button, Qt::Key_Escape);
            QVERIFY(!bar->isVisible());
        }
        QCOMPARE(gone.count(), 0);
    }

    void aStateStaysAwayUntilItChanges() {
        MessageBar bar;
        const auto say = [&](const QString& text) {
            bar.setMessage(MessageBar::Tone::Stale, QStringLiteral("Stale."), text);
        };
        say(QStringLiteral("one plan"));
        close(bar);
        say(QStringLiteral("one plan"));
        QVERIFY(!bar.isVisible());
        say(QStringLiteral("two plans"));
        QVERIFY(bar.isVisible());
        close(bar);
        bar.clear();
        say(QStringLiteral("two plans"));
        QVERIFY(bar.isVisible());
    }
};

QTEST_MAIN(MessageBarTest)
#include "message_bar_test.moc"
