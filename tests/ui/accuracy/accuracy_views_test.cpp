// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later

// The accuracy layout through mouse and keys: points and rows choose runs, figures follow what is left out,
// refused rows say why.

#include "tests/training_logs.h"
#include "tests/ui/accuracy/accuracy_fixture.h"
#include "tests/ui/settle.h"
#include "tests/ui/ui_fixture.h"
#include "ui/accuracy/accuracy_delegate.h"
#include "ui/accuracy/calibration_panel.h"
#include "ui/accuracy/errors_view.h"
#include "ui/accuracy/logged_machine_dialog.h"
#include "ui/accuracy/run_panel.h"
#include "ui/accuracy/run_table_model.h"
#include "ui/accuracy/runs_view.h"
#include "ui/accuracy/scatter_plot.h"
#include "ui/accuracy/scatter_view.h"
#include "ui/accuracy/source_table_model.h"
#include "ui/accuracy/sources_view.h"
#include "ui/base/convert.h"
#include "ui/base/format.h"
#include "ui/widgets/message_bar.h"

#include "core/base/file.h"

#include <nlohmann/json.hpp>

#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTableView>
#include <QTemporaryDir>

using namespace pw;

class AccuracyViewsTest : public QObject {
    Q_OBJECT

private:
    // A point that no other hides.
    static RunRef lonely(const AccuracyStudy& study, const ScatterPlot& plot) {
        return findRun(study, study.chosen(), [&](RunRef run) {
            const QPointF at = plot.positionOf(run);
            return !at.isNull() && plot.runAt(at) == run;
        });
    }

private Q_SLOTS:
    void modelsKeepTheirPromises() {
        UiFixture ui;
        SourceTableModel sources(ui.accuracy);
        RunTableModel runs(ui.accuracy);
        RunFilter filter;
        filter.setSourceModel(&runs);
        using Mode = QAbstractItemModelTester::FailureReportingMode;
        const QAbstractItemModelTester a(&sources, Mode::QtTest), b(&runs, Mode::QtTest),
            c(&filter, Mode::QtTest);
        QVERIFY(predict(ui.accuracy, {"amp_t4", "megatron_v1"}));
        ui.accuracy.setChosen(1);
        filter.setFilter(QStringLiteral("nothing like this"));
        QCOMPARE(filter.rowCount(), 0);
        ui.accuracy.setQuantity(RunQuantity::Memory);
    }

    void sourcesShowTheScores() {
        UiFixture ui;
        QVERIFY(predict(ui.accuracy, {"zero_bubble", "megatron_v1"}));
        SourceTableModel model(ui.accuracy);
        const SourceScore& score = ui.accuracy.source(0)->score;
        const auto text = [&](int row, int column) { return model.index(row, column).data().toString(); };
        QCOMPARE(text(0, SourceTableModel::Median), shareText(score.time.median));
        QCOMPARE(text(0, SourceTableModel::P90), shareText(score.time.p90));
        QCOMPARE(text(0, SourceTableModel::Order), decimalText(score.ranking.medianTau, 2));
        QCOMPARE(text(0, SourceTableModel::Memory), shareText(score.memory.median));
        QCOMPARE(text(0, SourceTableModel::Fits), QStringLiteral("93 of 93"));
        QCOMPARE(text(1, SourceTableModel::Memory), QStringLiteral("\u2013"));
    }

    void furtherSelectedSourcesStandOutByShape() {
        UiFixture ui;
        QVERIFY(predict(ui.accuracy, {"megatron_sc21", "megatron_v1", "alpa", "fms_fsdp"}));
        SourcesView view(ui.context);
        view.resize(700, 300);
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        const auto click = [&](int row, Qt::KeyboardModifiers modifiers) {
            const QRect cell =
                view.table()->visualRect(view.table()->model()->index(row, SourceTableModel::Source));
            QTest::mouseClick(view.table()->viewport(), Qt::LeftButton, modifiers, cell.center());
        };
        click(1, {});
        QCOMPARE(markOf(ui.accuracy, 1), SourceMark::Chosen);
        click(2, Qt::ControlModifier);
        click(3, Qt::ControlModifier);
        QCOMPARE(ui.accuracy.chosen(), 3);
        QVERIFY(markOf(ui.accuracy, 1) != SourceMark::Grey && markOf(ui.accuracy, 2) != SourceMark::Grey);
        QCOMPARE(markOf(ui.accuracy, 0), SourceMark::Grey);
        click(0, {});
        QCOMPARE(ui.accuracy.chosen(), 0);
        QVERIFY(ui.accuracy.compared().empty());
    }

