// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/base/error_text.h"

#include "core/base/json.h"
#include "core/base/units.h"

#include <nlohmann/json.hpp>

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
        QCOMPARE(windowWords("which GPUs are in n1? No file says so; state it as --device KIND, one of A, B"),
                 QStringLiteral("Which GPUs are in n1? No file says so."));
        QCOMPARE(
            windowWords("which kind are the GPUs \"X\" of n1? State it as --device \"X\"=KIND, one of A"),
            QStringLiteral("Which kind are the GPUs \"X\" of n1?"));
        QCOMPARE(windowWords("Taken for all_reduce: --collective says otherwise"),
                 QStringLiteral("Taken for all_reduce."));
        QCOMPARE(windowWords("a run without rows"), QStringLiteral("A run without rows"));
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
        const Error glued = badInput("x", "", std::string("is missing; expected a text"));
        QCOMPARE(errorText(glued), QStringLiteral("is missing; expected a text"));
    }
};

QTEST_GUILESS_MAIN(ErrorTextTest)
#include "error_text_test.moc"
