// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later

// The plan table shows what the candidates are: raw values sort, infeasible rows carry their reason, a pin is
// an edit.

#include "core/accuracy/memory_cases.h"
#include "core/edit/edit.h"
#include "core/exchange/exports/export.h"
#include "core/whatif/whatif.h"
#include "tests/ui/ui_fixture.h"
#include "ui/base/format.h"
#include "ui/plans/kept_plans.h"
#include "ui/plans/plan_filter.h"
#include "ui/plans/plan_table_model.h"
#include "ui/plans/plans_view.h"
#include "ui/session/plan_text.h"
#include "ui/widgets/eliding_header.h"
#include "ui/widgets/message_bar.h"
#include "ui/window/key_figures.h"

#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTableView>

using namespace pw;

class PlanTableTest : public QObject {
    Q_OBJECT

private:
    // Plans of a real search, and one more of them that is said to need too much memory.
    static void fill(UiFixture& ui) {
        ui.openSmallProject();
        QVERIFY(ui.search());
        QVERIFY(!ui.candidates.all().empty());
        FoundPlan broken{ui.candidates.all().front().plan, ui.candidates.all().front().evaluation};
        broken.plan.pipelines.front().schedule.kind = ScheduleKind::GPipe;
        broken.evaluation.feasible = false;
        broken.evaluation.reasons = {"stage 0 needs 85.8 of 39.6 GiB on A100-40"};
        ui.candidates.add(ui.document.problem(), {broken}, QStringLiteral("imported"));
    }

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

    void modelKeepsItsPromises() {
        UiFixture ui;
        PlanTableModel model(ui.context);
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        PlanFilter filter;
        filter.setSourceModel(&model);
        const QAbstractItemModelTester filterTester(&filter,
                                                    QAbstractItemModelTester::FailureReportingMode::QtTest);
        fill(ui);
        ui.candidates.setPinned(ui.candidates.all().front().id, true);
        ui.candidates.remove(ui.candidates.all().front().id);
        ui.candidates.clear();
    }

    // What the peak is held against where the plan is to fit with a greater chance: not the device's memory.
    void peaksAreHeldAgainstTheLimit() {
        UiFixture ui;
        ui.openSmallProject();
        Recipe recipe = ui.document.project()->recipe;
        const auto texts = [&ui] { // in the cell, and as its tool tip
            PlanTableModel model(ui.context);
            const QModelIndex cell =
                model.indexOf(ui.candidates.all().front().id, PlanTableModel::PeakMemory);
            return std::pair(cell.data().toString(), cell.data(Qt::ToolTipRole).toString());
        };
        QVERIFY(ui.search());
        const auto plain = texts();
        QVERIFY2(plain.first.contains(QStringLiteral(" of ")) && !plain.first.contains(QChar(0x2264)),
                 qPrintable(plain.first));
        QCOMPARE(plain.second, QString());
        recipe.fitChance = 0.9;
        QVERIFY(ui.document.apply(setRecipe(*ui.document.project(), recipe), QStringLiteral("chance")));
        ui.candidates.clear();
        QVERIFY(ui.search());
        const auto held = texts();
        QVERIFY2(held.first.contains(QStringLiteral(" of \u2264 ")), qPrintable(held.first));
        QVERIFY2(held.second.contains(QStringLiteral("at most")) &&
                     held.second.contains(QStringLiteral("90 %")),
                 qPrintable(held.second));
        // Both name one limit.
        const QString limit = held.first.section(QChar(0x2264), 1).section(QLatin1Char(' '), 1, 1);
        QVERIFY2(held.second.contains(QStringLiteral("at most %1 ").arg(limit)), qPrintable(held.second));
    }

