// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/dense_json.h"
#include "core/base/json.h"

#include "core/base/file.h"
#include "core/base/random.h"
#include "core/base/units.h"
#include "tests/test_data.h"

#include <nlohmann/json.hpp>

#include <QTest>

#include <bit>
#include <cmath>

using namespace pw;

namespace {

QString q(const std::string& text) {
    return QString::fromStdString(text);
}

// The error as a user reads it, or "" when the text was accepted.
std::string refusal(std::string_view text) {
    const Result<Json> parsed = parseJson(text, "f.json");
    return parsed ? std::string() : parsed.error().text();
}

} // namespace

class JsonTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void syntaxErrorsNameThePlace_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("message"); // beginning of it
        const auto row = [](const char* name, const char* text, const char* message) {
            QTest::newRow(name) << QByteArray(text) << QString::fromUtf8(message);
        };
        row("empty", "", "f.json:1:1: the document ends too early; expected a value");
        row("blank", " \n ", "f.json:2:2: the document ends too early");
        row("NaN", "{\"a\": NaN}", "f.json:1:7: NaN is not JSON; expected a finite number");
        row("Infinity", "[1, -Infinity]", "f.json:1:5: -Infinity is not JSON");
        row("overflow", "{\n \"a\": 1e400}", "f.json:2:7: number out of range");
        row("missing comma", "{\"a\": 1 \"b\": 2}", "f.json:1:9: unexpected '\"'; expected a comma or }");
        row("missing comma in array", "[1 2]", "f.json:1:4: unexpected '2'; expected a comma or ]");
        row("missing colon", "{\"a\" 1}", "f.json:1:6: unexpected '1'; expected a colon");
        row("missing value", "{\"a\": }", "f.json:1:7: unexpected '}'; expected a value");
        row("trailing comma", "[1,]", "f.json:1:4: unexpected ']'; expected a value");
        row("trailing comma in object", "{\"a\":1,}",
            "f.json:1:8: unexpected '}'; expected a key in double quotes");
        row("unquoted key", "{a: 1}", "f.json:1:2: unexpected 'a'; expected a key in double quotes or }");
        row("wrong bracket", "[1}", "f.json:1:3: unexpected '}'; expected a comma or ]");
        row("open array", "[", "f.json:1:2: the document ends too early; expected a value or ]");
        row("two documents", "{}\n{}", "f.json:2:1: unexpected '{'; expected nothing after the document");
        row("open string", "[\"abc", "f.json:1:2: this string is not closed");
        row("line end in string", "[\"abc\n\"]", "f.json:1:6: line end or control character inside a string");
        row("bad escape", "[\"a\\x\"]", "f.json:1:5: invalid escape");
        row("lone surrogate", "[\"\\ud800\"]", "f.json:1:9: invalid escape");
        row("leading zero", "[01]", "f.json:1:3: unexpected '1'; expected a comma or ]");
        row("bare minus", "[-]", "f.json:1:3: malformed number");
        row("comment", "[1] // x", "f.json:1:5: unexpected '/'; expected nothing after the document");
        row("columns are characters", "{\"\xC3\xA4\": x}", "f.json:1:7: unexpected 'x'");
        row("duplicate key", "{\"a\": {\"x/y\": 1,\n \"x/y\": 2}}",
            "f.json:2:2: duplicate key #/a/x~1y; it is first given at 1:8");
        row("duplicate key in array", "[{}, {\"k\": 1, \"k\": 1}]", "f.json:1:15: duplicate key #/1/k;");
        row("invalid UTF-8", "{\"a\": \"\xFF\"}", "f.json:1:8: invalid UTF-8 at byte offset 7");
        row("overlong UTF-8", "\"\xC0\xAF\"", "f.json:1:2: invalid UTF-8 at byte offset 1");
        row("surrogate in UTF-8", "\"\xED\xA0\x80\"", "f.json:1:2: invalid UTF-8");
        row("cut UTF-8", "\"\xE2\x82", "f.json:1:2: invalid UTF-8 at byte offset 1");
        row("UTF-16", "\xFF\xFE{", "f.json: looks like UTF-16");
        row("bom counts in the offset", "\xEF\xBB\xBF\"\xFF\"", "f.json:1:2: invalid UTF-8 at byte offset 4");
    }
    void syntaxErrorsNameThePlace() {
        QFETCH(QByteArray, text);
        QFETCH(QString, message);
        const std::string got = refusal({text.constData(), static_cast<std::size_t>(text.size())});
        QVERIFY2(q(got).startsWith(message), got.c_str());
    }

    void utf16WithoutMarkIsRefused() {
        using namespace std::string_view_literals;
        QVERIFY(q(refusal("{\0\"\0a\0"sv)).contains(QStringLiteral("UTF-16")));
    }

    void nestingStopsAt128() {
        const auto nested = [](std::size_t n) { return std::string(n, '[') + std::string(n, ']'); };
        QCOMPARE(refusal(nested(128)), std::string());
        QVERIFY(q(refusal(nested(129))).startsWith(QStringLiteral("f.json:1:129: nested deeper than 128")));
    }

    void byteOrderMarkIsAccepted() {
        const Result<Json> parsed = parseJson("\xEF\xBB\xBF{\"a\": 1}\r\n", "f.json");
        QVERIFY(parsed);
        QCOMPARE((*parsed)["a"].get<int>(), 1);
    }

    void keysAreSortedAndRoundTripIsExact() {
        const std::string text =
            "{\"b\":[1,-2,2.5,true,null,\"x\\u00e4\"],\"a\":{},\"A\":18446744073709551615}";
        const Result<Json> first = parseJson(text, "f.json");
        QVERIFY(first);
        const std::string printed = printJson(*first);
        QVERIFY(q(printed).startsWith(QStringLiteral("{\n  \"A\": 18446744073709551615,\n  \"a\": {},\n")));
        QVERIFY(printed.ends_with("}\n"));
        const Result<Json> second = parseJson(printed, "f.json");
        QVERIFY(second);
        QVERIFY(*first == *second);
        QCOMPARE(printJson(*second), printed);
    }

    void denseTextIsTheSameValue() {
        const Json table = {{"name", "n\x7F\x9B\xC3\xA4"},
                            {"empty", Json::object()},
                            {"none", Json::array()},
                            {"rows", {{{"a", 1}, {"b", {0.1, 2}}}, {{"a", 2}, {"b", nullptr}}}}};
        QCOMPARE(q(printDense(table["rows"])),
                 QStringLiteral("[{\"a\":1,\"b\":[0.1,2]},{\"a\":2,\"b\":null}]\n"));
        Json wide = table;
        for (int i = 0; i < 100; ++i) {
            wide["rows"].push_back({{"a", i}, {"b", {i}}});
            wide["numbers"].push_back(i);
        }
        const std::string dense = printDense(wide);
        QVERIFY(q(dense).contains(QStringLiteral("\n \"rows\":[\n  {\"a\":1,\"b\":[0.1,2]},\n")));
        QVERIFY(q(dense).contains(QStringLiteral("\n \"numbers\":[0,1,2,"))); // single values, however many
        QVERIFY(dense.find('\x7F') == std::string::npos);
        QVERIFY(dense.size() < printJson(wide).size() / 2);
        for (const Json& value :
             {table, wide, Json(1), Json("x"), Json::array(), Json::array({wide, wide})}) {
            const Result<Json> back = parseJson(printDense(value), "f.json");
            QVERIFY2(back, back ? "" : back.error().text().c_str());
            QVERIFY(*back == *parseJson(printJson(value), "f.json"));
        }
    }

    void doublesReadBackEqual() {
        constexpr std::uint64_t seed = 7;
        qInfo("seed %llu", static_cast<unsigned long long>(seed));
        Random random(seed);
        for (int i = 0; i < 20000; ++i) {
            const auto value = std::bit_cast<double>(random.next());
            if (!std::isfinite(value))
                continue;
            const Result<Json> back = parseJson(printJson(Json(value)), "f.json");
            QVERIFY(back);
            QCOMPARE(std::bit_cast<std::uint64_t>(back->get<double>()), std::bit_cast<std::uint64_t>(value));
        }
        QCOMPARE(printJson(Json(0.1)), std::string("0.1\n"));
    }

    void readerCollectsEveryMistake() {
        const Result<Json> doc = parseJson(
            R"({"name":"","n":"32","f":32.5,"big":18446744073709551616,"neg":-1,"flag":"false","rate":"fast",
                "list":3,"in/ner":{"x":"y"}})",
            "f.json");
        QVERIFY(doc);
        const JsonReader r(*doc, "f.json");
        r.text("name");
        r.count("n", 1, 10);
        r.count("f", 1, 100);
        r.count("big", 1, 100);
        r.count("neg", 1, 100);
        r.flag("flag", false);
        r.withUnit("rate", parseBandwidth);
        r.array("list");
        r.object("in/ner").number("x", 0, 1);
        r.object("absent").text("not reported twice");
        const Status status = r.status();
        QVERIFY(!status);
        const Error& error = status.error();
        QCOMPARE(static_cast<int>(error.kind), 2);
        QCOMPARE(error.where, std::string("f.json#/name"));
        const std::vector<std::string> places = {"f.json#/n",    "f.json#/f",         "f.json#/big",
                                                 "f.json#/neg",  "f.json#/flag",      "f.json#/rate",
                                                 "f.json#/list", "f.json#/in~1ner/x", "f.json#/absent"};
        QCOMPARE(error.reasons.size(), places.size());
        for (std::size_t i = 0; i < places.size(); ++i)
            QCOMPARE(error.reasons[i].where, places[i]);
        QCOMPARE(error.reasons[2].pattern,
                 std::string("is {found}; expected a whole number from {low} to {high}"));
    }

    void readerKeepsTwentyErrors() {
        const Json doc = Json::object();
        const JsonReader r(doc, "f.json");
        for (int i = 0; i < 30; ++i)
            r.text("k" + std::to_string(i));
        QCOMPARE(r.status().error().reasons.size(), std::size_t{20}); // 19 further, and the count of the rest
        QCOMPARE(r.status().error().reasons.back().text(), std::string("and 10 more"));
    }

    void readerReadsWhatIsThere() {
        const Result<Json> doc = parseJson(
            R"({"s":"t","n":3,"x":0.5,"b":true,"nil":null,"rate":"100 Gbit/s","zero":0,"l":[{"k":1},{"k":2}],"o":{"a":1}})",
            "f.json");
        QVERIFY(doc);
        const JsonReader r(*doc, "f.json");
        QVERIFY(r.has("s") && !r.has("nil") && !r.has("none"));
        QCOMPARE(r.text("s"), std::string("t"));
        QCOMPARE(r.text("nil", "fallback"), std::string("fallback"));
        QCOMPARE(r.count("n", 0, 3), std::int64_t{3});
        QCOMPARE(r.count("none", 0, 3, 2), std::int64_t{2});
        QCOMPARE(r.number("x", 0, 1), 0.5);
        QCOMPARE(r.flag("b", false), true);
        QCOMPARE(r.withUnit("rate", parseBandwidth), 12.5e9);
        QCOMPARE(r.withUnit("zero", parseBandwidth), 0.0);
        QCOMPARE(r.array("l").size(), std::size_t{2});
        QCOMPARE(r.array("l")[1].count("k", 0, 9), std::int64_t{2});
        QCOMPARE(r.array("l")[1].where("k"), std::string("f.json#/l/1/k"));
        QCOMPARE(r.object("o").members().size(), std::size_t{1});
        QVERIFY(r.status());
    }

    void readerListsWhatNobodyAskedFor() {
        const Result<Json> doc = parseJson(
            R"({"$schema":"s","known":1,"nodes":[{"id":"a","latancy":2},{"id":"b"}],"kinds":{"x":{"y":1},"z":{"y":1}},
                "raw":{"any":1},"figure":3,"odd/key":null})",
            "f.json");
        QVERIFY(doc);
        const JsonReader r(*doc, "f.json");
        r.count("known", 0, 9);
        for (const JsonReader& node : r.array("nodes"))
            node.text("id");
        for (const auto& [name, kind] : r.object("kinds").members())
            kind.has("y");
        r.object("raw").value(); // taken as a whole
        r.passOver({"figure", "not there"});
        QStringList places;
        for (const Diagnostic& d : r.unread()) {
            QCOMPARE(d.severity, Severity::Warning);
            places << QString::fromStdString(d.where);
        }
        QCOMPARE(places, QStringList({"f.json#/nodes/0/latancy", "f.json#/odd~1key"}));
        QVERIFY(r.unreadKeys() == std::vector<std::string>{"odd/key"});
        QVERIFY(r.status());
    }

    void brokenSampleFiles_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("place"); // "" = the text itself is well formed
        const auto row = [](const char* file, const char* place) {
            QTest::newRow(file) << QString::fromUtf8(file) << QString::fromUtf8(place);
        };
        row("hf_config_bom.json", "");
        row("hf_config_truncated.json", ":11:18: ");
        row("hf_config_wrong_types.json", "");
        row("hf_config_negative.json", "");
        row("hf_config_huge.json", ":7:23: number out of range");
        row("hf_config_nan.json", ":7:23: NaN");
        row("hf_config_duplicate_key.json",
            ":10:2: duplicate key #/num_hidden_layers; it is first given at 8:2");
        row("hf_config_unknown_model_type.json", "");
        row("json_deep_nesting.json", ":1:168: nested deeper");
    }
    void brokenSampleFiles() {
        QFETCH(QString, file);
        QFETCH(QString, place);
        const Result<std::string> text = readFile(test::testData("bad/" + file.toStdString()));
        QVERIFY(text);
        const Result<Json> parsed = parseJson(*text, file.toStdString());
        QCOMPARE(static_cast<bool>(parsed), place.isEmpty());
        if (!parsed)
            QVERIFY2(q(parsed.error().text()).startsWith(file + place), parsed.error().text().c_str());
    }
};

QTEST_APPLESS_MAIN(JsonTest)
#include "json_test.moc"
