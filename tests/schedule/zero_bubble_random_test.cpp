// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/random.h"
#include "core/schedule/builders.h"
#include "core/schedule/span_bound.h"
#include "tests/draws.h"
#include "tests/schedule/exhaustive_v.h"

#include <QString>
#include <QTest>

#include <cmath>

using namespace pw;

namespace {

constexpr std::uint64_t kZeroBubbleRandomSeed = 240515362;
constexpr double kRoundedUp = 1.0 + 1e-9;

// Times of a pipeline and the share of its backwards that is the gradient of the weights.
struct Drawn {
    StageTimes times;
    std::vector<double> weight;
    int microbatches = 1;
    bool ofOneOrder = false; // stages differ by less than half; else by two orders of magnitude, or are empty
};

// Two stages to eight and more micro-batches than stages. Links are free, fast (up to half of what the
// shortest forward of half a stage takes) or slow, up to two stages' time; where a stage recomputes, its
// backward has its forward in it, before the gradients.
Drawn draw(Random& random, int n) {
    Drawn drawn;
    drawn.ofOneOrder = n % 3 != 0;
    StageTimes& times = drawn.times;
    const int stages = 2 + static_cast<int>(random.below(7));
    drawn.microbatches = stages + 1 + static_cast<int>(random.below(n % 40 == 1 ? 100 : 24));
    const auto wild = [&] { return random.below(8) == 0 ? 0.0 : random.uniform(0.01, 1.0); };
    for (int d = 0; d < stages; ++d) {
        const double stage = random.uniform(0.7, 1.0);
        times.forward.push_back(drawn.ofOneOrder ? stage / 3.0 : wild());
        const double backward = drawn.ofOneOrder ? stage / 1.5 : wild();
        drawn.weight.push_back(backward * random.uniform(0.25, 0.75));
        times.backward.push_back(backward + (random.below(3) == 0 ? times.forward.back() : 0.0));
    }
    const double shortest = *std::min_element(times.forward.begin(), times.forward.end()) / 2.0;
    for (int d = 0; d + 1 < stages; ++d)
        times.send.push_back(n % 4 == 0                          ? 0.0
                             : n % 2 == 1 && random.below(3) > 0 ? random.uniform(0.0, 0.5 * shortest)
                             : n % 4 == 2 && random.below(3) > 0 ? random.uniform(0.0, 2.0)
                                                                 : 0.0);
    return drawn;
}

Simulation simulated(const ChunkedPipeline& p, const OpLists& lists, int microbatches, bool overlap) {
    const Result<Simulation> result = simulate(p, microbatches, lists, {.overlap = overlap});
    return result ? *result : Simulation{};
}

Simulation split1F1B(const ChunkedPipeline& p, int microbatches, bool overlap) {
    std::vector<int> launch;
    for (int d = 0; d < p.stages; ++d)
        launch.push_back(p.stages - d);
    return simulated(p, launchCountLists(launch, microbatches, true), microbatches, overlap);
}

// The most that the stage holds at any moment: from the start of a forward to the end of the passes that
// release it.
double mostHeld(const ChunkedPipeline& p, const Simulation& run, int stage) {
    std::vector<std::pair<double, double>> changes;
    for (const Op& op : run.ops) {
        if (op.stage != stage)
            continue;
        const auto v = static_cast<std::size_t>(p.virtualStage(stage, op.chunk));
        if (op.kind == OpKind::Forward)
            changes.emplace_back(op.start, p.held[v]);
        else
            changes.emplace_back(op.end,
                                 op.kind == OpKind::Backward ? -p.released[v] : p.released[v] - p.held[v]);
    }
    std::sort(changes.begin(), changes.end()); // what ends when something starts lets go first
    double held = 0.0, most = 0.0;
    for (const auto& [time, change] : changes)
        most = std::max(most, held += change);
    return most;
}

using List = std::vector<double>;

// A V of two stages; figures by virtual stage.
ChunkedPipeline twoStages(List forward, List inputGrad, List weightGrad, List held, List released,
                          double send) {
    ChunkedPipeline p;
    p.stages = p.chunks = 2;
    p.placement = ChunkPlacement::Zigzag;
    p.forward = std::move(forward);
    p.inputGrad = std::move(inputGrad);
    p.weightGrad = std::move(weightGrad);
    p.held = std::move(held);
    p.released = std::move(released);
    p.send = {send, 0.0, send};
    return p;
}

} // namespace

