// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/edit/edit.h"
#include "core/exchange/imports/import_table.h"
#include "core/links/link_fit.h"
#include "core/store/store.h"
#include "tests/ui/ui_fixture.h"
#include "ui/base/format.h"
#include "ui/profiles/coverage.h"
#include "ui/profiles/fit_plot.h"
#include "ui/profiles/measurement_table.h"
#include "ui/profiles/profile_sources.h"
#include "ui/profiles/profiles_panel.h"
#include "ui/widgets/message_bar.h"

#include <QAbstractItemModelTester>
#include <QDir>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QStackedWidget>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

#include <cmath>
#include <set>

using namespace pw;

namespace {

ProfileRow row(const char* kind, int tp, int mbs, double seconds) {
    ProfileRow r;
    r.model = "gpt-neo-2.7b";
    r.kind = kind;
    r.layer = 1;
    r.tp = tp;
    r.mbs = mbs;
    r.forward = Seconds(seconds);
    r.backward = Seconds(2 * seconds);
    r.source = "lab notes";
    return r;
}

std::vector<ProfileRow> found() {
    return {row("A100-SXM4-40GB", 1, 1, 0.005), row("A100-SXM4-40GB", 1, 4, 0.02),
            row("V100-SXM2-16GB", 1, 1, 0.03)};
}

struct ShownProfilesPanel : AppFixture {
    QTemporaryDir folder;
    QString store = folder.filePath(QStringLiteral("deep/profiles.db"));
    ProfilesPanel* panel;
    ShownProfilesPanel() {
        drawSample();
        const Result<Model> model = readModelFile(PW_SOURCE_DIR "/samples/models/gpt-neo-2.7b.json");
        if (!model)
            qFatal("%s", model.error().text().c_str());
        Model named = *model;
        named.name = "gpt-neo-2.7b";
        document.apply(setModel(*document.project(), named), QStringLiteral("model"));
        panel = new ProfilesPanel(context, store, &window);
        panel->resize(900, 300);
        window.resize(900, 300);
        window.show();
    }
    // As the import dialog does it.
    bool take(const std::vector<ProfileRow>& rows) {
        QDir().mkpath(QFileInfo(store).absolutePath());
        auto opened = ProfileStore::open(store.toStdString(), ProfileStore::Mode::ReadWrite);
        return opened && opened->add(rows) &&
               document.apply(addProfiles(*document.project(), rows), QStringLiteral("add"));
    }
};

} // namespace

class ProfilesPanelTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void modelsAreSound();
    void emptySaysEstimates();
    void rowsGoToProjectAndStore();
    void coverageTellsThreeKindsApart();
    void coverageHasEmbeddingBlockAndHead();
    void rowsThatPriceNothingSayWhy();
    void coverageAsksForThePlansPrecision();
    void rowsFilterAndSort();
    void aRowShowsItsLine();
    void linesOfCollectives();
    void sharesOfThePlan();
    void exportsASource();
    void aStoreBetweenMachinesIsSaidOnce();
};

void ProfilesPanelTest::modelsAreSound() {
    SourceModel sources;
    QAbstractItemModelTester sourcesTester(&sources, QAbstractItemModelTester::FailureReportingMode::QtTest);
    sources.setSources(profileSources(found(), {}));
    QCOMPARE(sources.rowCount(), 1);
    QCOMPARE(sources.index(0, SourceModel::InProject).data(), QStringLiteral("3"));
    CoverageModel coverage;
    QAbstractItemModelTester coverageTester(&coverage,
                                            QAbstractItemModelTester::FailureReportingMode::QtTest);
    Coverage made;
    made.microbatches = {1, 2};
    made.rows.push_back({QStringLiteral("A100-40"),
                         "A100-SXM4-40GB",
                         1,
                         QStringLiteral("block"),
                         1,
                         {{Provenance::Measured, 0.017}, {}}});
    coverage.setCoverage(made);
    QCOMPARE(coverage.index(0, 3).data(), QStringLiteral("0.017"));
    QCOMPARE(coverage.index(0, 4).data(), QStringLiteral("\u2234"));
}

