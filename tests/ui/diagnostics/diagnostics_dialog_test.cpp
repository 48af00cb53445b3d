// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/diagnostics/diagnostics_dialog.h"

#include "core/base/file.h"
#include "ui/base/convert.h"
#include "ui/base/theme.h"
#include "ui/diagnostics/log_model.h"
#include "ui/diagnostics/window_log.h"
#include "ui/widgets/message_bar.h"

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDir>
#include <QLineEdit>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QStackedWidget>
#include <QTabBar>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>

using namespace pw;

class DiagnosticsDialogTest : public QObject {
    Q_OBJECT

    struct Shown {
        explicit Shown(const QTemporaryDir& folder)
            : log(folder.path()), dialog(log, {{QStringLiteral("theme"), QStringLiteral("light")}}) {
            dialog.show();
        }
        template <class T>
        T* part(const char* name) const {
            return dialog.findChild<T*>(QStringLiteral("diagnostics.") + QLatin1String(name));
        }
        QStringList rows() const { // level and event
            QStringList list;
            const QAbstractItemModel* model = dialog.table()->model();
            for (int row = 0; row < model->rowCount(); ++row)
                list << model->index(row, LogModel::Level).data().toString() + QLatin1Char(' ') +
                            model->index(row, LogModel::Event).data().toString();
            return list;
        }
        WindowLog log;
        DiagnosticsDialog dialog;
    };

    static void write(WindowLog& log, LogLevel level, const char* text) {
        log.write(level, QStringLiteral("place"), QString::fromUtf8(text));
    }

private Q_SLOTS:
    void initTestCase() { ThemeControl::instance().apply(*qApp, ThemeMode::Light); }

    void emptyItSaysSo() {
        QTemporaryDir folder;
        Shown shown(folder);
        QVERIFY(shown.part<QWidget>("empty")->isVisible());
        QVERIFY(!shown.dialog.table()->isVisible());
        shown.part<QTabBar>("tabs")->setCurrentIndex(1);
        QVERIFY(shown.part<QWidget>("noCrashes")->isVisible());
    }

    void levelsAndTextsAreFiltered() {
        QTemporaryDir folder;
        Shown shown(folder);
        const QAbstractItemModelTester tester(shown.dialog.model(),
                                              QAbstractItemModelTester::FailureReportingMode::Fatal);
        write(shown.log, LogLevel::Error, "broke");
        write(shown.log, LogLevel::Warning, "bent");
        write(shown.log, LogLevel::Info, "<b>opened</b>");
        write(shown.log, LogLevel::Debug, "begins");
        shown.dialog.look();
        QCOMPARE(shown.rows(), (QStringList{QStringLiteral("error broke"), QStringLiteral("warning bent"),
                                            QStringLiteral("info <b>opened</b>")}));
        const QString tip =
            shown.dialog.table()->model()->index(2, LogModel::Event).data(Qt::ToolTipRole).toString();
        QCOMPARE(tip, QStringLiteral("<b>opened</b>")); // data: tool tips are plain (ui/base/plain_labels.h)
        auto* level = shown.part<QComboBox>("level");
        QTest::keyClick(level, Qt::Key_Down);
        QCOMPARE(shown.rows().size(), 4);
        level->setCurrentIndex(0);
        QCOMPARE(shown.rows(), QStringList{QStringLiteral("error broke")});
        level->setCurrentIndex(3);
        QTest::keyClicks(shown.part<QLineEdit>("find"), QStringLiteral("BE"));
        QCOMPARE(shown.rows(), (QStringList{QStringLiteral("warning bent"), QStringLiteral("debug begins")}));
        QTest::keyClicks(shown.part<QLineEdit>("find"), QStringLiteral("x"));
        QVERIFY(shown.part<QWidget>("empty")->isVisible());
    }

    // A row shows but the ends of a long event.
    void theChosenEventIsShownWhole() {
        QTemporaryDir folder;
        Shown shown(folder);
        const QByteArray text = "<b>" + QByteArray(2000, 'x') + "</b> \x1b[2J";
        write(shown.log, LogLevel::Error, text);
        shown.dialog.look();
        auto* whole = shown.part<QPlainTextEdit>("event");
        QVERIFY(!whole->isVisible());
        shown.dialog.table()->setCurrentIndex(shown.dialog.table()->model()->index(0, LogModel::Event));
        QVERIFY(whole->isVisible());
        QCOMPARE(whole->toPlainText(),
                 QStringLiteral("place\n<b>%1</b> \\x1b[2J").arg(QString(2000, QLatin1Char('x'))));
        shown.part<QLineEdit>("find")->setText(QStringLiteral("nothing"));
        QVERIFY(!whole->isVisible());
    }

