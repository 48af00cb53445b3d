// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/whatif/whatif.h"
#include "tests/ui/settle.h"
#include "tests/ui/window_fixture.h"
#include "tests/whatif/edited_plan.h"
#include "ui/base/error_text.h"
#include "ui/base/format.h"
#include "ui/commands/commands.h"
#include "ui/session/plan_text.h"
#include "ui/session/view.h"
#include "ui/window/dock_area.h"
#include "ui/window/file_actions.h"
#include "ui/window/spoken_changes.h"

#include <QAccessible>
#include <QComboBox>
#include <QDockWidget>
#include <QUndoStack>

#include <algorithm>

using namespace pw;

// What is said of changes to who has the focus elsewhere.
class SpokenChangesTest : public QObject {
    Q_OBJECT

private:
    struct Fixture : UiFixture {
        Fixture() {
            const std::shared_ptr<const Problem> problem = openLongProject();
            plan = test::editPlan(*problem);
            base = candidates.add(problem, {{plan, *evaluate(*problem, plan)}}, QStringLiteral("searched"));
            selection.setPlan(base);
            settle();
            spoken.forget();
        }
        bool moveBoundary() {
            return whatIf.edit(whatif::moveBoundary(*document.problem(), *whatIf.plan(), 0,
                                                    whatif::boundaryLayer(*whatIf.plan(), 0) - 2),
                               QStringLiteral("Move boundary"));
        }
        Plan plan;
        int base = -1;
        SpokenChanges spoken{context};
    };

private Q_SLOTS:
    // Arrows on a closed list choose without a word from Qt; an open one tells its entries itself.
    void aChoiceOnAClosedListIsSaid() {
        Fixture f;
        QWidget window;
        auto* list = new QComboBox(&window);
        list->setAccessibleName(QStringLiteral("Precision"));
        list->addItems({QStringLiteral("auto"), QStringLiteral("bf16"), QStringLiteral("fp32")});
        auto* other = new QComboBox(&window);
        other->move(0, 60);
        other->addItems({QStringLiteral("one"), QStringLiteral("two")});
        window.show();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        list->setFocus();
        QTest::keyClick(list, Qt::Key_Down);
        QCOMPARE(f.spoken.accessibleName(), QStringLiteral("Precision: bf16."));
        QVERIFY(settle());
        other->setCurrentIndex(1); // without the focus
        QCOMPARE(f.spoken.accessibleName(), QStringLiteral("Precision: bf16."));
        other->setFocus();
        QVERIFY(settle());
        QTest::keyClick(other, Qt::Key_Up);
        QCOMPARE(f.spoken.accessibleName(), QStringLiteral("one."));
        other->showPopup();
        other->setCurrentIndex(1);
        QCOMPARE(f.spoken.accessibleName(), QStringLiteral("one."));
        other->hidePopup();
    }

    void anEditSaysWhatItMadeOfTheTime() {
        Fixture f;
        QVERIFY(f.moveBoundary());
        const QString said = f.spoken.accessibleName();
        QVERIFY2(said.startsWith(QStringLiteral("Plan 1, edited: ")) &&
                     said.contains(QStringLiteral(" an iteration, ")) &&
                     said.endsWith(QStringLiteral(" than Plan 1.")),
                 qPrintable(said));
        QVERIFY(settle());
        QCOMPARE(f.spoken.accessibleName(), said);              // it stays to be read again
        f.spoken.say(QStringLiteral("Undone: Move boundary.")); // as the window does
        f.document.undoStack()->undo();
        QVERIFY2(f.spoken.accessibleName().startsWith(QStringLiteral("Undone: Move boundary. Plan 1: ")),
                 qPrintable(f.spoken.accessibleName())); // in one breath, and without what came before
    }

