// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/result.h"
#include "ui/widgets/alert.h"
#include "ui/widgets/message_bar.h"

#include <QAccessible>
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
        bar->layOver(&area);
        area.resize(300, 200);
        area.show();
        const QRect before = content->geometry();
        bar->setMessage(MessageBar::Tone::Error, QStringLiteral("Refused."), QStringLiteral("no file"));
        QVERIFY(bar->isVisible());
        QCoreApplication::processEvents();
        QCOMPARE(content->geometry(), before);
        QCOMPARE(bar->geometry(), QRect(0, 200 - bar->height(), 300, bar->height()));
        QVERIFY(area.childAt(60, 199) != content); // it lies on top
        area.resize(400, 250);
        QCOMPARE(bar->geometry(), QRect(0, 250 - bar->height(), 400, bar->height()));
        QWidget line; // lower than a bar
        auto* onLine = new MessageBar;
        line.resize(400, 24);
        onLine->layOver(&line);
        QCOMPARE(onLine->geometry(), line.rect());
        close(*bar);
        QCoreApplication::processEvents();
        QCOMPARE(content->height(), 250);
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

    // Where a sentence is not to be cut, the bar is as high as it takes.
    void wrappedTextStandsInFull() {
        QWidget area;
        auto* column = new QVBoxLayout(&area);
        auto* bar = new MessageBar(MessageBar::Text::Wrapped);
        column->addWidget(bar);
        column->addStretch(1);
        area.resize(420, 400);
        bar->setMessage(
            MessageBar::Tone::Stale, QStringLiteral("Different questions."),
            QStringLiteral("The figures are not for the same work: model llama3-70b and mixtral-8x7b, "
                           "global batch 512 and 256, sequence 4096 and 2048."));
        area.show();
        QVERIFY(QTest::qWaitForWindowExposed(&area));
        const QLabel* text = nullptr;
        for (const QLabel* label : bar->findChildren<QLabel*>())
            if (label->text() == bar->text())
                text = label;
        QVERIFY(text && text->wordWrap());
        QVERIFY2(text->height() >= text->heightForWidth(text->width()) && text->height() > 28,
                 qPrintable(QStringLiteral("%1 x %2").arg(text->width()).arg(text->height())));
        QVERIFY(area.rect().contains(bar->geometry()));
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
