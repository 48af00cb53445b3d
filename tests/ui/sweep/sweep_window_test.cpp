// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
// A sweep in the whole window: made from the open project, worked off by the program, and a task's plan
// opened.

#include "core/sweep/sweep_folder.h"
#include "tests/sweep/written_sweep.h"
#include "tests/ui/window_fixture.h"
#include "ui/session/trainer_box.h"
#include "ui/sweep/axis_rows.h"
#include "ui/sweep/heat_view.h"
#include "ui/sweep/new_sweep_dialog.h"
#include "ui/sweep/sweep_panel.h"
#include "ui/sweep/sweep_study.h"
#include "ui/window/dock_area.h"

#include <QComboBox>
#include <QDockWidget>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>

using namespace pw;

namespace {

// Slurm's commands on the path, or only beyond "there", which passes them on as ssh does; nothing else is on
// it. What they are told stands in calls(), a line each.
class StubSlurm {
public:
    explicit StubSlurm(bool onPath) : m_path(qgetenv("PATH")) {
        for (const char* name : {"sbatch", "squeue", "scancel", "scontrol"})
            script("slurm", name, R"(echo "${0##*/} $*" >> "$at/calls"
case ${0##*/} in
scontrol) echo 'MaxArraySize = 1001' ;;
sbatch) for word; do case $word in --job-name=*) echo "17 0 ${word#*=} None" > "$at/queue" ;; esac; done
    echo 17 ;;
squeue) [ -e "$at/queue" ] && cat "$at/queue" ;;
scancel) rm "$at/queue" ;;
esac
exit 0
)");
        script("bin", "there", R"(echo "there $*" >> "$at/calls"
PATH="$at/slurm:/usr/bin:/bin" exec sh -c "$*"
)");
        const QByteArray at = m_dir.path().toUtf8();
        qputenv("PATH", (onPath ? at + "/slurm:" : QByteArray()) + at + "/bin");
    }
    ~StubSlurm() { qputenv("PATH", m_path); }
    StubSlurm(const StubSlurm&) = delete;
    StubSlurm& operator=(const StubSlurm&) = delete;

    QString calls() const {
        QFile file(m_dir.filePath(QStringLiteral("calls")));
        return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
    }

private:
    void script(const char* folder, const char* name, const QByteArray& text) const {
        QDir(m_dir.path()).mkpath(QLatin1String(folder));
        QFile file(m_dir.filePath(QStringLiteral("%1/%2").arg(QLatin1String(folder), QLatin1String(name))));
        const QByteArray whole = "#!/bin/sh\nPATH=/usr/bin:/bin\nat=" + m_dir.path().toUtf8() + '\n' + text;
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(whole) == whole.size());
        QVERIFY(file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
    }

    QTemporaryDir m_dir;
    QByteArray m_path;
};

// The panel with a sweep of one open task.
struct ShownPanel : UiFixture {
    SweepStudy& study = SweepStudy::of(document);
    SweepPanel panel{context};

