// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later

// Timed collectives on their way out of the program and back.
#include "core/base/file.h"
#include "core/exchange/imports/import_table.h"
#include "core/exchange/imports/measurements/link_file.h"
#include "core/exchange/imports/measurements/nccl_tests.h"
#include "core/links/link_fit.h"
#include "tests/test_data.h"

#include <QTemporaryDir>
#include <QtTest>

using namespace pw;

namespace {

LinkMeasurement timed(const char* source, const char* date) {
    LinkMeasurement m;
    m.collective = "all_reduce";
    m.ranks = 2;
    m.devices = {{0, "x", "NVIDIA A100-SXM4-80GB", "0000:10:00", 0},
                 {1, "x", "NVIDIA A100-SXM4-80GB", "0000:11:00", 1}};
    m.outOfPlace = {{Bytes(8), Seconds(1e-5)}, {Bytes(1 << 20), Seconds(1.0 / 3000)}};
    m.outOfPlaceFit = fitLink(m.outOfPlace, 1.0);
    m.statedMean = 12.5;
    m.source = source;
    m.date = date;
    m.software = "NCCL 2.27.3";
    return m;
}

Result<Imported> readLinks(const std::string& text) {
    return importLinkFile(text, "links.json", {});
}

} // namespace

class LinkFileTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatIsWrittenIsReadBack() {
        const std::vector<LinkMeasurement> all = {timed("a.txt", "2026-01-01"), timed("b.txt", "")};
        const std::string text = printLinks(all);
        QVERIFY(recogniseLinkFile(text, "any"));
        const Result<Imported> found = readLinks(text);
        QVERIFY2(found, found ? "" : found.error().text().c_str());
        QVERIFY(std::get<std::vector<LinkMeasurement>>(found->what) == all);
        QVERIFY(found->notes.empty());
        QCOMPARE(printLinks(std::get<std::vector<LinkMeasurement>>(found->what)), text);
        // By its content, whatever it is called.
        QTemporaryDir folder;
        const std::filesystem::path file = folder.filePath(QStringLiteral("x")).toStdString();
        QVERIFY(writeFileAtomically(file, text));
        QCOMPARE(importFile(file, "", {})->kind, std::string("pipewright-links"));
    }

    void refuses_data() {
        QTest::addColumn<QByteArray>("from");
        QTest::addColumn<QByteArray>("to");
        QTest::addColumn<QByteArray>("where");
        const auto row = [](const char* what, const char* from, const char* to, const char* where) {
            QTest::newRow(what) << QByteArray(from) << QByteArray(to) << QByteArray(where);
        };
        row("no ranks", "\"ranks\": 2", "\"ranks\": 0", "links.json#/measurements/0/ranks");
        row("no time", "\"seconds\": 1e-05", "\"seconds\": 0", "links.json#/measurements/0");
        row("another schema", "-links-1", "-links-9", "links.json#/schema");
        row("text for bytes", "\"bytes\": 8.0", "\"bytes\": \"8\"",
            "links.json#/measurements/0/out_of_place/0/bytes");
        row("no source", "\"source\": \"a\"", "\"source\": \"\"", "links.json#/measurements/0/source");
        row("a line that rises nowhere", "\"algorithm_bandwidth\"", "\"algorithm\"",
            "links.json#/measurements/0/out_of_place_fit/algorithm_bandwidth");
        row("cut", "\"collective\"", "\"collective", "links.json:");
    }
    void refuses() {
        QFETCH(QByteArray, from);
        QFETCH(QByteArray, to);
        QFETCH(QByteArray, where);
        QByteArray text = QByteArray::fromStdString(printLinks({timed("a", "2026-01-01")}));
        const qsizetype at = text.indexOf(from);
        QVERIFY2(at >= 0, text);
        text.replace(at, from.size(), to);
        const Result<Imported> found = readLinks(text.toStdString());
        QVERIFY(!found);
        QCOMPARE(found.error().kind, ErrorKind::BadInput);
        QVERIFY2(found.error().where.starts_with(where.toStdString()), found.error().text().c_str());
    }
    void holdsAtLeastOne() { QCOMPARE(readLinks(printLinks({})).error().code, std::string("links.empty")); }

    // Found by fuzzing: an output that ends within its last line ended the program.
    void anOutputCutInItsLastLineIsACutOne() {
        const std::string rows = "# Collective test starting: sendrecv_perf\n# Rank 0 on a device 0 [1] T4\n"
                                 "# Rank 1 on a device 1 [2] T4\n"
                                 "# size count type redop time algbw busbw #wrong time algbw busbw #wrong\n"
                                 "8 2 float sum 1 2 2 0 1 2 2 0\n";
        for (const char* last :
             {"# Avg bus bandwidth    :", "# Avg bus bandwidth", "# Avg bus bandwidth : x"}) {
            const Result<Imported> found = importNcclTests(rows + last, "cut.txt", {});
            QVERIFY2(found, found ? "" : found.error().text().c_str());
            QVERIFY(!std::get<std::vector<LinkMeasurement>>(found->what).front().statedMean);
        }
        const Result<Imported> cut = importNcclTests(rows + "# Avg bus bandwidth    :", "cut.txt", {});
        QCOMPARE(cut->notes.size(), std::size_t{1});
        QCOMPARE(cut->notes.front().code, std::string("nccl.footer"));
    }

    void ncclTestsSayWhenAndWithWhat() {
        const auto first = [](const char* file) {
            const Result<Imported> found = importFile(test::testData("topology") / file, "", {});
            return found ? std::get<std::vector<LinkMeasurement>>(found->what).front() : LinkMeasurement{};
        };
        const LinkMeasurement json = first("nccl_tests_sendrecv_2gpu.json");
        QCOMPARE(json.date, std::string("2026-01-01"));
        QCOMPARE(json.software, std::string("NCCL 2.27.3"));
        QCOMPARE(json.source, std::string("nccl_tests_sendrecv_2gpu.json"));
        QVERIFY(first("nccl_tests_all_reduce_4gpu.txt").software.starts_with("nccl-tests version 2.17.1"));
    }
};

QTEST_APPLESS_MAIN(LinkFileTest)
#include "link_file_test.moc"
