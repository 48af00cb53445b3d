// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/topology/shown_canvas.h"
#include "ui/base/convert.h"
#include "ui/base/theme.h"
#include "ui/topology/canvas_edits.h"
#include "ui/topology/drag_payload.h"
#include "ui/topology/geometry.h"
#include "ui/topology/items.h"
#include "ui/topology/palette_panel.h"
#include "ui/topology/user_catalogue.h"
#include "ui/widgets/message_bar.h"

#include <QAccessible>
#include <QComboBox>
#include <QDropEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QTest>
#include <QToolButton>
#include <QTreeWidget>

using namespace pw;

namespace {

struct ShownView : ShownCanvas {
    explicit ShownView(bool sample = true) {
        if (sample)
            drawSample();
        show();
    }
    NodeDialog* dialog() const { return canvas->findChild<NodeDialog*>(); }
};

} // namespace

class TopologyViewTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void itemsFollowTheCluster();
    void dropPlacesANodeOnTheGrid();
    void shiftDropAsksHowMany();
    void nodesAreLinkedAsTheyAreAdded();
    void dropOnANodeChangesItsKind();
    void foreignDropsAreRefused();
    void linkToolLinksAndRefuses();
    void escapeLeavesTheLinkTool();
    void moveIsOneUndoStep();
    void altMovesOffTheGrid();
    void escapeGivesTheMoveUp();
    void rubberBandChooses();
    void arrowsNudgeAndMerge();
    void keysPlaceDeleteAndDuplicate();
    void tabWalksTheItems();
    void linksAreDrawnByKey();
    void chosenItemsAreLinkedTogether();
    void assistiveToolsDrawLinks();
    void zoomAndFit();
    void templatesAreSound();
    void racksAreAskedFor();
    void paletteFilters();
    void theLatestKindsStandFirst();
    void newNodesLandOnNoOther();
    void newNodesStandInRows();
    void whatIsGoneIsNotChosen();
    void switchesAreSeenAtAnyScale();
    void emptyStateAsks();
    void marksStandOnTheItems();
    void linksMeetTheBoxesAtRightAngles();
    void nothingOfTheStripIsCut();
};

void TopologyViewTest::itemsFollowTheCluster() {
    ShownView app;
    QCOMPARE(app.canvas->topology().itemCount(), 6);
    const NodeItem* before = app.canvas->topology().nodeItem(QStringLiteral("n1"));
    QVERIFY(before);
    QCOMPARE(before->look().tiles.size(), 8u);
    QCOMPARE(before->look().what, QStringLiteral("8 \u00d7 A100-SXM4-40GB"));
    app.document.undoStack()->undo();
    QCOMPARE(app.canvas->topology().itemCount(), 5);
    QCOMPARE(app.canvas->topology().nodeItem(QStringLiteral("n1")), before); // kept by id, not made again
}

void TopologyViewTest::dropPlacesANodeOnTheGrid() {
    ShownView app(false);
    app.drop({QStringLiteral("template"), QStringLiteral("node4"), QStringLiteral("V100-SXM2-16GB")},
             {300, 300});
    QCOMPARE(app.cluster().nodes.size(), 1u);
    const Node& node = app.cluster().nodes.front();
    QCOMPARE(node.gpus, 4);
    QCOMPARE(node.kind, std::string("V100-SXM2-16GB"));
    QCOMPARE(std::fmod(node.at.x, kGrid), 0.0);
    QCOMPARE(std::fmod(node.at.y, kGrid), 0.0);
    QCOMPARE(app.selection.items(), QSet<QString>{QStringLiteral("n1")});
    app.document.undoStack()->undo();
    QVERIFY(app.cluster().nodes.empty());
}

