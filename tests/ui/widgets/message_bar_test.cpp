// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/result.h"
#include "ui/widgets/alert.h"
#include "ui/widgets/message_bar.h"

#include <QAccessible>
#include <QTest>
#include <QToolButton>

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
