// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/cli/cli_run.h"
#include "tests/packaging/pages.h"

#include <QTest>

// Generated pages that take minutes: all runs are predicted without each constant, constants are fitted
// without each source, and every trainer is asked for its best plan of the samples.
class SlowPagesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void pagesAreWhatTheProgramWrites_data() {
        QTest::addColumn<QString>("page");
        for (const char* page : {"terms", "generality", "trainers"})
            QTest::newRow(page) << QString::fromLatin1(page);
    }
    void pagesAreWhatTheProgramWrites() {
        QFETCH(QString, page);
        const QString file = QStringLiteral("%1/generated/%2.md").arg(kManualSource, page);
        QVERIFY(QDir::setCurrent(QStringLiteral(PW_SOURCE_DIR))); // the samples are those of the tree
        const CliRun run = runCli({QStringLiteral("manual"), page}, 1'800'000);
        QVERIFY2(run.code == 0, run.err.constData());
        if (qEnvironmentVariableIsSet("PW_UPDATE_EXPECTED")) {
            QFile written(file);
            QVERIFY(written.open(QIODevice::WriteOnly) && written.write(run.out) == run.out.size());
            return;
        }
        QCOMPARE(QString::fromUtf8(run.out), textOf(file));
    }
};

QTEST_GUILESS_MAIN(SlowPagesTest)
#include "slow_pages_test.moc"
