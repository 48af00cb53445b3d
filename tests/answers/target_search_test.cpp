// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/answers/ask.h"
#include "core/answers/by_trainer.h"
#include "core/answers/target_search.h"
#include "core/answers/verdict.h"
#include "core/base/trace.h"
#include "core/document/plan_document.h"
#include "core/exchange/exports/runs_with.h"
#include "core/search/planners.h"
#include "tests/answers/small_question.h"

#include <nlohmann/json.hpp>

#include <QTest>

#include <cmath>
#include <limits>
#include <set>

using namespace pw;

namespace {

// Two nodes of eight H100 and four of eight A100 behind one switch.
std::shared_ptr<const Problem> question(const char* model) {
    std::vector<test::DrawnNode> nodes;
    for (int n = 0; n < 6; ++n)
        nodes.push_back({n < 2 ? "H100-SXM-80GB" : "A100-SXM4-80GB", 8, 200.0});
    return test::problemOf(test::drawnCluster(nodes), test::sampleModel(model), 512, 4096);
}

// Qwen3 4B, whose head shares the embedding's matrix: torchtitan has no pipelines of it. Without tensor
// parallelism and in so little memory a stage holds it only with its weights sharded, a pipeline at once.
std::shared_ptr<const Problem> tiedQuestion(int zero = -1, int maxStages = 0,
                                            const std::vector<Recompute>& recompute = {}) {
    Model m = test::sampleModel("llama3-8b");
    m.family = "qwen3";
    m.blocks = 36;
    m.hidden = 2560;
    m.ffn = 9728;
    m.heads = 32;
    m.kvHeads = 8;
    m.headDim = 128;
    m.vocab = 151936;
    m.positions = 40960;
    m.rotaryBase = 1'000'000.0;
    m.rotaryScaling = {};
    m.tied = m.queryKeyNorm = true;
    Recipe recipe;
    recipe.gbs = 32;
    recipe.seq = 2048;
    recipe.reserve = Bytes(20.0 * 1024 * 1024 * 1024);
    recipe.zero = zero;
    recipe.recompute = recompute;
    Space space;
    space.maxTp = space.maxCp = 1;
    space.maxStages = maxStages;
    auto problem =
        Problem::make(test::drawnCluster({{"A100-SXM4-40GB", 8, 100.0}, {"A100-SXM4-40GB", 8, 100.0}}), m,
                      recipe, {}, space);
    if (!problem)
        qFatal("%s", problem.error().text().c_str());
    return *problem;
}

bool isPipeline(const FoundPlan& found) {
    return found.plan.pipelines.front().stages.size() > 1;
}

Result<SearchOutcome> searchWith(const std::shared_ptr<const Problem>& problem, const char* planner,
                                 const char* target) {
    SearchOptions options;
    options.planner = planner;
    SearchObserver nobody;
    std::optional<Error> refused;
    return searchForTarget(problem, options, *exporterRow(target), nobody, {}, refused);
}

} // namespace

class TargetSearchTest : public QObject {
    Q_OBJECT

private slots:
    // The default planner is never behind the others, whose plans are of the shapes that trainers run.
    void theDefaultPlannerIsTheBestForATrainer_data() {
        QTest::addColumn<QString>("target");
        for (const char* target : {"megatron", "flagscale"})
            QTest::newRow(target) << QString::fromLatin1(target);
    }
    void theDefaultPlannerIsTheBestForATrainer() {
        QFETCH(QString, target);
        const auto problem = question("llama3-70b");
        const QByteArray name = target.toLatin1();
        const auto own = searchWith(problem, "pipewright", name.constData());
        QVERIFY(own);
        for (const char* other : {"megatron", "hyperpipe", "haap"}) {
            const auto theirs = searchWith(problem, other, name.constData());
            QVERIFY(theirs);
            QVERIFY2(theirs->plans.empty() || !own->plans.empty(), other);
            if (!theirs->plans.empty())
                QVERIFY2(own->plans.front().evaluation.iteration.value <=
                             theirs->plans.front().evaluation.iteration.value * (1.0 + 1e-9),
                         other);
        }
        for (const FoundPlan& found : own->plans)
            QVERIFY(exportRefusals(*exporterRow(name.constData()), *problem, found.plan).empty());
    }

