// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/schedule/random_pipeline.h"

#include <QTest>

#include <cmath>
#include <map>
#include <tuple>

using namespace pw;

namespace {

constexpr std::uint64_t kSimulateSeed = 77003;

using Key = std::tuple<int, int, OpKind>; // stage or boundary, micro-batch, direction

std::vector<std::pair<OpKind, int>> opList(int launch, int microbatches) {
    const int warmUp = std::min(launch, microbatches) - 1;
    std::vector<std::pair<OpKind, int>> list;
    int forward = 0, backward = 0;
    while (forward < warmUp)
        list.emplace_back(OpKind::Forward, forward++);
    while (forward < microbatches) {
        list.emplace_back(OpKind::Forward, forward++);
        list.emplace_back(OpKind::Backward, backward++);
    }
    while (backward < microbatches)
        list.emplace_back(OpKind::Backward, backward++);
    return list;
}

// Says what is wrong with a run, from its recorded ops and transfers and the rules alone; empty if nothing.
// Every start must equal the largest of what it may wait for, so a run that passes is the only one that the
// rules allow.
QString violation(const StageTimes& times, int microbatches, const std::vector<int>& launch, bool overlap,
                  const Simulation& run) {
    const int stages = times.stages();
    const auto at = [](int i) { return static_cast<std::size_t>(i); };
    std::map<Key, Transfer> transfers;
    std::map<std::pair<int, OpKind>, Transfer> lastOnLink;
    for (const Transfer& t : run.transfers) {
        if (!transfers.emplace(Key{t.boundary, t.microbatch, t.kind}, t).second)
            return "a transfer twice";
        const auto [last, first] = lastOnLink.try_emplace({t.boundary, t.kind}, t);
        if (!first && (t.microbatch != last->second.microbatch + 1 || t.start < last->second.end))
            return "a link out of order";
        last->second = t;
    }
    std::map<Key, Op> ops;
    for (const Op& op : run.ops)
        if (!ops.emplace(Key{op.stage, op.microbatch, op.kind}, op).second)
            return "an op twice";
    if (run.ops.size() != at(2 * stages * microbatches))
        return "number of ops";

    double makespan = 0.0;
    std::size_t next = 0;
    std::map<std::pair<int, OpKind>, double> linkFree;
    std::size_t sends = 0;
    for (int i = 0; i < stages; ++i) {
        double stageFree = 0.0, busy = 0.0;
        int inFlight = 0, peak = 0;
        const std::size_t first = next;
        for (const auto& [kind, microbatch] : opList(launch[at(i)], microbatches)) {
            const Op& op = run.ops[next++];
            if (op.stage != i || op.kind != kind || op.microbatch != microbatch)
                return QString("op list of stage %1").arg(i);
            const bool isForward = kind == OpKind::Forward;
            const int from = isForward ? i - 1 : i + 1; // the producer; none at the ends
            double arrival = 0.0;
            if (from >= 0 && from < stages) {
                const int boundary = std::min(i, from);
                const Op& producer = ops.at({from, microbatch, kind});
                const auto transfer = transfers.find({boundary, microbatch, kind});
                if ((transfer != transfers.end()) != (times.send[at(boundary)] > 0.0))
                    return "transfers are those that take time";
                arrival = producer.end;
                if (transfer != transfers.end()) {
                    ++sends;
                    double& free = linkFree[{boundary, kind}];
                    if (transfer->second.start != std::max(producer.end, free))
                        return "a transfer starts when its producer and its link allow";
                    free = arrival = transfer->second.end;
                    if (arrival != transfer->second.start + times.send[at(boundary)])
                        return "a transfer's length";
                }
            } else if (!isForward && ops.at({i, microbatch, OpKind::Forward}).end > op.start) {
                return "the last stage's backward before its forward";
            }
            if (op.start != std::max(stageFree, arrival))
                return QString("start of an op of stage %1").arg(i);
            const double length = isForward ? times.forward[at(i)] : times.backward[at(i)];
            if (op.end != op.start + length)
                return "an op's length";
            stageFree = op.end;
            const int behind = isForward ? i : i - 1;
            if (!overlap && behind >= 0 && behind + 1 < stages)
                if (const auto sent = transfers.find({behind, microbatch, kind}); sent != transfers.end())
                    stageFree = sent->second.end;
            inFlight += isForward ? 1 : -1;
            peak = std::max(peak, inFlight);
            busy += length;
            makespan = std::max(makespan, op.end);
        }
        if (peak != std::min(launch[at(i)], microbatches) || peak != run.peakInFlight[at(i)])
            return "peak in flight";
        if (run.firstStart[at(i)] != run.ops[first].start || run.lastEnd[at(i)] != run.ops[next - 1].end)
            return "span of a stage";
        if (std::abs(busy - run.busy[at(i)]) > 1e-9 * (1.0 + busy))
            return "busy time";
    }
    if (sends != run.transfers.size())
        return "number of transfers";
    return makespan == run.makespan ? QString() : "makespan";
}

std::vector<std::vector<int>> someLaunchCounts(Random& random, const StageTimes& times, int microbatches) {
    std::vector<std::vector<int>> all;
    for (ScheduleKind kind :
         {ScheduleKind::GPipe, ScheduleKind::OneFOneB, ScheduleKind::Eager, ScheduleKind::H1F1B})
        for (LaunchRule rule : {LaunchRule::Artifact, LaunchRule::Ceil})
            all.push_back(launchCounts(kind, rule, times, microbatches));
    std::vector<int> any(times.forward.size());
    int count = 1 + static_cast<int>(random.below(3));
    for (auto it = any.rbegin(); it != any.rend(); ++it, count += static_cast<int>(random.below(4)))
        *it = count;
    all.push_back(any);
    return all;
}

} // namespace

class SimulateTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyRunObeysTheRules() {
        Random random(kSimulateSeed);
        for (int n = 0; n < 300; ++n) {
            const test::RandomPipeline p =
                n % 4 == 0 ? test::acceptancePipeline(random) : test::wildPipeline(random);
            for (const std::vector<int>& launch : someLaunchCounts(random, p.times, p.microbatches))
                for (bool overlap : {true, false}) {
                    Result<Simulation> run = simulate(p.times, p.microbatches, launch, {overlap, true});
                    QVERIFY(run);
                    const QString wrong = violation(p.times, p.microbatches, launch, overlap, *run);
                    QVERIFY2(wrong.isEmpty(), qPrintable(QString("seed %1, pipeline %2, overlap %3: ")
                                                             .arg(kSimulateSeed)
                                                             .arg(n)
                                                             .arg(overlap) +
                                                         wrong));
                }
        }
    }

    // Searches keep a workspace and an outcome between problems of different sizes; figures must not depend
    // on it.
    void reusedWorkspaceGivesTheSameFigures() {
        Random random(kSimulateSeed + 1);
        SimulationWorkspace workspace;
        Simulation reused;
        for (int n = 0; n < 300; ++n) {
            const test::RandomPipeline p = test::wildPipeline(random);
            const std::vector<int> launch =
                launchCounts(ScheduleKind::H1F1B, LaunchRule::Ceil, p.times, p.microbatches);
            const bool overlap = random.below(2) == 0, keep = random.below(2) == 0;
            Result<Simulation> fresh = simulate(p.times, p.microbatches, launch, {overlap, true});
            QVERIFY(fresh);
            QVERIFY(simulate(p.times, p.microbatches, launch, {overlap, keep}, workspace, reused));
            QCOMPARE(reused.makespan, fresh->makespan);
            QCOMPARE(reused.busy, fresh->busy);
            QCOMPARE(reused.firstStart, fresh->firstStart);
            QCOMPARE(reused.lastEnd, fresh->lastEnd);
            QCOMPARE(reused.peakInFlight, fresh->peakInFlight);
            QCOMPARE(reused.ops.size(), keep ? fresh->ops.size() : 0);
            QCOMPARE(reused.transfers.size(), keep ? fresh->transfers.size() : 0);
        }
    }

    // sum f + sum b + 2 sum c + (B-1) (max(f, c) + max(b, c)), exact for GPipe.
    void gpipeClosedForm() {
        Random random(kSimulateSeed + 2);
        for (int n = 0; n < 300; ++n) {
            const test::RandomPipeline p = test::wildPipeline(random);
            double once = 0.0, forward = 0.0, backward = 0.0;
            for (std::size_t i = 0; i < p.times.forward.size(); ++i) {
                const double send = i < p.times.send.size() ? p.times.send[i] : 0.0;
                once += p.times.forward[i] + p.times.backward[i] + 2.0 * send;
                forward = std::max({forward, p.times.forward[i], send});
                backward = std::max({backward, p.times.backward[i], send});
            }
            const double expected = once + (p.microbatches - 1) * (forward + backward);
            const std::vector<int> launch =
                launchCounts(ScheduleKind::GPipe, LaunchRule::Artifact, p.times, p.microbatches);
            Result<Simulation> run = simulate(p.times, p.microbatches, launch);
            QVERIFY(run);
            QVERIFY2(std::abs(run->makespan - expected) <= 1e-12 * (1.0 + expected),
                     qPrintable(QString("seed %1, pipeline %2: %3, expected %4")
                                    .arg(kSimulateSeed + 2)
                                    .arg(n)
                                    .arg(run->makespan, 0, 'g', 17)
                                    .arg(expected, 0, 'g', 17)));
        }
    }

    void boundIsNeverViolated() {
        Random random(kSimulateSeed + 3);
        for (int n = 0; n < 6000; ++n) {
            const test::RandomPipeline p =
                n % 2 == 0 ? test::acceptancePipeline(random) : test::wildPipeline(random);
            const double bound = launchCountBound(p.times, p.microbatches);
            for (const std::vector<int>& launch : someLaunchCounts(random, p.times, p.microbatches)) {
                Result<Simulation> run = simulate(p.times, p.microbatches, launch, {n % 3 != 0, false});
                QVERIFY(run);
                QVERIFY2(run->makespan >= bound * (1.0 - 1e-12),
                         qPrintable(QString("seed %1, pipeline %2").arg(kSimulateSeed + 3).arg(n)));
            }
        }
    }

    void bubbleOfEqualStages() {
        const StageTimes times{std::vector<double>(4, 1.0), std::vector<double>(4, 2.0),
                               std::vector<double>(3, 0.0)};
        Result<Simulation> run = simulate(times, 12, {4, 3, 2, 1});
        QVERIFY(run);
        QCOMPARE(run->makespan, 45.0);       // (B + S - 1) t
        QCOMPARE(run->bubble(), 3.0 / 12.0); // (S - 1) / B, arXiv 2104.04473
    }

    void oneStage() {
        Result<Simulation> run = simulate({{1.0}, {2.0}, {}}, 5, {1});
        QVERIFY(run);
        QCOMPARE(run->makespan, 15.0);
        QCOMPARE(run->bubble(), 0.0);
        QVERIFY(run->transfers.empty());
    }

    void risingLaunchCountsAreADeadlock() {
        const StageTimes times{{1, 1, 1}, {1, 1, 1}, {0, 0}};
        Result<Simulation> run = simulate(times, 8, {2, 3, 1});
        QVERIFY(!run);
        QCOMPARE(run.error().code, std::string("schedule.deadlock"));
        QCOMPARE(run.error().reasons.size(), 1u);
        QVERIFY(run.error().reasons[0].message.find("stage 0") != std::string::npos);
        QVERIFY(simulate(times, 2, {2, 3, 1})); // capped by two micro-batches they no longer rise
    }

    void badInputIsRefused() {
        const StageTimes good{{1, 1}, {1, 1}, {0}};
        const auto refused = [](const StageTimes& times, int microbatches, const std::vector<int>& launch) {
            Result<Simulation> run = simulate(times, microbatches, launch);
            return !run && run.error().code == "schedule.input" && run.error().kind == ErrorKind::BadInput;
        };
        QVERIFY(refused({}, 4, {}));
        QVERIFY(refused(good, 0, {2, 1}));
        QVERIFY(refused(good, 4, {2}));
        QVERIFY(refused(good, 4, {2, 0}));
        QVERIFY(refused({{1, 1}, {1}, {0}}, 4, {2, 1}));
        QVERIFY(refused({{1, 1}, {1, 1}, {}}, 4, {2, 1}));
        QVERIFY(refused({{1, -1}, {1, 1}, {0}}, 4, {2, 1}));
        QVERIFY(refused({{1, NAN}, {1, 1}, {0}}, 4, {2, 1}));
        QVERIFY(refused({{1, 1}, {1, INFINITY}, {0}}, 4, {2, 1}));
    }
};

QTEST_APPLESS_MAIN(SimulateTest)
#include "simulate_test.moc"
