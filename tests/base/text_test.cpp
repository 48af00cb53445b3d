// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"

#include <QtTest>

using namespace pw;

class TextTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void takesNumbersAndNothingElse() {
        QCOMPARE(finiteNumber("1.5e3").value_or(0), 1500.0);
        QCOMPARE(finiteNumber("-2").value_or(0), -2.0);
        for (const char* bad : {"", "nan", "inf", "-inf", "1e400", "1.5 ", " 1", "0x10", "1,5", "+1", "1.5s"})
            QVERIFY2(!finiteNumber(bad), bad);
        QCOMPARE(integerNumber("-12").value_or(0), -12);
        for (const char* bad : {"", "1.0", "18446744073709551616", "9223372036854775808", "12 ", "a"})
            QVERIFY2(!integerNumber(bad), bad);
    }

    void decodesMarksAndLineEnds() {
        QCOMPARE(*decoded("\xEF\xBB\xBF"
                          "a\r\nb\rc\r\n",
                          "f"),
                 std::string("a\nb\rc\n"));
        const auto refused = [](std::string text) { return decoded(std::move(text), "f").error(); };
        QCOMPARE(refused("a\n\xC3(").where, std::string("f:2:1"));
        QVERIFY(refused("a\n\xC3(").message.find("offset 2") != std::string::npos);
        QVERIFY(refused("\xFF\xFE"
                        "a")
                    .message.find("UTF-16") != std::string::npos);
    }

    // Nothing that a terminal takes for a command is left, and nothing else is touched.
    void controlCharactersAreShown() {
        QCOMPARE(printable("a\x1b[31mX\x07\n\t\\", kInText), std::string("a\\x1b[31mX\\x07\n\t\\"));
        QCOMPARE(printable("a\nb\t\\", kInLine), std::string("a\\nb\\t\\"));
        QCOMPARE(printable("\xC2\x9B"
                           "2J\x7F\xE2\x80\xAE\xFF",
                           kInText),
                 std::string("\\u009b2J\\x7f\\u202e\\xff"));
        const std::string plain = "Größe 模型 ∴ €\n";
        QCOMPARE(printable(plain, kInText), plain);
    }

    void namesOfFilesBecomeText() {
        QCOMPARE(pathText("M\xFCnchen.json"), std::string("M\\xfcnchen.json"));
        QCOMPARE(pathText("München.json"), std::string("München.json"));
        QVERIFY(isWellFormed("a∴") && !isWellFormed("a\xE2\x88"));
    }

    void placesInAPieceCountFromItsLine() {
        QCOMPARE(checkEncoding("a\nb\xFC", "f", 7).error().where, std::string("f:8:2"));
    }

    void countsColumnsInCharacters() {
        QCOMPARE(placeOf("f", "a\nß=x", 5), std::string("f:2:3"));
        QCOMPARE(placeOf("f", "ab", 99), std::string("f:1:3"));
    }

    void tellsTwentyFaultsAndCountsTheRest() {
        TextFaults faults("f");
        QVERIFY(faults.status());
        for (int line = 1; line <= 23; ++line)
            faults.add("x.y", faults.where(line), "is wrong");
        const Error error = faults.status().error();
        QCOMPARE(error.where, std::string("f:1"));
        QCOMPARE(error.reasons.size(), std::size_t{20});
        QCOMPARE(error.reasons.front().text(), std::string("f:2: is wrong"));
        QCOMPARE(error.reasons.back().text(), std::string("and 3 more"));
    }

    void partsText() {
        QCOMPARE(fieldsOf(" a\t bc \n").size(), std::size_t{2});
        QCOMPARE(partsOf("a,,b", ',').size(), std::size_t{3});
        QCOMPARE(linesOf("a\n\nb").back().number, 3);
        QCOMPARE(linesOf("a\n").size(), std::size_t{1});
        QVERIFY(linesOf("").empty());
    }

    void numbersInNamesStandByTheirValue() {
        const std::vector<std::string> ordered = {"",
                                                  "7",
                                                  "a",
                                                  "n2",
                                                  "n2b",
                                                  "n10",
                                                  "n010x",
                                                  "n99999999999999999999999",
                                                  "n100000000000000000000000",
                                                  "nb"};
        for (std::size_t i = 0; i < ordered.size(); ++i)
            for (std::size_t k = 0; k < ordered.size(); ++k)
                QCOMPARE(naturallyBefore(ordered[i], ordered[k]), i < k);
        QVERIFY(!naturallyBefore("n02", "n2") && !naturallyBefore("n2", "n02"));
    }
};

QTEST_APPLESS_MAIN(TextTest)
#include "text_test.moc"
