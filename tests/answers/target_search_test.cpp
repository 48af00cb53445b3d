// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/answers/ask.h"
#include "core/answers/by_trainer.h"
#include "core/answers/target_search.h"
#include "core/document/plan_document.h"
#include "core/exchange/exports/runs_with.h"
#include "tests/answers/small_question.h"

#include <nlohmann/json.hpp>

#include <QTest>

using namespace pw;

namespace {

// Two nodes of eight H100 and four of eight A100 behind one switch.
std::shared_ptr<const Problem> question(const char* model) {
    std::vector<test::DrawnNode> nodes;
    for (int n = 0; n < 6; ++n)
        nodes.push_back({n < 2 ? "H100-SXM-80GB" : "A100-SXM4-80GB", 8, 200.0});
    return test::problemOf(test::drawnCluster(nodes), test::sampleModel(model), 512, 4096);
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
            for (const FoundPlan& other : others)
                QVERIFY2((row.best && other.evaluation.iteration >= row.best->evaluation.iteration) ||
                             !exportRefusals(*row.trainer, *problem, other.plan).empty(),
                         row.trainer->format);
            if (!row.best)
                continue;
            ++with;
            if (alone && !alone->plans.empty())
                QVERIFY(row.best->evaluation.iteration <= alone->plans.front().evaluation.iteration);
            QVERIFY(exportRefusals(*row.trainer, *problem, row.best->plan).empty());
            QVERIFY(all->open.plans.front().evaluation.iteration <= row.best->evaluation.iteration);
        }
        QVERIFY(with > 2);
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

    // Nothing is searched for that the trainer has no model for.
    void whatCanNeverRunIsSaidBeforeTheSearch() {
        const auto problem = question("llama3-70b"); // grouped heads, which Hetu's models have not
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

    // A kind that a trainer's precision is not for is left out for this trainer alone, and the answer says
    // so.
    void aKindIsLeftOutForATrainerAlone() {
        const auto problem =
            test::problemOf(test::sampleCluster("mixed-16"), test::sampleModel("llama3-8b"), 128, 2048);
        QVERIFY(problem->precision() == Precision::Fp16);
        SearchOptions options;
        options.work = 20'000;
        SearchObserver nobody;
        const Result<BestByTrainer> all = bestByTrainer(problem, options, nobody, {});
        QVERIFY(all);
        const Json entries = toJson(*problem, *all);
        for (std::size_t r = 0; r < all->rows.size(); ++r) {
            const BestByTrainer::Row& row = all->rows[r];
            const bool runsIt = questionFor(problem, *row.trainer).leftOut.empty();
            QCOMPARE(row.asked.problem->hash() == problem->hash(), runsIt);
            QCOMPARE(row.leftOut.has_value(), !runsIt);
            if (row.best)
                QVERIFY(exportRefusals(*row.trainer, *row.asked.problem, row.best->plan).empty());
            if (std::string(row.trainer->format) != "torchtitan")
                continue;
            QVERIFY(row.best && row.leftOut && row.leftOut->code == "search.left_out");
            QVERIFY(row.asked.problem->precision() == Precision::Bf16);
            QCOMPARE(entries[r]["left_out"].size(), std::size_t{1});
        }
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
