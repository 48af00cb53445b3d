// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/trace.h"

#include "core/answers/objective.h"
#include "core/base/file.h"
#include "core/document/plan_document.h"
#include "core/document/plan_file.h"
#include "core/project/project.h"
#include "core/search/tournament.h"
#include "tests/base/false_clock.h"
#include "tests/draws.h"
#include "tests/search/random_problem.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <QTest>

#include <algorithm>
#include <cmath>

using namespace pw;

namespace {

constexpr std::uint64_t kTraceSeed = 20261122;

SearchOutcome runTraced(const std::shared_ptr<const Problem>& problem, const SearchOptions& options) {
    SearchObserver nobody;
    auto outcome = search(problem, options, nobody, {});
    if (!outcome)
        qFatal("%s", outcome.error().text().c_str());
    return *std::move(outcome);
}

const Phase* find(const std::vector<Phase>& phases, std::string_view name) {
    for (const Phase& phase : phases)
        if (phase.name == name)
            return &phase;
    return nullptr;
}

std::vector<std::string> pathOf(const std::string& foundBy) {
    std::vector<std::string> path;
    for (std::size_t at = 0; at != std::string::npos;) {
        const std::size_t end = foundBy.find(" / ", at);
        path.push_back(foundBy.substr(at, end - at));
        at = end == std::string::npos ? end : end + 3;
    }
    return path;
}

std::int64_t workOf(const std::vector<Phase>& phases) {
    std::int64_t work = 0;
    for (const Phase& phase : phases)
        work += phase.work;
    return work;
}

// Whether somewhere in the phases one lies within the other as the path says; a phase that comes twice may
// hold the rest of the path only once.
bool hasPath(const std::vector<Phase>& phases, const std::vector<std::string>& path, std::size_t depth = 0) {
    return depth == path.size() || std::any_of(phases.begin(), phases.end(), [&](const Phase& phase) {
               return phase.name == path[depth] && hasPath(phase.within, path, depth + 1);
           });
}

// What lies within a phase takes no longer than it; the best only gets better.
QByteArray wrong(const Phase& phase) {
    constexpr double kRounding = 1e-9;
    if (phase.name.empty() || phase.work < 0 || phase.seconds < 0.0)
        return "a phase without a name, or with negative figures";
    const bool beside = phase.name == "other planners"; // each other, on several threads
    for (const Phase& inner : phase.within)
        if (inner.seconds > phase.seconds + kRounding)
            return QByteArray::fromStdString(phase.name + " takes less time than " + inner.name);
    if (!beside && secondsOf(phase.within) > phase.seconds + kRounding)
        return QByteArray::fromStdString(phase.name + " takes less time than what lies within it");
    if (phase.before.value > 0.0 && (phase.after.value <= 0.0 || phase.after > phase.before))
        return QByteArray::fromStdString(phase.name + " made the best plan worse");
    for (const Phase& inner : phase.within)
        if (const QByteArray found = wrong(inner); !found.isEmpty())
            return found;
    return {};
}

Json withoutTimes(Json document) {
    document.erase("wall_s");
    document.erase("search");
    return document;
}

// Counts what it is told, and whether it is told in order.
class Counting : public TraceSink {
public:
    void entered(std::string_view phase) override {
        open.emplace_back(phase);
        ++phases;
    }
    void left(const Phase& phase) override {
        good = good && !open.empty() && open.back() == phase.name;
        if (!open.empty())
            open.pop_back();
    }
    void happened(LogLevel, const std::string& what) override { said += what + "\n"; }

    std::vector<std::string> open;
    int phases = 0;
    bool good = true;
    std::string said;
};

} // namespace

class TraceTest : public QObject {
    Q_OBJECT

