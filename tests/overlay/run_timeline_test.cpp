// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/overlay/run_timeline.h"
#include "tests/exchange/made_run.h"
#include "tests/exchange/sample_plan.h"

#include <QTest>

#include <cmath>
#include <cstdlib>

using namespace pw;

// Runs made of a simulation stand as rows under the timeline that the same simulation was drawn as.
class RunTimelineTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        m_problem = sampleProblem();
        m_plan = samplePlan();
    }

    // What ran just as simulated is drawn just as predicted: every bar has its operation, at its time, in
    // both directions.
    void asSimulated_data() {
        QTest::addColumn<int>("kind");
        for (const ScheduleKind kind : {ScheduleKind::OneFOneB, ScheduleKind::GPipe,
                                        ScheduleKind::Interleaved, ScheduleKind::ZbH1, ScheduleKind::ZbV})
            QTest::newRow(name(kind)) << static_cast<int>(kind);
    }
    void asSimulated() {
        QFETCH(int, kind);
        const Drawn drawn = draw(sampleChunkedPlan(static_cast<ScheduleKind>(kind)));
        QCOMPARE(drawn.ran.timeline.tracks.size(), drawn.predicted.tracks.size());
        QVERIFY(std::abs(drawn.ran.timeline.end - drawn.predicted.end) <= 2);
        std::size_t pairs = 0;
        for (int track = 0; track < static_cast<int>(drawn.predicted.tracks.size()); ++track)
            for (int lane = 0; lane < kLaneRoles; ++lane) {
                const Lane& bars = drawn.predicted.tracks[at(track)].lanes[at(lane)];
                for (std::size_t i = 0; i < bars.size(); ++i) {
                    const BarRef bar{track, static_cast<LaneRole>(lane), static_cast<std::ptrdiff_t>(i)};
                    if (bars.kind(i) == BarKind::Optimizer)
                        continue; // a run's step does not wait for the sums of other stages
                    const BarRef ran = sameOperation(drawn.predicted, bar, drawn.ran.timeline);
                    QVERIFY2(ran, qPrintable(place(track, lane, i)));
                    const Lane& own = drawn.ran.timeline.tracks[at(track)].lanes[at(lane)];
                    const auto j = static_cast<std::size_t>(ran.bar);
                    QVERIFY2(std::abs(own.end(j) - bars.end(i)) <= 2 || bars.kind(i) == BarKind::Recompute,
                             qPrintable(place(track, lane, i)));
                    QVERIFY2(std::abs(drawn.ran.length(ran) - operationLength(drawn.predicted, bar)) <= 3,
                             qPrintable(place(track, lane, i)));
                    const BarRef back = sameOperation(drawn.ran.timeline, ran, drawn.predicted);
                    QVERIFY(back == bar || bars.kind(i) == BarKind::Recompute);
                    ++pairs;
                }
            }
        QVERIFY(pairs > 4 * 32 * 2);
    }

    // A backward holds its recomputation, and is as long as both bars of the prediction.
    void recomputationIsPartOfTheBackward() {
        Plan plan = m_plan;
        for (Stage& stage : plan.pipelines.front().stages)
            stage.recompute = Recompute::Full;
        const Drawn drawn = draw(plan);
        const Lane& bars = drawn.predicted.tracks[0].lane(LaneRole::Compute);
        std::ptrdiff_t again = 0;
        while (bars.kind(static_cast<std::size_t>(again)) != BarKind::Recompute)
            ++again;
        const BarRef recompute{0, LaneRole::Compute, again}, backward{0, LaneRole::Compute, again + 1};
        const BarRef ran = sameOperation(drawn.predicted, recompute, drawn.ran.timeline);
        QCOMPARE(ran, sameOperation(drawn.predicted, backward, drawn.ran.timeline));
        const auto i = static_cast<std::size_t>(again);
        QCOMPARE(operationLength(drawn.predicted, recompute), bars.end(i + 1) - bars.start(i));
        QCOMPARE(operationLength(drawn.predicted, backward), operationLength(drawn.predicted, recompute));
        QVERIFY(std::abs(drawn.ran.length(ran) - operationLength(drawn.predicted, recompute)) <= 3);
    }

    // The slowest rank of a stage stands for it.
    void theBusiestRankIsDrawn() {
        const Drawn drawn = draw(m_plan, [](int rank, int, const char* kind, double s) {
            return rank == 6 && kind[0] == 'B' ? 1.001 * s : s;
        });
        QCOMPARE(drawn.ran.ranks[1], 6); // of ranks 4 to 7
    }

    // Emulated times are divided by the scale: the shape is the prediction's, the times are not.
    void emulatedRunsAreDrawnAtThePaceOfThePrediction() {
        const Drawn plain = draw(m_plan), drawn = draw(m_plan, {}, [](Json made) {
                                              made = slowed(std::move(made), 50.0);
                                              made["emulated"] = true;
                                              return made;
                                          });
        QVERIFY(std::abs(drawn.overlay.scale / 50.0 - 1.0) < 1e-6);
        QVERIFY(std::abs(drawn.ran.duration.value / plain.ran.duration.value / 50.0 - 1.0) < 1e-6);
        const Lane& a = plain.ran.timeline.tracks[2].lane(LaneRole::Compute);
        const Lane& b = drawn.ran.timeline.tracks[2].lane(LaneRole::Compute);
        QCOMPARE(a.size(), b.size());
        for (std::size_t i = 0; i < a.size(); ++i)
            QVERIFY(std::abs(a.start(i) - b.start(i)) <= 100 && a.kind(i) == b.kind(i));
    }

    // Sends of a rank may overlap; their bars do not, but each keeps the time that it took.
    void overlappingSendsKeepTheirLength() {
        const double longer = 5.0; // times what is predicted
        const Drawn drawn = draw(m_plan, [&](int, int, const char* kind, double s) {
            return std::string(kind) == "send" ? std::max(longer * s, 0.4) : s;
        });
        const Lane& sends = drawn.ran.timeline.tracks[0].lane(LaneRole::ForwardSend);
        QVERIFY(sends.size() > 8);
        bool shortened = false;
        for (std::size_t i = 0; i < sends.size(); ++i) {
            const BarRef bar{0, LaneRole::ForwardSend, static_cast<std::ptrdiff_t>(i)};
            QVERIFY(drawn.ran.length(bar) >= sends.end(i) - sends.start(i));
            QVERIFY(std::abs(static_cast<double>(drawn.ran.length(bar)) / 1e9 - 0.4) < 1e-6);
            shortened = shortened || drawn.ran.length(bar) > sends.end(i) - sends.start(i);
        }
        QVERIFY(shortened);
    }

