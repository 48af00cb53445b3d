// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/random.h"
#include "core/evaluate/evaluation.h"
#include "core/search/planners.h"
#include "core/search/space/chain.h"
#include "tests/draws.h"
#include "tests/search/sample_problems.h"

#include <QTest>

#include <algorithm>
#include <cmath>

using namespace pw;

namespace {

constexpr auto kDomainsNeverStop = [] { return false; };

// So many racks of so many trays of four GB200 behind one switch.
Cluster racksOf(int racks, int trays, bool joined = true) {
    Cluster c;
    c.name = "racks";
    c.switches = {{"s1", "InfiniBand", {}}};
    for (int r = 0; r < racks; ++r) {
        NvlinkDomain domain{"d" + std::to_string(r + 1), {}, {}, Seconds(2e-6)};
        for (int t = 0; t < trays; ++t) {
            Node node;
            node.id = "n" + std::to_string(c.nodes.size() + 1);
            node.kind = "GB200";
            node.gpus = 4;
            domain.nodes.push_back(node.id);
            c.nodes.push_back(node);
            c.links.push_back(
                {node.id + "-s1", node.id, "s1", BytesPerSecond(50e9), 4, Seconds(5e-6), 0.656});
        }
        if (joined)
            c.nvlinkDomains.push_back(std::move(domain));
    }
    return c;
}

std::shared_ptr<const Problem> domainProblem(const Cluster& cluster, std::int64_t gbs = 64) {
    return test::problemOf(cluster, test::sampleModel("gpt3-1.3b"), gbs, 2048);
}

SearchOutcome plannedInDomains(const std::shared_ptr<const Problem>& problem) {
    SearchObserver nobody;
    auto outcome = search(problem, {}, nobody, {});
    if (!outcome || outcome->plans.empty())
        qFatal("no plan");
    return *std::move(outcome);
}

} // namespace

