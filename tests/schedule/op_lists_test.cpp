// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schedule/builders.h"
#include "tests/schedule/every_kind.h"
#include "tests/schedule/random_chunked.h"
#include "tests/schedule/random_pipeline.h"

#include <QTest>

#include <cmath>

using namespace pw;

namespace {

constexpr std::uint64_t kOpListsSeed = 31415;

StageTimes alikeStages(int stages, double forward, double backward) {
    const auto n = static_cast<std::size_t>(stages);
    return {std::vector<double>(n, forward), std::vector<double>(n, backward),
            std::vector<double>(n - 1, 0.0)};
}

} // namespace

// The general form of a schedule: lists that the simulator runs by the rules, whoever made them.
class OpListsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyKindObeysTheRules() {
        Random random(kOpListsSeed);
        for (int n = 0; n < 16; ++n) {
            const test::RandomPipeline base =
                n % 4 == 0 ? test::acceptancePipeline(random) : test::wildPipeline(random);
            for (const ScheduleKind kind : test::everyKind())
                for (const bool overlap : {true, false}) {
                    const int chunks = kind == ScheduleKind::Interleaved ? 2 + n % 3 : leastChunks(kind);
                    const int microbatches = kind == ScheduleKind::Interleaved
                                                 ? base.times.stages() * (1 + base.microbatches % 3)
                                                 : base.microbatches;
                    const ChunkedPipeline p = test::chunked(random, base.times, kind, chunks);
                    const Result<OpLists> lists =
                        opLists(kind, p, {microbatches, LaunchRule::Ceil, overlap, {}});
                    QVERIFY2(lists, lists ? "" : lists.error().message.c_str());
                    QCOMPARE(lists->split, splitsBackward(kind));
                    const Result<Simulation> run = simulate(p, microbatches, *lists, {overlap, true});
                    QVERIFY2(run, run ? "" : run.error().message.c_str());
                    const QString wrong = test::violation(p, microbatches, *lists, overlap, *run);
                    QVERIFY2(wrong.isEmpty(), qPrintable(QString("seed %1, pipeline %2, %3, overlap %4: %5")
                                                             .arg(kOpListsSeed)
                                                             .arg(n)
                                                             .arg(name(kind))
                                                             .arg(overlap)
                                                             .arg(wrong)));
                    const Result<Simulation> figures = simulate(p, microbatches, *lists, {overlap, false});
                    QVERIFY(figures);
                    QCOMPARE(figures->makespan, run->makespan);
                    QCOMPARE(figures->lastEnd, run->lastEnd);
                    QCOMPARE(figures->peakHeld, run->peakHeld);
                    QVERIFY(figures->ops.empty() && figures->transfers.empty());
                }
        }
    }

    // Two simulators, one set of rules.
    void launchCountsRunTheSameInBoth() {
        Random random(kOpListsSeed + 1);
        for (int n = 0; n < 40; ++n) {
            const test::RandomPipeline base = test::wildPipeline(random);
            const ChunkedPipeline p =
                chunkedPipeline(base.times, base.times.backward, 1, ChunkPlacement::Loop, 0.0);
            for (const ScheduleKind kind : test::everyKind())
                for (const bool overlap : {true, false}) {
                    if (!usesLaunchCounts(kind))
                        continue;
                    const std::vector<int> launch =
                        launchCounts(kind, LaunchRule::Artifact, base.times, base.microbatches);
                    const Result<Simulation> fast =
                        simulate(base.times, base.microbatches, launch, {overlap, true});
                    const Result<OpLists> lists = opLists(kind, p, {base.microbatches, LaunchRule::Artifact});
                    QVERIFY(fast && lists);
                    const Result<Simulation> general =
                        simulate(p, base.microbatches, *lists, {overlap, true});
                    QVERIFY(general);
                    QCOMPARE(general->makespan, fast->makespan);
                    QCOMPARE(general->firstStart, fast->firstStart);
                    QCOMPARE(general->lastEnd, fast->lastEnd);
                    QCOMPARE(general->peakInFlight, fast->peakInFlight);
                    QCOMPARE(general->ops.size(), fast->ops.size());
                    for (std::size_t i = 0; i < fast->ops.size(); ++i)
                        QVERIFY(general->ops[i].start == fast->ops[i].start &&
                                general->ops[i].microbatch == fast->ops[i].microbatch);
                    QCOMPARE(general->transfers.size(), fast->transfers.size());
                    for (std::size_t i = 0; i < fast->transfers.size(); ++i)
                        QVERIFY(general->transfers[i].end == fast->transfers[i].end &&
                                general->transfers[i].boundary == fast->transfers[i].boundary);
                }
        }
    }

    // (S-1)/(v B) of useful time and [2(S-1-i) + (v-1)S + 1]/v stage activations: arXiv 2104.04473,
    // 2205.05198.
    void interleavedClosedForms() {
        for (const int stages : {2, 4, 8})
            for (const int chunks : {2, 3, 4})
                for (const int groups : {2, 3, 5}) {
                    const int microbatches = stages * groups;
                    const ChunkedPipeline p =
                        chunkedPipeline(alikeStages(stages, 1.0, 2.0), {}, chunks, ChunkPlacement::Loop, 0.0);
                    const Result<OpLists> lists = opLists(ScheduleKind::Interleaved, p, {microbatches});
                    QVERIFY(lists);
                    const Result<Simulation> run = simulate(p, microbatches, *lists);
                    QVERIFY(run);
                    const double bubble = double(stages - 1) / (chunks * microbatches);
                    QVERIFY2(std::abs(run->makespan / (3.0 * microbatches) - 1.0 - bubble) < 1e-12,
                             qPrintable(QString::number(run->makespan)));
                    QVERIFY(std::abs(run->bubble() - bubble) < 1e-12);
                    QVERIFY(std::abs(closedForm(ScheduleKind::Interleaved, p, microbatches) - run->makespan) <
                            1e-9);
                    for (int i = 0; i < stages; ++i) {
                        const int expected = 2 * (stages - 1 - i) + (chunks - 1) * stages + 1;
                        QCOMPARE(run->peakInFlight[static_cast<std::size_t>(i)],
                                 std::min(expected, microbatches * chunks));
                        QVERIFY(std::abs(run->peakHeld[static_cast<std::size_t>(i)] -
                                         2.0 * std::min(expected, microbatches * chunks) / chunks) < 1e-9);
                    }
                }
    }

    // Waiting once for a forward and a backward costs less than waiting for either, and more than for none.
    void pairedTransfersAreWaitedForOnce() {
        StageTimes times = alikeStages(4, 1.0, 2.0);
        times.send.assign(3, 0.1);
        const ChunkedPipeline p = chunkedPipeline(times, {}, 2, ChunkPlacement::Loop, 0.1);
        const Result<OpLists> lists =
            opLists(ScheduleKind::Interleaved, p, {.microbatches = 16, .overlap = false});
        QVERIFY(lists);
        const auto makespan = [&](bool overlap, bool paired) {
            return simulate(p, 16, *lists, {.overlap = overlap, .keepOps = false, .paired = paired})
                ->makespan;
        };
        QVERIFY(makespan(true, false) < makespan(false, true));
        QVERIFY(makespan(false, true) < makespan(false, false));
        // At least 16 micro-batches of two chunks' backwards wait on some stage.
        QVERIFY(makespan(false, true) >= 48.0 + 2 * 16 * 0.1);
    }

    void interleavedTakesWholeGroups() {
        const ChunkedPipeline p = chunkedPipeline(alikeStages(4, 1, 2), {}, 2, ChunkPlacement::Loop, 0.0);
        const Result<OpLists> lists = opLists(ScheduleKind::Interleaved, p, {10});
        QVERIFY(!lists);
        QCOMPARE(lists.error().code, std::string("schedule.microbatches"));
        QCOMPARE(lists.error().kind, ErrorKind::BadInput);
    }

    void chunksAreOfTheKind() {
        for (const ScheduleKind kind : test::everyKind())
            for (const int chunks : {1, 2, 3}) {
                const ChunkedPipeline p =
                    chunkedPipeline(alikeStages(2, 1, 2), {}, chunks, chunkPlacement(kind), 0.0);
                const Result<OpLists> lists = opLists(kind, p, {4});
                QCOMPARE(bool(lists), chunks >= leastChunks(kind) && chunks <= mostChunks(kind));
                if (!lists)
                    QCOMPARE(lists.error().code, std::string("schedule.chunks"));
            }
    }

    void placements() {
        ChunkedPipeline p;
        p.stages = 3;
        p.chunks = 2;
        const auto order = [&] {
            std::vector<int> stages;
            for (int v = 0; v < p.virtualStages(); ++v) {
                stages.push_back(p.stageOf(v));
                if (p.virtualStage(p.stageOf(v), p.chunkOf(v)) != v)
                    return std::vector<int>{};
            }
            return stages;
        };
        QCOMPARE(order(), (std::vector<int>{0, 1, 2, 0, 1, 2}));
        p.placement = ChunkPlacement::Zigzag;
        QCOMPARE(order(), (std::vector<int>{0, 1, 2, 2, 1, 0}));
    }

    void listsThatWaitInACircle() {
        const ChunkedPipeline p = chunkedPipeline(alikeStages(2, 1, 2), {}, 1, ChunkPlacement::Loop, 0.0);
        OpLists lists = launchCountLists({2, 1}, 2, false);
        lists.stages[0] = {{0, 0, OpKind::Forward},
                           {0, 0, OpKind::Backward},
                           {1, 0, OpKind::Forward},
                           {1, 0, OpKind::Backward}};
        lists.stages[1] = {{0, 0, OpKind::Forward},
                           {1, 0, OpKind::Forward},
                           {0, 0, OpKind::Backward},
                           {1, 0, OpKind::Backward}};
        const Result<Simulation> run = simulate(p, 2, lists);
        QVERIFY(!run);
        QCOMPARE(run.error().code, std::string("schedule.deadlock"));
        QCOMPARE(run.error().reasons.size(), 2u);
        QCOMPARE(run.error().reasons[0].text(),
                 std::string("stage 0 waits for the gradient of micro-batch 0, chunk 0"));
        QCOMPARE(run.error().reasons[1].text(),
                 std::string("stage 1 waits for the activation of micro-batch 1, chunk 0"));
    }

    void badListsAreRefused() {
        const ChunkedPipeline p = chunkedPipeline(alikeStages(2, 1, 2), {}, 1, ChunkPlacement::Loop, 0.0);
        const auto code = [&](const OpLists& lists) {
            const Result<Simulation> run = simulate(p, 2, lists);
            return run ? std::string() : run.error().code;
        };
        const OpLists good = launchCountLists({2, 1}, 2, true);
        QCOMPARE(code(good), std::string());
        OpLists lists = good;
        lists.stages.pop_back();
        QCOMPARE(code(lists), std::string("schedule.input"));
        lists = good;
        lists.stages[0].pop_back();
        QCOMPARE(code(lists), std::string("schedule.ops"));
        lists = good;
        lists.stages[0].back() = lists.stages[0].front(); // twice
        QCOMPARE(code(lists), std::string("schedule.ops"));
        lists = good;
        std::swap(lists.stages[1][0], lists.stages[1][1]); // backward before forward
        QCOMPARE(code(lists), std::string("schedule.ops"));
        lists = good;
        lists.stages[1][0].microbatch = 2;
        QCOMPARE(code(lists), std::string("schedule.ops"));
        lists = good;
        lists.stages[1][0].chunk = 1;
        QCOMPARE(code(lists), std::string("schedule.ops"));
        for (const double figure : {-1.0, double(INFINITY), double(NAN)}) {
            ChunkedPipeline brokenPass = p, brokenSend = p;
            brokenPass.weightGrad[1] = figure;
            brokenSend.send[0] = figure;
            for (const ChunkedPipeline& broken : {brokenPass, brokenSend}) {
                const Result<Simulation> run = simulate(broken, 2, good);
                QVERIFY2(!run && run.error().code == "schedule.input", qPrintable(QString::number(figure)));
            }
        }
    }
};

QTEST_APPLESS_MAIN(OpListsTest)
#include "op_lists_test.moc"
