// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/document/plan_document.h"
#include "core/document/plan_file.h"
#include "core/document/search_summary.h"
#include "core/evaluate/utilisation.h"
#include "core/search/baselines/grid_search.h"
#include "core/search/planners.h"
#include "core/search/proof/capacity_bound.h"
#include "core/search/proof/launch_count_bound.h"
#include "core/search/space/coverage.h"
#include "core/search/space/uniform_grid.h"
#include "core/search/tournament.h"
#include "tests/base/false_clock.h"
#include "tests/draws.h"
#include "tests/search/random_problem.h"

#include <nlohmann/json.hpp>

#include <QTest>

#include <cmath>
#include <limits>

using namespace pw;

namespace {

constexpr std::uint64_t kPlannersSeed = 20260117;
const int kPlannerProblems = test::draws(200, 200);
constexpr std::int64_t kWork = 20'000; // of each planner on each problem

SearchOutcome runPlanner(const std::shared_ptr<const Problem>& problem, const char* planner,
                         const SearchOptions& given = {}, std::stop_token stop = {}) {
    SearchOptions options = given;
    options.planner = planner;
    SearchObserver nobody;
    auto outcome = search(problem, options, nobody, std::move(stop));
    if (!outcome)
        qFatal("%s", outcome.error().text().c_str());
    return *std::move(outcome);
}

double timeOf(const FoundPlan& found) {
    return found.evaluation.iteration.value;
}

QByteArray at(std::uint64_t seed, const char* planner) {
    return "seed " + QByteArray::number(static_cast<qulonglong>(seed)) + ", " + planner;
}

// Sharded gradients or weights on one stage, which no bound over chains speaks of: they are tried one by one.
bool isSharded(const Plan& plan) {
    return plan.pipelines.front().stages.front().zero >= 2;
}

Json without(Json document, std::initializer_list<const char*> keys) {
    for (const char* key : keys)
        document.erase(key);
    return document;
}

} // namespace

