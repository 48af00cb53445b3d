// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cost/cost.h"
#include "core/cost/measured.h"
#include "core/cost/roofline.h"
#include "tests/cost/cost_problems.h"
#include "tests/search/random_problem.h"

#include <QTest>

#include <algorithm>

using namespace pw;

namespace {

constexpr std::uint64_t kSeed = 51205;

// Every figure of a stage, by name.
using Figure = std::pair<const char*, double StageCost::*>;
constexpr Figure kAdditive[] = {{"forward", &StageCost::forward},
                                {"backward", &StageCost::backward},
                                {"recompute", &StageCost::recompute},
                                {"weightGrad", &StageCost::weightGrad},
                                {"comm", &StageCost::comm},
                                {"optimizer", &StageCost::optimizer},
                                {"measured", &StageCost::measured},
                                {"weights", &StageCost::weights},
                                {"gradients", &StageCost::gradients},
                                {"optimizerStates", &StageCost::optimizerStates},
                                {"kept", &StageCost::kept},
                                {"syncGradients", &StageCost::syncGradients},
                                {"syncWeights", &StageCost::syncWeights}};
constexpr Figure kLargest[] = {{"transient", &StageCost::transient},
                               {"communication", &StageCost::communication}};

// A GPT of four equal blocks, plain heads, an ffn of 4 h and an untied head, on one node of V100.
Model gpt() {
    Model m;
    m.name = "gpt";
    m.family = "gpt2";
    m.blocks = 4;
    m.hidden = 1024;
    m.heads = m.kvHeads = 16;
    m.headDim = 64;
    m.ffn = 4096;
    m.vocab = 50304;
    m.positions = m.learnedPositions = 2048;
    m.qkvBias = m.attentionOutBias = m.mlpBias = true;
    return m;
}

std::shared_ptr<const Problem> gptOn(const char* kind, Precision precision,
                                     Choice sequenceParallel = Choice::Auto,
                                     Optimizer optimizer = Optimizer::Adam, double fabric = 0.0,
                                     const Model& model = gpt()) {
    Cluster c;
    c.nodes = {{"n1", kind, 8, BytesPerSecond(fabric), Seconds(2e-6), {}, 1.0, {}}};
    Recipe recipe;
    recipe.seq = 2048;
    recipe.precision = precision;
    recipe.optimizer = optimizer;
    recipe.sequenceParallel = sequenceParallel;
    auto made = Problem::make(c, model, recipe, {});
    if (!made)
        qFatal("%s", made.error().text().c_str());
    return *made;
}

} // namespace

class CostTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // What passes one after the other: times and what is held add up, of what is alive for a moment the
    // larger counts, and a time is no surer than the less sure of both.
    void sumsOfUnitsAndStages() {
        UnitCost a, b;
        double value = 1.0;
        for (double UnitCost::*figure :
             {&UnitCost::forward, &UnitCost::backward, &UnitCost::recompute, &UnitCost::weightGrad,
              &UnitCost::comm, &UnitCost::shard, &UnitCost::innerSync, &UnitCost::update, &UnitCost::measured,
              &UnitCost::parameters, &UnitCost::shared, &UnitCost::routed, &UnitCost::kept,
              &UnitCost::tensors}) {
            a.*figure = value;
            b.*figure = 100.0 * value;
            const UnitCost sum = sumOfUnits(a, b);
            QCOMPARE(sum.*figure, 101.0 * value);
            value += 1.0;
        }
        a.transient = 3.0;
        b.transient = 2.0;
        QCOMPARE(sumOfUnits(a, b).transient, 3.0);
        QCOMPARE(sumOfUnits(b, a).transient, 3.0);

        const auto problem = gptOn("A100-SXM4-80GB", Precision::Bf16);
        const ConfigCosts costs(*problem, config(2, 2, Recompute::Selective));
        const StageCost first = costs.stage(0, 4, 2, 1);
        const StageCost second = costs.stage(5, 8, 2, 1);
        const StageCost sum = sumOfStages(first, second);
        for (const auto& [name, figure] : kAdditive)
            QVERIFY2(sum.*figure == first.*figure + second.*figure, name);
        for (const auto& [name, figure] : kLargest)
            QVERIFY2(sum.*figure == std::max(first.*figure, second.*figure), name);

        using Sureness = std::tuple<Provenance, Provenance, Provenance>; // of either, of the sum
        for (const auto& [one, other, both] :
             {Sureness{Provenance::Measured, Provenance::Interpolated, Provenance::Interpolated},
              {Provenance::Estimated, Provenance::Fitted, Provenance::Estimated},
              {Provenance::Measured, Provenance::Measured, Provenance::Measured}})
            for (const bool swapped : {false, true}) {
                const auto summed = [&, x = swapped ? other : one,
                                     y = swapped ? one : other](auto cost, auto sumOf, auto figure) {
                    auto more = cost;
                    cost.*figure = x;
                    more.*figure = y;
                    return sumOf(cost, more).*figure;
                };
                QCOMPARE(summed(UnitCost{}, sumOfUnits, &UnitCost::provenance), both);
                QCOMPARE(summed(UnitCost{}, sumOfUnits, &UnitCost::updateProvenance), both);
                QCOMPARE(summed(StageCost{}, sumOfStages, &StageCost::provenance), both);
                QCOMPARE(summed(StageCost{}, sumOfStages, &StageCost::updateProvenance), both);
            }
    }

    // Kinds of attention are priced once each, and a run of blocks is the sum of its kinds.
    void blocksOfTwoKindsOfAttentionAddUp() {
        Model hybrid = gpt();
        hybrid.others = {{{0, 1, 2}, 0, 0, 0, {}, {8, 16, 64, 64, 4}}};
        const auto problem =
            gptOn("A100-SXM4-80GB", Precision::Bf16, Choice::Auto, Optimizer::Adam, 0.0, hybrid);
        const auto own = gptOn("A100-SXM4-80GB", Precision::Bf16);
        const ConfigCosts costs(*problem, config(2, 16)), plain(*own, config(2, 16));
        QCOMPARE(costs.operators(), plain.operators() + 1);
        const StageCost all = costs.blocks(1, 4, 1, 0), linear = costs.blocks(1, 2, 1, 0);
        const StageCost softmax = costs.stage(7, 8, 1, 0);
        for (const auto& [name, figure] : kAdditive)
            QVERIFY2(
                near(all.*figure, 2.0 * (linear.*figure) + softmax.*figure + costs.stage(9, 9, 1, 0).*figure),
                name);
        QVERIFY(near(softmax.forward, plain.stage(7, 8, 1, 0).forward));
        QVERIFY(linear.forward != softmax.forward);
        QVERIFY(divides(hybrid, 8) && divides(gpt(), 16) && !divides(hybrid, 16)); // 8 heads of keys
    }

    // arXiv 2205.05198, table 2, with all scores in memory: V100 has no bf16 and so no fused attention.
    void activationsArePublished() {
        const double s = 2048, h = 1024, a = 16;
        for (const int mbs : {1, 2, 3}) {
            const double sbh = s * mbs * h;
            const auto kept = [&](const Problem& problem, const CostConfig& c) {
                return ConfigCosts(problem, c).blocks(1, 2, 1, 0).kept;
            };
            const auto off = gptOn("V100-SXM2-16GB", Precision::Fp16, Choice::Off);
            NEAR(kept(*off, config(1, mbs)), sbh * (34 + 5 * a * s / h));
            for (const double t : {2.0, 4.0, 8.0}) {
                const int tp = static_cast<int>(t);
                NEAR(kept(*off, config(tp, mbs)), sbh * (10 + 24 / t + 5 * a * s / (h * t)));
                NEAR(kept(*off, config(tp, mbs, Recompute::None, true)), sbh / t * (34 + 5 * a * s / h));
                NEAR(kept(*off, config(tp, mbs, Recompute::Selective, true)), sbh / t * 34);
            }
            NEAR(kept(*off, config(1, mbs, Recompute::Selective)), sbh * 34);
            NEAR(kept(*off, config(1, mbs, Recompute::Full)), 2 * sbh);
            // A fused kernel keeps no scores, only a number for each of their rows.
            NEAR(kept(*gptOn("A100-SXM4-40GB", Precision::Bf16), config(1, mbs)), sbh * 34 + 4 * a * s * mbs);
        }
    }

    // Experts hold all their weights and work with those in use.
    void expertsHoldAllAndUseAFew() {
        const auto blockOf = [&](std::int64_t count, std::int64_t perToken, int tp) {
            Model m = gpt();
            m.hidden =
                m.heads * m.headDim * 2; // wide enough for the products to outweigh what is around them
            m.qkvBias = m.attentionOutBias = m.mlpBias = false;
            m.gatedMlp = m.rmsNorm = true;
            if (count > 0) {
                m.experts.count = count;
                m.experts.perToken = perToken;
                m.experts.ffn = m.ffn;
                m.experts.denseBlocks = {0};
            } else {
                m.ffn *= perToken;
            }
            const auto problem =
                gptOn("A100-SXM4-80GB", Precision::Bf16, Choice::Off, Optimizer::Adam, 0.0, m);
            return ConfigCosts(*problem, config(tp, 4)).stage(4, 4, 1, 0); // MLP of block 1
        };
        const double expert = 3.0 * 2048 * 4096, outside = 2048.0 * 8 + 2048;
        const StageCost eight = blockOf(8, 2, 1), sixteen = blockOf(16, 2, 1), four = blockOf(8, 4, 1),
                        dense = blockOf(0, 2, 1);
        NEAR(eight.weights, 2.0 * (8 * expert + outside));
        NEAR(blockOf(8, 2, 4).weights, 2.0 * (8 * expert / 4 + outside));
        NEAR(sixteen.weights, 2.0 * (16 * expert + outside + 2048 * 8));
        // As much arithmetic as a dense MLP of both widths, and the sorting around it.
        QVERIFY2(eight.forward > dense.forward && eight.forward < 1.3 * dense.forward,
                 qPrintable(QString::number(eight.forward / dense.forward)));
        QVERIFY(sixteen.forward < 1.05 * eight.forward);
        QVERIFY(four.forward > 1.7 * eight.forward);
        QVERIFY(four.kept > 1.7 * eight.kept && sixteen.kept < 1.05 * eight.kept);
    }

    // Half of what sequence-parallel ranks exchange is gathered, in fp8 where the products are in fp8; the
    // gathered input of the head's product, which is in 16 bits, is not.
    void fp8IsGatheredInFp8() {
        const auto comm = [](Precision precision, LayerKind kind, bool sequenceParallel) {
            const auto problem = gptOn("H100-SXM-80GB", precision, Choice::On);
            return rooflineLayer(*problem, config(8, 16, Recompute::None, sequenceParallel),
                                 {kind, kind == LayerKind::Head ? -1 : 0})
                .comm;
        };
        for (const LayerKind kind : {LayerKind::Attention, LayerKind::Mlp}) {
            const double wide = comm(Precision::Bf16, kind, true), narrow = comm(Precision::Fp8, kind, true);
            QVERIFY2(narrow < 0.9 * wide && narrow > 0.7 * wide, qPrintable(QString::number(narrow / wide)));
            // Sums of whole rows stay wide; what hides them is shorter.
            QVERIFY(comm(Precision::Fp8, kind, false) >= comm(Precision::Bf16, kind, false));
        }
        NEAR(comm(Precision::Fp8, LayerKind::Head, true), comm(Precision::Bf16, LayerKind::Head, true));
    }

    // Whole experts over all devices of a stage: what a device holds and sums depends on how many share an
    // expert, not on how it is cut.
    void wholeExpertsAreSharedByDevices() {
        Model m = gpt();
        m.hidden = 2048;
        m.qkvBias = m.attentionOutBias = m.mlpBias = false;
        m.gatedMlp = m.rmsNorm = true;
        m.experts.count = 8;
        m.experts.perToken = 2;
        m.experts.ffn = m.ffn;
        const auto problem = gptOn("A100-SXM4-80GB", Precision::Bf16, Choice::On, Optimizer::Adam, 0.0, m);
        const auto mlp = [&](int tp, int ep, int expertTp, int dp) {
            CostConfig c = config(tp, 4, Recompute::None, true);
            c.ep = ep;
            c.expertTp = expertTp;
            return ConfigCosts(*problem, c).stage(4, 4, dp, 1);
        };
        const StageCost cut = mlp(2, 4, 0, 4), apart = mlp(2, 8, 1, 4);
        for (double StageCost::*figure :
             {&StageCost::weights, &StageCost::gradients, &StageCost::optimizerStates,
              &StageCost::syncGradients, &StageCost::syncWeights})
            NEAR(apart.*figure, cut.*figure);
        QVERIFY(apart.kept < cut.kept); // rows of the other half of the sequence
        // Two shares of the experts on four tensor-parallel ranks of two replicas: four devices hold an
        // expert, two hold the rest.
        const double expert = 3.0 * 2048 * 4096, outside = 2048.0 * 8 + 2048;
        const StageCost wide = mlp(4, 2, 1, 2);
        NEAR(wide.weights, 2.0 * (4 * expert + outside));
        NEAR(wide.optimizerStates, 12.0 * (4 * expert / 4 + outside / 2));
        NEAR(wide.syncGradients * (1.0 - 1.0 / 2), 4.0 * (4 * expert * 0.75 + outside * 0.5));
    }

    void statesPerParameter() {
        const auto perParameter = [](const Problem& problem, int dp, int zero) {
            const StageCost cost = ConfigCosts(problem, config(1, 1)).blocks(1, 3, dp, zero);
            const double parameters = 2.0 * (12.0 * 1024 * 1024 + 13.0 * 1024);
            return (cost.weights + cost.gradients + cost.optimizerStates) / parameters;
        };
        const auto half = gptOn("V100-SXM2-16GB", Precision::Fp16);
        NEAR(perParameter(*half, 1, 0), 18.0);
        NEAR(perParameter(*half, 4, 0), 18.0);
        for (const int d : {1, 2, 4, 8})
            NEAR(perParameter(*half, d, 1), 6.0 + 12.0 / d);
        NEAR(perParameter(*half, 4, 2), 2.0 + (4.0 + 12.0) / 4);
        NEAR(perParameter(*half, 4, 3), 18.0 / 4);
        const auto full = gptOn("V100-SXM2-16GB", Precision::Fp32);
        NEAR(perParameter(*full, 1, 0), 16.0);
        NEAR(perParameter(*full, 4, 1), 8.0 + 8.0 / 4);
        NEAR(perParameter(*gptOn("V100-SXM2-16GB", Precision::Fp16, Choice::Auto, Optimizer::Sgd), 1, 0),
             14.0);
    }

    // Each layer that predicts a further token costs what joins it, a block like the last one and the head's
    // pass; the stage of the head holds its parameters, and the embedding's matrix where it is away from it.
    void furtherTokensStandWithTheHead() {
        Random random(kSeed);
        int away = 0;
        for (int n = 0; n < 40; ++n) {
            Model model = test::randomModel(random);
            model.predictionDepth = 0;
            model.tied = n % 2 == 0;
            const auto without =
                gptOn("A100-SXM4-80GB", Precision::Bf16, Choice::Auto, Optimizer::Adam, 0.0, model);
            Model deeper = model;
            deeper.predictionDepth = 1 + n % 3;
            const auto depth = static_cast<double>(deeper.predictionDepth);
            const auto with =
                gptOn("A100-SXM4-80GB", Precision::Bf16, Choice::Auto, Optimizer::Adam, 0.0, deeper);
            const CostConfig c = config(test::pick<int>(random, {1, 2, 4}), 2,
                                        test::pick<Recompute>(random, {Recompute::None, Recompute::Full}));
            const ConfigCosts a(*without, c), b(*with, c);
            const auto blocks = static_cast<int>(model.blocks);
            const int lastFine = fineLayerCount(model) - 1;
            const StageCost block = a.blocks(blocks - 1, blocks, 1, 0);
            const StageCost head = a.stage(lastFine, lastFine, 1, 0);
            const UnitCost junction = rooflineLayer(*without, c, {LayerKind::Junction});
            const StageCost before = a.blocks(blocks - 1, blocks, 1, 0),
                            after = b.blocks(blocks - 1, blocks, 1, 0);
            // `block` has the head too: it is the block and a pass of the head.
            NEAR(after.forward, before.forward + depth * (junction.forward + block.forward));
            NEAR(after.backward, before.backward + depth * (junction.backward + block.backward));
            QVERIFY(after.recompute >= before.recompute);
            QVERIFY(after.kept > before.kept + depth * (block.kept - head.kept));
            // Blocks in front of the last stage know nothing of it.
            QVERIFY(a.blocks(0, 1, 1, 0).forward == b.blocks(0, 1, 1, 0).forward || blocks == 1);
            if (c.tp > 1)
                continue;
            ++away;
            const StateBytes states = stateBytes(*with);
            const double matrix = model.tied ? 0.0 : static_cast<double>(model.vocab * model.hidden);
            NEAR(after.weights - before.weights,
                 (static_cast<double>(predictionParameterCount(deeper)) + matrix) * states.weight);
            // The embedding on the same devices: no copy.
            NEAR(b.stage(0, lastFine, 1, 0).weights - a.stage(0, lastFine, 1, 0).weights,
                 static_cast<double>(predictionParameterCount(deeper)) * states.weight);
        }
        QVERIFY(away > 5);
    }

    // Any way of cutting the model into runs of fine layers costs the same in all: nothing lost at a cut,
    // nothing twice, but the head's own copy of a tied matrix.
    void cutsAddUp() {
        Random random(kSeed);
        for (int n = 0; n < 60; ++n) {
            const auto problem = test::randomProblem(random);
            QVERIFY(problem);
            const int layers = fineLayerCount(problem->model());
            CostConfig c = config(
                test::pick<int>(random, {1, 2, 4}), test::pick<int>(random, {1, 2, 4}),
                test::pick<Recompute>(random, {Recompute::None, Recompute::Selective, Recompute::Full}));
            c.kind = static_cast<int>(random.below(problem->topology().kinds().size()));
            const ConfigCosts costs(*problem, c);
            const int dp = 1 + static_cast<int>(random.below(3)), zero = static_cast<int>(random.below(2));
            const StageCost whole = costs.stage(0, layers - 1, dp, zero);
            StageCost all;
            bool cutAway = false;
            for (int first = 0; first < layers;) {
                const int last =
                    first + static_cast<int>(random.below(static_cast<std::uint64_t>(layers - first)));
                const StageCost part = costs.stage(first, last, dp, zero);
                for (const auto& [name, figure] : kAdditive)
                    all.*figure += part.*figure;
                for (const auto& [name, figure] : kLargest)
                    all.*figure = std::max(all.*figure, part.*figure);
                cutAway = cutAway || first > 0;
                // Full recompute of an MLP without its attention starts from an input of its own.
                if (c.recompute == Recompute::Full && first > 0 && first % 2 == 0 && first < layers - 1)
                    all.kept -= boundaryBytes(*problem, c.mbs) / (c.sequenceParallel ? c.tp : 1);
                first = last + 1;
            }
            const Model& m = problem->model();
            const double copy = (m.tied || m.predictionDepth > 0) && cutAway
                                    ? static_cast<double>(m.vocab * m.hidden) / c.tp
                                    : 0.0; // parameters
            const StateBytes states = stateBytes(*problem);
            all.weights -= copy * states.weight;
            all.syncWeights -= copy * states.weight;
            all.gradients -= copy * states.gradient;
            all.syncGradients -= copy * states.gradient;
            all.optimizerStates -= copy * states.optimizer / (zero ? dp : 1);
            const bool measured = whole.measured > 0.0;
            for (const auto& [name, figure] : kAdditive)
                QVERIFY2(near(all.*figure, whole.*figure, 1e-11),
                         qPrintable(QString("seed %1, draw %2, %3: %4 in parts, %5 whole, measured %6")
                                        .arg(kSeed)
                                        .arg(n)
                                        .arg(name)
                                        .arg(all.*figure, 0, 'g', 15)
                                        .arg(whole.*figure, 0, 'g', 15)
                                        .arg(measured)));
        }
    }

    void leastStageIsBelowEveryStage() {
        Random random(kSeed + 1);
        for (int n = 0; n < 60; ++n) {
            const auto problem = test::randomProblem(random);
            QVERIFY(problem);
            CostConfig c = config(test::pick<int>(random, {1, 2}), 1 + static_cast<int>(random.below(4)),
                                  test::pick<Recompute>(random, {Recompute::None, Recompute::Full}));
            c.kind = static_cast<int>(random.below(problem->topology().kinds().size()));
            const ConfigCosts costs(*problem, c);
            const int blocks = static_cast<int>(problem->model().blocks);
            for (int first = 0; first < blocks; ++first)
                for (int end = first + 1; end <= blocks; ++end) {
                    const StageCost stage = costs.blocks(first, end, 2, 1);
                    const StageCost least = costs.leastStage(end - first, first == 0, end == blocks, 2, 1);
                    for (const auto& [name, figure] : kAdditive)
                        QVERIFY2(least.*figure <= stage.*figure * (1 + 1e-12) + 1e-300, name);
                    for (const auto& [name, figure] : kLargest)
                        QVERIFY2(least.*figure <= stage.*figure, name);
                }
            // Linear in its blocks, which the bound relies on.
            const StageCost one = costs.leastStage(1, true, true, 1, 0),
                            two = costs.leastStage(2, true, true, 1, 0),
                            nine = costs.leastStage(9, true, true, 1, 0);
            NEAR(nine.total(), one.total() + 8 * (two.total() - one.total()));
            NEAR(nine.fixedMemory(), one.fixedMemory() + 8 * (two.fixedMemory() - one.fixedMemory()));
            NEAR(nine.kept, one.kept + 8 * (two.kept - one.kept));
        }
    }

    void cachedAndFreshAreTheSameBits() {
        Random random(kSeed + 2);
        for (int n = 0; n < 20; ++n) {
            const auto problem = test::randomProblem(random);
            const CostTable kept(*problem);
            for (int k = 0; k < 20; ++k) {
                CostConfig c =
                    config(test::pick<int>(random, {1, 2, 4}), 1 + static_cast<int>(random.below(3)));
                c.kind = static_cast<int>(random.below(problem->topology().kinds().size()));
                const int layers = fineLayerCount(problem->model());
                const int first = static_cast<int>(random.below(static_cast<std::uint64_t>(layers)));
                const int last =
                    first + static_cast<int>(random.below(static_cast<std::uint64_t>(layers - first)));
                const CostTable fresh(*problem);
                const StageCost one = kept.costs(c).stage(first, last, 2, 1);
                const StageCost two = fresh.costs(c).stage(first, last, 2, 1);
                for (const auto& [name, figure] : kAdditive)
                    QVERIFY2(one.*figure == two.*figure, name);
                for (const auto& [name, figure] : kLargest)
                    QVERIFY2(one.*figure == two.*figure, name);
            }
            QVERIFY(kept.lookups() == 20 && kept.hits() > 0 && kept.hits() < 20);
        }
    }

    void speedScales() {
        for (const auto& problem : {measured16(), gptOn("A100-SXM4-40GB", Precision::Bf16)}) {
            CostConfig c = config(1, 8);
            const StageCost full = ConfigCosts(*problem, c).blocks(0, 2, 1, 0);
            c.speed = 0.5;
            const StageCost half = ConfigCosts(*problem, c).blocks(0, 2, 1, 0);
            // Launches and framework calls are the host's, so an estimate may be a little below.
            const double low = full.measured > 0.0 ? 2.0 - 1e-12 : 1.8;
            QVERIFY(half.forward / full.forward <= 2.0 + 1e-12 && half.forward / full.forward >= low);
            QVERIFY(half.backward / full.backward <= 2.0 + 1e-12 && half.backward / full.backward >= low);
            QCOMPARE(half.kept, full.kept);
        }
    }
};

QTEST_APPLESS_MAIN(CostTest)
#include "cost_test.moc"
