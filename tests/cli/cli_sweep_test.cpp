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
#include <cstdio>

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

// Slurm's commands in a folder that is the first on the path as long as this lives. Files there say what is
// to go wrong: "mute" lets sbatch tell no number, "lost" lets it take nothing, either with exit code 0;
// "held" lets scancel fail; "hook" is run by sbatch after it took the job.
class StubSlurm {
public:
    StubSlurm() : m_path(qgetenv("PATH")) {
        script("scontrol", "echo 'MaxArraySize = 1001'\n");
        script("sbatch", R"(echo "$*" >> sbatch.log
[ -e lost ] && exit 0
n=$(($(cat last 2>/dev/null || echo 16) + 1))
echo $n > last
for word; do
    case $word in
    --job-name=*) name=${word#*=} ;;
    --array=*) array=${word#*=} ;;
    --chdir=*) folder=${word#*=} ;;
    esac
done
echo "${array%\%*}" | tr , '\n' | while IFS=- read -r from to; do
    for element in $(seq "$from" "${to:-$from}"); do echo "$n $element $name None" >> queue; done
done
[ -e hook ] && . ./hook
[ -e mute ] || echo $n
)");
        script("squeue", R"(for word; do case $word in --name=*) names=,${word#*=}, ;; esac; done
touch queue
while read -r id element name why; do
    case $names in *,$name,*) echo "$id $element $name $why" ;; esac
done < queue
)");
        script("scancel", R"([ -e held ] && { echo 'no controller' >&2; exit 1; }
for id; do sed -i "/^$id /d" queue; done
)");
        qputenv("PATH", m_dir.path().toUtf8() + ':' + m_path);
    }
    ~StubSlurm() { qputenv("PATH", m_path); }
    StubSlurm(const StubSlurm&) = delete;
    StubSlurm& operator=(const StubSlurm&) = delete;

    void write(const char* name, const QByteArray& text = {}) const {
        QFile file(path(name));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(text) == text.size());
    }
    void remove(const char* name) const { QVERIFY(QFile::remove(path(name))); }
    qsizetype submissions() const { return contents(path("sbatch.log")).count('\n'); }
    QByteArray queue() const { return contents(path("queue")); }

