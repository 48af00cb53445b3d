// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/planners.h"
#include "core/search/space/alike_stages.h"
#include "tests/search/planned.h"
#include "tests/search/random_problem.h"

#include <QTest>

#include <cmath>

using namespace pw;
using test::bestOf;

namespace {

constexpr std::uint64_t kAlikeStagesSeed = 20261123;
constexpr int kAlikeProblems = 60;
constexpr std::int64_t kAlikeLimit = 1500;       // problems that ask for more are drawn again
constexpr std::int64_t kAlikeWork = 100'000'000; // for the planner to come to an end

SearchOutcome runAlike(const std::shared_ptr<const Problem>& problem, const char* planner,
                       std::int64_t work) {
    SearchOptions options;
    options.planner = planner;
    options.work = work;
    SearchObserver nobody;
    auto outcome = search(problem, options, nobody, std::stop_token());
    if (!outcome)
        qFatal("%s", outcome.error().text().c_str());
    return *std::move(outcome);
}

} // namespace

class AlikeStagesTest : public QObject {
    Q_OBJECT

private slots:
    void theBestOfAlikeStagesIsFound_data() {
        QTest::addColumn<bool>("tp");
        QTest::addColumn<bool>("replicas");
        QTest::addColumn<bool>("gpus");
        QTest::newRow("one tp") << true << false << false;
        QTest::newRow("one number of GPUs") << false << false << true;
        QTest::newRow("one tp, replicas and GPUs") << true << true << true;
    }
    // The default planner finds what trying all plans finds, and nothing that differs where it must not.
    void theBestOfAlikeStagesIsFound() {
        QFETCH(bool, tp);
        QFETCH(bool, replicas);
        QFETCH(bool, gpus);
        int tried = 0, slower = 0;
        for (std::uint64_t seed = kAlikeStagesSeed; tried < kAlikeProblems; ++seed) {
            Random random(seed);
            const auto open = test::randomProblem(random);
            QVERIFY(open);
            Space space = open->space();
            space.alike = {tp, replicas, gpus};
            const auto problem = open->withSpace(space);
            const SearchOutcome truth = runAlike(problem, "exhaustive", kAlikeLimit);
            if (truth.status == SearchStatus::Budget)
                continue;
            ++tried;
            const SearchOutcome own = runAlike(problem, "pipewright", kAlikeWork);
            const QByteArray name = "seed " + QByteArray::number(static_cast<qulonglong>(seed));
            QVERIFY2(truth.plans.empty() == own.plans.empty(), name);
            for (const SearchOutcome* outcome : {&truth, &own})
                for (const FoundPlan& found : outcome->plans)
                    QVERIFY2(areAlike(space.alike, found.plan), name);
            if (own.plans.empty())
                continue;
            QVERIFY2(std::abs(bestOf(own) - bestOf(truth)) <= 1e-9 * bestOf(truth), name);
            QVERIFY2(own.gap() >= 0.0, name);
            slower += bestOf(runAlike(open, "pipewright", kAlikeWork)) < bestOf(own) * (1.0 - 1e-9) ? 1 : 0;
        }
        QVERIFY2(slower > 0, "what is asked cost nothing anywhere");
    }
};

QTEST_APPLESS_MAIN(AlikeStagesTest)
#include "alike_stages_test.moc"
