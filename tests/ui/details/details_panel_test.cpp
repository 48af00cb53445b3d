// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/accuracy/memory_cases.h"
#include "core/edit/edit.h"
#include "core/whatif/whatif.h"
#include "tests/ui/synthetic_plan.h"
#include "tests/ui/ui_fixture.h"
#include "ui/base/format.h"
#include "ui/details/detail_rows.h"
#include "ui/details/details_panel.h"
#include "ui/details/plan_sentence.h"
#include "ui/details/property_list.h"
#include "ui/plans/plans_view.h"
#include "ui/session/memory_room.h"
#include "ui/stages/stage_map.h"
#include "ui/stages/stage_rows.h"

#include <QAccessible>
#include <QLabel>
#include <QScrollArea>
#include <QScrollBar>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

#include <utility>
#include <vector>

using namespace pw;

// From every detail there is a way back to the plan.
class DetailsPanelTest : public QObject {
    Q_OBJECT

private:
    struct Panels : UiFixture {
        PlansView* plans = nullptr;
        StageMap* stages = nullptr;
        DetailsPanel* details = nullptr;
        Panels() {
            openLongProject();
            plans = new PlansView(context);
            stages = new StageMap(context);
            details = new DetailsPanel(context);
            auto* column = new QVBoxLayout(&window);
            for (QWidget* view : {static_cast<QWidget*>(plans), static_cast<QWidget*>(stages),
                                  static_cast<QWidget*>(details)})
                column->addWidget(view);
            window.resize(1400, 900);
            window.show();
        }
        QString heading() const {
            return details->findChild<QLabel*>(QStringLiteral("details.heading"))->text();
        }
        QTableView* table() const { return plans->findChild<QTableView*>(QStringLiteral("plans.table")); }
        void clickRow(int row) const {
            const QRect cell = table()->visualRect(table()->model()->index(row, 2));
            QTest::mouseClick(table()->viewport(), Qt::LeftButton, {}, cell.center());
        }
    };

private Q_SLOTS:
    void aRowShowsItsPlanAsAWhole() {
        Panels ui;
        QVERIFY(ui.search());
        ui.clickRow(0);
        const QString plan = ui.heading();
        QVERIFY2(plan.startsWith(QStringLiteral("Plan")), qPrintable(plan));
        ui.selection.setStage(0);
        QVERIFY(ui.heading().startsWith(QStringLiteral("Stage")));
        ui.clickRow(0);
        QCOMPARE(ui.heading(), plan);
        ui.selection.setStage(0);
        ui.clickRow(1);
        QVERIFY(ui.heading().startsWith(QStringLiteral("Plan")) && ui.heading() != plan);
    }

    // In the table of plans, the stage map and the details; a sharded optimiser alone, which is usual, in the
    // details only.
    void whatAStageShardsIsSaid() {
        Panels ui;
        QVERIFY(ui.search());
        const Candidate found = ui.context.candidates.all().front();
        for (const int zero : {1, 2}) {
            Plan plan = found.plan;
            for (Stage& stage : plan.pipelines.front().stages)
                stage.zero = zero;
            const std::string stages = stagesText(*found.problem, plan);
            QCOMPARE(stages == stagePattern(*found.problem, plan), zero == 1);
            QCOMPARE(QByteArray::fromStdString(stages).endsWith(", ZeRO 2"), zero == 2);
        }
        const auto shown = test::syntheticPlan(1);
        ShownStage& stage = shown->stages.front();
        const auto said = [&](const QString& name) {
            for (const Property& row : stageRows(*shown, stage))
                if (row.name == name)
                    return row.note.isEmpty() ? row.value : row.value + QLatin1Char(' ') + row.note;
            return QString();
        };
        const QString sharded = QStringLiteral("Sharded");
        stage.tp = 1, stage.cp = 1, stage.dp = 8, stage.ep = 1, stage.zero = 0;
        QVERIFY(said(sharded).isEmpty() && furtherText(stage).isEmpty());
        stage.zero = 1;
        QCOMPARE(said(sharded), QStringLiteral("optimiser states (ZeRO 1)"));
        QVERIFY(furtherText(stage).isEmpty());
        stage.zero = 2;
        stage.ep = 4;
        QCOMPARE(said(sharded), QStringLiteral("optimiser states, gradients (ZeRO 2)"));
        QCOMPARE(furtherText(stage), QStringLiteral("ep 4 ZeRO 2"));
        QVERIFY(said(QStringLiteral("Parallel")).startsWith(QStringLiteral("tp 1, ep 4, dp 8")));
        stage.zero = 3;
        QCOMPARE(said(sharded), QStringLiteral("optimiser states, gradients, weights (ZeRO 3)"));

        Selection selection;
        StageRows rows(selection);
        rows.setPlan(shown);
        rows.resize(700, 40);
        rows.show();
        const auto parts = static_cast<const PartsWidget&>(rows).accessibleParts();
        QVERIFY(!parts.empty());
        QVERIFY2(parts.front().description.contains(QStringLiteral("tp 1 dp 8 ep 4 ZeRO 3")),
                 qPrintable(parts.front().description));
    }

