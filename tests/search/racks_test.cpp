// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/random.h"
#include "core/search/planners.h"
#include "core/search/proof/certificate.h"
#include "core/search/proof/launch_count_bound.h"
#include "core/search/proof/scope_coverage.h"
#include "core/search/space/coverage.h"
#include "core/search/space/uniform_grid.h"
#include "tests/search/planned.h"
#include "tests/search/sample_problems.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <set>

using namespace pw;

namespace {

constexpr double kGigabit = 1.25e8; // bytes/s
constexpr auto kNeverStop = [] { return false; };

Link cable(const std::string& a, const std::string& b, double gigabits, double latency = 2e-6) {
    return {a + "-" + b, a, b, BytesPerSecond(gigabits * kGigabit), 1, Seconds(latency), 0.88};
}

// Nodes of two GPUs with 100 Gbit/s each; `racks` has the number of nodes on each leaf, one leaf: a star.
Cluster leaves(const std::vector<int>& racks, double trunk, double latency = 2e-6) {
    Cluster c;
    c.name = "leaves";
    if (racks.size() > 1)
        c.switches.push_back({"spine", "InfiniBand", {}});
    for (std::size_t r = 0; r < racks.size(); ++r) {
        const std::string leaf = "leaf" + std::to_string(r + 1);
        c.switches.push_back({leaf, "InfiniBand", {}});
        if (racks.size() > 1)
            c.links.push_back(cable(leaf, "spine", trunk, latency));
        for (int n = 0; n < racks[r]; ++n) {
            Node node;
            node.id = "n" + std::to_string(c.nodes.size() + 1);
            node.kind = "A100-SXM4-40GB";
            node.gpus = 2;
            c.nodes.push_back(node);
            c.links.push_back(cable(node.id, leaf, 100.0));
        }
    }
    return c;
}

// The same with every leaf in `rails` parts, to each of which its nodes have a cable of their own, and with
// so many spines; every way is as wide as before.
Cluster woven(const Cluster& plain, int spines, int rails) {
    Cluster c = plain;
    c.switches.clear();
    c.links.clear();
    const auto part = [](const std::string& of, int number) { return of + "." + std::to_string(number); };
    for (const Switch& item : plain.switches)
        for (int k = 0; k < (item.id == "spine" ? spines : rails); ++k)
            c.switches.push_back({part(item.id, k), item.medium, {}});
    for (const Link& link : plain.links)
        for (int rail = 0; rail < rails; ++rail)
            for (int spine = 0; spine < (link.b == "spine" ? spines : 1); ++spine) {
                Link own = link;
                if (link.b == "spine") {
                    own.a = part(link.a, rail);
                    own.b = part(link.b, spine);
                    own.bandwidth = link.bandwidth * (1.0 / (rails * spines));
                } else {
                    own.b = part(link.b, rail);
                    own.lanes = link.lanes / rails;
                }
                own.id = own.a + "-" + own.b;
                c.links.push_back(own);
            }
    return c;
}

// Two lanes of half the rate.
Cluster twoLanes(Cluster c) {
    for (Link& link : c.links)
        if (link.b != "spine") {
            link.lanes = 2;
            link.bandwidth = link.bandwidth * 0.5;
        }
    return c;
}

std::shared_ptr<const Problem> problemOn(const Cluster& cluster, std::int64_t gbs = 64) {
    return test::problemOf(cluster, test::sampleModel("gpt3-1.3b"), gbs, 2048);
}

// Those that the plan belongs to.
std::set<ProofScope::Family> familiesOf(const Problem& problem, const Plan& plan) {
    std::set<ProofScope::Family> families;
    using enum ProofScope::Family;
    for (const ProofScope::Family family : {Chains, ChainsAndGrids, AnyOrder, AnyShape})
        if (contains(scopeOf(problem, family), problem, plan))
            families.insert(family);
    return families;
}

SearchOutcome plannedInRacks(const std::shared_ptr<const Problem>& problem) {
    SearchObserver nobody;
    auto outcome = search(problem, {}, nobody, {});
    if (!outcome || outcome->plans.empty())
        qFatal("no plan");
    return *std::move(outcome);
}

} // namespace

