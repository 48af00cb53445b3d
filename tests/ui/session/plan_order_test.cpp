// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/ui_fixture.h"
#include "tests/whatif/edited_plan.h"
#include "ui/compare/compare_view.h"
#include "ui/session/plan_order.h"
#include "ui/widgets/empty_state.h"
#include "ui/window/locator.h"

#include <QPushButton>

#include <algorithm>

using namespace pw;

// What is called the best of the project answers what it asks now, however fast other plans are.
class PlanOrderTest : public QObject {
    Q_OBJECT

private:
    // Plans of half the work, then those of the present question: two of the project, and a faster one of
    // another file.
    struct Fixture : UiFixture {
        Fixture() {
            const auto before = openLongProject();
            for (const int layer : {7, 3})
                earlier.push_back(put(before, layer));
            Recipe recipe = document.project()->recipe;
            recipe.gbs *= 2;
            document.apply(setRecipe(*document.project(), recipe), QStringLiteral("batch"));
            for (const int layer : {7, 3, 9})
                own.push_back(put(document.problem(), layer));
            std::ranges::sort(own, {}, [this](int id) { return seconds(id); });
            std::ranges::sort(earlier, {}, [this](int id) { return seconds(id); });
            const Candidate fastest = *candidates.find(own.front());
            candidates.remove(own.front());
            own.erase(own.begin());
            other = addOf(fastest);
        }

        FoundPlan judged(const std::shared_ptr<const Problem>& problem, int layer) const {
            Plan plan = *whatif::moveBoundary(*problem, test::editPlan(*problem), 0, layer);
            if (problem->recipe().gbs > smallProject().recipe.gbs)
                plan.pipelines.front().microbatches *= 2;
            FoundPlan found{plan, *evaluate(*problem, plan)};
            found.evaluation.feasible = true; // memory is not what this is about
            return found;
        }
        int put(const std::shared_ptr<const Problem>& problem, int layer) {
            return candidates.add(problem, {judged(problem, layer)}, QStringLiteral("searched"));
        }
        int addOf(const Candidate& plan) {
            return candidates.addOf(QStringLiteral("second.pwx"), plan.problem, {plan.plan, plan.evaluation},
                                    QStringLiteral("1 of second.pwx"), {});
        }
        double seconds(int id) const { return candidates.find(id)->evaluation.iteration.value; }

        std::vector<int> earlier, own; // fastest first
        int other = -1;
    };

private Q_SLOTS:
    void whatAnswersThePresentQuestionComesFirst() {
        Fixture f;
        const auto now = f.document.problem();
        QVERIFY(f.seconds(f.earlier[0]) < f.seconds(f.own[0]) && f.seconds(f.other) <= f.seconds(f.own[0]));
        std::vector<int> ids;
        for (const Candidate* plan : currentFirst(f.candidates, now))
            ids.push_back(plan->id);
        QCOMPARE(ids, (std::vector<int>{f.own[0], f.own[1], f.other, f.earlier[0], f.earlier[1]}));
        QCOMPARE(bestPlan(f.candidates, now)->id, f.own[0]);
        QCOMPARE(fastestPlans(f.candidates, now, 2), f.own);
        QCOMPARE(f.candidates.bestLike(*f.candidates.find(f.own[1]))->id, f.own[0]);
        f.candidates.remove(f.own);
        QCOMPARE(bestPlan(f.candidates, now)->id, f.other); // where the project has none of its own
        f.candidates.remove(f.other);
        const Candidate* best = bestPlan(f.candidates, now);
        QCOMPARE(best->id, f.earlier[0]);
        QVERIFY(apartText(*best, now).contains(QStringLiteral("earlier state")));
        f.candidates.clear();
        QVERIFY(!bestPlan(f.candidates, now));
    }

