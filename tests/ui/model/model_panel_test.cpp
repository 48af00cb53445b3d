// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/edit/edit.h"
#include "core/problem/software_stack.h"
#include "tests/ui/app_fixture.h"
#include "ui/model/layer_model.h"
#include "ui/model/model_panel.h"
#include "ui/model/training_form.h"
#include "ui/widgets/field_guard.h"

#include <QAbstractItemModelTester>
#include <QAbstractItemView>
#include <QApplication>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>

using namespace pw;

namespace {

const QString kModels = QStringLiteral(PW_SOURCE_DIR "/samples/models");

struct ShownModelPanel : AppFixture {
    ModelPanel* panel = new ModelPanel(context, kModels, &window);
    ShownModelPanel() {
        panel->resize(900, 400);
        window.resize(900, 400);
        window.show();
    }
    QLineEdit* edit(const char* name) const { return panel->findChild<QLineEdit*>(QLatin1String(name)); }
    void type(const char* name, const char* text) {
        edit(name)->setText(QString::fromUtf8(text));
        QTest::keyClick(edit(name), Qt::Key_Return);
    }
};

} // namespace

class ModelPanelTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void layerTableIsSound();
    void catalogueGivesAModel();
    void lettersFindAModel();
    void aListWithoutModelsSaysSo();
    void expertsAreShown();
    void badFilesAreRefusedInTheBar();
    void recipeFieldsAreSteps();
    void recipeErrorsStandOnTheField();
    void softwareIsChosen();
    void expertLoadIsOfModelsWithExperts();
    void filterNarrowsTheLayers();
    void noFieldIsSqueezed();
    void tabGoesAsTheFieldsStand();
};

void ModelPanelTest::layerTableIsSound() {
    LayerModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    FineLayer embedding, attention;
    embedding.parameters = 1000;
    attention.index = 1;
    attention.kind = LayerKind::Attention;
    attention.block = 0;
    attention.parameters = 250;
    model.setLayers({embedding, attention});
    QCOMPARE(model.rowCount(), 2);
    QCOMPARE(model.index(0, LayerModel::Parameters).data(), QStringLiteral("1,000"));
    QCOMPARE(model.index(1, LayerModel::Parameters).data(LayerModel::BarRole).toDouble(), 0.25);
    QCOMPARE(model.index(0, LayerModel::Block).data(), QStringLiteral("\u2013"));
    model.setLayers({});
    QCOMPARE(model.rowCount(), 0);
}

void ModelPanelTest::catalogueGivesAModel() {
    ShownModelPanel app;
    auto* catalogue = app.panel->findChild<QComboBox*>(QStringLiteral("model.catalogue"));
    const int at = catalogue->findText(QStringLiteral("gpt-neo-2.7b"));
    QVERIFY2(at >= 0, "samples/models/gpt-neo-2.7b.json ships");
    QVERIFY(app.panel->importModel(catalogue->itemData(at).toString()));
    QVERIFY(app.document.project()->model.has_value());
    QVERIFY(app.panel->findChild<QLabel*>(QStringLiteral("model.totals"))
                ->text()
                .contains(QStringLiteral("2,651,307,520")));
    QCOMPARE(app.panel->layers()->rowCount(), 66); // embedding, 32 x (attention, MLP), head
    app.document.undoStack()->undo();
    QVERIFY(!app.document.project()->model.has_value());
    QCOMPARE(app.panel->layers()->rowCount(), 0);
}

// Where no samples are installed: nothing invites to choose from a list that never opens.
void ModelPanelTest::aListWithoutModelsSaysSo() {
    const QTemporaryDir empty;
    AppFixture app;
    auto* panel = new ModelPanel(app.context, empty.path(), &app.window);
    panel->resize(900, 400);
    app.window.resize(900, 400);
    app.window.show();
    auto* list = panel->findChild<QComboBox*>(QStringLiteral("model.catalogue"));
    QVERIFY(!list->isEnabled());
    QCOMPARE(list->placeholderText(), QStringLiteral("No models installed"));
    bool said = false;
    for (const QLabel* label : panel->findChildren<QLabel*>()) {
        said = said || label->text().contains(QStringLiteral("The samples are missing beside the program."));
        QVERIFY2(!label->text().contains(QStringLiteral("from the list")), qPrintable(label->text()));
    }
    QVERIFY(said);
    QVERIFY(panel->focusField(QStringLiteral("model")));
    QCOMPARE(app.window.focusWidget(), panel->findChild<QWidget*>(QStringLiteral("model.import")));
    QVERIFY(!list->view()->isVisible());
}

