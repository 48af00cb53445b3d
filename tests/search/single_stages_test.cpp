// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/exhaustive/sharded.h"

#include "core/problem/problem.h"
#include "core/search/planners.h"
#include "core/search/proof/certificate.h"
#include "core/search/proof/scope_coverage.h"
#include "core/search/space/sharded_stages.h"
#include "tests/draws.h"
#include "tests/search/planned.h"
#include "tests/search/random_problem.h"
#include "tests/search/sample_problems.h"

#include <QTest>

#include <cmath>
#include <limits>

using namespace pw;

namespace {

constexpr std::uint64_t kSingleStagesSeed = 20'001;

SearchOutcome searched(const Problem& problem, const std::vector<int>& zero,
                       const std::function<bool(const Plan&)>& takes, std::int64_t work = 0) {
    SearchOptions options;
    options.top = 4;
    options.work = work;
    options.without = {"bound"};
    SearchObserver nobody;
    return searchSingleStages(problem, options, zero, takes, nobody, {});
}

// One stage over nodes of several classes, which no chain has.
bool isPool(const Problem& problem, const Plan& plan) {
    const std::optional<Plan> less = withoutFurtherSharding(problem, plan);
    return less && isShardedStage(problem, plan) && !isChain(problem, *less);
}

// The first plan that is told.
struct First : SearchObserver {
    void found(const FoundPlan& plan) override {
        if (!foundBy.empty())
            return;
        foundBy = plan.foundBy;
        iteration = plan.evaluation.iteration;
    }
    std::string foundBy;
    Seconds iteration;
};

} // namespace

