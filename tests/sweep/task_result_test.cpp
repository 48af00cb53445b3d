// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sweep/task_result.h"

#include "core/base/text.h"

#include <nlohmann/json.hpp>

#include <QTest>

using namespace pw;

// A result is one line of at most kMostRecord bytes, whatever names are in it: what cannot be written ends a
// chunk.
class TaskResultTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void textsAreCutBetweenCharacters_data() {
        QTest::addColumn<QString>("character");
        for (const char* character : {"n", "\u00fc", "\u30ce", "\U0001f5a5"}) // of one to four bytes
            QTest::newRow(character) << QString::fromUtf8(character);
    }
    void textsAreCutBetweenCharacters() {
        QFETCH(QString, character);
        const std::string one = character.toStdString();
        const std::size_t most = 240;
        for (std::size_t before = most - 8; before <= most + 8; ++before) {
            std::string text(before, 'a');
            for (int i = 0; i < 20; ++i)
                text += one;
            const std::string cut = shortened(text);
            QVERIFY2(isWellFormed(cut), qPrintable(QString::number(before)));
            QVERIFY(cut.ends_with("..."));
            const std::size_t kept = cut.size() - 3;
            QVERIFY(kept <= most && kept + one.size() > most); // and no character too many
            QCOMPARE(cut.substr(0, kept), text.substr(0, kept));
            const Json record{{"id", "a"}, {"reasons", {cut}}};
            QVERIFY(Json::parse(recordLine(record)) == record);
        }
    }

    void whatFitsIsLeftAlone() {
        QCOMPARE(shortened(""), std::string());
        const std::string text = std::string(238, 'a') + "\u00fc"; // 240 bytes
        QCOMPARE(shortened(text), text);
    }

    void bytesThatAreNoTextAreReplaced() {
        const std::string line = recordLine({{"id", "a"}, {"host", "n\xfc"}});
        QCOMPARE(Json::parse(line)["host"].get<std::string>(), std::string("n\ufffd"));
    }

    void aRecordHasItsSize_data() {
        QTest::addColumn<QString>("character");
        QTest::addColumn<int>("kinds");
        for (const int kinds : {0, 1, 20, 1000}) {
            QTest::addRow("letters, %d kinds", kinds) << QStringLiteral("n") << kinds;
            QTest::addRow("three bytes, %d kinds", kinds) << QString(QChar(0x30ce)) << kinds;
            QTest::addRow("controls, %d kinds", kinds) << QString(QChar(1)) << kinds; // six bytes of JSON
        }
    }
    void aRecordHasItsSize() {
        QFETCH(QString, character);
        QFETCH(int, kinds);
        const std::string text = shortened(character.repeated(300).toStdString());
        Json record{{"id", std::string(32, 'f')},
                    {"stages", text},
                    {"host", character.repeated(60).toStdString()},
                    {"reasons", Json::array({text, text, text, text, text})},
                    {"peak", Json::object()},
                    {"iteration_s", 1.0 / 3.0}};
        for (int i = 0; i < kinds; ++i)
            record["peak"]["kind " + std::to_string(i)] = {{"bytes", 1e10 / 3.0}, {"share", 1.0 / 3.0}};
        const std::string line = recordLine(record);
        QVERIFY2(line.size() <= kMostRecord, qPrintable(QString::number(line.size())));
        const Json read = Json::parse(line);
        if (record.dump().size() <= kMostRecord) {
            QVERIFY(read == record);
            return;
        }
        QCOMPARE(read["reasons"].size(), std::size_t{1});
        QVERIFY(!read["reasons"][0].get<std::string>().empty());
        for (const char* key : {"id", "iteration_s"})
            QVERIFY(read[key] == record[key]);
    }

    // The worst that names can do: stages, a host and a reason that are controls throughout.
    void textsGiveWayWhereTheyMust() {
        const std::string worst(250, '\x01');
        const Json record{{"id", std::string(32, 'f')},
                          {"stages", shortened(worst)},
                          {"host", worst},
                          {"reasons", Json::array({shortened(worst)})}};
        QVERIFY(record.dump().size() > kMostRecord);
        const std::string line = recordLine(record);
        QVERIFY2(line.size() <= kMostRecord && line.size() > kMostRecord / 2,
                 qPrintable(QString::number(line.size())));
        const Json read = Json::parse(line);
        for (const Json& text : {read["stages"], read["host"], read["reasons"][0]})
            QVERIFY(text.get<std::string>().ends_with("..."));
    }
};

QTEST_APPLESS_MAIN(TaskResultTest)
#include "task_result_test.moc"
