// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schedule/builders.h"
#include "core/schedule/span_bound.h"
#include "tests/schedule/random_chunked.h"
#include "tests/schedule/random_pipeline.h"

#include <QTest>

#include <cmath>

using namespace pw;

namespace {

constexpr std::uint64_t kZeroBubbleSeed = 240110241;

StageTimes stagesOf(int stages, double forward, double backward) {
    const auto n = static_cast<std::size_t>(stages);
    return {std::vector<double>(n, forward), std::vector<double>(n, backward),
            std::vector<double>(n - 1, 0.0)};
}

Simulation run(ScheduleKind kind, const ChunkedPipeline& p, const ListRequest& request) {
    const Result<OpLists> lists = opLists(kind, p, request);
    if (!lists)
        return {};
    const Result<Simulation> result = simulate(p, request.microbatches, *lists, {.overlap = request.overlap});
    return result ? *result : Simulation{};
}

Simulation run(ScheduleKind kind, const StageTimes& times, const std::vector<double>& weight,
               int microbatches) {
    return run(kind, chunkedPipeline(times, weight, leastChunks(kind), chunkPlacement(kind), 0.0),
               {microbatches});
}

double largest(const std::vector<double>& values) {
    return *std::max_element(values.begin(), values.end());
}

} // namespace

