// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/key_guard.h"

#include "ui/widgets/message_bar.h"

#include <QAbstractItemView>
#include <QAction>
#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QDialog>
#include <QLineEdit>
#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>
#include <QPushButton>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTableWidget>
#include <QTest>
#include <QToolButton>
#include <QVBoxLayout>

#include <utility>

using namespace pw;

// A key does what the user sees that it is for.
class KeyGuardTest : public QObject {
    Q_OBJECT

private:
    // A key of a view, as the command table makes it.
    static QAction* viewKey(QWidget* view, QMenu* menu, Qt::Key key) {
        auto* action = new QAction(QStringLiteral("view"), view);
        action->setShortcut(key);
        action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
        view->addAction(action);
        if (menu)
            menu->addAction(action);
        return action;
    }
    static std::pair<QWidget*, QMenu*> viewUnderAMenu(QMainWindow& window) {
        auto* view = new QWidget;
        window.setCentralWidget(view);
        return {view, window.menuBar()->addMenu(QStringLiteral("&File"))};
    }
    static void activate(QWidget& window, QWidget* focus) {
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        QApplication::setActiveWindow(&window);
        focus->setFocus();
        QTRY_COMPARE(QApplication::focusWidget(), focus);
    }

private Q_SLOTS:
    void returnPressesTheButtonWithTheFocus_data() {
        QTest::addColumn<int>("key");
        QTest::newRow("Return") << int{Qt::Key_Return};
        QTest::newRow("Enter") << int{Qt::Key_Enter};
    }
    void returnPressesTheButtonWithTheFocus() {
        QFETCH(const int, key);
        KeyGuard guard;
        QWidget view;
        auto* column = new QVBoxLayout(&view);
        const QSignalSpy command(viewKey(&view, nullptr, static_cast<Qt::Key>(key)), &QAction::triggered);
        auto* push = new QPushButton;
        auto* tool = new QToolButton;
        tool->setFocusPolicy(Qt::StrongFocus);
        auto* check = new QCheckBox;
        for (QWidget* button : std::initializer_list<QWidget*>{push, tool, check})
            column->addWidget(button);
        for (QAbstractButton* button : std::initializer_list<QAbstractButton*>{push, tool}) {
            activate(view, button);
            const QSignalSpy clicked(button, &QAbstractButton::clicked);
            QTest::keyClick(static_cast<QWidget*>(button), static_cast<Qt::Key>(key));
            QCOMPARE(clicked.count(), 1);
            QTest::keyClick(static_cast<QWidget*>(button), static_cast<Qt::Key>(key), Qt::ControlModifier);
            QCOMPARE(clicked.count(), 1); // of a command, if of anything
        }
        QVERIFY(command.isEmpty());
        activate(view, check);
        QTest::keyClick(check, static_cast<Qt::Key>(key));
        QVERIFY(!check->isChecked());
        QCOMPARE(command.count(), 1);
    }

    void returnPressesWhatAMessageOffers() {
        KeyGuard guard;
        QWidget window;
        auto* bar = new MessageBar(&window);
        bar->setMessage(MessageBar::Tone::Error, QStringLiteral("Refused."), QStringLiteral("no file"),
                        QStringLiteral("Try again"));
        auto* action = bar->findChild<QPushButton*>(QStringLiteral("messageBar.action"));
        auto* close = bar->findChild<QToolButton*>(QStringLiteral("messageBar.close"));
        const QSignalSpy asked(bar, &MessageBar::actionClicked);
        activate(window, action);
        QTest::keyClick(action, Qt::Key_Return);
        QCOMPARE(asked.count(), 1);
        activate(window, close);
        QTest::keyClick(close, Qt::Key_Return);
        QVERIFY(!bar->isVisible());
    }