    // The same one again says nothing.
    void aPlanThatIsChosenSaysItsTime() {
        Fixture f;
        QVERIFY(f.moveBoundary());
        QVERIFY(settle());
        f.selection.setPlan(f.base);
        QVERIFY(settle());
        const Candidate* plan = f.candidates.find(f.base);
        QVERIFY(plan->evaluation.feasible);
        QCOMPARE(f.spoken.accessibleName(),
                 QStringLiteral("Plan 1: %1 an iteration.").arg(iterationText(plan->evaluation.iteration)));
        f.spoken.forget();
        f.selection.setPlan(f.base);
        QVERIFY(settle());
        QCOMPARE(f.spoken.accessibleName(), QString());
        f.selection.setPlan(-1);
        QVERIFY(settle());
        QCOMPARE(f.spoken.accessibleName(), QString());
    }

    void aPlanThatDoesNotFitSaysWhere() {
        Fixture f;
        const std::shared_ptr<const Problem> problem = f.document.problem();
        const Plan other = *whatif::moveBoundary(*problem, f.plan, 0, whatif::boundaryLayer(f.plan, 0) - 2);
        Evaluation evaluation = *evaluate(*problem, other);
        evaluation.feasible = false;
        evaluation.reasons = {Wording("stage 0 needs 9 GiB of 8 GiB")};
        const int id = f.candidates.add(problem, {{other, evaluation}}, QStringLiteral("made"));
        f.selection.setPlan(id);
        QVERIFY(settle());
        QCOMPARE(f.spoken.accessibleName(),
                 QStringLiteral("Plan 2 does not fit: stage 0 needs 9 GiB of 8 GiB."));
    }

    // Each by the name that undo has for it; what goes on with the same gesture is not said again.
    void aStepOfUndoIsSaidAsItIsDone() {
        Fixture f;
        const auto said = [&f] {
            const QString text = f.spoken.accessibleName();
            f.spoken.forget();
            return settle() ? text : QString();
        };
        Project renamed = *f.document.project();
        renamed.name = "another";
        QVERIFY(f.document.apply(renamed, QStringLiteral("Name"), QStringLiteral("typing")));
        QCOMPARE(said(), QStringLiteral("Done: Name."));
        renamed.name = "another one";
        QVERIFY(f.document.apply(renamed, QStringLiteral("Name"), QStringLiteral("typing")));
        QCOMPARE(said(), QString());
        QVERIFY(f.document.apply(renamed, QStringLiteral("Name"))); // changes nothing
        QCOMPARE(said(), QString());
        QVERIFY(f.document.apply(addSwitch(*f.document.project(), "Ethernet", {900, 900}),
                                 QStringLiteral("Add switch")));
        const QString made = q(f.cluster().switches.back().id);
        QCOMPARE(said(), QStringLiteral("Done: Add switch. New: %1.").arg(made));
        QVERIFY(f.document.apply(removeItems(*f.document.project(), {s(made)}), QStringLiteral("Delete")));
        QCOMPARE(said(), QStringLiteral("Done: Delete."));
        const std::string kind = f.cluster().nodes.front().kind;
        QVERIFY(f.document.apply(addNodes(*f.document.project(), kind, 1, 9, {900, 900}),
                                 QStringLiteral("Add 9 nodes")));
        QCOMPARE(said(), QStringLiteral("Done: Add 9 nodes."));
        QVERIFY(!f.document.apply(badInput("edit.kind", "n9", "there is no such kind"), QStringLiteral("x")));
        QCOMPARE(said(), QString());
    }

    // Not again where only a figure is another, and the other way round with another base.
    void comparedPlansSayWhatOneTakesMore() {
        Fixture f;
        QVERIFY(f.moveBoundary());
        QVERIFY(settle());
        const int edited = f.selection.plan();
        f.spoken.forget();
        f.compare.setPlans({f.base, edited});
        const QString said = f.spoken.accessibleName();
        QVERIFY2(said.startsWith(QStringLiteral("Plan 1, edited takes ")) &&
                     said.endsWith(QStringLiteral(" than Plan 1.")),
                 qPrintable(said));
        QVERIFY(settle());
        f.spoken.forget();
        f.compare.setPlans({f.base, edited});
        QCOMPARE(f.spoken.accessibleName(), QString());
        f.compare.swapBase();
        QVERIFY2(f.spoken.accessibleName().startsWith(QStringLiteral("Plan 1 takes ")) &&
                     f.spoken.accessibleName().endsWith(QStringLiteral(" than Plan 1, edited.")),
                 qPrintable(f.spoken.accessibleName()));
        QVERIFY(settle());
        f.spoken.forget();
        f.compare.setPlans({f.base});
        QCOMPARE(f.spoken.accessibleName(), QString());
    }