// What holds for every row of the planner table, on problems drawn at random.
class PlannersTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        qInfo("seed %llu and those behind it", static_cast<unsigned long long>(kPlannersSeed));
        SearchOptions options;
        options.work = kWork;
        TournamentObserver nobody;
        for (std::uint64_t seed = kPlannersSeed; std::ssize(m_cases) < kPlannerProblems; ++seed) {
            Random random(seed);
            const auto problem = test::randomProblem(random);
            QVERIFY(problem);
            auto all = searchEach(problem, options, allPlanners(), nobody, {});
            QVERIFY2(all, all ? "" : all.error().text().c_str());
            m_cases.push_back({seed, problem, *std::move(all)});
        }
    }

    // Legal, within memory, in order, different, and what evaluate() says of it.
    void plansStandOnTheirOwn() {
        std::map<std::string, int> found;
        for (const Case& c : m_cases)
            for (const TournamentRow& row : c.all.rows) {
                double before = 0.0, fill = 0.0;
                std::set<std::string> keys;
                for (const FoundPlan& plan : row.outcome.plans) {
                    const Status sound = checkPlan(*c.problem, plan.plan, "");
                    QVERIFY2(sound, sound ? "" : sound.error().text().c_str());
                    const auto again = evaluate(*c.problem, plan.plan);
                    QVERIFY2(again && again->feasible && again->iteration.value == timeOf(plan),
                             at(c.seed, row.planner->name));
                    QVERIFY2(!takesLess(timeOf(plan), before), at(c.seed, row.planner->name));
                    // Of plans that take as long the one that needs less memory.
                    QVERIFY2(takesLess(before, timeOf(plan)) || fullestShare(plan.evaluation) >= fill,
                             at(c.seed, row.planner->name));
                    before = timeOf(plan);
                    fill = fullestShare(plan.evaluation);
                    QVERIFY2(keys.insert(canonicalKey(plan.plan)).second, at(c.seed, row.planner->name));
                }
                found[row.planner->name] += !row.outcome.plans.empty();
                QCOMPARE(!row.refusal, !row.outcome.plans.empty());
            }
        for (const auto& [name, count] : found) {
            qInfo("%s: a plan on %d of %d problems", name.c_str(), count, kPlannerProblems);
            QVERIFY(count > kPlannerProblems / 10);
        }
    }

    // On one GPU all schedules take as long; the one that holds one micro-batch is the plan, however many are
    // asked for.
    void amongEqualsTheLeastMemory() {
        Cluster cluster;
        Node& node = cluster.nodes.emplace_back();
        node.id = "n1";
        node.kind = "H100-SXM-80GB";
        node.gpus = 1;
        Random random(kPlannersSeed);
        const Model model = test::randomModel(random);
        Recipe recipe;
        recipe.gbs = 16;
        recipe.seq = 256;
        recipe.mbs = {1};
        const auto problem = Problem::make(cluster, model, recipe, {}, Space{});
        QVERIFY2(problem, problem ? "" : problem.error().text().c_str());
        for (const int plans : {1, 8})
            for (const char* planner : {"pipewright", "exhaustive"}) {
                SearchOptions options;
                options.top = plans;
                const SearchOutcome found = runPlanner(*problem, planner, options);
                QVERIFY(!found.plans.empty());
                QCOMPARE(found.plans.front().evaluation.pipelines.front().stages.front().inFlight, 1);
            }
    }

    // A bound stands beside a plan only if it covers it, and is then below it, as are the plans of all others
    // that it covers.
    void boundsAreBelowThePlansBesideThem() {
        int covered = 0, outside = 0, below = 0, ofAnyShape = 0, inAnyOrder = 0;
        for (const Case& c : m_cases) {
            for (const TournamentRow& row : c.all.rows) {
                const SearchOutcome& o = row.outcome;
                if (o.plans.empty())
                    continue;
                const bool own = coveredByBound(*c.problem, o.plans.front().plan) ||
                                 (isSharded(o.plans.front().plan) && !o.bound.scope.sharded.empty());
                const bool any = CapacityBound(*c.problem).covers(o.plans.front().plan);
                QCOMPARE(o.covered, own || any);
                const bool anyOrder = o.bound.scope.family == ProofScope::Family::AnyOrder;
                QCOMPARE(o.bound.kind == CapacityBound::kKind || anyOrder, any && !own);
                if (anyOrder)
                    for (const TournamentRow& other : c.all.rows)
                        for (const FoundPlan& plan : other.outcome.plans)
                            if (coveredByBound(*c.problem, plan.plan, ChainOrder::Any)) {
                                ++inAnyOrder;
                                QVERIFY2(timeOf(plan) >= o.bound.value.value * (1 - 1e-9),
                                         at(c.seed, other.planner->name));
                            }
                QVERIFY2(o.covered || o.bound.value.value == 0.0, at(c.seed, row.planner->name));
                ofAnyShape += any && !own ? 1 : 0;
                QVERIFY2(o.bound.value.value <= timeOf(o.plans.front()) * (1 + 1e-9),
                         at(c.seed, row.planner->name));
                QCOMPARE(c.all.gap(row).has_value(), o.covered && c.all.boundOf(row).value.value > 0.0);
                QVERIFY(c.all.gap(row).value_or(0.0) >= -1e-9);
                for (const FoundPlan& plan : o.plans) {
                    if (coveredByBound(*c.problem, plan.plan)) {
                        ++covered;
                        QVERIFY2(timeOf(plan) >= c.all.bound.value.value * (1 - 1e-9),
                                 at(c.seed, row.planner->name));
                    } else {
                        ++outside;
                        below += timeOf(plan) < c.all.bound.value.value * (1 - 1e-9);
                    }
                }
            }
            const SearchOutcome overall = c.all.overall();
            for (const FoundPlan& plan : overall.plans)
                QVERIFY(overall.bound.value.value <= timeOf(plan) * (1 + 1e-9));
        }
        qInfo("%d plans covered, %d not, of which %d are faster than the bound", covered, outside, below);
        QVERIFY(covered > kPlannerProblems);
        QVERIFY((outside > 50 && ofAnyShape > 5 && inAnyOrder > 5) || !test::manyDrawn());
        QVERIFY(below > 0 || !test::manyDrawn()); // else telling them apart proves nothing
    }

    void chainPlannersStayCovered() {
        for (const Case& c : m_cases)
            for (const TournamentRow& row : c.all.rows)
                if (row.planner->name == std::string("pipewright") ||
                    row.planner->name == std::string("exhaustive"))
                    for (const FoundPlan& plan : row.outcome.plans)
                        QVERIFY2(coveredByBound(*c.problem, plan.plan) || isSharded(plan.plan),
                                 at(c.seed, row.planner->name));
    }

    void whatBoundsDoNotSpeakOf() {
        int tried = 0, mixed = 0;
        for (const Case& c : m_cases) {
            const SearchOutcome& first = c.all.rows.front().outcome;
            if (first.plans.empty() || first.plans.front().plan.pipelines[0].stages.size() < 2)
                continue;
            ++tried;
            const Plan& good = first.plans.front().plan;
            const auto covers = [&](const std::function<void(Pipeline&)>& change) {
                Plan other = good;
                change(other.pipelines.front());
                return coveredByBound(*c.problem, other);
            };
            QVERIFY(covers([](Pipeline&) {}));
            QVERIFY(!covers([](Pipeline& p) { p.schedule.kind = ScheduleKind::ZbH1; }));
            QVERIFY(!covers([](Pipeline& p) { p.schedule.launch.assign(p.stages.size(), 0); }));
            QVERIFY(!covers([](Pipeline& p) { ++p.stages[0].chunks[0].last; }));
            QVERIFY(!covers([](Pipeline& p) { p.stages[0].chunks[0].last = 0; })); // the embedding alone
            QVERIFY(!covers([](Pipeline& p) { p.stages[0].zero = 2; }));
            QVERIFY(!covers([](Pipeline& p) { p.stages[0].cp *= 2; }));
            QVERIFY(!covers([](Pipeline& p) { p.stages[0].replicas[0].share *= 0.5; }));
            const auto kindOf = [&](const Stage& stage) {
                return c.problem->topology().kindOf(stage.replicas[0].devices[0]).name;
            };
            if (kindOf(good.pipelines[0].stages.front()) == kindOf(good.pipelines[0].stages.back()))
                continue;
            ++mixed;
            QVERIFY(!covers([](Pipeline& p) {
                auto& a = p.stages.front().replicas;
                a.insert(a.end(), p.stages.back().replicas.begin(), p.stages.back().replicas.end());
                for (Replica& r : a)
                    r.share = 1.0 / static_cast<double>(a.size());
            }));
        }
        QVERIFY((tried > 20 && mixed > 5) || !test::manyDrawn());
    }

    // The bound that orders the grids is below their simulated times, so what the planner leaves out is no
    // better than what it has. All of them belong to the Space: neither the default planner nor the bound is
    // above any.
    void megatronIsTheBestOfItsGrids() {
        int compared = 0, interleaved = 0, won = 0;
        for (std::size_t n = 0; n < m_cases.size(); n += 2) {
            const Case& c = m_cases[n];
            const SearchOutcome outcome = runPlanner(c.problem, "megatron");
            SearchOptions options;
            SearchObserver nobody;
            SearchRun own(*c.problem, options, std::numeric_limits<std::int64_t>::max(), nobody, {});
            double best = std::numeric_limits<double>::infinity();
            for (const GpuPool& pool : gpuPools(*c.problem))
                for (const UniformGrid& grid : uniformGrids(own, pool)) {
                    const Plan plan = planOf(*c.problem, pool, grid);
                    const auto e = evaluate(*c.problem, own.table(), plan);
                    if (!e)
                        continue;
                    QVERIFY2(grid.least <= e->iteration.value, at(c.seed, "megatron"));
                    if (e->feasible)
                        best = std::min(best, e->iteration.value);
                    interleaved += grid.chunks > 1;
                    ++compared;
                    QVERIFY2(isUniformGrid(*c.problem, plan), at(c.seed, "megatron"));
                    Plan other = plan; // another part of the same batch a micro-batch, unevenly
                    other.pipelines[0].stages[0].replicas[0].share *= 0.5;
                    QVERIFY(!isUniformGrid(*c.problem, other));
                    other = plan;
                    std::swap(other.pipelines[0].stages.front().chunks.front().last,
                              other.pipelines[0].stages.back().chunks.back().last);
                    QVERIFY(other == plan || !isUniformGrid(*c.problem, other));
                }
            const auto never = [] { return false; };
            constexpr double kForever = std::numeric_limits<double>::infinity();
            QCOMPARE(leastOfGrids(*c.problem, own.table(), kForever, never).value(), best);
            const double less = std::isfinite(best) ? 0.5 * best : 1.0;
            QCOMPARE(leastOfGrids(*c.problem, own.table(), less, never).value(), less);
            QVERIFY(!leastOfGrids(*c.problem, own.table(), kForever, [] { return true; }));
            QVERIFY(outcome.plans.empty() == !std::isfinite(best));
            const SearchOutcome& first = c.all.rows.front().outcome;
            if (std::isfinite(best)) {
                QVERIFY(!first.plans.empty() && timeOf(first.plans.front()) <= best);
                QVERIFY(first.bound.value.value <= best && c.all.bound.value.value <= best);
                won += first.plans.front().plan.pipelines[0].schedule.kind == ScheduleKind::Interleaved;
            }
            if (outcome.plans.empty())
                continue;
            QCOMPARE(timeOf(outcome.plans.front()), best);
            QVERIFY(outcome.optimalInOwnSpace);
            for (const FoundPlan& found : outcome.plans)
                for (const Stage& stage : found.plan.pipelines[0].stages)
                    for (const Replica& r : stage.replicas)
                        QCOMPARE(
                            c.problem->topology().devices()[static_cast<std::size_t>(r.devices.front())].node,
                            c.problem->topology().devices()[static_cast<std::size_t>(r.devices.back())].node);
        }
        qInfo("%d grids, %d of them interleaved, which are the default planner's best %d times", compared,
              interleaved, won);
        QVERIFY((compared > 1000 && interleaved > 50) || !test::manyDrawn());
    }

    void sameSeedAndWorkSamePlans() {
        for (const PlannerRow& planner : plannerTable())
            for (std::size_t n = 0; n < m_cases.size(); n += 20) {
                const Case& c = m_cases[n];
                std::vector<std::string> documents;
                for (const int threads : {1, 2, 8}) {
                    SearchOptions options;
                    options.work = 3000;
                    options.threads = threads;
                    documents.push_back(
                        without(planDocument(*c.problem, runPlanner(c.problem, planner.name, options)),
                                {"wall_s"})
                            .dump());
                }
                QVERIFY2(documents[0] == documents[1] && documents[0] == documents[2],
                         at(c.seed, planner.name));
            }
    }

    void stopIsAnswered() {
        std::stop_source source;
        source.request_stop();
        for (const PlannerRow& planner : plannerTable())
            for (std::size_t n = 0; n < m_cases.size(); n += 40) {
                const SearchOutcome outcome =
                    runPlanner(m_cases[n].problem, planner.name, {}, source.get_token());
                QVERIFY2(outcome.status == SearchStatus::Stopped || outcome.evaluated == 0,
                         at(m_cases[n].seed, planner.name));
            }
    }

    // Whenever the clock ends a search: what it says holds for the plan beside it.
    void interruptedBoundsHold() {
        int ended = 0;
        for (const PlannerRow& planner : plannerTable())
            for (std::size_t n = 0; n < m_cases.size(); n += 8) {
                const Case& c = m_cases[n];
                for (const double looks : {1.5, 4.5, 15.5}) { // at the clock, each of a second
                    const test::FalseClock clock(1.0);
                    SearchOptions options;
                    options.clock = &clock;
                    options.threads = 1;
                    options.timeLimit = looks;
                    const SearchOutcome outcome = runPlanner(c.problem, planner.name, options);
                    ended += outcome.timeLimit;
                    if (outcome.plans.empty())
                        continue;
                    const QByteArray what = at(c.seed, planner.name);
                    QVERIFY2(outcome.bound.value.value <= timeOf(outcome.plans.front()) * (1 + 1e-9), what);
                    QVERIFY2(outcome.status != SearchStatus::Optimal || outcome.meetsBound(), what);
                    const double least = timeOf(c.all.overall().plans.front());
                    QVERIFY2(outcome.status != SearchStatus::Optimal ||
                                 timeOf(outcome.plans.front()) <= least * (1 + 1e-9) ||
                                 !coveredByBound(*c.problem, c.all.overall().plans.front().plan),
                             what);
                }
            }
        QVERIFY(ended > 20 || !test::manyDrawn());
    }

    // What a project keeps of a search is what it said of itself, but for plans and phases.
    void summariesReadBack() {
        int noted = 0;
        for (const Case& c : m_cases)
            for (const TournamentRow& row : c.all.rows) {
                const Json summary = searchSummary(row.outcome);
                auto again = searchFromSummary(JsonReader(summary, "search"));
                QVERIFY2(again, again ? "" : again.error().text().c_str());
                QVERIFY(again->rejected == row.outcome.rejected && again->status == row.outcome.status);
                again->plans = row.outcome.plans;
                QCOMPARE(searchSummary(*again).dump(), summary.dump());
                noted += !again->notes.empty();
            }
        QVERIFY(noted > 0 || !test::manyDrawn());
        Json wrong = searchSummary(m_cases.front().all.rows.front().outcome);
        wrong["status"] = "splendid";
        wrong["rejected"] = {{"of another program", 3}, {"out of memory", 2}};
        const auto refused = searchFromSummary(JsonReader(wrong, "search"));
        QVERIFY(!refused);
        QCOMPARE(refused.error().text(), "search#/status: \"splendid\" is no end of a search");
        wrong["status"] = "budget";
        QVERIFY(searchFromSummary(JsonReader(wrong, "search"))->rejected ==
                (Rejections{{Rejection::OutOfMemory, 2}}));
    }

    // Refusals are rows, and the document of all is a plan file that says who found what.
    void tournamentDocumentReadsBack() {
        int leftOut = 0;
        for (std::size_t n = 0; n < m_cases.size(); n += 10) {
            const Case& c = m_cases[n];
            const Json document = tournamentDocument(*c.problem, c.all);
            QCOMPARE(document["tournament"].size(), plannerTable().size());
            const auto file = readPlanFile(printJson(document), "all.json");
            QVERIFY2(file, file ? "" : file.error().text().c_str());
            QVERIFY(file->notes.empty());
            QCOMPARE(file->plans.size(), c.all.ranked().size());
            for (const Json& row : document["tournament"]) {
                leftOut += row["left_out"].get<bool>();
                if (!row.contains("plan")) {
                    QVERIFY(!row["refusal"].get<std::string>().empty());
                    continue;
                }
                const Json& plan = document["plans"][row["plan"].get<std::size_t>() - 1];
                QVERIFY(plan["planner"] == row["planner"] && plan["iteration_s"] == row["iteration_s"]);
            }
        }
        QVERIFY(leftOut > 0 || !test::manyDrawn());
    }

private:
    struct Case {
        std::uint64_t seed = 0;
        std::shared_ptr<const Problem> problem;
        Tournament all;
    };
    std::vector<Case> m_cases;
};

QTEST_APPLESS_MAIN(PlannersTest)
#include "planners_test.moc"
