// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/cli/cli_run.h"

#include <QFile>
#include <QJsonArray>
#include <QTemporaryDir>
#include <QTest>

namespace {

const char* const kFourStages =
    "schedule --forward 1,1,1,1 --backward 2,2,2,2 --send 0,2,0 --microbatches 64 --kind ";

} // namespace

// What outside scripts rely on: exit codes, and one document on standard output with nothing else there.
class CliTest : public QObject {
    Q_OBJECT

private slots:
    void scheduleFigures_data() {
        QTest::addColumn<QString>("kind");
        QTest::addColumn<double>("makespan");
        QTest::newRow("h1f1b") << "h1f1b" << 205.0;
        QTest::newRow("1f1b") << "1f1b" << 329.0;
        QTest::newRow("eager") << "eager" << 224.0;
    }
    void scheduleFigures() {
        QFETCH(QString, kind);
        QFETCH(double, makespan);
        const CliRun run = runCli(words(kFourStages) + QStringList{kind, QStringLiteral("--json")});
        QCOMPARE(run.code, 0);
        QVERIFY2(run.err.isEmpty(), run.err.constData());
        const QJsonObject document = run.json();
        QCOMPARE(document[QStringLiteral("makespan")].toDouble(), makespan);
        const QJsonArray ops = document[QStringLiteral("ops")].toArray();
        QCOMPARE(ops.size(), 2 * 4 * 64);
        QStringList keys = ops[0].toObject().keys();
        keys.sort();
        QCOMPARE(keys.join(QLatin1Char(' ')), QStringLiteral("chunk end kind microbatch stage start"));
        for (const QJsonValue& op : ops)
            QVERIFY(op[QStringLiteral("end")].toDouble() > op[QStringLiteral("start")].toDouble());
        for (const char* key : {"ideal", "launch", "peak_in_flight", "busy_s", "span_s", "bubble"})
            QVERIFY2(document.contains(QLatin1String(key)), key);
    }

    void scheduleLaunchCounts() {
        const CliRun run = runCli(words(kFourStages) + words("h1f1b --json"));
        QCOMPARE(run.json()[QStringLiteral("launch")].toArray(), (QJsonArray{6, 5, 2, 1}));
    }

    // F = B = W on 8 stages and 24 micro-batches: the figures of arXiv 2401.10241 and 2104.04473.
    void zeroBubbleFigures_data() {
        QTest::addColumn<QString>("flags");
        QTest::addColumn<int>("passes");
        QTest::addColumn<double>("least");
        QTest::addColumn<double>("most");
        QTest::addColumn<double>("memory");
        QTest::newRow("1f1b") << "1f1b" << 2 << 7.0 / 24 << 7.0 / 24 << 16.0;
        QTest::newRow("interleaved") << "interleaved" << 4 << 7.0 / 48 << 7.0 / 48 << 23.0;
        QTest::newRow("4 chunks") << "interleaved --chunks 4" << 8 << 7.0 / 96 << 7.0 / 96 << 19.5;
        QTest::newRow("zb-h1") << "zb-h1" << 3 << 7.0 / 72 << 7.0 / 72 << 16.0;
        QTest::newRow("zb-1p") << "zb-1p --weight 1,1,1,1,1,1,1,1" << 3 << 7.0 / 72 << 0.098 << 16.0;
        QTest::newRow("zb-2p") << "zb-2p" << 3 << 0.0 << 0.001 << 32.0;
        QTest::newRow("zb-v") << "zb-v --chunks 2" << 6 << 0.0 << 0.001 << 16.0;
        QTest::newRow("limit") << "zb-2p --memory-limit 16" << 3 << 7.0 / 72 << 0.098 << 16.0;
        QTest::newRow("bytes") << "zb-1p --memory-limit 24GiB --memory-forward "
                                  "2GiB,2GiB,2GiB,2GiB,2GiB,2GiB,2GiB,2GiB"
                               << 3 << 0.0 << 7.0 / 72 - 1e-6 << 24.0 * 1073741824.0;
    }
    void zeroBubbleFigures() {
        QFETCH(QString, flags);
        QFETCH(int, passes);
        QFETCH(double, least);
        QFETCH(double, most);
        QFETCH(double, memory);
        const CliRun run = runCli(words("schedule --forward 1,1,1,1,1,1,1,1 --backward 2,2,2,2,2,2,2,2 "
                                        "--send 0,0,0,0,0,0,0 --microbatches 24 --json --kind") +
                                  flags.split(QLatin1Char(' ')));
        QVERIFY2(run.code == 0, run.err.constData());
        const QJsonObject document = run.json();
        const double bubble = document[QStringLiteral("bubble")].toDouble();
        QVERIFY2(bubble >= least - 1e-9 && bubble <= most + 1e-9, qPrintable(QString::number(bubble)));
        QCOMPARE(document[QStringLiteral("ops")].toArray().size(), passes * 8 * 24);
        for (const QJsonValue& peak : document[QStringLiteral("peak_memory")].toArray())
            QVERIFY2(peak.toDouble() <= memory * (1 + 1e-9), qPrintable(QString::number(peak.toDouble())));
        QCOMPARE(document[QStringLiteral("launch")].toArray().size(), 8);
    }