    // Another plan or stage is read from its beginning; who goes from bar to bar stays where bars are.
    void whatIsNewIsReadFromItsBeginning() {
        Panels ui;
        QVERIFY(ui.search());
        ui.details->setFixedHeight(160);
        const auto* area = ui.details->findChild<QScrollArea*>();
        QScrollBar* bar = area->verticalScrollBar();
        ui.selection.setPlan(ui.candidates.all().front().id);
        const auto toTheEnd = [&] {
            const bool scrolls = QTest::qWaitFor([&] { return bar->maximum() > 0; });
            bar->setValue(bar->maximum());
            return scrolls && bar->value() > 0;
        };
        QVERIFY(toTheEnd());
        ui.selection.setStage(0);
        QCOMPARE(bar->value(), 0);
        QVERIFY(toTheEnd());
        ui.selection.setPlan(ui.candidates.all()[1].id);
        QCOMPARE(bar->value(), 0);
        ui.selection.setBar({0, 0, 0});
        QVERIFY(toTheEnd());
        const int there = bar->value();
        ui.selection.setBar({0, 0, 1});
        QVERIFY(std::min(there, bar->maximum()) == bar->value());
    }

    void escAndTheArrowLeadBack() {
        Panels ui;
        QVERIFY(ui.search());
        QApplication::setActiveWindow(&ui.window);
        auto* back = ui.details->findChild<QToolButton*>(QStringLiteral("details.back"));
        ui.selection.setPlan(ui.candidates.all().front().id);
        QVERIFY(back->isHidden());
        ui.selection.setStage(0);
        QVERIFY(!back->isHidden());
        back->click();
        QVERIFY(ui.heading().startsWith(QStringLiteral("Plan")));
        ui.selection.setStage(0);
        ui.table()->setFocus();
        QTRY_VERIFY(ui.table()->hasFocus());
        QTest::keyClick(ui.table(), Qt::Key_Escape);
        QVERIFY(ui.heading().startsWith(QStringLiteral("Plan")));
        auto* rows = ui.stages->findChild<QWidget*>(QStringLiteral("stageMap.rows"));
        QVERIFY(rows);
        ui.selection.setStage(0);
        QTest::keyClick(rows, Qt::Key_Escape);
        QVERIFY(ui.heading().startsWith(QStringLiteral("Plan")));
    }

    // What is heard is what stands on the page, from the first row on, also before a key is pressed.
    void theListSaysWhatItShows() {
        Panels ui;
        QVERIFY(ui.search());
        ui.selection.setPlan(ui.candidates.all().front().id);
        auto* list = ui.details->findChild<PropertyList*>(QStringLiteral("details.stage"));
        QVERIFY2(list->accessibleName().startsWith(ui.heading()), qPrintable(list->accessibleName()));
        QVERIFY2(list->accessibleDescription().startsWith(QStringLiteral("Iteration: ")),
                 qPrintable(list->accessibleDescription()));
        for (int i = 0; i < 3; ++i)
            QTest::keyClick(list, Qt::Key_Down);
        QVERIFY(!list->accessibleDescription().startsWith(QStringLiteral("Iteration: ")));
        ui.selection.setStage(0);
        QVERIFY2(list->accessibleName().startsWith(QStringLiteral("Stage 0")),
                 qPrintable(list->accessibleName()));
        QVERIFY2(list->accessibleDescription().startsWith(QStringLiteral("Layers: ")),
                 qPrintable(list->accessibleDescription()));
    }