    bool open(const test::WrittenSweep& sweep) {
        panel.resize(300, 800);
        panel.show();
        panel.program().setCommandLine(QStringLiteral(PW_CLI));
        study.open(q(sweep.path().string()));
        return QTest::qWaitFor([this] { return study.isOpen() && !study.isReading(); }, 60'000);
    }
    QPushButton& button(const char* name) { return *panel.findChild<QPushButton*>(QLatin1String(name)); }
    QLineEdit& field(const char* name) { return *panel.findChild<QLineEdit*>(QLatin1String(name)); }
    // What the click ends with, in a sentence.
    QString clicked(const char* name) {
        QSignalSpy ended(&panel.program(), &SweepProgram::ended);
        button(name).click();
        if (ended.isEmpty() && !ended.wait(60'000))
            return QStringLiteral("nothing");
        const auto error = ended.front()[1].value<std::optional<Error>>();
        return error ? q(error->text()) : ended.front()[0].toString();
    }
};

} // namespace

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

    // Fields of a run ask for the run, a word is no number, and what is said is in the sweep that is written.
    void aRunThatFailsIsDescribed() {
        MainWindow window;
        QVERIFY(window.openFile(m_project));
        NewSweepDialog dialog(window.context());
        find<QComboBox>(dialog, "newSweep.template")->setCurrentIndex(3);
        QVERIFY(ready(dialog));
        const auto said = [&](const char* field, const char* text) {
            find<QLineEdit>(dialog, field)->setText(QLatin1String(text));
            if (!QTest::qWaitFor([&] { return !dialog.isChecking(); }, 60'000))
                return QStringLiteral("still checking");
            return dialog.isReady() ? QString() : find<QLabel>(dialog, "newSweep.estimate")->text();
        };
        QVERIFY(said("newSweep.restart", "300").contains(QLatin1String("tokens")));
        QVERIFY(said("newSweep.tokens", "1e12").contains(QLatin1String("GPU hours")));
        QVERIFY(said("newSweep.gpuHours", "often").contains(QLatin1String("\"often\"")));
        QVERIFY(said("newSweep.gpuHours", "0.001").contains(QLatin1String("gpu_hours")));
        QCOMPARE(said("newSweep.gpuHours", "50,700"), QString());
        QCOMPARE(said("newSweep.checkpoint", ""), QString()); // as most have it
        QVERIFY(said("newSweep.overhead", "0.5").contains(QLatin1String("power_overhead")));
        QCOMPARE(said("newSweep.overhead", "1.3"), QString());

        const QString folder = m_folder.filePath(QStringLiteral("failing"));
        QSignalSpy made(&dialog, &NewSweepDialog::made);
        find<QLineEdit>(dialog, "newSweep.folder")->setText(folder);
        find<QPushButton>(dialog, "newSweep.write")->click();
        QVERIFY(made.wait(60'000));
        const auto written = openSweepFolder(folder.toStdString());
        QVERIFY(written);
        const TrainingGoal goal = written->sweep.training.value_or(TrainingGoal{});
        QCOMPARE(goal.tokens, 1e12);
        QCOMPARE(goal.powerOverhead, 1.3);
        QCOMPARE(goal.failures.gpuHours, 50700.0);
        QCOMPARE(goal.failures.checkpoint, FailureModel().checkpoint);
        QCOMPARE(goal.failures.restart, 300.0);
    }

    // Every task is asked what Search asks: for that trainer, with those options. What a sweep cannot be
    // asked is said before it is written.
    void searchIsTakenOver() {
        MainWindow window;
        QVERIFY(window.openFile(m_project));
        SearchRunner& runner = window.context().runner;
        SearchOptions options;
        options.planner = "megatron";
        options.threads = 1;
        options.timeLimit = 5.0;
        options.wider.schedules = true;
        runner.setOptions(options);
        SearchDemand demand;
        demand.target = exporterRow("megatron");
        demand.required = {"n1"};
        demand.maxTp = 4;
        runner.setDemand(demand);
        NewSweepDialog dialog(window.context());
        find<QComboBox>(dialog, "newSweep.template")->setCurrentIndex(3);
        QVERIFY(ready(dialog));
        const QString said = find<QLabel>(dialog, "newSweep.estimate")->text();
        QVERIFY2(said.contains(QLatin1String("As in Search: Planner megatron, All schedules on.")),
                 qPrintable(said));
        QVERIFY2(
            said.contains(QLatin1String("Left to Search: the time limit, since tasks repeat exactly; Must "
                                        "use; the largest sizes.")),
            qPrintable(said));
        const auto written = [&](const char* name) {
            QSignalSpy made(&dialog, &NewSweepDialog::made);
            const QString folder = m_folder.filePath(QLatin1String(name));
            find<QLineEdit>(dialog, "newSweep.folder")->setText(folder);
            find<QPushButton>(dialog, "newSweep.write")->click();
            if (made.isEmpty() && !made.wait(60'000))
                return std::string("not written");
            const auto opened = openSweepFolder(folder.toStdString());
            return opened ? opened->sweep.base.search : opened.error().text();
        };
        QCOMPARE(written("asked"),
                 std::string(R"({"all-schedules":"on","planner":"megatron","target":"megatron"})"));
        QCOMPARE(runner.demand(), demand); // the sweep's own trainer is no other one of Search
        find<TrainerBox>(dialog, "newSweep.trainer")->setTrainer(nullptr);
        dialog.axes()->setAxes({{"search.planner", {}, "harp, haap"}}); // which stands above Search's
        QVERIFY(ready(dialog));
        const QString less = find<QLabel>(dialog, "newSweep.estimate")->text();
        QVERIFY2(less.contains(QLatin1String("As in Search: All schedules on.")), qPrintable(less));
        QCOMPARE(written("open"), std::string(R"({"all-schedules":"on","planner":"megatron"})"));
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

    // Submit tells Slurm what the fields say, wherever it is; the sweep keeps what a folder may say.
    void submitPassesTheFieldsAndCancelCancels_data() {
        QTest::addColumn<bool>("here");
        QTest::newRow("here") << true;
        QTest::newRow("through") << false;
    }
    void submitPassesTheFieldsAndCancelCancels() {
        QFETCH(bool, here);
        const StubSlurm slurm(here);
        const test::WrittenSweep sweep({test::axis("gbs", "recipe.gbs", {64})}, test::kChunk);
        ShownPanel app;
        QVERIFY(app.open(sweep));
        QCOMPARE(app.button("sweep.submit").isEnabled(), here);
        QVERIFY(!app.field("slurm.partition").isVisible());
        app.button("sweep.slurmOptions").click();
        QVERIFY(app.field("slurm.partition").isVisible());
        app.field("slurm.partition").setText(QStringLiteral("cpu"));
        app.field("slurm.account").setText(QStringLiteral("ours"));
        app.field("slurm.time").setText(QStringLiteral("1:00:00"));
        app.field("slurm.max-running").setText(QStringLiteral("3"));
        app.field("slurm.sbatch").setText(QStringLiteral("--mem=2G --nice"));
        if (!here)
            app.field("slurm.through").setText(QStringLiteral("there"));
        QVERIFY(app.button("sweep.submit").isEnabled());
        QCOMPARE(app.clicked("sweep.submit"), QStringLiteral("Submitted as job 17."));
        const QString calls = slurm.calls();
        for (const char* word :
             {"--partition=cpu", "--account=ours", "--time=1:00:00", "--array=0%3", "--mem=2G --nice"})
            QVERIFY2(calls.contains(QLatin1String(word)), qPrintable(calls));
        QCOMPARE(calls.contains(QLatin1String("there sbatch")), !here);
        QCOMPARE(app.clicked("sweep.cancel"), QStringLiteral("Cancelled job 17."));
        QCOMPARE(slurm.calls().contains(QLatin1String("there scancel 17")), !here);
        QVERIFY(slurm.calls().endsWith(QLatin1String("\nscancel 17\n")));

        ShownPanel other;
        QVERIFY(other.open(sweep));
        QCOMPARE(other.field("slurm.partition").text(), QStringLiteral("cpu"));
        QCOMPARE(other.field("slurm.max-running").text(), QStringLiteral("3"));
        QCOMPARE(other.field("slurm.sbatch").text(), QString()); // anybody's folder says nothing that is run
        QCOMPARE(other.field("slurm.through").text(), QString());
    }

    // Where no sweep is open yet, one can be made as well, as soon as there is a question.
    void theEmptyPageOffersBoth() {
        UiFixture ui;
        HeatView view(ui.context);
        QAction* made = ui.context.commands.action("sweep.new");
        const auto* open = find<QPushButton>(view, "emptyState.button");
        auto* make = find<QPushButton>(view, "emptyState.second");
        QVERIFY(open->isVisibleTo(&view) && make->isVisibleTo(&view));
        made->setEnabled(false);
        QVERIFY(!make->isEnabled());
        made->setEnabled(true);
        QVERIFY(make->isEnabled());
        QSignalSpy asked(made, &QAction::triggered);
        make->click();
        QCOMPARE(asked.size(), 1);
    }

    void withoutSlurmThePanelSaysSo() {
        const StubSlurm slurm(false);
        const test::WrittenSweep sweep({test::axis("gbs", "recipe.gbs", {64})}, test::kChunk);
        ShownPanel app;
        QVERIFY(app.open(sweep));
        const auto* note = find<QLabel>(app.panel, "sweep.slurmNote");
        QVERIFY(note->isVisible() && !app.button("sweep.submit").isEnabled());
        app.field("slurm.through").setText(QStringLiteral("ssh login"));
        QVERIFY(!note->isVisible() && app.button("sweep.submit").isEnabled());
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
