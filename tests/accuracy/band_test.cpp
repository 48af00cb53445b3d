// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/accuracy/band.h"
#include "core/accuracy/coverage.h"

#include <QTest>

#include <cmath>

using namespace pw;

namespace {

MeasuredCase caseAt(int source, double hidden, double residual) {
    MeasuredCase c;
    c.rowId = "made";
    c.source = source;
    c.residual = residual;
    c.features[Feature::Hidden] = hidden;
    return c;
}

double width(const ErrorBand& band) {
    return std::log(band.high / band.low);
}

} // namespace

class BandTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // One case of one source weighs as much as a thousand of another at the same place.
    void manyRowsDoNotDrownFew() {
        CaseTable table;
        table.sources = {"many", "one"};
        for (int i = 0; i < 1000; ++i)
            table.cases.push_back(caseAt(0, 10.0, 0.2));
        table.cases.push_back(caseAt(1, 10.0, -0.2));
        Features here;
        here[Feature::Hidden] = 10.0;
        const Neighbourhood both = neighbourhood(table, here);
        QVERIFY(std::abs(both.centre) < 1e-12);
        QVERIFY(std::abs(both.variance - 0.04) < 1e-12);
        QCOMPARE(both.sources, 2);
        QVERIFY(both.cases.size() <= 20);
        // measured / predicted is the other way round than the residual
        QVERIFY(std::abs(neighbourhood(table, here, {1, -1}).centre + 0.2) < 1e-12);
        QVERIFY(std::abs(neighbourhood(table, here, {0, -1}).centre - 0.2) < 1e-12);
        QCOMPARE(neighbourhood(table, here, {0, -1}).sources, 1);
        QVERIFY(neighbourhood(table, here, {-1, 1000}).centre < -0.19);
    }

    void distanceWidens() {
        CaseTable table;
        table.sources = {"only"};
        table.cases = {caseAt(0, 10.0, 0.05), caseAt(0, 10.0, -0.05)};
        double before = 0.0;
        for (const double hidden : {10.0, 11.0, 13.0, 17.0}) {
            Features at;
            at[Feature::Hidden] = hidden;
            const double half = halfWidth(neighbourhood(table, at), {1.0, 0.1, 0.05});
            QVERIFY(half > before);
            before = half;
        }
    }

    void aMeasuredCaseIsItsOwnNearest() {
        const CaseTable& table = measuredCases();
        for (std::size_t i = 0; i < table.cases.size(); i += 97) {
            const ErrorBand band = errorBand(table.cases[i].features);
            QCOMPARE(band.distance, 0.0);
            QVERIFY(band.isNear());
            QVERIFY(band.low < band.high && band.low > 0.3 && band.high < 3.0);
            double weights = 0.0;
            for (const NearCase& c : band.cases) {
                QVERIFY(c.distance >= band.cases.front().distance);
                weights += c.weight;
            }
            QVERIFY(std::abs(weights - 1.0) < 1e-9);
            QVERIFY(!caseText(band.cases.front()).empty());
        }
    }

    // Nothing like it was measured: said so, with the nearest that there is, and a wide band.
    void aFarConfigurationSaysSo() {
        const CaseTable& table = measuredCases();
        Features far = table.cases.front().features;
        const ErrorBand near = errorBand(far);
        far[Feature::Experts] = 1.0;
        far[Feature::Expert] = 3.0;
        far[Feature::NumberFormat] = 2.0;
        const ErrorBand band = errorBand(far);
        QVERIFY(!band.isNear());
        QVERIFY(!band.cases.empty());
        QVERIFY(width(band) > 2 * width(near));
        QVERIFY(width(band) > 0.3);
    }

    // Each source left out, the others' bands hold about as many of its rows as they promise.
    void leftOutSourcesAreCovered() {
        const std::vector<SourceCoverage> found = coverage(measuredCases());
        QCOMPARE(found.size(), measuredCases().sources.size());
        double inside = 0.0, rowInside = 0.0, weights = 0.0;
        for (const SourceCoverage& s : found) {
            const double weight = std::sqrt(s.rows);
            inside += weight * s.inside;
            rowInside += weight * s.rowInside;
            weights += weight;
            if (s.rows >= 20)
                QVERIFY2(s.inside >= 0.6, s.source.c_str());
            QVERIFY2(s.halfWidth < 0.5, s.source.c_str()); // not by being endlessly wide
            QVERIFY2(s.rowHalfWidth <= s.halfWidth + 0.05, s.source.c_str());
        }
        QVERIFY2(std::abs(inside / weights - kBandShare) < 0.05,
                 qPrintable(QString::number(inside / weights)));
        QVERIFY2(std::abs(rowInside / weights - kBandShare) < 0.05,
                 qPrintable(QString::number(rowInside / weights)));
    }
};

QTEST_APPLESS_MAIN(BandTest)
#include "band_test.moc"
