// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later

// All planners in one table: as the core compares them, with parts left out where the user ticks them, in the
// background, and with every state in words.

#include "core/search/planners.h"
#include "tests/ui/ui_fixture.h"
#include "ui/base/convert.h"
#include "ui/base/error_text.h"
#include "ui/base/format.h"
#include "ui/search/search_panel.h"
#include "ui/session/plan_text.h"
#include "ui/tournament/ablation_list.h"
#include "ui/tournament/tournament_model.h"
#include "ui/tournament/tournament_view.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/message_bar.h"

#include <QAbstractItemModelTester>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QProgressBar>
#include <QPushButton>
#include <QTableView>

using namespace pw;

namespace {

SearchOptions little(std::int64_t work = 3'000) {
    SearchOptions options;
    options.work = work;
    return options;
}

Entrant without(const char* planner, const char* part) {
    for (const Entrant& ablation : allAblations())
        if (std::string_view(ablation.planner->name) == planner && ablation.without.front() == part)
            return ablation;
    return {};
}

struct Fixture : UiFixture {
    Fixture() {
        commands->bind("search.compare", &window,
                       [this] { tournament.start(runner.options(), runner.demand()); });
        commands->bind("search.stop", &window, [this] { tournament.stop(); });
    }
    bool compare(const SearchOptions& options = little(), const SearchDemand& demand = {}) {
        QSignalSpy ended(&tournament, &TournamentRunner::finished);
        return tournament.start(options, demand) && ended.wait(60'000);
    }
    int largestTp() const { // of the best plans
        int most = 0;
        for (const TournamentRow* row : tournament.tournament().ranked())
            for (const Pipeline& pipeline : row->outcome.plans.front().plan.pipelines)
                for (const Stage& stage : pipeline.stages)
                    most = std::max(most, stage.tp);
        return most;
    }
};

QStringList column(const QAbstractItemModel& model, int column) {
    QStringList texts;
    for (int row = 0; row < model.rowCount(); ++row)
        texts << model.index(row, column).data().toString();
    return texts;
}

} // namespace

class TournamentViewTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void rowsAreTheTournaments() {
        Fixture ui;
        TournamentModel model(ui.context);
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        ui.openSmallProject();
        QVERIFY(ui.compare());
        TournamentObserver nobody;
        const auto own = searchEach(ui.document.problem(), little(), allPlanners(), nobody, {});
        QVERIFY(own);
        QCOMPARE(model.rowCount(), static_cast<int>(own->rows.size()));
        int plans = 0, reasons = 0;
        for (int row = 0; row < model.rowCount(); ++row) {
            const TournamentRow& r = own->rows[static_cast<std::size_t>(row)];
            const auto text = [&](int column) { return model.index(row, column).data().toString(); };
            QCOMPARE(text(TournamentModel::Planner), q(r.label()));
            QCOMPARE(text(TournamentModel::Standing), q(r.planner->standing));
            const QString reason = model.index(row, 0).data(TournamentModel::ReasonRole).toString();
            if (r.leftOut)
                QCOMPARE(text(TournamentModel::Ended), QStringLiteral("Left out"));
            else
                QCOMPARE(text(TournamentModel::Operators), countText(r.outcome.operatorEvaluations));
            if (r.outcome.plans.empty()) {
                QCOMPARE(reason, lineText(*r.refusal));
                QVERIFY(text(TournamentModel::Iteration).isEmpty());
                ++reasons;
                continue;
            }
            const FoundPlan& best = r.outcome.plans.front();
            QVERIFY(reason.isEmpty());
            QCOMPARE(text(TournamentModel::Candidates), countText(r.outcome.work));
            QCOMPARE(text(TournamentModel::Iteration), markedIteration(best.evaluation));
            const auto gap = own->gap(r);
            QCOMPARE(text(TournamentModel::Gap), gap ? shareText(*gap) : QStringLiteral("none"));
            QCOMPARE(text(TournamentModel::Schedule), scheduleText(best.plan));
            QCOMPARE(text(TournamentModel::Gpus), q(stagePattern(*ui.document.problem(), best.plan)));
            QCOMPARE(text(TournamentModel::Behind) == QStringLiteral("best"),
                     best.evaluation.iteration.value ==
                         own->ranked().front()->outcome.plans.front().evaluation.iteration.value);
            ++plans;
        }
        QVERIFY(plans > 4);
        QVERIFY(reasons > 0); // 20 GPUs are too many to enumerate
    }

