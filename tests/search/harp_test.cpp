// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/harp/fine_layers.h"
#include "core/search/harp/harp_tables.h"
#include "core/search/harp/sub_clusters.h"
#include "core/search/options.h"
#include "core/search/planners.h"
#include "core/search/proof/capacity_bound.h"
#include "core/search/search.h"
#include "core/search/space/coverage.h"
#include "tests/draws.h"
#include "tests/search/random_problem.h"
#include "tests/search/sample_problems.h"

#include <QTest>

#include <functional>
#include <set>

using namespace pw;

namespace {

constexpr std::uint64_t kHarpSeed = 20260928;
const std::function<bool(std::int64_t)> kEndless = [](std::int64_t) { return false; };

SearchOutcome planHarp(const std::shared_ptr<const Problem>& problem, const char* without = "") {
    SearchOptions options;
    options.planner = "harp";
    options.fineCuts = true;
    if (!setSearchOption(options, "without", without))
        qFatal("%s", without);
    SearchObserver nobody;
    auto outcome = search(problem, options, nobody, {});
    if (!outcome)
        qFatal("%s", outcome.error().text().c_str());
    return *std::move(outcome);
}

std::shared_ptr<const Problem> withBlocks(std::int64_t blocks) {
    Model model = test::sampleModel("gpt3-1.3b");
    model.blocks = blocks;
    return test::problemOf(test::sampleCluster("mixed-16"), model, 64, 1024);
}

bool onOneNode(const Problem& problem, const Stage& a, const Stage& b) {
    std::set<int> nodes;
    for (const Stage* stage : {&a, &b})
        for (const Replica& replica : stage->replicas)
            for (const DeviceIndex d : replica.devices)
                nodes.insert(problem.topology().devices()[static_cast<std::size_t>(d)].node);
    return nodes.size() == 1;
}

struct Clustering {
    double largest = std::numeric_limits<double>::infinity(), sum = 0.0, squares = 0.0;
    std::vector<int> ends;
};

// Every contiguous clustering that obeys; the three aims one after the other.
std::optional<Clustering> bestClustering(const std::vector<BlockOperator>& operators, int clusters,
                                         double slack) {
    const auto count = static_cast<int>(operators.size());
    double all = 0.0;
    for (const BlockOperator& op : operators)
        all += op.flops;
    std::vector<Clustering> list;
    for (unsigned mask = 0; mask < 1U << (count - 1); ++mask) {
        Clustering c;
        c.largest = 0.0;
        int first = 0, parts = 0;
        bool obeys = true;
        for (int end = 1; end <= count; ++end) {
            if (end < count && (mask >> (end - 1) & 1U) == 0)
                continue;
            double flops = 0.0;
            bool heavy = false;
            for (int i = first; i < end; ++i) {
                flops += operators[static_cast<std::size_t>(i)].flops;
                heavy = heavy || operators[static_cast<std::size_t>(i)].heavy;
            }
            obeys = obeys && heavy && flops <= (1.0 + slack) * all / clusters * (1.0 + 1e-12);
            if (first > 0) {
                c.largest = std::max(c.largest, operators[static_cast<std::size_t>(first)].inputBytes);
                c.sum += operators[static_cast<std::size_t>(first)].inputBytes;
            }
            c.squares += (end - first) * (end - first);
            c.ends.push_back(end);
            first = end;
            ++parts;
        }
        if (obeys && parts == clusters)
            list.push_back(c);
    }
    if (list.empty())
        return std::nullopt;
    const auto keepLeast = [&](double Clustering::*figure, double tolerance) {
        double least = std::numeric_limits<double>::infinity();
        for (const Clustering& c : list)
            least = std::min(least, c.*figure);
        std::erase_if(list, [&](const Clustering& c) { return c.*figure > least * (1.0 + tolerance); });
    };
    keepLeast(&Clustering::largest, 1e-4);
    keepLeast(&Clustering::sum, 1e-4);
    keepLeast(&Clustering::squares, 0.0);
    return list.front();
}

} // namespace

