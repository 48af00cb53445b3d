// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/random.h"
#include "core/search/pipewright/launch_steps.h"
#include "core/search/proof/scope_coverage.h"
#include "tests/search/drawn_clusters.h"
#include "tests/search/planned.h"
#include "tests/search/random_problem.h"

#include <QTest>

#include <nlohmann/json.hpp>

#include <random>

using namespace pw;

namespace {

// Seconds; infinity where the plan does not fit or cannot progress.
double timeOf(const Problem& problem, const Plan& plan) {
    const Result<Evaluation> judged = evaluate(problem, plan, {.keepOps = false});
    if (judged && judged->feasible)
        return judged->iteration.value;
    return kNever;
}

bool isPipeline(const Plan& plan) {
    return plan.pipelines.size() == 1 && plan.pipelines.front().stages.size() > 1 &&
           plan.pipelines.front().schedule.chunks == 1 &&
           plan.pipelines.front().schedule.kind == ScheduleKind::H1F1B;
}

} // namespace

class LaunchStepsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // From a plan whose launch counts were moved away from the rule's, as far as the schedule allows: the
    // steps never lose, end where no step of theirs brings anything, and change nothing else.
    void stepsEndWhereNoneBringsAnything() {
        const std::uint64_t seed = std::random_device{}();
        qInfo("seed %llu", static_cast<unsigned long long>(seed));
        int better = 0, judged = 0;
        for (int draw = 0; draw < 40 && judged < 12; ++draw) {
            Random random(seed + static_cast<std::uint64_t>(draw));
            const test::DrawnProblem drawn = test::drawProblem(random, 8);
            if (!drawn.problem)
                continue;
            const Problem& problem = *drawn.problem;
            const SearchOutcome found = test::planned(drawn.problem, "harp");
            if (found.plans.empty() || !isPipeline(found.plans.front().plan))
                continue;
            Plan start = found.plans.front().plan;
            const auto microbatches = static_cast<int>(start.pipelines.front().microbatches);
            std::vector<int>& launch = start.pipelines.front().schedule.launch;
            for (std::size_t i = 0; i + 1 < launch.size(); ++i) // GPipe's, as far as it fits
                launch[i] = std::max(launch[i], microbatches / 2);
            if (timeOf(problem, start) == kNever)
                start = found.plans.front().plan;
            SearchObserver nobody;
            const SearchOptions options;
            SearchRun run(problem, options, 1'000'000'000, nobody, {});
            const double before = run.consider(start);
            if (!(before < kNever))
                continue;
            ++judged;
            const bool stepped = stepLaunches(run, 1'000'000'000);
            const std::shared_ptr<const FoundPlan> best = run.bestPlan();
            QVERIFY(best && run.best() <= before && stepped == (run.best() < before));
            better += stepped ? 1 : 0;
            QVERIFY2(coveredByBound(problem, best->plan) || !coveredByBound(problem, start),
                     qPrintable(QStringLiteral("draw %1").arg(draw)));
            Plan same = best->plan;
            same.pipelines.front().schedule.launch = start.pipelines.front().schedule.launch;
            QVERIFY(same == start);
            const std::vector<int>& now = best->plan.pipelines.front().schedule.launch;
            for (std::size_t last = 0; last + 1 < now.size(); ++last)
                for (const std::size_t first : {std::size_t{0}, last})
                    for (const int by : {1, -1}) {
                        Plan next = best->plan;
                        std::vector<int>& list = next.pipelines.front().schedule.launch;
                        for (std::size_t i = first; i <= last; ++i)
                            list[i] += by;
                        bool allowed = first == 0 || list[first - 1] >= list[first];
                        for (std::size_t i = first; i <= last; ++i)
                            allowed = allowed && list[i] >= list[i + 1] &&
                                      list[i] >= std::min(static_cast<int>(list.size() - i), microbatches);
                        if (allowed)
                            QVERIFY2(timeOf(problem, next) > run.best() * (1.0 - 1e-3),
                                     qPrintable(QStringLiteral("draw %1, stage %2").arg(draw).arg(last)));
                    }
        }
        qInfo("%d pipelines, %d faster", judged, better);
        QVERIFY(judged >= 6 && better > 0);
    }

    // What is said to be proven of all launch counts holds for all, and what trying all plans proves says
    // that it speaks of the rules' counts: plans with others are none of it.
    void whatIsProvenHoldsForOtherLaunchCounts() {
        const std::uint64_t seed = std::random_device{}();
        qInfo("seed %llu", static_cast<unsigned long long>(seed));
        int ruled = 0, outside = 0, inside = 0;
        for (int draw = 0; draw < 400 && (outside < 20 || ruled < 6); ++draw) {
            Random random(seed + static_cast<std::uint64_t>(draw));
            const std::shared_ptr<const Problem> problem = test::randomProblem(random);
            if (!problem)
                continue;
            const SearchOutcome found = test::planned(problem, "pipewright");
            if (found.plans.empty())
                continue;
            const ProofScope& scope = found.bound.scope;
            ruled += scope.ruledLaunches ? 1 : 0;
            const Json written = toJson(scope);
            QVERIFY(scope.wider.any() || proofScopeFromJson(JsonReader(written, "scope")) == scope);
            QCOMPARE(scope.text().find("launch counts by rule") != std::string::npos, scope.ruledLaunches);
            QVERIFY(!found.covered || contains(scope, *problem, found.plans.front().plan));
            for (const FoundPlan& each : found.plans) {
                if (!isPipeline(each.plan))
                    continue;
                for (const int by : {-1, 1, 2}) {
                    Plan other = each.plan;
                    int& first = other.pipelines.front().schedule.launch.front();
                    first = std::max(first + by, other.pipelines.front().schedule.launch[1]);
                    const double time = timeOf(*problem, other);
                    if (time == kNever)
                        continue;
                    ProofScope any = scope; // what is proven whatever the launch counts are
                    any.ruledLaunches = false;
                    QVERIFY(!contains(any, *problem, other) ||
                            found.bound.ofAnyLaunches().value <= time * (1.0 + 1e-9));
                    const bool spokenOf = contains(scope, *problem, other);
                    ++(spokenOf ? inside : outside);
                    QVERIFY2(!spokenOf || found.bound.value.value <= time * (1.0 + 1e-9),
                             qPrintable(QStringLiteral("draw %1: %2 s under %3 s")
                                            .arg(draw)
                                            .arg(time)
                                            .arg(found.bound.value.value)));
                }
            }
        }
        qInfo("%d proofs by rule; %d plans outside, %d inside", ruled, outside, inside);
        QVERIFY(ruled >= 6 && outside >= 20 && inside > 0);
    }
};

QTEST_GUILESS_MAIN(LaunchStepsTest)
#include "launch_steps_test.moc"