void ProfilesPanelTest::emptySaysEstimates() {
    ShownProfilesPanel app;
    QVERIFY(app.panel->findChild<QWidget*>(QStringLiteral("profiles.empty"))->isVisible());
    QVERIFY(!QFileInfo::exists(app.store)); // looking does not make a database
    QVERIFY(app.panel->coverage()->coverage().estimated > 0);
    QCOMPARE(app.panel->coverage()->coverage().measured, 0);
}

void ProfilesPanelTest::aStoreBetweenMachinesIsSaidOnce() {
    ShownProfilesPanel app;
    MessageBar* bar = app.panel->findChild<MessageBar*>();
    app.panel->sayJournal(QStringLiteral("NFS"));
    QVERIFY(bar->isVisible());
    QVERIFY2(bar->accessibleName().startsWith(
                 QLatin1String("The store lies on NFS. It is kept without a write-ahead log")),
             qPrintable(bar->accessibleName()));
    QTest::mouseClick(bar->findChild<QToolButton*>(QStringLiteral("messageBar.close")), Qt::LeftButton);
    bar->setMessage(MessageBar::Tone::Info, QStringLiteral("Other."), QStringLiteral("news"));
    app.panel->sayJournal(QStringLiteral("NFS"));
    QCOMPARE(bar->accessibleName(), QStringLiteral("Other. news"));
}

void ProfilesPanelTest::rowsGoToProjectAndStore() {
    ShownProfilesPanel app;
    const int steps = app.document.undoStack()->index();
    QVERIFY(app.take(found()));
    QCOMPARE(app.document.project()->profiles.size(), 3u);
    QCOMPARE(app.document.undoStack()->index(), steps + 1);
    QVERIFY(QFileInfo::exists(app.store));
    QCOMPARE(app.panel->sources()->index(0, SourceModel::InStore).data(), QStringLiteral("3"));
    QVERIFY(!app.panel->findChild<QWidget*>(QStringLiteral("profiles.empty"))->isVisible());

    // Removed from the project they stay in the store, and can be used again.
    auto* table = app.panel->findChild<QTableView*>(QStringLiteral("profiles.sources"));
    table->selectRow(0);
    QTest::mouseClick(app.panel->findChild<QPushButton*>(QStringLiteral("profiles.remove")), Qt::LeftButton);
    QVERIFY(app.document.project()->profiles.empty());
    QCOMPARE(app.panel->sources()->rowCount(), 1);
    QTest::mouseClick(app.panel->findChild<QPushButton*>(QStringLiteral("profiles.use")), Qt::LeftButton);
    QCOMPARE(app.document.project()->profiles.size(), 3u);
    QTest::mouseClick(app.panel->findChild<QPushButton*>(QStringLiteral("profiles.forget")), Qt::LeftButton);
    QCOMPARE(app.panel->sources()->index(0, SourceModel::InStore).data(), QStringLiteral("\u2013"));
    QCOMPARE(app.document.project()->profiles.size(), 3u);
}

void ProfilesPanelTest::coverageTellsThreeKindsApart() {
    ShownProfilesPanel app;
    app.take(found());
    const Coverage& c = app.panel->coverage()->coverage();
    const auto cell = [&](const char* kind, int tp, int mbs) {
        const auto column =
            std::find(c.microbatches.begin(), c.microbatches.end(), mbs) - c.microbatches.begin();
        for (const Coverage::Row& r : c.rows)
            if (r.kind == QLatin1String(kind) && r.layer == 1 && r.tp == tp)
                return r.cells[static_cast<std::size_t>(column)];
        qFatal("there is no such row");
    };
    QCOMPARE(cell("A100-40", 1, 1).provenance, Provenance::Measured);
    QCOMPARE(cell("A100-40", 1, 1).seconds, 0.015);
    QCOMPARE(cell("A100-40", 1, 2).provenance, Provenance::Interpolated);
    QCOMPARE(cell("A100-40", 1, 8).provenance, Provenance::Estimated);
    QCOMPARE(cell("A100-40", 2, 1).provenance, Provenance::Estimated);
    QCOMPARE(c.measured, 3);
    QVERIFY(app.panel->subtitle().contains(QStringLiteral("3 of ")));
}

