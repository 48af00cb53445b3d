// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/field_guard.h"

#include "tests/ui/settle.h"

#include <QAbstractItemView>
#include <QAccessible>
#include <QApplication>
#include <QComboBox>
#include <QDialog>
#include <QLineEdit>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTest>
#include <QVBoxLayout>
#include <QWheelEvent>

using namespace pw;

// Whoever scrolls past a field does not change it.
class FieldGuardTest : public QObject {
    Q_OBJECT

private:
    struct Form {
        QScrollArea area;
        QComboBox* combo = new QComboBox;
        QSpinBox* spin = new QSpinBox;
        QWidget* high = new QWidget;
        Form() {
            auto* page = new QWidget;
            auto* column = new QVBoxLayout(page);
            combo->addItems({QStringLiteral("a"), QStringLiteral("b"), QStringLiteral("c")});
            combo->setCurrentIndex(1);
            spin->setValue(5);
            high->setFixedHeight(2000);
            column->addWidget(combo);
            column->addWidget(spin);
            column->addWidget(high);
            area.setWidgetResizable(true);
            area.setWidget(page);
            area.resize(200, 200);
            area.show();
        }
    };

    // As Qt hands one on: to the widget under the cursor, and from it upwards while nobody takes it.
    static void turn(QWidget* over) {
        const QPointF at = over->rect().center();
        for (QWidget* w = over; w; w = w->parentWidget()) {
            QWheelEvent event(over->mapTo(w, at), over->mapToGlobal(at), {}, {0, -120}, Qt::NoButton,
                              Qt::NoModifier, Qt::NoScrollPhase, false);
            event.ignore();
            QApplication::sendEvent(w, &event);
            if (event.isAccepted() || w->isWindow())
                return;
        }
    }

private Q_SLOTS:
    // Also where a word stands for none, behind which no digit would count.
    void aClickChoosesTheNumber() {
        FieldGuard guard;
        Form form;
        form.spin->setSpecialValueText(QStringLiteral("none"));
        form.spin->setValue(form.spin->minimum());
        QVERIFY(QTest::qWaitForWindowActive(&form.area));
        form.combo->setFocus();
        auto* line = form.spin->findChild<QLineEdit*>();
        QTest::mouseClick(line, Qt::LeftButton);
        QTest::keyClicks(form.spin, QStringLiteral("2"));
        QCOMPARE(form.spin->value(), 2);
        QTest::mouseClick(line, Qt::LeftButton, {}, QPoint(line->width() - 2, line->height() / 2));
        QTest::keyClicks(form.spin, QStringLiteral("0")); // it has the focus: behind what stands there
        QCOMPARE(form.spin->value(), 20);
    }

    void fieldsWithoutTheFocusScrollWhatTheyLieIn() {
        FieldGuard guard;
        Form form;
        QVERIFY(QTest::qWaitForWindowExposed(&form.area));
        form.high->setFocusPolicy(Qt::StrongFocus);
        form.high->setFocus();
        for (QWidget* field : {static_cast<QWidget*>(form.combo), static_cast<QWidget*>(form.spin)}) {
            QVERIFY(!(field->focusPolicy() & ~Qt::StrongFocus)); // the wheel alone does not give it
            form.area.verticalScrollBar()->setValue(0);
            turn(field);
            QVERIFY(form.area.verticalScrollBar()->value() > 0);
        }
        QCOMPARE(form.combo->currentIndex(), 1);
        QCOMPARE(form.spin->value(), 5);
    }

    void theFieldInUseTakesIt() {
        FieldGuard guard;
        Form form;
        QVERIFY(QTest::qWaitForWindowExposed(&form.area));
        QApplication::setActiveWindow(&form.area);
        form.spin->setFocus();
        QTRY_VERIFY(form.spin->hasFocus());
        turn(form.spin);
        QCOMPARE(form.spin->value(), 4);
        QCOMPARE(form.area.verticalScrollBar()->value(), 0);
    }

    // One that was chosen from keeps the focus: neither the wheel nor the key of a tool chooses another.
    void aChoiceStays() {
        FieldGuard guard;
        Form form;
        QVERIFY(QTest::qWaitForWindowExposed(&form.area));
        QApplication::setActiveWindow(&form.area);
        form.combo->setFocus();
        QTRY_VERIFY(form.combo->hasFocus());
        turn(form.combo);
        QCOMPARE(form.combo->currentIndex(), 1);
        QTest::keyClick(form.combo, Qt::Key_Down); // what is meant for it
        QCOMPARE(form.combo->currentIndex(), 2);
        form.combo->showPopup();
        QAbstractItemView* const list = form.combo->view();
        QTRY_VERIFY(list->isVisible());
        QTest::keyClick(list, Qt::Key_A);
        QTest::keyClick(list, Qt::Key_Return);
        QTRY_COMPARE(form.combo->currentIndex(), 0);
    }

