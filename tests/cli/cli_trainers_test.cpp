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

    // Its precision is that of the GPUs that it runs on, and other kinds of the cluster have no say.
    void aPlanComesBackBesideKindsThatItLeavesIdle() {
        const QString plan = m_files.path("bf16.json"), folder = m_files.path("bf16");
        const QStringList cluster = {QStringLiteral("--cluster"), sample("clusters/mixed-16.json")};
        const CliRun found =
            runCli(words("plan --target megatron --gbs 64 --seq 2048 --precision bf16 --work 2000 "
                         "--forbid n2,n3 --out") +
                   QStringList{plan, QStringLiteral("--model"), sample("models/llama2-7b.json")} + cluster);
        QVERIFY2(found.code == 0, found.out.left(3000));
        const CliRun written = runCli(words("export --format megatron --plan") +
                                      QStringList{plan, QStringLiteral("--out"), folder});
        QVERIFY2(written.code == 0, written.out.left(3000));
        const CliRun again =
            runCli(words("evaluate --json --plan") + QStringList{folder} + cluster); // V100 among it
        QVERIFY2(again.code == 0, again.out.left(3000));
        const CliRun before = runCli(words("evaluate --json --plan") + QStringList{plan});
        const auto pipelines = [](const CliRun& run) {
            return run
                .json()[QStringLiteral("plans")][0][QStringLiteral("pipelines")][0][QStringLiteral("stages")]
                .toArray()
                .size();
        };
        QCOMPARE(pipelines(again), pipelines(before));
        QCOMPARE(
            again.json()[QStringLiteral("problem")][QStringLiteral("recipe")][QStringLiteral("precision")]
                .toString(),
            QStringLiteral("bf16"));
    }

    // Where arguments leave it to a tokenizer that nobody knows.
    void theVocabularyCanBeStated() {
        const QString script = m_files.write(
            "train.sh", "torchrun pretrain_gpt.py --num-layers 4 --hidden-size 1024 --num-attention-heads 8 "
                        "--seq-length 1024 --max-position-embeddings 1024 --micro-batch-size 1 "
                        "--global-batch-size 16 --pipeline-model-parallel-size 2 --fp16 "
                        "--tokenizer-type HuggingFaceTokenizer --tokenizer-model /data/own\n");
        const QStringList asked =
            words("evaluate --json --plan") +
            QStringList{script, QStringLiteral("--cluster"), sample("clusters/mixed-16.json")};
        const CliRun open = runCli(asked);
        QCOMPARE(open.code, 2);
        QVERIFY2(open.out.contains("--vocabulary"), open.out.left(2000));
        const CliRun stated = runCli(asked + words("--vocabulary 50000"));
        QVERIFY2(stated.code == 0, stated.out.left(2000));
        QCOMPARE(stated.json()[QStringLiteral("problem")][QStringLiteral("model")][QStringLiteral("vocab")]
                     .toInt(),
                 50000);
        QCOMPARE(runCli(asked + words("--vocabulary 0")).code, 2);
    }

private:
    CliFiles m_files;
};

QTEST_GUILESS_MAIN(CliTrainersTest)
#include "cli_trainers_test.moc"
