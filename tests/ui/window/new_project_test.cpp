// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/edit/edit.h"
#include "core/exchange/imports/import_table.h"
#include "tests/ui/window_fixture.h"
#include "ui/answers/answers_view.h"
#include "ui/plans/kept_plans.h"
#include "ui/search/option_form.h"
#include "ui/widgets/empty_state.h"
#include "ui/window/dock_area.h"

#include <QAbstractButton>
#include <QComboBox>
#include <QDockWidget>
#include <QLabel>
#include <QPushButton>
#include <QStackedWidget>
#include <QTableView>

using namespace pw;

// A new project is new in every view, and looking at one is not editing it.
class NewProjectTest : public QObject {
    Q_OBJECT

private:
    WindowFolders m_folder;

    static QStringList wordsOf(MainWindow& window) {
        QStringList words;
        for (const auto* label : window.docks().findChildren<QLabel*>())
            if (label->isVisibleTo(&window.docks()))
                words << label->text();
        return words;
    }

private Q_SLOTS:
    void initTestCase() { m_folder.use(); }

    void nothingOfTheOldOneIsLeft() {
        MainWindow window;
        window.resize(1600, 1000);
        window.show();
        QVERIFY(window.openFile(m_folder.smallProjectFile()));
        AppContext& app = window.context();
        SearchOptions options = app.runner.options();
        auto* form = window.docks().findChild<OptionForm*>();
        options.planner = "hyperpipe";
        form->setOptions(options);
        QVERIFY(searched(window));
        auto* answers = window.docks().findChild<AnswersView*>();
        QSignalSpy answered(answers, &AnswersView::answered);
        answers->findChild<QPushButton*>(QStringLiteral("answers.fastest"))->click();
        QVERIFY(answered.wait(120'000));
        const QString model = q(app.document.project()->model->name);
        const QString state = window.docks().findChild<QLabel*>(QStringLiteral("search.state"))->text();
        QVERIFY(wordsOf(window).contains(state));

        app.document.setNewPlans(false); // else it asks
        window.commands().action("file.new")->trigger();
        QVERIFY(app.candidates.all().empty());
        const auto* now = window.docks().findChild<QLabel*>(QStringLiteral("search.state"));
        QCOMPARE(now->text(), QStringLiteral("Nothing searched yet"));
        QVERIFY(
            !window.docks().findChild<QLabel*>(QStringLiteral("search.best"))->isVisibleTo(&window.docks()));
        for (const QString& words : wordsOf(window))
            QVERIFY2(!words.contains(QStringLiteral("stale"), Qt::CaseInsensitive), qPrintable(words));
        const auto* catalogue = window.docks().findChild<QComboBox*>(QStringLiteral("model.catalogue"));
        QVERIFY(!catalogue->placeholderText().contains(model));
        QCOMPARE(catalogue->currentIndex(), -1);
        const auto* sections = answers->findChild<QWidget*>(QStringLiteral("answers.sections"));
        QVERIFY(!sections->isVisibleTo(answers));
        QCOMPARE(app.runner.options().planner, SearchOptions{}.planner);
        QCOMPARE(form->options().planner, SearchOptions{}.planner);
    }

    // A drawing of the start page is a new project; with a model, F5 plans it.
    void eachTemplateLeadsToAPlan() {
        const Result<Model> model = readModelFile(PW_SOURCE_DIR "/samples/models/opt-350m.json");
        QVERIFY(model);
        QStringList names;
        {
            MainWindow window;
            for (const auto* card : window.findChildren<QAbstractButton*>())
                if (card->objectName().startsWith(QStringLiteral("template.")))
                    names << card->objectName();
        }
        QVERIFY(names.size() >= 4);
        for (const QString& name : names) {
            MainWindow window;
            window.show();
            window.findChild<QAbstractButton*>(name)->click();
            AppContext& app = window.context();
            QVERIFY2(app.document.path().isEmpty(), qPrintable(name));
            QVERIFY2(app.document.project()->cluster.gpuCount() >= 64, qPrintable(name));
            QVERIFY(app.document.apply(setModel(*app.document.project(), *model), QStringLiteral("model")));
            QVERIFY2(app.document.problem(), qPrintable(name));
            QVERIFY2(searched(window), qPrintable(name));
            QVERIFY2(!app.candidates.all().empty(), qPrintable(name));
        }
    }

    // A bar above the canvas that goes leaves it another size.
    void theInvitationFillsTheCanvas() {
        MainWindow window;
        window.resize(1600, 1000);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        QVERIFY(window.openFile(m_folder.smallProjectFile()));
        QVERIFY(searched(window));
        window.context().document.setNewPlans(false); // else it asks
        window.commands().action("file.new")->trigger();
        const auto* empty = window.docks().findChild<EmptyState*>(QStringLiteral("topology.empty"));
        QTRY_COMPARE(empty->geometry(), empty->parentWidget()->rect());
    }

    void theCanvasHasTheKeys() {
        MainWindow window;
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        QApplication::setActiveWindow(&window);
        window.context().document.setNewPlans(false); // else it asks
        window.commands().action("file.new")->trigger();
        QTRY_VERIFY(QApplication::focusWidget());
        QTRY_COMPARE(QApplication::focusWidget()->objectName(), QStringLiteral("topology.canvas"));
    }

    void lookingAtPlansIsNotEditing() {
        const QString file = m_folder.smallProjectFile();
        {
            MainWindow window;
            QVERIFY(window.openFile(file));
            QVERIFY(searched(window));
            togglePinned(window.context(), window.context().candidates.all().back().id);
            window.commands().action("file.save")->trigger();
        }
        MainWindow window;
        window.resize(1600, 1000);
        window.show();
        QVERIFY(window.openFile(file));
        QVERIFY(!window.context().document.isModified());
        auto* table = window.docks().findChild<QTableView*>(QStringLiteral("plans.table"));
        for (int row = 0; row < table->model()->rowCount(); ++row) {
            const QRect cell = table->visualRect(table->model()->index(row, 2));
            QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, cell.center());
            QVERIFY(!window.context().document.isModified());
        }
        window.commands().action("plan.best")->trigger();
        window.context().selection.setStage(0);
        window.commands().action("nav.back")->trigger();
        QVERIFY(!window.context().document.isModified());
    }
};

QTEST_MAIN(NewProjectTest)
#include "new_project_test.moc"
