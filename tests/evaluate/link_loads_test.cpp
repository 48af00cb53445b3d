// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/comm/comm.h"
#include "core/cost/cost.h"
#include "core/evaluate/link_loads.h"
#include "core/problem/problem.h"
#include "tests/project/small_project.h"
#include "tests/search/random_problem.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <set>

using namespace pw;

namespace {

constexpr int kLinkBlocks = 4;
constexpr std::uint64_t kLinkSeed = 90211;

Cluster racks(int spines) { // n1 and n2 under one leaf, n3 under the other
    Cluster c = smallProject().cluster;
    c.switches = {{"l1", "Ethernet", {}}, {"l2", "Ethernet", {}}};
    c.links[0].b = c.links[1].b = "l1";
    c.links[2].b = "l2";
    for (int s = 0; s < spines; ++s) {
        c.switches.push_back({"s" + std::to_string(s), "Ethernet", {}});
        for (const char* leaf : {"l1", "l2"}) {
            Link up = c.links[0];
            up.id = leaf + c.switches.back().id;
            up.a = leaf;
            up.b = c.switches.back().id;
            c.links.push_back(up);
        }
    }
    return c;
}

std::shared_ptr<const Problem> trafficProblem(const Cluster& cluster, const Software& software = {}) {
    const Project project = smallProject();
    Recipe recipe = project.recipe;
    recipe.zero = 0;
    recipe.software = software;
    auto made = Problem::make(cluster, *project.model, recipe, {});
    if (!made)
        qFatal("%s", made.error().text().c_str());
    return *std::move(made);
}

Stage held(int firstBlock, int endBlock, std::vector<std::vector<DeviceIndex>> replicas, int tp) {
    Stage s;
    s.chunks = {layersOfBlocks(firstBlock, endBlock, kLinkBlocks)};
    s.tp = tp;
    s.sequenceParallel = tp > 1;
    for (const auto& devices : replicas)
        s.replicas.push_back({devices, 1.0 / static_cast<double>(replicas.size())});
    return s;
}

Plan trafficPlan(std::vector<Stage> stages) {
    Pipeline p;
    p.microbatches = 16;
    p.microbatchSize = 4;
    p.stages = std::move(stages);
    return Plan{{p}};
}

const LinkLoad& loadOf(const Problem& problem, const LinkLoads& loads, const char* link, int way) {
    const std::vector<Link>& links = problem.topology().cluster().links;
    const auto at = std::find_if(links.begin(), links.end(), [&](const Link& l) { return l.id == link; });
    return loads[static_cast<std::size_t>(at - links.begin())][static_cast<std::size_t>(way)];
}

double usedFor(const LinkLoad& load, LinkUse use) {
    return load.seconds[static_cast<std::size_t>(use)];
}

#define CLOSE(got, expected)                                                                                 \
    QVERIFY2(std::abs((got) - (expected)) <= 1e-9 * std::abs(expected),                                      \
             qPrintable(QString(#got " is %1, expected %2")                                                  \
                            .arg(double(got), 0, 'g', 15)                                                    \
                            .arg(double(expected), 0, 'g', 15)))

} // namespace

class LinkLoadsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // Sixteen micro-batches of four sequences go over, and their gradients back; nothing else moves.
    void boundariesOutAndBack() {
        const auto problem = trafficProblem(smallProject().cluster);
        const Plan plan = trafficPlan({held(0, 2, {{0, 1}}, 2), held(2, 4, {{8, 9}}, 2)});
        const LinkLoads loads = linkLoads(*problem, plan);
        const double once = 16 * 4.0 * 1024 * 1024 * 2 / (12.5e9 * 0.88);
        for (const char* link : {"n1-s1", "n2-s1"})
            for (const int way : {0, 1}) {
                CLOSE(usedFor(loadOf(*problem, loads, link, way), LinkUse::Activations), once);
                CLOSE(loadOf(*problem, loads, link, way).total(), once);
                CLOSE(loadOf(*problem, loads, link, way).bytes, 16 * 4.0 * 1024 * 1024 * 2);
            }
        QCOMPARE(loadOf(*problem, loads, "n3-s1", 0).total(), 0.0);
        QCOMPARE(loadOf(*problem, loads, "n3-s1", 1).total(), 0.0);
    }

