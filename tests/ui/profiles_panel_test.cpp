// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/edit/edit.h"
#include "core/exchange/imports/import.h"
#include "core/store/store.h"
#include "tests/ui/app_fixture.h"
#include "ui/profiles/coverage.h"
#include "ui/profiles/profile_sources.h"
#include "ui/profiles/profiles_panel.h"

#include <QAbstractItemModelTester>
#include <QDir>
#include <QFileInfo>
#include <QPushButton>
#include <QStackedWidget>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>

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

struct Panel : AppFixture {
    QTemporaryDir folder;
    QString store = folder.filePath(QStringLiteral("deep/profiles.db"));
    ProfilesPanel* panel;
    Panel() {
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
    made.rows = {{QStringLiteral("A100-40"), 1, {{Provenance::Measured, 0.017}, {}}}};
    coverage.setCoverage(made);
    QCOMPARE(coverage.index(0, 2).data(), QStringLiteral("0.017"));
    QCOMPARE(coverage.index(0, 3).data(), QStringLiteral("\u2234"));
}

void ProfilesPanelTest::emptySaysEstimates() {
    Panel app;
    QVERIFY(app.panel->findChild<QWidget*>(QStringLiteral("profiles.empty"))->isVisible());
    QVERIFY(!QFileInfo::exists(app.store)); // looking does not make a database
    QVERIFY(app.panel->coverage()->coverage().estimated > 0);
    QCOMPARE(app.panel->coverage()->coverage().measured, 0);
}

void ProfilesPanelTest::rowsGoToProjectAndStore() {
    Panel app;
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
    Panel app;
    app.take(found());
    const Coverage& c = app.panel->coverage()->coverage();
    const auto cell = [&](const char* kind, int tp, int mbs) {
        const auto column =
            std::find(c.microbatches.begin(), c.microbatches.end(), mbs) - c.microbatches.begin();
        for (const Coverage::Row& r : c.rows)
            if (r.kind == QLatin1String(kind) && r.tp == tp)
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

QTEST_MAIN(ProfilesPanelTest)
#include "profiles_panel_test.moc"