void TopologyViewTest::shiftDropAsksHowMany() {
    ShownView app(false);
    app.drop({QStringLiteral("kind"), QStringLiteral("A100-SXM4-80GB"), {}}, {200, 200}, Qt::ShiftModifier);
    QVERIFY(app.dialog());
    app.dialog()->findChild<QSpinBox*>(QStringLiteral("nodeDialog.count"))->setValue(3);
    QTest::mouseClick(app.dialog()->findChild<QPushButton*>(QStringLiteral("nodeDialog.place")),
                      Qt::LeftButton);
    QCOMPARE(app.cluster().nodes.size(), 3u);
    QCOMPARE(app.cluster().nodes.front().kind, std::string("A100-SXM4-80GB"));
    QCOMPARE(app.undoSteps(), 1);
    // Nodes that were placed together do not lie on each other.
    for (const char* other : {"n2", "n3"})
        QVERIFY(!app.canvas->topology()
                     .boxOf(QStringLiteral("n1"))
                     .intersects(app.canvas->topology().boxOf(QString::fromLatin1(other))));
}

// Who asks for nodes with a switch chosen wants them on it; else the dialog offers the switches there are.
void TopologyViewTest::nodesAreLinkedAsTheyAreAdded() {
    ShownView app;
    const std::size_t nodes = app.cluster().nodes.size(), links = app.cluster().links.size();
    const int steps = app.undoSteps();
    const QString first = q(app.cluster().switches.front().id);
    const auto offered = [&app] {
        return app.dialog()->findChild<QComboBox*>(QStringLiteral("nodeDialog.linkedTo"));
    };
    const auto place = [&app] {
        QTest::mouseClick(app.dialog()->findChild<QPushButton*>(QStringLiteral("nodeDialog.place")),
                          Qt::LeftButton);
        QTRY_VERIFY(!app.dialog());
    };
    app.selection.setItems({});
    app.canvas->askForNodes();
    QCOMPARE(offered()->currentIndex(), 0);
    place();
    QCOMPARE(app.cluster().links.size(), links);
    app.selection.setItems({first});
    app.canvas->askForNodes();
    QCOMPARE(offered()->currentText(), first);
    app.dialog()->findChild<QSpinBox*>(QStringLiteral("nodeDialog.count"))->setValue(3);
    place();
    QCOMPARE(app.cluster().nodes.size(), nodes + 4);
    QCOMPARE(app.cluster().links.size(), links + 3);
    QCOMPARE(app.selection.items().size(), 3); // the nodes
    for (std::size_t l = links; l < links + 3; ++l)
        QVERIFY(app.cluster().links[l].a == s(first) || app.cluster().links[l].b == s(first));
    QCOMPARE(app.undoSteps(), steps + 2);
    app.document.undoStack()->undo(); // nodes and links in one step
    QCOMPARE(app.cluster().links.size(), links);
    // The next one is not linked to what the last one was.
    app.selection.setItems({});
    app.canvas->askForNodes();
    QCOMPARE(offered()->currentIndex(), 0);
    app.dialog()->close();
}

void TopologyViewTest::dropOnANodeChangesItsKind() {
    ShownView app;
    app.drop({QStringLiteral("kind"), QStringLiteral("A100-SXM4-80GB"), {}}, app.middleOf("n2"));
    QCOMPARE(app.cluster().node("n2")->kind, std::string("A100-SXM4-80GB"));
    QCOMPARE(app.cluster().nodes.size(), 3u);
}

void TopologyViewTest::foreignDropsAreRefused() {
    ShownView app;
    QMimeData text;
    text.setText(QStringLiteral("node"));
    QDragEnterEvent enter(QPoint(10, 10), Qt::CopyAction, &text, Qt::LeftButton, Qt::NoModifier);
    enter.setAccepted(false);
    QApplication::sendEvent(app.canvas->viewport(), &enter);
    QVERIFY(!enter.isAccepted());
}

