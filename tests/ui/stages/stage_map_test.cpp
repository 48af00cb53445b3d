// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/synthetic_plan.h"
#include "ui/base/format.h"
#include "ui/base/theme.h"
#include "ui/details/breakdown_view.h"
#include "ui/details/details_panel.h"
#include "ui/session/memory_room.h"
#include "ui/session/plan_text.h"
#include "ui/session/selection.h"
#include "ui/stages/stage_columns.h"
#include "ui/stages/stage_map.h"
#include "ui/stages/stage_rows.h"
#include "ui/timeline/bar_text.h"
#include "ui/widgets/elided_label.h"

#include <QLabel>
#include <QScrollArea>
#include <QScrollBar>
#include <QTest>

using namespace pw;

// The stage map, and the two panels that say more about the stage chosen in it.
class StageMapTest : public QObject {
    Q_OBJECT

private:
    static QString allText(const QWidget& widget) {
        QStringList texts;
        for (const QLabel* label : widget.findChildren<QLabel*>())
            texts << label->text();
        return texts.join(QLatin1Char('\n'));
    }

private Q_SLOTS:
    void clickAndKeysChooseTheStage() {
        Selection selection;
        CurrentPlan plan;
        StageMap map(plan, selection);
        auto* rows = map.findChild<StageRows*>();
        map.resize(868, 160);
        map.show();
        QVERIFY(!rows->isVisible()); // nothing to show yet
        plan.show(test::syntheticPlan());
        QVERIFY(rows->isVisible());
        QTest::mouseClick(rows, Qt::LeftButton, {}, rows->rowRect(2).center());
        QCOMPARE(selection.stage(), 2);
        QTest::keyClick(rows, Qt::Key_Down);
        QCOMPARE(selection.stage(), 3);
        QTest::keyClick(rows, Qt::Key_Down);
        QCOMPARE(selection.stage(), 3);
        QTest::keyClick(rows, Qt::Key_Home);
        QCOMPARE(selection.stage(), 0);
        QVERIFY(rows->accessibleDescription().contains(QStringLiteral("stage 0, emb, blocks 0 to 3")));
        QVERIFY(map.subtitle().contains(QStringLiteral("launch 8, 8, 8, 8")));
    }

    // However many there are and however narrow the view is: their last number is beside the next column's
    // name, not in it.
    void cellsEndBeforeTheNextColumn() {
        for (const int width : {640, 700, 868, 1366, 2560})
            for (const int layers : {3, 34, 82, 128, 400}) {
                const StageColumns columns = StageColumns::of(width, layers);
                QVERIFY2(columns.layerX(layers) + 16 <= columns.timeLeft,
                         qPrintable(QStringLiteral("%1 px, %2 layers").arg(width).arg(layers)));
                QVERIFY(columns.layerX(layers) > columns.layerX(0));
            }
    }

    // The first stage has room behind its cells alone, the last one in front of them alone: both are cut
    // alike.
    void everyStageSaysItsBlocksHoweverNarrow() {
        const auto plan = test::syntheticPlan();
        const QFontMetrics metrics(bodyFont());
        bool isShort = false, isWhole = false;
        for (int width = 2000; width >= 640; width -= 20) {
            const StageColumns columns = StageColumns::of(width, plan->layerCount);
            const std::vector<RangeLabel> labels = rangeLabels(*plan, columns);
            QCOMPARE(labels.size(), plan->stages.size());
            int whole = 0;
            for (std::size_t i = 0; i < labels.size(); ++i) {
                const RangeLabel& label = labels[i];
                const ShownStage& stage = plan->stages[i];
                whole += label.text == stage.layerText;
                if (label.text.isEmpty()) { // neither side has room
                    QVERIFY(columns.timeLeft - columns.layerX(stage.layers[0].end) < 50 &&
                            columns.layerX(stage.layers[0].begin) - columns.cellsLeft < 50);
                    continue;
                }
                QVERIFY(metrics.horizontalAdvance(label.text) <= label.width);
                if (label.inFront)
                    QVERIFY(label.left + label.width <= columns.layerX(stage.layers[0].begin));
                else
                    QVERIFY(label.left >= columns.layerX(stage.layers[0].end));
                QVERIFY(label.left + label.width <= columns.timeLeft);
            }
            QVERIFY2(!labels.front().text.isEmpty() && !labels.back().text.isEmpty(),
                     qPrintable(QString::number(width)));
            QVERIFY(whole == 0 || whole == static_cast<int>(labels.size()));
            isShort = isShort || labels.front().text == QStringLiteral("0\u20133");
            isWhole = isWhole || whole > 0;
        }
        QVERIFY(isShort && isWhole);
    }