    // A letter looks for an entry in the list that it opens; nothing is chosen by it.
    void aLetterOpensTheList() {
        FieldGuard guard;
        Form form;
        form.combo->addItems({QStringLiteral("llama2-7b"), QStringLiteral("llama3-8b")});
        QVERIFY(QTest::qWaitForWindowExposed(&form.area));
        QApplication::setActiveWindow(&form.area);
        form.combo->setFocus();
        QTRY_VERIFY(form.combo->hasFocus());
        const QSignalSpy activated(form.combo, &QComboBox::activated);
        QAbstractItemView* const list = form.combo->view();
        QTest::keyClick(form.combo, Qt::Key_X);                  // no entry
        QTest::keyClick(form.combo, Qt::Key_C, Qt::AltModifier); // a command's
        QVERIFY(!list->isVisible());
        QTest::keyClick(form.combo, Qt::Key_C);
        QTRY_VERIFY(list->isVisible());
        QCOMPARE(list->currentIndex().data().toString(), QStringLiteral("c"));
        QCOMPARE(form.combo->currentIndex(), 1);
        QTest::keyClick(list, Qt::Key_Escape);
        QTRY_VERIFY(!list->isVisible());
        QCOMPARE(form.combo->currentIndex(), 1);
        QVERIFY(activated.isEmpty());
        list->keyboardSearch(QString()); // what comes begins anew, however quick
        const int interval = QApplication::keyboardInputInterval();
        QApplication::setKeyboardInputInterval(60'000); // and is one word, however slow
        QTest::keyClick(form.combo, Qt::Key_L);
        QTRY_VERIFY(list->isVisible());
        QTest::keyClicks(list, QStringLiteral("lama3"));
        QCOMPARE(list->currentIndex().data().toString(), QStringLiteral("llama3-8b"));
        QCOMPARE(form.combo->currentIndex(), 1);
        QTest::keyClick(list, Qt::Key_Return);
        QApplication::setKeyboardInputInterval(interval);
        QTRY_COMPARE(form.combo->currentText(), QStringLiteral("llama3-8b"));
        QCOMPARE(activated.count(), 1);
    }

    // What a screen reader's user presses in an open list is chosen, as a click chooses it, and once.
    void assistiveToolsChoose() {
        FieldGuard guard;
        Form form;
        QVERIFY(QTest::qWaitForWindowExposed(&form.area));
        form.combo->showPopup();
        QAbstractItemView* const list = form.combo->view();
        QTRY_VERIFY(list->isVisible());
        const QSignalSpy activated(form.combo, &QComboBox::activated),
            texts(form.combo, &QComboBox::textActivated);
        QTest::keyClick(list, Qt::Key_Down); // one that only looks has not chosen
        QVERIFY(settle());
        QVERIFY(list->isVisible() && activated.isEmpty());
        QAccessibleInterface* told = QAccessible::queryAccessibleInterface(list);
        QVERIFY(told && told->childCount() == 3);
        QAccessibleInterface* entry = told->child(0);
        QCOMPARE(entry->text(QAccessible::Name), QStringLiteral("a"));
        QVERIFY(entry->actionInterface());
        entry->actionInterface()->doAction(QAccessibleActionInterface::toggleAction());
        QVERIFY(settle());
        QCOMPARE(form.combo->currentIndex(), 0);
        QVERIFY(!list->isVisible());
        QCOMPARE(activated.count(), 1);
        QCOMPARE(texts.count(), 1);
        QCOMPARE(texts.front().front().toString(), QStringLiteral("a"));
    }

    // A dialog has no tools that letters could stand for: there they look for an entry, as people expect.
    void lettersLookForAnEntryInADialog() {
        FieldGuard guard;
        QDialog dialog;
        auto* combo = new QComboBox(&dialog);
        combo->addItems({QStringLiteral("A100"), QStringLiteral("H100"), QStringLiteral("V100")});
        dialog.show();
        QVERIFY(QTest::qWaitForWindowExposed(&dialog));
        QApplication::setActiveWindow(&dialog);
        combo->setFocus();
        QTRY_VERIFY(combo->hasFocus());
        QTest::keyClicks(combo, QStringLiteral("V1"));
        QCOMPARE(combo->currentText(), QStringLiteral("V100"));
        turn(combo);
        QCOMPARE(combo->currentText(), QStringLiteral("V100"));
    }

    // Without it the first of these would hold for any form.
    void withoutAGuardTheValueChanges() {
        Form form;
        QVERIFY(QTest::qWaitForWindowExposed(&form.area));
        turn(form.combo);
        QCOMPARE(form.combo->currentIndex(), 2);
    }
};

QTEST_MAIN(FieldGuardTest)
#include "field_guard_test.moc"
