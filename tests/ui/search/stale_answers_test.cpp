// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later

// What the search panel and the views beside it say once the project, or what is asked of it, is another than
// when the search ran.

#include "core/edit/edit.h"
#include "tests/ui/search/bound_run.h"
#include "ui/base/error_text.h"
#include "ui/base/format.h"
#include "ui/details/breakdown_view.h"
#include "ui/details/details_panel.h"
#include "ui/memory/memory_view.h"
#include "ui/search/search_panel.h"
#include "ui/stages/stage_map.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/message_bar.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QProgressBar>
#include <QPushButton>
#include <QToolButton>

#include <utility>

using namespace pw;

class StaleAnswersTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatAnswersAnEarlierStateSaysSo() {
        UiFixture ui;
        SearchPanel panel(ui.context);
        StageMap stages(ui.context);
        MemoryView memory(ui.context);
        DetailsPanel details(ui.context);
        BreakdownView breakdown(ui.context);
        ui.openSmallProject();
        QVERIFY(ui.search());
        ui.selection.setPlan(ui.candidates.all().front().id);
        const View* views[] = {&panel, &stages, &memory, &details, &breakdown};
        for (const View* view : views)
            QVERIFY(!view->subtitle().contains(QStringLiteral("stale")));
        const auto* state = panel.findChild<QLabel*>(QStringLiteral("search.state"));
        const auto* best = panel.findChild<QLabel*>(QStringLiteral("search.best"));
        QCOMPARE(state->text(), ui.runner.endWord());
        const QPalette::ColorRole fresh = best->foregroundRole();
        Recipe recipe = ui.document.project()->recipe;
        recipe.gbs *= 2;
        ui.document.apply(setRecipe(*ui.document.project(), recipe), QStringLiteral("batch"));
        for (const View* view : views)
            QVERIFY2(view->subtitle().contains(QStringLiteral("stale")), qPrintable(view->accessibleName()));
        QVERIFY(state->text().contains(QStringLiteral("stale")));
        QVERIFY(best->foregroundRole() != fresh);
        ui.document.undoStack()->undo();
        for (const View* view : views)
            QVERIFY(!view->subtitle().contains(QStringLiteral("stale")));
        QCOMPARE(state->text(), ui.runner.endWord());
        QCOMPARE(best->foregroundRole(), fresh);
    }

    void whyNothingFittedIsNotSaidOfAnotherState() {
        UiFixture ui;
        SearchPanel panel(ui.context);
        ui.openSmallProject();
        Model large = *ui.document.project()->model;
        large.blocks = 400;
        large.hidden = 16384;
        large.headDim = 1024;
        large.ffn = 65536;
        ui.document.apply(setModel(*ui.document.project(), large), QStringLiteral("large"));
        QVERIFY(ui.search());
        QVERIFY(ui.runner.outcome()->status == SearchStatus::Infeasible);
        const auto problem = ui.document.problem();
        QCOMPARE(ui.runner.noPlanText(problem), ui.runner.endText());
        QVERIFY(ui.runner.noPlanText(nullptr).isEmpty());
        const auto* reasons = panel.findChild<QLabel*>(QStringLiteral("search.reasons"));
        QVERIFY(!reasons->isHidden());
        ui.document.undoStack()->undo();
        QVERIFY(reasons->isHidden());
        QVERIFY(ui.runner.noPlanText(ui.document.problem()).isEmpty());
        ui.document.undoStack()->redo();
        QVERIFY(!reasons->isHidden());
    }

    // Also where plans of an earlier state still stand: the reason is of this state, the figures are not.
    void whyATrainerRefusesIsSaidBesideStalePlans() {
        UiFixture ui;
        SearchPanel panel(ui.context);
        ui.openSmallProject();
        QVERIFY(ui.search());
        const auto* reasons = panel.findChild<QLabel*>(QStringLiteral("search.reasons"));
        const auto* state = panel.findChild<QLabel*>(QStringLiteral("search.state"));
        const auto* best = panel.findChild<QLabel*>(QStringLiteral("search.best"));
        const QPalette::ColorRole fresh = best->foregroundRole();
        auto* target = panel.findChild<QComboBox*>(QStringLiteral("search.target"));
        target->setCurrentIndex(target->findData(QStringLiteral("hexiscale"))); // only sizes of Llama
        Recipe recipe = ui.document.project()->recipe;
        recipe.gbs *= 2;
        ui.document.apply(setRecipe(*ui.document.project(), recipe), QStringLiteral("batch"));
        QVERIFY(ui.search());
        QVERIFY(ui.runner.failure());
        QVERIFY(ui.runner.asked() == ui.document.problem());
        QVERIFY(ui.runner.problem() != ui.document.problem()); // the plans are still of the other one
        QVERIFY(!reasons->isHidden());
        QVERIFY2(reasons->text().contains(errorText(*ui.runner.failure()).toHtmlEscaped()),
                 qPrintable(reasons->text()));
        QCOMPARE(state->text(), ui.runner.endWord());
        QVERIFY(best->foregroundRole() != fresh);
        QCOMPARE(ui.runner.noPlanText(ui.document.problem()),
                 sentence(*ui.runner.failure())); // in the tool bar
        // Back where the plans are from it is the other way round, and another edit makes both stale.
        ui.document.undoStack()->undo();
        target->setCurrentIndex(0);
        QVERIFY(reasons->isHidden());
        QVERIFY(state->text().contains(QStringLiteral("stale")));
        QCOMPARE(best->foregroundRole(), fresh);
        recipe.gbs *= 2;
        ui.document.apply(setRecipe(*ui.document.project(), recipe), QStringLiteral("batch"));
        QVERIFY(reasons->isHidden());
        QVERIFY(state->text().contains(QStringLiteral("stale")));
        QVERIFY(best->foregroundRole() != fresh);
        // A search that runs ends all of that.
        QVERIFY(ui.search());
        QVERIFY(ui.runner.asked() == ui.runner.problem());
        QCOMPARE(state->text(), ui.runner.endWord());
        QCOMPARE(best->foregroundRole(), fresh);
    }

    // Every demand is like another: what was found under others is of an earlier question, also where they
    // change while it is searched, and not where a node that is asked for gets another name.
    void whatWasAskedOtherwiseIsStale() {
        UiFixture ui;
        SearchPanel panel(ui.context);
        ui.openSmallProject();
        QVERIFY(ui.search());
        const auto* state = panel.findChild<QLabel*>(QStringLiteral("search.state"));
        const auto* best = panel.findChild<QLabel*>(QStringLiteral("search.best"));
        auto* target = panel.findChild<QComboBox*>(QStringLiteral("search.target"));
        const QPalette::ColorRole fresh = best->foregroundRole();
        const auto isStale = [&] {
            return state->text().contains(QStringLiteral("stale")) && best->foregroundRole() != fresh &&
                   panel.subtitle() == QStringLiteral("stale");
        };
        const auto isFresh = [&] {
            return state->text() == ui.runner.endWord() && best->foregroundRole() == fresh &&
                   panel.subtitle().isEmpty();
        };
        QVERIFY(isFresh());
        target->setCurrentIndex(target->findData(QStringLiteral("megatron")));
        QVERIFY(isStale());
        target->setCurrentIndex(0);
        QVERIFY(isFresh());
        for (const auto& [name, text] : {std::pair("search.max-tp", "1"), {"search.require", "n1"}}) {
            auto* field = panel.findChild<QLineEdit*>(QLatin1String(name));
            QTest::keyClicks(field, QLatin1String(text));
            QVERIFY2(isStale(), name);
            field->selectAll();
            QTest::keyClick(field, Qt::Key_Delete);
            QVERIFY2(isFresh(), name);
        }
        SearchDemand demand;
        demand.required = {"n1"};
        ui.runner.setDemand(demand);
        QVERIFY(ui.search() && isFresh());
        QVERIFY(ui.document.apply(renameItem(*ui.document.project(), "n1", "b7"), QStringLiteral("name")));
        QCOMPARE(ui.runner.demand().required, std::vector<std::string>{"b7"});
        QVERIFY(isFresh());

        openEndless(ui);
        QSignalSpy ended(&ui.runner, &SearchRunner::finished);
        QVERIFY(ui.runner.start());
        target->setCurrentIndex(target->findData(QStringLiteral("megatron")));
        QCOMPARE(panel.subtitle(), QStringLiteral("running"));
        ui.runner.stop();
        QVERIFY(ended.size() == 1 || ended.wait(60'000));
        QVERIFY(isStale());
    }

    // While a field is refused it would do nothing; as soon as the command is on it is there again.
    void runAgainIsOfferedWhereItRuns() {
        UiFixture ui;
        bindRun(ui);
        SearchPanel panel(ui.context);
        ui.openSmallProject();
        QVERIFY(ui.search());
        auto* require = panel.findChild<QLineEdit*>(QStringLiteral("search.require"));
        const auto* bar = panel.findChild<MessageBar*>();
        auto* again = bar->findChild<QPushButton*>(QStringLiteral("messageBar.action"));
        QVERIFY(bar->isHidden());
        QTest::keyClicks(require, QStringLiteral("nope"));
        QVERIFY(!bar->isHidden() && again->isHidden());
        require->selectAll();
        QTest::keyClicks(require, QStringLiteral("n1"));
        QVERIFY(!bar->isHidden() && !again->isHidden());
        QAction* run = ui.commands->action("search.run");
        run->setEnabled(false); // something else runs
        QVERIFY(!bar->isHidden() && again->isHidden());
        run->setEnabled(true);
        QVERIFY(!bar->isHidden() && !again->isHidden());
        QSignalSpy ended(&ui.runner, &SearchRunner::finished);
        again->click();
        QVERIFY(ended.size() == 1 || ended.wait(60'000));
        QCOMPARE(ui.runner.demanded().required, std::vector<std::string>{"n1"});
        QVERIFY(bar->isHidden());
    }

    // Beside its button, at the width that its dock has in a window of 1366.
    void whatIsStaleIsReadWhole() {
        UiFixture ui;
        bindRun(ui);
        SearchPanel panel(ui.context);
        panel.resize(328, 700);
        panel.show();
        QVERIFY(QTest::qWaitForWindowExposed(&panel));
        ui.openSmallProject();
        QVERIFY(ui.search());
        const auto* bar = panel.findChild<MessageBar*>();
        const auto* again = bar->findChild<QPushButton*>(QStringLiteral("messageBar.action"));
        const auto* words = bar->findChild<ElidedLabel*>();
        const auto isWhole = [&] {
            return bar->isVisible() && again->isVisible() && !words->text().isEmpty() && !words->isCut();
        };
        auto* require = panel.findChild<QLineEdit*>(QStringLiteral("search.require"));
        QTest::keyClicks(require, QStringLiteral("n1"));
        QTRY_VERIFY2(isWhole(), qPrintable(words->text()));
        require->clear();
        Recipe recipe = ui.document.project()->recipe;
        recipe.gbs *= 2;
        QVERIFY(ui.document.apply(setRecipe(*ui.document.project(), recipe), QStringLiteral("batch")));
        QTRY_VERIFY2(isWhole(), qPrintable(words->text()));
    }

    // A search that could not be made leaves the figures of the one before with what that was asked.
    void aFailureLeavesWhatWasAskedBefore() {
        UiFixture ui;
        ui.openSmallProject();
        QVERIFY(ui.search());
        SearchDemand hexiscale;
        hexiscale.target = exporterRow("hexiscale"); // only sizes of Llama
        ui.runner.setDemand(hexiscale);
        QVERIFY(ui.search());
        QVERIFY(ui.runner.failure());
        QVERIFY(ui.runner.demanded() == SearchDemand{});
        QVERIFY(ui.runner.isStale(ui.document.problem()) && !ui.runner.isEndStale(ui.document.problem()));
        QVERIFY(!ui.runner.noPlanText(ui.document.problem()).isEmpty());
        ui.runner.setDemand({});
        QVERIFY(!ui.runner.isStale(ui.document.problem()) && ui.runner.isEndStale(ui.document.problem()));
        QVERIFY(ui.runner.noPlanText(ui.document.problem()).isEmpty());
    }
};

QTEST_MAIN(StaleAnswersTest)
#include "stale_answers_test.moc"