    void limitTooSmallIsInfeasible() {
        const CliRun run =
            runCli(words("schedule --forward 1,1 --backward 2,2 --send 0 --microbatches 4 --kind "
                         "zb-1p --memory-limit 1 --json"));
        QCOMPARE(run.code, 3);
        QCOMPARE(run.error()[QStringLiteral("code")].toString(), QStringLiteral("schedule.memory"));
    }

    void tablesForPeople() {
        const CliRun run = runCli(words(kFourStages) + words("1f1b"));
        QCOMPARE(run.code, 0);
        QVERIFY(run.out.contains("predicted makespan 329 s"));
    }

    void usageErrors_data() {
        QTest::addColumn<QString>("arguments");
        const auto row = [](const char* what, const QString& arguments) { QTest::newRow(what) << arguments; };
        const auto times = [](const char* flags) {
            return QStringLiteral("schedule %1 --microbatches 4 --kind 1f1b").arg(QLatin1String(flags));
        };
        row("no command", QString());
        row("unknown command", QStringLiteral("dance"));
        row("unknown flag", QStringLiteral("schedule --colour red"));
        row("missing flags", QStringLiteral("schedule --forward 1"));
        row("nan", times("--forward nan,1 --backward 1,1 --send 0"));
        row("infinite", times("--forward 1e400,1 --backward 1,1 --send 0"));
        row("negative", times("--forward -1,1 --backward 1,1 --send 0"));
        row("text", times("--forward a,1 --backward 1,1 --send 0"));
        row("empty entry", times("--forward 1,,1 --backward 1,1 --send 0"));
        row("lengths", times("--forward 1,1 --backward 1 --send 0"));
        row("sends", times("--forward 1,1 --backward 1,1 --send 0,0"));
        row("no sends", times("--forward 1,1 --backward 1,1"));
        row("idle stage", times("--forward 1,0 --backward 1,0 --send 0"));
        row("kind", QStringLiteral("schedule --forward 1 --backward 1 --microbatches 4 --kind waltz"));
        row("no micro-batch",
            QStringLiteral("schedule --forward 1 --backward 1 --microbatches 0 --kind 1f1b"));
        row("too many",
            QStringLiteral("schedule --forward 1 --backward 1 --microbatches 99999999999 --kind 1f1b"));
        row("too long", times("--forward 1e308,1e308 --backward 1e308,1 --send 1e308"));
        row("too far apart", times("--forward 1e300,1e-300 --backward 1,1e-300 --send 1"));
        const auto zero = [](const char* flags) {
            return QStringLiteral("schedule --forward 1,1,1 --backward 2,2,2 --send 0,0 --microbatches 4 %1")
                .arg(QLatin1String(flags));
        };
        row("group of stages", zero("--kind interleaved"));
        row("one chunk", zero("--kind interleaved --chunks 1"));
        row("chunks of 1f1b", zero("--kind 1f1b --chunks 2"));
        row("three chunks", zero("--kind zb-v --chunks 3"));
        row("weight above backward", zero("--kind zb-1p --weight 1,3,1"));
        row("weights", zero("--kind zb-1p --weight 1,1"));
        row("limit of a fixed order", zero("--kind zb-h1 --memory-limit 9"));
        row("limits", zero("--kind zb-1p --memory-limit 9,9"));
        row("memory sizes", zero("--kind zb-1p --memory-forward 2,2"));
        row("released above held", zero("--kind zb-1p --memory-backward 1,3,1"));
        row("log level",
            QStringLiteral("--log loud schedule --forward 1 --backward 1 --microbatches 1 --kind 1f1b"));
    }
    void usageErrors() {
        QFETCH(QString, arguments);
        const QStringList list = arguments.split(QLatin1Char(' '), Qt::SkipEmptyParts);
        const CliRun plain = runCli(list);
        QCOMPARE(plain.code, 2);
        QVERIFY(plain.out.isEmpty());
        QVERIFY(plain.err.startsWith("pipewright-cli: "));
        const CliRun run = runCli(list + words("--json"));
        QCOMPARE(run.code, 2);
        const QJsonObject error = run.error();
        for (const char* key : {"code", "message", "where", "reasons"})
            QVERIFY2(error.contains(QLatin1String(key)), run.out.constData());
        QVERIFY(!error[QStringLiteral("message")].toString().isEmpty());
    }

