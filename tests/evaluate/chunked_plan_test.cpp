// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cost/cost.h"
#include "core/document/plan_document.h"
#include "core/evaluate/stage_terms.h"
#include "core/search/search.h"
#include "core/timeline/build.h"
#include "tests/exchange/sample_plan.h"
#include "tests/schedule/every_kind.h"

#include <nlohmann/json.hpp>

#include <QTest>

#include <cmath>

using namespace pw;

namespace {

bool sameTime(double a, double b) {
    return std::abs(a - b) <= 1e-9 * (1.0 + std::abs(b));
}

} // namespace

// Plans whose stages hold several chunks, and plans of zero-bubble kinds: what evaluation says of them, by
// the words of resources/manual/plan-document.md#words and the figures that it reports itself.
class ChunkedPlanTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        m_problem = sampleProblem();
        QVERIFY(m_problem);
    }

    void kinds_data() {
        QTest::addColumn<int>("kind");
        for (const ScheduleKind kind : test::everyKind())
            if (!usesLaunchCounts(kind))
                QTest::newRow(name(kind)) << static_cast<int>(kind);
    }

    void figures_data() { kinds_data(); }
    void figures() {
        QFETCH(int, kind);
        const auto scheduled = static_cast<ScheduleKind>(kind);
        const Plan plan = sampleChunkedPlan(scheduled);
        const auto e = evaluate(*m_problem, plan, {.keepOps = true});
        QVERIFY2(e, e ? "" : e.error().text().c_str());
        const PipelineFigures& figures = e->pipelines[0];
        const Simulation& run = figures.simulation;
        QCOMPARE(figures.staggered, splitsBackward(scheduled));
        QVERIFY(figures.launch.empty());

        // Iteration: the latest end of all with the slowest step behind it, or the longest of the stages'
        // own.
        double last = 0.0, own = 0.0, step = 0.0;
        for (std::size_t i = 0; i < 4; ++i) {
            const StageFigures& f = figures.stages[i];
            last = std::max(last, run.lastEnd[i] + f.sync.value);
            step = std::max(step, f.optimizer.value);
            own = std::max(own, run.lastEnd[i] - run.firstStart[i] + f.sync.value + f.optimizer.value);
        }
        QVERIFY(sameTime(e->iteration.value, figures.staggered ? own : last + step));
        QCOMPARE(e->bubble, run.bubble());
        const TimeParts& t = e->time;
        const double sum =
            (t.fill + t.steady + t.drain + t.exposedTp + t.exposedDp + t.exposedPp + t.sync + t.optimizer)
                .value;
        QVERIFY2(sameTime(sum, e->iteration.value),
                 qPrintable(QString("%1 %2").arg(sum).arg(e->iteration.value)));
        for (const Seconds part : {t.fill, t.steady, t.drain, t.exposedPp, t.optimizer})
            QVERIFY(part.value >= -1e-12);

        // Every pass ran once, for the time that its chunk's figures say.
        const int chunks = leastChunks(scheduled);
        QCOMPARE(run.ops.size(), static_cast<std::size_t>(4 * chunks * 32 * (figures.staggered ? 3 : 2)));
        for (const Op& op : run.ops) {
            const ChunkFigures& f =
                figures.stages[static_cast<std::size_t>(op.stage)].chunks[static_cast<std::size_t>(op.chunk)];
            const double weight = figures.staggered ? f.weightGrad.value : 0.0;
            const double expected = op.kind == OpKind::Forward    ? f.forward.value
                                    : op.kind == OpKind::Backward ? f.backward.value - weight
                                                                  : weight;
            QVERIFY(sameTime(op.end - op.start, expected));
        }
        for (const IdleTime& idle : idleByCause(figures, e->iteration))
            for (const Seconds cause : {idle.warmUp, idle.slowerStage, idle.transfer, idle.coolDown})
                QVERIFY(cause.value >= -1e-12);
        const std::vector<IdleTime> idle = idleByCause(figures, e->iteration);
        for (std::size_t i = 0; i < 4; ++i) {
            const double after = figures.stages[i].sync.value + figures.stages[i].optimizer.value;
            QVERIFY(sameTime(idle[i].total().value + run.busy[i] + after, e->iteration.value));
        }
    }

    // The chunks of a stage cost together what its layers cost, and keep together what a micro-batch keeps.
    void chunksAddUp() {
        const auto e = evaluate(*m_problem, sampleChunkedPlan(ScheduleKind::Interleaved));
        QVERIFY(e);
        for (const StageFigures& f : e->pipelines[0].stages) {
            double kept = 0.0;
            Seconds forward, backward;
            for (const ChunkFigures& chunk : f.chunks) {
                kept += chunk.keptShare;
                forward += chunk.forward;
                backward += chunk.backward;
            }
            QVERIFY(sameTime(kept, 1.0) && sameTime(forward.value, f.forward.value) &&
                    sameTime(backward.value, f.backward.value));
        }
    }

    // Activations at the peak are what the passes really held, and inFlightOverTime reaches them.
    void memory_data() { kinds_data(); }
    void memory() {
        QFETCH(int, kind);
        const Plan plan = sampleChunkedPlan(static_cast<ScheduleKind>(kind));
        const auto e = evaluate(*m_problem, plan, {.keepOps = true});
        QVERIFY(e);
        const Simulation& run = e->pipelines[0].simulation;
        const double published = kind == static_cast<int>(ScheduleKind::Zb2p) ? 8.0 : 4.0;
        for (const DeviceMemory& m : e->memory) {
            const auto stage = static_cast<std::size_t>(m.stage);
            QVERIFY(sameTime(m.peak.activations.value, m.perMicrobatch.value * run.peakHeld[stage]));
            double most = 0.0;
            for (const InFlightStep& at : inFlightOverTime(run, m.stage))
                most = std::max(most, at.count);
            QVERIFY(std::abs(most - run.peakHeld[stage]) < 1e-6);
            if (kind == static_cast<int>(ScheduleKind::Interleaved)) // [2(S-1-i) + (v-1)S + 1]/v
                QVERIFY2(std::abs(most - (2.0 * (3 - m.stage) + 5.0) / 2.0) < 0.3,
                         qPrintable(QString::number(most)));
            else
                QVERIFY2(most <= published + 1e-6, qPrintable(QString::number(most)));
        }
    }

    // A searched kind stays inside the devices' memory where the published limit would not.
    void limitOfTheDevices() {
        Plan plan = sampleChunkedPlan(ScheduleKind::Zb2p);
        const auto roomy = evaluate(*m_problem, plan);
        QVERIFY(roomy);
        double fixed = 0.0;
        for (const DeviceMemory& m : roomy->memory)
            if (m.stage == 0)
                fixed = (m.peak.total() - m.peak.activations).value;
        const Bytes each = roomy->memory.front().perMicrobatch;
        Cluster cluster = m_problem->topology().cluster();
        const double left = roomy->memory.front().capacity.value - fixed;
        QVERIFY(left > 2.5 * each.value); // else the test says nothing
        Recipe recipe = m_problem->recipe();
        recipe.reserve = recipe.reserve + Bytes(left - 2.5 * each.value);
        const auto tight = Problem::make(cluster, m_problem->model(), recipe, {});
        QVERIFY2(tight, tight ? "" : tight.error().text().c_str());
        const auto e = evaluate(**tight, plan);
        QVERIFY(e);
        for (const DeviceMemory& m : e->memory)
            if (m.stage == 0)
                QVERIFY(m.peak.total() <= m.capacity * (1.0 + 1e-9));
        QVERIFY(e->pipelines[0].simulation.peakHeld[0] <= 2.5 + 1e-6);
        QVERIFY(roomy->pipelines[0].simulation.peakHeld[0] > 2.5);
    }

    // First and last chunk of a V share their devices, and so a tied matrix: one copy, no exchange.
    void tiedMatrixOfAV() {
        const auto problem = sampleProblem([](Model& m) { m.tied = true; });
        const auto straight = evaluate(*problem, sampleChunkedPlan(ScheduleKind::Interleaved));
        const auto v = evaluate(*problem, sampleChunkedPlan(ScheduleKind::ZbV));
        QVERIFY(straight && v);
        const auto weights = [](const Evaluation& e) {
            double sum = 0.0;
            for (const DeviceMemory& m : e.memory)
                sum += m.peak.weights.value;
            return sum;
        };
        QVERIFY(straight->pipelines[0].stages[3].sync.value > 0.0);
        QCOMPARE(v->pipelines[0].stages[3].sync.value, 0.0); // one replica
        QVERIFY(weights(*straight) > weights(*v));
    }

    void reproducedFromItsDocument_data() { kinds_data(); }
    void reproducedFromItsDocument() {
        QFETCH(int, kind);
        const Plan plan = sampleChunkedPlan(static_cast<ScheduleKind>(kind));
        const auto e = evaluate(*m_problem, plan);
        QVERIFY(e);
        const Json entry = planEntry(*m_problem, plan, *e);
        const JsonReader reader(entry, "f");
        const auto back = planFromJson(reader, *m_problem);
        QVERIFY2(back, back ? "" : back.error().text().c_str());
        QVERIFY(*back == plan);
        const auto again = evaluate(*m_problem, *back);
        QVERIFY(again && planEntry(*m_problem, *back, *again) == entry);
    }

    // Zero-bubble kinds lose less to idle stages than 1F1B on the same stages, in the order of their memory.
    void zeroBubbleKindsHelp() {
        Plan plan = sampleChunkedPlan(ScheduleKind::Zb1p);
        const auto roomy = sampleProblem({}, 512); // so that the published limits hold, not the devices'
        const auto time = [&](ScheduleKind kind) {
            plan.pipelines[0].schedule.kind = kind;
            const auto e = evaluate(*roomy, plan);
            return e ? e->iteration.value : NAN;
        };
        const double classic = time(ScheduleKind::OneFOneB), one = time(ScheduleKind::Zb1p),
                     two = time(ScheduleKind::Zb2p);
        QVERIFY2(two <= one && one <= classic,
                 qPrintable(QString("%1 %2 %3").arg(classic).arg(one).arg(two)));
    }

    // A bar an op, lanes without overlaps, and links between bars that follow the data through the chunks.
    void timeline_data() { kinds_data(); }
    void timeline() {
        QFETCH(int, kind);
        const Plan plan = sampleChunkedPlan(static_cast<ScheduleKind>(kind));
        const auto e = evaluate(*m_problem, plan, {.keepOps = true});
        QVERIFY(e);
        const Simulation& run = e->pipelines[0].simulation;
        const Timeline t = buildTimeline(*m_problem, plan, *e);
        std::size_t compute = 0, sends = 0;
        for (std::size_t k = 0; k < t.tracks.size(); ++k)
            for (const LaneRole role : {LaneRole::Compute, LaneRole::ForwardSend, LaneRole::BackwardSend}) {
                const Lane& lane = t.tracks[k].lane(role);
                for (std::size_t i = 0; i < lane.size(); ++i) {
                    QVERIFY(i == 0 || lane.start(i) >= lane.end(i - 1));
                    if (lane.kind(i) == BarKind::Optimizer)
                        continue;
                    ++(role == LaneRole::Compute ? compute : sends);
                    checkLinks(t, {static_cast<int>(k), role, static_cast<std::ptrdiff_t>(i)});
                }
            }
        QCOMPARE(compute, run.ops.size());
        QCOMPARE(sends, run.transfers.size());
    }

