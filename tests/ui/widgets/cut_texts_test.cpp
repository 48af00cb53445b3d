// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/cut_texts.h"
#include "ui/widgets/elided_label.h"

#include <QHeaderView>
#include <QHelpEvent>
#include <QLabel>
#include <QStandardItemModel>
#include <QTableView>
#include <QTest>
#include <QToolTip>

using namespace pw;

// What has no room to be read stands in the tool tip, whole.
class CutTextsTest : public QObject {
    Q_OBJECT

    const QString m_long = QStringLiteral("Waits for link n5-s2 or NVLink4+NVSwitch");

private Q_SLOTS:
    void aCutCellSaysAllOfIt() {
        QStandardItemModel model(1, 3);
        model.setItem(0, 0, new QStandardItem(m_long));
        model.setItem(0, 1, new QStandardItem(QStringLiteral("1")));
        model.setItem(0, 2, new QStandardItem(m_long));
        model.item(0, 2)->setToolTip(QStringLiteral("its own"));
        QTableView table;
        table.setModel(&model);
        table.resize(500, 100);
        table.show();
        QVERIFY(QTest::qWaitForWindowExposed(&table));
        const auto at = [&](int column) { return table.visualRect(model.index(0, column)).center(); };
        QCOMPARE(cutTextAt(table, at(0)), m_long);
        QVERIFY(cutTextAt(table, at(1)).isEmpty());
        QVERIFY(cutTextAt(table, at(2)).isEmpty()); // it says what it says
        QVERIFY(cutTextAt(table, {10, 90}).isEmpty());
        table.setColumnWidth(0, table.sizeHintForIndex(model.index(0, 0)).width() + 10);
        QVERIFY(cutTextAt(table, at(0)).isEmpty());
        table.resize(table.verticalHeader()->width() + 60, 100); // the cell goes on out of sight
        QCOMPARE(cutTextAt(table, table.visualRect(model.index(0, 0)).topLeft() + QPoint(4, 4)), m_long);
    }

    void everyTableShowsItWhileTheFilterIsThere() {
        QStandardItemModel model(1, 1);
        model.setItem(0, 0, new QStandardItem(m_long));
        QTableView table;
        table.setModel(&model);
        table.resize(500, 100);
        table.show();
        QVERIFY(QTest::qWaitForWindowExposed(&table));
        const auto isAnswered = [&] {
            const QPoint at = table.visualRect(model.index(0, 0)).center();
            QHelpEvent event(QEvent::ToolTip, at, table.viewport()->mapToGlobal(at));
            QCoreApplication::sendEvent(table.viewport(), &event);
            return event.isAccepted();
        };
        {
            const CutTexts filter(nullptr);
            QVERIFY(isAnswered());
            QCOMPARE(QToolTip::text(), m_long);
            table.setColumnWidth(0, 400);
            QVERIFY(!isAnswered());
        }
        table.setColumnWidth(0, 60);
        QVERIFY(!isAnswered());
    }

    void anElidedLabelSaysAllOfIt() {
        ElidedLabel label(m_long);
        label.resize(60, 20);
        QCOMPARE(label.wholeToolTip(), m_long);
        label.resize(600, 20);
        QVERIFY(label.wholeToolTip().isEmpty());
        label.setToolTip(QStringLiteral("its own"));
        label.resize(60, 20);
        QCOMPARE(label.wholeToolTip(), QStringLiteral("its own"));
    }
};

QTEST_MAIN(CutTextsTest)
#include "cut_texts_test.moc"