void ProfilesPanelTest::coverageHasEmbeddingBlockAndHead() {
    ShownProfilesPanel app;
    ProfileRow head = row("A100-SXM4-40GB", 1, 2, 0.004);
    head.layer = static_cast<int>(app.document.project()->model->blocks) + 1;
    QVERIFY(app.take({head}));
    const Coverage& c = app.panel->coverage()->coverage();
    std::set<int> layers;
    for (const Coverage::Row& r : c.rows)
        layers.insert(r.layer);
    QCOMPARE(layers, (std::set<int>{0, 1, head.layer}));
    QCOMPARE(c.measured, 1);
}

// Beside "0 of 132", and away again with the reason.
void ProfilesPanelTest::rowsThatPriceNothingSayWhy() {
    ShownProfilesPanel app;
    const auto* note = app.panel->findChild<QLabel*>(QStringLiteral("profiles.note"));
    const QString why = QStringLiteral("No row applies: rows are of sequence 4096, the recipe has 2048");
    std::vector<ProfileRow> rows = found();
    for (ProfileRow& each : rows)
        each.seq = 4096;
    QVERIFY(app.take(rows));
    QVERIFY(note->isVisible());
    QCOMPARE(note->text(), why);
    const Coverage& c = app.panel->coverage()->coverage();
    QCOMPARE(app.panel->subtitle(),
             QStringLiteral("0 of %1 layer times measured. %2").arg(c.total()).arg(why));

    Recipe recipe = app.document.project()->recipe;
    recipe.seq = 4096;
    app.document.apply(setRecipe(*app.document.project(), recipe), QStringLiteral("recipe"));
    QVERIFY(!note->isVisible());
    QCOMPARE(app.panel->subtitle(), QStringLiteral("3 of %1 layer times measured").arg(c.total()));
}

// Plans compute in fp16 here, since a V100 has no bf16: rows of bf16 are none of theirs.
void ProfilesPanelTest::coverageAsksForThePlansPrecision() {
    ShownProfilesPanel app;
    ProfileRow wide = row("A100-SXM4-40GB", 1, 1, 0.005);
    wide.precision = "bf16";
    QVERIFY(app.take({wide}));
    QCOMPARE(app.panel->coverage()->coverage().measured, 0);
    QVERIFY2(app.panel->subtitle().contains(QStringLiteral("precision bf16, the plans compute in fp16")),
             qPrintable(app.panel->subtitle()));
    wide.precision = "fp16";
    wide.source = "later notes";
    QVERIFY(app.take({wide}));
    QCOMPARE(app.panel->coverage()->coverage().measured, 1);
}

void ProfilesPanelTest::rowsFilterAndSort() {
    ShownProfilesPanel app;
    QVERIFY(app.take(found()));
    auto* table = app.panel->findChild<QTableView*>(QStringLiteral("profiles.measurements"));
    QAbstractItemModelTester tester(table->model(), QAbstractItemModelTester::FailureReportingMode::QtTest);
    QCOMPARE(table->model()->rowCount(), 3);
    table->sortByColumn(MeasurementModel::Mbs, Qt::DescendingOrder);
    QCOMPARE(table->model()->index(0, MeasurementModel::Mbs).data(), QStringLiteral("4"));
    auto* filter = app.panel->findChild<QLineEdit*>(QStringLiteral("profiles.filter"));
    filter->setText(QStringLiteral("v100"));
    QCOMPARE(table->model()->rowCount(), 1);
    QCOMPARE(app.panel->findChild<QLabel*>(QStringLiteral("profiles.count"))->text(),
             QStringLiteral("1 of 3 shown"));
    filter->clear();
    QCOMPARE(table->model()->rowCount(), 3);
}