// All plans of one stage, against every one of them evaluated.
class SingleStagesTest : public QObject {
    Q_OBJECT

private slots:
    void noneIsMissed() {
        int feasible = 0, infeasible = 0, sharded = 0;
        for (std::uint64_t seed = kSingleStagesSeed; feasible < 40; ++seed) {
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
                                stage.zero = option.copies() > 1 ? z : option.zero;
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
                const bool alone = stage.dp() * stage.cp == 1;
                QVERIFY(alone || std::ranges::find(zero, stage.zero) != zero.end());
                sharded += !alone && stage.zero > 1;
            }
        }
        QVERIFY(infeasible > 3 && sharded > 10);
    }

    // What a search that is asked for sharding begins with: the fastest of them all, in a few looks.
    void theFastestIsThereAtOnce() {
        int feasible = 0, fewer = 0;
        for (std::uint64_t seed = kSingleStagesSeed; feasible < 40; ++seed) {
            Random random(seed);
            const auto drawn = test::randomProblem(random);
            QVERIFY(drawn);
            Recipe recipe = drawn->recipe();
            recipe.zero = 2 + static_cast<int>(random.below(2));
            const auto problem =
                Problem::make(drawn->topology().cluster(), drawn->model(), recipe, {}, drawn->space());
            QVERIFY(problem);
            const QByteArray name = "seed " + QByteArray::number(static_cast<qulonglong>(seed));
            const SearchOutcome all = searched(**problem, {recipe.zero}, [](const Plan& plan) {
                const Stage& only = plan.pipelines.front().stages.front();
                return only.dp() * only.cp > 1;
            });
            SearchOptions options;
            SearchObserver nobody;
            SearchRun run(**problem, options, 1'000'000, nobody, {}, SearchRun::Share::AsAllowed);
            considerQuickestSharded(run);
            if (all.plans.empty()) { // or a pool of several classes as one stage, which is no chain's
                QVERIFY2(std::isinf(run.best()) || isPool(**problem, run.bestPlan()->plan), name);
                continue;
            }
            QVERIFY2(std::isfinite(run.best()), name);
            ++feasible;
            QVERIFY2(!takesLess(all.plans.front().evaluation.iteration.value, run.best()), name);
            QCOMPARE(run.bestPlan()->plan.pipelines.front().stages.front().zero, recipe.zero);
            fewer += run.work() * 2 < all.work;
        }
        QVERIFY2(fewer > 20, QByteArray::number(fewer));
    }

    // Where the recipe leaves sharding open, a search finds the best of chains with a sharded optimiser and
    // of these, and proves it of both.
    void anOpenRecipeTriesThem() {
        int sharded = 0, chains = 0, pools = 0;
        for (std::uint64_t seed = kSingleStagesSeed; sharded + chains < test::draws(60, 400); ++seed) {
            Random random(seed);
            const auto drawn = test::randomProblem(random);
            QVERIFY(drawn);
            const auto under = [&](int zero) {
                Recipe recipe = drawn->recipe();
                recipe.zero = zero;
                auto made =
                    Problem::make(drawn->topology().cluster(), drawn->model(), recipe, {}, drawn->space());
                if (!made)
                    qFatal("%s", made.error().text().c_str());
                return *std::move(made);
            };
            const auto open = under(-1);
            const QByteArray name = "seed " + QByteArray::number(static_cast<qulonglong>(seed));
            const SearchOutcome found = test::planned(open, "pipewright"),
                                optimiser = test::planned(under(1), "pipewright"),
                                stages = searched(*open, {2, 3}, [&](const Plan&plan) {
                                    return isShardedStage(*open, plan); // else less of it has room
                                });
            if (found.status == SearchStatus::Budget || optimiser.status == SearchStatus::Budget)
                continue;
            const double least = std::min(test::bestOf(optimiser), test::bestOf(stages));
            QVERIFY2(found.plans.empty() == std::isinf(least), name);
            if (found.plans.empty())
                continue;
            const ProofScope& scope = found.bound.scope;
            const Plan& best = found.plans.front().plan;
            if (!test::isOfSpace(*open, best)) { // a class entered twice
                QVERIFY2(test::bestOf(found) <= least * (1.0 + 1e-9), name);
                continue;
            }
            if (isPool(*open, best)) { // not among `stages`
                ++pools;
                QVERIFY2(test::bestOf(found) <= least * (1.0 + 1e-9), name);
                QVERIFY2(found.covered && contains(scope, *open, best), name);
                continue;
            }
            QVERIFY2(std::abs(test::bestOf(found) / least - 1.0) < 1e-9, name);
            QCOMPARE(found.status, SearchStatus::Optimal);
            QCOMPARE(scope.sharded, (std::vector{2, 3}));
            QVERIFY2(found.covered && contains(scope, *open, best),
                     name + ": " + scope.text().c_str() + ", " + found.plans.front().foundBy.c_str());
            QVERIFY(found.bound.value.value <= least * (1.0 + 1e-9));
            ProofScope less = scope;
            less.sharded.clear();
            const bool further = isShardedStage(*open, best);
            QCOMPARE(contains(less, *open, best), !further);
            const auto proves = [&](Seconds value, const std::vector<int>& sharding) {
                return provesBound(*open, *found.bound.certificate, value, true, sharding);
            };
            if (found.bound.certificate) {
                QVERIFY2(proves(found.bound.value, scope.sharded), name);
                QVERIFY2(!further || !proves(Seconds(least * 1.001), scope.sharded), name);
            }
            (further ? sharded : chains) += 1;
        }
        qInfo("%d of %d best plans shard more than the optimiser", sharded, sharded + chains);
        QVERIFY((sharded > 0 && chains > 0) || !test::manyDrawn());
        QVERIFY(pools > 0);
    }

    // So that a search whose work ends before all are tried has them, and tells them first.
    void aSearchWithLittleWorkHasThem() {
        for (const int zero : {-1, 1, 2, 3}) {
            Recipe recipe;
            recipe.gbs = 256;
            recipe.seq = 2048;
            recipe.zero = zero;
            const auto problem =
                Problem::make(test::sampleCluster("mixed-16"), test::sampleModel("gpt3-1.3b"), recipe, {});
            QVERIFY(problem);
            SearchOptions options;
            options.work = 20'000;
            First first;
            const auto outcome = search(*problem, options, first, {});
            QVERIFY(outcome && !outcome->plans.empty());
            QCOMPARE(first.foundBy == "sharded", zero > 1);
            QVERIFY(outcome->plans.front().evaluation.iteration <= first.iteration);
        }
    }

    void workEndsIt() {
        Random random(kSingleStagesSeed);
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
