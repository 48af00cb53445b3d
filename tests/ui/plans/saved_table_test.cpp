// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/answers/node_groups.h"
#include "core/cluster/price.h"
#include "core/edit/edit.h"
#include "core/exchange/exports/export.h"
#include "tests/ui/window_fixture.h"
#include "ui/commands/commands.h"
#include "ui/plans/kept_plans.h"
#include "ui/plans/saved_table.h"
#include "ui/search/search_panel.h"
#include "ui/session/plan_order.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>

#include <map>

#include <nlohmann/json.hpp>

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

    // As a search for a trainer would have it that found this one plan alone.
    static void endWith(UiFixture& ui, const Candidate& plan, Seconds unrestricted) {
        SearchOutcome outcome = *ui.runner.outcome();
        outcome.status = SearchStatus::Feasible;
        outcome.plans = {{plan.plan, plan.evaluation}};
        outcome.differing.clear();
        SearchDemand asked;
        asked.target = exporterRow("megatron");
        ui.runner.setDemand(asked);
        ui.runner.restore(plan.problem, std::move(outcome), asked, unrestricted);
    }

    static void reopen(UiFixture& ui, const Project& project) {
        ui.document.adopt(project, QString());
        restoreDemand(ui.context);
        restoreKept(ui.context);
        restoreSearch(ui.context);
    }

    // What the panel says of the search.
    static QStringList figures(const SearchPanel& panel) {
        QStringList texts;
        for (const char* name : {"search.best", "search.bound", "search.gap", "search.cost"})
            texts << panel.findChild<QLabel*>(QLatin1String(name))->text();
        return texts;
    }

    // The slowest that fits, as it was found.
    static Candidate slowest(const UiFixture& ui) {
        Candidate last;
        for (const Candidate& candidate : ui.candidates.all())
            if (candidate.evaluation.feasible)
                last = candidate;
        return last;
    }