    const std::size_t m_count = static_cast<std::size_t>(test::draws(5, 5));
    std::vector<std::shared_ptr<const Problem>> m_problems;

private Q_SLOTS:
    void initTestCase() {
        qInfo("seed %llu and those behind it", static_cast<unsigned long long>(kTraceSeed));
        for (std::uint64_t seed = kTraceSeed; m_problems.size() < m_count; ++seed) {
            Random random(seed);
            if (auto problem = test::randomProblem(random))
                m_problems.push_back(std::move(problem));
        }
    }

    void recorderKeepsWhatLiesWithin() {
        Counting next;
        PhaseRecorder recorder(&next);
        const test::FalseClock clock(1.0); // of which every look takes a second
        {
            InPhase outer(&recorder, "outer", clock);
            { const InPhase inner(&recorder, "inner", clock); }
            {
                InPhase inner(&recorder, "inner", clock);
                inner.figures()->work = 7;
                const InPhase innermost(&recorder, "innermost", clock);
            }
            recorder.happened(LogLevel::Info, "told");
        }
        { const InPhase after(&recorder, "after", clock); }
        const std::vector<Phase> phases = recorder.take();
        QCOMPARE(phases.size(), std::size_t{2});
        QCOMPARE(phases[0].within.size(), std::size_t{2});
        QCOMPARE(phases[0].within[1].work, std::int64_t{7});
        QCOMPARE(phases[0].seconds, 7.0);
        QCOMPARE(phases[0].within[1].seconds, 3.0);
        QCOMPARE(secondsOf(phases), 8.0);
        QVERIFY(hasPath(phases, {"outer", "inner", "innermost"}) && !hasPath(phases, {"after", "inner"}));
        QVERIFY(next.good && next.open.empty() && next.phases == 5 && next.said == "told\n");
        QVERIFY(recorder.take().empty());
        QVERIFY(InPhase(nullptr, "nobody asks").figures() == nullptr);
    }

    void logSaysWhereItHappened() {
        std::vector<LogEvent> events;
        Log log(LogLevel::Debug, [&](std::string_view line) {
            events.push_back(*readLogLine(line.substr(0, line.size() - 1)));
        });
        TraceLog trace(log, "search");
        {
            const InPhase outer(&trace, "other planners");
            const InPhase inner(&trace, "haap");
            trace.happened(LogLevel::Debug, "a plan");
        }
        trace.happened(LogLevel::Info, "the end");
        std::vector<std::string> told;
        for (const LogEvent& event : events)
            told.push_back(fmt::format("{} {}", name(event.level), event.place));
        QCOMPARE(told, (std::vector<std::string>{
                           "debug search/other planners", "debug search/other planners/haap",
                           "debug search/other planners/haap", "debug search/other planners/haap",
                           "info search/other planners", "info search"}));
    }

    // What ran on other threads is over by the time that it is told: no beginning is written for it.
    void logTellsEndsAloneOfWhatIsOver() {
        std::vector<LogEvent> events;
        Log log(LogLevel::Debug, [&](std::string_view line) {
            events.push_back(*readLogLine(line.substr(0, line.size() - 1)));
        });
        TraceLog trace(log, "search");
        PhaseRecorder recorder(&trace);
        Phase haap;
        haap.name = "haap";
        haap.within.resize(1);
        haap.within[0].name = "hops";
        { InPhase(&recorder, "other planners").add(2.0, {haap}); }
        std::vector<std::string> told;
        told.reserve(events.size());
        for (const LogEvent& event : events)
            told.push_back(event.place + (event.text.find("begins") == 0 ? " begins" : " ends"));
        QCOMPARE(told, (std::vector<std::string>{
                           "search/other planners begins", "search/other planners/haap/hops ends",
                           "search/other planners/haap ends", "search/other planners ends"}));
        QVERIFY(hasPath(recorder.take(), {"other planners", "haap", "hops"}));
    }

