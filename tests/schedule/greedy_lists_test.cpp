// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schedule/list_schedulers.h"
#include "tests/schedule/exhaustive_v.h"
#include "tests/schedule/random_chunked.h"
#include "tests/schedule/random_pipeline.h"

#include <QTest>

using namespace pw;

namespace {

constexpr std::uint64_t kGreedyListsSeed = 118122;
constexpr double kRounding = 1e-9;

// When the input of each forward and backward is there, by virtual stage, micro-batch and kind.
using Inputs = std::map<std::tuple<int, int, OpKind>, double>;

Inputs inputsOf(const ChunkedPipeline& p, const Simulation& run) {
    Inputs inputs;
    for (const Op& op : run.ops) {
        const int v = p.virtualStage(op.stage, op.chunk);
        if (op.kind == OpKind::Forward && v == 0)
            inputs[{0, op.microbatch, OpKind::Forward}] = 0.0;
        if (op.kind == OpKind::Forward && v + 1 == p.virtualStages())
            inputs[{v, op.microbatch, OpKind::Backward}] = op.end;
        else if (op.kind == OpKind::Forward)
            inputs[{v + 1, op.microbatch, OpKind::Forward}] = op.end;
        else if (op.kind == OpKind::Backward && v > 0)
            inputs[{v - 1, op.microbatch, OpKind::Backward}] = op.end;
    }
    for (const Transfer& t : run.transfers)
        inputs[{t.kind == OpKind::Forward ? t.boundary + 1 : t.boundary, t.microbatch, t.kind}] = t.end;
    return inputs;
}

// The first pass that could have run while its stage stood idle; nothing if there is none.
QString idled(const ChunkedPipeline& p, const Simulation& run) {
    const Inputs inputs = inputsOf(p, run);
    for (std::size_t i = 0; i < run.ops.size(); ++i) {
        const Op& op = run.ops[i];
        const double free = i > 0 && run.ops[i - 1].stage == op.stage ? run.ops[i - 1].end : 0.0;
        if (op.start <= free + kRounding)
            continue;
        for (std::size_t later = i + 1; later < run.ops.size() && run.ops[later].stage == op.stage; ++later) {
            const Op& other = run.ops[later];
            if (other.kind == OpKind::WeightGrad)
                continue;
            const int v = p.virtualStage(other.stage, other.chunk);
            const double there = inputs.at({v, other.microbatch, other.kind});
            if (there < op.start - kRounding)
                return QString(
                           "stage %1 waited until %2 for a pass of micro-batch %3 in chunk %4, while that of "
                           "micro-batch %5 in chunk %6 was there at %7")
                    .arg(op.stage)
                    .arg(op.start)
                    .arg(op.microbatch)
                    .arg(op.chunk)
                    .arg(other.microbatch)
                    .arg(other.chunk)
                    .arg(there);
        }
    }
    return {};
}

StageTimes sendingStages(int stages, double forward, double backward, double send) {
    const auto n = static_cast<std::size_t>(stages);
    return {std::vector<double>(n, forward), std::vector<double>(n, backward),
            std::vector<double>(n - 1, send)};
}

// Kind, chunk and micro-batch of each pass.
QString textOf(const std::vector<Pass>& list) {
    QStringList words;
    for (const Pass& pass : list)
        words.append(QString("%1%2.%3")
                         .arg(QChar("FBW"[static_cast<int>(pass.kind)]))
                         .arg(pass.chunk)
                         .arg(pass.microbatch));
    return words.join(' ');
}

// Each micro-batch through all of its passes before the next.
OpLists oneAfterTheOther(const ChunkedPipeline& p, int microbatches) {
    OpLists lists;
    lists.split = true;
    for (int d = 0; d < p.stages; ++d) {
        std::vector<Pass>& list = lists.stages.emplace_back();
        for (int m = 0; m < microbatches; ++m) {
            for (int c = 0; c < p.chunks; ++c)
                list.push_back({m, static_cast<std::int16_t>(c), OpKind::Forward});
            for (int c = p.chunks - 1; c >= 0; --c)
                for (const OpKind kind : {OpKind::Backward, OpKind::WeightGrad})
                    list.push_back({m, static_cast<std::int16_t>(c), kind});
        }
    }
    return lists;
}

} // namespace

