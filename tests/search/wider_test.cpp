// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/shares.h"
#include "core/search/planners.h"
#include "core/search/proof/capacity_bound.h"
#include "core/search/proof/certificate.h"
#include "core/search/proof/scope_coverage.h"
#include "core/search/space/wider_space.h"
#include "tests/draws.h"
#include "tests/schedule/every_kind.h"
#include "tests/search/planned.h"
#include "tests/search/random_problem.h"
#include "tests/search/sample_problems.h"

#include <nlohmann/json.hpp>

#include <QTest>

#include <cmath>
#include <limits>
#include <set>
#include <stop_token>

using namespace pw;
using test::bestOf;

namespace {

constexpr std::uint64_t kWiderSeed = 905;
constexpr std::int64_t kWiderLimit = 20'000;       // problems that ask for more are drawn again
constexpr std::int64_t kWholeLimit = 3'000'000;    // likewise of the largest
constexpr std::int64_t kWiderWork = 1'000'000'000; // for the planner to come to an end

SearchOutcome runWider(const std::shared_ptr<const Problem>& problem, const char* planner,
                       const WiderSpace& wider, std::int64_t work, int threads = 0) {
    SearchOptions options;
    options.planner = planner;
    options.work = work;
    options.wider = wider;
    options.threads = threads;
    SearchObserver nobody;
    auto outcome = search(problem, options, nobody, {});
    if (!outcome)
        qFatal("%s", outcome.error().text().c_str());
    return *std::move(outcome);
}

bool asFast(const SearchOutcome& own, const SearchOutcome& truth) {
    return std::abs(bestOf(own) - bestOf(truth)) <= 1e-9 * bestOf(truth);
}

QByteArray difference(const SearchOutcome& own, const SearchOutcome& truth) {
    return ": " + QByteArray::number(bestOf(own), 'g', 15) + " against " +
           QByteArray::number(bestOf(truth), 'g', 15);
}

bool isMixedPlan(const Problem& problem, const Plan& plan) {
    for (const Pipeline& pipeline : plan.pipelines)
        for (const Stage& stage : pipeline.stages)
            if (mixesDevices(problem, stage))
                return true;
    return false;
}

// Few enough plans to try them all: fewer stages and GPUs where an axis multiplies what there is.
std::shared_ptr<const Problem> drawn(Random& random, const WiderSpace& wider) {
    const std::size_t most = wider.pipelines > 1 ? 4 : 8; // GPUs
    while (true) {
        Cluster cluster = test::randomCluster(random);
        std::size_t gpus = 0;
        for (const Node& node : cluster.nodes)
            gpus += static_cast<std::size_t>(node.gpus);
        Model model = test::randomModel(random);
        // Long sequences of a small model: activations are larger than gradients.
        if (gpus > most || (wider.pipelines > 1 && (model.hidden > 256 || model.experts.count > 0)))
            continue;
        if (!wider.schedules) { // few large blocks cannot be balanced otherwise
            model.blocks = std::min<std::int64_t>(model.blocks, 3);
            model.vocab = 1000;
        }
        Recipe recipe;
        recipe.gbs = wider.mixedStages ? 24 : test::pick<std::int64_t>(random, {6, 8, 12});
        recipe.seq = wider.pipelines > 1 ? test::pick<std::int64_t>(random, {2048, 4096})
                                         : test::pick<std::int64_t>(random, {512, 1024, 2048});
        recipe.recompute = {random.below(2) == 0 ? Recompute::None : Recompute::Full};
        recipe.reserve = gibibytes(0.25);
        Space space;
        space.maxStages = wider.pipelines > 1 ? 2 : 3;
        space.maxTp = test::pick<int>(random, {1, 2});
        space.maxCp = 1;
        space.maxEp = 1;
        space.schedules = {{ScheduleKind::OneFOneB, LaunchRule::Artifact},
                           {ScheduleKind::H1F1B, LaunchRule::Busy}};
        auto problem = Problem::make(cluster, model, recipe, {}, space);
        if (problem)
            return *problem;
    }
}

// As large as plans are all tried: 8 GPUs of 3 kinds and 8 blocks. All else is drawn narrow.
std::shared_ptr<const Problem> drawnWhole(Random& random, const WiderSpace& wider, const Sharing& most) {
    while (true) {
        Cluster cluster = test::randomCluster(random);
        std::set<std::string> kinds;
        int gpus = 0;
        for (const Node& node : cluster.nodes) {
            kinds.insert(node.kind);
            gpus += node.gpus;
        }
        Model model = test::randomModel(random);
        if (gpus != 8 || kinds.size() != 3 || (model.experts.count > 0) != (most.ep > 1) ||
            !model.window.empty())
            continue;
        model.blocks = 8;
        model.vocab = 1000;
        Recipe recipe;
        recipe.gbs = wider.mixedStages ? 12 : wider.pipelines > 1 ? 4 : 6;
        recipe.seq = test::pick<std::int64_t>(random, {512, 1024, 2048});
        recipe.recompute = {random.below(2) == 0 ? Recompute::None : Recompute::Full};
        if (most.ep > 1)
            recipe.mbs = {1, 2};
        else if (!wider.mixedStages)
            recipe.mbs = {1};
        recipe.reserve = gibibytes(0.25);
        Space space;
        space.maxStages = wider.pipelines > 1 ? 2 : 3;
        space.maxTp = wider.any() ? 1 : 2;
        space.maxCp = most.cp;
        space.maxEp = most.ep;
        space.schedules = {{ScheduleKind::OneFOneB, LaunchRule::Artifact}};
        auto problem = Problem::make(cluster, model, recipe, {}, space);
        if (problem)
            return *problem;
    }
}

// Stages that run in one way, on as many GPUs as the Space allows.
std::shared_ptr<const Problem> ofOneMode(const test::DrawnNode& node, int nodes, std::int64_t gbs,
                                         const Space& space) {
    Recipe recipe;
    recipe.gbs = gbs;
    recipe.seq = 2048;
    recipe.mbs = {1};
    recipe.recompute = {Recompute::None};
    const std::vector<test::DrawnNode> all(static_cast<std::size_t>(nodes), node);
    auto problem = Problem::make(test::drawnCluster(all), test::sampleModel("opt-350m"), recipe, {}, space);
    if (!problem)
        qFatal("%s", problem.error().text().c_str());
    return *problem;
}

// All layers on one replica, one sequence after the other.
Plan onOneReplica(const Problem& problem, std::vector<DeviceIndex> devices, int tp, int cp) {
    Stage stage;
    stage.chunks = {{0, fineLayerCount(problem.model()) - 1}};
    stage.replicas = {{std::move(devices), 1.0}};
    stage.tp = tp;
    stage.cp = cp;
    stage.sequenceParallel = tp > 1;
    Plan plan;
    plan.pipelines.emplace_back();
    plan.pipelines.front().microbatches = problem.recipe().gbs;
    plan.pipelines.front().stages = {std::move(stage)};
    return plan;
}

// Of the certificate's layers, those that fit on no device.
std::vector<double> pricesOfWhatRunsNowhere(const CapacityBound& capacity, const Bound& bound) {
    std::vector<double> prices;
    const Json layers = bound.certificate ? bound.certificate->at("layers") : Json::array();
    for (std::size_t i = 0; i < layers.size(); ++i) {
        std::vector<double> alone(layers.size(), 0.0);
        alone[i] = 1.0;
        if (std::isinf(capacity.value(alone)))
            prices.push_back(layers[i].at("price").get<double>());
    }
    return prices;
}

} // namespace