    void aSearchSaysThatItRunsAndHowItEnded() {
        Fixture f;
        SearchOptions options;
        options.work = 20'000;
        f.runner.setOptions(options);
        QSignalSpy ended(&f.runner, &SearchRunner::finished);
        QVERIFY(f.runner.start());
        QCOMPARE(f.spoken.accessibleName(), QStringLiteral("The search runs."));
        QVERIFY(ended.wait(60'000));
        QVERIFY2(f.spoken.accessibleName().startsWith(QStringLiteral("Search: ")),
                 qPrintable(f.spoken.accessibleName()));
    }

    void anotherProjectSaysNothingOfTheLast() {
        Fixture f;
        f.spoken.say(QStringLiteral("Undone."));
        f.selection.setPlan(-1); // as the window does
        f.openSmallProject();
        QVERIFY(settle());
        QCOMPARE(f.spoken.accessibleName(), QString());
    }

    // In the window: undo and redo by their commands, and the news of a view.
    void theWindowSaysUndoRedoAndNews() {
        const WindowFolders folders;
        folders.use();
        const auto window = shownWindow();
        QVERIFY(window->openFile(folders.smallProjectFile()));
        Project renamed = *window->context().document.project();
        renamed.name = "another";
        QVERIFY(window->context().document.apply(renamed, QStringLiteral("Rename")));
        QVERIFY(settle());
        const auto* spoken = window->findChild<SpokenChanges*>();
        window->commands().action("edit.undo")->trigger();
        QCOMPARE(spoken->accessibleName(), QStringLiteral("Undone: Rename."));
        QVERIFY(settle());
        window->commands().action("edit.redo")->trigger();
        QCOMPARE(spoken->accessibleName(), QStringLiteral("Redone: Rename."));
        QVERIFY(settle());
        auto* view = static_cast<View*>(window->docks().dock(QStringLiteral("answers"))->widget());
        Q_EMIT view->newsArrived(QStringLiteral("The answer is there: Fastest plan."));
        QCOMPARE(spoken->accessibleName(), QStringLiteral("The answer is there: Fastest plan."));
    }

    void theWindowSaysWhatIsOpenAndSaved() {
        const WindowFolders folders;
        folders.use();
        const auto window = shownWindow();
        const auto* spoken = window->findChild<SpokenChanges*>();
        QVERIFY(window->openFile(folders.smallProjectFile()));
        QVERIFY(settle());
        QCOMPARE(spoken->accessibleName(),
                 QStringLiteral("%1 is open.").arg(window->context().document.title()));
        QVERIFY(window->files().save());
        QCOMPARE(spoken->accessibleName(),
                 QStringLiteral("%1 is saved.").arg(window->context().document.title()));
    }

    void theWindowSaysThatASearchIsPaused() {
        const WindowFolders folders;
        folders.use();
        const auto window = shownWindow();
        QVERIFY(window->openFile(folders.smallProjectFile()));
        QVERIFY(settle());
        const auto* spoken = window->findChild<SpokenChanges*>();
        SearchRunner& runner = window->context().runner;
        SearchOptions options;
        options.work = 20'000;
        runner.setOptions(options);
        QSignalSpy ended(&runner, &SearchRunner::finished);
        QVERIFY(runner.start());
        QAction* const pause = window->commands().action("search.pause");
        pause->trigger();
        QVERIFY2(spoken->accessibleName().endsWith(QStringLiteral("The search is paused.")),
                 qPrintable(spoken->accessibleName()));
        pause->trigger();
        QVERIFY2(spoken->accessibleName().endsWith(QStringLiteral("The search goes on.")),
                 qPrintable(spoken->accessibleName()));
        QVERIFY(ended.count() > 0 || ended.wait(60'000));
    }

    // The key of a command that is off does nothing else.
    void theWindowSaysWhatTheRunWaitsFor() {
        const WindowFolders folders;
        folders.use();
        const auto window = shownWindow();
        const auto* spoken = window->findChild<SpokenChanges*>();
        QTest::keyClick(window.get(), Qt::Key_F5); // no project
        QCOMPARE(spoken->accessibleName(), QString());
        QVERIFY(window->openFile(folders.smallProjectFile()));
        Document& document = window->context().document;
        Project without = *document.project();
        without.model.reset();
        QVERIFY(document.apply(without, QStringLiteral("No model")));
        QVERIFY(settle());
        const auto errors = std::ranges::count_if(
            document.diagnostics(), [](const Diagnostic& d) { return d.severity == Severity::Error; });
        QVERIFY(errors > 0);
        QVERIFY(!window->commands().action("search.run")->isEnabled());
        window->commands().action("view.topology")->trigger();
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_F5);
        const auto first = std::ranges::find(document.diagnostics(), Severity::Error, &Diagnostic::severity);
        const QString start =
            errors == 1 ? QStringLiteral("Run waits for 1 problem: %1.")
                        : QStringLiteral("Run waits for %1 problems, the first of which is: %2.").arg(errors);
        QCOMPARE(spoken->accessibleName(), start.arg(errorText(*first)));
    }

    void theTableSaysWhatIsPinnedAndRemoved() {
        const WindowFolders folders;
        folders.use();
        const auto window = shownWindow();
        QVERIFY(window->openFile(folders.smallProjectFile()));
        QVERIFY(searched(*window) && settle());
        const auto* spoken = window->findChild<SpokenChanges*>();
        const auto said = [&](const char* command) {
            window->commands().action(command)->trigger();
            const QString text = spoken->accessibleName();
            return settle() ? text : QString();
        };
        const Candidate* plan = window->context().candidates.find(window->context().selection.plan());
        QVERIFY(plan);
        const QString title = planTitle(*plan);
        const QAction* pin = window->commands().action("plans.pin");
        const auto entry = [pin] { return pin->text().remove(QLatin1Char('&')); };
        QCOMPARE(entry(), QStringLiteral("Pin"));
        QCOMPARE(said("plans.pin"), title + QStringLiteral(" is pinned."));
        QCOMPARE(entry(), QStringLiteral("Unpin"));
        QVERIFY(pin->statusTip().startsWith(QStringLiteral("Takes the pin off")));
        QCOMPARE(said("plans.pin"), title + QStringLiteral(" is no longer pinned."));
        QCOMPARE(entry(), QStringLiteral("Pin"));
        QVERIFY2(said("plans.remove").startsWith(title + QStringLiteral(" is removed.")), qPrintable(title));
    }

    // A button without words is called after its command; the sentence describes it.
    void toolButtonsHaveShortNames() {
        const WindowFolders folders;
        folders.use();
        const auto window = shownWindow();
        QVERIFY(window->openFile(folders.smallProjectFile()));
        const auto* undo = window->findChild<QWidget*>(QStringLiteral("toolBar.edit.undo"));
        QCOMPARE(undo->accessibleName(), QStringLiteral("Undo"));
        QCOMPARE(undo->accessibleDescription(), QStringLiteral("Takes the last edit back."));
        Project renamed = *window->context().document.project();
        renamed.name = "another";
        QVERIFY(window->context().document.apply(renamed, QStringLiteral("Rename")));
        QCOMPARE(undo->accessibleName(), QStringLiteral("Undo Rename"));
        QCOMPARE(window->findChild<QWidget*>(QStringLiteral("toolBar.file.open"))->accessibleName(),
                 QStringLiteral("Open"));
    }

    // What a row tells of the focus goes through this; see stray_focus_test.
    void theWindowKeepsStrayFocusBack() {
        QAccessible::installUpdateHandler(nullptr);
        const WindowFolders folders;
        folders.use();
        const auto window = shownWindow();
        const QAccessible::UpdateHandler handler = QAccessible::installUpdateHandler(nullptr);
        QVERIFY(handler);
    }
};

QTEST_MAIN(SpokenChangesTest)
#include "spoken_changes_test.moc"
