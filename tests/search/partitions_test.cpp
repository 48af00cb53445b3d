// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/document/plan_document.h"
#include "core/document/plan_file.h"
#include "core/plan/stage_partition.h"
#include "core/search/options.h"
#include "core/search/planners.h"
#include "core/search/proof/certificate.h"
#include "core/search/proof/launch_count_bound.h"
#include "core/search/search.h"
#include "core/search/space/coverage.h"
#include "tests/draws.h"
#include "tests/search/planned.h"
#include "tests/search/random_problem.h"
#include "tests/search/sample_problems.h"

#include <nlohmann/json.hpp>

#include <QTest>

#include <algorithm>
#include <cmath>
#include <set>

using namespace pw;
using test::bestOf;

namespace {

constexpr std::uint64_t kPartitionsSeed = 20240721;
const int kPartitionProblems = test::draws(80, 80);
constexpr std::int64_t kPartitionLimit = 12'000; // problems that ask for more are drawn again

SearchOutcome runPartitions(const std::shared_ptr<const Problem>& problem, const char* planner,
                            bool partitions, std::int64_t work = 100'000'000,
                            const std::function<void(SearchOptions&)>& change = {}) {
    SearchOptions options;
    options.planner = planner;
    options.work = work;
    options.partitions = partitions;
    if (change)
        change(options);
    SearchObserver nobody;
    auto outcome = search(problem, options, nobody, {});
    if (!outcome)
        qFatal("%s", outcome.error().text().c_str());
    return *std::move(outcome);
}

// The exotic axis: one or two nodes, up to 8 GPUs of three kinds, at least four of them equal, with little
// memory and links from slow to fast; plain blocks, which is what partitions are for.
std::shared_ptr<const Problem> partitionProblem(Random& random) {
    static const std::vector<std::string> kKinds = {"V100-SXM2-16GB", "A100-SXM4-40GB", "H100-SXM-80GB"};
    std::vector<test::DrawnNode> nodes = {{test::pick(random, kKinds), 4, 100.0}};
    switch (random.below(4)) {
    case 0:
        nodes[0].gpus = 8;
        break;
    case 1:
        nodes.push_back({nodes[0].kind, 4, 100.0});
        break;
    case 2:
        nodes.push_back({test::pick(random, kKinds), 1 + static_cast<int>(random.below(4)), 25.0});
        break;
    default:
        break;
    }
    Model m;
    m.name = "plain";
    m.family = "gpt2";
    m.blocks = 2 + static_cast<std::int64_t>(random.below(3));
    const bool large = random.below(3) != 0; // cannot but be divided
    m.heads = large ? 64 : 16;
    m.kvHeads = random.below(2) == 0 ? m.heads : m.heads / 2;
    m.headDim = large ? 128 : 64;
    m.hidden = m.heads * m.headDim;
    m.ffn = 4 * m.hidden;
    m.vocab = 8000;
    m.positions = 4096;
    m.gatedMlp = m.rmsNorm = random.below(2) == 0;
    m.tied = random.below(2) == 0;
    Cluster cluster = test::drawnCluster(nodes);
    const double states = 18.0 * static_cast<double>(parameterCount(m));
    int gpus = 0;
    for (const test::DrawnNode& node : nodes)
        gpus += node.gpus;
    const double room = states / gpus * random.uniform(1.1, 3.0) + gibibytes(2.0).value;
    for (Node& node : cluster.nodes) {
        const double memory = Catalogue::builtin().find(node.kind)->memory.value;
        node.memoryTaken = Bytes(std::max(0.0, memory - room));
        if (random.below(2) == 0)
            node.intraBandwidth = BytesPerSecond(test::logUniform(random, 3e9, 3e11));
    }
    Recipe recipe;
    recipe.gbs = test::pick<std::int64_t>(random, {4, 8, 12, 16});
    recipe.seq = test::pick<std::int64_t>(random, {512, 1024, 2048});
    recipe.recompute = {Recompute::None};
    if (random.below(3) == 0)
        recipe.recompute.push_back(Recompute::Full);
    recipe.sequenceParallel = random.below(2) == 0 ? Choice::Off : Choice::Auto;
    if (random.below(3) != 0)
        recipe.mbs = {test::pick<std::int64_t>(random, {2, 4, 8})};
    recipe.reserve = gibibytes(0.25);
    Space space;
    space.maxStages = 2 + static_cast<int>(random.below(2));
    space.schedules.resize(2 + random.below(4));
    auto made = Problem::make(cluster, m, recipe, test::randomProfile(random, cluster, m), space);
    return made ? *made : nullptr;
}

struct PartitionCase {
    std::uint64_t seed = 0;
    std::shared_ptr<const Problem> problem; // off; a search asks for more
    SearchOutcome plain, exhaustive, own;
    QByteArray name() const { return "seed " + QByteArray::number(static_cast<qulonglong>(seed)); }
};

std::string withoutWall(const Problem& problem, const SearchOutcome& outcome) {
    Json document = planDocument(problem, outcome);
    document.erase("wall_s");
    return document.dump();
}

std::shared_ptr<const Problem> partitioned(const Problem& problem) {
    Space space = problem.space();
    space.partitions = true;
    return problem.withSpace(std::move(space));
}

} // namespace

