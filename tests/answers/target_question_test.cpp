// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/answers/ask.h"
#include "core/answers/by_trainer.h"
#include "core/answers/target_search.h"
#include "core/search/space/chain.h"
#include "tests/answers/small_question.h"

#include <nlohmann/json.hpp>

#include <QTest>

#include <algorithm>

using namespace pw;

// A question as a trainer is asked it: kinds of GPU that are left out for the sake of the precision, and the
// plans that a document keeps for each trainer.
class TargetQuestionTest : public QObject {
    Q_OBJECT

private slots:
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
            const bool runsIt = questionFor(problem, *row.trainer).leftOut.empty() && !row.asked.idle;
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
        const Json document = {{"best_by_target", entries}};
        for (const BestByTrainer::Row& row : all->rows) {
            const auto read = planForTrainer(document, problem, row.trainer->format, "plans.json");
            QVERIFY2(read, read ? "" : read.error().text().c_str());
            QCOMPARE(read->has_value(), row.best.has_value());
            if (!row.best)
                continue;
            QVERIFY((*read)->plan == row.best->plan);
            QCOMPARE((*read)->asked.problem->hash(), row.asked.problem->hash());
            QCOMPARE((*read)->asked.leftOut, row.asked.leftOut);
        }
        QVERIFY(!planForTrainer(document, problem, "csv", "plans.json")->has_value());
        QVERIFY(!planForTrainer(Json::object(), problem, "megatron", "plans.json")->has_value());
    }

    // A document from elsewhere.
    void aBrokenEntryIsAnError_data() {
        QTest::addColumn<QByteArray>("entries");
        QTest::newRow("no list") << QByteArray("{}");
        QTest::newRow("no entry") << QByteArray("[7]");
        QTest::newRow("no format") << QByteArray(R"([{"plan": {}}])");
        QTest::newRow("no plan") << QByteArray(R"([{"target": "megatron", "plan": {}}])");
        QTest::newRow("a number") << QByteArray(
            R"([{"target": "megatron", "plan": {}, "forbidden": [7], "left_out": []}])");
        QTest::newRow("no such kind")
            << QByteArray(R"([{"target": "megatron", "plan": {}, "forbidden": ["Z80"], "left_out": []}])");
        QTest::newRow("nothing left") << QByteArray(
            R"([{"target": "megatron", "plan": {}, "forbidden": ["n1", "n2", "n3", "n4"], "left_out": []}])");
    }
    void aBrokenEntryIsAnError() {
        QFETCH(QByteArray, entries);
        const Json document = {{"best_by_target", Json::parse(entries.constData())}};
        const auto read = planForTrainer(document, test::smallQuestion(), "megatron", "plans.json");
        QVERIFY(!read);
        QVERIFY2(read.error().where.starts_with("plans.json"), read.error().where.c_str());
    }

    // Kinds that force a lower precision on all are left out for a trainer whose best plan leaves them idle,
    // where that costs nothing; not where they are used, are wanted, or the plans are to be of the problem.
    void idleKindsDoNotKeepThePrecisionDown() {
        const auto problem =
            test::problemOf(test::sampleCluster("mixed-16"), test::sampleModel("llama3-8b"), 128, 2048);
        Question asked;
        asked.options.work = 20'000;
        asked.target = exporterRow("nemo2"); // places stages by itself, on one kind of GPU
        QuestionObserver nobody;
        const auto without = ask(problem, asked, nobody, {});
        QVERIFY2(without && !without->refused, without ? "" : without.error().text().c_str());
        QVERIFY(without->problem->precision() == Precision::Bf16);
        const auto noteIn = [](const Result<Answer>& answer) {
            const Diagnostics& notes = answer->found().notes;
            const auto note = std::ranges::find(notes, "search.left_out", &Diagnostic::code);
            return note == notes.end() ? nullptr : &*note;
        };
        QVERIFY(noteIn(without));
        QCOMPARE(noteIn(without)->param("kinds"), std::string("V100-16"));
        QVERIFY(noteIn(without)->message.find("idle") != std::string::npos);
        QVERIFY(static_cast<int>(without->found().plans.size()) <= asked.options.top);
        for (const FoundPlan& found : without->found().plans) {
            QVERIFY(exportRefusals(*asked.target, *without->problem, found.plan).empty());
            QVERIFY(evaluate(*without->problem, found.plan)->feasible);
        }
        asked.withoutIdle = false;
        const auto with = ask(problem, asked, nobody, {});
        QVERIFY(with && !noteIn(with));
        QCOMPARE(with->problem->hash(), problem->hash());
        QVERIFY(!takesLess(with->found().plans.front().evaluation.iteration.value,
                           without->found().plans.front().evaluation.iteration.value));
        asked.withoutIdle = true;
        asked.target = exporterRow("runner"); // its best plan is of both kinds
        const auto used = ask(problem, asked, nobody, {});
        QVERIFY(used && !used->found().plans.empty() && !noteIn(used));
        QCOMPARE(usedKinds(*problem, used->found().plans.front().plan).size(), std::size_t{2});
        QCOMPARE(used->problem->hash(), problem->hash());
    }

    // The recipe's own precision is nobody's to change, and a plan that leaves nothing idle has no such
    // kinds.
    void onlyIdleKindsThatForceAPrecisionAreLeftOut() {
        const ExporterRow& nemo = *exporterRow("nemo2");
        const Cluster cluster = test::sampleCluster("mixed-16");
        const Model model = test::sampleModel("llama3-8b");
        const auto problem = test::problemOf(cluster, model, 128, 2048);
        SearchOptions options;
        options.planner = "megatron";
        SearchObserver nobody;
        std::optional<Error> refused;
        const auto found = searchForTarget(problem, options, nemo, nobody, {}, refused);
        QVERIFY(found && !found->plans.empty());
        const Plan& plan = found->plans.front().plan;
        QCOMPARE(usedKinds(*problem, plan).size(), std::size_t{1});
        const auto without = withoutIdle(*problem, nemo, plan);
        QVERIFY(without && without->idle && without->instead == Precision::Bf16);
        QCOMPARE(without->leftOut, std::vector<std::string>{"V100-16"});
        QVERIFY(!withoutIdle(*without->problem, nemo, plan)); // once is enough
        ExporterRow half = nemo;
        half.capability.precisions = {Precision::Fp16};
        QVERIFY(!withoutIdle(*problem, half, plan));
        Recipe recipe = problem->recipe();
        recipe.precision = Precision::Fp16;
        const auto fixed = Problem::make(cluster, model, recipe, {}, problem->space());
        QVERIFY(fixed && !withoutIdle(**fixed, nemo, plan));
    }
};

QTEST_APPLESS_MAIN(TargetQuestionTest)
#include "target_question_test.moc"
