// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/answers/findings_for.h"
#include "core/answers/target_search.h"
#include "core/exchange/exports/export.h"
#include "tests/answers/small_question.h"

#include <QTest>

using namespace pw;

class FindingsForTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // Of plans of equal stages, which most can run, for every trainer that can.
    void everyTrainerIsAdvisedWhatItCanRun() {
        const auto problem = test::smallQuestion();
        int advised = 0, refused = 0;
        SearchOptions options;
        options.planner = "megatron";
        options.top = 64;
        SearchObserver nobody;
        const Result<SearchOutcome> found = search(problem, options, nobody, {});
        QVERIFY(found && !found->plans.empty());
        for (const ExporterRow& target : exporterTable())
            for (const FoundPlan& plan : found->plans) {
                if (!constrains(target) || !canRun(target, *problem, plan.plan))
                    continue;
                const Result<Findings> findings = findingsFor(problem, plan.plan, &target);
                QVERIFY(findings);
                refused += findings->refused;
                for (const Finding& finding : findings->list) {
                    QVERIFY2(!finding.plan || canRun(target, *problem, *finding.plan), target.format);
                    advised += finding.plan ? 1 : 0;
                }
            }
        QVERIFY2(advised > 0 && refused > 0, qPrintable(QStringLiteral("%1 %2").arg(advised).arg(refused)));
    }

    // Formats that draw or describe a plan take any.
    void whatTakesEveryPlanLeavesNothingOut() {
        const auto problem = test::smallQuestion();
        int calls = 0;
        const Result<SearchOutcome> found = test::searcherOf(calls)(problem);
        QVERIFY(found && !found->plans.empty());
        const Plan& plan = found->plans.back().plan;
        const Result<Findings> any = findingsFor(problem, plan, nullptr);
        QVERIFY(any && any->tried > 0);
        for (const ExporterRow& target : exporterTable())
            if (!constrains(target)) {
                const Result<Findings> same = findingsFor(problem, plan, &target);
                QVERIFY(same && same->tried == any->tried && same->list.size() == any->list.size());
            }
    }
};

QTEST_APPLESS_MAIN(FindingsForTest)
#include "findings_for_test.moc"