void TopologyViewTest::linkToolLinksAndRefuses() {
    ShownView app;
    QTest::keyClick(app.canvas, Qt::Key_L);
    QCOMPARE(app.canvas->tool(), TopologyCanvas::Tool::Link);
    const auto& tool = static_cast<const LinkTool&>(app.canvas->currentTool());

    // A pair that is linked already is refused at the cursor, with the reason, and nothing changes.
    QTest::mouseClick(app.canvas->viewport(), Qt::LeftButton, {}, app.middleOf("n1"));
    QTest::mouseMove(app.canvas->viewport(), app.middleOf("n1"));
    QTest::mouseClick(app.canvas->viewport(), Qt::LeftButton, {}, app.middleOf("n1"));
    QVERIFY(!tool.answer().isEmpty());
    QCOMPARE(app.cluster().links.size(), 2u);
    QTest::keyClick(app.canvas, Qt::Key_Escape);
    QCOMPARE(app.canvas->tool(), TopologyCanvas::Tool::Link); // Esc gave up the link, the tool stays

    QTest::mouseClick(app.canvas->viewport(), Qt::LeftButton, {}, app.middleOf("n3"));
    QTest::mouseClick(app.canvas->viewport(), Qt::LeftButton, {}, app.middleOf("s1"));
    QCOMPARE(app.cluster().links.size(), 3u);
    QCOMPARE(app.cluster().links.back().a, std::string("n3"));
    QCOMPARE(app.selection.items(), QSet<QString>{QString::fromStdString(app.cluster().links.back().id)});
    app.document.undoStack()->undo();
    QCOMPARE(app.cluster().links.size(), 2u);

    // The same by one drag from end to end.
    app.drag(app.middleOf("n3"), app.middleOf("s1"));
    QCOMPARE(app.cluster().links.size(), 3u);
}

void TopologyViewTest::escapeLeavesTheLinkTool() {
    ShownView app;
    app.canvas->setTool(TopologyCanvas::Tool::Link);
    QTest::keyClick(app.canvas, Qt::Key_Escape);
    QCOMPARE(app.canvas->tool(), TopologyCanvas::Tool::Select);
    QTest::keyClick(app.canvas, Qt::Key_L);
    QTest::keyClick(app.canvas, Qt::Key_V);
    QCOMPARE(app.canvas->tool(), TopologyCanvas::Tool::Select);
}

void TopologyViewTest::moveIsOneUndoStep() {
    ShownView app;
    const int steps = app.undoSteps();
    const Point before = app.cluster().node("n3")->at;
    app.drag(app.edgeOf("n3"), app.edgeOf("n3") + QPoint(50, 70));
    const Point after = app.cluster().node("n3")->at;
    QVERIFY(after.x > before.x && after.y > before.y);
    QCOMPARE(std::fmod(after.x, kGrid), 0.0);
    QCOMPARE(app.undoSteps(), steps + 1);
    app.document.undoStack()->undo();
    QCOMPARE(app.cluster().node("n3")->at, before);
    QCOMPARE(app.canvas->topology().boxOf(QStringLiteral("n3")).topLeft(), QPointF(before.x, before.y));
}

void TopologyViewTest::altMovesOffTheGrid() {
    ShownView app;
    app.canvas->setZoom(1.0);
    const Point before = app.cluster().node("n3")->at;
    app.drag(app.edgeOf("n3"), app.edgeOf("n3") + QPoint(21, 5), Qt::AltModifier);
    QCOMPARE(app.cluster().node("n3")->at.x - before.x, 21.0);
}

void TopologyViewTest::escapeGivesTheMoveUp() {
    ShownView app;
    const int steps = app.undoSteps();
    const QRectF before = app.canvas->topology().boxOf(QStringLiteral("n3"));
    QTest::mousePress(app.canvas->viewport(), Qt::LeftButton, {}, app.edgeOf("n3"));
    QTest::mouseMove(app.canvas->viewport(), app.edgeOf("n3") + QPoint(80, 80));
    QVERIFY(app.canvas->topology().boxOf(QStringLiteral("n3")) != before);
    QTest::keyClick(app.canvas, Qt::Key_Escape);
    QCOMPARE(app.canvas->topology().boxOf(QStringLiteral("n3")), before);
    QTest::mouseRelease(app.canvas->viewport(), Qt::LeftButton, {}, app.edgeOf("n3") + QPoint(80, 80));
    QCOMPARE(app.undoSteps(), steps);
}

