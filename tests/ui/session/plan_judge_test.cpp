// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/plan_judge.h"

#include "core/document/plan_document.h"
#include "tests/whatif/edited_plan.h"
#include "ui/session/shown_plan.h"

#include <QtTest>

#include <nlohmann/json.hpp>

using namespace pw;

// Plans judged away from the event loop.
class PlanJudgeTest : public QObject {
    Q_OBJECT

private:
    std::shared_ptr<const Problem> m_problem = test::editProblem();
    Plan m_plan = test::editPlan(*m_problem);

private Q_SLOTS:
    // What is kept with a plan is all that was found but the operations, which stand with the detail.
    void keepsAllButTheOperations() {
        const JudgedPointer judged =
            PlanJudge::judge(whatif::Costing(m_problem), m_plan, QStringLiteral("1"), 1);
        QVERIFY(judged && !judged->error);
        const Evaluation& whole = judged->detail->evaluation;
        const Evaluation& bare = judged->found.evaluation;
        QCOMPARE(bare.pipelines.size(), whole.pipelines.size());
        for (std::size_t p = 0; p < whole.pipelines.size(); ++p) {
            const Simulation& with = whole.pipelines[p].simulation;
            const Simulation& without = bare.pipelines[p].simulation;
            QVERIFY(!with.ops.empty() && !with.transfers.empty());
            QVERIFY(without.ops.empty() && without.transfers.empty());
            QCOMPARE(without.makespan, with.makespan);
            QCOMPARE(without.busy, with.busy);
            QCOMPARE(without.peakInFlight, with.peakInFlight);
            QCOMPARE(without.bubble(), with.bubble());
        }
        QCOMPARE(planEntry(*m_problem, m_plan, bare).dump(), planEntry(*m_problem, m_plan, whole).dump());
        QCOMPARE(bare.reasons.size(), whole.reasons.size());
        QCOMPARE(judged->shown->iteration.value, whole.iteration.value);
    }

    void theLastRequestIsAnswered() {
        std::vector<Plan> asked;
        for (int layer = 3; layer <= 11; layer += 2) {
            const Result<Plan> moved = whatif::moveBoundary(*m_problem, m_plan, 0, layer);
            QVERIFY(moved);
            asked.push_back(*moved);
        }
        std::vector<JudgedPointer> told;
        PlanJudge judge([&told](const JudgedPointer& judged) { told.push_back(judged); });
        for (const Plan& plan : asked)
            judge.ask(m_problem, plan, QStringLiteral("1"), 1);
        const JudgedPointer last = judge.wait();
        QCOMPARE(last->found.plan.pipelines.front().stages.front().chunks.front().last,
                 asked.back().pipelines.front().stages.front().chunks.front().last);
        QVERIFY(told.empty()); // who waits has it in hand
        QCoreApplication::processEvents();
        QVERIFY(told.empty());
        QCOMPARE(judge.wait(), last); // nothing was asked since
        judge.ask(m_problem, asked.front(), QStringLiteral("1"), 1);
        QTRY_COMPARE(told.size(), std::size_t{1});
        QCOMPARE(told.front(), judge.wait());
        QVERIFY(told.front() != last);
    }

    void whatCannotBeJudgedSaysWhy() {
        Plan broken = m_plan;
        broken.pipelines.front().stages.front().replicas.clear();
        PlanJudge judge([](const JudgedPointer&) {});
        judge.ask(m_problem, broken, QStringLiteral("1"), 1);
        const JudgedPointer judged = judge.wait();
        QVERIFY(judged->error);
        QCOMPARE(judged->error->code, std::string("plan.structure"));
    }
};

QTEST_MAIN(PlanJudgeTest)
#include "plan_judge_test.moc"
