// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/accuracy/cases.h"
#include "core/accuracy/tie.h"
#include "core/sweep/expansion.h"
#include "tests/sweep/sweep_sample.h"

#include <QTest>

#include <cmath>
#include <set>

using namespace pw;

namespace {

Expansion expanded(const Json& document, std::size_t chunkTasks = 0) {
    const test::ReadSweep read(document);
    const Composer composer = read.composer();
    const auto made = expand(read.sweep, composer, "sweep.json", {chunkTasks, 1, {}});
    if (!made)
        qFatal("%s", made.error().text().c_str());
    return *made;
}

Error refusal(const Json& document) {
    const test::ReadSweep read(document);
    const Composer composer = read.composer();
    const auto made = expand(read.sweep, composer, "sweep.json", {});
    if (made)
        qFatal("was taken");
    return made.error();
}

std::set<std::string> idsOf(const Expansion& expansion) {
    std::set<std::string> ids;
    for (const SweepTask& task : expansion.tasks)
        ids.insert(task.id);
    return ids;
}

const Json kBatches = test::axis("batch", "recipe.gbs", {64, 128});
const Json kCounts = test::countAxis("A100s", "A100-40", {0, 1, 2});

} // namespace

class ExpansionTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theProductIsTheTasks() {
        const Expansion all = expanded(test::sweepJson({kCounts, kBatches}));
        QCOMPARE(all.tasks.size(), std::size_t{6});
        QCOMPARE(all.compositions, std::size_t{6});
        QCOMPARE(idsOf(all).size(), std::size_t{6});
        QCOMPARE(all.tasks[0].at, (Assignment{0, 0}));
        QCOMPARE(all.tasks[1].at, (Assignment{0, 1})); // the last axis fastest
        QCOMPARE(all.tasks[5].at, (Assignment{2, 1}));
        // Made again it is the same.
        const Expansion again = expanded(test::sweepJson({kCounts, kBatches}));
        for (std::size_t i = 0; i < all.tasks.size(); ++i)
            QCOMPARE(again.tasks[i].id, all.tasks[i].id);
    }

    void whatIsSkippedIsGone() {
        Json document = test::sweepJson({kCounts, kBatches});
        document["skip"] = {{{"A100s", 0}}, {{"A100s", 2}, {"batch", 128}}};
        const Expansion some = expanded(document);
        QCOMPARE(some.skipped, std::uint64_t{3});
        QCOMPARE(some.tasks.size(), std::size_t{3});
        for (const SweepTask& task : some.tasks)
            QVERIFY(task.at[0] != 0 && !(task.at[0] == 2 && task.at[1] == 1));
        document["skip"] = {{{"batch", 64}}, {{"batch", 128}}};
        const Error none = refusal(document);
        QCOMPARE(none.kind, ErrorKind::Infeasible);
        QCOMPARE(none.code, std::string("sweep.empty"));
    }

    void identitiesAreOfWhatIsAskedAndNotOfWhereItStands() {
        const std::string first = expanded(test::sweepJson({kCounts, kBatches})).tasks[3].id; // one node, 128
        const auto only = [](const Json& document) { return expanded(document).tasks.front().id; };
        QCOMPARE(only(test::sweepJson(
                     {test::axis("b", "recipe.gbs", {128}), test::countAxis("n", "A100-SXM4-40GB", {1})})),
                 first);
        Json other = test::sweepJson({test::countAxis("n", "A100-40", {1})});
        other["base"]["recipe"]["gbs"] = 128;
        QCOMPARE(only(other), first);
        other["base"]["search"]["seed"] = 2;
        QVERIFY(only(other) != first);
        other["base"]["search"].erase("seed");
        other["base"]["prices"] = {{"A100-40", 2.0}, {"V100-16", 1.0}}; // a result says what it costs
        QVERIFY(only(other) != first);
    }

    // Events and draws are part of a task, and one that changes nothing is the task without it.
    void worldsAreTasksOfTheirOwn() {
        const Expansion worlds = expanded(
            test::sweepJson({test::axis("event", "scenario", {"none", "lost:n1", "slow:n1:0.9"}),
                             Json{{"name", "draw"}, {"of", "uncertainty"}, {"count", 4}, {"seed", 1}}}));
        QCOMPARE(worlds.tasks.size(), std::size_t{12});
        QCOMPARE(worlds.compositions, std::size_t{1});
        QCOMPARE(idsOf(worlds).size(), std::size_t{12});
        const Expansion plain =
            expanded(test::sweepJson({test::axis("event", "scenario", {"none", "lost:n1"})}));
        const Expansion base = expanded(test::sweepJson({test::axis("b", "recipe.gbs", {64})}));
        QCOMPARE(plain.tasks[0].id, base.tasks[0].id);
    }

    void limitsLeaveOutWhatCostsTooMuch() {
        Json document = test::sweepJson({kCounts, test::countAxis("V100s", "V100-16", {0, 2, 4})});
        document["base"]["prices"] = {{"A100-40", 2.0}, {"V100-16", 0.5}};
        document["limit"] = {{"price_per_hour", 20.0}, {"power_w", 8000.0}, {"least_gpus", 8}};
        const Expansion some = expanded(document);
        // A node of 8 A100: 16 an hour, 3200 W; one of 4 V100: 2 and 1200 W.
        std::set<std::pair<int, int>> expected;
        for (const int a : {0, 1, 2})
            for (const int v : {0, 2, 4})
                if (16.0 * a + 2.0 * v <= 20.0 && 3200.0 * a + 1200.0 * v <= 8000.0 && 8 * a + 4 * v >= 8)
                    expected.insert({a, v});
        std::set<std::pair<int, int>> found;
        for (const SweepTask& task : some.tasks)
            found.insert({static_cast<int>(task.at[0]), 2 * static_cast<int>(task.at[1])});
        QCOMPARE(found, expected);
        QCOMPARE(some.beyondCaps, 9 - expected.size());

        document["base"]["prices"].erase("V100-16");
        const Error unpriced = refusal(document);
        QCOMPARE(unpriced.kind, ErrorKind::BadInput);
        QCOMPARE(unpriced.where, std::string("sweep.json#/limit/price_per_hour"));
    }

    // Counts below what is drawn take nodes away with their links, those beyond it copy them.
    void nodesAreCountedByKind() {
        const test::ReadSweep read(test::sweepJson({test::countAxis("V100s", "V100-16", {0, 1, 5})}));
        const Composer composer = read.composer();
        const auto none = composer.cluster({0}), one = composer.cluster({1}), five = composer.cluster({2});
        QVERIFY(none && one && five);
        QCOMPARE(none->nodes.size(), std::size_t{1});
        QCOMPARE(none->links.size(), std::size_t{1});
        QCOMPARE(one->gpuCount(), 12);
        QCOMPARE(five->gpuCount(), 28);
        QCOMPARE(five->links.size(), std::size_t{6});
        QVERIFY(!hasErrors(checkCluster(*five)));
        QCOMPARE(ratesOf(*five).gpus, std::int64_t{28});
    }

    void whatCannotBeStaysAsATask() {
        const Expansion all = expanded(test::sweepJson(
            {test::countAxis("A100s", "A100-40", {0, 1}), test::countAxis("V100s", "V100-16", {0, 2})}));
        QCOMPARE(all.tasks.size(), std::size_t{4});
        QCOMPARE(all.infeasible, std::size_t{1}); // nothing at all
        QVERIFY(!all.why.empty());
    }

    void badInputTellsEveryPlace() {
        const Error bad = refusal(test::sweepJson(
            {test::axis("batch", "recipe.gbs", {64, -1}), test::axis("seq", "recipe.seq", {2048, "x"})}));
        QCOMPARE(bad.kind, ErrorKind::BadInput);
        QVERIFY2(bad.where.starts_with("sweep.json#/axes"), bad.where.c_str());
        QVERIFY(!bad.reasons.empty());
        const Error unknown = refusal(test::sweepJson({test::axis("x", "recipe.colour", {"red"})}));
        QCOMPARE(unknown.code, std::string("sweep.recipe"));
        const Error kind = refusal(test::sweepJson({test::countAxis("x", "H100-80", {1})}));
        QCOMPARE(kind.where, std::string("sweep.json#/axes/0"));
    }

    // Values that are sound each by itself.
    void whatDoesNotGoTogetherIsNamed() {
        const Error seq = refusal(test::sweepJson({test::axis("batch", "recipe.gbs", {64, 128}),
                                                   test::axis("length", "recipe.seq", {2048, 1 << 22})}));
        QCOMPARE(seq.kind, ErrorKind::BadInput);
        QVERIFY2(seq.where.starts_with("sweep.json#/axes, batch 64, length 4194304, "), seq.where.c_str());
        QVERIFY(seq.reasons.empty()); // once, and not for each batch
    }

    void samplesAreDrawnOnce() {
        Json document = test::sweepJson({test::axis("batch", "recipe.gbs", {8, 16, 24, 32, 40, 48}),
                                         test::axis("seq", "recipe.seq", {512, 1024, 2048})});
        document["sample"] = {{"kind", "random"}, {"count", 7}, {"seed", 5}};
        const Expansion some = expanded(document);
        QCOMPARE(some.tasks.size(), std::size_t{7});
        QCOMPARE(idsOf(some).size(), std::size_t{7});
        QCOMPARE(idsOf(expanded(document)), idsOf(some));
        document["sample"]["seed"] = 6;
        QVERIFY(idsOf(expanded(document)) != idsOf(some));
        document["sample"]["count"] = 100;
        QCOMPARE(expanded(document).tasks.size(), std::size_t{18});
    }

    void chunksDivideTheTasks() {
        for (const double each : {0.001, 0.06, 2.0, 900.0, 5000.0})
            for (const std::size_t count : {1u, 7u, 1440u, 59049u}) {
                std::vector<SweepTask> tasks(count, SweepTask{{}, {}, each});
                std::size_t next = 0;
                const std::vector<SweepChunk> chunks = chunksOf(tasks, 0);
                QVERIFY2(chunks.size() <= 1000, QByteArray::number(qulonglong(chunks.size())));
                for (std::size_t c = 0; c < chunks.size(); ++c) {
                    QCOMPARE(chunks[c].first, next);
                    QVERIFY(chunks[c].count > 0);
                    QVERIFY(c + 1 == chunks.size() || chunks[c].expected >= 30.0);
                    next += chunks[c].count;
                }
                QCOMPARE(next, count);
            }
        QCOMPARE(chunksOf(std::vector<SweepTask>(54), 6).size(), std::size_t{9});
    }

    void expectedTimesGrowWithTheCluster() {
        QVERIFY(std::abs(expectedSeconds(16, 0) - 0.07) < 1e-9);
        QVERIFY(std::abs(expectedSeconds(1024, 0) - 3.5) < 1e-9);
        double before = 0.0;
        for (const std::int64_t gpus : {1, 8, 16, 40, 64, 300, 1024, 5000, 16384, 60000}) {
            const double own = expectedSeconds(gpus, 0);
            QVERIFY(own > before);
            before = own;
            // A limit shortens it, but bounds take their time.
            QVERIFY(expectedSeconds(gpus, 300'000) < expectedSeconds(gpus, 600'000));
            QVERIFY(expectedSeconds(gpus, 600'000) < own);
            QVERIFY(std::abs(expectedSeconds(gpus, 100) / own - 0.1) < 1e-9);
            QCOMPARE(expectedSeconds(gpus, 1'000'000'000), own);
        }
    }

    void waitsAreSaidAsPeopleSayThem() {
        QCOMPARE(roughTime(0.2), std::string("1 s"));
        QCOMPARE(roughTime(41.4), std::string("41 s"));
        QCOMPARE(roughTime(720.0), std::string("12 minutes"));
        QCOMPARE(roughTime(11'721.0), std::string("3.3 hours"));
        QCOMPARE(roughTime(400'000.0), std::string("4.6 days"));
    }

    // One world for all offers: a factor depends on the kind and the draw alone.
    void drawsAreTheSameWorldForAll() {
        const Cluster small = test::ReadSweep(test::sweepJson({kBatches})).inputs.clusters.at("");
        Cluster large = small;
        large.nodes.push_back(large.nodes.front());
        large.nodes.back().id = "n9";
        for (const std::uint64_t draw : {0u, 1u, 17u}) {
            const Cluster one = drawn(small, 3, draw), other = drawn(large, 3, draw);
            for (std::size_t n = 0; n < small.nodes.size(); ++n)
                QCOMPARE(one.nodes[n].speed, other.nodes[n].speed);
            QCOMPARE(one.links.front().bandwidth, other.links.front().bandwidth);
            QCOMPARE(one.nodes[1].speed, one.nodes[2].speed); // of one kind
        }
        QVERIFY(drawn(small, 3, 0).nodes[0].speed != drawn(small, 3, 1).nodes[0].speed);
        QVERIFY(drawn(small, 3, 0).nodes[0].speed != drawn(small, 4, 0).nodes[0].speed);
    }

    // Of the differences of two kinds 80 % lie within the calibrated reach.
    void drawsAreAsWideAsTheBands() {
        const double reach = pairReach(1.0, measuredCases().widths.pair);
        int within = 0;
        double mean = 0.0;
        constexpr int kDraws = 20000;
        for (int draw = 0; draw < kDraws; ++draw) {
            const double one = std::log(drawnFactor(1, static_cast<std::uint64_t>(draw), "A100"));
            const double other = std::log(drawnFactor(1, static_cast<std::uint64_t>(draw), "V100"));
            within += std::abs(one - other) <= reach ? 1 : 0;
            mean += one / kDraws;
        }
        QVERIFY2(std::abs(within / double(kDraws) - 0.8) < 0.015, QByteArray::number(within));
        QVERIFY(std::abs(mean) < 0.005);
    }

    void scenariosHappenToNodesThatAreThere() {
        const Cluster cluster = test::ReadSweep(test::sweepJson({kBatches})).inputs.clusters.at("");
        const auto world = [&cluster](const char* text) {
            return after(cluster, *scenarioFromText(text, ""));
        };
        QCOMPARE(world("none"), cluster);
        QCOMPARE(world("lost:n2").nodes.size(), std::size_t{2});
        QCOMPARE(world("lost:n2").links.size(), std::size_t{2});
        QCOMPARE(world("lost:V100-16").node("n2"), nullptr); // the first of the kind
        QCOMPARE(world("slow:n1:0.5").node("n1")->speed, 0.5);
        QCOMPARE(world("lost:gone"), cluster);
    }
};

QTEST_APPLESS_MAIN(ExpansionTest)
#include "expansion_test.moc"
