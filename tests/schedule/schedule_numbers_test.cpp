// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/schedule/random_pipeline.h"

#include <QTest>

#include <array>
#include <cmath>
#include <numeric>

using namespace pw;

namespace {

constexpr std::uint64_t kScheduleNumbersSeed = 20250929;
constexpr double kPrinted = 1e-9; // the figures of the slow middle link are exact as they are printed

double makespan(const StageTimes& times, int microbatches, const std::vector<int>& launch,
                bool overlap = true) {
    Result<Simulation> result = simulate(times, microbatches, launch, {overlap, false});
    return result ? result->makespan : NAN;
}

struct Summary {
    double mean, median, p95, max, min; // %
};

Summary summarise(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    const std::size_t n = values.size();
    return {std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(n),
            (values[(n - 1) / 2] + values[n / 2]) / 2.0, values[n * 95 / 100], values.back(), values.front()};
}

} // namespace

// Published and reference figures that the simulator must reproduce: four equal stages with one slow link,
// the sample of HARP's README, and the statistics of 2000 random pipelines against sum(t + 2c) + (B-1) max t.
class ScheduleNumbersTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void slowMiddleLink_data() {
        QTest::addColumn<double>("send");
        QTest::addColumn<std::vector<double>>("expected"); // ideal, no overlap, 1F1B, artifact, ceil, eager
        QTest::addColumn<std::vector<int>>("artifact");
        QTest::addColumn<std::vector<int>>("ceil");
        const auto row = [](double c, std::vector<double> expected, std::vector<int> artifact,
                            std::vector<int> ceil) {
            QTest::addRow("c = %.1f", c) << c << expected << artifact << ceil;
        };
        row(0.0, {201, 201, 201, 201, 201, 201}, {4, 3, 2, 1}, {4, 3, 2, 1});
        row(0.2, {201.4, 213.8, 213.8, 213.8, 201.4, 201.4}, {4, 3, 2, 1}, {5, 4, 2, 1});
        row(0.5, {202, 233, 233, 202, 202, 202}, {5, 4, 2, 1}, {5, 4, 2, 1});
        row(1.0, {203, 265, 265, 203, 203, 203}, {5, 4, 2, 1}, {5, 4, 2, 1});
        row(1.5, {204, 297.5, 297, 204, 204, 204}, {6, 5, 2, 1}, {5, 4, 2, 1});
        row(2.0, {205, 330, 329, 205, 205, 224}, {6, 5, 2, 1}, {6, 5, 2, 1});
        row(2.5, {206, 363, 361, 206, 206, 247}, {6, 5, 2, 1}, {6, 5, 2, 1});
        row(3.0, {207, 396, 393, 207, 207, 270}, {6, 5, 2, 1}, {6, 5, 2, 1});
        row(4.0, {272, 462, 459, 273, 273, 317}, {6, 5, 2, 1}, {7, 6, 2, 1});
        row(6.0, {402, 594, 591, 405, 405, 411}, {6, 5, 2, 1}, {8, 7, 2, 1});
    }
    void slowMiddleLink() {
        QFETCH(double, send);
        QFETCH(std::vector<double>, expected);
        QFETCH(std::vector<int>, artifact);
        QFETCH(std::vector<int>, ceil);
        const StageTimes times{{1, 1, 1, 1}, {2, 2, 2, 2}, {0, send, 0}};
        const auto counts = [&](ScheduleKind kind, LaunchRule rule) {
            return launchCounts(kind, rule, times, 64);
        };
        const std::vector<int> classic = counts(ScheduleKind::OneFOneB, LaunchRule::Artifact);
        QCOMPARE(counts(ScheduleKind::H1F1B, LaunchRule::Artifact), artifact);
        QCOMPARE(counts(ScheduleKind::H1F1B, LaunchRule::Ceil), ceil);
        const std::vector<double> got{
            idealTime(times, 64),
            makespan(times, 64, classic, false),
            makespan(times, 64, classic),
            makespan(times, 64, artifact),
            makespan(times, 64, ceil),
            makespan(times, 64, counts(ScheduleKind::Eager, LaunchRule::Artifact)),
        };
        for (std::size_t i = 0; i < expected.size(); ++i)
            QVERIFY2(std::abs(got[i] - expected[i]) <= kPrinted,
                     qPrintable(QString("column %1: %2, expected %3").arg(i).arg(got[i]).arg(expected[i])));
    }

    // The rule's choice does not hang on how a stage's time divides into forward and backward.
    void artifactColumnForOtherSplits() {
        const std::vector<std::pair<double, double>> expected{
            {0.0, 201}, {0.2, 213.8}, {0.5, 202}, {1.0, 203}, {1.5, 204},
            {2.0, 205}, {2.5, 206},   {3.0, 207}, {4.0, 273}, {6.0, 405}};
        for (const double share : {1.0 / 2.0, 1.0 / 3.0, 1.0 / 4.0})
            for (const auto& [send, time] : expected) {
                const std::vector<double> forward(4, 3.0 * share), backward(4, 3.0 * (1.0 - share));
                const StageTimes times{forward, backward, {0, send, 0}};
                const double got =
                    makespan(times, 64, launchCounts(ScheduleKind::H1F1B, LaunchRule::Artifact, times, 64));
                QVERIFY2(std::abs(got - time) <= kPrinted, qPrintable(QString("%1 %2").arg(send).arg(got)));
            }
    }

    // A stage holds as many micro-batches as it launches; eager holds 7 on the first, H-1F1B 5 or 6, and is
    // faster from 2 s on.
    void inFlightOnSlowMiddleLink() {
        for (const double send : {0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 6.0}) {
            const StageTimes times{{1, 1, 1, 1}, {2, 2, 2, 2}, {0, send, 0}};
            const auto run = [&](ScheduleKind kind) {
                const Result<Simulation> result =
                    simulate(times, 64, launchCounts(kind, LaunchRule::Artifact, times, 64));
                return result ? *result : Simulation{};
            };
            const Simulation classic = run(ScheduleKind::OneFOneB), eager = run(ScheduleKind::Eager),
                             h1f1b = run(ScheduleKind::H1F1B);
            QCOMPARE(classic.peakInFlight, (std::vector<int>{4, 3, 2, 1}));
            QCOMPARE(eager.peakInFlight, (std::vector<int>{7, 5, 3, 1}));
            QCOMPARE(h1f1b.peakInFlight[0], send < 1.5 ? 5 : 6);
            QCOMPARE(h1f1b.makespan < eager.makespan, send >= 2.0);
        }
    }

    void harpReadmeSample() {
        const StageTimes times{{0.2143 / 3, 0.2202 / 3}, {0.2143 * 2 / 3, 0.2202 * 2 / 3}, {0.0760}};
        const std::vector<int> launch = launchCounts(ScheduleKind::H1F1B, LaunchRule::Artifact, times, 64);
        QCOMPARE(launch, (std::vector<int>{3, 1}));
        QCOMPARE(launchCounts(ScheduleKind::Eager, LaunchRule::Artifact, times, 64), launch);
        QVERIFY(std::abs(makespan(times, 64, launch) - 14.459) < 0.0006);
        QVERIFY(std::abs(makespan(times, 64, {2, 1}) - 18.988) < 0.0006);
        QVERIFY(std::abs(idealTime(times, 64) - 14.459) < 0.0006);
        QVERIFY(std::abs(closedForm(ScheduleKind::H1F1B, times, 64, launch) - 14.459) < 0.0006);
        // The artifact counts the transfer once.
        QVERIFY(std::abs(idealTime(times, 64) - times.send[0] - 14.383) < 0.0006);
    }

    // The period that launch counts allow, (2) of the closed form, is the long-run one of the simulation.
    void periodOfLaunchCounts() {
        Random random(kScheduleNumbersSeed + 1);
        for (int n = 0; n < 240; ++n) {
            StageTimes times = test::acceptancePipeline(random).times;
            for (double& send : times.send)
                send *= 1.6;
            const ScheduleKind kind =
                std::array{ScheduleKind::OneFOneB, ScheduleKind::Eager, ScheduleKind::H1F1B}[random.below(3)];
            const LaunchRule rule = n % 2 == 0 ? LaunchRule::Artifact : LaunchRule::Ceil;
            // A multiple of 1 to 12 micro-batches, after which their patterns repeat.
            constexpr int kFew = 20000, kMore = kFew + 55440;
            const std::vector<int> launch = launchCounts(kind, rule, times, kMore);
            const double simulated =
                (makespan(times, kMore, launch) - makespan(times, kFew, launch)) / (kMore - kFew);
            const double closed =
                (closedForm(kind, times, kMore, launch) - closedForm(kind, times, kFew, launch)) /
                (kMore - kFew);
            QVERIFY2(std::abs(simulated / closed - 1.0) <= 1e-11,
                     qPrintable(QString("seed %1, pipeline %2: %3, closed form %4")
                                    .arg(kScheduleNumbersSeed + 1)
                                    .arg(n)
                                    .arg(simulated, 0, 'g', 15)
                                    .arg(closed, 0, 'g', 15)));
        }
    }

    // Brackets: the full range of each statistic over 200 seeds of an independent reference simulator.
    void randomPipelineStatistics() {
        struct Rule {
            const char* name;
            ScheduleKind kind;
            LaunchRule rule;
            double low[6], high[6]; // mean, median, p95, max, min in %, mean total in flight
        };
        const Rule rules[] = {
            {"h1f1b artifact",
             ScheduleKind::H1F1B,
             LaunchRule::Artifact,
             {-0.87, -0.40, 0.07, 5.5, -12.6, 21.5},
             {-0.69, -0.27, 0.66, 12.0, -7.8, 23.5}},
            {"h1f1b ceil",
             ScheduleKind::H1F1B,
             LaunchRule::Ceil,
             {-1.25, -0.65, 0.99, 9.4, -17.1, 25.9},
             {-0.96, -0.40, 1.90, 25.7, -10.6, 28.1}},
            {"1f1b",
             ScheduleKind::OneFOneB,
             LaunchRule::Artifact,
             {28.6, 25.2, 74.6, 97.0, -7.0, 16.4},
             {31.9, 31.6, 80.0, 127.0, -3.2, 17.6}},
            {"eager",
             ScheduleKind::Eager,
             LaunchRule::Artifact,
             {3.13, 0.00, 20.2, 28.1, -18.3, 27.9},
             {4.09, 0.00, 22.1, 35.4, -10.9, 30.2}},
        };
        const char* const statistics[] = {"mean", "median", "p95", "max", "min", "in flight"};
        for (const Rule& rule : rules) {
            Random random(kScheduleNumbersSeed);
            std::vector<double> excess;
            double inFlight = 0.0;
            for (int n = 0; n < 2000; ++n) {
                const test::RandomPipeline p = test::acceptancePipeline(random);
                Result<Simulation> run =
                    simulate(p.times, p.microbatches,
                             launchCounts(rule.kind, rule.rule, p.times, p.microbatches), {true, false});
                QVERIFY(run);
                // Sends never exceed the slowest stage here, so the ideal is sum t + 2 sum c + (B-1) max t.
                excess.push_back(100.0 * (run->makespan / idealTime(p.times, p.microbatches) - 1.0));
                for (int count : run->peakInFlight)
                    inFlight += count / 2000.0;
            }
            const Summary s = summarise(excess);
            const double got[6] = {s.mean, s.median, s.p95, s.max, s.min, inFlight};
            for (int i = 0; i < 6; ++i) {
                // A bracket printed as 0.00 stands for anything that rounds to it.
                const bool inside = got[i] >= rule.low[i] - 0.005 && got[i] <= rule.high[i] + 0.005;
                QVERIFY2(inside, qPrintable(QString("seed %1, %2, %3: %4")
                                                .arg(kScheduleNumbersSeed)
                                                .arg(rule.name, statistics[i])
                                                .arg(got[i])));
            }
        }
    }

    // The closed form that evaluation reports, with the period that launch counts allow: median error, median
    // of its size, and for 1F1B nothing above it. Brackets: the range over 60 seeds of 2000 pipelines, which
    // holds the reference's figures (-0.7 and 0.72, -0.3 and 0.40, -0.5 and 0.75, -0.6 and 0.81 %).
    void closedFormOfRandomPipelines() {
        struct Rule {
            const char* name;
            ScheduleKind kind;
            LaunchRule rule;
            double median[2], size[2]; // %
        };
        const Rule rules[] = {
            {"1f1b", ScheduleKind::OneFOneB, LaunchRule::Artifact, {-0.79, -0.63}, {0.63, 0.79}},
            {"h1f1b artifact", ScheduleKind::H1F1B, LaunchRule::Artifact, {-0.42, -0.29}, {0.35, 0.48}},
            {"h1f1b ceil", ScheduleKind::H1F1B, LaunchRule::Ceil, {-0.62, -0.47}, {0.73, 0.96}},
            {"eager", ScheduleKind::Eager, LaunchRule::Artifact, {-0.75, -0.51}, {0.68, 0.97}}};
        for (const Rule& rule : rules) {
            Random random(kScheduleNumbersSeed);
            std::vector<double> error, size;
            for (int n = 0; n < 2000; ++n) {
                const test::RandomPipeline p = test::acceptancePipeline(random);
                const std::vector<int> launch = launchCounts(rule.kind, rule.rule, p.times, p.microbatches);
                const double closed = closedForm(rule.kind, p.times, p.microbatches, launch);
                error.push_back(100.0 * (makespan(p.times, p.microbatches, launch) / closed - 1.0));
                size.push_back(std::abs(error.back()));
            }
            const Summary e = summarise(error), s = summarise(size);
            const QString what = QString("seed %1, %2: median %3, of its size %4, largest %5")
                                     .arg(kScheduleNumbersSeed)
                                     .arg(rule.name)
                                     .arg(e.median)
                                     .arg(s.median)
                                     .arg(e.max);
            QVERIFY2(e.median >= rule.median[0] && e.median <= rule.median[1], qPrintable(what));
            QVERIFY2(s.median >= rule.size[0] && s.median <= rule.size[1], qPrintable(what));
            if (rule.kind == ScheduleKind::OneFOneB)
                QVERIFY2(e.max <= 1e-9, qPrintable(what));
        }
    }
};

QTEST_APPLESS_MAIN(ScheduleNumbersTest)
#include "schedule_numbers_test.moc"
