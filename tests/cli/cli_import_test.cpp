// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/cli/cli_run.h"

#include <QtTest>

#include <sys/resource.h>

namespace {

QString samples() {
    return QStringLiteral(PW_SOURCE_DIR "/../shared/samples/");
}

QString text(const char* s) {
    return QString::fromUtf8(s);
}

} // namespace

// `import` from outside: what is written, what is asked for, and that nothing is written of what is refused.
class CliImportTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    QString file(const char* name, const QByteArray& bytes) const {
        const QString path = m_folder.filePath(text(name));
        QFile out(path);
        if (!out.open(QIODevice::WriteOnly) || out.write(bytes) != bytes.size())
            return {};
        return path;
    }
    QString out() const { return m_folder.filePath(text("out.json")); }
    CliRun import(const QStringList& arguments) const {
        QFile::remove(out());
        return runCli(QStringList{text("import")} + arguments +
                      QStringList{text("--out"), out(), text("--json")});
    }

private Q_SLOTS:
    void drawsAClusterOutOfTwoFiles() {
        const QString matrix =
            file("topo.txt", "\tGPU0\tGPU1\tCPU Affinity\nGPU0\t X \tNV12\t0-7\nGPU1\tNV12\t X \t0-7\n");
        const QString list =
            file("gpus.csv", "index, name, memory.total [MiB]\n0, NVIDIA A100-SXM4-40GB, 40960 MiB\n"
                             "1, NVIDIA A100-SXM4-40GB, 40960 MiB\n");
        CliRun run = import({matrix});
        QCOMPARE(run.code, 2);
        QCOMPARE(run.error()[text("where")].toString(), text("--device"));
        QVERIFY(!QFile::exists(out()));
        run = import({matrix, list});
        QVERIFY2(run.code == 0, run.out + run.err);
        QCOMPARE(run.json()[text("inventory")][text("hosts")][0][text("gpus")].toArray().size(), 2);
        const CliRun cluster = runCli({text("cluster"), out(), text("--json")});
        QVERIFY2(cluster.code == 0, cluster.out + cluster.err);
        run = import({matrix, text("--device"), text("A100-40")});
        QCOMPARE(run.code, 0);
        run = import({matrix, text("--device"), text("no-such-kind")});
        QCOMPARE(run.code, 2);
        QVERIFY(!QFile::exists(out()));
    }

    void asksForTheNetworkAndTakesItsFlags() {
        const QString hosts = file("hosts", "a slots=8 type=A100-80\nb slots=4 type=V100-16\n");
        const CliRun asked = import({hosts});
        QCOMPARE(asked.code, 2);
        QCOMPARE(asked.error()[text("where")].toString(), text("--bandwidth"));
        const CliRun run =
            import({hosts, text("--bandwidth"), text("8x200Gbit/s"), text("--latency"), text("3us")});
        QVERIFY2(run.code == 0, run.out + run.err);
        const QJsonObject link = run.json()[text("cluster")][text("links")][0].toObject();
        QCOMPARE(link[text("lanes")].toInt(), 8);
        bool told = false; // that one switch was assumed
        for (const QJsonValue& note : run.json()[text("notes")].toArray())
            told = told || note[text("code")].toString() == text("import.switch");
        QVERIFY(told);
    }

    // Is my present plan bad?
    void judgesATrainersScript() {
        const QString script =
            file("train.sh",
                 "torchrun pretrain_gpt.py --num-layers 24 --hidden-size 2048 --num-attention-heads 16 \\\n"
                 "  --seq-length 2048 --vocab-size 50304 --swiglu --tensor-model-parallel-size 3 \\\n"
                 "  --micro-batch-size 1 --global-batch-size 64 --fp16\n");
        const QStringList on = {text("--cluster"), text(PW_SOURCE_DIR "/samples/clusters/mixed-16.json")};
        CliRun run = runCli(QStringList{text("evaluate"), text("--plan"), script, text("--json")} + on);
        QVERIFY2(run.code == 2, run.out + run.err); // 16 GPUs are no threes
        run = runCli({text("evaluate"), text("--plan"), script, text("--json")});
        QCOMPARE(run.error()[text("where")].toString(), text("--cluster"));
        QFile edited(script);
        QVERIFY(edited.open(QIODevice::ReadOnly));
        const QByteArray narrower = edited.readAll().replace("parallel-size 3", "parallel-size 4");
        const QString other = file("train4.sh", narrower);
        run = runCli(QStringList{text("evaluate"), text("--plan"), other, text("--json")} + on);
        QVERIFY2(run.code == 0, run.out + run.err);
        const QJsonObject verdict = run.json()[text("verdict")].toObject();
        QVERIFY(verdict[text("text")].toString().startsWith(text("This plan: ")));
        QVERIFY(verdict[text("best_found_s")].toDouble() <= 1.005 * verdict[text("present_s")].toDouble());
        QCOMPARE(run.json()[text("plans")][0][text("iteration_s")].toDouble(),
                 verdict[text("present_s")].toDouble());
        // Imported with the machines it is a plan document like any other; without them its model is written.
        run = import(QStringList{other} + on);
        QVERIFY2(run.code == 0, run.out + run.err);
        QCOMPARE(runCli({text("evaluate"), text("--plan"), out(), text("--json")}).code, 0);
        run = import({other});
        QCOMPARE(run.json()[text("wrote")].toString(), text("model"));
        QCOMPARE(runCli({text("model"), out(), text("--json")}).code, 0);
    }

    void saysWhatAFileLooksLike() {
        const auto message = [&](const QString& path) {
            const CliRun run = import({path});
            return run.code == 2 ? run.error()[text("message")].toString() : QString();
        };
        QVERIFY(message(file("a", "{\"colour\": 1, \"size\": 2}"))
                    .contains(text("is JSON with the keys colour, size")));
        QVERIFY(message(file("b", "<svg></svg>")).contains(text("looks like XML")));
        QVERIFY(message(file("c", "")).contains(text("is empty")));
        QVERIFY(message(file("d", "Dear all,\n")).contains(text("begins with \"Dear all,\"")));
        QVERIFY(message(file("e", "\xFF\xFE"
                                  "a"))
                    .contains(text("UTF-16")));
    }

    void refusesEveryBadSampleInLittleMemory_data() {
        QTest::addColumn<QString>("path");
        const QDir folder(samples() + text("bad"));
        for (const QString& name : folder.entryList(QDir::Files))
            if (name != text("README.md") && name != text("hf_config_bom.json") &&
                name != text("topo_m_crlf.txt"))
                QTest::newRow(qPrintable(name)) << folder.filePath(name);
        if (!folder.exists())
            QTest::newRow("none") << QString();
    }
    void refusesEveryBadSampleInLittleMemory() {
        QFETCH(QString, path);
        if (path.isEmpty())
            QSKIP("the folder of samples is not here");
        constexpr rlim_t kMemory = rlim_t{256} << 20;
        QFile::remove(out());
        QProcess process;
        process.setChildProcessModifier([] {
            const rlimit limit{kMemory, kMemory};
            ::setrlimit(RLIMIT_DATA, &limit);
        });
        process.start(text(PW_CLI), {text("import"), path, text("--out"), out(), text("--json")});
        QVERIFY(process.waitForFinished(60000));
        QCOMPARE(process.exitStatus(), QProcess::NormalExit);
        QCOMPARE(process.exitCode(), 2);
        const QJsonObject error =
            QJsonDocument::fromJson(process.readAllStandardOutput()).object()[text("error")].toObject();
        QVERIFY2(error[text("where")].toString().startsWith(path),
                 qPrintable(error[text("where")].toString()));
        QVERIFY(!QFile::exists(out()));
    }
};

QTEST_GUILESS_MAIN(CliImportTest)
#include "cli_import_test.moc"