// What holds for the zero-bubble kinds on any pipeline, over 5,000 drawn ones (a fifth of them in short):
// memory within the rule of the paper at every moment, and time no longer than 1F1B with split backward. For
// ZB-V, which sends every micro-batch over every link twice, the rule of zeroBubbleLists().
class ZeroBubbleRandomTest : public QObject {
    Q_OBJECT

    const int m_pipelines = test::draws(1000, 5000);

    static QByteArray where(int n, ScheduleKind kind) {
        return QString("seed %1, pipeline %2, %3").arg(kZeroBubbleRandomSeed).arg(n).arg(name(kind)).toUtf8();
    }

private Q_SLOTS:
    void initTestCase() { qInfo("seed %llu", static_cast<unsigned long long>(kZeroBubbleRandomSeed)); }

    void oneChunk() {
        Random random(kZeroBubbleRandomSeed);
        for (int n = 0; n < m_pipelines; ++n) {
            const Drawn drawn = draw(random, n);
            ChunkedPipeline p = chunkedPipeline(drawn.times, drawn.weight, 1, ChunkPlacement::Loop, 0.0);
            for (std::size_t d = 0; d < p.held.size(); ++d) {
                p.held[d] *= random.uniform(0.1, 1.0);
                p.released[d] = 0.5 * p.held[d];
            }
            const bool overlap = n % 5 != 0;
            const Simulation yardstick = split1F1B(p, drawn.microbatches, overlap);
            for (const ScheduleKind kind : {ScheduleKind::ZbH1, ScheduleKind::Zb1p, ScheduleKind::Zb2p}) {
                const Result<OpLists> lists =
                    opLists(kind, p, {drawn.microbatches, LaunchRule::Artifact, overlap, {}});
                QVERIFY2(lists, where(n, kind).constData());
                const Simulation found = simulated(p, *lists, drawn.microbatches, overlap);
                const double times = kind == ScheduleKind::Zb2p ? 2.0 : 1.0;
                QVERIFY2(!found.ops.empty(), where(n, kind).constData());
                for (int d = 0; d < p.stages; ++d)
                    QVERIFY2(mostHeld(p, found, d) <=
                                 times * p.stages * p.held[static_cast<std::size_t>(d)] * kRoundedUp,
                             where(n, kind).constData());
                QVERIFY2(found.largestSpan() <= yardstick.largestSpan() * kRoundedUp,
                         where(n, kind).constData());
                QVERIFY2(found.makespan <= yardstick.makespan * kRoundedUp, where(n, kind).constData());
                QVERIFY2(found.bubble() <= yardstick.bubble() + 1e-9, where(n, kind).constData());
            }
        }
    }

    // Where links are fast, no longer than 1F1B with split backward whose sends are as long as the V's; else,
    // than that whose links carry as much; unless the bound proves that no V can. Pipelines whose stages
    // differ by two orders of magnitude, or are empty, may be above it by more than the bound shows: a few,
    // by a little.
    void twoChunks() {
        Random random(kZeroBubbleRandomSeed + 1);
        int fastOnes = 0, proved = 0, wild = 0, above = 0;
        for (int n = 0; n < m_pipelines; ++n) {
            const Drawn drawn = draw(random, n);
            const ChunkedPipeline p =
                chunkedPipeline(drawn.times, drawn.weight, 2, ChunkPlacement::Zigzag, 0.0);
            const std::vector<double> limit(static_cast<std::size_t>(p.stages), 2.0 * p.stages);
            const QByteArray what = where(n, ScheduleKind::ZbV);
            const Result<OpLists> lists = opLists(ScheduleKind::ZbV, p, {drawn.microbatches});
            QVERIFY2(lists, what.constData());
            const Simulation found = simulated(p, *lists, drawn.microbatches, true);
            QVERIFY2(!found.ops.empty(), what.constData());
            for (int d = 0; d < p.stages; ++d)
                QVERIFY2(mostHeld(p, found, d) <= 2.0 * p.stages * kRoundedUp, what.constData());

            const bool fast = 2.0 * *std::max_element(p.send.begin(), p.send.end()) <=
                              *std::min_element(p.forward.begin(), p.forward.end());
            const double yardstick =
                split1F1B(wholeStages(p, fast ? 0.5 : 1.0), drawn.microbatches, true).largestSpan();
            const double bound = spanBoundOfV(p, drawn.microbatches, limit, true);
            QVERIFY2(bound <= found.largestSpan() * kRoundedUp, what.constData());
            fastOnes += fast ? 1 : 0;
            wild += drawn.ofOneOrder ? 0 : 1;
            if (found.largestSpan() <= yardstick * kRoundedUp)
                continue;
            if (bound > yardstick * kRoundedUp) {
                ++proved;
                continue;
            }
            ++above;
            const QByteArray much = what + ": " + QByteArray::number(found.largestSpan() / yardstick);
            QVERIFY2(!drawn.ofOneOrder, much.constData());
            QVERIFY2(found.largestSpan() <= yardstick * 1.05, much.constData());
        }
        QVERIFY2(above <= wild / 100, qPrintable(QString("%1 of %2").arg(above).arg(wild)));
        QVERIFY2(proved <= m_pipelines / 100, qPrintable(QString::number(proved)));
        QVERIFY(fastOnes > m_pipelines / 2 && fastOnes < m_pipelines);
    }