    void phasesAddUpAndNest_data() {
        QTest::addColumn<QByteArray>("planner");
        for (const PlannerRow& row : plannerTable())
            QTest::newRow(row.name) << QByteArray(row.name);
    }
    void phasesAddUpAndNest() {
        QFETCH(QByteArray, planner);
        int found = 0;
        for (const auto& problem : m_problems) {
            Counting sink;
            SearchOptions options;
            options.planner = planner.toStdString();
            options.work = 20'000;
            options.trace = &sink;
            const SearchOutcome outcome = runTraced(problem, options);
            QVERIFY(sink.good && sink.open.empty() && !sink.said.empty());
            QVERIFY(outcome.phases.size() >= 2);
            QCOMPARE(outcome.phases.front().name, std::string("space"));
            QCOMPARE(outcome.phases.back().name, std::string("finish"));
            QCOMPARE(workOf(outcome.phases), outcome.work);
            Seconds best;
            for (const Phase& phase : outcome.phases) {
                const QByteArray what = wrong(phase);
                QVERIFY2(what.isEmpty(), what);
                QCOMPARE(phase.before.value, best.value); // nothing is found between two phases
                best = phase.after;
            }
            QCOMPARE(best.value > 0.0, !outcome.plans.empty());
            for (const FoundPlan& plan : outcome.plans) {
                QVERIFY2(hasPath(outcome.phases, pathOf(plan.foundBy)), plan.foundBy.c_str());
                ++found;
            }
            if (!outcome.plans.empty())
                QVERIFY(std::abs(best / outcome.plans.front().evaluation.iteration - 1.0) < 1e-9);

            options.trace = nullptr; // the same search, told to nobody
            const SearchOutcome silent = runTraced(problem, options);
            QVERIFY(silent.phases.empty());
            QCOMPARE(withoutTimes(planDocument(*problem, silent)).dump(),
                     withoutTimes(planDocument(*problem, outcome)).dump());
        }
        QVERIFY(!test::manyDrawn() || found > static_cast<int>(m_count) / 2);
    }

    // Work and time of a planner that another asks stand within the phase that asks, once.
    void otherPlannersStandWithinOnePhase() {
        int asked = 0, best = 0;
        for (std::uint64_t seed = kTraceSeed; asked < 3 && seed < kTraceSeed + 2000; ++seed) {
            Random random(seed);
            const auto problem = test::randomProblem(random);
            TraceSink sink;
            SearchOptions options;
            options.work = 30'000;
            options.trace = &sink;
            const SearchOutcome outcome = runTraced(problem, options);
            const Phase* others = find(outcome.phases, "other planners");
            if (!others)
                continue;
            ++asked;
            const Phase* haap = find(others->within, "haap");
            QVERIFY(haap && find(others->within, "metis"));
            QVERIFY(find(haap->within, "starts") && find(haap->within, "hops") &&
                    find(haap->within, "finish"));
            QVERIFY(!find(haap->within, "bound")); // it is known, and left out
            QCOMPARE(workOf(others->within), others->work);
            // Its plans are judged again by who asked, one candidate each.
            const std::int64_t again = haap->work - workOf(haap->within);
            QVERIFY(again >= 0 && again <= options.top);
            QCOMPARE(workOf(outcome.phases), outcome.work);
            for (const FoundPlan& plan : outcome.plans)
                best += pathOf(plan.foundBy).size() >= 3 ? 1 : 0;
        }
        QVERIFY(asked == 3);
        qInfo("%d plans of other planners", best);
    }

    void widerAxesAreAPhase() {
        TraceSink sink;
        SearchOptions options;
        options.work = 4'000;
        options.wider.schedules = true;
        options.wider.pipelines = 2;
        options.trace = &sink;
        for (const auto& problem : m_problems) {
            const SearchOutcome outcome = runTraced(problem, options);
            const Phase* narrow = find(outcome.phases, "without wider axes");
            const Phase* wider = find(outcome.phases, "wider axes");
            QVERIFY(narrow && find(narrow->within, "space") && find(narrow->within, "finish"));
            if (outcome.plans.empty())
                continue;
            QVERIFY(wider && find(wider->within, "schedules") && find(wider->within, "steps"));
            QCOMPARE(workOf(outcome.phases), outcome.work);
            for (const FoundPlan& plan : outcome.plans)
                QVERIFY2(hasPath(outcome.phases, {pathOf(plan.foundBy).front()}), plan.foundBy.c_str());
        }
    }

