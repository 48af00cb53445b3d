// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/accuracy/coverage.h"
#include "core/accuracy/tie.h"

#include <QTest>

#include <cmath>

using namespace pw;

class TieTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void bothWaysAgree() {
        Features a, b;
        b[Feature::Tensor] = 1.0;
        const TimeComparison there = compareTimes(a, Seconds(1.0), b, Seconds(1.1));
        const TimeComparison back = compareTimes(b, Seconds(1.1), a, Seconds(1.0));
        QVERIFY(std::abs(there.firstFaster + back.firstFaster - 1.0) < 1e-12);
        QVERIFY(std::abs(there.low * back.high - 1.0) < 1e-12);
        QCOMPARE(there.isTie(), back.isTie());
    }

    void equalTimesTie() {
        const TimeComparison same = compareTimes(Features{}, Seconds(2.0), Features{}, Seconds(2.0));
        QCOMPARE(same.firstFaster, 0.5);
        QVERIFY(same.isTie());
    }

    // What two plans share cancels: a difference that tells apart two plans that are nearly the same says
    // nothing about two that have little in common.
    void alikePlansAreToldApartByLess() {
        Features a, alike, unlike;
        alike[Feature::Rounds] = 0.2;
        unlike[Feature::Tensor] = 3.0;
        unlike[Feature::SplitBackward] = 1.0;
        QVERIFY(!compareTimes(a, Seconds(1.0), alike, Seconds(1.05)).isTie());
        QVERIFY(compareTimes(a, Seconds(1.0), unlike, Seconds(1.05)).isTie());
        QVERIFY(!compareTimes(a, Seconds(1.0), unlike, Seconds(2.0)).isTie());
    }

    void eightyPercentIsWithinReach() {
        const double width = measuredCases().widths.pair;
        const double reach = pairReach(0.7, width);
        const TimeComparison c = compareTimes(reach, 0.7, width);
        QVERIFY(std::abs(c.firstFaster - 0.9) < 1e-12); // a tenth on the other side
        QVERIFY(std::abs(c.low - 1.0) < 1e-12);
    }

    // Where one of two measured runs was called faster by widths that had not seen its source, it was.
    void calledOrdersHold() {
        double called = 0.0, right = 0.0, promised = 0.0;
        int sources = 0;
        const Coverage found = coverage(measuredCases());
        for (const SourceCoverage& s : found.sources) {
            if (s.called < 20)
                continue;
            const double weight = std::sqrt(s.called);
            ++sources;
            called += weight;
            right += weight * s.right / s.called;
            promised += weight * s.promised;
            QVERIFY(s.promised >= kCertain);
        }
        QVERIFY(sources >= 5);
        QVERIFY2(right / called >= kCertain, qPrintable(QString::number(right / called)));
        QVERIFY2(right >= 0.95 * promised, qPrintable(QString::number(right / promised)));
    }
};

QTEST_APPLESS_MAIN(TieTest)
#include "tie_test.moc"
