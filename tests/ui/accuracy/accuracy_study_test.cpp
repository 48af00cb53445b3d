// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later

// The accuracy study: its figures are those of scoreRuns() over the same rows, own tables join or are refused
// with their place, and a run becomes a project whose plan takes the time that was predicted.

#include "tests/training_logs.h"
#include "tests/ui/accuracy/accuracy_fixture.h"
#include "ui/accuracy/calibrator.h"
#include "ui/accuracy/error_histogram.h"
#include "ui/accuracy/run_detail.h"
#include "ui/base/convert.h"

#include "core/base/file.h"

#include <QApplication>
#include <QSignalSpy>
#include <QTemporaryDir>

#include <cmath>
#include <numeric>

using namespace pw;

class AccuracyStudyTest : public QObject {
    Q_OBJECT

private:
    QTemporaryDir m_folder;

    static void compareScores(const SourceScore& a, const SourceScore& b) {
        QCOMPARE(a.rows, b.rows);
        QCOMPARE(a.scorable, b.scorable);
        QCOMPARE(a.predicted, b.predicted);
        QCOMPARE(a.unsupported, b.unsupported);
        QCOMPARE(a.time.count, b.time.count);
        QCOMPARE(a.time.median, b.time.median);
        QCOMPARE(a.time.p90, b.time.p90);
        QCOMPARE(a.time.bias, b.time.bias);
        QCOMPARE(a.memory.count, b.memory.count);
        QCOMPARE(a.memory.median, b.memory.median);
        QCOMPARE(a.fits.fitsWorked, b.fits.fitsWorked);
        QCOMPARE(a.fits.tooLargeFailed, b.fits.tooLargeFailed);
        QCOMPARE(a.ranking.medianTau, b.ranking.medianTau);
    }
    static std::string smallTable() {
        return *readFile(std::string(PW_SOURCE_DIR) + "/tests/data/runs-small.csv");
    }
    QString write(const QString& name, const std::string& text) const {
        const QString path = m_folder.filePath(name);
        return writeFileAtomically(s(path), text) ? path : QString();
    }

private Q_SLOTS:
    void figuresAreThoseOfScoreRuns() {
        const std::vector<std::string> names = {"dlperf_v100", "amp_t4", "sailor_rtx"};
        AccuracyStudy study;
        QVERIFY(study.sources().empty());
        QVERIFY(predict(study, names));
        QCOMPARE(study.sources().size(), names.size());
        for (const StudySource& source : study.sources()) {
            const auto table =
                std::find_if(publishedTables().begin(), publishedTables().end(),
                             [&](const PublishedTable& t) { return q(t.label) == source.title; });
            const auto runs = readPublished(*table);
            QVERIFY(runs);
            const auto predictions = predictRuns(runs->rows, 1, {}, {}, runs->layers);
            compareScores(source.score, scoreRuns(table->name, runs->rows, predictions));
            QVERIFY(source.score.time.count > 0);
            for (std::size_t i = 0; i < predictions.size(); ++i)
                QCOMPARE(source.predictions[i].iterTimeS, predictions[i].iterTimeS);
        }
        QCOMPARE(study.chosen(), 0);
    }

    void leavingOutARunChangesTheFigures() {
        AccuracyStudy study;
        QVERIFY(predict(study, {"dlperf_v100"}));
        const SourceScore before = study.source(0)->score;
        const RunRef worst = findRun(study, 0, [&](RunRef run) {
            return std::abs(study.error(run, RunQuantity::Time).value_or(0.0)) > before.time.p90;
        });
        QVERIFY(worst);
        QSignalSpy changed(&study, &AccuracyStudy::changed);
        study.setLeftOut(worst, true);
        QCOMPARE(changed.count(), 1);
        const SourceScore& after = study.source(0)->score;
        QCOMPARE(after.time.count, before.time.count - 1);
        QVERIFY(after.time.p90 < before.time.p90);
        QVERIFY(!study.source(0)->counted[static_cast<std::size_t>(worst.row)]);
        std::vector<RunRow> rows = study.source(0)->rows;
        std::vector<RunPrediction> predictions = study.source(0)->predictions;
        rows.erase(rows.begin() + worst.row);
        predictions.erase(predictions.begin() + worst.row);
        compareScores(after, scoreRuns("", rows, predictions));
        study.setLeftOut(worst, false);
        compareScores(study.source(0)->score, before);
    }

