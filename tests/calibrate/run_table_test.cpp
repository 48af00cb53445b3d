// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibrate/run_table.h"

#include "tests/calibrate/run_rows.h"

#include <QTest>

using namespace pw;

// What reaches the reader is what somebody exported from somewhere.
class RunTableTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // Excel writes Windows-1252.
    void otherEncodingsArePlaced() {
        const auto rows = readRuns(test::table({{{"row_id", "r1"}, {"model", "M\xFCnchen"}}}), "runs.csv");
        QVERIFY(!rows);
        QCOMPARE(rows.error().code, std::string("text.encoding"));
        QVERIFY2(rows.error().where.starts_with("runs.csv:2:"), rows.error().where.c_str());
    }

    void otherDivisionsArePlaced() {
        const auto semicolons = readRuns("row_id;gpu;n_gpus;model\nr1;A100;8;m\n", "t.csv");
        QVERIFY(!semicolons);
        QCOMPARE(semicolons.error().where, std::string("t.csv:1:1"));
        QCOMPARE(semicolons.error().message,
                 std::string("the columns are divided by semicolons; expected commas"));
    }

    void cellsHaveTheirTypes() {
        const auto rows = readRuns(test::table({{{"row_id", "r1"},
                                                 {"gpu", "A100-SXM4-80GB"},
                                                 {"n_gpus", "8"},
                                                 {"params_b", "1.5"},
                                                 {"vpp", "max: 1 layer per chunk"},
                                                 {"mbs", "unstated"},
                                                 {"iter_time_basis", "OOM"},
                                                 {"notes", "one, \"two\""}}}),
                                   "runs.csv");
        QVERIFY2(rows, rows ? "" : rows.error().text().c_str());
        const RunRow& row = rows->front();
        QCOMPARE(row.rowId, std::string("r1"));
        QVERIFY(row.nGpus == 8 && row.paramsB == 1.5);
        QVERIFY(!row.mbs && !row.iterTimeS && !row.tp);
        QCOMPARE(row.vpp, std::string("max: 1 layer per chunk"));
        QCOMPARE(row.notes, std::string("one, \"two\""));
        QVERIFY(row.failed());
        QCOMPARE(row.line, 2);
    }

    void extendedColumnsAreReadAndOthersNamed() {
        const std::string text = test::table({{{"row_id", "r1"},
                                               {"n_experts", "8"},
                                               {"experts_top_k", "2"},
                                               {"fsdp", "0"},
                                               {"nvlink_domain", "72"},
                                               {"cuda_graphs", "full iteration"},
                                               {"colour", "not a number"}}});
        Diagnostics notes;
        const auto rows = readRuns(text, "runs.csv", &notes);
        QVERIFY2(rows, rows ? "" : rows.error().text().c_str());
        const RunRow& row = rows->front();
        QVERIFY(row.nExperts == 8 && row.expertsTopK == 2 && row.fsdp == 0 && row.nvlinkDomain == 72);
        QCOMPARE(row.cudaGraphs, std::string("full iteration"));
        QVERIFY(!row.moeFfn && row.peft.empty()); // no such columns here
        QCOMPARE(notes.size(), std::size_t{1});
        QVERIFY(notes[0].severity == Severity::Warning);
        QVERIFY2(notes[0].message.find("\"colour\"") != std::string::npos, notes[0].message.c_str());
        QVERIFY(notes[0].where.starts_with("runs.csv:1:"));
        QVERIFY(readRuns(text, "runs.csv")); // nobody listens
        QVERIFY(!readRuns(test::table({{{"row_id", "r1"}, {"n_experts", "many"}}}), "runs.csv"));
    }

    void mistakesArePlaced_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("where");
        const QByteArray good =
            QByteArray::fromStdString(test::table({{{"row_id", "r1"}}, {{"row_id", "r2"}}}));
        QByteArray text = good;
        QTest::newRow("misspelt column")
            << QByteArray(text).replace("n_heads", "n_head") << QByteArray("runs.csv:1:1");
        QTest::newRow("missing column")
            << QByteArray(text).replace(",notes\n", "\n") << QByteArray("runs.csv:1:1");
        QTest::newRow("column twice")
            << QByteArray(text).replace(",notes\n", ",notes,notes\n") << QByteArray("runs.csv:1:");
        QTest::newRow("id twice") << QByteArray(text).replace("r2,", "r1,") << QByteArray("runs.csv:3:1");
        QTest::newRow("no id") << QByteArray(text).replace("r2,", ",") << QByteArray("runs.csv:3:1");
        QTest::newRow("too wide") << QByteArray(text).replace("r2,", "r2,,") << QByteArray("runs.csv:3:");
        for (const char* number : {"eight", "-8", "8.5", "nan", "inf", "8 GPUs", "1e300"})
            QTest::newRow(number) << QByteArray::fromStdString(
                                         test::table({{{"row_id", "r1"}, {"n_gpus", number}}}))
                                  << QByteArray("runs.csv:2:7"); // r1,,,,
        QTest::newRow("empty") << QByteArray() << QByteArray("runs.csv");
    }
    void mistakesArePlaced() {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, where);
        const auto rows = readRuns(text.toStdString(), "runs.csv");
        QVERIFY(!rows);
        QCOMPARE(rows.error().kind, ErrorKind::BadInput);
        QVERIFY2(rows.error().where.starts_with(where.toStdString()), rows.error().text().c_str());
    }
};

QTEST_APPLESS_MAIN(RunTableTest)
#include "run_table_test.moc"
