// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later

// Names that are written on the canvas, copies that land under the pointer, and where the keys go.

#include "core/edit/arrange.h"
#include "tests/ui/topology/shown_canvas.h"
#include "ui/topology/geometry.h"
#include "ui/topology/name_editor.h"
#include "ui/topology/note_editor.h"

#include <QSignalSpy>

using namespace pw;

namespace {

struct Shown : ShownCanvas {
    Shown() {
        drawSample();
        show();
    }
    NameEditor* editor() const {
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        return canvas->viewport()->findChild<NameEditor*>();
    }
    void press(QWidget* target, int key, Qt::KeyboardModifiers keys = {}) {
        QTest::keyClick(target, static_cast<Qt::Key>(key), keys);
    }
    void pointAt(QPoint where) {
        QMouseEvent move(QEvent::MouseMove, where, canvas->viewport()->mapToGlobal(where), Qt::NoButton,
                         Qt::NoButton, Qt::NoModifier);
        QApplication::sendEvent(canvas->viewport(), &move);
    }
    QRectF box(const QString& id) const { return canvas->topology().boxOf(id); }
};

} // namespace

class CanvasNamesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aNameIsWrittenInItsPlace() {
        Shown app;
        const int steps = app.undoSteps();
        app.selection.setItems({QStringLiteral("n2")});
        app.press(app.canvas, Qt::Key_F2);
        NameEditor* editor = app.editor();
        QVERIFY(editor);
        QCOMPARE(editor->text(), QStringLiteral("n2"));
        QVERIFY(QRectF(editor->geometry())
                    .intersects(app.canvas->mapFromScene(app.box(QStringLiteral("n2"))).boundingRect()));
        QTest::keyClicks(editor, QStringLiteral("node-7 "));
        app.press(editor, Qt::Key_Return);
        QVERIFY(!app.editor());
        QVERIFY(app.cluster().node("node-7"));
        QCOMPARE(app.selection.items(), QSet<QString>{QStringLiteral("node-7")});
        QCOMPARE(app.undoSteps(), steps + 1);
        QVERIFY(app.canvas->hasFocus());
        // A switch by a double click; whoever leaves it has written it.
        QTest::mouseDClick(app.canvas->viewport(), Qt::LeftButton, {}, app.middleOf("s1"));
        editor = app.editor();
        QVERIFY(editor);
        QTest::keyClicks(editor, QStringLiteral("leaf1"));
        app.canvas->setFocus();
        QVERIFY(!app.editor());
        QVERIFY(app.cluster().findSwitch("leaf1"));
    }

    void aNameThatIsRefusedStaysToBeMended() {
        Shown app;
        QSignalSpy refused(&app.document, &Document::failed);
        const int steps = app.undoSteps();
        app.selection.setItems({QStringLiteral("n2")});
        app.press(app.canvas, Qt::Key_F2);
        QTest::keyClicks(app.editor(), QStringLiteral("n1")); // taken
        app.press(app.editor(), Qt::Key_Return);
        QCOMPARE(refused.size(), 1);
        QVERIFY(app.editor());
        app.press(app.editor(), Qt::Key_Escape);
        QVERIFY(!app.editor());
        QCOMPARE(refused.size(), 1);
        QCOMPARE(app.undoSteps(), steps);
        QVERIFY(app.cluster().node("n2"));
    }

    void whatIsTypedCountsWhenACommandIsGiven() {
        Shown app;
        int runs = 0;
        app.commands->bind("search.run", &app.window, [&] { ++runs; });
        app.selection.setItems({QStringLiteral("n3")});
        app.press(app.canvas, Qt::Key_F2);
        QTest::keyClicks(app.editor(), QStringLiteral("slow"));
        app.commands->action("search.run")->trigger();
        QCOMPARE(runs, 1);
        QVERIFY(app.cluster().node("slow"));
    }

    void onlyOneItemIsRenamed() {
        Shown app;
        QSignalSpy hints(app.canvas, &TopologyCanvas::hintChanged);
        app.selection.setItems({QStringLiteral("n1"), QStringLiteral("n2")});
        app.press(app.canvas, Qt::Key_F2);
        QVERIFY(!app.editor());
        QCOMPARE(hints.size(), 1);
        // A link has its name in the properties, a note its text on it.
        QSignalSpy asked(&app.selection, &Selection::focusRequested);
        app.selection.setItems({QStringLiteral("n1-s1")});
        app.press(app.canvas, Qt::Key_F2);
        QCOMPARE(asked.size(), 1);
        QCOMPARE(asked.front().front().toString(), QStringLiteral("n1-s1.name"));
        app.document.apply(addNote(*app.document.project(), {"", "text", {0, 300}}), QStringLiteral("note"));
        app.selection.setItems({kNotePrefix + QStringLiteral("t1")});
        app.press(app.canvas, Qt::Key_F2);
        QVERIFY(app.canvas->viewport()->findChild<NoteEditor*>());
    }

    void noEditorOutlivesItsProject() {
        Shown app;
        app.selection.setItems({QStringLiteral("n2")});
        app.press(app.canvas, Qt::Key_F2);
        QTest::keyClicks(app.editor(), QStringLiteral("other"));
        app.document.reset();
        QVERIFY(!app.editor());
        QVERIFY(app.cluster().nodes.empty());
    }

    void copiesLandUnderThePointer() {
        Shown app;
        app.selection.setItems({QStringLiteral("n3")});
        app.press(app.canvas, Qt::Key_C, Qt::ControlModifier);
        const QPoint there(700, app.canvas->viewport()->height() - 70);
        const QPointF wanted = app.canvas->mapToScene(there);
        app.pointAt(there);
        app.press(app.canvas, Qt::Key_V, Qt::ControlModifier);
        const QPointF apart = app.box(QStringLiteral("n4")).center() - wanted;
        QVERIFY2(std::abs(apart.x()) <= kGrid && std::abs(apart.y()) <= kGrid,
                 qPrintable(QStringLiteral("%1, %2").arg(apart.x()).arg(apart.y())));
        // Where something stands, beside it.
        app.press(app.canvas, Qt::Key_V, Qt::ControlModifier);
        QVERIFY(!app.box(QStringLiteral("n5")).intersects(app.box(QStringLiteral("n4"))));
        // Without a pointer over it, beside the original.
        QEvent leave(QEvent::Leave);
        QApplication::sendEvent(app.canvas->viewport(), &leave);
        app.press(app.canvas, Qt::Key_V, Qt::ControlModifier);
        const QRectF third = app.box(QStringLiteral("n6"));
        QVERIFY(!third.isNull() && !third.contains(wanted));
        QVERIFY(!third.intersects(app.box(QStringLiteral("n3"))));
    }

    void aFieldGivesTheKeysBack() {
        Shown app;
        app.canvas->clearFocus();
        QVERIFY(!app.canvas->hasFocus());
        app.selection.finishEditing();
        QVERIFY(app.canvas->hasFocus());
        // A drawing that is not seen takes no keys.
        app.view->hide();
        app.window.setFocusPolicy(Qt::StrongFocus);
        app.window.setFocus();
        app.selection.finishEditing();
        QVERIFY(!app.canvas->hasFocus());
    }
};

QTEST_MAIN(CanvasNamesTest)
#include "canvas_names_test.moc"
