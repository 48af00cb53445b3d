// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later

// The plan table shows what the candidates are: raw values sort, infeasible rows carry their reason, a pin is
// an edit.

#include "core/accuracy/memory_cases.h"
#include "core/edit/edit.h"
#include "core/exchange/exports/export.h"
#include "tests/ui/plans/found_plans.h"
#include "ui/base/format.h"
#include "ui/plans/kept_plans.h"
#include "ui/plans/plan_filter.h"
#include "ui/plans/plan_table_model.h"
#include "ui/plans/plans_view.h"
#include "ui/session/plan_text.h"
#include "ui/widgets/eliding_header.h"

#include <QAbstractItemModelTester>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QTableView>

using namespace pw;
using test::fill;

namespace {

struct ShownPlans {
    UiFixture ui;
    PlansView view{ui.context};
    QTableView* table = view.findChild<QTableView*>(QStringLiteral("plans.table"));

    explicit ShownPlans(int width) {
        fill(ui);
        view.resize(width, 300);
        view.show();
    }
};

} // namespace

class PlanTableTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
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

    // Half a word tells nobody that there is more of it.
    void headingsEndInDots() {
        const ShownPlans shown(1000);
        auto* table = shown.table;
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

    // By which column, and which way.
    void theSortIsSeen() {
        const ShownPlans shown(1400);
        auto* table = shown.table;
        const auto* header = table->horizontalHeader();
        const auto edge = [&](int column) { // above the words
            const QRect section(header->sectionViewportPosition(column), 0, header->sectionSize(column), 6);
            return header->viewport()->grab(section).toImage();
        };
        table->sortByColumn(PlanTableModel::Iteration, Qt::AscendingOrder);
        const QImage up = edge(PlanTableModel::Iteration), plain = edge(PlanTableModel::PeakMemory);
        table->sortByColumn(PlanTableModel::Iteration, Qt::DescendingOrder);
        const QImage down = edge(PlanTableModel::Iteration);
        table->sortByColumn(PlanTableModel::PeakMemory, Qt::AscendingOrder);
        QVERIFY(up != down && edge(PlanTableModel::Iteration) != up &&
                edge(PlanTableModel::Iteration) != down);
        QVERIFY(edge(PlanTableModel::PeakMemory) != plain);
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

    // What a node is called decides whether launch files can name it.
    void trainersFollowTheNames() {
        UiFixture ui;
        ui.document.adopt(smallProject(), QString());
        QVERIFY(ui.search());
        PlanTableModel model(ui.context);
        const auto trainers = [&] { return model.index(0, PlanTableModel::Trainers).data().toString(); };
        const QString before = trainers();
        for (const char* node : {"n1", "n2", "n3"})
            QVERIFY(ui.document.apply(renameItem(*ui.document.project(), node, std::string(node) + '+'),
                                      QStringLiteral("odd")));
        const QString odd = trainers();
        QVERIFY2(odd != before, qPrintable(before));
        QVERIFY(ui.document.apply(nameForHosts(*ui.document.project()), QStringLiteral("even")));
        QCOMPARE(trainers(), before);
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
        filter.setFilter(QStringLiteral("needs 85")); // a number is a whole one
        QCOMPARE(filter.rowCount(), 0);
        filter.setFilter(QString());
        int behind = 0;
        for (int row = 0; row < model.rowCount(); ++row)
            behind += model.index(row, 0).data(PlanTableModel::LeaderRole).toInt() >= 0;
        QCOMPARE(filter.rowCount(), model.rowCount() - behind);
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
};

QTEST_MAIN(PlanTableTest)
#include "plan_table_test.moc"