    // Of plans that are to fit with a greater chance, the peak stands beside the limit and not the memory.
    void peaksAreHeldAgainstTheLimit() {
        Fixture ui;
        TournamentModel model(ui.context);
        Project project = smallProject();
        project.recipe.fitChance = 0.9;
        ui.document.adopt(project, QString());
        QVERIFY(ui.compare());
        int held = 0;
        for (int row = 0; row < model.rowCount(); ++row) {
            const QModelIndex cell = model.index(row, TournamentModel::PeakMemory);
            const QString peak = cell.data().toString(), tip = cell.data(Qt::ToolTipRole).toString();
            if (peak.isEmpty())
                continue; // no plan
            QVERIFY2(peak.contains(QStringLiteral(" of \u2264 ")), qPrintable(peak));
            QVERIFY2(tip.contains(QStringLiteral("at most")) && tip.contains(QStringLiteral("90 %")),
                     qPrintable(tip));
            ++held;
        }
        QVERIFY(held > 0);
    }

    // What is demanded of a search is demanded of all planners, and what cannot be is refused in words.
    void demandsAreOfAllPlanners() {
        Fixture ui;
        TournamentView view(ui.context);
        ui.openSmallProject();
        QVERIFY(ui.compare());
        QVERIFY(ui.largestTp() > 1);
        SearchDemand demand;
        demand.maxTp = 1;
        QVERIFY(ui.compare(little(), demand));
        QCOMPARE(ui.largestTp(), 1);
        demand.target = exporterRow("megatron");
        QVERIFY(ui.compare(little(), demand));
        int plans = 0;
        for (const TournamentRow& row : ui.tournament.tournament().rows) {
            QCOMPARE(row.refusal.has_value(), row.outcome.plans.empty());
            for (const FoundPlan& found : row.outcome.plans)
                QVERIFY(exportRefusals(*demand.target, *ui.document.problem(), found.plan).empty());
            plans += !row.outcome.plans.empty();
        }
        QVERIFY(plans > 0);
        QCOMPARE(ui.largestTp(), 1);
        demand.required = {"n1"};
        QVERIFY(!ui.tournament.start(little(), demand));
        QVERIFY(!ui.tournament.isRunning());
        QVERIFY(ui.tournament.tournament().rows.empty());
        QCOMPARE(ui.tournament.failure()->message,
                 "A required device is not combined with all planners: it takes one planner");
    }

    // A ticked part is a row behind its planner, searched without it.
    void tickedPartsAreRows() {
        Fixture ui;
        TournamentView view(ui.context);
        ui.openSmallProject();
        QListWidget* list = view.ablations()->list();
        QCOMPARE(list->count(), static_cast<int>(allAblations().size()));
        view.show();
        view.ablations()->showBelow(&view, false);
        QVERIFY(QTest::qWaitForWindowExposed(view.ablations()));
        const auto items = list->findItems(QStringLiteral("AutoHAAP-style without cache"), Qt::MatchExactly);
        QCOMPARE(items.size(), 1);
        list->setCurrentItem(items.front());
        QTest::keyClick(list, Qt::Key_Space);
        QVERIFY(ui.tournament.ablations() == std::vector<Entrant>{without("haap", "cache")});
        QTest::keyClick(list, Qt::Key_Escape);
        QVERIFY(!view.ablations()->isVisible());
        QVERIFY(ui.compare());
        const QStringList names = column(*view.table()->model(), TournamentModel::Planner);
        const auto at = names.indexOf(QStringLiteral("AutoHAAP-style"));
        QCOMPARE(names.value(at + 1), QStringLiteral("AutoHAAP-style without cache"));
        const auto& rows = ui.tournament.tournament().rows;
        const auto whole = static_cast<std::size_t>(at);
        QCOMPARE(rows[whole + 1].outcome.without, std::vector<std::string>{"cache"});
        QVERIFY(rows[whole].outcome.without.empty());
        QVERIFY(rows[whole + 1].outcome.operatorEvaluations > rows[whole].outcome.operatorEvaluations);
    }

