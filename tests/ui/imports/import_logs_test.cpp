// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/training_logs.h"
#include "tests/ui/imports/dropped.h"

#include <QComboBox>
#include <QTableView>

using namespace pw;

// Training logs in the import dialog: what they are taken for, alone and beside others.
class ImportLogsTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    QString file(const char* name, const QByteArray& bytes) { return fileIn(m_folder, name, bytes); }
    // What rank 0 prints of the run, and what the last one does.
    static QByteArray arguments() { return QByteArray(kMegatronLog).left(cut()); }
    static QByteArray steps() { return QByteArray(kMegatronLog).mid(cut()); }
    static qsizetype cut() { return QByteArray(kMegatronLog).indexOf(" [2026"); }

private Q_SLOTS:
    // The log of a run lists the arguments of its trainer, too, and is a run all the same: of several, runs
    // of one machine. As arguments it is taken where that is asked for.
    void trainingLogsAreRuns() {
        const QString one = file("one.log", kMegatronLog), two = file("two.log", kMegatronLog);
        {
            Dropped app;
            QSignalSpy chosen(&app.dialog, &ImportDialog::runsChosen);
            QVERIFY(app.drop({one, two}));
            QVERIFY2(app.mayImport(), qPrintable(app.notes()));
            for (const ImportedFile& log : app.dialog.reading()->files) {
                QCOMPARE(log.kind, QStringLiteral("training-log"));
                QVERIFY2(log.summary.contains(QStringLiteral("Megatron-LM")), qPrintable(log.summary));
            }
            QCOMPARE(app.find<QTableWidget>("import.files")->item(0, 1)->text(),
                     QStringLiteral("Training log"));
            const auto* table = app.find<QTableView>("import.table.Runs");
            QVERIFY(table);
            QCOMPARE(table->model()->rowCount(), 2);
            app.import();
            QCOMPARE(chosen.size(), 1);
            QCOMPARE(chosen.front().front().toStringList(), (QStringList{one, two}));
            QVERIFY(app.untouched());
        }
        Dropped app;
        QVERIFY(app.drop({one}));
        auto* kind = app.find<QComboBox>("import.kind");
        kind->setCurrentIndex(kind->findData(QStringLiteral("megatron-args")));
        QSignalSpy shown(&app.dialog, &ImportDialog::readingShown);
        Q_EMIT kind->activated(kind->currentIndex());
        QVERIFY(shown.wait(60'000));
        QVERIFY2(app.mayImport(), qPrintable(app.notes())); // --vocab-size is not listed
        app.import();
        QCOMPARE(app.document.project()->model->vocab, 32256);
        QCOMPARE(app.document.project()->recipe.gbs, 64);
    }

    void trainingLogsThatCannotBeRead() {
        const QString titan = file("titan.log", kTitanLog), log = file("one.log", kMegatronLog);
        {
            Dropped app; // known for what it is, and told what is missing
            QVERIFY(app.drop({titan}));
            QVERIFY(app.dialog.reading()->refused());
            QCOMPARE(app.dialog.reading()->files.front().kind, QStringLiteral("training-log"));
            QVERIFY2(app.notes().contains(QStringLiteral("table of runs")), qPrintable(app.notes()));
        }
        {
            Dropped app; // one mistake, not two
            QVERIFY(app.drop({titan, log}));
            QVERIFY(app.dialog.reading()->refused());
            QCOMPARE(app.find<QTableWidget>("import.notes")->rowCount(), 1);
        }
        Dropped app;
        QVERIFY(app.drop({log, QStringLiteral(PW_SOURCE_DIR "/samples/models/hf/llama3-8b/config.json")}));
        QVERIFY(app.dialog.reading()->refused());
        QVERIFY2(app.notes().contains(QStringLiteral("without other files")), qPrintable(app.notes()));
        QVERIFY(!app.mayImport());
    }

    // As Megatron-LM prints into a file a rank: rank 0 the arguments, the last one the steps, or why there
    // are none.
    void twoRanksAreOneRun_data() {
        QTest::addColumn<QByteArray>("last");
        QTest::addColumn<QString>("says");
        QTest::newRow("steps") << steps() << QStringLiteral(" s a step");
        QTest::newRow("out of memory")
            << QByteArray("torch.OutOfMemoryError: CUDA out of memory. Tried to allocate\n")
            << QStringLiteral("out of memory");
    }
    void twoRanksAreOneRun() {
        QFETCH(QByteArray, last);
        QFETCH(QString, says);
        const QString zero = file("rank0.log", arguments()), other = file("rank15.log", last);
        for (const QStringList& paths : {QStringList{zero, other}, QStringList{other, zero}}) {
            Dropped app;
            QSignalSpy chosen(&app.dialog, &ImportDialog::runsChosen);
            QVERIFY(app.drop(paths));
            QVERIFY2(app.mayImport(), qPrintable(app.notes()));
            for (const ImportedFile& log : app.dialog.reading()->files) {
                QCOMPARE(log.kind, QStringLiteral("training-log"));
                QVERIFY2(log.summary.contains(log.path == zero ? QStringLiteral("rank15.log") : says),
                         qPrintable(log.summary));
            }
            const auto* table = app.find<QTableView>("import.table.Runs");
            QVERIFY(table);
            QCOMPARE(table->model()->rowCount(), 1);
            QCOMPARE(table->model()->index(0, 0).data().toString(), QStringLiteral("rank15.log"));
            app.import();
            QCOMPARE(chosen.size(), 1);
            QCOMPARE(chosen.front().front().toStringList(), paths); // which are joined again
        }
    }

    // Each alone is what it was; beside a log of another run it is told so.
    void aPartAloneIsNoLog() {
        const QString zero = file("rank0.log", arguments());
        {
            Dropped app;
            QVERIFY(app.drop({zero}));
            QVERIFY(app.dialog.reading()->files.front().kind != QStringLiteral("training-log"));
        }
        {
            Dropped app;
            QVERIFY(app.drop({file("oom.log", "torch.OutOfMemoryError: CUDA out of memory\n")}));
            QVERIFY(app.dialog.reading()->refused());
            QVERIFY(app.dialog.reading()->files.front().kind.isEmpty());
        }
        const QString other =
            file("other.log", steps() + " iteration 5/ 100 | elapsed time per iteration (ms): "
                                        "2000.0 | global batch size:   128 |\n");
        Dropped app;
        QVERIFY(app.drop({zero, other}));
        QVERIFY(app.dialog.reading()->refused());
        QVERIFY2(app.notes().contains(QStringLiteral("not of one run")), qPrintable(app.notes()));
        QCOMPARE(app.find<QTableWidget>("import.notes")->rowCount(), 1);
        for (const ImportedFile& log : app.dialog.reading()->files)
            QCOMPARE(log.refused, log.path == other);
    }
};

QTEST_MAIN(ImportLogsTest)
#include "import_logs_test.moc"
