// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later

// Plans that a project keeps while it cannot be planned on, or asks another question: they wait in it, the
// window says so, and they come back with their pins and bases.

#include "core/edit/edit.h"
#include "core/whatif/whatif.h"
#include "tests/ui/window_fixture.h"
#include "ui/commands/commands.h"
#include "ui/plans/kept_plans.h"
#include "ui/plans/plan_table_model.h"
#include "ui/session/plan_text.h"
#include "ui/session/shown_plan.h"
#include "ui/window/dock_area.h"

#include <QDockWidget>
#include <QFile>
#include <QLabel>
#include <QSignalSpy>
#include <QTableView>
#include <QUndoStack>

#include <algorithm>
#include <set>

using namespace pw;

class KeptPlansTest : public QObject {
    Q_OBJECT

private:
    WindowFolders m_folder;

    static int pinsOf(const Candidates& candidates) {
        const auto& all = candidates.all();
        return static_cast<int>(
            std::count_if(all.begin(), all.end(), [](const Candidate& c) { return c.pinned; }));
    }

private Q_SLOTS:
    void initTestCase() { m_folder.use(); }

    void plansWaitForTheProblemsToBeSolved() {
        const QString file = m_folder.smallProjectFile();
        QVERIFY(!file.isEmpty());
        int plans = 0;
        {
            MainWindow window;
            QVERIFY(window.openFile(file));
            AppContext& app = window.context();
            QVERIFY(searched(window));
            QVERIFY(app.candidates.all().size() >= 2);
            const Candidate& first = app.candidates.all()[0];
            app.selection.setPlan(first.id);
            const bool full = first.plan.pipelines.front().stages.front().recompute == Recompute::Full;
            QVERIFY(app.whatIf.edit(whatif::setRecompute(*app.document.problem(), first.plan, 0,
                                                         full ? Recompute::None : Recompute::Full),
                                    file));
            const auto& all = app.candidates.all();
            const auto second = std::find_if(
                all.begin(), all.end(), [](const Candidate& c) { return !c.pinned && c.base.isEmpty(); });
            QVERIFY(second != all.end());
            togglePinned(app, second->id);
            QCOMPARE(pinsOf(app.candidates), 2);
            // Two nodes that nothing links.
            const std::string node = app.document.project()->cluster.nodes.front().id;
            QVERIFY(
                app.document.apply(duplicateItems(*app.document.project(), {node}, 40, 40, nullptr), file));
            QVERIFY(!app.document.problem());
            window.commands().action("file.save")->trigger();
            QVERIFY(!app.document.isModified());
            plans = static_cast<int>(all.size()); // with the edited one
        }
        MainWindow window;
        QVERIFY(window.openFile(file));
        AppContext& app = window.context();
        QVERIFY(app.candidates.all().empty());
        QCOMPARE(waitingPlans(app), plans);
        const auto says = [&](const QString& text) {
            for (const auto* label : window.docks().dock(QStringLiteral("plans"))->findChildren<QLabel*>())
                if (label->text().contains(text))
                    return true;
            return false;
        };
        QVERIFY(says(QStringLiteral("%1 kept plans wait for the problems").arg(plans)));
        // Saved once more in between, and an edit that solves nothing.
        QVERIFY(app.document.apply(moveItems(*app.document.project(), {"s1"}, 5, 5), file));
        window.commands().action("file.save")->trigger();
        QCOMPARE(static_cast<int>(app.document.project()->plans.size()), plans);
        const std::string copy = app.document.project()->cluster.nodes.back().id;
        QVERIFY(app.document.apply(removeItems(*app.document.project(), {copy}), file));
        QVERIFY(app.document.problem());
        QCOMPARE(static_cast<int>(app.candidates.all().size()), plans);
        QCOMPARE(waitingPlans(app), 0);
        QCOMPARE(pinsOf(app.candidates), 2);
        int edited = 0;
        for (const Candidate& candidate : app.candidates.all())
            if (!candidate.base.isEmpty()) {
                ++edited;
                QVERIFY(app.candidates.baseOf(candidate));
            }
        QCOMPARE(edited, 1);
    }

