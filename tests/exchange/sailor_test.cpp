// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/imports/import_table.h"
#include "tests/test_data.h"

#include <QtTest>

using namespace pw;

namespace {

constexpr const char* kPath = "GPT/A100-40/profile.json";

const ImporterRow& sailor() {
    return importerTable()[1];
}

Result<Imported> importSailor(const std::string& text, const ImportHints& hints = {},
                              const std::string& path = kPath) {
    return sailor().import(text, path, hints);
}

Model twoBlocks() {
    Model m;
    m.name = "two";
    m.blocks = 2;
    return m;
}

} // namespace

class SailorTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void readsRowsInAnyOrder() {
        const auto got = importSailor(R"({"2": {"1": {"1": [3, 4, 5], "0": [1, 2, 0], "2": [6, 7, 8]}},
                                        "1": {"4": {"0": [1, 1, 1], "1": [2, 2, 2], "2": [0.5, 3e-06, 3]}}})");
        QVERIFY2(got, got ? "" : got.error().text().c_str());
        const auto& rows = std::get<std::vector<ProfileRow>>(got->what);
        QCOMPARE(rows.size(), std::size_t{6});
        QCOMPARE(rows[0].model, std::string("GPT"));
        QCOMPARE(rows[0].kind, std::string("A100-SXM4-40GB"));
        QCOMPARE(rows[0].mbs, 1);
        QCOMPARE(rows[0].tp, 4);
        QCOMPARE(rows[2].backward.value, 3e-6);
        QCOMPARE(rows[3].layer, 0);
        QCOMPARE(rows[4].update.value, 5.0);
        QCOMPARE(rows[4].seq, 0);
        QVERIFY(rows[4].precision.empty());
        QCOMPARE(got->notes.size(), std::size_t{2});
    }

    void aModelChecksTheLayersAndFoldsTheNormIntoTheHead() {
        const Model m = twoBlocks();
        ImportHints hints;
        hints.model = &m;
        const std::string four = R"({"1": {"1": {"0": [1,1,1], "1": [2,2,2], "2": [3,3,3], "3": [4,5,6]}}})";
        const std::string five =
            R"({"1": {"1": {"0": [1,1,1], "1": [2,2,2], "2": [3,3,3], "3": [4,5,6], "4": [10,20,30]}}})";
        const auto plain = importSailor(four, hints);
        QVERIFY(plain);
        QCOMPARE(plain->notes.size(), std::size_t{1});
        QCOMPARE(std::get<1>(plain->what)[0].model, std::string("two"));
        const auto folded = importSailor(five, hints);
        QVERIFY(folded);
        const auto& rows = std::get<std::vector<ProfileRow>>(folded->what);
        QCOMPARE(rows.size(), std::size_t{4});
        QCOMPARE(rows[3].forward.value, 14.0);
        QCOMPARE(rows[3].backward.value, 25.0);
        QCOMPARE(rows[3].update.value, 36.0);
        const auto few = importSailor(R"({"1": {"1": {"0": [1,1,1], "1": [2,2,2], "2": [3,3,3]}}})", hints);
        QCOMPARE(few.error().where, std::string(kPath) + "#/1/1");
    }

    void refuses_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("place");
        const auto row = [](const char* name, const char* text, const char* place) {
            QTest::newRow(name) << QByteArray(text) << QByteArray(place);
        };
        row("negative", R"({"1": {"2": {"0": [1,1,1], "1": [1,-1,1], "2": [1,1,1]}}})", "#/1/2/1/1");
        row("null", R"({"1": {"2": {"0": [1,null,1], "1": [1,1,1], "2": [1,1,1]}}})", "#/1/2/0/1");
        row("text", R"({"1": {"2": {"0": [1,1,"1"], "1": [1,1,1], "2": [1,1,1]}}})", "#/1/2/0/2");
        row("two times", R"({"1": {"2": {"0": [1,1], "1": [1,1,1], "2": [1,1,1]}}})", "#/1/2/0");
        row("no list", R"({"1": {"2": {"0": 1, "1": [1,1,1], "2": [1,1,1]}}})", "#/1/2/0");
        row("gap", R"({"1": {"2": {"0": [1,1,1], "2": [1,1,1], "3": [1,1,1]}}})", "#/1/2");
        row("key", R"({"1": {"x": {}}})", "#/1/x");
        row("leading zero", R"({"01": {}})", "#/01");
        row("micro-batch 0", R"({"0": {}})", "#/0");
        row("empty", R"({"1": {}})", "#/1");
        row("array", R"([])", "#");
        row("NaN", "{\"1\": {\"2\": {\n\"0\": [1, NaN, 1]}}}", ":2:10");
        row("unequal", R"({"1": {"1": {"0": [1,1,1], "1": [1,1,1], "2": [1,1,1]},
                           "2": {"0": [1,1,1], "1": [1,1,1], "2": [1,1,1], "3": [1,1,1]}}})",
            "#/1/2");
    }
    void refuses() {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, place);
        const auto got = importSailor(text.toStdString());
        QVERIFY(!got);
        QCOMPARE(got.error().kind, ErrorKind::BadInput);
        QCOMPARE(QByteArray::fromStdString(got.error().where), kPath + place);
    }

    void theFolderOrTheHintNamesTheKind() {
        const std::string text = R"({"1": {"1": {"0": [1,1,1], "1": [2,2,2], "2": [3,3,3]}}})";
        QCOMPARE(importSailor(text, {}, "GPT/Abacus/profile.json").error().code, std::string("sailor.kind"));
        ImportHints hints;
        hints.deviceKind = "V100-16";
        hints.modelName = "named";
        const auto got = importSailor(text, hints, "profile.json");
        QVERIFY(got);
        QCOMPARE(std::get<1>(got->what)[0].kind, std::string("V100-SXM2-16GB"));
        QCOMPARE(std::get<1>(got->what)[0].model, std::string("named"));
        hints.modelName.clear();
        QCOMPARE(importSailor(text, hints, "profile.json").error().code, std::string("sailor.model"));
    }

    void isRecognisedByContent() {
        QVERIFY(sailor().recognise(" {\n \"1\" : {\"2\": { \"0\": [1, 2, 3]", "x"));
        for (const char* other : {"", "{", "{\"a\": {", "{\"1\": [", "{\"1\": {\"1\": 3}}", "[1]", "{\"1"})
            QVERIFY2(!sailor().recognise(other, "profile.json"), other);
    }

    void publishedProfiles_data() {
        QTest::addColumn<int>("combinations");
        QTest::addColumn<int>("layers");
        QTest::addColumn<double>("forward");
        QTest::addColumn<double>("backward");
        QTest::newRow("GPT-Neo-2.7/A100-40") << 12 << 34 << 0.005173 << 0.011632;
        QTest::newRow("GPT-Neo-2.7/V100-16") << 11 << 34 << 0.027754 << 0.059076;
        QTest::newRow("OPT-350/A100-40") << 12 << 26 << 0.002786 << 0.005906;
        QTest::newRow("OPT-350/V100-16") << 15 << 26 << 0.00779 << 0.017197;
        QTest::newRow("OPT-350/RTX-3090") << 4 << 26 << 0.00461 << 0.011966;
    }
    void publishedProfiles() {
        const std::string file = "profiles/sailor/" + std::string(QTest::currentDataTag()) + "/profile.json";
        const std::filesystem::path shipped = std::filesystem::path(PW_SOURCE_DIR) / "samples" / file;
        const auto path = std::filesystem::exists(shipped) ? shipped : test::testData(file);
        QFETCH(int, combinations);
        QFETCH(int, layers);
        QFETCH(double, forward);
        QFETCH(double, backward);
        const auto got = importFile(path, "", {});
        QVERIFY2(got, got ? "" : got.error().text().c_str());
        QCOMPARE(got->kind, std::string("sailor"));
        const ProfileTable table(std::get<std::vector<ProfileRow>>(got->what));
        QCOMPARE(table.rows().size(), static_cast<std::size_t>(combinations * layers));
        const auto cost = table.find(path.parent_path().filename().string(), 1, 1, 1, Precision::Fp32, 2048);
        QVERIFY(cost);
        QCOMPARE(cost->forward.value, forward);
        QCOMPARE(cost->backward.value, backward);
    }
};

QTEST_APPLESS_MAIN(SailorTest)
#include "sailor_test.moc"
