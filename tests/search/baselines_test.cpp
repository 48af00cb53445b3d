// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/random.h"
#include "core/plan/shares.h"
#include "core/search/baselines/alpa_programme.h"
#include "core/search/baselines/device_groups.h"
#include "core/search/baselines/metis_balance.h"
#include "core/search/planners.h"
#include "core/search/search.h"
#include "tests/search/planned.h"
#include "tests/search/sample_problems.h"

#include <QTest>

#include <cmath>
#include <functional>
#include <numeric>

using namespace pw;

namespace {

constexpr std::uint64_t kBaselinesSeed = 20260221;
constexpr double kUnlimited = std::numeric_limits<double>::infinity();

// Stage times drawn apart from each other, some of them beyond memory at the front.
AlpaInput randomAlpaInput(Random& random) {
    AlpaInput in;
    in.layers = 2 + static_cast<int>(random.below(5));
    in.submeshes = {1, 2, 4};
    in.devices = 2 + static_cast<int>(random.below(6));
    in.stages = std::min(in.layers, in.devices);
    in.microbatches = 1 + static_cast<std::int64_t>(random.below(30));
    in.resize();
    for (int first = 0; first < in.layers; ++first)
        for (int end = first + 1; end <= in.layers; ++end)
            for (std::size_t m = 0; m < in.submeshes.size(); ++m) {
                const double time = (end - first) * random.uniform(0.5, 1.5) / in.submeshes[m];
                const int most = static_cast<int>(random.below(static_cast<std::uint64_t>(in.stages + 3)));
                for (int s = 1; s <= std::min(in.stages, most); ++s)
                    in.times[in.at(first, end, m, s)] = time;
            }
    return in;
}

// Every division, from the last stage to the first.
double bruteForce(const AlpaInput& in) {
    double best = kUnlimited;
    const std::function<void(int, int, int, double, double)> stage = [&](int end, int devices, int s,
                                                                         double sum, double slowest) {
        if (end == 0) {
            if (devices == in.devices)
                best = std::min(best, sum + static_cast<double>(in.microbatches - 1) * slowest);
            return;
        }
        if (s > in.stages)
            return;
        for (int first = 0; first < end; ++first)
            for (std::size_t m = 0; m < in.submeshes.size(); ++m) {
                const double time = in.times[in.at(first, end, m, s)];
                if (std::isfinite(time) && devices + in.submeshes[m] <= in.devices)
                    stage(first, devices + in.submeshes[m], s + 1, sum + time, std::max(slowest, time));
            }
    };
    stage(in.layers, 0, 1, 0.0, 0.0);
    return best;
}

} // namespace

