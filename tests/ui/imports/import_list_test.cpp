// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later

// The list of files in the import dialog: what is taken out of it again, and which files come together.
#include "core/edit/edit.h"
#include "core/exchange/imports/import_table.h"
#include "core/exchange/imports/measurements/profile_file.h"
#include "core/store/store.h"
#include "tests/exchange/typed_files.h"
#include "tests/ui/imports/dropped.h"
#include "ui/base/convert.h"
#include "ui/widgets/message_bar.h"

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QListWidget>
#include <QTableView>

#include <algorithm>
#include <variant>

using namespace pw;

namespace {

QString shippedSample(const char* file) {
    return QStringLiteral(PW_SOURCE_DIR "/samples/") + QLatin1String(file);
}

const char* const kCluster = "clusters/mixed-16.json"; // eight A100, eight V100
const char* const kModel = "models/gpt-neo-2.7b.json";
const char* const kConfig = "models/hf/llama3-8b/config.json";

// The first block of GPT-Neo on an A100, at sequence 4096.
QByteArray measuredRows() {
    ProfileRow row;
    row.model = "gpt-neo-2.7b";
    row.kind = "A100-SXM4-40GB";
    row.layer = 1;
    row.seq = 4096;
    row.forward = Seconds(0.01);
    row.backward = Seconds(0.02);
    row.source = "lab";
    ProfileRow larger = row;
    larger.mbs = 4;
    larger.forward = Seconds(0.04);
    larger.backward = Seconds(0.08);
    return QByteArray::fromStdString(printProfiles({row, larger}));
}

const QString kWhy = QStringLiteral("No row applies: rows are of sequence 4096, the recipe has 2048");

} // namespace

class ImportListTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    QString file(const char* name, const QByteArray& bytes) { return fileIn(m_folder, name, bytes); }
    QString broken() { return file("broken.json", "{\"model_type\": \"llama\", \"hidden_size\": "); }

    // Imports, and waits until the store has what is its.
    static bool taken(Dropped& app) {
        QSignalSpy done(&app.dialog, &ImportDialog::imported);
        app.import();
        return !done.isEmpty() || done.wait(60'000);
    }

private Q_SLOTS:
    // A refused file that is taken out takes its message with it.
    void theBannerFollowsTheList() {
        Dropped app;
        QVERIFY(app.drop({shippedSample(kModel), broken()}));
        const auto* bar = app.dialog.findChild<MessageBar*>();
        QVERIFY(bar->isVisible());
        QVERIFY(!app.mayImport());
        auto* files = app.find<QTableWidget>("import.files");
        QSignalSpy shown(&app.dialog, &ImportDialog::readingShown);
        files->selectRow(1);
        app.find<QAction>("import.remove")->trigger(); // Del
        QVERIFY2(!bar->isVisible(), "while it is read again");
        QVERIFY(shown.wait(60'000));
        QVERIFY(!bar->isVisible());
        QVERIFY(app.mayImport());
        QVERIFY(app.drop({broken()}));
        QVERIFY(bar->isVisible());
        files->selectAll();
        app.find<QAction>("import.remove")->trigger();
        QVERIFY(!bar->isVisible());
        QVERIFY(!app.mayImport());
    }

    // What one file was refused for is not said of the next.
    void theBannerCountsWhatIsLeft() {
        Dropped app;
        QVERIFY(app.drop({broken(), file("other.json", "{\"model_type\": ")}));
        const auto* bar = app.dialog.findChild<MessageBar*>();
        const QString before = bar->text();
        QVERIFY(app.notes().contains(QStringLiteral("broken.json")));
        QSignalSpy shown(&app.dialog, &ImportDialog::readingShown);
        app.find<QTableWidget>("import.files")->selectRow(0);
        app.find<QAction>("import.remove")->trigger();
        QVERIFY(shown.wait(60'000));
        QVERIFY(bar->isVisible());
        QVERIFY(bar->text() != before);
        QVERIFY2(!app.notes().contains(QStringLiteral("broken.json")), qPrintable(app.notes()));
    }

    void removeStandsBesideTheList() {
        Dropped app;
        QVERIFY(app.drop({shippedSample(kModel), broken()}));
        auto* remove = app.find<QPushButton>("import.removeFiles");
        QVERIFY(remove->isVisible());
        QVERIFY(!remove->isEnabled()); // nothing is selected
        auto* files = app.find<QTableWidget>("import.files");
        files->selectRow(1);
        QVERIFY(remove->isEnabled());
        QSignalSpy shown(&app.dialog, &ImportDialog::readingShown);
        QTest::mouseClick(remove, Qt::LeftButton);
        QVERIFY(shown.wait(60'000));
        QCOMPARE(files->rowCount(), 1);
        QCOMPARE(files->item(0, 0)->toolTip(), shippedSample(kModel));
        QVERIFY(!app.dialog.reading()->refused());
    }

    void ownFilesComeWithOthers_data() {
        QTest::addColumn<QStringList>("paths");
        QTest::addColumn<int>("hidden"); // of the model
        QTest::newRow("a configuration and a cluster")
            << QStringList{shippedSample(kConfig), shippedSample(kCluster)} << 4096;
        QTest::newRow("a cluster and a configuration")
            << QStringList{shippedSample(kCluster), shippedSample(kConfig)} << 4096;
        QTest::newRow("a model and a cluster, both its own")
            << QStringList{shippedSample(kModel), shippedSample(kCluster)} << 2560;
    }
    void ownFilesComeWithOthers() {
        QFETCH(QStringList, paths);
        QFETCH(int, hidden);
        Dropped app;
        app.drawSample();
        QVERIFY(app.drop(paths));
        QVERIFY2(app.mayImport(), qPrintable(app.notes() + app.find<QLabel>("import.state")->text()));
        for (const ImportedFile& read : app.dialog.reading()->files)
            QVERIFY(!read.refused);
        QVERIFY(app.find<QTableView>("import.table.Model"));
        QVERIFY(app.find<QTableView>("import.table.Nodes"));
        const QString happens = app.find<QLabel>("import.happens")->text();
        QVERIFY2(happens.contains(QStringLiteral("The cluster file becomes the drawing")),
                 qPrintable(happens));
        QVERIFY2(happens.contains(QStringLiteral("It replaces the present one")), qPrintable(happens));
        QVERIFY(app.untouched());
        QVERIFY(taken(app));
        QCOMPARE(app.cluster().gpuCount(), 16);
        QVERIFY(app.document.project()->model);
        QCOMPARE(app.document.project()->model->hidden, hidden);
        QCOMPARE(app.document.undoStack()->count(), app.steps + 1);
        app.document.undoStack()->undo();
        QCOMPARE(app.document.project(), app.before);
    }

    // Measured rows are judged by the project as it will be.
    void rowsComeWithTheirModelAndCluster() {
        const QString rows = file("rows.json", measuredRows());
        Dropped app;
        QVERIFY(app.drop({rows, shippedSample(kModel), shippedSample(kCluster)}));
        QVERIFY2(app.mayImport(), qPrintable(app.notes()));
        QVERIFY(!app.find<QCheckBox>("import.asModel")); // they are of the model that comes with them
        QVERIFY(!app.find<QComboBox>("import.device"));  // and the cluster has their kind
        QVERIFY2(app.notes().contains(kWhy), qPrintable(app.notes()));
        QVERIFY(taken(app));
        QCOMPARE(app.cluster().gpuCount(), 16);
        QCOMPARE(app.document.project()->model->name, std::string("gpt-neo-2.7b"));
        QCOMPARE(app.document.project()->profiles.size(), std::size_t{2});
        QCOMPARE(app.document.undoStack()->count(), app.steps + 1);
    }

    // A profile of one block is of all blocks of the model beside it, and its head is the last layer.
    void aProfileIsOfTheModelBesideIt() {
        const QString profile =
            QStringLiteral(PW_SOURCE_DIR "/tests/data/profiles/aceso/gpt_350M_mbs1_tp2_algo0.csv");
        for (const QStringList& paths :
             {QStringList{profile, shippedSample(kModel)}, QStringList{shippedSample(kModel), profile}}) {
            Dropped app;
            QVERIFY(app.drop(paths));
            const auto& rows = std::get<std::vector<ProfileRow>>(app.dialog.reading()->content);
            const Result<Model> model = readModelFile(s(shippedSample(kModel)));
            QVERIFY(model);
            std::int64_t last = 0;
            for (const ProfileRow& row : rows) {
                QCOMPARE(row.model, model->name);
                last = std::max<std::int64_t>(last, row.layer);
            }
            QCOMPARE(last, model->blocks + 1);
        }
    }

    // Rows that go into the store alone do not keep the cluster out.
    void whatStandsBesideComesInWithoutTheRows() {
        const QString rows = file("rows.json", measuredRows());
        Dropped app;
        QVERIFY(app.drop({shippedSample(kCluster), rows}));
        app.find<QCheckBox>("import.use")->setChecked(false);
        QVERIFY(app.mayImport());
        QVERIFY(taken(app));
        QCOMPARE(app.cluster().gpuCount(), 16);
        QVERIFY(app.document.project()->profiles.empty());
        QVERIFY(QFileInfo::exists(app.store));
    }

    void timedLinksGoOntoTheClusterBesideThem() {
        const QString timed = file("nccl.txt", test::timedCollective("all_reduce_perf"));
        Dropped app; // without a drawing of its own
        QVERIFY(app.drop({timed, shippedSample(kCluster)}));
        QVERIFY2(app.mayImport(), qPrintable(app.notes()));
        const auto* items = app.find<QListWidget>("import.items");
        QCOMPARE(items->item(0)->data(Qt::UserRole).toString(), QStringLiteral("n1"));
        QCOMPARE(items->item(0)->checkState(), Qt::Checked);
        QVERIFY(taken(app));
        QCOMPARE(app.cluster().gpuCount(), 16);
        QVERIFY(app.cluster().nodes[0].intraBandwidth.value > 0);
    }

    void contradictionsSayWhatToDo_data() {
        QTest::addColumn<QStringList>("paths");
        QTest::addColumn<int>("refused"); // number of the file that is
        QTest::addColumn<QString>("said");
        const QString hosts = file("hosts", "a slots=8\nb slots=4\n");
        QTest::newRow("two clusters")
            << QStringList{shippedSample(kCluster), shippedSample("clusters/v100-32.json")} << 1
            << "Holds a cluster, and so does another file";
        QTest::newRow("two models") << QStringList{shippedSample(kModel),
                                                   shippedSample("models/opt-350m.json")}
                                    << 1 << "Holds a model, and so does another file";
        QTest::newRow("a model and a configuration")
            << QStringList{shippedSample(kModel), shippedSample(kConfig)} << 0
            << "Holds a model, and so does another file";
        QTest::newRow("a cluster and machines") << QStringList{shippedSample(kCluster), hosts} << 0
                                                << "Holds a cluster, and other files describe machines";
        QTest::newRow("a project and a model")
            << QStringList{shippedSample("projects/mixed-16.pwx"), shippedSample(kConfig)} << 0
            << "Is opened as a whole, in place of the present project";
    }
    void contradictionsSayWhatToDo() {
        QFETCH(QStringList, paths);
        QFETCH(int, refused);
        QFETCH(QString, said);
        Dropped app;
        QVERIFY(app.drop(paths));
        QVERIFY(!app.mayImport());
        const QString line = paths[refused] + QStringLiteral(": ") + said;
        QVERIFY2(app.notes().contains(line), qPrintable(app.notes()));
        QVERIFY2(app.notes().contains(QStringLiteral("the list")), qPrintable(app.notes()));
        const auto& files = app.dialog.reading()->files;
        for (int i = 0; i < paths.size(); ++i)
            QCOMPARE(files[static_cast<std::size_t>(i)].refused, i == refused);
        // What it says helps.
        QSignalSpy shown(&app.dialog, &ImportDialog::readingShown);
        app.find<QTableWidget>("import.files")->selectRow(refused);
        QTest::mouseClick(app.find<QPushButton>("import.removeFiles"), Qt::LeftButton);
        QVERIFY(shown.wait(60'000));
        QVERIFY(!app.dialog.reading()->refused());
    }

    // Rows of another sequence price nothing; that is said before they come in, and stops nothing.
    void rowsThatPriceNothingSayWhy() {
        const QString rows = file("rows.json", measuredRows());
        Dropped app;
        app.drawSample();
        const Result<Model> model = readModelFile(s(shippedSample(kModel)));
        QVERIFY(model);
        app.document.apply(setModel(*app.document.project(), *model), QStringLiteral("model"));
        QVERIFY(app.drop({rows}));
        QVERIFY2(app.notes().contains(rows + QStringLiteral(": ") + kWhy), qPrintable(app.notes()));
        QVERIFY(app.mayImport());
        app.find<QCheckBox>("import.use")->setChecked(false);
        QVERIFY2(!app.notes().contains(kWhy), qPrintable(app.notes()));
        app.find<QCheckBox>("import.use")->setChecked(true);
        QVERIFY(app.notes().contains(kWhy));

        Recipe recipe = app.document.project()->recipe;
        recipe.seq = 4096;
        app.document.apply(setRecipe(*app.document.project(), recipe), QStringLiteral("recipe"));
        QVERIFY(app.drop({rows}));
        QVERIFY2(!app.notes().contains(QStringLiteral("No row applies")), qPrintable(app.notes()));
    }
};

QTEST_MAIN(ImportListTest)
#include "import_list_test.moc"