void TopologyViewTest::rubberBandChooses() {
    ShownView app;
    const QRectF two = app.canvas->topology()
                           .boxOf(QStringLiteral("n2"))
                           .united(app.canvas->topology().boxOf(QStringLiteral("n3")));
    app.drag(app.at(two.topRight() + QPointF(12, -12)), app.at(two.bottomRight() + QPointF(-60, 8)));
    QCOMPARE(app.selection.items(), (QSet<QString>{QStringLiteral("n2"), QStringLiteral("n3")}));
    QTest::mouseClick(app.canvas->viewport(), Qt::LeftButton, {},
                      app.at(two.bottomLeft() + QPointF(-100, 18)));
    QVERIFY(app.selection.items().isEmpty());
    // A click on a GPU chooses the GPU, too.
    const QPointF tile = app.canvas->topology().boxOf(QStringLiteral("n1")).topLeft() + tileRect(5).center();
    QTest::mouseClick(app.canvas->viewport(), Qt::LeftButton, {}, app.at(tile));
    QCOMPARE(app.selection.device(), QStringLiteral("n1.g5"));
}

void TopologyViewTest::arrowsNudgeAndMerge() {
    ShownView app;
    app.selection.setItems({QStringLiteral("n2"), QStringLiteral("s1")});
    const int steps = app.undoSteps();
    const Point before = app.cluster().node("n2")->at;
    for (int i = 0; i < 3; ++i)
        QTest::keyClick(app.canvas, Qt::Key_Right);
    QTest::keyClick(app.canvas, Qt::Key_Down, Qt::ShiftModifier);
    QCOMPARE(app.cluster().node("n2")->at.x, before.x + 3 * kGrid);
    QCOMPARE(app.cluster().node("n2")->at.y, before.y + 1.0);
    QCOMPARE(app.undoSteps(), steps + 1);
    app.document.undoStack()->undo();
    QCOMPARE(app.cluster().node("n2")->at, before);
}

void TopologyViewTest::keysPlaceDeleteAndDuplicate() {
    ShownView app(false);
    QTest::keyClick(app.canvas, Qt::Key_N);
    QVERIFY(app.dialog());
    QTest::keyClick(app.dialog(), Qt::Key_Return);
    QCOMPARE(app.cluster().nodes.size(), 1u);
    QTRY_VERIFY_WITH_TIMEOUT(!app.dialog(), 60'000);
    app.window.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&app.window));
    app.canvas->setFocus();
    QTest::keyClick(app.canvas, Qt::Key_S);
    QCOMPARE(app.cluster().switches.size(), 1u);
    QVERIFY(!app.canvas->topology()
                 .boxOf(QStringLiteral("n1"))
                 .intersects(app.canvas->topology().boxOf(QStringLiteral("s1"))));
    linkItems(app.context, {QStringLiteral("n1")}, QStringLiteral("s1"));
    QTest::keyClick(app.canvas, Qt::Key_A, Qt::ControlModifier);
    QCOMPARE(app.selection.items().size(), 3);
    QTest::keyClick(app.canvas, Qt::Key_D, Qt::ControlModifier);
    QCOMPARE(app.cluster().nodes.size(), 2u);
    QCOMPARE(app.cluster().links.size(), 2u);
    QTest::keyClick(app.canvas, Qt::Key_Delete);
    QCOMPARE(app.cluster().nodes.size(), 1u);
    QCOMPARE(app.cluster().links.size(), 1u);
    while (app.document.undoStack()->canUndo())
        app.document.undoStack()->undo();
    QVERIFY(app.cluster().nodes.empty() && app.cluster().links.empty());
}

void TopologyViewTest::tabWalksTheItems() {
    ShownView app;
    app.selection.setItems({});
    QTest::keyClick(app.canvas, Qt::Key_Tab);
    QCOMPARE(app.selection.items(), QSet<QString>{QStringLiteral("n1")});
    QTest::keyClick(app.canvas, Qt::Key_Tab);
    QCOMPARE(app.selection.items(), QSet<QString>{QStringLiteral("n2")});
    QTest::keyClick(app.canvas, Qt::Key_Backtab);
    QCOMPARE(app.selection.items(), QSet<QString>{QStringLiteral("n1")});
    QVERIFY(app.canvas->accessibleDescription().contains(QStringLiteral("node n1")));
}