    // Where layers were moved, the frame of what a stage had is wider than its cells.
    void blocksAreSaidBesideTheFramesToo() {
        const auto plan = test::syntheticPlan();
        const auto base = test::syntheticPlan();
        base->stages[0].layers = {{0.0, 8.0}};
        base->stages[3].layers = {{10.0, static_cast<double>(base->layerCount)}};
        plan->base = base;
        bool both[2] = {false, false};
        for (int width = 2000; width >= 640; width -= 20) {
            const StageColumns columns = StageColumns::of(width, plan->layerCount);
            const std::vector<RangeLabel> labels = rangeLabels(*plan, columns);
            for (std::size_t i = 0; i < labels.size(); ++i) {
                const RangeLabel& label = labels[i];
                const ShownStage::Layers framed = base->stages[i].layers.front();
                if (label.text.isEmpty())
                    continue;
                both[label.inFront] = true;
                QVERIFY(label.inFront ? label.left + label.width <= columns.layerX(framed.begin)
                                      : label.left >= columns.layerX(framed.end));
            }
        }
        QVERIFY(both[0] && both[1]);
    }

    // Also the longest bar, and a bold figure of many digits with the mark of an estimate.
    void timesStandBesideTheirBars() {
        Selection selection;
        StageRows rows(selection);
        const auto plan = test::syntheticPlan();
        for (ShownStage& stage : plan->stages) {
            stage.figures.forward = Seconds(5.0);
            stage.figures.backward = Seconds(10.45);
            stage.figures.forwardProvenance = Provenance::Estimated;
        }
        plan->deciding = {3};
        rows.setPlan(plan);
        rows.resize(700, 128);
        const StageColumns columns = StageColumns::of(700, plan->layerCount);
        const int figure =
            columns.timeRight -
            figuresWidth(bodyFont(600), QStringLiteral("\u2234 ") + stageTimeText(plan->stages[3].time()));
        const QImage image = rows.grab().toImage();
        const int y = rows.rowRect(3).center().y();
        int end = 0;
        for (int x = columns.timeLeft; x < columns.timeRight; ++x)
            for (const int line : {y - 3, y, y + 3})
                if (image.pixelColor(x, line) == theme().kind(BarKind::Backward).fill)
                    end = x;
        QVERIFY2(end > columns.timeLeft + 20, qPrintable(QString::number(end)));
        QVERIFY2(end + 4 <= figure, qPrintable(QStringLiteral("%1, %2").arg(end).arg(figure)));
    }

    void cellsStandWhereTheLayersAre() {
        Selection selection;
        StageRows rows(selection);
        const auto plan = test::syntheticPlan();
        rows.setPlan(plan);
        rows.resize(868, 128);
        const QImage image = rows.grab().toImage();
        const StageColumns columns = StageColumns::of(868, plan->layerCount);
        for (int s = 0; s < 4; ++s)
            for (int layer = 1; layer < plan->layerCount - 1; ++layer) {
                const ShownStage& stage = plan->stages[static_cast<std::size_t>(s)];
                const bool own = layer >= stage.layers[0].begin && layer < stage.layers[0].end;
                const int x = (columns.layerX(layer) + columns.layerX(layer + 1)) / 2;
                const bool coloured = image.pixelColor(x, rows.rowRect(s).center().y()) == theme().stage(s);
                QCOMPARE(coloured, own);
            }
    }

    void fiveStagesAreDenser() {
        Selection selection;
        StageRows rows(selection);
        rows.setPlan(test::syntheticPlan(4));
        rows.resize(700, 100);
        QCOMPARE(rows.rowRect(0).height(), 32);
        rows.setPlan(test::syntheticPlan(5));
        rows.resize(700, 100);
        QCOMPARE(rows.rowRect(0).height(), 26);
    }

