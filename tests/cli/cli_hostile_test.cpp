// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/cli/cli_files.h"
#include "tests/cli/cli_run.h"

#include <QFile>
#include <QJsonArray>
#include <QTest>

#include <cmath>
#include <csignal>
#include <sys/resource.h>
#include <unistd.h>

namespace {

// As a person's shell runs it: with pipes, and bytes that a QString cannot hold. `$PW` is the program.
CliRun shell(const QString& script, const QString& folder, int timeoutMs = 60000) {
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("PW"), QStringLiteral(PW_CLI));
    environment.insert(QStringLiteral("SAMPLES"), QStringLiteral(PW_SOURCE_DIR "/samples"));
    environment.insert(QStringLiteral("DATA"), QStringLiteral(PW_SOURCE_DIR "/tests/data"));
    process.setProcessEnvironment(environment);
    process.setWorkingDirectory(folder);
    process.start(QStringLiteral("bash"), {QStringLiteral("-c"), script});
    CliRun run;
    if (process.waitForFinished(timeoutMs) && process.exitStatus() == QProcess::NormalExit)
        run.code = process.exitCode();
    else
        process.kill();
    run.out = process.readAllStandardOutput();
    run.err = process.readAllStandardError();
    return run;
}

constexpr const char* kProblem =
    "--cluster $SAMPLES/clusters/mixed-16.json --model $SAMPLES/models/llama3-8b.json "
    "--gbs 256 --seq 2048";

// A search that would take hours, writing to out.json.
class LongSearch {
public:
    explicit LongSearch(const QString& folder, const QString& before = {}, const QString& more = {}) {
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("PW"), QStringLiteral(PW_CLI));
        environment.insert(QStringLiteral("SAMPLES"), QStringLiteral(PW_SOURCE_DIR "/samples"));
        m_process.setProcessEnvironment(environment);
        m_process.setWorkingDirectory(folder);
        m_process.start(
            QStringLiteral("bash"),
            {QStringLiteral("-c"),
             before +
                 QStringLiteral("exec $PW plan --json --planner pipewright --work 1000000000000 "
                                "--cluster $SAMPLES/clusters/mixed-64.json --model "
                                "$SAMPLES/models/llama3-70b.json --gbs 512 --seq 4096 --out out.json ") +
                 more});
        m_started = m_process.waitForStarted();
    }
    ~LongSearch() {
        m_process.kill();
        m_process.waitForFinished();
    }
    bool started() const { return m_started; }
    void send(int signal) { ::kill(static_cast<pid_t>(m_process.processId()), signal); }
    // Until it has used so much of the processors.
    bool works(double seconds) {
        while (processorSeconds(m_process.processId()) < seconds)
            if (m_process.waitForFinished(20))
                return false;
        return true;
    }
    bool ended(int milliseconds) { return m_process.waitForFinished(milliseconds); }
    QProcess& process() { return m_process; }

private:
    QProcess m_process;
    bool m_started = false;
};

} // namespace