// L, Tab to the first end, Enter, Tab to the second, Enter.
void TopologyViewTest::linksAreDrawnByKey() {
    ShownView app;
    const std::size_t links = app.cluster().links.size();
    app.selection.setItems({});
    QTest::keyClick(app.canvas, Qt::Key_L);
    QCOMPARE(app.canvas->tool(), TopologyCanvas::Tool::Link);
    const auto walkTo = [&](const QString& id) {
        for (int i = 0; i < 8 && app.selection.items() != QSet<QString>{id}; ++i)
            QTest::keyClick(app.canvas, Qt::Key_Tab);
        return app.selection.items() == QSet<QString>{id};
    };
    QVERIFY(walkTo(QStringLiteral("n3")));
    QTest::keyClick(app.canvas, Qt::Key_Return);
    QVERIFY(walkTo(QStringLiteral("s1")));
    QVERIFY2(app.canvas->currentTool().hint().contains(QStringLiteral("n3")),
             qPrintable(app.canvas->currentTool().hint()));
    QTest::keyClick(app.canvas, Qt::Key_Return);
    QCOMPARE(app.cluster().links.size(), links + 1);
    QVERIFY(!linkRefusal(app.cluster(), "n3", "s1").message.empty()); // they are linked
    QTest::keyClick(app.canvas, Qt::Key_Escape);
    QCOMPARE(app.canvas->tool(), TopologyCanvas::Tool::Select);
    app.document.undoStack()->undo();
    QCOMPARE(app.cluster().links.size(), links);
}

// Many to one in a gesture and a step; what is linked already is passed over and said.
void TopologyViewTest::chosenItemsAreLinkedTogether() {
    ShownView app;
    app.document.apply(addNodes(*app.document.project(), "V100-SXM2-16GB", 4, 5, {0, 400}),
                       QStringLiteral("five"));
    const std::size_t links = app.cluster().links.size();
    const int steps = app.undoSteps();
    QSet<QString> nodes;
    for (const Node& node : app.cluster().nodes)
        nodes.insert(q(node.id));
    app.selection.setItems(nodes);
    QTest::keyClick(app.canvas, Qt::Key_L);
    QTest::keyClick(app.canvas, Qt::Key_Return);
    app.selection.setItems({QStringLiteral("s1")});
    app.canvas->setFocus();
    QTest::keyClick(app.canvas, Qt::Key_Return);
    QCOMPARE(app.cluster().links.size(), links + 6); // n1 and n2 were
    QCOMPARE(app.undoSteps(), steps + 1);
    for (const Node& node : app.cluster().nodes)
        QVERIFY(!linkRefusal(app.cluster(), node.id, "s1").message.empty());
}

// With no more than the action of an item: one end, the other end; of chosen nodes all at once.
void TopologyViewTest::assistiveToolsDrawLinks() {
    ShownView app;
    app.document.apply(addNodes(*app.document.project(), "V100-SXM2-16GB", 4, 2, {0, 400}),
                       QStringLiteral("two"));
    const std::size_t links = app.cluster().links.size();
    const QString first = q(app.cluster().nodes.end()[-2].id), second = q(app.cluster().nodes.back().id);
    app.canvas->activatePart(first); // without the tool it only chooses
    QCOMPARE(app.selection.items(), QSet<QString>{first});
    auto* tool = app.view->findChild<QToolButton*>(QStringLiteral("topology.canvas.link"));
    for (int time = 0; time < 2; ++time) { // a lit one stays lit
        QAccessible::queryAccessibleInterface(tool)->actionInterface()->doAction(
            QAccessibleActionInterface::toggleAction());
        QVERIFY(app.canvas->tool() == TopologyCanvas::Tool::Link && tool->isChecked());
    }
    app.canvas->activatePart(first);
    QCOMPARE(app.cluster().links.size(), links);
    app.canvas->activatePart(QStringLiteral("s1"));
    QCOMPARE(app.cluster().links.size(), links + 1);
    app.document.undoStack()->undo();
    app.selection.setItems({first, second});
    app.canvas->activatePart(second);
    app.canvas->activatePart(QStringLiteral("s1"));
    QCOMPARE(app.cluster().links.size(), links + 2);
    for (const QString& node : {first, second})
        QVERIFY(!linkRefusal(app.cluster(), s(node), "s1").message.empty());
}