    // Rows share the room that the view has, up to a height at which they say all that they can; then the
    // second line has the devices, where low rows have nothing.
    void rowsGrowWithTheView() {
        Selection selection;
        StageRows rows(selection);
        rows.setPlan(test::syntheticPlan(5));
        const auto name = [&rows] { // of the first row, below the middle
            const QRect row = rows.rowRect(0);
            return rows.grab().toImage().copy(36, row.center().y() + 1, 130, row.height() / 2 - 4);
        };
        for (const auto& [height, each] : {std::pair(130, 26), std::pair(175, 35), std::pair(900, 46)}) {
            rows.resize(700, height);
            for (int stage = 0; stage < 5; ++stage)
                QCOMPARE(rows.rowRect(stage), QRect(0, stage * each, 700, each));
        }
        auto other = test::syntheticPlan(5);
        const QImage before = name();
        other->stages[0].devices = QStringLiteral("n7.g4-7");
        rows.setPlan(other);
        QVERIFY(name() != before);
        rows.resize(700, 130);
        const QImage low = name();
        rows.setPlan(test::syntheticPlan(5));
        rows.resize(700, 130);
        QCOMPARE(name(), low);
    }

    void detailsSumUpThePlanUntilAStageIsChosen() {
        Selection selection;
        CurrentPlan plan;
        DetailsPanel panel(plan, selection);
        panel.resize(332, 340);
        panel.show();
        auto shown = test::syntheticPlan();
        shown->tokensPerSecond = 33140.0;
        shown->bubble = 0.073;
        plan.show(shown);
        auto* heading = panel.findChild<QLabel*>(QStringLiteral("details.heading"));
        QVERIFY(heading->isVisible());
        QCOMPARE(heading->text(), QStringLiteral("Plan 1"));
        QVERIFY(allText(panel).contains(QStringLiteral("predicted")));
        QVERIFY(allText(panel).contains(QStringLiteral("∴ estimated")));
        QVERIFY(allText(panel).contains(QStringLiteral("33.14 k")));
        QVERIFY(allText(panel).contains(QStringLiteral("7.3 %")));
        selection.setStage(2);
        QCOMPARE(heading->text(), QStringLiteral("Stage 2"));
        QVERIFY(allText(panel).contains(QStringLiteral("blocks 8 to 11")));
        QVERIFY(allText(panel).contains(QStringLiteral("(fine layers 17 to 24)")));
        selection.setStage(-1);
        QCOMPARE(heading->text(), QStringLiteral("Plan 1"));
        plan.show(nullptr);
        QVERIFY(!heading->isVisible());
    }

    // At the width that the window gives it first.
    void detailsHaveRoomForTheirWords() {
        Selection selection;
        CurrentPlan plan;
        DetailsPanel panel(plan, selection);
        panel.resize(332, 220); // with the vertical scroll bar
        panel.show();
        auto shown = test::syntheticPlan();
        shown->measuredShare = 0.978;
        shown->time.exposedDp = Seconds(0.2908);
        shown->band = errorBand(Features{}); // nothing like it was measured
        shown->nearest = nearestText(shown->band);
        shown->differs = {QStringLiteral("tensor parallel over nodes"),
                          QStringLiteral("time in gradient sums")};
        plan.show(shown);
        QVERIFY(QTest::qWaitForWindowExposed(&panel));
        QCoreApplication::processEvents();
        QVERIFY(panel.findChild<QScrollArea*>()->verticalScrollBar()->isVisible());
        QVERIFY(!panel.findChild<QScrollArea*>()->horizontalScrollBar()->isVisible());
        for (const int stage : {-1, 1}) {
            selection.setStage(stage);
            QCoreApplication::processEvents();
            const auto labels = panel.findChildren<ElidedLabel*>();
            QVERIFY(labels.size() > 10);
            for (const ElidedLabel* label : labels)
                QVERIFY2(!label->isVisible() || !label->isCut(), qPrintable(label->text()));
        }
    }

