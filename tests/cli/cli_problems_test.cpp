// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/cli/cli_files.h"
#include "tests/cli/cli_run.h"
#include "tests/project/small_project.h"
#include "tests/test_data.h"

#include <QFileInfo>
#include <QJsonArray>
#include <QTest>

// Files and flags of a problem on the command line: what is read, printed and refused.
class CliProblemsTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { QVERIFY(m_files.isValid()); }

    void modelPrintsFineLayers() {
        const QJsonObject model =
            runCli(words("model --json") + QStringList{sample("models/llama3-8b.json")}).json();
        QCOMPARE(model[QStringLiteral("parameters")].toInteger(), qint64{8030261248});
        QCOMPARE(model[QStringLiteral("layer_count")].toInt(), 66);
        const QJsonArray layers = model[QStringLiteral("layers")].toArray();
        QCOMPARE(layers.size(), 66);
        for (const char* key :
             {"index", "kind", "block", "parameters", "forward_flops", "forward_bytes", "output_bytes"})
            QVERIFY2(layers[5].toObject().contains(QLatin1String(key)), key);
    }

    void modelPrintsExpertsAndLatentAttention() {
        const QString file = sample("models/deepseek-v3.json");
        const QJsonObject model = runCli(words("model --json") + QStringList{file}).json();
        QCOMPARE(model[QStringLiteral("parameters")].toInteger(), qint64{671026419200});
        QCOMPARE(model[QStringLiteral("active_parameters")].toInteger(), qint64{37552297472});
        QCOMPARE(model[QStringLiteral("experts")][QStringLiteral("count")].toInt(), 256);
        QCOMPARE(model[QStringLiteral("latent_attention")][QStringLiteral("kv_rank")].toInt(), 512);
        QCOMPARE(model[QStringLiteral("notes")].toArray().size(), 1);
        const QJsonArray layers = model[QStringLiteral("layers")].toArray();
        QCOMPARE(layers[6][QStringLiteral("active_parameters")], layers[6][QStringLiteral("parameters")]);
        QVERIFY(layers[8][QStringLiteral("active_parameters")].toInteger() <
                layers[8][QStringLiteral("parameters")].toInteger());
        const QByteArray text = runCli({QStringLiteral("model"), file}).out;
        for (const char* part : {"256 of width 2048, 8 per token, 1 shared", "58 of 61 blocks",
                                 "37552297472 parameters active", "keys and values 512", "11610068224"})
            QVERIFY2(text.contains(part), text.constData());
        const QJsonObject dense =
            runCli(words("model --json") + QStringList{sample("models/llama3-8b.json")}).json();
        QCOMPARE(dense[QStringLiteral("active_parameters")], dense[QStringLiteral("parameters")]);
        QVERIFY(!dense.contains(QStringLiteral("experts")));
    }

    void clusterPrintsDevicesAndPaths() {
        const QJsonObject c =
            runCli(words("cluster --json") + QStringList{sample("clusters/mixed-16.json")}).json();
        QCOMPARE(c[QStringLiteral("devices")].toArray().size(), 16);
        QCOMPARE(c[QStringLiteral("classes")].toArray().size(), 2);
        QCOMPARE(c[QStringLiteral("paths")].toArray().size(), 3);
        QVERIFY(!c[QStringLiteral("bottlenecks")].toArray().isEmpty());
        QVERIFY(c.contains(QStringLiteral("problems")));
    }

    void problemFlagsAreChecked_data() {
        QTest::addColumn<QString>("flags");
        for (const char* flags :
             {"--gbs 0",          "--gbs nan",        "--gbs 1e3",         "--seq -5",
              "--precision fp12", "--optimizer lion", "--zero 7",          "--recompute some",
              "--mbs 0",          "--mbs 1,,2",       "--expert-load 0.9", "--expert-load many",
              "--fit-chance 0.4", "--fit-chance 1",   "--reserve nan",     "--reserve -1GiB",
              "--stack nobody",   "--planner nobody", "--work -1",         "--time-limit inf",
              "--top 0",          "--seed x",         "--without speed",   "--without cache,,init"})
            QTest::newRow(flags) << QString::fromLatin1(flags);
    }

    void problemFlagsAreChecked() {
        QFETCH(QString, flags);
        QStringList arguments = words("plan --json") + problemFlags();
        const QString flag = flags.section(QLatin1Char(' '), 0, 0);
        if (const qsizetype at = arguments.indexOf(flag); at >= 0)
            arguments.remove(at, 2);
        const CliRun run = runCli(arguments + flags.split(QLatin1Char(' ')));
        QCOMPARE(run.code, 2);
        QVERIFY(!run.error()[QStringLiteral("message")].toString().isEmpty());
    }

    void aProjectStandsForTheWholeProblem() {
        const QString project =
            m_files.write("small.pwx", QByteArray::fromStdString(pw::printProject(pw::smallProject())));
        const CliRun run = runCli(words("plan --json --top 1 --project") + QStringList{project});
        QVERIFY2(run.code == 0, run.out.left(2000));
        QCOMPARE(
            run.json()[QStringLiteral("problem")][QStringLiteral("model")][QStringLiteral("name")].toString(),
            QStringLiteral("tiny"));
        QCOMPARE(runCli(words("cluster --json --project") + QStringList{project}).code, 0);
        QCOMPARE(runCli(words("plan --json")).code, 2);
    }

    void badModelFiles_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("place");
        const auto row = [](const char* file, const char* place) {
            QTest::newRow(file) << QString::fromLatin1(file) << QString::fromLatin1(place);
        };
        row("hf_config_truncated.json", "11:18");
        row("hf_config_wrong_types.json", "#/hidden_size");
        row("hf_config_negative.json", "#/num_hidden_layers");
        row("hf_config_huge.json", "");
        row("hf_config_nan.json", "7:23");
        row("hf_config_duplicate_key.json", "num_hidden_layers");
        row("hf_config_unknown_model_type.json", "#/model_type");
        row("json_deep_nesting.json", "1:");
        row("no_such_file.json", "no_such_file");
    }

    void badModelFiles() {
        QFETCH(QString, file);
        QFETCH(QString, place);
        const QString model =
            QString::fromStdString(pw::test::testData("bad/" + file.toStdString()).string());
        const CliRun run = runCli({QStringLiteral("model"), model, QStringLiteral("--json")});
        QCOMPARE(run.code, 2);
        const QByteArray error = QJsonDocument(run.error()).toJson(QJsonDocument::Compact);
        QVERIFY2(error.contains(place.toUtf8()), error.constData());
        const QString out = m_files.path("never.json");
        QCOMPARE(runCli({QStringLiteral("import"), model, QStringLiteral("--out"), out}).code, 2);
        QVERIFY(!QFileInfo::exists(out));
    }

    void importReadsWhatItRecognises() {
        const QString out = m_files.path("model.json");
        const QString config = sample("models/hf/llama3-8b/config.json");
        const CliRun run =
            runCli(words("import --json --out") + QStringList{out, QStringLiteral("hf-config"), config});
        QCOMPARE(run.code, 0);
        QCOMPARE(run.json()[QStringLiteral("parameters")].toInteger(), qint64{8030261248});
        QCOMPARE(runCli({QStringLiteral("model"), out}).code, 0);
        QCOMPARE(
            runCli({QStringLiteral("import"), config, QStringLiteral("--out"), m_files.path("again.json")})
                .code,
            0);
        QCOMPARE(contents(m_files.path("again.json")), contents(out));
        QCOMPARE(
            runCli({QStringLiteral("import"), QStringLiteral("tarot"), config, QStringLiteral("--out"), out})
                .code,
            2);
    }

    void profilesAreKept() {
        const QStringList db = {QStringLiteral("--profiles"), m_files.path("profiles.db"),
                                QStringLiteral("--json")};
        const QString measured = sample("profiles/sailor/GPT-Neo-2.7/A100-40/profile.json");
        const QStringList hints = {QStringLiteral("--model"), sample("models/gpt-neo-2.7b.json")};
        QCOMPARE(runCli(words("profiles list") + db).code, 2); // there is none yet
        QCOMPARE(runCli(words("profiles list")).code, 2);
        QCOMPARE(runCli(words("profiles import") + QStringList{measured} + hints + db).code, 0);
        const QJsonArray sources =
            runCli(words("profiles list") + db).json()[QStringLiteral("sources")].toArray();
        QCOMPARE(sources.size(), 1);
        const int rows = sources[0][QStringLiteral("rows")].toInt();
        QVERIFY(rows > 100);
        QCOMPARE(runCli(words("profiles show") + db).json()[QStringLiteral("rows")].toArray().size(), rows);
        QCOMPARE(runCli(words("profiles check") + db).code, 0);

        const QString handed = m_files.path("rows.json");
        const QStringList second = {QStringLiteral("--profiles"), m_files.path("second.db"),
                                    QStringLiteral("--json")};
        QCOMPARE(runCli(words("profiles export --out") + QStringList{handed} + db).code, 0);
        QCOMPARE(runCli(words("profiles import") + QStringList{handed} + second).code, 0);
        QCOMPARE(runCli(words("profiles list") + second).json()[QStringLiteral("sources")].toArray(),
                 sources);
        const QString source = sources[0][QStringLiteral("source")].toString();
        QCOMPARE(runCli(words("profiles remove") + QStringList{source} + second)
                     .json()[QStringLiteral("removed")]
                     .toInt(),
                 rows);
        QCOMPARE(runCli(words("profiles remove") + QStringList{source} + second).code, 2);

        const QString broken =
            m_files.write("broken.db", QByteArray("SQLite format 3\0 but not really", 32).repeated(200));
        const CliRun run = runCli(words("profiles check --json --profiles") + QStringList{broken});
        QCOMPARE(run.code, 1);
        QCOMPARE(run.error()[QStringLiteral("where")].toString(), broken);
    }

    void measurementsAreFoundUnderAnotherSpelling() {
        const QStringList db = {QStringLiteral("--profiles"), m_files.path("spelt.db")};
        QCOMPARE(runCli(words("profiles import sailor") +
                        QStringList{sample("profiles/sailor/GPT-Neo-2.7/A100-40/profile.json")} + db)
                     .code,
                 0);
        const auto plan = [&](const char* model) {
            return runCli(words("plan --json --top 1 --precision fp32") + db + problemFlags(model));
        };
        const CliRun run = plan("models/gpt-neo-2.7b.json");
        QCOMPARE(run.code, 0);
        QVERIFY2(run.err.contains("GPT-Neo-2.7") && run.err.contains("gpt-neo-2.7b"), run.err.constData());
        QVERIFY(run.json()[QStringLiteral("plans")][0][QStringLiteral("measured_share")].toDouble() > 0.0);
        QStringList codes;
        for (const QJsonValue note : run.json()[QStringLiteral("notes")].toArray())
            codes.append(note[QStringLiteral("code")].toString());
        QVERIFY2(codes.contains(QLatin1String("profile.memory")), qPrintable(codes.join(QLatin1Char(' '))));
        const CliRun other = plan("models/gpt3-1.3b.json");
        QVERIFY2(other.err.contains("GPT-Neo-2.7") && other.err.contains("estimate"), other.err.constData());
    }

    void anotherModelLeavesTheProjectsMeasurements() {
        const CliRun run = runCli(words("plan --top 1 --project") +
                                  QStringList{sample("projects/measured-16.pwx"), QStringLiteral("--model"),
                                              sample("models/gpt3-1.3b.json")});
        QCOMPARE(run.code, 0);
        QVERIFY2(run.err.contains("none of gpt3-1.3b"), run.err.constData());
        QVERIFY2(run.out.contains("note: profiles: No measurements"), run.out.constData());
    }

    void aMicrobatchThatDividesNothingIsNamed() {
        const CliRun run = runCli(words("plan --json --mbs 3") + problemFlags());
        QCOMPARE(run.code, 3);
        QCOMPARE(run.error()[QStringLiteral("reasons")][0].toString(),
                 QStringLiteral("no micro-batch of 3 sequences a replica divides the global batch of 256"));
    }

    // The limit that is named is the one that holds.
    void theLimitOfAFlagIsTheRecipes() {
        const QString project = sample("projects/measured-16.pwx");
        for (const char* most : {"--gbs 1000000", "--seq 16777216"}) {
            const QString flag = QString::fromLatin1(most).section(QLatin1Char(' '), 0, 0);
            const qint64 number = QString::fromLatin1(most).section(QLatin1Char(' '), 1).toLongLong();
            const CliRun run = runCli(words("plan --json --project") +
                                      QStringList{project, flag, QString::number(number + 1)});
            QCOMPARE(run.code, 2);
            QVERIFY2(run.error()[QStringLiteral("message")].toString().endsWith(
                         QStringLiteral("from 1 to %1").arg(number)),
                     run.out.constData());
        }
    }

    // One GPU of the A100s is as fast as the head's rows would have it only if their missing product is not
    // noticed.
    void aHeadWithoutItsProductIsNotMeasured() {
        const CliRun run = runCli(words("plan --json --gbs 4 --forbid n2,n3 --project") +
                                  QStringList{sample("projects/measured-16.pwx")});
        QCOMPARE(run.code, 0);
        for (const QJsonValue plan : run.json()[QStringLiteral("plans")].toArray()) {
            QVERIFY(plan[QStringLiteral("measured_share")].toDouble() < 1.0);
            QCOMPARE(plan[QStringLiteral("provenance")].toString(), QStringLiteral("estimated"));
        }
    }

    void aShorterSequenceIsFitted() {
        const auto best = [](const char* seq) {
            const CliRun run =
                runCli(words("plan --json --top 1 --seq") + QStringList{QLatin1String(seq)} +
                       QStringList{QStringLiteral("--project"), sample("projects/measured-16.pwx")});
            return run.json()[QStringLiteral("plans")][0][QStringLiteral("iteration_s")].toDouble();
        };
        const double shorter = best("1024"), whole = best("2048");
        QVERIFY2(shorter > 0.0 && shorter < 0.7 * whole,
                 qPrintable(QStringLiteral("%1 s, %2 s").arg(shorter).arg(whole)));
    }

private:
    CliFiles m_files;
};

QTEST_GUILESS_MAIN(CliProblemsTest)
#include "cli_problems_test.moc"