    // Where a trainer has no pipelines of the model, all plans of one stage are tried, though pipelines fit:
    // nothing that a search of those alone finds is faster, and without a target no weights are sharded.
    void aTrainerWithoutPipelinesGetsOneStage() {
        const ExporterRow& torchtitan = *exporterRow("torchtitan");
        const auto problem = tiedQuestion();
        const auto open = searchWith(problem, "pipewright", "plan");
        QVERIFY(open && !open->plans.empty() && std::ranges::all_of(open->plans, isPipeline));
        double best = std::numeric_limits<double>::infinity();
        for (const int zero : {2, 3})
            for (const Recompute mode : {Recompute::None, Recompute::Selective, Recompute::Full}) {
                SearchOptions options;
                options.top = kLookedThrough;
                SearchObserver nobody;
                const auto sharded = search(tiedQuestion(zero, 1, {mode}), options, nobody, {});
                QVERIFY(sharded);
                for (const FoundPlan& found : sharded->plans)
                    if (exportRefusals(torchtitan, *problem, found.plan).empty())
                        best = std::min(best, found.evaluation.iteration.value);
            }
        QVERIFY(std::isfinite(best));
        for (const char* planner : {"pipewright", "megatron"}) { // whoever searches
            const auto found = searchWith(problem, planner, "torchtitan");
            QVERIFY2(found && !found->plans.empty(), planner);
            QVERIFY2(found->plans.front().evaluation.iteration.value <= best * (1.0 + 1e-9), planner);
            QVERIFY(found->status != SearchStatus::Optimal && found->bound.value.value == 0.0);
            for (const FoundPlan& plan : found->plans) {
                QVERIFY(!isPipeline(plan) && plan.evaluation.feasible);
                QVERIFY(exportRefusals(torchtitan, *problem, plan.plan).empty());
            }
        }
        // The recipe's own word holds.
        const auto two = searchWith(tiedQuestion(2), "pipewright", "torchtitan");
        QVERIFY(two);
        for (const FoundPlan& plan : two->plans)
            QCOMPARE(plan.plan.pipelines.front().stages.front().zero, 2);
    }

    // A trainer that shards the optimiser alone is searched for as if no more were asked of it: plans of one
    // stage that shard more, which it refuses, take nothing from the search for its pipelines.
    void shardingThatATrainerLacksTakesNoWork() {
        SearchOptions options;
        options.work = 20'000;
        SearchObserver nobody;
        std::optional<Error> refused;
        const ExporterRow& megatron = *exporterRow("megatron");
        const auto one = searchForTarget(tiedQuestion(1), options, megatron, nobody, {}, refused);
        QVERIFY(one && !one->plans.empty());
        for (const int zero : {2, 3}) {
            const auto more = searchForTarget(tiedQuestion(zero), options, megatron, nobody, {}, refused);
            QVERIFY(more && !more->plans.empty());
            QCOMPARE(more->work, one->work);
            QCOMPARE(more->plans.front().evaluation.iteration.value,
                     one->plans.front().evaluation.iteration.value);
        }
    }

    // No search of its own where the trainer runs pipelines of those that were found.
    void oneStageIsNotSearchedWhereNothingIsGained() {
        const auto problem = test::smallQuestion();
        SearchOptions options;
        options.work = 20'000;
        for (const char* target : {"megatron", "flagscale", "runner"}) {
            PhaseRecorder recorder;
            options.trace = &recorder;
            SearchObserver nobody;
            std::optional<Error> refused;
            const auto found = searchForTarget(problem, options, *exporterRow(target), nobody, {}, refused);
            QVERIFY2(found && std::ranges::any_of(found->plans, isPipeline), target);
            QVERIFY(!found->phases.empty());
            QVERIFY2(std::ranges::find(found->phases, "single stages", &Phase::name) == found->phases.end(),
                     target);
        }
        PhaseRecorder recorder;
        options.trace = &recorder;
        SearchObserver nobody;
        std::optional<Error> refused;
        const auto tied =
            searchForTarget(tiedQuestion(), options, *exporterRow("torchtitan"), nobody, {}, refused);
        QVERIFY(tied && std::ranges::find(tied->phases, "single stages", &Phase::name) != tied->phases.end());
    }

