// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/random.h"
#include "core/search/pipewright/levelled.h"
#include "tests/search/planned.h"
#include "tests/search/sample_problems.h"

#include <QTest>

#include <random>

using namespace pw;

namespace {

Model smallModel() {
    Model model = test::sampleModel("llama2-7b");
    model.blocks = 12;
    return model;
}

// Nodes of `kinds`, so many of each, on one switch by eight lanes, or by a cable to each of the rails.
Cluster drawn(const std::vector<std::pair<const char*, int>>& kinds, int gpus, int rails = 0) {
    Cluster c;
    c.name = "level";
    for (int s = 0; s < std::max(1, rails); ++s)
        c.switches.push_back({"s" + std::to_string(s + 1), "InfiniBand", {}});
    for (const auto& [kind, count] : kinds)
        for (int n = 0; n < count; ++n) {
            Node node;
            node.id = "n" + std::to_string(c.nodes.size() + 1);
            node.kind = kind;
            node.gpus = gpus;
            for (const Switch& to : c.switches)
                c.links.push_back({node.id + "-" + to.id, node.id, to.id, BytesPerSecond(6.25e9), rails > 0 ? 1 : 8,
                                   Seconds(2e-6), 0.9});
            c.nodes.push_back(node);
        }
    return c;
}

std::shared_ptr<const Problem> asked(const Cluster& cluster, std::int64_t gbs = 64) {
    return test::problemOf(cluster, smallModel(), gbs, 2048);
}

} // namespace

class LevelledTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatDiffersLittleIsMadeAlike() {
        const Cluster plain = drawn({{"H100-SXM-80GB", 4}, {"A100-SXM4-80GB", 2}}, 8);
        QVERIFY(!levelled(*asked(plain)));
        Cluster fewer = plain;
        fewer.links[1].lanes = 7;
        fewer.links[5].lanes = 6; // of the other kind: of two, the narrower one counts
        const auto level = levelled(*asked(fewer));
        QVERIFY(level);
        const std::vector<Link>& links = level->topology().cluster().links;
        for (std::size_t i = 0; i < links.size(); ++i)
            QCOMPARE(links[i].lanes, i < 4 ? 8 : 6);
        QVERIFY(level->topology().cluster().nodes == fewer.nodes);
        QCOMPARE(level->topology().classes().size(), std::size_t{2});
        QVERIFY(!levelled(*level));
        // Another machine, by its way or by itself.
        Cluster slow = plain;
        slow.links[1].lanes = 1;
        QVERIFY(!levelled(*asked(slow)));
        Cluster throttled = fewer;
        throttled.links[5].lanes = 8;
        throttled.nodes[1].speed = 0.8;
        QVERIFY(!levelled(*asked(throttled)));
    }

    void whatIsMissingIsAdded() {
        Cluster rails = drawn({{"H100-SXM-80GB", 4}}, 8, 4);
        rails.links.erase(rails.links.begin() + 6); // n2 to s3
        const auto level = levelled(*asked(rails));
        QVERIFY(level);
        const Cluster& made = level->topology().cluster();
        QCOMPARE(made.links.size(), std::size_t{16});
        QVERIFY((made.links.back().a == "n2" && made.links.back().b == "s3"));
        QCOMPARE(level->topology().classes().size(), std::size_t{1});
        // A cable that plans leave out is as one that is not there; the other stays left out.
        Cluster whole = drawn({{"H100-SXM-80GB", 4}}, 8, 4);
        Space space;
        space.forbidden = {"n2-s3"};
        const auto open = levelled(*test::problemOf(whole, smallModel(), 64, 2048, space));
        QVERIFY(open);
        QCOMPARE(open->topology().classes().size(), std::size_t{1});
        QCOMPARE(open->topology().cluster().links.size(), std::size_t{17});
        QVERIFY(open->space().forbidden == space.forbidden);
    }

    // Drawn clusters in which one node loses some of its eight lanes, of one or two kinds: the search is never
    // further behind the plan that is best without the loss, judged with it, than a rounding of its own work.
    void aLostLaneCostsNoMoreThanItDoes() {
        const std::uint64_t seed = std::random_device{}();
        qInfo("seed %llu", static_cast<unsigned long long>(seed));
        Random random(seed);
        constexpr const char* kKinds[] = {"H100-SXM-80GB", "A100-SXM4-80GB", "V100-SXM2-32GB"};
        int better = 0;
        for (int round = 0; round < 24; ++round) {
            std::vector<std::pair<const char*, int>> kinds{
                {kKinds[random.below(3)], 2 + static_cast<int>(random.below(3))}};
            if (const char* other = kKinds[random.below(3)];
                random.below(2) == 0 && other != kinds.front().first)
                kinds.emplace_back(other, 1 + static_cast<int>(random.below(3)));
            const Cluster whole = drawn(kinds, random.below(2) == 0 ? 4 : 8);
            Cluster lost = whole;
            Link& cable = lost.links[random.below(lost.links.size())];
            cable.lanes = 5 + static_cast<int>(random.below(3));
            const std::int64_t gbs = 32 << random.below(3);
            const SearchOutcome before = test::planned(asked(whole, gbs), "pipewright");
            const auto problem = asked(lost, gbs);
            const SearchOutcome after = test::planned(problem, "pipewright");
            if (before.plans.empty()) {
                QVERIFY(after.plans.empty());
                continue;
            }
            const auto kept = evaluate(*problem, before.plans.front().plan);
            QVERIFY(kept && kept->feasible);
            const double gap = test::bestOf(after) / kept->iteration.value;
            QVERIFY2(gap < 1.01, qPrintable(QStringLiteral("round %1: %2").arg(round).arg(gap)));
            better += gap < 1.0 ? 1 : 0;
            // What is said to be proven holds for it.
            QVERIFY(after.bound.value.value <= kept->iteration.value * (1.0 + 1e-9));
        }
        qInfo("%d searches found a better plan for the loss", better);
    }
};

QTEST_GUILESS_MAIN(LevelledTest)
#include "levelled_test.moc"
