// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later

// What a click in the palette, or on a tool that places, does: the next click on the canvas places it there.

#include "tests/ui/topology/shown_canvas.h"
#include "ui/base/convert.h"
#include "ui/topology/drag_payload.h"
#include "ui/topology/geometry.h"
#include "ui/topology/palette_panel.h"

#include <QAbstractButton>
#include <QAction>
#include <QComboBox>
#include <QDragEnterEvent>
#include <QMimeData>
#include <QTest>
#include <QToolButton>
#include <QTreeWidget>

using namespace pw;

namespace {

using Tool = TopologyCanvas::Tool;

struct Placing : ShownCanvas {
    PalettePanel* palette;

    explicit Placing(bool sample = true) {
        if (sample)
            drawSample();
        show();
        palette = new PalettePanel(context, &window);
        window.resize(1400, 800);
        palette->setGeometry(1020, 0, 320, 700);
        palette->show();
    }
    QTreeWidgetItem* entry(const QString& text) const {
        for (QTreeWidgetItemIterator it(palette->list()); *it; ++it)
            if ((*it)->parent() && (*it)->text(0) == text)
                return *it;
        return nullptr;
    }
    void choose(QTreeWidgetItem* item) {
        QTreeWidget* list = palette->list();
        list->scrollToItem(item);
        QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualItemRect(item).center());
    }
    void choose(const char* text) { choose(entry(QString::fromUtf8(text))); }
    void click(QPoint at, Qt::KeyboardModifiers keys = {}) {
        QTest::mouseClick(canvas->viewport(), Qt::LeftButton, keys, at);
    }
    QToolButton* button(const char* id) const {
        return view->findChild<QToolButton*>(QLatin1String("topology.") + QLatin1String(id));
    }
    NodeDialog* dialog() const { return canvas->findChild<NodeDialog*>(); }
    // Free ground, below everything.
    QPoint free() const {
        return canvas->mapFromScene(canvas->topology().content().bottomLeft()) + QPoint(80, 60);
    }
};

// Within a step of the grid, and of what is lost by whole pixels.
bool isAt(const TopologyCanvas& canvas, const char* id, QPointF scene) {
    const QPointF apart = canvas.topology().boxOf(QString::fromLatin1(id)).center() - scene;
    return std::abs(apart.x()) <= kGrid && std::abs(apart.y()) <= kGrid;
}

} // namespace

class PlaceToolTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyEntryDoesSomethingOnAClick();
    void whatIsTakenGoesWhereTheClickIs();
    void howManyIsAskedAtOnce();
    void theSwitchButtonWaitsForAClick();
    void theKeyPlacesAtOnce();
    void escapeGivesItUp();
    void enterPlacesInTheMiddle();
    void assistiveToolsPlaceInTheMiddle();
    void aClickOnANodeChangesNoKind();
    void shiftAsks();
    void oneKindIsDrawnEverywhere();
    void aKindOfAnotherProjectIsNotDrawn();
    void anEmptyDrawingLetsTheClickThrough();
    void aDragEndsIt();
    void twoClicksPlaceOne();
    void editingNeedsAChoice();
};