    // One answer for all trainers is what a search for each of them finds or better, with fewer searches; no
    // other plan in it that a trainer takes is faster than its own.
    void eachTrainersBestIsThatOfASearchForIt() {
        const auto problem = test::smallQuestion();
        SearchOptions options;
        options.work = 60'000;
        SearchObserver nobody;
        const Result<BestByTrainer> all = bestByTrainer(problem, options, nobody, {});
        QVERIFY(all && all->made < all->asked);
        std::size_t trainers = 0;
        for (const ExporterRow& row : exporterTable())
            trainers += row.trainer && row.write != nullptr ? 1 : 0;
        QCOMPARE(all->rows.size(), trainers);
        int with = 0;
        for (const BestByTrainer::Row& row : all->rows) {
            std::optional<Error> refused;
            const auto alone = searchForTarget(problem, options, *row.trainer, nobody, {}, refused);
            QVERIFY(row.best.has_value() != row.refused.has_value());
            QVERIFY(row.best.has_value() || !alone || alone->plans.empty());
            std::vector<FoundPlan> others = all->open.plans;
            for (const BestByTrainer::Row& other : all->rows)
                if (other.best)
                    others.push_back(*other.best);
            for (const FoundPlan& other : others) {
                const auto here = evaluate(*row.asked.problem, other.plan);
                QVERIFY2(!here || !here->feasible ||
                             (row.best && here->iteration >= row.best->evaluation.iteration) ||
                             !exportRefusals(*row.trainer, *row.asked.problem, other.plan).empty(),
                         row.trainer->format);
            }
            if (!row.best)
                continue;
            ++with;
            if (alone && !alone->plans.empty())
                QVERIFY(row.best->evaluation.iteration <= alone->plans.front().evaluation.iteration);
            QVERIFY(exportRefusals(*row.trainer, *problem, row.best->plan).empty());
            const auto forAny = evaluate(*problem, row.best->plan); // where kinds were left out, with them
            QVERIFY(forAny && all->open.plans.front().evaluation.iteration <= forAny->iteration);
        }
        QVERIFY(with > 2);
    }

    // A trainer that shards more than the optimiser has a plan that no search for any tries: no bound is said
    // of it that it undercuts, and a search for such a trainer finds it, too.
    // NCCL and RCCL form no group together, and some trainers have no build for one of them: what such a
    // trainer runs is searched on the GPUs of each vendor.
    void vendorsAreNotMixed() {
        std::vector<test::DrawnNode> nodes;
        for (int n = 0; n < 4; ++n)
            nodes.push_back({n < 2 ? "A100-SXM4-80GB" : "MI300X-192GB", 8, 200.0});
        const auto problem =
            test::problemOf(test::drawnCluster(nodes), test::sampleModel("llama2-7b"), 128, 2048);
        const auto vendors = [&](const Plan& plan) {
            std::set<std::string> used;
            for (const DeviceKind* kind : usedKinds(*problem, plan))
                used.insert(kind->vendor);
            return used;
        };
        SearchObserver nobody;
        for (const auto& [target, wanted] :
             {std::pair("megatron", "AMD"), {"runner", "AMD"}, {"nemo2", "NVIDIA"}, {"hetu", "NVIDIA"}}) {
            const auto found = searchWith(problem, "pipewright", target);
            QVERIFY2(found && !found->plans.empty(), target);
            QCOMPARE(vendors(found->plans.front().plan), std::set<std::string>{wanted});
            for (const FoundPlan& plan : found->plans)
                QVERIFY(exportRefusals(*exporterRow(target), *problem, plan.plan).empty());
        }
        // Of GPUs that it has no build for alone it runs no plan, and says so before any search.
        const auto amd =
            test::problemOf(test::drawnCluster({nodes.back()}), test::sampleModel("llama2-7b"), 32, 2048);
        const auto never = searchWith(amd, "pipewright", "nemo2");
        QVERIFY(!never);
        QVERIFY(!never.error().reasons.empty());
        QVERIFY2(never.error().reasons.front().message.find("GPUs of AMD alone") != std::string::npos,
                 never.error().reasons.front().message.c_str());
    }

