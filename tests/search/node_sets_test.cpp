// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/planners.h"
#include "tests/draws.h"
#include "tests/search/drawn_clusters.h"

#include <QTest>

#include <cstdlib>

using namespace pw;

namespace {

// The problem in fp16: left to itself the precision follows the devices that are there.
std::shared_ptr<const Problem> inHalf(const test::DrawnProblem& drawn) {
    Recipe recipe = drawn.problem->recipe();
    recipe.precision = Precision::Fp16;
    auto made = Problem::make(drawn.cluster, drawn.problem->model(), recipe, {}, Space{});
    return made ? *made : nullptr;
}

double timeOfBest(const std::shared_ptr<const Problem>& problem) {
    SearchObserver nobody;
    const auto outcome = search(problem, SearchOptions(), nobody, {});
    return outcome && !outcome->plans.empty() ? outcome->plans.front().evaluation.iteration.value
                                              : std::numeric_limits<double>::infinity();
}

struct Draw {
    std::uint64_t seed;
    int nodes; // at most
    int sets;  // of forbidden nodes
};

} // namespace

// A plan on some of the nodes is a plan on all of them.
class NodeSetsTest : public QObject {
    Q_OBJECT

private slots:
    void moreNodesAreNeverWorse_data() {
        QTest::addColumn<quint64>("seed");
        QTest::addColumn<int>("nodes");
        QTest::addColumn<int>("sets");
        const auto add = [](const char* name, const Draw& draw) {
            QTest::newRow(name) << quint64(draw.seed) << draw.nodes << draw.sets;
        };
        // One node of two behind a slow link, interleaved; one node of eight beside a lone GPU.
        add("sites-21", {20261122 + 2 * 1000003ULL, 24, 2});
        add("sites-9", {20261122 + 38 * 1000003ULL, 24, 2});
        const char* asked = std::getenv("PW_SEED"); // another draw than those that are kept
        const std::uint64_t first = asked ? std::strtoull(asked, nullptr, 10) : 7;
        for (int n = 0; n < test::draws(10, 100); ++n) {
            const std::uint64_t seed = first + 1000003ULL * static_cast<std::uint64_t>(n);
            add(std::to_string(seed).c_str(), {seed, 6, 2});
        }
    }
    void moreNodesAreNeverWorse() {
        QFETCH(quint64, seed);
        QFETCH(int, nodes);
        QFETCH(int, sets);
        Random random(seed);
        const test::DrawnProblem drawn = test::drawProblem(random, nodes);
        const auto all = drawn.problem ? inHalf(drawn) : nullptr;
        if (!all)
            return; // a kind that has no fp16
        const double time = timeOfBest(all);
        for (int k = 0; k < sets; ++k) {
            const auto fewer = all->withForbidden(test::drawForbidden(random, drawn.cluster));
            QVERIFY(fewer);
            const double less = timeOfBest(*fewer);
            QVERIFY2(time <= less * (1.0 + 1e-9), (drawn.text + ": " + std::to_string(time) +
                                                   " s, with fewer nodes " + std::to_string(less) + " s")
                                                      .c_str());
        }
    }
};

QTEST_APPLESS_MAIN(NodeSetsTest)
#include "node_sets_test.moc"
