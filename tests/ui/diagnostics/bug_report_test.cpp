// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/diagnostics/bug_report.h"

#include "core/base/version.h"
#include "ui/base/convert.h"
#include "ui/diagnostics/private_names.h"

#include <QDir>
#include <QSysInfo>
#include <QTest>

using namespace pw;

// What is copied for strangers says what the program is and did, and not who uses it where.
class BugReportTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void homesUsersAndHostsAreShortened_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("shortened");
        const auto row = [](const char* text, const char* shortened) {
            QTest::newRow(text) << QString::fromUtf8(text) << QString::fromUtf8(shortened);
        };
        row("/home/alice/plans/a.pwx:3:1", "~/plans/a.pwx:3:1");
        row("/home/alice", "~");
        row("file:///home/alice/a and /home/alice/b", "file://~/a and ~/b");
        row("(/srv/homes/alice/x)", "(~/x)"); // the same folder by its other name
        row("/home/alice2/a", "/home/alice2/a");
        row("/home/alice.old/a", "/home/<user>.old/a");
        row("/backup/home/alice/a", "/backup/home/<user>/a");
        row("/data/alice/a.json", "/data/<user>/a.json");
        row("malice is no name", "malice is no name");
        row("alice@gpu-box.example.org", "<user>@<host>");
        row("on gpu-box since noon", "on <host> since noon");
        row("gpu-box2", "gpu-box2");
        row("", "");
    }
    void homesUsersAndHostsAreShortened() {
        QFETCH(QString, text);
        QFETCH(QString, shortened);
        const PrivateNames names({QStringLiteral("/home/alice/"), QStringLiteral("/srv/homes/alice")},
                                 {QStringLiteral("alice"), QStringLiteral("alice")},
                                 {QStringLiteral("gpu-box.example.org")});
        QCOMPARE(names.shortened(text), shortened);
    }

    void noNamesNoChange() {
        const PrivateNames names({QString(), QStringLiteral("/"), QStringLiteral("relative")}, {QString()},
                                 {QString()});
        const QString text = QStringLiteral("/ and /tmp/x relative");
        QCOMPARE(names.shortened(text), text);
    }

    void theReportHasItAll() {
        std::vector<LogEvent> log;
        for (int i = 0; i < 700; ++i)
            log.push_back({1000LL * i, LogLevel::Info, "/home/alice/" + std::to_string(i), "opened"});
        log.push_back({0, LogLevel::Info, "", "torn"});
        const QString text = bugReport(
            {{QStringLiteral("theme"), QStringLiteral("dark")}}, log,
            {{"crash-1.txt", "SIGSEGV", "Pipewright 0\nSIGSEGV\n/home/alice/bin/pipewright(+0x12)\n"}},
            PrivateNames({QStringLiteral("/home/alice")}, {QStringLiteral("alice")}, {}));
        for (const char* part :
             {"Pipewright: ", "build: ", "Qt: ", "system: ", "theme: dark", "crash reports: 1",
              "~/bin/pipewright(+0x12)", "the last 500 of 701 events", "~/699  opened", "torn"})
            QVERIFY2(text.contains(QLatin1String(part)), qPrintable(text));
        QVERIFY(!text.contains(QLatin1String("alice")) && !text.contains(QLatin1String("~/200 ")));
        QCOMPARE(text.count(QLatin1String("  opened")), 499);
    }

    void itsOwnPlaceIsShortenedToo() {
        const QString home = QDir::homePath();
        const PrivateNames names = PrivateNames::ofThisUser();
        QCOMPARE(names.shortened(home + QStringLiteral("/x.pwx")), QStringLiteral("~/x.pwx"));
        QVERIFY(!names.shortened(QStringLiteral("at %1.").arg(QSysInfo::machineHostName()))
                     .contains(QSysInfo::machineHostName()));
    }

    void versionsFitOnALine() {
        QVERIFY(versionLine().startsWith(QStringLiteral("Pipewright ") + q(fullVersion())));
        QVERIFY(!versionLine().contains(QLatin1Char('\n')));
    }
};

QTEST_GUILESS_MAIN(BugReportTest)
#include "bug_report_test.moc"