    // A question that is asked again, by an undo or by hand, is looked at by what answers it: not by the plan
    // of the question before, and not by an edit of which nobody speaks any more.
    void whatAnswersIsLookedAt() {
        const QString file = m_folder.smallProjectFile(), later = file + QStringLiteral(".later.pwx");
        std::string node;
        {
            MainWindow window;
            QVERIFY(window.openFile(file));
            AppContext& app = window.context();
            QVERIFY(searched(window));
            const Candidate first = app.candidates.all()[0];
            const bool full = first.plan.pipelines.front().stages.front().recompute == Recompute::Full;
            QVERIFY(app.whatIf.edit(whatif::setRecompute(*app.document.problem(), first.plan, 0,
                                                         full ? Recompute::None : Recompute::Full),
                                    file));
            app.selection.setPlan(first.id);
            node = app.document.project()->cluster.nodes.back().id;
            QVERIFY(app.document.apply(leaveOut(*app.document.project(), {node}, true), file));
            QVERIFY(searched(window));
            const Candidate* shown = app.candidates.find(app.selection.plan());
            QVERIFY(shown && !Candidates::isStale(*shown, app.document.problem()));
            app.document.undoStack()->undo();
            shown = app.candidates.find(app.selection.plan());
            QVERIFY(shown && !Candidates::isStale(*shown, app.document.problem()));
            QCOMPARE(shown->name, first.name);
            app.document.undoStack()->redo();
            shown = app.candidates.find(app.selection.plan());
            QVERIFY(shown && !Candidates::isStale(*shown, app.document.problem()));
            // A plan of before that is looked at on purpose stays in view where nothing is asked anew.
            app.selection.setPlan(first.id);
            QVERIFY(app.document.apply(moveItems(*app.document.project(), {"s1"}, 5, 5), file));
            QCOMPARE(app.selection.plan(), first.id);
            window.commands().action("file.save")->trigger();
            QVERIFY(QFile::copy(app.document.path(), later));
        }
        MainWindow again;
        QVERIFY(again.openFile(later));
        AppContext& app = again.context();
        QVERIFY(app.document.apply(leaveOut(*app.document.project(), {node}, false), later));
        const Candidate* shown = app.candidates.find(app.selection.plan());
        QVERIFY(shown && !Candidates::isStale(*shown, app.document.problem()));
        QVERIFY2(shown->base.isEmpty(), qPrintable(shown->name));
    }

    // A name is no part of what is asked: plans, their pins and edits, bound and answers stay those of now,
    // under the new name, after saving too; and an undo brings the old name back everywhere.
    void plansFollowANewName() {
        const QString file = m_folder.smallProjectFile();
        QVERIFY(!file.isEmpty());
        MainWindow window;
        QVERIFY(window.openFile(file));
        AppContext& app = window.context();
        QVERIFY(searched(window));
        const Candidate& first = app.candidates.all()[0];
        const QString name = first.name;
        app.selection.setPlan(first.id);
        const bool full = first.plan.pipelines.front().stages.front().recompute == Recompute::Full;
        QVERIFY(app.whatIf.edit(whatif::setRecompute(*app.document.problem(), first.plan, 0,
                                                     full ? Recompute::None : Recompute::Full),
                                file));
        const auto stale = [&] {
            const auto& all = app.candidates.all();
            return std::count_if(all.begin(), all.end(), [&](const Candidate& c) {
                return Candidates::isStale(c, app.document.problem());
            });
        };
        const auto devices = [&] {
            const auto shown = app.candidates.shown(app.selection.plan(), false);
            return shown->stages.front().devices + shown->stages.back().devices;
        };
        const std::size_t plans = app.candidates.all().size();
        const int inView = app.selection.plan();
        const std::string node = app.document.project()->cluster.nodes.front().id;
        const QString before = devices();
        QVERIFY(app.document.apply(renameItem(*app.document.project(), node, "gpu-0017.hall"), file));
        QCOMPARE(app.candidates.all().size(), plans);
        QCOMPARE(stale(), 0);
        QCOMPARE(app.selection.plan(), inView);
        QVERIFY2(devices().contains(QStringLiteral("gpu-0017")), qPrintable(devices()));
        QCOMPARE(app.runner.problem()->hash(), app.document.problem()->hash());
        QVERIFY(app.candidates.baseOf(*app.candidates.find(inView)));
        QVERIFY(app.whatIf.subject()); // and can be edited further
        const QString other = file + QStringLiteral(".renamed.pwx");
        QVERIFY(app.document.save(other));
        app.document.undoStack()->undo();
        QCOMPARE(stale(), 0);
        QCOMPARE(devices(), before);
        MainWindow again;
        QVERIFY(again.openFile(other));
        QCOMPARE(again.context().candidates.all().size(), plans);
        for (const Candidate& candidate : again.context().candidates.all())
            QVERIFY(!Candidates::isStale(candidate, again.context().document.problem()));
    }

