// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/document/plan_document.h"
#include "core/search/search.h"
#include "core/whatif/costing.h"
#include "tests/search/random_problem.h"
#include "tests/whatif/edited_plan.h"

#include <nlohmann/json.hpp>

#include <QTest>

using namespace pw;

// What is taken over from the plan judged before is what would be worked out anew.
class CostingTest : public QObject {
    Q_OBJECT

private:
    // Every figure of the document in round-trip decimals, and every pass.
    static bool same(const Problem& problem, const Plan& plan, const Evaluation& a, const Evaluation& b) {
        const auto equal = [](const auto& x, const auto& y) {
            return x.start == y.start && x.end == y.end && x.microbatch == y.microbatch && x.kind == y.kind;
        };
        for (std::size_t p = 0; p < a.pipelines.size(); ++p) {
            const Simulation &s = a.pipelines[p].simulation, &t = b.pipelines[p].simulation;
            if (!std::equal(s.ops.begin(), s.ops.end(), t.ops.begin(), t.ops.end(), equal) ||
                !std::equal(s.transfers.begin(), s.transfers.end(), t.transfers.begin(), t.transfers.end(),
                            equal))
                return false;
        }
        return a.iteration == b.iteration && a.closedForm == b.closedForm &&
               planEntry(problem, plan, a) == planEntry(problem, plan, b);
    }

    // The same question to a trainer whose stages feel whether a network lies before or behind them.
    static std::shared_ptr<const Problem> stalled(const Problem& p) {
        Recipe recipe = p.recipe();
        recipe.software.stageStall = 0.05;
        const auto made =
            Problem::make(p.topology().cluster(), p.model(), recipe, {}, p.space(), p.constants());
        return made ? *made : nullptr;
    }

private Q_SLOTS:
    void randomEditsCostWhatTheyCostAnew() {
        constexpr std::uint64_t kSeed = 20261121;
        qInfo("seed %llu", static_cast<unsigned long long>(kSeed));
        Random random(kSeed);
        int edits = 0, refused = 0;
        std::int64_t kept = 0;
        for (int round = 0; round < 40; ++round) {
            auto problem = round % 2 == 0 ? test::editProblem() : test::randomProblem(random);
            QVERIFY(problem);
            if (round % 4 > 1)
                problem = stalled(*problem);
            QVERIFY(problem);
            std::optional<Plan> plan =
                round % 2 == 0 ? test::editPlan(*problem) : test::randomPlan(random, *problem);
            if (!plan || !checkPlan(*problem, *plan, "plan"))
                continue;
            const whatif::Costing costing(problem);
            std::vector<Plan> history{*plan};
            for (int step = 0; step < 40; ++step) {
                const Plan before = *plan;
                const Result<Plan> edited = test::randomEdit(random, *problem, *plan);
                QVERIFY(*plan == before); // pure
                if (!edited) {
                    ++refused;
                    QVERIFY(!edited.error().message.empty());
                    continue;
                }
                QVERIFY(checkPlan(*problem, *edited, "plan"));
                const Result<Evaluation> fresh = evaluate(*problem, *edited, {.keepOps = true});
                const Result<Evaluation> quick = costing.evaluate(*edited, {.keepOps = true});
                QCOMPARE(bool(quick), bool(fresh));
                if (!fresh)
                    continue; // no links lead there
                QVERIFY2(same(*problem, *edited, *quick, *fresh), qPrintable(QString::number(step)));
                plan = *edited;
                history.push_back(*plan);
                ++edits;
            }
            // And back: each state costs what it did.
            for (auto at = history.rbegin(); at != history.rend(); ++at) {
                const Result<Evaluation> fresh = evaluate(*problem, *at);
                const Result<Evaluation> quick = costing.evaluate(*at);
                QVERIFY(fresh && quick);
                QCOMPARE(quick->iteration.value, fresh->iteration.value);
            }
            kept += costing.stagesKept();
        }
        qInfo("%d edits, %d refused, %lld stages taken over", edits, refused, static_cast<long long>(kept));
        QVERIFY(edits > 300 && refused > 300 && kept > edits);
    }

    void aBoundaryMovePricesTwoStages() {
        const auto problem = test::editProblem();
        const whatif::Costing costing(problem);
        const Plan plan = test::editPlan(*problem);
        QVERIFY(costing.cost(plan));
        QCOMPARE(costing.stagesPriced(), 3);
        const Result<Plan> moved = whatif::moveBoundary(*problem, plan, 0, 5);
        QVERIFY(moved);
        QVERIFY(costing.cost(*moved));
        QCOMPARE(costing.stagesPriced(), 5);
        QCOMPARE(costing.stagesKept(), 1);
    }

    void openLaunchCountsAreFilledIn() {
        const auto problem = test::editProblem();
        const whatif::Costing costing(problem);
        const Result<Plan> merged = whatif::mergeStages(*problem, test::editPlan(*problem), 0);
        QVERIFY(merged);
        QVERIFY(merged->pipelines.front().schedule.launch.empty());
        const Result<whatif::Costed> costed = costing.cost(*merged);
        QVERIFY(costed);
        QCOMPARE(costed->plan.pipelines.front().schedule.launch, (std::vector<int>{2, 1}));
        QCOMPARE(costed->timeline.tracks.size(), std::size_t(2));
        const Result<Evaluation> again = evaluate(*problem, costed->plan);
        QVERIFY(again);
        QCOMPARE(again->iteration.value, costed->evaluation.iteration.value);
    }
};

QTEST_APPLESS_MAIN(CostingTest)
#include "costing_test.moc"