void ModelPanelTest::lettersFindAModel() {
    FieldGuard guard; // as in the window
    ShownModelPanel app;
    QVERIFY(QTest::qWaitForWindowActive(&app.window));
    auto* catalogue = app.panel->findChild<QComboBox*>(QStringLiteral("model.catalogue"));
    catalogue->setFocus();
    const int interval = QApplication::keyboardInputInterval();
    QApplication::setKeyboardInputInterval(60'000); // one word, however slow
    QTest::keyClick(catalogue, Qt::Key_L);
    QAbstractItemView* const list = catalogue->view();
    QTRY_VERIFY(list->isVisible());
    QVERIFY(!app.document.project()->model); // nothing is chosen yet
    QTest::keyClicks(list, QStringLiteral("lama3-8b"));
    QTest::keyClick(list, Qt::Key_Return);
    QApplication::setKeyboardInputInterval(interval);
    QTRY_VERIFY(app.document.project()->model);
    QCOMPARE(app.document.project()->model->name, std::string("llama3-8b"));
    QCOMPARE(app.document.undoStack()->index(), 1);
}

void ModelPanelTest::expertsAreShown() {
    ShownModelPanel app;
    QVERIFY(app.panel->importModel(kModels + QStringLiteral("/deepseek-v3.json")));
    const auto shows = [&](const char* label, const char* text) {
        return app.panel->findChild<QLabel*>(QLatin1String(label))->text().contains(QLatin1String(text));
    };
    QVERIFY(shows("model.totals", "37,552,297,472"));
    QVERIFY(shows("model.shape", "256 experts of 2,048, 8 per token, 1 shared of 2,048, 3 dense blocks"));
    QVERIFY(shows("model.shape", "latent attention 512"));
    QVERIFY(app.panel->importModel(kModels + QStringLiteral("/llama3-8b.json")));
    QVERIFY(!shows("model.totals", "active"));
    QVERIFY(!shows("model.shape", "experts"));
}

void ModelPanelTest::badFilesAreRefusedInTheBar() {
    ShownModelPanel app;
    QTemporaryDir folder;
    QFile file(folder.filePath(QStringLiteral("config.json")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("{\"model_type\": \"spoon\"");
    file.close();
    QVERIFY(!app.panel->importModel(file.fileName()));
    QVERIFY(!app.document.project()->model.has_value());
    QCOMPARE(app.document.undoStack()->index(), 0);
}

void ModelPanelTest::recipeFieldsAreSteps() {
    ShownModelPanel app;
    app.type("recipe.gbs", "512");
    QCOMPARE(app.document.project()->recipe.gbs, 512);
    app.type("recipe.seq", "4,096");
    QCOMPARE(app.document.project()->recipe.seq, 4096);
    app.type("recipe.mbs", "1, 2, 4");
    QCOMPARE(app.document.project()->recipe.mbs, (std::vector<std::int64_t>{1, 2, 4}));
    app.type("recipe.reserve", "2 GiB");
    QCOMPARE(app.document.project()->recipe.reserve, gibibytes(2.0));
    auto* precision = app.panel->findChild<QComboBox*>(QStringLiteral("recipe.precision"));
    QTest::keyClick(precision, Qt::Key_Down);
    QCOMPARE(app.document.project()->recipe.precision, Precision::Fp32);
    auto* recompute = app.panel->findChild<QComboBox*>(QStringLiteral("recipe.recompute"));
    QTest::keyClick(recompute, Qt::Key_End);
    QCOMPARE(app.document.project()->recipe.recompute, std::vector<Recompute>{Recompute::Full});
    QCOMPARE(app.document.undoStack()->index(), 6);
    while (app.document.undoStack()->canUndo())
        app.document.undoStack()->undo();
    QCOMPARE(app.document.project()->recipe, Recipe());
    QCOMPARE(app.edit("recipe.mbs")->text(), QStringLiteral("auto"));
}

void ModelPanelTest::recipeErrorsStandOnTheField() {
    ShownModelPanel app;
    for (const char* bad : {"0", "many", "2.5", "-3"}) {
        app.type("recipe.gbs", bad);
        QVERIFY2(!app.panel->findChild<QLabel*>(QStringLiteral("recipe.gbs.note"))->text().isEmpty(), bad);
    }
    app.type("recipe.mbs", "1, x");
    QVERIFY(!app.panel->findChild<QLabel*>(QStringLiteral("recipe.mbs.note"))->text().isEmpty());
    QCOMPARE(app.document.undoStack()->index(), 0);
}

void ModelPanelTest::softwareIsChosen() {
    ShownModelPanel app;
    auto* stack = app.panel->findChild<QComboBox*>(QStringLiteral("recipe.stack"));
    QCOMPARE(stack->currentText(), QStringLiteral("usual"));
    QTest::keyClick(stack, Qt::Key_End);
    const std::string last = softwareStacks().back().name;
    QCOMPARE(app.document.project()->recipe.stack, last);
    QCOMPARE(app.document.project()->recipe.software, *softwareOfStack(last, ""));
    QTest::keyClick(stack, Qt::Key_Home);
    QCOMPARE(app.document.project()->recipe, Recipe());
    // Several at once come from a file; they are shown and kept.
    Recipe joined;
    joined.stack = "nemo+mlperf";
    joined.software = *softwareOfStack(joined.stack, "");
    app.document.apply(setRecipe(*app.document.project(), joined), QStringLiteral("join"));
    QCOMPARE(stack->currentText(), QStringLiteral("nemo+mlperf"));
    app.type("recipe.fit_chance", "90");
    joined.fitChance = 0.9;
    QCOMPARE(app.document.project()->recipe, joined);
    QCOMPARE(app.edit("recipe.fit_chance")->text(), QStringLiteral("90 %"));
    app.type("recipe.fit_chance", "100");
    QVERIFY(!app.panel->findChild<QLabel*>(QStringLiteral("recipe.fit_chance.note"))->text().isEmpty());
    QCOMPARE(app.document.project()->recipe, joined);
}

void ModelPanelTest::expertLoadIsOfModelsWithExperts() {
    ShownModelPanel app;
    QVERIFY(app.panel->importModel(kModels + QStringLiteral("/llama3-8b.json")));
    QVERIFY(!app.edit("recipe.expert_load")->isVisible());
    QVERIFY(app.panel->importModel(kModels + QStringLiteral("/mixtral-8x7b.json")));
    QVERIFY(app.edit("recipe.expert_load")->isVisible());
    app.type("recipe.expert_load", "1.5");
    QCOMPARE(app.document.project()->recipe.expertLoad, 1.5);
}

void ModelPanelTest::filterNarrowsTheLayers() {
    ShownModelPanel app;
    QVERIFY(app.panel->importModel(kModels + QStringLiteral("/gpt-neo-2.7b.json")));
    app.edit("model.filter")->setText(QStringLiteral("head"));
    QCOMPARE(app.panel->findChild<QTableView*>(QStringLiteral("model.layers"))->model()->rowCount(), 1);
}

// At the height that the dock has from the start, 256 px less its title and tabs.
void ModelPanelTest::noFieldIsSqueezed() {
    ShownModelPanel app;
    QVERIFY(app.panel->importModel(kModels + QStringLiteral("/gpt-neo-2.7b.json")));
    for (const int width : {1204, 640}) {
        app.window.resize(width, 204);
        app.panel->resize(width, 204);
        QCoreApplication::processEvents();
        auto* form = app.panel->findChild<QWidget*>(QStringLiteral("trainingForm"));
        QVERIFY(form->height() >= form->minimumSizeHint().height());
        for (const char* name : {"recipe.gbs", "recipe.seq", "recipe.mbs", "recipe.reserve"})
            QVERIFY2(app.edit(name)->height() >= 24, name);
        const auto* reserve = app.edit("recipe.reserve");
        const auto* note = app.panel->findChild<QLabel*>(QStringLiteral("recipe.reserve.note"));
        QVERIFY(note->mapTo(form, QPoint()).y() >= reserve->mapTo(form, QPoint(0, reserve->height())).y());
    }
}

void ModelPanelTest::tabGoesAsTheFieldsStand() {
    ShownModelPanel app;
    for (const char* model : {"/llama3-8b.json", "/deepseek-v3.json"}) { // the second has a field more
        QVERIFY(app.panel->importModel(kModels + QLatin1String(model)));
        const auto* form = app.panel->findChild<TrainingForm*>();
        QStringList asTheyStand, byTab;
        for (const TrainingForm::Field& field : form->fields())
            asTheyStand << QStringLiteral("recipe.") + field.name;
        const QWidget* const first = app.edit("recipe.gbs");
        const QWidget* at = first;
        do {
            if (form->isAncestorOf(at) && at->isVisibleTo(form) && (at->focusPolicy() & Qt::TabFocus) &&
                at->objectName().startsWith(QLatin1String("recipe.")))
                byTab << at->objectName();
            at = at->nextInFocusChain();
        } while (at != first);
        QCOMPARE(byTab, asTheyStand);
    }
}

QTEST_MAIN(ModelPanelTest)
#include "model_panel_test.moc"
