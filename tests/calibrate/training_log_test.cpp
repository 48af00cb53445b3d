// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibrate/training_log.h"

#include "core/calibrate/run_case.h"
#include "core/calibrate/validate.h"
#include "tests/training_logs.h"

#include <QTest>

#include <cmath>

using namespace pw;

namespace {

bool sameNumber(double got, double expected) {
    return std::abs(got - expected) <= 1e-9 * std::abs(expected);
}

RunRow stated() {
    RunRow row;
    row.rowId = "own-1";
    row.gbs = 64;
    row.seqLen = 4096;
    row.nGpus = 16;
    return row;
}

} // namespace

class TrainingLogTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void stepsAndPeaks_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("trainer");
        QTest::addColumn<double>("seconds");
        QTest::addColumn<double>("gib");
        QTest::addColumn<QString>("definition");
        QTest::newRow("Megatron-LM") << QByteArray(kMegatronLog) << "Megatron-LM" << 2.0 << 31744.5 / 1024.0
                                     << "max allocated";
        QTest::newRow("NeMo, a bar that is written over")
            << QByteArray("Epoch 0: :   1%| | 1/100 [00:30<48:00, v_num=x, reduced_train_loss=11.0, "
                          "global_step=0.000, train_step_timing in s=30.50]\r"
                          "Epoch 0: :   2%| | 2/100 [00:33<48:00, v_num=x, reduced_train_loss=10.9, "
                          "global_step=1.000, train_step_timing in s=3.130]\r"
                          "Epoch 0: :   3%| | 3/100 [00:36<48:00, v_num=x, reduced_train_loss=10.8, "
                          "global_step=2.000, train_step_timing in s=3.150]\n")
            << "NeMo" << 3.14 << 0.0 << "";
        QTest::newRow("NeMo 2")
            << QByteArray("Training epoch 0, iteration 0/249 | lr: 1.9e-06 | global_batch_size: 8 | "
                          "global_step: 0 | reduced_train_loss: 1.315 | train_step_timing in s: 7.126\n"
                          "Training epoch 0, iteration 1/249 | lr: 3.9e-06 | global_batch_size: 8 | "
                          "global_step: 1 | reduced_train_loss: 1.653 | train_step_timing in s: 2.505 | "
                          "consumed_samples: 16\n")
            << "NeMo" << 2.505 << 0.0 << "";
        QTest::newRow("torchtitan, in colours")
            << QByteArray("[rank0]:[titan] 2026-01-01 - root - INFO - \x1b[31mstep:  1  \x1b[32mloss:  8.1  "
                          "\x1b[36mmemory: 30.00GiB(31.00%)  \x1b[34mtps: 512  \x1b[35mmfu: 4.46%\x1b[39m\n"
                          "[rank0]:[titan] 2026-01-01 - root - INFO - \x1b[31mstep: 10  \x1b[32mloss:  7.1  "
                          "\x1b[36mmemory: 34.56GiB(36.42%)  \x1b[34mtps: 8,192  \x1b[36mtflops: 1,400.12  "
                          "\x1b[35mmfu: 40.46%\x1b[39m\n")
            << "torchtitan" << 64.0 * 4096.0 / (8192.0 * 16.0) << 34.56 << "max reserved";
        QTest::newRow("DeepSpeed's throughput")
            << QByteArray("[2026-01-01 01:00:00,000] [INFO] [timer.py:260:stop] "
                          "epoch=0/micro_step=40/global_step=10, RunningAvgSamplesPerSec=25.02, "
                          "CurrSamplesPerSec=25.6, MemAllocated=4.32GB, MaxMemAllocated=38.49GB\n")
            << "DeepSpeed" << 2.5 << 38.49 << "max allocated";
        QTest::newRow("DeepSpeed's pipeline")
            << QByteArray("steps: 10 loss: 10.1234 iter time (s): 9.000 samples/sec: 7.1\n"
                          "steps: 20 loss: 10.1234 iter time (s): 1.250 samples/sec: 51.2\n")
            << "DeepSpeed" << 1.25 << 0.0 << "";
        QTest::newRow("nanotron")
            << QByteArray("01/01/2026 00:00:00 [INFO|DP=0|PP=0|TP=0|host]: iteration: 1 / 10 | "
                          "consumed_tokens: 1.05M | elapsed_time_per_iteration_ms: 12.3K | "
                          "tokens_per_sec: 853K | tokens_per_sec_per_gpu: 107K\n"
                          "01/01/2026 00:00:00 [INFO|DP=0|PP=0|TP=0|host]: iteration: 2 / 10 | "
                          "consumed_tokens: 2.1M | time_per_iteration_ms: 1.23K | tokens_per_sec: 853K\n"
                          " Memory usage: 12288.00MiB. Peak allocated 24576.00MiB. Peak reserved: "
                          "26624.00MiB\n")
            << "nanotron" << 1.23 << 24.0 << "max allocated";
        QTest::newRow("a trainer around DeepSpeed")
            << QByteArray("[INFO] [timer.py:260:stop] epoch=0/micro_step=1/global_step=1, "
                          "RunningAvgSamplesPerSec=58.7, CurrSamplesPerSec=61.35, MaxMemAllocated=19.52GB\n"
                          " iteration      199/  317892 | consumed samples:       152832 | elapsed time per "
                          "iteration (ms): 14287.5 | learning rate: 2.407E-04 |\n")
            << "Megatron-LM" << 14.2875 << 19.52 << "max allocated";
    }
    void stepsAndPeaks() {
        QFETCH(QByteArray, text);
        const auto log = readTrainingLog(text.toStdString(), "run.log");
        QVERIFY2(log, log ? "" : log.error().text().c_str());
        QTEST(QString::fromStdString(log->trainer), "trainer");
        RunRow row = stated();
        QVERIFY(takeLog(*log, "run.log", row));
        QFETCH(double, seconds);
        const double iteration = row.iterTimeS.value_or(0.0);
        QVERIFY2(sameNumber(iteration, seconds), qPrintable(QString::number(iteration)));
        QFETCH(double, gib);
        QCOMPARE(row.peakMemGib.has_value(), gib > 0.0);
        if (gib > 0.0) {
            const double peak = row.peakMemGib.value_or(0.0);
            QVERIFY2(sameNumber(peak, gib), qPrintable(QString::number(peak)));
            QTEST(QString::fromStdString(row.memDef), "definition");
            QVERIFY(memoryBasis(row.memDef) != MemoryBasis::Unstated);
        }
    }

    // What tells a log of a run from a list of arguments, and from other text.
    void logsAreKnownByTheirSteps_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("trainer");
        const QByteArray log(kMegatronLog);
        const QByteArray arguments = log.left(log.indexOf(" [2026"));
        QTest::newRow("a run") << log << "Megatron-LM";
        QTest::newRow("its arguments alone") << arguments << "";
        QTest::newRow("arguments, and memory ran out")
            << arguments + "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate\n"
            << "Megatron-LM";
        QTest::newRow("memory ran out, nobody says of what")
            << QByteArray("torch.OutOfMemoryError: CUDA out of memory. Tried to allocate\n") << "";
        QTest::newRow("in colours") << QByteArray("[titan] \x1b[31mstep:  1  \x1b[34mtps: 512  \x1b[39m\n")
                                    << "torchtitan";
        QTest::newRow("a bar that is written over")
            << QByteArray("Epoch 0\rEpoch 0, train_step_timing in s=3.130]\r") << "NeMo";
        QTest::newRow("words without a number")
            << QByteArray("elapsed time per iteration (ms): soon\n") << "";
        QTest::newRow("a script") << QByteArray("torchrun pretrain_gpt.py --num-layers 24\n") << "";
        QTest::newRow("nothing") << QByteArray() << "";
    }
    void logsAreKnownByTheirSteps() {
        QFETCH(QByteArray, text);
        QTEST(QString::fromStdString(trainerOfLog(text.toStdString())), "trainer");
    }

    void argumentsDescribeTheRun() {
        const auto log = readTrainingLog(kMegatronLog, "run.log");
        QVERIFY(log);
        auto row = runOfArguments(*log, "run.log");
        QVERIFY2(row, row ? "" : row.error().text().c_str());
        QCOMPARE(row->tp.value_or(-1), 4);
        QCOMPARE(row->pp.value_or(-1), 2);
        QCOMPARE(row->dp.value_or(-1), 2);
        QCOMPARE(row->nKvHeads.value_or(-1), 32); // groups are listed, and off
        QCOMPARE(row->vocab.value_or(-1), 32256); // padded, as it trains
        QCOMPARE(row->precision, std::string("bf16"));
        QCOMPARE(row->recompute, std::string("none"));
        QVERIFY(row->vpp.empty());
        QCOMPARE(row->distributedOptimizer.value_or(-1), 1);
        row->gpu = "H100-SXM-80GB";
        QVERIFY(takeLog(*log, "run.log", *row));
        const auto run = runCase(*row);
        QVERIFY2(run, run ? "" : run.error().text().c_str());
        QCOMPARE(run->problem->model().ffn, 11008);
        QVERIFY(!run->problem->model().tied);
        QCOMPARE(run->plan.pipelines.front().stages.size(), std::size_t{2});
    }

    // Stages that do not hold the same number of blocks are predicted as they ran, and what shards them is
    // said.
    void unevenStagesAreTheRuns() {
        const auto stagesOf = [](const std::string& further) {
            std::string text = kMegatronLog;
            const std::size_t end = text.find("end of arguments");
            text.insert(text.rfind('\n', end) + 1, further);
            const auto log = readTrainingLog(text, "run.log");
            auto row = runOfArguments(*log, "run.log");
            row->gpu = "H100-SXM-80GB";
            std::vector<int> blocks;
            if (!takeLog(*log, "run.log", *row) || row->sharding != "distributed optimizer")
                return blocks;
            if (const auto run = runCase(*row)) {
                for (const Stage& stage : run->plan.pipelines.front().stages)
                    blocks.push_back((stage.chunks.front().last + 1) / 2 - stage.chunks.front().first / 2);
                for (const std::string& assumed : run->assumptions)
                    if (assumed.find("sharding") != std::string::npos)
                        return std::vector<int>{};
            }
            return blocks;
        };
        const std::vector<int> even = stagesOf("");
        QCOMPARE(even.size(), std::size_t{2});
        const int all = even[0] + even[1] - 1; // the head stands behind the last block
        const std::string few = std::to_string(all - 5);
        const std::vector<int> uneven{5, all - 5 + 1};
        QVERIFY(even != uneven);
        QCOMPARE(stagesOf("  pipeline_model_parallel_layout ................. Et*5|t*" + few + "L\n"),
                 uneven);
        QCOMPARE(stagesOf("  decoder_first_pipeline_num_layers .............. 5\n"), uneven);
        QCOMPARE(stagesOf("  decoder_first_pipeline_num_layers .............. 5\n"
                          "  decoder_last_pipeline_num_layers ............... " +
                          few + "\n"),
                 uneven);
        QCOMPARE(stagesOf("  decoder_first_pipeline_num_layers .............. 5\n"
                          "  decoder_last_pipeline_num_layers ............... 5\n"),
                 even); // of two stages that is no split of the run's layers
        QCOMPARE(stagesOf("  decoder_last_pipeline_num_layers ............... " + few + "\n"), uneven);
    }

    void whatIsStatedStays() {
        const auto log = readTrainingLog(kMegatronLog, "run.log");
        RunRow row = stated();
        row.iterTimeS = 7.0;
        row.peakMemGib = 11.0;
        row.memDef = "nvidia-smi";
        QVERIFY(takeLog(*log, "run.log", row));
        QCOMPARE(*row.iterTimeS, 7.0);
        QCOMPARE(*row.peakMemGib, 11.0);
        QCOMPARE(row.memDef, std::string("nvidia-smi"));
    }

    void outOfMemoryIsARunThatFailed() {
        const auto log =
            readTrainingLog("torch.OutOfMemoryError: CUDA out of memory. Tried to allocate\n", "f");
        QVERIFY(log);
        RunRow row = stated();
        QVERIFY(takeLog(*log, "f", row));
        QVERIFY(row.failed() && !row.iterTimeS);
    }

    void refusals() {
        const auto none = readTrainingLog("step one\nelapsed time per iteration (ms): soon\n", "f.log");
        QVERIFY(!none);
        QCOMPARE(none.error().code, std::string("log.steps"));
        QCOMPARE(none.error().where, std::string("f.log"));
        const auto rate = readTrainingLog("step: 1 loss: 1 tps: 100\n", "f.log");
        QVERIFY(rate);
        RunRow row = stated();
        row.seqLen.reset();
        const Status taken = takeLog(*rate, "f.log", row);
        QVERIFY(!taken);
        QCOMPARE(taken.error().code, std::string("log.unit"));
        const auto run = runOfArguments(*rate, "f.log");
        QVERIFY(!run);
        QCOMPARE(run.error().code, std::string("log.arguments"));
    }
};

QTEST_APPLESS_MAIN(TrainingLogTest)
#include "training_log_test.moc"
