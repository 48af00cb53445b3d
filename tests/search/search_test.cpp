// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/document/plan_document.h"
#include "core/search/options.h"
#include "core/search/planners.h"
#include "core/search/proof/certificate.h"
#include "core/search/proof/launch_count_bound.h"
#include "core/search/search.h"
#include "core/search/space/coverage.h"
#include "tests/draws.h"
#include "tests/search/planned.h"
#include "tests/search/random_problem.h"
#include "tests/search/sample_problems.h"

#include <nlohmann/json.hpp>

#include <QTest>

#include <cmath>
#include <limits>
#include <set>

using namespace pw;
using test::bestOf;

namespace {

constexpr std::uint64_t kSearchSeed = 20240611;
const int kProblems = test::draws(500, 500);
constexpr std::int64_t kExhaustiveLimit = 1500; // problems that ask for more are drawn again
constexpr std::int64_t kEnough = 100'000'000;   // for the planner to come to an end
constexpr std::int64_t kLooksUp = 256;          // work after which a search asks whether it is to stop

SearchOutcome run(const std::shared_ptr<const Problem>& problem, const char* planner, std::int64_t work,
                  int top = 8, std::stop_token stop = {}) {
    SearchOptions options;
    options.planner = planner;
    options.work = work;
    options.top = top;
    SearchObserver nobody;
    auto outcome = search(problem, options, nobody, std::move(stop));
    if (!outcome)
        qFatal("%s", outcome.error().text().c_str());
    return *std::move(outcome);
}

struct Case {
    std::uint64_t seed = 0;
    std::shared_ptr<const Problem> problem;
    SearchOutcome exhaustive, own;
    QByteArray name() const { return "seed " + QByteArray::number(static_cast<qulonglong>(seed)); }
    // s: the best plan of those that a bound speaks of, infinity without one.
    double bestIn(const ProofScope& scope) const {
        const auto first = std::ranges::find_if(exhaustive.plans, [&](const FoundPlan& found) {
            return !scope.takesSharded() || !scope.sharded.empty() || !isShardedStage(*problem, found.plan);
        });
        return first == exhaustive.plans.end() ? std::numeric_limits<double>::infinity()
                                               : first->evaluation.iteration.value;
    }
};

// The most that one candidate takes: all schedules of 2 S B operations, a sixteenth each.
std::int64_t candidateWork(const Problem& problem, std::int64_t stages = 5) {
    const auto schedules = static_cast<std::int64_t>(problem.space().schedules.size());
    return schedules * 2 * stages * problem.recipe().gbs / 16 + 2;
}

// Asks for the stop once it is told of so much work.
class StopAfter : public SearchObserver {
public:
    explicit StopAfter(std::int64_t work) : m_work(work) {}
    void progress(const SearchProgress& progress) override {
        if (progress.work < m_work || m_source.stop_requested())
            return;
        m_asked = progress.work;
        m_source.request_stop();
    }
    std::stop_token token() const { return m_source.get_token(); }
    std::int64_t asked() const { return m_asked; } // at this work

private:
    std::int64_t m_work, m_asked = 0;
    std::stop_source m_source;
};

// Roughly the chains of up to three stages: keeps exhaustive search from starting what it cannot end.
bool looksSmall(const Problem& problem) {
    const CostTable table(problem);
    double chains = 0.0;
    for (const std::int64_t m : ChainSpace::microbatchSizes(problem)) {
        const ChainSpace space(problem, table, m);
        const auto n = static_cast<double>(space.options().size());
        const double cuts = space.blocks() - 1.0;
        chains += n + 0.5 * n * n * cuts + 0.02 * n * n * n * cuts * (cuts - 1.0);
    }
    return chains < 300.0;
}

// The spaces as a search makes them.
std::vector<std::unique_ptr<ChainSpace>> spacesOf(const Problem& problem, const CostTable& table) {
    return chainSpaces(problem, table, sharings(problem), [] { return false; });
}

} // namespace