    // A row without a name goes on from the one above; a cursor stays on its row where that is still there.
    void rowsAreHeardWithTheirHeading() {
        PropertyList list("details");
        list.setProperties({{QStringLiteral("Nearest"), QStringLiteral("a case"), {}, {}, {}},
                            {QStringLiteral("Differs in"), QStringLiteral("GPUs"), {}, {}, {}},
                            {{}, QStringLiteral("kernels"), QStringLiteral("unfused"), {}, {}}});
        list.show();
        QCOMPARE(list.accessibleDescription(), QStringLiteral("Nearest: a case"));
        QTest::keyClick(&list, Qt::Key_Down);
        QTest::keyClick(&list, Qt::Key_Down);
        QCOMPARE(list.accessibleDescription(), QStringLiteral("Differs in: kernels, unfused"));
        const QAccessibleInterface* told = QAccessible::queryAccessibleInterface(&list);
        QCOMPARE(told->role(), QAccessible::List);
        QCOMPARE(told->childCount(), 3);
        QCOMPARE(told->child(2)->text(QAccessible::Name), QStringLiteral("Differs in: kernels, unfused"));
        QVERIFY(told->child(2)->state().selected && !told->child(0)->state().selected);
        list.setProperties({{QStringLiteral("Expected"), QStringLiteral("3 s"), {}, {}, {}},
                            {QStringLiteral("Nearest"), QStringLiteral("a case"), {}, {}, {}},
                            {QStringLiteral("Differs in"), QStringLiteral("nothing"), {}, {}, {}}});
        QCOMPARE(list.accessibleDescription(), QStringLiteral("Differs in: nothing"));
        list.setProperties({{QStringLiteral("Layers"), QStringLiteral("4"), {}, {}, {}}});
        QCOMPARE(list.accessibleDescription(), QStringLiteral("Layers: 4"));
        list.setProperties({});
        QCOMPARE(list.accessibleDescription(), QString());
        QCOMPARE(told->childCount(), 0);
    }

