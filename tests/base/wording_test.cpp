// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/diagnostics.h"
#include "tests/error_texts.h"

#include <QtTest>

using namespace pw;

class WordingTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void holesAreFilledOnce() {
        const Params params = {{"low", 1}, {"high", 0.5}, {"found", "{low} of \"a\""}};
        QCOMPARE(filled("is {found}; expected {low} to {high}, {low}", params),
                 std::string("is {low} of \"a\"; expected 1 to 0.5, 1"));
        // What is no hole, or has no value, stays.
        for (const char* as : {"", "plain", "{", "}", "a {b", "{none}", "{}", "{ low }", "{\"key\": 1}"})
            QCOMPARE(filled(as, params), std::string(as));
        QCOMPARE(filled("{{low}}", params), std::string("{1}"));
    }

    void knowsWhatCanBeTranslated() {
        const Wording fixed = "is not a regular file";
        QCOMPARE(fixed.pattern, fixed.message);
        const Wording glued = Wording::asIs(std::string("is not ") + "known");
        QCOMPARE(glued.message, std::string("is not known"));
        QVERIFY(glued.pattern.empty());
        const Wording both = {"has {gpus} GPUs", {{"gpus", std::size_t{8}}}};
        QCOMPARE(both.message, std::string("has 8 GPUs"));
        QCOMPARE(both.pattern, std::string("has {gpus} GPUs"));
        QCOMPARE(both.param("gpus"), std::string("8"));
        QCOMPARE(both.param("nodes"), std::string());
    }

    void tellsEverythingAtOnce() {
        QVERIFY(statusOf(std::vector<Error>()));
        Error second = failure("b", "f:2", "second");
        second.because("for a reason");
        const Status told = statusOf(std::vector<Error>{badInput("a", "f:1", "first"), second}, 3);
        QVERIFY(!told);
        const Error& error = told.error();
        QCOMPARE(error.text(), std::string("f:1: first"));
        QCOMPARE(error.kind, ErrorKind::BadInput);
        QCOMPARE(error.reasons.size(), std::size_t{3});
        QCOMPARE(error.reasons[0].text(), std::string("f:2: second"));
        QCOMPARE(error.reasons[0].code, std::string("b"));
        QVERIFY(error.reasons[0].reasons.empty());
        QCOMPARE(error.reasons[1].text(), std::string("for a reason"));
        QCOMPARE(error.reasons[2].text(), std::string("and 3 more"));
        QCOMPARE(error.reasons[2].param("count"), std::string("3"));
    }

    void errorsAndFindingsAreTheSameRemarks() {
        Error error = infeasible("plan.memory", "stage 2", {"needs {need}", {{"need", "43.1 GiB"}}}, {"why"});
        const Diagnostics list = diagnosticsOf(error);
        QCOMPARE(list.size(), std::size_t{2});
        QCOMPARE(list[0].where, std::string("stage 2"));
        QCOMPARE(list[0].pattern, std::string("needs {need}"));
        QCOMPARE(list[0].param("need"), std::string("43.1 GiB"));
        QCOMPARE(list[1].code, std::string("plan.memory"));
        QCOMPARE(list[1].message, std::string("why"));
        Diagnostics mixed = list;
        mixed.push_back({Severity::Warning, "w", "seq", "is long"});
        const Status status = statusOf(mixed, "file#/");
        QVERIFY(!status);
        QCOMPARE(status.error().text(), std::string("file#/stage 2: needs 43.1 GiB"));
        QCOMPARE(status.error().reasons.size(), std::size_t{1});
        QVERIFY(statusOf(Diagnostics{{Severity::Warning, "w", "seq", "is long"}}));
    }

    // A hole that nothing fills would be shown as it stands.
    void everyHoleHasAValue() {
        int patterns = 0;
        for (const auto& [text, source] : test::errorTexts()) {
            patterns += text.contains(test::kHole) ? 1 : 0;
            for (auto hole = test::kHole.globalMatch(text); hole.hasNext();) {
                const QString name = hole.next().captured(1);
                QVERIFY2(source.contains(QStringLiteral("{\"%1\",").arg(name)),
                         qPrintable(text + QLatin1Char(' ') + name));
            }
        }
        QVERIFY(patterns > 150);
    }
};

QTEST_APPLESS_MAIN(WordingTest)
#include "wording_test.moc"