    // Adam's states alone are sharded by Megatron-LM, and other trainers' files name no optimizer.
    void anotherOptimizerIsNotShardedThere() {
        Recipe recipe;
        recipe.gbs = 64;
        recipe.seq = 2048;
        recipe.optimizer = Optimizer::Sgd;
        const auto problem = *Problem::make(test::drawnCluster({{"A100-SXM4-80GB", 8, 200.0}}),
                                            test::sampleModel("llama2-7b"), recipe, {});
        const auto found = searchWith(problem, "pipewright", "megatron");
        QVERIFY(found && !found->plans.empty());
        for (const FoundPlan& plan : found->plans)
            for (const Stage& stage : plan.plan.pipelines.front().stages)
                QVERIFY(stage.zero == 0 || stage.dp() == 1);
        QVERIFY(!searchWith(problem, "pipewright", "nemo2"));
        const auto runner = searchWith(problem, "pipewright", "runner");
        QVERIFY(runner && !runner->plans.empty());
    }

    // No bound is said beside a plan that takes less: it speaks of others.
    void aVerdictNamesNoBoundThatThePlanUndercuts() {
        const auto problem = test::problemOf(test::drawnCluster({{"H100-SXM-80GB", 8, 400.0}}),
                                             test::sampleModel("gpt3-1.3b"), 64, 2048);
        SearchObserver nobody;
        const auto found = search(problem, {}, nobody, {});
        QVERIFY(found && !found->plans.empty() && found->covered && found->bound.value.value > 0.0);
        FoundPlan present = found->plans.front();
        const Verdict same = verdictOn(present, problem, *found, nullptr);
        QVERIFY(same.text.message.find("as good as") != std::string::npos);
        QCOMPARE(same.bound.value, found->bound.value.value);
        present.evaluation.iteration = found->bound.value * 0.9;
        const Verdict faster = verdictOn(present, problem, *found, nullptr);
        QVERIFY2(faster.text.message.find("faster than the best") != std::string::npos,
                 faster.text.message.c_str());
        QVERIFY(faster.text.message.find("none of its kind") == std::string::npos);
        QCOMPARE(faster.bound.value, 0.0);
    }

    void plansThatShardMoreAreNotBelowTheBound() {
        Model m = test::sampleModel("llama3-8b");
        m.blocks = 6;
        m.hidden = 2048;
        m.heads = 16;
        m.kvHeads = 4;
        m.ffn = 8192;
        m.headDim = 128;
        m.vocab = 32000;
        const auto problem = test::problemOf(test::drawnCluster({{"H100-SXM-80GB", 8, 400.0}}), m, 24, 1024);
        SearchOptions options;
        options.work = 60'000;
        SearchObserver nobody;
        const Result<BestByTrainer> all = bestByTrainer(problem, options, nobody, {});
        QVERIFY(all && !all->open.plans.empty());
        const SearchOutcome& open = all->open;
        const FoundPlan& best = open.plans.front();
        const auto shards = [](const Plan& plan) {
            return std::ranges::any_of(plan.pipelines.front().stages,
                                       [](const Stage& s) { return s.zero > 1; });
        };
        QVERIFY(shards(best.plan)); // else this is another question
        QVERIFY(open.bound.value.value <= best.evaluation.iteration.value * (1.0 + 1e-9));
        QVERIFY(open.status != SearchStatus::Optimal || open.meetsBound());
        QCOMPARE(open.covered, open.bound.value.value > 0.0);
        const auto row = std::ranges::find(all->rows, exporterRow("galvatron"), &BestByTrainer::Row::trainer);
        QVERIFY(row != all->rows.end() && row->best && shards(row->best->plan));
        const auto alone = searchWith(problem, "pipewright", "galvatron");
        QVERIFY(alone && !alone->plans.empty());
        QVERIFY(alone->plans.front().evaluation.iteration.value <=
                row->best->evaluation.iteration.value * (1.0 + 1e-9));
    }