    // What the prediction is worth, and from which measured runs.
    void detailsSayWhatTheIterationIsWorth() {
        Selection selection;
        CurrentPlan plan;
        DetailsPanel panel(plan, selection);
        auto shown = test::syntheticPlan();
        plan.show(shown);
        QVERIFY(!allText(panel).contains(QStringLiteral("Rests on"))); // not known
        shown = test::syntheticPlan();
        shown->band = errorBand(measuredCases().cases.front().features);
        shown->nearest = nearestText(shown->band);
        plan.show(shown);
        const QString text = allText(panel);
        QVERIFY(text.contains(expectedText(shown->band, shown->iteration)));
        QVERIFY(text.contains(basisText(shown->band)));
        QVERIFY(text.contains(shown->nearest));
        QVERIFY(!text.contains(QStringLiteral("Differs in")));
        shown = std::make_shared<ShownPlan>(*shown);
        shown->band.distance = kNearDistance + 1.0;
        shown->differs = {QStringLiteral("precision")};
        plan.show(shown);
        QVERIFY(allText(panel).contains(QStringLiteral("no case near")));
        QVERIFY(allText(panel).contains(QStringLiteral("precision")));
    }

    void detailsSayWhereFiguresComeFrom() {
        Selection selection;
        CurrentPlan plan;
        DetailsPanel panel(plan, selection);
        plan.show(test::syntheticPlan());
        selection.setStage(0);
        QVERIFY(allText(panel).contains(QStringLiteral("∴ estimated")));
        QVERIFY(allText(panel).contains(QStringLiteral("25.0 of 20.0 GiB")));
        selection.setStage(1);
        QVERIFY(allText(panel).contains(QStringLiteral("measured")));
        QVERIFY(allText(panel).contains(QStringLiteral("1.0 ms to stage 2")));
    }

