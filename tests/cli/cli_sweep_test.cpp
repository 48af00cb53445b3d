// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/cli/cli_files.h"
#include "tests/cli/cli_run.h"

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QJsonArray>
#include <QProcess>
#include <QTest>

#include <csignal>

namespace {

// Quotes in place of apostrophes.
QByteArray json(QByteArray text) {
    return text.replace('\'', '"');
}

// The rows of a CSV without what no two runs share.
QList<QByteArray> rowsOf(const QString& path) {
    QList<QByteArray> lines = contents(path).split('\n');
    const QList<QByteArray> head = lines.value(0).split(',');
    const qsizetype wall = head.indexOf("wall_s");
    QList<QByteArray> rows;
    for (const QByteArray& line : lines) {
        QList<QByteArray> cells;
        bool quoted = false;
        QByteArray cell;
        for (const char c : line) {
            quoted = quoted != (c == '"');
            if (c == ',' && !quoted)
                cells.append(std::exchange(cell, QByteArray()));
            else
                cell.append(c);
        }
        cells.append(cell);
        if (cells.size() > wall)
            cells[wall].clear();
        rows.append(cells.join(','));
    }
    return rows;
}

} // namespace

// `sweep` as people and engines call it: exit codes, processes that die, signals, what is left on the disk.
class CliSweepTest : public QObject {
    Q_OBJECT

private slots:
    void init() {
        m_dir = std::make_unique<QTemporaryDir>();
        QVERIFY(m_dir->isValid());
    }

    void aSweepRunsFromDocumentToTable() {
        const QString folder = made(6);
        QCOMPARE(runCli({"sweep", "status", folder}).code, 4);
        QCOMPARE(runCli({"sweep", "collect", folder, "--out", path("open.csv")}).code, 4);
        QCOMPARE(contents(path("open.csv")).count('\n'), 7);
        const CliRun run = runCli({"sweep", "run", folder, "--jobs", "2", "--json"});
        QVERIFY2(run.code == 0, run.err + run.out);
        QCOMPARE(run.json()[QStringLiteral("done")].toInt(), 6);
        QCOMPARE(runCli({"sweep", "status", folder}).code, 0);
        QCOMPARE(runCli({"sweep", "run", folder}).code, 0); // nothing is open
        const CliRun collected = runCli({"sweep", "collect", folder, "--out", path("all.csv"), "--json"});
        QVERIFY2(collected.code == 0, collected.err + collected.out);
        QCOMPARE(contents(path("all.csv")).count('\n'), 7);
        const QJsonArray best = collected.json()[QStringLiteral("best")].toArray();
        QCOMPARE(best.size(), 6);
        QCOMPARE(runCli({"sweep", "collect", folder, "--out", path("all.db")}).code, 0);
        const CliRun twice = runCli({"sweep", "collect", folder, "--out", path("all.db"), "--json"});
        QCOMPARE(twice.json()[QStringLiteral("added")].toInt(), 0);
        QCOMPARE(runCli({"sweep", "collect", folder, "--out", path("all.txt")}).code, 2);
    }

    // The same tasks in other chunks and by one process after the other give the same table.
    void theDivisionChangesNothing() {
        const QString one = made(6, "one"), other = made(1, "other");
        QVERIFY(runCli({"sweep", "run", one, "--jobs", "1"}).code == 0);
        for (int chunk = 5; chunk >= 0; --chunk)
            QCOMPARE(runCli({"sweep", "work", other, "--chunk", QString::number(chunk)}).code, 0);
        QCOMPARE(runCli({"sweep", "collect", one, "--out", path("one.csv")}).code, 0);
        QCOMPARE(runCli({"sweep", "collect", other, "--out", path("other.csv")}).code, 0);
        QCOMPARE(rowsOf(path("one.csv")), rowsOf(path("other.csv")));
    }

