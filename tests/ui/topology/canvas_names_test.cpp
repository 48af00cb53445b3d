// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later

// Names that are written on the canvas, copies that land under the pointer, and where the keys go.

#include "core/edit/arrange.h"
#include "tests/ui/topology/shown_canvas.h"
#include "ui/topology/geometry.h"
#include "ui/topology/name_editor.h"
#include "ui/topology/note_editor.h"

#include <QContextMenuEvent>
#include <QCursor>
#include <QLineEdit>
#include <QMenu>
#include <QPointer>
#include <QSignalSpy>

using namespace pw;

namespace {

struct ShownNames : ShownCanvas {
    ShownNames() {
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
    NoteEditor* writeOnNote() { // over a new one, in the lower left of the drawing
        document.apply(addNote(*document.project(), {"", "text", {0, 300}}), QStringLiteral("note"));
        canvas->editNote(kNotePrefix + QStringLiteral("t1"));
        return canvas->viewport()->findChild<NoteEditor*>();
    }
    // By the mouse at the place; the pointer then is `later` when it is closed again.
    void openAndCloseMenu(QPoint where, QPoint later) {
        QWidget* port = canvas->viewport();
        QContextMenuEvent asks(QContextMenuEvent::Mouse, where, port->mapToGlobal(where));
        QApplication::sendEvent(port, &asks);
        const QPointer<QMenu> menu = canvas->findChild<QMenu*>();
        QVERIFY(menu && menu->isVisible());
        QEvent leave(QEvent::Leave);
        QApplication::sendEvent(port, &leave);
        QCursor::setPos(port->mapToGlobal(later));
        menu->close();
    }
    QRectF box(const QString& id) const { return canvas->topology().boxOf(id); }
};

} // namespace

class CanvasNamesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aNameIsWrittenInItsPlace() {
        ShownNames app;
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
        ShownNames app;
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
        ShownNames app;
        int runs = 0;
        app.commands->bind("search.run", &app.window, [&] { ++runs; });
        app.selection.setItems({QStringLiteral("n3")});
        app.press(app.canvas, Qt::Key_F2);
        QTest::keyClicks(app.editor(), QStringLiteral("slow"));
        app.commands->action("search.run")->trigger();
        QCOMPARE(runs, 1);
        QVERIFY(app.cluster().node("slow"));
    }

    // Whoever clicks into another field goes on there.
    void theFieldThatAnEditorIsLeftForHasTheKeys() {
        ShownNames app;
        QLineEdit field(&app.window);
        field.setGeometry(0, 0, 120, 24);
        field.show();
        field.raise();
        const auto goOn = [&field] {
            field.clear();
            QTest::mouseClick(&field, Qt::LeftButton);
            QVERIFY(field.hasFocus());
            QTest::keyClicks(QApplication::focusWidget(), QStringLiteral("VLNST5"));
            QCOMPARE(field.text(), QStringLiteral("VLNST5"));
        };
        app.selection.setItems({QStringLiteral("n2")});
        app.press(app.canvas, Qt::Key_F2);
        QTest::keyClicks(app.editor(), QStringLiteral("other"));
        goOn();
        QVERIFY(!app.editor());
        QVERIFY(app.cluster().node("other"));
        NoteEditor* note = app.writeOnNote();
        QVERIFY(note && note->hasFocus());
        QTest::keyClicks(note, QStringLiteral("more"));
        goOn();
        QCOMPARE(app.document.project()->annotations.notes.front().text, std::string("more"));
    }

    // And does not go on to the next item of the drawing.
    void tabTakesWhatIsWritten() {
        ShownNames app;
        app.selection.setItems({QStringLiteral("n1")});
        for (const auto& [key, name] : {std::pair(Qt::Key_Tab, "first"), std::pair(Qt::Key_Backtab, "one")}) {
            app.press(app.canvas, Qt::Key_F2);
            QTest::keyClicks(app.editor(), QLatin1String(name));
            app.press(app.editor(), key);
            QVERIFY(!app.editor());
            QVERIFY2(app.cluster().node(name), name);
            QCOMPARE(app.selection.items(), QSet<QString>{QLatin1String(name)});
            QVERIFY(app.canvas->hasFocus());
        }
        const QPointer<NoteEditor> note = app.writeOnNote();
        QVERIFY(note);
        const QSet<QString> chosen = app.selection.items();
        QTest::keyClicks(note, QStringLiteral("more"));
        app.press(note, Qt::Key_Tab);
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        QVERIFY(!note);
        QCOMPARE(app.document.project()->annotations.notes.front().text, std::string("more"));
        QCOMPARE(app.selection.items(), chosen);
        QVERIFY(app.canvas->hasFocus());
    }

    void onlyOneItemIsRenamed() {
        ShownNames app;
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
        ShownNames app;
        app.selection.setItems({QStringLiteral("n2")});
        app.press(app.canvas, Qt::Key_F2);
        QTest::keyClicks(app.editor(), QStringLiteral("other"));
        app.document.reset();
        QVERIFY(!app.editor());
        QVERIFY(app.cluster().nodes.empty());
    }

    void copiesLandUnderThePointer() {
        ShownNames app;
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

    // A menu holds the place that it was asked for at, and no longer than it is open.
    void aMenuKeepsThePlaceForItsOwnCommand() {
        ShownNames app;
        app.selection.setItems({QStringLiteral("n3")});
        app.press(app.canvas, Qt::Key_C, Qt::ControlModifier);
        const QPoint there(700, app.canvas->viewport()->height() - 70);
        const QPoint outside(700, app.canvas->viewport()->height() + 900);
        const QPointF wanted = app.canvas->mapToScene(there);
        const QPointF original = app.box(QStringLiteral("n3")).center();
        const auto isThere = [&](const char* id) {
            const QPointF middle = app.box(QLatin1String(id)).center();
            return QLineF(middle, wanted).length() < QLineF(middle, original).length();
        };
        app.openAndCloseMenu(there, outside);
        app.commands->action("canvas.paste")->trigger(); // as the menu does once it is gone
        QVERIFY(isThere("n4"));
        QCoreApplication::sendPostedEvents(app.canvas, QEvent::MetaCall);
        app.press(app.canvas, Qt::Key_V, Qt::ControlModifier);
        QVERIFY(!app.box(QStringLiteral("n5")).isNull() && !isThere("n5"));
        // The pointer is still over the drawing.
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        app.openAndCloseMenu(there, there);
        QCoreApplication::sendPostedEvents(app.canvas, QEvent::MetaCall);
        app.press(app.canvas, Qt::Key_V, Qt::ControlModifier);
        QVERIFY(isThere("n6"));
    }

    void aFieldGivesTheKeysBack() {
        ShownNames app;
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
