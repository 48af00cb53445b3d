// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/document/plan_document.h"
#include "core/edit/edit.h"
#include "core/search/planners.h"
#include "tests/ui/window_fixture.h"
#include "ui/widgets/message_bar.h"
#include "ui/window/dock_area.h"

#include <QDockWidget>
#include <nlohmann/json.hpp>

using namespace pw;

// Two project files against each other, in the window.
class OtherProjectTest : public QObject {
    Q_OBJECT

private:
    WindowFolders m_folder;
    QString m_project;

private Q_SLOTS:
    void initTestCase() {
        m_folder.use();
        m_project = m_folder.smallProjectFile();
        QVERIFY(!m_project.isEmpty());
    }

    // A second project's plan beside the shown one, with what sets the questions apart.
    void plansOfAnotherProjectAreCompared() {
        MainWindow window;
        window.show();
        QVERIFY(window.openFile(m_project));
        QVERIFY(searched(window));
        const std::size_t own = window.context().candidates.all().size();
        const QString shown = window.context().candidates.find(window.context().selection.plan())->name;

        Project other = smallProject();
        const QString file = m_folder.filePath(QStringLiteral("slower.pwx"));
        QVERIFY(writeFileAtomically(s(file), printProject(other)));
        QVERIFY(!window.compareWith(file)); // it keeps no plan
        QCOMPARE(window.context().candidates.all().size(), own);
        other.recipe.gbs *= 2;
        const auto problem = problemOf(other);
        QVERIFY(problem);
        SearchOptions options;
        options.work = 20'000;
        SearchObserver nobody;
        const auto outcome = search(*problem, options, nobody, {});
        QVERIFY(outcome && !outcome->plans.empty());
        const FoundPlan& best = outcome->plans.front();
        other.plans = {{"1", "of the double batch", true, (*problem)->hash(), "",
                        planEntry(**problem, best.plan, best.evaluation, DeviceNames::Ranges).dump()}};
        QVERIFY(writeFileAtomically(s(file), printProject(other)));
        QVERIFY(window.compareWith(file));
        QVERIFY(window.docks().dock(QStringLiteral("compare"))->isVisible());
        const CompareSet& set = window.context().compare;
        QCOMPARE(set.lanes().size(), std::size_t{2});
        QVERIFY(set.comparison());
        QCOMPARE(set.comparison()->inputs.size(), std::size_t{1});
        QVERIFY2(set.comparison()->inputs.front().starts_with("global batch"),
                 set.comparison()->inputs.front().c_str());
        const Candidate* compared = window.context().candidates.find(set.lanes()[1].id);
        QCOMPARE(compared->name, QStringLiteral("1 of slower.pwx"));
        QCOMPARE(window.context().candidates.find(set.lanes()[0].id)->name, shown);
        // An edit of this project changes nothing about the other one's plan.
        Recipe recipe = window.context().document.project()->recipe;
        recipe.seq *= 2;
        QVERIFY(window.context().document.apply(setRecipe(*window.context().document.project(), recipe),
                                                QStringLiteral("sequence")));
        QCOMPARE(window.context().candidates.find(set.lanes()[1].id)->name,
                 QStringLiteral("1 of slower.pwx"));
        QVERIFY(!window.compareWith(m_folder.filePath(QStringLiteral("none.pwx"))));
        window.context().document.undoStack()->clear();
    }

    // Half the batch takes less time than any plan of this project, and is not what it asks for.
    void aFasterPlanOfAnotherProjectIsNotTheBest() {
        MainWindow window;
        window.show();
        QVERIFY(window.openFile(m_project));
        QVERIFY(searched(window));
        const Candidates& candidates = window.context().candidates;
        const int best = candidates.all().front().id;
        const auto second = candidates.all()[1].id;
        const QString file = m_folder.filePath(QStringLiteral("faster.pwx"));
        Project other = smallProject();
        other.recipe.gbs /= 2;
        const auto problem = problemOf(other);
        QVERIFY(problem);
        SearchOptions options;
        options.work = 20'000;
        SearchObserver nobody;
        const auto outcome = search(*problem, options, nobody, {});
        QVERIFY(outcome && !outcome->plans.empty());
        const FoundPlan& found = outcome->plans.front();
        other.plans = {{"1", "", true, (*problem)->hash(), "",
                        planEntry(**problem, found.plan, found.evaluation, DeviceNames::Ranges).dump()}};
        QVERIFY(writeFileAtomically(s(file), printProject(other)));
        QVERIFY(window.compareWith(file));
        QVERIFY(candidates.all().front().foreign);
        window.commands().action("plan.best")->trigger();
        QCOMPARE(window.context().selection.plan(), best);
        window.commands().action("plan.next")->trigger();
        QCOMPARE(window.context().selection.plan(), second);
        window.commands().action("plan.best")->trigger();
        window.commands().action("plan.previous")->trigger();
        QCOMPARE(window.context().selection.plan(), best);
        const auto* bar = window.docks().dock(QStringLiteral("plans"))->findChild<MessageBar*>();
        QVERIFY2(bar->text().contains(QStringLiteral("came with faster.pwx")), qPrintable(bar->text()));
        QVERIFY(!bar->text().contains(QStringLiteral("earlier state")));
    }
};

QTEST_MAIN(OtherProjectTest)
#include "other_project_test.moc"
