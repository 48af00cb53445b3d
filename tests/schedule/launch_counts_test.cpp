// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schedule/schedule.h"

#include <QTest>

using namespace pw;

namespace {

StageTimes countedStages(int stages, std::vector<double> send) {
    const auto n = static_cast<std::size_t>(stages);
    return {std::vector<double>(n, 1.0 / 3.0), std::vector<double>(n, 2.0 / 3.0), std::move(send)};
}

} // namespace

class LaunchCountsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void fixedKinds() {
        const StageTimes times = countedStages(4, {0.9, 0.9, 0.9});
        const auto of = [&](ScheduleKind kind) {
            return launchCounts(kind, LaunchRule::Artifact, times, 12);
        };
        QCOMPARE(of(ScheduleKind::GPipe), (std::vector<int>{12, 12, 12, 12}));
        QCOMPARE(of(ScheduleKind::OneFOneB), (std::vector<int>{4, 3, 2, 1}));
        QCOMPARE(of(ScheduleKind::Eager), (std::vector<int>{7, 5, 3, 1}));
        QCOMPARE(launchCounts(ScheduleKind::H1F1B, LaunchRule::Ceil, countedStages(1, {}), 12),
                 std::vector<int>{1});
    }

    // The manual example that the HARP artifact ships: 8 V100 and two pairs of A100 (published).
    void publishedManualExample() {
        std::vector<double> send(8, 0.4);
        const std::vector<bool> sameCluster{true, true, true, true, true, true, false, false};
        QCOMPARE(
            launchCounts(ScheduleKind::H1F1B, LaunchRule::Artifact, countedStages(9, send), 64, sameCluster),
            (std::vector<int>{11, 10, 9, 8, 7, 6, 5, 3, 1}));
    }

    void thresholds_data() {
        QTest::addColumn<double>("send");
        QTest::addColumn<int>("artifact");
        QTest::addColumn<int>("ceil");
        QTest::newRow("free") << 0.0 << 1 << 1;
        QTest::newRow("below a tenth") << 0.0999 << 1 << 2;
        QTest::newRow("above a tenth") << 0.1001 << 2 << 2;
        QTest::newRow("below a half") << 0.4999 << 2 << 2;
        QTest::newRow("a half") << 0.5 << 3 << 2;
        QTest::newRow("whole") << 1.0 << 3 << 3;
        QTest::newRow("longer than a stage") << 2.4 << 3 << 6;
    }
    void thresholds() {
        QFETCH(double, send);
        QFETCH(int, artifact);
        QFETCH(int, ceil);
        const StageTimes times = countedStages(2, {send});
        QCOMPARE(launchCounts(ScheduleKind::H1F1B, LaunchRule::Artifact, times, 64),
                 (std::vector<int>{1 + artifact, 1}));
        QCOMPARE(launchCounts(ScheduleKind::H1F1B, LaunchRule::Ceil, times, 64),
                 (std::vector<int>{1 + ceil, 1}));
        for (LaunchRule rule : {LaunchRule::Artifact, LaunchRule::Ceil})
            QCOMPARE(launchCounts(ScheduleKind::H1F1B, rule, times, 64, {true}), (std::vector<int>{2, 1}));
    }

    // As many as the time until the first gradient takes, as memory allows, one fewer from stage to stage.
    void busyStagesDoNotWait() {
        const auto busy = [](const StageTimes& times, const std::vector<int>& most) {
            return launchCounts(ScheduleKind::H1F1B, LaunchRule::Busy, times, 64, {}, most);
        };
        // The second stage is slow: 1 + 2 x 0.5 + 6 s until the first gradient is back, in forwards of 1 s.
        const StageTimes uneven{{1.0, 2.0}, {2.0, 4.0}, {0.5}};
        QCOMPARE(busy(uneven, {}), (std::vector<int>{8, 1}));
        QCOMPARE(busy(uneven, {5, 64}), (std::vector<int>{5, 1}));
        QCOMPARE(busy(uneven, {1, 1}), (std::vector<int>{2, 1})); // no fewer than stages, whatever fits
        // no more than micro-batches
        QCOMPARE(launchCounts(ScheduleKind::H1F1B, LaunchRule::Busy, uneven, 4, {}, {64, 64}),
                 (std::vector<int>{4, 1}));
        QCOMPARE(busy(countedStages(4, {0.0, 0.0, 0.0}), {4, 3, 2, 1}), (std::vector<int>{4, 3, 2, 1}));
        QCOMPARE(busy(countedStages(4, {0.0, 0.0, 0.0}), {9, 2, 9, 9}), (std::vector<int>{9, 3, 2, 1}));
        // Nobody idles between the first forward and the last backward once the pipeline is full.
        const Result<Simulation> run = simulate(uneven, 64, busy(uneven, {}));
        QVERIFY(run);
        QVERIFY(std::abs(run->lastEnd[1] - run->firstStart[1] - run->busy[1]) < 1e-9);
    }

    void stagesWithoutTimeKeepCountsInRange() {
        const StageTimes times{{0.0, 0.0}, {0.0, 0.0}, {1.0}};
        QCOMPARE(launchCounts(ScheduleKind::H1F1B, LaunchRule::Ceil, times, 8), (std::vector<int>{10, 1}));
        QCOMPARE(launchCounts(ScheduleKind::H1F1B, LaunchRule::Artifact, times, 8), (std::vector<int>{4, 1}));
    }
};

QTEST_APPLESS_MAIN(LaunchCountsTest)
#include "launch_counts_test.moc"
