// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/baselines/grid_search.h"
#include "core/search/baselines/hybrid_strategy.h"
#include "core/search/planners.h"
#include "tests/search/planned.h"
#include "tests/search/sample_problems.h"

#include <QTest>

#include <cmath>
#include <limits>
#include <set>

using namespace pw;
using test::bestOf;

namespace {

struct HyperScenario {
    const char* name;
    std::shared_ptr<const Problem> problem;
    const char* fastest; // device kind
};

std::vector<HyperScenario> scenarios() {
    using test::drawnCluster;
    const char* a100 = "A100-SXM4-40GB";
    const char* v100 = "V100-SXM2-16GB";
    const Model gpt = test::sampleModel("gpt3-1.3b"), opt = test::sampleModel("opt-350m");
    return {
        {"gpt3-1.3b on mixed-16", test::problemOf(test::sampleCluster("mixed-16"), gpt, 256, 2048), a100},
        {"gpt3-1.3b on mixed-16, short sequences",
         test::problemOf(test::sampleCluster("mixed-16"), gpt, 512, 1024), a100},
        {"measured-16", test::sampleProject("measured-16"), a100},
        {"mixed-16", test::sampleProject("mixed-16"), a100},
        {"llama3-70b on mixed-64",
         test::problemOf(test::sampleCluster("mixed-64"), test::sampleModel("llama3-70b"), 512, 4096),
         "H100-SXM-80GB"},
        {"gpt3-1.3b, V100s behind 1 Gbit/s",
         test::problemOf(drawnCluster({{a100, 8, 100}, {v100, 4, 1}}), gpt, 128, 2048), a100},
        {"opt-350m on eight equal GPUs",
         test::problemOf(drawnCluster({{a100, 4, 100}, {a100, 4, 100}}), opt, 256, 1024), a100},
        {"opt-350m, one fast GPU and eight slow ones",
         test::problemOf(drawnCluster({{a100, 1, 100}, {v100, 8, 100}}), opt, 256, 1024), a100},
        {"opt-350m, three kinds",
         test::problemOf(drawnCluster({{"H100-SXM-80GB", 2, 200}, {a100, 4, 100}, {v100, 4, 25}}), opt, 256,
                         1024),
         "H100-SXM-80GB"},
    };
}

// The four ways without a planner, every grid of each judged by evaluate() with nothing left out.
std::array<double, 4> byHand(const HyperScenario& scenario) {
    const Problem& problem = *scenario.problem;
    const SearchOptions options;
    SearchObserver nobody;
    SearchRun run(problem, options, std::numeric_limits<std::int64_t>::max(), nobody, {});
    std::array<double, 4> best{kNever, kNever, kNever, kNever};
    for (const GpuPool& pool : gpuPools(problem)) {
        const bool fast = std::all_of(pool.nodes.begin(), pool.nodes.end(), [&](const auto& node) {
            return problem.topology().kindOf(node.front()).name == scenario.fastest;
        });
        if (!pool.all && !fast)
            continue;
        for (const UniformGrid& grid : uniformGrids(run, pool)) {
            if (grid.chunks > 1)
                continue;
            const auto e = evaluate(problem, run.table(), planOf(problem, pool, grid));
            const double time = e && e->feasible ? e->iteration.value : kNever;
            if (pool.all)
                best[0] = std::min(best[0], time);
            if (fast)
                best[1] = std::min(best[1], time);
            if (pool.all && grid.tp == 1 && grid.dp == 1)
                best[2] = std::min(best[2], time);
            if (pool.all && grid.tp == 1 && grid.pp == 1)
                best[3] = std::min(best[3], time);
        }
    }
    return best;
}

std::set<std::string> kindsUsed(const Problem& problem, const Plan& plan) {
    std::set<std::string> kinds;
    for (const Stage& stage : plan.pipelines.front().stages)
        for (const Replica& replica : stage.replicas)
            for (const DeviceIndex d : replica.devices)
                kinds.insert(problem.topology().kindOf(d).name);
    return kinds;
}

QString noteOf(const SearchOutcome& outcome, const char* code) {
    for (const Diagnostic& d : outcome.notes)
        if (d.code == code)
            return QString::fromStdString(d.message);
    return {};
}

} // namespace

