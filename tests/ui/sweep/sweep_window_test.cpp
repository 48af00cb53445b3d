// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
// A sweep in the whole window: made from the open project, worked off by the program, and a task's plan
// opened.

#include "core/sweep/sweep_folder.h"
#include "tests/ui/window_fixture.h"
#include "ui/sweep/axis_rows.h"
#include "ui/sweep/new_sweep_dialog.h"
#include "ui/sweep/sweep_panel.h"
#include "ui/sweep/sweep_study.h"
#include "ui/window/dock_area.h"

#include <QComboBox>
#include <QDockWidget>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>

using namespace pw;

class SweepWindowTest : public QObject {
    Q_OBJECT

private:
    WindowFolders m_folder;
    QString m_project;

    template <class T>
    static T* find(const QObject& in, const char* name) {
        return in.findChild<T*>(QLatin1String(name));
    }
    static bool ready(const NewSweepDialog& dialog) {
        return QTest::qWaitFor([&] { return dialog.isReady(); }, 60'000);
    }

private Q_SLOTS:
    void initTestCase() {
        m_folder.use();
        m_project = m_folder.smallProjectFile();
        QVERIFY(!m_project.isEmpty());
    }

    void madeWorkedOffAndOpened() {
        MainWindow window;
        window.resize(1366, 768);
        window.show();
        QVERIFY(window.openFile(m_project));
        AppContext& app = window.context();
        SweepStudy& sweep = SweepStudy::of(app.document);
        const std::int64_t batch = app.document.project()->recipe.gbs;

        window.commands().action("sweep.new")->trigger();
        auto* dialog = window.findChild<NewSweepDialog*>();
        QVERIFY(dialog);
        auto* question = find<QComboBox>(*dialog, "newSweep.template");
        question->setCurrentIndex(question->count() - 1);
        QVERIFY(ready(*dialog));
        QVERIFY(!find<QPushButton>(*dialog, "newSweep.write")->isEnabled()); // where to?
        dialog->axes()->values(0)->setText(QStringLiteral("%1, %2").arg(batch).arg(2 * batch));
        QVERIFY(!dialog->isReady());
        QVERIFY(ready(*dialog));
        const QString estimate = find<QLabel>(*dialog, "newSweep.estimate")->text();
        QVERIFY2(estimate.startsWith(QLatin1String("Tasks: 2, chunks: 1,")), qPrintable(estimate));
        const QString folder = m_folder.filePath(QStringLiteral("made"));
        QVERIFY(!QFileInfo::exists(folder)); // nothing is written before that
        find<QLineEdit>(*dialog, "newSweep.folder")->setText(folder);
        find<QPushButton>(*dialog, "newSweep.write")->click();
        QVERIFY(QTest::qWaitFor([&] { return sweep.isOpen(); }, 60'000));
        QCOMPARE(sweep.tasks().size(), std::size_t(2));

        auto* panel = window.findChild<SweepPanel*>();
        panel->program().setCommandLine(QStringLiteral(PW_CLI));
        find<QPushButton>(*panel, "sweep.run")->click();
        QVERIFY(panel->program().isRunning());
        QVERIFY(QTest::qWaitFor([&] { return sweep.status().done == 2; }, 60'000));
        QVERIFY(QTest::qWaitFor([&] { return !panel->program().isRunning(); }, 60'000));
        QVERIFY(!find<QPushButton>(*panel, "sweep.run")->isEnabled());

        for (const bool kept : {true, false}) { // one that is not kept is worked out again
            sweep.setChosen(1);
            const double iteration = sweep.rows()[1].figure(SweepFigure::Iteration);
            QVERIFY(iteration > 0.0);
            if (!kept)
                std::filesystem::remove_all(sweep.folder().path / "plans");
            app.candidates.clear();
            window.commands().action("sweep.openPlan")->trigger();
            QVERIFY(QTest::qWaitFor([&] { return !app.candidates.all().empty(); }, 60'000));
            const Candidate* plan = app.candidates.find(app.selection.plan());
            QVERIFY(plan);
            QCOMPARE(plan->evaluation.iteration.value, iteration);
            QCOMPARE(app.document.project()->recipe.gbs, 2 * batch);
            QVERIFY(window.docks().isVisible());
            app.document.undoStack()->setClean();
            window.showSweep(true);
        }
    }

    void whatIsWrongIsToldBeforeAnythingIsWritten() {
        MainWindow window;
        QVERIFY(window.openFile(m_project));
        NewSweepDialog dialog(window.context());
        QVERIFY(ready(dialog));
        dialog.axes()->setAxes({{"recipe.gbs", {}, "many"}});
        QVERIFY(QTest::qWaitFor([&] { return !dialog.isChecking(); }, 60'000));
        QVERIFY(!dialog.isReady());
        const QString said = find<QLabel>(dialog, "newSweep.estimate")->text();
        QVERIFY2(said.contains(QLatin1String("gbs")), qPrintable(said));
        find<QLineEdit>(dialog, "newSweep.folder")->setText(m_folder.filePath(QStringLiteral("none")));
        QVERIFY(!find<QPushButton>(dialog, "newSweep.write")->isEnabled());
    }

    void everyTemplateCanBeMade_data() {
        QTest::addColumn<int>("row");
        QTest::newRow("how many") << 1;
        QTest::newRow("which plan") << 2;
        QTest::newRow("own") << 3;
    }
    void everyTemplateCanBeMade() {
        QFETCH(int, row);
        MainWindow window;
        QVERIFY(window.openFile(m_project));
        QVERIFY(searched(window));
        NewSweepDialog dialog(window.context());
        find<QComboBox>(dialog, "newSweep.template")->setCurrentIndex(row);
        QVERIFY2(ready(dialog), qPrintable(find<QLabel>(dialog, "newSweep.estimate")->text()));
    }

    void aFailingProgramIsTold() {
        MainWindow window;
        window.showSweep(true);
        auto* panel = window.findChild<SweepPanel*>();
        QSignalSpy ended(&panel->program(), &SweepProgram::ended);
        panel->program().setCommandLine(QStringLiteral(PW_CLI));
        panel->program().run(m_folder.filePath(QStringLiteral("nowhere")), 1, false);
        QVERIFY(ended.wait(60'000));
        const auto error = ended.front()[1].value<std::optional<Error>>();
        QVERIFY(error);
        QCOMPARE(error->code, std::string("sweep.folder"));
    }
};

QTEST_MAIN(SweepWindowTest)
#include "sweep_window_test.moc"
