// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/random.h"
#include "core/timeline/timeline.h"

#include <QTest>

#include <cmath>

using namespace pw;

namespace {

constexpr std::uint64_t kTimeWindowSeed = 31337;
constexpr std::int64_t kHour = 3600LL * 1000 * 1000 * 1000;

TimeWindow randomWindow(Random& random, std::int64_t limit) {
    const auto span =
        100 + static_cast<std::int64_t>(std::pow(static_cast<double>(limit - 100), random.uniform()));
    const auto begin = static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(limit - span + 1)));
    return {begin, begin + span};
}

} // namespace

class TimeWindowTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void timeSurvivesTheWayThroughPixels() {
        Random random(kTimeWindowSeed);
        for (int n = 0; n < 10000; ++n) {
            const TimeWindow window = randomWindow(random, kHour);
            const int width = 1 + static_cast<int>(random.below(8000));
            const std::int64_t t =
                window.begin +
                static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(window.span())));
            QCOMPARE(window.toTime(window.toPixel(t, width), width), t);
        }
        const TimeWindow window{1000, 3000};
        QCOMPARE(window.toPixel(1000, 800), 0.0);
        QCOMPARE(window.toPixel(3000, 800), 800.0);
        QCOMPARE(window.toTime(400.0, 800), 2000);
    }

    void zoomKeepsTheFixedTime() {
        Random random(kTimeWindowSeed + 1);
        for (int n = 0; n < 10000; ++n) {
            const TimeWindow window = randomWindow(random, kHour);
            const auto fixed = window.begin + static_cast<std::int64_t>(
                                                  random.below(static_cast<std::uint64_t>(window.span())));
            const TimeWindow to = window.zoomed(random.uniform(0.2, 3.0), fixed, kHour);
            QVERIFY(to.begin >= 0 && to.end <= kHour && to.span() >= 100);
            if (to.begin == 0 || to.end == kHour)
                continue; // the edge of the iteration wins
            const double nanosecond = 1000.0 / static_cast<double>(to.span());
            QVERIFY(std::abs(to.toPixel(fixed, 1000) - window.toPixel(fixed, 1000)) <= nanosecond + 1e-9);
        }
    }

    void zoomStopsAtItsLimits() {
        const TimeWindow window{1000, 2000};
        QCOMPARE(window.zoomed(1e-6, 1500, 10000), (TimeWindow{1450, 1550}));
        QCOMPARE(window.zoomed(1e6, 1500, 10000), (TimeWindow{0, 10000}));
        QCOMPARE((TimeWindow{0, 40}.zoomed(0.1, 20, 40)), (TimeWindow{0, 40})); // an iteration under 100 ns
    }

    void panKeepsTheSpan() {
        const TimeWindow window{1000, 2000};
        QCOMPARE(window.panned(500, 10000), (TimeWindow{1500, 2500}));
        QCOMPARE(window.panned(-5000, 10000), (TimeWindow{0, 1000}));
        QCOMPARE(window.panned(50000, 10000), (TimeWindow{9000, 10000}));
        QCOMPARE(window.panned(INT64_MAX, 10000), (TimeWindow{9000, 10000}));
        QCOMPARE(window.panned(7, 600), (TimeWindow{0, 1000}));
    }
};

QTEST_APPLESS_MAIN(TimeWindowTest)
#include "time_window_test.moc"