private:
    struct Drawn {
        Timeline predicted;
        RunOverlay overlay;
        RunTimeline ran;
    };
    static std::size_t at(int index) { return static_cast<std::size_t>(index); }
    static QString place(int track, int lane, std::size_t bar) {
        return QStringLiteral("track %1, lane %2, bar %3").arg(track).arg(lane).arg(bar);
    }
    Drawn draw(const Plan& plan, const RunSeconds& seconds = {},
               const std::function<Json(Json)>& change = {}) const {
        const auto evaluation = evaluate(*m_problem, plan, {.keepOps = true});
        if (!evaluation)
            qFatal("%s", evaluation.error().text().c_str());
        Json made = madeRun(*m_problem, plan, *evaluation, 3, seconds);
        if (change)
            made = change(std::move(made));
        const auto record = readRunRecord(printJson(made), "run.json");
        if (!record)
            qFatal("%s", record.error().text().c_str());
        Drawn drawn;
        drawn.predicted = buildTimeline(*m_problem, plan, *evaluation);
        const auto overlay = overlayRun(*m_problem, plan, *evaluation, *record);
        if (!overlay)
            qFatal("%s", overlay.error().text().c_str());
        drawn.overlay = *overlay;
        drawn.ran = runTimeline(*record, drawn.overlay, drawn.predicted);
        return drawn;
    }

    std::shared_ptr<const Problem> m_problem;
    Plan m_plan;
};

QTEST_GUILESS_MAIN(RunTimelineTest)
#include "run_timeline_test.moc"
