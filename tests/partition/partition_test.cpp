// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/file.h"
#include "core/base/random.h"
#include "core/comm/comm.h"
#include "core/partition/comparison.h"

#include <QTest>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace pw;
using namespace pw::partition;

namespace {

std::string sample(const std::string& name) {
    const auto text = readFile(std::string(PW_SOURCE_DIR) + "/samples/" + name);
    if (!text)
        qFatal("%s", text.error().text().c_str());
    return *text;
}

Model model(const char* name) {
    const std::string file = std::string("models/") + name + ".json";
    const auto json = parseJson(sample(file), file);
    const auto read = modelFromJson(JsonReader(*json, file));
    if (!read)
        qFatal("%s", read.error().text().c_str());
    return *read;
}

Cluster cluster(const char* name) {
    const auto read = readCluster(sample(std::string("clusters/") + name + ".json"), name);
    if (!read)
        qFatal("%s", read.error().text().c_str());
    return *read;
}

// Four nodes of four V100, or eight: nodes side by side as in the sample.
std::shared_ptr<const Problem> problem(const Model& m, const Cluster& c, std::int64_t gbs = 8,
                                       Precision precision = Precision::Fp16, std::int64_t seq = 2048) {
    Recipe recipe;
    recipe.gbs = gbs;
    recipe.seq = seq;
    recipe.precision = precision;
    auto made = Problem::make(c, m, recipe, {});
    if (!made)
        qFatal("%s", made.error().text().c_str());
    return *made;
}

std::vector<DeviceIndex> first(int n) {
    std::vector<DeviceIndex> devices(static_cast<std::size_t>(n));
    std::iota(devices.begin(), devices.end(), 0);
    return devices;
}

SpaceOptions options(std::int64_t sequences, int grids = 1) {
    SpaceOptions o;
    o.sequences = sequences;
    o.grids = grids;
    return o;
}

std::unique_ptr<PartitionSpace> space(const Problem& p, int devices, const SpaceOptions& o, int threads = 0) {
    auto made = PartitionSpace::make(p, first(devices), o, threads);
    if (!made)
        qFatal("%s", made.error().text().c_str());
    return *std::move(made);
}

const BlockNode& node(const BlockGraph& graph, const char* name) {
    const auto at = std::ranges::find(graph.nodes, std::string(name), &BlockNode::name);
    if (at == graph.nodes.end())
        qFatal("no node %s", name);
    return *at;
}

} // namespace

class PartitionTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void graphIsThePublishedOne() {
        const auto p = problem(model("opt-175b"), cluster("v100-32"));
        const BlockGraph graph = *blockGraph(*p, p->topology().kindOf(0), 8);
        std::vector<std::string> names;
        for (const BlockNode& n : graph.nodes)
            names.push_back(n.name);
        QCOMPARE(names,
                 (std::vector<std::string>{"add", "norm", "qkv", "scores", "softmax", "values", "projection",
                                           "add", "norm", "up", "activation", "down", "add"}));
        std::vector<std::pair<std::size_t, std::size_t>> longEdges;
        for (const BlockEdge& e : graph.edges)
            if (e.to != e.from + 1)
                longEdges.emplace_back(e.from, e.to);
        std::ranges::sort(longEdges);
        QCOMPARE(longEdges, (std::vector<std::pair<std::size_t, std::size_t>>{{0, 7}, {2, 5}, {7, 12}}));
        QCOMPARE(graph.edges.size(), 15U);
        // Everything that the layer costs know is in some node.
        RankShape shape;
        shape.sequences = 8.0;
        shape.seq = 2048.0;
        shape.fusedAttention = false;
        double flops = 0.0;
        for (const BlockNode& n : graph.nodes)
            for (const BlockNode::Work& w : n.work)
                flops += 2.0 * w.op.groups * w.op.m * w.op.n * w.op.k;
        const Model& m = p->model();
        const double expected = layerOperators(m, LayerKind::Attention, 0, shape).flops() +
                                layerOperators(m, LayerKind::Mlp, 0, shape).flops();
        QVERIFY(std::abs(flops / expected - 1.0) < 1e-12);
        double weights = 0.0;
        for (const BlockNode& n : graph.nodes)
            weights += n.weights;
        QCOMPARE(weights, 12.0 * 12288.0 * 12288.0); // 4 h^2 of attention, 8 h^2 of the MLP
    }

    void oneKernelOfAttentionIsOneNode() {
        const auto p = problem(model("llama3-8b"), cluster("mixed-16"), 8, Precision::Fp16, 4096);
        const BlockGraph graph = *blockGraph(*p, p->topology().kindOf(0), 8); // A100: scores stay on chip
        QCOMPARE(graph.nodes.size(), 11U);
        QCOMPARE(graph.cuts, (std::vector<std::size_t>{0, 5, 10}));
        const auto s = space(*p, 8, options(8));
        const Partition found = s->best(4);
        QVERIFY(found.figures.seconds > 0.0);
        for (const int tp : {1, 2, 4, 8})
            QVERIFY(found.figures.seconds <=
                    s->tensorParallel(tp, false, 4)->figures.seconds * (1.0 + 1e-12));
    }

    // {B, N, N} on 8 GPUs reduces half of the output inside the nodes; {N, P2x2} a quarter across them.
    void indicatorsOfTheWorkedExample() {
        const auto p = problem(model("opt-175b"), cluster("v100-32"), 8, Precision::Fp32);
        const BlockGraph graph = *blockGraph(*p, p->topology().kindOf(0), 8);
        const BlockNode& down = node(graph, "down");
        const double output = 8.0 * 2048.0 * 12288.0 * 4.0, weight = 4.0 * 12288.0 * 12288.0 * 4.0;
        const auto megatron = allReducesOf(down, *sequenceFromText("B.N.N"));
        QCOMPARE(megatron.size(), 2U);
        QCOMPARE(text(megatron[0].indicator, 3), std::string("d2 d3"));
        QCOMPARE(megatron[0].phase, Phase::Forward);
        QCOMPARE(megatron[0].bytes, output / 2.0);
        QCOMPARE(text(megatron[1].indicator, 3), std::string("d1"));
        QCOMPARE(megatron[1].phase, Phase::Gradient);
        QCOMPARE(megatron[1].bytes, weight / 4.0);
        const auto primePar = allReducesOf(down, *sequenceFromText("N.P2x2"));
        QCOMPARE(primePar.size(), 1U);
        QCOMPARE(text(primePar[0].indicator, 3), std::string("d1"));
        QCOMPARE(primePar[0].bytes, output / 4.0);
        const auto up = allReducesOf(node(graph, "up"), *sequenceFromText("K.P2x2"));
        QCOMPARE(up.size(), 1U);
        QCOMPARE(up[0].phase, Phase::Backward);
        QCOMPARE(up[0].bytes, output / 4.0); // of the input, as large as the output
        // What they take comes from the drawing: all pairs at once share the network.
        const DeviceGroup group = *deviceGroup(p->topology(), first(8));
        const GroupPrices prices(*p, group);
        std::vector<std::vector<DeviceIndex>> pairs;
        for (DeviceIndex d = 0; d < 4; ++d)
            pairs.push_back({d, d + 4});
        QCOMPARE(prices.allReduce(primePar[0].indicator, primePar[0].bytes),
                 collectiveTime(p->topology(), p->constants().comm(), pairs, Collective::AllReduce,
                                Bytes(output / 4.0))
                     .value);
        QVERIFY(prices.allReduce(1, output) < 0.5 * prices.allReduce(4, output)); // d3 in a node, d1 not
    }

    // A step takes the longer of its product and of what moves meanwhile.
    void stepsHideTheirTransfers() {
        const auto p = problem(model("opt-175b"), cluster("v100-32"), 8, Precision::Fp32);
        const BlockGraph graph = *blockGraph(*p, p->topology().kindOf(0), 8);
        const GroupPrices group(*p, *deviceGroup(p->topology(), first(8)));
        const WayPrices prices(*p, graph, group);
        const BlockNode& up = node(graph, "up");
        const WayPrice inside = prices(up, *sequenceFromText("K.P2x2"));
        QCOMPARE(inside.ring, 0.0); // published: the ring is fully hidden
        const WayPrice split = prices(up, *sequenceFromText("K.M.K"));
        QVERIFY(std::abs(inside.weightGrad / split.weightGrad - 1.0) < 0.05); // the same FLOP in two steps
        QCOMPARE(inside.sync, 0.0);
        QVERIFY(split.sync > 0.0);
        // A slow network in place of a fast one: the grid across it waits, by what the transfers take longer.
        Cluster slow = cluster("v100-32");
        for (Link& link : slow.links)
            link.bandwidth = BytesPerSecond(1e8);
        const auto q = problem(model("opt-175b"), slow, 8, Precision::Fp32);
        const GroupPrices slowGroup(*q, *deviceGroup(q->topology(), first(8)));
        const WayPrices slowPrices(*q, graph, slowGroup);
        const WayPrice across = slowPrices(up, *sequenceFromText("P2x2.K"));
        QVERIFY(across.ring > 1.0);
        const WayPrice fast = prices(up, *sequenceFromText("P2x2.K"));
        const double waited = across.ring - fast.ring;
        const double slower = across.time() - across.collective - (fast.time() - fast.collective);
        QVERIFY(std::abs(slower / waited - 1.0) < 1e-9);
    }

    // Under a grid nothing is held twice; tensor parallelism copies inputs, data parallelism weights.
    void gridsHoldOneShare() {
        const auto p = problem(model("opt-175b"), cluster("v100-32"), 8, Precision::Fp32);
        const BlockGraph graph = *blockGraph(*p, p->topology().kindOf(0), 8);
        const GroupPrices group(*p, *deviceGroup(p->topology(), first(16)));
        const WayPrices prices(*p, graph, group);
        const BlockNode& up = node(graph, "up");
        const double weights = up.weights * 16.0, input = 8.0 * 2048.0 * 12288.0 * 4.0; // fp32, Adam
        const WayPrice whole = prices(up, *sequenceFromText("P4x4"));
        QCOMPARE(whole.states, weights / 16.0);
        QCOMPARE(whole.kept, input / 16.0);
        const WayPrice columns = prices(up, *sequenceFromText("K.K.K.K"));
        QCOMPARE(columns.states, weights / 16.0);
        QCOMPARE(columns.kept, input);
        const WayPrice batch = prices(up, *sequenceFromText("B.B.M.M"));
        QCOMPARE(batch.states, weights);
        QCOMPARE(batch.kept, input / 16.0);
        QVERIFY(whole.spare > 0.0 && columns.spare == 0.0);
        // Two blocks of a sixteenth each are on their way at once; most in the backward pass, dO and W.
        QCOMPARE(whole.spare, (4.0 * input + up.weights * 4.0) / 16.0);
    }

    // The programme against trying everything, on real prices: a few ways of every node, all combinations.
    void searchFindsTheBestOfAll() {
        const auto p = problem(model("gpt3-1.3b"), cluster("v100-32"), 8);
        for (const int devices : {2, 4}) {
            const auto s = space(*p, devices, options(8));
            constexpr std::uint64_t kSeed = 42;
            Random random(kSeed);
            for (int i = 0; i < 3; ++i) {
                StackCosts few = s->costs();
                const auto keep = [](std::vector<std::size_t>& list, const std::vector<std::size_t>& kept) {
                    std::vector<std::size_t> next;
                    for (const std::size_t k : kept)
                        next.push_back(list[k]);
                    list = next;
                };
                for (std::size_t n = 0; n < few.nodes.size(); ++n) {
                    StackNode& own = few.nodes[n];
                    if (n + 1 == few.nodes.size()) {
                        own = few.nodes.front();
                        break;
                    }
                    std::vector<std::size_t> kept = {random.below(own.cost.size()),
                                                     random.below(own.cost.size())};
                    std::vector<double> cost;
                    for (const std::size_t k : kept)
                        cost.push_back(own.cost[k]);
                    own.cost = cost;
                    keep(own.out, kept);
                    for (StackEdge& e : few.edges)
                        if (e.to == n || (n == 0 && e.to + 1 == few.nodes.size()))
                            keep(e.in, kept);
                }
                double best = 1e300;
                for (unsigned ways = 0; ways < 1U << few.nodes.size(); ++ways) {
                    StackChoice choice{0.0, ways & 1U, {{}}};
                    for (std::size_t n = 1; n < few.nodes.size(); ++n)
                        choice.blocks[0].push_back(ways >> n & 1U);
                    best = std::min(best, costOf(few, choice));
                }
                const StackChoice found = bestStack(few, 1, 1);
                QVERIFY2(std::abs(found.cost / best - 1.0) < 1e-12, qPrintable(QString::number(devices)));
            }
        }
    }

    // What is printed is what was minimised, operator by operator and edge by edge.
    void figuresAddUp() {
        const auto p = problem(model("opt-175b"), cluster("v100-32"), 8);
        for (const int devices : {1, 2, 8, 16}) {
            const auto s = space(*p, devices, options(8));
            for (const int blocks : {1, 3, 8}) {
                const StackChoice choice = bestStack(s->costs(), blocks, 1);
                const Partition found = s->best(blocks);
                QVERIFY(std::abs(choice.cost / found.figures.seconds - 1.0) < 1e-9);
                QVERIFY(std::abs(costOf(s->costs(), choice) / choice.cost - 1.0) < 1e-12);
                int listed = 0;
                for (const Partition::Run& run : found.runs)
                    listed += run.count;
                QCOMPARE(listed, blocks);
            }
        }
    }

    void gridsNeverCostMore() {
        for (const char* name : {"opt-175b", "gpt3-1.3b", "llama3-70b"})
            for (const int devices : {2, 4, 8, 16}) {
                const auto p = problem(model(name), cluster("v100-32"), 8);
                const double with = space(*p, devices, options(8, 1))->best(4).figures.seconds;
                const double without = space(*p, devices, options(8, 0))->best(4).figures.seconds;
                QVERIFY2(with <= without, name);
            }
    }

    // Megatron's plan is one point of the space, so that the search cannot be worse.
    void neverWorseThanTensorParallelism() {
        for (const char* name : {"opt-175b", "gpt3-1.3b", "llama3-70b"})
            for (const int devices : {4, 8, 16}) {
                const auto p = problem(model(name), cluster("v100-32"), 16);
                const auto s = space(*p, devices, options(16));
                const double best = s->best(4).figures.seconds;
                for (int tp = 1; tp <= devices; tp *= 2) {
                    const auto plain = s->tensorParallel(tp, false, 4);
                    if (!plain) // eight kv heads cannot be cut into sixteen
                        continue;
                    QVERIFY2(best <= plain->figures.seconds * (1.0 + 1e-12), name);
                    QCOMPARE(plain->figures.redistribution, 0.0);
                    const auto sharded = s->tensorParallel(tp, true, 4);
                    QVERIFY(sharded->figures.kept <= plain->figures.kept);
                }
            }
    }

    void memoryHasItsPrice() {
        const auto p = problem(model("opt-175b"), cluster("v100-32"), 8);
        const auto s = space(*p, 8, options(8));
        const Partition fast = s->best(4), small = s->best(4, 1e-9); // a second a gigabyte
        QVERIFY(small.figures.memory() < fast.figures.memory());
        QVERIFY(small.figures.seconds > fast.figures.seconds);
        // Between the two there is room for something that fits and is not slower than the smallest.
        const double room = 0.5 * (small.figures.memory() + fast.figures.memory());
        const Partition within = s->bestWithin(4, room);
        QVERIFY(within.figures.memory() <= room);
        QVERIFY(within.figures.seconds >= fast.figures.seconds);
        QVERIFY(within.figures.seconds <= small.figures.seconds);
        QCOMPARE(s->bestWithin(4, fast.figures.memory()).figures.seconds, fast.figures.seconds);
        QVERIFY(s->bestWithin(4, 1e9).figures.memory() > 1e9); // nothing fits
    }

    void threadsChangeNothing() {
        const auto p = problem(model("opt-175b"), cluster("v100-32"), 8);
        const Partition one = space(*p, 16, options(8), 1)->best(6),
                        four = space(*p, 16, options(8), 4)->best(6);
        QCOMPARE(four.figures.seconds, one.figures.seconds);
        for (std::size_t r = 0; r < one.runs.size(); ++r)
            for (std::size_t n = 0; n < one.runs[r].operators.size(); ++n)
                QCOMPARE(four.runs[r].operators[n].way, one.runs[r].operators[n].way);
    }

    // Next to tensor parallelism a partition is chosen where it wins and fits, and only there.
    void strategiesAreComparedWithinMemory() {
        const auto p = problem(model("opt-175b"), cluster("v100-32"), 8, Precision::Fp32);
        const Comparison two = *compareStrategies(*p, first(8), options(8), 2);
        QVERIFY(two.fits && two.chosen() == nullptr && two.ratio(false) > 1.0);
        QCOMPARE(two.ratio(false), two.best(false)->figures.seconds / two.partition.figures.seconds);
        QVERIFY(two.best(false)->fits && !two.others.front().fits); // data parallelism alone does not
        // Ninety-six blocks do not fit on eight GPUs, whatever is done.
        const Comparison all = *compareStrategies(*p, first(8), options(8), 96);
        QVERIFY(!all.fits && std::ranges::none_of(all.others, &TensorParallel::fits));
        // With a batch so large that nothing else counts, the reduce-scatters of sequence parallelism win:
        // the published space has none.
        const auto large = problem(model("opt-175b"), cluster("v100-32"), 32, Precision::Fp32);
        const Comparison tight = *compareStrategies(*large, first(8), options(32), 1);
        QVERIFY(tight.chosen() && tight.chosen()->sequenceParallel && tight.chosen()->fits);
        QVERIFY(tight.fits && tight.ratio(true) < 1.0);
    }

    void refusesWhatItIsNotFor() {
        const auto p = problem(model("gpt3-1.3b"), cluster("mixed-16"));
        const auto code = [](const Problem& q, std::vector<DeviceIndex> devices) {
            const auto made = PartitionSpace::make(q, std::move(devices), options(8));
            return made ? std::string("made") : made.error().code;
        };
        QCOMPARE(code(*p, first(8)), std::string("made"));
        QCOMPARE(code(*p, first(6)), std::string("partition.devices"));       // no power of two
        QCOMPARE(code(*p, first(16)), std::string("partition.devices"));      // two kinds
        QCOMPARE(code(*p, {8, 9, 10, 12}), std::string("partition.devices")); // three and one
        QCOMPARE(code(*p, {8, 12, 9, 13}), std::string("partition.devices")); // nodes in turns
        QCOMPARE(code(*p, {8, 9, 12, 13}), std::string("made"));
        QCOMPARE(code(*problem(model("mixtral-8x7b"), cluster("mixed-16")), first(8)),
                 std::string("partition.model"));
        QCOMPARE(code(*problem(model("gpt-neo-2.7b"), cluster("mixed-16")), first(8)),
                 std::string("partition.model")); // local attention in every second block
        const auto s = space(*p, 8, options(8));
        QCOMPARE(s->tensorParallel(3, false, 1).error().kind, ErrorKind::BadInput);
        // A grid needs four devices, or sixteen.
        QCOMPARE(waysOf(node(s->graph(), "up"), 1, 1).size(), 4U);
        for (const Sequence& way : waysOf(node(s->graph(), "up"), 3, 1))
            QVERIFY(slicesAlong(way, Axis::Batch) <= 8);
    }
};

QTEST_APPLESS_MAIN(PartitionTest)
#include "partition_test.moc"
