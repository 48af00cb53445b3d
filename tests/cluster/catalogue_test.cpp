// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cluster/cluster.h"

#include <QRegularExpression>
#include <QtTest>

#include <set>

using namespace pw;

// The catalogue that ships: every kind is complete and the facts that plans rest on are the published ones.
class CatalogueTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyKindIsCompleteAndUnique() {
        std::set<std::string> names;
        for (const DeviceKind& k : Catalogue::builtin().kinds()) {
            QVERIFY2(names.insert(k.name).second, k.name.c_str());
            if (k.shortName != k.name)
                QVERIFY2(names.insert(k.shortName).second, k.shortName.c_str());
            QVERIFY2(k.memory.value > 0 && k.memoryBandwidth.value > 1e11, k.name.c_str());
            QVERIFY2(k.peak(Precision::Fp16).value > 1e13, k.name.c_str());
            QVERIFY2(k.pcie.value > 0, k.name.c_str());
            // Either measured, and then the source says so, or left to the calibration.
            QVERIFY2(k.matmulEfficiency == 0.0 || (k.matmulEfficiency > 0.3 && k.matmulEfficiency < 1.0),
                     k.name.c_str());
            QVERIFY2((k.matmulEfficiency > 0.0) == (k.source.find("Matrix products") != std::string::npos),
                     k.name.c_str());
            QVERIFY2(k.processNm > 2.0 && k.watts > 0.0, k.name.c_str());
        }
        QVERIFY(Catalogue::builtin().kinds().size() >= 40);
    }

    // A month beside every kind, and the racks that NVLink joins.
    void kindsAreDated() {
        for (const DeviceKind& kind : Catalogue::builtin().kinds()) {
            const QRegularExpression month(QStringLiteral("^20[12][0-9]-(0[1-9]|1[0-2])$"));
            QVERIFY2(month.match(QString::fromStdString(kind.date)).hasMatch(), kind.name.c_str());
        }
        for (const char* name : {"GB300", "MI350X", "RTX 4080", "H100-NVL-94GB"})
            QVERIFY2(Catalogue::builtin().find(name), name);
        QCOMPARE(Catalogue::builtin().find("GB300")->nvlinkDomain, 72);
        QCOMPARE(Catalogue::builtin().find("GB200")->nvlinkDomain, 72);
        QCOMPARE(Catalogue::builtin().find("H100-80")->nvlinkDomain, 0);
    }

    void namesOfTheContractExist_data() {
        QTest::addColumn<QByteArray>("shortName");
        QTest::addColumn<double>("gib");
        QTest::addColumn<double>("fp16");
        QTest::addColumn<double>("tf32");
        QTest::newRow("A100-SXM4-40GB") << QByteArray("A100-40") << 39.6 << 312e12 << 156e12;
        QTest::newRow("A100-SXM4-80GB") << QByteArray("A100-80") << 79.2 << 312e12 << 156e12;
        QTest::newRow("V100-SXM2-16GB") << QByteArray("V100-16") << 15.8 << 125e12 << 0.0;
        QTest::newRow("V100-SXM2-32GB") << QByteArray("V100-32") << 31.7 << 125e12 << 0.0;
        QTest::newRow("H100-SXM-80GB") << QByteArray("H100-80") << 79.1 << 989e12 << 494e12;
        QTest::newRow("H200-141GB") << QByteArray("H200") << 138.9 << 989e12 << 494e12;
        QTest::newRow("H20-96GB") << QByteArray("H20-96") << 94.6 << 148e12 << 74e12;
        QTest::newRow("L40S-48GB") << QByteArray("L40S") << 47.3 << 362e12 << 183e12;
        QTest::newRow("MI300X-192GB") << QByteArray("MI300X") << 189.1 << 1300e12 << 653.7e12;
    }
    void namesOfTheContractExist() {
        QFETCH(QByteArray, shortName);
        QFETCH(double, gib);
        QFETCH(double, fp16);
        QFETCH(double, tf32);
        const DeviceKind* kind = Catalogue::builtin().find(QTest::currentDataTag());
        QVERIFY(kind);
        QCOMPARE(Catalogue::builtin().find(shortName.constData()), kind);
        QCOMPARE(toGibibytes(kind->memory), gib);
        QCOMPARE(kind->peak(Precision::Fp16).value, fp16);
        QCOMPARE(kind->peak(Precision::Tf32).value, tf32);
    }

    void aKindCannotRunWhatItLacks() {
        const DeviceKind* v100 = Catalogue::builtin().find("V100-16");
        QCOMPARE(v100->peak(Precision::Bf16).value, 0.0);
        QCOMPARE(v100->peak(Precision::Auto).value, 0.0);
        QVERIFY(!Catalogue::builtin().find("A1000"));
    }

    void precisionsHaveNamesBothWays() {
        for (Precision p : {Precision::Auto, Precision::Fp32, Precision::Tf32, Precision::Fp16,
                            Precision::Bf16, Precision::Fp8})
            QVERIFY(precisionFromName(name(p)) == p);
        QVERIFY(!precisionFromName("float32"));
    }
};

QTEST_APPLESS_MAIN(CatalogueTest)
#include "catalogue_test.moc"