void TopologyViewTest::zoomAndFit() {
    ShownView app;
    QVERIFY(app.canvas->fits());
    QTest::keyClick(app.canvas, Qt::Key_Plus, Qt::ControlModifier);
    QVERIFY(!app.canvas->fits());
    QTest::keyClick(app.canvas, Qt::Key_0, Qt::ControlModifier);
    QCOMPARE(app.canvas->zoom(), 1.0);
    // Ctrl and wheel keep the point under the cursor.
    const QPoint cursor(620, 200);
    const QPointF before = app.canvas->mapToScene(cursor);
    QWheelEvent wheel(cursor, app.canvas->viewport()->mapToGlobal(cursor), {}, QPoint(0, 120), Qt::NoButton,
                      Qt::ControlModifier, Qt::NoScrollPhase, false);
    QApplication::sendEvent(app.canvas->viewport(), &wheel);
    QVERIFY(app.canvas->zoom() > 1.1);
    QVERIFY((app.canvas->mapToScene(cursor) - before).manhattanLength() < 3.0);
    QTest::keyClick(app.canvas, Qt::Key_1, Qt::ControlModifier);
    const QRectF seen = app.canvas->mapToScene(app.canvas->viewport()->rect()).boundingRect();
    QVERIFY(seen.adjusted(-1, -1, 1, 1).contains(app.canvas->topology().content()));
}

void TopologyViewTest::templatesAreSound() {
    for (const ClusterTemplate& row : clusterTemplates()) {
        if (!row.make)
            continue;
        const Result<Project> made = row.make(Project(), "A100-SXM4-80GB", {0, 0});
        QVERIFY2(made, row.key);
        QCOMPARE(made->cluster.gpuCount(), row.gpus);
        if (row.gpus > 8)
            QVERIFY2(!hasErrors(checkCluster(made->cluster)), row.key);
        AppFixture app;
        app.document.adopt(*made, {});
        TopologyScene scene;
        scene.show(made->cluster, drawingOf(*made, {}, nullptr, false, {}, {}));
        const QStringList boxes = scene.boxes();
        for (qsizetype i = 0; i < boxes.size(); ++i)
            for (qsizetype k = 0; k < i; ++k)
                QVERIFY2(!scene.boxOf(boxes[i]).intersects(scene.boxOf(boxes[k])), row.key);
    }
}

void TopologyViewTest::racksAreAskedFor() {
    for (const auto& [racks, nodes] : {std::pair(4, 4), std::pair(1, 1), std::pair(20, 3)}) {
        ShownView app(false);
        app.canvas->place({QStringLiteral("template"), QStringLiteral("racks"), {}}, QPointF(0, 0), true);
        QVERIFY(app.dialog());
        app.dialog()->findChild<QSpinBox*>(QStringLiteral("nodeDialog.racks"))->setValue(racks);
        app.dialog()->findChild<QSpinBox*>(QStringLiteral("nodeDialog.count"))->setValue(nodes);
        const auto* total = app.dialog()->findChild<QLabel*>(QStringLiteral("nodeDialog.total"));
        QVERIFY2(total->text().startsWith(QString::number(8 * racks * nodes)), qPrintable(total->text()));
        app.dialog()->accept();
        const Project& project = *app.document.project();
        QCOMPARE(project.cluster.gpuCount(), 8 * racks * nodes);
        QCOMPARE(project.cluster.switches.size(), static_cast<std::size_t>(racks + 2));
        QCOMPARE(project.cluster.links.size(), static_cast<std::size_t>(racks * (nodes + 2)));
        QVERIFY(!hasErrors(checkCluster(project.cluster)));
        TopologyScene scene;
        scene.show(project.cluster, drawingOf(project, {}, nullptr, false, {}, {}));
        const QStringList boxes = scene.boxes();
        for (qsizetype i = 0; i < boxes.size(); ++i)
            for (qsizetype k = 0; k < i; ++k)
                QVERIFY2(!scene.boxOf(boxes[i]).intersects(scene.boxOf(boxes[k])), qPrintable(boxes[i]));
    }
}