    void aPlanThatDoesNotFitIsTheBestOnlyAmongSuch() {
        UiFixture ui;
        const auto problem = ui.openLongProject();
        QVERIFY(problem);
        const Plan plan = test::editPlan(*problem);
        FoundPlan found{plan, *evaluate(*problem, plan)};
        found.evaluation.feasible = false;
        const int id = ui.candidates.add(problem, {found}, QStringLiteral("by hand"));
        QCOMPARE(bestPlan(ui.candidates, problem)->id, id);
        QVERIFY(fastestPlans(ui.candidates, problem, 2).empty());
    }

    // A plan of another file that the project's own search finds, too, is one of its own from then on.
    void whatIsFoundHereIsNoLongerOfAnotherFile() {
        Fixture f;
        const Candidate other = *f.candidates.find(f.other);
        QCOMPARE(f.addOf(other), f.other); // once more
        QVERIFY(f.candidates.find(f.other)->foreign);
        QCOMPARE(
            f.candidates.add(other.problem, {{other.plan, other.evaluation}}, QStringLiteral("searched")),
            f.other);
        const Candidate& own = *f.candidates.find(f.other);
        QVERIFY(!own.foreign);
        QCOMPARE(own.name, QString::number(own.number));
        QCOMPARE(bestPlan(f.candidates, f.document.problem())->id, f.other);
        QCOMPARE(f.addOf(other), f.other); // known here: it stays as it is
        QVERIFY(!f.candidates.find(f.other)->foreign);
    }

    void theTwoFastestAreOfThePresentQuestion() {
        Fixture f;
        CompareView view(f.context);
        view.findChild<EmptyState*>()->button()->click();
        std::vector<int> compared;
        for (const CompareSet::Lane& lane : f.compare.lanes())
            compared.push_back(lane.id);
        QCOMPARE(compared, f.own);
    }

    void foundByNameStalePlansComeLastAndSaySo() {
        Fixture f;
        QStringList names, details;
        for (const QuickOpen::Entry& entry : placeEntries(f.context, nullptr))
            if (entry.name.startsWith(QStringLiteral("Plan "))) {
                names << entry.name;
                details << entry.detail;
            }
        QCOMPARE(names.size(), 5);
        QCOMPARE(names[0], QStringLiteral("Plan %1").arg(f.candidates.find(f.own[0])->name));
        QCOMPARE(names[2], QStringLiteral("Plan 1 of second.pwx"));
        QCOMPARE(details.filter(QStringLiteral("stale")).size(), 2);
        for (const QString& detail : details.mid(3))
            QVERIFY2(detail.contains(QStringLiteral("stale")), qPrintable(detail));
    }

    // Searching again makes a plan of another project no answer.
    void whereAPlanCameFromIsSaid() {
        Fixture f;
        const Candidate earlier = *f.candidates.find(f.earlier[0]);
        f.candidates.remove(f.earlier[0]);
        const int id = f.addOf(earlier);
        const auto now = f.document.problem();
        const Candidate& plan = *f.candidates.find(id);
        QCOMPARE(placeOf(plan, now), PlanPlace::Elsewhere);
        QVERIFY2(apartText(plan, now).contains(QStringLiteral("second.pwx")),
                 qPrintable(apartText(plan, now)));
        QVERIFY(!apartText(plan, now).contains(QStringLiteral("earlier")));
        QVERIFY(!apartText(plan, now).contains(QStringLiteral("search"), Qt::CaseInsensitive));
        QVERIFY(!apartTitle(plan, now).contains(QStringLiteral("stale")));
        QCOMPARE(withStale(QStringLiteral("1 s"), plan, now), QStringLiteral("1 s"));
        QVERIFY(!f.candidates.shown(id, true)->isEarlier());
        QVERIFY(f.candidates.shown(f.earlier[1], true)->isEarlier());
        QCOMPARE(currentFirst(f.candidates, now).back()->id, id);
        QVERIFY(apartText(*f.candidates.find(f.own[0]), now).isEmpty());
    }
};

QTEST_MAIN(PlanOrderTest)
#include "plan_order_test.moc"
