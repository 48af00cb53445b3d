// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/evaluate/evaluation.h"
#include "core/evaluate/idle_share.h"
#include "core/plan/plan.h"
#include "tests/schedule/random_pipeline.h"

#include <QTest>

#include <cmath>

using namespace pw;

namespace {

constexpr std::uint64_t kIdleSeed = 60601;

// Two stages of f = b = 1 across a send of 1, two micro-batches, launch counts 2 and 1:
//   stage 0   F0 F1 .  .  .  B0 .  B1
//   stage 1   .  .  F0 B0 F1 B1 .  .
const StageTimes kTwoStages{{1, 1}, {1, 1}, {1}};

std::vector<std::pair<double, double>> steps(const Simulation& run, int stage) {
    std::vector<std::pair<double, double>> out;
    for (const InFlightStep& step : inFlightOverTime(run, stage))
        out.emplace_back(step.time, step.count);
    return out;
}

} // namespace

class IdleTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void causesOfASmallPipeline() {
        Result<Simulation> run = simulate(kTwoStages, 2, {2, 1});
        QVERIFY(run);
        QCOMPARE(run->makespan, 8.0);
        const std::vector<IdleTime> idle =
            idleByCause(*run, {0.0, 0.0}, Seconds(9.0)); // a second of optimiser
        QCOMPARE(idle.size(), 2u);
        QCOMPARE(idle[0].warmUp.value, 0.0);
        QCOMPARE(idle[0].slowerStage.value, 2.0); // until stage 1 has its first gradient
        QCOMPARE(idle[0].transfer.value, 2.0);    // both gradients on their way
        QCOMPARE(idle[0].coolDown.value, 1.0);
        QCOMPARE(idle[1].warmUp.value, 2.0);
        QCOMPARE(idle[1].slowerStage.value, 0.0);
        QCOMPARE(idle[1].transfer.value, 0.0);
        QCOMPARE(idle[1].coolDown.value, 3.0);
    }

    void causesAddUpToTheIteration() {
        Random random(kIdleSeed);
        for (int n = 0; n < 400; ++n) {
            const test::RandomPipeline p =
                n % 2 == 0 ? test::acceptancePipeline(random) : test::wildPipeline(random);
            const ScheduleKind kind = n % 3 == 0 ? ScheduleKind::GPipe : ScheduleKind::H1F1B;
            const bool overlap = n % 5 != 0;
            Result<Simulation> run =
                simulate(p.times, p.microbatches,
                         launchCounts(kind, LaunchRule::Artifact, p.times, p.microbatches), {overlap, true});
            QVERIFY(run);
            const double iteration = run->makespan + random.uniform();
            const std::vector<IdleTime> idle =
                idleByCause(*run, std::vector<double>(p.times.forward.size(), 0.0), Seconds(iteration));
            QCOMPARE(idle.size(), p.times.forward.size());
            const bool sends =
                std::any_of(p.times.send.begin(), p.times.send.end(), [](double c) { return c > 0; });
            for (std::size_t i = 0; i < idle.size(); ++i) {
                const IdleTime& cause = idle[i];
                QVERIFY(cause.warmUp.value >= 0 && cause.slowerStage.value >= 0 && cause.transfer.value >= 0);
                QVERIFY(cause.coolDown.value >= 0);
                QVERIFY2(std::abs(cause.total().value + run->busy[i] - iteration) <=
                             1e-12 * (1.0 + iteration),
                         qPrintable(QString("seed %1, pipeline %2, stage %3").arg(kIdleSeed).arg(n).arg(i)));
                QVERIFY(sends || cause.transfer.value == 0.0);
            }
        }
    }

    void withoutOverlapTheOwnSendIsTheCause() {
        const StageTimes times{{1, 1}, {1, 1}, {0.5}};
        Result<Simulation> run = simulate(times, 2, {2, 1}, {false, true});
        QVERIFY(run);
        QCOMPARE(run->ops[1].start, 1.5); // the second forward, which waits for nothing else
        const std::vector<IdleTime> idle =
            idleByCause(*run, std::vector<double>(times.forward.size(), 0.0), Seconds(run->makespan));
        QVERIFY(idle[0].transfer.value >= 0.5);
    }

    // Two GPUs busy 6 of 9 s and one busy 3 of 9 s, with a second of optimiser each.
    void idleShareOfAllGpus() {
        Plan plan;
        Evaluation evaluation;
        evaluation.iteration = Seconds(9.0);
        plan.pipelines.resize(1);
        evaluation.pipelines.resize(1);
        plan.pipelines[0].stages.resize(2);
        plan.pipelines[0].stages[0].replicas = {{{0, 1}}};
        plan.pipelines[0].stages[1].replicas = {{{2}}};
        evaluation.pipelines[0].stages.resize(2);
        for (StageFigures& stage : evaluation.pipelines[0].stages)
            stage.optimizer = Seconds(1.0);
        evaluation.pipelines[0].simulation.busy = {5.0, 2.0};
        QVERIFY(std::abs(gpuIdleShare(plan, evaluation) - (1.0 - 15.0 / 27.0)) < 1e-12);
        QCOMPARE(gpuIdleShare(Plan(), Evaluation()), 0.0);
    }

    void noOpsNoCauses() {
        Result<Simulation> run = simulate(kTwoStages, 2, {2, 1}, {true, false});
        QVERIFY(run);
        QVERIFY(idleByCause(*run, {0.0, 0.0}, Seconds(8.0)).empty());
    }

    void inFlightSteps() {
        Result<Simulation> run = simulate(kTwoStages, 2, {2, 1});
        QVERIFY(run);
        using Steps = std::vector<std::pair<double, double>>;
        QCOMPARE(steps(*run, 0), (Steps{{0, 1}, {1, 2}, {6, 1}, {8, 0}}));
        QCOMPARE(steps(*run, 1), (Steps{{0, 0}, {2, 1}, {6, 0}})); // at 4 one ends as the next begins
    }

    void inFlightPeaksAtTheLaunchCount() {
        Random random(kIdleSeed + 1);
        for (int n = 0; n < 200; ++n) {
            const test::RandomPipeline p = test::acceptancePipeline(random);
            const std::vector<int> launch = launchCounts(ScheduleKind::Eager, LaunchRule::Ceil, p.times, 16);
            Result<Simulation> run = simulate(p.times, p.microbatches, launch);
            QVERIFY(run);
            for (int stage = 0; stage < p.times.stages(); ++stage) {
                const std::vector<InFlightStep> all = inFlightOverTime(*run, stage);
                double peak = 0.0;
                for (std::size_t k = 0; k < all.size(); ++k) {
                    peak = std::max(peak, all[k].count);
                    QVERIFY(k == 0 || (all[k].time > all[k - 1].time && all[k].count != all[k - 1].count));
                }
                QCOMPARE(peak, 1.0 * run->peakInFlight[static_cast<std::size_t>(stage)]);
                QCOMPARE(all.back().count, 0.0);
            }
        }
    }
};

QTEST_APPLESS_MAIN(IdleTest)
#include "idle_test.moc"