    void clickOnAPointSelectsTheRun() {
        UiFixture ui;
        QVERIFY(predict(ui.accuracy, {"megatron_sc21", "dlperf_v100"}));
        ui.accuracy.setChosen(1);
        ScatterView view(ui.context);
        RunsView runs(ui.context);
        view.resize(660, 640);
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        QVERIFY(settle());
        ScatterPlot& plot = *view.plot();
        QCOMPARE(plot.pointCount(), 22 + 36);
        const RunRef run = lonely(ui.accuracy, plot);
        QVERIFY(run);
        QTest::mouseClick(&plot, Qt::LeftButton, {}, plot.positionOf(run).toPoint());
        QCOMPARE(ui.accuracy.run(), run);
        QCOMPARE(runs.table()->currentIndex().data().toString(), q(ui.accuracy.row(run)->rowId));
        QSignalSpy open(&ui.accuracy, &AccuracyStudy::openRequested);
        QTest::mouseDClick(&plot, Qt::LeftButton, {}, plot.positionOf(run).toPoint());
        QCOMPARE(open.count(), 1);
        QCOMPARE(open.first().first().value<RunRef>(), run);
        // A point of another source chooses that source, too.
        ui.accuracy.setChosen(0);
        const RunRef other = lonely(ui.accuracy, plot);
        ui.accuracy.setChosen(1);
        QTest::mouseClick(&plot, Qt::LeftButton, {}, plot.positionOf(other).toPoint());
        QCOMPARE(ui.accuracy.chosen(), 0);
        QCOMPARE(ui.accuracy.run(), other);
        QTest::keyClick(&plot, Qt::Key_Right);
        QVERIFY(ui.accuracy.run() != other);
    }

    void memoryHasItsOwnPoints() {
        UiFixture ui;
        QVERIFY(predict(ui.accuracy, {"megatron_sc21", "dlperf_v100"}));
        ScatterView view(ui.context);
        const int withTime = view.plot()->pointCount();
        auto* quantity = view.titleTools()->findChild<QComboBox*>(QStringLiteral("accuracy.quantity"));
        quantity->setCurrentIndex(1);
        Q_EMIT quantity->activated(1);
        QCOMPARE(ui.accuracy.quantity(), RunQuantity::Memory);
        QVERIFY(view.plot()->pointCount() > 0 && view.plot()->pointCount() < withTime);
        QCOMPARE(view.plot()->pointCount(), 18); // of the 36 rows, half state their memory
    }

    void worstRunComesFirstAndRefusedOnesSayWhy() {
        UiFixture ui;
        QVERIFY(predict(ui.accuracy, {"amp_t4"}));
        RunsView view(ui.context);
        const QAbstractItemModel& rows = *view.table()->model();
        QCOMPARE(rows.rowCount(), 52);
        double before = 1e9;
        for (int row = 0; row < rows.rowCount(); ++row) {
            const double size = rows.index(row, RunTableModel::Error).data(AccuracySortRole).toDouble();
            QVERIFY(size <= before);
            before = size;
        }
        const QModelIndex last = rows.index(rows.rowCount() - 1, RunTableModel::Measured);
        QVERIFY2(last.data(ReasonRole).toString().startsWith(QStringLiteral("Unsupported, pp: ")),
                 qPrintable(last.data(ReasonRole).toString()));
        QVERIFY(view.table()->columnSpan(rows.rowCount() - 1, RunTableModel::Measured) > 1);
        view.filterLine()->setText(QStringLiteral("unsupported pp"));
        QCOMPARE(rows.rowCount(), 1);
        view.filterLine()->setText(QStringLiteral("nothing like this"));
        QVERIFY(!view.table()->isVisibleTo(&view));
    }

