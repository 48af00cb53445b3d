// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/training_logs.h"
#include "tests/ui/runs/run_fixture.h"
#include "ui/base/format.h"
#include "ui/runs/plan_runs_view.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/message_bar.h"

#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QTableView>

#include <cstring>

using namespace pw;

namespace {

const QString kEmulatedRun = QStringLiteral(PW_SOURCE_DIR "/tests/data/runner/run.json");

} // namespace

class PlanRunsTest : public QObject {
    Q_OBJECT

private:
    template <class T>
    T* part(const char* name) const {
        return m_view->findChild<T*>(QLatin1String(name));
    }
    QString cell(const char* table, int row, int column) const {
        const QAbstractItemModel* model = part<QTableView>(table)->model();
        return model->index(row, column).data().toString();
    }
    // Of the stage's operation in the table of residuals, by the words in front of it.
    int rowOf(const QString& stage, const QString& operation) const {
        QString at;
        for (int row = 0; row < part<QTableView>("planRuns.residuals")->model()->rowCount(); ++row) {
            const QString name = cell("planRuns.residuals", row, 0);
            at = name.isEmpty() ? at : name;
            if (at == stage && cell("planRuns.residuals", row, 1) == operation)
                return row;
        }
        return -1;
    }
    static double slowV100(int, int stage, const char* kind, double s) {
        return stage >= 2 && (kind[0] == 'F' || kind[0] == 'B') ? 1.6 * s : s;
    }

    RunFixture* m_app = nullptr;
    PlanRunsView* m_view = nullptr;

private Q_SLOTS:
    void init() {
        m_app = new RunFixture;
        m_view = new PlanRunsView(m_app->context);
        m_view->resize(1100, 260);
        m_view->show();
    }
    void cleanup() {
        delete m_view;
        delete m_app;
    }

    void withoutARunItSaysHowToGetOne() {
        const auto* empty = m_view->findChild<EmptyState*>();
        QVERIFY(empty->isVisible());
        QVERIFY(empty->button()->isVisible());
        QVERIFY(!part<QTableView>("planRuns.residuals")->isVisible());
    }

    void residualsAndCausesOfAMeasuredRun() {
        QVERIFY(m_app->load(m_app->write(QStringLiteral("run.json"), m_app->made(slowV100))));
        QAbstractItemModelTester tester(part<QTableView>("planRuns.residuals")->model());
        QVERIFY(!m_view->findChild<EmptyState*>()->isVisible());
        const int slow = rowOf(QStringLiteral("2"), QStringLiteral("forward"));
        // As under Accuracy: predicted over measured, less one, of what takes 1.6 times as long.
        QCOMPARE(cell("planRuns.residuals", slow, 6), QStringLiteral("\u221237.5 %"));
        QVERIFY(part<QTableView>("planRuns.residuals")
                    ->model()
                    ->headerData(6, Qt::Horizontal, Qt::ToolTipRole)
                    .toString()
                    .startsWith(QStringLiteral("predicted / measured")));
        QCOMPARE(cell("planRuns.residuals", rowOf(QStringLiteral("0"), QStringLiteral("forward")), 6),
                 QStringLiteral("0.0 %"));
        const QAbstractItemModel* causes = part<QTableView>("planRuns.slower")->model();
        QVERIFY(causes->rowCount() >= 2);
        QCOMPARE(cell("planRuns.slower", 0, 1), QStringLiteral("kernel"));
        QVERIFY(cell("planRuns.slower", 0, 2).contains(QStringLiteral("1.60 times")));
        QVERIFY(part<QLabel>("planRuns.summary")->text().startsWith(QStringLiteral("Measured: ")));
        part<QTableView>("planRuns.residuals")->selectRow(slow);
        QCOMPARE(m_app->selection.stage(), 2);
    }

