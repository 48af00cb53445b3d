// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/file.h"
#include "core/calibrate/score.h"

#include "tests/calibrate/run_rows.h"
#include "tests/test_data.h"

#include <QTest>

#include <cmath>
#include <filesystem>
#include <map>

using namespace pw;

namespace {

namespace fs = std::filesystem;

std::vector<RunRow> runsOf(const fs::path& path) {
    const auto text = readFile(path);
    if (!text)
        qFatal("%s", text.error().text().c_str());
    auto rows = readRuns(*text, path.filename().string());
    if (!rows)
        qFatal("%s", rows.error().text().c_str());
    return *rows;
}

// What a table of tests/data/runs holds: rows, those that can be scored, and how many of these are predicted.
struct Cut {
    std::size_t rows;
    int scorable, predicted;
};
const std::map<std::string, Cut> kCuts = {
    {"amd_primus", {3, 0, 0}},  {"dgxc", {8, 8, 8}},       {"gcp_recipes", {2, 2, 2}},
    {"libai", {3, 0, 0}},       {"misc", {17, 6, 6}},      {"megatron_golden", {16, 16, 16}},
    {"mixed_gpus", {12, 7, 7}}, {"mlperf", {15, 15, 15}},  {"nanotron", {21, 13, 13}},
    {"vtrain", {1, 1, 1}},      {"zero_bubble", {1, 1, 1}}};

} // namespace

class ValidateTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyRowIsAnswered() {
        const std::vector<RunRow> rows = runsOf(PW_SOURCE_DIR "/tests/data/runs-small.csv");
        QVERIFY(rows.size() >= 8);
        const auto one = predictRuns(rows, 1, {});
        const auto four = predictRuns(rows, 4, {});
        QCOMPARE(one.size(), rows.size());
        QCOMPARE(predictionsCsv(one), predictionsCsv(four)); // whatever the number of threads
        for (std::size_t i = 0; i < rows.size(); ++i) {
            QCOMPARE(one[i].rowId, rows[i].rowId);
            QVERIFY(one[i].status != PredictionStatus::Error);
            if (one[i].status == PredictionStatus::Ok)
                QVERIFY(std::isfinite(one[i].iterTimeS) && one[i].iterTimeS > 0 && one[i].peakMemGib > 0);
            else
                QVERIFY(!one[i].remarks.empty());
        }
    }

    void tooLittleMemoryIsAnAnswer() {
        const test::Cells large = test::with(test::plainGpt(), {{"gpu", "V100-SXM2-16GB"},
                                                                {"gpu_mem_gb", "16"},
                                                                {"tp", "1"},
                                                                {"pp", "1"},
                                                                {"dp", "8"},
                                                                {"n_microbatches", "2"},
                                                                {"recompute", "none"},
                                                                {"schedule", "none"}});
        const RunPrediction prediction = predictRun(test::row(large));
        QVERIFY2(prediction.status == PredictionStatus::Ok, prediction.remarks.c_str());
        QVERIFY(!prediction.fits && prediction.iterTimeS > 0);
        QVERIFY(prediction.peakMemGib > 16);
        QVERIFY(prediction.remarks.find("needs") != std::string::npos);
    }

    void moreWorkTakesLonger() {
        const double small = predictRun(test::row(test::plainGpt())).iterTimeS;
        const double large =
            predictRun(test::row(test::with(test::plainGpt(), {{"gbs", "64"}, {"n_microbatches", "16"}})))
                .iterTimeS;
        QVERIFY(small > 0 && large > 1.5 * small && large < 2.5 * small);
    }

    void stoppedRowsSaySo() {
        std::stop_source stop;
        stop.request_stop();
        const auto none = predictRuns({test::row(test::plainGpt())}, 1, stop.get_token());
        QVERIFY(none[0].status == PredictionStatus::Error);
        QVERIFY(none[0].remarks.find("stopped") != std::string::npos);
    }

    // Tables in the words of those who published them, one row a kind: read without an error, and predicted
    // as far as a plan can be made of them.
    void otherTablesAreCovered() {
        std::size_t tables = 0;
        for (const auto& entry : fs::directory_iterator(test::testData("runs"))) {
            const std::string name = entry.path().stem().string();
            QVERIFY2(kCuts.contains(name), name.c_str());
            const Cut& cut = kCuts.at(name);
            const std::vector<RunRow> rows = runsOf(entry.path());
            const auto predictions = predictRuns(rows, 0, {});
            const SourceScore score = scoreRuns(name, rows, predictions);
            qInfo("%-16s %3zu rows, %2d of %2d predicted", name.c_str(), rows.size(), score.predicted,
                  score.scorable);
            for (const RunPrediction& p : predictions)
                QVERIFY2(p.status == PredictionStatus::Ok || !p.remarks.empty(), p.rowId.c_str());
            QCOMPARE(score.errors, 0);
            QCOMPARE(rows.size(), cut.rows);
            QCOMPARE(score.scorable, cut.scorable);
            QCOMPARE(score.predicted, cut.predicted);
            ++tables;
        }
        QCOMPARE(tables, kCuts.size());
    }
};

QTEST_APPLESS_MAIN(ValidateTest)
#include "validate_test.moc"