    void itFollowsUntilSomebodyScrollsBack() {
        QTemporaryDir folder;
        Shown shown(folder);
        for (int i = 0; i < 200; ++i)
            write(shown.log, LogLevel::Info, "first");
        QScrollBar* bar = shown.dialog.table()->verticalScrollBar();
        QTRY_COMPARE_WITH_TIMEOUT(shown.rows().size(), 200, 60'000); // without a push
        QTRY_VERIFY_WITH_TIMEOUT(bar->maximum() > 0 && bar->value() == bar->maximum(), 60'000);
        write(shown.log, LogLevel::Info, "second");
        QTRY_COMPARE_WITH_TIMEOUT(shown.rows().size(), 201, 60'000);
        QTRY_COMPARE_WITH_TIMEOUT(bar->value(), bar->maximum(), 60'000);
        bar->triggerAction(QAbstractSlider::SliderToMinimum);
        QVERIFY(!shown.part<QCheckBox>("follow")->isChecked());
        write(shown.log, LogLevel::Info, "third");
        QTRY_COMPARE_WITH_TIMEOUT(shown.rows().size(), 202, 60'000);
        QCOMPARE(bar->value(), 0);
        shown.part<QCheckBox>("follow")->click();
        QCOMPARE(bar->value(), bar->maximum());
    }

    // Across the renaming of a full file nothing is lost and nothing stands twice, as far back as files are
    // kept.
    void itReadsOnWhenTheFileIsRenamed() {
        QTemporaryDir folder;
        Shown shown(folder);
        const QString text(900, QLatin1Char('x'));
        for (int i = 0; i < 1500; ++i) {
            shown.log.write(LogLevel::Info, QString::number(i), text);
            if (i % 200 == 0)
                shown.dialog.look();
        }
        shown.dialog.look();
        QVERIFY(QFile::exists(shown.log.file() + QStringLiteral(".1")));
        const std::vector<LogEvent>& events = shown.dialog.model()->events();
        QCOMPARE(events.size(), std::size_t{1500});
        for (std::size_t i = 0; i < events.size(); ++i)
            QCOMPARE(events[i].place, std::to_string(i));
    }

    void tenThousandLinesAreShown() {
        QTemporaryDir folder;
        std::string text;
        for (int i = 0; i < 10'000; ++i)
            text += logLine({1'795'367'103'123 + i, static_cast<LogLevel>(i % 4), "search/patterns",
                             "event " + std::to_string(i)});
        QVERIFY(QDir(folder.path()).mkpath(QStringLiteral("log")));
        QVERIFY(writeFileAtomically(s(folder.filePath(QStringLiteral("log/pipewright.log"))), text));
        Shown shown(folder);
        QCOMPARE(shown.dialog.model()->rowCount(), 10'000);
        QCOMPARE(shown.rows().size(), 7'500);
        QCOMPARE(shown.rows().back(), QStringLiteral("info event 9998"));
        shown.part<QLineEdit>("find")->setText(QStringLiteral("event 4242"));
        QCOMPARE(shown.rows(), QStringList{QStringLiteral("info event 4242")});
    }

    void linesOfOthersAreShownAsTheyAre() {
        QTemporaryDir folder;
        QVERIFY(QDir(folder.path()).mkpath(QStringLiteral("log")));
        QVERIFY(writeFileAtomically(s(folder.filePath(QStringLiteral("log/pipewright.log"))),
                                    "torn\x1b[2J\n" + logLine({1, LogLevel::Info, "a", "b"}) + "no end"));
        Shown shown(folder);
        QCOMPARE(shown.rows(), (QStringList{QStringLiteral("info torn\\x1b[2J"), QStringLiteral("info b")}));
    }

    void crashesAreListedAndCopied() {
        QTemporaryDir folder;
        QVERIFY(QDir(folder.path()).mkpath(QStringLiteral("crashes")));
        const QString left = QDir::homePath() + QStringLiteral("/bin/pipewright(+0x1)");
        for (const char* day : {"01", "02"})
            QVERIFY(writeFileAtomically(
                s(folder.filePath(QStringLiteral("crashes/crash-2026-01-%1.txt").arg(QLatin1String(day)))),
                std::string("Pipewright\nday ") + day + " SIGSEGV\n" + s(left) + "\n\x1b[2J\n"));
        Shown shown(folder);
        auto* tabs = shown.part<QTabBar>("tabs");
        tabs->setCurrentIndex(1);
        QCOMPARE(tabs->tabText(1), QStringLiteral("Crash reports 2"));
        auto* list = shown.part<QListWidget>("crashes");
        QVERIFY(list->isVisible());
        QCOMPARE(list->count(), 2);
        QCOMPARE(list->item(0)->text(), QStringLiteral("day 02 SIGSEGV"));
        list->setCurrentRow(1);
        QVERIFY(shown.part<QPlainTextEdit>("crash")->toPlainText().contains(QLatin1String("day 01")));
        QVERIFY(shown.part<QPlainTextEdit>("crash")->toPlainText().contains(QLatin1String("\\x1b[2J")));
        write(shown.log, LogLevel::Info, "just now"); // not read yet
        shown.part<QPushButton>("copy")->click();
        const QString copied = QGuiApplication::clipboard()->text();
        QVERIFY(copied.contains(QLatin1String("day 01")) && copied.contains(QLatin1String("just now")));
        QVERIFY2(copied.contains(QLatin1String("~/bin/pipewright(+0x1)")), qPrintable(copied));
        QVERIFY(!copied.contains(QDir::homePath() + QLatin1Char('/')));
    }

    void aLogThatCannotBeWrittenIsSaid() {
        QTemporaryDir folder;
        QFile inTheWay(folder.filePath(QStringLiteral("log"))); // a file where the folder should be
        QVERIFY(inTheWay.open(QIODevice::WriteOnly));
        Shown shown(folder);
        QVERIFY(shown.log.failure());
        QVERIFY(shown.dialog.findChild<MessageBar*>()->isVisible());
        QVERIFY(shown.part<QWidget>("empty")->isVisible());
    }
};

QTEST_MAIN(DiagnosticsDialogTest)
#include "diagnostics_dialog_test.moc"