private Q_SLOTS:
    void initTestCase() { m_folder.use(); }

    // What the user has pinned is there when the file is opened, whatever was changed since: with its name,
    // and as what answers an earlier state. The rest of that table waits, as before.
    void pinnedPlansOfEarlierStatesAreThereAgain() {
        UiFixture ui;
        ui.openSmallProject();
        QVERIFY(ui.search());
        const int id = ui.candidates.all().front().id;
        renamePlan(ui.context, id, QStringLiteral("before"));
        followNames(ui.context); // as the window does
        const std::string hash = ui.document.problem()->hash();
        const std::string key = ui.candidates.find(id)->key;
        const Seconds time = ui.candidates.find(id)->evaluation.iteration;
        const std::string node = ui.document.project()->cluster.nodes.back().id;
        QVERIFY(ui.document.apply(leaveOut(*ui.document.project(), {node}, true), QStringLiteral("out")));
        Project changed = *ui.document.project();
        changed.cluster.links.front().lanes = 4;
        QVERIFY(ui.document.apply(changed, QStringLiteral("link")));
        const Project saved = withTable(ui.context, *ui.document.project()).project;
        QCOMPARE(saved.questions.size(), std::size_t{1});
        const Result<Project> file = readProject(printProject(saved), "f");
        QVERIFY2(file, file ? "" : file.error().text().c_str());
        QVERIFY(*file == saved);

        UiFixture again;
        reopen(again, *file);
        QCOMPARE(waitingPlans(again.context), static_cast<int>(file->plans.size()));
        restoreEarlier(again.context);
        const Candidate* plan = again.candidates.findNamed(QStringLiteral("before"), hash);
        QVERIFY(plan && plan->pinned);
        QCOMPARE(plan->key, key);
        QCOMPARE(plan->evaluation.iteration.value, time.value);
        QVERIFY(isEarlier(*plan, again.document.problem()));
        // The others of the table beside it, as it was when the file was saved.
        QCOMPARE(again.candidates.all().size(), ui.candidates.all().size());
        QCOMPARE(waitingPlans(again.context), 0);
        QVERIFY(withTable(again.context, *again.document.project()).project.questions == file->questions);
        // Without a plan of it no question is kept.
        Project bare = *file;
        bare.plans.clear();
        UiFixture none;
        reopen(none, bare);
        restoreEarlier(none.context);
        QVERIFY(none.candidates.all().empty());
        QVERIFY(withTable(none.context, bare).project.questions.empty());

        // Times that were measured meanwhile make another question of it: its plans wait.
        Project measured = *file;
        ProfileRow row;
        row.model = measured.model->name;
        row.kind = measured.cluster.nodes.front().kind;
        row.tp = row.mbs = 1;
        row.forward = row.backward = Seconds(1e-3);
        measured.profiles.push_back(row);
        UiFixture other;
        reopen(other, measured);
        restoreEarlier(other.context);
        QVERIFY(!other.candidates.findNamed(QStringLiteral("before"), hash));
    }

    // The comparison is there again, its base first, and goes with its plans.
    void theComparisonIsKept() {
        UiFixture ui;
        ui.openSmallProject();
        QVERIFY(ui.search());
        QVERIFY(ui.candidates.all().size() >= 3);
        std::vector<int> ids;
        QStringList names;
        for (const std::size_t i : {0U, 2U, 1U}) {
            ids.push_back(ui.candidates.all()[i].id);
            names << ui.candidates.all()[i].name;
        }
        ui.context.compare.setPlans(ids);
        ui.context.compare.setBase(1);
        const Project saved = withTable(ui.context, *ui.document.project()).project;
        QVERIFY(!ui.document.isModified());
        const Result<Project> file = readProject(printProject(saved), "f");
        QVERIFY2(file, file ? "" : file.error().text().c_str());
        QVERIFY(*file == saved);
        const auto lanes = [](const UiFixture& of) {
            QStringList shown;
            for (const CompareSet::Lane& lane : of.context.compare.lanes())
                shown << of.candidates.find(lane.id)->name;
            return shown;
        };
        UiFixture again;
        reopen(again, *file);
        QVERIFY(again.context.compare.lanes().empty());
        restoreCompared(again.context);
        QCOMPARE(lanes(again), QStringList({names[1], names[2], names[0]}));
        QCOMPARE(again.context.compare.base(), std::size_t{0});
        QVERIFY(again.context.compare.comparison());
        // Also with one of an earlier state, which is there again for it.
        Project other = *again.document.project();
        other.cluster.links.front().lanes = 4;
        QVERIFY(again.document.apply(other, QStringLiteral("link")));
        QVERIFY(again.search());
        const auto fresh = std::ranges::find_if(again.candidates.all(), [&](const Candidate& c) {
            return !isEarlier(c, again.document.problem());
        });
        QVERIFY(fresh != again.candidates.all().end());
        const int old = again.context.compare.lanes().front().id;
        again.context.compare.setPlans({old, fresh->id});
        const QStringList both = lanes(again);
        const Result<Project> two =
            readProject(printProject(withTable(again.context, *again.document.project()).project), "f");
        QVERIFY(two);
        UiFixture third;
        reopen(third, *two);
        restoreEarlier(third.context);
        restoreCompared(third.context);
        QCOMPARE(lanes(third), both);
        // One of two that is gone leaves nothing to compare; a spoilt place is refused.
        Project fewer = *file;
        std::erase_if(fewer.plans, [](const KeptPlan& kept) { return kept.compared > 1; });
        UiFixture alone;
        reopen(alone, fewer);
        restoreCompared(alone.context);
        QVERIFY(alone.context.compare.lanes().empty());
        Project spoilt = *file;
        spoilt.plans.front().compared = 1000;
        QVERIFY(!readProject(printProject(spoilt), "f"));
        // Nothing compared: nothing is kept, whatever the file had.
        again.context.compare.setPlans({});
        for (const KeptPlan& kept : withTable(again.context, *again.document.project()).project.plans)
            QCOMPARE(kept.compared, 0);
    }

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

    // Closing asks, saving keeps, opening shows them.
    void answersComeBackWithTheirProject() {
        const QString file = m_folder.smallProjectFile();
        {
            MainWindow window;
            QVERIFY(window.openFile(file));
            AppContext& app = window.context();
            QVERIFY(app.answers.all().empty());
            app.answers.add({Asked::Around,
                             QStringLiteral("How sure"),
                             app.document.problem(),
                             {{"as sure as can be", {}, {}}},
                             {}});
            window.commands().action("file.save")->trigger();
        }
        MainWindow window;
        QVERIFY(window.openFile(file));
        AppContext& app = window.context();
        QCOMPARE(app.answers.all().size(), std::size_t{1});
        QCOMPARE(app.answers.all().front().question, QStringLiteral("How sure"));
        window.context().document.adopt(smallProject(), QString());
        QVERIFY(app.answers.all().empty());
    }

    // Prices are no part of a question: those of an answer may be others than those of the plans about it.
    void answersComeBackAtTheirPrices() {
        const QString file = m_folder.smallProjectFile();
        {
            MainWindow window;
            QVERIFY(window.openFile(file));
            AppContext& app = window.context();
            const auto before = app.document.problem();
            app.answers.add({Asked::Fewest, QStringLiteral("Fewest"), before, {{"two do", {}, {}}}, {}});
            Project priced = *app.document.project();
            for (const DeviceKind* kind : allowedKinds(*before))
                QVERIFY(setPrice(priced.cluster, kind->name, 2.5));
            QVERIFY(app.document.apply(priced, QStringLiteral("Prices")));
            const auto now = app.document.problem();
            QCOMPARE(now->hash(), before->hash());
            app.answers.add({Asked::TradeOff, QStringLiteral("Money"), now, {{"cheap", {}, {}}}, {}, true});
            Project free = *app.document.project();
            for (const DeviceKind* kind : allowedKinds(*before))
                QVERIFY(setPrice(free.cluster, kind->name, 4.0));
            QVERIFY(app.document.apply(free, QStringLiteral("Prices")));
            window.commands().action("file.save")->trigger();
        }
        MainWindow window;
        QVERIFY(window.openFile(file));
        AppContext& app = window.context();
        QCOMPARE(app.answers.all().size(), std::size_t{2});
        QCOMPARE(app.answers.all().front().question, QStringLiteral("Money"));
        QVERIFY(isStale(app.answers.all().front(), app.document.problem())); // at other prices
        QVERIFY(!isStale(app.answers.all().back(), app.document.problem()));
    }

    // Those about another state of the project are not shown, nor lost with its file while nothing is asked.
    void answersAboutAnotherStateStayInTheFile() {
        const QString file = m_folder.smallProjectFile();
        {
            MainWindow window;
            QVERIFY(window.openFile(file));
            AppContext& app = window.context();
            app.answers.add({Asked::Fewest,
                             QStringLiteral("Fewest GPUs"),
                             app.document.problem(),
                             {{"two do", {}, {}}},
                             {}});
            window.commands().action("file.save")->trigger();
        }
        const auto asKept = [&file] {
            const Result<std::string> text = readFile(s(file));
            Result<Project> project = text ? readProject(*text, s(file)) : Result<Project>(text.error());
            if (!project)
                qFatal("%s", project.error().text().c_str());
            return *std::move(project);
        };
        Project other = asKept();
        const std::optional<std::string> answers = other.answers;
        QVERIFY(answers && answers->find("two do") != std::string::npos);
        other.recipe.gbs *= 2;
        QVERIFY(writeFileAtomically(s(file), printProject(other)));

        MainWindow window;
        QVERIFY(window.openFile(file));
        QVERIFY(window.context().answers.all().empty());
        QVERIFY(window.context().document.apply(renameItem(*window.context().document.project(), "n2", "b7"),
                                                QStringLiteral("b7")));
        window.commands().action("file.save")->trigger();
        QVERIFY(asKept().cluster.nodes[1].id == "b7");
        QVERIFY(asKept().answers == answers);
    }

    // Also where it was never searched for, or in another state than the file is saved in; and a plan of the
    // table is in view where the one that was is not there.
    void whatIsAskedComesBackWithoutItsSearch() {
        const QString file = m_folder.smallProjectFile();
        SearchDemand asked;
        asked.target = exporterRow("megatron");
        {
            MainWindow window;
            QVERIFY(window.openFile(file));
            AppContext& app = window.context();
            app.runner.setDemand(asked);
            QVERIFY(app.document.hasNewDemand() && !app.document.isModified());
            window.commands().action("file.save")->trigger();
            QVERIFY(!app.document.hasNewDemand());
        }
        {
            MainWindow window;
            QVERIFY(window.openFile(file));
            AppContext& app = window.context();
            QVERIFY(app.runner.demand() == asked);
            QVERIFY(!app.document.hasNewDemand() && !app.runner.outcome());
            app.runner.setDemand({});
            QVERIFY(app.document.hasNewDemand());
            QVERIFY(searched(window));
            app.runner.setDemand(asked);
            QVERIFY(!app.document.hasNewDemand());
            QVERIFY(app.document.apply(setForbidden(*app.document.project(), {"n3"}), file));
            QVERIFY(searched(window));
            QVERIFY(app.candidates.find(app.runner.bestId()));
            app.selection.setPlan(app.runner.bestId());
            app.document.undoStack()->undo();
            window.commands().action("file.save")->trigger();
        }
        MainWindow window;
        QVERIFY(window.openFile(file));
        AppContext& app = window.context();
        QVERIFY(!app.runner.outcome()); // it was made of another state
        QVERIFY(app.runner.demand() == asked);
        const Candidate* shown = app.candidates.find(app.selection.plan());
        QVERIFY(shown && !Candidates::isStale(*shown, app.document.problem()));
        QCOMPARE(shown->id, app.candidates.all().front().id);
        app.runner.setDemand({}); // nothing is asked for any longer: that is kept, too
        window.commands().action("file.save")->trigger();
        MainWindow last;
        QVERIFY(last.openFile(file));
        QVERIFY(last.context().runner.demand() == SearchDemand{});
    }

    // Files of earlier versions say only what their last search asked; one that says nothing sensible,
    // nothing.
    void whatIsAskedIsThatOfTheLastSearchInOlderFiles() {
        UiFixture ui;
        ui.openSmallProject();
        QVERIFY(ui.search());
        QVERIFY(!withTable(ui.context, *ui.document.project()).project.demand);
        endWith(ui, slowest(ui), {});
        Project old = withTable(ui.context, *ui.document.project()).project;
        QVERIFY(old.demand && old.search);
        old.demand.reset();
        old.search->problemHash = "00"; // of any question
        UiFixture again;
        reopen(again, old);
        QVERIFY(again.runner.demand().target == exporterRow("megatron"));
        for (const char* spoilt : {"{\"max_tp\":\"many\"}", "{\"target\":3}"}) {
            old.demand = spoilt;
            reopen(again, old);
            QVERIFY2(again.runner.demand() == SearchDemand{}, spoilt);
        }
    }

    // What a newer program asks for stays in the file until something else is asked for here.
    void whatIsNotKnownOfADemandStays() {
        const std::string theirs = R"({"max_tp":4,"most_nodes":3,"target":"of-tomorrow"})";
        Project project = smallProject();
        project.demand = theirs;
        UiFixture ui;
        reopen(ui, project);
        const auto kept = [&] { return withTable(ui.context, *ui.document.project()).project.demand; };
        SearchDemand asked;
        asked.maxTp = 4;
        QVERIFY(ui.runner.demand() == asked);
        QCOMPARE(kept().value_or(""), theirs);
        SearchDemand other = asked;
        other.maxTp = 2;
        ui.runner.setDemand(other);
        QCOMPARE(kept().value_or(""), other.toJson().dump());
        ui.runner.setDemand(asked);
        QCOMPARE(kept().value_or(""), theirs);
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
        forgetPlans(app, {gone});
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

    // The table also has a faster plan of an earlier search, which the trainer of the last one cannot run.
    void whatIsSaidAgainIsOfTheLastSearchAlone() {
        UiFixture ui;
        SearchPanel panel(ui.context);
        ui.openSmallProject();
        QVERIFY(ui.search());
        const Candidate first = ui.candidates.all().front(), slow = slowest(ui);
        QVERIFY(first.evaluation.iteration < slow.evaluation.iteration);
        endWith(ui, slow, first.evaluation.iteration);
        const QStringList before = figures(panel);
        QVERIFY2(before.last().contains(QStringLiteral("Megatron-LM")), qPrintable(before.last()));
        const Project saved = withTable(ui.context, *ui.document.project()).project;

        UiFixture again;
        SearchPanel other(again.context);
        reopen(again, saved);
        QCOMPARE(keysByName(again.candidates), keysByName(ui.candidates));
        QCOMPARE(again.candidates.all().front().key, first.key);
        QVERIFY(again.runner.outcome());
        QCOMPARE(again.candidates.find(again.runner.bestId())->key, slow.key);
        QCOMPARE(again.runner.outcome()->plans.size(), std::size_t{1});
        QCOMPARE(again.runner.unrestricted().value, first.evaluation.iteration.value);
        QVERIFY(again.runner.demanded().target == exporterRow("megatron"));
        QCOMPARE(figures(other), before);
    }

    // Files of earlier versions do not list what the search found. One that asked for nothing may have found
    // any plan of the table; of a search for a trainer none is known to be its own.
    void aSearchWhosePlansAreNotListedKeepsItsFigures() {
        UiFixture ui;
        SearchPanel panel(ui.context);
        ui.openSmallProject();
        QVERIFY(ui.search());
        const auto unlisted = [&ui] {
            Project old = withTable(ui.context, *ui.document.project()).project;
            Json summary = *parseJson(old.search->summary, "search");
            summary.erase("plans");
            summary.erase("differing");
            old.search->summary = summary.dump();
            return old;
        };
        const QStringList before = figures(panel);
        UiFixture again;
        SearchPanel other(again.context);
        reopen(again, unlisted());
        QVERIFY(again.runner.outcome());
        QCOMPARE(again.candidates.find(again.runner.bestId())->key,
                 ui.candidates.find(ui.runner.bestId())->key);
        QCOMPARE(again.runner.outcome()->gap(), ui.runner.outcome()->gap());
        QCOMPARE(figures(other), before);

        endWith(ui, slowest(ui), {});
        UiFixture asking;
        reopen(asking, unlisted());
        QVERIFY(!asking.candidates.all().empty() && !asking.runner.outcome());
    }

    // Where the best plan of the last search is not in the file, nothing is said of that search, nor of one
    // before it.
    void withoutItsBestPlanNothingIsSaidOfASearch() {
        UiFixture ui;
        ui.openSmallProject();
        QVERIFY(ui.search());
        const Project whole = withTable(ui.context, *ui.document.project()).project;
        QVERIFY(whole.search);
        UiFixture gone;
        Project shorter = whole;
        const std::string best = (*parseJson(whole.search->summary, "search"))["plans"][0].get<std::string>();
        QVERIFY(std::erase_if(shorter.plans, [&](const KeptPlan& plan) { return plan.name == best; }) == 1);
        reopen(gone, shorter);
        QVERIFY(!gone.candidates.all().empty() && !gone.runner.outcome());

        forgetPlans(ui.context, {ui.runner.bestId()});
        QVERIFY(!withTable(ui.context, whole).project.search);
        SearchOutcome nothing; // a search that found no plan
        ui.runner.restore(ui.document.problem(), nothing, {}, {});
        QVERIFY(!withTable(ui.context, whole).project.search);
        ui.runner.forget(); // none was made since the file was opened: what it has stays
        QVERIFY(withTable(ui.context, whole).project.search);
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
        // And the best of the last search, however slow.
        const Candidate slow = ui.candidates.all()[all - 2];
        endWith(ui, slow, {});
        const SavedTable more = withTable(ui.context, *ui.document.project());
        QCOMPARE(more.project.plans.size(), SavedTable::kMostPlans + 2);
        QCOMPARE(more.project.plans.back().name, s(slow.name));
        QVERIFY(more.project.search);
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
