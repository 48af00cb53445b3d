// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/timeline/random_lane.h"

#include <QTest>

#include <algorithm>

using namespace pw;

namespace {

constexpr std::uint64_t kLaneSeed = 90125;

Lane threeBars() { // 10-20 forward, 20-30 backward, 50-60 forward
    Lane lane;
    lane.add(10, 20, BarKind::Forward, 0, false);
    lane.add(20, 30, BarKind::Backward, 0, true);
    lane.add(50, 60, BarKind::Forward, 1, false);
    lane.seal();
    return lane;
}

} // namespace

class LaneTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void barsKeepWhatTheyWereGiven() {
        const Lane lane = threeBars();
        QCOMPARE(lane.size(), 3u);
        QCOMPARE(lane.kind(1), BarKind::Backward);
        QVERIFY(lane.estimated(1));
        QVERIFY(!lane.estimated(2));
        QCOMPARE(lane.microbatch(2), 1);
        QCOMPARE(lane.busy(0, 3), 30);
        QCOMPARE(lane.busy(1, 2), 10);
    }

    void searchesAgreeWithScans() {
        Random random(kLaneSeed);
        for (int n = 0; n < 100; ++n) {
            const Lane lane = test::randomLane(random, 1 + random.below(400));
            const auto length = static_cast<std::uint64_t>(lane.end(lane.size() - 1)) + 500;
            for (int q = 0; q < 50; ++q) {
                const auto t = static_cast<std::int64_t>(random.below(length));
                const std::size_t from = random.below(lane.size() + 1);
                std::size_t ending = 0, starting = from;
                while (ending < lane.size() && lane.end(ending) <= t)
                    ++ending;
                while (starting < lane.size() && lane.start(starting) < t)
                    ++starting;
                QCOMPARE(lane.firstEndingAfter(t), ending);
                QCOMPARE(lane.firstStartingFrom(t, from), starting);
            }
        }
    }

    void hits_data() {
        QTest::addColumn<int>("t");
        QTest::addColumn<int>("slack");
        QTest::addColumn<int>("bar");
        QTest::newRow("before") << 0 << 5 << -1;
        QTest::newRow("just before") << 6 << 4 << 0;
        QTest::newRow("first nanosecond") << 10 << 0 << 0;
        QTest::newRow("last nanosecond") << 19 << 0 << 0;
        QTest::newRow("common edge belongs to the later") << 20 << 3 << 1;
        QTest::newRow("gap without slack") << 30 << 0 << -1;
        QTest::newRow("gap, earlier nearer") << 38 << 20 << 1;
        QTest::newRow("gap, later nearer") << 42 << 20 << 2;
        QTest::newRow("gap, out of slack") << 40 << 5 << -1;
        QTest::newRow("behind the last") << 64 << 5 << 2;
        QTest::newRow("far behind") << 90 << 5 << -1;
    }
    void hits() {
        QFETCH(int, t);
        QFETCH(int, slack);
        QFETCH(int, bar);
        QCOMPARE(hitTest(threeBars(), t, slack), static_cast<std::ptrdiff_t>(bar));
    }

    void hitsAgreeWithScans() {
        Random random(kLaneSeed + 1);
        for (int n = 0; n < 100; ++n) {
            const Lane lane = test::randomLane(random, 1 + random.below(100));
            const auto length = static_cast<std::uint64_t>(lane.end(lane.size() - 1)) + 500;
            for (int q = 0; q < 50; ++q) {
                const auto t = static_cast<std::int64_t>(random.below(length));
                const auto slack = static_cast<std::int64_t>(random.below(300));
                std::ptrdiff_t nearest = -1;
                std::int64_t distance = slack + 1;
                for (std::size_t i = 0; i < lane.size(); ++i) {
                    const std::int64_t away =
                        std::max({lane.start(i) - t, t - (lane.end(i) - 1), std::int64_t{0}});
                    if (away < distance) {
                        distance = away;
                        nearest = static_cast<std::ptrdiff_t>(i);
                    }
                }
                QVERIFY2(hitTest(lane, t, slack) == nearest,
                         qPrintable(QString("seed %1").arg(kLaneSeed + 1)));
            }
        }
    }

    // Sums are of the visible parts, lengths of whole bars.
    void statisticsAreOfTheVisibleParts() {
        const Lane lane = threeBars();
        const RangeStatistics s = rangeStatistics(lane, 15, 52);
        const KindStatistics& forward = s.byKind[static_cast<std::size_t>(BarKind::Forward)];
        QCOMPARE(forward.count, 2u);
        QCOMPARE(forward.sum, 7);
        QCOMPARE(forward.min, 10);
        QCOMPARE(forward.max, 10);
        QCOMPARE(forward.mean(), 10.0);
        QCOMPARE(s.byKind[static_cast<std::size_t>(BarKind::Backward)].sum, 10);
        QCOMPARE(s.byKind[static_cast<std::size_t>(BarKind::Transfer)].count, 0u);
        QCOMPARE(s.busy, 17);
        QCOMPARE(s.idle, 20);
        QCOMPARE(rangeStatistics(lane, 30, 50).idle, 20);
        QCOMPARE(rangeStatistics(lane, 30, 30).idle, 0);
    }

    void snapsToTheNearestEdge() {
        const Lane lane = threeBars();
        Lane other;
        other.add(36, 44, BarKind::Transfer, 0, false);
        other.seal();
        QCOMPARE(snapToEdge({&lane}, 12, 5), 10);
        QCOMPARE(snapToEdge({&lane}, 33, 5), 30);
        QCOMPARE(snapToEdge({&lane}, 40, 5), 40); // nothing near
        QCOMPARE(snapToEdge({&lane, &other}, 34, 5), 36);
        QCOMPARE(snapToEdge({&lane, &other}, 33, 5), 30); // of two as near, the earlier
        QCOMPARE(snapToEdge({}, 7, 100), 7);
    }

    void dominantKindAcrossBlocks() {
        Lane lane;
        for (int i = 0; i < 1000; ++i) // forward bars are more, backward time is more
            lane.add(10 * i, 10 * i + (i % 3 == 0 ? 9 : 4), i % 3 == 0 ? BarKind::Backward : BarKind::Forward,
                     i, false);
        lane.seal();
        QCOMPARE(lane.dominant(0, 1000), BarKind::Backward);
        QCOMPARE(lane.dominant(1, 3), BarKind::Forward);
        QCOMPARE(lane.dominant(63, 961), BarKind::Backward);
        QCOMPARE(lane.dominant(65, 66), BarKind::Forward);
    }

    void everyKindHasItsName() {
        QStringList names;
        for (int kind = 0; kind < kBarKinds; ++kind)
            names << label(static_cast<BarKind>(kind));
        QVERIFY(!names.contains(QString()));
        QCOMPARE(names.removeDuplicates(), 0);
    }
};

QTEST_APPLESS_MAIN(LaneTest)
#include "lane_test.moc"
