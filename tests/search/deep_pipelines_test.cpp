// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/random.h"
#include "core/search/proof/certificate.h"
#include "core/search/proof/launch_count_bound.h"
#include "core/search/space/coverage.h"
#include "tests/draws.h"
#include "tests/search/planned.h"
#include "tests/search/random_problem.h"
#include "tests/search/sample_problems.h"

#include <nlohmann/json.hpp>

#include <QTest>

#include <atomic>
#include <cmath>

using namespace pw;
using test::planned;

namespace {

constexpr std::uint64_t kDeepPipelinesSeed = 50417;

std::shared_ptr<const Problem> deepProblem(const std::vector<test::DrawnNode>& nodes, std::int64_t blocks,
                                           std::int64_t gbs) {
    Model model = test::sampleModel("gpt3-1.3b");
    model.blocks = blocks;
    Recipe recipe;
    recipe.gbs = gbs;
    recipe.seq = 1024;
    Space space;
    space.maxCp = space.maxEp = 1;
    auto problem = Problem::make(test::drawnCluster(nodes), model, recipe, {}, space);
    if (!problem)
        qFatal("%s", problem.error().text().c_str());
    return *problem;
}

std::size_t stagesOf(const FoundPlan& found) {
    return found.plan.pipelines.front().stages.size();
}

} // namespace

