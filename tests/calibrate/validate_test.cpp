// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/file.h"
#include "core/calibrate/score.h"

#include "tests/calibrate/run_rows.h"

#include <QTest>

#include <cmath>
#include <filesystem>

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

// Tables of published runs that lie beside the checkout of those who have them.
std::vector<fs::path> openTables() {
    std::vector<fs::path> found;
    const fs::path folder = fs::path(PW_SOURCE_DIR) / "../shared/measurements";
    std::error_code none;
    for (const auto& entry : fs::directory_iterator(folder, none)) {
        const auto text =
            entry.path().extension() == ".csv" ? readFile(entry.path()) : Result<std::string>("");
        if (text && text->starts_with("row_id,") && text->find("iter_time_s") != std::string::npos)
            found.push_back(entry.path());
    }
    std::sort(found.begin(), found.end());
    return found;
}

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
                QVERIFY(!one[i].message.empty());
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
        QVERIFY2(prediction.status == PredictionStatus::Ok, prediction.message.c_str());
        QVERIFY(!prediction.fits && prediction.iterTimeS > 0);
        QVERIFY(prediction.peakMemGib > 16);
        QVERIFY(prediction.message.find("needs") != std::string::npos);
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
        QVERIFY(none[0].message.find("stopped") != std::string::npos);
    }

    void openTablesAreCovered() {
        const std::vector<fs::path> tables = openTables();
        if (tables.empty())
            QSKIP("no published tables beside the checkout");
        int scorable = 0, predicted = 0;
        for (const fs::path& path : tables) {
            const std::vector<RunRow> rows = runsOf(path);
            const SourceScore score = scoreRuns(path.stem().string(), rows, predictRuns(rows, 0, {}));
            scorable += score.scorable;
            predicted += score.predicted;
            QVERIFY2(score.errors == 0, path.c_str());
        }
        QVERIFY(scorable > 0);
        qInfo("%d of %d rows predicted", predicted, scorable);
        QVERIFY(predicted >= 0.97 * scorable);
    }
};

QTEST_APPLESS_MAIN(ValidateTest)
#include "validate_test.moc"
