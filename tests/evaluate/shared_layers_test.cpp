// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/comm/comm.h"
#include "core/cost/cost.h"
#include "core/evaluate/evaluation.h"
#include "tests/project/small_project.h"

#include <QTest>

#include <cmath>

using namespace pw;

namespace {

constexpr int kBlocks = 4;
using Groups = std::vector<std::vector<DeviceIndex>>;

// Two A100 nodes (devices 0 to 7 and 8 to 15) and a V100 node at one switch; no sharding, adam.
std::shared_ptr<const Problem> problemOn(const Cluster& cluster) {
    const Project project = smallProject();
    Recipe recipe = project.recipe;
    recipe.zero = 0;
    auto made = Problem::make(cluster, *project.model, recipe, {});
    if (!made)
        qFatal("%s", made.error().text().c_str());
    return *std::move(made);
}

std::shared_ptr<const Problem> problem() {
    return problemOn(smallProject().cluster);
}

Stage stage(int firstBlock, int endBlock, const Groups& replicas, int zero = 0) {
    Stage s;
    s.chunks = {layersOfBlocks(firstBlock, endBlock, kBlocks)};
    s.tp = static_cast<int>(replicas.front().size());
    s.sequenceParallel = s.tp > 1;
    s.zero = zero;
    for (const auto& devices : replicas)
        s.replicas.push_back({devices, 1.0 / static_cast<double>(replicas.size())});
    return s;
}

Pipeline pipeline(std::vector<Stage> stages, std::int64_t microbatches, std::int64_t size) {
    Pipeline p;
    p.microbatches = microbatches;
    p.microbatchSize = size;
    p.share = static_cast<double>(microbatches * size) / 64.0;
    p.schedule = {ScheduleKind::OneFOneB, LaunchRule::Artifact, 1, {}};
    p.stages = std::move(stages);
    return p;
}

Evaluation judged(const Problem& problem, const Plan& plan) {
    auto got = evaluate(problem, plan);
    if (!got)
        qFatal("%s", got.error().text().c_str());
    return *std::move(got);
}

// fp32 gradients of blocks [first, end), the embedding and the head with the ends; bytes of a whole copy.
double gradients(const Problem& p, int first, int end) {
    double parameters = 0.0;
    for (const FineLayer& layer : fineLayers(p.model(), p.recipe().seq)) {
        const LayerRange held = layersOfBlocks(first, end, kBlocks);
        if (layer.index >= held.first && layer.index <= held.last)
            parameters += layerParameters(p.model(), layer.block, layer.kind, 1);
    }
    return 4.0 * parameters;
}

double reduced(const Problem& p, const Groups& groups, double bytes) {
    return collectiveTime(p.topology(), p.constants().comm(), groups, Collective::AllReduce, Bytes(bytes))
        .value;
}

#define NEAR(got, expected)                                                                                  \
    QVERIFY2(std::abs((got) - (expected)) <= 1e-9 * std::abs(expected),                                      \
             qPrintable(QString(#got " is %1, expected %2")                                                  \
                            .arg(double(got), 0, 'g', 15)                                                    \
                            .arg(double(expected), 0, 'g', 15)))

} // namespace

class SharedLayersTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // Written apart or as a count, the same pipelines take the same time and sum the same gradients.
    void identicalPipelinesCostTheSameHoweverWritten() {
        const auto drawn = problem();
        const Problem& p = *drawn;
        Pipeline both = pipeline({stage(0, 2, {{0, 1}, {8, 9}}), stage(2, 4, {{2, 3}, {10, 11}})}, 16, 2);
        both.count = 2;
        both.share = 1.0;
        for (Stage& s : both.stages)
            for (Replica& r : s.replicas)
                r.share = 1.0;
        const Plan apart{{pipeline({stage(0, 2, {{0, 1}}), stage(2, 4, {{2, 3}})}, 16, 2),
                          pipeline({stage(0, 2, {{8, 9}}), stage(2, 4, {{10, 11}})}, 16, 2)}};
        const Evaluation one = judged(p, Plan{{both}}), two = judged(p, apart);
        NEAR(two.iteration.value, one.iteration.value);
        for (std::size_t i = 0; i < 2; ++i)
            NEAR(two.pipelines[1].stages[i].sync.value, one.pipelines[0].stages[i].sync.value);
        QVERIFY(two.pipelines[0].stages[0].sync.value > 0.0);
    }

