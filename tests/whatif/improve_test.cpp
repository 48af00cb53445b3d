// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/whatif/costing.h"
#include "core/whatif/improve.h"
#include "tests/whatif/edited_plan.h"

#include <QTest>

#include <set>

using namespace pw;

// Improving a plan from where it stands: it gets better, stays a plan, and keeps what is locked.
class ImproveTest : public QObject {
    Q_OBJECT

private:
    std::shared_ptr<const Problem> m_problem = test::editProblem();
    Plan m_plan = test::editPlan(*m_problem);

    whatif::Improvement improved(const whatif::Locks& locks, int tries = whatif::kImproveTries) const {
        Result<whatif::Improvement> better =
            whatif::improve(m_problem, m_plan, locks, {.tries = tries, .wider = {}});
        if (!better)
            qFatal("%s", better.error().text().c_str());
        return *std::move(better);
    }

private Q_SLOTS:
    void everyStepIsBetterThanTheOneBefore() {
        const whatif::Costing costing(m_problem);
        Seconds last = costing.evaluate(m_plan)->iteration;
        const whatif::Improvement better = improved({});
        QVERIFY(!better.steps.empty());
        QVERIFY(!better.stopped && !better.exhausted);
        for (const auto& step : better.steps) {
            QVERIFY(checkPlan(*m_problem, step.plan, "plan"));
            QVERIFY(step.evaluation.iteration < last);
            QCOMPARE(evaluate(*m_problem, step.plan)->iteration.value, step.evaluation.iteration.value);
            last = step.evaluation.iteration;
        }
        // From its end no edit helps, and the same way leads there again.
        const auto again = whatif::improve(m_problem, better.steps.back().plan, {});
        QVERIFY(again && again->steps.empty());
        QCOMPARE(improved({}).steps.back().plan, better.steps.back().plan);
    }

    void lockedStagesStayAsTheyAre() {
        for (int stage = 0; stage < 3; ++stage) {
            const whatif::Locks locks{{stage}, {}};
            const whatif::Improvement better = improved(locks);
            for (const auto& step : better.steps)
                QVERIFY(whatif::keeps(m_plan, step.plan, locks));
            if (!better.steps.empty()) {
                const auto& stages = better.steps.back().plan.pipelines.front().stages;
                const Stage& kept = m_plan.pipelines.front().stages[static_cast<std::size_t>(stage)];
                QVERIFY(std::find(stages.begin(), stages.end(), kept) != stages.end());
            }
        }
        // Without a lock one of them would have changed.
        const Plan free = improved({}).steps.back().plan;
        QVERIFY(!whatif::keeps(m_plan, free, {{0, 1, 2}, {}}));
    }

    void lockedDevicesStayWithTheirBlocks() {
        const DeviceIndex device = m_problem->topology().find("n3.g0");
        const whatif::Locks locks{{}, {device}};
        for (const auto& step : improved(locks).steps)
            QVERIFY(whatif::keeps(m_plan, step.plan, locks));
        const DeviceIndex second = m_problem->topology().find("n3.g1");
        const auto away = whatif::moveDevices(*m_problem, m_plan, {device, second}, 1);
        QVERIFY(away);
        QVERIFY(!whatif::keeps(m_plan, *away, locks));
        const auto gone = whatif::releaseDevices(*m_problem, m_plan, {device, second});
        QVERIFY(gone && !whatif::keeps(m_plan, *gone, locks));
    }

    void whatDoesNotFitIsLedBackIntoItsMemory() {
        Project tight = smallProject();
        tight.model->blocks = 8;
        const auto roomy = evaluate(*m_problem, m_plan);
        QVERIFY(roomy);
        // The first stage has room for nine tenths of what it needs.
        for (const DeviceMemory& memory : roomy->memory)
            if (memory.stage == 0)
                tight.cluster.nodes[0].memoryTaken =
                    m_problem->topology().kindOf(memory.device).memory - memory.peak.total() * 0.9;
        const auto problem = problemOf(tight);
        QVERIFY(problem);
        QVERIFY(!evaluate(**problem, m_plan)->feasible);
        const auto better = whatif::improve(*problem, m_plan, {});
        QVERIFY(better && !better->steps.empty());
        QVERIFY(better->steps.back().evaluation.feasible);
    }

    // Zero-bubble schedules are no part of the Space: beating a search by one says nothing against it.
    void staysInsideTheSpaceUnlessAskedToLeaveIt() {
        const auto kinds = [](const whatif::Improvement& better) {
            std::set<ScheduleKind> seen;
            for (const auto& step : better.steps)
                seen.insert(step.plan.pipelines.front().schedule.kind);
            return seen;
        };
        for (const ScheduleKind kind : kinds(improved({})))
            QVERIFY(m_problem->space().allows(kind));
        WiderSpace wider;
        wider.schedules = true;
        const auto far = whatif::improve(m_problem, m_plan, {}, {.wider = wider});
        QVERIFY(far && !far->steps.empty());
        QVERIFY(std::ranges::any_of(kinds(*far),
                                    [&](ScheduleKind kind) { return !m_problem->space().allows(kind); }));
        // What begins outside may stay there.
        const auto outside = whatif::improve(m_problem, far->steps.back().plan, {});
        QVERIFY(outside);
        for (const auto& step : outside->steps)
            QVERIFY(step.evaluation.iteration <= far->steps.back().evaluation.iteration);
    }

    // What a trainer cannot run is no step, unless the start is such a plan.
    void staysWithinWhatIsTaken() {
        const whatif::Improvement free = improved({});
        const Plan& end = free.steps.back().plan;
        const auto within = [&](std::function<bool(const Plan&)> takes) {
            whatif::Reach reach;
            reach.takes = std::move(takes);
            const auto better = whatif::improve(m_problem, m_plan, {}, reach);
            if (!better)
                qFatal("%s", better.error().text().c_str());
            return *better;
        };
        const whatif::Improvement other = within([&](const Plan& plan) { return plan != end; });
        QVERIFY(!other.steps.empty());
        QVERIFY(other.steps.back().plan != end);
        const whatif::Improvement none = within([&](const Plan& plan) { return plan == m_plan; });
        QVERIFY(none.steps.empty());
        QCOMPARE(none.tried, 0);
        QCOMPARE(within([](const Plan&) { return false; }).steps.back().plan, end);
    }

    void endsWhenAsked() {
        const whatif::Improvement few = improved({}, 5);
        QVERIFY(few.exhausted);
        QCOMPARE(few.tried, 5);
        std::stop_source stop;
        stop.request_stop();
        const auto none = whatif::improve(m_problem, m_plan, {}, {}, {}, stop.get_token());
        QVERIFY(none && none->stopped && none->steps.empty());
        Plan two = m_plan;
        two.pipelines.push_back(two.pipelines.front());
        QVERIFY(!whatif::improve(m_problem, two, {}));
    }
};

QTEST_APPLESS_MAIN(ImproveTest)
#include "improve_test.moc"