    // What a script wants to know of a refusal it need not cut out of a sentence: `params` has the values of
    // the message by name. Of an entry of a list also those of what is wrong with it.
    void usageErrorsHaveTheirValues_data() {
        QTest::addColumn<QString>("arguments");
        QTest::addColumn<QString>("where");
        QTest::addColumn<QString>("params");
        const auto row = [](const char* what, const QString& arguments, const char* where,
                            const char* params) {
            QTest::newRow(what) << arguments << QString::fromUtf8(where) << QString::fromUtf8(params);
        };
        const auto times = [](const char* flags) {
            return QStringLiteral("schedule %1 --microbatches 4 --kind 1f1b").arg(QLatin1String(flags));
        };
        const auto plan = [](const char* flags) {
            return QStringLiteral("plan --cluster c --model m --gbs 8 --seq 8 %1").arg(QLatin1String(flags));
        };
        const auto project = [](const char* flags) {
            return QStringLiteral("plan --project " PW_SOURCE_DIR "/samples/projects/mixed-16.pwx %1")
                .arg(QLatin1String(flags));
        };
        row("command", QStringLiteral("dance"), "", "word=dance");
        row("missing flag", QStringLiteral("schedule --backward 1"), "--forward", "");
        row("kind", QStringLiteral("schedule --forward 1 --backward 1 --microbatches 4 --kind waltz"),
            "--kind", "");
        row("twice", plan("--top 1 --top 2"), "--top", "count=2");
        row("target", plan("--target foo"), "--target", "why=\"foo\" is no export format");
        row("level", QStringLiteral("--log chatty model m"), "--log",
            "why=\"chatty\" is none of error, warning, info, debug");
        row("format", QStringLiteral("export --plan p --format foo"), "--format", "");
        row("page", QStringLiteral("manual foo"), "PAGE", "");
        row("empty", QStringLiteral("schedule --backward 1 --microbatches 4 --kind 1f1b --forward "),
            "--forward", "expected=f0,f1,\u2026");
        row("planner", plan("--planner foo"), "--planner", "text=foo;all=all");
        row("work", plan("--work -3"), "--work", "text=-3");
        row("part", plan("--without foo"), "--without", "word=foo");
        row("deadline", plan("--deadline soon"), "--deadline", "text=soon");
        row("largest size", plan("--max-tp 2048"), "--max-tp", "text=2048;low=1;high=1024");
        row("two sizes", plan("--max-tp 1,2"), "--max-tp", "");
        row("out", plan("--out /no/such/place/p.json"), "/no/such/place/p.json", "folder=/no/such/place");
        row("precision", project("--precision fp7"), "--precision", "text=fp7");
        row("optimizer", project("--optimizer lion"), "--optimizer", "text=lion;known=adam, sgd");
        row("reserve", project("--reserve much"), "--reserve", "text=much");
        row("load", project("--expert-load 0.5"), "--expert-load", "text=0.5;low=1");
        row("price", project("--price A100-40=dear"), "--price", "text=A100-40=dear");
        row("entry", times("--forward 1,a --backward 1,1 --send 0"), "--forward", "entry=2;text=a");
        row("empty entry", times("--forward 1,,1 --backward 1,1 --send 0"), "--forward", "entry=2");
        row("lengths", times("--forward 1,1 --backward 1 --send 0"), "--backward", "entries=1;expected=2");
        row("sends", times("--forward 1,1 --backward 1,1 --send 0,0"), "--send",
            "entries=2;stages=2;expected=1");
        row("idle stage", times("--forward 1,0 --backward 1,0 --send 0"), "--forward", "stage=1");
        row("limit of a fixed order",
            QStringLiteral(
                "schedule --forward 1 --backward 2 --microbatches 4 --kind zb-h1 --memory-limit 9"),
            "--memory-limit", "schedule=ZB-H1");
        row("weight above backward",
            QStringLiteral("schedule --forward 1 --backward 2 --microbatches 4 --kind zb-1p --weight 2.5"),
            "--weight", "stage=0;weight=2.5;backward=2");
        row("base", QStringLiteral("compare a b --base 3"), "--base", "found=3;high=2");
        row("import", QStringLiteral("import hf-config"), "", "kind=hf-config");
        row("paper", QStringLiteral("reproduce nothing"), "NAME", "text=nothing");
    }
    void usageErrorsHaveTheirValues() {
        QFETCH(QString, arguments);
        QFETCH(QString, where);
        QFETCH(QString, params);
        const CliRun run = runCli(arguments.split(QLatin1Char(' ')) + words("--json"));
        QCOMPARE(run.code, 2);
        QCOMPARE(run.error()[QStringLiteral("where")].toString(), where);
        const QString message = run.error()[QStringLiteral("message")].toString();
        const QJsonObject values = run.error()[QStringLiteral("params")].toObject();
        for (auto value = values.begin(); value != values.end(); ++value)
            QVERIFY2(message.contains(value->toString()), qPrintable(message));
        for (const QString& param : params.split(QLatin1Char(';'), Qt::SkipEmptyParts)) {
            const QString name = param.section(QLatin1Char('='), 0, 0);
            QVERIFY2(values.contains(name), run.out.constData());
            QCOMPARE(values[name].toString(), param.section(QLatin1Char('='), 1));
        }
    }

