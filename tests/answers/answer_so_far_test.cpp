// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/answers/answer_so_far.h"
#include "core/answers/ask.h"
#include "tests/answers/small_question.h"

#include <QTest>

using namespace pw;

namespace {

SearchOutcome anyPlans(const std::shared_ptr<const Problem>& problem) {
    int calls = 0;
    Result<SearchOutcome> outcome = test::searcherOf(calls)(problem);
    return outcome ? *std::move(outcome) : SearchOutcome();
}

bool usesNode(const Problem& problem, const Plan& plan, const std::string& node) {
    for (const Pipeline& pipeline : plan.pipelines)
        for (const Stage& stage : pipeline.stages)
            for (const Replica& replica : stage.replicas)
                for (const DeviceIndex d : replica.devices) {
                    const Device& device = problem.topology().devices()[static_cast<std::size_t>(d)];
                    if (problem.topology().cluster().nodes[static_cast<std::size_t>(device.node)].id == node)
                        return true;
                }
    return false;
}

} // namespace

class AnswerSoFarTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void anyPlanAnswersThePlainQuestion() {
        const auto problem = test::smallQuestion();
        const AnswerSoFar answer(problem, {});
        QVERIFY(answer.knows());
        const SearchOutcome outcome = anyPlans(problem);
        QVERIFY(!outcome.plans.empty());
        const auto same = answer.from(outcome.plans.front());
        if (!same)
            QFAIL("no answer");
        QCOMPARE(canonicalKey(same->plan), canonicalKey(outcome.plans.front().plan));
        QCOMPARE(same->evaluation.iteration.value, outcome.plans.front().evaluation.iteration.value);
    }

    // What it lets through for a trainer is what the trainer runs, judged as the question is; what the whole
    // question answers is let through as it is.
    void aTrainersAnswersAreThoseThatItRuns_data() {
        QTest::addColumn<QString>("target");
        for (const char* target : {"megatron", "flagscale", "galvatron"})
            QTest::newRow(target) << QString::fromLatin1(target);
    }
    void aTrainersAnswersAreThoseThatItRuns() {
        QFETCH(QString, target);
        // Galvatron trains no learned positions.
        const auto problem =
            target == QLatin1String("galvatron") ? test::smallQuestion("llama2-7b") : test::smallQuestion();
        Question question;
        question.target = exporterRow(target.toStdString());
        question.options.work = 60'000;
        question.options.top = 4;
        question.fewerKinds = false; // which asks another question once the best plan is known
        const AnswerSoFar answer(problem, question);
        QuestionObserver nobody;
        const Result<Answer> whole = ask(problem, question, nobody, {});
        QVERIFY(whole && !whole->outcome.plans.empty());
        QCOMPARE(answer.problem().hash(), whole->problem->hash());
        for (const FoundPlan& found : whole->outcome.plans) {
            const auto let = answer.from(found);
            if (!let)
                QFAIL("no answer");
            QCOMPARE(let->evaluation.iteration.value, found.evaluation.iteration.value);
        }
        int refused = 0;
        for (const FoundPlan& found : anyPlans(problem).plans) {
            const auto let = answer.from(found);
            const bool runs = exportRefusals(*question.target, answer.problem(), found.plan).empty();
            QVERIFY(!let || exportRefusals(*question.target, answer.problem(), let->plan).empty());
            QVERIFY(let || !runs || !evaluate(answer.problem(), found.plan)->feasible);
            refused += let ? 0 : 1;
        }
        QVERIFY(refused > 0); // the open search's best plans are no trainer's
    }

    // A plan of n1 without n3, which is like it, becomes one of n3; where the required node is of no node's
    // kind in the plan, it is no answer.
    void whatIsRequiredIsExchangedIn() {
        const auto problem = test::smallQuestion();
        const auto without = problem->withForbidden({"n3", "n2", "n4"});
        QVERIFY(without);
        const SearchOutcome outcome = anyPlans(*without);
        QVERIFY(!outcome.plans.empty());
        const FoundPlan& found = outcome.plans.front();
        QVERIFY(usesNode(*problem, found.plan, "n1") && !usesNode(*problem, found.plan, "n3"));
        Question question;
        question.required = {"n3"};
        const auto let = AnswerSoFar(problem, question).from(found);
        if (!let)
            QFAIL("no answer");
        QVERIFY(usesNode(*problem, let->plan, "n3") && !usesNode(*problem, let->plan, "n1"));
        QCOMPARE(let->evaluation.iteration.value, evaluate(*problem, let->plan)->iteration.value);
        question.required = {"n2"};
        QVERIFY(!AnswerSoFar(problem, question).from(found));
    }

    void aDeadlineIsAnsweredAtTheEnd() {
        const auto problem = test::smallQuestion();
        Question question;
        question.deadline = Seconds(1e6);
        const AnswerSoFar answer(problem, question);
        QVERIFY(!answer.knows());
        QVERIFY(!answer.from(anyPlans(problem).plans.front()));
    }
};

QTEST_GUILESS_MAIN(AnswerSoFarTest)
#include "answer_so_far_test.moc"
