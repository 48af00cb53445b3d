// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
// The Pareto and parallel plots and the table as one brushed set.

#include "core/base/pareto.h"
#include "core/base/random.h"
#include "tests/ui/ui_fixture.h"
#include "ui/plans/plan_table_model.h"
#include "ui/plans/plans_view.h"
#include "ui/plots/parallel_plot.h"
#include "ui/plots/pareto_plot.h"
#include "ui/plots/plot_views.h"

#include <QAccessible>
#include <QHelpEvent>
#include <QLabel>
#include <QLineEdit>
#include <QTableView>
#include <QToolTip>

using namespace pw;

namespace {

struct ShownPlots : UiFixture {
    ParetoView* pareto;
    ParallelView* parallel;
    PlansView* plans;

    ShownPlots() {
        openSmallProject();
        if (!search())
            qFatal("the search did not end");
        pareto = new ParetoView(context, &window);
        parallel = new ParallelView(context, &window);
        plans = new PlansView(context, &window);
        window.resize(1000, 900);
        pareto->setGeometry(0, 0, 400, 300);
        parallel->setGeometry(400, 0, 600, 300);
        plans->setGeometry(0, 300, 1000, 300);
        window.show();
        if (!QTest::qWaitForWindowExposed(&window))
            qFatal("the window was not shown");
    }
    int rows() const { return plans->table()->model()->rowCount(); }
    void drag(QWidget* widget, QPointF from, QPointF to) {
        QTest::mousePress(widget, Qt::LeftButton, {}, from.toPoint());
        for (int step = 1; step <= 3; ++step) {
            const QPoint at = (from + (to - from) * step / 3.0).toPoint();
            QMouseEvent move(QEvent::MouseMove, at, widget->mapToGlobal(at), Qt::NoButton, Qt::LeftButton,
                             {});
            QApplication::sendEvent(widget, &move);
        }
        QTest::mouseRelease(widget, Qt::LeftButton, {}, to.toPoint());
    }
};

} // namespace

class PlotsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void ranksAreTheDefinition() {
        const std::uint64_t seed = 11;
        qInfo("seed %llu", static_cast<unsigned long long>(seed));
        Random random(seed);
        for (int round = 0; round < 50; ++round) {
            std::vector<std::vector<double>> points(20);
            for (auto& point : points)
                for (int k = 0; k < 3; ++k)
                    point.push_back(static_cast<double>(random.below(5)));
            const std::vector<int> ranks = paretoRanks(points);
            const auto beats = [&](std::size_t a, std::size_t b) {
                bool better = false;
                for (std::size_t k = 0; k < 3; ++k) {
                    if (points[a][k] > points[b][k])
                        return false;
                    better = better || points[a][k] < points[b][k];
                }
                return better;
            };
            for (std::size_t b = 0; b < points.size(); ++b) {
                int worst = 0; // a point stands one rank behind the worst that beats it
                for (std::size_t a = 0; a < points.size(); ++a)
                    if (beats(a, b))
                        worst = std::max(worst, ranks[a]);
                QCOMPARE(ranks[b], worst + 1);
            }
        }
        QVERIFY(paretoRanks({}).empty());
    }

    void frontIsWhatNoPlanBeats() {
        ShownPlots app;
        ParetoPlot& plot = *app.pareto->plot();
        QCOMPARE(plot.pointCount(), static_cast<int>(app.candidates.all().size()));
        const std::vector<int> front = plot.front();
        QVERIFY(!front.empty());
        for (const int id : front) {
            const Candidate& a = *app.candidates.find(id);
            for (const Candidate& b : app.candidates.all())
                QVERIFY(!(b.evaluation.feasible && b.evaluation.iteration < a.evaluation.iteration &&
                          axisValue(PlanAxis::PeakShare, b) < axisValue(PlanAxis::PeakShare, a)));
        }
        plot.setDominatedShown(false);
        QCOMPARE(plot.pointCount(), static_cast<int>(front.size()));
    }

    // A front of plans of other work would be one that nobody can choose from.
    void theFrontIsOfThePresentQuestion() {
        ShownPlots app;
        ParetoPlot& plot = *app.pareto->plot();
        QVERIFY(!plot.accessibleDescription().contains(QStringLiteral("stale")));
        Project slower = *app.document.project();
        slower.recipe.gbs *= 4;
        QVERIFY(app.document.apply(slower, QStringLiteral("more")));
        QVERIFY(plot.front().empty());
        const std::size_t stale = app.candidates.all().size();
        QVERIFY(app.search());
        QVERIFY(app.candidates.all().size() > stale);
        const std::vector<int> front = plot.front();
        QVERIFY(!front.empty());
        for (const int id : front)
            QVERIFY(!Candidates::isStale(*app.candidates.find(id), app.document.problem()));
        const QString said = QStringLiteral("%1 stale").arg(stale);
        for (const QWidget* shown :
             {static_cast<QWidget*>(&plot), static_cast<QWidget*>(app.parallel->plot())})
            QVERIFY2(shown->accessibleDescription().contains(said),
                     qPrintable(shown->accessibleDescription()));
        plot.setDominatedShown(false); // no stale one is left, nor told of
        QVERIFY2(!plot.accessibleDescription().contains(QStringLiteral("stale")),
                 qPrintable(plot.accessibleDescription()));
    }

    // A cross, and paler than before.
    void aStalePlanThatDoesNotFitIsAPaleCross() {
        ShownPlots app;
        const Candidate best = app.candidates.all().front();
        FoundPlan found{best.plan, best.evaluation};
        found.plan.pipelines.front().schedule.launch.assign(found.plan.pipelines.front().stages.size(), 90);
        found.evaluation.feasible = false;
        found.evaluation.iteration = best.evaluation.iteration * 20.0; // where no other point is
        const int id = app.candidates.add(best.problem, {found}, QStringLiteral("by hand"));
        app.selection.setPlan(-1); // no ring
        ParetoPlot& plot = *app.pareto->plot();
        const auto redness = [&] {
            const QImage shown = plot.grab().toImage();
            const QPoint middle = plot.positionOf(id).toPoint();
            int most = 0;
            for (int dx = -4; dx <= 4; ++dx)
                for (int dy = -4; dy <= 4; ++dy) {
                    const QColor colour = shown.pixelColor(middle + QPoint(dx, dy));
                    most = std::max(most, colour.red() - std::max(colour.green(), colour.blue()));
                }
            return most;
        };
        QTRY_VERIFY(redness() > 40);
        const int fresh = redness();
        Project more = *app.document.project();
        more.recipe.gbs *= 4;
        QVERIFY(app.document.apply(more, QStringLiteral("more")));
        QTRY_VERIFY(redness() < fresh);
        QVERIFY2(redness() > 10, qPrintable(QString::number(redness())));
    }

    // Over a stale plan, and nowhere else, the tip has that word.
    void stalePlansSaySoInTheirTips() {
        ShownPlots app;
        Project slower = *app.document.project();
        slower.recipe.gbs *= 4;
        QVERIFY(app.document.apply(slower, QStringLiteral("more")));
        QVERIFY(app.search());
        const auto tipAt = [](QWidget& plot, const QPoint& at) {
            QHelpEvent help(QEvent::ToolTip, at, plot.mapToGlobal(at));
            QApplication::sendEvent(&plot, &help);
            return QToolTip::text();
        };
        ParetoPlot& pareto = *app.pareto->plot();
        ParallelPlot& parallel = *app.parallel->plot();
        const double x = parallel.axisX(PlanAxis::Iteration);
        for (const Candidate& plan : app.candidates.all()) {
            const QPoint point = pareto.positionOf(plan.id).toPoint();
            const QPoint line(
                static_cast<int>(x),
                static_cast<int>(parallel.yOf(PlanAxis::Iteration, plan.evaluation.iteration.value)));
            const bool stale = Candidates::isStale(plan, app.document.problem());
            for (const QString& tip : {pareto.planAt(point) == plan.id ? tipAt(pareto, point) : QString(),
                                       parallel.planAt(line) == plan.id ? tipAt(parallel, line) : QString()})
                if (!tip.isEmpty())
                    QVERIFY2(tip.contains(QStringLiteral(", stale")) == stale, qPrintable(tip));
        }
        const QPoint best = pareto.positionOf(app.candidates.all().front().id).toPoint(); // of less work
        QVERIFY2(tipAt(pareto, best).contains(QStringLiteral(", stale")), qPrintable(tipAt(pareto, best)));
    }

    void clickChoosesThePlan() {
        ShownPlots app;
        ParetoPlot& plot = *app.pareto->plot();
        const int id = plot.front().back();
        app.selection.setPlan(-1);
        QTest::mouseClick(&plot, Qt::LeftButton, {}, plot.positionOf(id).toPoint());
        const Candidate& chosen = *app.candidates.find(app.selection.plan()); // two may lie on one point
        QCOMPARE(axisValue(PlanAxis::Iteration, chosen),
                 axisValue(PlanAxis::Iteration, *app.candidates.find(id)));
    }

    void brushFiltersTheTable() {
        ShownPlots app;
        const int all = app.rows();
        QVERIFY(all > 2);
        ParetoPlot& plot = *app.pareto->plot();
        const QPointF best = plot.positionOf(app.candidates.all().front().id);
        app.drag(&plot, best - QPointF(3, 3), best + QPointF(3, 3));
        QVERIFY(app.rows() >= 1 && app.rows() < all);
        for (int row = 0; row < app.rows(); ++row) {
            const int id = app.plans->table()->model()->index(row, 0).data(PlanTableModel::IdRole).toInt();
            const QPointF at = plot.positionOf(id) - best;
            QVERIFY(std::abs(at.x()) <= 4.0 && std::abs(at.y()) <= 4.0);
        }
        const QString said = QStringLiteral(" %1 brushed").arg(app.rows());
        QVERIFY2(plot.accessibleDescription().contains(said), qPrintable(plot.accessibleDescription()));
        QTest::keyClick(&plot, Qt::Key_Escape);
        QCOMPARE(app.rows(), all);
    }

    void parallelAxisBrushes() {
        ShownPlots app;
        const int all = app.rows();
        ParallelPlot& plot = *app.parallel->plot();
        const double x = plot.axisX(PlanAxis::Iteration);
        const Candidate& best = app.candidates.all().front();
        const double y = plot.yOf(PlanAxis::Iteration, best.evaluation.iteration.value);
        app.drag(&plot, {x, y + 3}, {x, y - 8});
        QVERIFY(app.rows() >= 1 && app.rows() < all);
        QTest::mouseDClick(&plot, Qt::LeftButton, {}, QPoint(static_cast<int>(x), 150));
        QCOMPARE(app.rows(), all);
        plot.setLogarithmic(PlanAxis::Iteration, true);
        const double slowest = app.candidates.all().back().evaluation.iteration.value;
        QVERIFY(plot.yOf(PlanAxis::Iteration, best.evaluation.iteration.value) >
                plot.yOf(PlanAxis::Iteration, slowest));
    }

    // A reader is told what is seen, and not of a box with a box in it.
    void plotsAreChartsThatSayWhatTheyShow() {
        UiFixture ui;
        ParetoPlot pareto(ui.context);
        ParallelPlot parallel(ui.context);
        ui.openSmallProject();
        QVERIFY(ui.search());
        for (QWidget* plot : {static_cast<QWidget*>(&pareto), static_cast<QWidget*>(&parallel)}) {
            const QAccessibleInterface* told = QAccessible::queryAccessibleInterface(plot);
            QCOMPARE(told->role(), QAccessible::Chart);
            QCOMPARE(told->childCount(), 0);
            QVERIFY(!told->text(QAccessible::Name).isEmpty());
            const QString plans = QStringLiteral("%1 plans").arg(ui.candidates.all().size());
            QVERIFY2(told->text(QAccessible::Description).contains(plans),
                     qPrintable(told->text(QAccessible::Description)));
        }
    }

    void emptyBrushIsNamedAndCleared() {
        ShownPlots app;
        PlanBrush::of(app.candidates).setRange(PlanAxis::Stages, PlanBrush::Range{1000, 2000});
        QCOMPARE(app.rows(), 0);
        QVERIFY(app.plans->parentWidget());
        PlanBrush::of(app.candidates).clear();
        QVERIFY(app.rows() > 0);
    }

    void notesPinAndUndo() {
        ShownPlots app;
        QAbstractItemModel& model = *app.plans->table()->model();
        QVERIFY(model.setData(model.index(0, PlanTableModel::Note), QStringLiteral("for the paper")));
        QCOMPARE(app.document.project()->plans.size(), std::size_t(1));
        QCOMPARE(app.document.project()->plans[0].note, std::string("for the paper"));
        QVERIFY(app.document.project()->plans[0].pinned);
        QCOMPARE(model.index(0, PlanTableModel::Note).data().toString(), QStringLiteral("for the paper"));
        QVERIFY(!(model.flags(model.index(0, PlanTableModel::Iteration)) & Qt::ItemIsEditable));
        app.document.undoStack()->undo();
        QVERIFY(app.document.project()->plans.empty());
    }

    void topShareFilters() {
        ShownPlots app;
        const int all = app.rows();
        app.plans->filterLine()->setText(QStringLiteral("top50%"));
        QCOMPARE(app.rows(), (all + 1) / 2);
    }
};

QTEST_MAIN(PlotsTest)
#include "plots_test.moc"
