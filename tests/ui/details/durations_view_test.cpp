// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/settle.h"
#include "tests/ui/synthetic_plan.h"
#include "ui/base/theme.h"
#include "ui/details/durations_view.h"
#include "ui/session/selection.h"
#include "ui/session/time_range.h"
#include "ui/timeline/bar_text.h"
#include "ui/widgets/eliding_header.h"

#include <QApplication>
#include <QComboBox>
#include <QTableWidget>
#include <QTest>

using namespace pw;

// How long bars take, with the mouse and the keys.
class DurationsViewTest : public QObject {
    Q_OBJECT

private:
    struct Shown {
        Shown() {
            ThemeControl::instance().apply(*qApp, ThemeMode::Light);
            plan.show(test::syntheticPlan());
            range.setTrace(plan.plan()->timeline->end);
            view.resize(360, 320);
            view.show();
        }
        const Timeline& timeline() const { return *plan.plan()->timeline; }
        std::size_t barsOf(BarKind wanted, const TimeWindow& window) const {
            std::size_t count = 0;
            for (const Track& track : timeline().tracks)
                for (const Lane& lane : track.lanes)
                    count += rangeStatistics(lane, window.begin, window.end)
                                 .byKind[static_cast<std::size_t>(wanted)]
                                 .count;
            return count;
        }
        std::size_t inTable() const {
            std::size_t count = 0;
            for (int row = 0; row < table->rowCount(); ++row)
                count += table->item(row, 1)->text().remove(QLatin1Char(',')).toULongLong();
            return count;
        }
        CurrentPlan plan;
        Selection selection;
        TimeRange range;
        DurationsView view{plan, selection, range};
        DurationBars* bars = view.findChild<DurationBars*>();
        QComboBox* kind = view.findChild<QComboBox*>(QStringLiteral("durations.kind"));
        QComboBox* by = view.findChild<QComboBox*>(QStringLiteral("durations.by"));
        QTableWidget* table = view.findChild<QTableWidget*>();
    };

private Q_SLOTS:
    void everyBarOfTheWindowIsInAGroup() {
        Shown s;
        QVERIFY(s.kind->count() >= 2);
        for (int k = 0; k < s.kind->count(); ++k) {
            s.kind->setCurrentIndex(k);
            const auto kind = static_cast<BarKind>(s.kind->currentData().toInt());
            QCOMPARE(s.inTable(), s.barsOf(kind, s.range.visible()));
        }
        s.kind->setCurrentIndex(0);
        const auto kind = static_cast<BarKind>(s.kind->currentData().toInt());
        const std::int64_t end = s.range.traceEnd();
        s.range.setVisible({end / 4, end / 2});
        QCOMPARE(s.inTable(), s.barsOf(kind, s.range.visible()));
        QVERIFY(s.view.subtitle().startsWith(QStringLiteral("in what the timeline shows")));
        s.range.setSelected({0, end / 2}, 1, 1); // an area goes before what is seen
        QCOMPARE(s.table->rowCount(), 1);
        QCOMPARE(s.table->item(0, 0)->text(), QStringLiteral("Stage 1"));
        s.by->setCurrentIndex(1);
        QCOMPARE(s.table->rowCount(), 1);
        s.plan.show(nullptr);
        QVERIFY(!s.bars->isVisible());
    }

    // At the width that its dock has in a window of 1366.
    void headingsAreWhole() {
        Shown s;
        s.view.resize(326, 320);
        QVERIFY(QTest::qWaitForWindowExposed(&s.view));
        QVERIFY(settle());
        const auto* header = qobject_cast<const ElidingHeader*>(s.table->horizontalHeader());
        QVERIFY(header);
        for (int column = 0; column < s.table->columnCount(); ++column)
            QCOMPARE(header->shownText(column), s.table->horizontalHeaderItem(column)->text());
    }

    // A click on a column walks through its bars, of the chosen group where one is chosen.
    void aColumnLeadsToItsBars() {
        Shown s;
        s.table->selectRow(1);
        const int group = s.table->item(1, 0)->data(Qt::UserRole).toInt();
        const auto parts = s.bars->accessibleParts();
        QVERIFY(!parts.empty());
        const auto kind = static_cast<BarKind>(s.kind->currentData().toInt());
        QTest::mouseClick(s.bars, Qt::LeftButton, {}, parts.front().rect.center());
        const Selection::Bar first = s.selection.bar();
        QCOMPARE(first.track, group);
        QCOMPARE(laneOf(s.timeline(), refOf(first)).kind(static_cast<std::size_t>(first.index)), kind);
        QTest::mouseClick(s.bars, Qt::LeftButton, {}, parts.front().rect.center());
        QVERIFY(!(s.selection.bar() == first));
        QCOMPARE(s.selection.bar().track, group);
        QTest::keyClick(s.bars, Qt::Key_Return); // the same column from the keys
        QCOMPARE(s.selection.bar().track, group);
    }

    void theChosenGroupStandsInTheColourOfTheKind() {
        Shown s;
        const auto pixels = [&] {
            const QImage image = s.bars->grab().toImage();
            const auto kind = static_cast<BarKind>(s.kind->currentData().toInt());
            int count = 0;
            for (int y = 0; y < image.height(); ++y)
                for (int x = 0; x < image.width(); ++x)
                    count += image.pixelColor(x, y) == theme().kind(kind).fill ? 1 : 0;
            return count;
        };
        const int all = pixels();
        QVERIFY(all > 0);
        s.table->selectRow(0);
        const int one = pixels();
        QVERIFY2(one > 0 && one < all, qPrintable(QStringLiteral("%1 of %2").arg(one).arg(all)));
    }
};

QTEST_MAIN(DurationsViewTest)
#include "durations_view_test.moc"
