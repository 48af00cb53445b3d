// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later

// Everything that can be dropped into the import dialog: what is shown of it, and that nothing happens before
// "Import" is pressed, or ever to what is refused.
#include "core/base/file.h"
#include "core/document/plan_document.h"
#include "core/edit/edit.h"
#include "core/exchange/imports/import_table.h"
#include "core/exchange/imports/measurements/profile_file.h"
#include "core/store/store.h"
#include "tests/exchange/made_run.h"
#include "tests/exchange/sample_plan.h"
#include "tests/exchange/typed_files.h"
#include "tests/test_data.h"
#include "tests/ui/imports/dropped.h"
#include "tests/ui/settle.h"
#include "ui/base/convert.h"
#include "ui/imports/import_notes.h"
#include "ui/imports/source_pane.h"
#include "ui/imports/text_place.h"
#include "ui/widgets/message_bar.h"

#include <nlohmann/json.hpp>

#include <QAbstractItemModelTester>
#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QDirIterator>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTabWidget>
#include <QTableView>
#include <QTemporaryDir>
#include <QTimer>

using namespace pw;

namespace {

QString data(const char* file) {
    return q(test::testData(file).string());
}
QString own(const char* file) {
    return QStringLiteral(PW_SOURCE_DIR "/") + QLatin1String(file);
}

const QStringList kAccepted = {QStringLiteral("hf_config_bom.json"), QStringLiteral("topo_m_crlf.txt")};

QStringList filesBelow(const QString& folder) {
    QStringList files;
    QDirIterator walk(folder, QDir::Files, QDirIterator::Subdirectories);
    while (walk.hasNext())
        if (const QString path = walk.next();
            !path.endsWith(QLatin1String(".md")) && !path.contains(QLatin1String("/licences/")))
            files << path;
    files.sort();
    return files;
}

ProfileRow measuredRow(int layer, int mbs) {
    ProfileRow row;
    row.model = "own";
    row.kind = "A100-SXM4-40GB";
    row.layer = layer;
    row.mbs = mbs;
    row.forward = Seconds(0.01 * mbs);
    row.backward = Seconds(0.02 * mbs);
    row.source = "lab";
    return row;
}

} // namespace

class ImportDialogTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    QString file(const char* name, const QByteArray& bytes) { return fileIn(m_folder, name, bytes); }