    void aDialogKeepsItsDefaultButton() {
        KeyGuard guard;
        QDialog dialog;
        auto* column = new QVBoxLayout(&dialog);
        auto* ok = new QPushButton;
        ok->setDefault(true);
        auto* tool = new QToolButton;
        column->addWidget(ok);
        column->addWidget(tool);
        const QSignalSpy accepted(ok, &QPushButton::clicked), pressed(tool, &QToolButton::clicked);
        activate(dialog, tool);
        QTest::keyClick(tool, Qt::Key_Return);
        QCOMPARE(accepted.count(), 1);
        QVERIFY(pressed.isEmpty());
    }

    // Commands of views stand in the menu bar, which has the focus while a menu is open.
    void anOpenMenuHasItsLetters() {
        QTest::failOnWarning(QRegularExpression(QStringLiteral("Ambiguous")));
        KeyGuard guard;
        QMainWindow window;
        auto* both = new QWidget;
        auto *first = new QWidget(both), *second = new QWidget(both);
        window.setCentralWidget(both);
        QMenu* file = window.menuBar()->addMenu(QStringLiteral("&File"));
        const QAction* newOne = file->addAction(QStringLiteral("&New"));
        QMenu* view = window.menuBar()->addMenu(QStringLiteral("&View"));
        const QSignalSpy made(newOne, &QAction::triggered),
            nodes(viewKey(first, view, Qt::Key_N), &QAction::triggered),
            notes(viewKey(first, view, Qt::Key_T), &QAction::triggered),
            ties(viewKey(second, view, Qt::Key_T), &QAction::triggered);
        activate(window, first);
        QTest::keyClick(&window, Qt::Key_F, Qt::AltModifier);
        QTRY_COMPARE(QApplication::activePopupWidget(), static_cast<QWidget*>(file));
        QTest::keyClick(static_cast<QWidget*>(file), Qt::Key_T);
        QVERIFY(file->isVisible());
        QTest::keyClick(static_cast<QWidget*>(file), Qt::Key_N);
        QCOMPARE(made.count(), 1);
        QVERIFY(nodes.isEmpty() && notes.isEmpty() && ties.isEmpty());
        QVERIFY(!file->isVisible());
        QTRY_COMPARE(QApplication::focusWidget(), first); // where keys are of the view again
        QTest::keyClick(first, Qt::Key_N);
        QCOMPARE(nodes.count(), 1);
    }

    // Arrows, too: a view below that keeps the focus may have commands for them, which edit.
    void anOpenMenuHasItsArrows() {
        KeyGuard guard;
        QMainWindow window;
        const auto [view, file] = viewUnderAMenu(window);
        file->addAction(QStringLiteral("&New"));
        activate(window, view);
        const auto isForACommand = [view = view](Qt::Key key, Qt::KeyboardModifiers held = {}) {
            QKeyEvent asked(QEvent::ShortcutOverride, key, held);
            asked.ignore();
            QApplication::sendEvent(view, &asked);
            return !asked.isAccepted();
        };
        QVERIFY(isForACommand(Qt::Key_Right));
        QTest::mouseClick(window.menuBar(), Qt::LeftButton, {},
                          window.menuBar()->actionGeometry(file->menuAction()).center());
        QTRY_COMPARE(QApplication::activePopupWidget(), static_cast<QWidget*>(file));
        view->setFocus();
        QCOMPARE(QApplication::focusWidget(), view);
        for (const Qt::Key key : {Qt::Key_Right, Qt::Key_Down, Qt::Key_Home, Qt::Key_Return, Qt::Key_N})
            QVERIFY2(!isForACommand(key), qPrintable(QString::number(key)));
        QVERIFY(isForACommand(Qt::Key_Right, Qt::ControlModifier));
        file->close();
        QTRY_VERIFY(!QApplication::activePopupWidget());
        QVERIFY(isForACommand(Qt::Key_Right));
    }