    // The document names with every plan the trainers whose exports take it, and each trainer's best plan.
    void theDocumentNamesTheTrainersOfEveryPlan() {
        Question asked;
        asked.options.work = 20'000;
        asked.everyTrainer = true;
        QuestionObserver nobody;
        const auto problem = test::smallQuestion();
        const Result<Answer> answer = ask(problem, asked, nobody, {});
        QVERIFY(answer && answer->trainers && !answer->found().plans.empty());
        const Json document = documentOf(*answer);
        for (const char* list : {"plans", "differing"})
            for (const Json& entry : document.at(list))
                QVERIFY(entry.at("runs_with").is_array());
        SearchOutcome outcome;
        for (const BestByTrainer::Row& row : answer->trainers->rows)
            if (row.best)
                outcome.plans.push_back(*row.best);
        QVERIFY(outcome.plans.size() > 2);
        Json theirs = planDocument(*problem, outcome);
        writeRunsWith(theirs, *problem, outcome.plans);
        int refused = 0;
        for (std::size_t p = 0; p < outcome.plans.size(); ++p) {
            const Json& takers = theirs.at("plans").at(p).at("runs_with");
            QVERIFY(!takers.empty());
            for (const ExporterRow& row : exporterTable()) {
                if (!row.trainer || row.write == nullptr)
                    continue;
                const bool takes = exportRefusals(row, *problem, outcome.plans[p].plan).empty();
                QCOMPARE(std::ranges::find(takers, Json(row.format)) != takers.end(), takes);
                refused += takes ? 0 : 1;
            }
        }
        QVERIFY(refused > 0);
        const Json& best = document.at("best_by_target");
        QCOMPARE(best.size(), answer->trainers->rows.size());
        for (std::size_t r = 0; r < best.size(); ++r) {
            const BestByTrainer::Row& row = answer->trainers->rows[r];
            QCOMPARE(best[r].at("target").get<std::string>(), std::string(row.trainer->format));
            QCOMPARE(best[r].contains("plan"), row.best.has_value());
            if (row.best)
                QCOMPARE(best[r].at("iteration_s").get<double>(), row.best->evaluation.iteration.value);
        }
    }

    // Plans of wider schedules too: they state what their evaluation chose, so that a plan that is read back
    // is taken by whom the document names, and none is there twice.
    void theDocumentNamesWhoTakesThePlanThatIsReadBack() {
        const auto plain = test::smallQuestion("llama3-8b");
        Space space = plain->space();
        space.wider.schedules = true;
        const auto problem = plain->withSpace(std::move(space));
        SearchOptions options;
        options.work = 20'000;
        options.top = 12;
        options.wider.schedules = true;
        SearchObserver nobody;
        const Result<SearchOutcome> outcome = search(problem, options, nobody, {});
        QVERIFY(outcome && outcome->plans.size() > 4);
        Json document = planDocument(*problem, *outcome);
        writeRunsWith(document, *problem, outcome->plans);
        std::set<std::string> hashes;
        for (const Json& entry : document.at("plans")) {
            QVERIFY(hashes.insert(entry.at("plan_hash").get<std::string>()).second);
            const Result<Plan> plan = planFromJson(JsonReader(entry, "plan.json"), *problem);
            QVERIFY2(plan, plan ? "" : plan.error().text().c_str());
            for (const ExporterRow& row : exporterTable())
                if (row.trainer && row.write != nullptr) {
                    const Json& takers = entry.at("runs_with");
                    QCOMPARE(std::ranges::find(takers, Json(row.format)) != takers.end(),
                             exportRefusals(row, *problem, *plan).empty());
                }
        }
        for (const FoundPlan& found : outcome->plans)
            for (const Pipeline& pipeline : found.plan.pipelines)
                QCOMPARE(pipeline.schedule.launch.empty(), !usesLaunchCounts(pipeline.schedule.kind));
    }