    void badInputWritesNothing_data() {
        QTest::addColumn<QByteArray>("document");
        QTest::addColumn<int>("code");
        QTest::addColumn<QString>("where");
        const auto add = [](const char* name, const char* document, int code, const char* where) {
            QTest::newRow(name) << QByteArray(document) << code << QString::fromLatin1(where);
        };
        const QByteArray base =
            json("{'schema': 'pipewright-sweep-1', 'name': 'x', 'base': {'cluster': 'CLUSTER', 'model': "
                 "'MODEL', 'recipe': {'gbs': 64, 'seq': 2048}}, 'axes': [");
        const QByteArray end = "]}";
        const auto with = [&](const QByteArray& axes, const QByteArray& rest) { return base + axes + rest; };
        QTest::newRow("no JSON") << QByteArray("{\"schema\": ") << 2 << QStringLiteral("sweep.json:1");
        add("batch", with(json("{'name': 'b', 'of': 'recipe.gbs', 'values': [64, 0]}"), end).constData(), 2,
            "#/axes");
        add("file", with(json("{'name': 'c', 'of': 'cluster', 'values': ['gone.json']}"), end).constData(), 2,
            "gone.json");
        add("model", with(json("{'name': 'c', 'of': 'model', 'values': ['CLUSTER']}"), end).constData(), 2,
            "mixed-16.json");
        add("column", with(json("{'name': 'Status', 'of': 'recipe.gbs', 'values': [64]}"), end).constData(),
            2, "#/axes/0");
        add("nothing left",
            with(json("{'name': 'b', 'of': 'recipe.gbs', 'values': [64]}"),
                 json("], 'limit': {'most_gpus': 2}}"))
                .constData(),
            3, "sweep.json");
    }
    void badInputWritesNothing() {
        QFETCH(QByteArray, document);
        QFETCH(int, code);
        QFETCH(QString, where);
        document.replace("CLUSTER", sample("clusters/mixed-16.json").toUtf8());
        document.replace("MODEL", sample("models/gpt3-1.3b.json").toUtf8());
        write("sweep.json", document);
        const CliRun run = runCli({"sweep", "make", path("sweep.json"), "--out", path("made"), "--json"});
        QVERIFY2(run.code == code, run.err + run.out);
        QVERIFY2(run.error()[QStringLiteral("where")].toString().contains(where), run.out.constData());
        QVERIFY(!QDir(path("made")).exists());
    }

    void aFolderIsNotWrittenOver() {
        const QString folder = made(6);
        write("sweep.json", document());
        QCOMPARE(runCli({"sweep", "make", path("sweep.json"), "--out", folder}).code, 2);
        QCOMPARE(runCli({"sweep", "work", path("nowhere"), "--chunk", "0"}).code, 2);
        QCOMPARE(runCli({"sweep", "work", folder, "--chunk", "1"}).code, 2);
    }

    // The input is not read again: it may be gone.
    void aFolderStandsByItself() {
        QVERIFY(QFile::copy(sample("clusters/mixed-16.json"), path("cluster.json")));
        write("sweep.json", document("cluster.json"));
        QCOMPARE(runCli({"sweep", "make", path("sweep.json"), "--out", path("made")}).code, 0);
        QVERIFY(QFile::remove(path("cluster.json")) && QFile::remove(path("sweep.json")));
        QVERIFY(QDir().rename(path("made"), path("moved")));
        QCOMPARE(runCli({"sweep", "run", path("moved")}).code, 0);
    }

    // SIGTERM ends `run` and its children with what is done kept; the next run does the rest.
    void aStoppedRunGoesOn() {
        const QString folder = made(30, "large", 30);
        QProcess run;
        run.start(QStringLiteral(PW_CLI), {"sweep", "run", folder, "--jobs", "1"});
        QTRY_VERIFY_WITH_TIMEOUT(resultLines(folder) > 2, 60000);
        QVERIFY(::kill(static_cast<pid_t>(run.processId()), SIGTERM) == 0);
        QVERIFY(run.waitForFinished(60000));
        QCOMPARE(run.exitCode(), 4);
        const QJsonObject status = runCli({"sweep", "status", folder, "--json"}).json();
        const int done = status[QStringLiteral("done")].toInt();
        QVERIFY2(done > 0 && done < 30, QByteArray::number(done));
        QCOMPARE(status[QStringLiteral("begun")].toInt(), 0); // what was stopped counts as not begun
        QCOMPARE(runCli({"sweep", "run", folder}).code, 0);
    }

    // A child that is killed is started again and goes on behind what is done.
    void aKilledChildIsStartedAgain() {
        const QString folder = made(30, "large", 30);
        QProcess run;
        run.start(QStringLiteral(PW_CLI), {"sweep", "run", folder, "--jobs", "1", "--json"});
        QTRY_VERIFY_WITH_TIMEOUT(resultLines(folder) > 2, 60000);
        const QString children = QStringLiteral("/proc/%1/task/%1/children").arg(run.processId());
        const int child = contents(children).trimmed().toInt();
        QVERIFY(child > 0 && ::kill(child, SIGKILL) == 0);
        QVERIFY(run.waitForFinished(120000));
        const QByteArray said = run.readAllStandardError();
        QVERIFY2(run.exitCode() == 0, said.constData());
        QCOMPARE(QDir(folder + QStringLiteral("/results")).entryList({QStringLiteral("*.jsonl")}).size(), 2);
        QVERIFY2(said.contains("signal 9"), said.constData());
        QCOMPARE(runCli({"sweep", "collect", folder, "--out", path("x.csv")}).code, 0);
    }