void TopologyViewTest::paletteFilters() {
    AppFixture app;
    PalettePanel palette(app.context);
    palette.findChild<QLineEdit*>(QStringLiteral("palette.filter"))->setText(QStringLiteral("v100"));
    int shown = 0;
    for (QTreeWidgetItemIterator it(palette.list()); *it; ++it)
        shown += !(*it)->isHidden() && (*it)->parent() && !(*it)->parent()->isHidden();
    QVERIFY(shown >= 2);
    // Templates and switches stay at hand: they are what a kind is placed as.
    bool templates = false;
    for (QTreeWidgetItemIterator it(palette.list()); *it; ++it)
        if (!(*it)->isHidden() && (*it)->parent() && !(*it)->parent()->isHidden()) {
            const QString text = (*it)->text(0);
            const bool kind = Catalogue::builtin().find(s(text)) != nullptr;
            QVERIFY2(!kind || text.contains(QStringLiteral("V100")), qPrintable(text));
            templates = templates || text == QStringLiteral("Node of 8");
        }
    QVERIFY(templates);
    app.document.adopt({}, QString()); // another project is not looked at through this one's words
    QVERIFY(palette.findChild<QLineEdit*>(QStringLiteral("palette.filter"))->text().isEmpty());
}

void TopologyViewTest::theLatestKindsStandFirst() {
    const std::vector<DeviceKind> kinds = newestFirst(Catalogue::builtin().kinds());
    const auto place = [&](const char* name) {
        return std::ranges::find(kinds, std::string(name), &DeviceKind::name) - kinds.begin();
    };
    QVERIFY(place("B200-SXM") < place("H100-SXM-80GB"));
    QVERIFY(place("H100-SXM-80GB") < place("A100-SXM4-80GB"));
    QVERIFY(place("A100-SXM4-80GB") < place("V100-SXM2-32GB"));
    QVERIFY(place("V100-SXM2-32GB") < place("P100-SXM2-16GB"));
}