private:
    void checkLinks(const Timeline& t, BarRef ref) {
        const auto laneOf = [&](BarRef r) -> const Lane& {
            return t.tracks[static_cast<std::size_t>(r.track)].lane(r.lane);
        };
        const auto chunkAt = [&](BarRef r) {
            const Track& track = t.tracks[static_cast<std::size_t>(r.track)];
            return track.layout.virtualStage(track.stage, laneOf(r).chunk(static_cast<std::size_t>(r.bar)));
        };
        const auto at = static_cast<std::size_t>(ref.bar);
        const Lane& lane = laneOf(ref);
        const int last = t.tracks[0].layout.virtualStages() - 1, own = chunkAt(ref);
        const BarRef source = dataSource(t, ref);
        const bool starts = ref.lane == LaneRole::Compute && lane.kind(at) == BarKind::Forward && own == 0;
        QCOMPARE(bool(source), !starts);
        if (!source)
            return;
        QCOMPARE(laneOf(source).microbatch(static_cast<std::size_t>(source.bar)), lane.microbatch(at));
        QVERIFY(laneOf(source).end(static_cast<std::size_t>(source.bar)) <= lane.start(at));
        if (ref.lane != LaneRole::Compute || lane.kind(at) == BarKind::WeightGrad)
            QCOMPARE(chunkAt(source), own);
        else if (lane.kind(at) == BarKind::Forward)
            QCOMPARE(chunkAt(source), own - 1);
        else
            QCOMPARE(chunkAt(source), std::min(own + 1, last));
        const BarRef cause = predecessor(t, ref), next = successor(t, ref);
        QVERIFY(cause && laneOf(cause).end(static_cast<std::size_t>(cause.bar)) <= lane.start(at));
        QVERIFY(!next || laneOf(next).start(static_cast<std::size_t>(next.bar)) >= lane.end(at));
    }

    std::shared_ptr<const Problem> m_problem;
};

QTEST_APPLESS_MAIN(ChunkedPlanTest)
#include "chunked_plan_test.moc"