    void aNumberThatWaitsIsGivenToNobody() {
        UiFixture before;
        before.openSmallProject();
        QVERIFY(before.search());
        togglePinned(before.context, before.candidates.all().front().id);
        const KeptPlan kept = before.document.project()->plans.front();
        Project project = *before.document.project();
        project.recipe.gbs *= 2; // another question
        UiFixture ui;
        ui.document.adopt(project, QString());
        QVERIFY(!restoreKept(ui.context));
        QCOMPARE(waitingPlans(ui.context), 1);
        QVERIFY(ui.search());
        for (const Candidate& candidate : ui.candidates.all())
            QVERIFY(s(candidate.name) != kept.name);
        const int best = ui.candidates.all().front().id;
        togglePinned(ui.context, best);
        followPins(ui.context);
        QVERIFY(ui.candidates.find(best)->pinned);
        QCOMPARE(ui.document.project()->plans.size(), std::size_t{2});
        QCOMPARE(ui.document.project()->plans.front().entry, kept.entry);
    }

    // All rows that are chosen go, in one step that undo takes back: with the same ids, names and pins. On
    // the way the keys are at no row but the one that comes up.
    void removedPlansComeBack() {
        const QString file = m_folder.smallProjectFile();
        MainWindow window;
        QVERIFY(window.openFile(file));
        AppContext& app = window.context();
        QVERIFY(searched(window));
        auto* table = window.docks().findChild<QTableView*>(QStringLiteral("plans.table"));
        QVERIFY(table && table->model()->rowCount() >= 4);
        const auto idAt = [table](int row) {
            return table->model()->index(row, 0).data(PlanTableModel::IdRole).toInt();
        };
        const int kept = idAt(1), gone = idAt(2), next = idAt(3);
        renamePlan(app, kept, QStringLiteral("two racks"));
        QVERIFY(app.candidates.find(kept)->pinned);
        const QString name = app.candidates.find(gone)->name;
        const std::size_t plans = app.candidates.all().size();
        QUndoStack* steps = app.document.undoStack();
        const int before = steps->index();
        app.selection.setPlan(kept);
        table->selectionModel()->select(table->model()->index(2, 0),
                                        QItemSelectionModel::Select | QItemSelectionModel::Rows);
        QCOMPARE(table->selectionModel()->selectedRows().size(), 2);
        std::set<int> met;
        connect(table->selectionModel(), &QItemSelectionModel::currentRowChanged, table,
                [&met](const QModelIndex& row) {
                    if (row.isValid())
                        met.insert(row.data(PlanTableModel::IdRole).toInt());
                });
        window.commands().action("plans.remove")->trigger();
        QCOMPARE(app.candidates.all().size(), plans - 2);
        QVERIFY(!app.candidates.find(kept) && !app.candidates.find(gone));
        QVERIFY(app.document.project()->plans.empty());
        QCOMPARE(app.selection.plan(), next);
        QCOMPARE(met, std::set<int>{next});
        QCOMPARE(steps->index(), before + 1);
        QCOMPARE(steps->undoText(), QStringLiteral("Remove 2 plans"));
        steps->undo();
        QCOMPARE(app.candidates.all().size(), plans);
        QVERIFY(app.candidates.find(kept) && app.candidates.find(gone));
        QVERIFY(app.candidates.find(kept)->pinned);
        QCOMPARE(app.candidates.find(kept)->name, QStringLiteral("two racks"));
        QCOMPARE(app.candidates.find(gone)->name, name);
        QVERIFY(std::is_sorted(app.candidates.all().begin(), app.candidates.all().end(),
                               [](const Candidate& a, const Candidate& b) {
                                   return a.evaluation.feasible && b.evaluation.feasible &&
                                          a.evaluation.iteration < b.evaluation.iteration;
                               }));
        steps->redo();
        QCOMPARE(app.candidates.all().size(), plans - 2);
        // Found once more meanwhile: there is one of each, also after both ways.
        QVERIFY(searched(window));
        QCOMPARE(app.candidates.all().size(), plans);
        steps->undo();
        QCOMPARE(app.candidates.all().size(), plans);
        steps->redo();
        QCOMPARE(app.candidates.all().size(), plans - 2);
    }

