// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/settle.h"
#include "tests/ui/synthetic_plan.h"
#include "ui/base/theme.h"
#include "ui/memory/device_list_model.h"
#include "ui/memory/memory_column.h"
#include "ui/memory/memory_plot.h"
#include "ui/memory/memory_view.h"
#include "ui/session/selection.h"
#include "ui/session/time_range.h"
#include "ui/timeline/legend.h"

#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QTest>

using namespace pw;

class MemoryViewTest : public QObject {
    Q_OBJECT

private:
    Selection* m_selection = nullptr;
    TimeRange* m_range = nullptr;
    CurrentPlan* m_plan = nullptr;
    MemoryView* m_view = nullptr;

private Q_SLOTS:
    void init() {
        m_selection = new Selection;
        m_range = new TimeRange;
        m_plan = new CurrentPlan;
        m_view = new MemoryView(*m_plan, *m_selection, *m_range);
        m_view->resize(900, 120);
        m_view->show();
        m_plan->show(test::syntheticPlan());
        m_range->setTrace(m_plan->plan()->timeline->end);
    }
    void cleanup() {
        delete m_view;
        delete m_plan;
        delete m_range;
        delete m_selection;
    }

    void emptyWithoutPlan() {
        m_plan->show(nullptr);
        QVERIFY(!m_view->plot()->isVisible());
    }

    // Unless a device or a stage is chosen: those come first.
    void opensOnTheFullestDevice() {
        auto plan = test::syntheticPlan();
        plan->stages[2].memory.front().peak.activations = gibibytes(30);
        m_plan->show(plan);
        QCOMPARE(m_view->device(), QStringLiteral("n1.g2"));
        m_selection->setStage(3);
        auto again = test::syntheticPlan();
        again->stages[2].memory.front().peak.activations = gibibytes(30);
        m_plan->show(again);
        QCOMPARE(m_view->device(), QStringLiteral("n1.g3"));
        m_selection->setDevice(QStringLiteral("n1.g1"));
        m_plan->show(test::syntheticPlan());
        QCOMPARE(m_view->device(), QStringLiteral("n1.g1"));
    }

    // How full each is and how sure that is, in the list; of the whole plan in the title.
    void theListSaysHowFullEachDeviceIs() {
        auto plan = test::syntheticPlan();
        plan->stages[2].memory.front().fitChance = 0.52;
        plan->stages[3].memory.front().memory = gibibytes(40);
        m_plan->show(plan);
        const auto* devices = m_view->findChild<QComboBox*>(QStringLiteral("memory.device"));
        QCOMPARE(devices->itemText(2), QStringLiteral("n1.g2, 17.0 of 20.0 GiB, 52 % to fit"));
        QCOMPARE(devices->itemText(3), QStringLiteral("n1.g3, 13.0 of ≤ 20.0 GiB, 100 % to fit"));
        QCOMPARE(m_view->subtitle(), QStringLiteral("fits with a chance of 52 %"));
        auto unknown = test::syntheticPlan();
        unknown->stale = true;
        for (ShownStage& stage : unknown->stages)
            stage.memory.front().capacity = Bytes();
        m_plan->show(unknown);
        QCOMPARE(devices->itemText(2), QStringLiteral("n1.g2, capacity unknown"));
        QCOMPARE(m_view->subtitle(), QStringLiteral("stale"));
        m_plan->show(nullptr);
        QCOMPARE(devices->count(), 0);
        QVERIFY(m_view->subtitle().isEmpty());
    }

