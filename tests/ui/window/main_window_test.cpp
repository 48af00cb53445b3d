// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later

// The window: what a user does from the start page to a plan, and what must never be lost on the way.

#include "core/base/file.h"
#include "core/edit/edit.h"
#include "tests/training_logs.h"
#include "tests/ui/window_fixture.h"
#include "ui/base/convert.h"
#include "ui/commands/commands.h"
#include "ui/imports/import_dialog.h"
#include "ui/plans/kept_plans.h"
#include "ui/plans/plans_view.h"
#include "ui/session/document.h"
#include "ui/session/plan_runs.h"
#include "ui/session/view.h"
#include "ui/widgets/alert.h"
#include "ui/widgets/in_sight.h"
#include "ui/widgets/message_bar.h"
#include "ui/window/dock_area.h"
#include "ui/window/file_actions.h"

#include <QAbstractButton>
#include <QAction>
#include <QApplication>
#include <QDockWidget>
#include <QDropEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QMimeData>
#include <QPushButton>
#include <QSignalSpy>
#include <QStatusBar>
#include <QTabWidget>
#include <QTest>
#include <QTimer>
#include <QToolButton>
#include <QUndoStack>

using namespace pw;

class MainWindowTest : public QObject {
    Q_OBJECT

private:
    WindowFolders m_folder;
    QString m_project;

    // Answers the question box that the next call opens.
    static void answer(QMessageBox::StandardButton button) {
        auto* watch = new QTimer(qApp);
        connect(watch, &QTimer::timeout, watch, [watch, button] {
            auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
            if (!box)
                return; // not yet
            watch->stop();
            watch->deleteLater();
            box->button(button)->click();
        });
        watch->start(10);
    }

private Q_SLOTS:
    void init() {
        m_project = m_folder.useAnew();
        QVERIFY(!m_project.isEmpty());
    }

    void startsOnTheStartPage() {
        MainWindow window;
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        QVERIFY(window.findChild<QWidget*>(QStringLiteral("startPage"))->isVisible());
        QVERIFY(!window.commands().action("search.run")->isEnabled());
        // The views of a project are made with the first one; until then nothing offers what they do.
        QVERIFY(!window.findChild<QWidget*>(QStringLiteral("dockArea")));
        QVERIFY(!window.commands().action("canvas.link")->isEnabled());
        QCOMPARE(window.findChild<QLabel*>(QStringLiteral("projectTitle"))->text(),
                 QStringLiteral("Pipewright"));
    }

    void everyCommandDoesSomething() {
        MainWindow window;
        window.docks(); // views bind their own
        window.accuracyDocks();
        window.sweepDocks();
        QCOMPARE(window.commands().unbound(), QStringList());
    }

    void everyControlHasAName() {
        MainWindow window;
        QVERIFY(window.openFile(m_project));
        QStringList nameless;
        // Qt's own parts of fields and tables are reached through those.
        const QStringList parts = {QStringLiteral("QLineEditIconButton"),
                                   QStringLiteral("QTableCornerButton")};
        for (auto* button : window.findChildren<QAbstractButton*>()) {
            const QString kind = QLatin1String(button->metaObject()->className());
            if (button->isVisibleTo(&window) && !parts.contains(kind) &&
                !button->objectName().startsWith(QLatin1String("qt_")) && button->text().isEmpty() &&
                button->accessibleName().isEmpty())
                nameless.append(QStringLiteral("%1 %2").arg(kind, button->objectName()));
        }
        for (auto* field : window.findChildren<QLineEdit*>())
            if (field->objectName().isEmpty())
                nameless.append(QStringLiteral("field without object name"));
        QVERIFY2(nameless.isEmpty(), qPrintable(nameless.join(QStringLiteral(", "))));
    }

