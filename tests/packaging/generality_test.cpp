// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/cli/cli_run.h"
#include "tests/packaging/pages.h"

#include <QTest>

// The one generated page that takes minutes: the constants are fitted anew without each source and framework.
class GeneralityTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void thePageIsWhatTheProgramWrites() {
        const QString file = kManualSource + QStringLiteral("/generated/generality.md");
        const CliRun run = runCli({QStringLiteral("manual"), QStringLiteral("generality")}, 3'600'000);
        QVERIFY2(run.code == 0, run.err.constData());
        if (qEnvironmentVariableIsSet("PW_UPDATE_EXPECTED")) {
            QFile page(file);
            QVERIFY(page.open(QIODevice::WriteOnly) && page.write(run.out) == run.out.size());
            return;
        }
        QCOMPARE(QString::fromUtf8(run.out), textOf(file));
    }
};

QTEST_GUILESS_MAIN(GeneralityTest)
#include "generality_test.moc"