    // Nothing is searched for that the trainer has no model for.
    void whatCanNeverRunIsSaidBeforeTheSearch() {
        const auto problem = question("llama3-70b"); // a rotary base that Hetu's models have not
        class Observer : public SearchObserver {
        public:
            void progress(const SearchProgress&) override { ++told; }
            int told = 0;
        } observer;
        std::optional<Error> refused;
        const auto answer =
            searchForTarget(problem, SearchOptions(), *exporterRow("hetu"), observer, {}, refused);
        QVERIFY(!answer && answer.error().code == "search.target");
        QVERIFY(!answer.error().reasons.empty());
        QCOMPARE(observer.told, 0);
    }

    // Neither for one that nothing is written for, by one planner or by all.
    void whatIsNotWrittenIsSaidBeforeTheSearch() {
        const auto problem = test::smallQuestion();
        class Observer : public QuestionObserver {
        public:
            void begins() override { ++begun; }
            void progress(const SearchProgress&) override { ++told; }
            int begun = 0, told = 0;
        };
        int rows = 0;
        for (const ExporterRow& row : exporterTable()) {
            if (!row.trainer || row.write != nullptr)
                continue;
            ++rows;
            for (const bool everyPlanner : {false, true}) {
                Question asked;
                asked.target = &row;
                if (everyPlanner)
                    asked.entrants = allPlanners();
                Observer observer;
                const Result<Answer> answer = ask(problem, asked, observer, {});
                QVERIFY2(!answer && answer.error().code == "search.target", row.format);
                QVERIFY2(std::ranges::any_of(answer.error().reasons,
                                             [](const Error& e) { return e.code == "E_NO_WRITER"; }),
                         row.format);
                QCOMPARE(observer.told, 0);
                QVERIFY(!everyPlanner || observer.begun == 0);
            }
        }
        QCOMPARE(rows, 2);
    }

    // All schedules are all that the trainer runs: no worse than without them, which is among them.
    void allSchedulesAreThoseOfTheTarget() {
        Space space;
        space.forbidden = {"V100-32"};
        const auto problem = test::problemOf(test::sampleCluster("mixed-64"), test::sampleModel("llama3-70b"),
                                             512, 4096, space);
        SearchObserver nobody;
        std::optional<Error> refused;
        const ExporterRow& torchtitan = *exporterRow("torchtitan");
        SearchOptions options;
        options.work = 10'000;
        const auto narrow = searchForTarget(problem, options, torchtitan, nobody, {}, refused);
        QVERIFY(narrow && !refused && !narrow->plans.empty());
        options.wider.schedules = true;
        options.work *= 4; // a quarter is for what the narrow search does
        const auto wide = searchForTarget(problem, options, torchtitan, nobody, {}, refused);
        QVERIFY2(wide && !refused && !wide->plans.empty(), refused ? refused->text().c_str() : "");
        QVERIFY(wide->plans.front().evaluation.iteration <= narrow->plans.front().evaluation.iteration);
        for (const FoundPlan& found : wide->plans)
            QVERIFY(exportRefusals(torchtitan, *problem, found.plan).empty());
    }

    void axesThatTheTargetCannotRunAreLeftOut() {
        for (const ExporterRow& row : exporterTable()) {
            SearchOptions options;
            options.partitions = options.fineCuts = options.wider.mixedStages = true;
            options.wider.schedules = true;
            options.wider.pipelines = 3;
            restrictTo(row.capability, options);
            QCOMPARE(options.partitions, row.capability.partitions);
            QCOMPARE(options.fineCuts, row.capability.subLayers);
            QCOMPARE(options.wider.mixedStages, row.capability.kindsInStage != KindsInStage::One);
            QCOMPARE(options.wider.pipelines, row.capability.replicaShapes ? 3 : 1);
            for (const ScheduleKind kind : {ScheduleKind::Interleaved, ScheduleKind::Zb2p, ScheduleKind::ZbV})
                QCOMPARE(options.wider.has(kind), row.capability.searches(kind));
        }
    }
};

QTEST_APPLESS_MAIN(TargetSearchTest)
#include "target_search_test.moc"
