// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/ui_fixture.h"
#include "tests/whatif/edited_plan.h"
#include "ui/base/format.h"
#include "ui/compare/compare_view.h"
#include "ui/details/details_panel.h"
#include "ui/plans/kept_plans.h"
#include "ui/plans/plan_filter.h"
#include "ui/plans/plan_table_model.h"
#include "ui/session/plan_order.h"
#include "ui/session/plan_text.h"
#include "ui/topology/view.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/message_bar.h"
#include "ui/window/locator.h"

#include <QLabel>
#include <QPushButton>
#include <QSet>

#include <algorithm>

using namespace pw;

using Change = void (*)(pw::Project&);
Q_DECLARE_METATYPE(Change)

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
            Plan start = test::editPlan(*problem);
            if (problem->recipe().gbs > smallProject().recipe.gbs)
                start.pipelines.front().microbatches *= 2;
            const Plan plan = *whatif::moveBoundary(*problem, start, 0, layer);
            FoundPlan found{plan, *evaluate(*problem, plan)};
            found.evaluation.feasible = true; // memory is not what this is about
            return found;
        }
        int put(const std::shared_ptr<const Problem>& problem, int layer) {
            return candidates.add(problem, {judged(problem, layer)}, QStringLiteral("searched"));
        }
        // One of the project's own question that has no room.
        int putInfeasible() {
            FoundPlan found = judged(document.problem(), 11);
            found.evaluation.feasible = false;
            return candidates.add(document.problem(), {found}, QStringLiteral("by hand"));
        }
        // The other file's plan, so much slower than the best of the project's own.
        void setOther(double times) {
            Candidate plan = *candidates.find(other);
            candidates.remove(other);
            plan.evaluation.iteration = candidates.find(own[0])->evaluation.iteration * times;
            other = addOf(plan);
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

    // What made another question, and nothing else.
    void whatChangedSinceIsNamed_data() {
        QTest::addColumn<QString>("says");
        QTest::addColumn<Change>("change");
        const auto row = [](const char* name, const char* says, Change change) {
            QTest::newRow(name) << QString::fromLatin1(says) << change;
        };
        row("batch", "the global batch (64, now 4,096)", [](Project& p) { p.recipe.gbs = 4096; });
        row("length", "the sequence length (1,024, now 512)", [](Project& p) { p.recipe.seq = 512; });
        row("recipe", "other settings of the training", [](Project& p) { p.recipe.zero = 1; });
        row("model", "the model", [](Project& p) { p.model->blocks = 6; });
        row("cluster", "the cluster (link n1-s1: 100 Gbit/s and 2 x 100 Gbit/s)", [](Project& p) {
            p.cluster.links[0].lanes = 2;
            p.cluster.nodes[1].at.x += 50;
        });
        row("left out", "what is left out", [](Project& p) { p.forbidden = {"n3"}; });
        row("two", "the sequence length (1,024, now 512), what is left out", [](Project& p) {
            p.recipe.seq = 512;
            p.forbidden = {"n3"};
            p.cluster.nodes[1].at.x += 50; // asks nothing, as a price and the base of positions
            p.model->rotaryBase *= 2.0;
            p.cluster.kinds.push_back(*Catalogue::builtin().find(p.cluster.nodes[0].kind));
            p.cluster.kinds.back().pricePerHour = 3.0;
        });
    }
    void whatChangedSinceIsNamed() {
        QFETCH(QString, says);
        QFETCH(Change, change);
        UiFixture ui;
        const auto problem = ui.openLongProject();
        const Plan plan = test::editPlan(*problem);
        const int id =
            ui.candidates.add(problem, {{plan, *evaluate(*problem, plan)}}, QStringLiteral("by hand"));
        Project changed = *ui.document.project();
        QCOMPARE(changed.recipe.gbs, std::int64_t(64));
        change(changed);
        QVERIFY(ui.document.apply(changed, QStringLiteral("change")));
        const QString text = apartText(*ui.candidates.find(id), ui.document.problem());
        QVERIFY2(text.contains(QStringLiteral("; since then %1 changed.").arg(says)), qPrintable(text));
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

    // One that answers the present question and has no room is no plan: what fits stands before it.
    void whatFitsComesBeforeThePresentQuestion() {
        Fixture f;
        const auto now = f.document.problem();
        f.setOther(1.0); // the earlier ones are faster
        f.candidates.remove(f.own);
        const int infeasible = f.putInfeasible();
        QCOMPARE(currentFirst(f.candidates, now).front()->id, infeasible);
        QCOMPARE(f.candidates.all().front().id, f.earlier[0]);
        QCOMPARE(bestPlan(f.candidates, now)->id, f.other);
        f.candidates.remove(f.other);
        QCOMPARE(bestPlan(f.candidates, now)->id, f.earlier[0]);
        QCOMPARE(fastestPlans(f.candidates, now, 3), f.earlier);
        f.candidates.remove(f.earlier);
        QCOMPARE(bestPlan(f.candidates, now)->id, infeasible);
    }

    void aFasterPlanOfAnotherFileIsCalledFaster() {
        Fixture f;
        const auto now = f.document.problem();
        f.setOther(0.25);
        const auto beside = f.candidates.besideBest(*f.candidates.find(f.other), now);
        QVERIFY(beside && !beside->isTie());
        const QString best = f.candidates.find(f.own[0])->name;
        const QString sure = probabilityText(1.0 - beside->firstFaster);
        PlanTableModel model(f.context);
        const QModelIndex cell = model.indexOf(f.other, PlanTableModel::Beside);
        QCOMPARE(cell.data().toString(), QStringLiteral("faster, %1").arg(sure));
        QCOMPARE(cell.data(Qt::ToolTipRole).toString(),
                 QStringLiteral("Predicted %1 faster than plan %2, with a probability of %3")
                     .arg(shareText(0.75), best, sure));
        DetailsPanel details(f.context);
        f.selection.setPlan(f.other);
        QStringList texts;
        for (const QLabel* label : details.findChildren<QLabel*>())
            texts << label->text();
        for (const QString& text :
             {QStringLiteral("faster"), QStringLiteral("%1 that it is faster than plan %2").arg(sure, best)})
            QVERIFY2(texts.contains(text), qPrintable(texts.join(QLatin1Char('|'))));
        // What is too close to tell says by how much it is the faster one, and of what that is the chance.
        f.setOther(0.999);
        const QString tie = model.indexOf(f.other, PlanTableModel::Beside).data(Qt::ToolTipRole).toString();
        QVERIFY2(
            tie.startsWith(QStringLiteral("Predicted %1 faster than plan %2").arg(shareText(0.001), best)) &&
                tie.contains(QStringLiteral("a tie")),
            qPrintable(tie));
        QVERIFY(!f.candidates.besideBest(*f.candidates.find(f.earlier[1]), now)); // of other work
    }

    // Compared with the best of its own question; where it is that itself, with the next that fits.
    void aPlanIsComparedWithWhatFits() {
        Fixture f;
        const auto now = f.document.problem();
        const auto beside = [&](int id) {
            const Candidate* other = comparedWith(f.candidates, *f.candidates.find(id), now);
            return other ? other->id : -1;
        };
        QCOMPARE(beside(f.own[1]), f.own[0]);
        QCOMPARE(beside(f.own[0]), f.own[1]);
        QCOMPARE(beside(f.other), f.own[0]);
        QCOMPARE(beside(f.earlier[1]), f.earlier[0]);
        QCOMPARE(beside(f.earlier[0]), f.own[0]);
        const int infeasible = f.putInfeasible();
        QCOMPARE(beside(infeasible), f.own[0]);
        f.candidates.remove(f.own[1]);
        QCOMPARE(beside(f.own[0]), f.other);
        f.candidates.remove(f.other);
        QCOMPARE(beside(f.own[0]), f.earlier[0]);
        f.candidates.remove(f.earlier);
        QCOMPARE(beside(f.own[0]), infeasible);
        f.candidates.remove(infeasible);
        QCOMPARE(beside(f.own[0]), -1);
    }

    // Fast plans of other work take none of what is asked for.
    void theTopIsThatOfEachPlace() {
        Fixture f;
        PlanTableModel model(f.context);
        PlanFilter filter;
        filter.setSourceModel(&model);
        const auto shown = [&](const char* text) {
            filter.setFilter(QLatin1String(text));
            QSet<int> ids;
            for (int row = 0; row < filter.rowCount(); ++row)
                ids.insert(filter.index(row, 0).data(PlanTableModel::IdRole).toInt());
            return ids;
        };
        QCOMPARE(shown("top20%"), (QSet<int>{f.own[0], f.other, f.earlier[0]}));
        QCOMPARE(shown("top60%").size(), 5);
        // All are of an earlier state then, but for the other file's.
        Recipe recipe = f.document.project()->recipe;
        recipe.gbs *= 2;
        QVERIFY(f.document.apply(setRecipe(*f.document.project(), recipe), QStringLiteral("batch")));
        QCOMPARE(shown("top20%"), (QSet<int>{f.earlier[0], f.other}));
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

    // Under the name that the project keeps it by, where it does.
    void whatIsKeptAndThenFoundHasItsName() {
        Fixture f;
        const Candidate other = *f.candidates.find(f.other);
        togglePinned(f.context, f.other);
        followPins(f.context); // as the window does
        QVERIFY(f.candidates.find(f.other)->pinned);
        f.candidates.add(other.problem, {{other.plan, other.evaluation}}, QStringLiteral("searched"));
        const Candidate& own = *f.candidates.find(f.other);
        QVERIFY(!own.foreign && own.pinned && own.named);
        QCOMPARE(own.name, other.name);
        QCOMPARE(waitingPlans(f.context), 0);
        togglePinned(f.context, f.other);
        QVERIFY(f.document.project()->plans.empty()); // and not kept a second time
        followNames(f.context);
        QCOMPARE(f.candidates.find(f.other)->name, QString::number(own.number));
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
        TopologyView view(f.context);
        const auto* bar = view.findChild<MessageBar*>();
        f.selection.setPlan(id);
        QVERIFY2(!bar->isHidden() && bar->accessibleName().contains(apartText(plan, now)) &&
                     !bar->accessibleName().startsWith(QStringLiteral("Stale")),
                 qPrintable(bar->accessibleName()));
        f.selection.setPlan(f.earlier[1]);
        QVERIFY2(!bar->isHidden() && bar->accessibleName().startsWith(QStringLiteral("Stale. The stages")),
                 qPrintable(bar->accessibleName()));
        f.selection.setPlan(f.own[0]);
        QVERIFY(bar->isHidden());
    }
};

QTEST_MAIN(PlanOrderTest)
#include "plan_order_test.moc"
