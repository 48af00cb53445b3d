// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/accuracy/published_runs.h"
#include "core/calibrate/validate.h"

#include <QTest>

#include <set>

using namespace pw;

class PublishedRunsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyTableReads() {
        std::set<std::string> names, labels, ids;
        std::size_t rows = 0;
        for (const PublishedTable& table : publishedTables()) {
            QVERIFY2(names.insert(table.name).second, table.name.c_str());
            QVERIFY2(labels.insert(table.label).second, table.label.c_str());
            QVERIFY(table.url.starts_with("https://") && !table.title.empty() && !table.licence.empty());
            const auto runs = readPublished(table);
            QVERIFY2(runs, runs ? "" : runs.error().text().c_str());
            QCOMPARE(runs->layers.empty(), table.layers.empty());
            for (const RunRow& row : runs->rows) {
                QVERIFY2(ids.insert(row.rowId).second, row.rowId.c_str());
                QVERIFY2(row.quality == "A" || row.quality == "B", row.rowId.c_str());
                QVERIFY2(row.source.starts_with("https://"), row.rowId.c_str());
                QVERIFY2(row.iterTimeS || row.peakMemGib || row.failed(), row.rowId.c_str());
            }
            rows += runs->rows.size();
        }
        QCOMPARE(rows, std::size_t{2912});
    }

    // A row that could not be predicted would be no help to say what a prediction is worth.
    void nearlyAllRowsArePredicted() {
        int rows = 0, predicted = 0;
        for (const PublishedTable& table : publishedTables()) {
            const auto runs = readPublished(table);
            QVERIFY(runs);
            for (const RunPrediction& p : predictRuns(runs->rows, 0, {}, {}, runs->layers)) {
                QVERIFY2(p.status != PredictionStatus::Error, p.remarks.c_str());
                ++rows;
                predicted += p.status == PredictionStatus::Ok ? 1 : 0;
            }
        }
        QVERIFY(predicted >= 0.97 * rows);
    }
};

QTEST_APPLESS_MAIN(PublishedRunsTest)
#include "published_runs_test.moc"
