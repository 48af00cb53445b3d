// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibrate/score.h"

#include "tests/calibrate/run_rows.h"

#include <QTest>

#include <cmath>

using namespace pw;

namespace {

bool closeTo(double a, double b) {
    return std::abs(a - b) < 1e-12;
}

RunPrediction predicted(double time, double memory, bool fits = true) {
    RunPrediction p;
    p.iterTimeS = time;
    p.peakMemGib = memory;
    p.fits = fits;
    return p;
}

} // namespace

// Scores against values worked out by hand.
class ScoreTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void quantiles() {
        QVERIFY(closeTo(quantile({3, 1, 2}, 0.5), 2));
        QVERIFY(closeTo(quantile({4, 1, 2, 3}, 0.5), 2.5));
        QVERIFY(closeTo(quantile({0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, 0.9), 9));
        QVERIFY(closeTo(quantile({0, 10}, 0.9), 9));
        QVERIFY(closeTo(quantile({7}, 0.9), 7));
        const ErrorFigures figures = errorFigures({-0.2, 0.1, -0.1});
        QCOMPARE(figures.count, 3);
        QVERIFY(closeTo(figures.median, 0.1));
        QVERIFY(closeTo(figures.bias, -0.1));
        QVERIFY(closeTo(figures.p90, 0.18));
        QCOMPARE(errorFigures({}).count, 0);
    }

    void kendall() {
        QVERIFY(closeTo(*kendallTau({{1, 1}, {2, 2}, {3, 3}}), 1));
        QVERIFY(closeTo(*kendallTau({{1, 3}, {2, 2}, {3, 1}}), -1));
        QVERIFY(closeTo(*kendallTau({{1, 1}, {2, 3}, {3, 2}}), 1.0 / 3));
        // One tie among the predictions: 2 / sqrt(3 x 2).
        QVERIFY(closeTo(*kendallTau({{1, 1}, {2, 1}, {3, 2}}), 2 / std::sqrt(6.0)));
        QVERIFY(!kendallTau({{1, 1}, {1, 2}}));
        QVERIFY(!kendallTau({{1, 1}}));
    }

    void rankings() {
        QVERIFY(closeTo(regret({{10, 2}, {8, 3}, {12, 4}}), 0.25));
        const Ranking both = ranking({{{1, 1}, {2, 2}, {3, 3}}, {{1, 3}, {2, 2}, {3, 1}}, {{1, 1}, {2, 2}}});
        QCOMPARE(both.groups, 2); // two runs are no group
        QCOMPARE(both.pairs, 6);
        QVERIFY(closeTo(both.medianTau, 0));
        QVERIFY(closeTo(both.pooledTau, 0));
        QVERIFY(closeTo(both.medianRegret, 1)); // 0 and 2
        QVERIFY(closeTo(both.worstRegret, 2));
        QCOMPARE(ranking({}).groups, 0);
    }

    void sources() {
        using test::plainGpt;
        using test::row;
        using test::with;
        std::vector<RunRow> rows = {
            row(with(plainGpt(), {{"iter_time_s", "2"}, {"peak_mem_gib", "10"}})),
            row(with(plainGpt(), {{"iter_time_s", "4"}, {"quality", "B"}})),
            row(with(plainGpt(), {{"iter_time_s", "8"}})),
            row(with(plainGpt(), {{"iter_time_s", "1"}, {"quality", "C"}})), // predicted, not scored
            row(with(plainGpt(), {{"iter_time_basis", "OOM"}})),
            row(with(plainGpt(), {{"iter_time_basis", "FAILED (inf)"}})),
            row(with(plainGpt(), {{"iter_time_s", "3.25"}, {"peak_mem_gib", "7"}})),
            row(with(plainGpt(), {{"iter_time_s", "3.25"}, {"peak_mem_gib", "7"}, {"n_gpus", "16"}})),
            row(plainGpt()),
        };
        std::vector<RunPrediction> predictions = {
            predicted(2.2, 9), predicted(3.8, 1),      predicted(8, 1, false),
            predicted(9, 9),   predicted(1, 1, false), predicted(1, 1),
            predicted(1, 1),   predicted(1, 1),        {}};
        predictions.back().status = PredictionStatus::Unsupported;
        const SourceScore score = scoreRuns("mine", rows, predictions);
        QCOMPARE(score.rows, 9);
        QCOMPARE(score.scorable, 8);
        QCOMPARE(score.predicted, 7);
        QCOMPARE(score.unsupported, 1);
        QCOMPARE(score.doubtful, 2); // the same figures on 8 and 16 GPUs
        QCOMPARE(score.time.count, 3);
        QVERIFY(closeTo(score.time.median, 0.05));
        QVERIFY(closeTo(score.time.bias, 0));
        QCOMPARE(score.memory.count, 1);
        QVERIFY(closeTo(score.memory.bias, -0.1));
        QCOMPARE(score.fits.fitsWorked, 2);
        QCOMPARE(score.fits.tooLargeWorked, 1);
        QCOMPARE(score.fits.tooLargeFailed, 1);
        QCOMPARE(score.fits.fitsFailed, 1);
        QCOMPARE(score.ranking.groups, 1);
        QVERIFY(closeTo(score.ranking.medianTau, 1));
    }

    void predictionsAreWritten() {
        RunPrediction good = predicted(0.123456789, 4.5, false);
        good.rowId = "a-1";
        good.remarks = "stage 0 needs 43.1 GiB, of 39.6";
        good.stack = "nemo+mlperf";
        good.expected = {.lowS = 0.1, .highS = 0.2, .lowGib = 4, .highGib = 5, .fitChance = 0.25};
        RunPrediction bad;
        bad.rowId = "a-2";
        bad.status = PredictionStatus::Unsupported;
        bad.remarks = "gpu: unknown";
        QCOMPARE(predictionsCsv({good, bad}),
                 std::string("row_id,status,pred_iter_time_s,pred_peak_mem_gib,fits,message,stack,expected_"
                             "low_s,expected_high_s,"
                             "expected_low_gib,expected_high_gib,fit_chance\n"
                             "a-1,ok,0.123457,4.5000,0,\"stage 0 needs 43.1 GiB, of 39.6\",nemo+mlperf,"
                             "0.1,0.2,4.0000,5.0000,0.2500\n"
                             "a-2,unsupported,,,,gpu: unknown,,,,,,\n"));
    }
};

QTEST_APPLESS_MAIN(ScoreTest)
#include "score_test.moc"