// 5 ms a sequence with nothing fixed: 3 times that forward and backward.
void ProfilesPanelTest::aRowShowsItsLine() {
    ShownProfilesPanel app;
    QVERIFY(app.take(found()));
    auto* plot = app.panel->findChild<FitPlot*>();
    QVERIFY(!plot->curve());
    auto* matrix = app.panel->findChild<QTableView*>(QStringLiteral("profiles.coverage"));
    matrix->setCurrentIndex(matrix->model()->index(0, 3));
    QVERIFY(plot->curve() && plot->curve()->fitted);
    QCOMPARE(plot->curve()->points.size(), 2u);
    QVERIFY(std::abs(plot->curve()->slope - 0.015) < 1e-9);
    QVERIFY(std::abs(plot->curve()->alpha) < 1e-9);
    matrix->setCurrentIndex(matrix->model()->index(1, 3)); // tp 2
    QVERIFY(!plot->curve());
    const std::optional<FitCurve> one =
        fitCurve(found(), "gpt-neo-2.7b", "V100-SXM2-16GB", 1, 1, QStringLiteral("block"));
    QVERIFY(one && !one->fitted);
}

void ProfilesPanelTest::linesOfCollectives() {
    LinkMeasurement m;
    m.collective = "all_gather";
    m.ranks = 4;
    for (const double bytes : {1e3, 1e6, 1e9})
        m.outOfPlace.push_back({Bytes(bytes), Seconds(30e-6 + bytes / 160e9)});
    m.outOfPlaceFit = fitLink(m.outOfPlace, 0.75);
    const std::vector<FitCurve> curves = fitCurves(m);
    QCOMPARE(curves.size(), 1u);
    QVERIFY(curves[0].fitted && curves[0].logarithmic);
    QVERIFY(curves[0].figures.contains(QStringLiteral("30 us")));
    QVERIFY(curves[0].figures.contains(QStringLiteral("120 GB/s")));
    FitPlot plot;
    plot.setCurve(curves[0]);
    QVERIFY(plot.accessibleDescription().contains(QStringLiteral("alpha")));
    plot.setCurve({}, QStringLiteral("nothing"));
    QVERIFY(!plot.curve());
}

void ProfilesPanelTest::sharesOfThePlan() {
    ShownProfilesPanel app;
    QVERIFY(app.take(found()));
    QVERIFY(!app.panel->findChild<QLabel*>(QStringLiteral("profiles.share"))->isVisible());
    UiFixture planned;
    planned.openSmallProject();
    ProfilesPanel panel(planned.context, app.store, &planned.window);
    planned.window.show();
    QVERIFY(planned.search());
    planned.selection.setPlan(planned.candidates.all().front().id);
    const QString text = panel.findChild<QLabel*>(QStringLiteral("profiles.share"))->text();
    QVERIFY2(text.startsWith(shareText(planned.candidates.all().front().evaluation.measuredShare)),
             qPrintable(text));
}

void ProfilesPanelTest::exportsASource() {
    ShownProfilesPanel app;
    QVERIFY(app.take(found()));
    app.panel->findChild<QTableView*>(QStringLiteral("profiles.sources"))->selectRow(0);
    for (const char* file : {"out.json", "out.csv"}) {
        const QString path = app.folder.filePath(QLatin1String(file));
        QVERIFY(app.panel->exportChosen(path));
        const Result<Imported> back = importFile(path.toStdString(), "", {});
        QVERIFY2(back, back ? "" : back.error().text().c_str());
        QCOMPARE(std::get<std::vector<ProfileRow>>(back->what).size(), 3u);
    }
    QVERIFY(!app.panel->exportChosen(QStringLiteral("/no/such/folder/out.json")));
}

QTEST_MAIN(ProfilesPanelTest)
#include "profiles_panel_test.moc"
