// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/document/plan_document.h"
#include "core/search/planners.h"
#include "tests/search/planned.h"
#include "tests/search/random_problem.h"
#include "tests/search/sample_problems.h"

#include <nlohmann/json.hpp>

#include <QTest>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

using namespace pw;

namespace {

constexpr std::uint64_t kDifferingSeed = 60718;
constexpr int kDifferingProblems = 30;

SearchOutcome runDiffering(const std::shared_ptr<const Problem>& problem, const char* planner,
                           std::int64_t work, int top, int threads = 0, std::stop_token stop = {}) {
    SearchOptions options;
    options.planner = planner;
    options.work = work;
    options.top = top;
    options.threads = threads;
    SearchObserver nobody;
    auto outcome = search(problem, options, nobody, std::move(stop));
    if (!outcome)
        qFatal("%s", outcome.error().text().c_str());
    return *std::move(outcome);
}

// Seconds by what sets a plan apart, of the whole list and what stands behind it.
std::map<Difference, double> timesOf(const SearchOutcome& outcome) {
    std::map<Difference, double> times;
    for (const std::vector<FoundPlan>* plans : {&outcome.plans, &outcome.differing})
        for (const FoundPlan& found : *plans)
            for (const Difference by : found.differs)
                times[by] = found.evaluation.iteration.value;
    return times;
}

bool areAlike(const std::map<Difference, double>& a, const std::map<Difference, double>& b) {
    return std::ranges::equal(a, b, [](const auto& x, const auto& y) {
        return x.first == y.first && std::abs(x.second - y.second) <= 1e-9 * x.second;
    });
}

// Legal, as it is judged, in order, in time, not among the best, and what is said of it.
QString faultOf(const Problem& problem, const SearchOutcome& outcome) {
    if (outcome.plans.empty())
        return outcome.differing.empty() ? QString() : QStringLiteral("differs from nothing");
    const FoundPlan& first = outcome.plans.front();
    if (!first.differs.empty())
        return QStringLiteral("the fastest differs from itself");
    const PlanTraits fastest = traitsOf(problem, first.plan, first.evaluation);
    std::set<std::string> keys;
    std::set<Difference> known;
    for (const FoundPlan& found : outcome.plans)
        keys.insert(canonicalKey(found.plan));
    double before = 0.0;
    for (const FoundPlan& found : outcome.differing) {
        if (found.differs.empty() || found.foundBy.empty())
            return QStringLiteral("without a reason");
        if (!keys.insert(canonicalKey(found.plan)).second)
            return QStringLiteral("twice");
        if (found.evaluation.iteration.value < before)
            return QStringLiteral("not by time");
        before = found.evaluation.iteration.value;
        const auto again = evaluate(problem, found.plan);
        if (!again || !again->feasible || again->iteration.value != found.evaluation.iteration.value)
            return QStringLiteral("not as it is judged");
    }
    for (const std::vector<FoundPlan>* plans : {&outcome.plans, &outcome.differing})
        for (const FoundPlan& found : *plans)
            for (const Difference by : found.differs) {
                const PlanTraits traits = traitsOf(problem, found.plan, found.evaluation);
                if (!known.insert(by).second)
                    return QStringLiteral("two of a kind");
                if (!isSetApart(by, fastest, traits) || traits.iteration > kMostTime * fastest.iteration)
                    return QStringLiteral("not ") + QLatin1String(name(by));
            }
    return {};
}

} // namespace

// A search keeps what it meets that differs, beside its best plans.
class DifferingTest : public QObject {
    Q_OBJECT

private:
    std::vector<std::shared_ptr<const Problem>> m_problems; // that can all be tried

private Q_SLOTS:
    void initTestCase() {
        qInfo("seed %llu", static_cast<unsigned long long>(kDifferingSeed));
        Random random(kDifferingSeed);
        while (m_problems.size() < kDifferingProblems) {
            const auto problem = test::randomProblem(random);
            const SearchOutcome all = runDiffering(problem, "exhaustive", 3000, 1);
            if (all.status == SearchStatus::Optimal)
                m_problems.push_back(problem);
        }
    }

