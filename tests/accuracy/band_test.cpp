// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/accuracy/band.h"
#include "core/accuracy/conformal.h"
#include "core/accuracy/coverage.h"

#include <QTest>

#include <algorithm>
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
        const LeftOut one = [](std::size_t i) { return i == 1000; };
        const LeftOut many = [](std::size_t i) { return i < 1000; };
        QVERIFY(std::abs(neighbourhood(table, here, one).centre + 0.2) < 1e-12);
        QVERIFY(std::abs(neighbourhood(table, here, many).centre - 0.2) < 1e-12);
        QCOMPARE(neighbourhood(table, here, many).sources, 1);
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

    // Where nothing is near, what is far away scatters by does not matter, and time in exposed collectives
    // widens; near cases are believed.
    void strangersHaveAWidthOfTheirOwn() {
        CaseTable table;
        table.sources = {"close", "wild"};
        const BandWidths widths{1.0, 0.15, 0.05};
        for (int i = 0; i < 8; ++i) {
            table.cases.push_back(caseAt(0, 10.0, i % 2 == 0 ? 0.01 : -0.01));
            table.cases.push_back(caseAt(1, 20.0, i % 2 == 0 ? 0.8 : -0.8));
        }
        std::stable_sort(table.cases.begin(), table.cases.end(),
                         [](const auto& a, const auto& b) { return a.source < b.source; });
        const auto half = [&](double hidden, double communication) {
            Features at;
            at[Feature::Hidden] = hidden;
            at[Feature::TensorTime] = communication;
            return halfWidth(neighbourhood(table, at), widths);
        };
        QVERIFY(half(10.0, 0.0) < 0.03);
        QVERIFY(half(20.0, 0.0) > 0.7);
        const double far = half(10.0 - 20.0, 0.0), wild = half(20.0 + 20.0, 0.0);
        QVERIFY(far > 0.3 && std::abs(wild / far - 1.0) < 0.1);
        QVERIFY(half(10.0 - 20.0, 0.3) > far);
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

    // Each source left out, the others' bands hold 70 to 95 % of its rows, two of those of 20 rows and more
    // aside: of one the errors are smaller than anybody's (zero bubble), of one larger (nanotron).
    void leftOutSourcesAreCovered() {
        const Coverage found = coverage(measuredCases());
        const std::size_t timed = 17; // tables whose rows have times
        QCOMPARE(found.sources.size(), timed);
        double rowInside = 0.0, weights = 0.0;
        int large = 0, held = 0;
        for (const SourceCoverage& s : found.sources) {
            rowInside += std::sqrt(s.rows) * s.rowInside;
            weights += std::sqrt(s.rows);
            QVERIFY2(s.halfWidth < 0.45, s.name.c_str()); // not by being endlessly wide: high / low 2.5
            QVERIFY2(s.rowHalfWidth <= s.halfWidth + 0.05, s.name.c_str());
            if (s.rows < 20)
                continue;
            ++large;
            held += s.inside >= 0.70 && s.inside <= 0.95 ? 1 : 0;
            QVERIFY2(s.inside >= 0.5, s.name.c_str());
        }
        QVERIFY2(held >= large - 2, qPrintable(QString::number(held)));
        QVERIFY2(std::abs(rowInside / weights - kBandShare) < 0.05,
                 qPrintable(QString::number(rowInside / weights)));
        // Generations of devices that nobody had seen: wider, and most rows inside.
        QCOMPARE(found.generations.size(), std::size_t{3});
        for (const GroupCoverage& g : found.generations) {
            QVERIFY2(g.inside >= 0.6, g.name.c_str());
            QVERIFY2(g.halfWidth < 0.45, g.name.c_str());
        }
    }
};

QTEST_APPLESS_MAIN(BandTest)
#include "band_test.moc"
