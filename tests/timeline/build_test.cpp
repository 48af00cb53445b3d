// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/timeline/build.h"
#include "tests/schedule/random_pipeline.h"

#include <QTest>

#include <cmath>
#include <map>

using namespace pw;

namespace {

constexpr std::uint64_t kBuildSeed = 52;
constexpr std::array kRoles{LaneRole::Compute, LaneRole::ForwardSend, LaneRole::BackwardSend, LaneRole::Sync};

// n1 and n2 of 8 GPUs, n3 to n9 of 4.
std::shared_ptr<const Problem> smallProblem() {
    Cluster cluster;
    cluster.name = "labels";
    cluster.switches.push_back({"s1", "Ethernet", {}});
    for (int k = 1; k <= 9; ++k) {
        const std::string id = "n" + std::to_string(k);
        Node node;
        node.id = id;
        node.kind = "A100-SXM4-80GB";
        node.gpus = k <= 2 ? 8 : 4;
        cluster.nodes.push_back(node);
        Link link;
        link.id = id + "-s1";
        link.a = id;
        link.b = "s1";
        link.bandwidth = BytesPerSecond(12.5e9);
        cluster.links.push_back(link);
    }
    Model model;
    model.name = "small";
    model.family = "gpt2";
    model.blocks = 4;
    model.hidden = 256;
    model.heads = model.kvHeads = 4;
    model.headDim = 64;
    model.ffn = 1024;
    model.vocab = 1000;
    model.positions = model.learnedPositions = 2048;
    model.tied = true;
    auto problem = Problem::make(cluster, model, Recipe{}, {});
    return problem ? *problem : nullptr;
}

struct Case {
    Plan plan;
    Evaluation evaluation;
};

// A pipeline of the given times on one GPU a stage, with the figures that its bars are made from.
void addPipeline(Case& to, const test::RandomPipeline& p, double recomputeShare, double sync,
                 double optimizer) {
    Pipeline pipeline;
    PipelineFigures figures;
    for (std::size_t i = 0; i < p.times.forward.size(); ++i) {
        Stage stage;
        stage.replicas.push_back({{static_cast<DeviceIndex>(i)}, 1.0});
        pipeline.stages.push_back(stage);
        StageFigures f;
        f.recompute = Seconds(recomputeShare * p.times.backward[i]);
        f.sync = Seconds(sync);
        f.optimizer = Seconds(optimizer);
        f.forwardProvenance = i % 2 == 0 ? Provenance::Measured : Provenance::Estimated;
        figures.stages.push_back(f);
    }
    auto run = simulate(p.times, p.microbatches,
                        launchCounts(ScheduleKind::H1F1B, LaunchRule::Artifact, p.times, p.microbatches));
    figures.simulation = *run;
    to.evaluation.iteration =
        std::max(to.evaluation.iteration, Seconds(figures.simulation.makespan + sync + optimizer));
    to.plan.pipelines.push_back(pipeline);
    to.evaluation.pipelines.push_back(figures);
}

std::int64_t startOf(const Timeline& t, BarRef ref) {
    return t.tracks[static_cast<std::size_t>(ref.track)].lane(ref.lane).start(
        static_cast<std::size_t>(ref.bar));
}
std::int64_t endOf(const Timeline& t, BarRef ref) {
    return t.tracks[static_cast<std::size_t>(ref.track)].lane(ref.lane).end(
        static_cast<std::size_t>(ref.bar));
}

std::vector<BarRef> allBars(const Timeline& timeline) {
    std::vector<BarRef> bars;
    for (std::size_t t = 0; t < timeline.tracks.size(); ++t)
        for (LaneRole role : kRoles)
            for (std::size_t i = 0; i < timeline.tracks[t].lane(role).size(); ++i)
                bars.push_back({static_cast<int>(t), role, static_cast<std::ptrdiff_t>(i)});
    return bars;
}

} // namespace

class BuildTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        m_problem = smallProblem();
        QVERIFY(m_problem);
    }

    void everyOpIsABarAndNoneOverlap() {
        Random random(kBuildSeed);
        for (int n = 0; n < 60; ++n) {
            Case c;
            const test::RandomPipeline p = test::acceptancePipeline(random);
            addPipeline(c, p, n % 2 == 0 ? 0.3 : 0.0, 0.01, 0.002);
            const Timeline timeline = buildTimeline(*m_problem, c.plan, c.evaluation);
            QCOMPARE(timeline.tracks.size(), p.times.forward.size());
            for (std::size_t t = 0; t < timeline.tracks.size(); ++t) {
                const Track& track = timeline.tracks[t];
                std::map<std::pair<BarKind, int>, int> seen;
                for (LaneRole role : kRoles) {
                    const Lane& lane = track.lane(role);
                    for (std::size_t i = 0; i < lane.size(); ++i) {
                        QVERIFY(lane.end(i) > lane.start(i) && lane.end(i) <= timeline.end);
                        QVERIFY(i == 0 || lane.start(i) >= lane.end(i - 1));
                        ++seen[{lane.kind(i), role == LaneRole::Compute ? lane.microbatch(i) : -1}];
                    }
                }
                for (int m = 0; m < p.microbatches; ++m) {
                    QCOMPARE((seen[{BarKind::Forward, m}]), 1);
                    QCOMPARE((seen[{BarKind::Backward, m}]), 1);
                    QCOMPARE((seen[{BarKind::Recompute, m}]), n % 2 == 0 ? 1 : 0);
                }
                QCOMPARE((seen[{BarKind::AllReduce, -1}]), 1);
                QCOMPARE((seen[{BarKind::Optimizer, -1}]), 1);
                const bool sendsForward = t < p.times.send.size() && p.times.send[t] > 0.0;
                const bool sendsBackward = t > 0 && p.times.send[t - 1] > 0.0;
                const auto bars = static_cast<std::size_t>(p.microbatches);
                QCOMPARE(track.lane(LaneRole::ForwardSend).size(), sendsForward ? bars : 0);
                QCOMPARE(track.lane(LaneRole::BackwardSend).size(), sendsBackward ? bars : 0);
                const double busy = c.evaluation.pipelines[0].simulation.busy[t] + 0.002;
                QVERIFY(std::abs(track.busyShare - busy / c.evaluation.iteration.value) < 1e-6);
                QCOMPARE(track.lane(LaneRole::Compute).estimated(0), t % 2 == 1);
            }
        }
    }

    void recomputeComesFirst() {
        Case c;
        addPipeline(c, {{{1}, {4}, {}}, 1}, 0.25, 0.0, 0.0);
        const Timeline timeline = buildTimeline(*m_problem, c.plan, c.evaluation);
        const Lane& lane = timeline.tracks[0].lane(LaneRole::Compute);
        QCOMPARE(lane.size(), 3u);
        QCOMPARE(lane.kind(1), BarKind::Recompute);
        QCOMPARE(lane.start(1), 1'000'000'000);
        QCOMPARE(lane.kind(2), BarKind::Backward);
        QCOMPARE(lane.start(2), 2'000'000'000);
        QCOMPARE(lane.end(2), 5'000'000'000);
        QCOMPARE(timeline.end, 5'000'000'000);
    }

    // No bar stands still for nothing: it begins as its predecessor ends, all the way back to 0.
    void predecessorsReleaseTheirBars() {
        Random random(kBuildSeed + 1);
        for (int n = 0; n < 20; ++n) {
            Case c;
            addPipeline(c, test::acceptancePipeline(random), n % 2 == 0 ? 0.3 : 0.0, 0.01, 0.002);
            addPipeline(c, test::acceptancePipeline(random), 0.0, 0.0, 0.002);
            const Timeline timeline = buildTimeline(*m_problem, c.plan, c.evaluation);
            for (const BarRef bar : allBars(timeline)) {
                const BarRef from = predecessor(timeline, bar);
                if (!from) {
                    QCOMPARE(startOf(timeline, bar), 0);
                    continue;
                }
                QVERIFY2(endOf(timeline, from) == startOf(timeline, bar),
                         qPrintable(QString("seed %1, case %2, track %3, bar %4")
                                        .arg(kBuildSeed + 1)
                                        .arg(n)
                                        .arg(bar.track)
                                        .arg(bar.bar)));
                QCOMPARE(timeline.tracks[static_cast<std::size_t>(from.track)].pipeline,
                         timeline.tracks[static_cast<std::size_t>(bar.track)].pipeline);
            }
        }
    }

    void successorsComeLaterAndEndWithTheOptimizer() {
        Random random(kBuildSeed + 2);
        for (int n = 0; n < 20; ++n) {
            Case c;
            addPipeline(c, test::acceptancePipeline(random), n % 2 == 0 ? 0.3 : 0.0, 0.01, 0.002);
            const Timeline timeline = buildTimeline(*m_problem, c.plan, c.evaluation);
            for (const BarRef bar : allBars(timeline)) {
                const BarRef next = successor(timeline, bar);
                const Lane& lane = timeline.tracks[static_cast<std::size_t>(bar.track)].lane(bar.lane);
                if (next)
                    QVERIFY(startOf(timeline, next) >= endOf(timeline, bar));
                else
                    QCOMPARE(lane.kind(static_cast<std::size_t>(bar.bar)), BarKind::Optimizer);
            }
        }
    }

    void followsOneMicrobatchThroughTheDataflow() {
        Case c;
        addPipeline(c, {{{1, 1}, {2, 2}, {0.5}}, 2}, 0.5, 0.1, 0.0);
        const Timeline t = buildTimeline(*m_problem, c.plan, c.evaluation);
        QStringList path;
        for (BarRef bar{0, LaneRole::Compute, 0}; bar; bar = successor(t, bar)) {
            const Lane& lane = t.tracks[static_cast<std::size_t>(bar.track)].lane(bar.lane);
            const auto i = static_cast<std::size_t>(bar.bar);
            path << QString("%1%2.%3")
                        .arg(QString(label(lane.kind(i))).left(1))
                        .arg(bar.track)
                        .arg(lane.microbatch(i));
        }
        // F forward, T transfer, R recompute, B backward, A all-reduce; stage.microbatch
        QCOMPARE(path.join(' '), QString("F0.0 T0.0 F1.0 R1.0 B1.0 T1.0 R0.0 B0.0 R0.1 B0.1 A0.-1"));
    }

    // Source and target lead from stage to stage, whether a transfer is drawn between them or not.
    void dataLeadsFromStageToStage() {
        for (const double send : {0.0, 0.01}) {
            Case c;
            StageTimes times{{1.0, 1.0, 1.0}, {2.0, 2.0, 2.0}, {send, send}};
            addPipeline(c, {times, 4}, 0.0, 0.0, 0.0);
            const Timeline timeline = buildTimeline(*m_problem, c.plan, c.evaluation);
            for (const BarRef bar : allBars(timeline)) {
                if (bar.lane != LaneRole::Compute)
                    continue;
                const Lane& lane = timeline.tracks[static_cast<std::size_t>(bar.track)].lane(bar.lane);
                const auto i = static_cast<std::size_t>(bar.bar);
                const BarRef from = dataSource(timeline, bar);
                if (lane.kind(i) == BarKind::Forward) {
                    QCOMPARE(from.track, bar.track == 0 ? -1 : bar.track - 1);
                } else {
                    QCOMPARE(from.track, std::min(bar.track + 1, 2));
                }
                if (!from)
                    continue;
                QCOMPARE(from.lane, LaneRole::Compute);
                QVERIFY(endOf(timeline, from) <= startOf(timeline, bar));
                QCOMPARE(dataTarget(timeline, from), bar);
            }
        }
        QVERIFY(!dataSource(Timeline{}, {0, LaneRole::Compute, 0}));
    }

    // The stages at the ends of a stage's links are those that its transfers go to, and there are no others.
    void neighboursAreWhereTransfersGo() {
        for (const ChunkPlacement placement : {ChunkPlacement::Loop, ChunkPlacement::Zigzag})
            for (int stages = 1; stages <= 4; ++stages)
                for (int chunks = 1; chunks <= 3; ++chunks) {
                    const ChunkLayout layout{stages, chunks, placement};
                    std::map<std::pair<int, bool>, int> met; // by stage, whether onward
                    for (int v = 0; v + 1 < layout.virtualStages(); ++v) {
                        const int from = layout.stageOf(v), to = layout.stageOf(v + 1);
                        if (from == to)
                            continue;
                        const bool activation = layout.sendsOnward(layout.chunkOf(v));
                        const bool gradient = !layout.sendsOnward(layout.chunkOf(v + 1));
                        QCOMPARE(activation ? layout.stageBehind(from) : layout.stageBefore(from), to);
                        QCOMPARE(gradient ? layout.stageBehind(to) : layout.stageBefore(to), from);
                        met[{from, activation}] = to;
                        met[{to, gradient}] = from;
                    }
                    for (int stage = 0; stage < stages; ++stage) {
                        QCOMPARE(layout.stageBehind(stage) >= 0, met.contains({stage, true}));
                        QCOMPARE(layout.stageBefore(stage) >= 0, met.contains({stage, false}));
                    }
                }
    }

    void unknownBarsHaveNoNeighbours() {
        const Timeline empty;
        QVERIFY(!predecessor(empty, {0, LaneRole::Compute, 0}));
        QVERIFY(!successor(empty, {-1, LaneRole::Compute, 3}));
    }

    void labels_data() {
        QTest::addColumn<std::vector<int>>("devices");
        QTest::addColumn<QString>("label");
        const auto range = [](int first, int count) {
            std::vector<int> all;
            for (int d = first; d < first + count; ++d)
                all.push_back(d);
            return all;
        };
        QTest::newRow("part of a node") << range(0, 4) << "n1.g0-3";
        QTest::newRow("one") << range(5, 1) << "n1.g5";
        QTest::newRow("whole nodes") << range(8, 12) << "n2, n3";
        QTest::newRow("node and part") << range(6, 10) << "n1.g6-7, n2";
        QTest::newRow("in any order") << std::vector<int>{9, 1, 0, 3} << "n1.g0-1, n1.g3, n2.g1";
        QTest::newRow("nodes in a row") << range(0, 44) << "n1 to n9";
        QTest::newRow("nodes in a row and a part") << range(8, 18) << "n2 to n4, n5.g0-1";
        QTest::newRow("a part between")
            << std::vector<int>{16, 17, 18, 19, 20, 24, 25, 26, 27, 28, 29, 30, 31} << "n3, n4.g0, n5, n6";
        QTest::newRow("many") << std::vector<int>{0, 2, 4, 6, 8} << "n1.g0, n1.g2, n1.g4 +2 GPUs";
        std::vector<int> behind = range(8, 20); // n2 to n5, behind four parts of n1
        behind.insert(behind.end(), {0, 2, 4, 6});
        QTest::newRow("many, with a range of nodes") << behind << "n1.g0, n1.g2, n1.g4 +21 GPUs";
        QTest::newRow("none") << std::vector<int>{} << "";
    }
    void labels() {
        QFETCH(std::vector<int>, devices);
        QFETCH(QString, label);
        QCOMPARE(QString::fromStdString(devicesLabel(m_problem->topology(), devices)), label);
    }

    void renamedNodesGoByTheirNewNames() {
        const Topology& topology = m_problem->topology();
        QCOMPARE(devicesLabel(topology, {0, 1}, {{"n1", "big"}}), std::string("big.g0-1"));
        QCOMPARE(devicesLabel(topology, {5}, {{"n1", "n2"}, {"n2", "n1"}}), std::string("n2.g5"));
        QCOMPARE(devicesLabel(topology, {0, 1, 2, 3, 4, 5, 6, 7}, {{"n1", "big"}}), std::string("big"));
    }

    void tracksCarryTheirPipeline() {
        Case c;
        addPipeline(c, {{{1, 1}, {2, 2}, {0}}, 2}, 0.0, 0.0, 0.0);
        addPipeline(c, {{{1}, {2}, {}}, 2}, 0.0, 0.0, 0.0);
        c.plan.pipelines[1].count = 3;
        c.plan.pipelines[1].stages[0].replicas = {{{8, 9}, 0.5}, {{10, 11}, 0.5}};
        const Timeline timeline = buildTimeline(*m_problem, c.plan, c.evaluation);
        QCOMPARE(timeline.tracks.size(), 3u);
        QCOMPARE(timeline.tracks[1].stage, 1);
        QCOMPARE(timeline.tracks[2].pipeline, 1);
        QCOMPARE(timeline.tracks[2].stage, 0);
        QCOMPARE(timeline.tracks[2].multiplicity, 3);
        QCOMPARE(timeline.tracks[2].label, std::string("n2.g0-3"));
        QCOMPARE(timeline.barCount(), 12u);
    }

private:
    std::shared_ptr<const Problem> m_problem;
};

QTEST_APPLESS_MAIN(BuildTest)
#include "build_test.moc"
