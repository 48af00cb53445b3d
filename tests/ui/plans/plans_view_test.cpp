// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later

// The view around the table of plans: choosing, pinning and filtering by hand, and what stands above them.

#include "core/edit/edit.h"
#include "core/whatif/whatif.h"
#include "tests/ui/plans/found_plans.h"
#include "ui/base/manual_link.h"
#include "ui/plans/kept_plans.h"
#include "ui/plans/plan_table_model.h"
#include "ui/plans/plans_view.h"
#include "ui/problems/problems_model.h"
#include "ui/problems/problems_panel.h"
#include "ui/widgets/message_bar.h"
#include "ui/window/key_figures.h"

#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QTableView>

using namespace pw;
using test::fill;

class PlansViewTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void onePlanOfAnEarlierStateAnswersIt() {
        UiFixture ui;
        ui.openSmallProject();
        PlansView view(ui.context);
        QVERIFY(ui.search());
        const auto earlier = ui.document.problem();
        const Candidate& best = ui.candidates.all().front();
        const FoundPlan one{best.plan, best.evaluation};
        const FoundPlan other{ui.candidates.all().back().plan, ui.candidates.all().back().evaluation};
        QVERIFY(ui.candidates.all().size() > 1);
        Project changed = *ui.document.project();
        changed.recipe.gbs *= 2;
        QVERIFY(ui.document.apply(changed, QStringLiteral("batch")));
        const auto said = [&](const std::vector<FoundPlan>& stale) {
            ui.candidates.clear();
            ui.candidates.add(earlier, stale, QStringLiteral("before"));
            ui.candidates.add(ui.document.problem(), {one}, QStringLiteral("now"));
            QStringList texts;
            for (const MessageBar* bar : view.findChildren<MessageBar*>())
                texts << bar->text();
            return texts.join(QLatin1Char('\n'));
        };
        const QString first = said({one});
        QVERIFY2(first.contains(QStringLiteral("1 of these plans answers an earlier")), qPrintable(first));
        const QString both = said({one, other});
        QVERIFY2(both.contains(QStringLiteral("2 of these plans answer an earlier")), qPrintable(both));
    }

    // A column that the user wants stays where others give way, and one that they do not want is gone however
    // much room there is; the choices outlive the view, and are forgotten in one gesture.
    void columnsAreChosen() {
        UiFixture ui;
        fill(ui);
        QByteArray kept;
        const auto column = [](PlansView& view, const char* name) {
            const QAbstractItemModel* model = view.table()->model();
            for (int i = 0; i < model->columnCount(); ++i)
                if (model->headerData(i, Qt::Horizontal).toString() == QLatin1String(name))
                    return i;
            return -1;
        };
        const auto choose = [](PlansView& view, const char* name) {
            QHeaderView* header = view.table()->horizontalHeader();
            Q_EMIT header->customContextMenuRequested(QPoint(40, 4));
            const auto* menu = header->findChild<QMenu*>(QStringLiteral("context.plan columns"));
            bool found = false;
            for (QAction* action : menu->actions())
                if (action->text().remove(u'&') == QLatin1String(name)) {
                    action->trigger();
                    found = true;
                }
            delete menu;
            return found;
        };
        {
            PlansView view(ui.context);
            view.resize(900, 240);
            view.show();
            const int origin = column(view, "Origin"), schedule = column(view, "Schedule"),
                      chance = column(view, "Chance to fit");
            QVERIFY(view.table()->isColumnHidden(origin) && !view.table()->isColumnHidden(schedule));
            QVERIFY(choose(view, "Origin"));
            QVERIFY(!view.table()->isColumnHidden(origin));
            view.resize(2400, 240);
            QVERIFY(!view.table()->isColumnHidden(origin) && !view.table()->isColumnHidden(chance));
            QVERIFY(choose(view, "Chance to fit"));
            QVERIFY(view.table()->isColumnHidden(chance));
            view.resize(900, 240);
            QVERIFY(!view.table()->isColumnHidden(origin));
            QVERIFY(!choose(view, "Schedule")); // what a plan is cannot be hidden
            kept = view.columns();
        }
        PlansView view(ui.context);
        view.resize(2400, 240);
        view.show();
        view.restoreColumns(kept + " Nonsense=1 Schedule=0 =");
        QVERIFY(view.table()->isColumnHidden(column(view, "Chance to fit")));
        QVERIFY(!view.table()->isColumnHidden(column(view, "Schedule")));
        QCOMPARE(view.columns(), kept);
        QVERIFY(choose(view, "As many as have room"));
        QVERIFY(!view.table()->isColumnHidden(column(view, "Chance to fit")));
        QVERIFY(view.columns().isEmpty());
        view.resize(900, 240);
        QVERIFY(view.table()->isColumnHidden(column(view, "Origin")));
    }

    // Ctrl and a click add a row to the chosen ones, although each row also becomes the plan of all views.
    void severalAreChosenByClicks() {
        UiFixture ui;
        fill(ui);
        PlansView view(ui.context);
        view.resize(1600, 400);
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        auto* table = view.findChild<QTableView*>(QStringLiteral("plans.table"));
        QVERIFY(table);
        const auto click = [&](int row, Qt::KeyboardModifiers keys) {
            const QRect cell = table->visualRect(table->model()->index(row, PlanTableModel::Iteration));
            QTest::mouseClick(table->viewport(), Qt::LeftButton, keys, cell.center());
        };
        click(0, Qt::NoModifier);
        click(2, Qt::ControlModifier);
        QCOMPARE(table->selectionModel()->selectedRows().size(), 2);
        QCOMPARE(ui.selection.plan(), table->model()->index(2, 0).data(PlanTableModel::IdRole).toInt());
        click(1, Qt::ControlModifier);
        QCOMPARE(table->selectionModel()->selectedRows().size(), 3);
        click(1, Qt::ControlModifier);
        QCOMPARE(table->selectionModel()->selectedRows().size(), 2);
        click(0, Qt::NoModifier);
        QCOMPARE(table->selectionModel()->selectedRows().size(), 1);
    }

    // The tool bar's chooser and figures mark it, so that nobody takes its time for one that can be had.
    void aPlanThatDoesNotFitIsMarkedEverywhere() {
        UiFixture ui;
        fill(ui);
        Project tight = *ui.document.project();
        for (Node& node : tight.cluster.nodes)
            node.memoryTaken = findKind(tight.cluster, node.kind)->memory * 0.999;
        ui.document.adopt(tight, QString());
        const Plan plan = ui.candidates.all().front().plan;
        const auto evaluation = evaluate(*ui.document.problem(), plan);
        QVERIFY(evaluation && !evaluation->feasible);
        ui.candidates.remove(ui.candidates.all().back().id); // which only says that it does not fit
        ui.candidates.add(ui.document.problem(), {{plan, *evaluation}}, QStringLiteral("by hand"));
        KeyFigures figures(ui.context);
        figures.resize(1200, 40);
        figures.show();
        const auto* plans = figures.findChild<QComboBox*>(QStringLiteral("planChooser"));
        const auto* iteration = figures.findChild<QLabel*>(QStringLiteral("figure.iteration"));
        QVERIFY(plans && iteration);
        for (const Candidate& c : ui.candidates.all()) {
            ui.selection.setPlan(c.id);
            const bool fits = c.evaluation.feasible;
            QCOMPARE(plans->itemIcon(plans->findData(c.id)).isNull(), fits);
            QTRY_COMPARE(!iteration->text().contains(QStringLiteral("infeasible")), fits);
            QCOMPARE(iteration->toolTip().isEmpty(), fits);
        }
    }

    // In the bar above all views and among the problems, as long as it is said of the question that stands
    // there.
    void whyThereIsNoPlanIsSaidAbove() {
        UiFixture ui;
        ProblemsPanel problems(ui.context);
        const auto listed = [&problems] {
            const ProblemsModel& model = *problems.model();
            for (int row = 0; row < model.rowCount(); ++row)
                if (model.index(row, 0).data(kMessageCodeRole).toString() ==
                    QLatin1String("search.infeasible"))
                    return row;
            return -1;
        };
        KeyFigures figures(ui.context);
        figures.resize(1200, 40);
        figures.show();
        ui.openSmallProject();
        const auto* link = figures.findChild<QPushButton*>(QStringLiteral("blockedReason"));
        QVERIFY(!link->isVisibleTo(&figures));
        QCOMPARE(listed(), -1);
        Model large = *ui.document.project()->model;
        large.blocks = 400;
        large.hidden = 16384;
        large.headDim = 1024;
        large.ffn = 65536;
        ui.document.apply(setModel(*ui.document.project(), large), QStringLiteral("large"));
        QVERIFY(ui.search());
        QVERIFY(ui.runner.outcome()->status == SearchStatus::Infeasible);
        QVERIFY(link->isVisibleTo(&figures));
        QCOMPARE(link->toolTip(), ui.runner.endText());
        QVERIFY(!link->toolTip().isEmpty() && !link->text().isEmpty());
        const int row = listed();
        QVERIFY(row >= 0);
        QCOMPARE(problems.model()->index(row, ProblemsModel::Problem).data().toString(), ui.runner.endText());
        QCOMPARE(problems.model()->index(row, ProblemsModel::Place).data().toString(),
                 QStringLiteral("Search"));
        QSignalSpy asked(&figures, &KeyFigures::searchClicked),
            problem(&figures, &KeyFigures::problemClicked);
        QTest::mouseClick(const_cast<QPushButton*>(link), Qt::LeftButton);
        QCOMPARE(asked.size(), 1);
        QVERIFY(problem.isEmpty());
        ui.document.undoStack()->undo();
        QVERIFY(!link->isVisibleTo(&figures));
        QCOMPARE(listed(), -1);
    }

    // A search brings more plans than it was asked for, those that differ: the count says so.
    void theCountSaysWhereMorePlansComeFrom() {
        UiFixture ui;
        ui.openSmallProject();
        QVERIFY(ui.search() && ui.runner.outcome());
        SearchOutcome outcome = *ui.runner.outcome();
        QVERIFY(!outcome.plans.empty());
        outcome.plans.resize(1);
        FoundPlan other = outcome.plans.front();
        other.plan.pipelines.front().schedule.kind = ScheduleKind::GPipe;
        other.evaluation.iteration = other.evaluation.iteration * 1.1;
        outcome.differing = {other};
        PlansView view(ui.context);
        const auto* count = view.findChild<QLabel*>(QStringLiteral("plans.count"));
        ui.candidates.clear();
        ui.runner.restore(ui.document.problem(), outcome, {}, {});
        QCOMPARE(
            count->toolTip(),
            QStringLiteral("Best plans of the last search: 1. Plans that it met besides and that differ from "
                           "the fastest: 1."));
        outcome.differing.clear();
        ui.candidates.clear();
        ui.runner.restore(ui.document.problem(), outcome, {}, {});
        QCOMPARE(count->toolTip(), QStringLiteral("Best plans of the last search: 1."));
    }

    // Adding an edited plan to the candidates brings the table to the front, with its row chosen and in
    // sight.
    void aPlanThatIsAddedIsShown() {
        UiFixture ui;
        fill(ui);
        PlansView view(ui.context);
        view.resize(1600, 120); // a few rows of many
        view.show();
        const Candidate first = ui.candidates.all().front();
        ui.selection.setPlan(first.id);
        const bool full = first.plan.pipelines.front().stages.front().recompute == Recompute::Full;
        QVERIFY(ui.whatIf.edit(
            whatif::setRecompute(*first.problem, first.plan, 0, full ? Recompute::None : Recompute::Full),
            QStringLiteral("recompute")));
        const int edited = ui.selection.plan();
        QVERIFY(edited != first.id);
        QSignalSpy raised(&view, &View::raiseRequested), kept(&ui.whatIf, &WhatIf::kept);
        view.table()->scrollToTop();
        ui.whatIf.keep();
        QCOMPARE(raised.count(), 1);
        QCOMPARE(kept.count(), 1);
        QVERIFY(kept[0][0].toString().contains(ui.candidates.find(edited)->name));
        const QModelIndex current = view.table()->currentIndex();
        QCOMPARE(current.data(PlanTableModel::IdRole).toInt(), edited);
        QVERIFY(view.table()->viewport()->rect().contains(view.table()->visualRect(current).center()));
        followPins(ui.context); // as the window does
        ui.whatIf.keep();       // it is there already
        QCOMPARE(raised.count(), 1);
    }

    // Chosen in a plot, say. Folded and filtered out at once: it ended the program.
    void hiddenPlanMayBeChosen() {
        UiFixture ui;
        fill(ui);
        const FoundPlan first{ui.candidates.all().front().plan, ui.candidates.all().front().evaluation};
        ui.candidates.clear();
        std::vector<FoundPlan> plans(2, first);
        plans[1].plan.pipelines.front().schedule.launch.assign(first.plan.pipelines.front().stages.size(), 2);
        plans[1].evaluation.iteration = first.evaluation.iteration * 1.0001;
        ui.candidates.add(ui.document.problem(), plans, QStringLiteral("searched"));
        PlansView view(ui.context);
        view.resize(1200, 256);
        view.show();
        const auto rows = [&] { return view.table()->model()->rowCount(); };
        QCOMPARE(rows(), 1);
        view.filterLine()->setText(QStringLiteral("iteration < 0"));
        QCOMPARE(rows(), 0);
        const int tied = ui.candidates.all().back().id;
        ui.selection.setPlan(tied);
        QCOMPARE(ui.selection.plan(), tied);
        view.filterLine()->clear(); // it is in view, and with it the one that leads it
        QCOMPARE(rows(), 2);
        QCOMPARE(view.table()->currentIndex().data(PlanTableModel::IdRole).toInt(), tied);
    }

    void emptyTableOffersRun() {
        UiFixture ui;
        ui.openSmallProject();
        PlansView view(ui.context);
        view.resize(1200, 256);
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        QVERIFY(!view.table()->isVisible());
        ui.commands->bind("search.run", &ui.window, [] {}); // the window's, which is not here
        QSignalSpy run(ui.commands->action("search.run"), &QAction::triggered);
        QPushButton* button = nullptr;
        for (auto* candidate : view.findChildren<QPushButton*>(QStringLiteral("emptyState.button")))
            if (candidate->isVisible())
                button = candidate;
        QVERIFY(button);
        QTest::mouseClick(button, Qt::LeftButton);
        QCOMPARE(run.count(), 1);
    }

    // Where they came from, in place of a state that this project never had, and no search that would not
    // help.
    void plansOfAnotherProjectAreNoEarlierState() {
        UiFixture ui;
        fill(ui);
        PlansView view(ui.context);
        const Candidate best = ui.candidates.all().front();
        const auto earlier = ui.document.problem();
        ui.candidates.clear();
        Project more = *ui.document.project();
        more.recipe.gbs *= 4;
        QVERIFY(ui.document.apply(more, QStringLiteral("more")));
        ui.candidates.addOf(QStringLiteral("second.pwx"), earlier, {best.plan, best.evaluation},
                            QStringLiteral("1 of second.pwx"), {});
        const auto* bar = view.findChild<MessageBar*>();
        QVERIFY2(bar->text().contains(QStringLiteral("1 of these plans came with second.pwx")),
                 qPrintable(bar->text()));
        QVERIFY(!bar->text().contains(QStringLiteral("earlier")));
        QVERIFY(bar->findChild<QPushButton*>(QStringLiteral("messageBar.action"))->isHidden());
        PlanTableModel model(ui.context);
        QCOMPARE(model.index(0, PlanTableModel::Origin).data().toString(), QStringLiteral("second.pwx"));
        QVERIFY(model.index(0, PlanTableModel::Beside).data().toString().isEmpty());
    }

    void choosingARowChoosesThePlan() {
        UiFixture ui;
        PlansView view(ui.context);
        fill(ui);
        view.resize(1200, 256);
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        view.table()->selectRow(1);
        QCOMPARE(ui.selection.plan(), ui.candidates.all()[1].id);
        ui.selection.setPlan(ui.candidates.all()[0].id);
        QCOMPARE(view.table()->currentIndex().row(), 0);
    }

    // The pin column is left of it, and none for words.
    void keysBeginAtTheName() {
        UiFixture ui;
        QObject::connect(&ui.document, &Document::changed, &ui.window, [&ui] { followPins(ui.context); });
        PlansView view(ui.context);
        fill(ui);
        ui.selection.setPlan(-1);
        view.resize(1200, 256);
        view.show();
        view.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&view));
        view.table()->setFocus(Qt::TabFocusReason);
        QCOMPARE(view.table()->currentIndex().column(), static_cast<int>(PlanTableModel::Name));
        QCOMPARE(ui.selection.plan(), -1); // the focus alone chooses none
        ui.selection.setPlan(ui.candidates.all()[1].id);
        QCOMPARE(view.table()->currentIndex().row(), 1);
        QCOMPARE(view.table()->currentIndex().column(), static_cast<int>(PlanTableModel::Name));
        QTest::keyClick(view.table(), Qt::Key_Up);
        QCOMPARE(ui.selection.plan(), ui.candidates.all()[0].id);
        QCOMPARE(view.table()->currentIndex().column(), static_cast<int>(PlanTableModel::Name));
        QTest::keyClick(view.table(), Qt::Key_Space);
        QVERIFY(ui.candidates.find(ui.selection.plan())->pinned);
    }

    void spacePinsAndUndoUnpins() {
        UiFixture ui;
        QObject::connect(&ui.document, &Document::changed, &ui.window, [&ui] { followPins(ui.context); });
        PlansView view(ui.context);
        fill(ui);
        view.show();
        view.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&view));
        view.table()->setFocus();
        view.table()->selectRow(0);
        const int id = ui.selection.plan();
        QTest::keyClick(view.table(), Qt::Key_Space);
        QVERIFY(ui.candidates.find(id)->pinned);
        QCOMPARE(ui.document.project()->plans.size(), std::size_t{1});
        ui.document.undoStack()->undo();
        QVERIFY(!ui.candidates.find(id)->pinned);
    }

    // In a view as narrow as it is in a window of 1366.
    void aLongNameLeavesTheStagesTheirRoom() {
        UiFixture ui;
        PlansView view(ui.context);
        QObject::connect(&ui.document, &Document::changed, &view, [&ui] {
            followNames(ui.context);
            followPins(ui.context);
        });
        fill(ui);
        view.resize(2600, 256);
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        QAbstractItemModel* model = view.table()->model();
        QVERIFY(model->setData(model->index(0, PlanTableModel::Name),
                               QStringLiteral("llama3-8b-6-4096-2-full-bf16-measured")));
        const QHeaderView* header = view.table()->horizontalHeader();
        const int wide = header->sectionSize(PlanTableModel::Name);
        view.resize(975, 256);
        QTRY_VERIFY2(header->sectionSize(PlanTableModel::Stages) >= 100,
                     qPrintable(QString::number(header->sectionSize(PlanTableModel::Stages))));
        QVERIFY(header->sectionSize(PlanTableModel::Name) < wide);
        view.resize(2600, 256);
        QTRY_COMPARE(header->sectionSize(PlanTableModel::Name), wide);
    }

    // What is typed there goes letter by letter: no plan comes into view by it, and none goes.
    void typingAFilterLeavesThePlanInView() {
        UiFixture ui;
        fill(ui);
        PlansView view(ui.context);
        view.resize(1200, 400);
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        const int rows = view.table()->model()->rowCount();
        QVERIFY(rows > 1);
        const auto idAt = [&](int row) {
            return view.table()->model()->index(row, 0).data(PlanTableModel::IdRole).toInt();
        };
        const int last = idAt(rows - 1);
        ui.selection.setPlan(last);
        const QSignalSpy changed(&ui.selection, &Selection::planChanged);
        for (const char* text : {"iteration<", "iteration<0", "iteration<0.0", ""}) {
            view.filterLine()->setText(QString::fromLatin1(text));
            QCOMPARE(ui.selection.plan(), last);
        }
        QCOMPARE(changed.count(), 0);
        QCOMPARE(view.table()->currentIndex().data(PlanTableModel::IdRole).toInt(), last);
    }

    void filterThatHidesAllSaysSo() {
        UiFixture ui;
        PlansView view(ui.context);
        fill(ui);
        view.resize(1200, 256);
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        view.filterLine()->setText(QStringLiteral("nothing like this"));
        QVERIFY(!view.table()->isVisible());
        view.filterLine()->clear();
        QVERIFY(view.table()->isVisible());
    }
};

QTEST_MAIN(PlansViewTest)
#include "plans_view_test.moc"