    // Words are made for the rows that are looked at, of however many.
    void aListOfManyDevicesFindsEach() {
        auto plan = test::syntheticPlan();
        for (ShownStage& stage : plan->stages)
            for (int i = 0; i < 4095; ++i) {
                ShownDevice device = stage.memory.front();
                device.id = QStringLiteral("s%1.g%2").arg(stage.stage).arg(i);
                stage.memory.push_back(device);
            }
        plan->indexDevices();
        DeviceListModel list;
        QAbstractItemModelTester tester(&list);
        QVERIFY(list.at(0) == nullptr);
        list.setPlan(plan);
        QCOMPARE(list.rowCount(), 16'384);
        for (int row = 0; row < list.rowCount(); row += 511)
            QCOMPARE(list.rowOf(list.at(row)->id), row);
        QCOMPARE(list.at(16'383)->id, QStringLiteral("s3.g4094"));
        QVERIFY(list.at(16'384) == nullptr && list.at(-1) == nullptr);
        QCOMPARE(list.rowOf(QStringLiteral("n9.g0")), -1);
    }

    // Wherever the peak lies, in whatever size and part of the axis.
    void wordsOfPeakAndCapacityNeverOverlap() {
        int both = 0, shown = 0;
        m_selection->setDevice(QStringLiteral("n1.g0"));
        const std::int64_t end = m_plan->plan()->timeline->end;
        for (const double held : {20.0, 40.0})
            for (const double peak : {1.0, 11.9, 12.0, 15.0, 25.0}) {
                auto plan = test::syntheticPlan();
                ShownDevice& device = plan->stages[0].memory.front();
                device.memory = gibibytes(held);
                device.chance = 0.9;
                device.peak.activations = gibibytes(peak);
                for (const double at : {0.0, 0.1, 0.3, 0.5}) {
                    plan->stages[0].inFlight = {{0.0, 0}, {at, 2}, {0.6, 1}};
                    m_plan->show(std::make_shared<ShownPlan>(*plan));
                    for (const QSize size : {QSize(100, 60), QSize(300, 60), QSize(500, 90), QSize(700, 60),
                                             QSize(900, 120), QSize(1400, 300)}) {
                        m_view->plot()->resize(size);
                        for (const std::int64_t begin : {std::int64_t{0}, end / 4}) {
                            m_range->setVisible({begin, end});
                            const MemoryPlot& plot = *m_view->plot();
                            QVERIFY(!plot.peakRect().intersects(plot.capacityRect()));
                            QVERIFY(plot.rect().contains(plot.capacityRect()) ||
                                    plot.capacityRect().isNull());
                            ++shown;
                            both += plot.capacityRect().isNull() ? 0 : 1;
                            if (size.width() >= 900)
                                QVERIFY2(!plot.capacityRect().isNull(),
                                         qPrintable(plot.peakText() + plot.capacityText()));
                        }
                    }
                }
            }
        QVERIFY2(3 * both > shown, qPrintable(QStringLiteral("%1 of %2").arg(both).arg(shown)));
    }

    void peakIsTheDevicesPeakAndSaysEstimated() {
        m_selection->setStage(2);
        QCOMPARE(m_view->device(), QStringLiteral("n1.g2"));
        QCOMPARE(m_view->plot()->peakText(), QStringLiteral("peak 17.0 GiB, 2 in flight, ∴ estimated"));
        QVERIFY(m_view->findChild<MemoryColumn*>()->accessibleDescription().contains(
            QStringLiteral("estimated")));
    }

    // To fit with a chance the plan may hold less than the device has: both are said, and which is which.
    void aLimitIsNotTakenForTheCapacity() {
        auto held = test::syntheticPlan();
        for (ShownStage& stage : held->stages) {
            stage.memory.front().memory = gibibytes(40);
            stage.memory.front().chance = 0.9;
        }
        m_plan->show(held);
        m_selection->setStage(2);
        QCOMPARE(m_view->plot()->capacityText(),
                 QStringLiteral("at most 20.0 of 40.0 GiB, to fit with a chance of 90 %"));
        QVERIFY(m_view->plot()->top() > 40.0);
        QVERIFY2(m_view->findChild<MemoryColumn*>()->accessibleDescription().contains(
                     QStringLiteral("peak 17.0 of 40.0 GiB, at most 20.0 to fit with a chance of 90 %")),
                 qPrintable(m_view->findChild<MemoryColumn*>()->accessibleDescription()));
        m_plan->show(test::syntheticPlan());
        QCOMPARE(m_view->plot()->capacityText(), QStringLiteral("capacity 20.0 GiB"));
    }

    // What the legend has no room for, and how much each part is.
    void theLegendSaysAllPartsWithTheirValues() {
        m_selection->setStage(2);
        const auto* legend = m_view->titleTools()->findChild<Legend*>();
        QVERIFY(legend);
        const QStringList lines = legend->toolTipText().split(QLatin1Char('\n'));
        QCOMPARE(lines.size(), 7);
        QVERIFY2(lines.contains(QStringLiteral("Weights: 8.0 GiB")), qPrintable(legend->toolTipText()));
        QCOMPARE(lines.front(), QStringLiteral("Activations: 8.0 GiB"));
        m_selection->setStage(3);
        QVERIFY(legend->toolTipText().startsWith(QStringLiteral("Activations: 4.0 GiB")));
    }

    void activationsStepWithTheMicrobatches() {
        m_selection->setStage(1); // 9 GiB stay, 12 GiB of activations with two in flight
        const MemoryPlot& plot = *m_view->plot();
        QCOMPARE(plot.gibAt(5 * test::kMs), 9.0);
        QCOMPARE(plot.gibAt(15 * test::kMs), 15.0);
        QCOMPARE(plot.gibAt(100 * test::kMs), 21.0);
        QCOMPARE(plot.gibAt(250 * test::kMs), 15.0);
    }

    void overflowIsSaidInNumbers() {
        m_selection->setStage(0);
        QVERIFY2(m_view->plot()->peakText().startsWith(QStringLiteral("needs 25.0 of 20.0 GiB")),
                 qPrintable(m_view->plot()->peakText()));
        QVERIFY(settle()); // the plot draws when it is idle
        const QImage image = m_view->plot()->grab().toImage();
        // Words and the line of the capacity have that colour too: the hatch alone fills many columns of
        // pixels in several rows each.
        int hatched = 0;
        for (int x = 0; x < image.width(); ++x) {
            int rows = 0;
            for (int y = 0; y < image.height(); ++y)
                rows += image.pixelColor(x, y) == theme().err ? 1 : 0;
            hatched += rows >= 3 ? 1 : 0;
        }
        QVERIFY2(hatched > 100, qPrintable(QString::number(hatched))); // 23 without it
    }

    // Figures of an earlier state of the project keep their shape and lose their colour.
    void staleIsPale() {
        const auto colourful = [this] {
            settle();
            const QImage image = m_view->plot()->grab().toImage();
            int count = 0;
            for (int x = 0; x < image.width(); ++x)
                for (int y = 0; y < image.height(); ++y)
                    count += image.pixelColor(x, y) == theme().memory[1] ? 1 : 0;
            return count;
        };
        m_selection->setStage(1);
        QVERIFY(colourful() > 1000);
        auto stale = test::syntheticPlan();
        stale->stale = true;
        m_plan->show(stale);
        QCOMPARE(colourful(), 0);
        QCOMPARE(m_view->plot()->gibAt(100 * test::kMs), 21.0);
    }

    void choosingADevice() {
        auto* devices = m_view->findChild<QComboBox*>(QStringLiteral("memory.device"));
        QCOMPARE(devices->count(), 4);
        auto* column = m_view->findChild<QWidget*>(QStringLiteral("memory.column"));
        m_selection->setStage(1);
        QTest::keyClick(column, Qt::Key_Down);
        QCOMPARE(m_view->device(), QStringLiteral("n1.g2"));
        QCOMPARE(m_selection->stage(), 2);
        QVERIFY2(devices->currentText().startsWith(QStringLiteral("n1.g2, 17.0 of 20.0 GiB")),
                 qPrintable(devices->currentText()));
        devices->setFocus();
        QTest::keyClick(devices, Qt::Key_Down); // the list chooses, too
        QCOMPARE(m_view->device(), QStringLiteral("n1.g3"));
        QCOMPARE(m_selection->device(), QStringLiteral("n1.g3"));
        QVERIFY(column->accessibleDescription().contains(QStringLiteral("n1.g3")));
    }

    // The bars stand side by side.
    void leftAndRightGoToTheBarBeside() {
        auto* column = m_view->findChild<MemoryColumn*>();
        m_selection->setDevice(QStringLiteral("n1.g1"));
        QTest::keyClick(column, Qt::Key_Right);
        QCOMPARE(m_view->device(), QStringLiteral("n1.g2"));
        QVERIFY(column->accessibleDescription().contains(QStringLiteral("n1.g2")));
        QTest::keyClick(column, Qt::Key_Left);
        QTest::keyClick(column, Qt::Key_Left);
        QCOMPARE(m_view->device(), QStringLiteral("n1.g0"));
        QTest::keyClick(column, Qt::Key_Left); // the first
        QCOMPARE(m_view->device(), QStringLiteral("n1.g0"));
    }

    void axisIsTheTimelines() {
        auto* column = m_view->findChild<QWidget*>(QStringLiteral("memory.column"));
        m_range->setLabelWidth(160);
        QCOMPARE(column->width(), 161);
        // Zoomed to where two are in flight the whole plot is as high as the peak.
        m_selection->setStage(2);
        m_range->setVisible({50 * test::kMs, 60 * test::kMs});
        QVERIFY(settle());
        const QImage image = m_view->plot()->grab().toImage();
        const int y = static_cast<int>(image.height() * (1.0 - 15.0 / m_view->plot()->top()));
        for (const int x : {1, image.width() / 2, image.width() - 2})
            QCOMPARE(image.pixelColor(x, y), theme().memory[6]);
    }
};

QTEST_MAIN(MemoryViewTest)
#include "memory_view_test.moc"