    // Tab stops at the sentence before the rows, and it shows that.
    void theSentenceIsReachedByKeys() {
        Panels ui;
        QVERIFY(ui.search());
        ui.selection.setPlan(ui.candidates.all().front().id);
        ui.window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&ui.window));
        auto* sentence = ui.details->findChild<QLabel*>(QStringLiteral("details.sentence"));
        auto* list = ui.details->findChild<PropertyList*>(QStringLiteral("details.stage"));
        list->setFocus();
        const QImage before = sentence->grab().toImage();
        QTest::keyClick(list, Qt::Key_Backtab);
        QCOMPARE(QApplication::focusWidget(), sentence);
        QVERIFY(sentence->grab().toImage() != before);
        QTest::keyClick(sentence, Qt::Key_Tab);
        QCOMPARE(QApplication::focusWidget(), list);
    }

    // A bound of plans with launch counts says nothing of one that was given another schedule by hand.
    void aBoundIsSaidOfItsOwnPlansOnly() {
        Panels ui;
        QVERIFY(ui.search());
        const Candidate first = ui.candidates.all().front();
        QVERIFY(ui.runner.boundFor(first).value > 0.0);
        const auto edited =
            whatif::setSchedule(*first.problem, first.plan, ScheduleKind::ZbH1, LaunchRule::Artifact, 0);
        QVERIFY(edited);
        const auto judged = evaluate(*first.problem, *edited);
        QVERIFY(judged);
        const int id = ui.candidates.putEdited(first.problem, {*edited, *judged}, nullptr,
                                               {QStringLiteral("1, edited"), first.name, first.name, {}});
        QCOMPARE(ui.runner.boundFor(*ui.candidates.find(id)).value, 0.0);
        ui.selection.setPlan(id);
        const auto* label = ui.details->findChild<QLabel*>(QStringLiteral("details.sentence"));
        QVERIFY2(!label->text().contains(QStringLiteral("lower bound")), qPrintable(label->text()));
    }

    // In words: all blocks are held by somebody, the stage named is the busiest, and what is left agrees with
    // the bound.
    void aPlanIsSaidInWords() {
        Panels ui;
        QVERIFY(ui.search());
        const Candidate& first = ui.candidates.all().front();
        ui.selection.setPlan(first.id);
        const auto* label = ui.details->findChild<QLabel*>(QStringLiteral("details.sentence"));
        QVERIFY(!label->isHidden());
        QCOMPARE(label->text(), planSentence(first, ui.runner.boundFor(first)));
        QVERIFY2(label->text().contains(QStringLiteral("8 blocks")), qPrintable(label->text()));
        QVERIFY(label->text().contains(iterationText(ui.runner.boundFor(first))) ||
                label->text().contains(QStringLiteral("no plan is predicted to take less.")));
        Candidate made = first; // two stages, of which the second works longer
        made.plan.pipelines.resize(1);
        made.plan.pipelines[0].stages.resize(2, made.plan.pipelines[0].stages[0]);
        made.evaluation.pipelines.resize(1);
        made.evaluation.pipelines[0].stages.resize(2, made.evaluation.pipelines[0].stages[0]);
        made.evaluation.pipelines[0].simulation.busy = {5.0, 9.0};
        made.evaluation.iteration = Seconds(10.0);
        const QString text = planSentence(made, Seconds(8.0));
        QVERIFY2(text.contains(QStringLiteral("Stage 1 decides the time: it computes for 90.0 % of it.")),
                 qPrintable(text));
        for (const auto& [busy, says] :
             {std::pair(std::vector<double>{9.0, 8.99, 5.0},
                        "Stages 0 and 1 decide the time: each computes "),
              std::pair(std::vector<double>{9.0, 9.0}, "All stages take equally long: each computes for ")}) {
            Candidate tied = made;
            tied.plan.pipelines[0].stages.resize(busy.size(), made.plan.pipelines[0].stages[0]);
            tied.evaluation.pipelines[0].stages.resize(busy.size(), made.evaluation.pipelines[0].stages[0]);
            tied.evaluation.pipelines[0].simulation.busy = busy;
            QVERIFY(planSentence(tied, Seconds()).contains(QLatin1String(says)));
        }
        // The gap, as everywhere: of the bound, not of the plan.
        QVERIFY2(text.contains(QStringLiteral("this one takes 25.0 % more")), qPrintable(text));
        QVERIFY(!planSentence(made, Seconds()).contains(QStringLiteral("bound")));
        ui.selection.setStage(0);
        QVERIFY(label->isHidden());
    }

    // A stage with the head works longer without being slower: times are held against what is computed.
    void theHeadIsNoSlowerKind() {
        Panels ui;
        QVERIFY(ui.search());
        Candidate made = ui.candidates.all().front();
        const Problem& problem = *made.problem;
        const std::vector<FineLayer> layers = fineLayers(problem.model(), problem.recipe().seq);
        const auto& devices = problem.topology().devices();
        const auto other = std::ranges::find_if(
            devices, [&](const Device& device) { return device.kind != devices.front().kind; });
        QVERIFY(other != devices.end());
        const int last = static_cast<int>(layers.size()) - 1;
        made.plan.pipelines.resize(1);
        made.evaluation.pipelines.resize(1);
        made.plan.pipelines[0].stages.assign(2, made.plan.pipelines[0].stages[0]);
        made.evaluation.pipelines[0].stages.assign(2, made.evaluation.pipelines[0].stages[0]);
        const auto says = [&](double slower) {
            for (std::size_t stage = 0; stage < 2; ++stage) {
                Stage& own = made.plan.pipelines[0].stages[stage];
                own.chunks = {stage == 0 ? LayerRange{0, last - 3} : LayerRange{last - 2, last}};
                own.replicas = {{{stage == 0 ? 0 : static_cast<DeviceIndex>(other - devices.begin())}, 1.0}};
                double flops = 0.0;
                for (int layer = own.chunks[0].first; layer <= own.chunks[0].last; ++layer)
                    flops += layers[static_cast<std::size_t>(layer)].forwardFlops.value;
                StageFigures& figures = made.evaluation.pipelines[0].stages[stage];
                figures.forward = Seconds(flops * 1e-14 * (stage == 0 ? 1.0 : slower));
                figures.backward = 2.0 * figures.forward;
            }
            return planSentence(made, Seconds());
        };
        QVERIFY2(!says(1.0).contains(QStringLiteral("times as long")), qPrintable(says(1.0)));
        QVERIFY2(says(2.4).contains(QStringLiteral("the same work takes 2.4 times as long")),
                 qPrintable(says(2.4)));
    }

    // How probable it is that the plan's memory is enough stands with the fullest GPU.
    void theChanceToFitIsSaid() {
        Panels ui;
        QVERIFY(ui.search());
        const Candidate& first = ui.candidates.all().front();
        ui.selection.setPlan(first.id);
        QStringList texts;
        for (const QLabel* label : ui.details->findChildren<QLabel*>())
            if (!label->isHidden())
                texts << label->text();
        const qsizetype at = texts.indexOf(QStringLiteral("Chance to fit"));
        QVERIFY2(at >= 0, qPrintable(texts.join(QLatin1Char('|'))));
        const QString chance = chanceOfFitText(chanceToFit(*first.problem, first.evaluation));
        QVERIFY2(texts.contains(chance), qPrintable(chance + texts.join(QLatin1Char('|'))));
    }

    // In words, too, but only where somebody has to worry.
    void aPlanThatMayNotFitIsSaidToBeOne() {
        Panels ui;
        QVERIFY(ui.search());
        Candidate made = ui.candidates.all().front();
        QVERIFY(made.evaluation.feasible);
        for (const double full : {0.5, 0.98}) {
            for (DeviceMemory& memory : made.evaluation.memory) {
                memory.peak = {};
                memory.peak.weights = full * memory.capacity;
            }
            const double chance = chanceToFit(*made.problem, made.evaluation);
            QCOMPARE(chance<kLikelyToFit, full> 0.9);
            const QString text = planSentence(made, Seconds());
            QCOMPARE(text.contains(QStringLiteral("It fits with a chance of %1 only: its fullest GPU is "
                                                  "predicted to be 98.0 % full.")
                                       .arg(chanceOfFitText(chance))),
                     full > 0.9);
        }
        made.evaluation.feasible = false; // which is said elsewhere
        QVERIFY(!planSentence(made, Seconds()).contains(QStringLiteral("chance")));
    }

    // As where no launch file can name its nodes.
    void aPlanThatNoTrainerRunsIsSaidToBeOne() {
        Panels ui;
        QVERIFY(ui.search());
        const Candidate& first = ui.candidates.all().front();
        const QString says = QStringLiteral("No trainer runs it as it is");
        QVERIFY2(!planSentence(first, Seconds()).contains(says), qPrintable(planSentence(first, Seconds())));
        for (const char* node : {"n1", "n2", "n3"})
            QVERIFY(ui.document.apply(renameItem(*ui.document.project(), node, std::string(node) + '+'),
                                      QStringLiteral("odd")));
        QVERIFY2(planSentence(ui.candidates.all().front(), Seconds()).contains(says),
                 qPrintable(planSentence(ui.candidates.all().front(), Seconds())));
    }

    // An edit makes another plan of it: the stage at hand stays in view.
    void anEditKeepsTheStageInView() {
        Panels ui;
        QVERIFY(ui.search());
        const Candidate& first = ui.candidates.all().front();
        ui.selection.setPlan(first.id);
        ui.selection.setStage(0);
        const bool full = first.plan.pipelines.front().stages.front().recompute == Recompute::Full;
        QVERIFY(ui.whatIf.edit(
            whatif::setRecompute(*first.problem, first.plan, 0, full ? Recompute::None : Recompute::Full),
            QStringLiteral("recompute")));
        QCOMPARE(ui.selection.stage(), 0);
    }
};

QTEST_MAIN(DetailsPanelTest)
#include "details_panel_test.moc"