    // Who tries every plan meets every plan: a short list and what stands behind it are what a list of all
    // says.
    void nothingThatIsMetIsLost() {
        std::map<Difference, int> counts;
        for (const auto& problem : m_problems) {
            const SearchOutcome all = runDiffering(problem, "exhaustive", 3000, 100'000);
            QVERIFY2(all.differing.empty(), "every plan is among the best");
            for (const int top : {1, 3}) {
                const SearchOutcome few = runDiffering(problem, "exhaustive", 3000, top);
                const QString fault = faultOf(*problem, few);
                QVERIFY2(fault.isEmpty(), qPrintable(fault));
                QVERIFY(few.plans.size() <= static_cast<std::size_t>(top));
                QVERIFY2(areAlike(timesOf(few), timesOf(all)), qPrintable(QString::number(top)));
            }
            for (const auto& [by, time] : timesOf(all))
                ++counts[by];
        }
        for (const DifferenceRow& row : differenceTable())
            qInfo("%s: %d", row.name, counts[row.difference]);
        QVERIFY(counts.size() >= 4);
    }

    // Every planner's, and the best plans are those that it has found without.
    void everyPlannerKeepsSome() {
        std::set<std::string> keepers;
        for (const auto& problem :
             {test::problemOf(test::sampleCluster("mixed-16"), test::sampleModel("gpt3-1.3b"), 256, 2048),
              test::problemOf(test::sampleCluster("v100-32"), test::sampleModel("llama2-7b"), 512, 2048)})
            for (const PlannerRow& planner : plannerTable()) {
                if (planner.hopeless && planner.hopeless(*problem))
                    continue;
                const SearchOutcome outcome = runDiffering(problem, planner.name, 30'000, 4);
                const QString fault = faultOf(*problem, outcome);
                QVERIFY2(fault.isEmpty(), qPrintable(QLatin1String(planner.name) + ": " + fault));
                if (!outcome.differing.empty())
                    keepers.insert(planner.name);
            }
        QVERIFY2(keepers.contains("pipewright") && keepers.size() >= 4,
                 qPrintable(QString::number(keepers.size())));
    }

    // The default planner on a cluster of two kinds: what one kind alone does is met and said,
    // and what fits with a greater chance than the fastest.
    void theDefaultPlannerMeetsFewerGpus() {
        const auto problem =
            test::problemOf(test::sampleCluster("mixed-16"), test::sampleModel("gpt3-1.3b"), 256, 2048);
        const SearchOutcome outcome = test::planned(problem, "pipewright");
        const std::map<Difference, double> times = timesOf(outcome);
        for (const Difference by : {Difference::HalfTheGpus, Difference::FewerGpus, Difference::LessMemory,
                                    Difference::SurerToFit, Difference::OtherSchedule})
            QVERIFY2(times.contains(by), name(by));
        QVERIFY(times.at(Difference::HalfTheGpus) >= times.at(Difference::FewerGpus));
    }

    void nothingDependsOnTheThreads() {
        const auto problem =
            test::problemOf(test::sampleCluster("mixed-16"), test::sampleModel("llama3-8b"), 256, 2048);
        for (const char* planner : {"pipewright", "haap", "hyperpipe"}) {
            std::set<std::string> documents;
            for (const int threads : {1, 2, 5}) {
                Json document = planDocument(*problem, runDiffering(problem, planner, 40'000, 4, threads));
                leaveOutRunTimes(document);
                documents.insert(document["differing"].dump() + document["plans"].dump());
            }
            QVERIFY2(documents.size() == 1, planner);
        }
    }

    // Axes beyond the default Space are searched in parts: what one of them has met counts for the whole.
    void widerSearchesKeepWhatTheirPartsMet() {
        const auto problem =
            test::problemOf(test::drawnCluster({{"A100-SXM4-40GB", 4}, {"V100-SXM2-16GB", 4}}),
                            test::sampleModel("gpt3-1.3b"), 64, 2048);
        SearchOptions options;
        options.work = 40'000;
        options.wider.schedules = true;
        SearchObserver nobody;
        const auto outcome = search(problem, options, nobody, {});
        QVERIFY(outcome && !outcome->plans.empty());
        const QString fault = faultOf(*problem, *outcome);
        QVERIFY2(fault.isEmpty(), qPrintable(fault));
        QVERIFY(!timesOf(*outcome).empty());
    }

    void whoIsStoppedSaysNothingWrong() {
        const auto problem =
            test::problemOf(test::sampleCluster("mixed-64"), test::sampleModel("llama3-70b"), 256, 4096);
        std::stop_source source;
        source.request_stop();
        const SearchOutcome outcome = runDiffering(problem, "pipewright", 0, 4, 0, source.get_token());
        const QString fault = faultOf(*problem, outcome);
        QVERIFY2(fault.isEmpty(), qPrintable(fault));
    }

    // Lists that were put together or cut are marked anew.
    void listsAreMarkedAnew() {
        const auto problem =
            test::problemOf(test::sampleCluster("mixed-16"), test::sampleModel("gpt3-1.3b"), 256, 2048);
        SearchOutcome outcome = runDiffering(problem, "pipewright", 40'000, 6);
        QVERIFY(!outcome.differing.empty());
        const std::map<Difference, double> times = timesOf(outcome);
        // All of it in one list, in any order behind the first.
        SearchOutcome one = outcome;
        one.plans.insert(one.plans.end(), outcome.differing.begin(), outcome.differing.end());
        markDifferences(*problem, one.plans, one.differing);
        QVERIFY(one.differing.empty());
        QVERIFY(timesOf(one) == times);
        // Only the first: what was marked is behind it, once.
        SearchOutcome cut = outcome;
        cut.plans.resize(1);
        cut.differing.insert(cut.differing.end(), outcome.plans.begin(), outcome.plans.end());
        std::reverse(cut.differing.begin(), cut.differing.end());
        markDifferences(*problem, cut.plans, cut.differing);
        QVERIFY(timesOf(cut) == times);
        QVERIFY2(faultOf(*problem, cut).isEmpty(), qPrintable(faultOf(*problem, cut)));
        // Without a first one nothing differs.
        cut.plans.clear();
        markDifferences(*problem, cut.plans, cut.differing);
        QVERIFY(cut.differing.empty());
    }
};

QTEST_APPLESS_MAIN(DifferingTest)
#include "differing_test.moc"