    // Two stages, three micro-batches: every possible V was tried. Nothing is below the bound, and what is
    // above 1F1B has to be.
    void aboveOnlyWhereAnyVIs() {
        Random random(kZeroBubbleRandomSeed + 2);
        int above = 0;
        for (int n = 0; n < m_pipelines; ++n) {
            StageTimes times;
            std::vector<double> weight;
            for (int d = 0; d < 2; ++d) {
                times.forward.push_back(random.uniform(0.1, 1.0));
                times.backward.push_back(random.uniform(0.2, 2.0));
                weight.push_back(times.backward.back() * random.uniform(0.25, 0.75));
            }
            times.send = {n % 2 == 0 ? 0.0 : random.uniform(0.0, 0.025)};
            const ChunkedPipeline p = chunkedPipeline(times, weight, 2, ChunkPlacement::Zigzag, 0.0);
            const double yardstick = split1F1B(wholeStages(p, 0.5), 3, true).largestSpan();
            const Result<OpLists> lists = opLists(ScheduleKind::ZbV, p, {3});
            QVERIFY(lists);
            const double found = simulated(p, *lists, 3, true).largestSpan();
            if (found <= yardstick * kRoundedUp)
                continue;
            ++above;
            const double any = yardstick * kRoundedUp;
            QVERIFY2(test::ExhaustiveV(p, 3, {4.0, 4.0}).span(any) == any,
                     where(n, ScheduleKind::ZbV).constData());
        }
        QVERIFY2(above > 0 && above < m_pipelines / 20, qPrintable(QString::number(above)));
    }

    void boundBelowEveryV() {
        Random random(kZeroBubbleRandomSeed + 3);
        for (int n = 0; n < 150; ++n) {
            StageTimes times;
            for (int d = 0; d < 2; ++d) {
                times.forward.push_back(random.uniform(0.1, 1.0));
                times.backward.push_back(random.uniform(0.2, 2.0));
            }
            times.send = {n % 3 == 0 ? 0.0 : random.uniform(0.0, 2.0)};
            ChunkedPipeline p = chunkedPipeline(times, {}, 2, ChunkPlacement::Zigzag, 0.0);
            for (std::size_t v = 0; v < 4; ++v) {
                p.forward[v] *= random.uniform(0.5, 1.5);
                p.weightGrad[v] *= random.uniform(0.5, 1.5);
                p.held[v] *= random.uniform(0.2, 1.8);
                p.released[v] = p.held[v] * random.uniform(0.1, 0.9);
            }
            if (n % 5 == 0) // one stage holds nothing, and has no memory either
                for (const int chunk : {0, 1}) {
                    const auto v = static_cast<std::size_t>(p.virtualStage(n % 2, chunk));
                    p.held[v] = p.released[v] = 0.0;
                }
            const std::vector<double> limit{(p.held[0] + p.held[3]) * random.uniform(1.0, 2.5),
                                            (p.held[1] + p.held[2]) * random.uniform(1.0, 2.5)};
            const double least = test::ExhaustiveV(p, 2, limit).span(100.0);
            const double bound = spanBoundOfV(p, 2, limit, true);
            QVERIFY2(bound <= least * kRoundedUp, qPrintable(QString("seed %1, pipeline %2: %3, optimum %4")
                                                                 .arg(kZeroBubbleRandomSeed + 3)
                                                                 .arg(n)
                                                                 .arg(bound)
                                                                 .arg(least)));
            QVERIFY2(bound >= 0.5 * least, qPrintable(QString::number(bound / least)));
        }
    }

