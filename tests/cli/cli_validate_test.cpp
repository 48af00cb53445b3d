// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/cli/cli_files.h"
#include "tests/cli/cli_run.h"

#include <QFile>
#include <QJsonArray>
#include <QTemporaryDir>
#include <QTest>

namespace {

const QString kRuns = QStringLiteral(PW_SOURCE_DIR "/tests/data/runs-small.csv");

} // namespace

// validate as a script sees it.
class CliValidateTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void predictionsOfEveryRow() {
        const QString out = path("pred.csv");
        const CliRun run = runCli(words("validate --out") + QStringList{out, kRuns});
        QVERIFY2(run.code == 0, run.err);
        QVERIFY(run.out.contains("runs-small"));
        QVERIFY(run.out.contains("Not predicted:")); // a 3080 Ti is in no catalogue
        const QList<QByteArray> lines = contents(out).trimmed().split('\n');
        const QList<QByteArray> rows = contents(kRuns).trimmed().split('\n');
        QCOMPARE(lines.size(), rows.size());
        QCOMPARE(lines[0], QByteArray("row_id,status,pred_iter_time_s,pred_peak_mem_gib,fits,message,stack,"
                                      "expected_low_s,expected_high_s,expected_low_gib,expected_high_gib,"
                                      "fit_chance"));
        for (qsizetype i = 1; i < lines.size(); ++i) {
            const QList<QByteArray> cells = lines[i].split(',');
            QCOMPARE(cells[0], rows[i].split(',')[0]); // in the order of the table
            const bool ok = cells[1] == "ok";
            QVERIFY2(ok || cells[1] == "unsupported", lines[i]);
            QVERIFY2(ok == (cells[2].toDouble() > 0) && ok == (cells[3].toDouble() > 0), lines[i]);
            const auto last = [&](int back) { return cells[cells.size() - back]; };
            QCOMPARE(!last(5).isEmpty(), ok);
            QVERIFY2(!ok ||
                         (last(5).toDouble() < last(4).toDouble() && last(3).toDouble() < last(2).toDouble()),
                     lines[i]);
            QVERIFY2(!ok || (last(1).toDouble() >= 0.5) == (cells[4] == "1"), lines[i]);
            QVERIFY2(ok ? cells[4] == "0" || cells[4] == "1" : cells[4].isEmpty() && cells.size() > 5,
                     lines[i]);
        }
        QVERIFY(runCli(words("validate --threads 1 --out") + QStringList{path("one.csv"), kRuns}).code == 0);
        QCOMPARE(contents(path("one.csv")), contents(out));
    }

    void oneDocument() {
        const CliRun run = runCli(words("validate --json") + QStringList{kRuns});
        QCOMPARE(run.code, 0);
        const QJsonArray sources = run.json()[QStringLiteral("sources")].toArray();
        QCOMPARE(sources.size(), 1);
        QVERIFY(sources[0].toObject()[QStringLiteral("predicted")].toInt() >= 8);
        QVERIFY(sources[0].toObject()[QStringLiteral("time")].toObject().contains(QLatin1String("median")));
        QVERIFY(run.json()[QStringLiteral("predictions")].toArray().size() >= 10);
    }

    void badTablesArePlaced() {
        const QString table = path("bad.csv");
        QByteArray text = contents(kRuns);
        QFile file(table);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text.replace(",gpu_mem_gb,", ",gpu_memory,"));
        file.close();
        const CliRun run = runCli(words("validate --json") + QStringList{table});
        QCOMPARE(run.code, 2);
        QVERIFY(run.error()[QStringLiteral("where")].toString().contains(QLatin1String("bad.csv:1:")));
        QCOMPARE(runCli(words("validate nowhere.csv")).code, 2);
        QCOMPARE(runCli(words("validate --out") + QStringList{path("no/such/folder.csv"), kRuns}).code, 1);
        // One table twice: its rows would count twice.
        QCOMPARE(runCli(words("validate") + QStringList{kRuns, kRuns}).code, 2);
    }

    void otherConstantsAreUsed() {
        const auto predictions = [](const QStringList& flags) {
            return runCli(words("validate --json") + flags + QStringList{kRuns})
                .json()[QStringLiteral("predictions")]
                .toArray();
        };
        const QString resource = QStringLiteral(PW_SOURCE_DIR "/resources/calibration/constants.json");
        QVERIFY(!predictions({}).isEmpty());
        QVERIFY(predictions({}) == predictions({QStringLiteral("--constants"), resource}));
        const auto write = [](const QString& name, const QByteArray& text) {
            QFile file(name);
            return file.open(QIODevice::WriteOnly) && file.write(text) == text.size();
        };
        const QString own = path("constants.json");
        QVERIFY(write(own, R"({"schema":"pipewright-constants-1",
                               "sections":{"compute":[{"name":"sustained_share","value":0.4}]}})"));
        QVERIFY(predictions({}) != predictions({QStringLiteral("--constants"), own}));
        QVERIFY(write(own, R"({"schema":"pipewright-constants-1",
                               "sections":{"compute":[{"name":"sustained_share","value":4}]}})"));
        const CliRun run = runCli(words("validate --json --constants") + QStringList{own, kRuns});
        QCOMPARE(run.code, 2);
        QVERIFY(run.error()[QStringLiteral("where")].toString().endsWith(
            QLatin1String("constants.json#/sections/compute/0/value")));
    }

    void calibrationIsFittedAndUsed() {
        const QString out = path("own.json");
        const CliRun fitted = runCli(words("calibrate --json --folds 3 --out") + QStringList{out, kRuns});
        QVERIFY2(fitted.code == 0, fitted.err + fitted.out);
        QCOMPARE(QJsonDocument::fromJson(contents(out)).object(), fitted.json());
        const QJsonObject fit = fitted.json()[QStringLiteral("fit")].toObject();
        const auto median = [&](const char* which) {
            return fit[QLatin1String(which)].toObject()[QStringLiteral("median")].toDouble();
        };
        QVERIFY(median("after") < median("before"));
        QVERIFY(fit.contains(QLatin1String("cross_validated")));
        const auto bias = [](const CliRun& run) {
            const QJsonObject source = run.json()[QStringLiteral("sources")].toArray()[0].toObject();
            return source[QStringLiteral("time")].toObject()[QStringLiteral("median")].toDouble();
        };
        const double plain = bias(runCli(words("validate --json") + QStringList{kRuns}));
        const CliRun own = runCli(words("validate --json --calibration") + QStringList{out, kRuns});
        QVERIFY2(own.code == 0, own.out);
        QVERIFY(bias(own) < plain);
        QCOMPARE(runCli(words("validate --calibration") + QStringList{kRuns, kRuns}).code, 2);
        QCOMPARE(runCli(words("calibrate") + QStringList{kRuns}).code, 2); // no --out
        QVERIFY(fit[QStringLiteral("factors")].toArray().size() > 3);
    }

    // Two logs of Megatron-LM stand for themselves; one of another trainer is named by a row of a table.
    void calibrationTakesLogs() {
        const auto write = [&](const char* name, const QByteArray& text) {
            QFile file(path(name));
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(text);
        };
        QByteArray log = "------------------------ arguments ------------------------\n";
        for (const char* argument :
             {"world_size ... 8", "tensor_model_parallel_size ... 2", "pipeline_model_parallel_size ... 1",
              "data_parallel_size ... 4", "num_layers ... 24", "hidden_size ... 2048",
              "num_attention_heads ... 16", "padded_vocab_size ... 50304", "seq_length ... 2048",
              "global_batch_size ... 64", "micro_batch_size ... 4", "bf16 ... True", "fp16 ... False"})
            log += QByteArray("  ") + argument + "\n";
        log += "-------------------- end of arguments ---------------------\n";
        for (const char* ms : {"9000.0", "1500.0", "1510.0"})
            log += QByteArray(" iteration 1/ 9 | elapsed time per iteration (ms): ") + ms + " |\n";
        write("one.log", log);
        write("two.log", QByteArray(log).replace("1500.0", "1520.0"));
        const QString out = path("logs.json");
        const CliRun fitted = runCli(words("calibrate --json --gpu A100-SXM4-80GB --out") +
                                     QStringList{out, path("one.log"), path("two.log")});
        QVERIFY2(fitted.code == 0, fitted.err + fitted.out);
        const QJsonObject fit = fitted.json()[QStringLiteral("fit")].toObject();
        QCOMPARE(fit[QStringLiteral("runs")].toInt(), 2);
        QCOMPARE(fit[QStringLiteral("folds")].toInt(), 2); // each left out
        const CliRun without = runCli(words("calibrate --json --out") + QStringList{out, path("one.log")});
        QCOMPARE(without.code, 2); // on which GPUs?

        const QList<QByteArray> rows = contents(kRuns).trimmed().split('\n');
        write("named.log", "step:  1  loss: 8  tps: 10\nstep: 10  loss: 8  tps: 1,000\n");
        write("own.csv", rows[0] + ",log\n" + rows[1] + ",named.log\n");
        const CliRun named = runCli(words("calibrate --json --out") + QStringList{out, path("own.csv")});
        QVERIFY2(named.code == 0, named.err + named.out);
        write("own.csv", rows[0] + ",log\n" + rows[1] + ",missing.log\n");
        const CliRun missing = runCli(words("calibrate --json --out") + QStringList{out, path("own.csv")});
        QCOMPARE(missing.code, 2);
        QVERIFY(missing.error()[QStringLiteral("where")].toString().contains(QLatin1String("missing.log")));
    }

    void constantsAreFittedAndUsed() {
        const QString out = path("fitted.json");
        const CliRun fitted =
            runCli(words("calibrate --constants --json --leave-out source,framework --out") +
                   QStringList{out, kRuns});
        QVERIFY2(fitted.code == 0, fitted.err + fitted.out);
        const QJsonObject all = fitted.json()[QStringLiteral("all")].toObject();
        QVERIFY(all[QStringLiteral("loss")].toDouble() < all[QStringLiteral("start_loss")].toDouble());
        QVERIFY(all[QStringLiteral("runs")].toInt() >= 6);
        // One table is one source: without it there is nothing to fit to. It has several frameworks.
        QCOMPARE(fitted.json()[QStringLiteral("sources_left_out")].toArray().size(), 0);
        QVERIFY(fitted.json()[QStringLiteral("frameworks_left_out")].toArray().size() >= 4);
        const auto source = [](const CliRun& run) {
            return run.json()[QStringLiteral("sources")].toArray()[0].toObject();
        };
        const CliRun own = runCli(words("validate --json --constants") + QStringList{out, kRuns});
        QVERIFY2(own.code == 0, own.out);
        QCOMPARE(source(own)[QStringLiteral("time")], source(fitted)[QStringLiteral("all_in")]);
        QCOMPARE(source(runCli(words("validate --json") + QStringList{kRuns}))[QStringLiteral("time")],
                 source(fitted)[QStringLiteral("builtin")]);

        for (const char* wrong : {"calibrate --leave-out source --out", "calibrate --out"})
            QCOMPARE(runCli(words(wrong) + QStringList{out, kRuns, kRuns}).code, 2);
        QCOMPARE(runCli(words("calibrate --constants --leave-out rows --out") + QStringList{out, kRuns}).code,
                 2);
        QCOMPARE(runCli(words("calibrate --leave-out source --out") + QStringList{out, kRuns}).code, 2);
        QCOMPARE(runCli(words("calibrate --out") + QStringList{out}).code, 2); // whose runs?
    }

private:
    QString path(const char* name) const { return m_dir.filePath(QLatin1String(name)); }
    QTemporaryDir m_dir;
};

QTEST_GUILESS_MAIN(CliValidateTest)
#include "cli_validate_test.moc"