    // A menu that was opened by a click and left by Escape: F5 is the command's, not the bar's.
    void aFunctionKeyLeavesTheMenuBar() {
        KeyGuard guard;
        QMainWindow window;
        const auto [view, file] = viewUnderAMenu(window);
        const QAction* run = file->addAction(QStringLiteral("&Run"), QKeySequence(Qt::Key_F5));
        const QSignalSpy ran(run, &QAction::triggered);
        activate(window, view);
        QTest::keyClick(&window, Qt::Key_F, Qt::AltModifier);
        QTRY_COMPARE(QApplication::activePopupWidget(), static_cast<QWidget*>(file));
        QTest::keyClick(static_cast<QWidget*>(file), Qt::Key_Escape);
        QTRY_VERIFY(!QApplication::activePopupWidget());
        QTRY_COMPARE(QApplication::focusWidget(), static_cast<QWidget*>(window.menuBar()));
        QTest::keyClick(&window, Qt::Key_F5);
        QCOMPARE(ran.count(), 1);
    }

    // Of a field in which nothing was typed Undo and Redo are the project's.
    void undoGoesPastAFieldThatHasNothingToTakeBack() {
        KeyGuard guard;
        QWidget window;
        auto* column = new QVBoxLayout(&window);
        auto* line = new QLineEdit(QStringLiteral("n1"));
        column->addWidget(line);
        QAction *undo = viewKey(&window, nullptr, Qt::Key_unknown),
                *redo = viewKey(&window, nullptr, Qt::Key_unknown);
        undo->setShortcut(QKeySequence::Undo);
        redo->setShortcut(QKeySequence::Redo);
        const QSignalSpy undone(undo, &QAction::triggered), redone(redo, &QAction::triggered);
        activate(window, line);
        QTest::keySequence(line, QKeySequence::Undo);
        QTest::keySequence(line, QKeySequence::Redo);
        QCOMPARE(undone.size(), 1);
        QCOMPARE(redone.size(), 1);
        QTest::keyClicks(line, QStringLiteral("23"));
        QTest::keySequence(line, QKeySequence::Undo);
        QCOMPARE(line->text(), QStringLiteral("n1"));
        QCOMPARE(undone.size(), 1);
        QTest::keySequence(line, QKeySequence::Redo);
        QCOMPARE(line->text(), QStringLiteral("n123"));
        QCOMPARE(redone.size(), 1);
    }

    void anOpenListHasItsLetters() {
        KeyGuard guard;
        QWidget view;
        auto* choice = new QComboBox(&view);
        choice->addItems({QStringLiteral("none"), QStringLiteral("full"), QStringLiteral("recompute")});
        const QSignalSpy command(viewKey(&view, nullptr, Qt::Key_R), &QAction::triggered);
        activate(view, choice);
        choice->showPopup();
        QTRY_VERIFY(choice->view()->isVisible());
        QTest::keyClick(choice->view(), Qt::Key_R);
        QTest::keyClick(choice->view(), Qt::Key_Return);
        QTRY_COMPARE(choice->currentIndex(), 2);
        QVERIFY(command.isEmpty());
    }

    // The first column holds symbols, and the current cell stands in it.
    void lettersLookForARow() {
        KeyGuard guard;
        QTableWidget table(3, 2);
        table.setSelectionBehavior(QAbstractItemView::SelectRows);
        table.setEditTriggers(QAbstractItemView::NoEditTriggers);
        const char* const names[] = {"attention", "embedding", "norm"};
        for (int row = 0; row < 3; ++row)
            table.setItem(row, 1, new QTableWidgetItem(QLatin1String(names[row])));
        table.setCurrentCell(0, 0);
        activate(table, &table);
        QTest::keyClick(&table, Qt::Key_N, Qt::ControlModifier);
        QCOMPARE(table.currentRow(), 0);
        QTest::keyClicks(&table, QStringLiteral("no"));
        QCOMPARE(table.currentRow(), 2);
        QVERIFY(table.item(2, 1)->isSelected());
    }
};

QTEST_MAIN(KeyGuardTest)
#include "key_guard_test.moc"
