// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/topology/shown_canvas.h"
#include "ui/topology/domain_item.h"
#include "ui/topology/items.h"
#include "ui/topology/minimap.h"
#include "ui/topology/note_editor.h"
#include "ui/topology/stacks.h"

#include <QClipboard>
#include <QMimeData>
#include <QSignalSpy>
#include <QTest>

using namespace pw;

namespace {

struct ShownArrangement : ShownCanvas {
    ShownArrangement() {
        drawSample();
        show();
    }
    void choose(std::initializer_list<const char*> ids) {
        QSet<QString> items;
        for (const char* id : ids)
            items.insert(QString::fromLatin1(id));
        selection.setItems(items);
    }
    QRectF box(const char* id) const { return canvas->topology().boxOf(QString::fromLatin1(id)); }
    QPoint on(const char* id) const {
        return canvas->mapFromScene(box(id).topLeft() + QPointF(20, 12)); // on no GPU
    }
    void click(QPoint at, Qt::KeyboardModifiers keys = {}) {
        QTest::mouseClick(canvas->viewport(), Qt::LeftButton, keys, at);
    }
    void press(int key, Qt::KeyboardModifiers keys) {
        QTest::keyClick(canvas, static_cast<Qt::Key>(key), keys);
    }
    void run(const char* id) { commands->action(id)->trigger(); }
};

} // namespace

class CanvasArrangeTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void alignAndDistributeAreOneStepEach() {
        ShownArrangement app;
        const int before = app.document.undoStack()->index();
        app.choose({"n1", "n2", "s1"});
        app.run("canvas.alignRight");
        QCOMPARE(app.box("s1").right(), app.box("n2").right());
        QCOMPARE(app.box("n1").right(), app.box("n2").right());
        QCOMPARE(app.document.undoStack()->index(), before + 1);
        app.document.undoStack()->undo();
        QCOMPARE(app.box("n1").left(), 0.0);
        app.run("canvas.distributeAcross");
        QCOMPARE(app.document.undoStack()->index(), before + 1);
        QCOMPARE(app.box("s1").left() - app.box("n1").right(), app.box("n2").left() - app.box("s1").right());
        app.document.undoStack()->undo();
        // One item cannot be aligned, and that is said.
        QSignalSpy refused(&app.document, &Document::failed);
        app.choose({"n1"});
        app.run("canvas.alignTop");
        QCOMPARE(refused.size(), 1);
    }

    void tidyIsOneStep() {
        ShownArrangement app;
        const int before = app.document.undoStack()->index();
        const Cluster drawn = app.cluster();
        app.press(Qt::Key_T, Qt::ControlModifier);
        QCOMPARE(app.document.undoStack()->index(), before + 1);
        QVERIFY(app.box("s1").bottom() < app.box("n1").top());
        QCOMPARE(app.box("n1").top(), app.box("n2").top());
        app.document.undoStack()->undo();
        QCOMPARE(app.cluster(), drawn);
    }

    void copyAndPasteThroughTheClipboard() {
        ShownArrangement app;
        app.choose({"n1", "s1"});
        app.press(Qt::Key_C, Qt::ControlModifier);
        const QMimeData* data = QGuiApplication::clipboard()->mimeData();
        QVERIFY(data->hasFormat(QStringLiteral("application/x-pipewright-items")));
        QVERIFY(data->text().contains(QStringLiteral("A100-SXM4-40GB")));
        app.press(Qt::Key_V, Qt::ControlModifier);
        QCOMPARE(app.cluster().nodes.size(), std::size_t(4));
        QCOMPARE(app.cluster().links.size(), std::size_t(3));
        QVERIFY(app.selection.items().contains(QStringLiteral("n4")));
        app.press(Qt::Key_V, Qt::ControlModifier); // a second copy stands beside the first
        QVERIFY(app.box("n5").topLeft() != app.box("n4").topLeft());
        app.choose({"n2"});
        app.press(Qt::Key_X, Qt::ControlModifier);
        QVERIFY(!app.cluster().node("n2"));
        app.press(Qt::Key_V, Qt::ControlModifier);
        QVERIFY(app.cluster().node("n2"));
        QGuiApplication::clipboard()->setText(QStringLiteral("nothing of ours"));
        const int before = app.document.undoStack()->index();
        app.press(Qt::Key_V, Qt::ControlModifier);
        QCOMPARE(app.document.undoStack()->index(), before);
    }

    void groupsAreChosenTogether() {
        ShownArrangement app;
        app.choose({"n2", "n3"});
        app.press(Qt::Key_G, Qt::ControlModifier);
        app.click(app.on("n1"));
        QCOMPARE(app.selection.items(), QSet<QString>{QStringLiteral("n1")});
        app.click(app.on("n3"));
        QCOMPARE(app.selection.items(), (QSet<QString>{QStringLiteral("n2"), QStringLiteral("n3")}));
        app.press(Qt::Key_U, Qt::ControlModifier | Qt::ShiftModifier);
        app.click(app.on("n3"));
        QCOMPARE(app.selection.items(), QSet<QString>{QStringLiteral("n3")});
    }

    void aGroupIsFramedAndNamed() {
        ShownArrangement app;
        const auto frame = [&] { return app.canvas->topology().domainItem(QStringLiteral("group:1")); };
        QVERIFY(!frame());
        app.choose({"n2", "n3"});
        app.press(Qt::Key_G, Qt::ControlModifier);
        QVERIFY(frame());
        QCOMPARE(frame()->look().label, QStringLiteral("Group 1"));
        QCOMPARE(frame()->frames().size(), std::size_t{1});
        QVERIFY(frame()->frames().front().contains(app.box("n2")) &&
                frame()->frames().front().contains(app.box("n3")));
        QVERIFY(!frame()->frames().front().intersects(app.box("n1")));
        // It follows its items, and a click on its name chooses them.
        app.press(Qt::Key_Right, Qt::NoModifier);
        QVERIFY(frame()->frames().front().contains(app.box("n3")));
        app.selection.setItems({});
        app.click(app.canvas->mapFromScene(frame()->label().center()));
        QCOMPARE(app.selection.items(), (QSet<QString>{QStringLiteral("n2"), QStringLiteral("n3")}));
        // Where a box of somebody else stands between, each has a frame.
        app.choose({"n1", "n2"});
        app.press(Qt::Key_G, Qt::ControlModifier); // the first is none any more
        QVERIFY(frame());
        for (const QRectF& each : frame()->frames())
            QVERIFY(!each.intersects(app.box("s1")));
        app.press(Qt::Key_U, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(!frame());
    }

    void groupCommandsAreOfferedWhereTheyDoSomething() {
        ShownArrangement app;
        const QAction* group = app.commands->action("canvas.group");
        const QAction* ungroup = app.commands->action("canvas.ungroup");
        const auto offered = [&] { return std::pair(group->isEnabled(), ungroup->isEnabled()); };
        app.choose({});
        QCOMPARE(offered(), std::pair(false, false));
        app.choose({"n2"});
        QCOMPARE(offered(), std::pair(false, false));
        QVERIFY(!ungroup->statusTip().isEmpty());
        app.choose({"n2", "n3"});
        QCOMPARE(offered(), std::pair(true, false));
        app.run("canvas.group");
        QCOMPARE(offered(), std::pair(false, true));
        app.choose({"n1", "n2", "n3"});
        QCOMPARE(offered(), std::pair(true, true));
        app.choose({"n2", "n3"});
        app.run("canvas.ungroup");
        QCOMPARE(offered(), std::pair(true, false));
        app.document.undoStack()->undo();
        QCOMPARE(offered(), std::pair(false, true));
    }

    void lockedItemsStayAndSaySo() {
        ShownArrangement app;
        app.choose({"n1"});
        app.press(Qt::Key_L, Qt::ControlModifier);
        QVERIFY(app.canvas->topology().nodeItem(QStringLiteral("n1"))->look().locked);
        const QRectF home = app.box("n1");
        app.press(Qt::Key_Right, Qt::NoModifier);
        QCOMPARE(app.box("n1"), home);
        QSignalSpy refused(&app.document, &Document::failed);
        app.press(Qt::Key_Delete, Qt::NoModifier);
        QCOMPARE(refused.size(), 1);
        QVERIFY(app.cluster().node("n1"));
        app.press(Qt::Key_L, Qt::ControlModifier);
        app.press(Qt::Key_Right, Qt::NoModifier);
        QVERIFY(app.box("n1") != home);
    }

    // However it is left: by the next one, with the drawing, or never shown at all.
    void noEditorOfANoteStays() {
        ShownArrangement app;
        const auto editors = [&] {
            QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
            return app.canvas->findChildren<NoteEditor*>().size();
        };
        app.canvas->placeNote();
        QTest::keyClicks(static_cast<QWidget*>(app.canvas->findChild<NoteEditor*>()),
                         QStringLiteral("first"));
        app.canvas->placeNote(); // as a command does, whoever has the focus
        QCOMPARE(editors(), 1);
        QCOMPARE(app.document.project()->annotations.notes.front().text, std::string("first"));
        app.document.reset();
        QCOMPARE(editors(), 0);
        app.canvas->hide();
        app.canvas->placeNote();
        QCOMPARE(editors(), 0);
        QCOMPARE(app.document.project()->annotations.notes.size(), std::size_t(1));
    }

    void notesAreWrittenMovedAndRemoved() {
        ShownArrangement app;
        app.press(Qt::Key_T, Qt::NoModifier);
        auto* editor = app.canvas->findChild<NoteEditor*>();
        QVERIFY(editor);
        QTest::keyClicks(static_cast<QWidget*>(editor), QStringLiteral("measure n1"));
        QTest::keyClick(static_cast<QWidget*>(editor), Qt::Key_Return, Qt::ControlModifier);
        QCOMPARE(app.document.project()->annotations.notes.size(), std::size_t(1));
        QCOMPARE(app.document.project()->annotations.notes[0].text, std::string("measure n1"));
        const QString id = kNotePrefix + QStringLiteral("t1");
        QCOMPARE(app.selection.items(), QSet<QString>{id});
        const QRectF home = app.canvas->topology().boxOf(id);
        app.press(Qt::Key_Down, Qt::NoModifier);
        QCOMPARE(app.canvas->topology().boxOf(id).top(), home.top() + 16.0);
        // It can be chosen and deleted with items of the cluster.
        app.selection.setItems({id, QStringLiteral("n3")});
        app.press(Qt::Key_Delete, Qt::NoModifier);
        QVERIFY(app.document.project()->annotations.notes.empty());
        QVERIFY(!app.cluster().node("n3"));
        app.document.undoStack()->undo();
        QCOMPARE(app.document.project()->annotations.notes.size(), std::size_t(1));
    }

    void minimapShowsWhereOneIs() {
        ShownArrangement app;
        auto* map = app.view->findChild<Minimap*>();
        QVERIFY(!map->isVisible()); // everything is seen
        app.canvas->setZoom(4.0);
        QVERIFY(map->isVisible());
        const QPointF before = app.canvas->visibleScene().center();
        QTest::mouseClick(map, Qt::LeftButton, {}, QPoint(30, 60));
        QVERIFY(app.canvas->visibleScene().center().x() < before.x());
        app.press(Qt::Key_O, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(!map->isVisible());
    }

    void equalNodesStackWhereTheDrawingIsSmall() {
        AppFixture app;
        Project project;
        const auto nodes = addNodes(project, "A100-SXM4-40GB", 8, 40, {0, 0});
        project = *addSwitch(*nodes, "InfiniBand", {800, 3000});
        for (const Node& node : nodes->cluster.nodes)
            project = *addLink(project, node.id, "s1");
        app.document.adopt(project, {});
        TopologyCanvas canvas(app.context, &app.window);
        canvas.resize(900, 600);
        app.window.show();
        const QString stack = kStackPrefix + QStringLiteral("n1");
        QCOMPARE(canvas.topology().membersOf(stack).size(), 40);
        canvas.setZoom(1.0);
        QVERIFY(!canvas.topology().isStacked());
        QVERIFY(canvas.topology().nodeItem(QStringLiteral("n7"))->isVisible());
        canvas.setZoom(0.1);
        QVERIFY(canvas.topology().isStacked());
        QVERIFY(!canvas.topology().nodeItem(QStringLiteral("n7"))->isVisible());
        const QRectF card = canvas.topology().boxOf(stack);
        QVERIFY(card.contains(canvas.topology().boxOf(QStringLiteral("n40"))));
        QCOMPARE(canvas.topology().boxAt(card.center()), stack);
        // A click on the card chooses its nodes; one with another figure is no longer of them.
        canvas.centerOn(card.center());
        QTest::mouseClick(canvas.viewport(), Qt::LeftButton, {}, canvas.mapFromScene(card.center()));
        QCOMPARE(app.selection.items().size(), 40);
        Node slow = *app.cluster().node("n7");
        slow.speed = 0.5;
        app.document.apply(setNode(*app.document.project(), slow), QStringLiteral("slow"));
        QCOMPARE(canvas.topology().membersOf(stack).size(), 39);
        QVERIFY(canvas.topology().nodeItem(QStringLiteral("n7"))->isVisible());
    }

    void chosenByKind() {
        ShownArrangement app;
        app.press(Qt::Key_I, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(app.selection.items().size(), 3);
        app.press(Qt::Key_E, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(app.selection.items().size(), 2);
        app.press(Qt::Key_A, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(app.selection.items().isEmpty());
    }
};

QTEST_MAIN(CanvasArrangeTest)
#include "canvas_arrange_test.moc"
