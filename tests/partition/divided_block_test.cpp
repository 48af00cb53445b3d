// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/file.h"
#include "core/cost/roofline.h"
#include "core/partition/divided_block.h"
#include "core/partition/partition.h"

#include <QTest>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

using namespace pw;
using namespace pw::partition;

namespace {

Json sampleJson(const std::string& file) {
    const auto text = readFile(std::string(PW_SOURCE_DIR) + "/samples/" + file);
    const auto json = text ? parseJson(*text, file) : Result<Json>(text.error());
    if (!json)
        qFatal("%s", json.error().text().c_str());
    return *json;
}

std::shared_ptr<const Problem> blockProblem(const char* model, const char* cluster, Precision precision,
                                            std::vector<ProfileRow> rows = {}) {
    const Json m = sampleJson(std::string("models/") + model + ".json");
    const Json c = sampleJson(std::string("clusters/") + cluster + ".json");
    Recipe recipe;
    recipe.gbs = 16;
    recipe.seq = 2048;
    recipe.precision = precision;
    auto made = Problem::make(*clusterFromJson(JsonReader(c, cluster)), *modelFromJson(JsonReader(m, model)),
                              recipe, std::move(rows));
    if (!made)
        qFatal("%s", made.error().text().c_str());
    return *made;
}

std::vector<DeviceIndex> devices(int first, int count) {
    std::vector<DeviceIndex> list(static_cast<std::size_t>(count));
    std::iota(list.begin(), list.end(), first);
    return list;
}

std::unique_ptr<PartitionSpace> blockSpace(const Problem& p, int count, std::int64_t sequences) {
    SpaceOptions options;
    options.sequences = sequences;
    auto made = PartitionSpace::make(p, devices(0, count), options, 1);
    if (!made)
        qFatal("%s", made.error().text().c_str());
    return *std::move(made);
}

// The ways of Megatron's tensor parallelism as a block's.
BlockWays tensorParallel(const PartitionSpace& s, bool sequenceParallel) {
    const auto found = s.tensorParallel(static_cast<int>(s.group().devices.size()), sequenceParallel, 1);
    if (!found)
        qFatal("%s", found.error().text().c_str());
    BlockWays ways;
    const std::vector<std::string> names = operatorNames(s.graph());
    for (std::size_t i = 0; i < names.size(); ++i)
        ways.push_back({names[i], found->runs.front().operators[i].way});
    return ways;
}

bool sameTime(double a, double b, double relative = 1e-12) {
    return std::abs(a - b) <= relative * std::abs(b);
}

} // namespace

class DividedBlockTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // A block is what one more of them adds to a stack, by core/partition's own figures.
    void blockIsWhatAStackGrowsBy() {
        const auto p = blockProblem("opt-175b", "v100-32", Precision::Fp16);
        for (const int count : {4, 8}) {
            const auto s = blockSpace(*p, count, 4);
            const Result<Partition> one = s->tensorParallel(count, false, 1);
            const Result<Partition> two = s->tensorParallel(count, false, 2);
            const auto block = dividedBlock(*p, devices(0, count), 4, tensorParallel(*s, false), false);
            QVERIFY(block);
            const StackFigures &a = one->figures, &b = two->figures;
            QVERIFY(sameTime(block->forward + block->backward + block->sync, b.seconds - a.seconds));
            QVERIFY(sameTime(block->weightGrad, b.weightGrad - a.weightGrad));
            QVERIFY(sameTime(block->comm + block->sync, b.collective + b.ring + b.redistribution -
                                                            a.collective - a.ring - a.redistribution));
            QVERIFY(sameTime(block->kept, b.kept - a.kept));
            QCOMPARE(block->weights * 18.0, b.states - a.states); // mixed precision, Adam, fp32 gradients
            QCOMPARE(block->endsForward + block->endsBackward, 0.0);
        }
    }

    // Tensor parallelism is one of the ways: its price is the layer costs' own.
    void tensorParallelismCostsTheSame() {
        for (const auto& [model, cluster, count] : {std::tuple{"opt-175b", "v100-32", 4},
                                                    {"gpt3-1.3b", "v100-32", 4},
                                                    {"llama3-8b", "mixed-64", 8}})
            for (const int mbs : {1, 4}) {
                const auto p = blockProblem(model, cluster, Precision::Fp16);
                const auto s = blockSpace(*p, count, mbs);
                const auto block = dividedBlock(*p, devices(0, count), mbs, tensorParallel(*s, false), false);
                CostConfig config;
                placeOn(config, p->topology(), 0);
                config.tp = count;
                config.mbs = mbs;
                const UnitCost attention = rooflineLayer(*p, config, {LayerKind::Attention, 0});
                const UnitCost mlp = rooflineLayer(*p, config, {LayerKind::Mlp, 0});
                QVERIFY2(sameTime(block->forward, attention.forward + mlp.forward), model);
                QVERIFY2(sameTime(block->backward, attention.backward + mlp.backward), model);
                QVERIFY2(sameTime(block->kept, attention.kept + mlp.kept, 1e-3), model);
                QVERIFY2(sameTime(block->keptInput, boundaryBytes(*p, static_cast<double>(mbs))), model);
            }
    }

    // The unit costs take the block as it is, hold the vectors whole, and keep embedding and head.
    void stagesAreMadeOfBlocks() {
        const auto p = blockProblem("opt-175b", "v100-32", Precision::Fp16);
        const auto ways = steadyWays(*p, devices(0, 4), 4, 16, true);
        QVERIFY(ways.size() >= 3);
        for (const BlockWays& w : ways) {
            CostConfig config;
            placeOn(config, p->topology(), 0);
            config.tp = 4;
            config.mbs = 4;
            config.sequenceParallel = true;
            const ConfigCosts plain(*p, config);
            config.divided = *dividedBlock(*p, devices(0, 4), 4, w, true);
            const DividedBlock& d = config.divided;
            const ConfigCosts divided(*p, config);
            const StageCost cost = divided.stage(7, 12, 1, 0); // three blocks
            QVERIFY(sameTime(cost.forward, 3.0 * d.forward + d.endsForward));
            QVERIFY(sameTime(cost.backward, 3.0 * d.backward + d.endsBackward));
            QVERIFY(sameTime(cost.innerSync, 3.0 * d.sync));
            QVERIFY(sameTime(cost.kept, 3.0 * d.kept));
            const double vectors =
                static_cast<double>(layerParameters(p->model(), LayerKind::Attention, 0).whole +
                                    layerParameters(p->model(), LayerKind::Mlp, 0).whole);
            QVERIFY(sameTime(cost.weights, 3.0 * 2.0 * (d.weights + vectors)));
            // The optimiser's step is over what the rank holds.
            const StageCost twin = plain.stage(7, 12, 1, 0);
            QVERIFY(sameTime(cost.optimizer / cost.weights, twin.optimizer / twin.weights, 1e-9));
            QCOMPARE(cost.provenance, Provenance::Estimated);
            // Embedding and head add what they add beside tensor-parallel blocks.
            const auto& model = p->model();
            const int last = 2 * static_cast<int>(model.blocks) + 1;
            const auto added = [&](const ConfigCosts& costs, double StageCost::*figure) {
                return costs.stage(0, last, 1, 0).*figure - costs.stage(1, last - 1, 1, 0).*figure;
            };
            QVERIFY(sameTime(added(divided, &StageCost::forward), added(plain, &StageCost::forward), 1e-9));
            QVERIFY(sameTime(added(divided, &StageCost::weights), added(plain, &StageCost::weights), 1e-9));
            // Least costs are below every stage and, with all blocks alike, equal to it.
            const StageCost least = divided.leastStage(3, false, false, 1, 0);
            QVERIFY(sameTime(least.forward, cost.forward) && sameTime(least.innerSync, cost.innerSync));
            // Full recompute repeats the forward pass and keeps the input alone.
            config.recompute = Recompute::Full;
            const StageCost again = ConfigCosts(*p, config).stage(7, 12, 1, 0);
            QVERIFY(sameTime(again.recompute, 3.0 * d.forward));
            QVERIFY(sameTime(again.kept, 3.0 * d.keptInput));
        }
    }

    // A measurement of the tensor-parallel block says how far its roofline is off; so is the divided one's.
    void measurementsReachDividedBlocks() {
        const auto plain = blockProblem("opt-175b", "v100-32", Precision::Fp16);
        CostConfig config;
        placeOn(config, plain->topology(), 0);
        config.tp = 4;
        config.mbs = 4;
        const StageCost roofline = ConfigCosts(*plain, config).stage(3, 4, 1, 0);
        std::vector<ProfileRow> rows;
        for (int layer = 1; layer <= plain->model().blocks; ++layer)
            rows.push_back({plain->model().name, plain->topology().kindOf(0).name, layer, 4, 4, 0, "",
                            Seconds(2.0 * roofline.forward), Seconds(3.0 * roofline.backward), Seconds(1e-3),
                            Bytes(0), "drawn", "", "", "", "", ""});
        const auto measured = blockProblem("opt-175b", "v100-32", Precision::Fp16, rows);
        for (const BlockWays& w : steadyWays(*plain, devices(0, 4), 4, 16, false)) {
            config.divided = *dividedBlock(*plain, devices(0, 4), 4, w, false);
            const StageCost own = ConfigCosts(*plain, config).stage(3, 4, 1, 0);
            const StageCost other = ConfigCosts(*measured, config).stage(3, 4, 1, 0);
            QVERIFY(sameTime(other.forward - config.divided.endsForward,
                             2.0 * (own.forward - config.divided.endsForward), 1e-9));
            QVERIFY(sameTime(other.backward - config.divided.endsBackward,
                             3.0 * (own.backward - config.divided.endsBackward), 1e-9));
            QCOMPARE(other.provenance, Provenance::Estimated);
            QCOMPARE(other.measured, 0.0);
        }
    }

    // The same wherever equal devices stand alike.
    void placeInTheNodeDoesNotMatter() {
        const auto p = blockProblem("gpt3-1.3b", "mixed-64", Precision::Fp16);
        const auto list = steadyWays(*p, devices(0, 4), 2, 4, true);
        QVERIFY(!list.empty());
        for (const BlockWays& w : list)
            for (const int first : {4, 8, 12})
                QVERIFY(*dividedBlock(*p, devices(0, 4), 2, w, true) ==
                        *dividedBlock(*p, devices(first, 4), 2, w, true));
    }

    void chosenWaysAreNoWorseThanTensorParallelism() {
        for (const auto& [model, cluster, count] :
             {std::tuple{"opt-175b", "v100-32", 4}, {"opt-175b", "v100-32", 8}, {"gpt3-175b", "mixed-64", 8}})
            for (const int mbs : {1, 2, 8}) {
                const auto p = blockProblem(model, cluster, Precision::Fp16);
                const auto s = blockSpace(*p, count, mbs);
                const auto list = steadyWays(*p, devices(0, count), mbs, 16, false);
                const auto time = [&](const BlockWays& ways) {
                    const auto b = dividedBlock(*p, devices(0, count), mbs, ways, false);
                    return b->forward + b->backward + b->sync / 16.0;
                };
                for (const bool sequenceParallel : {false, true})
                    QVERIFY(time(list.front()) <= time(tensorParallel(*s, sequenceParallel)) * (1.0 + 1e-12));
                QVERIFY(std::ranges::any_of(list, [&](const BlockWays& w) {
                    return dividedBlock(*p, devices(0, count), mbs, w, false)->endsForward == 0.0;
                }));
            }
    }

    // Tensors of a product under the primitive lie on a device in equal parts (P5).
    void gridsHoldOneShare() {
        const auto p = blockProblem("opt-175b", "v100-32", Precision::Fp16);
        const auto s = blockSpace(*p, 4, 4);
        BlockWays ways = tensorParallel(*s, true);
        const double copied = dividedBlock(*p, devices(0, 4), 4, ways, true)->kept;
        for (OperatorSequence& own : ways)
            if (own.name == "up")
                own.way = {grid(1)};
        const double shared = dividedBlock(*p, devices(0, 4), 4, ways, true)->kept;
        const double input = boundaryBytes(*p, 4.0); // of the product: on every device before, a quarter now
        QVERIFY(sameTime(copied - shared, 0.75 * input, 1e-9));
    }

    void whatIsNoDivisionIsNamed() {
        const auto p = blockProblem("gpt3-1.3b", "v100-32", Precision::Fp16);
        const auto s = blockSpace(*p, 4, 2);
        const BlockGraph& graph = s->graph();
        const BlockWays good = tensorParallel(*s, true);
        QVERIFY(faultsOf(graph, 2, good).empty());
        const auto fault = [&](const char* name, const char* way) {
            BlockWays ways = good;
            for (OperatorSequence& own : ways)
                if (own.name == name)
                    own.way = *sequenceFromText(way);
            const std::vector<WayFault> faults = faultsOf(graph, 2, ways);
            return faults.size() == 1 && faults.front().name == name;
        };
        QVERIFY(fault("up", "K"));         // one bit of two
        QVERIFY(fault("up", "K.K.K"));     // too many
        QVERIFY(fault("up", "H.K"));       // no such axis
        QVERIFY(fault("up", "R.K"));       // never copied
        QVERIFY(fault("up", "B.B"));       // two sequences
        QVERIFY(fault("softmax", "P2x2")); // no product with weights
        QVERIFY(fault("add_2", "P2x2"));
        QVERIFY(!fault("add_2", "B.R"));
        QVERIFY(!fault("up", "P2x2"));
        BlockWays missing = good;
        missing.erase(missing.begin() + 3);
        QCOMPARE(faultsOf(graph, 2, missing).front().name, good[3].name);
        BlockWays other = good;
        other.push_back({"router", {split(Axis::Columns), split(Axis::Columns)}});
        QCOMPARE(faultsOf(graph, 2, other).back().name, std::string("router"));
        QCOMPARE(faultsOf(graph, 3, good).size(), good.size());
        // Devices that are no group, and models that have no such blocks, are refused.
        QVERIFY(!dividedBlock(*p, devices(0, 3), 2, good, true));
        QVERIFY(steadyWays(*p, devices(2, 4), 2, 1, true).size() > 0); // over two nodes
        QVERIFY(steadyWays(*p, devices(1, 4), 2, 1, true).empty());
        const auto experts = blockProblem("mixtral-8x7b", "v100-32", Precision::Fp16);
        QVERIFY(steadyWays(*experts, devices(0, 4), 2, 1, true).empty());
    }
};

QTEST_APPLESS_MAIN(DividedBlockTest)
#include "divided_block_test.moc"
