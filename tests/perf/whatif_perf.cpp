// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/whatif/costing.h"
#include "core/whatif/whatif.h"
#include "tests/perf/budget.h"

#include <cstdlib>

using namespace pw;

namespace {

constexpr int kStages = 64, kMicrobatches = 512;

std::shared_ptr<const Problem> largeProblem() {
    Cluster cluster;
    cluster.name = "sixty-four nodes";
    cluster.switches = {{"s1", "Ethernet", {}}};
    for (int i = 0; i < kStages; ++i) {
        Node node;
        node.id = "n" + std::to_string(i + 1);
        node.kind = i % 2 == 0 ? "A100-SXM4-80GB" : "H100-SXM-80GB";
        node.gpus = 8;
        cluster.nodes.push_back(node);
        cluster.links.push_back(
            {node.id + "-s1", node.id, "s1", BytesPerSecond(25e9), 1, Seconds(10e-6), 0.88});
    }
    Model model;
    model.name = "large";
    model.family = "llama";
    model.blocks = 160;
    model.hidden = 8192;
    model.heads = 64;
    model.kvHeads = 8;
    model.headDim = 128;
    model.ffn = 28672;
    model.vocab = 128256;
    model.positions = 8192;
    model.gatedMlp = model.rmsNorm = true;
    Recipe recipe;
    recipe.gbs = 2 * kMicrobatches;
    recipe.seq = 4096;
    const auto made = Problem::make(std::move(cluster), std::move(model), recipe, {});
    if (!made)
        std::abort();
    return *made;
}

// A node a stage, tp 4 and dp 2, blocks as even as they go.
Plan largePlan(const Problem& problem) {
    Plan plan;
    Pipeline pipeline;
    pipeline.microbatchSize = 2;
    pipeline.microbatches = kMicrobatches;
    const int blocks = static_cast<int>(problem.model().blocks);
    for (int i = 0; i < kStages; ++i) {
        Stage stage;
        stage.chunks = {layersOfBlocks(i * blocks / kStages, (i + 1) * blocks / kStages, blocks)};
        stage.tp = 4;
        stage.sequenceParallel = true;
        for (int r = 0; r < 2; ++r) {
            Replica replica;
            for (int k = 0; k < 4; ++k)
                replica.devices.push_back(8 * i + 4 * r + k);
            replica.share = 0.5;
            stage.replicas.push_back(replica);
        }
        pipeline.stages.push_back(std::move(stage));
        pipeline.schedule.launch.push_back(kStages - i);
    }
    plan.pipelines.push_back(std::move(pipeline));
    return plan;
}

struct Question {
    std::shared_ptr<const Problem> problem = largeProblem();
    Plan plan = largePlan(*problem);
};

const Question& question() {
    static const Question made;
    return made;
}

// To and fro between two places.
Plan dragged(const Problem& problem, const Plan& plan, bool there) {
    constexpr int kBoundary = 31;
    const Result<Plan> moved = whatif::moveBoundary(
        problem, plan, kBoundary, whatif::boundaryLayer(plan, kBoundary) + (there ? 2 : -2));
    if (!moved)
        std::abort();
    return *moved;
}

void editAndCheck(benchmark::State& state) {
    const Question& q = question();
    for (auto _ : state)
        benchmark::DoNotOptimize(dragged(*q.problem, q.plan, true));
    perf::budget(state, 2.0);
}

void price(benchmark::State& state) {
    const Question& q = question();
    const CostTable costs(*q.problem);
    StagePrices known;
    priceStages(*q.problem, costs, q.plan.pipelines.front(), &known);
    const Plan a = dragged(*q.problem, q.plan, true), b = dragged(*q.problem, q.plan, false);
    bool there = false;
    for (auto _ : state)
        benchmark::DoNotOptimize(
            priceStages(*q.problem, costs, ((there = !there) ? a : b).pipelines.front(), &known));
    perf::budget(state, 5.0);
}

void judge(benchmark::State& state) {
    const Question& q = question();
    const whatif::Costing costing(q.problem);
    const Plan a = dragged(*q.problem, q.plan, true), b = dragged(*q.problem, q.plan, false);
    bool there = false;
    for (auto _ : state)
        benchmark::DoNotOptimize(costing.evaluate((there = !there) ? a : b, {.keepOps = true}));
    perf::budget(state, 30.0);
}

// From the move of the mouse to items that only wait for paint: edit, check, price, simulate, bars, fold.
void dragToTimeline(benchmark::State& state) {
    const Question& q = question();
    const whatif::Costing costing(q.problem);
    Plan plan = q.plan;
    bool there = false;
    std::size_t bars = 0;
    std::vector<FoldedItem> items;
    for (auto _ : state) {
        there = !there;
        plan = dragged(*q.problem, q.plan, there);
        const Result<whatif::Costed> costed = costing.cost(plan);
        if (!costed)
            std::abort();
        bars = costed->timeline.barCount();
        for (const Track& track : costed->timeline.tracks)
            for (const Lane& lane : track.lanes) {
                fold(lane, 0, costed->timeline.end, 1600, 1.0, items);
                benchmark::DoNotOptimize(items.data());
            }
    }
    state.counters["bars"] = static_cast<double>(bars);
    perf::budget(state, 50.0);
}

} // namespace

BENCHMARK(editAndCheck)->Unit(benchmark::kMillisecond);
BENCHMARK(price)->Unit(benchmark::kMillisecond);
BENCHMARK(judge)->Unit(benchmark::kMillisecond);
BENCHMARK(dragToTimeline)->Unit(benchmark::kMillisecond);