    // As an unset variable of a script leaves them: nothing may pass for done that was asked for and not
    // done.
    void emptyValuesAreRefused_data() {
        QTest::addColumn<QString>("arguments");
        QTest::addColumn<QString>("flag");
        const auto row = [](const char* arguments, const char* flag) {
            QTest::newRow(arguments) << QString::fromUtf8(arguments) << QString::fromUtf8(flag);
        };
        row("import config.json --out", "--out");
        row("export --plan p.json --format megatron --out", "--out");
        row("export --plan p.json --list --out", "--out");
        row("plan --cluster c --model m --gbs 8 --out", "--out");
        row("plan --cluster c --model m --gbs 8 --keep", "--keep");
        row("improve --plan p.json --out", "--out");
        row("simulate --plan p.json --trace", "--trace");
        row("simulate --plan p.json --measured", "--measured");
        row("evaluate --plan", "--plan");
        row("validate runs.csv --out", "--out");
        row("calibrate runs.csv --out", "--out");
        row("profiles export --profiles p.db --out", "--out");
        row("profiles links --profiles p.db --out", "--out");
        row("profiles plans ab --profiles p.db --out", "--out");
        row("profiles list --profiles", "--profiles");
        row("cluster c.json --project", "--project");
    }
    void emptyValuesAreRefused() {
        QFETCH(QString, arguments);
        QFETCH(QString, flag);
        const CliRun run = runCli(arguments.split(QLatin1Char(' ')) + QStringList{QString()});
        QCOMPARE(run.code, 2);
        QVERIFY2(run.out.isEmpty() && run.err.count('\n') == 1, run.err.constData());
        QVERIFY2(run.err.contains(flag.toUtf8() + ": is empty; expected "), run.err.constData());
    }