// The parts that the planners in the manner of other systems are made of.
class BaselinesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void alpaIsExactToAThousandth() {
        Random random(kBaselinesSeed);
        const std::function<bool(std::int64_t)> endless = [](std::int64_t) { return false; };
        int feasible = 0, infeasible = 0;
        for (int n = 0; n < 500; ++n) {
            const AlpaInput in = randomAlpaInput(random);
            const double truth = bruteForce(in);
            const std::optional<AlpaPlan> found = alpaProgramme(in, kUnlimited, endless);
            QCOMPARE(found.has_value(), std::isfinite(truth));
            if (!found) {
                ++infeasible;
                continue;
            }
            ++feasible;
            QVERIFY2(found->total >= truth * (1 - 1e-12) && found->total <= truth * 1.001,
                     qPrintable(QString("%1: %2 against %3").arg(n).arg(found->total).arg(truth)));
            // What it says is what its stages take, on all layers and devices.
            double sum = 0.0, slowest = 0.0;
            int layer = 0, devices = 0;
            for (std::size_t i = 0; i < found->stages.size(); ++i) {
                const AlpaPlan::Stage& s = found->stages[i];
                QCOMPARE(s.first, layer);
                layer = s.end;
                devices += in.submeshes[s.submesh];
                const double time =
                    in.times[in.at(s.first, s.end, s.submesh, static_cast<int>(found->stages.size() - i))];
                sum += time;
                slowest = std::max(slowest, time);
            }
            QCOMPARE(layer, in.layers);
            QCOMPARE(devices, in.devices);
            QVERIFY(std::abs(found->total - sum - static_cast<double>(in.microbatches - 1) * slowest) < 1e-9);
            // A better answer is there only if there is one.
            QVERIFY(!alpaProgramme(in, truth * 0.999, endless));
        }
        QVERIFY(feasible > 200 && infeasible > 20);
    }

    void groupsArePowersOfTwo() {
        using Groups = std::vector<std::vector<int>>;
        QCOMPARE(deviceGroups(16, 3), (Groups{{4, 4, 8}, {4, 8, 4}, {8, 4, 4}}));
        QCOMPARE(deviceGroups(8, 1), (Groups{{8}}));
        QVERIFY(deviceGroups(7, 1).empty());
        for (const int gpus : {5, 12, 16, 24, 64, 100})
            for (int stages = 1; stages <= std::min(16, gpus); ++stages) {
                std::set<std::vector<int>> seen;
                std::map<std::vector<int>, int> orders;
                for (const std::vector<int>& groups : deviceGroups(gpus, stages)) {
                    QCOMPARE(static_cast<int>(groups.size()), stages);
                    QCOMPARE(std::accumulate(groups.begin(), groups.end(), 0), gpus);
                    for (const int size : groups)
                        QVERIFY((size & (size - 1)) == 0 && size >= 0.5 * gpus / stages);
                    QVERIFY(seen.insert(groups).second);
                    std::vector<int> sizes = groups;
                    std::sort(sizes.begin(), sizes.end());
                    ++orders[sizes];
                }
                for (const auto& [sizes, count] : orders) // merged before they change places
                    QVERIFY(count <= 24 || std::set<int>(sizes.begin(), sizes.end()).size() > 4);
            }
    }

    void sharesFollowSpeed() {
        using Shares = std::vector<std::int64_t>;
        QCOMPARE(sharesBySpeed(8, {1, 1, 1, 1}), (Shares{2, 2, 2, 2}));
        QCOMPARE(sharesBySpeed(2, {1, 1, 1}), Shares{});
        QCOMPARE(sharesBySpeed(2, {1, 100}), (Shares{1, 1}));
        Random random(kBaselinesSeed);
        for (int n = 0; n < 200; ++n) {
            std::vector<double> speeds(1 + random.below(9));
            for (double& s : speeds)
                s = random.uniform(0.1, 4.0);
            const auto total = static_cast<std::int64_t>(speeds.size() + random.below(100));
            const Shares shares = sharesBySpeed(total, speeds);
            QCOMPARE(std::accumulate(shares.begin(), shares.end(), std::int64_t{0}), total);
            for (std::size_t a = 0; a < speeds.size(); ++a) {
                QVERIFY(shares[a] >= 1);
                for (std::size_t b = 0; b < speeds.size(); ++b)
                    QVERIFY(speeds[a] < speeds[b] || shares[a] + 1 >= shares[b]);
            }
        }
    }

    // A stage of both kinds gives the faster replicas more, and its plan is judged with those shares.
    void mixedGroupsShareUnevenly() {
        const Model model = test::sampleModel("opt-350m");
        const auto problem = test::problemOf(
            test::drawnCluster({{"A100-SXM4-40GB", 1, 400}, {"V100-SXM2-16GB", 1, 400}}), model, 64, 1024);
        const CostTable table(*problem);
        const RankOrder ranks(problem->topology(), allowedNodes(*problem));
        MetisStages stages(*problem, table, ranks, 32, Recompute::None);
        const MetisStage* both = stages.stage(0, 2, 1);
        QVERIFY(both && both->sequences[0] > both->sequences[1] && both->parts.size() == 2);
        QVERIFY(!stages.stage(0, 2, 2)); // a tensor-parallel group over two nodes
        // Slower than the faster kind on its share alone would be a bad balance.
        const MetisStage* fast = stages.stage(0, 1, 1);
        QVERIFY(fast && both->time(0, 4) < fast->time(0, 4));
    }

    // Stages that lack memory give layers to those with room.
    void layersFollowMemory() {
        const auto problem = test::sampleProject("mixed-16");
        const CostTable table(*problem);
        const RankOrder ranks(problem->topology(), allowedNodes(*problem));
        MetisStages stages(*problem, table, ranks, 8, Recompute::None);
        const auto split = [&](int microbatches) {
            return balanceLayers(*problem, {stages.stage(0, 8, 2), stages.stage(8, 8, 4)}, microbatches);
        };
        const auto blocks = static_cast<int>(problem->model().blocks);
        const LayerSplit one = split(1);
        QCOMPARE(one.end.back(), blocks);
        QVERIFY(one.end[0] > blocks / 2 && one.end[0] < blocks); // the A100s hold more
        const double fast = stages.stage(0, 8, 2)->time(0, one.end[0]);
        const double slow = stages.stage(8, 8, 4)->time(one.end[0], blocks);
        QVERIFY2(!one.full, "32 layers fit on 16 GPUs");
        QVERIFY(std::max(fast, slow) < 1.5 * std::min(fast, slow));
    }

    void alpaKeepsTensorParallelismInNodes() {
        const auto problem = test::sampleProject("measured-16");
        const SearchOutcome outcome = test::planned(problem, "alpa");
        QCOMPARE(outcome.status, SearchStatus::Feasible);
        QVERIFY(!outcome.plans.empty());
        for (const FoundPlan& found : outcome.plans)
            for (const Stage& stage : found.plan.pipelines.front().stages)
                for (const Replica& replica : stage.replicas) {
                    const auto& devices = problem->topology().devices();
                    QCOMPARE(devices[static_cast<std::size_t>(replica.devices.front())].node,
                             devices[static_cast<std::size_t>(replica.devices.back())].node);
                }
    }

    void metisBalancesAcrossKinds() {
        const auto problem = test::sampleProject("measured-16");
        const SearchOutcome metis = test::planned(problem, "metis"),
                            grid = test::planned(problem, "megatron");
        QVERIFY(metis.plans.front().evaluation.iteration < grid.plans.front().evaluation.iteration);
        std::set<int> kinds;
        for (const DeviceMemory& m : metis.plans.front().evaluation.memory)
            kinds.insert(problem->topology().devices()[static_cast<std::size_t>(m.device)].kind);
        QCOMPARE(kinds.size(), std::size_t{2});
    }
};

QTEST_APPLESS_MAIN(BaselinesTest)
#include "baselines_test.moc"