// What a hostile review broke, from outside.
class CliHostileTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { m_dir = std::make_unique<QTemporaryDir>(); }

    // A spreadsheet's Windows-1252: bad input with its place, in whatever thread it is met.
    void otherEncodingsOfTablesArePlaced() {
        const QString make =
            QStringLiteral("sed 's/\\(V100[^,]*\\)/\\1 M\\xfcnchen/' $DATA/runs-small.csv > runs.csv; ");
        for (const char* command :
             {"$PW --json validate runs.csv --out o.csv", "$PW --json calibrate runs.csv --out c.json",
              "$PW --json validate runs.csv --threads 1 --out o.csv"}) {
            const CliRun run = shell(make + QLatin1String(command), m_dir->path());
            QVERIFY2(run.code == 2, command + run.out + run.err);
            QCOMPARE(run.error()[QStringLiteral("code")].toString(), QStringLiteral("text.encoding"));
            QVERIFY2(run.error()[QStringLiteral("where")].toString().startsWith(QLatin1String("runs.csv:")),
                     run.out.constData());
        }
    }

    // What is calibrated to run.json stands alone, and another document on one line is no table of runs.
    void aRunOfTheRunnerIsReadAlone() {
        const QString run = QStringLiteral("$SAMPLES/runs/h100/llama3-8b-6-4096-1-none-bf16.json ");
        const QString plan = QStringLiteral("$SAMPLES/plans/h100/llama3-8b-6-4096-1-none-bf16.json ");
        for (const auto& [files, code, says] :
             {std::tuple(run + run, "runs.mixed", "is a run of the runner, and is read alone"),
              std::tuple(QStringLiteral("$DATA/runs-small.csv ") + run, "runs.mixed",
                         "is a run of the runner"),
              std::tuple(plan, "log.steps", "no line tells how long a step took")}) {
            const CliRun refused =
                shell(QStringLiteral("$PW --json calibrate ") + files + QStringLiteral("--out own.json"),
                      m_dir->path());
            QVERIFY2(refused.code == 2, refused.out + refused.err);
            QCOMPARE(refused.error()[QStringLiteral("code")].toString(), QLatin1String(code));
            QVERIFY2(refused.out.contains(says), refused.out.constData());
            QVERIFY(refused.error()[QStringLiteral("where")].toString().endsWith(
                QStringLiteral("llama3-8b-6-4096-1-none-bf16.json")));
            QVERIFY(!QFile::exists(m_dir->filePath(QStringLiteral("own.json"))));
        }
        const CliRun alone = shell(
            QStringLiteral("$PW --json calibrate ") + run + QStringLiteral("--out own.json"), m_dir->path());
        QVERIFY2(alone.code == 0, alone.out + alone.err);
        QVERIFY(QFile::exists(m_dir->filePath(QStringLiteral("own.json"))));
    }

    // A calibration by which its own run is predicted worse than without says so: this one's recorded passes
    // took longer than those of its other steps.
    void aCalibrationThatIsFurtherOffSaysSo() {
        const QString off =
            QStringLiteral("calibrate --out off.json $SAMPLES/runs/h100/gpt3-1.3b-24-2048-2-none-fp16.json");
        const CliRun text = shell(QStringLiteral("$PW ") + off, m_dir->path());
        QVERIFY2(text.code == 0, text.out + text.err);
        for (const char* says : {"further off than before: +", " % in place of ", "all the same"})
            QVERIFY2(text.out.contains(says), text.out.constData());
        const QJsonObject fit =
            shell(QStringLiteral("$PW --json ") + off, m_dir->path()).json()[QLatin1String("fit")].toObject();
        QCOMPARE(fit[QLatin1String("further_off")].toBool(), true);
    }

    // The optimizer's step has a factor of its own, and how it ran stands with it.
    void aCalibrationTakesTheOptimizersStep() {
        const QString command =
            QStringLiteral("calibrate --out near.json $SAMPLES/runs/h200/llama3-8b-6-4096-2-none-bf16.json");
        const CliRun text = shell(QStringLiteral("$PW ") + command, m_dir->path());
        QVERIFY2(text.code == 0, text.out + text.err);
        for (const char* says :
             {"optimizer steps", "update", "did not step in one fused kernel", "where it was not recorded"})
            QVERIFY2(text.out.contains(says), text.out.constData());
        QVERIFY2(!text.out.contains("further off") && !text.out.contains("all the same"),
                 text.out.constData());
        const QJsonObject factors = shell(QStringLiteral("$PW --json ") + command, m_dir->path()).json();
        QCOMPARE(factors[QLatin1String("fused_update")].toString(), QStringLiteral("off"));
        const double update =
            factors[QLatin1String("software")].toObject()[QLatin1String("update")].toDouble();
        QVERIFY2(update > 0.7 && update < 0.85, QByteArray::number(update).constData());
        const QJsonObject fit = factors[QLatin1String("fit")].toObject();
        QVERIFY(!fit[QLatin1String("further_off")].toBool(true));
        const QJsonObject iteration = fit[QLatin1String("iteration_s")].toObject();
        const auto errorOf = [&](const char* which) {
            return iteration[QLatin1String(which)].toDouble() /
                       iteration[QLatin1String("measured")].toDouble() -
                   1.0;
        };
        QVERIFY2(errorOf("before") < -0.015 && std::abs(errorOf("after")) < 0.01,
                 QByteArray::number(errorOf("after")).constData());
    }

    // A run that the runner wrote is read whole: no key of it is told to be unknown.
    void aRunIsReadWhole() {
        const CliRun laid = shell(
            QStringLiteral("$PW --json evaluate --plan $SAMPLES/plans/h200/llama3-8b-6-4096-2-none-bf16.json "
                           "--measured $SAMPLES/runs/h200/llama3-8b-6-4096-2-none-bf16.json"),
            m_dir->path());
        QVERIFY2(laid.code == 0 && laid.json().contains(QLatin1String("run")), laid.out + laid.err);
        QVERIFY2(!laid.err.contains("warning"), laid.err.constData());
    }

    // Bytes of files never command the terminal, on either output.
    void escapesAreShownAndNotSent() {
        const QString make = QStringLiteral(
            "sed 's/mixed-16/\\\\u001b[31m\\\\u0007\\\\u009b2J/; s/\"n1\"/\"n\\\\u001b]0;t\\\\u0007\"/' "
            "$SAMPLES/clusters/mixed-16.json > c.json; "
            "printf '{\"schema\": \"\\x1b[31mX\\x07\"}' > bad.json; ");
        for (const char* command :
             {"$PW cluster c.json", "$PW cluster bad.json", "$PW --json cluster c.json",
              "$PW --log debug cluster bad.json", "$PW import bad.json",
              "$PW plan --cluster c.json --model $SAMPLES/models/llama3-8b.json --gbs 8 --seq 128 "
              "--require $'\\x1b[2J'"}) {
            const CliRun run = shell(make + QLatin1String(command), m_dir->path());
            QVERIFY2(run.code >= 0 && run.code <= 3, command);
            for (const QByteArray& said : {run.out, run.err}) {
                for (const char byte : {'\x1b', '\x07', '\x7f'})
                    QVERIFY2(!said.contains(byte), command + said);
                QVERIFY2(!said.contains("\xC2\x9B"), command + said);
            }
        }
    }

    // Nor do they make lines of their own: a name stays in its line.
    void namesMakeNoLines() {
        const CliRun run = shell(
            QStringLiteral(
                "for file in clusters/mixed-16 models/llama3-8b; do "
                "sed '0,/\"name\": \"/s//&x\\\\nforged: all is well\\\\n/' $SAMPLES/$file.json "
                "> $(basename $file).json; done; "
                "$PW plan --cluster mixed-16.json --model llama3-8b.json --gbs 256 --seq 2048 --work 1000 "
                "--out p.json && $PW evaluate --plan p.json && $PW evaluate --json --plan p.json && "
                "$PW cluster mixed-16.json && $PW model llama3-8b.json"),
            m_dir->path());
        QVERIFY2(run.code == 0, run.out + run.err);
        QVERIFY2(run.out.contains("x\\nforged: all is well\\n"), run.out);
        QVERIFY2(!run.out.contains("\nforged") && !run.err.contains("\nforged"), run.out + run.err);
    }

    // Import looks at the beginning of a file first: what came through a pipe is there a second time.
    void pipesAreFiles() {
        CliRun run =
            shell(QStringLiteral("$PW --json cluster <(cat $SAMPLES/clusters/mixed-16.json)"), m_dir->path());
        QVERIFY2(run.code == 0, run.out + run.err);
        run = shell(QStringLiteral("gzip -c $SAMPLES/models/gpt-neo-2.7b.json | $PW --json model /dev/stdin"),
                    m_dir->path());
        QVERIFY2(run.code == 0, run.out + run.err);
        run = shell(QStringLiteral(
                        "cat $SAMPLES/profiles/sailor/GPT-Neo-2.7/A100-40/profile.json | $PW --json import "
                        "/dev/stdin --device A100-40 --model-name neo --out -"),
                    m_dir->path());
        QCOMPARE(run.code, 2); // two documents for one output
        run =
            shell(QStringLiteral(
                      "cat $SAMPLES/profiles/sailor/GPT-Neo-2.7/A100-40/profile.json | $PW import "
                      "/dev/stdin --device A100-40 --model-name neo --out - | $PW --json import /dev/stdin"),
                  m_dir->path());
        QVERIFY2(run.code == 0, run.out + run.err);
        QVERIFY(run.json()[QStringLiteral("rows")].toInt() > 100);
        QVERIFY2(run.err.contains("written to"), run.err.constData()); // by the first of the two
    }

    void aDashIsStandardOutput() {
        const CliRun table =
            shell(QStringLiteral("$PW validate $DATA/runs-small.csv --out -"), m_dir->path());
        QVERIFY2(table.code == 0, table.err.constData());
        QVERIFY2(table.out.startsWith("row_id,status,"), table.out.left(200).constData());
        const CliRun added = shell(
            QStringLiteral("echo before > f; $PW validate $DATA/runs-small.csv --out - >> f"), m_dir->path());
        QCOMPARE(added.code, 0);
        QCOMPARE(contents(m_dir->filePath(QStringLiteral("f"))), "before\n" + table.out);
        QVERIFY(!QFile::exists(m_dir->filePath(QStringLiteral("-"))));
    }

    // A dropped ssh session leaves what was found; who asked to ignore it is not bothered.
    void theEndOfTheTerminalKeepsTheBest() {
        LongSearch search(m_dir->path());
        QVERIFY(search.started());
        QVERIFY(search.works(2.0));
        search.send(SIGHUP);
        QVERIFY(search.ended(60000));
        QCOMPARE(search.process().exitStatus(), QProcess::NormalExit);
        QCOMPARE(search.process().exitCode(), 0);
        const QJsonObject kept =
            QJsonDocument::fromJson(contents(m_dir->filePath(QStringLiteral("out.json")))).object();
        QCOMPARE(kept[QStringLiteral("status")].toString(), QStringLiteral("stopped"));
        QVERIFY(!kept[QStringLiteral("plans")].toArray().isEmpty());

        LongSearch ignoring(m_dir->path(), QStringLiteral("trap '' HUP; "));
        QVERIFY(ignoring.started());
        QVERIFY(ignoring.works(1.0));
        ignoring.send(SIGHUP);
        QVERIFY(ignoring.works(2.0)); // goes on
        ignoring.send(SIGTERM);
        QVERIFY(ignoring.ended(60000));
        QCOMPARE(ignoring.process().exitCode(), 0);
    }

    // What no signal handler hears of: the file is there before the end, and is a plan document.
    void aKilledSearchLeavesItsBestPlan_data() {
        QTest::addColumn<QString>("more");
        QTest::addColumn<QString>("trainer"); // that runs what is left
        QTest::addColumn<QString>("node");    // that it uses
        QTest::newRow("the fastest") << QString() << QString() << QString();
        QTest::newRow("for a trainer") << "--target flagscale"
                                       << "flagscale" << QString();
        QTest::newRow("with a node") << "--require n8" << QString() << "n8";
    }
    void aKilledSearchLeavesItsBestPlan() {
        QFETCH(QString, more);
        QFETCH(QString, trainer);
        QFETCH(QString, node);
        const QString out = m_dir->filePath(QStringLiteral("out.json"));
        {
            LongSearch search(m_dir->path(), {}, more);
            QVERIFY(search.started());
            QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(out), 40'000);
            QVERIFY(!search.ended(0));
            search.send(SIGKILL);
            QVERIFY(search.ended(10000));
        }
        const CliRun run =
            runCli({QStringLiteral("--json"), QStringLiteral("evaluate"), QStringLiteral("--plan"), out});
        QVERIFY2(run.code == 0, run.out + run.err);
        const QJsonObject left = QJsonDocument::fromJson(contents(out)).object();
        QCOMPARE(left[QStringLiteral("notes")][0][QStringLiteral("code")],
                 QJsonValue(QStringLiteral("plan.unfinished")));
        const QJsonObject plan = left[QStringLiteral("plans")][0].toObject();
        QVERIFY(trainer.isEmpty() ||
                plan[QStringLiteral("runs_with")].toArray().contains(QJsonValue(trainer)));
        QVERIFY(node.isEmpty() || QJsonDocument(plan).toJson().contains('"' + node.toUtf8() + ".g"));
    }

    void theDatabaseForPlansIsTriedFirst() {
        const CliRun run = shell(QStringLiteral("$PW --json plan --planner exhaustive --work 1000000000000 "
                                                "--keep missing/k.db ") +
                                     QLatin1String(kProblem),
                                 m_dir->path(), 20000);
        QCOMPARE(run.code, 1); // before the search, which would take hours
        QCOMPARE(run.error()[QStringLiteral("where")].toString(), QStringLiteral("missing/k.db"));
    }

    // Others may be importing for minutes, which is no reason not to search.
    void aDatabaseInUseIsWaitedForAndThatIsSaid() {
        const CliRun run =
            shell(QStringLiteral("touch said; python3 -c '\n"
                                 "import sqlite3, time\n"
                                 "held = sqlite3.connect(\"k.db\")\n"
                                 "held.execute(\"BEGIN EXCLUSIVE\")\n"
                                 "open(\"held\", \"w\").close()\n"
                                 "for again in range(600):\n"
                                 "    if \"waiting for it\" in open(\"said\").read(): break\n"
                                 "    time.sleep(0.1)\n"
                                 "' & until [ -e held ]; do sleep 0.1; done; "
                                 "$PW plan --work 1000 --keep k.db ") +
                      QLatin1String(kProblem) + QStringLiteral(" 2> said; code=$?; cat said >&2; exit $code"),
                  m_dir->path(), 2 * kCliTimeoutMs);
        QVERIFY2(run.code == 0, run.out + run.err);
        QVERIFY2(run.out.contains("k.db keeps "), run.out);
        QCOMPARE(run.err.count("another program is using the database; waiting for it, 5 minutes at most"),
                 1);
    }

    void equalRunsGiveEqualBytes() {
        const CliRun run =
            shell(QStringLiteral("for n in 1 2; do $PW --reproducible plan --planner all --work 2000 "
                                 "--threads $n --out $n.json ") +
                      QLatin1String(kProblem) +
                      QStringLiteral(" > $n.txt || exit 9; done; cmp 1.json 2.json && "
                                     "$PW --json evaluate --plan 1.json"),
                  m_dir->path(), 120000);
        QVERIFY2(run.code == 0, run.out.left(500) + run.err);
        const QByteArray document = contents(m_dir->filePath(QStringLiteral("1.json")));
        QVERIFY(document.size() > 1000 && !document.contains("wall_s"));
    }

    // What files call their devices is told for each of them, and only kinds that there are.
    void devicesAreNamedOneByOne() {
        const QString profile =
            QStringLiteral("mkdir -p m/{mine,yours}; cp $SAMPLES/profiles/sailor/GPT-Neo-2.7/A100-40/"
                           "profile.json m/mine; cp m/mine/profile.json m/yours; ");
        CliRun run =
            shell(profile + QStringLiteral(
                                "$PW --profiles p.db profiles import sailor m/*/profile.json --model-name m "
                                "--device mine=A100-80,yours=V100-16 && $PW --json --profiles p.db "
                                "profiles list"),
                  m_dir->path());
        QVERIFY2(run.code == 0, run.out + run.err);
        QStringList kinds;
        const QByteArray listed = run.out.mid(run.out.indexOf('{'));
        const QJsonArray sources =
            QJsonDocument::fromJson(listed).object()[QStringLiteral("sources")].toArray();
        for (const QJsonValue& source : sources)
            for (const QJsonValue& kind : source[QStringLiteral("kinds")].toArray())
                kinds << kind.toString();
        kinds.sort();
        QCOMPARE(kinds, QStringList({QStringLiteral("A100-SXM4-80GB"), QStringLiteral("V100-SXM2-16GB")}));
        run = shell(profile +
                        QStringLiteral(
                            "$PW --profiles q.db profiles import sailor m/mine/profile.json --model-name m "
                            "--device mine=ZX81"),
                    m_dir->path());
        QCOMPARE(run.code, 2);
        QVERIFY(!QFile::exists(m_dir->filePath(QStringLiteral("q.db"))));
    }

    // A name of any bytes becomes a name that every document can hold.
    void namesOfFilesAreNoTrouble() {
        const CliRun run = shell(
            QStringLiteral("mkdir A100-40; cp $SAMPLES/profiles/sailor/GPT-Neo-2.7/A100-40/profile.json "
                           "A100-40/$'M\\xfcnchen.json'; $PW --profiles p.db profiles import sailor "
                           "A100-40/*.json --model-name neo && $PW --profiles p.db profiles export --out "
                           "r.json && $PW --json --profiles p.db profiles list | grep -F 'M\\\\xfcnchen'"),
            m_dir->path());
        QVERIFY2(run.code == 0, run.out + run.err);
        const CliRun stated = shell(
            QStringLiteral("$PW --json import $SAMPLES/profiles/sailor/GPT-Neo-2.7/A100-40/profile.json "
                           "--model-name $'\\xff'"),
            m_dir->path());
        QCOMPARE(stated.code, 2);
        QCOMPARE(stated.error()[QStringLiteral("where")].toString(), QStringLiteral("--model-name"));
    }

    // 1e308 MB are no measurement of anybody's.
    void absurdMeasurementsAreRefused() {
        const CliRun run =
            shell(QStringLiteral("sed '2s/,[0-9.]*/,1e308/5' $PW_SEED > gpt_350M_mbs1_tp2_algo0.csv; "
                                 "$PW --json import aceso gpt_350M_mbs1_tp2_algo0.csv --device V100-32")
                      .replace(QLatin1String("$PW_SEED"),
                               QStringLiteral(PW_SOURCE_DIR "/tests/fuzz/corpus/aceso/whole")),
                  m_dir->path());
        QVERIFY2(run.code == 2, run.out + run.err);
        QCOMPARE(run.error()[QStringLiteral("code")].toString(), QStringLiteral("import.measurement"));
    }

    void runsOutsidePhysicsAreRefused_data() {
        QTest::addColumn<QString>("column");
        QTest::addColumn<QString>("value");
        for (const char* column : {"iter_time_s", "peak_mem_gib", "params_b", "tflops_per_gpu"})
            for (const char* value : {"1e308", "1e-300", "inf", "-1"})
                QTest::addRow("%s %s", column, value)
                    << QString::fromLatin1(column) << QString::fromLatin1(value);
    }
    void runsOutsidePhysicsAreRefused() {
        QFETCH(QString, column);
        QFETCH(QString, value);
        QFile table(QStringLiteral(PW_SOURCE_DIR "/tests/data/runs-small.csv"));
        QVERIFY(table.open(QIODevice::ReadOnly));
        QStringList lines = QString::fromUtf8(table.readAll()).split(QLatin1Char('\n'));
        const qsizetype at = lines[0].split(QLatin1Char(',')).indexOf(column);
        QVERIFY(at > 0);
        QStringList cells =
            lines[1].replace(QLatin1String(", "), QLatin1String("; ")).split(QLatin1Char(','));
        cells[at] = value;
        lines[1] = cells.join(QLatin1Char(','));
        const QString file = m_dir->filePath(QStringLiteral("runs.csv"));
        QFile changed(file);
        QVERIFY(changed.open(QIODevice::WriteOnly));
        changed.write(lines.join(QLatin1Char('\n')).toUtf8());
        changed.close();
        const CliRun run = runCli({QStringLiteral("--json"), QStringLiteral("validate"), file});
        QVERIFY2(run.code == 2, run.out + run.err);
        QVERIFY2(run.error()[QStringLiteral("where")].toString().startsWith(file + QStringLiteral(":2:")),
                 run.out.constData());
    }

    void whatIsWrongWithAFileNamesIt() {
        const CliRun run =
            shell(QStringLiteral(
                      "sed '0,/\"b\": \"s1\"/s//\"b\": \"s9\"/' $SAMPLES/clusters/mixed-16.json > c.json; "
                      "cmp -s c.json $SAMPLES/clusters/mixed-16.json && exit 99; "
                      "$PW --json plan --cluster c.json --model $SAMPLES/models/llama3-8b.json "
                      "--gbs 8 --seq 128"),
                  m_dir->path());
        QCOMPARE(run.code, 2);
        QVERIFY2(run.error()[QStringLiteral("where")].toString().startsWith(QLatin1String("c.json: ")),
                 run.out.constData());
        const CliRun alone = shell(QStringLiteral("$PW --json cluster c.json"), m_dir->path());
        QCOMPARE(alone.code, 2);
        QCOMPARE(alone.error()[QStringLiteral("where")].toString(), QStringLiteral("c.json"));
    }

    // 20 million items of three bytes each: one refusal, in little memory.
    void manyItemsTakeLittleMemory() {
        QFile file(m_dir->filePath(QStringLiteral("wide.json")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("{\"schema\": \"pipewright-cluster-1\", \"nodes\": [{}");
        file.write(QByteArray(",{}").repeated(20'000'000));
        file.write("]}");
        file.close();
        const CliRun run = runCli({QStringLiteral("--json"), QStringLiteral("cluster"), file.fileName()});
        QCOMPARE(run.code, 2);
        QCOMPARE(run.error()[QStringLiteral("code")].toString(), QStringLiteral("json.size"));
#ifndef PW_ADDRESS_SANITIZER // which itself takes more
        rusage used{};
        QCOMPARE(::getrusage(RUSAGE_CHILDREN, &used), 0);
        QVERIFY2(used.ru_maxrss < 1'000'000,
                 qPrintable(QString::number(used.ru_maxrss))); // KiB, of the largest
#endif
    }

private:
    std::unique_ptr<QTemporaryDir> m_dir;
};

QTEST_GUILESS_MAIN(CliHostileTest)
#include "cli_hostile_test.moc"