    // Layer by layer between the owners: the middle blocks lie on the first stage here, on the second there.
    void sumsEveryLayerBetweenItsOwners() {
        const auto drawn = problem();
        const Problem& p = *drawn;
        const Plan plan{{pipeline({stage(0, 3, {{0}}), stage(3, 4, {{1}})}, 32, 1),
                         pipeline({stage(0, 1, {{2}}), stage(1, 4, {{3}})}, 32, 1)}};
        const Evaluation got = judged(p, plan);
        double latest = 0.0;
        for (const PipelineFigures& f : got.pipelines)
            for (std::size_t i = 0; i < 2; ++i)
                latest = std::max(latest, f.simulation.lastEnd[i]);
        // All three runs of layers inside one node; block 1 and 2 wait for the first pipeline's first stage,
        // which ends last of all.
        const double middle = reduced(p, {{0, 3}}, gradients(p, 1, 3));
        double end = 0.0;
        for (const PipelineFigures& f : got.pipelines)
            for (std::size_t i = 0; i < 2; ++i)
                end = std::max(end, f.simulation.lastEnd[i] + f.stages[i].sync.value);
        QVERIFY2(end >= latest + middle, "the middle blocks' ring is missing");
        const double first = reduced(p, {{0, 2}}, gradients(p, 0, 1)),
                     last = reduced(p, {{1, 3}}, gradients(p, 3, 4));
        QVERIFY2(end <= latest + first + middle + last + 1e-9, "more than one after the other");
        // The stage with the last block alone shares its ports with one ring only.
        const double own = got.pipelines[0].simulation.lastEnd[1] + got.pipelines[0].stages[1].sync.value;
        const double begins =
            std::max(got.pipelines[0].simulation.lastEnd[1], got.pipelines[1].simulation.lastEnd[1]);
        QVERIFY(own >= begins + last - 1e-12);
    }

    // A tensor-parallel pair against a single GPU: each half of the gradients meets its half, and the single
    // GPU's ports carry both.
    void slicesMeetTheirLikes() {
        const auto drawn = problem();
        const Problem& p = *drawn;
        const Plan plan{{pipeline({stage(0, 4, {{0, 1}})}, 32, 1), pipeline({stage(0, 4, {{8}})}, 32, 1)}};
        const Evaluation got = judged(p, plan);
        const double begin =
            std::max(got.pipelines[0].simulation.lastEnd[0], got.pipelines[1].simulation.lastEnd[0]);
        const double end = got.pipelines[1].simulation.lastEnd[0] + got.pipelines[1].stages[0].sync.value;
        // Norms and biases are on every tensor-parallel rank, so a copy in slices is a little larger.
        const double sliced = reduced(p, {{0, 8}, {1, 8}}, gradients(p, 0, 4) / 2.0);
        QVERIFY2(std::abs(end - begin - sliced) < 0.01 * sliced,
                 qPrintable(QString("%1 s, expected about %2 s").arg(end - begin).arg(sliced)));
    }

    // Replicas of one pipeline and the other pipeline are members of one ring without sharding; with it the
    // pipeline's own shards are scattered first and only they cross.
    void shardsArePerPipeline() {
        const auto drawn = problem();
        const Problem& p = *drawn;
        const auto at = [&](int zero) {
            return Plan{{pipeline({stage(0, 4, {{0}, {1}, {2}, {3}}, zero)}, 8, 4),
                         pipeline({stage(0, 4, {{8}, {9}, {10}, {11}}, zero)}, 8, 4)}};
        };
        const auto syncOf = [&](const Evaluation& e) { return e.pipelines[0].stages[0].sync.value; };
        const Evaluation whole = judged(p, at(0)), sharded = judged(p, at(1));
        NEAR(syncOf(whole), reduced(p, {{0, 1, 2, 3, 8, 9, 10, 11}}, gradients(p, 0, 4)));
        const double bytes = gradients(p, 0, 4);
        const Groups own = {{0, 1, 2, 3}};
        const double scattered =
            collectiveTime(p.topology(), p.constants().comm(), own, Collective::ReduceScatter, Bytes(bytes))
                .value;
        const double gathered =
            collectiveTime(p.topology(), p.constants().comm(), own, Collective::AllGather, Bytes(bytes / 2.0))
                .value;
        const double crossed = reduced(p, {{0, 8}, {1, 9}, {2, 10}, {3, 11}}, bytes / 4.0);
        NEAR(syncOf(sharded), scattered + gathered + crossed);
        const auto optimizer = [](const Evaluation& e) { return e.memory.front().peak.optimizer.value; };
        NEAR(optimizer(sharded), optimizer(whole) / 4.0);
    }

