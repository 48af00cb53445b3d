// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/base/error_text.h"

#include "core/base/json.h"
#include "core/base/units.h"
#include "tests/error_texts.h"

#include <nlohmann/json.hpp>

#include <QRegularExpression>
#include <QSet>
#include <QTranslator>
#include <QtTest>

using namespace pw;

namespace {

// Knows two patterns.
class German : public QTranslator {
public:
    QString translate(const char* context, const char* source, const char*, int) const override {
        if (std::string_view(context) != "Errors")
            return {};
        if (std::string_view(source) == "is {found}; expected a whole number from {low} to {high}")
            return QStringLiteral("{low} bis {high} ganzzahlig erwartet, nicht {found}");
        if (std::string_view(source) == "is missing; expected a text")
            return QStringLiteral("fehlt; ein Text wird erwartet");
        return {};
    }
    bool isEmpty() const override { return false; }
};

} // namespace

// The window says in its own language what core found.
class ErrorTextTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void messagesSpeakOfFieldsNotOfOptions() {
        // The aside goes where the field stands beside the message.
        const Wording which(
            "which GPUs are in {nodes}? No file says so{?; state it as --device KIND, {choice}}",
            {{"nodes", "n1"}, {"choice", "one of A, B"}});
        QCOMPARE(sentence(which), QStringLiteral("Which GPUs are in n1? No file says so"));
        QCOMPARE(which.message,
                 std::string("which GPUs are in n1? No file says so; state it as --device KIND, "
                             "one of A, B"));
        const Wording batch("states no global batch{?; state it with --gbs}");
        QCOMPARE(sentence(batch), QStringLiteral("States no global batch"));
        QCOMPARE(batch.message, std::string("states no global batch; state it with --gbs"));
        // Elsewhere it is named.
        const Wording again("search again with {--forbid} {forbidden}", {{"forbidden", "V100"}});
        QCOMPARE(sentence(again), QStringLiteral("Search again with \"Leave out\" V100"));
        QCOMPARE(again.message, std::string("search again with --forbid V100"));
        QCOMPARE(messageText(Wording("is not combined with {flag}", {{"flag", "--forbid"}})),
                 QStringLiteral("is not combined with \"Leave out\""));
        QCOMPARE(sentence(Wording("a run without rows")), QStringLiteral("A run without rows"));
    }

    // Options of a trainer stand in the user's own script, and what he has written is shown as it is.
    void optionsOfOthersStay() {
        QCOMPARE(
            sentence(Wording("--vocab-size is missing: the {tokens} tokens of the named tokenizer are "
                             "assumed{?; state others with --vocabulary}",
                             {{"tokens", 50257}})),
            QStringLiteral("--vocab-size is missing: the 50257 tokens of the named tokenizer are assumed"));
        QCOMPARE(sentence(Wording("--{flag} is \"{text}\"; expected a number",
                                  {{"flag", "seq-length"}, {"text", "x --seq; --to y"}})),
                 QStringLiteral("--seq-length is \"x --seq; --to y\"; expected a number"));
        QCOMPARE(sentence(Wording("it has --sequence-parallel and --to-do")),
                 QStringLiteral("It has --sequence-parallel and --to-do"));
    }

    void aPlaceOnTheCommandLineIsNoneOfTheWindow() {
        QCOMPARE(errorText(badInput("x", "--deadline", "none is found")), QStringLiteral("none is found"));
        QCOMPARE(errorText(badInput("x", "model.gbs", "none is found")),
                 QStringLiteral("model.gbs: none is found"));
    }

    // Whatever core says: what is left with two dashes is an option of a trainer, of the runner or of a tool.
    void noMessageNamesAnOptionOfOurs() {
        const QSet<QString> others = {
            QStringLiteral("chunks"),
            QStringLiteral("config"),
            QStringLiteral("decoder-first"),
            QStringLiteral("decoder-last-pipeline-num-layers"),
            QStringLiteral("disable-bias-linear"),
            QStringLiteral("global_bsz_size"),
            QStringLiteral("group-query-attention"),
            QStringLiteral("hidden-size"),
            QStringLiteral("kv-channels"),
            QStringLiteral("moe-latent-size"),
            QStringLiteral("moe-router-group-topk"),
            QStringLiteral("moe-router-num-groups"),
            QStringLiteral("moe-router-topk"),
            QStringLiteral("moe-router-topk-scaling-factor"),
            QStringLiteral("mscale"),
            QStringLiteral("mscale-all-dim"),
            QStringLiteral("num-attention-heads"),
            QStringLiteral("num-experts"),
            QStringLiteral("num-layers"),
            QStringLiteral("num-query-groups"),
            QStringLiteral("pipeline-model-parallel-layout"),
            QStringLiteral("pipeline-type"),
            QStringLiteral("position-embedding-type"),
            QStringLiteral("query-gpu"),
            QStringLiteral("record"),
            QStringLiteral("recompute-method"),
            QStringLiteral("recompute-num-layers"),
            QStringLiteral("rotary-base"),
            QStringLiteral("seq-length"),
            QStringLiteral("spec"),
            QStringLiteral("swiglu"),
            QStringLiteral("transformer-impl"),
            QStringLiteral("vocab-size"),
            QStringLiteral("window-size"),
        };
        static const QRegularExpression option(QStringLiteral("--([a-z][a-z_-]*)"));
        int ours = 0;
        for (const auto& row : test::errorTexts()) {
            const QString& pattern = row.first;
            const QString shown = messageText(Wording(pattern.toUtf8().constData(), {}));
            ours += shown != pattern;
            for (auto found = option.globalMatch(shown); found.hasNext();) {
                const QString name = found.next().captured(1);
                QVERIFY2(others.contains(name), qPrintable(shown));
            }
        }
        QVERIFY(ours >= 12);
    }

    void speaksTheWindowsLanguage() {
        const Json document = Json::parse(R"({"gpus": 0})");
        const JsonReader reader(document, "c.json");
        reader.count("gpus", 1, 1024);
        reader.text("name");
        const Status read = reader.status();
        QVERIFY(!read);
        const Error& gpus = read.error();
        const Error& name = gpus.reasons.front();
        QCOMPARE(errorText(gpus),
                 QStringLiteral("c.json#/gpus: is 0; expected a whole number from 1 to 1024"));
        QCOMPARE(errorText(gpus), QString::fromStdString(gpus.text()));

        German german;
        QVERIFY(QCoreApplication::installTranslator(&german));
        QCOMPARE(messageText(gpus), QStringLiteral("1 bis 1024 ganzzahlig erwartet, nicht 0"));
        QCOMPARE(errorText(name), QStringLiteral("c.json#/name: fehlt; ein Text wird erwartet"));
        QCOMPARE(sentence(name), QStringLiteral("Fehlt; ein Text wird erwartet"));
        // What the catalogue does not know, and what has no pattern, stays as core has it.
        const Error unknown = parseDuration("soon").error();
        QVERIFY(!unknown.pattern.empty());
        QCOMPARE(messageText(unknown), QString::fromStdString(unknown.message));
        const Error asIs = badInput("x", "", Wording::asIs("is missing; expected a text"));
        QCOMPARE(errorText(asIs), QStringLiteral("is missing; expected a text"));
        // A sentence within another is said in the same language.
        QCOMPARE(messageText(Wording("stage {stage}: {why}", {{"stage", 1}, {"why", gpus}})),
                 QStringLiteral("stage 1: 1 bis 1024 ganzzahlig erwartet, nicht 0"));
    }
};

QTEST_GUILESS_MAIN(ErrorTextTest)
#include "error_text_test.moc"
