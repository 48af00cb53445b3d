// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/planners.h"
#include "tests/draws.h"
#include "tests/search/drawn_clusters.h"

#include <QTest>

#include <cstdlib>

using namespace pw;

namespace {

double timeOfWider(const std::shared_ptr<const Problem>& problem, const WiderSpace& wider,
                   bool partitions = false) {
    SearchOptions options;
    options.wider = wider;
    options.partitions = partitions;
    options.top = 1;
    SearchObserver nobody;
    const auto outcome = search(problem, options, nobody, {});
    return outcome && !outcome->plans.empty() ? outcome->plans.front().evaluation.iteration.value
                                              : std::numeric_limits<double>::infinity();
}

// Axes by bits: all schedules, mixed stages, three pipelines.
WiderSpace spaceOf(unsigned axes) {
    WiderSpace wider;
    wider.schedules = (axes & 1U) != 0;
    wider.mixedStages = (axes & 2U) != 0;
    wider.pipelines = (axes & 4U) != 0 ? 3 : 1;
    return wider;
}

} // namespace

// A plan of a Space is a plan of every Space with more in it.
class AxesTest : public QObject {
    Q_OBJECT

private slots:
    void oneMoreNeverCosts_data() {
        QTest::addColumn<quint64>("seed");
        QTest::addColumn<int>("nodes");
        QTest::addColumn<int>("batch");             // 0: as drawn
        const char* asked = std::getenv("PW_SEED"); // another draw than those that are kept
        const std::uint64_t first = asked ? std::strtoull(asked, nullptr, 10) : 11;
        for (int n = 0; n < test::draws(4, 30); ++n) {
            const std::uint64_t seed = first + 1000003ULL * static_cast<std::uint64_t>(n);
            QTest::newRow(std::to_string(seed).c_str()) << quint64(seed) << test::draws(2, 6) << 0;
        }
        // 15 % with several pipelines besides all schedules, 0.8 % with partitions, when all came at once.
        if (test::draws(0, 1) == 1)
            QTest::newRow("kept-11") << quint64(777001 + 11 * 1000003ULL) << 6 << 64;
    }
    void oneMoreNeverCosts() {
        QFETCH(quint64, seed);
        QFETCH(int, nodes);
        QFETCH(int, batch);
        Random random(seed);
        const test::DrawnProblem drawn = test::drawProblem(random, nodes);
        QVERIFY2(drawn.problem, drawn.text.c_str());
        std::shared_ptr<const Problem> problem = drawn.problem;
        if (batch > 0) {
            Recipe recipe = problem->recipe();
            recipe.gbs = batch;
            recipe.seq = 1024;
            const auto made = Problem::make(drawn.cluster, problem->model(), recipe, {}, Space{});
            QVERIFY(made);
            problem = *made;
        }
        std::vector<double> times;
        for (unsigned axes = 0; axes < 8; ++axes) {
            times.push_back(timeOfWider(problem, spaceOf(axes)));
            for (unsigned fewer = 0; fewer < axes; ++fewer)
                if ((fewer & ~axes) == 0)
                    QVERIFY2(times[axes] <= times[fewer] * (1.0 + 1e-9),
                             (drawn.text + ": axes " + std::to_string(axes) + " " +
                              std::to_string(times[axes]) + " s, axes " + std::to_string(fewer) + " " +
                              std::to_string(times[fewer]) + " s")
                                 .c_str());
        }
        const double parted = timeOfWider(problem, {}, true);
        QVERIFY2(parted <= times.front() * (1.0 + 1e-9),
                 (drawn.text + ": " + std::to_string(parted) + " s with partitions, without " +
                  std::to_string(times.front()) + " s")
                     .c_str());
    }
};

QTEST_APPLESS_MAIN(AxesTest)
#include "axes_test.moc"
