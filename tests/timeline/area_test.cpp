// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/timeline/area.h"

#include "core/base/random.h"
#include "tests/timeline/random_lane.h"

#include <QTest>

#include <limits>

using namespace pw;

namespace {

// Two stages: F0 F1 . B0 B1 on the first, later and with a transfer on the second.
Timeline twoStages() {
    Timeline timeline;
    for (int s = 0; s < 2; ++s) {
        Track track;
        track.stage = s;
        track.label = s == 0 ? "n1.g0-3" : "n2";
        Lane& lane = track.lane(LaneRole::Compute);
        for (int m = 0; m < 2; ++m)
            lane.add(100 * m + 50 * s, 100 * m + 50 * s + 80, BarKind::Forward, m, false);
        for (int m = 0; m < 2; ++m)
            lane.add(400 + 200 * m - 50 * s, 400 + 200 * m - 50 * s + 150, BarKind::Backward, m, false);
        if (s == 0)
            track.lane(LaneRole::ForwardSend).add(80, 90, BarKind::Transfer, 0, true);
        for (Lane& each : track.lanes)
            each.seal();
        timeline.tracks.push_back(std::move(track));
    }
    timeline.end = 800;
    return timeline;
}

} // namespace

class AreaTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void sumsOverRowsAndKinds() {
        const Timeline timeline = twoStages();
        const AreaStatistics area = areaStatistics(timeline, 0, 1, {0, 800});
        const auto& forward = area.byKind[static_cast<std::size_t>(BarKind::Forward)];
        const auto& backward = area.byKind[static_cast<std::size_t>(BarKind::Backward)];
        QCOMPARE(forward.count, std::size_t(4));
        QCOMPARE(forward.sum, std::int64_t(320));
        QCOMPARE(forward.min, std::int64_t(80));
        QCOMPARE(backward.max, std::int64_t(150));
        QCOMPARE(area.byKind[static_cast<std::size_t>(BarKind::Transfer)].count, std::size_t(1));
        QCOMPARE(area.bars, std::size_t(9));
        QCOMPARE(area.busy, std::int64_t(320 + 600)); // a transfer keeps no row busy
        QCOMPARE(area.busy + area.idle, std::int64_t(1600));
        QCOMPARE(area.bubble(), 680.0 / 1600.0);
    }

    void edgesCutBars() {
        const AreaStatistics area = areaStatistics(twoStages(), 0, 0, {40, 120});
        const auto& forward = area.byKind[static_cast<std::size_t>(BarKind::Forward)];
        QCOMPARE(forward.count, std::size_t(2));
        QCOMPARE(forward.sum, std::int64_t(60));
        QCOMPARE(forward.min, std::int64_t(80)); // as long as it is
        QCOMPARE(area.idle, std::int64_t(20));
        QCOMPARE(areaStatistics(twoStages(), 1, 0, {0, 800}).bars, std::size_t(0));
    }

    // An area is the sum of any two parts of it.
    void areasAddUp() {
        const std::uint64_t seed = 7;
        qInfo("seed %llu", static_cast<unsigned long long>(seed));
        Random random(seed);
        Timeline timeline;
        for (int s = 0; s < 3; ++s) {
            Track track;
            track.lane(LaneRole::Compute) = test::randomLane(random, 500);
            for (const LaneRole role : {LaneRole::ForwardSend, LaneRole::BackwardSend, LaneRole::Sync})
                track.lane(role).seal();
            timeline.end = std::max(timeline.end, track.lane(LaneRole::Compute).end(499));
            timeline.tracks.push_back(std::move(track));
        }
        for (int i = 0; i < 100; ++i) {
            const auto limit = static_cast<std::uint64_t>(timeline.end);
            std::int64_t t[3];
            for (std::int64_t& each : t)
                each = static_cast<std::int64_t>(random.below(limit));
            std::sort(std::begin(t), std::end(t));
            const AreaStatistics left = areaStatistics(timeline, 0, 2, {t[0], t[1]});
            const AreaStatistics right = areaStatistics(timeline, 0, 2, {t[1], t[2]});
            const AreaStatistics whole = areaStatistics(timeline, 0, 2, {t[0], t[2]});
            QCOMPARE(left.busy + right.busy, whole.busy);
            QCOMPARE(left.idle + right.idle, whole.idle);
        }
    }

    void queriesReadWhatPeopleType() {
        QVERIFY(!barQueryFromText("  "));
        BarQuery backward;
        backward.kind = BarKind::Backward;
        backward.microbatch = 12;
        QVERIFY(*barQueryFromText("B 12") == backward);
        QVERIFY(*barQueryFromText("b12") == backward);
        backward.stage = 2;
        QVERIFY(*barQueryFromText("backward 12, stage 2") == backward);
        BarQuery transfer;
        transfer.kind = BarKind::Transfer;
        transfer.device = "n1.g0";
        QVERIFY(*barQueryFromText("transfer N1.g0") == transfer);
        BarQuery node;
        node.device = "f1a"; // not a kind and a number
        QVERIFY(*barQueryFromText("f1a") == node);
    }

    // A label that is too short for all devices hides none of them from a search.
    void findsRowsByEachDevice() {
        Timeline timeline = twoStages();
        const auto found = [&timeline](const char* text) {
            return findBars(timeline, *barQueryFromText(text)).size();
        };
        timeline.tracks[1].label = "n57 to n60";
        QCOMPARE(found("forward n58"), std::size_t(0));
        timeline.tracks[1].deviceNames = "n57.g0 n58.g0 n59.g0 n60.g0 ";
        QCOMPARE(found("forward n58"), std::size_t(2));
        QCOMPARE(found("forward N58.g0"), std::size_t(2));
        QCOMPARE(found("forward n57 to n60"), std::size_t(2)); // as its label reads; the last word counts
        QCOMPARE(found("forward n61"), std::size_t(0));
    }

    void findsInOrderOfTime() {
        const Timeline timeline = twoStages();
        const auto zero = findBars(timeline, *barQueryFromText("0"));
        QCOMPARE(zero.size(), std::size_t(5)); // F 0 and B 0 of both, and the transfer
        std::int64_t last = std::numeric_limits<std::int64_t>::min();
        for (const BarRef ref : zero) {
            const std::int64_t start =
                timeline.tracks[static_cast<std::size_t>(ref.track)].lane(ref.lane).start(
                    static_cast<std::size_t>(ref.bar));
            QVERIFY(start >= last);
            last = start;
        }
        QCOMPARE(findBars(timeline, *barQueryFromText("F n2")).size(), std::size_t(2));
        QCOMPARE(findBars(timeline, *barQueryFromText("B 1 stage 1")),
                 (std::vector<BarRef>{{1, LaneRole::Compute, 3}}));
        QVERIFY(findBars(timeline, *barQueryFromText("w")).empty());
    }
};

QTEST_APPLESS_MAIN(AreaTest)
#include "area_test.moc"
