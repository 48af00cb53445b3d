// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later

// Whole experts over tensor-parallel ranks, as trainers deal them out: searched, bounded, and said in the
// scope of every proof.

#include "core/search/proof/scope_coverage.h"
#include "tests/draws.h"
#include "tests/search/planned.h"
#include "tests/search/random_problem.h"
#include "tests/search/sample_problems.h"

#include <QTest>

#include <algorithm>
#include <array>
#include <random>

using namespace pw;
using test::bestOf;
using test::planned;

namespace {

bool folds(const Plan& plan) {
    return std::ranges::any_of(plan.pipelines, [](const Pipeline& pipeline) {
        return std::ranges::any_of(pipeline.stages,
                                   [](const Stage& s) { return s.expertTp() == 1 && s.tp > 1; });
    });
}

std::shared_ptr<const Problem> withFolding(const Problem& problem, bool on) {
    Space space = problem.space();
    space.foldExperts = on;
    return problem.withSpace(std::move(space));
}

// Six blocks of Qwen3-30B-A3B on a node, with fewer sequences than GPUs: the replicas are too few for the
// experts.
std::shared_ptr<const Problem> fewSequences() {
    Model m = test::sampleModel("mixtral-8x7b");
    m.blocks = 6;
    m.hidden = 2048;
    m.heads = 32;
    m.kvHeads = 4;
    m.headDim = 128;
    m.experts.count = 128;
    m.experts.perToken = 8;
    m.experts.ffn = 768;
    Recipe recipe;
    recipe.gbs = 2;
    recipe.seq = 4096;
    recipe.zero = 1; // more sharding is another question
    const auto made = Problem::make(test::drawnCluster({{"H100-SXM-80GB", 8, 400.0}}), m, recipe, {});
    if (!made)
        qFatal("%s", made.error().text().c_str());
    return *made;
}

// Few enough plans for all to be tried.
std::shared_ptr<const Problem> drawnWithExperts(Random& random) {
    while (true) {
        Model model = test::randomModel(random);
        if (model.experts.count == 0)
            continue;
        model.blocks = 2;
        Recipe recipe;
        recipe.gbs = test::pick<std::int64_t>(random, {2, 4});
        recipe.seq = 1024;
        recipe.recompute = {Recompute::None};
        Space space;
        space.maxCp = 1;
        space.maxTp = 4;
        auto problem = Problem::make(test::randomCluster(random), model, recipe, {}, space);
        if (problem)
            return *problem;
    }
}

} // namespace

class FoldedExpertsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theyAreSearchedWhereReplicasAreTooFew() {
        const auto problem = fewSequences();
        const SearchOutcome with = planned(problem, "pipewright"),
                            without = planned(withFolding(*problem, false), "pipewright");
        QVERIFY(!with.plans.empty() && folds(with.plans.front().plan));
        QVERIFY(bestOf(with) < 0.99 * bestOf(without));
        for (const FoundPlan& found : without.plans)
            QVERIFY(!folds(found.plan));

        // A bound of the one speaks of plans that the other's does not.
        QVERIFY(with.bound.scope.foldExperts && !without.bound.scope.foldExperts);
        QVERIFY(with.bound.scope.ep > 1 && with.bound.scope.ep == without.bound.scope.ep);
        QVERIFY(with.bound.scope != without.bound.scope);
        QVERIFY(with.covered && with.bound.value.value <= bestOf(with) * (1.0 + 1e-9));
        QVERIFY(contains(with.bound.scope, *problem, with.plans.front().plan));
        QVERIFY(contains(with.bound.scope, *problem, without.plans.front().plan));
        QVERIFY(contains(without.bound.scope, *problem, without.plans.front().plan));
        QVERIFY(!contains(without.bound.scope, *problem, with.plans.front().plan));
        using enum ProofScope::Family;
        for (const ProofScope::Family family : {Chains, ChainsAndGrids, AnyOrder, AnyShape}) {
            ProofScope scope = scopeOf(*problem, family);
            QVERIFY(scope.foldExperts);
            QVERIFY2(contains(scope, *problem, with.plans.front().plan), name(family));
            scope.foldExperts = false;
            QVERIFY2(!contains(scope, *problem, with.plans.front().plan), name(family));
        }
    }

    // Of a model without experts it says nothing.
    void denseModelsHaveNone() {
        const auto problem = test::problemOf(test::drawnCluster({{"H100-SXM-80GB", 8, 400.0}}),
                                             test::sampleModel("gpt3-1.3b"), 2, 2048);
        QVERIFY(!scopeOf(*problem, ProofScope::Family::AnyShape).foldExperts);
    }

    // No plan of the Space is faster than its bound says or than what is found, with and without.
    void noPlanIsBelowTheBound() {
        const auto seed = static_cast<std::uint64_t>(std::random_device()());
        qInfo("seed %llu", static_cast<unsigned long long>(seed));
        Random random(seed);
        constexpr int kSome = 100; // of which one at least folds its experts: of 12 one in twenty has none
        const int draws = test::draws(12, 200);
        int folded = 0;
        for (int n = 0; n < draws; ++n) {
            const auto drawn = drawnWithExperts(random);
            std::array<double, 2> best{};
            for (const bool on : {false, true}) {
                const auto problem = withFolding(*drawn, on);
                const SearchOutcome all = planned(problem, "exhaustive"),
                                    own = planned(problem, "pipewright");
                best[on] = bestOf(all);
                QVERIFY2(own.bound.value.value <= best[on] * (1.0 + 1e-9), qPrintable(QString::number(n)));
                if (all.status == SearchStatus::Optimal)
                    QVERIFY2(bestOf(own) >= best[on] * (1.0 - 1e-9) || !own.covered,
                             qPrintable(QString::number(n)));
                folded += !all.plans.empty() && folds(all.plans.front().plan);
            }
            QVERIFY2(best[1] <= best[0] * (1.0 + 1e-9), qPrintable(QString::number(n)));
        }
        QVERIFY(folded > 0 || draws < kSome);
    }
};

QTEST_APPLESS_MAIN(FoldedExpertsTest)
#include "folded_experts_test.moc"