// The planner against every plan of the Space, and the bound against both.
class SearchTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        qInfo("seed %llu and those behind it", static_cast<unsigned long long>(kSearchSeed));
        for (std::uint64_t seed = kSearchSeed; std::ssize(m_cases) < kProblems; ++seed) {
            Random random(seed);
            Case c;
            c.seed = seed;
            c.problem = test::randomProblem(random);
            QVERIFY(c.problem);
            if (!looksSmall(*c.problem))
                continue;
            c.exhaustive = run(c.problem, "exhaustive", kExhaustiveLimit, 1000);
            if (c.exhaustive.status != SearchStatus::Budget)
                m_cases.push_back(std::move(c));
        }
        for (Case& c : m_cases)
            c.own = run(c.problem, "pipewright", kEnough);
    }

    void equalsExhaustive() {
        int infeasible = 0, several = 0, shared = 0;
        for (const Case& c : m_cases) {
            const double truth = bestOf(c.exhaustive), found = bestOf(c.own);
            infeasible += c.exhaustive.plans.empty();
            QVERIFY2(c.exhaustive.plans.empty() == c.own.plans.empty(), c.name());
            QCOMPARE(c.own.status, c.own.plans.empty() ? SearchStatus::Infeasible : SearchStatus::Optimal);
            QCOMPARE(c.own.status, c.exhaustive.status);
            if (c.own.plans.empty()) {
                QVERIFY2(!c.own.reasons.empty(), c.name());
                continue;
            }
            QVERIFY2(
                std::abs(found - truth) <= 1e-9 * truth,
                c.name() +
                    qPrintable(QString(": %1 against %2").arg(found, 0, 'g', 15).arg(truth, 0, 'g', 15)));
            QCOMPARE(c.own.bound.value.value, found);
            several += c.own.plans.front().plan.pipelines[0].stages.size() > 1;
            shared += c.own.plans.front().plan.pipelines[0].stages[0].cp > 1;
        }
        qInfo("%d infeasible, %d best with several stages, %d with context parallelism", infeasible, several,
              shared);
        QVERIFY(infeasible < kProblems / 2);
        QVERIFY((infeasible > 5 && several > 20 && shared > 5) || !test::manyDrawn());
    }

    // A chain takes as long as the plan that is made of it, however its replicas share sequences and experts.
    void chainsTakeWhatTheirPlansTake() {
        std::map<std::pair<int, int>, int> compared; // by cp and ep
        const auto compare = [&](const Problem& problem, const std::vector<Sharing>& wanted, int stride) {
            const CostTable table(problem);
            for (const auto& space : chainSpaces(problem, table, wanted, [] { return false; })) {
                const Sharing sharing = space->sharing();
                if (problem.recipe().seq % (2 * sharing.cp) != 0)
                    continue;
                ChainEvaluator evaluator(*space);
                const int blocks = space->blocks();
                for (int back = 0; back < static_cast<int>(space->options().size()); back += stride)
                    for (const int cut : {0, blocks / 2}) {
                        Chain chain = {{back, cut, blocks, 0, 0}};
                        const StageOption& last = space->options()[static_cast<std::size_t>(back)];
                        if (cut > 0)
                            chain.push_back({back, 0, cut, last.devices, 0});
                        if (space->placeOf(last, chain.back().position) != chain.back().position)
                            continue;
                        std::int64_t simulated = 0;
                        const auto result = evaluator.best(chain, std::numeric_limits<double>::infinity(),
                                                           simulated, [] { return false; });
                        if (!result)
                            continue;
                        const auto evaluation =
                            evaluate(problem, space->plan(chain, result->schedule, result->launch));
                        if (!evaluation || !evaluation->feasible ||
                            std::abs(evaluation->iteration.value - result->iteration) >
                                1e-9 * result->iteration)
                            return false;
                        ++compared[{sharing.cp, sharing.ep}];
                    }
            }
            return true;
        };
        for (const Case& c : m_cases)
            QVERIFY2(compare(*c.problem, {{1, 1}, {2, 1}, {4, 1}}, 3), c.name());
        Model model = test::sampleModel("mixtral-8x7b");
        model.blocks = 4;
        const auto experts = test::problemOf(test::sampleCluster("mixed-64"), model, 64, 2048);
        QVERIFY(experts);
        QVERIFY(compare(*experts, {{1, 1}, {1, 2}, {1, 8}, {2, 4}}, 1));
        for (const auto& [sharing, least] : std::map<std::pair<int, int>, int>{
                 {{1, 1}, 100}, {{2, 1}, 100}, {{4, 1}, 20}, {{1, 2}, 20}, {{1, 8}, 20}, {{2, 4}, 20}})
            QVERIFY2(compared[sharing] > least || !test::manyDrawn(),
                     qPrintable(QStringLiteral("cp %1 ep %2: %3")
                                    .arg(sharing.first)
                                    .arg(sharing.second)
                                    .arg(compared[sharing])));
    }

    // What a search returns is legal, fits, is in order, and is what evaluate() says of it.
    void plansStandOnTheirOwn() {
        for (const Case& c : m_cases)
            for (const SearchOutcome* outcome : {&c.exhaustive, &c.own}) {
                double before = 0.0;
                std::set<std::string> keys;
                for (const FoundPlan& found : outcome->plans) {
                    const Status sound = checkPlan(*c.problem, found.plan, "");
                    QVERIFY2(sound, sound ? "" : sound.error().text().c_str());
                    const double time = found.evaluation.iteration.value;
                    QVERIFY2(found.evaluation.feasible && !takesLess(time, before), c.name());
                    before = time;
                    QVERIFY2(keys.insert(canonicalKey(found.plan)).second, c.name());
                    if (outcome == &c.own) {
                        const auto again = evaluate(*c.problem, found.plan);
                        QVERIFY(again && again->iteration.value == time);
                    }
                }
            }
    }

    void boundsAreBelowEveryPlanAndCertified() {
        double loosest = 0.0, sum = 0.0;
        int counted = 0, grids = 0;
        for (std::size_t n = 0; n < m_cases.size(); n += 2) {
            const Case& c = m_cases[n];
            const CostTable table(*c.problem);
            const auto spaces = spacesOf(*c.problem, table);
            if (spaces.empty())
                continue;
            // Of chains: uniform grids may be faster, and single stages with sharded weights, which are tried
            // where nothing else fits, are none.
            const auto chain = std::ranges::find_if(c.exhaustive.plans, [&](const FoundPlan& found) {
                return std::ranges::any_of(
                    spaces, [&](const auto& space) { return coveredByBound(*space, found.plan); });
            });
            if (chain == c.exhaustive.plans.end() && !c.exhaustive.plans.empty())
                continue;
            const double best =
                c.exhaustive.plans.empty() ? bestOf(c.exhaustive) : chain->evaluation.iteration.value;
            grids += chain != c.exhaustive.plans.begin();
            LaunchCountBound bound(pointersTo(spaces));
            const Bound rough = bound.computeRoughly(std::numeric_limits<double>::infinity());
            QVERIFY2(rough.value.value <= best * (1 + 1e-9), c.name());
            QVERIFY2(provesBound(*c.problem, *rough.certificate, rough.value, false), c.name());
            for (const double upper : {std::numeric_limits<double>::infinity(), best}) {
                if (upper == best && !std::isfinite(best))
                    continue;
                const Bound proven = bound.compute(upper);
                QVERIFY2(proven.value.value > 0.0, c.name());
                QVERIFY2(rough.value.value > 0.3 * proven.value.value, c.name());
                QVERIFY2(proven.value.value <= best * (1 + 1e-9),
                         c.name() + qPrintable(QString(": %1 above %2").arg(proven.value.value).arg(best)));
                QVERIFY2(proven.certificate &&
                             provesBound(*c.problem, *proven.certificate, proven.value, false),
                         c.name());
                if (std::isfinite(best)) {
                    loosest = std::max(loosest, best / proven.value.value - 1);
                    sum += best / proven.value.value - 1;
                    ++counted;
                }
            }
            // And pipeline by pipeline, below everything that exhaustive search simulated.
            for (const FoundPlan& found : c.exhaustive.plans) {
                const Evaluation& e = found.evaluation;
                if (!usesLaunchCounts(found.plan.pipelines[0].schedule.kind))
                    continue;
                StageTimes times;
                for (const StageFigures& f : e.pipelines[0].stages) {
                    times.forward.push_back(f.forward.value);
                    times.backward.push_back(f.backward.value);
                    times.send.push_back(f.send.value);
                }
                times.send.pop_back();
                QVERIFY2(launchCountBound(times, static_cast<int>(found.plan.pipelines[0].microbatches)) <=
                             e.iteration.value * (1 + 1e-12),
                         c.name());
            }
        }
        qInfo("gap of the bound alone: mean %.1f %%, largest %.1f %%; %d times a grid is faster than all "
              "chains",
              100 * sum / counted, 100 * loosest, grids);
        QVERIFY(grids > 0 || !test::manyDrawn());
    }

    // The few blocks without experts in front of a model neither loosen the bound of all others nor mislead
    // the search.
    void leadingDenseBlocksAreToldApart() {
        Model model = test::sampleModel("mixtral-8x7b");
        model.blocks = 19;
        model.experts.denseBlocks = {0, 1, 2};
        model.experts.count = 32;
        const auto problem = test::problemOf(test::sampleCluster("mixed-64"), model, 256, 2048);
        const SearchOutcome own = run(problem, "pipewright", 0);
        QVERIFY(!own.plans.empty());
        const double best = bestOf(own), gap = best / own.bound.value.value - 1.0;
        qInfo("%.4g s, gap %.2f %%", best, 100.0 * gap);
        QVERIFY(gap >= 0.0 && gap < 0.15);
        QVERIFY(provesBound(*problem, *own.bound.certificate, own.bound.value));
    }

    void tamperedCertificatesAreRefused() {
        int tried = 0, priced = 0;
        for (std::size_t n = 0; n < m_cases.size() && tried < 12; n += 7) {
            const Case& c = m_cases[n];
            const double best = bestOf(c.exhaustive);
            const CostTable table(*c.problem);
            const auto spaces = spacesOf(*c.problem, table);
            if (spaces.empty() || !std::isfinite(best))
                continue;
            // Sharded gradients and weights are outside what the bound of chains speaks of.
            const Plan& plan = c.exhaustive.plans.front().plan;
            if (!coveredByBound(*c.problem, plan)) {
                QVERIFY2(plan.pipelines[0].stages[0].zero > 1, c.name());
                continue;
            }
            ++tried;
            const Bound proven = LaunchCountBound(pointersTo(spaces)).compute(best);
            const Json& good = *proven.certificate;
            QVERIFY(provesBound(*c.problem, good, proven.value));
            // No certificate can prove what a plan refutes.
            QVERIFY2(!provesBound(*c.problem, good, Seconds(best * 1.0001)), c.name());
            QVERIFY(!provesBound(*c.problem, good, Seconds(std::numeric_limits<double>::infinity())));
            QVERIFY(!provesBound(*c.problem, good, Seconds(std::nan(""))));
            const auto refused = [&](const std::function<void(Json&)>& change) {
                Json bad = good;
                change(bad);
                return !provesBound(*c.problem, bad, proven.value);
            };
            const std::size_t proofs = good["proofs"].size();
            for (std::size_t p = 0; p < proofs; ++p)
                QVERIFY(refused([p](Json& j) { j["proofs"].erase(p); }));
            QVERIFY(refused([](Json& j) { j["proofs"] = Json::array(); }));
            QVERIFY(refused([](Json& j) { j["proofs"][0]["fill"] = -1e9; }));
            QVERIFY(refused([](Json& j) { j["proofs"][0]["prices"].push_back("much"); }));
            QVERIFY(refused([](Json& j) { j["proofs"][0]["stages"] = 1000000; }));
            QVERIFY(refused([](Json& j) { j["proofs"][0]["microbatch_size"] = 1000003; }));
            for (std::size_t p = 0; p < proofs; ++p) {
                if (good["proofs"][p]["prices"].empty())
                    continue; // by the programme, which is run again
                ++priced;
                QVERIFY(refused([p](Json& j) { j["proofs"][p]["prices"][0] = -1.0; }));
                QVERIFY(refused([p](Json& j) { j["proofs"][p]["prices"].erase(0); }));
                QVERIFY(refused([p](Json& j) { j["proofs"][p]["prices"] = Json::array(); }));
                break;
            }
            // Not of the form at all.
            QVERIFY(refused([](Json& j) { j = nullptr; }));
            QVERIFY(refused([](Json& j) { j.erase("proofs"); }));
            QVERIFY(refused([](Json& j) { j["proofs"][0].erase("prices"); }));
            QVERIFY(refused([](Json& j) { j["proofs"][0] = 7; }));
        }
        QVERIFY((tried >= 8 && priced >= 1) || !test::manyDrawn());
    }

    void sameSeedAndWorkSameDocument() {
        for (std::size_t n = 0; n < m_cases.size(); n += 10) {
            const Case& c = m_cases[n];
            for (const std::int64_t work : {std::int64_t{300}, kEnough}) {
                std::set<std::string> documents;
                for (const int threads : {1, 2, 8}) {
                    SearchOptions options;
                    options.work = work;
                    options.threads = threads;
                    SearchObserver nobody;
                    const auto outcome = search(c.problem, options, nobody, {});
                    QVERIFY(outcome);
                    Json document = planDocument(*c.problem, *outcome);
                    document.erase("wall_s");
                    documents.insert(document.dump());
                }
                QVERIFY2(documents.size() == 1, c.name());
            }
        }
    }

    void workLimitHoldsWithinACandidate() {
        for (std::size_t n = 0; n < m_cases.size(); n += 10) {
            const Case& c = m_cases[n];
            const std::int64_t candidate = candidateWork(*c.problem);
            for (const char* planner : {"pipewright", "exhaustive"})
                for (const std::int64_t work : {1, 20, 300}) {
                    const SearchOutcome outcome = run(c.problem, planner, work);
                    QVERIFY2(outcome.work <= work + candidate,
                             c.name() +
                                 qPrintable(
                                     QString(", %1, limit %2: %3").arg(planner).arg(work).arg(outcome.work)));
                    QVERIFY2(outcome.work >= work || outcome.status != SearchStatus::Budget, c.name());
                    if (!outcome.plans.empty() && outcome.bound.value.value > 0.0)
                        QVERIFY2(outcome.bound.value.value <= c.bestIn(outcome.bound.scope) * (1 + 1e-9),
                                 c.name());
                }
        }
    }

    void partsToLeaveOutAreChecked() {
        SearchOptions options;
        QVERIFY(options.uses("init") && searchOptionText(options, "without").empty());
        QVERIFY(setSearchOption(options, "without", "cache, init,cache"));
        QCOMPARE(searchOptionText(options, "without"), std::string("init,cache"));
        QVERIFY(!options.uses("init") && !options.uses("cache") && options.uses("bound"));
        for (const char* wrong : {"speed", "init,", ",", "init cache", "Init"}) {
            const Status refused = setSearchOption(options, "without", wrong);
            QVERIFY2(!refused && refused.error().kind == ErrorKind::BadInput, wrong);
            QVERIFY(refused.error().message.find("fine-layers") != std::string::npos);
        }
        QVERIFY(setSearchOption(options, "without", ""));
        QVERIFY(options.without.empty());
    }

    // Every part that a planner says it knows is one; what it does not know it ignores.
    void plannersSayWhatWasLeftOut() {
        for (const PlannerRow& planner : plannerTable()) {
            SearchOptions options;
            for (const SearchPart& part : searchPartTable())
                options.without.emplace_back(part.name);
            options.planner = planner.name;
            options.work = 1000;
            SearchObserver nobody;
            const auto outcome = search(m_cases.front().problem, options, nobody, {});
            QVERIFY(outcome);
            std::vector<std::string> known;
            for (const char* part : planner.parts) {
                QVERIFY2(!options.uses(part), part);
                known.emplace_back(part);
            }
            QCOMPARE(std::set<std::string>(outcome->without.begin(), outcome->without.end()),
                     std::set<std::string>(known.begin(), known.end()));
            QCOMPARE(planDocument(*m_cases.front().problem, *outcome)["without"].size(), known.size());
        }
    }

    // Without its proof the default planner finds what it finds with it, and says no bound: nothing that it
    // goes by waits for a sharp one.
    void withoutTheProofPlansAreTheSame() {
        const auto large =
            test::problemOf(test::sampleCluster("mixed-64"), test::sampleModel("llama3-70b"), 256, 4096);
        SearchOptions options;
        options.work = 400'000;
        SearchObserver nobody;
        const auto with = search(large, options, nobody, {});
        options.proves = false;
        const auto without = search(large, options, nobody, {});
        QVERIFY(with && without && !with->plans.empty() && !without->plans.empty());
        QVERIFY(with->bound.value.value > 0.0 && without->bound.value.value == 0.0);
        QCOMPARE(without->plans.front().plan, with->plans.front().plan);
    }

    // Asked before it begins or in the middle, a search looks up after 256 units of work and the candidate
    // that it has in hand.
    void stopIsAnswered() {
        for (std::size_t n = 0; n < m_cases.size(); n += 20) {
            std::stop_source source;
            source.request_stop();
            for (const char* planner : {"pipewright", "exhaustive"}) {
                const SearchOutcome outcome =
                    run(m_cases[n].problem, planner, kEnough, 8, source.get_token());
                QVERIFY2(outcome.work <= kLooksUp + candidateWork(*m_cases[n].problem), m_cases[n].name());
                // A search that is over before it looks is over all the same.
                QVERIFY(outcome.status == SearchStatus::Stopped || outcome.evaluated < 600);
                QVERIFY(outcome.bound.value.value <= m_cases[n].bestIn(outcome.bound.scope) * (1 + 1e-9));
            }
        }
        const auto large =
            test::problemOf(test::sampleCluster("mixed-64"), test::sampleModel("llama3-70b"), 256, 4096);
        for (const std::int64_t after : {1, 50'000}) {
            StopAfter observer(after);
            SearchOptions options;
            options.work = kEnough;
            const auto outcome = search(large, options, observer, observer.token());
            QVERIFY(outcome);
            qInfo("asked at %lld, ended at %lld", static_cast<long long>(observer.asked()),
                  static_cast<long long>(outcome->work));
            QCOMPARE(outcome->status, SearchStatus::Stopped);
            QVERIFY(outcome->work - observer.asked() <= kLooksUp + candidateWork(*large, 64));
        }
    }

    void forbiddenDevicesStayUnused() {
        Random random(kSearchSeed);
        int tried = 0;
        for (std::size_t n = 0; n < m_cases.size(); n += 5) {
            const Problem& p = *m_cases[n].problem;
            Space space = p.space();
            const Device& device = p.topology().devices()[random.below(p.topology().devices().size())];
            const Node& node = p.topology().cluster().nodes[static_cast<std::size_t>(device.node)];
            const std::string what = test::pick<std::string>(random, {device.id, node.id, node.kind});
            space.forbidden = {what};
            const auto less =
                Problem::make(p.topology().cluster(), p.model(), p.recipe(), p.profiles().rows(), space);
            if (!less)
                continue; // nothing left
            ++tried;
            const SearchOutcome fewer = run(*less, "pipewright", kEnough);
            for (const FoundPlan& found : fewer.plans)
                for (const Stage& s : found.plan.pipelines[0].stages)
                    for (const Replica& r : s.replicas)
                        for (const DeviceIndex d : r.devices) {
                            const Device& used = p.topology().devices()[static_cast<std::size_t>(d)];
                            const Node& at =
                                p.topology().cluster().nodes[static_cast<std::size_t>(used.node)];
                            QVERIFY2(used.id != what && at.id != what && at.kind != what, m_cases[n].name());
                        }
            // Without a node there is no better plan, unless the rest runs in a smaller precision. (Without a
            // GPU there may be: three of four are no stage, three of three are.)
            if ((*less)->precision() == p.precision() && what != device.id)
                QVERIFY2(bestOf(fewer) >= bestOf(m_cases[n].own) * (1 - 1e-9), m_cases[n].name());
        }
        QVERIFY(tried > 10 || !test::manyDrawn());
    }

private:
    std::vector<Case> m_cases;
};

QTEST_APPLESS_MAIN(SearchTest)
#include "search_test.moc"
