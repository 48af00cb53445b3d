// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/csv.h"

#include <QtTest>

#include <random>

using namespace pw;

class CsvTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void quotesFollowTheRfc() {
        const auto records = parseCsv("\xEF\xBB\xBF"
                                      "a,\"b \"\"c\"\", d\",\r\n\"two\nlines\",,x\n\n",
                                      "t.csv");
        QVERIFY2(records, records ? "" : records.error().text().c_str());
        QCOMPARE(records->size(), std::size_t{2});
        const CsvRecord& first = (*records)[0];
        QCOMPARE(first.size(), std::size_t{3});
        QCOMPARE(first[1].text, std::string("b \"c\", d"));
        QCOMPARE(first[1].column, 3);
        QVERIFY(first[2].text.empty());
        QCOMPARE((*records)[1][0].text, std::string("two\nlines"));
        QCOMPARE((*records)[1][2].line, 3);
        QCOMPARE(csvField("b \"c\", d"), std::string("\"b \"\"c\"\", d\""));
        QCOMPARE(csvField("plain"), std::string("plain"));
    }

    // Spreadsheets would run it; a number with a sign stays one.
    void formulasAreTexts() {
        QCOMPARE(csvField("=cmd|' /C calc'!A1"), std::string("'=cmd|' /C calc'!A1"));
        QCOMPARE(csvField("@SUM(1,2)"), std::string("\"'@SUM(1,2)\""));
        for (const char* text : {"+1+1", "-2+3", "\t=1"})
            QVERIFY2(csvField(text).find('\'') != std::string::npos, text);
        for (const char* number : {"-2.5", "-1e-9", "+3", "7"})
            QCOMPARE(csvField(number), std::string(number));
    }

    // Whatever the program writes for itself it gets back, also what looks like a formula that was taken out
    // of action; and nothing that it wrote would be run.
    void textsComeBack() {
        const char letters[] = "'=+-@\t15e.,\"\n";
        const auto seed = std::random_device()();
        qInfo("seed %u", seed);
        std::mt19937 random(seed);
        for (int i = 0; i < 20000; ++i) {
            std::string text;
            for (auto n = random() % 6; n > 0; --n)
                text += letters[random() % (sizeof letters - 1)];
            const auto read = parseCsv("head\nfirst," + csvField(text) + "\n", "t.csv");
            QVERIFY2(read && read->size() == 2 && (*read)[1].size() == 2, text.c_str());
            const std::string& field = (*read)[1][1].text;
            QCOMPARE(std::string(csvFieldText(field)), text);
            QVERIFY2(field.empty() || std::string("=@\t\r").find(field.front()) == std::string::npos,
                     field.c_str());
        }
        QCOMPARE(std::string(csvFieldText("'tis a name")), std::string("'tis a name"));
    }

    void brokenQuotesArePlaced() {
        const auto open = parseCsv("a,b\n1,\"2\n", "t.csv");
        QVERIFY(!open);
        QCOMPARE(open.error().where, std::string("t.csv:2:3"));
        const auto beside = parseCsv("a,\"b\"c\n", "t.csv");
        QVERIFY(!beside);
        QCOMPARE(beside.error().where, std::string("t.csv:1:6"));
    }

    void otherDivisionsAreNamed() {
        QVERIFY(!parseCsv("row_id\tgpu\tn_gpus\tmodel\n", "t.csv"));
        QVERIFY(!parseCsv("index;name;memory\n0;A100;40\n", "t.csv"));
        QVERIFY(parseCsv("a;b\nd\n", "t.csv")); // part of a name
        QVERIFY(parseCsv("\"a; b; c\"\nd\n", "t.csv"));
    }
};

QTEST_APPLESS_MAIN(CsvTest)
#include "csv_test.moc"
