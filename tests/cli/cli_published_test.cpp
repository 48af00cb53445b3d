// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/cli/cli_files.h"
#include "tests/cli/cli_run.h"

#include <QJsonArray>
#include <QTemporaryDir>
#include <QTest>

// validate of the published runs that the program has, as a script sees it: each takes some seconds.
class CliPublishedTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void withoutATableThePublishedRuns() {
        const CliRun run = runCli(words("validate --json"));
        QCOMPARE(run.code, 0);
        const QJsonArray sources = run.json()[QStringLiteral("sources")].toArray();
        QVERIFY(sources.size() > 10);
        bool found = false;
        for (const QJsonValue& source : sources)
            if (source[QStringLiteral("source")].toString() == QLatin1String("zero_bubble")) {
                found = true;
                QCOMPARE(source[QStringLiteral("rows")].toInt(), 93);
                QCOMPARE(source[QStringLiteral("predicted")].toInt(), 93);
            }
        QVERIFY(found);
    }

    // Of every source: how many of its rows lie in the band of the others.
    void bandsBySource() {
        const CliRun run = runCli(words("validate --bands --json"));
        QCOMPARE(run.code, 0);
        const QJsonArray sources = run.json()[QStringLiteral("sources")].toArray();
        QVERIFY(sources.size() > 10);
        for (const QJsonValue& source : sources) {
            const double inside = source[QStringLiteral("inside")].toDouble(-1);
            QVERIFY(inside >= 0.0 && inside <= 1.0);
        }
        for (const char* part : {"stacks", "generations", "memory"})
            QVERIFY2(run.json()[QLatin1String(part)].toArray().size() > 2, part);
        QVERIFY(runCli(words("validate --bands")).out.contains("zero_bubble"));
        const QString spans = path("spans.json");
        QCOMPARE(runCli(words("validate --memory-spans") + QStringList{spans}).code, 0);
        QVERIFY(contents(spans).contains("\"strangers\""));
    }

    void residualsAreWritten() {
        const QString out = path("residuals.csv");
        QCOMPARE(runCli(words("validate --residuals") + QStringList{out}).code, 0);
        QCOMPARE(contents(out).trimmed().split('\n').mid(1, 1).join().split(',').size(), 40);
        QVERIFY(contents(out).count('\n') > 1900);
        QCOMPARE(runCli(words("validate --residuals") + QStringList{path("no/such/folder.csv")}).code, 1);
    }

private:
    QString path(const char* name) const { return m_dir.filePath(QLatin1String(name)); }
    QTemporaryDir m_dir;
};

QTEST_GUILESS_MAIN(CliPublishedTest)
#include "cli_published_test.moc"