// However many are asked for, and wherever the drawing has them already.
void TopologyViewTest::newNodesLandOnNoOther() {
    ShownView app;
    for (const int count : {1, 5, 3}) {
        app.canvas->askForNodes({300, 100}, {"V100-SXM2-16GB", 8, count});
        QVERIFY(app.dialog());
        app.dialog()->accept();
        QTRY_VERIFY_WITH_TIMEOUT(!app.dialog(), 60'000);
    }
    QCOMPARE(app.cluster().nodes.size(), std::size_t{12});
    const QStringList boxes = app.canvas->topology().boxes();
    for (const QString& a : boxes)
        for (const QString& b : boxes)
            QVERIFY2(a == b || !app.canvas->topology().boxOf(a).intersects(app.canvas->topology().boxOf(b)),
                     qPrintable(a + QLatin1Char(' ') + b));
}

// A second batch goes on in the row of the first, what has no room there into the next.
void TopologyViewTest::newNodesStandInRows() {
    ShownView app(false);
    for (int i = 0; i < 6; ++i) {
        app.canvas->askForNodes({0, 0}, {"V100-SXM2-16GB", 8, 1});
        app.dialog()->accept();
        QTRY_VERIFY_WITH_TIMEOUT(!app.dialog(), 60'000);
    }
    const std::vector<Node>& nodes = app.cluster().nodes;
    for (std::size_t i = 0; i < 6; ++i)
        QCOMPARE(nodes[i].at,
                 (Point{288.0 * static_cast<double>(i % 4), 176.0 * static_cast<double>(i / 4)}));
}

void TopologyViewTest::whatIsGoneIsNotChosen() {
    ShownView app;
    const QSet<QString> kept{QStringLiteral("n1")};
    app.document.apply(addNodes(*app.document.project(), "V100-SXM2-16GB", 4, 1, {800, 0}),
                       QStringLiteral("n4"));
    app.selection.setItems({QStringLiteral("n1"), QStringLiteral("n4")});
    app.selection.setDevice(QStringLiteral("n4.g1"));
    app.document.undoStack()->undo();
    QCOMPARE(app.selection.items(), kept);
    QVERIFY(app.selection.device().isEmpty());
    // Fewer GPUs, too, and links that went with their node.
    app.selection.setDevice(QStringLiteral("n1.g7"));
    Node small = *app.cluster().node("n1");
    small.gpus = 4;
    app.document.apply(setNode(*app.document.project(), small), QStringLiteral("four"));
    QVERIFY(app.selection.device().isEmpty());
    app.selection.setItems({q(app.cluster().links.front().id)});
    app.document.apply(removeItems(*app.document.project(), {"n1"}), QStringLiteral("away"));
    QVERIFY(app.selection.items().isEmpty());
}

void TopologyViewTest::switchesAreSeenAtAnyScale() {
    ShownView app;
    for (const double zoom : {1.0, 0.1, 0.02}) {
        app.canvas->setZoom(zoom);
        const QPointF middle = app.canvas->topology().boxOf(QStringLiteral("s1")).center();
        QCOMPARE(app.canvas->topology().boxAt(middle + QPointF(12, 4) / zoom), QStringLiteral("s1"));
    }
}

void TopologyViewTest::emptyStateAsks() {
    ShownView app(false);
    auto* empty = app.view->findChild<QWidget*>(QStringLiteral("topology.empty"));
    QVERIFY(empty->isVisible());
    QTest::mouseClick(empty->findChild<QPushButton*>(QStringLiteral("emptyState.button")), Qt::LeftButton);
    QVERIFY(app.dialog());
    app.dialog()->accept();
    QVERIFY(!empty->isVisible());
}

void TopologyViewTest::marksStandOnTheItems() {
    ShownView app;
    // n3 has no link, which stops a search: it is marked, and n1 is not.
    const NodeItem* loose = app.canvas->topology().nodeItem(QStringLiteral("n3"));
    QVERIFY(loose->look().mark.severity.has_value());
    QVERIFY(!loose->toolTip().isEmpty());
    QVERIFY(app.canvas->topology().nodeItem(QStringLiteral("n1"))->look().mark.severity != Severity::Error);
}

void TopologyViewTest::linksMeetTheBoxesAtRightAngles() {
    const std::vector<QRectF> boxes = {
        {0, 0, 256, 140}, {400, 20, 112, 52}, {600, -200, 256, 90}, {600, 300, 256, 90}};
    const std::vector<QPolygonF> ways = routeLinks(boxes, {{0, 1}, {1, 2}, {1, 3}});
    for (const QPolygonF& way : ways)
        for (qsizetype i = 0; i + 1 < way.size(); ++i)
            QVERIFY(way[i].x() == way[i + 1].x() || way[i].y() == way[i + 1].y());
    QCOMPARE(ways[0].front().x(), 256.0);
    QCOMPARE(ways[0].back().x(), 400.0);
    QVERIFY(ways[1].front() != ways[2].front()); // two links on one side of s1 do not share a port
}

// From the widest to the least width of the view; what must stay is there at each.
void TopologyViewTest::nothingOfTheStripIsCut() {
    ThemeControl::instance().apply(*qApp, ThemeMode::Light);
    ShownView app;
    const auto* strip = app.view->findChild<QWidget*>(QStringLiteral("topology.strip"));
    const auto* scale = app.view->findChild<QLabel*>(QStringLiteral("topology.zoom"));
    const auto* out = app.view->findChild<QToolButton*>(QStringLiteral("topology.canvas.zoomOut"));
    const auto* link = app.view->findChild<QToolButton*>(QStringLiteral("topology.canvas.link"));
    QVERIFY(out->isVisible());
    for (int width = 1000; width >= app.view->minimumWidth(); width -= 30) {
        app.view->resize(width, 700);
        QCoreApplication::processEvents();
        QVERIFY(link->isVisible() && scale->isVisible());
        QVERIFY2(scale->width() >= scale->sizeHint().width(), qPrintable(QString::number(width)));
        for (const QToolButton* button : strip->findChildren<QToolButton*>())
            QVERIFY2(!button->isVisible() || button->width() >= button->sizeHint().width(),
                     qPrintable(button->objectName() + QString::number(width)));
        QVERIFY2(strip->rect().contains(scale->geometry()), qPrintable(QString::number(width)));
    }
    QVERIFY(!out->isVisible());
    app.view->resize(1000, 700);
    QVERIFY(out->isVisible());
}

QTEST_MAIN(TopologyViewTest)
#include "topology_view_test.moc"