// The planner "harp" on problems (resources/manual/planners/harp.md); its programme has a test of its own.
class HarpTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void clustersEqualBruteForce() {
        Random random(kHarpSeed);
        int found = 0, none = 0;
        for (int n = 0; n < 400; ++n) {
            std::vector<BlockOperator> operators(3 + random.below(8));
            for (BlockOperator& op : operators) {
                op.heavy = random.below(2) == 0;
                op.flops = op.heavy ? random.uniform(0.5, 2.0) : 0.0;
                // Ties, some within the tolerance, to reach every aim.
                op.inputBytes = static_cast<double>(1 + random.below(4)) *
                                (1.0 + 1e-5 * static_cast<double>(random.below(3)));
            }
            const int clusters = 1 + static_cast<int>(random.below(4));
            const double slack = random.uniform(0.1, 1.0);
            const auto truth = bestClustering(operators, clusters, slack);
            const auto ends = clusterOperators(operators, clusters, slack);
            QCOMPARE(ends.has_value(), truth.has_value());
            if (!ends) {
                ++none;
                continue;
            }
            ++found;
            QCOMPARE(static_cast<int>(ends->size()), clusters);
            Clustering own;
            own.largest = 0.0;
            int first = 0;
            for (const int end : *ends) {
                if (first > 0) {
                    own.largest =
                        std::max(own.largest, operators[static_cast<std::size_t>(first)].inputBytes);
                    own.sum += operators[static_cast<std::size_t>(first)].inputBytes;
                }
                own.squares += (end - first) * (end - first);
                first = end;
            }
            QVERIFY(std::abs(own.largest - truth->largest) <= 1e-4 * truth->largest);
            QVERIFY(std::abs(own.sum - truth->sum) <= 1e-4 * truth->sum);
            QCOMPARE(own.squares, truth->squares);
        }
        QVERIFY2(found > 150 && none > 50, qPrintable(QString("%1 %2").arg(found).arg(none)));
    }

    // GPT-3's MLP is 16/28 of a block's FLOP and more, and only the residual stream is alive in front of it.
    void blocksClusterAtTheResidual() {
        const auto problem = withBlocks(24);
        const std::vector<BlockOperator> operators = blockOperators(*problem, 0);
        const auto ends = clusterOperators(operators, 2);
        QVERIFY(ends);
        const BlockOperator& behind = operators[static_cast<std::size_t>(ends->front())];
        QCOMPARE(behind.inputBytes, boundaryBytes(*problem, 1.0));
        QCOMPARE(behind.name, std::string("norm"));
        double flops = 0.0;
        for (const BlockOperator& op : operators)
            flops += op.flops;
        const std::vector<FineLayer>& layers = problem->layers();
        QVERIFY(flops > 0.7 * (layers[1].forwardFlops.value + layers[2].forwardFlops.value));
        // A gated MLP more than three times as large as attention has to be cut itself.
        Model wide = test::sampleModel("llama3-8b");
        wide.ffn = 8 * wide.hidden;
        const auto gated = test::problemOf(test::sampleCluster("mixed-16"), wide, 64, 1024);
        const auto inside = clusterOperators(blockOperators(*gated, 0), 2);
        QVERIFY(inside);
        QVERIFY(blockOperators(*gated, 0)[static_cast<std::size_t>(inside->front())].inputBytes >
                boundaryBytes(*gated, 1.0));
    }

    void pricedLayersDoNotGrowWithTheModel() {
        for (const auto layers : {StageRuns::Layers::Fine, StageRuns::Layers::Blocks}) {
            const StageRuns few(*withBlocks(6), layers), many(*withBlocks(48), layers);
            QCOMPARE(few.distinctLayers(), 4); // embedding, attention, MLP, head
            QCOMPARE(many.distinctLayers(), few.distinctLayers());
            QCOMPARE(few.allLayers(), 14);
            QCOMPARE(many.allLayers(), 98);
        }
        // Blocks with a window are other blocks; so are blocks with measurements of their own.
        Model model = test::sampleModel("gpt3-1.3b");
        for (std::int64_t b = 0; b < model.blocks; ++b)
            model.window.push_back(b % 2 == 0 ? 0 : 256);
        const auto windows = test::problemOf(test::sampleCluster("mixed-16"), model, 64, 1024);
        QCOMPARE(StageRuns(*windows, StageRuns::Layers::Fine).distinctLayers(), 5);
        const SearchOutcome outcome = planHarp(withBlocks(24));
        QVERIFY(std::any_of(outcome.notes.begin(), outcome.notes.end(), [](const Diagnostic& d) {
            return d.message.find("4 distinct layers of 50 priced, 92 % saved") != std::string::npos;
        }));
    }

    // Runs that count as the same cost the same on every option, whatever the model and its measurements.
    void sameRunsCostTheSame() {
        Random random(kHarpSeed);
        int shared = 0, problems = 0;
        for (int n = 0; n < 60; ++n) {
            const auto problem = test::randomProblem(random);
            if (!problem)
                continue;
            ++problems;
            const CostTable table(*problem);
            const ChainSpace space(*problem, table, 4);
            for (const auto layers : {StageRuns::Layers::Fine, StageRuns::Layers::Blocks}) {
                const StageRuns runs(*problem, layers);
                QCOMPARE(runs.firstFine(0), 0);
                QCOMPARE(runs.lastFine(runs.layers()), fineLayerCount(problem->model()) - 1);
                for (int first = 0; first < runs.layers(); ++first)
                    for (int end = first + 1; end <= runs.layers(); ++end) {
                        const auto [a, b] = runs.example(runs.run(first, end));
                        shared += a != first ? 1 : 0;
                        for (const StageOption& o : space.options()) {
                            const auto cost = [&](int from, int to) {
                                return o.costs->stage(runs.firstFine(from), runs.lastFine(to), o.dp, o.zero);
                            };
                            const StageCost one = cost(first, end), other = cost(a, b);
                            QCOMPARE(one.total(), other.total());
                            QCOMPARE(one.fixedMemory(), other.fixedMemory());
                            QCOMPARE(one.kept, other.kept);
                        }
                    }
            }
        }
        QVERIFY(shared > 500 && problems > 30);
    }

    // Bytes over bandwidth and latency of the place where the boundary is; nothing where there is no room.
    void boundariesTakeTheirNetwork() {
        const auto problem = test::problemOf(
            test::drawnCluster(
                {{"A100-SXM4-40GB", 2, 40.0}, {"A100-SXM4-40GB", 2, 40.0}, {"V100-SXM2-16GB", 1, 8.0}}),
            test::sampleModel("opt-350m"), 16, 1024);
        const CostTable table(*problem);
        const ChainSpace space(*problem, table, 4);
        const StageRuns runs(*problem, StageRuns::Layers::Fine);
        const HarpInput input = harpTables(space, runs, harpSubClusters(space, true), kEndless);
        const double bytes = boundaryBytes(*problem, 4.0);
        const auto over = [&](double gigabits, double hops) {
            return bytes / (gigabits * 1.25e8 * 0.88) + hops * 20e-6;
        };
        QCOMPARE(input.clusters.size(), std::size_t{2});
        const int a100 = input.clusters[0].devices == 4 ? 0 : 1, v100 = 1 - a100;
        for (int cut = 1; cut < input.layers; ++cut) {
            const double inside = input.hostSend[input.hostSendAt(a100, 0, cut)];
            const double hosts = input.send[input.sendAt(a100, 0, a100, cut)];
            const double slow = input.send[input.sendAt(a100, 0, v100, cut)];
            QVERIFY(inside > 0.0 && inside < 0.1 * hosts);
            QVERIFY2(std::abs(hosts / over(40.0, 2.0) - 1.0) < 0.1, qPrintable(QString::number(hosts)));
            QVERIFY2(std::abs(slow / over(8.0, 2.0) - 1.0) < 0.1, qPrintable(QString::number(slow)));
            QVERIFY(hosts > over(40.0, 0.0) && slow > over(8.0, 0.0)); // latency is in it
            QVERIFY(
                !std::isfinite(input.hostSend[input.hostSendAt(v100, 0, cut)])); // one GPU has no neighbour
            QVERIFY(!std::isfinite(input.send[input.sendAt(v100, 0, v100, cut)]));
        }
        // Those are the times that plans are judged by.
        for (const FoundPlan& found : planHarp(problem).plans) {
            const auto& stages = found.evaluation.pipelines.front().stages;
            for (std::size_t i = 0; i + 1 < stages.size(); ++i)
                QVERIFY(stages[i].send.value > 0.0);
        }
    }

    // Sub-clusters are nodes that share a fast network: stages of several nodes only there, else each node is
    // one of its own where there are few.
    void slowNetworksPartSubClusters() {
        const auto of = [](double gigabits, int nodes) {
            std::vector<test::DrawnNode> list(static_cast<std::size_t>(nodes),
                                              {"A100-SXM4-40GB", 2, gigabits});
            list.push_back({"V100-SXM2-16GB", 8, 100.0});
            const auto problem =
                test::problemOf(test::drawnCluster(list), test::sampleModel("opt-350m"), 16, 1024);
            const CostTable table(*problem);
            return harpSubClusters(ChainSpace(*problem, table, 4));
        };
        const auto a100 = [](const std::vector<SubCluster>& all) {
            std::vector<SubCluster> own;
            for (const SubCluster& one : all)
                if (one.devices != 8)
                    own.push_back(one);
            return own;
        };
        const auto fast = a100(of(100.0, 2)), slow = a100(of(5.0, 2)), many = a100(of(5.0, 6));
        QCOMPARE(fast.size(), std::size_t{1});
        QCOMPARE(fast.front().sizes, (std::vector<int>{1, 2, 4}));
        QCOMPARE(slow.size(), std::size_t{2});
        for (std::size_t n = 0; n < 2; ++n) {
            QCOMPARE(slow[n].sizes, (std::vector<int>{1, 2}));
            QCOMPARE(slow[n].first, 2 * static_cast<int>(n));
            QCOMPARE(slow[n].devices, 2);
        }
        QCOMPARE(many.size(), std::size_t{1}); // a chain of nodes behind each other
        QCOMPARE(many.front().devices, 12);
        QCOMPARE(many.front().sizes, (std::vector<int>{1, 2}));
    }

    // Two nodes of A100 that 5 Gbit/s join to each other and to eight slower GPUs, as in the authors' suite:
    // no stage is divided over such a line, and leaving gradient sums out would do just that.
    void keepsGradientSumsOffSlowLinks() {
        const Json paper = test::sampleJson("published/harp.json");
        const JsonReader reader(paper, "harp.json");
        const auto cluster = clusterFromJson(reader.object("clusters").object("8+2+2"));
        const auto model = modelFromJson(reader.object("models").object("gpt-6.7b"));
        QVERIFY(cluster && model);
        Recipe recipe;
        recipe.gbs = recipe.seq = 1024;
        recipe.precision = Precision::Fp16;
        recipe.recompute = {Recompute::Full};
        const auto problem = Problem::make(*cluster, *model, recipe, {}, Space{});
        QVERIFY(problem);
        SearchOptions options;
        options.planner = "harp";
        SearchObserver nobody;
        const auto outcome = search(*problem, options, nobody, {});
        QVERIFY(outcome && !outcome->plans.empty());
        const FoundPlan& best = outcome->plans.front();
        QVERIFY2(best.evaluation.iteration.value < 45.0,
                 qPrintable(QString::number(best.evaluation.iteration.value)));
        for (const Stage& stage : best.plan.pipelines.front().stages)
            QVERIFY(onOneNode(**problem, stage, stage));
    }

    // A chain of three nodes whose ends no link joins: a tied model leaves one end out, and where all three
    // are needed the reason says so.
    void tiedEndsReachEachOther() {
        const auto chain = [](double room) {
            Cluster c =
                test::drawnCluster({{"A100-SXM4-40GB", 1}, {"A100-SXM4-40GB", 1}, {"A100-SXM4-40GB", 1}});
            c.switches.clear();
            c.links = {{"l1", "n1", "n2", BytesPerSecond(1e9), 1, Seconds(1e-4), 1.0},
                       {"l2", "n2", "n3", BytesPerSecond(1e9), 1, Seconds(1e-4), 1.0}};
            for (Node& node : c.nodes)
                node.memoryTaken =
                    Bytes(Catalogue::builtin().find(node.kind)->memory.value - gibibytes(room).value);
            return c;
        };
        Model model = test::sampleModel("opt-350m");
        for (const bool tied : {true, false}) {
            model.tied = tied;
            const auto roomy = test::problemOf(chain(20.0), model, 16, 1024);
            const SearchOutcome found = planHarp(roomy);
            QVERIFY(!found.plans.empty());
            QCOMPARE(found.plans.front().plan.pipelines.front().stages.size() == 3, !tied);
        }
        model.tied = true;
        for (const char* planner : {"harp", "pipewright"}) {
            SearchOptions options;
            options.planner = planner;
            SearchObserver nobody;
            const auto outcome = search(test::problemOf(chain(4.2), model, 16, 1024), options, nobody, {});
            QVERIFY(outcome);
            QVERIFY2(outcome->plans.empty(), planner);
            QVERIFY2(outcome->rejected.contains(Rejection::TiedEndsApart), planner);
        }
    }

    // Launch counts are the rule's at the plan's own slowest stage, or fewer where they did not fit; as many
    // micro-batches are in flight; every plan fits.
    void plansCarryTheirLaunches() {
        Random random(kHarpSeed + 1);
        int plans = 0, byRule = 0, beyond1F1B = 0;
        for (int n = 0; n < 80; ++n) {
            const auto problem = test::randomProblem(random);
            if (!problem)
                continue;
            for (const FoundPlan& found : planHarp(problem).plans) {
                ++plans;
                const Pipeline& pipeline = found.plan.pipelines.front();
                const PipelineFigures& figures = found.evaluation.pipelines.front();
                QVERIFY(found.evaluation.feasible);
                QCOMPARE(figures.launch, pipeline.schedule.launch);
                StageTimes times;
                std::vector<bool> inNode;
                for (std::size_t i = 0; i < figures.stages.size(); ++i) {
                    times.forward.push_back(figures.stages[i].forward.value);
                    times.backward.push_back(figures.stages[i].backward.value);
                    if (i + 1 == figures.stages.size())
                        continue;
                    times.send.push_back(figures.stages[i].send.value);
                    inNode.push_back(onOneNode(*problem, pipeline.stages[i], pipeline.stages[i + 1]));
                }
                const auto microbatches = static_cast<int>(pipeline.microbatches);
                const auto rule =
                    launchCounts(pipeline.schedule.kind, pipeline.schedule.rule, times, microbatches, inNode);
                byRule += rule == pipeline.schedule.launch ? 1 : 0;
                QCOMPARE(pipeline.schedule.launch.size(), rule.size());
                const auto stages = static_cast<int>(rule.size());
                for (int i = 0; i < stages; ++i) {
                    const auto at = static_cast<std::size_t>(i);
                    const int launch = pipeline.schedule.launch[at];
                    QVERIFY(launch <= rule[at]);
                    QVERIFY(std::min(launch, microbatches) >= std::min(stages - i, microbatches));
                    QCOMPARE(figures.simulation.peakInFlight[at], std::min(launch, microbatches));
                    beyond1F1B += launch > stages - i ? 1 : 0;
                }
                QVERIFY(pipeline.schedule.kind == ScheduleKind::H1F1B ||
                        pipeline.schedule.kind == ScheduleKind::OneFOneB);
            }
        }
        QVERIFY2(plans > 200 && byRule > plans * 9 / 10 && beyond1F1B > 50,
                 qPrintable(QString("%1 %2 %3").arg(plans).arg(byRule).arg(beyond1F1B)));
    }

    // A part left out is left out, and what it brings on these problems is there to see.
    void ablationsAreNeverBetter_data() {
        QTest::addColumn<QString>("cluster");
        QTest::addColumn<QString>("model");
        QTest::addColumn<bool>("slowLinks");
        QTest::newRow("mixed-16") << "mixed-16"
                                  << "gpt3-1.3b" << true;
        if (test::draws(0, 1) == 1)
            QTest::newRow("mixed-64") << "mixed-64"
                                      << "llama3-70b" << false;
    }
    void ablationsAreNeverBetter() {
        QFETCH(QString, cluster);
        QFETCH(QString, model);
        QFETCH(bool, slowLinks);
        const auto problem = test::problemOf(test::sampleCluster(cluster.toStdString()),
                                             test::sampleModel(model.toStdString()), 256, 2048);
        const SearchOutcome whole = planHarp(problem), blocks = planHarp(problem, "fine-layers"),
                            classic = planHarp(problem, "h1f1b"),
                            neither = planHarp(problem, "fine-layers,h1f1b");
        const auto time = [](const SearchOutcome& o) { return o.plans.front().evaluation.iteration.value; };
        QVERIFY(time(whole) < time(blocks));
        QVERIFY(slowLinks ? time(whole) < time(classic) : time(whole) <= time(classic));
        QVERIFY(time(blocks) <= time(neither) && time(classic) <= time(neither));
        // Plans of whole blocks are covered by the bound over chains; others by the looser one.
        for (const SearchOutcome* outcome : {&blocks, &neither}) {
            QVERIFY(outcome->covered && outcome->bound.value > Seconds(0.0) && outcome->gap() >= 0.0);
            for (const FoundPlan& found : outcome->plans)
                QVERIFY(coveredByBound(*problem, found.plan));
        }
        QVERIFY(!coveredByBound(*problem, whole.plans.front().plan));
        QCOMPARE(whole.bound.kind, std::string(CapacityBound::kKind));
        QVERIFY(whole.covered && whole.gap() >= blocks.gap());
        for (const SearchOutcome* outcome : {&classic, &neither})
            for (const FoundPlan& found : outcome->plans)
                QCOMPARE(found.plan.pipelines.front().schedule.kind, ScheduleKind::OneFOneB);
    }

    // Nodes that no link joins never share a pipeline; a Space that allows no such schedule has no plan.
    void keepsToWhatThereIs() {
        Space gpipe;
        gpipe.schedules = {{ScheduleKind::GPipe, LaunchRule::Artifact}};
        const Model model = test::sampleModel("opt-350m");
        const auto problem =
            test::problemOf(test::drawnCluster({{"A100-SXM4-40GB", 2}}), model, 16, 1024, gpipe);
        QVERIFY(planHarp(problem).plans.empty());
        Space classic;
        classic.schedules = {{ScheduleKind::OneFOneB, LaunchRule::Artifact}};
        const auto allowed = test::problemOf(
            test::drawnCluster({{"A100-SXM4-40GB", 2}, {"V100-SXM2-16GB", 2}}), model, 16, 1024, classic);
        for (const FoundPlan& found : planHarp(allowed).plans)
            QCOMPARE(found.plan.pipelines.front().schedule.kind, ScheduleKind::OneFOneB);
    }
};

QTEST_APPLESS_MAIN(HarpTest)
#include "harp_test.moc"