private:
    QString path(const char* name) const { return m_dir.filePath(QLatin1String(name)); }
    void script(const char* name, const char* text) const {
        write(name, QByteArray("#!/bin/sh\ncd \"$(dirname \"$0\")\" || exit 1\n") + text);
        QVERIFY(QFile::setPermissions(path(name), QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
    }

    QTemporaryDir m_dir;
    QByteArray m_path;
};

// Files that this program writes may not grow beyond the record of submissions as it is: a full disk.
constexpr const char* kDiskIsFull = R"(prlimit --pid "$PPID" --fsize="$(stat -c %s "$folder/jobs.jsonl"):")";

QStringList textsOf(const QJsonValue& value) {
    QStringList texts;
    const QJsonArray array = value.toArray();
    for (const auto& text : array)
        texts << text.toString();
    return texts;
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

    // Nobody computes what was only to be shown.
    void flagsOfTheOtherEngineAreRefused() {
        const QString folder = made(1);
        for (const QStringList& flags : {QStringList{"--dry-run"},
                                         {"--partition", "p"},
                                         {"--max-running", "3"},
                                         {"--through", "ssh login"},
                                         {"--on", "slurm", "--jobs", "2"}}) {
            const CliRun run = runCli(QStringList{"sweep", "run", folder, "--json"} + flags);
            QVERIFY2(run.code == 2, run.err + run.out);
            QVERIFY(run.error()[QStringLiteral("where")].toString().startsWith(QLatin1String("--")));
        }
        const CliRun status = runCli({"sweep", "status", folder, "--json"});
        QCOMPARE(status.json()[QStringLiteral("done")].toInt(), 0);
    }

    // A job of which the disk has no room for the number is cancelled; the next run submits its work.
    void aJobThatCannotBeWrittenDownIsCancelled() {
        const StubSlurm slurm;
        const QString folder = made(1);
        slurm.write("hook", kDiskIsFull);
        const CliRun run = submitted(folder);
        QVERIFY2(run.code == 1, run.err + run.out);
        QCOMPARE(run.error()[QStringLiteral("code")].toString(), QStringLiteral("sweep.unrecorded"));
        const QString said = run.error()[QStringLiteral("message")].toString();
        QVERIFY2(said.contains(QStringLiteral("job 17")) && said.contains(QStringLiteral("scancel 17")),
                 qPrintable(said));
        QCOMPARE(slurm.queue(), QByteArray());
        slurm.remove("hook");
        QCOMPARE(textsOf(submitted(folder).json()[QStringLiteral("jobs")]), QStringList("18"));
    }

    // One that cannot even be cancelled is named, not submitted again, and found by `cancel`.
    void aJobThatGoesOnUnrecordedIsFoundByItsName() {
        const StubSlurm slurm;
        const QString folder = made(1);
        slurm.write("hook", kDiskIsFull);
        slurm.write("held");
        const CliRun run = submitted(folder);
        QVERIFY2(run.code == 1, run.err + run.out);
        const QString said = run.error()[QStringLiteral("message")].toString();
        QVERIFY2(said.contains(QStringLiteral("cancel it with: scancel 17")), qPrintable(said));
        slurm.remove("hook");
        const CliRun again = submitted(folder);
        QVERIFY2(again.code == 0, again.err + again.out);
        QCOMPARE(again.json()[QStringLiteral("waiting")].toInt(), 6);
        QCOMPARE(slurm.submissions(), 1);
        const CliRun status = runCli({"sweep", "status", folder, "--queue", "--json"});
        QCOMPARE(status.json()[QStringLiteral("queued_chunks")].toArray().size(), 6);
        slurm.remove("held");
        const CliRun cancelled = runCli({"sweep", "cancel", folder, "--json"});
        QCOMPARE(textsOf(cancelled.json()[QStringLiteral("cancelled")]), QStringList("17"));
        QCOMPARE(slurm.queue(), QByteArray());
    }

    // A disk that is full already is met before sbatch is called.
    void aFullDiskSubmitsNothing() {
        const StubSlurm slurm;
        const QString folder = made(1);
        constexpr int kRoom = 2000; // bytes of a file: the script has them, the record is beyond
        write(QStringLiteral("made/jobs.jsonl"),
              json("{'chunks':[],'engine':'slurm','id':'1','command':'") + QByteArray(kRoom, 'x') + "\"}\n");
        QProcess run;
        run.start(QStringLiteral("prlimit"),
                  {QStringLiteral("--fsize=%1:").arg(kRoom), QStringLiteral(PW_CLI), "sweep", "run", folder,
                   "--on", "slurm"});
        QVERIFY(run.waitForFinished(kCliTimeoutMs));
        const QByteArray said = run.readAllStandardError();
        QVERIFY2(run.exitCode() == 1 && said.contains("jobs.jsonl"), said.constData());
        QCOMPARE(slurm.submissions(), 0);
    }

    // Without its number a job would be submitted again.
    void wordsThatHideTheNumberAreRefused() {
        const StubSlurm slurm;
        const QString folder = made(1);
        for (const char* words : {"-Q", "--mem=1G --quiet"}) {
            const CliRun run = submitted(folder, {QStringLiteral("--sbatch=") + QLatin1String(words)});
            QVERIFY2(run.code == 2, run.err + run.out);
            QCOMPARE(run.error()[QStringLiteral("where")].toString(), QStringLiteral("--sbatch"));
        }
        QCOMPARE(slurm.submissions(), 0);
        QVERIFY(!QFile::exists(folder + QStringLiteral("/jobs.jsonl")));
    }

    void aNumberThatSbatchDoesNotTellIsFoundByTheName() {
        const StubSlurm slurm;
        const QString folder = made(1), other = made(1, "other");
        QCOMPARE(textsOf(submitted(other).json()[QStringLiteral("jobs")]), QStringList("17"));
        slurm.write("mute");
        const CliRun run = submitted(folder);
        QVERIFY2(run.code == 0, run.err + run.out);
        QCOMPARE(textsOf(run.json()[QStringLiteral("jobs")]), QStringList("18"));
        QCOMPARE(submitted(folder).json()[QStringLiteral("waiting")].toInt(), 6);
        const CliRun cancelled = runCli({"sweep", "cancel", folder, "--json"});
        QCOMPARE(textsOf(cancelled.json()[QStringLiteral("cancelled")]), QStringList("18"));
        QVERIFY(slurm.queue().startsWith("17 0 ")); // the other sweep's job is not this one's
    }

    void aJobThatIsNowhereIsAnError() {
        const StubSlurm slurm;
        const QString folder = made(1);
        slurm.write("lost");
        const CliRun run = submitted(folder);
        QVERIFY2(run.code == 1, run.err + run.out);
        QCOMPARE(run.error()[QStringLiteral("code")].toString(), QStringLiteral("sweep.engine"));
        slurm.remove("lost");
        QCOMPARE(textsOf(submitted(folder).json()[QStringLiteral("jobs")]), QStringList("17"));
    }

    // Where the record is gone, nobody knows which chunks a job of the sweep's name has.
    void aJobThatNoRecordHasIsInTheWay() {
        const StubSlurm slurm;
        const QString folder = made(1);
        QCOMPARE(submitted(folder).code, 0);
        QVERIFY(QFile::remove(folder + QStringLiteral("/jobs.jsonl")));
        const CliRun run = submitted(folder);
        QVERIFY2(run.code == 1 && run.out.contains("17"), run.err + run.out);
        QCOMPARE(slurm.submissions(), 1);
        QCOMPARE(runCli({"sweep", "cancel", folder}).code, 0);
        QCOMPARE(textsOf(submitted(folder).json()[QStringLiteral("jobs")]), QStringList("18"));
    }

    // What a folder recorded when all sweeps' jobs had one name.
    void anOlderSubmissionIsFound() {
        const StubSlurm slurm;
        const QString folder = made(1);
        write(QStringLiteral("made/jobs.jsonl"),
              json("{'chunks':[0,1],'command':'','engine':'slurm','id':'9','offset':0,'time':''}\n"));
        slurm.write("queue", "9 1 pipewright-sweep None\n10 2 pipewright-sweep None\n");
        QCOMPARE(submitted(folder).json()[QStringLiteral("waiting")].toInt(), 1);
        const CliRun cancelled = runCli({"sweep", "cancel", folder, "--json"});
        QCOMPARE(textsOf(cancelled.json()[QStringLiteral("cancelled")]), QStringList({"17", "9"}));
        QCOMPARE(slurm.queue(), QByteArray("10 2 pipewright-sweep None\n"));
    }

    // A folder's name need not be UTF-8.
    void aFolderThatIsNoUtf8IsSubmitted() {
        const StubSlurm slurm;
        made(1);
        const QByteArray folder = m_dir->path().toUtf8() + "/swe\xff"
                                                           "ep";
        QCOMPARE(std::rename(path("made").toUtf8().constData(), folder.constData()), 0);
        const auto back = qScopeGuard([&] { // QTemporaryDir cannot remove it
            std::rename(folder.constData(), path("made").toUtf8().constData());
        });
        for (const int jobs : {1, 0}) {
            QProcess run;
            run.start(QStringLiteral("sh"),
                      {"-c", "exec \"$1\" sweep run \"$2\"/swe$(printf '\\377')ep --on slurm --json", "sh",
                       QStringLiteral(PW_CLI), m_dir->path()});
            QVERIFY(run.waitForFinished(kCliTimeoutMs));
            const QByteArray out = run.readAllStandardOutput();
            QVERIFY2(run.exitCode() == 0, out + run.readAllStandardError());
            QCOMPARE(QJsonDocument::fromJson(out).object()[QStringLiteral("jobs")].toArray().size(), jobs);
        }
        QCOMPARE(slurm.submissions(), 1);
    }

    // A child on a disk without room cannot even say so: the run does.
    void aRunOnAFullDiskSaysWhy() {
        const QString folder = made(6);
        QProcess run;
        run.start(QStringLiteral("prlimit"),
                  {"--fsize=0:", QStringLiteral(PW_CLI), "sweep", "run", folder, "--jobs", "1"});
        QVERIFY(run.waitForFinished(kCliTimeoutMs));
        const QByteArray said = run.readAllStandardError();
        QVERIFY2(run.exitCode() == 1 && said.contains("File too large"), said.constData());
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
    static CliRun submitted(const QString& folder, const QStringList& more = {}) {
        return runCli(QStringList{"sweep", "run", folder, "--on", "slurm", "--json"} + more);
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
