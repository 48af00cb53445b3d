// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/cli/cli_run.h"
#include "tests/exchange/typed_files.h"
#include "tests/test_data.h"

#include <QJsonArray>
#include <QtTest>

#include <algorithm>
#include <sys/resource.h>

namespace {

QString text(const char* s) {
    return QString::fromUtf8(s);
}
QString data(const char* path) {
    return QString::fromStdString(pw::test::testData(path).string());
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
        const QString matrix = file("topo.txt", pw::test::pairMatrix());
        const QString list = file("gpus.csv", pw::test::pairList());
        CliRun run = import({matrix, list});
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

    // A matrix says which GPUs are joined by what and not what they are: that is no reason to refuse it.
    void acceptsWhatIsSilentOnDevices() {
        const QString matrix =
            file("topo.txt", "\tGPU0\tGPU1\tCPU Affinity\r\nGPU0\t X \tNV12\t0-7\r\nGPU1\tNV12\t X "
                             "\t0-7\r\n");
        CliRun run = import({matrix});
        QVERIFY2(run.code == 0, run.out + run.err);
        QCOMPARE(run.json()[text("wrote")].toString(), text("inventory"));
        QCOMPARE(run.json()[text("asked")][0][text("where")].toString(), text("--device"));
        QVERIFY(!run.json().contains(text("cluster")));
        QFile written(out());
        QVERIFY(written.open(QIODevice::ReadOnly));
        const QJsonObject kept = QJsonDocument::fromJson(written.readAll()).object();
        QCOMPARE(kept[text("schema")].toString(), text("pipewright-inventory-1"));
        QCOMPARE(kept[text("inventory")][text("hosts")][0][text("gpus")].toArray().size(), 2);
        QVERIFY(runCli({text("cluster"), out()}).code == 2); // it is none
        // Without --out it is shown and nothing is written.
        run = runCli({text("import"), matrix});
        QVERIFY2(run.code == 0, run.err);
        QVERIFY(run.out.contains("2 GPUs") && run.out.contains("warning") && !run.out.contains("written"));
    }

    void readsEveryTopologySampleAlone_data() {
        QTest::addColumn<QString>("path");
        const QDir folder(data("topology"));
        for (const QString& name : folder.entryList(QDir::Files))
            QTest::newRow(qPrintable(name)) << folder.filePath(name);
        QTest::newRow("crlf") << data("bad/topo_m_crlf.txt");
    }
    void readsEveryTopologySampleAlone() {
        QFETCH(QString, path);
        const CliRun run = import({path});
        QVERIFY2(run.code == 0, run.out + run.err);
        QVERIFY(QFile::exists(out()));
        QVERIFY(!run.json()[text("imported")][0][text("summary")].toString().isEmpty());
    }

    // What a plan leaves open is asked with the file's name: of several files one would not know which.
    void asksForMachinesWithTheFilesName() {
        const CliRun run = import({data("exports/hexiscale_all_hetero_configs.json")});
        QCOMPARE(run.code, 2);
        QCOMPARE(run.error()[text("code")].toString(), text("import.cluster"));
        QCOMPARE(run.error()[text("where")].toString(), text("--cluster"));
        QVERIFY2(run.error()[text("message")].toString().contains(text("hexiscale_all_hetero_configs.json")),
                 run.out.constData());
        QVERIFY(!QFile::exists(out()));
    }

    // And what is wrong with a host that files tell of.
    void namesTheFilesOfAHost() {
        QByteArray mixed = pw::test::pairList();
        const qsizetype model = mixed.indexOf("A100");
        QVERIFY(model > 0);
        mixed.replace(model, 4, "A10x"); // the other GPU stays what it was
        const QString list = file("gpus.csv", mixed);
        const CliRun run = import({list, text("--device"), text("A100-40")});
        QCOMPARE(run.code, 2);
        QCOMPARE(run.error()[text("code")].toString(), text("import.mixed"));
        QVERIFY2(run.error()[text("where")].toString().startsWith(list + text(": ")), run.out.constData());
        const CliRun asked = import({file("topo.txt", pw::test::pairMatrix()), text("--gpus"), text("2")});
        QCOMPARE(asked.code, 2);
        QCOMPARE(asked.error()[text("where")].toString(), text("--device")); // of no file
    }

    // 200 GB/s on the bus between four GPUs of a node: the cluster then predicts the measured times.
    void putsTimedCollectivesOntoACluster() {
        const QString measured = file("nccl.txt", pw::test::timedCollective("all_reduce_perf"));
        const QString cluster = text(PW_SOURCE_DIR "/samples/clusters/mixed-16.json");
        CliRun run = import({measured, text("--cluster"), cluster, text("--to"), text("no-such-node")});
        QCOMPARE(run.code, 2);
        QCOMPARE(run.error()[text("where")].toString(), text("no-such-node"));
        QVERIFY(!QFile::exists(out()));
        run = import({measured, text("--cluster"), cluster});
        QVERIFY2(run.code == 0, run.out + run.err);
        QCOMPARE(run.json()[text("wrote")].toString(), text("cluster"));
        QFile before(cluster);
        QVERIFY(before.open(QIODevice::ReadOnly));
        const QJsonArray old = QJsonDocument::fromJson(before.readAll()).object()[text("nodes")].toArray();
        const QJsonArray nodes = run.json()[text("cluster")][text("nodes")].toArray();
        QCOMPARE(nodes.size(), old.size());
        int changed = 0;
        for (const QJsonValue& node : nodes)
            changed += node[text("intra_bandwidth")].toDouble() > 200e9;
        QVERIFY(changed > 0);
    }

    // Into the database, out of it again, and from there onto a cluster.
    void timedCollectivesAreKept() {
        const QString cluster = text(PW_SOURCE_DIR "/samples/clusters/mixed-16.json");
        const auto profiles = [&](const QStringList& arguments, const char* database = "links.db") {
            return runCli(QStringList{text("profiles")} + arguments +
                          QStringList{text("--profiles"), m_folder.filePath(text(database)), text("--json")});
        };
        const QString reduced = file("reduce.txt", pw::test::timedCollective("all_reduce_perf"));
        CliRun run = profiles({text("import"), reduced});
        QVERIFY2(run.code == 0, run.out + run.err);
        QCOMPARE(run.json()[text("added")].toInt(), 1);
        QCOMPARE(profiles({text("import"), reduced}).code, 0); // again: in its place
        run = profiles({text("list")});
        const QJsonObject source = run.json()[text("sources")][0].toObject();
        QCOMPARE(source[text("links")].toInt(), 1);
        QCOMPARE(source[text("rows")].toInt(), 0);
        run = profiles({text("links"), text("--out"), out()});
        QVERIFY2(run.code == 0, run.out + run.err);
        const QJsonArray kept = run.json()[text("measurements")].toArray();
        QCOMPARE(kept.size(), 1);
        QVERIFY(kept[0][text("counts")].toBool());

        // Onto the nodes as an import of the file itself puts it.
        run = profiles({text("links"), text("--cluster"), cluster});
        QVERIFY2(run.code == 0, run.out + run.err);
        const QJsonValue stored = run.json()[text("cluster")];
        QCOMPARE(profiles({text("import"), out()}, "second.db").code, 0);
        QCOMPARE(profiles({text("links")}, "second.db").json()[text("measurements")].toArray(), kept);
        QCOMPARE(stored, import({reduced, text("--cluster"), cluster}).json()[text("cluster")]);

        // Two collectives over the same GPUs: nobody guesses which.
        const QString gathered = file("gather.txt", pw::test::timedCollective("all_gather_perf", 0.75));
        QCOMPARE(profiles({text("import"), gathered}).code, 0);
        run = profiles({text("links"), text("--cluster"), cluster});
        QCOMPARE(run.code, 2);
        QCOMPARE(run.error()[text("code")].toString(), text("links.several"));
        run = profiles({text("links"), text("--cluster"), cluster, text("--collective"), text("all_reduce")});
        QCOMPARE(run.json()[text("cluster")], stored);
        run = profiles({text("links"), text("--collective"), text("sendrecv")});
        QCOMPARE(run.code, 2);
        QCOMPARE(profiles({text("remove"), text("gather.txt")}).json()[text("removed")].toInt(), 1);
        QCOMPARE(profiles({text("check")}).code, 0);
        QCOMPARE(profiles({text("links"), text("--to"), text("n1")}).code, 2);
    }

    // Which operators of a model are timed where a plan runs them.
    void coverageGoesDownToOperators() {
        const QString rows = file("operators.csv", "model,kind,layer,tp,mbs,forward_s,backward_s,op,source\n"
                                                   "gpt-neo-2.7b,A100-SXM4-40GB,1,2,1,0.1,0.2,qkv,lab\n"
                                                   "gpt-neo-2.7b,A100-SXM4-40GB,1,2,1,0.3,0.4,mlp,lab\n"
                                                   "gpt-neo-2.7b,V100-SXM2-16GB,1,2,1,0.5,0.6,qkv,lab\n");
        const auto coverage = [&](const QStringList& more) {
            return runCli(words("profiles coverage --json --profiles") +
                          QStringList{m_folder.filePath(text("operators.db"))} + more);
        };
        QCOMPARE(runCli(words("profiles import --profiles") +
                        QStringList{m_folder.filePath(text("operators.db")), rows})
                     .code,
                 0);
        const QJsonArray reach = coverage({}).json()[text("operators")].toArray();
        QCOMPARE(reach.size(), 2); // a row a device kind
        QCOMPARE(reach[0][text("operators")].toArray().size(), 2);
        const CliRun run =
            coverage({text("--plan"), text(PW_SOURCE_DIR "/samples/plans/measured-16-uniform.json")});
        QVERIFY2(run.code == 0, run.out + run.err);
        const QJsonArray stages = run.json()[text("stages")].toArray();
        QCOMPARE(stages.size(), 2);
        QCOMPARE(stages[0][text("measured")].toInt(), 2);
        QCOMPARE(stages[0][text("forward_s")].toDouble(), 0.4);
        QVERIFY(stages[0][text("missing")].toArray().isEmpty());
        QCOMPARE(stages[1][text("operators")].toInt(), 2);
        QCOMPARE(stages[1][text("measured")].toInt(), 1);
        QCOMPARE(stages[1][text("missing")].toArray(), QJsonArray{text("mlp")});
        QCOMPARE(run.json()[text("measured_share")].toDouble(), 0.0); // operators price no plan
    }

    void asksForTheNetworkAndTakesItsFlags() {
        const QString hosts = file("hosts", "a slots=8 type=A100-80\nb slots=4 type=V100-16\n");
        const CliRun asked = import({hosts, text("--latency"), text("3us")});
        QCOMPARE(asked.code, 2);
        QCOMPARE(asked.error()[text("where")].toString(), text("--bandwidth"));
        QVERIFY(!QFile::exists(out()));
        const CliRun run =
            import({hosts, text("--bandwidth"), text("8x200Gbit/s"), text("--latency"), text("3us")});
        QVERIFY2(run.code == 0, run.out + run.err);
        const QJsonObject link = run.json()[text("cluster")][text("links")][0].toObject();
        QCOMPARE(link[text("lanes")].toInt(), 8);
        const auto told = [](const CliRun& of, const QString& code) {
            const QJsonArray notes = of.json()[text("notes")].toArray();
            return std::any_of(notes.begin(), notes.end(),
                               [&](const QJsonValue& note) { return note[text("code")].toString() == code; });
        };
        // What no file says is said to be assumed, and not where it is stated.
        QVERIFY(told(run, text("import.switch")) && told(run, text("import.medium")));
        QCOMPARE(link[text("efficiency")].toDouble(), 0.88);
        const CliRun stated =
            import({hosts, text("--bandwidth"), text("8x200Gbit/s"), text("--medium"), text("InfiniBand")});
        QVERIFY2(stated.code == 0, stated.out + stated.err);
        QVERIFY(!told(stated, text("import.medium")));
        const QJsonValue cluster = stated.json()[text("cluster")];
        QCOMPARE(cluster[text("switches")][0][text("medium")].toString(), text("InfiniBand"));
        QCOMPARE(cluster[text("links")][0][text("efficiency")].toDouble(), 0.656);
        const CliRun unknown =
            import({hosts, text("--bandwidth"), text("200Gbit/s"), text("--medium"), text("carrier")});
        QCOMPARE(unknown.code, 2);
        QCOMPARE(unknown.error()[text("where")].toString(), text("--medium"));
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

    // Whose tokenizer is not known says how many tokens it has, or shows the model.
    void theVocabularyCanBeStated() {
        const QString script =
            file("open.sh", "torchrun x --num-layers 32 --hidden-size 4096 --num-attention-heads 32 "
                            "--seq-length 4096 --tokenizer-type HuggingFaceTokenizer\n");
        QCOMPARE(import({script}).code, 2);
        const auto vocabulary = [&](const QStringList& more) {
            const CliRun run = import(QStringList{script} + more);
            return run.code == 0 ? run.json()[text("model")][text("vocab")].toInt() : -1;
        };
        QCOMPARE(vocabulary({text("--vocabulary"), text("1234")}), 1234);
        QCOMPARE(vocabulary({text("--vocabulary"), text("many")}), -1);
        QCOMPARE(vocabulary({text("--model"), text(PW_SOURCE_DIR "/samples/models/llama3-8b.json")}), 128256);
        const CliRun run =
            runCli({text("evaluate"), text("--plan"), script, text("--json"), text("--gbs"), text("64"),
                    text("--cluster"), text(PW_SOURCE_DIR "/samples/clusters/mixed-16.json"), text("--model"),
                    text(PW_SOURCE_DIR "/samples/models/llama3-8b.json")});
        QVERIFY2(!run.err.contains("vocab") && !run.out.contains("--vocab-size is missing"),
                 run.out + run.err);
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
        QVERIFY(message(file("f", "{\"size\": }")).contains(text("expected a value at 1:10")));
        QVERIFY(message(file("g", "[model]\nname = \"llama3\"\n"))
                    .contains(text("looks like TOML or an INI file: [model]")));
        QVERIFY(message(file("d", "Dear all,\n")).contains(text("begins with \"Dear all,\"")));
        QVERIFY(message(file("e", "\xFF\xFE"
                                  "a"))
                    .contains(text("UTF-16")));
    }

    void refusesEveryBadSampleInLittleMemory_data() {
        QTest::addColumn<QString>("path");
        const QDir folder(data("bad"));
        for (const QString& name : folder.entryList(QDir::Files))
            if (name != text("hf_config_bom.json") && name != text("topo_m_crlf.txt"))
                QTest::newRow(qPrintable(name)) << folder.filePath(name);
    }
    void refusesEveryBadSampleInLittleMemory() {
        QFETCH(QString, path);
        QFile::remove(out());
        QProcess process;
#ifndef PW_ADDRESS_SANITIZER // which itself takes more
        process.setChildProcessModifier([] {
            constexpr rlim_t kMemory = rlim_t{256} << 20;
            const rlimit limit{kMemory, kMemory};
            ::setrlimit(RLIMIT_DATA, &limit);
        });
#endif
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
