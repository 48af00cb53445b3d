// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/timeline/durations.h"

#include "core/base/random.h"
#include "tests/timeline/random_lane.h"

#include <QTest>

#include <numeric>

using namespace pw;

class DurationsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // Every bar that touches the window is counted once, in its bin and in its group, with its whole length.
    void countsEveryBarOnce() {
        Random random(5);
        for (int n = 0; n < 40; ++n) {
            Timeline timeline;
            std::vector<int> groups;
            for (int t = 0; t < 6; ++t) {
                Track track;
                track.lane(LaneRole::Compute) = test::randomLane(random, 200);
                for (Lane& lane : track.lanes)
                    lane.seal();
                timeline.tracks.push_back(std::move(track));
                groups.push_back(static_cast<int>(random.below(4)) - 1);
            }
            const auto begin = static_cast<std::int64_t>(random.below(400'000));
            const TimeWindow window{begin, begin + 1 + static_cast<std::int64_t>(random.below(400'000))};
            const auto kind = static_cast<BarKind>(random.below(kBarKinds));
            const Durations durations = durationsOf(timeline, kind, window, groups, 24);
            std::size_t count = 0;
            std::int64_t sum = 0;
            for (std::size_t t = 0; t < 6; ++t) {
                const Lane& lane = timeline.tracks[t].lane(LaneRole::Compute);
                for (std::size_t i = 0; i < lane.size(); ++i)
                    if (groups[t] >= 0 && lane.kind(i) == kind && lane.end(i) > window.begin &&
                        lane.start(i) < window.end) {
                        ++count;
                        sum += lane.end(i) - lane.start(i);
                        const int bin = durations.binOf(lane.end(i) - lane.start(i));
                        QVERIFY(bin >= 0 && bin < durations.bins);
                    }
            }
            QCOMPARE(durations.all.bars.count, count);
            QCOMPARE(durations.all.bars.sum, sum);
            std::size_t grouped = 0;
            for (const DurationGroup& group : durations.groups) {
                QVERIFY(group.bars.count > 0 && group.group >= 0);
                QCOMPARE(std::accumulate(group.bins.begin(), group.bins.end(), std::size_t{0}),
                         group.bars.count);
                grouped += group.bars.count;
            }
            QCOMPARE(grouped, count);
            QCOMPARE(std::accumulate(durations.all.bins.begin(), durations.all.bins.end(), std::size_t{0}),
                     count);
        }
    }

    void stepsThroughTheBarsOfABin() {
        Timeline timeline;
        for (int t = 0; t < 2; ++t) {
            Track track;
            for (int i = 0; i < 3; ++i)
                track.lane(LaneRole::Compute)
                    .add(100 * i, 100 * i + (i == 1 ? 90 : 10), BarKind::Forward, i, false);
            for (Lane& lane : track.lanes)
                lane.seal();
            timeline.tracks.push_back(std::move(track));
        }
        const TimeWindow window{0, 300};
        const std::vector<int> groups = {0, 1};
        const Durations durations = durationsOf(timeline, BarKind::Forward, window, groups, 8);
        QCOMPARE(durations.all.bins.front(), 4u);
        QCOMPARE(durations.all.bins.back(), 2u);
        DurationBar bar;
        std::vector<std::pair<int, std::ptrdiff_t>> walked;
        for (int step = 0; step < 5; ++step) {
            bar = nextInBin(timeline, BarKind::Forward, window, groups, durations, 0, bar);
            walked.emplace_back(bar.track, bar.index);
        }
        const std::vector<std::pair<int, std::ptrdiff_t>> expected = {{0, 0}, {0, 2}, {1, 0}, {1, 2}, {0, 0}};
        QCOMPARE(walked, expected);
        QCOMPARE(nextInBin(timeline, BarKind::Forward, window, groups, durations, 3, {}).track, -1);
    }

    void nothingIsNothing() {
        const Durations durations = durationsOf({}, BarKind::Forward, {0, 10}, {}, 8);
        QCOMPARE(durations.bins, 0);
        QVERIFY(durations.groups.empty() && durations.all.bins.empty());
    }
};

QTEST_APPLESS_MAIN(DurationsTest)
#include "durations_test.moc"