void PlaceToolTest::everyEntryDoesSomethingOnAClick() {
    Placing app;
    int entries = 0;
    for (QTreeWidgetItemIterator it(app.palette->list()); *it; ++it) {
        if (!(*it)->parent())
            continue;
        ++entries;
        app.canvas->setTool(Tool::Select);
        app.choose(*it);
        QVERIFY2(app.canvas->armed() || app.dialog(), qPrintable((*it)->text(0)));
        if (NodeDialog* asks = app.dialog()) {
            asks->reject();
            QTRY_VERIFY_WITH_TIMEOUT(!app.dialog(), 60'000);
        }
    }
    QVERIFY(entries > 10);
    QCOMPARE(app.cluster().nodes.size(), 3u); // nothing was placed by that
    // A title is no entry.
    app.canvas->setTool(Tool::Select);
    app.choose(app.palette->list()->topLevelItem(0));
    QVERIFY(!app.canvas->armed());
}

void PlaceToolTest::whatIsTakenGoesWhereTheClickIs() {
    Placing app;
    const int steps = app.undoSteps();
    app.choose("Switch, InfiniBand");
    const QPoint at = app.free();
    const QPointF scene = app.canvas->mapToScene(at);
    app.click(at);
    QCOMPARE(app.cluster().switches.size(), 2u);
    QCOMPARE(app.cluster().switches.back().medium, std::string("InfiniBand"));
    QVERIFY(isAt(*app.canvas, "s2", scene));
    QCOMPARE(app.selection.items(), QSet<QString>{QStringLiteral("s2")});
    QCOMPARE(app.undoSteps(), steps + 1);
    QCOMPARE(app.canvas->tool(), Tool::Select); // it was for one
    app.click(at + QPoint(0, 60));
    QCOMPARE(app.cluster().switches.size(), 2u);
}

void PlaceToolTest::howManyIsAskedAtOnce() {
    Placing app;
    app.choose("Nodes, how many\u2026");
    QVERIFY(app.dialog());
    QCOMPARE(app.canvas->tool(), Tool::Select);
    app.dialog()->accept();
    QVERIFY(app.cluster().nodes.size() > 3u);
    QVERIFY(app.canvas->visibleScene().intersects(app.canvas->topology().boxOf(QStringLiteral("n4"))));
}

void PlaceToolTest::theSwitchButtonWaitsForAClick() {
    Placing app;
    QToolButton* tool = app.button("canvas.switch");
    QTest::mouseClick(tool, Qt::LeftButton);
    QCOMPARE(app.cluster().switches.size(), 1u);
    QVERIFY(tool->isChecked() && !app.button("canvas.select")->isChecked());
    const QPoint at = app.free();
    const QPointF scene = app.canvas->mapToScene(at);
    app.click(at);
    QCOMPARE(app.cluster().switches.size(), 2u);
    QVERIFY(isAt(*app.canvas, "s2", scene));
    QVERIFY(!tool->isChecked() && app.button("canvas.select")->isChecked());
    // Pressed again it is given up.
    QTest::mouseClick(tool, Qt::LeftButton);
    QTest::mouseClick(tool, Qt::LeftButton);
    QCOMPARE(app.canvas->tool(), Tool::Select);
    // A note as well; one tool takes the place of the other.
    QTest::mouseClick(tool, Qt::LeftButton);
    QTest::mouseClick(app.button("canvas.note"), Qt::LeftButton);
    QVERIFY(!tool->isChecked() && app.button("canvas.note")->isChecked());
    app.click(app.free());
    QCOMPARE(app.document.project()->annotations.notes.size(), 1u);
    QCOMPARE(app.cluster().switches.size(), 2u);
}

void PlaceToolTest::theKeyPlacesAtOnce() {
    Placing app;
    QTest::keyClick(app.canvas, Qt::Key_S);
    QCOMPARE(app.cluster().switches.size(), 2u);
    QCOMPARE(app.canvas->tool(), Tool::Select);
}

void PlaceToolTest::escapeGivesItUp() {
    Placing app;
    QTest::mouseClick(app.button("canvas.switch"), Qt::LeftButton);
    QTest::keyClick(app.canvas, Qt::Key_Escape);
    QVERIFY(!app.canvas->armed());
    app.choose("Node of 8");
    QTest::keyClick(app.palette->list(), Qt::Key_Escape); // where the focus is
    QVERIFY(!app.canvas->armed());
    app.click(app.free());
    QCOMPARE(app.cluster().nodes.size(), 3u);
    QCOMPARE(app.cluster().switches.size(), 1u);
}

void PlaceToolTest::enterPlacesInTheMiddle() {
    Placing app;
    QTest::mouseClick(app.button("canvas.switch"), Qt::LeftButton);
    QVERIFY(app.canvas->hasFocus());
    QTest::keyClick(app.canvas, Qt::Key_Return);
    QCOMPARE(app.cluster().switches.size(), 2u);
    QVERIFY(app.canvas->visibleScene().intersects(app.canvas->topology().boxOf(QStringLiteral("s2"))));
    QCOMPARE(app.canvas->tool(), Tool::Select);
}

// Only a drop does (topology_view_test): who clicks a node wants to choose it.
void PlaceToolTest::assistiveToolsPlaceInTheMiddle() {
    Placing app;
    const auto middle = [&]() -> QString {
        for (const AccessiblePart& part : app.canvas->accessibleParts())
            if (part.name == QLatin1String("middle of the view"))
                return part.key;
        return {};
    };
    QVERIFY(middle().isEmpty());
    app.button("canvas.switch")->setChecked(true); // they toggle and do not click
    QVERIFY(!middle().isEmpty());
    app.canvas->activatePart(middle());
    QCOMPARE(app.cluster().switches.size(), 2u);
    QVERIFY(app.canvas->visibleScene().intersects(app.canvas->topology().boxOf(QStringLiteral("s2"))));
    QCOMPARE(app.canvas->tool(), Tool::Select);
    QVERIFY(middle().isEmpty());
}

void PlaceToolTest::aClickOnANodeChangesNoKind() {
    Placing app;
    const std::string before = app.cluster().node("n2")->kind;
    app.choose("H100-SXM-80GB");
    app.click(app.canvas->mapFromScene(app.canvas->topology().boxOf(QStringLiteral("n2")).center()));
    QCOMPARE(app.cluster().node("n2")->kind, before);
    QCOMPARE(app.cluster().nodes.size(), 4u);
    for (const char* other : {"n1", "n2", "n3", "s1"})
        QVERIFY(!app.canvas->topology()
                     .boxOf(QStringLiteral("n4"))
                     .intersects(app.canvas->topology().boxOf(QString::fromLatin1(other))));
}

void PlaceToolTest::shiftAsks() {
    Placing app;
    app.choose("H100-SXM-80GB");
    app.click(app.free(), Qt::ShiftModifier);
    QVERIFY(app.dialog());
    QCOMPARE(app.dialog()->answer().kind, std::string("H100-SXM-80GB"));
}

// Palette, form and dialog offer the kind that any of them was last on.
void PlaceToolTest::oneKindIsDrawnEverywhere() {
    const QString newer = QStringLiteral("H200-141GB"), older = QStringLiteral("V100-SXM2-32GB");
    QVERIFY(Catalogue::builtin().find(s(newer)) && Catalogue::builtin().find(s(older)));
    Placing app(false);
    auto* form = app.view->findChild<QComboBox*>(QStringLiteral("topology.sizes.kind"));
    const auto heads = [&](const QString& kind) {
        for (int i = 0; i < app.palette->list()->topLevelItemCount(); ++i)
            if (app.palette->list()->topLevelItem(i)->text(0).endsWith(QLatin1Char(' ') + kind))
                return true;
        return false;
    };
    QVERIFY(heads(form->currentText()));
    form->setCurrentText(newer);
    QVERIFY(heads(newer));
    app.canvas->askForNodes();
    QVERIFY(app.dialog());
    QCOMPARE(app.dialog()->answer().kind, s(newer));
    app.dialog()->findChild<QComboBox*>(QStringLiteral("nodeDialog.kind"))->setCurrentText(older);
    app.dialog()->reject();
    QTRY_VERIFY_WITH_TIMEOUT(!app.dialog(), 60'000);
    QCOMPARE(form->currentText(), newer); // nothing was placed
    app.choose(app.entry(older));
    QCOMPARE(form->currentText(), older);
    QVERIFY(heads(older));
    form->setCurrentText(newer);
    app.choose(app.entry(older)); // again
    QVERIFY(heads(older));
    app.view->findChild<QAbstractButton*>(QStringLiteral("topology.template.twoKinds"))->click();
    QCOMPARE(app.cluster().nodes.front().kind, s(older));
    app.canvas->askForNodes();
    QVERIFY(app.dialog());
    QCOMPARE(app.dialog()->answer().kind, s(older));
    app.dialog()->findChild<QComboBox*>(QStringLiteral("nodeDialog.kind"))->setCurrentText(newer);
    app.dialog()->accept();
    QCOMPARE(app.cluster().nodes.back().kind, s(newer));
    QVERIFY(heads(newer));
}

// A project may carry kinds that no other knows.
void PlaceToolTest::aKindOfAnotherProjectIsNotDrawn() {
    Placing app(false);
    Project carrying;
    carrying.cluster.kinds.push_back(*Catalogue::builtin().find("V100-SXM2-32GB"));
    carrying.cluster.kinds.back().name = "Lab card";
    app.document.adopt(carrying, QString());
    app.selection.setKind(QStringLiteral("Lab card"));
    app.choose("Node of 4");
    app.click({300, 200});
    QCOMPARE(app.cluster().nodes.size(), 1u);
    QCOMPARE(app.cluster().nodes.front().kind, std::string("Lab card"));
    app.document.reset();
    app.choose("Node of 4");
    app.click({300, 200});
    QCOMPARE(app.cluster().nodes.size(), 1u);
    QVERIFY(app.cluster().nodes.front().kind != "Lab card");
    QVERIFY(Catalogue::builtin().find(app.cluster().nodes.front().kind));
}

// What an empty drawing says would take the click.
void PlaceToolTest::anEmptyDrawingLetsTheClickThrough() {
    Placing app(false);
    const auto* empty = app.view->findChild<QWidget*>(QStringLiteral("topology.empty"));
    QVERIFY(empty->isVisible());
    app.choose("Node of 4");
    QVERIFY(!empty->isVisible());
    QTest::keyClick(app.palette->list(), Qt::Key_Escape);
    QVERIFY(empty->isVisible());
    app.choose("Node of 4");
    app.click({300, 200});
    QCOMPARE(app.cluster().nodes.size(), 1u);
    QVERIFY(!empty->isVisible());
}

void PlaceToolTest::aDragEndsIt() {
    Placing app;
    app.choose("Node of 4");
    const std::unique_ptr<QMimeData> mime(
        DragPayload{QStringLiteral("template"), QStringLiteral("node8"), {}}.toMime());
    QDragEnterEvent enter(app.free(), Qt::CopyAction, mime.get(), Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(app.canvas->viewport(), &enter);
    QVERIFY(enter.isAccepted());
    QVERIFY(!app.canvas->armed());
}

// As ever, a double click needs no other.
void PlaceToolTest::twoClicksPlaceOne() {
    Placing app;
    QTreeWidget* list = app.palette->list();
    QTreeWidgetItem* node = app.entry(QStringLiteral("Node of 8"));
    const QPoint at = list->visualItemRect(node).center();
    QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, at);
    QTest::mouseDClick(list->viewport(), Qt::LeftButton, {}, at);
    QCOMPARE(app.cluster().nodes.size(), 4u);
}

void PlaceToolTest::editingNeedsAChoice() {
    Placing app;
    const QAction* edit = app.commands->action("canvas.editData");
    app.selection.setItems({});
    QVERIFY(!edit->isEnabled());
    QVERIFY2(edit->toolTip().contains(QStringLiteral("Nothing is chosen")), qPrintable(edit->toolTip()));
    app.selection.setItems({QStringLiteral("n1")});
    QVERIFY(edit->isEnabled());
    QVERIFY(!edit->toolTip().contains(QStringLiteral("Nothing is chosen")));
    QString asked;
    connect(&app.selection, &Selection::focusRequested, this, [&](const QString& where) { asked = where; });
    app.commands->action("canvas.editData")->trigger();
    QCOMPARE(asked, QStringLiteral("n1"));
    // A note has no properties: it is written on.
    app.canvas->placeNote();
    const QString note = *app.selection.items().begin();
    asked.clear();
    app.commands->action("canvas.editData")->trigger();
    QVERIFY(asked.isEmpty());
    QVERIFY(app.canvas->viewport()->findChild<QWidget*>(QStringLiteral("topology.noteEditor")));
    app.selection.setItems({note, QStringLiteral("n2")});
    app.commands->action("canvas.editData")->trigger();
    QCOMPARE(asked, QStringLiteral("n2"));
}

QTEST_MAIN(PlaceToolTest)
#include "place_tool_test.moc"
