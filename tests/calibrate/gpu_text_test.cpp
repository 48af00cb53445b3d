// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibrate/gpu_text.h"

#include <QTest>

using namespace pw;

// Which GPUs a text names, and how many of each.
class GpuTextTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // A count needs no "x"; kinds without counts are no mixture, and none of them is passed over.
    void countsStandInFrontOfChips() {
        const auto mix = parseGpus("32 H100-SXM-80GB, 16 A100-SXM4-80GB", {}, Catalogue::builtin());
        QVERIFY2(mix, mix ? "" : mix.error().text().c_str());
        QCOMPARE(mix->parts.size(), std::size_t{2});
        QCOMPARE(mix->parts[0].count, 32);
        QCOMPARE(mix->parts[0].kind.name, std::string("H100-SXM-80GB"));
        QCOMPARE(mix->parts[1].count, 16);
        QCOMPARE(mix->parts[1].kind.name, std::string("A100-SXM4-80GB"));
        const auto name = parseGpus("2080 Ti", {}, Catalogue::builtin());
        QVERIFY(name && name->parts[0].count == 0);
        const auto cards = parseGpus("8 2080 Ti + 4 T4", {}, Catalogue::builtin());
        QVERIFY(cards && cards->parts.size() == 2);
        QCOMPARE(cards->parts[0].count, 8);
        QCOMPARE(cards->parts[1].count, 4);
    }

    // In one part of the text or in parts of their own.
    void kindsOfAMixtureHaveTheirNumbers_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("names"); // of parts: which lacks its number, and one beside it
        const auto row = [](const char* text, const char* names) {
            QTest::newRow(text) << QByteArray(text) << QByteArray(names);
        };
        row("H100-SXM-80GB, A100-SXM4-80GB", "");
        row("32 H100 and 16 A100", "");
        row("8xV100 T4", "");
        row("H100 + A100-SXM4-80GB", "H100-SXM-80GB and A100-SXM4-80GB");
        row("H100, 16 A100-SXM4-80GB", "H100-SXM-80GB and A100-SXM4-80GB");
        row("16 A100-SXM4-80GB + H100", "A100-SXM4-80GB and H100-SXM-80GB");
        row("8xA100-SXM4-80GB + 8xH100 + T4", "H100-SXM-80GB and T4");
    }
    void kindsOfAMixtureHaveTheirNumbers() {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, names);
        const auto gpus = parseGpus(text.toStdString(), {}, Catalogue::builtin());
        QVERIFY(!gpus);
        QCOMPARE(gpus.error().where, std::string("gpu"));
        const QByteArray message = QByteArray::fromStdString(gpus.error().message);
        QVERIFY2(message.contains("how many of each") && message.contains("names " + names),
                 message.constData());
    }
};

QTEST_APPLESS_MAIN(GpuTextTest)
#include "gpu_text_test.moc"
