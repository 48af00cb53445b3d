// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/ui_fixture.h"
#include "tests/whatif/edited_plan.h"
#include "ui/findings/findings_model.h"
#include "ui/findings/findings_view.h"

#include <QAbstractItemModelTester>
#include <QTableView>

using namespace pw;

// Advice about the plan in view, and its edit at one key.
class FindingsViewTest : public QObject {
    Q_OBJECT

private:
    struct Fixture : UiFixture {
        Fixture() {
            const auto problem = openLongProject();
            const Plan plan = *whatif::moveBoundary(*problem, test::editPlan(*problem), 0, 11);
            id = candidates.add(problem, {{plan, *evaluate(*problem, plan)}}, QStringLiteral("searched"));
        }
        int id = -1;
    };

private Q_SLOTS:
    void findingsComeInTheBackgroundAndTryItIsAnEdit() {
        Fixture f;
        FindingsView view(f.context);
        QSignalSpy looked(&view, &FindingsView::looked);
        view.resize(1000, 200);
        view.show();
        f.selection.setPlan(f.id);
        QVERIFY(looked.wait(60'000));
        auto* table = view.findChild<QTableView*>(QStringLiteral("findings.table"));
        auto* model = qobject_cast<FindingsModel*>(table->model());
        QAbstractItemModelTester tester(model);
        int slow = -1;
        for (int row = 0; row < model->rowCount(); ++row)
            if (model->at(row).rule == "slow-stage" && !model->at(row).remedy.empty())
                slow = row;
        QVERIFY(slow >= 0);
        QVERIFY(model->index(slow, FindingsModel::Try)
                    .data(Qt::AccessibleTextRole)
                    .toString()
                    .startsWith(QStringLiteral("Try it: move ")));
        table->selectRow(slow);
        f.commands->action("findings.jump")->trigger();
        QCOMPARE(f.selection.stage(), model->at(slow).stage);
        const Finding finding = model->at(slow);
        const int steps = f.document.undoStack()->count();
        f.commands->action("findings.try")->trigger();
        QCOMPARE(f.document.undoStack()->count(), steps + 1);
        const Candidate& edited = *f.candidates.find(f.selection.plan());
        QVERIFY(edited.plan == *finding.plan);
        QCOMPARE(edited.evaluation.iteration.value, finding.iteration.value);
        f.document.undoStack()->undo();
        QCOMPARE(f.selection.plan(), f.id);
        QTRY_VERIFY_WITH_TIMEOUT(!view.isLooking(), 60'000);
    }

    void nextAndPreviousGoRound() {
        Fixture f;
        FindingsView view(f.context);
        QSignalSpy looked(&view, &FindingsView::looked);
        f.selection.setPlan(f.id);
        QVERIFY(looked.wait(60'000));
        auto* table = view.findChild<QTableView*>();
        const int rows = table->model()->rowCount();
        QVERIFY(rows > 0);
        for (int i = 0; i <= rows; ++i)
            f.commands->action("findings.next")->trigger();
        QCOMPARE(table->currentIndex().row(), 0);
        f.commands->action("findings.previous")->trigger();
        QCOMPARE(table->currentIndex().row(), rows - 1);
    }

    // The finding gets the room that what helps does not need, and is never the narrower one.
    void theFindingHasTheRoom() {
        Fixture f;
        FindingsView view(f.context);
        QSignalSpy looked(&view, &FindingsView::looked);
        view.resize(2400, 200);
        view.show();
        f.selection.setPlan(f.id);
        QVERIFY(looked.wait(60'000));
        QCoreApplication::processEvents();
        const auto* table = view.findChild<QTableView*>(QStringLiteral("findings.table"));
        QVERIFY(!table->isColumnHidden(FindingsModel::Try)); // this plan can be helped
        const int remedy = table->columnWidth(FindingsModel::Remedy);
        QVERIFY(table->columnWidth(FindingsModel::Text) > remedy);
        view.resize(700, 200);
        QCoreApplication::processEvents();
        QVERIFY(table->columnWidth(FindingsModel::Remedy) <= remedy);
        QVERIFY(table->columnWidth(FindingsModel::Text) + 20 >= table->columnWidth(FindingsModel::Remedy));
    }

    void aStalePlanIsNotJudged() {
        Fixture f;
        FindingsView view(f.context);
        QSignalSpy looked(&view, &FindingsView::looked);
        f.selection.setPlan(f.id);
        QVERIFY(looked.wait(60'000));
        Recipe recipe = f.document.project()->recipe;
        recipe.gbs = 128;
        f.document.apply(setRecipe(*f.document.project(), recipe), QStringLiteral("batch"));
        QTRY_VERIFY_WITH_TIMEOUT(!view.findChild<QTableView*>()->isVisibleTo(&view), 60'000);
    }
};

QTEST_MAIN(FindingsViewTest)
#include "findings_view_test.moc"