    void disagreementIsRefused() {
        const QString folder = made(6);
        QCOMPARE(runCli({"sweep", "run", folder}).code, 0);
        const QString results = folder + QStringLiteral("/results/");
        const QString file = results + QDir(results).entryList({QStringLiteral("*.jsonl")}).value(0);
        QByteArray text = contents(file);
        const qsizetype at = text.indexOf("\"iteration_s\":") + 14;
        text.insert(at, '1');
        QFile other(results + QStringLiteral("00000-local.0.other.1-00000000.jsonl"));
        QVERIFY(other.open(QIODevice::WriteOnly) && other.write(text) == text.size());
        other.close();
        const CliRun run = runCli({"sweep", "collect", folder, "--out", path("x.csv"), "--json"});
        QCOMPARE(run.code, 1);
        QCOMPARE(run.error()[QStringLiteral("code")].toString(), QStringLiteral("sweep.disagreement"));
        QVERIFY(!QFile::exists(path("x.csv")));
    }

    // What would be given to Slurm is shown where there is none.
    void aDryRunPrintsScriptAndCommands() {
        const QString folder = made(1);
        const CliRun run =
            runCli({"sweep", "run", folder, "--on", "slurm", "--dry-run", "--json", "--partition", "p",
                    "--max-running", "3", "--through", "ssh login", "--sbatch", "--mem=1G --nice"});
        QVERIFY2(run.code == 0, run.err + run.out);
        const QString command = run.json()[QStringLiteral("commands")][0].toString();
        for (const char* part : {"ssh login ", "--array=0-5%3", "--partition=p", "--mem=1G", "--nice"})
            QVERIFY2(command.contains(QLatin1String(part)), qPrintable(command));
        QVERIFY(run.json()[QStringLiteral("script")].toString().contains(QStringLiteral("sweep work")));
        QVERIFY(!QFile::exists(folder + QStringLiteral("/jobs.jsonl")));
        QVERIFY(!QFile::exists(folder + QStringLiteral("/job.sbatch")));
    }

    // Every template that ships can be made.
    void templatesAreSound_data() {
        QTest::addColumn<QString>("file");
        for (const QString& file : QDir(sample("sweeps")).entryList({QStringLiteral("*.json")}))
            QTest::newRow(qPrintable(file)) << file;
    }
    void templatesAreSound() {
        QFETCH(QString, file);
        const CliRun run =
            runCli({"sweep", "make", sample("sweeps/") + file, "--out", path("made"), "--json"});
        QVERIFY2(run.code == 0, run.err + run.out);
        QVERIFY(run.json()[QStringLiteral("tasks")].toInt() > 5);
        QVERIFY(run.json()[QStringLiteral("notes")].toArray().isEmpty());
    }

private:
    QString path(const QString& name) const { return m_dir->filePath(name); }
    void write(const QString& name, const QByteArray& text) const {
        QFile file(path(name));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(text) == text.size());
    }
    static QByteArray document(const QString& cluster = sample("clusters/mixed-16.json"), int batches = 6) {
        QByteArray values;
        for (int i = 1; i <= batches; ++i)
            values += (i > 1 ? "," : "") + QByteArray::number(16 * i);
        return (json("{'schema': 'pipewright-sweep-1', 'name': 'test', 'base': {'cluster': '")) +
               cluster.toUtf8() + json("', 'model': '") + sample("models/gpt3-1.3b.json").toUtf8() +
               json("', 'recipe': {'gbs': 64, 'seq': 2048}}, 'axes': [{'name': 'batch', 'of': 'recipe.gbs', "
                    "'values': [") +
               values + "]}]}";
    }
    QString made(int chunkTasks, const char* name = "made", int batches = 6) const {
        write(QStringLiteral("sweep.json"), document(sample("clusters/mixed-16.json"), batches));
        const CliRun run = runCli({"sweep", "make", path("sweep.json"), "--out", path(QLatin1String(name)),
                                   "--chunk-tasks", QString::number(chunkTasks)});
        if (run.code != 0)
            qFatal("%s", run.err.constData());
        return path(QLatin1String(name));
    }
    static qsizetype resultLines(const QString& folder) {
        qsizetype lines = 0;
        for (QDirIterator file(folder + QStringLiteral("/results"), {QStringLiteral("*.jsonl")});
             file.hasNext();)
            lines += contents(file.next()).count("\"exit\"");
        return lines;
    }

    std::unique_ptr<QTemporaryDir> m_dir;
};

QTEST_GUILESS_MAIN(CliSweepTest)
#include "cli_sweep_test.moc"
