// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/exports/export.h"
#include "tests/ui/ui_fixture.h"
#include "tests/whatif/edited_plan.h"
#include "ui/base/convert.h"
#include "ui/findings/findings_model.h"
#include "ui/findings/findings_view.h"
#include "ui/widgets/message_bar.h"

#include <QAbstractItemModelTester>
#include <QLabel>
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

    // What is found of that plan, in a dock of a size.
    struct Looked : Fixture {
        explicit Looked(QSize size) {
            view.resize(size);
            view.show();
            QSignalSpy looked(&view, &FindingsView::looked);
            selection.setPlan(id);
            if (!looked.wait(60'000))
                qFatal("nothing was found in a minute");
            table = view.findChild<QTableView*>(QStringLiteral("findings.table"));
            model = qobject_cast<FindingsModel*>(table->model());
        }
        FindingsView view{context};
        QTableView* table = nullptr;
        FindingsModel* model = nullptr;
    };

private Q_SLOTS:
    void findingsComeInTheBackgroundAndTryItIsAnEdit() {
        Looked f({1000, 200});
        FindingsView& view = f.view;
        QTableView* const table = f.table;
        FindingsModel* const model = f.model;
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
        // The sentence stands in its own cell, and the others say what they are.
        const auto spoken = [&](int column) {
            return model->index(slow, column).data(Qt::AccessibleTextRole).toString();
        };
        QVERIFY(spoken(FindingsModel::Place).startsWith(QStringLiteral("Place: Stage ")));
        QVERIFY(spoken(FindingsModel::Remedy).startsWith(QStringLiteral("What helps: ")));
        QVERIFY(spoken(FindingsModel::Text) != spoken(FindingsModel::Place));
        QVERIFY(
            spoken(FindingsModel::Text).contains(model->index(slow, FindingsModel::Text).data().toString()));
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

    // Whoever chooses a trainer in Search is advised at once what that can run, and nothing else.
    void theTrainerOfTheSearchIsAdvised() {
        Looked f({1000, 200});
        QSignalSpy looked(&f.view, &FindingsView::looked);
        SearchDemand demand;
        demand.target = exporterRow("megatron");
        f.runner.setDemand(demand);
        QVERIFY(looked.wait(60'000));
        const Candidate& plan = *f.candidates.find(f.id);
        const auto* bar = f.view.findChild<MessageBar*>();
        QVERIFY2(bar->text().contains(q(demand.target->label)), qPrintable(bar->text()));
        if (canRun(*demand.target, *plan.problem, plan.plan))
            for (int row = 0; row < f.model->rowCount(); ++row)
                QVERIFY(!f.model->at(row).plan ||
                        canRun(*demand.target, *plan.problem, *f.model->at(row).plan));
        f.runner.setDemand({});
        QVERIFY(looked.wait(60'000));
        QVERIFY(bar->isHidden());
    }

    // Memory that a plan may turn out to lack is no edit's matter: the button asks the search, in one step
    // that can be undone.
    void theWayOutOfTightMemoryIsASearch() {
        Looked f({700, 200});
        FindingsView& view = f.view;
        QTableView* const table = f.table;
        FindingsModel* const model = f.model;
        Finding tight;
        tight.rule = "tight";
        tight.severity = Severity::Warning;
        tight.stage = 0;
        tight.text = "fits with a chance of 52 %; its fullest device is 99 % full";
        tight.searchChance = 0.9;
        Finding hopeless;
        hopeless.rule = "slack";
        hopeless.text = "no device is more than 50 % full";
        model->setFindings({{tight, hopeless}, {}, 1, false}, Seconds(1.0));
        const auto text = [&](int row, int column) { return model->index(row, column).data().toString(); };
        QCOMPARE(text(0, FindingsModel::Remedy),
                 QStringLiteral("Search for plans that fit with a chance of 90 %"));
        QCOMPARE(text(0, FindingsModel::Try), QStringLiteral("Search"));
        QVERIFY(model->sentenceOf(0).endsWith(text(0, FindingsModel::Remedy)));
        QCOMPARE(text(1, FindingsModel::Remedy), QStringLiteral("Nothing that was tried helps"));
        QVERIFY(text(1, FindingsModel::Try).isEmpty() && !model->canTry(1));
        const int steps = f.document.undoStack()->count();
        table->selectRow(1);
        f.commands->action("findings.try")->trigger();
        QCOMPARE(f.document.undoStack()->count(), steps);
        table->selectRow(0);
        QAction* run = f.commands->action("search.run"); // whose window says when a search can run
        run->setEnabled(false);
        f.commands->action("findings.try")->trigger();
        QCOMPARE(f.document.undoStack()->count(), steps);
        run->setEnabled(true);
        f.commands->action("findings.try")->trigger();
        QCOMPARE(f.document.undoStack()->count(), steps + 1);
        QCOMPARE(f.document.project()->recipe.fitChance, 0.9);
        QVERIFY(f.runner.isRunning());
        QCOMPARE(f.runner.problem()->recipe().fitChance, 0.9);
        f.runner.stop();
        QTRY_VERIFY_WITH_TIMEOUT(!f.runner.isRunning() && !view.isLooking(), 60'000);
    }

    // Nothing of it is cut off in a narrow dock: rows grow.
    void wordsAreWholeInANarrowDock() {
        Looked f({640, 300});
        FindingsView& view = f.view;
        QTableView* const table = f.table;
        FindingsModel* const model = f.model;
        Finding tight;
        tight.rule = "tight";
        tight.text =
            "fits with a chance of 52 %; its fullest device is 99 % full, and more words than a line holds";
        tight.searchChance = 0.9;
        model->setFindings({{tight}, {}, 1, false}, Seconds(1.0));
        view.resize(620, 300); // columns are fitted to what is there
        QCoreApplication::processEvents();
        for (const int column : {FindingsModel::Text, FindingsModel::Remedy}) {
            const QRect cell = table->visualRect(model->index(0, column));
            const QRect words =
                table->fontMetrics().boundingRect(QRect(0, 0, cell.width() - 4, 1000), Qt::TextWordWrap,
                                                  model->index(0, column).data().toString());
            QVERIFY2(words.height() <= cell.height(), qPrintable(QString::number(column)));
        }
        QVERIFY(table->rowHeight(0) > 28);
    }

    // What could not be checked begins as a sentence does.
    void whatIsNotCheckedBeginsWithACapital() {
        UiFixture ui;
        ui.openSmallProject();
        QVERIFY(ui.search());
        FindingsView view(ui.context);
        QSignalSpy looked(&view, &FindingsView::looked);
        Project tight = *ui.document.project();
        for (Node& node : tight.cluster.nodes)
            node.memoryTaken = findKind(tight.cluster, node.kind)->memory * 0.999;
        ui.document.adopt(tight, QString());
        const Plan plan = ui.candidates.all().front().plan;
        const auto judged = evaluate(*ui.document.problem(), plan);
        QVERIFY(judged && !judged->feasible);
        ui.selection.setPlan(
            ui.candidates.add(ui.document.problem(), {{plan, *judged}}, QStringLiteral("by hand")));
        QVERIFY(looked.wait(60'000));
        const auto* bar = view.findChild<MessageBar*>();
        QVERIFY2(bar->text().contains(QStringLiteral("The other rules wait")), qPrintable(bar->text()));
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

    // Of what a search cannot help, no search is proposed.
    void whereAPlanOfAnotherFileCameFromIsSaid() {
        Fixture f;
        const Candidate own = *f.candidates.find(f.id);
        f.candidates.remove(f.id);
        Recipe recipe = f.document.project()->recipe;
        recipe.gbs = 128;
        f.document.apply(setRecipe(*f.document.project(), recipe), QStringLiteral("batch"));
        const int other = f.candidates.addOf(QStringLiteral("second.pwx"), own.problem,
                                             {own.plan, own.evaluation}, QStringLiteral("1"), {});
        f.selection.setPlan(other);
        const FindingsView view(f.context); // it looks at once
        QStringList said;
        for (const QLabel* label : view.findChildren<QLabel*>())
            said << label->text();
        const QString text = said.join(QLatin1Char('\n'));
        QVERIFY2(text.contains(QStringLiteral("second.pwx")), qPrintable(text));
        QVERIFY2(!text.contains(QStringLiteral("earlier state")) && !text.contains(QStringLiteral("stale")),
                 qPrintable(text));
        QVERIFY2(!text.contains(QStringLiteral("Run the search")), qPrintable(text));
    }
};

QTEST_MAIN(FindingsViewTest)
#include "findings_view_test.moc"