Q_DECLARE_METATYPE(pw::Sharing)

// The axes of a wider Space, one at a time, and the bound that holds for plans of any shape.
class WiderTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void equalsExhaustive_data() {
        QTest::addColumn<bool>("schedules");
        QTest::addColumn<bool>("mixed");
        QTest::addColumn<int>("pipelines");
        QTest::addColumn<int>("problems");
        QTest::addColumn<int>("least"); // problems whose best plan is one of the axis
        QTest::addColumn<Sharing>(
            "whole"); // largest cp and ep on 8 GPUs of 3 kinds and 8 blocks; none: smaller
        const Sharing smaller{0, 0};
        using test::draws;
        QTest::newRow("all schedules") << true << false << 1 << draws(2, 6) << draws(1, 3) << smaller;
        QTest::newRow("mixed stages") << false << true << 1 << draws(20, 60) << draws(1, 2) << smaller;
        QTest::newRow("two pipelines") << false << false << 2 << draws(70, 150) << draws(1, 3) << smaller;
        QTest::newRow("none, whole") << false << false << 1 << 1 << 0 << Sharing{1, 1};
        QTest::newRow("context parallelism, whole") << false << false << 1 << 1 << 0 << Sharing{4, 1};
        QTest::newRow("expert parallelism, whole") << false << false << 1 << 1 << 0 << Sharing{1, 4};
        if (draws(0, 1) == 0)
            return;
        QTest::newRow("all schedules, whole") << true << false << 1 << 1 << 0 << Sharing{1, 1};
        QTest::newRow("mixed stages, whole") << false << true << 1 << 1 << 0 << Sharing{1, 1};
        QTest::newRow("two pipelines, whole") << false << false << 2 << 1 << 0 << Sharing{1, 1};
    }

    void equalsExhaustive() {
        QFETCH(bool, schedules);
        QFETCH(bool, mixed);
        QFETCH(int, pipelines);
        QFETCH(int, problems);
        QFETCH(int, least);
        QFETCH(Sharing, whole);
        const bool large = whole.cp > 0;
        const WiderSpace wider{schedules, mixed, pipelines};
        const int wanted = std::max(problems, qEnvironmentVariableIntValue("PW_PROBLEMS"));
        int exotic = 0, feasible = 0;
        for (std::uint64_t seed = kWiderSeed; feasible < wanted; ++seed) {
            Random random(seed);
            const auto problem = large ? drawnWhole(random, wider, whole) : drawn(random, wider);
            const SearchOutcome truth =
                runWider(problem, "exhaustive", wider, large ? kWholeLimit : kWiderLimit);
            if (truth.status == SearchStatus::Budget)
                continue;
            const SearchOutcome own = runWider(problem, "pipewright", wider, kWiderWork);
            const QByteArray name = "seed " + QByteArray::number(static_cast<qulonglong>(seed));
            QVERIFY2(own.status == truth.status,
                     name + ": " + endText(own).c_str() + " against " + endText(truth).c_str());
            QCOMPARE(own.plans.empty(), truth.plans.empty());
            if (truth.plans.empty())
                continue;
            ++feasible;
            QVERIFY2(asFast(own, truth), name + difference(own, truth));
            QCOMPARE(own.bound.kind, std::string("enumeration"));
            const SearchOutcome narrow = runWider(problem, "pipewright", {}, kWiderWork);
            QVERIFY2(bestOf(own) <= bestOf(narrow) * (1.0 + 1e-9), name);
            exotic += bestOf(own) < bestOf(narrow) * (1.0 - 1e-9) ? 1 : 0;
            // The bound for any shape is below all of it, and its certificate checks.
            const CapacityBound capacity(*problem);
            const Bound bound = capacity.compute();
            QVERIFY2(bound.value.value > 0.0, name);
            QVERIFY2(bound.value.value <= bestOf(truth), name);
            QVERIFY(provesBound(*problem, *bound.certificate, bound.value));
            QVERIFY(!provesBound(*problem, *bound.certificate, bound.value * 1.001));
            for (const FoundPlan& found : own.plans)
                QVERIFY2(capacity.covers(found.plan), name);
        }
        qInfo("%d of %d problems have their best plan on this axis", exotic, feasible);
        QVERIFY(!test::manyDrawn() || exotic >= least);
    }

    // Gradients and weights sharded, where the recipe asks for that: not an axis, but as rarely met.
    void shardedGradientsAndWeights() {
        int feasible = 0, sharded = 0;
        for (std::uint64_t seed = kWiderSeed; feasible < 60; ++seed) {
            Random random(seed);
            const auto with = drawn(random, {});
            Recipe recipe = with->recipe();
            recipe.zero = 2 + static_cast<int>(random.below(2));
            Cluster cluster = with->topology().cluster();
            const auto problem = Problem::make(cluster, with->model(), recipe, {}, with->space());
            QVERIFY(problem);
            const SearchOutcome truth = runWider(*problem, "exhaustive", {}, kWiderLimit);
            if (truth.status == SearchStatus::Budget)
                continue;
            const SearchOutcome own = runWider(*problem, "pipewright", {}, kWiderWork);
            const QByteArray name = "seed " + QByteArray::number(static_cast<qulonglong>(seed));
            QVERIFY2(own.status == truth.status,
                     name + ": " + endText(own).c_str() + " against " + endText(truth).c_str());
            if (truth.plans.empty())
                continue;
            ++feasible;
            QVERIFY2(asFast(own, truth), name + difference(own, truth));
            for (const FoundPlan& found : own.plans)
                for (const Stage& stage : found.plan.pipelines.front().stages) {
                    sharded += stage.zero > 1;
                    QVERIFY(stage.zero <= (found.plan.pipelines.front().stages.size() > 1 ? 1 : recipe.zero));
                }
        }
        QVERIFY(sharded > 20);
    }

    // Where nothing fits otherwise and the recipe leaves it open, weights are sharded.
    void nothingElseFits() {
        const Cluster cluster = test::drawnCluster({{"A100-SXM4-40GB", 8, 100.0}});
        Space space;
        space.maxTp = space.maxStages = 1;
        Recipe recipe;
        recipe.gbs = 16;
        recipe.seq = 2048;
        const auto asked = [&](int zero) {
            recipe.zero = zero;
            auto problem = Problem::make(cluster, test::sampleModel("llama3-8b"), recipe, {}, space);
            return runWider(*problem, "pipewright", {}, 0);
        };
        QVERIFY(asked(1).plans.empty());
        const SearchOutcome open = asked(-1);
        QVERIFY(!open.plans.empty());
        QVERIFY(open.plans.front().plan.pipelines.front().stages.front().zero >= 2);
        QVERIFY(open.covered && open.gap() >= 0.0);
        QVERIFY(bestOf(open) <= bestOf(asked(3)));
    }

    // Below plans that nobody searched: cuts inside blocks, unequal shares, replicas anywhere.
    void noPlanIsFasterThanCapacity() {
        int compared = 0, tight = 0, nowhere = 0;
        for (std::uint64_t seed = kWiderSeed; compared < 400; ++seed) {
            Random random(seed);
            const auto problem = test::randomProblem(random);
            QVERIFY(problem);
            const CapacityBound capacity(*problem);
            const Bound bound = capacity.compute();
            QVERIFY(bound.scope.family == ProofScope::Family::AnyShape);
            for (const double price : pricesOfWhatRunsNowhere(capacity, bound)) {
                QCOMPARE(price, 0.0); // then the bound is that of the other layers, however dear this one
                ++nowhere;
            }
            for (int k = 0; k < 20; ++k) {
                const std::optional<Plan> plan = test::randomPlan(random, *problem);
                if (!plan || !capacity.covers(*plan))
                    continue;
                const auto evaluation = evaluate(*problem, *plan);
                if (!evaluation || !evaluation->feasible)
                    continue;
                QVERIFY(compared % 20 != 0 || contains(bound.scope, *problem, *plan));
                ++compared;
                tight += evaluation->iteration.value < 3.0 * bound.value.value;
                QVERIFY2(bound.value.value <= evaluation->iteration.value,
                         QByteArray::number(static_cast<qulonglong>(seed)));
            }
        }
        qInfo("%d plans, %d of them within three times the bound", compared, tight);
        QVERIFY(tight > 10 && nowhere > 10);
    }

    // What has not looked at every way of running a layer speaks of nothing.
    void aStoppedBoundProvesNothing() {
        const auto problem =
            test::problemOf(test::sampleCluster("mixed-16"), test::sampleModel("gpt3-1.3b"), 256, 2048);
        const SearchOutcome found = runWider(problem, "pipewright", {}, 0);
        QVERIFY(!found.plans.empty());
        const CapacityBound whole(*problem);
        const Bound bound = whole.compute();
        QVERIFY(whole.covers(found.plans.front().plan) && whole.proves(*bound.certificate, bound.value));
        int asked = 0;
        for (const int after : {0, 1, 50}) {
            asked = 0;
            const CapacityBound stopped(*problem, [&] { return asked++ >= after; });
            QCOMPARE(asked, after + 1);
            QCOMPARE(stopped.compute().value.value, 0.0);
            QVERIFY(!stopped.covers(found.plans.front().plan));
            QVERIFY(!stopped.proves(*bound.certificate, bound.value));
        }
    }

    // No prices prove more than the best plan takes, and a broken certificate proves nothing.
    void certificatesOfOthersProveNothing() {
        const auto problem =
            test::problemOf(test::sampleCluster("mixed-16"), test::sampleModel("gpt3-1.3b"), 256, 2048);
        const CapacityBound capacity(*problem);
        const Bound bound = capacity.compute();
        QVERIFY(provesBound(*problem, *bound.certificate, bound.value));
        Json broken = *bound.certificate;
        broken["layers"].erase(broken["layers"].size() - 1);
        QVERIFY(!provesBound(*problem, broken, bound.value));
        Json negative = *bound.certificate;
        negative["layers"][0]["price"] = -1.0;
        QVERIFY(!provesBound(*problem, negative, bound.value));
        Json nothing = *bound.certificate;
        for (Json& layer : nothing["layers"])
            layer["price"] = 0.0;
        QVERIFY(!provesBound(*problem, nothing, Seconds(1e-6)));
        Json dearer = *bound.certificate;
        dearer["layers"].back()["price"] = dearer["layers"].back()["price"].get<double>() * 100.0;
        QVERIFY(!provesBound(*problem, dearer, bound.value));
    }

    // A device that runs in one way is never idle in the bound: a sequence takes what one more of them takes.
    void oneDeviceTakesWhatItsPassesTake() {
        const auto timeOf = [](std::int64_t gbs) {
            const auto problem = ofOneMode({"A100-SXM4-40GB", 1, 100.0}, 1, gbs, {});
            const auto evaluation = evaluate(*problem, onOneReplica(*problem, {0}, 1, 1));
            return evaluation && evaluation->feasible ? evaluation->iteration.value : 0.0;
        };
        const double each = timeOf(9) - timeOf(8); // s
        const auto problem = ofOneMode({"A100-SXM4-40GB", 1, 100.0}, 1, 8, {});
        const Bound bound = CapacityBound(*problem).compute();
        QVERIFY(each > 0.0);
        QVERIFY2(std::abs(bound.value.value / (8.0 * each) - 1.0) < 1e-6,
                 qPrintable(QString("%1 of %2 s").arg(bound.value.value).arg(8.0 * each)));
        int layers = 0;
        for (const Json& item : (*bound.certificate)["layers"])
            layers += item["count"].get<int>();
        QCOMPARE(layers, fineLayerCount(problem->model()));
    }

    // Tensor-parallel groups inside a node are spoken of, those of which any device is elsewhere are not.
    void groupsThatLeaveTheirNodeAreNotCovered() {
        const auto problem = ofOneMode({"A100-SXM4-40GB", 4, 100.0}, 2, 8, {});
        const CapacityBound capacity(*problem);
        const std::vector<DeviceIndex> inside = {0, 1, 2, 3};
        QVERIFY(capacity.covers(onOneReplica(*problem, inside, 4, 1)));
        for (std::size_t k = 0; k < inside.size(); ++k) {
            std::vector<DeviceIndex> across = inside;
            across[k] = 4;
            QVERIFY(!capacity.covers(onOneReplica(*problem, across, 4, 1)));
        }
    }

    // A scope goes as far as the replicas of the Space may share a sequence.
    void scopesSayHowReplicasShare() {
        Space space;
        space.maxCp = 2;
        const auto problem = ofOneMode({"A100-SXM4-40GB", 2, 100.0}, 2, 8, space);
        const ProofScope scope = scopeOf(*problem, ProofScope::Family::AnyShape);
        QCOMPARE(scope.cp, 2);
        QCOMPARE(scope.ep, 1);
        const Plan shared = onOneReplica(*problem, {0, 1}, 1, 2);
        QVERIFY(contains(scope, *problem, shared));
        ProofScope alone = scope;
        alone.cp = 1;
        QVERIFY(!contains(alone, *problem, shared));
        QVERIFY(contains(alone, *problem, onOneReplica(*problem, {0}, 1, 1)));
    }

    // On a cluster of today every axis only adds, its plans stand on their own, and the gap is stated.
    void axesOnlyAdd() {
        const auto problem =
            test::problemOf(test::sampleCluster("mixed-16"), test::sampleModel("gpt3-1.3b"), 256, 2048);
        const SearchOutcome narrow = runWider(problem, "pipewright", {}, 200'000);
        for (const WiderSpace& wider : {WiderSpace{true, false, 1}, WiderSpace{false, true, 1},
                                        WiderSpace{false, false, 2}, WiderSpace{true, true, 3}}) {
            const SearchOutcome own = runWider(problem, "pipewright", wider, 800'000);
            QVERIFY(bestOf(own) <= bestOf(narrow) * (1.0 + 1e-9));
            QVERIFY(own.covered && own.bound.value.value > 0.0 && own.gap() >= 0.0);
            QCOMPARE(own.bound.kind, std::string(CapacityBound::kKind));
            Space space = problem->space();
            space.wider = wider;
            const auto asked = problem->withSpace(space);
            const CostTable table(*asked);
            const auto spaces = chainSpaces(*asked, table, sharings(*asked), [] { return false; });
            for (const FoundPlan& found : own.plans) {
                QVERIFY(inSpace(*asked, table, pointersTo(spaces), found.plan));
                QVERIFY(wider.mixedStages || !isMixedPlan(*asked, found.plan));
                QVERIFY(static_cast<int>(found.plan.pipelines.size()) <= wider.pipelines);
                const auto again = evaluate(*problem, found.plan);
                QVERIFY(again);
                QCOMPARE(again->iteration.value, found.evaluation.iteration.value);
            }
        }
    }

    void everyKindOfScheduleIsTried() {
        const auto problem = test::sampleProject("measured-16");
        for (const bool wider : {false, true}) {
            Space space;
            space.wider.schedules = wider;
            const std::vector<ScheduleTrial> trials = scheduleTrials(*problem->withSpace(space));
            for (const ScheduleKind kind : test::everyKind())
                QVERIFY2(
                    std::ranges::any_of(trials, [&](const ScheduleTrial& t) { return t.kind == kind; }) ==
                        (wider || space.allows(kind)),
                    name(kind));
        }
    }

    // Where only some of them are asked for, none of the others is tried, found or proven something about.
    void someKindsAloneAreTried() {
        WiderSpace some{true, false, 1};
        some.kinds = {ScheduleKind::Interleaved, ScheduleKind::ZbH1};
        const auto problem = test::sampleProject("measured-16");
        Space space;
        space.wider = some;
        const std::vector<ScheduleTrial> trials = scheduleTrials(*problem->withSpace(space));
        for (const ScheduleKind kind : test::everyKind())
            QVERIFY2(std::ranges::any_of(trials, [&](const ScheduleTrial& t) { return t.kind == kind; }) ==
                         (space.allows(kind) || some.has(kind)),
                     name(kind));
        const SearchOutcome all = runWider(problem, "pipewright", {true, false, 1}, 200'000);
        const SearchOutcome own = runWider(problem, "pipewright", some, 200'000);
        QVERIFY(!own.plans.empty() && !all.plans.empty());
        for (const FoundPlan& found : own.plans)
            for (const Pipeline& pipeline : found.plan.pipelines)
                QVERIFY(space.allows(pipeline.schedule.kind) || some.has(pipeline.schedule.kind));
        ProofScope scope;
        scope.family = ProofScope::Family::ChainsAndGrids;
        scope.wider = some;
        QVERIFY2(scope.text().find("any schedule") == std::string::npos &&
                     scope.text().find("ZB-H1") != std::string::npos,
                 scope.text().c_str());
        QVERIFY(!toJson(scope)["all_schedules"].get<bool>());
    }

    // Wherever a search is stopped, what it has found is what it gives.
    void aStopKeepsWhatWasFound() {
        class Stopping : public SearchObserver {
        public:
            explicit Stopping(int calls) : m_left(calls) {}
            void found(const FoundPlan& plan) override {
                best = std::min(best, plan.evaluation.iteration.value);
                count();
            }
            void progress(const SearchProgress&) override { count(); }
            std::stop_source stop;
            double best = std::numeric_limits<double>::infinity(); // s
            bool wasStopped() const { return m_left <= 0; }

        private:
            void count() {
                if (--m_left == 0)
                    stop.request_stop();
            }
            int m_left;
        };
        const auto problem =
            test::problemOf(test::sampleCluster("mixed-16"), test::sampleModel("opt-350m"), 64, 2048);
        SearchOptions options;
        options.work = 300'000;
        options.threads = 1;
        options.wider = {true, true, 2};
        int stopped = 0;
        for (int calls = 1;; calls += std::max(1, calls / 4)) {
            Stopping observer(calls);
            const auto outcome = search(problem, options, observer, observer.stop.get_token());
            QVERIFY(outcome);
            if (!observer.wasStopped())
                break;
            ++stopped;
            const std::string where = std::to_string(calls) + " calls";
            QVERIFY2(std::isinf(observer.best) == outcome->plans.empty(), where.c_str());
            if (!outcome->plans.empty())
                QVERIFY2(bestOf(*outcome) <= observer.best * (1.0 + 1e-9), where.c_str());
        }
        QVERIFY(stopped > 8);
    }

    void littleWorkIsKeptTo() {
        const auto problem =
            test::problemOf(test::sampleCluster("mixed-16"), test::sampleModel("gpt3-1.3b"), 64, 2048);
        constexpr std::int64_t kOnePlan = 10'000; // simulated, under the schedule that takes most
        for (const WiderSpace& wider :
             {WiderSpace{true, false, 1}, WiderSpace{false, true, 1}, WiderSpace{false, false, 2}})
            for (const std::int64_t work : {1, 3, 8, 300, 3000}) {
                const SearchOutcome outcome = runWider(problem, "pipewright", wider, work);
                QVERIFY2(outcome.work <= work + kOnePlan, QByteArray::number(qlonglong(outcome.work)));
            }
    }

    void sameSeedAndWorkSamePlans() {
        const auto problem =
            test::problemOf(test::sampleCluster("mixed-16"), test::sampleModel("opt-350m"), 64, 2048);
        const WiderSpace wider{true, true, 2};
        const SearchOutcome one = runWider(problem, "pipewright", wider, 300'000, 1);
        for (const int threads : {2, 8}) {
            const SearchOutcome other = runWider(problem, "pipewright", wider, 300'000, threads);
            QCOMPARE(other.work, one.work);
            QCOMPARE(other.plans.size(), one.plans.size());
            for (std::size_t i = 0; i < one.plans.size(); ++i)
                QVERIFY(other.plans[i].plan == one.plans[i].plan);
        }
    }
};

QTEST_GUILESS_MAIN(WiderTest)
#include "wider_test.moc"
