// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later

// The parts of the planner "haap": what its initialisation discards cannot run, and its caches change
// nothing but the effort.

#include "core/document/plan_document.h"
#include "core/search/haap/groupings.h"
#include "core/search/haap/haap.h"
#include "core/search/haap/initial.h"
#include "core/search/haap/memory_floor.h"
#include "core/search/haap/moves.h"
#include "core/search/planners.h"
#include "core/search/space/coverage.h"
#include "core/search/tournament.h"
#include "tests/draws.h"
#include "tests/search/haap_scenarios.h"
#include "tests/search/planned.h"
#include "tests/search/random_problem.h"

#include <QTest>

#include <limits>

using namespace pw;
using pw::test::Scenario;
using test::bestOf;

namespace {

constexpr std::uint64_t kHaapSeed = 20260221;
constexpr double kForever = std::numeric_limits<double>::infinity();

SearchOutcome runHaap(const std::shared_ptr<const Problem>& problem, const char* planner,
                      const std::vector<std::string>& without = {}, std::int64_t work = 0) {
    SearchOptions options;
    options.planner = planner;
    options.work = work;
    options.without = without;
    SearchObserver nobody;
    auto outcome = search(problem, options, nobody, {});
    if (!outcome)
        qFatal("%s", outcome.error().text().c_str());
    return *std::move(outcome);
}

// What a planner found, apart from what it took.
std::string found(const Problem& problem, const SearchOutcome& outcome) {
    Json document = planDocument(problem, outcome);
    for (const char* key : {"wall_s", "cache", "operator_evaluations", "without", "planner", "notes"})
        document.erase(key);
    return document.dump();
}

// A search outside a planner, for what its parts do.
struct Bench {
    explicit Bench(const Problem& problem, bool cached = true)
        : run(problem, options, 1'000'000'000'000, nobody, {}), costs(run, cached) {
        for (std::size_t s = 0; s < costs.spaces(); ++s)
            floors.emplace_back(costs.space(s), costs.index(s));
    }
    SearchOptions options;
    SearchObserver nobody;
    SearchRun run;
    HaapCosts costs;
    std::vector<MemoryFloor> floors;
};

using Shapes = std::vector<MemoryFloor::Shape>;

// Every candidate that the initialisation looks at: the same splits on all stages of a class.
void forEachCandidate(const HaapCosts& costs, const std::function<void(std::size_t, const Shapes&)>& take) {
    const ChainSpace& any = costs.space(0);
    for (const std::vector<int>& order : classOrders(any.classes()))
        forEachGrouping(any.classes(), order, any.maxStages(), [&](const Grouping& grouping) {
            for (std::size_t s = 0; s < costs.spaces(); ++s) {
                const std::function<void(std::size_t, Shapes)> next = [&](std::size_t g, const Shapes& so) {
                    if (g == grouping.size()) {
                        take(s, so);
                        return;
                    }
                    for (int tp = 1; tp <= 64; tp *= 2) {
                        Shapes more = so;
                        bool legal = true;
                        for (const int devices : grouping[g].sizes) {
                            legal = legal && costs.index(s).split(grouping[g].cls, devices, tp) != nullptr;
                            more.push_back({grouping[g].cls, devices, tp});
                        }
                        if (legal)
                            next(g + 1, more);
                    }
                };
                next(0, {});
            }
            return true;
        });
}

// A chain of these stages with drawn cuts and modes. Nothing if it cannot stand.
std::optional<Chain> drawnChain(Random& random, const HaapCosts& costs, std::size_t s, const Shapes& shapes) {
    std::vector<int> blocks(shapes.size(), 1);
    for (int left = costs.space(s).blocks() - static_cast<int>(shapes.size()); left > 0; --left)
        ++blocks[random.below(blocks.size())];
    Chain chain;
    int end = costs.space(s).blocks();
    for (std::size_t i = 0; i < shapes.size(); ++i) {
        ChainStage stage;
        stage.option =
            test::pick(random, costs.index(s).split(shapes[i].cls, shapes[i].devices, shapes[i].tp)->options);
        stage.end = end;
        stage.first = end -= blocks[i];
        chain.push_back(stage);
    }
    return settle(costs.space(s), chain) ? std::optional(chain) : std::nullopt;
}

// Whether the full model lets any schedule of the Space run it.
bool runs(const Problem& problem, const ChainSpace& space, const Chain& chain) {
    for (const ScheduleChoice& choice : problem.space().schedules) {
        const auto judged = evaluate(problem, space.plan(chain, choice, {}));
        if (judged && judged->feasible)
            return true;
    }
    return false;
}

// Random problems, every third one under GPipe alone, which holds more than the other schedules.
std::shared_ptr<const Problem> drawnScenario(Random& random, int n) {
    const auto problem = test::randomProblem(random);
    if (!problem)
        return nullptr;
    Space space = problem->space();
    space.maxCp = 1; // as the system it mirrors
    if (n % 3 == 0)
        space.schedules = {{ScheduleKind::GPipe, LaunchRule::Artifact}};
    const auto same = Problem::make(problem->topology().cluster(), problem->model(), problem->recipe(),
                                    problem->profiles().rows(), space);
    return same ? *same : nullptr;
}

} // namespace

class HaapTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        m_scenarios = test::scenarios();
        m_scenarios.resize(static_cast<std::size_t>(test::draws(14, 14)));
    }

    // A1
    void nothingThatIsDiscardedCanRun() {
        Random random(kHaapSeed);
        int noRoom = 0, tooFew = 0, feasible = 0;
        for (int n = 0; n < test::draws(250, 250); ++n) {
            const auto problem = drawnScenario(random, n);
            if (!problem)
                continue;
            Bench bench(*problem);
            if (bench.costs.spaces() == 0)
                continue;
            int looked = 0;
            forEachCandidate(bench.costs, [&](std::size_t s, const Shapes& shapes) {
                const MemoryFloor::Verdict verdict = bench.floors[s].judge(shapes);
                if (++looked > 400 && looked % 10 != 0)
                    return;
                bool ran = false;
                for (int cut = 0; cut < 4 && !ran; ++cut)
                    if (const auto chain = drawnChain(random, bench.costs, s, shapes))
                        ran = runs(*problem, bench.costs.space(s), *chain);
                QVERIFY2(!ran || verdict == MemoryFloor::Verdict::MayFit, qPrintable(QString::number(n)));
                noRoom += verdict == MemoryFloor::Verdict::NoRoomForABlock;
                tooFew += verdict == MemoryFloor::Verdict::TooFewBlocks;
                feasible += ran;
            });
        }
        qInfo("%d without room, %d with too few blocks, %d that run", noRoom, tooFew, feasible);
        QVERIFY((noRoom > 1000 && tooFew > 50 && feasible > 200) || !test::manyDrawn());
    }

    // A1: the best plans of exhaustive search all stand on candidates that are kept.
    void noFeasiblePlanIsDiscarded() {
        Random random(kHaapSeed + 1);
        int plans = 0;
        for (int n = 0; n < test::draws(40, 40); ++n) {
            const auto problem = drawnScenario(random, n);
            if (!problem)
                continue;
            SearchOptions options;
            options.planner = "exhaustive";
            options.work = 20'000;
            options.top = 100;
            SearchObserver nobody;
            const auto outcome = search(problem, options, nobody, {});
            QVERIFY(outcome);
            Bench bench(*problem);
            for (const FoundPlan& f : outcome->plans) {
                const Pipeline& pipeline = f.plan.pipelines.front();
                std::size_t s = 0;
                while (s < bench.costs.spaces() &&
                       bench.costs.space(s).microbatchSize() != pipeline.microbatchSize)
                    ++s;
                if (s == bench.costs.spaces() || !coveredByBound(bench.costs.space(s), f.plan))
                    continue; // a uniform grid, which is no chain
                Shapes shapes;
                for (auto stage = pipeline.stages.rbegin(); stage != pipeline.stages.rend(); ++stage) {
                    const DeviceIndex device = stage->replicas.front().devices.front();
                    const std::vector<ChainClass>& classes = bench.costs.space(s).classes();
                    for (std::size_t c = 0; c < classes.size(); ++c)
                        for (const auto& node : classes[c].nodes)
                            if (std::find(node.begin(), node.end(), device) != node.end())
                                shapes.push_back({static_cast<int>(c),
                                                  static_cast<int>(stage->replicas.size()) * stage->tp,
                                                  stage->tp});
                }
                QCOMPARE(shapes.size(), pipeline.stages.size());
                QVERIFY(bench.floors[s].judge(shapes) == MemoryFloor::Verdict::MayFit);
                ++plans;
            }
        }
        qInfo("%d plans", plans);
        QVERIFY(plans > 1000 || !test::manyDrawn());
    }

    // A1: the counts that are shown are those of the candidates.
    void countsAreTrue() {
        Random random(kHaapSeed + 2);
        int discarding = 0;
        for (int n = 0; n < test::draws(30, 30); ++n) {
            const auto problem = drawnScenario(random, n);
            if (!problem)
                continue;
            Bench bench(*problem);
            if (bench.costs.spaces() == 0)
                continue;
            const HaapInitial initial = memoryAwareStarts(bench.costs, 1'000'000'000);
            QVERIFY(initial.whole);
            std::map<MemoryFloor::Verdict, std::int64_t> verdicts;
            forEachCandidate(bench.costs, [&](std::size_t s, const Shapes& shapes) {
                ++verdicts[bench.floors[s].judge(shapes)];
            });
            QCOMPARE(initial.noRoom, verdicts[MemoryFloor::Verdict::NoRoomForABlock]);
            QCOMPARE(initial.tooFewBlocks, verdicts[MemoryFloor::Verdict::TooFewBlocks]);
            QCOMPARE(initial.kept(), verdicts[MemoryFloor::Verdict::MayFit]);
            discarding += initial.kept() < initial.candidates;
            const SearchOutcome outcome = runHaap(problem, "haap");
            QVERIFY(std::any_of(outcome.notes.begin(), outcome.notes.end(), [&](const Diagnostic& note) {
                return note.code == "haap.initial" &&
                       note.message.find(std::to_string(initial.candidates) + " candidates before, " +
                                         std::to_string(initial.kept()) + " after") != std::string::npos;
            }));
            QCOMPARE(outcome.rejected.at(Rejection::NoBlockForAStage), initial.noRoom);
        }
        QVERIFY(discarding > 10 || !test::manyDrawn());
    }

    // A3: the same to the last bit, whatever is kept.
    void cachesChangeNothing() {
        for (const Scenario& s : m_scenarios) {
            const SearchOutcome with = runHaap(s.problem, "haap", {}, 20'000);
            const SearchOutcome without = runHaap(s.problem, "haap", {"cache"}, 20'000);
            QVERIFY2(found(*s.problem, with) == found(*s.problem, without), s.name);
            QVERIFY(with.cacheHits > 0 && with.cacheHits < with.cacheLookups);
            QVERIFY2(with.operatorEvaluations < without.operatorEvaluations, s.name);
        }
    }

    // A3: along drawn walks a candidate costs the same from its parent, from what is kept, and from nothing.
    void childrenCostWhatTheyAre() {
        for (const Scenario& s : m_scenarios) {
            Bench kept(*s.problem), bare(*s.problem, false);
            HaapMoves moves(kept.costs, HaapOrder::Random, kHaapSeed);
            Random random(kHaapSeed);
            const std::vector<HaapStart> starts = balancedStarts(kept.costs).starts;
            HaapState at = kept.costs.state(test::pick(random, starts).config);
            for (int step = 0; step < 60; ++step) {
                const std::vector<HaapConfig> list = moves.of(at);
                if (list.empty())
                    break;
                const HaapConfig& config = test::pick(random, list);
                const HaapState child = kept.costs.state(config, &at);
                const HaapState fresh = bare.costs.state(config, &at);
                QVERIFY2(child.stages == fresh.stages && child.sends == fresh.sends, s.name);
                QVERIFY2(child.time == fresh.time && child.overflow == fresh.overflow, s.name);
                QCOMPARE(child.bottleneck, fresh.bottleneck);
                at = child;
            }
        }
    }

    // A3: nothing outlives its question.
    void anotherDeviceOrModelCostsAnew() {
        const Problem& before = *m_scenarios.front().problem;
        Cluster slower = before.topology().cluster();
        slower.nodes.front().speed = 0.7;
        Model longer = before.model();
        longer.ffn *= 2;
        Bench bench(before);
        const HaapConfig config = balancedStarts(bench.costs).starts[1].config;
        const HaapState first = bench.costs.state(config);
        for (const auto& [cluster, model] :
             {std::pair(slower, before.model()), std::pair(before.topology().cluster(), longer)}) {
            const auto after = Problem::make(cluster, model, before.recipe(), {}, before.space());
            QVERIFY(after);
            Bench changed(**after), bare(**after, false);
            const HaapConfig again = balancedStarts(changed.costs).starts[1].config;
            const HaapState then = changed.costs.state(again);
            QVERIFY(then.time > first.time);
            QVERIFY(then.time == bare.costs.state(again).time);
        }
    }

    // A4: what each part costs and brings is in the documents, whichever way it goes.
    void ablationsAreReported() {
        const auto& problem = m_scenarios.front().problem;
        for (const char* part : {"init", "cache"}) {
            const SearchOutcome outcome = runHaap(problem, "haap", {part});
            const Json document = planDocument(*problem, outcome);
            QVERIFY(document["without"] == Json::array({part}));
            QVERIFY(document["operator_evaluations"].get<std::int64_t>() > 0);
            QVERIFY(document["wall_s"].get<double>() > 0.0);
            QVERIFY(document["work"].get<std::int64_t>() > 0);
            QVERIFY(!outcome.plans.empty());
        }
        TournamentObserver nobody;
        SearchOptions options;
        options.work = 2000;
        const auto all = searchEach(problem, options, allPlanners(), nobody, {});
        QVERIFY(all);
        const Json document = tournamentDocument(*problem, *all);
        std::int64_t sum = 0;
        for (const Json& row : document["tournament"])
            if (!row["left_out"].get<bool>())
                sum += row["operator_evaluations"].get<std::int64_t>();
        QCOMPARE(document["operator_evaluations"].get<std::int64_t>(), sum);

        // What one of them says keeps its name, in any language.
        const Diagnostics notes = all->overall().notes;
        const auto said =
            std::ranges::find_if(notes, [](const Diagnostic& note) { return note.code == "haap.initial"; });
        QVERIFY(said != notes.end());
        QCOMPARE(said->param("search"), "AutoHAAP-style");
        QCOMPARE(filled("{says} ({search})", said->params), said->param("says") + " (AutoHAAP-style)");
        QCOMPARE(said->message, filled(said->pattern, said->params));
        QVERIFY(said->message.starts_with("AutoHAAP-style: memory-aware"));

        // As rows of one table: in the order given, each as the search by itself.
        std::vector<Entrant> entrants;
        for (const Entrant& ablation : allAblations())
            if (ablation.without.front() != "partition")
                entrants.push_back(ablation);
        QCOMPARE(entrants.size(), std::size_t{7}); // three of haap, three of harp, one of aceso
        const auto each = searchEach(problem, options, entrants, nobody, {});
        QVERIFY(each && each->rows.size() == entrants.size());
        for (std::size_t i = 0; i < entrants.size(); ++i) {
            const TournamentRow& row = each->rows[i];
            QVERIFY(row.outcome.without == entrants[i].without);
            const SearchOutcome alone =
                runHaap(problem, row.planner->name, {row.without.front()}, options.work);
            QVERIFY(row.outcome.operatorEvaluations == alone.operatorEvaluations);
            QVERIFY(row.outcome.work == alone.work);
        }
        QCOMPARE(tournamentDocument(*problem, *each)["tournament"][1]["label"].get<std::string>(),
                 std::string("AutoHAAP-style without cache"));
    }

    void acesoIsHaapWithoutItsParts() {
        for (const Scenario& s : m_scenarios)
            QVERIFY2(found(*s.problem, runHaap(s.problem, "aceso", {}, 10'000)) ==
                         found(*s.problem, runHaap(s.problem, "haap", {"init", "cache"}, 10'000)),
                     s.name);
    }

    // Plans keep to the Space, and are about as good as those of the default planner that do, though it may
    // recompute a part of a stage.
    void plansAreGood() {
        std::size_t compared = 0;
        for (const Scenario& s : m_scenarios) {
            const SearchOutcome haap = runHaap(s.problem, "haap"), own = runHaap(s.problem, "pipewright");
            const auto inSpace = std::ranges::find_if(
                own.plans, [&](const FoundPlan& f) { return coveredByBound(*s.problem, f.plan); });
            if (inSpace != own.plans.end()) {
                const double time = inSpace->evaluation.iteration.value;
                QVERIFY2(bestOf(haap) <= time * 1.05,
                         qPrintable(
                             QString("%1: %2 against %3").arg(QString(s.name)).arg(bestOf(haap)).arg(time)));
                ++compared;
            }
            for (const FoundPlan& f : haap.plans)
                QVERIFY2(coveredByBound(*s.problem, f.plan), s.name);
        }
        QVERIFY(compared + 1 >= m_scenarios.size());
    }

    // More classes than can be tried in every order.
    void manyClasses() {
        std::vector<test::DrawnNode> nodes;
        for (int n = 0; n < 12; ++n)
            nodes.push_back({n % 2 == 0 ? "A100-SXM4-40GB" : "V100-SXM2-16GB", 1 + n / 2 % 4, 10.0 + 5 * n});
        const auto problem =
            test::problemOf(test::drawnCluster(nodes), test::sampleModel("gpt3-1.3b"), 64, 1024);
        const SearchOutcome outcome = runHaap(problem, "haap");
        QVERIFY(!outcome.plans.empty());
        QVERIFY(outcome.work < 2 * haapWork(*problem));
    }

private:
    std::vector<Scenario> m_scenarios;
};

QTEST_APPLESS_MAIN(HaapTest)
#include "haap_test.moc"