// Nodes that NVLink joins, as planners see them.
class DomainsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aClassSpansTrays() {
        const auto classes = ChainSpace::classes(*domainProblem(racksOf(2, 4)));
        QCOMPARE(classes.size(), std::size_t{1});
        QCOMPARE(classes[0].name, std::string("GB200 x16"));
        QCOMPARE(classes[0].gpusPerNode, 16);
        QCOMPARE(classes[0].nodes.size(), std::size_t{2});
        QVERIFY(!classes[0].shared);
    }

    // Nine times eight GPUs are for batches that nine divides; others take 64, and the rest apart.
    void theOddPartIsLeftWhereTheBatchHasNoUseForIt() {
        const auto whole = ChainSpace::classes(*domainProblem(racksOf(1, 18), 72));
        QCOMPARE(whole.size(), std::size_t{1});
        QCOMPARE(whole[0].gpusPerNode, 72);
        const auto parts = ChainSpace::classes(*domainProblem(racksOf(1, 18), 64));
        QCOMPARE(parts.size(), std::size_t{2});
        QCOMPARE(parts[0].gpusPerNode, 64);
        QCOMPARE(parts[1].gpusPerNode, 8);
        QVERIFY(parts[0].shared && parts[1].shared);
    }

    // What a search prices by place is what the whole plan is evaluated to, in racks, over them, and where a
    // rack holds a slow tray.
    void chainsTakeWhatTheirPlansTake() {
        Random random(4711);
        Cluster slow = racksOf(2, 3);
        slow.nodes[2].speed = 0.7;
        int compared = 0, over = 0;
        for (const Cluster& cluster : {racksOf(2, 2), racksOf(3, 2), racksOf(1, 3), slow}) {
            const auto problem = domainProblem(cluster);
            const CostTable table(*problem);
            for (const std::int64_t size : {4, 16}) {
                const ChainSpace space(*problem, table, size);
                ChainEvaluator evaluator(space);
                for (int n = 0; n < test::draws(150, 150); ++n) {
                    Chain chain;
                    int end = space.blocks();
                    std::vector<int> used(space.classes().size(), 0);
                    for (const int stages = 1 + static_cast<int>(random.below(4)); end > 0;) {
                        const auto left = stages - static_cast<int>(chain.size());
                        ChainStage stage;
                        stage.option = static_cast<int>(random.below(space.options().size()));
                        const StageOption& option = space.options()[static_cast<std::size_t>(stage.option)];
                        int& taken = used[static_cast<std::size_t>(option.cls)];
                        stage.position = space.placeOf(option, taken);
                        if (stage.position < 0)
                            break;
                        stage.end = end;
                        end = left <= 1 ? 0 : end * (left - 1) / left;
                        stage.first = end;
                        taken = stage.position + option.devices;
                        over += option.devices > 4;
                        chain.push_back(stage);
                    }
                    std::int64_t simulated = 0;
                    const auto result =
                        end > 0 ? std::nullopt : evaluator.best(chain, kNever, simulated, kDomainsNeverStop);
                    if (!result)
                        continue;
                    const auto evaluation =
                        evaluate(*problem, space.plan(chain, result->schedule, result->launch));
                    QVERIFY(evaluation && evaluation->feasible);
                    QVERIFY2(std::abs(evaluation->iteration.value - result->iteration) <=
                                 1e-9 * result->iteration,
                             qPrintable(QString("%1 against %2 s")
                                            .arg(result->iteration, 0, 'g', 15)
                                            .arg(evaluation->iteration.value, 0, 'g', 15)));
                    ++compared;
                }
            }
        }
        QVERIFY2((compared > 200 && over > 100) || !test::manyDrawn(),
                 qPrintable(QString("%1, %2").arg(compared).arg(over)));
    }

    // What trays joined by NVLink send to others goes over the cables of them all: no bound counts on fewer,
    // nor does an enumeration that goes by it leave the best plan out.
    void boundsCountAllCablesOfARack() {
        Model model = test::sampleModel("llama3-8b");
        model.blocks = 4;
        std::vector<std::pair<double, int>> cases = {{6e9, 2}, {6e9, 4}, {12e9, 2}, {12e9, 4}};
        cases.resize(static_cast<std::size_t>(test::draws(4, 4)));
        for (const auto& [bandwidth, trays] : cases) {
            Cluster cluster = racksOf(2, trays);
            for (std::size_t n = 0; n < cluster.nodes.size(); ++n) {
                cluster.nodes[n].gpus = 4 / trays;
                cluster.nodes[n].kind = n < static_cast<std::size_t>(trays) ? "GB200" : "GB300";
                cluster.links[n].bandwidth = BytesPerSecond(bandwidth);
                cluster.links[n].lanes = 1;
            }
            const auto problem = test::problemOf(cluster, model, 8, 4096);
            SearchObserver nobody;
            SearchOptions options;
            options.planner = "exhaustive";
            const auto truth = search(problem, options, nobody, {});
            QVERIFY(truth && !truth->plans.empty());
            const double best = truth->plans.front().evaluation.iteration.value;
            options.planner = "pipewright";
            for (const std::int64_t work : {1, 3000, 0}) {
                options.work = work;
                const auto found = search(problem, options, nobody, {});
                QVERIFY(found && !found->plans.empty());
                if (found->covered)
                    QVERIFY2(found->bound.value.value <= best * (1.0 + 1e-9),
                             qPrintable(QString("%1 GB/s, %2 trays, work %3: bound %4, best %5")
                                            .arg(bandwidth / 1e9)
                                            .arg(trays)
                                            .arg(work)
                                            .arg(found->bound.value.value)
                                            .arg(best)));
            }
        }
    }

    // NVLink over trays helps, and the bound knows of it.
    void plansUseNvlinkOverTrays() {
        Cluster slow = racksOf(1, 3);
        slow.nodes[1].speed = 0.8;
        for (const Cluster& cluster : {racksOf(1, 4), slow}) {
            Cluster apart = cluster;
            apart.nvlinkDomains.clear();
            for (Cluster* c : {&apart})
                for (Link& l : c->links)
                    l.bandwidth = BytesPerSecond(1e9);
            Cluster joined = apart;
            joined.nvlinkDomains = cluster.nvlinkDomains;
            const SearchOutcome with = plannedInDomains(domainProblem(joined)),
                                without = plannedInDomains(domainProblem(apart));
            const double best = with.plans.front().evaluation.iteration.value;
            QVERIFY2(best < 0.95 * without.plans.front().evaluation.iteration.value,
                     qPrintable(QString("%1 s").arg(best)));
            QVERIFY(with.bound.value.value <= best * (1.0 + 1e-9));
            // The plan of the other drawing is one of this one, too.
            const auto again = evaluate(*domainProblem(joined), without.plans.front().plan);
            QVERIFY(again && with.bound.value.value <= again->iteration.value * (1.0 + 1e-9));
        }
    }
};

QTEST_APPLESS_MAIN(DomainsTest)
#include "domains_test.moc"