// Pipelines of more stages than are looked at one number by one.
class DeepPipelinesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // 24 hosts of one GPU of 16 GB: 16 of them do not hold the model.
    void whatNeedsManyStagesHasAPlan() {
        std::vector<test::DrawnNode> hosts(24, {"P100-SXM2-16GB", 1, 25.0});
        Model model = test::sampleModel("gpt3-1.3b");
        model.hidden = 4096;
        model.ffn = 16384;
        model.heads = model.kvHeads = 32;
        model.blocks = 64;
        Recipe recipe;
        recipe.gbs = 64;
        recipe.seq = 1024;
        const auto problem = Problem::make(test::drawnCluster(hosts), model, recipe, {}, Space{});
        QVERIFY(problem);
        for (const char* planner : {"pipewright", "megatron"}) {
            const SearchOutcome outcome = planned(*problem, planner);
            QVERIFY2(!outcome.plans.empty(), planner);
            if (planner == std::string("pipewright"))
                QVERIFY(stagesOf(outcome.plans.front()) > 16);
            QVERIFY(outcome.bound.value.value > 0.0);
            QVERIFY(outcome.bound.value <= outcome.plans.front().evaluation.iteration);
        }
    }

    // The bound is below every plan that any planner finds, however deep, and its certificate is replayed.
    void boundsHoldForDeepPlans() {
        int deep = 0;
        for (std::uint64_t seed = kDeepPipelinesSeed; deep < test::draws(12, 12); ++seed) {
            QVERIFY2(seed < kDeepPipelinesSeed + 200, "hardly any deep plan is found");
            Random random(seed);
            std::vector<test::DrawnNode> nodes;
            const auto count = static_cast<std::size_t>(10 + random.below(14));
            for (const char* kind : {"V100-SXM2-16GB", "P100-SXM2-16GB"}) {
                const int gpus = test::pick<int>(random, {1, 2});
                const double gigabits = test::pick<double>(random, {5.0, 25.0, 200.0});
                nodes.insert(nodes.end(), count, {kind, gpus, gigabits});
            }
            const auto problem = deepProblem(nodes, test::pick<std::int64_t>(random, {24, 40}),
                                             test::pick<std::int64_t>(random, {16, 64, 128}));
            const CostTable table(*problem);
            const auto spaces = chainSpaces(*problem, table, sharings(*problem), [] { return false; });
            LaunchCountBound bound(pointersTo(spaces));
            for (const char* planner : {"pipewright", "alpa", "megatron"}) {
                const SearchOutcome outcome = planned(problem, planner);
                const QByteArray what =
                    "seed " + QByteArray::number(static_cast<qulonglong>(seed)) + ", " + planner;
                for (const FoundPlan& found : outcome.plans) {
                    if (stagesOf(found) <= LaunchCountBound::kStagesEach ||
                        !coveredByBound(*problem, found.plan))
                        continue;
                    ++deep;
                    const double time = found.evaluation.iteration.value;
                    QVERIFY2(outcome.bound.value.value <= time, what.constData());
                    const std::int64_t size = found.plan.pipelines.front().microbatchSize;
                    for (std::size_t s = 0; s < spaces.size(); ++s)
                        if (spaces[s]->microbatchSize() == size) {
                            QVERIFY2(bound.mayEndRoughly(s, time * (1.0 + 1e-9)), what.constData());
                            QVERIFY2(bound.mayEndBy(s, time * (1.0 + 1e-9)), what.constData());
                        }
                }
                if (planner != std::string("pipewright"))
                    continue;
                const Bound proven = bound.compute(outcome.plans.front().evaluation.iteration.value);
                QVERIFY2(provesBound(*problem, *proven.certificate, proven.value, false), what.constData());
                // One proof less, and nothing is proven any more.
                Json less = *proven.certificate;
                Json& proofs = less["proofs"];
                proofs.erase(static_cast<std::size_t>(random.below(proofs.size())));
                QVERIFY2(!provesBound(*problem, less, proven.value, false), what.constData());
            }
        }
    }

    // Below this time no chain of the stage counts that are looked at one by one ends, but one of more does:
    // asked again for it, nothing is worked out anew.
    void whatIsKnownIsNotWorkedOutAgain() {
        const auto problem =
            deepProblem(std::vector<test::DrawnNode>(30, {"V100-SXM2-16GB", 1, 25.0}), 30, 64);
        const CostTable table(*problem);
        const ChainSpace space(*problem, table, 1); // one GPU a stage
        std::atomic<int> asked = 0;                 // whether to stop, for every state of the programme
        const auto goOn = [&] {
            ++asked;
            return false;
        };
        const double least = LaunchCountBound({&space}).compute(kNever).value.value;
        LaunchCountBound bound({&space}, goOn);
        const double once = bound.compute(1.1 * least).value.value;
        QVERIFY(std::abs(once / least - 1.0) < 1e-6);
        const int first = asked.exchange(0);
        QCOMPARE(bound.compute(1.1 * least).value.value, once);
        QVERIFY2(asked < first / 10, qPrintable(QString("%1 against %2").arg(asked).arg(first)));
    }

    // Two stages on two GPUs leave none free, so that only a price of time can say that each waits for the
    // other: with two micro-batches for a quarter of the iteration.
    void pricesKnowThatPipelinesFill() {
        Model model = test::sampleModel("gpt3-1.3b");
        model.blocks = 2;
        model.vocab = 1000; // both stages take as long
        model.positions = model.learnedPositions = 8192;
        Recipe recipe;
        recipe.gbs = 2;
        recipe.seq = 8192;
        recipe.mbs = {1};
        recipe.recompute = {Recompute::None};
        const auto problem =
            Problem::make(test::drawnCluster(std::vector<test::DrawnNode>(2, {"A100-SXM4-40GB", 1, 100.0})),
                          model, recipe, {}, Space{});
        QVERIFY(problem);
        const CostTable table(**problem);
        const ChainSpace space(**problem, table, 1);
        QCOMPARE(space.options().size(), std::size_t{1});
        const ChainLines lines = chainLines(space, [] { return false; });
        const double times = lines[1][0].time(1.0) + lines[2][0].time(1.0);
        LaunchCountBound prices(
            {&space}, [] { return false; }, 0, ChainOrder::Any);
        const double proven = prices.compute(kNever).value.value;
        const SearchOutcome best = planned(test::withoutSharded(**problem), "exhaustive");
        QVERIFY(proven <= best.plans.front().evaluation.iteration.value);
        QVERIFY(proven >= 0.99 * times / (1.0 - 0.5 * 0.5));
    }

    // Proofs of several stage counts at once are no proofs of one more.
    void aRangeEndsWhereItSays() {
        const auto problem =
            deepProblem(std::vector<test::DrawnNode>(30, {"V100-SXM2-16GB", 1, 25.0}), 30, 64);
        const CostTable table(*problem);
        const auto spaces = chainSpaces(*problem, table, sharings(*problem), [] { return false; });
        LaunchCountBound bound(pointersTo(spaces));
        const Bound proven = bound.computeRoughly(1e9);
        QVERIFY(proven.value.value > 0.0);
        QVERIFY(provesBound(*problem, *proven.certificate, proven.value, false));
        int ranges = 0;
        for (std::size_t p = 0; p < (*proven.certificate)["proofs"].size(); ++p) {
            Json cut = *proven.certificate;
            Json& proof = cut["proofs"][p];
            if (proof["stages"] == proof["most_stages"])
                continue;
            ++ranges;
            proof["most_stages"] = proof["most_stages"].get<int>() - 1;
            QVERIFY(!provesBound(*problem, cut, proven.value, false));
        }
        QVERIFY(ranges > 0);
    }
};

QTEST_APPLESS_MAIN(DeepPipelinesTest)
#include "deep_pipelines_test.moc"