// Tensor partitions as a part of the Space: the planner against every plan of it, and against the Space
// without them.
class PartitionsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        qInfo("seed %llu and those behind it", static_cast<unsigned long long>(kPartitionsSeed));
        for (std::uint64_t seed = kPartitionsSeed; std::ssize(m_cases) < kPartitionProblems; ++seed) {
            Random random(seed);
            PartitionCase c;
            c.seed = seed;
            c.problem = partitionProblem(random);
            if (!c.problem)
                continue;
            c.exhaustive = runPartitions(c.problem, "exhaustive", true, kPartitionLimit);
            if (c.exhaustive.status == SearchStatus::Budget)
                continue;
            c.plain = runPartitions(c.problem, "exhaustive", false);
            c.own = runPartitions(c.problem, "pipewright", true);
            m_cases.push_back(std::move(c));
        }
    }

    // P5 for plans: allowing partitions never makes the best one slower, and it is taken where it wins.
    void allowingThemNeverCosts() {
        int chosen = 0, without = 0;
        double most = 1.0;
        for (const PartitionCase& c : m_cases) {
            const double best = bestOf(c.exhaustive), plain = bestOf(c.plain);
            QVERIFY2(best <= plain, c.name());
            if (c.exhaustive.plans.empty())
                continue;
            const bool divided = hasPartition(c.exhaustive.plans.front().plan);
            QVERIFY2(divided || best == plain, c.name()); // else it is the same plan
            for (const FoundPlan& found : c.plain.plans)
                QVERIFY(!hasPartition(found.plan));
            chosen += divided && best < plain;
            without += !divided;
            if (std::isfinite(plain))
                most = std::max(most, plain / best);
        }
        qInfo("%d of %zu best plans have a partition, up to %.2f times as fast", chosen, m_cases.size(),
              most);
        QVERIFY((chosen > 5 && without > 10) || !test::manyDrawn());
    }

    // Where partitions win, the best plan without one stands beside them for who has to run it.
    void theBestWithoutIsOffered() {
        for (const PartitionCase& c : m_cases)
            for (const SearchOutcome* outcome : {&c.exhaustive, &c.own}) {
                const auto plain = std::ranges::find_if(
                    outcome->plans, [](const FoundPlan& found) { return !hasPartition(found.plan); });
                QCOMPARE(plain == outcome->plans.end(), c.plain.plans.empty());
                if (c.plain.plans.empty())
                    continue;
                QVERIFY2(std::abs(plain->evaluation.iteration.value / bestOf(c.plain) - 1.0) < 1e-9,
                         c.name() + qPrintable(QString(" %1: %2 against %3")
                                                   .arg(outcome == &c.own ? "own" : "exhaustive")
                                                   .arg(plain->evaluation.iteration.value, 0, 'g', 12)
                                                   .arg(bestOf(c.plain), 0, 'g', 12)));
                QVERIFY(std::ranges::is_sorted(outcome->plans, takesLess, [](const FoundPlan& found) {
                    return found.evaluation.iteration.value;
                }));
            }
    }

    void pipewrightIsExhaustive() {
        int infeasible = 0;
        for (const PartitionCase& c : m_cases) {
            QCOMPARE(c.own.status, c.exhaustive.status);
            QVERIFY2(c.exhaustive.plans.empty() == c.own.plans.empty(), c.name());
            infeasible += c.own.plans.empty();
            if (c.own.plans.empty())
                continue;
            const double truth = bestOf(c.exhaustive), found = bestOf(c.own);
            QVERIFY2(
                std::abs(found - truth) <= 1e-9 * truth,
                c.name() +
                    qPrintable(QString(": %1 against %2").arg(found, 0, 'g', 15).arg(truth, 0, 'g', 15)));
            QCOMPARE(c.own.status, SearchStatus::Optimal);
        }
        qInfo("%d infeasible", infeasible);
    }

    // What a search says of a divided plan is what evaluate() says, and a reader of the document.
    void plansStandOnTheirOwn() {
        int divided = 0;
        for (const PartitionCase& c : m_cases) {
            const auto allowed = partitioned(*c.problem);
            QCOMPARE(allowed->hash(), c.problem->hash());
            for (const FoundPlan& found : c.own.plans) {
                const Status sound = checkPlan(*c.problem, found.plan, "");
                QVERIFY2(sound, sound ? "" : sound.error().text().c_str());
                const auto again = evaluate(*c.problem, found.plan);
                QVERIFY2(again && again->iteration.value == found.evaluation.iteration.value, c.name());
                const bool own = hasPartition(found.plan);
                divided += own;
                QVERIFY2(test::isOfSpace(*allowed, found.plan), c.name());
                QCOMPARE(test::isOfSpace(*c.problem, found.plan), !own);
                if (own)
                    for (const Stage& stage : found.plan.pipelines[0].stages)
                        QVERIFY(stage.partition.empty() || stage.tp == 4 || stage.tp == 8);
            }
            const std::string text = printJson(planDocument(*c.problem, c.own));
            const auto file = readPlanFile(text, "plans.json");
            QVERIFY2(file, file ? "" : file.error().text().c_str());
            QVERIFY(file->notes.empty());
            for (std::size_t i = 0; i < c.own.plans.size(); ++i)
                QVERIFY(file->plans[i] == c.own.plans[i].plan);
        }
        QVERIFY2(divided > 100 || !test::manyDrawn(), qPrintable(QString::number(divided)));
    }

    // Every planner that reads the Space's options may take them; what it finds is legal and never better
    // than the best of the Space where that speaks of it.
    void everyPlannerMayTakeThem() {
        std::set<std::string> takers;
        for (std::size_t n = 0; n < m_cases.size(); n += 2) {
            const PartitionCase& c = m_cases[n];
            const auto allowed = partitioned(*c.problem);
            for (const PlannerRow& planner : plannerTable()) {
                const SearchOutcome outcome = runPartitions(c.problem, planner.name, true, 3000);
                for (const FoundPlan& found : outcome.plans) {
                    const auto again = evaluate(*c.problem, found.plan);
                    QVERIFY2(again && again->iteration.value == found.evaluation.iteration.value,
                             c.name() + ' ' + planner.name);
                    if (coveredByBound(*allowed, found.plan))
                        QVERIFY2(again->iteration.value >= bestOf(c.exhaustive) * (1.0 - 1e-9),
                                 c.name() + ' ' + planner.name);
                    if (hasPartition(found.plan))
                        takers.insert(planner.name);
                }
            }
        }
        for (const PlannerRow& planner : plannerTable()) {
            const bool knows = std::ranges::any_of(
                planner.parts, [](const char* part) { return part == std::string("partition"); });
            QVERIFY2(knows == takers.contains(planner.name) || (knows && !test::manyDrawn()), planner.name);
        }
    }

    void boundsHoldAndAreCertified() {
        int tighter = 0;
        for (const PartitionCase& c : m_cases) {
            const auto allowed = partitioned(*c.problem);
            const CostTable table(*allowed);
            const std::vector<std::unique_ptr<ChainSpace>> spaces =
                chainSpaces(*allowed, table, sharings(*allowed), [] { return false; });
            if (spaces.empty())
                continue;
            LaunchCountBound bound(pointersTo(spaces));
            const double best = bestOf(c.exhaustive);
            const Bound proven = bound.compute(best);
            QVERIFY2(proven.value.value <= best * (1 + 1e-9), c.name());
            QVERIFY2(proven.certificate && provesBound(*allowed, *proven.certificate, proven.value),
                     c.name());
            QVERIFY(c.own.bound.scope.partitions);
            QVERIFY(!c.plain.bound.scope.partitions);
            // A bound over the smaller Space need not hold in the larger one.
            tighter += c.plain.bound.value.value > best * (1 + 1e-9);
        }
        QVERIFY(tighter > 0 || !test::manyDrawn());
    }

    void leavingThemOutIsTheSpaceWithout() {
        for (std::size_t n = 0; n < m_cases.size(); n += 4) {
            const PartitionCase& c = m_cases[n];
            const auto leaveOut = [](SearchOptions& options) {
                QVERIFY(setSearchOption(options, "without", "partition"));
            };
            const SearchOutcome left = runPartitions(c.problem, "pipewright", true, 100'000'000, leaveOut);
            const SearchOutcome off = runPartitions(c.problem, "pipewright", false);
            QCOMPARE(bestOf(left), bestOf(off));
            QCOMPARE(left.evaluated, off.evaluated);
            QCOMPARE(left.without, std::vector<std::string>{"partition"});
            QVERIFY(
                std::ranges::none_of(left.plans, [](const FoundPlan& f) { return hasPartition(f.plan); }));
            // A problem whose Space has them asks for them by itself.
            QCOMPARE(bestOf(runPartitions(partitioned(*c.problem), "pipewright", false)), bestOf(c.own));
        }
    }

    void threadsChangeNothing() {
        for (std::size_t n = 0; n < m_cases.size(); n += 16) {
            const PartitionCase& c = m_cases[n];
            std::vector<std::string> documents;
            for (const int threads : {1, 2, 8})
                documents.push_back(withoutWall(*c.problem, runPartitions(c.problem, "pipewright", true, 5000,
                                                                          [threads](SearchOptions& options) {
                                                                              options.threads = threads;
                                                                          })));
            QVERIFY2(documents[0] == documents[1] && documents[0] == documents[2], c.name());
        }
    }

    void theSwitchIsOnOrOff() {
        SearchOptions options;
        QCOMPARE(searchOptionText(options, "partitions"), std::string("off"));
        QVERIFY(setSearchOption(options, "partitions", "on") && options.partitions);
        QCOMPARE(searchOptionText(options, "partitions"), std::string("on"));
        QVERIFY(!setSearchOption(options, "partitions", "1") && options.partitions);
        QVERIFY(setSearchOption(options, "partitions", "off") && !options.partitions);
    }

private:
    std::vector<PartitionCase> m_cases;
};

QTEST_APPLESS_MAIN(PartitionsTest)
#include "partitions_test.moc"