    void deleteLeavesTheRunOutAndEnterOpensIt() {
        UiFixture ui;
        QVERIFY(predict(ui.accuracy, {"dlperf_v100"}));
        SourceTableModel sources(ui.accuracy);
        RunsView view(ui.context);
        RunPanel panel(ui.context);
        view.show();
        view.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&view));
        view.table()->setFocus();
        view.table()->selectRow(0);
        const RunRef run = ui.accuracy.run();
        QVERIFY(run);
        const QString before = sources.index(0, SourceTableModel::P90).data().toString();
        QTest::keyClick(view.table(), Qt::Key_Delete);
        QVERIFY(ui.accuracy.isLeftOut(run));
        QVERIFY(sources.index(0, SourceTableModel::P90).data().toString() != before);
        auto* button = panel.findChild<QPushButton*>(QStringLiteral("accuracy.run.leaveOut"));
        QCOMPARE(button->text(), QStringLiteral("Take back in"));
        button->click();
        QCOMPARE(sources.index(0, SourceTableModel::P90).data().toString(), before);
        QSignalSpy open(&ui.accuracy, &AccuracyStudy::openRequested);
        QTest::keyClick(view.table(), Qt::Key_Return);
        QCOMPARE(open.count(), 1);
    }

    void panelTellsTheRun() {
        UiFixture ui;
        QVERIFY(predict(ui.accuracy, {"zero_bubble"}));
        RunPanel panel(ui.context);
        panel.resize(316, 700);
        panel.show();
        ui.accuracy.setRun({0, 0});
        QVERIFY(QTest::qWaitFor([&] { return panel.maker().detail() != nullptr; }, 300'000));
        const auto text = [&](const char* name) {
            return panel.findChild<QLabel*>(QLatin1String(name))->text();
        };
        QCOMPARE(text("accuracy.run.name"), q(ui.accuracy.row({0, 0})->rowId));
        QVERIFY(text("accuracy.run.source").contains(QStringLiteral("href=\"https://arxiv.org/")));
        QVERIFY(text("accuracy.run.assumptions").contains(QStringLiteral("\u2022")));
        bool saysError = false;
        for (const QLabel* label : panel.findChildren<QLabel*>())
            saysError |= label->text() == errorText(*ui.accuracy.error({0, 0}, RunQuantity::Time));
        QVERIFY(saysError);
    }

    void badTableStandsInTheMessageBar() {
        QTemporaryDir folder;
        UiFixture ui;
        SourcesView view(ui.context);
        view.show();
        const QString path = folder.filePath(QStringLiteral("own.csv"));
        QVERIFY(writeFileAtomically(s(path), "row_id,gpu\nx,y\n"));
        ui.accuracy.loadFiles({path});
        QVERIFY(QTest::qWaitFor([&] { return view.message()->isVisible(); }, 300'000));
        QVERIFY2(view.message()->text().contains(QStringLiteral("own.csv:1")),
                 qPrintable(view.message()->text()));
        QVERIFY(!view.table()->isVisible());
    }

    // From a trainer's log to a run that can be calibrated to, by the fields that the log leaves open.
    void aTrainingLogAsksWhereItRan() {
        QTemporaryDir folder;
        UiFixture ui;
        SourcesView view(ui.context);
        ErrorsView errors(ui.context);
        view.show();
        errors.show();
        auto* calibrate = errors.findChild<QPushButton*>(QStringLiteral("accuracy.calibrate"));
        QVERIFY(!calibrate->isEnabled());
        const QString log = folder.filePath(QStringLiteral("train.log"));
        QVERIFY(writeFileAtomically(s(log), kMegatronLog));
        ui.accuracy.loadFiles({log});
        QTRY_VERIFY_WITH_TIMEOUT(view.findChild<LoggedMachineDialog*>(), 60'000);
        auto* dialog = view.findChild<LoggedMachineDialog*>();
        QVERIFY(dialog->findChild<QLabel*>(QStringLiteral("loggedMachine.logs"))
                    ->text()
                    .startsWith(QStringLiteral("train.log ")));
        auto* gpu = dialog->findChild<QComboBox*>(QStringLiteral("loggedMachine.gpu"));
        auto* accept = dialog->findChild<QPushButton*>(QStringLiteral("loggedMachine.accept"));
        auto* verdict = dialog->findChild<QLabel*>(QStringLiteral("loggedMachine.verdict"));
        QVERIFY(gpu->currentText().isEmpty() && !accept->isEnabled());
        gpu->setEditText(QStringLiteral("abacus"));
        QVERIFY(!accept->isEnabled());
        QVERIFY2(verdict->text().contains(QStringLiteral("abacus")), qPrintable(verdict->text()));
        gpu->setEditText(QStringLiteral("H100 SXM5 80GB HBM3"));
        QVERIFY2(accept->isEnabled(), qPrintable(verdict->text()));
        QVERIFY2(verdict->text().contains(QStringLiteral("H100-SXM-80GB")), qPrintable(verdict->text()));
        accept->click();
        QTRY_COMPARE_WITH_TIMEOUT(ui.accuracy.sources().size(), std::size_t{1}, 60'000);
        QVERIFY((ui.accuracy.run() == RunRef{0, 0}));
        QVERIFY(ui.accuracy.error({0, 0}, RunQuantity::Time).has_value());
        QVERIFY(calibrate->isEnabled());
        QVERIFY(!view.message()->isVisible());
        QTRY_VERIFY_WITH_TIMEOUT(!view.findChild<LoggedMachineDialog*>(), 60'000);
        // The next one begins with the same machine; who does not answer loads nothing.
        ui.accuracy.loadFiles({log});
        QTRY_VERIFY_WITH_TIMEOUT(view.findChild<LoggedMachineDialog*>(), 60'000);
        dialog = view.findChild<LoggedMachineDialog*>();
        QCOMPARE(dialog->machine().gpu, std::string("H100 SXM5 80GB HBM3"));
        dialog->reject();
        QVERIFY(QTest::qWaitFor([&] { return !ui.accuracy.isRunning(); }, 60'000));
        QCOMPARE(ui.accuracy.sources().size(), std::size_t{1});
    }

    void calibrationIsAppliedAsOneUndoableEdit() {
        UiFixture ui;
        QVERIFY(predict(ui.accuracy, {"dlperf_v100"}));
        ui.drawSample(); // has V100 of this kind
        ErrorsView view(ui.context);
        view.show();
        auto* run = view.findChild<QPushButton*>(QStringLiteral("accuracy.calibrate"));
        run->click();
        QCOMPARE(run->text(), QStringLiteral("Cancel"));
        QVERIFY(QTest::qWaitFor([&] { return !view.calibration()->calibrator().isRunning(); }, 300'000));
        const auto& report = view.calibration()->calibrator().report();
        QVERIFY(report);
        QCOMPARE(view.findChild<QLabel*>(QStringLiteral("accuracy.calibration.before"))->text(),
                 shareText(report->before.median));
        const Cluster before = ui.cluster();
        auto* apply = view.findChild<QPushButton*>(QStringLiteral("accuracy.calibration.apply"));
        QVERIFY(apply->isVisible());
        apply->click();
        QVERIFY(ui.cluster() != before);
        QVERIFY(ui.cluster() == calibrated(before, report->calibration));
        QVERIFY(!apply->isEnabled()); // twice would count the fit twice
        ui.document.undoStack()->undo();
        QVERIFY(ui.cluster() == before);
        QVERIFY(apply->isEnabled());
    }

    // What `calibrate --out` of the command line has written does what the window's own fit would do.
    void factorsOfAFileAreAppliedLikewise() {
        UiFixture ui;
        ui.drawSample();
        ErrorsView view(ui.context);
        view.show();
        auto* apply = view.findChild<QPushButton*>(QStringLiteral("accuracy.calibration.apply"));
        const auto* message = view.findChild<QLabel*>(QStringLiteral("accuracy.calibration.message"));
        QVERIFY(view.findChild<QPushButton*>(QStringLiteral("accuracy.calibration.open"))->isEnabled());
        QVERIFY(apply->isHidden());
        const QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("own.json"));
        const Cluster before = ui.cluster();
        Calibration factors;
        factors.kinds[before.nodes.front().kind] = {0.8, 0.9, 1.1};
        factors.software["host"] = 1.25;
        const auto open = [&](const std::string& text) {
            QVERIFY(writeFileAtomically(s(file), text));
            view.calibration()->open(file);
        };
        open(printJson(toJson(factors)));
        QVERIFY(message->text().contains(QStringLiteral("host 1.250")));
        apply->click();
        QVERIFY(ui.cluster() != before);
        QVERIFY(ui.cluster() == calibrated(before, factors));
        QVERIFY(!apply->isEnabled());
        ui.document.undoStack()->undo();
        QVERIFY(ui.cluster() == before);

        open("{\"schema\": \"pipewright-calibration-9\"}");
        QVERIFY(message->text().contains(QStringLiteral("calibrationschema")));
        QVERIFY(apply->isHidden());
        factors.emulated = true;
        open(printJson(toJson(factors)));
        QVERIFY(message->text().contains(QStringLiteral("calibrationemulated")));
        QVERIFY(apply->isHidden());
        view.calibration()->open(folder.filePath(QStringLiteral("none.json")));
        QVERIFY(message->text().contains(QStringLiteral("none.json")));
        QVERIFY(apply->isHidden());
    }
};

QTEST_MAIN(AccuracyViewsTest)
#include "accuracy_views_test.moc"
