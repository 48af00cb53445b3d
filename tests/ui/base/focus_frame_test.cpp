// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/ui/settle.h"
#include "ui/base/theme.h"

#include <QApplication>
#include <QFocusFrame>
#include <QHBoxLayout>
#include <QPushButton>
#include <QTabBar>
#include <QTableWidget>
#include <QTest>
#include <QToolBar>
#include <QToolButton>

using namespace pw;

// Who uses the keys sees where the focus is.
class FocusFrameTest : public QObject {
    Q_OBJECT

private:
    static QImage pictureOf(QWidget* widget) { return widget->grab().toImage(); }

    // Beside another button, which has the focus at first.
    struct Shown {
        explicit Shown(QWidget* shown) {
            ThemeControl::instance().apply(*qApp, ThemeMode::Light);
            auto* row = new QHBoxLayout(&window);
            row->addWidget(shown);
            row->addWidget(&other);
            window.show();
            window.activateWindow();
            if (!QTest::qWaitForWindowActive(&window))
                qFatal("the window was not shown");
            other.setFocus();
        }
        QWidget window;
        QPushButton other;
    };

private Q_SLOTS:
    void aTableIsFramed() {
        auto* table = new QTableWidget(3, 2);
        Shown f(table);
        const QSize room = table->viewport()->size();
        const QImage without = pictureOf(table);
        table->setFocus();
        const QImage with = pictureOf(table);
        const QPoint edges[] = {{0, with.height() / 2},
                                {with.width() - 1, with.height() / 2},
                                {with.width() / 2, 0},
                                {with.width() / 2, with.height() - 1}};
        for (const QPoint& edge : edges) {
            QCOMPARE(with.pixelColor(edge), theme().accent);
            QVERIFY(without.pixelColor(edge) != theme().accent);
        }
        QCOMPARE(table->viewport()->size(), room); // nothing moves
        f.other.setFocus();
        QCOMPARE(pictureOf(table), without);
    }

    void theFrameKeepsToTheEdge() {
        auto* table = new QTableWidget(3, 2);
        Shown f(table);
        table->setFocus();
        f.window.resize(f.window.size() + QSize(90, 70));
        QApplication::sendPostedEvents();
        const QImage with = pictureOf(table);
        QCOMPARE(with.pixelColor(with.width() / 2, with.height() - 1), theme().accent);
        QCOMPARE(with.pixelColor(with.width() - 1, with.height() / 2), theme().accent);
    }

    // Which Left and Right move; scrolled away it has none.
    void theCurrentCellIsFramed() {
        auto* table = new QTableWidget(60, 2);
        Shown f(table);
        const auto topOf = [table](int row, int column) {
            const QRect cell = table->visualRect(table->model()->index(row, column));
            return table->viewport()->mapTo(table, QPoint(cell.center().x(), cell.top()));
        };
        const QPoint first = topOf(1, 0), second = topOf(1, 1);
        table->setFocus();
        table->setCurrentCell(1, 1);
        QVERIFY(settle());
        QCOMPARE(pictureOf(table).pixelColor(second), theme().accent);
        QVERIFY(pictureOf(table).pixelColor(first) != theme().accent);
        QTest::keyClick(table, Qt::Key_Left);
        QVERIFY(settle());
        QCOMPARE(pictureOf(table).pixelColor(first), theme().accent);
        QVERIFY(pictureOf(table).pixelColor(second) != theme().accent);
        table->scrollToBottom();
        QVERIFY(settle());
        QVERIFY(pictureOf(table).pixelColor(first) != theme().accent);
    }

    void aTableThatGoesTakesItsFrame() {
        auto* table = new QTableWidget(3, 2);
        Shown f(table);
        table->setFocus();
        QCOMPARE(f.window.findChildren<QFocusFrame*>().size(), 1);
        delete table;
        f.other.setFocus();
        QVERIFY(f.window.findChildren<QFocusFrame*>().isEmpty());
    }

    void aButtonIsNotFramedTwice() {
        auto* table = new QTableWidget(3, 2);
        Shown f(table);
        QVERIFY(f.other.hasFocus());
        QVERIFY(f.window.findChildren<QFocusFrame*>().isEmpty());
    }

    void toolButtonsShowIt_data() {
        QTest::addColumn<bool>("inBar");
        QTest::addColumn<QString>("segment");
        QTest::addColumn<bool>("checked");
        for (const bool checked : {false, true}) {
            const char* state = checked ? "checked" : "not checked";
            QTest::addRow("alone, %s", state) << false << QString() << checked;
            QTest::addRow("in a tool bar, %s", state) << true << QString() << checked;
            QTest::addRow("segment, %s", state) << true << QStringLiteral("first") << checked;
        }
    }

    // The second pixel from the edge: the first one is a line of accent where the button is checked.
    void toolButtonsShowIt() {
        QFETCH(const bool, inBar);
        QFETCH(const QString, segment);
        QFETCH(const bool, checked);
        auto* button = new QToolButton;
        button->setText(QStringLiteral("word"));
        button->setFocusPolicy(Qt::StrongFocus);
        button->setCheckable(true);
        button->setChecked(checked);
        if (!segment.isEmpty())
            button->setProperty("segment", segment);
        auto* bar = inBar ? new QToolBar : nullptr;
        if (bar)
            bar->addWidget(button);
        Shown f(bar ? static_cast<QWidget*>(bar) : button);
        const QSize size = button->sizeHint();
        const QImage without = pictureOf(button);
        button->setFocus();
        QVERIFY(button->hasFocus());
        const QImage with = pictureOf(button);
        const QPoint second(1, with.height() / 2);
        QVERIFY(with.pixelColor(second) != without.pixelColor(second));
        QCOMPARE(with.pixelColor(second), checked ? theme().text : theme().accent);
        QCOMPARE(button->sizeHint(), size);
    }

    void theTabWithTheFocusIsFramed() {
        auto* tabs = new QTabBar;
        tabs->addTab(QStringLiteral("Plans"));
        tabs->addTab(QStringLiteral("Stages"));
        Shown f(tabs);
        const QRect tab = tabs->tabRect(0), beside = tabs->tabRect(1);
        const QPoint left(tab.left() + 1, tab.center().y()), top(tab.center().x(), tab.top() + 1);
        const QImage without = pictureOf(tabs);
        tabs->setFocus();
        const QImage with = pictureOf(tabs);
        for (const QPoint& at : {left, top}) {
            QCOMPARE(with.pixelColor(at), theme().accent);
            QVERIFY(without.pixelColor(at) != theme().accent);
        }
        QCOMPARE(with.copy(beside), without.copy(beside));
        QCOMPARE(tabs->tabRect(0), tab);
    }
};

QTEST_MAIN(FocusFrameTest)
#include "focus_frame_test.moc"
