// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/ui_fixture.h"
#include "tests/whatif/edited_plan.h"
#include "ui/sensitivity/sensitivity_view.h"
#include "ui/sensitivity/slice_plot.h"
#include "ui/widgets/eliding_combo.h"

#include <QComboBox>
#include <QPushButton>
#include <QTableWidget>
#include <QUndoStack>

using namespace pw;

// One parameter at a time, and what becomes of a value that is tried.
class SensitivityViewTest : public QObject {
    Q_OBJECT

private:
    struct Fixture : UiFixture {
        Fixture() {
            const auto problem = openLongProject();
            const Plan plan = test::editPlan(*problem);
            id = candidates.add(problem, {{plan, *evaluate(*problem, plan)}}, QStringLiteral("searched"));
            view.resize(360, 320);
            view.show();
        }
        // Waits for the figures that the change brings.
        template <class Change>
        bool after(const Change& change) {
            QSignalSpy evaluated(&view, &SensitivityView::evaluated);
            change();
            return evaluated.wait(60'000);
        }
        int row(const QString& value) const {
            for (int r = 0; r < table->rowCount(); ++r)
                if (table->item(r, 0)->text() == value)
                    return r;
            return -1;
        }
        int id = -1;
        SensitivityView view{context};
        QComboBox* parameter = view.findChild<QComboBox*>();
        QTableWidget* table = view.findChild<QTableWidget*>();
        SlicePlot* plot = view.findChild<SlicePlot*>();
        QPushButton* button = view.findChild<QPushButton*>(QStringLiteral("sensitivity.try"));
    };

private Q_SLOTS:
    void aPlanIsNeeded() {
        Fixture f;
        QVERIFY(!f.plot->isVisible());
        QVERIFY(f.after([&] { f.selection.setPlan(f.id); }));
        QVERIFY(f.plot->isVisible());
        QCOMPARE(f.parameter->currentText(), QStringLiteral("Bandwidth of all links"));
        QCOMPARE(f.table->rowCount(), static_cast<int>(std::size(whatif::kSliceFactors)));
        QVERIFY(f.table->item(0, 1)->text().startsWith(QStringLiteral("\u2234 "))); // nothing is measured
        QCOMPARE(f.table->item(f.row(QStringLiteral("\u00d7 1")), 2)->text(), QStringLiteral("now"));
        QVERIFY(f.table->item(0, 2)->text().startsWith(QLatin1Char('+'))); // a quarter of the bandwidth
        f.table->selectRow(0);
        QVERIFY(!f.button->isEnabled()); // the cluster is not the plan's to change
    }

    // The change may say more than a figure, in a view as narrow as its dock is at first.
    void theChangeHasRoomForItsWords() {
        Fixture f;
        f.view.resize(330, 320);
        QVERIFY(f.after([&] { f.selection.setPlan(f.id); }));
        const int words =
            QFontMetrics(f.table->font()).horizontalAdvance(QStringLiteral("\u221212.6 %, does not fit"));
        QVERIFY2(f.table->columnWidth(2) > words + 8, qPrintable(QString::number(f.table->columnWidth(2))));
        for (int row = 0; row < f.table->rowCount(); ++row)
            QCOMPARE(f.table->item(row, 2)->toolTip(), f.table->item(row, 2)->text());
    }

    void aValueIsTriedAndUndone() {
        Fixture f;
        QVERIFY(f.after([&] { f.selection.setPlan(f.id); }));
        const int index = f.parameter->findText(QStringLiteral("Boundary behind stage 0"));
        QVERIFY(index >= 0);
        QVERIFY(f.after([&] { f.parameter->setCurrentIndex(index); }));
        const int row = f.row(QStringLiteral("block 2"));
        QVERIFY(row >= 0);
        const QString time = f.table->item(row, 1)->text();
        const auto parts = f.plot->accessibleParts();
        QCOMPARE(parts.size(), static_cast<std::size_t>(f.table->rowCount()));
        QTest::mouseClick(f.plot, Qt::LeftButton, {}, parts[static_cast<std::size_t>(row)].rect.center());
        QCOMPARE(f.table->currentRow(), row);
        QVERIFY(f.button->isEnabled());
        QVERIFY(f.after([&] { QTest::mouseClick(f.button, Qt::LeftButton); }));
        QCOMPARE(f.document.undoStack()->count(), 1);
        const Candidate& edited = *f.candidates.find(f.selection.plan());
        QVERIFY(!edited.base.isEmpty());
        QCOMPARE(f.parameter->currentIndex(), index);
        const int now = f.row(QStringLiteral("block 2"));
        QCOMPARE(f.table->item(now, 2)->text(), QStringLiteral("now"));
        QCOMPARE(f.table->item(now, 1)->text(), time); // what was foretold
        QVERIFY(f.after([&] { f.document.undoStack()->undo(); }));
        QCOMPARE(f.selection.plan(), f.id);
    }

    // In a narrow dock a long name ends in dots, and the tool tip has all of it.
    void longNamesAreElided() {
        ElidingCombo box;
        box.addItem(QStringLiteral("Bandwidth of link rack-17-of-the-north-hall-s1"));
        box.resize(600, 22);
        QCOMPARE(box.shownText(), box.currentText());
        box.resize(140, 22);
        QVERIFY(box.shownText().startsWith(QStringLiteral("Bandwidth")));
        QVERIFY2(box.shownText().endsWith(QChar(0x2026)), qPrintable(box.shownText()));
        const QRect field(0, 0, 140, 22);
        QVERIFY(box.fontMetrics().horizontalAdvance(box.shownText()) < field.width());
    }

    void aPlanOfAnEarlierStateHasNone() {
        Fixture f;
        QVERIFY(f.after([&] { f.selection.setPlan(f.id); }));
        Project changed = *f.document.project();
        changed.recipe.gbs *= 2;
        QVERIFY(f.after([&] { f.document.apply(changed, QStringLiteral("batch")); }));
        QVERIFY(!f.plot->isVisible());
    }
};

QTEST_MAIN(SensitivityViewTest)
#include "sensitivity_view_test.moc"
