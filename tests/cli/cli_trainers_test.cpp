// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/cli/cli_files.h"
#include "tests/cli/cli_run.h"

#include <QHash>
#include <QJsonArray> // keep: toArray() returns one
#include <QTest>

// The best plan for each trainer, from the search to its files.
class CliTrainersTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { QVERIFY(m_files.isValid()); }

    // A file of `plan --target all` has each trainer's plan: it is written where the first one is refused and
    // nobody has named it, as it was found, with fewer kinds of GPU where some were left out.
    void exportTakesTheTrainersOwnPlan() {
        const QString file = m_files.path("trainers.json");
        const CliRun all =
            runCli(words("plan --json --target all --work 20000 --out") + QStringList{file} + problemFlags());
        QVERIFY2(all.code == 0, all.out.left(3000));
        const CliRun list = runCli(words("export --list --json --plan") + QStringList{file});
        QVERIFY2(list.code == 0, list.out.left(3000));
        QHash<QString, QJsonObject> listed;
        for (const QJsonValue target : list.json()[QStringLiteral("targets")].toArray())
            listed.insert(target[QStringLiteral("format")].toString(), target.toObject());
        const double first = all.json()[QStringLiteral("plans")][0][QStringLiteral("iteration_s")].toDouble();
        int own = 0, narrower = 0;
        for (const QJsonValue entry : all.json()[QStringLiteral("best_by_target")].toArray()) {
            const QString format = entry[QStringLiteral("target")].toString();
            const bool takesFirst = listed[format][QStringLiteral("expressible")].toBool();
            const auto exportOf = [&](const QString& plan) {
                return runCli(words("export --json --force --format") +
                              QStringList{format, QStringLiteral("--plan"), plan, QStringLiteral("--out"),
                                          m_files.path("own")});
            };
            const CliRun run = exportOf(file);
            const bool has = entry.toObject().contains(QStringLiteral("plan"));
            QVERIFY2(run.code == (has || takesFirst ? 0 : 3), qUtf8Printable(format) + run.out);
            const QJsonValue taken = run.json()[QStringLiteral("taken")];
            const QJsonValue offered = listed[format][QStringLiteral("offered")];
            QCOMPARE(taken.isObject(), has && !takesFirst);
            if (takesFirst || !has)
                continue;
            ++own;
            const double slower = entry[QStringLiteral("iteration_s")].toDouble() / first - 1.0;
            QVERIFY(qAbs(taken[QStringLiteral("slower")].toDouble() - slower) < 1e-9);
            QVERIFY(offered[QStringLiteral("best_by_target")].toBool());
            QCOMPARE(offered[QStringLiteral("slower")], taken[QStringLiteral("slower")]);
            QStringList codes;
            for (const QJsonValue note : run.json()[QStringLiteral("notes")].toArray())
                codes << note[QStringLiteral("code")].toString();
            QVERIFY(codes.contains(QStringLiteral("export.best_by_target")));
            const bool fewer = entry.toObject().contains(QStringLiteral("left_out"));
            QCOMPARE(codes.contains(QStringLiteral("search.left_out")), fewer);
            QVERIFY(!codes.contains(QStringLiteral("export.precision")));
            narrower += fewer;
            QCOMPARE(exportOf(file + QStringLiteral(":1")).code, 3); // the plan that was named, or none
        }
        QVERIFY(own > 1 && narrower > 0);
        // Under another problem than its own the file's entries are nobody's.
        const CliRun other = runCli(words("export --json --format torchtitan --reserve 2GiB --plan") +
                                    QStringList{file, QStringLiteral("--out"), m_files.path("other")});
        QCOMPARE(other.code, 3);
    }

private:
    CliFiles m_files;
};

QTEST_GUILESS_MAIN(CliTrainersTest)
#include "cli_trainers_test.moc"
