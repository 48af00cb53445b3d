// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/edit/edit.h"
#include "core/exchange/exports/export.h"
#include "tests/ui/window_fixture.h"
#include "ui/commands/commands.h"
#include "ui/plans/kept_plans.h"
#include "ui/plans/saved_table.h"

#include <QComboBox>
#include <QLineEdit>

#include <map>

using namespace pw;

// What the table shows when a project is saved is what it shows when it is opened again, under the same
// names.
class SavedTableTest : public QObject {
    Q_OBJECT

private:
    WindowFolders m_folder;

    static std::map<QString, std::string> keysByName(const Candidates& candidates) {
        std::map<QString, std::string> keys;
        for (const Candidate& candidate : candidates.all())
            keys[candidate.name] = candidate.key;
        return keys;
    }

private Q_SLOTS:
    void initTestCase() { m_folder.use(); }

    // What a search asked of plans stands in its fields again, beside what it found; another project asks
    // nothing.
    void whatWasAskedComesBack() {
        const QString file = m_folder.smallProjectFile();
        SearchDemand asked;
        asked.target = exporterRow("megatron");
        asked.required = {"n1", "n2.g0"};
        asked.maxTp = 4;
        const auto text = [](const MainWindow& window, const char* field) {
            return window.findChild<QLineEdit*>(QLatin1String(field))->text();
        };
        {
            MainWindow window;
            QVERIFY(window.openFile(file));
            AppContext& app = window.context();
            app.runner.setDemand(asked);
            QCOMPARE(text(window, "search.require"), QStringLiteral("n1, n2.g0"));
            QVERIFY(searched(window));
            QVERIFY(!app.runner.outcome()->plans.empty());
            // Under its new name, and still asked for.
            QVERIFY(app.document.apply(renameItem(*app.document.project(), "n2", "b7"), file));
            QCOMPARE(text(window, "search.require"), QStringLiteral("n1, b7.g0"));
            app.document.undoStack()->undo();
            QVERIFY(app.runner.demand() == asked);
            window.commands().action("file.save")->trigger();
        }
        MainWindow window;
        QVERIFY(window.openFile(file));
        QVERIFY(window.context().runner.demand() == asked);
        QVERIFY(window.context().runner.demanded() == asked);
        QCOMPARE(text(window, "search.require"), QStringLiteral("n1, n2.g0"));
        QCOMPARE(text(window, "search.max-tp"), QStringLiteral("4"));
        QVERIFY(text(window, "search.max-cp").isEmpty());
        QCOMPARE(window.findChild<QComboBox*>(QStringLiteral("search.target"))->currentData().toString(),
                 QStringLiteral("megatron"));
        window.context().document.adopt(smallProject(), QString());
        QVERIFY(window.context().runner.demand() == SearchDemand{});
        QVERIFY(text(window, "search.require").isEmpty());
    }

    void everyPlanAndTheEndOfTheSearchComeBack() {
        const QString file = m_folder.smallProjectFile();
        std::map<QString, std::string> before;
        Rejections rejected;
        Seconds bound;
        QString end;
        {
            MainWindow window;
            QVERIFY(window.openFile(file));
            AppContext& app = window.context();
            QVERIFY(searched(window));
            before = keysByName(app.candidates);
            QVERIFY(before.size() >= 3);
            rejected = app.runner.outcome()->rejected;
            QVERIFY(!rejected.empty());
            bound = app.runner.progress().bound;
            QVERIFY(bound.value > 0.0);
            end = app.runner.endWord();
            const int steps = app.document.undoStack()->count();
            window.commands().action("file.save")->trigger();
            QCOMPARE(app.document.undoStack()->count(), steps); // a search is no edit
            QVERIFY(app.document.project()->plans.empty());
        }
        MainWindow window;
        QVERIFY(window.openFile(file));
        AppContext& app = window.context();
        QCOMPARE(keysByName(app.candidates), before);
        QCOMPARE(app.runner.endWord(), end);
        QCOMPARE(app.runner.outcome()->rejected, rejected);
        QCOMPARE(app.runner.boundFor(app.candidates.all().front()).value, bound.value);
        QVERIFY(app.runner.outcome()->gap() >= 0.0);
        QVERIFY(!app.document.isModified());
        for (const Candidate& candidate : app.candidates.all())
            QVERIFY(!candidate.pinned);
        // What is found from here on gets numbers that nobody had.
        const FoundPlan found{app.candidates.all().front().plan, app.candidates.all().front().evaluation};
        const int gone = app.candidates.all().front().id;
        const QString name = app.candidates.find(gone)->name;
        forgetPlan(app, gone);
        QVERIFY(!app.candidates.find(gone));
        const int again = app.candidates.add(app.document.problem(), {found}, QStringLiteral("again"));
        QVERIFY(!before.contains(app.candidates.find(again)->name));
        // Removed is removed in the file, too.
        app.candidates.remove(again);
        window.commands().action("file.save")->trigger();
        MainWindow third;
        QVERIFY(third.openFile(file));
        before.erase(name);
        QCOMPARE(keysByName(third.context().candidates), before);
    }

    void theFastestAreKeptWhereThereAreTooMany() {
        UiFixture ui;
        ui.openSmallProject();
        QVERIFY(ui.search());
        const Candidate first = ui.candidates.all().front();
        std::vector<FoundPlan> many;
        for (std::size_t i = 0; i < SavedTable::kMostPlans + 10; ++i) {
            many.push_back({first.plan, first.evaluation});
            many.back().plan.pipelines.front().microbatches +=
                static_cast<std::int64_t>(i) + 1; // another key
            many.back().evaluation.iteration = first.evaluation.iteration * (2.0 + static_cast<double>(i));
        }
        ui.candidates.add(first.problem, many, QStringLiteral("many"));
        const auto all = ui.candidates.all().size();
        togglePinned(ui.context, ui.candidates.all().back().id); // the slowest
        const SavedTable saved = withTable(ui.context, *ui.document.project());
        QCOMPARE(saved.project.plans.size(), SavedTable::kMostPlans + 1);
        QCOMPARE(static_cast<std::size_t>(saved.leftOut), all - SavedTable::kMostPlans - 1);
        QVERIFY(saved.project.plans.front().pinned);
        QCOMPARE(saved.project.plans[1].name, s(ui.candidates.all().front().name));
    }

    // A file of another program, or by hand, is no reason to lose the plans.
    void aSummaryThatSaysNothingIsPassedOver() {
        UiFixture ui;
        ui.openSmallProject();
        QVERIFY(ui.search());
        Project project = withTable(ui.context, *ui.document.project()).project;
        QVERIFY(project.search);
        project.search->summary = "{\"status\":\"splendid\"}";
        UiFixture again;
        again.document.adopt(project, QString());
        QVERIFY(restoreKept(again.context));
        restoreSearch(again.context);
        QVERIFY(!again.runner.outcome());
        QCOMPARE(again.candidates.all().size(), ui.candidates.all().size());
    }
};

QTEST_MAIN(SavedTableTest)
#include "saved_table_test.moc"