// Behaviours Y1 to Y3 of the reconstruction.
class HyperPipeTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // Y1: never worse than what people do by hand; Y3: the range of speed-ups printed is that of this
    // problem.
    void neverWorseThanByHand() {
        int better = 0;
        for (const HyperScenario& scenario : scenarios()) {
            const SearchOutcome outcome = test::planned(scenario.problem, "hyperpipe");
            const double best = bestOf(outcome);
            QVERIFY2(std::isfinite(best) && (outcome.status == SearchStatus::Feasible ||
                                             outcome.status == SearchStatus::Optimal),
                     scenario.name);
            const std::array<double, 4> hands = byHand(scenario);
            double least = kNever, most = 0.0;
            for (const double time : hands) {
                QVERIFY2(best <= time, scenario.name);
                if (std::isfinite(time)) {
                    least = std::min(least, time / best);
                    most = std::max(most, time / best);
                }
            }
            QVERIFY2(most > 0.0, scenario.name);
            const QString note = noteOf(outcome, "search.hyperpipe.compared");
            QVERIFY2(note.startsWith(QString::asprintf("predicted by this program, for this problem: %.2f to "
                                                       "%.2f times as fast as",
                                                       least, most)),
                     qPrintable(scenario.name + QStringLiteral(": ") + note));
            qInfo("%s: %.3f s, %.2f to %.2f times as fast", scenario.name, best, least, most);
            better += least > 1.001;
        }
        QVERIFY(better >= 4); // the strategies themselves win, not only what is copied from hand-made ones
    }

    // Y2 where leaving the slow GPU out is optimal: exhaustive search over the whole Space agrees.
    void slowGpusAreLeftOutWithAReason() {
        Model small = test::sampleModel("opt-350m");
        small.blocks = 12;
        const auto on = [&](double gigabits) {
            return test::problemOf(
                test::drawnCluster({{"A100-SXM4-40GB", 1, 400}, {"V100-SXM2-16GB", 1, gigabits}}), small, 64,
                1024);
        };
        const auto far = on(0.5);
        const SearchOutcome truth = test::planned(far, "exhaustive");
        QCOMPARE(truth.status, SearchStatus::Optimal);
        const std::set<std::string> fast = {"A100-SXM4-40GB"};
        QVERIFY(kindsUsed(*far, truth.plans.front().plan) == fast);
        const SearchOutcome without = test::planned(far, "hyperpipe");
        QVERIFY(kindsUsed(*far, without.plans.front().plan) == fast);
        const QString why = noteOf(without, "search.hyperpipe.left_out");
        QVERIFY2(why.startsWith(QStringLiteral(
                     "1 V100-16 stay unused: the best plan tried that uses them as well takes")),
                 qPrintable(why));
        QVERIFY2(why.contains(QStringLiteral("longer than")) &&
                     why.contains(QStringLiteral("its slowest transfer")),
                 qPrintable(why));
        qInfo("%s", qPrintable(why));

        const auto near = on(400.0);
        const SearchOutcome with = test::planned(near, "hyperpipe");
        QCOMPARE(kindsUsed(*near, with.plans.front().plan).size(), std::size_t{2});
        QVERIFY(noteOf(with, "search.hyperpipe.left_out").isEmpty());
    }

    // Layers that the estimate gives to a stage without memory for them move to one that has it.
    void layersFitIntoMemory() {
        const auto problem = test::sampleProject("mixed-16");
        const SearchOptions options;
        SearchObserver nobody;
        SearchRun run(*problem, options, std::numeric_limits<std::int64_t>::max(), nobody, {});
        int moved = 0, fits = 0;
        for (const HybridStrategy& strategy : hybridStrategies(run, {0, 1}, 16)) {
            const ChainSpace& space = *run.spaces()[strategy.space];
            HybridStrategy heavy = strategy; // all layers on the last stage but one each
            for (std::size_t i = 1; i < heavy.blocks.size(); ++i) {
                heavy.blocks[0] += heavy.blocks[i] - 1;
                heavy.blocks[i] = 1;
            }
            for (const HybridStrategy* s : {&strategy, static_cast<const HybridStrategy*>(&heavy)}) {
                const Chain chain = chainOf(space, *s);
                if (chain.empty())
                    continue;
                const auto e =
                    evaluate(*problem, run.table(),
                             space.plan(chain, {ScheduleKind::OneFOneB, LaunchRule::Artifact}, {}));
                QVERIFY(e && e->feasible);
                ++fits;
                moved += s == &heavy && chain[0].end - chain[0].first < heavy.blocks[0];
            }
        }
        QVERIFY(fits > 16 && moved > 8);
    }
};

QTEST_APPLESS_MAIN(HyperPipeTest)
#include "hyperpipe_test.moc"
