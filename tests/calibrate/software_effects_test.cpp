// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later

// What a trainer's software does to a prediction: the same run by other words, and where its time goes.

#include "core/calibrate/run_case.h"
#include "core/calibrate/run_plan.h"
#include "core/calibrate/validate.h"
#include "core/evaluate/evaluation.h"
#include "core/evaluate/stage_terms.h"
#include "tests/calibrate/run_rows.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace pw;

namespace {

using test::Cells;
using test::with;

// Llama 3.1 70B on 64 H100, as NeMo's benchmarks have it (dgxc-benchmarking 24.11: 14.72 s in bf16, 11.01 in
// fp8).
Cells llama70b() {
    return {{"row_id", "a"},
            {"gpu", "H100-SXM-80GB"},
            {"n_gpus", "64"},
            {"gpus_per_node", "8"},
            {"framework", "NeMo"},
            {"model", "Llama3.1-70B"},
            {"n_layers", "80"},
            {"hidden", "8192"},
            {"ffn_hidden", "28672"},
            {"n_heads", "64"},
            {"n_kv_heads", "8"},
            {"vocab", "128256"},
            {"seq_len", "8192"},
            {"precision", "bf16"},
            {"gbs", "128"},
            {"mbs", "1"},
            {"tp", "4"},
            {"pp", "4"},
            {"vpp", "5"},
            {"dp", "2"},
            {"cp", "2"},
            {"sp", "1"},
            {"recompute", "none"},
            {"schedule", "1F1B-interleaved"},
            {"flash_attn", "1"},
            {"sharding", "distributed-optimizer"}};
}

double seconds(const Cells& cells) {
    const RunPrediction prediction = predictRun(test::row(cells));
    if (prediction.status != PredictionStatus::Ok)
        qFatal("%s", prediction.remarks.c_str());
    return prediction.iterTimeS;
}

// The run under one capability more or less.
template <class Change>
Evaluation evaluated(const Cells& cells, const Change& change) {
    const auto run = runCase(test::row(cells));
    if (!run)
        qFatal("%s", run.error().text().c_str());
    const Problem& p = *run->problem;
    Recipe recipe = p.recipe();
    change(recipe.software);
    const auto problem =
        Problem::make(p.topology().cluster(), p.model(), recipe, {}, p.space(), p.constants());
    const auto evaluation = evaluate(**problem, run->plan);
    if (!evaluation)
        qFatal("%s", evaluation.error().text().c_str());
    return *evaluation;
}

} // namespace

class SoftwareEffectsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void modernRunsComeNearToWhatWasMeasured() {
        QVERIFY(std::abs(seconds(llama70b()) / 14.72 - 1.0) < 0.06);
        const Cells fp8 = with(llama70b(), {{"precision", "fp8 (TE hybrid, delayed scaling)"}});
        QVERIFY(std::abs(seconds(fp8) / 11.01 - 1.0) < 0.08);
        QCOMPARE(predictRun(test::row(fp8)).stack, std::string("nemo"));
    }

    // Kernels of 2023 are slower, and the more so the longer the sequence.
    void olderStacksAreSlower() {
        const auto slower = [](const char* seq) {
            const Cells now = with(llama70b(), {{"seq_len", seq}});
            return seconds(with(now, {{"framework", "Megatron-LM"}})) / seconds(now);
        };
        QVERIFY(slower("4096") > 1.1);
        QVERIFY(slower("32768") > slower("4096"));
    }

    void fewerBitsAreFaster() {
        const Cells blackwell = with(llama70b(), {{"gpu", "B200-SXM"}});
        const double bf16 = seconds(blackwell);
        const double fp8 = seconds(with(blackwell, {{"precision", "fp8 (TE tensorwise)"}}));
        const double fp4 = seconds(with(blackwell, {{"precision", "nvfp4"}}));
        QVERIFY(fp8 < 0.85 * bf16 && fp8 > 0.5 * bf16);
        QVERIFY(fp4 < 0.95 * fp8);
    }

    // Cut-up products hide all but a slice of the communication where they take longer than it.
    void cutUpProductsHideTheirCommunication() {
        const auto exposed = [](Choice choice) {
            return evaluated(llama70b(), [&](Software& s) { s.overlapTensor = choice; }).time.exposedTp.value;
        };
        const double on = exposed(Choice::On), off = exposed(Choice::Off);
        QVERIFY2(on > 0.0 && on < 0.5 * off, qPrintable(QString("%1 of %2").arg(on).arg(off)));
    }

    // Sums and gathers hide behind passes, but not for nothing: a bucket stays.
    void overlappedSumsAndGathersLeaveABucket() {
        const auto exposed = [](Choice gradients, Choice parameters) {
            return evaluated(llama70b(),
                             [&](Software& s) {
                                 s.overlapGradients = gradients;
                                 s.overlapParameters = parameters;
                             })
                .time.exposedDp.value;
        };
        const double none = exposed(Choice::Off, Choice::Off);
        const double gradients = exposed(Choice::On, Choice::Off);
        const double both = exposed(Choice::On, Choice::On);
        QVERIFY(both > 0.0 && both < gradients && gradients < none);
        QVERIFY(both < 0.2 * none);
        QCOMPARE(hidingPasses(4, 1), 1.0);
        QCOMPARE(hidingPasses(1, 3), 1.0);
        QCOMPARE(hidingPasses(4, 3), 3.0);
    }

    // Whole tensors to owners: everybody gets all sums, twice what shards need, and each owner has a call.
    void ownersOfWholeTensorsBroadcast() {
        const auto exposed = [](Choice owners, int ranks) {
            return evaluated(llama70b(),
                             [&](Software& s) {
                                 s.overlapGradients = s.overlapParameters = Choice::Off;
                                 s.ownerBroadcasts = owners;
                                 s.shardRanks = ranks;
                             })
                .time.exposedDp.value;
        };
        const double owners = exposed(Choice::On, 0), shards = exposed(Choice::Off, 0);
        QVERIFY2(owners > 1.3 * shards && owners < 3.0 * shards,
                 qPrintable(QString("%1 of %2").arg(owners).arg(shards)));
    }

    void theHostsTimeBetweenIterationsIsAdded() {
        const Evaluation plain = evaluated(llama70b(), [](Software& s) { s.betweenSteps = 0.0; });
        const Evaluation later = evaluated(llama70b(), [](Software& s) { s.betweenSteps = 0.25; });
        QCOMPARE(later.iteration.value, plain.iteration.value + 0.25);
        QCOMPARE(later.time.optimizer.value, plain.time.optimizer.value + 0.25);
        QCOMPARE(later.closedForm.value, plain.closedForm.value + 0.25);
    }

    // So long a block and rank, in both passes; felt where a network lies between stages, and by ranks that
    // have somebody to wait for.
    void aStageIsHeldUpWhereANetworkIsBesideIt() {
        const auto slowest = [](const Cells& cells, double stall) {
            const Evaluation e = evaluated(cells, [&](Software& s) { s.stageStall = stall; });
            double most = 0.0;
            for (const StageFigures& stage : e.pipelines.front().stages)
                most = std::max(most, (stage.forward + stage.backward).value);
            return most;
        };
        const double longest = slowest(llama70b(), 1.0);          // far above what products take
        QCOMPARE(slowest(llama70b(), 2.0) - longest, 20.0 * 4.0); // blocks, ranks
        QVERIFY(longest > 80.0 && longest < 81.0);
        QCOMPARE(slowest(llama70b(), 1e-6), slowest(llama70b(), 0.0)); // hides behind products
        const Cells inside = with(llama70b(), {{"n_gpus", "8"}, {"tp", "2"}, {"cp", "1"}, {"dp", "1"}});
        const Cells alone = with(llama70b(), {{"tp", "1"}, {"sp", "0"}, {"dp", "8"}});
        for (const Cells& cells : {inside, alone})
            QCOMPARE(slowest(cells, 1.0), slowest(cells, 0.0));
    }

    void whatIsNotFusedCosts() {
        const auto time = [](auto change) { return evaluated(llama70b(), change).iteration.value; };
        const double plain = time([](Software&) {});
        QVERIFY(time([](Software& s) { s.fusedAccumulation = Choice::Off; }) > plain);
        QVERIFY(time([](Software& s) { s.kernels = Launch::Eager; }) > plain);
        QVERIFY(time([](Software& s) { s.graphs = Graphs::Iteration; }) < plain);
        // Selective recompute of attention's core repeats no product.
        const Cells selective = with(llama70b(), {{"recompute", "selective"}});
        const double core = seconds(selective);
        QVERIFY(core > plain && core < 1.1 * plain);
        QVERIFY(evaluated(selective, [](Software& s) { s.repeatCore = Choice::Off; }).iteration.value >
                1.05 * core);
    }

    // Llama 3 8B over eight stages as nanotron cuts it: the head is worth two blocks.
    void stagesAreCutByCost() {
        Model model;
        model.blocks = 32;
        model.hidden = 4096;
        model.heads = 32;
        model.kvHeads = 8;
        model.headDim = 128;
        model.ffn = 14336;
        model.vocab = 128256;
        QVERIFY(splitByCost(model, 8) == (std::vector<int>{5, 4, 4, 5, 4, 4, 4, 2}));
        QVERIFY(splitByCost(model, 1) == std::vector<int>{32});
        const std::vector<int> two = splitByCost(model, 2);
        QCOMPARE(std::accumulate(two.begin(), two.end(), 0), 32);
        QVERIFY(two[0] > two[1]);
        // Behind the last block the head stands by itself.
        QVERIFY(splitByCost(model, 16) == (std::vector<int>{3, 2, 2, 2, 2, 2, 2, 3, 2, 2, 2, 2, 2, 2, 2, 0}));
        // 3 3 2 3 2 3 and two stages without blocks: a plan gives one of them a block.
        Model small = model;
        small.blocks = 16;
        small.hidden = 2048;
        small.headDim = 64;
        small.ffn = 8192;
        small.vocab = 131072;
        QVERIFY(splitByCost(small, 8) == (std::vector<int>{3, 3, 2, 3, 2, 2, 1, 0}));
        QVERIFY(splitByCost(small, 16) == (std::vector<int>{2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0}));
        model.blocks = 4; // too few
        QVERIFY(splitByCost(model, 16).empty());
    }
};

QTEST_APPLESS_MAIN(SoftwareEffectsTest)
#include "software_effects_test.moc"