// The list schedulers by themselves: zeroBubbleLists() takes the best of many policies, so that a poor one of
// them is not seen there.
class GreedyListsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // With memory for everything and a policy that waits for nothing, no stage idles beside a pass of any of
    // its chunks that could run.
    void noStageIdlesBesideWork() {
        Random random(kGreedyListsSeed);
        for (int n = 0; n < 60; ++n) {
            const test::RandomPipeline base = test::wildPipeline(random);
            const ScheduleKind kind = n % 3 == 0 ? ScheduleKind::Zb1p : ScheduleKind::ZbV;
            const ChunkedPipeline p = test::chunked(random, base.times, kind, leastChunks(kind));
            const std::vector<double> limit(static_cast<std::size_t>(p.stages), 1e12);
            GreedyPolicy policy;
            policy.alternate = n % 2 == 0;
            policy.deepForwards = random.below(2) == 0;
            policy.deepBackwards = random.below(2) == 0;
            const OpLists lists = greedyLists(p, base.microbatches, limit, true, policy, nullptr);
            const Result<Simulation> run = simulate(p, base.microbatches, lists);
            QVERIFY2(run, run ? "" : run.error().message.c_str());
            const QString wrong = idled(p, *run);
            QVERIFY2(wrong.isEmpty(),
                     qPrintable(QString("seed %1, pipeline %2: %3").arg(kGreedyListsSeed).arg(n).arg(wrong)));
        }
    }

    // What counts is how times stand to each other, and how figures of memory do.
    void unitsMakeNoDifference() {
        Random random(kGreedyListsSeed + 2);
        constexpr double kSmaller = 1.0 / 1024.0; // a power of two: nothing is rounded
        for (int n = 0; n < 60; ++n) {
            const test::RandomPipeline base = test::wildPipeline(random);
            const int microbatches = base.microbatches;
            const ChunkedPipeline p = test::chunked(random, base.times, ScheduleKind::ZbV, 2);
            std::vector<double> limit;
            limit.reserve(static_cast<std::size_t>(p.stages));
            for (int d = 0; d < p.stages; ++d)
                limit.push_back(random.uniform(4.0, 4.0 + 4.0 * p.stages));
            const bool overlap = random.below(2) == 0;
            GreedyPolicy greedy;
            greedy.reserve = random.uniform(0.5, 4.0);
            const double stretch = random.uniform(1.0, 1.5);
            const auto lists = [&](const ChunkedPipeline& pipeline, const std::vector<double>& most) {
                const OpLists period = periodLists(pipeline, microbatches, overlap, {stretch});
                std::vector<std::vector<std::vector<Pass>>> all = {
                    greedyLists(pipeline, microbatches, most, overlap, greedy, nullptr).stages,
                    roundLists(pipeline, microbatches, most, overlap, {}, nullptr).stages, period.stages};
                if (!period.stages.empty())
                    all.push_back(followedLists(pipeline, microbatches, most, overlap, period,
                                                {PeriodPolicy{stretch}, false, greedy}, nullptr)
                                      .stages);
                return all;
            };
            ChunkedPipeline other = p;
            for (std::vector<double>* figures : {&other.forward, &other.inputGrad, &other.weightGrad,
                                                 &other.send, &other.held, &other.released})
                for (double& figure : *figures)
                    figure *= kSmaller;
            std::vector<double> otherLimit = limit;
            for (double& most : otherLimit)
                most *= kSmaller;
            QVERIFY2(lists(p, limit) == lists(other, otherLimit),
                     qPrintable(QString("seed %1, pipeline %2").arg(kGreedyListsSeed + 2).arg(n)));
        }
    }

    // With memory for everything, no stage runs fewer forwards before its first gradient than the one before
    // it, where that gradient is earlier.
    void roundsLevelTheStages() {
        Random random(kGreedyListsSeed + 3);
        for (int n = 0; n < 300; ++n) {
            const test::RandomPipeline base = test::wildPipeline(random);
            if (base.times.stages() == 1)
                continue;
            const ChunkedPipeline p = test::chunked(random, base.times, ScheduleKind::ZbV, 2);
            const std::vector<double> limit(static_cast<std::size_t>(p.stages), 1e12);
            const std::vector<int> counts =
                forwardsBeforeBackward(roundLists(p, base.microbatches, limit, true, {}, nullptr));
            QVERIFY2(std::is_sorted(counts.begin(), counts.end()),
                     qPrintable(QString("seed %1, pipeline %2").arg(kGreedyListsSeed + 3).arg(n)));
        }
    }

    // Two stages of two chunks, all passes and sends of 1 s: the busiest stage works 6 s a micro-batch. The
    // first gradient gets to stage 0 at 6 s, where it runs the next micro-batch's forward from 6 s on, so it
    // starts at 7 s; the last one's input is there at 13 s, when a gradient runs, so it starts at 14 s.
    void periodsRepeatOneMicrobatch() {
        const ChunkedPipeline p =
            chunkedPipeline(sendingStages(2, 2.0, 4.0, 1.0), {}, 2, ChunkPlacement::Zigzag, 0.0);
        const OpLists lists = periodLists(p, 3, true, {1.0});
        QCOMPARE(lists.stages.size(), 2u);
        QCOMPARE(textOf(lists.stages[0]), "F0.0 F1.0 F0.1 B1.0 F1.1 F0.2 B1.1 B0.0 F1.2 B1.2 B0.1 B0.2");
        QCOMPARE(textOf(lists.stages[1]), "F0.0 F1.0 F0.1 F1.1 B1.0 B0.0 F0.2 F1.2 B1.1 B0.1 B1.2 B0.2");
    }

    // Stage 0 has four passes of 1 s and the second comes 2.5 s after the first: a period of 4 s has no place
    // for all of them, one of 6 s has.
    void periodTooFull() {
        const ChunkedPipeline p =
            chunkedPipeline({{2.0, 1.5}, {2.0, 1.5}, {0.0}}, {0.0, 0.0}, 2, ChunkPlacement::Zigzag, 0.0);
        QVERIFY(periodLists(p, 3, true, {1.0}).stages.empty());
        QCOMPARE(periodLists(p, 3, true, {1.5}).stages.size(), 2u);
    }

    // To the end, or until the last forward: from there on gradients in the order in which they are there.
    void orderIsFollowed() {
        const ChunkedPipeline p =
            chunkedPipeline(sendingStages(1, 1.0, 2.0, 0.0), {}, 1, ChunkPlacement::Loop, 0.0);
        OpLists order;
        order.stages = {{{0, 0, OpKind::Forward},
                         {1, 0, OpKind::Forward},
                         {2, 0, OpKind::Forward},
                         {2, 0, OpKind::Backward},
                         {1, 0, OpKind::Backward},
                         {0, 0, OpKind::Backward}}};
        const auto followed = [&](bool toTheEnd) {
            const OpLists lists =
                followedLists(p, 3, {6.0}, true, order, FollowPolicy{RoundPolicy{}, toTheEnd, {}}, nullptr);
            return textOf(lists.stages.at(0));
        };
        QCOMPARE(followed(true), "F0.0 F0.1 F0.2 B0.2 B0.1 B0.0 W0.2 W0.1 W0.0");
        QCOMPARE(followed(false), "F0.0 F0.1 F0.2 B0.0 B0.1 B0.2 W0.0 W0.1 W0.2");
    }

    // Two stages, two micro-batches: the smallest largest span that any V reaches within the limits, from
    // lists that run one micro-batch after the other.
    void movesGetToTheOptimum() {
        Random random(kGreedyListsSeed + 1);
        for (int n = 0; n < 40; ++n) {
            StageTimes times;
            for (int d = 0; d < 2; ++d) {
                times.forward.push_back(random.uniform(0.1, 1.0));
                times.backward.push_back(random.uniform(0.2, 2.0));
            }
            times.send = {n % 3 == 0 ? 0.0 : random.uniform(0.0, 0.5)};
            const ChunkedPipeline p = chunkedPipeline(times, {}, 2, ChunkPlacement::Zigzag, 0.0);
            const std::vector<double> limit{random.uniform(2.0, 5.0), random.uniform(2.0, 5.0)};
            const double least = test::ExhaustiveV(p, 2, limit).span(100.0);
            const OpLists lists = improvedLists(p, 2, limit, true, oneAfterTheOther(p, 2),
                                                least * (1.0 + kRounding), 1e5, nullptr);
            const Result<Simulation> run = simulate(p, 2, lists);
            QVERIFY(run);
            const double found = run->largestSpan();
            QVERIFY2(std::abs(found - least) <= 2.0 * kRounding * least,
                     qPrintable(QString("seed %1, pipeline %2: %3, optimum %4")
                                    .arg(kGreedyListsSeed + 1)
                                    .arg(n)
                                    .arg(found)
                                    .arg(least)));
            for (std::size_t d = 0; d < limit.size(); ++d)
                QVERIFY(run->peakHeld[d] <= limit[d] * (1.0 + 2.0 * kRounding));
        }
    }
};

QTEST_APPLESS_MAIN(GreedyListsTest)
#include "greedy_lists_test.moc"
