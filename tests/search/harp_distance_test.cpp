// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/planners.h"
#include "core/search/search.h"
#include "tests/draws.h"
#include "tests/search/random_problem.h"

#include <QTest>

using namespace pw;

namespace {

constexpr std::uint64_t kSeed = 20261123;

SearchOutcome plan(const std::shared_ptr<const Problem>& problem, const char* planner) {
    SearchOptions options;
    options.planner = planner;
    SearchObserver nobody;
    auto outcome = search(problem, options, nobody, {});
    if (!outcome)
        qFatal("%s", outcome.error().text().c_str());
    return *std::move(outcome);
}

} // namespace

class HarpDistanceTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void distance() {
        Random random(kSeed);
        for (int n = 0; n < 100; ++n) {
            const auto problem = test::randomProblem(random);
            if (!problem)
                continue;
            const SearchOutcome truth = plan(problem, "exhaustive");
            if (truth.status == SearchStatus::Budget || truth.plans.empty()) continue;
            const SearchOutcome own = plan(problem, "harp");
            printf("R %d %.6f %.6f\n", n, truth.plans.front().evaluation.iteration.value, own.plans.empty() ? 0.0 : own.plans.front().evaluation.iteration.value);
        }
    }
};

QTEST_APPLESS_MAIN(HarpDistanceTest)
#include "harp_distance_test.moc"