    // One stage over two nodes: 8 bytes of ring for each parameter's gradient of 4, whatever hides behind
    // the backward pass.
    void gradientsCountWhole() {
        for (const Choice overlap : {Choice::Off, Choice::On}) {
            Software software;
            software.overlapGradients = overlap;
            const auto problem = trafficProblem(smallProject().cluster, software);
            const Plan plan = trafficPlan({held(0, 4, {{0}, {8}}, 1)});
            const LinkLoads loads = linkLoads(*problem, plan);
            double parameters = 0.0;
            for (const FineLayer& layer : fineLayers(problem->model(), problem->recipe().seq))
                parameters += layerParameters(problem->model(), layer.block, layer.kind, 1);
            const double own = usedFor(loadOf(*problem, loads, "n1-s1", 0), LinkUse::Gradients);
            CLOSE(own, usedFor(loadOf(*problem, loads, "n2-s1", 1), LinkUse::Gradients));
            const double ring = 4.0 * parameters / (12.5e9 * 0.88);
            CLOSE(loadOf(*problem, loads, "n1-s1", 0).bytes, 4.0 * parameters);
            QVERIFY2(own >= ring * (1 - 1e-9) && own <= 2.2 * ring,
                     qPrintable(QString("%1 s, ring %2 s").arg(own).arg(ring)));
        }
    }

    // What crosses from rack to rack goes over all spines alike, and over the nodes' cables whole.
    void spinesShare() {
        const Plan plan = trafficPlan({held(0, 2, {{0}}, 1), held(2, 4, {{16}}, 1)});
        const auto one = trafficProblem(racks(1)), four = trafficProblem(racks(4));
        const LinkLoads single = linkLoads(*one, plan), shared = linkLoads(*four, plan);
        const double whole = loadOf(*one, single, "l1s0", 0).total();
        QVERIFY(whole > 0.0);
        for (const char* link : {"l1s0", "l1s1", "l1s2", "l1s3", "l2s0", "l2s3"})
            for (const int way : {0, 1})
                CLOSE(loadOf(*four, shared, link, way).total(), whole / 4.0);
        CLOSE(loadOf(*four, shared, "n3-s1", 0).total(), whole);
        QCOMPARE(loadOf(*four, shared, "n2-s1", 0).total(), 0.0);
    }

    // A tensor-parallel group over two nodes: 18 all-reduces a micro-batch (four in each of four blocks, one
    // each for embedding and head), each of which takes the link both ways.
    void groupsThatSpanNodes() {
        Software software;
        software.overlapTensorBackward = Choice::Off;
        const auto problem = trafficProblem(smallProject().cluster, software);
        const LinkLoads loads = linkLoads(*problem, trafficPlan({held(0, 4, {{0, 8}}, 2)}));
        const Traffic once = collectiveTraffic(problem->topology(), problem->constants().comm(), {{0, 8}},
                                               Collective::AllReduce, Bytes(4.0 * 1024 * 1024 * 2));
        double own = 0.0;
        for (const Traffic::Load& part : once.loads())
            if (Traffic::linkOf(problem->topology(), part.resource) == 0)
                own = std::max(own, part.seconds);
        CLOSE(usedFor(loadOf(*problem, loads, "n1-s1", 0), LinkUse::Tensor), 16 * 18 * own);
        const Evaluation judged = *evaluate(*problem, trafficPlan({held(0, 4, {{0, 8}}, 2)}));
        QVERIFY(loadOf(*problem, loads, "n1-s1", 0).total() < judged.iteration.value);
    }

    // A plan inside one node leaves all links alone; every other one has figures that are numbers.
    void drawnPlans() {
        Random random(kLinkSeed);
        int judged = 0, busy = 0;
        while (judged < 200) {
            const auto problem = test::randomProblem(random);
            const auto plan = test::randomPlan(random, *problem);
            if (!plan || !checkPlan(*problem, *plan, ""))
                continue;
            const auto evaluation = evaluate(*problem, *plan);
            if (!evaluation)
                continue;
            ++judged;
            const LinkLoads loads = linkLoads(*problem, *plan);
            QCOMPARE(loads.size(), problem->topology().cluster().links.size());
            std::set<int> nodes;
            for (const Pipeline& pipeline : plan->pipelines)
                for (const Stage& stage : pipeline.stages)
                    for (const Replica& replica : stage.replicas)
                        for (const DeviceIndex d : replica.devices)
                            nodes.insert(problem->topology().devices()[static_cast<std::size_t>(d)].node);
            double most = 0.0;
            for (const auto& ways : loads)
                for (const LinkLoad& way : ways)
                    for (const double seconds : way.seconds) {
                        QVERIFY(std::isfinite(seconds) && seconds >= 0.0);
                        most = std::max(most, seconds);
                    }
            QVERIFY2(nodes.size() > 1 || most == 0.0, qPrintable(QString("draw %1").arg(judged)));
            busy += most > 0.0;
        }
        QVERIFY(busy > 50);
    }
};

QTEST_APPLESS_MAIN(LinkLoadsTest)
#include "link_loads_test.moc"