    void detailsLinksSelect() {
        Selection selection;
        CurrentPlan plan;
        DetailsPanel panel(plan, selection);
        panel.resize(332, 340);
        panel.show();
        plan.show(test::syntheticPlan());
        selection.setBar(selectionOf({1, LaneRole::Compute, 2}));
        QVERIFY(allText(panel).contains(QStringLiteral("Bar F 2")));
        auto* link = panel.findChild<QLabel*>(QStringLiteral("link.0/0/2"));
        QVERIFY(link);
        Q_EMIT link->linkActivated(QStringLiteral("0/0/2"));
        QTRY_COMPARE_WITH_TIMEOUT(selection.bar(), selectionOf({0, LaneRole::Compute, 2}), 60'000);
        QCOMPARE(selection.stage(), 0);
    }

    // One wording for all views: what a peak is held against, and in the sentence why it is less than there
    // is.
    void peaksSayWhatTheyAreHeldAgainst() {
        const MemoryRoom all{gibibytes(40), gibibytes(40)}, unsaid{gibibytes(40), {}};
        const MemoryRoom held{gibibytes(20), gibibytes(40), 0.9};
        for (const MemoryRoom& room : {all, unsaid}) {
            QCOMPARE(limitText(room), QStringLiteral("40.0"));
            QCOMPARE(peakText(gibibytes(25), room), QStringLiteral("25.0 of 40.0 GiB"));
            QCOMPARE(memoryText(gibibytes(25), room), QStringLiteral("25.0 of 40.0 GiB"));
        }
        QCOMPARE(limitText(held), QStringLiteral("\u2264 20.0"));
        QCOMPARE(peakText(gibibytes(25), held), QStringLiteral("25.0 of \u2264 20.0 GiB"));
        QCOMPARE(memoryText(gibibytes(25), held),
                 QStringLiteral("25.0 of 40.0 GiB, at most 20.0 to fit with a chance of 90 %"));
    }

    // The cell of a stage has room for the longer text.
    void theMemoryCellHasRoomForALimit() {
        const StageColumns columns = StageColumns::of(900, 34);
        const MemoryRoom held{gibibytes(55.8), gibibytes(79.2), 0.9};
        const int figure = figuresWidth(bodyFont(600), gibText(gibibytes(54.9)));
        const int rest = figuresWidth(smallFont(), QStringLiteral(" of %1").arg(limitText(held)));
        QVERIFY2(figure + rest <= columns.memoryRight - columns.memoryBarRight,
                 qPrintable(QStringLiteral("%1 + %2").arg(figure).arg(rest)));
    }

    void detailsTellTheLimitFromTheCapacity() {
        Selection selection;
        CurrentPlan plan;
        DetailsPanel panel(plan, selection);
        auto shown = test::syntheticPlan();
        for (ShownStage& stage : shown->stages) {
            stage.memory.front().memory = gibibytes(40);
            stage.memory.front().chance = 0.995;
        }
        plan.show(shown);
        QVERIFY(allText(panel).contains(
            QStringLiteral("25.0 of 40.0 GiB, at most 20.0 to fit with a chance of 99.5 %")));
        selection.setStage(0);
        QVERIFY(allText(panel).contains(QStringLiteral("25.0 of 40.0 GiB")));
        QVERIFY(allText(panel).contains(QStringLiteral("At most")));
        QVERIFY(allText(panel).contains(QStringLiteral("to fit with 99.5 % chance")));
    }

    // A figure that is 0 where something else was expected says what it is.
    void detailsExplainTheirFigures() {
        Selection selection;
        CurrentPlan plan;
        DetailsPanel panel(plan, selection);
        plan.show(test::syntheticPlan());
        const auto helpOf = [&panel](const QString& name) {
            for (const QLabel* label : panel.findChildren<QLabel*>())
                if (label->text() == name)
                    return label->toolTip();
            return QString();
        };
        QVERIFY(helpOf(QStringLiteral("Fill, drain")).contains(QStringLiteral("first stage")));
        QVERIFY(helpOf(QStringLiteral("Exposed")).contains(QStringLiteral("dp: gradients")));
        QVERIFY(helpOf(QStringLiteral("Sync, step")).contains(QStringLiteral("tied embedding")));
        QVERIFY(!helpOf(QStringLiteral("Bubble")).isEmpty());
        QVERIFY(helpOf(QStringLiteral("Micro-batches")).contains(QStringLiteral("One replica has 2, ")));
    }

    void microbatchesAreSaidAsMegatronCountsThem() {
        auto plan = test::syntheticPlan();
        QCOMPARE(microbatchHelp(*plan),
                 QStringLiteral("Sequences of a micro-batch are counted over all replicas of a stage "
                                "together. One replica has 2, which is Megatron-LM's --micro-batch-size."));
        QCOMPARE(replicaNote(*plan), QStringLiteral("2 a replica"));
        plan->stages.back().sequences = 0.5;
        QCOMPARE(replicaNote(*plan), QStringLiteral("0.50 to 2 a replica"));
        QVERIFY2(microbatchHelp(*plan).contains(QStringLiteral("One replica has 0.50 to 2, by stage")),
                 qPrintable(microbatchHelp(*plan)));
        plan->stages.clear();
        QVERIFY(microbatchHelp(*plan).isEmpty());
        QVERIFY(replicaNote(*plan).isEmpty());
    }

    // The name of a cause may be longer than its line.
    void breakdownSaysCausesWhole() {
        Selection selection;
        CurrentPlan plan;
        BreakdownView view(plan, selection);
        view.resize(240, 308);
        view.show();
        auto shown = test::syntheticPlan();
        shown->stages[1].figures.link = "n5-s2";
        shown->stages[2].figures.link = "NVLink4+NVSwitch";
        plan.show(shown);
        const auto* bars = view.findChild<BreakdownBars*>();
        QVERIFY(bars->toolTipAt(bars->causeRect(2).center()).isEmpty()); // no stage is chosen
        selection.setStage(2);
        QVERIFY2(bars->toolTipAt(bars->causeRect(2).center())
                     .startsWith(QStringLiteral("Waits for link n5-s2 or NVLink4+NVSwitch 0.000 s")),
                 qPrintable(bars->toolTipAt(bars->causeRect(2).center())));
        QVERIFY(bars->toolTipAt(bars->causeRect(0).center()).startsWith(QStringLiteral("Warm-up 0.022 s")));
        QVERIFY(bars->toolTipAt(bars->rowRect(0).center()).contains(QStringLiteral("Forward")));
    }

    void breakdownNamesTheCauses() {
        Selection selection;
        CurrentPlan plan;
        BreakdownView view(plan, selection);
        view.resize(332, 308);
        view.show();
        plan.show(test::syntheticPlan());
        auto* bars = view.findChild<BreakdownBars*>();
        QTest::mouseClick(bars, Qt::LeftButton, {}, bars->rowRect(3).center());
        QCOMPARE(selection.stage(), 3);
        QVERIFY(bars->accessibleDescription().contains(QStringLiteral("Warm-up 0.033 s")));
        QTest::keyClick(bars, Qt::Key_Up);
        QCOMPARE(selection.stage(), 2);
    }
};

QTEST_MAIN(StageMapTest)
#include "stage_map_test.moc"
