// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/random.h"
#include "core/partition/min_plus.h"
#include "core/partition/stack_search.h"

#include <QTest>

#include <algorithm>
#include <limits>

using namespace pw;
using namespace pw::partition;

namespace {

// A block with the published graph and random costs. Few classes, so that several ways share one.
StackCosts randomBlock(Random& random, std::size_t ways, std::size_t classes, bool fused) {
    StackCosts costs;
    const std::size_t last = fused ? 10 : 12;
    costs.cuts = fused ? std::vector<std::size_t>{0, 5, 10} : std::vector<std::size_t>{0, 2, 5, 7, 12};
    for (std::size_t n = 0; n <= last; ++n) {
        StackNode node;
        node.outClasses = classes;
        for (std::size_t w = 0; w < ways; ++w) {
            node.cost.push_back(random.uniform(1.0, 5.0));
            node.out.push_back(random.below(classes));
        }
        costs.nodes.push_back(std::move(node));
    }
    costs.nodes.back() = costs.nodes.front();
    const auto connect = [&](std::size_t from, std::size_t to) {
        StackEdge edge{from, to, {}, Matrix(classes, classes, 0.0)};
        for (std::size_t w = 0; w < ways; ++w)
            edge.in.push_back(random.below(classes));
        for (double& cost : edge.cost.data)
            cost = random.below(3) == 0 ? 0.0 : random.uniform(0.0, 4.0);
        costs.edges.push_back(std::move(edge));
    };
    for (std::size_t n = 0; n < last; ++n)
        connect(n, n + 1);
    if (fused) {
        connect(0, 5);
        connect(5, 10);
    } else {
        connect(0, 7);
        connect(2, 5);
        connect(7, 12);
    }
    return costs;
}

// By trying every combination of ways.
double cheapest(const StackCosts& costs, int blocks) {
    const std::size_t inner = costs.nodes.size() - 1, ways = costs.nodes.front().cost.size();
    std::vector<std::size_t> all(1 + inner * static_cast<std::size_t>(blocks), 0);
    double best = std::numeric_limits<double>::infinity();
    for (;;) {
        StackChoice choice;
        choice.first = all[0];
        for (std::size_t b = 0; b < static_cast<std::size_t>(blocks); ++b) {
            const auto begin = all.begin() + static_cast<std::ptrdiff_t>(1 + b * inner);
            choice.blocks.emplace_back(begin, begin + static_cast<std::ptrdiff_t>(inner));
        }
        best = std::min(best, costOf(costs, choice));
        std::size_t digit = 0;
        while (digit < all.size() && ++all[digit] == ways)
            all[digit++] = 0;
        if (digit == all.size())
            return best;
    }
}

// Block by block from the left, keeping the best for every way at the border: the same optimum without
// segments, joins or doubling. One block between two ends is tried out whole.
double leftToRight(const StackCosts& costs, int blocks) {
    const StackNode& node = costs.nodes.front();
    const std::size_t ways = node.cost.size(), inner = costs.nodes.size() - 1;
    std::vector<std::vector<double>> block(ways, std::vector<double>(ways, 1e300));
    std::vector<std::size_t> all(1 + inner, 0);
    for (;;) {
        const StackChoice choice{0.0, all[0], {{all.begin() + 1, all.end()}}};
        double& best = block[all.front()][all.back()];
        best = std::min(best, costOf(costs, choice) - node.cost[all.front()]);
        std::size_t digit = 0;
        while (digit < all.size() && ++all[digit] == ways)
            all[digit++] = 0;
        if (digit == all.size())
            break;
    }
    std::vector<double> upTo = node.cost;
    for (int b = 0; b < blocks; ++b) {
        std::vector<double> next(ways, 1e300);
        for (std::size_t from = 0; from < ways; ++from)
            for (std::size_t to = 0; to < ways; ++to)
                next[to] = std::min(next[to], upTo[from] + block[from][to]);
        upTo = next;
    }
    return *std::ranges::min_element(upTo);
}

bool close(double a, double b) {
    return std::abs(a - b) <= 1e-12 * std::abs(b);
}

constexpr std::uint64_t kStackSearchSeed = 1804;

} // namespace

class StackSearchTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void oneBlockIsTheBestOfAll() {
        for (std::uint64_t i = 0; i < 12; ++i) {
            Random random(kStackSearchSeed + i);
            const bool fused = i % 3 == 0;
            const StackCosts costs = randomBlock(random, i == 0 ? 3 : 2, 2, fused);
            const StackChoice choice = bestStack(costs, 1, 1);
            const double all = cheapest(costs, 1);
            QVERIFY2(close(choice.cost, all), qPrintable(QString("seed %1").arg(kStackSearchSeed + i)));
            QVERIFY(close(costOf(costs, choice), all)); // and is really what it says
        }
    }

    void stacksOfAnyHeight() {
        for (std::uint64_t i = 0; i < 6; ++i) {
            Random random(kStackSearchSeed + 100 + i);
            const StackCosts costs = randomBlock(random, 3, 3, true);
            for (const int blocks : {1, 2, 3, 4, 5, 7, 8, 13, 96}) {
                const StackChoice choice = bestStack(costs, blocks, 1);
                QCOMPARE(choice.blocks.size(), static_cast<std::size_t>(blocks));
                QVERIFY2(
                    close(choice.cost, leftToRight(costs, blocks)),
                    qPrintable(QString("seed %1, %2 blocks").arg(kStackSearchSeed + 100 + i).arg(blocks)));
                QVERIFY(close(costOf(costs, choice), choice.cost));
            }
        }
    }

    // A block between equal ends, against every combination; and repeating it is no cheaper than the best
    // stack, nor dearer than what it says.
    void cyclesEndAsTheyBegin() {
        for (std::uint64_t i = 0; i < 12; ++i) {
            Random random(kStackSearchSeed + 200 + i);
            const StackCosts costs = randomBlock(random, i == 0 ? 3 : 2, 2, i % 3 == 0);
            const std::size_t inner = costs.nodes.size() - 1, ways = costs.nodes.front().cost.size();
            for (const std::vector<std::size_t>& ends : {std::vector<std::size_t>{}, {1}}) {
                double least = std::numeric_limits<double>::infinity();
                std::vector<std::size_t> all(inner, 0);
                for (std::size_t digit = 0; digit < inner;) {
                    if (ends.empty() || all.back() == ends.front()) {
                        const StackChoice choice{0.0, all.back(), {all}};
                        least = std::min(least, costOf(costs, choice) - costs.nodes[0].cost[all.back()]);
                    }
                    for (digit = 0; digit < inner && ++all[digit] == ways; ++digit)
                        all[digit] = 0;
                }
                StackChoice cycle = bestCycle(costs, ends, 1);
                QVERIFY2(close(cycle.cost, least),
                         qPrintable(QString("seed %1").arg(kStackSearchSeed + 200 + i)));
                QCOMPARE(cycle.blocks.size(), 1U);
                QCOMPARE(cycle.blocks[0].back(), cycle.first);
                const double one = cycle.cost + costs.nodes[0].cost[cycle.first];
                QVERIFY(close(costOf(costs, cycle), one));
                cycle.blocks.resize(5, cycle.blocks[0]);
                QVERIFY(close(costOf(costs, cycle), one + 4.0 * cycle.cost));
                QVERIFY(bestStack(costs, 5, 1).cost <= costOf(costs, cycle) * (1.0 + 1e-12));
            }
        }
    }

    void threadsChangeNothing() {
        Random random(kStackSearchSeed);
        const StackCosts costs = randomBlock(random, 150, 90, false);
        const StackChoice one = bestStack(costs, 12, 1);
        for (const int threads : {2, 3, 8}) {
            const StackChoice other = bestStack(costs, 12, threads);
            QCOMPARE(other.cost, one.cost);
            QCOMPARE(other.blocks, one.blocks);
            QCOMPARE(other.first, one.first);
        }
    }

    void productsLeaveNothingOut() {
        Random random(kStackSearchSeed);
        for (const auto& [rows, middle, columns] :
             {std::array<std::size_t, 3>{1, 1, 1}, {3, 2, 5}, {40, 7, 11}, {35, 300, 17}, {5, 1000, 64}}) {
            Matrix a(rows, middle, 0.0), b(middle, columns, 0.0);
            for (double& x : a.data)
                x = random.uniform(0.0, 10.0);
            for (double& x : b.data) // far apart and often nothing, so that most rows do not matter
                x = random.below(2) == 0 ? 0.0 : random.uniform(0.0, 3.0);
            const Matrix c = minPlus(a, b, 2);
            for (std::size_t x = 0; x < rows; ++x)
                for (std::size_t z = 0; z < columns; ++z) {
                    double least = std::numeric_limits<double>::infinity();
                    for (std::size_t y = 0; y < middle; ++y)
                        least = std::min(least, a.row(x)[y] + b.row(y)[z]);
                    QCOMPARE(c.row(x)[z], least);
                }
        }
    }
};

QTEST_APPLESS_MAIN(StackSearchTest)
#include "stack_search_test.moc"