    // A rank that keeps its share of the gradients alone has no room to add up those of several
    // micro-batches: each is summed by itself, and the stepped weights are gathered once.
    void shardedGradientsAreSummedEveryTime() {
        const Project project = smallProject();
        Recipe recipe = project.recipe;
        recipe.software.overlapGradients = Choice::Off;
        const auto made = Problem::make(project.cluster, *project.model, recipe, {});
        QVERIFY(made);
        const Problem& p = **made;
        const Groups ranks = {{0, 1, 2, 3}};
        const double bytes = gradients(p, 0, 4);
        const auto collected = [&](Collective how, double size) {
            return collectiveTime(p.topology(), p.constants().comm(), ranks, how, Bytes(size)).value;
        };
        const double scattered = collected(Collective::ReduceScatter, bytes),
                     gathered = collected(Collective::AllGather, bytes / 2.0);
        const auto at = [&](int zero, std::int64_t microbatches) {
            return judged(p, Plan{{pipeline({stage(0, 4, {{0}, {1}, {2}, {3}}, zero)}, microbatches,
                                            64 / microbatches)}});
        };
        const auto syncOf = [](const Evaluation& e) { return e.pipelines[0].stages[0].sync.value; };
        for (const std::int64_t microbatches : {1, 4, 16}) {
            NEAR(syncOf(at(1, microbatches)), scattered + gathered);
            NEAR(syncOf(at(2, microbatches)), static_cast<double>(microbatches) * scattered + gathered);
        }
        const auto peakOf = [&](int zero) { return at(zero, 16).memory.front().peak; };
        NEAR(peakOf(2).gradients.value, peakOf(1).gradients.value / 4.0);
        QVERIFY(peakOf(2).transient.value > peakOf(1).transient.value); // those that are not summed yet
        // Of several stages each keeps its gradients, whatever the plan asks for.
        const Plan two{{pipeline({stage(0, 2, {{0}, {1}}, 2), stage(2, 4, {{2}, {3}}, 2)}, 16, 4)}};
        Plan one = two;
        for (Stage& s : one.pipelines[0].stages)
            s.zero = 1;
        QCOMPARE(judged(p, two).iteration.value, judged(p, one).iteration.value);
    }

    // The slower pipeline's last backward starts the sums of both.
    void waitsForTheSlowerPipeline() {
        const auto drawn = problem();
        const Problem& p = *drawn;
        const Plan plan{{pipeline({stage(0, 4, {{0}})}, 48, 1), pipeline({stage(0, 4, {{1}})}, 16, 1)}};
        const Evaluation got = judged(p, plan);
        const double slow = got.pipelines[0].simulation.lastEnd[0],
                     fast = got.pipelines[1].simulation.lastEnd[0];
        QVERIFY(fast < slow);
        NEAR(fast + got.pipelines[1].stages[0].sync.value, slow + got.pipelines[0].stages[0].sync.value);
        NEAR(got.pipelines[0].stages[0].sync.value, reduced(p, {{0, 1}}, gradients(p, 0, 4)));
        double step = 0.0;
        for (const PipelineFigures& f : got.pipelines)
            step = std::max(step, f.stages[0].optimizer.value);
        NEAR(got.iteration.value, slow + got.pipelines[0].stages[0].sync.value + step);
    }

    void refusesWhatCannotShare() {
        Cluster islands = smallProject().cluster; // n3 reaches n2 only, and they hang on nothing else
        islands.switches.push_back({"s2", "Ethernet", {300, 300}});
        islands.links[1].b = islands.links[2].b = "s2";
        const auto apart = problemOn(islands);
        const Plan plan{{pipeline({stage(0, 4, {{0}})}, 32, 1), pipeline({stage(0, 4, {{16}})}, 32, 1)}};
        const auto got = evaluate(*apart, plan);
        QVERIFY(!got);
        QCOMPARE(got.error().code, std::string("plan.unreachable"));
        QCOMPARE(got.error().where, std::string("plan/pipelines/1/stages/0"));

        Cluster vendors = smallProject().cluster;
        vendors.nodes[2].kind = "MI300X-192GB";
        const auto mixed = problemOn(vendors);
        const auto refused = evaluate(*mixed, plan);
        QVERIFY(!refused);
        QVERIFY2(refused.error().text().find("expected one vendor") != std::string::npos,
                 refused.error().text().c_str());
    }
};

QTEST_APPLESS_MAIN(SharedLayersTest)
#include "shared_layers_test.moc"