// Nodes of one kind behind several switches.
class RacksTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void nodesAreOneClassWhereNoFlowFeelsTheSwitches_data() {
        QTest::addColumn<double>("trunk");
        QTest::addColumn<double>("latency");
        QTest::addColumn<std::size_t>("classes");
        QTest::newRow("as wide as one cable") << 100.0 << 2e-6 << std::size_t{1};
        QTest::newRow("wide") << 800.0 << 2e-6 << std::size_t{1};
        QTest::newRow("narrower than a cable") << 50.0 << 2e-6 << std::size_t{3};
        QTest::newRow("far") << 800.0 << 1e-3 << std::size_t{3};
    }
    void nodesAreOneClassWhereNoFlowFeelsTheSwitches() {
        QFETCH(double, trunk);
        QFETCH(double, latency);
        QFETCH(std::size_t, classes);
        const auto problem = problemOn(leaves({1, 3, 2}, trunk, latency));
        const std::vector<ChainClass> found = ChainSpace::classes(*problem);
        QCOMPARE(found.size(), classes);
        if (classes > 1)
            return;
        QCOMPARE(found[0].racks, (std::vector<int>{3, 2, 1})); // the largest first
        QCOMPARE(found[0].nodes.size(), std::size_t{6});
        QVERIFY(found[0].inOneRack(0, 3) && found[0].inOneRack(3, 2) && !found[0].inOneRack(2, 2));
    }

    // What a search prices by place is what the whole plan is evaluated to, whichever switches its stages
    // cross.
    void chainsTakeWhatTheirPlansTake() {
        Random random(4711);
        int compared = 0, across = 0;
        const Cluster narrow = leaves({2, 3, 1, 2}, 100.0), wide = leaves({2, 3, 1, 2}, 300.0);
        for (const Cluster& cluster :
             {narrow, wide, woven(wide, 3, 1), woven(twoLanes(narrow), 2, 2), woven(twoLanes(wide), 1, 2)}) {
            const auto problem = problemOn(cluster);
            const CostTable table(*problem);
            for (const std::int64_t size : {2, 4, 8}) {
                const ChainSpace space(*problem, table, size);
                ChainEvaluator evaluator(space);
                for (int n = 0; n < 400; ++n) {
                    Chain chain;
                    int end = space.blocks(), used = 0;
                    for (const int stages = 1 + static_cast<int>(random.below(4)); end > 0;) {
                        const auto left = stages - static_cast<int>(chain.size());
                        ChainStage stage;
                        stage.option = static_cast<int>(random.below(space.options().size()));
                        const StageOption& option = space.options()[static_cast<std::size_t>(stage.option)];
                        stage.position = space.placeOf(option, used);
                        if (stage.position < 0)
                            break;
                        stage.end = end;
                        end = left <= 1 ? 0 : end * (left - 1) / left;
                        stage.first = end;
                        used = stage.position + option.devices;
                        across += option.devices > 2 &&
                                  !space.classes()[0].inOneRack(stage.position / 2, option.devices / 2);
                        chain.push_back(stage);
                    }
                    std::int64_t simulated = 0;
                    const auto result =
                        end > 0 ? std::nullopt : evaluator.best(chain, kNever, simulated, kNeverStop);
                    if (!result)
                        continue;
                    const Plan plan = space.plan(chain, result->schedule, result->launch);
                    const auto evaluation = evaluate(*problem, plan);
                    QVERIFY(evaluation && evaluation->feasible);
                    QVERIFY2(std::abs(evaluation->iteration.value - result->iteration) <=
                                 1e-9 * result->iteration,
                             qPrintable(QString("%1 against %2 s")
                                            .arg(result->iteration, 0, 'g', 15)
                                            .arg(evaluation->iteration.value, 0, 'g', 15)));
                    QVERIFY(coveredByBound(space, plan));
                    ++compared;
                }
            }
        }
        QVERIFY2(compared > 200 && across > 100, qPrintable(QString("%1, %2").arg(compared).arg(across)));
    }

    // Behind switches that pass on all that their nodes send, a cluster is as fast as on a single one.
    void racksCostNothingWhereNothingBlocks() {
        const double star =
            plannedInRacks(problemOn(leaves({8}, 0.0))).plans.front().evaluation.iteration.value;
        for (const std::vector<int>& racks : std::vector<std::vector<int>>{{4, 4}, {2, 2, 2, 2}, {1, 3, 4}}) {
            const SearchOutcome outcome = plannedInRacks(problemOn(leaves(racks, 400.0)));
            const double time = outcome.plans.front().evaluation.iteration.value;
            QVERIFY2(time < 1.02 * star, qPrintable(QString("%1 against %2 s").arg(time).arg(star)));
            QVERIFY(outcome.covered && outcome.gap() >= 0.0);
        }
    }

    // Many spines that are as wide together as one, and leaves in parts to each of which every node has a
    // cable, are the same network: in what plans take and in what a search finds and proves.
    void spinesAndRailsAreOneNetwork_data() {
        QTest::addColumn<int>("spines");
        QTest::addColumn<int>("rails");
        QTest::newRow("spines") << 4 << 1;
        QTest::newRow("rails") << 1 << 2;
        QTest::newRow("both") << 3 << 2;
    }
    void spinesAndRailsAreOneNetwork() {
        QFETCH(int, spines);
        QFETCH(int, rails);
        for (const double trunk : {40.0, 200.0}) {
            const Cluster plain = twoLanes(leaves({2, 2, 1}, trunk));
            const auto one = problemOn(plain), many = problemOn(woven(plain, spines, rails));
            const SearchOutcome ofOne = plannedInRacks(one), ofMany = plannedInRacks(many);
            const auto same = [](double a, double b) { return std::abs(a - b) <= 1e-9 * b; };
            QVERIFY(same(ofMany.plans.front().evaluation.iteration.value,
                         ofOne.plans.front().evaluation.iteration.value));
            QVERIFY(same(ofMany.bound.value.value, ofOne.bound.value.value));
            QVERIFY(ofMany.covered && ofMany.gap() >= 0.0);
            QVERIFY(provesBound(*many, *ofMany.bound.certificate, ofMany.bound.value));
            for (const FoundPlan& found : ofOne.plans) { // the same devices under the same names
                const auto there = evaluate(*many, found.plan);
                QVERIFY(there && same(there->iteration.value, found.evaluation.iteration.value));
            }
        }
    }

    // A spine, or a cable to one, that is left out is as one that is not there: for searches, bounds and
    // plans.
    void whatIsLeftOutOfANetworkIsNotThere_data() {
        QTest::addColumn<QString>("name");
        QTest::newRow("spine") << QStringLiteral("spine.1");
        QTest::newRow("cable") << QStringLiteral("leaf1.0-spine.1");
    }
    void whatIsLeftOutOfANetworkIsNotThere() {
        QFETCH(QString, name);
        const std::string out = name.toStdString();
        const Cluster whole = woven(twoLanes(leaves({2, 2, 1}, 40.0)), 3, 1);
        QVERIFY(whole.findSwitch(out) || whole.link(out));
        Cluster less = whole;
        std::erase_if(less.switches, [&](const Switch& item) { return item.id == out; });
        std::erase_if(less.links, [&](const Link& l) { return l.id == out || l.a == out || l.b == out; });
        const auto open = problemOn(whole);
        const auto without = open->withForbidden({out});
        QVERIFY(without);
        QVERIFY((*without)->hash() != open->hash());
        const SearchOutcome found = plannedInRacks(*without), expected = plannedInRacks(problemOn(less));
        QCOMPARE(found.plans.front().evaluation.iteration.value,
                 expected.plans.front().evaluation.iteration.value);
        QCOMPARE(found.bound.value.value, expected.bound.value.value);
        QVERIFY(provesBound(**without, *found.bound.certificate, found.bound.value));
        const auto fuller = evaluate(*open, found.plans.front().plan);
        QVERIFY(fuller && fuller->iteration <= found.plans.front().evaluation.iteration);
        const auto again = (*without)->withForbidden({});
        QVERIFY(again);
        QCOMPARE((*again)->hash(), open->hash());
        QVERIFY(!open->withForbidden({"nothing"}));
    }

    // One cable of a node that is down makes a class of it. No search may do worse by that than by the same
    // loss at every node: here one stage over all of them under ZeRO-2.
    void oneSlowerCableIsNoWorseThanAllSlower() {
        const auto times = [](double one, double others) {
            const Cluster c = test::drawnCluster({{"H100-SXM-80GB", 8, one},
                                                  {"H100-SXM-80GB", 8, others},
                                                  {"H100-SXM-80GB", 8, others},
                                                  {"H100-SXM-80GB", 8, others}});
            const auto problem = test::problemOf(c, test::sampleModel("llama3-8b"), 64, 4096);
            return test::planned(problem, "pipewright");
        };
        const SearchOutcome all = times(2800.0, 2800.0), one = times(2800.0, 3200.0),
                            none = times(3200.0, 3200.0);
        QCOMPARE(all.plans.front().plan.pipelines.front().stages.front().zero, 2);
        const double slowest = all.plans.front().evaluation.iteration.value;
        QVERIFY2(
            one.plans.front().evaluation.iteration.value <= slowest * (1.0 + 1e-9),
            qPrintable(
                QStringLiteral("%1 and %2").arg(one.plans.front().evaluation.iteration.value).arg(slowest)));
        QVERIFY(none.plans.front().evaluation.iteration.value <=
                one.plans.front().evaluation.iteration.value * (1.0 + 1e-9));
    }

    // A stage that would have to take the rest of a node and a part of the next one takes the next one.
    void aStageMovesOnToTheNextNode() {
        Cluster cluster = leaves({3}, 0.0);
        for (Node& node : cluster.nodes)
            node.gpus = 3;
        const auto problem = problemOn(cluster);
        const CostTable table(*problem);
        const ChainSpace space(*problem, table, 2);
        const auto two = std::find_if(space.options().begin(), space.options().end(),
                                      [](const StageOption& o) { return o.devices == 2; });
        QVERIFY(two != space.options().end());
        QCOMPARE(space.placeOf(*two, 0), 0);
        QCOMPARE(space.placeOf(*two, 1), 1);
        QCOMPARE(space.placeOf(*two, 2), 3);
        QCOMPARE(space.placeOf(*two, 7), 7);
        QCOMPARE(space.placeOf(*two, 8), -1);
    }

    // Over 1 Gbit/s a micro-batch of this model takes 0.15 s: before 64 of them have left a node, stages of
    // one node stand in it alone. Both kinds of chain are proven, and none of the two proofs will do without
    // the other.
    void chainsInsideANodeAreProvenByThemselves() {
        Cluster cluster = leaves({2}, 0.0);
        for (Link& link : cluster.links)
            link.bandwidth = BytesPerSecond(kGigabit);
        const auto problem = problemOn(cluster);
        const CostTable table(*problem);
        const auto spaces = chainSpaces(*problem, table, sharings(*problem), kNeverStop);
        LaunchCountBound bound(pointersTo(spaces));
        constexpr double kDeadline = 2.0; // s
        Json all = Json::array(), elsewhere = Json::array();
        for (std::size_t s = 0; s < spaces.size(); ++s) {
            QVERIFY(spaces[s]->leastOnNetwork(spaces[s]->options().front()) > kDeadline);
            QCOMPARE(bound.wanted(s, kDeadline).size(), std::size_t{2});
            std::vector<LaunchCountBound::Proof> proofs;
            QVERIFY(!bound.mayEndBy(s, kDeadline, &proofs));
            for (const LaunchCountBound::Proof& proof : proofs) {
                QVERIFY(bound.holds(proof, kDeadline));
                Json json = {{"microbatch_size", spaces[s]->microbatchSize()},
                             {"cp", spaces[s]->sharing().cp},
                             {"ep", spaces[s]->sharing().ep},
                             {"stages", proof.stages},
                             {"prices", proof.prices},
                             {"fill", proof.fill}};
                if (proof.region.anywhere())
                    elsewhere.push_back(json);
                else
                    json["in_node_of"] = proof.region.nodeOf;
                all.push_back(std::move(json));
            }
        }
        const auto proves = [&](const Json& proofs) {
            return provesBound(*problem, Json{{"proofs", proofs}}, Seconds(kDeadline), false);
        };
        QVERIFY(elsewhere.size() < all.size());
        QVERIFY(proves(all));
        QVERIFY(!proves(elsewhere));
        all.back()["in_node_of"] = 7; // of no class
        QVERIFY(!proves(all));
        QVERIFY(plannedInRacks(problem).gap() >= 0.0);
    }

    // Sites that no pipeline can span by the bound are proven one by one: two of them have the bound of one,
    // and none of the proofs will do without the other.
    void chainsOfASiteAreProvenByThemselves() {
        const auto one = problemOn(leaves({2}, 0.0)), two = problemOn(leaves({2, 2}, 0.02));
        const SearchOutcome alone = plannedInRacks(one), both = plannedInRacks(two);
        QCOMPARE(both.plans.front().evaluation.iteration.value,
                 alone.plans.front().evaluation.iteration.value);
        const CostTable table(*two);
        const auto spaces = chainSpaces(*two, table, sharings(*two), kNeverStop);
        LaunchCountBound bound(pointersTo(spaces)), ofOne = [&] {
            const CostTable costs(*one);
            static const auto list = chainSpaces(*one, costs, sharings(*one), kNeverStop);
            return LaunchCountBound(pointersTo(list));
        }();
        const Bound proven = bound.compute(both.plans.front().evaluation.iteration.value);
        const Bound least = ofOne.compute(alone.plans.front().evaluation.iteration.value);
        QVERIFY(std::abs(proven.value.value / least.value.value - 1.0) < 2e-3);
        QCOMPARE(bound.wanted(0, proven.value.value).size(), std::size_t{2});
        const Json& proofs = proven.certificate->at("proofs");
        const auto proves = [&](const Json& list) {
            return provesBound(*two, Json{{"proofs", list}}, proven.value, false);
        };
        QVERIFY(proves(proofs));
        Json second = Json::array(), other = Json::array();
        for (const Json& proof : proofs)
            if (proof.at("stages") > 0) {
                QCOMPARE(proof.at("on_classes").size(), std::size_t{1});
                if (proof["on_classes"][0] == 1)
                    second.push_back(proof);
                other.push_back(proof);
                other.back()["on_classes"] = {2}; // no class
            } else {
                other.push_back(proof);
                second.push_back(proof);
            }
        QVERIFY(second.size() < proofs.size());
        QVERIFY(!proves(second));
        QVERIFY(!proves(other));
    }

    // On whatever lies between two sites, no chain of blocks ends before the bound.
    void boundsOfSitesAreBelowAllPlans() {
        Random random(99);
        int parted = 0, joined = 0;
        for (int n = 0; n < 12; ++n) {
            Model model = test::sampleModel("gpt3-1.3b");
            model.blocks = 4;
            const double trunk = std::pow(10.0, random.uniform(-1.0, 1.9));
            Space chains;
            chains.sharded.clear();
            const auto problem = test::problemOf(leaves({1, 1}, trunk), model,
                                                 std::int64_t{4} << random.below(3), 2048, chains);
            SearchOptions options;
            options.planner = "exhaustive";
            SearchObserver nobody;
            const auto all = search(problem, options, nobody, {});
            QVERIFY(all && !all->plans.empty());
            const CostTable table(*problem);
            const auto spaces = chainSpaces(*problem, table, sharings(*problem), kNeverStop);
            const Bound bound = LaunchCountBound(pointersTo(spaces)).compute(kNever);
            QVERIFY2(bound.value.value <= all->plans.front().evaluation.iteration.value * (1.0 + 1e-9),
                     qPrintable(QString("%1 Gbit/s: %2").arg(trunk).arg(bound.value.value)));
            bool apart = false;
            for (const auto& space : spaces)
                apart = apart || chainRegions(*space, bound.value.value).front().classes.size() == 1;
            ++(apart ? parted : joined);
        }
        QVERIFY(parted > 2 && joined > 2);
    }

    // Over slow links the ends of a tied model take long to sum its embedding, unless they share a node: the
    // search comes back to the class that it begins with, and says that its chains' bound is not about that.
    void endsOfATiedModelShareANode() {
        std::vector<test::DrawnNode> nodes;
        for (const char* kind : {"A30", "A40", "RTX 3090"})
            nodes.push_back({kind, 8, 10.0});
        Model model = test::sampleModel("gpt3-1.3b"); // as large as one of 12.6 billion
        QVERIFY(model.tied);
        model.blocks = 40;
        model.hidden = 5120;
        model.heads = model.kvHeads = 40;
        model.ffn = 4 * model.hidden;
        const auto problem = test::problemOf(test::drawnCluster(nodes), model, 32, 1024);
        QVERIFY(problem);
        const SearchOutcome best = plannedInRacks(problem);
        const std::vector<Stage>& stages = best.plans.front().plan.pipelines.front().stages;
        const auto nodeOf = [&](const Stage& stage) {
            return problem->topology()
                .devices()[static_cast<std::size_t>(stage.replicas.front().devices.front())]
                .node;
        };
        QVERIFY(stages.size() > 2);
        QCOMPARE(nodeOf(stages.front()), nodeOf(stages.back()));
        QVERIFY(
            std::ranges::any_of(stages, [&](const Stage& s) { return nodeOf(s) != nodeOf(stages.front()); }));
        QVERIFY(!coveredByBound(*problem, best.plans.front().plan));
        QVERIFY(best.bound.value <= best.plans.front().evaluation.iteration);
        QVERIFY(best.bound.scope.family == ProofScope::Family::AnyOrder && best.covered);
        Json certificate = *best.bound.certificate;
        QVERIFY(provesBound(*problem, certificate, best.bound.value));
        QVERIFY(!provesBound(*problem, certificate, Seconds(1.1 * best.bound.value.value)));
        QVERIFY(familyOf(certificate) == ProofScope::Family::AnyOrder);
        Json& proofs = certificate["proofs"];
        const Json last = proofs.back();
        proofs.erase(proofs.size() - 1);
        QVERIFY(!provesBound(*problem, certificate, best.bound.value));
        proofs.push_back({{"microbatch_size", last["microbatch_size"]}, // the programme knows no such chains
                          {"cp", last["cp"]},
                          {"ep", last["ep"]},
                          {"stages", 0},
                          {"most_stages", last["most_stages"]},
                          {"prices", Json::array()},
                          {"fill", 0.0}});
        QVERIFY(!provesBound(*problem, certificate, best.bound.value));
    }

    // No bound speaks of a plan that comes back to a class of nodes.
    void whoComesBackIsNotCovered() {
        Cluster cluster = test::drawnCluster(
            {{"A100-SXM4-40GB", 1, 100.0}, {"A100-SXM4-40GB", 1, 100.0}, {"V100-SXM2-32GB", 1, 100.0}});
        const auto problem = problemOn(cluster);
        const auto planOf = [&](const std::vector<DeviceIndex>& devices, int firstBlocks = 8) {
            Pipeline pipeline;
            pipeline.microbatches = 64;
            pipeline.microbatchSize = 1;
            pipeline.schedule.kind = ScheduleKind::OneFOneB;
            pipeline.schedule.launch = {3, 2, 1};
            int first = 0;
            for (const DeviceIndex device : devices) {
                Stage stage;
                stage.replicas = {{{device}, 1.0}};
                const int end = first == 0 ? firstBlocks : first < 16 ? 16 : 24;
                stage.chunks = {layersOfBlocks(first, end, 24)};
                first = end;
                pipeline.stages.push_back(std::move(stage));
            }
            return Plan{{std::move(pipeline)}};
        };
        QVERIFY(coveredByBound(*problem, planOf({0, 1, 2})));
        QVERIFY(!coveredByBound(*problem, planOf({0, 2, 1})));
        // And the scopes of proofs say so.
        using enum ProofScope::Family;
        QCOMPARE(familiesOf(*problem, planOf({0, 1, 2}, 7)),
                 (std::set{Chains, ChainsAndGrids, AnyOrder, AnyShape}));
        QCOMPARE(familiesOf(*problem, planOf({0, 2, 1}, 7)), (std::set{AnyOrder, AnyShape}));
    }

    // Grids that interleave chunks or mix kinds in a stage are no chains.
    void gridsAreAFamilyOfTheirOwn() {
        using enum ProofScope::Family;
        const auto alike = problemOn(leaves({2}, 0.0));
        const auto mixed =
            problemOn(test::drawnCluster({{"A100-SXM4-40GB", 1, 100.0}, {"V100-SXM2-32GB", 1, 100.0}}));
        const UniformGrid interleaved{4, 1, 1, 1, Recompute::None, 2, std::vector<int>(8, 3)};
        const UniformGrid plain{4, 1, 1, 1, Recompute::None, 1, std::vector<int>(4, 6)};
        const UniformGrid replicas{1, 1, 2, 1, Recompute::None, 1, {24}};
        const auto planOn = [](const Problem& problem, const UniformGrid& grid) {
            return planOf(problem, gpuPools(problem).front(), grid);
        };
        QCOMPARE(familiesOf(*alike, planOn(*alike, interleaved)), (std::set{ChainsAndGrids, AnyShape}));
        QCOMPARE(familiesOf(*mixed, planOn(*mixed, replicas)), (std::set{ChainsAndGrids, AnyShape}));
        QCOMPARE(familiesOf(*alike, planOn(*alike, plain)),
                 (std::set{Chains, ChainsAndGrids, AnyOrder, AnyShape}));
    }

    void scopesSayWhatTheySpeakOf() {
        using enum ProofScope::Family;
        const auto says = [](const ProofScope& scope, const char* words) {
            return scope.text().find(words) != std::string::npos;
        };
        for (const ProofScope::Family family : {Chains, ChainsAndGrids, AnyOrder, AnyShape}) {
            ProofScope scope;
            scope.family = family;
            QCOMPARE(says(scope, "single pipeline"), family != AnyShape);
            QCOMPARE(says(scope, "uniform grids"), family == ChainsAndGrids);
            QCOMPARE(says(scope, "in any order"), family == AnyOrder);
            QCOMPARE(says(scope, "one class of nodes a stage"), family != AnyShape);
            QVERIFY(!says(scope, "parallelism") && !says(scope, "pipelines") && !says(scope, "partitions"));
            scope.wider = {true, true, 3};
            scope.cp = 2;
            scope.ep = 4;
            QVERIFY(!says(scope, "whole experts"));
            scope.foldExperts = true;
            scope.partitions = true;
            // Wider Spaces hold all chains, of which some are under other schedules.
            QCOMPARE(says(scope, "launch-count schedules"), family == Chains || family == AnyOrder);
            for (const char* words :
                 {"any schedule", "mixed stages", "up to 3 pipelines", "context parallelism up to 2",
                  "expert parallelism up to 4", "whole experts over", "tensor partitions"})
                QVERIFY2(says(scope, words), words);
            const Json json = toJson(scope);
            const JsonReader reader(json, "scope");
            QVERIFY(proofScopeFromJson(reader) == scope && reader.status());
        }
    }

    // Nor of one that finds room by putting small stages on one node around a large one: nodes are filled one
    // after the other.
    void whoFillsNodesInAnotherOrderIsNotCovered() {
        Cluster cluster = test::drawnCluster({{"A100-SXM4-40GB", 4, 100.0}, {"A100-SXM4-40GB", 4, 100.0}});
        const auto problem = problemOn(cluster);
        const auto planOf = [&](const std::vector<std::vector<DeviceIndex>>& stages) {
            Pipeline pipeline;
            pipeline.microbatches = 64;
            pipeline.microbatchSize = 1;
            pipeline.schedule.kind = ScheduleKind::OneFOneB;
            int first = 0;
            for (std::size_t s = 0; s < stages.size(); ++s) {
                Stage stage;
                stage.tp = static_cast<int>(stages[s].size());
                stage.sequenceParallel = usesSequenceParallel(*problem, stage.tp);
                stage.replicas = {{stages[s], 1.0}};
                const int end = s + 1 == stages.size() ? 24 : first + 4;
                stage.chunks = {layersOfBlocks(first, end, 24)};
                first = end;
                pipeline.stages.push_back(std::move(stage));
                pipeline.schedule.launch.push_back(static_cast<int>(stages.size() - s));
            }
            return Plan{{std::move(pipeline)}};
        };
        QVERIFY(coveredByBound(*problem, planOf({{4, 5, 6, 7}, {2, 3}, {0, 1}})));
        QVERIFY(coveredByBound(*problem, planOf({{2, 3}, {0, 1}, {4, 5, 6, 7}})));
        QVERIFY(coveredByBound(*problem, planOf({{4, 5}, {6, 7}, {0, 1}, {2, 3}})));
        QVERIFY(!coveredByBound(*problem, planOf({{0, 1}, {4, 5, 6, 7}, {2, 3}})));
        QVERIFY(!coveredByBound(*problem, planOf({{4, 5}, {0, 1}, {6, 7}, {2, 3}})));
        QVERIFY(coveredByBound(*problem, planOf({{4, 5, 6, 7}, {0, 1}})));
        QVERIFY(!coveredByBound(*problem, planOf({{4, 5}, {0, 1}}))); // the first has room beside the other
    }
};

QTEST_APPLESS_MAIN(RacksTest)
#include "racks_test.moc"
