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

void hear(QAccessibleEvent* event) {
    heard << event->object();
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

private:
    std::unique_ptr<QWidget> m_window;
    QListWidget* m_list = nullptr;
    QTableWidget* m_table = nullptr;
};

QTEST_MAIN(StrayFocusTest)
#include "stray_focus_test.moc"