    // Neither the plan in view, nor what is chosen, nor the keys: an edited plan that the project does not
    // keep cannot be taken out of it.
    void aRefusedRemovalMovesNothing() {
        MainWindow window;
        QVERIFY(window.openFile(m_folder.smallProjectFile()));
        AppContext& app = window.context();
        QVERIFY(searched(window));
        const Candidate best = app.candidates.all().front();
        const int other = app.candidates.all().back().id;
        const int edited =
            app.candidates.putEdited(best.problem, {best.plan, best.evaluation}, nullptr,
                                     {QStringLiteral("of nothing"), best.name, best.name, QString()});
        app.selection.setPlan(edited);
        auto* table = window.docks().findChild<QTableView*>(QStringLiteral("plans.table"));
        const QAbstractItemModel& rows = *table->model();
        for (int row = 0; row < rows.rowCount(); ++row)
            if (rows.index(row, 0).data(PlanTableModel::IdRole).toInt() == other)
                table->selectionModel()->select(rows.index(row, 0),
                                                QItemSelectionModel::Select | QItemSelectionModel::Rows);
        const auto chosen = [table] {
            std::set<int> ids;
            for (const QModelIndex& row : table->selectionModel()->selectedRows())
                ids.insert(row.data(PlanTableModel::IdRole).toInt());
            return ids;
        };
        const std::set<int> before = chosen();
        QVERIFY(before.contains(edited));
        const std::size_t plans = app.candidates.all().size();
        const int steps = app.document.undoStack()->index();
        const QSignalSpy refused(&app.document, &Document::failed);
        const QSignalSpy viewed(&app.selection, &Selection::planChanged);
        const QSignalSpy moved(table->selectionModel(), &QItemSelectionModel::currentRowChanged);
        window.commands().action("plans.remove")->trigger();
        QCOMPARE(refused.count(), 1);
        QCOMPARE(viewed.count(), 0);
        QCOMPARE(moved.count(), 0);
        QCOMPARE(app.selection.plan(), edited);
        QCOMPARE(chosen(), before);
        QCOMPARE(app.candidates.all().size(), plans);
        QCOMPARE(app.document.undoStack()->index(), steps);
    }

    // The last row leaves the one above it, and what is not there makes no step.
    void theLastPlanLeavesTheOneAbove() {
        MainWindow window;
        QVERIFY(window.openFile(m_folder.smallProjectFile()));
        AppContext& app = window.context();
        QVERIFY(searched(window));
        const auto* table = window.docks().findChild<QTableView*>(QStringLiteral("plans.table"));
        const int last = table->model()->rowCount() - 1;
        const auto idAt = [table](int row) {
            return table->model()->index(row, 0).data(PlanTableModel::IdRole).toInt();
        };
        const int above = idAt(last - 1);
        app.selection.setPlan(idAt(last));
        const QString title = planTitle(*app.candidates.find(idAt(last)));
        window.commands().action("plans.remove")->trigger();
        QCOMPARE(app.selection.plan(), above);
        QCOMPARE(app.document.undoStack()->undoText(), QStringLiteral("Remove %1").arg(title));
        const int steps = app.document.undoStack()->index();
        forgetPlans(app, {-1});
        forgetPlans(app, {});
        QCOMPARE(app.document.undoStack()->index(), steps);
    }
};

QTEST_MAIN(KeptPlansTest)
#include "kept_plans_test.moc"
