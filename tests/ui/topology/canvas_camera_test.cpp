// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later

// The sheet lies still: what is under the pointer stays there, whatever is done to the drawing.

#include "tests/ui/topology/shown_canvas.h"
#include "ui/topology/geometry.h"
#include "ui/widgets/message_bar.h"

#include <QSignalSpy>
#include <QTemporaryDir>

using namespace pw;

namespace {

const DragPayload kNode{QStringLiteral("template"), QStringLiteral("node4"),
                        QStringLiteral("V100-SXM2-16GB")};

struct Sheet : ShownCanvas {
    explicit Sheet(bool sample = true) {
        if (sample)
            drawSample();
        show();
    }
    QRectF box(const char* id) const { return canvas->topology().boxOf(QString::fromLatin1(id)); }
    QPoint cornerOf(const char* id) const { return at(box(id).topLeft()); }
    void press(int key, Qt::KeyboardModifiers keys = {}) {
        QTest::keyClick(canvas, static_cast<Qt::Key>(key), keys);
    }
    void pan(QPoint from, QPoint to) {
        QTest::mousePress(canvas->viewport(), Qt::MiddleButton, {}, from);
        QMouseEvent move(QEvent::MouseMove, to, canvas->viewport()->mapToGlobal(to), Qt::NoButton,
                         Qt::MiddleButton, Qt::NoModifier);
        QApplication::sendEvent(canvas->viewport(), &move);
        QTest::mouseRelease(canvas->viewport(), Qt::MiddleButton, {}, to);
    }
    bool seesAll() const { return canvas->visibleScene().contains(canvas->topology().content()); }
};

} // namespace

class CanvasCameraTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatIsDroppedLiesUnderThePointer() {
        Sheet app(false);
        const QPoint low(180, app.canvas->viewport()->height() - 90);
        app.drop(kNode, low);
        QCOMPARE(app.canvas->zoom(), 1.0);
        QVERIFY((app.middleOf("n1") - low).manhattanLength() <= 2 * static_cast<int>(kGrid));
        const QPoint first = app.cornerOf("n1");
        const QPoint corner(app.canvas->viewport()->width() - 20, 20); // half of it is out of view
        app.drop(kNode, corner);
        QVERIFY((app.middleOf("n2") - corner).manhattanLength() <= 2 * static_cast<int>(kGrid));
        QCOMPARE(app.cornerOf("n1"), first);
        QCOMPARE(app.canvas->zoom(), 1.0);
    }

    void theOnlyNodeIsSeenToMove() {
        Sheet app(false);
        app.drop(kNode, {300, 300});
        const QPoint before = app.cornerOf("n1"), by(160, 96);
        app.drag(app.edgeOf("n1"), app.edgeOf("n1") + by);
        QCOMPARE(app.cornerOf("n1"), before + by);
    }

    // From a drawing that was fitted, too: nothing but what was edited moves.
    void editsMoveNothingElse() {
        Sheet app;
        QVERIFY(app.canvas->fits());
        const QPoint there = app.cornerOf("s1");
        const double zoom = app.canvas->zoom();
        const auto stays = [&] { return app.cornerOf("s1") == there && app.canvas->zoom() == zoom; };
        app.drag(app.edgeOf("n3"), QPoint(app.canvas->viewport()->width() - 5,
                                          app.canvas->viewport()->height() - 5)); // over the edge of all
        QVERIFY(app.box("n3").left() > 480.0);
        QVERIFY(stays());
        QVERIFY(!app.canvas->fits());
        app.selection.setItems({QStringLiteral("n1")});
        app.press(Qt::Key_Left);
        QVERIFY(stays());
        app.press(Qt::Key_D, Qt::ControlModifier);
        QCOMPARE(app.cluster().nodes.size(), 4u);
        QVERIFY(stays());
        app.press(Qt::Key_Delete);
        QVERIFY(stays());
        app.document.apply(renameItem(*app.document.project(), "n2", "renamed"), QStringLiteral("rename"));
        QVERIFY(stays());
        Node larger = *app.cluster().node("renamed");
        larger.gpus = 8;
        app.document.apply(setNode(*app.document.project(), larger), QStringLiteral("eight"));
        QVERIFY(stays());
        while (app.document.undoStack()->index() > 6) // what the sample was made with
            app.document.undoStack()->undo();
        QVERIFY(stays());
        app.document.apply(addNodes(*app.document.project(), "V100-SXM2-16GB", 8, 3, {-9000, -9000}),
                           QStringLiteral("far away"));
        QVERIFY(stays());
    }

    // Arrows move what is chosen; without anything chosen the view, and the hint says so.
    void arrowsMoveTheViewWhereNothingIsChosen() {
        Sheet app;
        const QPoint there = app.cornerOf("s1");
        const QRectF box = app.box("s1");
        QSignalSpy hints(app.canvas, &TopologyCanvas::hintChanged);
        app.selection.setItems({});
        app.press(Qt::Key_Right);
        QCOMPARE(app.cornerOf("s1"), there - QPoint(48, 0));
        app.press(Qt::Key_Down);
        QCOMPARE(app.cornerOf("s1"), there - QPoint(48, 48));
        QCOMPARE(app.box("s1"), box);
        QVERIFY(!hints.isEmpty() && hints.last().first().toString().contains(QStringLiteral("Tab")));
        app.selection.setItems({QStringLiteral("s1")});
        app.press(Qt::Key_Right);
        QCOMPARE(app.box("s1"), box.translated(kGrid, 0));
    }

    void aPanStays() {
        Sheet app;
        const QPoint before = app.cornerOf("s1");
        app.pan({500, 400}, {470, 460});
        QCOMPARE(app.cornerOf("s1"), before + QPoint(-30, 60));
        QVERIFY(!app.canvas->fits());
        app.drop(kNode, {200, 600});
        app.document.undoStack()->undo();
        QCOMPARE(app.cornerOf("s1"), before + QPoint(-30, 60));
    }

    // The sheet goes on where nothing is drawn, at any scale.
    void theSheetHasNoEdgeNearby() {
        Sheet app;
        for (const double zoom : {4.0, 1.0, 0.01}) {
            app.canvas->setZoom(zoom);
            const QPoint before = app.cornerOf("s1");
            for (int i = 0; i < 8; ++i)
                app.pan({900, 600}, {100, 50});
            QCOMPARE(app.cornerOf("s1"), before - 8 * QPoint(800, 550));
            app.canvas->fit();
        }
    }

    void openingTidyAndFitShowAll() {
        Sheet app;
        app.canvas->setZoom(4.0);
        QVERIFY(!app.seesAll());
        app.press(Qt::Key_T, Qt::ControlModifier);
        QVERIFY(app.seesAll());
        app.canvas->setZoom(4.0);
        app.press(Qt::Key_1, Qt::ControlModifier);
        QVERIFY(app.seesAll());
        app.canvas->setZoom(4.0);
        app.selection.setItems({QStringLiteral("n1")}); // which the other project has not chosen
        const Project far = *addNodes(Project(), "V100-SXM2-16GB", 8, 9, {5000, 7000});
        app.document.adopt(far, {});
        QVERIFY(app.seesAll());
        QVERIFY(app.canvas->fits());
    }

    void savingMovesNothing() {
        Sheet app;
        app.canvas->setZoom(2.0);
        const QPoint there = app.cornerOf("s1");
        QTemporaryDir folder;
        QVERIFY(app.document.save(folder.filePath(QStringLiteral("a.pwx"))));
        QCOMPARE(app.cornerOf("s1"), there);
        QCOMPARE(app.canvas->zoom(), 2.0);
    }

    void aWindowOfAnotherSizeKeepsTheMiddle() {
        Sheet app;
        app.canvas->setZoom(1.5);
        const QPointF middle = app.canvas->visibleScene().center();
        app.view->resize(700, 501);
        app.view->resize(1203, 800);
        QVERIFY((app.canvas->visibleScene().center() - middle).manhattanLength() < 4.0);
        QCOMPARE(app.canvas->zoom(), 1.5);
        // A drawing that is shown whole stays so.
        app.canvas->fit();
        app.view->resize(500, 400);
        QVERIFY(app.seesAll());
        QVERIFY(app.canvas->zoom() < 1.0);
    }

    // At a scale of one's own as well.
    void whoSawAllStillDoes() {
        Sheet app;
        app.canvas->setZoom(0.9 * app.canvas->zoom());
        QVERIFY(app.seesAll() && !app.canvas->fits());
        app.view->resize(400, 350);
        QVERIFY(app.seesAll());
    }

    // On the screen, not only in the view.
    void aBarMovesNothing() {
        Sheet app;
        app.canvas->setZoom(1.0);
        const auto onScreen = [&] { return app.canvas->viewport()->mapToGlobal(app.cornerOf("s1")); };
        const QPoint there = onScreen();
        const int top = app.canvas->y();
        auto* bar = app.view->findChild<MessageBar*>();
        bar->setMessage(MessageBar::Tone::Stale, QStringLiteral("Stale."), QStringLiteral("Old."));
        QTRY_VERIFY_WITH_TIMEOUT(app.canvas->y() > top, 60'000);
        QCOMPARE(onScreen(), there);
        bar->clear();
        QTRY_COMPARE_WITH_TIMEOUT(app.canvas->y(), top, 60'000);
        QCOMPARE(onScreen(), there);
    }

    // As well where all was seen: the drawing is not fitted anew under the pointer.
    void aBarMovesNothingOfAFittedDrawing() {
        Sheet app;
        const auto onScreen = [&] { return app.canvas->viewport()->mapToGlobal(app.cornerOf("s1")); };
        QVERIFY(app.canvas->fits());
        const QPoint there = onScreen();
        const double zoom = app.canvas->zoom();
        const int top = app.canvas->y();
        auto* bar = app.view->findChild<MessageBar*>();
        bar->setMessage(MessageBar::Tone::Stale, QStringLiteral("Stale."), QStringLiteral("Old."));
        QTRY_VERIFY_WITH_TIMEOUT(app.canvas->y() > top, 60'000);
        QCOMPARE(onScreen(), there);
        QCOMPARE(app.canvas->zoom(), zoom);
        // Another size of the window fits it, also below a bar.
        app.view->resize(500, 400);
        QVERIFY(app.seesAll());
        app.view->resize(1000, 700);
        QVERIFY(app.seesAll());
        const QPoint below = onScreen();
        bar->clear();
        QTRY_COMPARE_WITH_TIMEOUT(app.canvas->y(), top, 60'000);
        QCOMPARE(onScreen(), below);
        QVERIFY(app.canvas->fits());
    }

    // By key and from the palette: never out of sight, and no further than needed.
    void whatIsPlacedWithoutThePointerIsSeen() {
        Sheet app;
        app.canvas->setZoom(3.0);
        app.canvas->centerOn(app.box("n1").center());
        app.press(Qt::Key_S);
        QCOMPARE(app.cluster().switches.size(), 2u);
        QVERIFY(app.canvas->visibleScene().contains(app.box("s2")));
        QCOMPARE(app.canvas->zoom(), 3.0);
        app.canvas->setZoom(1.0);
        app.canvas->centerOn(app.box("n1").center());
        app.selection.setItems({QStringLiteral("n3")});
        app.press(Qt::Key_D, Qt::ControlModifier);
        QVERIFY(app.canvas->visibleScene().contains(app.box("n4")));
    }

    // Dropped as well, and where it is larger than the view; a single node moves nothing.
    void aWholeClusterThatIsDroppedIsSeen() {
        const DragPayload racks{QStringLiteral("template"), QStringLiteral("racks"), {}};
        Sheet app(false);
        app.drop(racks, {640, 430});
        QCOMPARE(app.cluster().nodes.size(), 8u);
        QVERIFY(app.seesAll());
        // Beside a drawing of which a part alone was seen, all of what came.
        Sheet other;
        other.canvas->setZoom(4.0);
        other.canvas->centerOn(other.box("n1").center());
        other.drop(racks, {500, 300});
        for (const QString& id : other.selection.items())
            QVERIFY2(other.canvas->visibleScene().contains(other.canvas->topology().boxOf(id)),
                     qPrintable(id));
        QCOMPARE(other.selection.items().size(), 8 + 6);
    }

    // Its middle is where it was dropped, and the frame that was seen before was as large.
    void aClusterThatHasRoomStandsWhereItWasDropped() {
        Sheet app(false);
        app.canvas->setZoom(0.25);
        const QPoint at(480, 330);
        const QPointF scene = app.canvas->mapToScene(at);
        const DragPayload racks{QStringLiteral("template"), QStringLiteral("racks"), {}};
        const QRectF ghost = app.canvas->ghostOf(racks, scene);
        app.drop(racks, at);
        QCOMPARE(app.canvas->zoom(), 0.25);
        QCOMPARE(app.canvas->mapToScene(at), scene);
        QRectF all;
        for (const QString& id : app.selection.items())
            all |= app.canvas->topology().boxOf(id);
        QCOMPARE(all, ghost);
        QVERIFY((all.center() - scene).manhattanLength() <= 2.0 * kGrid);
    }

    void aWholeClusterWithoutThePointerIsSeen() {
        Sheet app(false);
        app.canvas->placeFree({QStringLiteral("template"), QStringLiteral("sites"), {}});
        QVERIFY(app.cluster().nodes.size() > 4);
        QVERIFY(app.seesAll());
    }
};

QTEST_MAIN(CanvasCameraTest)
#include "canvas_camera_test.moc"
