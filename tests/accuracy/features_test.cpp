// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/accuracy/features.h"
#include "core/calibrate/run_case.h"

#include "tests/calibrate/run_rows.h"

#include <QTest>

#include <cmath>
#include <set>

using namespace pw;

namespace {

Features featuresOfRow(const test::Cells& cells) {
    const auto run = runCase(test::row(cells));
    if (!run)
        qFatal("%s", run.error().text().c_str());
    const auto evaluation = evaluate(*run->problem, run->plan);
    if (!evaluation)
        qFatal("%s", evaluation.error().text().c_str());
    return featuresOf(*run->problem, run->plan, *evaluation);
}

} // namespace

class FeaturesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aRowIsDescribed() {
        const test::Cells row = test::plainGpt();
        const Features f = featuresOfRow(row);
        const auto number = [&](const char* cell) { return std::log2(std::stod(row.at(cell))); };
        QVERIFY(std::abs(f[Feature::Gpus] - number("n_gpus")) < 1e-9);
        QVERIFY(std::abs(f[Feature::Tensor] - number("tp")) < 1e-9);
        QVERIFY(std::abs(f[Feature::Stages] - number("pp")) < 1e-9);
        QVERIFY(std::abs(f[Feature::Data] - number("dp")) < 1e-9);
        QVERIFY(std::abs(f[Feature::Hidden] - number("hidden")) < 1e-9);
        QVERIFY(std::abs(f[Feature::LocalTokens] - number("mbs") - number("seq_len")) < 1e-9);
        QCOMPARE(f[Feature::Mixed], 0.0);
        QCOMPARE(f[Feature::Measured], 0.0);
        QCOMPARE(f[Feature::NumberFormat], 1.0);
    }

    void everyChoiceCounts_data() {
        QTest::addColumn<QString>("cell");
        QTest::addColumn<QString>("value");
        QTest::addColumn<int>("feature");
        const auto add = [](const char* cell, const char* value, Feature f) {
            QTest::addRow("%s", cell) << QString::fromLatin1(cell) << QString::fromLatin1(value) << int(f);
        };
        add("recompute", "none", Feature::Recompute);
        add("precision", "fp32", Feature::NumberFormat);
        add("framework", "PyTorch eager", Feature::EagerKernels);
        add("flash_attn", "1", Feature::FusedAttention);
        add("gpu", "V100-SXM2-32GB", Feature::Arithmetic);
    }
    void everyChoiceCounts() {
        QFETCH(QString, cell);
        QFETCH(QString, value);
        QFETCH(int, feature);
        const test::Cells plain = test::with(test::plainGpt(), {{"recompute", "full"}, {"flash_attn", "0"}});
        const Features before = featuresOfRow(plain);
        const Features after = featuresOfRow(test::with(plain, {{cell.toStdString(), value.toStdString()}}));
        QVERIFY(std::abs(before[static_cast<Feature>(feature)] - after[static_cast<Feature>(feature)]) > 0.3);
        QVERIFY(distance(before, after) > 0.1);
        QVERIFY(!differences(before, after).empty());
    }

    void distanceIsAMetric() {
        const Features a = featuresOfRow(test::plainGpt());
        const Features b = featuresOfRow(test::with(test::plainGpt(), {{"precision", "fp32"}}));
        const Features c = featuresOfRow(test::with(test::plainGpt(), {{"recompute", "none"}}));
        QCOMPARE(distance(a, a), 0.0);
        QVERIFY(differences(a, a).empty());
        QCOMPARE(distance(a, b), distance(b, a));
        QVERIFY(distance(a, b) > 0.0);
        QVERIFY(distance(a, c) <= distance(a, b) + distance(b, c) + 1e-12);
    }

    void theTableFollowsTheEnumeration() {
        std::set<std::string> names;
        QCOMPARE(featureTable().size(), kFeatures);
        for (std::size_t i = 0; i < kFeatures; ++i) {
            QCOMPARE(static_cast<std::size_t>(featureTable()[i].feature), i);
            QVERIFY(names.insert(featureTable()[i].name).second);
            QVERIFY(featureTable()[i].weight > 0.0);
        }
    }
};

QTEST_APPLESS_MAIN(FeaturesTest)
#include "features_test.moc"