    // What an emulated run is called, and what it may not do.
    void anEmulatedRunIsOfferedAndNeverCalibrates() {
        QSignalSpy offered(&m_app->runs, &PlanRuns::offered), raised(m_view, &View::raiseRequested);
        const std::size_t known = m_app->candidates.all().size();
        m_app->runs.load(kEmulatedRun);
        QVERIFY(offered.wait(60'000));
        QCOMPARE(raised.size(), 1);
        QCOMPARE(m_app->candidates.all().size(), known); // nothing is taken over unasked
        auto* message = m_view->findChild<MessageBar*>();
        QVERIFY(message->isVisible());
        QVERIFY(message->text().contains(QStringLiteral("another cluster")));
        QSignalSpy loaded(&m_app->runs, &PlanRuns::loaded);
        for (QPushButton* button : message->findChildren<QPushButton*>())
            if (button->text() == QStringLiteral("Open its plan beside"))
                button->click();
        QVERIFY(loaded.wait(60'000));
        QCOMPARE(m_app->candidates.all().size(), known + 1);
        QVERIFY(m_app->selection.plan() != m_app->plan);
        // In titles it stands behind "Plan": the file, without the word again.
        QCOMPARE(m_app->candidates.find(m_app->selection.plan())->name, QStringLiteral("runner/run.json"));
        const PlanRunPointer run = m_app->runs.shown(m_app->selection.plan());
        QVERIFY(run && !run->overlay.measured);
        QVERIFY(part<QLabel>("planRuns.summary")
                    ->text()
                    .startsWith(QStringLiteral("Emulated, with tiny widths: ")));
        QVERIFY(part<QLabel>("planRuns.summary")->text().contains(QStringLiteral("No times of these GPUs")));
        const QAbstractItemModel* table = part<QTableView>("planRuns.residuals")->model();
        for (int column = 0; column < table->columnCount(); ++column)
            QVERIFY(!table->headerData(column, Qt::Horizontal)
                         .toString()
                         .contains(QStringLiteral("measured"), Qt::CaseInsensitive));
        QVERIFY(!part<QPushButton>("planRuns.searchAgain")->isEnabled());
        QVERIFY(
            part<QLabel>("planRuns.outcome")->text().contains(QStringLiteral("says nothing about the GPUs")));
        SearchAgain again(m_app->context, m_view); // not by any way
        again.start(run);
        QVERIFY(!again.isRunning());
        QVERIFY(!m_app->document.undoStack()->canUndo());
    }

    void anEmulationSaysHowItKeptItsSlots() {
        Json run = m_app->made();
        run["emulated"] = true;
        run["emulation"] = {{"real_share", 0.9}, {"late_passes", 3}, {"passes", 128}, {"disturbed", true}};
        QVERIFY(m_app->load(m_app->write(QStringLiteral("emulated.json"), run)));
        const QString summary = part<QLabel>("planRuns.summary")->text();
        QVERIFY2(summary.contains(QStringLiteral("3 of 128 passes took longer than theirs")) &&
                     summary.contains(QStringLiteral("more of the machine")),
                 qPrintable(summary));
    }

    void whatIsNoRunIsRefusedWithItsPlace() {
        Json broken = m_app->made();
        broken["ops"][3]["kind"] = "X";
        QVERIFY(!m_app->load(m_app->write(QStringLiteral("broken.json"), broken)));
        const auto* message = m_view->findChild<MessageBar*>();
        QVERIFY(message->isVisible());
        QVERIFY2(message->text().contains(QStringLiteral("\"X\"")), qPrintable(message->text()));
        QVERIFY(m_app->runs.runsOf(m_app->plan).empty());
    }

    // Any other file is told what it is and where it is taken, not what its first line would be as a number.
    void otherFilesAreToldWhereTheyGo_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("says"); // parts
        QTest::newRow("a training log")
            << QByteArray(kMegatronLog) << QStringLiteral("training log of Megatron-LM|Accuracy|Load runs");
        QTest::newRow("the last rank's log") // which has the steps and no arguments
            << QByteArray(std::strstr(kMegatronLog, " [2026"))
            << QStringLiteral("training log of Megatron-LM|no arguments|log of rank 0");
        QTest::newRow("a table of runs")
            << QByteArray("row_id,set\n1,x\n") << QStringLiteral("table of measured runs|Load runs");
        QTest::newRow("a trainer's script") << QByteArray("torchrun pretrain_gpt.py --num-layers 24\n")
                                            << QStringLiteral("Megatron-LM arguments|File > Import");
        QTest::newRow("a file of Pipewright's") << QByteArray("{\"schema\": \"pipewright-plan-1\"}")
                                                << QStringLiteral("Pipewright's own|File > Import");
        QTest::newRow("another log") << QByteArray("[2026-05-01 12:00:00] loading\n")
                                     << QStringLiteral("is text|[2026-05-01|no run.json");
        QTest::newRow("nothing") << QByteArray() << QStringLiteral("is empty|no run.json");
    }
    void otherFilesAreToldWhereTheyGo() {
        QFETCH(QByteArray, text);
        QFETCH(QString, says);
        const QString file = m_app->folder.filePath(QStringLiteral("given.txt"));
        QVERIFY(writeFileAtomically(s(file), text.toStdString()));
        QVERIFY(!m_app->load(file));
        const auto* message = m_view->findChild<MessageBar*>();
        QVERIFY(message->isVisible());
        QVERIFY2(message->text().startsWith(QStringLiteral("given.txt: ")), qPrintable(message->text()));
        for (const QString& part : says.split(QLatin1Char('|')))
            QVERIFY2(message->text().contains(part), qPrintable(message->text()));
        QVERIFY2(!message->text().contains(QStringLiteral("malformed")), qPrintable(message->text()));
    }

    // What the table shows of the update has its line in the list.
    void aSlowOptimizerStandsInTheList() {
        const double more = 0.05 * m_app->candidates.find(m_app->plan)->evaluation.iteration.value;
        const auto slow = [&](int, int stage, const char* kind, double s) {
            return stage == 1 && kind[0] == 'u' ? s + more : s;
        };
        QVERIFY(m_app->load(m_app->write(QStringLiteral("run.json"), m_app->made(slow))));
        QVERIFY(cell("planRuns.residuals", rowOf(QStringLiteral("1"), QStringLiteral("optimizer step")), 6)
                    .startsWith(QChar(0x2212))); // predicted to take less than was measured
        QCOMPARE(part<QTableView>("planRuns.slower")->model()->rowCount(), 1);
        QCOMPARE(cell("planRuns.slower", 0, 1), QStringLiteral("kernel"));
        QVERIFY2(cell("planRuns.slower", 0, 2).startsWith(QStringLiteral("Optimizer steps of ")),
                 qPrintable(cell("planRuns.slower", 0, 2)));
    }

    // A run of the project's question brings its plan where the table has none.
    void aPlanThatIsNotInTheTableComesWithItsRun() {
        const QString file = m_app->write(QStringLiteral("run.json"), m_app->made());
        m_app->candidates.clear();
        QVERIFY(m_app->load(file));
        QCOMPARE(m_app->candidates.all().size(), std::size_t{1});
        QVERIFY(m_app->runs.shown(m_app->selection.plan()));
        m_app->candidates.clear(); // and goes with it
        QVERIFY(m_app->runs.runsOf(m_app->selection.plan()).empty());
    }

    void twoRunsBesideEachOther() {
        QVERIFY(m_app->load(m_app->write(QStringLiteral("a.json"), m_app->made())));
        QVERIFY(!part<QComboBox>("planRuns.beside")->isEnabled());
        QVERIFY(m_app->load(m_app->write(QStringLiteral("b.json"), slowed(m_app->made(), 1.1))));
        const QAbstractItemModel* table = part<QTableView>("planRuns.residuals")->model();
        QCOMPARE(table->columnCount(), 10);
        QVERIFY(table->headerData(7, Qt::Horizontal).toString().endsWith(QStringLiteral("b.json")));
        QCOMPARE(cell("planRuns.residuals", 0, 8), QStringLiteral("\u22129.1 %"));
        QCOMPARE(cell("planRuns.residuals", 0, 9), QStringLiteral("+10.0 %"));
        QCOMPARE(cell("planRuns.residuals", rowOf(QStringLiteral("3"), QStringLiteral("busy")), 9),
                 QStringLiteral("+10.0 %"));
        // The other way round, then alone.
        auto* runs = part<QComboBox>("planRuns.run");
        runs->setCurrentIndex(1);
        Q_EMIT runs->activated(1);
        QCOMPARE(m_app->runs.shown(m_app->plan)->name.section(QLatin1Char('/'), -1),
                 QStringLiteral("b.json"));
        QCOMPARE(table->columnCount(), 7);
        auto* beside = part<QComboBox>("planRuns.beside");
        beside->setCurrentIndex(1);
        Q_EMIT beside->activated(1);
        QCOMPARE(cell("planRuns.residuals", 0, 9), QStringLiteral("\u22129.1 %"));
        part<QPushButton>("planRuns.remove")->click();
        QCOMPARE(m_app->runs.runsOf(m_app->plan).size(), std::size_t{1});
    }

    // Times of different standing have no change.
    void anEmulatedRunBesideAMeasuredOne() {
        QVERIFY(m_app->load(m_app->write(QStringLiteral("a.json"), m_app->made())));
        Json emulated = slowed(m_app->made(), 30.0);
        emulated["emulated"] = true;
        QVERIFY(m_app->load(m_app->write(QStringLiteral("b.json"), emulated)));
        const QAbstractItemModel* table = part<QTableView>("planRuns.residuals")->model();
        QCOMPARE(table->columnCount(), 10);
        for (int row = 0; row < table->rowCount(); ++row)
            QCOMPARE(cell("planRuns.residuals", row, 9), QString());
    }

    void aMeasuredRunCalibratesAndIsSearchedAgain() {
        SearchOptions options;
        options.work = 5'000;
        m_app->runner.setOptions(options);
        Json made = m_app->made(slowV100);
        for (Json& step : made["steps"]) // longer by what the passes are, so that the factors tell it
            step["seconds"] = step["seconds"].get<double>() * 1.5;
        QVERIFY(m_app->load(m_app->write(QStringLiteral("run.json"), made)));
        const Cluster before = m_app->cluster();
        auto* button = part<QPushButton>("planRuns.searchAgain");
        QVERIFY(button->isEnabled());
        QSignalSpy ended(&m_app->runner, &SearchRunner::finished);
        button->click();
        QVERIFY(!button->isEnabled());
        QVERIFY(ended.wait(60'000));
        const QString outcome = part<QLabel>("planRuns.outcome")->text();
        QVERIFY2(outcome.startsWith(QStringLiteral("Calibrated (")), qPrintable(outcome));
        QVERIFY2(outcome.contains(QStringLiteral("V100-SXM2-16GB 0.625")), qPrintable(outcome));
        QVERIFY2(outcome.contains(QStringLiteral("predicted")), qPrintable(outcome));
        // The figures of the sentence are those of the plans.
        const Candidate* best = m_app->candidates.find(m_app->runner.bestId());
        const auto again = evaluate(*m_app->runner.problem(), samplePlan());
        QVERIFY(best && again && best->evaluation.iteration < again->iteration);
        QVERIFY2(outcome.contains(shareText(1.0 - best->evaluation.iteration / again->iteration)),
                 qPrintable(outcome));
        QVERIFY2(!outcome.contains(QStringLiteral("further off")), qPrintable(outcome));
        QVERIFY(m_app->cluster() != before);
        m_app->document.undoStack()->undo();
        QVERIFY(m_app->cluster() == before);
    }

    // The step took as long as predicted although its passes were slower: with their factors it is further
    // off, so that nothing changes until the user has seen that.
    void factorsThatMakeItsOwnRunWorseAreAskedFor() {
        SearchOptions options;
        options.work = 5'000;
        m_app->runner.setOptions(options);
        QVERIFY(m_app->load(m_app->write(QStringLiteral("run.json"), m_app->made(slowV100))));
        const Cluster before = m_app->cluster();
        auto* button = part<QPushButton>("planRuns.searchAgain");
        const auto* outcome = part<QLabel>("planRuns.outcome");
        QCOMPARE(button->text(), QStringLiteral("Calibrate and search again"));
        QSignalSpy ended(&m_app->runner, &SearchRunner::finished);
        button->click();
        QTRY_COMPARE_WITH_TIMEOUT(button->text(), QStringLiteral("Calibrate all the same"), 60'000);
        QVERIFY2(outcome->text().startsWith(QStringLiteral("Not calibrated yet (")) &&
                     outcome->text().contains(QStringLiteral("further off than before: +")) &&
                     outcome->text().contains(QStringLiteral(" in place of ")),
                 qPrintable(outcome->text()));
        QVERIFY(m_app->cluster() == before && !m_app->document.undoStack()->canUndo());
        QVERIFY(ended.isEmpty() && button->isEnabled());
        // Another run of the plan is asked for anew.
        QVERIFY(m_app->load(m_app->write(QStringLiteral("other.json"), m_app->made())));
        m_app->runs.show(m_app->runs.runsOf(m_app->plan).back()->id);
        QCOMPARE(button->text(), QStringLiteral("Calibrate and search again"));
        m_app->runs.show(m_app->runs.runsOf(m_app->plan).front()->id);
        QCOMPARE(button->text(), QStringLiteral("Calibrate all the same"));
        button->click();
        QVERIFY(ended.wait(60'000));
        QVERIFY(m_app->cluster() != before);
        QVERIFY2(outcome->text().startsWith(QStringLiteral("Calibrated (")) &&
                     outcome->text().contains(QStringLiteral("further off than before")),
                 qPrintable(outcome->text()));
        QCOMPARE(button->text(), QStringLiteral("Calibrate and search again"));
    }

    // The plan that was found is in view, and the line above speaks of the run of another.
    void aPlanBehindACalibrationSaysWhereTheRunIs() {
        const auto said = [&] {
            QString text;
            for (const QLabel* label : m_view->findChild<EmptyState*>()->findChildren<QLabel*>())
                text += label->text() + QLatin1Char('\n');
            return text;
        };
        QVERIFY(said().contains(QStringLiteral("No run of this plan")));
        Json made = m_app->made(slowV100);
        for (Json& step : made["steps"])
            step["seconds"] = step["seconds"].get<double>() * 1.5;
        QVERIFY(m_app->load(m_app->write(QStringLiteral("run.json"), made)));
        SearchOptions options;
        options.work = 5'000;
        m_app->runner.setOptions(options);
        QSignalSpy ended(&m_app->runner, &SearchRunner::finished);
        part<QPushButton>("planRuns.searchAgain")->click();
        QVERIFY(ended.wait(60'000));
        const int best = m_app->runner.bestId();
        QVERIFY(best != m_app->plan && m_app->runs.runsOf(best).empty());
        m_app->selection.setPlan(best);
        const QString ran = m_app->candidates.find(m_app->plan)->name;
        QVERIFY2(said().contains(QStringLiteral("This plan has not run")) &&
                     said().contains(QStringLiteral("stands with plan %1,").arg(ran)),
                 qPrintable(said()));
        m_app->selection.setPlan(m_app->plan);
        QVERIFY(part<QTableView>("planRuns.residuals")->isVisible());
    }

    // One step is its own median, fastest and slowest.
    void aRunOfWhichOneStepCounts() {
        Json made = m_app->made();
        QVERIFY(m_app->load(m_app->write(QStringLiteral("three.json"), made)));
        QCOMPARE(cell("planRuns.residuals", 2, 1), QStringLiteral("step, slowest"));
        QVERIFY2(part<QLabel>("planRuns.summary")
                     ->text()
                     .startsWith(QStringLiteral("Measured: steps 1, 2 count, of 3 numbered from 0; ")),
                 qPrintable(part<QLabel>("planRuns.summary")->text()));
        Json last = Json::array();
        for (const Json& op : made["ops"])
            if (op["step"] == 2)
                last.push_back(op);
        made["ops"] = last;
        QVERIFY(m_app->load(m_app->write(QStringLiteral("last.json"), made)));
        m_app->runs.show(m_app->runs.runsOf(m_app->plan).back()->id);
        m_app->runs.setBeside(m_app->plan, -1);
        QVERIFY2(part<QLabel>("planRuns.summary")
                     ->text()
                     .startsWith(QStringLiteral("Measured: step 2 counts, of 3 numbered from 0; ")),
                 qPrintable(part<QLabel>("planRuns.summary")->text()));
        QCOMPARE(cell("planRuns.residuals", 0, 1), QStringLiteral("step"));
        QCOMPARE(cell("planRuns.residuals", 1, 0), QStringLiteral("0"));
        // Beside a run of several they differ there.
        m_app->runs.setBeside(m_app->plan, m_app->runs.runsOf(m_app->plan).front()->id);
        QCOMPARE(cell("planRuns.residuals", 1, 1), QStringLiteral("step, fastest"));
    }
};

QTEST_MAIN(PlanRunsTest)
#include "plan_runs_test.moc"
