// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schedule/list_schedulers.h"
#include "tests/schedule/random_chunked.h"
#include "tests/schedule/random_pipeline.h"

#include <QTest>

using namespace pw;

namespace {

constexpr std::uint64_t kSeed = 118122;
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

} // namespace

// The greedy scheduler by itself: zeroBubbleLists() takes the best of many policies, so that a poor one of
// them is not seen there.
class GreedyListsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // With memory for everything and a policy that waits for nothing, no stage idles beside a pass of any of
    // its chunks that could run.
    void noStageIdlesBesideWork() {
        Random random(kSeed);
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
                     qPrintable(QString("seed %1, pipeline %2: %3").arg(kSeed).arg(n).arg(wrong)));
        }
    }
};

QTEST_APPLESS_MAIN(GreedyListsTest)
#include "greedy_lists_test.moc"
