// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/exhaustive/sharded.h"

#include "core/problem/problem.h"
#include "tests/search/random_problem.h"

#include <QTest>

#include <limits>

using namespace pw;

namespace {

constexpr std::uint64_t kSeed = 20'001;

SearchOutcome searched(const Problem& problem, const std::vector<int>& zero,
                       const std::function<bool(const Plan&)>& takes, std::int64_t work = 0) {
    SearchOptions options;
    options.top = 4;
    options.work = work;
    options.without = {"bound"};
    SearchObserver nobody;
    return searchSingleStages(problem, options, zero, takes, nobody, {});
}

} // namespace

// All plans of one stage, against every one of them evaluated.
class SingleStagesTest : public QObject {
    Q_OBJECT

private slots:
    void noneIsMissed() {
        int feasible = 0, infeasible = 0, sharded = 0;
        for (std::uint64_t seed = kSeed; feasible < 40; ++seed) {
            Random random(seed);
            const auto problem = test::randomProblem(random);
            QVERIFY(problem);
            const QByteArray name = "seed " + QByteArray::number(static_cast<qulonglong>(seed));
            const std::vector<int> zero = random.below(2) == 0 ? std::vector{2, 3} : std::vector{0, 1, 3};
            const auto isWanted = [&](const Plan& plan) { // something that no search asks for
                return plan.pipelines.front().microbatches % 2 == 0;
            };
            const CostTable table(*problem);
            double best = std::numeric_limits<double>::infinity();
            for (const Sharing& sharing : sharings(*problem))
                for (const std::int64_t size : ChainSpace::microbatchSizes(*problem)) {
                    const ChainSpace space(*problem, table, size, sharing);
                    for (const StageOption& option : space.options())
                        for (const int z : zero)
                            for (int recomputed = 0; recomputed < (option.plain ? space.blocks() : 1);
                                 ++recomputed) {
                                Pipeline pipeline;
                                pipeline.microbatches = space.microbatches();
                                pipeline.microbatchSize = size;
                                pipeline.stages = {space.stage(option, 0)};
                                Stage& stage = pipeline.stages.front();
                                stage.chunks = {layersOfBlocks(0, space.blocks(), space.blocks())};
                                stage.zero = option.dp > 1 ? z : option.zero;
                                stage.recomputeLayers = recomputed;
                                const Plan plan{{pipeline}};
                                const auto evaluation = evaluate(*problem, plan);
                                if (evaluation && evaluation->feasible && isWanted(plan))
                                    best = std::min(best, evaluation->iteration.value);
                            }
                }
            const SearchOutcome found = searched(*problem, zero, isWanted);
            QVERIFY2(found.plans.empty() == std::isinf(best), name);
            QCOMPARE(found.bound.value.value, 0.0);
            QVERIFY(found.status ==
                    (found.plans.empty() ? SearchStatus::Infeasible : SearchStatus::Feasible));
            if (found.plans.empty()) {
                ++infeasible;
                continue;
            }
            ++feasible;
            QVERIFY2(found.plans.front().evaluation.iteration.value == best, name);
            for (const FoundPlan& plan : found.plans) {
                const Pipeline& pipeline = plan.plan.pipelines.front();
                QVERIFY(pipeline.stages.size() == 1 && isWanted(plan.plan));
                const Stage& stage = pipeline.stages.front();
                QVERIFY(stage.dp() == 1 || std::ranges::find(zero, stage.zero) != zero.end());
                sharded += stage.dp() > 1 && stage.zero > 1;
            }
        }
        QVERIFY(infeasible > 3 && sharded > 10);
    }

    void workEndsIt() {
        Random random(kSeed);
        const auto problem = test::randomProblem(random);
        QVERIFY(problem);
        const auto any = [](const Plan&) { return true; };
        const SearchOutcome whole = searched(*problem, {2, 3}, any);
        const SearchOutcome part = searched(*problem, {2, 3}, any, 2);
        QVERIFY(whole.status != SearchStatus::Budget && whole.work > 2);
        QVERIFY(part.status == SearchStatus::Budget && part.work <= 3);
        QVERIFY(searched(*problem, {2, 3}, [](const Plan&) { return false; }).plans.empty());
    }
};

QTEST_APPLESS_MAIN(SingleStagesTest)
#include "single_stages_test.moc"