    // Where no partitions are searched, leaving them out would be the same row twice.
    void partitionsCanBeLeftOutWhereTheyAreSearched() {
        Fixture ui;
        AblationList list;
        ui.openSmallProject();
        list.setChosen({without("haap", "partition")});
        QWidget anchor;
        list.showBelow(&anchor, false);
        QVERIFY(list.chosen().empty());
        list.showBelow(&anchor, true);
        QCOMPARE(list.chosen().size(), std::size_t{1});
        ui.tournament.setAblations(list.chosen());
        QVERIFY(ui.compare(little(100)));
        QCOMPARE(ui.tournament.entrants().size(), plannerTable().size());
        SearchOptions options = little(100);
        options.partitions = true;
        QVERIFY(ui.compare(options));
        QCOMPARE(ui.tournament.entrants().size(), plannerTable().size() + 1);
    }

    // A bound without partitions says nothing of plans with them.
    void boundsAreOfTheWholeSpace() {
        Tournament tournament;
        TournamentRow whole, part;
        whole.outcome.bound.value = Seconds(1.0);
        part.without = {"partition"};
        part.outcome.bound.value = Seconds(2.0);
        tournament.add(part);
        QCOMPARE(tournament.bound.value.value, 0.0);
        tournament.add(whole);
        QCOMPARE(tournament.bound.value.value, 1.0);
        part.without = {"cache"};
        tournament.add(part);
        QCOMPARE(tournament.bound.value.value, 2.0);
    }

    void openingARowShowsItsPlan() {
        Fixture ui;
        TournamentView view(ui.context);
        view.resize(1300, 300);
        view.show();
        ui.openSmallProject();
        QVERIFY(ui.compare());
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        QVERIFY(ui.candidates.all().empty()); // nothing is added unasked
        const QStringList names = column(*view.table()->model(), TournamentModel::Planner);
        const auto grid = static_cast<int>(names.indexOf(QStringLiteral("Megatron-LM grid")));
        const QRect cell = view.table()->visualRect(view.table()->model()->index(grid, 0));
        QTest::mouseClick(view.table()->viewport(), Qt::LeftButton, {}, cell.center());
        QTest::mouseDClick(view.table()->viewport(), Qt::LeftButton, {}, cell.center());
        QCOMPARE(ui.candidates.all().size(), std::size_t{1});
        const Candidate& shown = ui.candidates.all().front();
        QCOMPARE(ui.selection.plan(), shown.id);
        QVERIFY(shown.note.contains(QStringLiteral("Megatron-LM grid")));
        const auto& rows = ui.tournament.tournament().rows;
        QCOMPARE(shown.key, canonicalKey(rows[static_cast<std::size_t>(grid)].outcome.plans.front().plan));
        // A row without a plan has nothing to show.
        const auto left = static_cast<int>(names.indexOf(QStringLiteral("Exhaustive")));
        view.table()->selectRow(left);
        ui.commands->action("planners.show")->trigger();
        QCOMPARE(ui.candidates.all().size(), std::size_t{1});
        QVERIFY(view.table()->columnSpan(left, TournamentModel::Iteration) > 1);
        QCOMPARE(view.table()->columnSpan(grid, TournamentModel::Iteration), 1);
    }

