// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/topology/shown_canvas.h"
#include "ui/base/theme.h"

#include <QPushButton>

using namespace pw;

// A drawing of four boxes beside a button that takes the focus.
struct Drawn : ShownCanvas {
    Drawn() {
        drawSample();
        show();
        other = new QPushButton(&window);
        other->setGeometry(0, 0, 4, 4);
        other->show();
        selection.setItems({});
        boxes = canvas->topology().boxes();
    }
    void choose(const QString& id) { selection.setItems({id}); }
    QString chosen() const { return selection.items().size() == 1 ? *selection.items().begin() : QString(); }

    QPushButton* other = nullptr;
    QStringList boxes;
};

// Where the keys are on the drawing, and where Tab leads.
class CanvasFocusTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theDrawingShowsThatItHasTheFocus() {
        Drawn app;
        const auto edge = [&](QPoint at) { return app.canvas->viewport()->grab().toImage().pixelColor(at); };
        const QPoint low(app.canvas->viewport()->width() / 2, app.canvas->viewport()->height() - 1);
        const QPoint right(app.canvas->viewport()->width() - 1, app.canvas->viewport()->height() / 2);
        QVERIFY(app.canvas->hasFocus());
        QCOMPARE(edge(low), theme().accent);
        QCOMPARE(edge(right), theme().accent);
        app.other->setFocus();
        QVERIFY(edge(low) != theme().accent);
        QVERIFY(edge(right) != theme().accent);
    }

    void tabOfTheLinkToolGoesAround() {
        Drawn app;
        QCOMPARE(app.boxes.size(), 4);
        app.choose(app.boxes.last());
        app.canvas->setTool(TopologyCanvas::Tool::Link);
        QTest::keyClick(app.canvas, Qt::Key_Tab);
        QVERIFY(app.canvas->hasFocus());
        QCOMPARE(app.chosen(), app.boxes.first());
        QTest::keyClick(app.canvas, Qt::Key_Backtab);
        QVERIFY(app.canvas->hasFocus());
        QCOMPARE(app.chosen(), app.boxes.last());
    }

    void withoutAChosenBoxItBeginsAtAnEnd() {
        Drawn app;
        app.canvas->setTool(TopologyCanvas::Tool::Link);
        QTest::keyClick(app.canvas, Qt::Key_Tab);
        QCOMPARE(app.chosen(), app.boxes.first());
        app.selection.setItems({});
        QTest::keyClick(app.canvas, Qt::Key_Backtab);
        QCOMPARE(app.chosen(), app.boxes.last());
    }

    void withoutTheToolTabLeavesAfterTheLast() {
        Drawn app;
        app.choose(app.boxes[2]);
        QTest::keyClick(app.canvas, Qt::Key_Tab);
        QVERIFY(app.canvas->hasFocus());
        QCOMPARE(app.chosen(), app.boxes.last());
        QTest::keyClick(app.canvas, Qt::Key_Tab);
        QVERIFY(!app.canvas->hasFocus());
        QCOMPARE(app.chosen(), app.boxes.last());
    }

    void theLinkToolIsNoTrapOnAnEmptySheet() {
        ShownCanvas app;
        app.show();
        auto* other = new QPushButton(&app.window);
        other->show();
        app.canvas->setTool(TopologyCanvas::Tool::Link);
        QTest::keyClick(app.canvas, Qt::Key_Tab);
        QVERIFY(!app.canvas->hasFocus());
    }
};

QTEST_MAIN(CanvasFocusTest)
#include "canvas_focus_test.moc"
