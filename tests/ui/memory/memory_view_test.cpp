// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/settle.h"
#include "tests/ui/synthetic_plan.h"
#include "ui/base/theme.h"
#include "ui/memory/memory_column.h"
#include "ui/memory/memory_plot.h"
#include "ui/memory/memory_view.h"
#include "ui/session/selection.h"
#include "ui/session/time_range.h"
#include "ui/timeline/legend.h"

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
        QCOMPARE(devices->currentText(), QStringLiteral("n1.g2"));
        QVERIFY(column->accessibleDescription().contains(QStringLiteral("17.0 of 20.0 GiB")));
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