    void rowsWithoutAFigureSortLast() {
        Fixture ui;
        TournamentView view(ui.context);
        ui.openSmallProject();
        QVERIFY(ui.compare());
        QAbstractItemModel* model = view.table()->model();
        for (const Qt::SortOrder order : {Qt::AscendingOrder, Qt::DescendingOrder}) {
            view.table()->sortByColumn(TournamentModel::Iteration, order);
            const int last = model->rowCount() - 1;
            QVERIFY(!model->index(last, 0).data(TournamentModel::ReasonRole).toString().isEmpty());
            double before = order == Qt::AscendingOrder ? 0.0 : 1e30;
            for (int row = 0; row <= last; ++row) {
                const QVariant value =
                    model->index(row, TournamentModel::Iteration).data(TournamentModel::SortRole);
                if (!value.isValid())
                    continue;
                QVERIFY(order == Qt::AscendingOrder ? value.toDouble() >= before
                                                    : value.toDouble() <= before);
                before = value.toDouble();
            }
        }
        view.table()->sortByColumn(TournamentModel::Planner, Qt::AscendingOrder);
        QCOMPARE(model->index(0, 0).data().toString(), QString::fromUtf8(plannerTable().front().label));
    }

    void emptyAsksForWhatIsMissing() {
        Fixture ui;
        TournamentView view(ui.context);
        QVERIFY(view.empty()->button()->isHidden());
        ui.openSmallProject();
        QVERIFY(!view.empty()->button()->isHidden());
        QSignalSpy raised(&view, &View::raiseRequested);
        QSignalSpy ended(&ui.tournament, &TournamentRunner::finished);
        view.empty()->button()->click();
        QVERIFY(ui.tournament.isRunning());
        QCOMPARE(raised.count(), 1);
        QCOMPARE(view.table()->model()->rowCount(), static_cast<int>(plannerTable().size()));
        ui.tournament.stop();
        QVERIFY(ended.wait(60'000));
    }

    // Stop keeps what has been found and says of the others that their turn did not come.
    void stopKeepsWhatWasFound() {
        Fixture ui;
        TournamentView view(ui.context);
        view.show();
        Project large = smallProject(); // one that the first planner searches for long
        large.model->blocks = 48;
        for (int n = 4; n < 10; ++n) {
            const std::string id = "n" + std::to_string(n);
            large.cluster.nodes.push_back(large.cluster.nodes.at(static_cast<std::size_t>(n % 3)));
            large.cluster.nodes.back().id = id;
            large.cluster.links.push_back(large.cluster.links.front());
            large.cluster.links.back().id = id + "-s1";
            large.cluster.links.back().a = id;
        }
        ui.document.adopt(large, QString());
        const SearchOptions options = little(1'000'000'000);
        QSignalSpy ended(&ui.tournament, &TournamentRunner::finished);
        QVERIFY(ui.tournament.start(options));
        QVERIFY(!ui.tournament.start(options)); // one at a time
        QTRY_VERIFY_WITH_TIMEOUT(ui.tournament.progress().best.value > 0.0, 60'000);
        QVERIFY(ui.tournament.isRunning());
        QCOMPARE(ui.tournament.current(), 0);
        QCOMPARE(view.findChild<QLabel*>(QStringLiteral("planners.progressText"))->text(),
                 QStringLiteral("1 of %1: Pipewright").arg(plannerTable().size()));
        QCOMPARE(view.subtitle(), QStringLiteral("running"));
        const QAbstractItemModel* model = view.table()->model();
        QCOMPARE(column(*model, TournamentModel::Ended).mid(0, 2),
                 QStringList({QStringLiteral("Searching"), QStringLiteral("Waiting")}));
        QVERIFY(!model->index(0, TournamentModel::Iteration).data().toString().isEmpty());
        view.findChild<QPushButton*>(QStringLiteral("planners.stop"))->click();
        QVERIFY(ended.wait(60'000));
        QVERIFY(!ui.tournament.isRunning());
        QCOMPARE(column(*model, TournamentModel::Ended).mid(0, 2),
                 QStringList({QStringLiteral("Stopped"), QStringLiteral("Left out")}));
        QCOMPARE(ui.tournament.tournament().ranked().size(), std::size_t{1});
        QCOMPARE(ui.tournament.tournament().rows.size(), plannerTable().size());
        for (int row = 1; row < model->rowCount(); ++row)
            QCOMPARE(model->index(row, 0).data(TournamentModel::ReasonRole).toString(),
                     QStringLiteral("Stopped before its turn"));
    }

    // What no planner can take is said once, in the view.
    void anEditMakesItStale() {
        Fixture ui;
        TournamentView view(ui.context);
        view.show();
        ui.openSmallProject();
        QVERIFY(ui.compare(little(100)));
        QVERIFY(!view.stale()->isVisible());
        Project changed = *ui.document.project();
        changed.recipe.gbs *= 2;
        QVERIFY(ui.document.apply(changed, QStringLiteral("Batch")));
        QVERIFY(view.stale()->isVisible());
        ui.document.undoStack()->undo();
        QVERIFY(!view.stale()->isVisible());
        SearchDemand demand;
        demand.maxTp = 1;
        ui.runner.setDemand(demand); // other plans than were compared
        QVERIFY(view.stale()->isVisible());
        QVERIFY(ui.compare(little(100), demand));
        QVERIFY(!view.stale()->isVisible());
    }

    // The first wrong letter of a field takes the buttons away, the last right one brings them back.
    void buttonsFollowTheCommand() {
        Fixture ui;
        QAction* compare = ui.commands->action("search.compare");
        const SearchPanel panel(ui.context);
        TournamentView view(ui.context);
        QObject::connect(&ui.runner, &SearchRunner::waitsForChanged, compare,
                         [&ui, compare] { // as the window
                             compare->setEnabled(ui.runner.waitsFor().isEmpty());
                         });
        ui.openSmallProject();
        auto* size = panel.findChild<QLineEdit*>(QStringLiteral("search.max-tp"));
        const auto type = [size](const char* text) {
            size->selectAll();
            QTest::keyClicks(size, QLatin1String(text));
        };
        const QPushButton* button = view.empty()->button();
        QVERIFY(!button->isHidden());
        type("x");
        QVERIFY(button->isHidden());
        type("1");
        QVERIFY(!button->isHidden());
        QVERIFY(ui.compare(little(100))); // of any size
        button = view.stale()->findChild<QPushButton*>(QStringLiteral("messageBar.action"));
        QVERIFY(!view.stale()->isHidden() && !button->isHidden());
        type("x");
        QVERIFY(button->isHidden());
        type("2");
        QVERIFY(!button->isHidden());
    }

    void everythingIsNamed() {
        Fixture ui;
        TournamentView view(ui.context);
        for (auto* widget : view.findChildren<QPushButton*>())
            QVERIFY2(!widget->accessibleName().isEmpty() || widget->text().isEmpty(),
                     qPrintable(widget->objectName()));
        for (auto* widget : view.findChildren<QProgressBar*>())
            QVERIFY(!widget->accessibleName().isEmpty());
        ui.openSmallProject();
        QVERIFY(ui.compare(little(100)));
        const QAbstractItemModel* model = view.table()->model();
        for (int at = 0; at < TournamentModel::ColumnCount; ++at)
            QVERIFY(model->index(0, at)
                        .data(Qt::AccessibleTextRole)
                        .toString()
                        .startsWith(model->headerData(at, Qt::Horizontal).toString()));
    }
};

QTEST_MAIN(TournamentViewTest)
#include "tournament_view_test.moc"