private Q_SLOTS:
    // One bad file does not hold up the others.
    void aFileIsTakenOutAgain() {
        Dropped app;
        const QString good = data("topology/nvidia_smi_topo_m_4gpu.txt");
        const QString broken = file("broken.json", "{\"model_type\": \"llama\", \"hidden_size\": ");
        QVERIFY(app.drop({good, broken}));
        QVERIFY(app.dialog.reading()->refused());
        auto* files = app.find<QTableWidget>("import.files");
        QCOMPARE(files->rowCount(), 2);
        files->setFocus();
        files->selectRow(1);
        QSignalSpy shown(&app.dialog, &ImportDialog::readingShown);
        app.find<QAction>("import.remove")->trigger();
        QVERIFY(shown.wait(60'000));
        QCOMPARE(files->rowCount(), 1);
        QVERIFY(!app.dialog.reading()->refused());
        files->selectRow(0);
        app.find<QAction>("import.remove")->trigger(); // the last one: as when it was opened
        QCOMPARE(files->rowCount(), 0);
        QVERIFY(!app.dialog.isBusy() && !app.mayImport());
    }

    void filesOfSeveralSortsAreToldApart() {
        Dropped app;
        QVERIFY(app.drop({data("topology/nvidia_smi_topo_m_4gpu.txt"),
                          data("topology/nccl_tests_sendrecv_2gpu.json"),
                          own("samples/models/hf/llama3-8b/config.json")}));
        QVERIFY(app.dialog.reading()->refused());
        const QString notes = app.notes();
        for (const char* said :
             {"nvidia_smi_topo_m_4gpu.txt: Holds machines",
              "nccl_tests_sendrecv_2gpu.json: Holds timed links", "config.json: Holds a model"})
            QVERIFY2(notes.contains(QLatin1String(said)), qPrintable(notes));
        app.dialog.findChild<MessageBar*>()->findChild<QPushButton*>()->click();
        auto* menu = app.find<QMenu>("import.sorts");
        QVERIFY(menu);
        QCOMPARE(menu->actions().size(), 3);
        QSignalSpy shown(&app.dialog, &ImportDialog::readingShown);
        menu->actions()[1]->trigger();
        QVERIFY(shown.wait(60'000));
        QVERIFY(!app.dialog.reading()->refused());
        QCOMPARE(app.find<QTableWidget>("import.files")->rowCount(), 1);
    }

    void showsEveryFile_data() {
        QTest::addColumn<QString>("path");
        QTest::addColumn<bool>("bad");
        for (const char* folder : {"models", "topology", "profiles"})
            for (const QString& path : filesBelow(data(folder)))
                QTest::newRow(qPrintable(path.mid(data("").size()))) << path << false;
        for (const QString& path : filesBelow(data("bad")))
            QTest::newRow(qPrintable(path.mid(data("").size())))
                << path << !kAccepted.contains(QFileInfo(path).fileName());
        for (const char* folder :
             {"samples/models", "samples/clusters", "samples/profiles", "samples/projects"})
            for (const QString& path : filesBelow(own(folder)))
                if (path.endsWith(QLatin1String(".json")) || path.endsWith(QLatin1String(".pwx")) ||
                    path.endsWith(QLatin1String(".gz")))
                    QTest::newRow(qPrintable(path.mid(own("").size()))) << path << false;
    }
    void showsEveryFile() {
        QFETCH(QString, path);
        QFETCH(bool, bad);
        Dropped app;
        app.drawSample();
        QVERIFY(app.drop({path}));
        const ImportReading& reading = *app.dialog.reading();
        QCOMPARE(reading.files.size(), 1u);
        if (!bad) {
            QVERIFY2(!reading.refused(), qPrintable(app.notes()));
            QVERIFY(app.tables() > 0);
            QVERIFY(!app.find<QLabel>("import.heading")->text().isEmpty());
            QVERIFY(!reading.files.front().kind.isEmpty());
            QVERIFY(!reading.files.front().summary.isEmpty());
        } else {
            const Result<Imported> refused = importFile(s(path), "", {});
            QVERIFY(!refused);
            QVERIFY2(reading.refused(), qPrintable(reading.files.front().summary));
            QVERIFY(!app.mayImport());
            QCOMPARE(app.tables(), 0);
            // The same words as on the command line, each mistake in a row of its own.
            QVERIFY2(app.notes().contains(q(refused.error().where)), qPrintable(app.notes()));
            QCOMPARE(app.find<QTableWidget>("import.notes")->rowCount(),
                     static_cast<int>(1 + refused.error().reasons.size()));
            for (const Error& reason : refused.error().reasons) {
                QVERIFY2(app.notes().contains(q(reason.where)), reason.text().c_str());
                QVERIFY2(app.notes().contains(q(reason.message), Qt::CaseInsensitive), reason.text().c_str());
            }
            app.import(); // disabled: does nothing
        }
        QVERIFY(settle());
        QVERIFY(app.untouched());
        QTest::mouseClick(app.find<QPushButton>("import.cancel"), Qt::LeftButton);
        QVERIFY(app.untouched());
    }

    // What the list of broken samples says, seen in the text of the file.
    void showsThePlace_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<int>("line");
        QTest::addColumn<int>("mistakes");
        QTest::newRow("truncated") << "hf_config_truncated.json" << 11 << 1;
        QTest::newRow("three wrong types") << "hf_config_wrong_types.json" << 0 << 3;
        QTest::newRow("negative") << "hf_config_negative.json" << 0 << 2;
        QTest::newRow("nan") << "hf_config_nan.json" << 7 << 1;
        QTest::newRow("duplicate key") << "hf_config_duplicate_key.json" << 10 << 1;
        QTest::newRow("truncated xml") << "nccl_topo_truncated.xml" << 18 << 1;
        QTest::newRow("entities") << "nccl_topo_billion_laughs.xml" << 3 << 1;
        QTest::newRow("external entity") << "nccl_topo_external_entity.xml" << 3 << 1;
        QTest::newRow("unknown link") << "topo_m_unknown_link.txt" << 2 << 1;
        QTest::newRow("hostlist bomb") << "slurm_topology_hostlist_bomb.conf" << 2 << 1;
        QTest::newRow("short row") << "nccl_tests_short_row.txt" << 18 << 1;
        QTest::newRow("two cells of a table") << "aceso_profile_nan.csv" << 4 << 2;
        QTest::newRow("sums") << "DeviceType.A100_tp2_bs4.wrong_sums.json" << 0 << 1;
    }
    void showsThePlace() {
        QFETCH(QString, file);
        QFETCH(int, line);
        QFETCH(int, mistakes);
        const QString path = data("bad/") + file;
        Dropped app;
        QVERIFY(app.drop({path}));
        auto* notes = app.find<QTableWidget>("import.notes");
        QVERIFY2(notes->rowCount() >= mistakes, qPrintable(app.notes()));
        auto* pane = app.dialog.findChild<SourcePane*>();
        QCOMPARE(app.find<QTabWidget>("import.tabs")->currentWidget(), pane);
        // At the start of a pointer's key, or on the line.
        QVERIFY2(pane->place(), qPrintable(app.notes()));
        if (line > 0)
            QCOMPARE(pane->place()->line, line);
        const auto first = pane->place();
        if (mistakes > 1) { // a click on another one leads there
            QTest::mouseClick(notes->viewport(), Qt::LeftButton, {},
                              notes->visualItemRect(notes->item(1, 1)).center());
            QVERIFY(pane->place() && pane->place() != first);
        }
    }

    void findsPlacesInText() {
        const std::string text =
            "{\"a\": {\"x\": [1,\n {\"b/c\": 2}, 3]},\n  \"\xC3\xA9\": \"},\", \"d\": 4}\n";
        QCOMPARE(pointerInJson("/a/x/1/b~1c", text), (std::optional<TextPlace>{{2, 3}}));
        QCOMPARE(pointerInJson("/a/x/2", text), (std::optional<TextPlace>{{2, 14}}));
        QCOMPARE(pointerInJson("/d", text), (std::optional<TextPlace>{{3, 14}}));
        QCOMPARE(pointerInJson("/a/x/7", text), std::optional<TextPlace>());
        QCOMPARE(pointerInJson("/a/nothing", text), std::optional<TextPlace>());
        QCOMPARE(pointerInJson("/a", "{\"b\": \"unclosed"), std::optional<TextPlace>());
        QCOMPARE(placeInText(":12:5", ""), (std::optional<TextPlace>{{12, 5}}));
        QCOMPARE(placeInText(":7 (element gpu)", ""), (std::optional<TextPlace>{{7, 1}}));
        QCOMPARE(placeInText("", "text"), std::optional<TextPlace>());
        QCOMPARE(placeInText(":0", "text"), std::optional<TextPlace>());
    }

    void aModelBecomesTheProjects() {
        Dropped app;
        QVERIFY(app.drop({own("samples/models/gpt-neo-2.7b.json")}));
        QVERIFY(app.mayImport());
        QVERIFY(app.find<QLabel>("import.figures")->text().contains(QStringLiteral("2,651,307,520")));
        QSignalSpy done(&app.dialog, &ImportDialog::imported);
        app.import();
        QCOMPARE(done.size(), 1);
        QVERIFY(app.document.project()->model);
        QCOMPARE(app.document.undoStack()->count(), app.steps + 1);
        app.document.undoStack()->undo();
        QVERIFY(!app.document.project()->model);
    }

    // What no file says is asked for in fields, and blocks until it is answered.
    void machinesAskForWhatIsMissing() {
        const QString hosts = file("hosts", "a slots=8\nb slots=4\n");
        Dropped app;
        app.drawSample();
        QVERIFY(app.drop({hosts}));
        QVERIFY(!app.mayImport());
        QVERIFY(app.find<QLabel>("import.state")->text().contains(QStringLiteral("asked")));
        auto* kind = app.find<QComboBox>("import.device");
        QVERIFY(kind);
        kind->setCurrentIndex(kind->findText(QStringLiteral("A100-SXM4-40GB")));
        Q_EMIT kind->activated(kind->currentIndex());
        QVERIFY(!app.mayImport());
        auto* rate = app.find<QLineEdit>("import.bandwidth");
        QTest::keyClicks(rate, QStringLiteral("fast"));
        QTest::keyClick(rate, Qt::Key_Return);
        QVERIFY(!app.mayImport());
        rate->clear();
        QTest::keyClicks(rate, QStringLiteral("200 Gbit/s"));
        QTest::keyClick(rate, Qt::Key_Return);
        QVERIFY2(app.mayImport(), qPrintable(app.notes()));
        // The network's medium is assumed, and said to be, until it is chosen.
        QVERIFY2(app.notes().contains(QStringLiteral("Ethernet is assumed")), qPrintable(app.notes()));
        auto* medium = app.find<QComboBox>("import.medium");
        QVERIFY(medium);
        medium->setCurrentIndex(medium->findText(QStringLiteral("InfiniBand")));
        Q_EMIT medium->activated(medium->currentIndex());
        QVERIFY(!app.notes().contains(QStringLiteral("Ethernet is assumed")));
        QVERIFY(app.untouched());
        QVERIFY(app.find<QTableView>("import.table.Nodes"));
        app.import();
        const Cluster& cluster = app.cluster();
        QCOMPARE(cluster.switches.front().medium, std::string("InfiniBand"));
        QCOMPARE(cluster.links.front().efficiency, 0.656);
        QCOMPARE(cluster.nodes.size(), 2u);
        QCOMPARE(cluster.nodes[1].kind, std::string("A100-SXM4-40GB"));
        QCOMPARE(cluster.links.front().bandwidth, BytesPerSecond(25e9));
        app.document.undoStack()->undo();
        QCOMPARE(app.document.project(), app.before);
    }

    void filesOfOneHostJoin() {
        const QString matrix = file("topo.txt", test::pairMatrix());
        const QString list = file("gpus.csv", test::pairList());
        Dropped app;
        QVERIFY(app.drop({matrix}));
        QVERIFY(!app.mayImport());
        QVERIFY(app.drop({list})); // the second one completes it
        QCOMPARE(app.dialog.reading()->files.size(), 2u);
        QVERIFY2(app.mayImport(), qPrintable(app.notes()));
        app.import();
        QCOMPARE(app.cluster().nodes.size(), 1u);
        QCOMPARE(app.cluster().nodes[0].gpus, 2);
    }

    void measuredRowsGoToTheStore() {
        const QString path = file(
            "rows.json", QByteArray::fromStdString(printProfiles({measuredRow(1, 1), measuredRow(1, 4)})));
        {
            Dropped app;
            QVERIFY(app.drop({path}));
            QVERIFY(app.mayImport());
            QSignalSpy done(&app.dialog, &ImportDialog::imported);
            app.import();
            QVERIFY(done.size() == 1 || done.wait(60'000));
            QCOMPARE(app.document.project()->profiles.size(), 2u);
            const auto store = ProfileStore::open(s(app.store), ProfileStore::Mode::ReadOnly);
            QVERIFY(store);
            QCOMPARE(store->rows()->size(), 2u);
        }
        {
            Dropped app; // into the store alone
            QVERIFY(app.drop({path}));
            app.find<QCheckBox>("import.use")->setChecked(false);
            QSignalSpy done(&app.dialog, &ImportDialog::imported);
            app.import();
            QVERIFY(done.size() == 1 || done.wait(60'000));
            QCOMPARE(app.document.project(), app.before);
            QVERIFY(QFileInfo::exists(app.store));
        }
    }

    // "A100" is four kinds of the catalogue: the user says which one was measured.
    void kindsOfRowsCanBeNamed() {
        ProfileRow row = measuredRow(1, 1);
        row.kind = "A100";
        const QString path = file("kinds.json", QByteArray::fromStdString(printProfiles({row})));
        Dropped app;
        QVERIFY(app.drop({path}));
        auto* kind = app.find<QComboBox>("import.device");
        QVERIFY(kind);
        kind->setCurrentIndex(kind->findText(QStringLiteral("A100-SXM4-40GB")));
        Q_EMIT kind->activated(kind->currentIndex());
        QSignalSpy done(&app.dialog, &ImportDialog::imported);
        app.import();
        QVERIFY(done.size() == 1 || done.wait(60'000));
        QCOMPARE(app.document.project()->profiles.front().kind, std::string("A100-SXM4-40GB"));
    }

    // A store that takes nothing leaves the project as it was, too.
    void aBrokenStoreStopsTheImport() {
        const QString path = file(
            "rows2.json", QByteArray::fromStdString(printProfiles({measuredRow(1, 1), measuredRow(1, 4)})));
        Dropped app;
        QFile broken(app.store);
        QVERIFY(broken.open(QIODevice::WriteOnly));
        broken.write(QByteArray(8192, 'x'));
        broken.close();
        QVERIFY(app.drop({path}));
        app.import();
        QTRY_VERIFY_WITH_TIMEOUT(!app.dialog.isBusy(), 60'000);
        QVERIFY(settle());
        QVERIFY(app.dialog.isVisible());
        QCOMPARE(app.document.project(), app.before);
        QCOMPARE(app.document.undoStack()->count(), app.steps);
        QVERIFY(broken.open(QIODevice::ReadOnly));
        QCOMPARE(broken.readAll(), QByteArray(8192, 'x'));
    }

    void timedCollectivesGoOntoTheDrawing() {
        const QString path = file("nccl.txt", test::timedCollective("all_reduce_perf"));
        {
            Dropped app; // nothing to put it on
            QVERIFY(app.drop({path}));
            QVERIFY(!app.dialog.reading()->refused());
            QVERIFY(!app.mayImport());
        }
        Dropped app;
        app.drawSample();
        app.document.apply(addLink(*app.document.project(), "n3", "s1"), QStringLiteral("l3"));
        QVERIFY(app.drop({path}));
        QVERIFY(app.find<QTableView>("import.table.Fits"));
        QVERIFY2(app.mayImport(), qPrintable(app.notes()));
        auto* items = app.find<QListWidget>("import.items");
        QCOMPARE(items->item(0)->data(Qt::UserRole).toString(), QStringLiteral("n1"));
        QCOMPARE(items->item(0)->checkState(), Qt::Checked); // of the measured kind
        QCOMPARE(items->item(1)->checkState(), Qt::Unchecked);
        items->item(0)->setCheckState(Qt::Unchecked);
        QVERIFY(!app.mayImport());
        items->item(0)->setCheckState(Qt::Checked);
        QVERIFY(app.untouched());
        QSignalSpy imported(&app.dialog, &ImportDialog::imported);
        app.import();
        QVERIFY(!imported.isEmpty() || imported.wait(60'000));
        const auto store = ProfileStore::open(app.store.toStdString(), ProfileStore::Mode::ReadOnly);
        QVERIFY(store);
        QCOMPARE(store->links()->size(), std::size_t{1}); // kept beside what it did to the drawing
        QCOMPARE(store->links()->front().source, std::string("nccl.txt"));
        QVERIFY(app.cluster().nodes[0].intraBandwidth.value > 0);
        QCOMPARE(app.cluster().nodes[1], app.before->cluster.nodes[1]);
        app.document.undoStack()->undo();
        QCOMPARE(app.document.project(), app.before);
    }

    void aTrainersPlanFindsItsPlace() {
        const QString script =
            file("train.sh",
                 "torchrun pretrain_gpt.py --num-layers 24 --hidden-size 2048 --num-attention-heads 16 \\\n"
                 "  --seq-length 2048 --vocab-size 50304 --swiglu --tensor-model-parallel-size 4 \\\n"
                 "  --micro-batch-size 1 --global-batch-size 64 --fp16\n");
        const Result<std::string> project = readFile(s(own("samples/projects/mixed-16.pwx")));
        QVERIFY(project);
        Dropped app;
        app.document.adopt(*readProject(*project, "mixed-16.pwx"), QString());
        QVERIFY(app.drop({script}));
        QVERIFY2(app.mayImport(), qPrintable(app.notes()));
        QVERIFY(app.find<QTableView>("import.table.Stages"));
        app.import();
        QCOMPARE(app.document.project()->model->blocks, 24);
        QCOMPARE(app.document.project()->recipe.gbs, 64);
        QCOMPARE(app.candidates.all().size(), 1u);
        QCOMPARE(app.selection.plan(), app.candidates.all().front().id);
        QCOMPARE(app.candidates.all().front().origin, QStringLiteral("imported"));
    }

    // A run whose stages tell no layer's time is still one that can be held against its plan.
    void aRunWithoutLayerTimesGoesToItsPlan() {
        const auto problem = sampleProblem();
        Plan plan = samplePlan();
        for (Stage& stage : plan.pipelines.front().stages)
            stage.recompute = Recompute::Selective; // no stage gives any
        const auto evaluation = evaluate(*problem, plan, {.keepOps = true});
        QVERIFY2(evaluation, evaluation ? "" : evaluation.error().text().c_str());
        const QString run =
            file("run.json", QByteArray::fromStdString(printJson(madeRun(*problem, plan, *evaluation))));
        Dropped app;
        QVERIFY(app.drop({run}));
        QVERIFY(app.dialog.reading()->refused());
        QVERIFY2(app.notes().contains(QStringLiteral("no layer times")), qPrintable(app.notes()));
        QSignalSpy chosen(&app.dialog, &ImportDialog::runChosen);
        auto* action = app.find<QPushButton>("messageBar.action");
        QVERIFY(action->isVisible());
        QCOMPARE(action->text(), QStringLiteral("Lay it over its plan"));
        action->click();
        QCOMPARE(chosen.size(), 1);
        QCOMPARE(chosen.front().front().toString(), run);
        QVERIFY(!app.dialog.isVisible());
        QVERIFY(app.untouched());
    }

    void ownFilesComeIn() {
        {
            Dropped app;
            QVERIFY(app.drop({own("samples/clusters/mixed-16.json")}));
            QVERIFY(app.mayImport());
            app.import();
            QCOMPARE(app.cluster().gpuCount(), 16);
        }
        {
            Dropped app;
            QSignalSpy chosen(&app.dialog, &ImportDialog::projectChosen);
            QVERIFY(app.drop({own("samples/projects/mixed-16.pwx")}));
            QVERIFY(app.mayImport());
            app.import();
            QCOMPARE(chosen.size(), 1);
            QVERIFY(app.untouched()); // opening is the window's
        }
        Dropped app;
        app.openSmallProject();
        QVERIFY(app.search());
        const Candidate best = app.candidates.all().front();
        SearchOutcome outcome;
        outcome.plans = {{best.plan, best.evaluation}};
        QString plans;
        for (const DeviceNames names : {DeviceNames::Ranges, DeviceNames::Each}) {
            const Json document = planDocument(*best.problem, outcome, names);
            plans = file("plans.json", QByteArray::fromStdString(printPlanDocument(document, names)));
            app.candidates.clear();
            QVERIFY(app.drop({plans}));
            QVERIFY2(app.mayImport(), qPrintable(app.notes() + app.find<QLabel>("import.state")->text()));
            app.import();
            QCOMPARE(app.candidates.all().size(), 1u);
            QCOMPARE(app.candidates.all().front().key, best.key);
        }
        // Beside another question they are a project of their own.
        Dropped other;
        QSignalSpy made(&other.dialog, &ImportDialog::projectMade);
        QVERIFY(other.drop({plans}));
        other.import();
        QCOMPARE(made.size(), 1);
        QVERIFY(other.untouched());
    }

    void theKindCanBeNamed() {
        const QString path = own("samples/models/gpt-neo-2.7b.json");
        Dropped app;
        QVERIFY(app.drop({path}));
        auto* kind = app.find<QComboBox>("import.kind");
        QVERIFY(kind->count() > 20);
        kind->setCurrentIndex(kind->findData(QStringLiteral("kubernetes")));
        QSignalSpy shown(&app.dialog, &ImportDialog::readingShown);
        Q_EMIT kind->activated(kind->currentIndex());
        QVERIFY(shown.wait(60'000));
        QVERIFY(app.dialog.reading()->refused());
        kind->setCurrentIndex(0);
        Q_EMIT kind->activated(0);
        QVERIFY(shown.wait(60'000));
        QVERIFY(!app.dialog.reading()->refused());
        QVERIFY(app.untouched());
    }

    void previewTablesAreSound() {
        auto reading = std::make_shared<ImportReading>();
        std::vector<ProfileRow> rows;
        for (int i = 0; i < 3000; ++i)
            rows.push_back(measuredRow(i, 1));
        reading->content = std::move(rows);
        const Preview preview = previewOf(reading, nullptr);
        QCOMPARE(preview.tables.size(), 1u);
        QAbstractItemModelTester tester(preview.tables.front().get(),
                                        QAbstractItemModelTester::FailureReportingMode::QtTest);
        QCOMPARE(preview.tables.front()->rowCount(), 3000);
    }

    // A trace that is too long to be held or shown as text: the window goes on, and only its beginning is
    // shown.
    void aLongTraceIsReadBesideTheWindow() {
        QByteArray events;
        for (int i = 0; i < 60'000; ++i)
            events +=
                (i ? "," : "") + QByteArray("{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"gemm_") +
                QByteArray::number(i % 50) + "\",\"ts\":" + QByteArray::number(10 * i) +
                ",\"dur\":5.5,\"args\":{\"device\":0,\"stream\":7,\"correlation\":" + QByteArray::number(i) +
                "}}";
        const QString path =
            file("long.json", "{\"schemaVersion\":1,\"deviceProperties\":[{\"id\":0,\"name\":"
                              "\"NVIDIA A100-SXM4-80GB\"}],\"traceEvents\":[" +
                                  events + "]}");
        QVERIFY(QFileInfo(path).size() > 5'000'000);
        Dropped app;
        app.before = app.document.project();
        int turns = 0;
        QTimer timer;
        connect(&timer, &QTimer::timeout, &app.dialog, [&] { turns += app.dialog.isBusy(); });
        timer.start(0);
        QSignalSpy shown(&app.dialog, &ImportDialog::readingShown);
        app.dialog.read({path});
        QVERIFY(app.dialog.isBusy());
        QVERIFY(shown.wait(60'000));
        QVERIFY2(turns > 10, qPrintable(QString::number(turns)));
        QVERIFY2(!app.dialog.reading()->refused(), qPrintable(app.notes()));
        QCOMPARE(app.dialog.reading()->files.front().kind, QStringLiteral("kineto"));
        const auto& rows = std::get<std::vector<ProfileRow>>(app.dialog.reading()->content);
        QCOMPARE(rows.size(), std::size_t{50}); // an operator, not a kernel, is a row
        QVERIFY(app.find<QPlainTextEdit>("import.source")->toPlainText().size() < 100'000);
        QVERIFY(app.untouched());
    }

    // A long file is read beside the window, and Esc lets go of it.
    void readingCanBeStopped() {
        const QString path = m_folder.filePath(QStringLiteral("million.json"));
        {
            std::string text = profileFileHead(ProfileFormat::Document);
            for (int i = 0; i < 300'000; ++i)
                text += (i ? profileFileSeparator(ProfileFormat::Document) : "") +
                        printProfile(measuredRow(i % 64, 1 + i / 64), ProfileFormat::Document);
            text += profileFileEnd(ProfileFormat::Document);
            QFile out(path);
            QVERIFY(out.open(QIODevice::WriteOnly));
            out.write(QByteArray::fromStdString(text));
        }
        Dropped app;
        app.before = app.document.project();
        app.dialog.read({path});
        QVERIFY(app.dialog.isBusy());
        QVERIFY(app.find<QPushButton>("import.stop")->isVisible());
        QVERIFY(!app.mayImport());
        QTest::keyClick(&app.dialog, Qt::Key_Escape);
        QVERIFY(!app.dialog.isBusy());
        QVERIFY(app.dialog.isVisible());
        QVERIFY(!app.mayImport());
        QVERIFY(app.untouched());
        QTest::keyClick(&app.dialog, Qt::Key_Escape);
        QVERIFY(!app.dialog.isVisible());
    }
};

QTEST_MAIN(ImportDialogTest)
#include "import_dialog_test.moc"