    // Nor a link to it, whatever the file holds: the refusal comes before it is looked at.
    void whatIsReadIsNotWrittenOver_data() {
        QTest::addColumn<QString>("arguments");
        for (const char* arguments :
             {"profiles export --profiles FILE --out FILE", "profiles links --profiles FILE --out LINK",
              "plan --cluster c --model m --gbs 8 --keep FILE --out FILE",
              "plan --cluster LINK --model m --gbs 8 --out FILE", "import FILE --out FILE",
              "simulate --plan FILE --trace FILE", "calibrate FILE --out LINK"})
            QTest::newRow(arguments) << QString::fromUtf8(arguments);
    }
    void whatIsReadIsNotWrittenOver() {
        QFETCH(QString, arguments);
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("f"));
        const QString link = folder.filePath(QStringLiteral("l"));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write("kept") == 4);
        file.close();
        QVERIFY(QFile::link(path, link));
        QStringList given = arguments.split(QLatin1Char(' '));
        given.replaceInStrings(QStringLiteral("FILE"), path).replaceInStrings(QStringLiteral("LINK"), link);
        const CliRun run = runCli(given);
        QCOMPARE(run.code, 2);
        QVERIFY2(run.err.contains("writing it would destroy what is read"), run.err.constData());
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll(), QByteArray("kept"));
    }

    void usageErrorsSayWhatIsTaken() {
        const auto message = [](const char* arguments) {
            return runCli(words(arguments)).error()[QStringLiteral("message")].toString();
        };
        QVERIFY(message("frob --json").contains(QLatin1String("\"frob\"")));
        QVERIFY(message("frob --json").contains(QLatin1String("evaluate")));
        QVERIFY(message("profiles frob --json").contains(QLatin1String("\"frob\"")));
        const CliRun log = runCli(words("--log loud model x"));
        QVERIFY2(log.err.contains("error, warning, info") && !log.err.contains("->"), log.err.constData());
    }

    void jsonWithAValueIsObeyedOrRefused() {
        const CliRun obeyed = runCli(words(kFourStages) + words("1f1b --json=true"));
        QCOMPARE(obeyed.code, 0);
        QVERIFY(obeyed.json().contains(QStringLiteral("makespan")));
        const CliRun refused = runCli(words(kFourStages) + words("1f1b --json=false"));
        QCOMPARE(refused.code, 2);
        QVERIFY(!refused.error().isEmpty());
    }

    void helpAndVersion() {
        const CliRun version = runCli(words("--version"));
        QCOMPARE(version.code, 0);
        QVERIFY(version.out.startsWith("pipewright-cli "));
        const QJsonObject parts = runCli(words("--version --json")).json();
        QString own = parts[QStringLiteral("version")].toString();
        QVERIFY(!own.isEmpty() && !parts[QStringLiteral("build")].toString().isEmpty());
        if (const QString revision = parts[QStringLiteral("revision")].toString(); !revision.isEmpty())
            own += QLatin1Char('+') + revision;
        QVERIFY2(version.out.startsWith("pipewright-cli " + own.toUtf8() + "\n"), version.out.constData());
        QCOMPARE(runCli(words("schedule --help")).code, 0);
    }

    // As every other answer.
    void helpThatCannotBePrintedIsAFailure() {
        for (const char* arguments : {"--help", "--version", "schedule --help", "--version --json"}) {
            QProcess process;
            process.setStandardOutputFile(QStringLiteral("/dev/full"));
            process.start(QStringLiteral(PW_CLI), words(arguments));
            QVERIFY(process.waitForFinished(kCliTimeoutMs));
            QVERIFY2(process.exitCode() == 1 && !process.readAllStandardError().isEmpty(), arguments);
        }
    }
};

QTEST_GUILESS_MAIN(CliTest)
#include "cli_test.moc"
