// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/evaluate/evaluation.h"
#include "core/search/planners.h"
#include "tests/search/sample_problems.h"

#include <QTest>

#include <algorithm>

using namespace pw;

namespace {

// What is told, in its order.
struct Told : SearchObserver {
    void found(const FoundPlan& best) override {
        times.push_back(best.evaluation.iteration.value);
        foundBy.push_back(best.foundBy);
        beforeBound += bound <= 0.0 ? 1 : 0;
    }
    void progress(const SearchProgress& progress) override {
        bound = progress.bound.value;
        mostWork = std::max(mostWork, progress.work);
    }
    std::vector<double> times;
    std::vector<std::string> foundBy;
    double bound = 0.0;
    int beforeBound = 0;
    std::int64_t mostWork = 0;
};

SearchOutcome plannedAt(const std::shared_ptr<const Problem>& problem, SearchObserver& observer,
                        std::int64_t work = 0) {
    SearchOptions options;
    options.work = work;
    auto outcome = search(problem, options, observer, {});
    if (!outcome)
        qFatal("%s", outcome.error().text().c_str());
    return *std::move(outcome);
}

Cluster sixKinds() {
    std::vector<test::DrawnNode> nodes;
    for (const auto& [kind, gigabits] :
         std::initializer_list<std::pair<const char*, double>>{{"H100-SXM-80GB", 1600.0},
                                                               {"H200-141GB", 1600.0},
                                                               {"A100-SXM4-80GB", 800.0},
                                                               {"A100-SXM4-40GB", 800.0},
                                                               {"V100-SXM2-32GB", 25.0},
                                                               {"L40S-48GB", 25.0}})
        nodes.insert(nodes.end(), 12, {kind, 8, gigabits});
    return test::drawnCluster(nodes);
}

} // namespace

class FirstPlanTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void isThereBeforeAnyBoundAndNotFarFromTheLast_data() {
        QTest::addColumn<QString>("cluster");
        QTest::addColumn<QString>("model");
        QTest::addColumn<int>("gbs");
        QTest::newRow("dense") << "mixed-1024"
                               << "llama3-70b" << 2048;
        QTest::newRow("experts") << "mixed-1024"
                                 << "mixtral-8x7b" << 1024;
        QTest::newRow("small model") << "mixed-1024"
                                     << "gpt3-1.3b" << 1536;
    }
    void isThereBeforeAnyBoundAndNotFarFromTheLast() {
        QFETCH(QString, cluster);
        QFETCH(QString, model);
        QFETCH(int, gbs);
        const auto problem =
            test::problemOf(cluster.isEmpty() ? sixKinds() : test::sampleCluster(cluster.toStdString()),
                            test::sampleModel(model.toStdString()), gbs, 2048);
        Told told;
        const SearchOutcome outcome = plannedAt(problem, told);
        QVERIFY(!outcome.plans.empty());
        QVERIFY(told.beforeBound > 0);
        QCOMPARE(told.foundBy.front(), std::string("first plan"));
        // The last of them: a plan of the first spaces is one like any other once all spaces are there.
        const auto first = static_cast<std::size_t>(std::ranges::count(told.foundBy, "first plan"));
        QVERIFY(told.times[first - 1] <= 1.5 * outcome.plans.front().evaluation.iteration.value);
        QVERIFY(std::ranges::is_sorted(told.times, std::ranges::greater()));
    }

    // Where the search ends before all spaces are built, and where it ends right behind that.
    void isWhatASearchWithoutWorkReturns() {
        const auto problem =
            test::problemOf(test::sampleCluster("mixed-1024"), test::sampleModel("llama3-70b"), 2048, 4096);
        for (const std::int64_t work : {2'000, 20'000, 60'000}) {
            Told told;
            const SearchOutcome outcome = plannedAt(problem, told, work);
            QVERIFY(!outcome.plans.empty());
            for (std::size_t i = 0; i < outcome.plans.size(); ++i) {
                const auto again = evaluate(*problem, outcome.plans[i].plan);
                QVERIFY(again && again->feasible);
                QCOMPARE(again->iteration.value, outcome.plans[i].evaluation.iteration.value);
                for (std::size_t j = 0; j < i; ++j)
                    QVERIFY(!(outcome.plans[j].plan == outcome.plans[i].plan));
            }
            QVERIFY(outcome.plans.front().evaluation.iteration >= outcome.bound.value);
            QVERIFY(told.mostWork > 0 && told.mostWork <= work); // never past 100 %
        }
    }

    // What has no plan keeps its reason.
    void leavesInfeasibleProblemsAsTheyAre() {
        Space few;
        few.maxStages = few.maxTp = few.maxCp = 1;
        const auto problem = test::problemOf(test::sampleCluster("mixed-1024"),
                                             test::sampleModel("llama3-405b"), 7, 8192, few);
        Told told;
        const SearchOutcome outcome = plannedAt(problem, told);
        QVERIFY(outcome.plans.empty() && told.times.empty());
        QCOMPARE(outcome.status, SearchStatus::Infeasible);
        QVERIFY(!outcome.reasons.empty());
    }
};

QTEST_APPLESS_MAIN(FirstPlanTest)
#include "first_plan_test.moc"
