// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/stray_focus.h"

#include <QAccessible>
#include <QListWidget>
#include <QTableWidget>
#include <QTest>
#include <QVBoxLayout>

using namespace pw;

namespace {

QList<QObject*> heard;
QStringList named;

void hear(QAccessibleEvent* event) {
    heard << event->object();
    named << event->accessibleInterface()->text(QAccessible::Name);
}

} // namespace

// Rows that the program chooses are not told of as where the user is. Offscreen no events are made: they are
// made here as Qt makes them.
class StrayFocusTest : public QObject {
    Q_OBJECT

private:
    // Whether what Qt tells of a row of the view that becomes the current one is kept back.
    static bool isStray(QWidget* view) {
        QAccessibleEvent row(view, QAccessible::Focus);
        row.setChild(1);
        return isStrayFocus(row);
    }

private Q_SLOTS:
    void init() {
        m_window = std::make_unique<QWidget>();
        auto* column = new QVBoxLayout(m_window.get());
        m_list = new QListWidget;
        m_table = new QTableWidget(3, 2);
        column->addWidget(m_list);
        column->addWidget(m_table);
        m_window->show();
        m_window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        m_list->setFocus();
    }

    void onlyTheFocusedOneTells() {
        QVERIFY(!isStray(m_list));
        QVERIFY(isStray(m_table));
        m_table->setFocus();
        QVERIFY(isStray(m_list));
        QVERIFY(!isStray(m_table));
    }

    // Hits below the line that is typed in, and choices that open over others.
    void aListWithoutAFocusOfItsOwnTells() {
        m_table->setFocusPolicy(Qt::NoFocus);
        QVERIFY(!isStray(m_table));
        QListWidget choices;
        QVERIFY(isStray(&choices));
        choices.setWindowFlag(Qt::Popup);
        QVERIFY(!isStray(&choices));
    }

    void allElseGoesWhereItWent() {
        QVERIFY(!isStray(m_window.get()));
        QAccessible::installUpdateHandler(hear);
        dropStrayFocus();
        dropStrayFocus(); // as a second window does
        const QAccessible::UpdateHandler handler = QAccessible::installUpdateHandler(nullptr);
        QVERIFY(handler && handler != hear);
        QAccessibleEvent whole(m_table, QAccessible::Focus), chosen(m_table, QAccessible::SelectionAdd),
            row(m_table, QAccessible::Focus);
        chosen.setChild(1);
        row.setChild(1);
        for (QAccessibleEvent* event : {&whole, &chosen, &row})
            handler(event);
        QCOMPARE(heard, (QList<QObject*>{m_table, m_table})); // not the row's
    }

    // Pages that change hand the focus on: only where it comes to rest is told, once, also of one in another.
    void onlyTheEndOfAChangeIsTold() {
        QAccessible::installUpdateHandler(hear);
        dropStrayFocus();
        const QAccessible::UpdateHandler handler = QAccessible::installUpdateHandler(nullptr);
        QAccessibleEvent passed(m_window.get(), QAccessible::Focus);
        heard.clear();
        {
            const FocusUntold outer;
            const FocusUntold inner;
            handler(&passed);
            m_table->setFocus();
        }
        QCOMPARE(heard, (QList<QObject*>{m_table, nullptr})); // and its current cell, which is no object
        heard.clear();
        {
            const FocusUntold untold;
            m_list->setFocus();
            handler(&passed);
            m_table->setFocus(); // where it was
        }
        QCOMPARE(heard, QList<QObject*>());
        handler(&passed);
        QCOMPARE(heard, QList<QObject*>{m_window.get()});
    }

    // Who comes to a table or list hears where in it he is; who has been there, or is elsewhere, nothing
    // more.
    void theRowThatOneComesToIsTold() {
        QAccessible::installUpdateHandler(hear);
        dropStrayFocus();
        const QAccessible::UpdateHandler handler = QAccessible::installUpdateHandler(nullptr);
        m_list->setAccessibleName(QStringLiteral("Formats"));
        m_list->addItems({QStringLiteral("one"), QStringLiteral("two")});
        m_list->setCurrentRow(1);
        m_table->setItem(2, 1, new QTableWidgetItem(QStringLiteral("Plan 3")));
        m_table->setCurrentCell(2, 1);
        m_table->setAccessibleName(QStringLiteral("Plans"));
        QAccessibleEvent atList(m_list, QAccessible::Focus), atTable(m_table, QAccessible::Focus);
        named.clear();
        handler(&atList);
        QCOMPARE(named, (QStringList{QStringLiteral("Formats"), QStringLiteral("two")}));
        named.clear();
        handler(&atTable); // the keys are not there
        QCOMPARE(named, QStringList{QStringLiteral("Plans")});
        m_table->setFocus();
        named.clear();
        handler(&atTable);
        QCOMPARE(named, (QStringList{QStringLiteral("Plans"), QStringLiteral("Plan 3")}));
        QAccessibleEvent chosen(m_table, QAccessible::Selection);
        named.clear();
        handler(&chosen);
        QCOMPARE(named, QStringList{QStringLiteral("Plans")});
        m_table->setRowCount(0);
        named.clear();
        handler(&atTable); // nothing in it
        QCOMPARE(named, QStringList{QStringLiteral("Plans")});
    }

private:
    std::unique_ptr<QWidget> m_window;
    QListWidget* m_list = nullptr;
    QTableWidget* m_table = nullptr;
};

QTEST_MAIN(StrayFocusTest)
#include "stray_focus_test.moc"
