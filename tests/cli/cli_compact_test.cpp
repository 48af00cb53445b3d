// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/cli/cli_files.h"
#include "tests/cli/cli_run.h"

#include <QDir>
#include <QFileInfo>
#include <QJsonArray>
#include <QTest>

namespace {

// Names of devices that are ranges, anywhere in a document.
int rangesIn(const QJsonValue& value) {
    int count = 0;
    if (value.isArray())
        for (const auto& item : value.toArray())
            count += rangesIn(item);
    if (value.isObject()) {
        const QJsonObject object = value.toObject();
        count += object.contains(QStringLiteral("first")) && object.contains(QStringLiteral("last")) ? 1 : 0;
        for (const auto& item : object)
            count += rangesIn(item);
    }
    return count;
}

QJsonArray plansOf(const QJsonObject& document) {
    return document[QStringLiteral("plans")].toArray();
}

QJsonObject readFile(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QJsonDocument::fromJson(file.readAll()).object() : QJsonObject();
}

} // namespace

// Plan documents whose devices are named by ranges, through every command that reads plans; and measurements
// that go from one database to another over a folder.
class CliCompactTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        // Stages of several devices a replica, or there would be no ranges among them.
        const QStringList search = words("plan --json --top 3 --work 20000 --gbs 512 --seq 4096 --cluster") +
                                   QStringList{sample("clusters/mixed-64.json"), QStringLiteral("--model"),
                                               sample("models/llama3-70b.json"), QStringLiteral("--out")};
        const CliRun each = runCli(search + QStringList{path("each.json")});
        const CliRun ranges = runCli(search + QStringList{path("ranges.json"), QStringLiteral("--compact")});
        QVERIFY2(each.code == 0 && ranges.code == 0, ranges.err.constData());
        m_found = each.json();
        QCOMPARE(plansOf(m_found).size(), 3);
        QCOMPARE(plansOf(ranges.json()), plansOf(m_found)); // what is printed names each
    }

    void smallClustersAreNamedOneByOneUnlessAsked() {
        QCOMPARE(rangesIn(plansOf(readFile(path("each.json")))), 0);
        for (const auto& plan : plansOf(readFile(path("ranges.json")))) {
            QVERIFY(rangesIn(plan[QStringLiteral("peak_memory")]) > 0);
            QVERIFY(rangesIn(plan[QStringLiteral("pipelines")]) > 0);
        }
        QVERIFY(QFileInfo(path("ranges.json")).size() < QFileInfo(path("each.json")).size() / 2);
    }

    void everyPlanIsJudgedAlike() {
        for (int k = 1; k <= 3; ++k) {
            const QString at = QStringLiteral(":%1").arg(k);
            const CliRun each = runCli(words("evaluate --json --plan") + QStringList{path("each.json") + at});
            const CliRun ranges =
                runCli(words("evaluate --json --plan") + QStringList{path("ranges.json") + at});
            QVERIFY2(ranges.code == 0, ranges.out.constData());
            QCOMPARE(plansOf(ranges.json()), plansOf(each.json()));
            QCOMPARE(rangesIn(plansOf(ranges.json())), 0);
        }
    }

    void everyCommandReadsBoth_data() {
        QTest::addColumn<QStringList>("command");
        QTest::newRow("simulate") << words("simulate --json --plan PLAN");
        QTest::newRow("compare") << words("compare --json PLAN:1 PLAN:2");
        QTest::newRow("improve") << words("improve --json --tries 20 --plan PLAN");
        QTest::newRow("parts replaced") << words("evaluate --json --reserve 2GiB --plan PLAN");
        QTest::newRow("export") << words("export --json --format chrome-trace --plan PLAN --out OUT");
    }

    void everyCommandReadsBoth() {
        QFETCH(QStringList, command);
        QList<CliRun> runs;
        for (const char* name : {"each.json", "ranges.json"}) {
            QStringList own = command;
            own.replaceInStrings(QStringLiteral("PLAN"), path(name));
            own.replaceInStrings(QStringLiteral("OUT"), path("out"));
            own << QStringLiteral("--reproducible");
            QDir(path("out")).removeRecursively();
            runs << runCli(own);
        }
        QCOMPARE(runs[1].code, runs[0].code);
        QVERIFY2(runs[1].code != 2, runs[1].out.constData());
        QByteArray second = runs[1].out; // which may name its file
        second.replace("ranges.json", "each.json");
        QCOMPARE(second, runs[0].out);
    }

    void improvedPlansAreWrittenAsAsked() {
        const CliRun run =
            runCli(words("improve --tries 5 --compact --plan") +
                   QStringList{path("ranges.json"), QStringLiteral("--out"), path("better.json")});
        QVERIFY2(run.code == 0, run.err.constData());
        QVERIFY(rangesIn(plansOf(readFile(path("better.json")))) > 0);
    }

    void theFlagsNeedAFileAndExcludeEachOther() {
        const QStringList plan = words("plan --json --gbs 256 --seq 2048 --cluster") +
                                 QStringList{sample("clusters/mixed-16.json"), QStringLiteral("--model"),
                                             sample("models/gpt3-1.3b.json")};
        QCOMPARE(runCli(plan + words("--compact")).code, 2);
        QCOMPARE(runCli(plan + words("--no-compact")).code, 2);
        QCOMPARE(runCli(plan + words("--compact --no-compact --out") + QStringList{path("x.json")}).code, 2);
        QVERIFY(!QFile::exists(path("x.json")));
    }

    void badRangesAreToldWithFileAndPlace() {
        QFile file(path("ranges.json"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        QByteArray text = file.readAll();
        const qsizetype at =
            text.indexOf("\"node\":\"n", text.indexOf("\"replicas\"", text.indexOf("\"plans\"")));
        QVERIFY(at > 0);
        text.insert(at + 9, '9'); // n1 becomes n91
        QFile broken(path("broken.json"));
        QVERIFY(broken.open(QIODevice::WriteOnly) && broken.write(text) == text.size());
        broken.close();
        const CliRun run = runCli(words("evaluate --json --plan") + QStringList{path("broken.json")});
        QCOMPARE(run.code, 2);
        QCOMPARE(run.error()[QStringLiteral("code")].toString(), QStringLiteral("plan.range"));
        const QString where = run.error()[QStringLiteral("where")].toString();
        QVERIFY2(where.startsWith(path("broken.json") + QStringLiteral("#/plans/")) &&
                     where.contains(QStringLiteral("/devices/")),
                 qPrintable(where));
    }

    void measurementsAreSharedOverAFolder() {
        const QString measured = sample("profiles/sailor/GPT-Neo-2.7/A100-40/profile.json");
        QCOMPARE(runCli(words("profiles import sailor") +
                        QStringList{measured, QStringLiteral("--profiles"), path("a.db")})
                     .code,
                 0);
        const QStringList publish =
            words("profiles publish --json") + QStringList{path("a.db"), path("shared")};
        const CliRun first = runCli(publish);
        QVERIFY2(first.code == 0, first.out.constData());
        QCOMPARE(first.json()[QStringLiteral("written")].toArray().size(), 1);
        const CliRun second = runCli(publish);
        QCOMPARE(second.json()[QStringLiteral("written")].toArray().size(), 0);
        QCOMPARE(second.json()[QStringLiteral("unchanged")].toArray().size(), 1);
        const QStringList pull = words("profiles pull --json") + QStringList{path("shared"), path("b.db")};
        const CliRun taken = runCli(pull);
        QVERIFY2(taken.code == 0, taken.out.constData());
        QVERIFY(taken.json()[QStringLiteral("added")].toInt() > 0);
        const QStringList show = words("profiles show --json --profiles");
        QCOMPARE(runCli(show + QStringList{path("b.db")}).out, runCli(show + QStringList{path("a.db")}).out);
        QCOMPARE(runCli(pull).json()[QStringLiteral("added")].toInt(), 0);

        const QString name = first.json()[QStringLiteral("written")][0].toString();
        QFile file(path("shared/") + name);
        QVERIFY(file.open(QIODevice::Append) && file.write("\n") == 1);
        file.close();
        const CliRun refused =
            runCli(words("profiles pull --json") + QStringList{path("shared"), path("c.db")});
        QCOMPARE(refused.code, 2);
        QVERIFY(refused.error()[QStringLiteral("where")].toString().endsWith(name));
        QVERIFY(!QFile::exists(path("c.db")));
        QCOMPARE(runCli(words("profiles publish --json") + QStringList{path("none.db"), path("shared")}).code,
                 2);
        QVERIFY(!QFile::exists(path("none.db")));
        QCOMPARE(runCli(words("profiles pull --json") + QStringList{path("nowhere"), path("c.db")}).code, 2);
    }

private:
    QString path(const char* name) const { return m_dir.filePath(QString::fromUtf8(name)); }
    QTemporaryDir m_dir;
    QJsonObject m_found;
};

QTEST_APPLESS_MAIN(CliCompactTest)
#include "cli_compact_test.moc"