    void histogramAddsUpAndWeighsSourcesEqually() {
        AccuracyStudy study;
        QVERIFY(predict(study, {"dlperf_v100", "megatron_v1"}));
        const ErrorHistogram first = errorHistogram(study.sources(), 0, RunQuantity::Time);
        const ErrorHistogram second = errorHistogram(study.sources(), 1, RunQuantity::Time);
        QCOMPARE(first.sources, 2);
        QCOMPARE(first.runs, study.source(0)->score.time.count);
        const auto sum = [](const auto& bins) { return std::accumulate(bins.begin(), bins.end(), 0.0); };
        QVERIFY(std::abs(sum(first.chosen) - 1.0) < 1e-9);
        QVERIFY(std::abs(sum(first.all) - 1.0) < 1e-9);
        for (std::size_t i = 0; i < first.all.size(); ++i)
            QVERIFY(std::abs(first.all[i] - (first.chosen[i] + second.chosen[i]) / 2.0) < 1e-9);
        QVERIFY(first.within10 > 0.0 && first.within10 <= first.within25);
        QCOMPARE(errorHistogram(study.sources(), 1, RunQuantity::Memory).runs, 0);
    }

    void ownTableJoinsIsReplacedAndRemoved() {
        AccuracyStudy study;
        QVERIFY(predict(study, {"megatron_v1"}));
        const QString path = write(QStringLiteral("mine.csv"), smallTable());
        study.loadFiles({path});
        QVERIFY(QTest::qWaitFor([&] { return !study.isRunning(); }, 60'000));
        QCOMPARE(study.sources().size(), std::size_t{2});
        QCOMPARE(study.chosen(), 1);
        QCOMPARE(study.source(1)->title, QStringLiteral("mine"));
        QVERIFY(study.source(1)->own && study.source(1)->score.time.count > 5);
        study.setRun({1, 0});
        study.loadFiles({path});
        QVERIFY(QTest::qWaitFor([&] { return !study.isRunning(); }, 60'000));
        QCOMPARE(study.sources().size(), std::size_t{2});
        study.removeSource(0); // ships: stays
        QCOMPARE(study.sources().size(), std::size_t{2});
        study.removeSource(1);
        QCOMPARE(study.sources().size(), std::size_t{1});
        QCOMPARE(study.chosen(), 0);
    }

    // No log says where it was printed: nothing is predicted before that is answered, and nothing is lost.
    void trainingLogsAreRunsOfOneMachine() {
        AccuracyStudy study;
        QSignalSpy asked(&study, &AccuracyStudy::machineAsked), failed(&study, &AccuracyStudy::failed);
        const QStringList logs = {write(QStringLiteral("one.log"), kMegatronLog),
                                  write(QStringLiteral("two.log"), kMegatronLog)};
        study.loadFiles(logs);
        QVERIFY(!asked.isEmpty() || asked.wait(60'000));
        QCOMPARE(asked.first().front().toStringList(), logs);
        QVERIFY(study.sources().empty() && study.waiting() == 0 && failed.isEmpty());
        study.loadFiles(logs, {"H100-SXM-80GB", "8x400Gb/s InfiniBand per node", 8});
        QVERIFY(QTest::qWaitFor([&] { return !study.isRunning(); }, 60'000));
        QCOMPARE(asked.size(), 1);
        QCOMPARE(study.sources().size(), std::size_t{1});
        QCOMPARE(study.chosen(), 0);
        const StudySource& source = *study.source(0);
        QVERIFY(source.own);
        QCOMPARE(source.title, QStringLiteral("one and 1 more"));
        QCOMPARE(source.rows.size(), std::size_t{2});
        QCOMPARE(source.rows[1].rowId, std::string("two.log"));
        for (const RunRef run : {RunRef{0, 0}, RunRef{0, 1}}) {
            QVERIFY2(study.prediction(run)->status == PredictionStatus::Ok,
                     study.prediction(run)->remarks.c_str());
            QCOMPARE(study.measured(run, RunQuantity::Time).value_or(0.0), 2.0);
            QVERIFY(study.predicted(run, RunQuantity::Time).value_or(0.0) > 0.0);
            QVERIFY(study.error(run, RunQuantity::Time).has_value());
        }
        QCOMPARE(study.lastMachine().gpu, std::string("H100-SXM-80GB"));
        study.loadFiles({logs.front()}, study.lastMachine()); // in place of what began with it
        QVERIFY(QTest::qWaitFor([&] { return !study.isRunning(); }, 60'000));
        QCOMPARE(study.sources().size(), std::size_t{1});
        QCOMPARE(study.source(0)->rows.size(), std::size_t{1});
        QVERIFY((study.run() == RunRef{0, 0})); // the only one is the one in view
    }

    void aLogThatIsNoneIsRefusedByItsName() {
        AccuracyStudy study;
        QSignalSpy asked(&study, &AccuracyStudy::machineAsked), failed(&study, &AccuracyStudy::failed);
        study.loadFiles({write(QStringLiteral("notes.txt"), "nothing of a run\n")});
        QVERIFY(!failed.isEmpty() || failed.wait(60'000));
        QVERIFY(asked.isEmpty());
        const Error error = failed.first().at(1).value<Error>();
        QCOMPARE(error.where, std::string("notes.txt")); // without its folders
        QCOMPARE(error.code, std::string("log.steps"));
    }

    // Whatever is being predicted goes on behind the user's own runs.
    void ownRunsDoNotWaitForThePublishedOnes() {
        AccuracyStudy study;
        study.start(shippedTables({"megatron_v1", "vtrain_single"}));
        study.loadFiles({write(QStringLiteral("mine.csv"), smallTable())});
        QVERIFY(QTest::qWaitFor([&] { return !study.isRunning(); }, 60'000));
        QCOMPARE(study.sources().size(), std::size_t{3});
        QCOMPARE(study.waiting(), 0);
        for (const StudySource& source : study.sources())
            for (const RunPrediction& prediction : source.predictions)
                QVERIFY2(prediction.remarks.find("stopped") == std::string::npos, prediction.remarks.c_str());
        QVERIFY(study.source(study.chosen())->own);
    }

    void badTableIsRefusedWithItsPlace_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("place");
        const std::string good = smallTable();
        std::string number = good;
        const auto second = number.find('\n', number.find('\n') + 1) + 1;
        number.replace(number.find(",,16,4,", second), 7, ",,few,4,");
        std::string column = good;
        column.replace(column.find("gpu_mem_gb"), 10, "gpu_memory");
        QTest::newRow("a number that is none")
            << QByteArray::fromStdString(number) << QStringLiteral("bad.csv:3:");
        std::string latin = good; // as a spreadsheet saves it; once it ended the window
        latin.replace(latin.find("GPT", second), 3, "M\xFCn");
        QTest::newRow("another encoding") << QByteArray::fromStdString(latin) << QStringLiteral("bad.csv:3:");
        QTest::newRow("an unknown column")
            << QByteArray::fromStdString(column) << QStringLiteral("bad.csv:1:");
        QTest::newRow("no rows") << QByteArray::fromStdString(good.substr(0, good.find('\n') + 1))
                                 << QStringLiteral("bad.csv: has no rows");
    }
    void badTableIsRefusedWithItsPlace() {
        QFETCH(QByteArray, text);
        QFETCH(QString, place);
        AccuracyStudy study;
        QSignalSpy failed(&study, &AccuracyStudy::failed);
        study.loadFiles({write(QStringLiteral("bad.csv"), text.toStdString())});
        QVERIFY(failed.count() == 1 || failed.wait(60'000));
        const QString said = q(failed.first().at(1).value<Error>().text());
        QVERIFY2(said.contains(place), qPrintable(said));
        QVERIFY(QTest::qWaitFor([&] { return !study.isRunning(); }, 60'000));
        QVERIFY(study.sources().empty());
        QCOMPARE(study.waiting(), 0);
    }

    // Own runs that are still being read when the user stops join what waits.
    void stoppedWhileOwnRunsAreRead() {
        AccuracyStudy study;
        study.start(shippedTables({"megatron_v1", "vtrain_single"}));
        study.loadFiles({write(QStringLiteral("mine.csv"), smallTable())});
        study.stop();
        QVERIFY(QTest::qWaitFor([&] { return !study.isRunning(); }, 60'000));
        QVERIFY(study.waiting() >= 1);
        QVERIFY(std::ranges::none_of(study.sources(), &StudySource::own));
        study.resume();
        QVERIFY(QTest::qWaitFor([&] { return !study.isRunning(); }, 60'000));
        QCOMPARE(study.sources().size(), std::size_t{3});
        QCOMPARE(study.waiting(), 0);
        QVERIFY(study.source(study.chosen())->own);
    }

    // Resumed before what was stopped has ended.
    void resumeAtOnceGoesOn() {
        AccuracyStudy study;
        study.start(shippedTables({"megatron_v1", "vtrain_single"}));
        study.stop();
        study.resume();
        QVERIFY(QTest::qWaitFor([&] { return !study.isRunning(); }, 60'000));
        QCOMPARE(study.sources().size(), std::size_t{2});
        QCOMPARE(study.waiting(), 0);
    }

    void stopKeepsWhatIsDoneAndResumeGoesOn() {
        AccuracyStudy study;
        study.start(shippedTables({"megatron_v1", "vtrain_single"}));
        QVERIFY(study.isRunning());
        QVERIFY(QTest::qWaitFor([&] { return !study.sources().empty(); }, 60'000));
        study.stop();
        QVERIFY(QTest::qWaitFor([&] { return !study.isRunning(); }, 60'000));
        const bool wasStopped = study.waiting() == 1; // or the machine was faster
        QCOMPARE(study.sources().size(), wasStopped ? std::size_t{1} : std::size_t{2});
        study.resume();
        QVERIFY(QTest::qWaitFor([&] { return !study.isRunning(); }, 60'000));
        QCOMPARE(study.sources().size(), std::size_t{2});
        QCOMPARE(study.waiting(), 0);
        for (const RunPrediction& prediction : study.source(1)->predictions)
            QVERIFY2(prediction.remarks.find("stopped") == std::string::npos, prediction.remarks.c_str());
    }

    void projectOfARunAsksTheSameQuestion_data() {
        QTest::addColumn<int>("table");
        for (std::size_t i = 0; i < publishedTables().size(); ++i)
            QTest::newRow(publishedTables()[i].name.c_str()) << static_cast<int>(i);
    }
    void projectOfARunAsksTheSameQuestion() {
        QFETCH(int, table);
        const auto runs = readPublished(publishedTables()[static_cast<std::size_t>(table)]);
        QVERIFY(runs);
        for (const RunRow* row : {&runs->rows.front(), &runs->rows[runs->rows.size() / 2]}) {
            const auto run = runCase(*row, {}, runs->layers);
            QVERIFY2(run, row->rowId.c_str());
            const Project project = projectOfRun(*run, row->rowId);
            const auto problem = problemOf(project);
            QVERIFY2(problem, problem ? "" : problem.error().text().c_str());
            QCOMPARE((*problem)->hash(), run->problem->hash());
            const auto evaluation = evaluate(**problem, run->plan);
            QVERIFY(evaluation);
            QCOMPARE(evaluation->iteration.value, predictRun(*row, {}, runs->layers).iterTimeS);
            std::set<std::pair<double, double>> places;
            for (const Node& node : project.cluster.nodes)
                QVERIFY(places.emplace(node.at.x, node.at.y).second);
        }
    }

    void detailAddsUpToThePrediction() {
        const auto runs = readPublished(publishedTables()[2]);
        QVERIFY(runs);
        const RunDetail detail = makeRunDetail(runs->rows.front(), {}, [] { return false; });
        QVERIFY2(detail.problem.isEmpty(), qPrintable(detail.problem));
        QCOMPARE(detail.iteration, predictRun(runs->rows.front()).iterTimeS);
        const double busy = std::accumulate(detail.busy.begin(), detail.busy.end(), 0.0);
        QVERIFY(std::abs(busy + detail.idle - detail.iteration) < 1e-6 * detail.iteration);
        QVERIFY(detail.exposedTransfer <= detail.idle);
        QVERIFY(!makeRunDetail(RunRow{}, {}, [] { return false; }).problem.isEmpty());
    }

    void calibrationIsThatOfTheFitAndCanBeCancelled() {
        const auto runs = readPublished(publishedTables()[11]);
        QVERIFY(runs);
        Calibrator calibrator;
        calibrator.start(QStringLiteral("small"), runs->rows);
        QVERIFY(calibrator.isRunning());
        QVERIFY(QTest::qWaitFor([&] { return !calibrator.isRunning(); }, 60'000));
        QVERIFY2(calibrator.report(), calibrator.failure() ? calibrator.failure()->message.c_str() : "");
        const auto expected = fitCalibration(runs->rows, {}, {});
        QVERIFY(expected);
        QCOMPARE(calibrator.report()->before.median, expected->before.median);
        QCOMPARE(calibrator.report()->after.median, expected->after.median);
        QVERIFY(calibrator.report()->calibration == expected->calibration);

        calibrator.start(QStringLiteral("again"), runs->rows);
        calibrator.stop();
        QVERIFY(!calibrator.isRunning() && !calibrator.report());
        // start() joins the thread of the one that was stopped: what it still said is not heard.
        QSignalSpy changed(&calibrator, &Calibrator::changed);
        calibrator.start(QStringLiteral("third"), runs->rows);
        QVERIFY(QTest::qWaitFor([&] { return !calibrator.isRunning(); }, 60'000));
        QCOMPARE(changed.count(), 2); // begun and ended
        QVERIFY(calibrator.report());
    }
};

QTEST_MAIN(AccuracyStudyTest)
#include "accuracy_study_test.moc"