    void aPlanCanBeNamed() {
        UiFixture ui;
        fill(ui);
        PlanTableModel model(ui.context);
        QObject::connect(&ui.document, &Document::changed, &model, [&ui] {
            followNames(ui.context);
            followPins(ui.context);
        });
        const int id = ui.candidates.all().front().id;
        const QString number = ui.candidates.find(id)->name;
        const QModelIndex cell = model.indexOf(id, PlanTableModel::Name);
        QVERIFY(model.flags(cell) & Qt::ItemIsEditable);
        QVERIFY(model.setData(cell, QStringLiteral(" two racks ")));
        QCOMPARE(ui.candidates.find(id)->name, QStringLiteral("two racks"));
        QVERIFY(ui.candidates.find(id)->pinned); // what has a name stays in the project
        QCOMPARE(ui.document.project()->plans.front().name, std::string("two racks"));
        QVERIFY(model.setData(model.indexOf(id, PlanTableModel::Name), QStringLiteral("three racks")));
        QCOMPARE(ui.document.project()->plans.size(), std::size_t{1});
        QCOMPARE(ui.candidates.find(id)->name, QStringLiteral("three racks"));
        // A name that another plan has is refused.
        QSignalSpy refused(&ui.document, &Document::failed);
        const int other = ui.candidates.all()[1].id;
        model.setData(model.indexOf(other, PlanTableModel::Name), QStringLiteral("three racks"));
        QCOMPARE(refused.count(), 1);
        ui.document.undoStack()->undo();
        QCOMPARE(ui.candidates.find(id)->name, QStringLiteral("two racks"));
        ui.document.undoStack()->undo();
        QCOMPARE(ui.candidates.find(id)->name, number);
        QVERIFY(!ui.candidates.find(id)->pinned);
        ui.document.undoStack()->redo();
        QCOMPARE(ui.candidates.find(id)->name, QStringLiteral("two racks"));
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

    void rowsAreTheCandidates() {
        UiFixture ui;
        fill(ui);
        PlanTableModel model(ui.context);
        QCOMPARE(model.rowCount(), static_cast<int>(ui.candidates.all().size()));
        double before = 0.0;
        for (int row = 0; row < model.rowCount(); ++row) {
            const double value =
                model.index(row, PlanTableModel::Iteration).data(PlanTableModel::SortRole).toDouble();
            QVERIFY(value >= before);
            before = value;
        }
        const QModelIndex time = model.index(0, PlanTableModel::Iteration); // nothing is measured here
        QVERIFY(time.data().toString().startsWith(QStringLiteral("\u2234 ")));
        QVERIFY(time.data(Qt::ToolTipRole).toString().contains(QStringLiteral("estimates")));
        const QModelIndex last = model.index(model.rowCount() - 1, PlanTableModel::Name);
        QCOMPARE(last.data(PlanTableModel::ReasonRole).toString(),
                 QStringLiteral("stage 0 needs 85.8 of 39.6 GiB on A100-40"));
        QVERIFY(last.data(Qt::AccessibleTextRole).toString().contains(QStringLiteral("infeasible")));
        QVERIFY(model.index(0, PlanTableModel::Name).data(PlanTableModel::BestRole).toBool());
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

    // In the bar above all views, as long as it is said of the question that stands there.
    void whyThereIsNoPlanIsSaidAbove() {
        UiFixture ui;
        KeyFigures figures(ui.context);
        figures.resize(1200, 40);
        figures.show();
        ui.openSmallProject();
        const auto* link = figures.findChild<QPushButton*>(QStringLiteral("blockedReason"));
        QVERIFY(!link->isVisibleTo(&figures));
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
        QSignalSpy asked(&figures, &KeyFigures::noPlanClicked),
            problem(&figures, &KeyFigures::problemClicked);
        QTest::mouseClick(const_cast<QPushButton*>(link), Qt::LeftButton);
        QCOMPARE(asked.size(), 1);
        QVERIFY(problem.isEmpty());
        ui.document.undoStack()->undo();
        QVERIFY(!link->isVisibleTo(&figures));
    }

    // A search brings more plans than it was asked for, those that differ: the count says so.
    void theCountSaysWhereMorePlansComeFrom() {
        UiFixture ui;
        ui.openSmallProject();
        QVERIFY(ui.search());
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

    // Half a word tells nobody that there is more of it.
    void headingsEndInDots() {
        UiFixture ui;
        fill(ui);
        PlansView view(ui.context);
        view.resize(1000, 300);
        view.show();
        auto* table = view.findChild<QTableView*>(QStringLiteral("plans.table"));
        auto* header = qobject_cast<ElidingHeader*>(table->horizontalHeader());
        QVERIFY(header);
        const int column = PlanTableModel::Schedule;
        const QString whole = table->model()->headerData(column, Qt::Horizontal).toString();
        header->setSectionResizeMode(column, QHeaderView::Fixed);
        header->resizeSection(column, 200);
        QCOMPARE(header->shownText(column), whole);
        header->resizeSection(column, 50);
        QVERIFY2(header->shownText(column).endsWith(QChar(0x2026)), qPrintable(header->shownText(column)));
        QVERIFY(header->fontMetrics().horizontalAdvance(header->shownText(column)) < 50);
    }

    // A trainer of one's own stands before the runner, which takes nearly every plan.
    void theRunnerIsNamedLast() {
        UiFixture ui;
        fill(ui);
        PlanTableModel model(ui.context);
        const QString runner = QString::fromUtf8(exporterRow("runner")->label);
        int several = 0;
        for (int row = 0; row < model.rowCount(); ++row) {
            const QStringList names = model.index(row, PlanTableModel::Trainers)
                                          .data(Qt::ToolTipRole)
                                          .toString()
                                          .split(QLatin1Char('\n'));
            several += names.size() > 1;
            QVERIFY(!names.contains(runner) || names.back() == runner);
        }
        QVERIFY(several > 0);
    }

    void spansNameTheirUnitOnce() {
        ErrorBand band;
        band.low = 0.5;
        band.high = 2.0;
        QCOMPARE(expectedText(band, Seconds(10.0)), QStringLiteral("5.000 to 20.00 s"));
        QCOMPARE(expectedText(band, Seconds(0.1)), QStringLiteral("50.0 to 200.0 ms"));
        QCOMPARE(expectedText(band, Seconds(1.0)), QStringLiteral("500.0 ms to 2.000 s"));
    }

    // A tie is what is told apart with less than 80 %; its chance stands beside it and never reads as 80 %.
    void aTieHasItsChance() {
        const auto shown = [](double firstFaster) {
            TimeComparison comparison;
            comparison.firstFaster = firstFaster;
            return besideFigure(comparison);
        };
        QCOMPARE(shown(0.68), QStringLiteral("tie, 68 %"));
        QCOMPARE(shown(0.7999), QStringLiteral("tie, 79 %"));
        QCOMPARE(shown(kCertain), QStringLiteral("slower, 80 %"));
        QCOMPARE(shown(0.9999), QStringLiteral("slower, 99 %"));
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

    // Every plan that fits has its span, and all but the best stand beside that one.
    void spansAndTiesAreShown() {
        UiFixture ui;
        fill(ui);
        PlanTableModel model(ui.context);
        QVERIFY(model.rowCount() > 2);
        for (int row = 0; row < model.rowCount(); ++row) {
            const Candidate& c = ui.candidates.all()[static_cast<std::size_t>(row)];
            const QModelIndex expected = model.index(row, PlanTableModel::Expected);
            const QModelIndex beside = model.index(row, PlanTableModel::Beside);
            if (!c.evaluation.feasible) {
                QVERIFY(expected.data().toString().isEmpty() && beside.data().toString().isEmpty());
                continue;
            }
            QCOMPARE(expected.data().toString(), expectedText(c.band, c.evaluation.iteration));
            QVERIFY(expected.data().toString().contains(QStringLiteral(" to ")));
            QVERIFY(expected.data(Qt::ToolTipRole).toString().contains(nearestText(c.band)));
            if (row == 0) {
                QVERIFY(beside.data().toString().isEmpty());
                continue;
            }
            const auto compared = ui.candidates.besideBest(c, ui.document.problem());
            const bool tie = compared->isTie();
            const QString sure = probabilityText(compared->firstFaster);
            QCOMPARE(beside.data().toString(), QString::fromLatin1(tie ? "tie, " : "slower, ") + sure);
            QCOMPARE(beside.data(PlanTableModel::TieRole).toBool(), tie);
            const QString tip = beside.data(Qt::ToolTipRole).toString();
            QVERIFY2(tip.contains(sure), qPrintable(tip));
            QCOMPARE(tip.contains(QStringLiteral("a tie")), tie);
            const Candidate& best = ui.candidates.all().front();
            const double slower = c.evaluation.iteration / best.evaluation.iteration - 1.0;
            QVERIFY2(tip.contains(QStringLiteral("%1 slower than plan %2").arg(shareText(slower), best.name)),
                     qPrintable(tip));
        }
        PlanFilter filter;
        filter.setSourceModel(&model);
        filter.setFilter(QStringLiteral("tie"));
        for (int row = 0; row < filter.rowCount(); ++row)
            QVERIFY(filter.index(row, PlanTableModel::Name).data(PlanTableModel::TieRole).toBool());
    }

    // What is within 0.1 % and of one structure stands behind its fastest; what differs, or is the user's,
    // does not.
    void nearTiesFoldBehindTheFastest() {
        UiFixture ui;
        fill(ui);
        const FoundPlan first{ui.candidates.all().front().plan, ui.candidates.all().front().evaluation};
        ui.candidates.clear();
        std::vector<FoundPlan> plans(6, first);
        for (int i = 0; i < 6; ++i) {
            FoundPlan& each = plans[static_cast<std::size_t>(i)];
            each.plan.pipelines.front().schedule.launch.assign(each.plan.pipelines.front().stages.size(),
                                                               i + 1);
            each.evaluation.iteration = first.evaluation.iteration * (1.0 + 1e-4 * i);
        }
        plans[2].plan.pipelines.front().schedule.kind = ScheduleKind::GPipe; // another schedule
        for (DeviceMemory& memory : plans[3].evaluation.memory)              // less memory
            memory.capacity = memory.capacity * 4.0;
        plans[5].evaluation.iteration = first.evaluation.iteration * 1.002; // slower
        ui.candidates.add(ui.document.problem(), plans, QStringLiteral("searched"));
        QCOMPARE(ui.candidates.all().size(), std::size_t{6});
        PlansView view(ui.context);
        view.resize(1400, 256);
        view.show();
        const auto rows = [&] { return view.table()->model()->rowCount(); };
        QCOMPARE(rows(), 4); // plans 2 and 5 stand behind the first
        const auto* count = view.findChild<QLabel*>(QStringLiteral("plans.count"));
        QCOMPARE(count->text(), QStringLiteral("4 of 6 shown, 2 near ties folded"));
        const QModelIndex ties = view.table()->model()->index(0, PlanTableModel::Ties);
        QCOMPARE(ties.data().toString(), QStringLiteral("+2"));
        QTest::mouseClick(view.table()->viewport(), Qt::LeftButton, {},
                          view.table()->visualRect(ties).center());
        QCOMPARE(rows(), 6);
        ui.commands->action("plans.ties")->trigger();
        QCOMPARE(rows(), 4);
        // Chosen elsewhere, one comes forward; pinned, it is nobody's near tie.
        const int second = ui.candidates.all()[1].id;
        ui.selection.setPlan(second);
        QCOMPARE(rows(), 6);
        QCOMPARE(view.table()->currentIndex().data(PlanTableModel::IdRole).toInt(), second);
        ui.commands->action("plans.ties")->trigger();
        QCOMPARE(ui.selection.plan(), ui.candidates.all().front().id);
        ui.candidates.setPinned(second, true);
        QCOMPARE(rows(), 5);
        QCOMPARE(count->text(), QStringLiteral("5 of 6 shown, 1 near tie folded"));
        // A filter sees them all.
        view.filterLine()->setText(QStringLiteral("tokens>0"));
        QCOMPARE(rows(), 6);
        // They fold again as a project kept them, under their numbers.
        view.filterLine()->clear();
        std::vector<Candidates::Kept> kept;
        for (const Candidate& c : ui.candidates.all())
            kept.push_back({{c.plan, c.evaluation}, c.name, {}});
        ui.candidates.clear();
        ui.candidates.restore(ui.document.problem(), kept);
        QCOMPARE(rows(), 4);
    }

    void chancesAndIdleTimeAreShares() {
        UiFixture ui;
        fill(ui);
        PlanTableModel model(ui.context);
        for (int row = 0; row < model.rowCount(); ++row) {
            const Candidate& c = ui.candidates.all()[static_cast<std::size_t>(row)];
            const double idle =
                model.index(row, PlanTableModel::Idle).data(PlanTableModel::SortRole).toDouble();
            QVERIFY(idle >= 0.0 && idle < 1.0); // 0: one stage, which never waits
            const QString chance = model.index(row, PlanTableModel::Chance).data().toString();
            QCOMPARE(chance.isEmpty(), !c.evaluation.feasible);
            if (c.evaluation.feasible)
                QCOMPARE(chance, shareText(chanceToFit(*c.problem, c.evaluation)));
        }
    }

    void filterComparesAndSearches() {
        UiFixture ui;
        fill(ui);
        PlanTableModel model(ui.context);
        PlanFilter filter;
        filter.setSourceModel(&model);
        filter.setFilter(QStringLiteral("needs 85.8"));
        QCOMPARE(filter.rowCount(), 1);
        filter.setFilter(QStringLiteral("iteration < 0"));
        QCOMPARE(filter.rowCount(), 0);
        filter.setFilter(QStringLiteral("tokens>0"));
        QCOMPARE(filter.rowCount(), model.rowCount());
        filter.setFilter(QString());
        int behind = 0;
        for (int row = 0; row < model.rowCount(); ++row)
            behind += model.index(row, 0).data(PlanTableModel::LeaderRole).toInt() >= 0;
        QCOMPARE(filter.rowCount(), model.rowCount() - behind);
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

    // Figures of another question are no rank: they stand behind those of now, whichever way a column is
    // sorted, and none of them is the best.
    void staleRowsComeLast() {
        UiFixture ui;
        ui.openSmallProject();
        QVERIFY(ui.search());
        PlanTableModel model(ui.context);
        PlanFilter filter;
        filter.setSourceModel(&model);
        const int before = model.rowCount();
        Project slower = *ui.document.project();
        slower.recipe.gbs *= 4;
        QVERIFY(ui.document.apply(slower, QStringLiteral("more")));
        for (int row = 0; row < model.rowCount(); ++row)
            QVERIFY(!model.index(row, 0).data(PlanTableModel::BestRole).toBool());
        QVERIFY(ui.search());
        QVERIFY(model.rowCount() > before);
        for (const Qt::SortOrder order : {Qt::AscendingOrder, Qt::DescendingOrder})
            for (const int column :
                 {PlanTableModel::Iteration, PlanTableModel::Name, PlanTableModel::PeakMemory}) {
                filter.sort(column, order);
                int now = 0, best = 0;
                for (int row = 0; row < filter.rowCount(); ++row) {
                    const QModelIndex index = filter.index(row, PlanTableModel::Name);
                    if (!index.data(PlanTableModel::StaleRole).toBool()) {
                        QCOMPARE(now, row);
                        ++now;
                    }
                    best += index.data(PlanTableModel::BestRole).toBool() ? 1 : 0;
                }
                QVERIFY(now > 0 && now < filter.rowCount());
                QCOMPARE(best, 1);
            }
    }

    // A tie with the best plan of other work is none.
    void aStalePlanHasNoTieAndNoRank() {
        UiFixture ui;
        ui.openSmallProject();
        QVERIFY(ui.search());
        PlanTableModel model(ui.context);
        const int second = ui.candidates.all()[1].id;
        QVERIFY(ui.candidates.besideBest(*ui.candidates.find(second), ui.document.problem()));
        QVERIFY(!model.indexOf(second, PlanTableModel::Rank).data().toString().isEmpty());
        Project more = *ui.document.project();
        more.recipe.gbs *= 4;
        QVERIFY(ui.document.apply(more, QStringLiteral("more")));
        for (const int column : {PlanTableModel::Beside, PlanTableModel::Origin})
            QCOMPARE(model.indexOf(second, column).data().toString(), QStringLiteral("stale"));
        QVERIFY(!model.indexOf(second, PlanTableModel::Beside).data(PlanTableModel::TieRole).toBool());
        QVERIFY(model.indexOf(second, PlanTableModel::Rank).data().toString().isEmpty());
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

    void pinnedPlansComeBackWithTheProject() {
        UiFixture ui;
        fill(ui);
        togglePinned(ui.context, ui.candidates.all().front().id);
        const QString name = ui.candidates.all().front().name;
        const double iteration = ui.candidates.all().front().evaluation.iteration.value;
        UiFixture other;
        other.document.adopt(*ui.document.project(), QString());
        restoreKept(other.context);
        QCOMPARE(other.candidates.all().size(), std::size_t{1});
        QCOMPARE(other.candidates.all().front().name, name);
        QVERIFY(other.candidates.all().front().pinned);
        QVERIFY(std::abs(other.candidates.all().front().evaluation.iteration.value - iteration) < 1e-9);
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

QTEST_MAIN(PlanTableTest)
#include "plan_table_test.moc"
