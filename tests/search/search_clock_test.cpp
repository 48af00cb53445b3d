// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/planners.h"
#include "tests/base/false_clock.h"
#include "tests/project/small_project.h"

#include <QTest>

using namespace pw;
using test::FalseClock;

namespace {

constexpr std::int64_t kWorkGiven = 20'000;
constexpr double kLimit = 5.0; // s

// Lets so many seconds go by as soon as there is a plan.
class AdvanceAtFirstPlan : public SearchObserver {
public:
    AdvanceAtFirstPlan(FalseClock& clock, double seconds) : m_clock(clock), m_seconds(seconds) {}
    void found(const FoundPlan&) override {
        m_clock.advance(m_seconds);
        m_seconds = 0.0;
    }

private:
    FalseClock& m_clock;
    double m_seconds;
};

SearchOutcome limitedSearch(const FalseClock& clock, SearchObserver& observer) {
    const Project project = smallProject();
    const auto problem = Problem::make(project.cluster, *project.model, project.recipe, {});
    if (!problem)
        qFatal("%s", problem.error().text().c_str());
    SearchOptions options;
    options.planner = "exhaustive"; // which does not end before its work does
    options.work = kWorkGiven;
    options.timeLimit = kLimit;
    options.threads = 1;
    options.clock = &clock;
    auto outcome = search(*problem, options, observer, {});
    if (!outcome)
        qFatal("%s", outcome.error().text().c_str());
    return *std::move(outcome);
}

} // namespace

// A search knows no time but its clock's.
class SearchClockTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whereNoTimePassesNoLimitIsMet() {
        const FalseClock clock;
        SearchObserver nobody;
        const SearchOutcome outcome = limitedSearch(clock, nobody);
        QVERIFY(!outcome.timeLimit);
        QCOMPARE(outcome.status, SearchStatus::Budget);
        QVERIFY(outcome.work >= kWorkGiven);
        QCOMPARE(outcome.wall, 0.0);
    }

    void theLimitEndsIt_data() {
        QTest::addColumn<double>("passed");
        QTest::addColumn<bool>("ended");
        QTest::newRow("before it") << kLimit - 0.5 << false;
        QTest::newRow("at it") << kLimit << true;
        QTest::newRow("behind it") << kLimit + 60.0 << true;
    }
    void theLimitEndsIt() {
        QFETCH(double, passed);
        QFETCH(bool, ended);
        FalseClock clock;
        AdvanceAtFirstPlan observer(clock, passed);
        const SearchOutcome outcome = limitedSearch(clock, observer);
        QCOMPARE(outcome.timeLimit, ended);
        QCOMPARE(outcome.status, SearchStatus::Budget);
        QCOMPARE(outcome.work < kWorkGiven, ended);
        QVERIFY(!outcome.plans.empty()); // the plan that was found when time was up is told all the same
        QCOMPARE(outcome.wall, passed);
    }

    void theSameClockTellsTheSame() {
        const auto plansWithin = [](double perLook) {
            const FalseClock clock(perLook);
            SearchObserver nobody;
            const SearchOutcome outcome = limitedSearch(clock, nobody);
            return std::pair(outcome.work, outcome.timeLimit);
        };
        for (const double perLook : {0.0005, 0.005, 2.0}) {
            QVERIFY(plansWithin(perLook).second);
            QVERIFY(plansWithin(perLook) == plansWithin(perLook));
        }
        QVERIFY(plansWithin(0.005).first < plansWithin(0.0005).first);
    }
};

QTEST_APPLESS_MAIN(SearchClockTest)
#include "search_clock_test.moc"
