// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/topology/shown_canvas.h"
#include "ui/base/theme.h"

#include <QPushButton>
#include <QSignalSpy>

using namespace pw;

// A drawing of four boxes beside a button that takes the focus.
struct DrawnRing : ShownCanvas {
    DrawnRing() {
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
        DrawnRing app;
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
        DrawnRing app;
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
        DrawnRing app;
        app.canvas->setTool(TopologyCanvas::Tool::Link);
        QTest::keyClick(app.canvas, Qt::Key_Tab);
        QCOMPARE(app.chosen(), app.boxes.first());
        app.selection.setItems({});
        QTest::keyClick(app.canvas, Qt::Key_Backtab);
        QCOMPARE(app.chosen(), app.boxes.last());
    }

    // Links come after the boxes, each by its name; then the focus leaves.
    void withoutTheToolTabGoesOnToTheLinksAndLeaves() {
        DrawnRing app;
        app.choose(app.boxes[2]);
        const char* stops[] = {"s1", "n1-s1", "n2-s1"};
        for (const char* stop : stops) {
            QTest::keyClick(app.canvas, Qt::Key_Tab);
            QVERIFY(app.canvas->hasFocus());
            QCOMPARE(app.chosen(), QString::fromLatin1(stop));
        }
        QVERIFY2(app.canvas->accessibleDescription().startsWith(QStringLiteral("link n2 to s1, ")),
                 qPrintable(app.canvas->accessibleDescription()));
        QVERIFY(app.canvas->accessibleDescription().contains(QStringLiteral("bit/s")));
        QTest::keyClick(app.canvas, Qt::Key_Tab);
        QVERIFY(!app.canvas->hasFocus());
        QCOMPARE(app.chosen(), QStringLiteral("n2-s1"));
        app.canvas->setFocus();
        for (const char* stop : {"n1-s1", "s1"}) {
            QTest::keyClick(app.canvas, Qt::Key_Backtab);
            QCOMPARE(app.chosen(), QString::fromLatin1(stop));
        }
        app.choose({});
        QTest::keyClick(app.canvas, Qt::Key_Backtab); // from behind
        QCOMPARE(app.chosen(), QStringLiteral("n2-s1"));
        app.choose(app.boxes.first());
        QTest::keyClick(app.canvas, Qt::Key_Backtab);
        QVERIFY(!app.canvas->hasFocus());
    }

    void enterOpensAndDeleteRemovesALink() {
        DrawnRing app;
        app.choose(QStringLiteral("s1"));
        QTest::keyClick(app.canvas, Qt::Key_Tab);
        QSignalSpy opened(app.canvas, &TopologyCanvas::itemActivated);
        QTest::keyClick(app.canvas, Qt::Key_Return);
        QCOMPARE(opened.size(), 1);
        QCOMPARE(opened.front().front().toString(), QStringLiteral("n1-s1"));
        QTest::keyClick(app.canvas, Qt::Key_Delete);
        QVERIFY(!app.cluster().link("n1-s1") && app.cluster().link("n2-s1"));
        QCOMPARE(app.cluster().switches.size(), std::size_t(1));
    }

    // A link that hangs on nothing that is there is not drawn, and is no stop.
    void whatIsNotDrawnIsNoStop() {
        DrawnRing app;
        Project project = *app.document.project();
        project.cluster.links.front().a = "gone";
        app.document.adopt(project, {});
        app.canvas->setFocus();
        app.choose(QStringLiteral("s1"));
        QTest::keyClick(app.canvas, Qt::Key_Tab);
        QCOMPARE(app.chosen(), QStringLiteral("n2-s1"));
    }

    // As the hint of the tool says, from the switch that was added last.
    void aSwitchJustAddedIsLinkedByKeys() {
        DrawnRing app;
        const std::size_t before = app.cluster().links.size();
        QTest::keyClick(app.canvas, Qt::Key_S);
        QCOMPARE(app.chosen(), QStringLiteral("s2"));
        QTest::keyClick(app.canvas, Qt::Key_L);
        QTest::keyClick(app.canvas, Qt::Key_Tab);
        QVERIFY(app.canvas->hasFocus());
        QCOMPARE(app.chosen(), QStringLiteral("n1"));
        QTest::keyClick(app.canvas, Qt::Key_Return);
        QTest::keyClick(app.canvas, Qt::Key_Backtab);
        QCOMPARE(app.chosen(), QStringLiteral("s2"));
        QTest::keyClick(app.canvas, Qt::Key_Return);
        QCOMPARE(app.cluster().links.size(), before + 1);
        QVERIFY(app.cluster().link("n1-s2") || app.cluster().link("s2-n1"));
        // And on to the next one: from the link just made Tab begins at the first box.
        QTest::keyClick(app.canvas, Qt::Key_Tab);
        QVERIFY(app.canvas->hasFocus());
        QCOMPARE(app.chosen(), QStringLiteral("n1"));
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
