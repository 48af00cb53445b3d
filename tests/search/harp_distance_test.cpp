// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/search.h"
#include "tests/draws.h"
#include "tests/search/planned.h"
#include "tests/search/random_problem.h"

#include <QTest>

#include <algorithm>

using namespace pw;

namespace {

constexpr std::uint64_t kHarpDistanceSeed = 20261123;

} // namespace

// How far "harp" is from the best plan of the whole Space, on problems that exhaustive search can settle. Of
// 88 drawn ones it finds the best of 50 (23 before its objective knew gradient sums), is 1.16 times as slow
// in the mean and 2.13 times at most (1.79 and 11.5); what is left over are context and expert parallelism
// and grids that mix kinds, which it does not know.
class HarpDistanceTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void isNearTheBestOfTheSpace() {
        Random random(kHarpDistanceSeed);
        int settled = 0, best = 0, none = 0;
        double sum = 0.0, worst = 0.0;
        const int problems = test::draws(50, 100);
        for (int n = 0; n < problems; ++n) {
            const auto drawn = test::randomProblem(random);
            if (!drawn)
                continue;
            const auto problem = test::withoutSharded(*drawn); // which it does not know either
            const SearchOutcome truth = test::planned(problem, "exhaustive");
            if (truth.status == SearchStatus::Budget || truth.plans.empty())
                continue;
            const SearchOutcome own = test::planned(problem, "harp");
            ++settled;
            if (own.plans.empty()) {
                ++none;
                continue;
            }
            const double ratio =
                own.plans.front().evaluation.iteration / truth.plans.front().evaluation.iteration;
            best += ratio < 1.0 + 1e-9 ? 1 : 0;
            sum += ratio;
            worst = std::max(worst, ratio);
        }
        const double mean = sum / std::max(1, settled - none);
        const QByteArray figures = QString("seed %1: best of %2 of %3, none of %4, mean %5, worst %6")
                                       .arg(kHarpDistanceSeed)
                                       .arg(best)
                                       .arg(settled)
                                       .arg(none)
                                       .arg(mean)
                                       .arg(worst)
                                       .toUtf8();
        QVERIFY2(settled > problems / 2, figures);
        if (!test::manyDrawn())
            return;
        QVERIFY2(best * 2 >= settled && 30 * none <= settled + 30, figures);
        QVERIFY2(mean < 1.17 && worst < 2.2, figures);
    }
};

QTEST_APPLESS_MAIN(HarpDistanceTest)
#include "harp_distance_test.moc"