// The zero-bubble schedules of arXiv 2401.10241: the figures of the equal case, and what holds for any
// pipeline. A forward holds 2, either backward pass releases 1, S stages may hold 2S each.
class ZeroBubbleTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // 8 stages, 24 micro-batches, F = B = W, free links.
    void equalCase() {
        const StageTimes times = stagesOf(8, 1.0, 2.0);
        const Simulation h1 = run(ScheduleKind::ZbH1, times, {}, 24);
        QVERIFY(std::abs(h1.bubble() - 7.0 / 72.0) < 1e-12);
        QCOMPARE(largest(h1.peakHeld), 16.0);

        const Simulation one = run(ScheduleKind::Zb1p, times, {}, 24);
        QVERIFY2(one.bubble() <= 0.098, qPrintable(QString::number(one.bubble())));
        QVERIFY(one.bubble() >= 7.0 / 72.0 - 1e-12); // the floor under this memory rule
        QVERIFY(largest(one.peakHeld) <= 16.0);
        QVERIFY(*std::max_element(one.peakInFlight.begin(), one.peakInFlight.end()) <= 8);

        const Simulation two = run(ScheduleKind::Zb2p, times, {}, 24);
        QVERIFY2(two.bubble() <= 0.001, qPrintable(QString::number(two.bubble())));
        QVERIFY(largest(two.peakHeld) <= 32.0);
        QCOMPARE(two.peakInFlight[0], 15); // 2S - 1
        QCOMPARE(two.makespan, 79.0);      // the last stage cannot start before 7

        const Simulation v = run(ScheduleKind::ZbV, times, {}, 24);
        QVERIFY2(v.bubble() <= 0.001, qPrintable(QString::number(v.bubble())));
        QVERIFY(largest(v.peakHeld) <= 16.0); // 1F1B's
    }

    // (S-1)(F+B-W) on the first stage, and no stage holds more than 1F1B's first.
    void handMadeClosedForm() {
        for (const int stages : {2, 4, 8, 16})
            for (const double weight : {0.5, 1.0, 1.25}) { // F + B >= 2W below, so that no W is in the way
                const double forward = 1.25, inputGrad = 1.5;
                const std::vector<double> weights(static_cast<std::size_t>(stages), weight);
                const int microbatches = 4 * stages;
                const Simulation h1 = run(ScheduleKind::ZbH1, stagesOf(stages, forward, inputGrad + weight),
                                          weights, microbatches);
                const double useful = microbatches * (forward + inputGrad + weight);
                const double bubble = (stages - 1) * (forward + inputGrad - weight);
                QVERIFY2(std::abs(h1.largestSpan() - useful - bubble) < 1e-9,
                         qPrintable(QString("%1 stages, W %2: %3, expected %4")
                                        .arg(stages)
                                        .arg(weight)
                                        .arg(h1.largestSpan() - useful)
                                        .arg(bubble)));
                QCOMPARE(largest(h1.peakHeld), 2.0 * stages);
                const ChunkedPipeline p = chunkedPipeline(stagesOf(stages, forward, inputGrad + weight),
                                                          weights, 1, ChunkPlacement::Loop, 0.0);
                QVERIFY(std::abs(closedForm(ScheduleKind::ZbH1, p, microbatches) - h1.largestSpan()) < 1e-9);
                QVERIFY(std::abs(closedForm(ScheduleKind::Zb2p, p, microbatches) - useful) < 1e-9);
            }
    }

    void memoryNeverAboveTheLimit() {
        Random random(kZeroBubbleSeed);
        for (int n = 0; n < 40; ++n) {
            const test::RandomPipeline base = test::wildPipeline(random);
            for (const ScheduleKind kind : {ScheduleKind::Zb1p, ScheduleKind::Zb2p, ScheduleKind::ZbV}) {
                const ChunkedPipeline p = test::chunked(random, base.times, kind, leastChunks(kind));
                ListRequest request{base.microbatches, LaunchRule::Artifact, n % 2 == 0, {}};
                for (int d = 0; d < p.stages; ++d) {
                    double one = 0.0;
                    for (int c = 0; c < p.chunks; ++c)
                        one += p.held[static_cast<std::size_t>(p.virtualStage(d, c))];
                    request.memoryLimit.push_back(one * random.uniform(1.0, 4.0));
                }
                const Simulation found = run(kind, p, request);
                QCOMPARE(found.peakHeld.size(), static_cast<std::size_t>(p.stages)); // each pass ran once
                for (std::size_t d = 0; d < found.peakHeld.size(); ++d)
                    QVERIFY2(
                        found.peakHeld[d] <= request.memoryLimit[d] * (1.0 + 1e-8),
                        qPrintable(
                            QString("seed %1, pipeline %2, %3").arg(kZeroBubbleSeed).arg(n).arg(name(kind))));
            }
        }
    }

    void limitBelowOneMicrobatchIsInfeasible() {
        for (const ScheduleKind kind : {ScheduleKind::Zb1p, ScheduleKind::Zb2p, ScheduleKind::ZbV}) {
            const ChunkedPipeline p =
                chunkedPipeline(stagesOf(2, 1, 2), {}, leastChunks(kind), chunkPlacement(kind), 0.0);
            const Result<OpLists> lists = opLists(kind, p, {4, LaunchRule::Artifact, true, {2.0, 1.9}});
            QVERIFY(!lists);
            QCOMPARE(lists.error().code, std::string("schedule.memory"));
            QCOMPARE(lists.error().kind, ErrorKind::Infeasible);
            QVERIFY(opLists(kind, p, {4, LaunchRule::Artifact, true, {2.0, 2.0}}));
        }
    }

    void stops() {
        const ChunkedPipeline p = chunkedPipeline(stagesOf(8, 1, 2.5), {}, 1, ChunkPlacement::Loop, 0.0);
        int asked = 0;
        const std::function<bool()> later = [&asked] { return ++asked > 2; };
        ListRequest request{2000};
        request.stop = &later;
        const Result<OpLists> lists = opLists(ScheduleKind::Zb1p, p, request);
        QVERIFY(!lists);
        QCOMPARE(lists.error().code, std::string("schedule.stopped"));
        QCOMPARE(lists.error().kind, ErrorKind::Stopped);
        const Result<Simulation> half =
            simulate(p, 2000, zbH1Lists(8, 2000, 8), {.overlap = true, .keepOps = false, .stop = &later});
        QVERIFY(!half);
        QCOMPARE(half.error().code, std::string("schedule.stopped"));
    }

    // Unequal stages, slow links, with and without overlap: in largest span, makespan and bubble.
    void neverWorseThanSplit1F1B() {
        Random random(kZeroBubbleSeed + 1);
        for (int n = 0; n < 48; ++n) {
            const test::RandomPipeline base =
                n % 2 == 0 ? test::acceptancePipeline(random) : test::wildPipeline(random);
            const ChunkedPipeline p = test::chunked(random, base.times, ScheduleKind::Zb1p, 1);
            const bool overlap = n % 3 != 0;
            const std::vector<int> launch =
                launchCounts(ScheduleKind::OneFOneB, LaunchRule::Artifact, base.times, base.microbatches);
            const Result<Simulation> yardstick =
                simulate(p, base.microbatches, launchCountLists(launch, base.microbatches, true),
                         {.overlap = overlap});
            QVERIFY(yardstick);
            for (const ScheduleKind kind : {ScheduleKind::Zb1p, ScheduleKind::Zb2p}) {
                const Simulation found = run(kind, p, {base.microbatches, LaunchRule::Artifact, overlap, {}});
                const QByteArray what = QString("seed %1, pipeline %2, %3")
                                            .arg(kZeroBubbleSeed + 1)
                                            .arg(n)
                                            .arg(name(kind))
                                            .toUtf8();
                QVERIFY2(!found.ops.empty(), what.constData());
                QVERIFY2(found.largestSpan() <= yardstick->largestSpan() * (1 + 1e-9), what.constData());
                QVERIFY2(found.makespan <= yardstick->makespan * (1 + 1e-9), what.constData());
                QVERIFY2(found.bubble() <= yardstick->bubble() + 1e-9, what.constData());
            }
        }
    }

    // Beyond the rule of zeroBubbleLists(), without overlap or with chunks of a stage that differ by up to
    // three times in every figure: no more than 5 % above 1F1B with split backward whose links carry as much.
    void vBeyondItsRule() {
        Random random(kZeroBubbleSeed + 3);
        for (int n = 0; n < 240; ++n) {
            const test::RandomPipeline base = test::acceptancePipeline(random);
            const StageTimes& times = base.times;
            std::vector<double> weight;
            for (const double b : times.backward)
                weight.push_back(b * random.uniform(0.25, 0.75));
            ChunkedPipeline p = chunkedPipeline(times, weight, 2, chunkPlacement(ScheduleKind::ZbV), 0.0);
            const bool overlap = n % 2 == 0;
            for (int d = 0; d < p.stages && overlap; ++d) {
                const auto first = static_cast<std::size_t>(p.virtualStage(d, 0));
                const auto second = static_cast<std::size_t>(p.virtualStage(d, 1));
                for (std::vector<double>* figure : {&p.forward, &p.inputGrad, &p.weightGrad, &p.held}) {
                    const double share = random.uniform(0.5, 1.5);
                    (*figure)[first] *= share;
                    (*figure)[second] *= 2.0 - share;
                }
                p.released[first] = 0.5 * p.held[first];
                p.released[second] = 0.5 * p.held[second];
            }
            const int microbatches = std::min(base.microbatches, 64);
            const Simulation found =
                run(ScheduleKind::ZbV, p, {microbatches, LaunchRule::Artifact, overlap, {}});
            QVERIFY(!found.ops.empty());
            const std::vector<double> limit(static_cast<std::size_t>(p.stages), 2.0 * p.stages);
            QVERIFY(spanBoundOfV(p, microbatches, limit, overlap) <= found.largestSpan() * (1 + 1e-9));
            const std::vector<int> launch =
                launchCounts(ScheduleKind::OneFOneB, LaunchRule::Artifact, times, microbatches);
            const Result<Simulation> yardstick =
                simulate(wholeStages(p, 1.0), microbatches, launchCountLists(launch, microbatches, true),
                         {.overlap = overlap});
            QVERIFY(yardstick);
            QVERIFY2(found.largestSpan() <= yardstick->largestSpan() * 1.05,
                     qPrintable(QString("seed %1, pipeline %2: %3 of 1F1B's")
                                    .arg(kZeroBubbleSeed + 3)
                                    .arg(n)
                                    .arg(found.largestSpan() / yardstick->largestSpan())));
        }
    }

    // Where putting off weight gradients by as many micro-batches as published only makes the end later.
    void handMadeNoWorseThanSplit1F1B() {
        const StageTimes times{{0.5, 0.5, 0.5, 4}, {0.2, 0.2, 3.2, 4.2}, {0, 0, 0}};
        const std::vector<double> weight{0.1, 0.1, 3, 0.2};
        const ChunkedPipeline p = chunkedPipeline(times, weight, 1, ChunkPlacement::Loop, 0.0);
        const auto span = [&p](const OpLists& lists) { return simulate(p, 8, lists)->largestSpan(); };
        const double published = span(zbH1Lists(4, 8, 4)), none = span(zbH1Lists(4, 8, 0));
        QVERIFY2(published > none + 0.1, qPrintable(QString("%1 %2").arg(published).arg(none)));
        QVERIFY(run(ScheduleKind::ZbH1, p, {8}).largestSpan() <= none);
        const ChunkedPipeline equal = chunkedPipeline(stagesOf(4, 1, 2), {}, 1, ChunkPlacement::Loop, 0.0);
        const Result<OpLists> lists = opLists(ScheduleKind::ZbH1, equal, {8});
        QVERIFY(lists);
        QCOMPARE(lists->stages, zbH1Lists(4, 8, 4).stages);
    }

    // At the memory of 1F1B, 16 stages of two layers, 48 micro-batches: below ZB-1p, which is below 1F1B.
    void vBelowOneChunk() {
        StageTimes times = stagesOf(16, 7.2, 14.4);
        for (std::size_t d : {0u, 15u}) {
            times.forward[d] *= 0.95;
            times.backward[d] *= 0.95;
        }
        for (const double send : {0.3, 1.0, 2.0, 3.0}) {
            std::fill(times.send.begin(), times.send.end(), send);
            const Simulation v = run(ScheduleKind::ZbV, times, {}, 48);
            const double one = run(ScheduleKind::Zb1p, times, {}, 48).largestSpan();
            QVERIFY2(v.largestSpan() <= one,
                     qPrintable(QString("send %1: %2, ZB-1p %3").arg(send).arg(v.largestSpan()).arg(one)));
            QVERIFY(largest(v.peakHeld) <= 32.0 + 1e-9);
        }
    }

    // An embedding alone as the first chunk takes next to no time or memory; its stage must not flood the
    // next.
    void vWithNearlyEmptyFirstChunk() {
        StageTimes times = stagesOf(16, 26.0, 51.0);
        std::fill(times.send.begin(), times.send.end(), 0.3);
        ChunkedPipeline p = chunkedPipeline(times, {}, 2, chunkPlacement(ScheduleKind::ZbV), 0.0);
        for (std::vector<double>* figure : {&p.forward, &p.inputGrad, &p.weightGrad, &p.held, &p.released})
            figure->front() *= 0.001;
        const Simulation v = run(ScheduleKind::ZbV, p, {48});
        const double busiest = largest(v.busy);
        QVERIFY2(v.largestSpan() <= 1.05 * busiest, qPrintable(QString::number(v.largestSpan() / busiest)));
    }

    // No policy finds a V as short as 1F1B here; moving single passes of the best does.
    void vMovedPassByPass() {
        const auto span = [](const StageTimes& times, const std::vector<double>& weight, int microbatches) {
            return run(ScheduleKind::ZbV, times, weight, microbatches).largestSpan();
        };
        QVERIFY(span({{12, 6}, {8, 10}, {0}}, {2, 8}, 3) <= 60.0 + 1e-9); // the work of stage 0
        QVERIFY(span({{10, 8}, {10, 6}, {0}}, {2, 4}, 8) <= 160.0 + 1e-9);
    }

    // Work is counted by how often it asks whether to stop: at each policy, every 8192 events of one, of
    // which a pass causes two at most, and at each move.
    void effortIsBounded() {
        int asked = 0;
        const std::function<bool()> never = [&asked] {
            ++asked;
            return false;
        };
        const auto asks = [&](ScheduleKind kind, const StageTimes& times, const std::vector<double>& weight,
                              int microbatches) {
            asked = 0;
            ListRequest request{microbatches};
            request.stop = &never;
            return run(kind, chunkedPipeline(times, weight, leastChunks(kind), chunkPlacement(kind), 0.0),
                       request)
                           .ops.empty()
                       ? 0
                       : asked;
        };
        // A slow link keeps it from the bound, so that all 72 policies are tried in a short run, and as many
        // as place some 1,000,000 passes in a long one.
        const StageTimes slow{{1, 1}, {2, 2}, {1.5}};
        QCOMPARE(asks(ScheduleKind::Zb1p, slow, {}, 100), 72 + 1);
        // Events of a policy: each pass and each send, and the start of either stage.
        const auto policies = [&](int count, int microbatches) {
            return count * (1 + (2 + (6 + 2) * microbatches) / 8192) + 1;
        };
        QCOMPARE(asks(ScheduleKind::Zb1p, slow, {}, 10000), policies(17, 10000)); // 60,000 passes each
        // Seven would place that many here; eight run in any case.
        QCOMPARE(asks(ScheduleKind::Zb1p, slow, {}, 25000), policies(8, 25000));
        // Where sends are longer than half the shortest forward of a chunk, 500,000 passes of 36 a
        // simulation, and a move costs a tenth of one at least, towards 1F1B whose sends are as long; it is
        // below that whose links carry as much.
        const int moved = asks(ScheduleKind::ZbV, {{12, 12}, {6, 16}, {8}}, {2, 12}, 3);
        QVERIFY2(moved > 1000 && moved < 500'000 * 10 / 36 + 100, qPrintable(QString::number(moved)));
    }

    // More memory never costs time, and on the acceptance distribution the searched kinds gain what they are
    // for. ZB-V sends twice as much, so it is compared where links are free.
    void gainOverSplit1F1B() {
        Random random(kZeroBubbleSeed + 2);
        double sum[4] = {};
        constexpr int kPipelines = 20;
        for (int n = 0; n < kPipelines; ++n) {
            test::RandomPipeline base = test::acceptancePipeline(random);
            const int microbatches = std::min(base.microbatches, 32);
            std::fill(base.times.send.begin(), base.times.send.end(), 0.0);
            const ChunkedPipeline p = chunkedPipeline(base.times, {}, 1, ChunkPlacement::Loop, 0.0);
            const std::vector<int> launch =
                launchCounts(ScheduleKind::OneFOneB, LaunchRule::Artifact, base.times, microbatches);
            const Result<Simulation> split =
                simulate(p, microbatches, launchCountLists(launch, microbatches, true));
            QVERIFY(split);
            const double busiest = largest(split->busy);
            sum[0] += split->largestSpan() / busiest - 1.0;
            int k = 1;
            for (const ScheduleKind kind : {ScheduleKind::Zb1p, ScheduleKind::Zb2p, ScheduleKind::ZbV})
                sum[k++] += run(kind, base.times, {}, microbatches).largestSpan() / busiest - 1.0;
        }
        const auto message = QString("1F1B split %1, ZB-1p %2, ZB-2p %3, ZB-V %4 % above the busiest stage")
                                 .arg(sum[0])
                                 .arg(sum[1])
                                 .arg(sum[2])
                                 .arg(sum[3]);
        QVERIFY2(sum[1] < 0.75 * sum[0], qPrintable(message));
        QVERIFY2(sum[2] < 0.1 * sum[0], qPrintable(message));
        QVERIFY2(sum[3] < 0.3 * sum[0], qPrintable(message));
    }
};

QTEST_APPLESS_MAIN(ZeroBubbleTest)
#include "zero_bubble_test.moc"