    void opensSearchesAndShowsFigures() {
        MainWindow window;
        window.show();
        QVERIFY(window.openFile(m_project));
        QVERIFY(!window.findChild<QWidget*>(QStringLiteral("startPage"))->isVisible());
        SearchOptions options;
        options.work = 20'000;
        window.context().runner.setOptions(options);
        QSignalSpy ended(&window.context().runner, &SearchRunner::finished);
        window.commands().action("search.run")->trigger();
        QVERIFY(ended.wait(60'000));
        QVERIFY(window.context().selection.plan() >= 0);
        QVERIFY(window.findChild<QLabel*>(QStringLiteral("figure.iteration"))
                    ->text()
                    .contains(QStringLiteral("an iteration")));
        auto* expected = window.findChild<QLabel*>(QStringLiteral("figure.expected"));
        QVERIFY(expected->text().contains(QStringLiteral(" to ")));
        QVERIFY(expected->toolTip().contains(QStringLiteral("nearest")));
        QVERIFY(window.findChild<QLabel*>(QStringLiteral("figure.gap"))
                    ->text()
                    .contains(QStringLiteral("above bound")));
        QVERIFY(window.commands().action("plan.export")->isEnabled());
        const int first = window.context().selection.plan();
        if (window.context().candidates.all().size() > 1) {
            window.commands().action("plan.next")->trigger();
            QVERIFY(window.context().selection.plan() != first);
        }
        window.commands().action("plan.best")->trigger();
        QCOMPARE(window.context().selection.plan(), window.context().candidates.all().front().id);
    }

    // What the status line has said of a search ends with the project that it was of.
    void whatASearchFoundEndsWithItsProject() {
        MainWindow window;
        window.show();
        QVERIFY(window.openFile(m_project));
        QVERIFY(searched(window));
        const auto* said = window.statusBar()->findChild<Announcer*>();
        const auto* selected = window.findChild<QLabel*>(QStringLiteral("status.selection"));
        QVERIFY(said->accessibleName().startsWith(QStringLiteral("Search: ")));
        QVERIFY2(selected->text().contains(QStringLiteral("Plan ")), qPrintable(selected->text()));
        window.context().document.undoStack()->setClean(); // nothing to ask about
        window.context().document.setNewPlans(false);
        QVERIFY(window.files().adopt(smallProject()));
        QVERIFY2(!said->accessibleName().contains(QStringLiteral("Search: ")),
                 qPrintable(said->accessibleName()));
        QVERIFY2(!selected->text().contains(QStringLiteral("Plan ")), qPrintable(selected->text()));
    }

    // One search at a time: a comparison measures how long each planner takes.
    void comparingPlannersHoldsTheSearch() {
        MainWindow window;
        window.show();
        QVERIFY(window.openFile(m_project));
        SearchOptions options;
        options.work = 1'000'000'000;
        window.context().runner.setOptions(options);
        TournamentRunner& tournament = window.context().tournament;
        QSignalSpy ended(&tournament, &TournamentRunner::finished);
        window.commands().action("search.compare")->trigger();
        QVERIFY(tournament.isRunning());
        for (const char* id : {"search.run", "search.compare"})
            QVERIFY2(!window.commands().action(id)->isEnabled(), id);
        window.commands().action("search.stop")->trigger();
        QVERIFY(ended.wait(60'000));
        for (const char* id : {"search.run", "search.compare"})
            QVERIFY2(window.commands().action(id)->isEnabled(), id);
        QVERIFY(!window.commands().action("search.stop")->isEnabled());
        QTRY_VERIFY_WITH_TIMEOUT(window.docks().dock(QStringLiteral("planners"))->widget()->isVisible(),
                                 60'000);
        QVERIFY(window.openFile(m_project)); // another project was never compared
        QVERIFY(tournament.entrants().empty());
    }

    // The comparison asks what the search panel asks.
    void comparingPlannersObeysTheDemand() {
        MainWindow window;
        window.show();
        QVERIFY(window.openFile(m_project));
        SearchRunner& runner = window.context().runner;
        SearchOptions options;
        options.work = 2'000;
        runner.setOptions(options);
        TournamentRunner& tournament = window.context().tournament;
        const auto largestTp = [&] {
            QSignalSpy ended(&tournament, &TournamentRunner::finished);
            window.commands().action("search.compare")->trigger();
            int most = ended.wait(60'000) ? 0 : -1;
            for (const TournamentRow* row : tournament.tournament().ranked())
                for (const Stage& stage : row->outcome.plans.front().plan.pipelines.front().stages)
                    most = std::max(most, stage.tp);
            return most;
        };
        QVERIFY(largestTp() > 1);
        SearchDemand demand;
        demand.maxTp = 1;
        runner.setDemand(demand);
        QCOMPARE(largestTp(), 1);
        demand.required = {"n1"};
        runner.setDemand(demand);
        window.commands().action("search.compare")->trigger();
        QVERIFY(!tournament.isRunning());
        QVERIFY(tournament.failure() && tournament.entrants().empty());
    }

    void badFileIsReportedAndKeepsTheProject() {
        MainWindow window;
        window.show();
        QVERIFY(window.openFile(m_project));
        const QString bad = m_folder.filePath(QStringLiteral("bad.pwx"));
        QVERIFY(writeFileAtomically(s(bad), "{\"schema\": 3"));
        QSignalSpy failed(&window.files(), &FileActions::failed);
        QVERIFY(!window.openFile(bad));
        QCOMPARE(failed.count(), 1);
        QVERIFY(q(failed.first().at(1).value<Error>().text()).contains(QStringLiteral("bad.pwx")));
        QCOMPARE(window.context().document.title(), QStringLiteral("small.pwx"));
    }

    void closingAsksAboutUnsavedWork() {
        MainWindow window;
        window.show();
        QVERIFY(window.openFile(m_project));
        Document& document = window.context().document;
        QVERIFY(
            document.apply(addSwitch(*document.project(), "Ethernet", {0, 0}), QStringLiteral("Add switch")));
        QVERIFY(window.isWindowModified());
        QVERIFY(window.findChild<QLabel*>(QStringLiteral("projectTitle"))
                    ->text()
                    .contains(QStringLiteral("modified")));
        answer(QMessageBox::Cancel);
        QVERIFY(!window.close());
        answer(QMessageBox::Save);
        QVERIFY(window.close());
        const auto text = readFile(s(m_project));
        QVERIFY(text);
        QCOMPARE(readProject(*text, "small.pwx")->cluster.switches.size(), std::size_t{2});
    }

    void takesADroppedFile() {
        MainWindow window;
        window.show();
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(m_project)});
        QDragEnterEvent enter(QPoint(50, 50), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(&window, &enter);
        QVERIFY(enter.isAccepted());
        QDropEvent drop(QPointF(50, 50), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(&window, &drop);
        QTRY_COMPARE_WITH_TIMEOUT(window.context().document.title(), QStringLiteral("small.pwx"), 60'000);
    }

    // A run belongs beside a plan: no dialog asks what is to be imported of it.
    void aDroppedRunGoesToThePlanRuns() {
        MainWindow window;
        window.show();
        QVERIFY(window.openFile(m_project));
        QSignalSpy offered(&window.context().runs, &PlanRuns::offered);
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(QStringLiteral(PW_SOURCE_DIR "/tests/data/runner/run.json"))});
        QDragEnterEvent enter(QPoint(50, 50), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(&window, &enter);
        QDropEvent drop(QPointF(50, 50), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(&window, &drop);
        QVERIFY(offered.wait(60'000));
        QVERIFY(!window.findChild<ImportDialog*>());
        QTRY_VERIFY(window.docks().dock(QStringLiteral("planRuns"))->widget()->isVisible());
    }

    // Who is on another page or in another perspective is told there, and stays there.
    void aRefusedRunIsSaidWhereTheUserIs_data() {
        QTest::addColumn<QString>("where"); // a command
        for (const char* where : {"view.draw", "view.compare", "view.accuracy", "view.sweep"})
            QTest::newRow(where) << QString::fromLatin1(where);
    }
    void aRefusedRunIsSaidWhereTheUserIs() {
        QFETCH(QString, where);
        MainWindow window;
        window.show();
        QVERIFY(window.openFile(m_project));
        QAction* there = window.commands().action(s(where).c_str());
        if (!there->isChecked())
            there->trigger();
        QVERIFY(there->isChecked());
        auto* view = static_cast<View*>(window.docks().dock(QStringLiteral("planRuns"))->widget());
        QVERIFY(!isInSight(*view));
        const QString file = m_folder.filePath(QStringLiteral("run.json"));
        QVERIFY(writeFileAtomically(s(file), "{\"schema\": \"pipewright-run-1\"}"));
        QSignalSpy failed(&window.context().runs, &PlanRuns::failed);
        window.context().runs.load(file);
        QVERIFY(failed.wait(60'000));
        QVERIFY(there->isChecked());
        const auto said = [&] {
            int bars = 0;
            for (const MessageBar* bar : window.findChildren<MessageBar*>())
                bars +=
                    !bar->visibleRegion().isEmpty() && bar->accessibleName().contains(PlanRuns::failedLead())
                        ? 1
                        : 0;
            return bars;
        };
        QCOMPARE(said(), 1);
        // A run that is taken leads to where it stands.
        QSignalSpy offered(&window.context().runs, &PlanRuns::offered);
        window.context().runs.load(QStringLiteral(PW_SOURCE_DIR "/tests/data/runner/run.json"));
        QVERIFY(offered.wait(60'000));
        QCOMPARE(said(), 0);
        QTRY_VERIFY(isInSight(*view));
    }

    // As `pipewright PROJECT run.json model.json` gives them.
    void runsAreLaidAndOthersShown() {
        MainWindow window;
        window.show();
        QVERIFY(window.openFile(m_project));
        QSignalSpy offered(&window.context().runs, &PlanRuns::offered);
        window.takeFiles({QStringLiteral(PW_SOURCE_DIR "/tests/data/runner/run.json"),
                          QStringLiteral(PW_SOURCE_DIR "/samples/models/gpt-neo-2.7b.json")});
        QVERIFY(offered.count() > 0 || offered.wait(60'000));
        QTRY_VERIFY_WITH_TIMEOUT(window.findChild<ImportDialog*>(), 60'000);
    }

    // A training log goes to Accuracy, from a drop as from the import, with or without a project.
    void trainingLogsGoToAccuracy() {
        QTemporaryDir folder;
        const QString log = folder.filePath(QStringLiteral("train.log"));
        QVERIFY(writeFileAtomically(s(log), kMegatronLog));
        MainWindow window;
        window.show();
        window.takeFiles({log});
        QVERIFY(window.accuracyDocks().isVisible());
        QVERIFY(!window.findChild<ImportDialog*>());
        QTRY_VERIFY_WITH_TIMEOUT(window.findChild<QDialog*>(QStringLiteral("loggedMachine")), 60'000);
        window.findChild<QDialog*>(QStringLiteral("loggedMachine"))->reject();
        QTRY_VERIFY_WITH_TIMEOUT(!window.findChild<QDialog*>(QStringLiteral("loggedMachine")), 60'000);
        window.showAccuracy(false);
        window.importFiles({log});
        auto* dialog = window.findChild<ImportDialog*>();
        QVERIFY(dialog);
        auto* import = dialog->findChild<QPushButton*>(QStringLiteral("import.import"));
        QTRY_VERIFY_WITH_TIMEOUT(import->isEnabled(), 60'000);
        import->click();
        QVERIFY(window.accuracyDocks().isVisible());
        QTRY_VERIFY_WITH_TIMEOUT(window.findChild<QDialog*>(QStringLiteral("loggedMachine")), 60'000);
    }

    // The window is as it was before there is a project.
    void aPlanDocumentIsImported() {
        MainWindow window;
        window.show();
        window.takeFiles(
            {QStringLiteral(PW_SOURCE_DIR "/samples/plans/h200/opt-350m-24-2048-8-none-bf16.json")});
        QVERIFY(!window.accuracyDocks().isVisible());
        QVERIFY(window.findChild<ImportDialog*>());
    }

    void otherFilesDroppedAreShownFirst() {
        MainWindow window;
        window.show();
        QMimeData data;
        data.setUrls(
            {QUrl::fromLocalFile(QStringLiteral(PW_SOURCE_DIR "/samples/models/gpt-neo-2.7b.json"))});
        QDragEnterEvent enter(QPoint(50, 50), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(&window, &enter);
        QDropEvent drop(QPointF(50, 50), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(&window, &drop);
        QTRY_VERIFY_WITH_TIMEOUT(window.findChild<ImportDialog*>(), 60'000);
        auto* dialog = window.findChild<ImportDialog*>();
        auto* import = dialog->findChild<QPushButton*>(QStringLiteral("import.import"));
        QTRY_VERIFY_WITH_TIMEOUT(import->isEnabled(), 60'000);
        QVERIFY(!window.context().document.project()->model);
        QVERIFY(window.findChild<QWidget*>(QStringLiteral("startPage"))->isVisible());
        import->click();
        QVERIFY(window.context().document.project()->model);
        QVERIFY(!window.findChild<QWidget*>(QStringLiteral("startPage"))->isVisible());
        QVERIFY(window.context().document.undoStack()->canUndo());
    }

    // One stack has the edits of the cluster, the model and plans: which comes next stands in the menu and in
    // the tool tip.
    void undoAndRedoNameTheirEdit() {
        MainWindow window;
        QVERIFY(window.openFile(m_project));
        const QAction *undo = window.commands().action("edit.undo"),
                      *redo = window.commands().action("edit.redo");
        const auto* button = window.findChild<QToolButton*>(QStringLiteral("toolBar.edit.undo"));
        const QString none = undo->toolTip();
        Document& document = window.context().document;
        Project changed = *document.project();
        changed.recipe.gbs *= 2;
        QVERIFY(document.apply(changed, QStringLiteral("Change global batch")));
        QCOMPARE(undo->text(), QStringLiteral("&Undo Change global batch"));
        QCOMPARE(undo->statusTip(), QStringLiteral("Takes back: Change global batch."));
        QVERIFY2(button->toolTip().startsWith(undo->statusTip()), qPrintable(button->toolTip()));
        QVERIFY2(undo->toolTip().endsWith(QStringLiteral("(Ctrl+Z)")), qPrintable(undo->toolTip()));
        document.undoStack()->undo();
        QCOMPARE(undo->toolTip(), none);
        QCOMPARE(redo->statusTip(), QStringLiteral("Makes again: Change global batch."));
        QCOMPARE(redo->text(), QStringLiteral("&Redo Change global batch"));
    }

    // File > Import without a file says what may come.
    void importStartsEmpty() {
        MainWindow window;
        window.show();
        window.commands().action("file.import")->trigger();
        auto* dialog = window.findChild<ImportDialog*>();
        QVERIFY(dialog && dialog->isVisible());
        QVERIFY(dialog->findChild<QWidget*>(QStringLiteral("import.empty"))->isVisible());
        QVERIFY(!dialog->findChild<QPushButton*>(QStringLiteral("import.import"))->isEnabled());
        dialog->close();
    }

    void selectionAndPinsComeBack() {
        std::string pinned, chosen;
        {
            MainWindow window;
            QVERIFY(window.openFile(m_project));
            AppContext& app = window.context();
            QVERIFY(searched(window));
            QVERIFY(app.candidates.all().size() >= 2);
            const int first = app.candidates.all()[0].id, second = app.candidates.all()[1].id;
            togglePinned(app, first);
            pinned = app.candidates.find(first)->key;
            chosen = app.candidates.find(second)->key;
            app.selection.setPlan(second);
            app.selection.setStage(1);
            window.commands().action("file.save")->trigger();
            QVERIFY(!app.document.isModified());
        }
        MainWindow window;
        QVERIFY(window.openFile(m_project));
        AppContext& app = window.context();
        const Candidate* current = app.candidates.find(app.selection.plan());
        QVERIFY(current);
        QCOMPARE(current->key, chosen);
        QVERIFY(!current->pinned); // looking at a plan keeps nothing
        QCOMPARE(app.selection.stage(), 1);
        int pins = 0;
        for (const Candidate& candidate : app.candidates.all())
            if (candidate.pinned) {
                ++pins;
                QCOMPARE(candidate.key, pinned);
            }
        QCOMPARE(pins, 1);
        QVERIFY(!app.document.isModified());
    }

    void accuracyNeedsNoProjectAndGoesBack() {
        MainWindow window;
        window.show();
        QAction* action = window.commands().action("view.accuracy");
        action->trigger();
        QVERIFY(window.accuracyDocks().isVisible());
        QVERIFY(action->isChecked());
        QVERIFY(window.context().accuracy.isRunning());
        action->trigger();
        QVERIFY(window.findChild<QWidget*>(QStringLiteral("startPage"))->isVisible());
        QVERIFY(window.openFile(m_project));
        action->trigger();
        QVERIFY(window.accuracyDocks().isVisible());
        action->trigger();
        QVERIFY(window.docks().isVisible());
        QVERIFY(!action->isChecked());
    }

    void measuredRunOpensAsAPlanAndAsksFirst() {
        MainWindow window;
        window.show();
        QVERIFY(window.openFile(m_project));
        Document& document = window.context().document;
        AccuracyStudy& study = window.context().accuracy;
        study.loadFiles({QStringLiteral(PW_SOURCE_DIR "/tests/data/runs-small.csv")});
        QVERIFY(QTest::qWaitFor([&] { return !study.isRunning(); }, 60'000));
        window.showAccuracy(true);
        RunRef run{0, 0};
        while (study.prediction(run) && study.prediction(run)->status != PredictionStatus::Ok)
            ++run.row;
        QVERIFY(study.prediction(run));
        QVERIFY(
            document.apply(addSwitch(*document.project(), "Ethernet", {0, 0}), QStringLiteral("Add switch")));
        answer(QMessageBox::Cancel);
        study.requestOpen(run);
        QCOMPARE(document.title(), QStringLiteral("small.pwx"));
        QVERIFY(document.isModified());
        QVERIFY(window.accuracyDocks().isVisible());
        answer(QMessageBox::Discard);
        study.requestOpen(run);
        QVERIFY(window.docks().isVisible());
        QCOMPARE(document.project()->name, study.row(run)->rowId);
        const Candidate* plan = window.context().candidates.find(window.context().selection.plan());
        QVERIFY(plan);
        QCOMPARE(plan->evaluation.iteration.value, study.prediction(run)->iterTimeS);
        QVERIFY(!Candidates::isStale(*plan, document.problem()));
        const auto detail = window.context().candidates.detail(plan->id);
        QVERIFY(detail);
        QCOMPARE(detail->evaluation.iteration.value, study.prediction(run)->iterTimeS);
        QVERIFY(detail->timeline.barCount() > 0);
    }

    void themeChangesAndIsRemembered() {
        {
            MainWindow window;
            window.show();
            window.commands().action("view.dark")->trigger();
            QVERIFY(theme().dark);
            QCOMPARE(QApplication::palette().color(QPalette::Base), themeRow(ThemeMode::Dark).theme().panel);
            QVERIFY(window.close());
        }
        QCOMPARE(Settings::load().theme, ThemeMode::Dark);
    }

    void columnsOfPlansAreRemembered() {
        const QByteArray chosen = "Rank=0 Origin=1";
        const auto plansOf = [this](MainWindow& window) {
            window.openFile(m_project); // the docks are made then
            return window.findChild<PlansView*>();
        };
        {
            MainWindow window;
            window.show();
            PlansView* plans = plansOf(window);
            QVERIFY(plans && plans->columns().isEmpty());
            plans->restoreColumns(chosen);
            QVERIFY(window.close());
        }
        MainWindow window;
        window.show();
        QVERIFY(plansOf(window));
        QCOMPARE(plansOf(window)->columns(), chosen);
        plansOf(window)->restoreColumns({});
        QVERIFY(window.close());
    }

    void textSizeIsRememberedForTheNextStart() {
        {
            MainWindow window;
            QVERIFY(window.commands().action("view.size100")->isChecked());
            window.commands().action("view.size150")->trigger();
        }
        QCOMPARE(Settings::load().textSize, 150);
        const QByteArray before = qgetenv("QT_SCALE_FACTOR");
        qunsetenv("QT_SCALE_FACTOR");
        applyTextSize(100);
        QVERIFY(!qEnvironmentVariableIsSet("QT_SCALE_FACTOR"));
        applyTextSize(150);
        QCOMPARE(qgetenv("QT_SCALE_FACTOR"), QByteArray("1.5"));
        applyTextSize(200); // what is set stays
        QCOMPARE(qgetenv("QT_SCALE_FACTOR"), QByteArray("1.5"));
        before.isEmpty() ? qunsetenv("QT_SCALE_FACTOR") : qputenv("QT_SCALE_FACTOR", before);
        Settings settings = Settings::load();
        settings.textSize = 100;
        settings.save();
    }
};

QTEST_MAIN(MainWindowTest)
#include "main_window_test.moc"