    void plansWithoutPartitionsAreAPhase() {
        TraceSink sink;
        SearchOptions options;
        options.work = 20'000;
        options.partitions = true;
        options.trace = &sink;
        int apart = 0;
        for (std::uint64_t seed = kTraceSeed; apart < 2 && seed < kTraceSeed + 2000; ++seed) {
            Random random(seed);
            const auto problem = test::randomProblem(random);
            if (!problem)
                continue;
            const SearchOutcome outcome = runTraced(problem, options);
            QCOMPARE(workOf(outcome.phases), outcome.work);
            const Phase* plain = find(outcome.phases, "without partitions");
            if (!plain)
                continue;
            ++apart;
            QVERIFY(plain->work > 0 && plain->work == workOf(plain->within));
            QVERIFY2(wrong(*plain).isEmpty(), wrong(*plain));
            QCOMPARE(plain->after.value, outcome.plans.front().evaluation.iteration.value);
        }
        QCOMPARE(apart, 2);
    }

    void fineCutsAreAPhase() {
        TraceSink sink;
        SearchOptions options;
        options.work = 20'000;
        options.fineCuts = true;
        options.trace = &sink;
        int cut = 0;
        for (const auto& problem : m_problems)
            cut += find(runTraced(problem, options).phases, "fine cuts") ? 1 : 0; // none where no state fits
        QVERIFY(!test::manyDrawn() || cut > 0);
    }

    void severalSearchesAddUp() {
        TraceSink sink;
        SearchOptions options;
        options.work = 5'000;
        options.trace = &sink;
        TournamentObserver nobody;
        for (std::size_t n = 0; n < std::min<std::size_t>(3, m_problems.size()); ++n) {
            const auto all = searchEach(m_problems[n], options, allPlanners(), nobody, {});
            QVERIFY(all);
            const SearchOutcome overall = all->overall();
            QVERIFY(overall.phases.size() >= 8);
            QCOMPARE(workOf(overall.phases), overall.work);
            for (const Phase& planner : overall.phases)
                QCOMPARE(workOf(planner.within), planner.work);
            const Searcher searcher = [&](const std::shared_ptr<const Problem>& asked) {
                return search(asked, options, nobody, {});
            };
            const auto front = paretoFront(m_problems[n], Objective::Memory, searcher, {});
            QVERIFY(front);
            QCOMPARE(workOf(front->outcome.phases), front->outcome.work);
        }
    }

    void documentsKeepThePhases() {
        TraceSink sink;
        SearchOptions options;
        options.work = 30'000;
        options.trace = &sink;
        int kept = 0;
        for (const auto& problem : m_problems) {
            const SearchOutcome outcome = runTraced(problem, options);
            const Json document = planDocument(*problem, outcome);
            const Json& phases = document["search"]["phases"];
            QCOMPARE(phases.size(), outcome.phases.size());
            QVERIFY(phases[0]["before_s"].is_null());
            for (std::size_t p = 0; p < outcome.plans.size(); ++p, ++kept)
                QCOMPARE(document["plans"][p]["found_by"].get<std::string>(), outcome.plans[p].foundBy);
            SearchOutcome again = outcome;
            const JsonReader reader(document, "plan.json");
            again.phases = phasesOf(reader);
            QVERIFY(reader.status());
            QCOMPARE(planDocument(*problem, again).dump(), document.dump());
        }
        QVERIFY(!test::manyDrawn() || kept > static_cast<int>(m_count) / 2);
        const Json none = Json::object();
        QVERIFY(phasesOf(JsonReader(none, "plan.json")).empty());
    }
};

QTEST_APPLESS_MAIN(TraceTest)
#include "trace_test.moc"