    // Where memory is short, stage 0 waits for its last micro-batch to come back from stage 1 and has few
    // passes of others left for that time. The bound takes those that get most work out of the memory. Of the
    // first chunk, it is the optimum; of the second, whose passes are never there alone, it is by hand work,
    // idle time before the first gradient and idle time at the end: 20 + 12 + 6 s and 18 + 12 + 4 s.
    void boundWhereMemoryIsShort() {
        struct Case {
            const char* most;
            ChunkedPipeline pipeline;
            List limit;
            double optimum, bound;
        };
        const ChunkedPipeline first = twoStages({2, 1, 1, 2}, {3, 3, 1, 2}, {2, 1, 4, 2}, {2, 4, 4, 3},
                                                {1, 1, 1, 1}, 5.0),
                              firstWeight = twoStages({3, 1, 1, 3}, {2, 2, 2, 2}, {2, 2, 1, 1}, {3, 2, 3, 3},
                                                      {2, 1, 1, 1}, 0.0),
                              second = twoStages({1, 1, 1, 1}, {1, 1, 1, 3}, {1, 1, 1, 3}, {3, 2, 2, 2},
                                                 {1, 1, 1, 0}, 5.0),
                              secondWeight = twoStages({1, 1, 1, 1}, {1, 1, 1, 1}, {1, 1, 1, 4}, {3, 2, 2, 3},
                                                       {1, 1, 1, 2}, 5.0);
        const Case cases[] = {{"first chunk", first, {7, 28}, 43.0, 43.0},
                              {"first chunk's weights", firstWeight, {7, 22}, 29.0, 29.0},
                              {"second chunk", second, {6, 22}, 52.0, 38.0},
                              {"second chunk's weights", secondWeight, {7, 22}, 48.0, 34.0}};
        for (const Case& c : cases) {
            ChunkedPipeline p = c.pipeline;
            const double least = test::ExhaustiveV(p, 2, c.limit).span(100.0);
            QVERIFY2(std::abs(least - c.optimum) < 1e-6,
                     qPrintable(QString("%1: optimum %2").arg(c.most).arg(least)));
            const double bound = spanBoundOfV(p, 2, c.limit, true);
            QVERIFY2(std::abs(bound - c.bound) < 1e-6,
                     qPrintable(QString("%1: bound %2").arg(c.most).arg(bound)));
            // The unit of time makes no difference.
            for (List* times : {&p.forward, &p.inputGrad, &p.weightGrad, &p.send})
                for (double& time : *times)
                    time /= 1024.0;
            QCOMPARE(spanBoundOfV(p, 2, c.limit, true) * 1024.0, bound);
        }
    }

    // Two stages, a last one that is busy all the time, free links: 1F1B keeps it busy from its first forward
    // on, while any V must wait for the first stage's second chunk.
    void noVCanBeatBusyLastStage() {
        const StageTimes times{{0.8, 0.1}, {0.4, 2.4}, {0.0}};
        const ChunkedPipeline p = chunkedPipeline(times, {0.2, 1.6}, 2, ChunkPlacement::Zigzag, 0.0);
        const std::vector<double> limit{4.0, 4.0};
        const double yardstick = split1F1B(wholeStages(p, 0.5), 3, true).largestSpan();
        QVERIFY(std::abs(yardstick - 7.5) < 1e-9); // the work of the last stage
        const double least = test::ExhaustiveV(p, 3, limit).span(100.0);
        QVERIFY2(least > yardstick + 0.1, qPrintable(QString::number(least)));
        QVERIFY(spanBoundOfV(p, 3, limit, true) > yardstick + 0.1);
    }

    // One micro-batch crosses a link twice under 1F1B and four times in a V.
    void noVCanBeatSlowLinks() {
        const StageTimes times{{1.0, 1.0}, {2.0, 2.0}, {1.5}};
        const ChunkedPipeline p = chunkedPipeline(times, {}, 2, ChunkPlacement::Zigzag, 0.0);
        const double yardstick = split1F1B(wholeStages(p, 0.5), 3, true).largestSpan();
        const double asMuch = split1F1B(wholeStages(p, 1.0), 3, true).largestSpan();
        const double least =
            test::ExhaustiveV(p, 3, {4.0, 4.0}).span(asMuch * 1.01); // longer ones are cut off
        QVERIFY2(least > yardstick + 0.1, qPrintable(QString("%1 %2").arg(least).arg(yardstick)));
        QVERIFY(least <= asMuch + 1e-9);
    }
};

QTEST_APPLESS_MAIN(ZeroBubbleRandomTest)
#include "zero_bubble_random_test.moc"
