// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later

// Labels of links are what a user points at: each that is shown chooses its link, and a link under the
// pointer shows its own.

#include "core/edit/arrange.h"
#include "tests/ui/topology/shown_canvas.h"
#include "ui/base/convert.h"
#include "ui/topology/geometry.h"
#include "ui/topology/items.h"
#include "ui/topology/sized_cluster.h"

#include <QContextMenuEvent>
#include <QMenu>
#include <QTest>

using namespace pw;

namespace {

// Four nodes at s1, and below them two at s2, which is linked to s1 as slowly as n5 and n6 are to it: their
// links have warnings, and little room.
struct TwoSwitches : ShownCanvas {
    TwoSwitches() {
        Project project = *addCluster(Project(), {.kind = "A100-SXM4-80GB", .nodes = 4}, {0, 0});
        const Point first = project.cluster.node("n1")->at;
        project = *addNodes(project, "H100-SXM-80GB", 8, 1, {first.x + 144, first.y + 208});
        project = *addNodes(project, "H100-SXM-80GB", 8, 1, {first.x + 432, first.y + 208});
        project = *addSwitch(project, "Ethernet", {first.x, first.y + 176});
        for (const char* end : {"n5", "n6", "s1"})
            project = *addLink(project, end, "s2");
        document.adopt(project, {});
        show();
        view->resize(900, 450);
    }
    const LinkItem* link(std::size_t i) const {
        return canvas->topology().linkItem(q(cluster().links[i].id));
    }
    QPoint on(QPointF scene) const { return canvas->mapFromScene(scene); }
    void click(QPoint at, Qt::KeyboardModifiers keys = {}) {
        QTest::mouseClick(canvas->viewport(), Qt::LeftButton, keys, at);
    }
    void point(QPoint at) {
        QMouseEvent move(QEvent::MouseMove, at, canvas->viewport()->mapToGlobal(at), Qt::NoButton,
                         Qt::NoButton, {});
        QApplication::sendEvent(canvas->viewport(), &move);
    }
};

} // namespace

class LinkChoiceTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyLabelChoosesItsLink();
    void labelsOffTheirLinesDoSo();
    void labelsAreOnTopOfNotes();
    void warningsKeepTheirLabels();
    void aLinkUnderThePointerShowsItsLabel();
    void aLabelOutOfSightComesToThePointer();
    void hoverEndsWithItsLink();
};

void LinkChoiceTest::everyLabelChoosesItsLink() {
    TwoSwitches app;
    int shown = 0;
    for (const double zoom : {0.3, 0.37, 0.43, 0.5, 0.7, 1.0}) {
        app.canvas->setZoom(zoom);
        for (std::size_t i = 0; i < app.cluster().links.size(); ++i) {
            const QRectF area = app.link(i)->labelArea();
            if (area.isNull())
                continue;
            ++shown;
            const double inset = 1.0 / zoom;
            for (const QPointF at : {area.center(), area.topLeft() + QPointF(inset, inset),
                                     area.bottomRight() - QPointF(inset, inset)})
                QCOMPARE(app.canvas->topology().itemAt(at, 6.0 / zoom), app.link(i)->id());
        }
    }
    QVERIFY(shown > 20);
}

// By click, with Shift, and by the menu.
void LinkChoiceTest::labelsOffTheirLinesDoSo() {
    TwoSwitches app;
    int off = 0;
    for (const double zoom : {0.3, 0.33, 0.37, 0.4, 0.43, 0.46, 0.5})
        for (std::size_t i = 0; i < app.cluster().links.size(); ++i) {
            app.canvas->setZoom(zoom);
            app.canvas->centerOn(app.link(i)->labelPlace().at);
            app.selection.setItems({});
            const QRectF area = app.link(i)->labelArea();
            if (area.isNull() || distanceTo(app.link(i)->way(), area.center()) * zoom < 8.0)
                continue;
            ++off;
            const QString id = app.link(i)->id();
            const QPoint at = app.on(area.center());
            app.click(at);
            QCOMPARE(app.selection.items(), QSet<QString>{id});
            const QString other = app.link(i == 0 ? 1 : 0)->id();
            app.selection.setItems({other});
            app.click(app.on(app.link(i)->labelArea().center()), Qt::ShiftModifier);
            QCOMPARE(app.selection.items(), (QSet<QString>{id, other}));
            app.click(app.on(app.link(i)->labelArea().center()), Qt::ShiftModifier);
            QCOMPARE(app.selection.items(), QSet<QString>{other});
            QTest::mousePress(app.canvas->viewport(), Qt::RightButton, {}, at);
            QTest::mouseRelease(app.canvas->viewport(), Qt::RightButton, {}, at);
            QCOMPARE(app.selection.items(), QSet<QString>{id});
            QContextMenuEvent asked(QContextMenuEvent::Mouse, at, app.canvas->viewport()->mapToGlobal(at));
            QApplication::sendEvent(app.canvas->viewport(), &asked);
            auto* menu = app.canvas->findChild<QMenu*>(QStringLiteral("context.canvas link"));
            QVERIFY(menu);
            delete menu;
        }
    QVERIFY(off > 0);
}

void LinkChoiceTest::labelsAreOnTopOfNotes() {
    TwoSwitches app;
    app.canvas->setZoom(1.0);
    const QPointF at = app.link(0)->labelArea().center();
    Project with = *addNote(*app.document.project(), {"", "", {at.x() - 40, at.y() - 40}, 400, 200});
    app.document.apply(with, QStringLiteral("note"));
    QCOMPARE(app.canvas->topology().itemAt(at, 6.0), app.link(0)->id());
    QVERIFY(app.canvas->topology().itemAt(at + QPointF(0, 40), 6.0) != app.link(0)->id());
}

// A link with a warning has its label at every scale at which there is room for one, whatever the links
// beside it are changed to.
void LinkChoiceTest::warningsKeepTheirLabels() {
    TwoSwitches app;
    for (const double gigabits : {100.0, 400.0}) {
        Link trunk = app.cluster().links.back();
        trunk.bandwidth = BytesPerSecond(gigabits * 1e9 / 8.0);
        app.document.apply(setLinks(*app.document.project(), {trunk}), QStringLiteral("trunk"));
        int warned = 0;
        for (const double zoom : {0.43, 0.5, 0.7, 1.0}) {
            app.canvas->setZoom(zoom);
            for (std::size_t i = 0; i < app.cluster().links.size(); ++i)
                if (app.link(i)->look().mark.severity) {
                    ++warned;
                    QVERIFY2(app.link(i)->labelPlace().label,
                             qPrintable(QStringLiteral("%1 at %2").arg(app.link(i)->id()).arg(zoom)));
                }
        }
        QVERIFY(warned >= 8);
    }
}

void LinkChoiceTest::aLinkUnderThePointerShowsItsLabel() {
    TwoSwitches app;
    int hidden = 0;
    for (const double zoom : {0.15, 0.22, 0.43, 1.0}) {
        for (std::size_t i = 0; i < app.cluster().links.size(); ++i) {
            app.canvas->setZoom(zoom);
            const QPolygonF& way = app.link(i)->way();
            const QPointF middle = (way[0] + way[1]) / 2.0;
            app.canvas->centerOn(middle);
            const QPoint at = app.on(middle);
            if (app.canvas->topology().itemAt(app.canvas->mapToScene(at), 6.0 / zoom) != app.link(i)->id())
                continue; // a leg that is too short to be pointed at
            const LabelPlace before = app.link(i)->labelPlace();
            hidden += !before.label;
            app.point(at);
            QVERIFY(app.link(i)->isHovered());
            const QRectF label = app.link(i)->labelArea();
            QVERIFY(app.canvas->visibleScene().contains(label));
            // A click there chooses it unless a box is below.
            if (app.canvas->topology().boxAt(label.center()).isEmpty())
                QCOMPARE(app.canvas->topology().itemAt(label.center(), 6.0 / zoom), app.link(i)->id());
            QEvent leave(QEvent::Leave);
            QApplication::sendEvent(app.canvas->viewport(), &leave);
            QVERIFY(!app.link(i)->isHovered());
            QVERIFY(app.link(i)->labelPlace() == before);
        }
    }
    QVERIFY(hidden > 0);
}

void LinkChoiceTest::aLabelOutOfSightComesToThePointer() {
    TwoSwitches app;
    app.canvas->setZoom(4.0);
    const LinkItem* trunk = app.link(app.cluster().links.size() - 1);
    // An end of it, far from its label.
    QPointF end = trunk->way().front();
    if (QLineF(end, trunk->labelArea().center()).length() <
        QLineF(trunk->way().back(), trunk->labelArea().center()).length())
        end = trunk->way().back();
    const QPointF next =
        end == trunk->way().front() ? trunk->way()[1] : trunk->way()[trunk->way().size() - 2];
    const QPointF at = QLineF(end, next).pointAt(8.0 / QLineF(end, next).length());
    app.canvas->centerOn(at);
    QVERIFY(!app.canvas->visibleScene().intersects(trunk->labelArea()));
    app.point(app.on(at));
    QVERIFY(trunk->isHovered());
    QVERIFY(app.canvas->visibleScene().contains(trunk->labelArea()));
}

void LinkChoiceTest::hoverEndsWithItsLink() {
    TwoSwitches app;
    app.canvas->setZoom(1.0);
    const QPointF middle = app.link(0)->labelArea().center();
    app.canvas->centerOn(middle);
    app.point(app.on(middle));
    QVERIFY(app.link(0)->isHovered());
    const std::string gone = app.cluster().links.front().id;
    app.document.apply(removeItems(*app.document.project(), {gone}), QStringLiteral("away"));
    app.point(app.on(middle) + QPoint(1, 0)); // where it was
    QVERIFY(!app.link(0)->isHovered());
    app.document.undoStack()->undo();
    app.point(app.on(middle));
    QVERIFY(app.canvas->topology().linkItem(q(gone))->isHovered());
    // While a link is drawn nothing is lit.
    app.canvas->setTool(TopologyCanvas::Tool::Link);
    QVERIFY(!app.canvas->topology().linkItem(q(gone))->isHovered());
    app.point(app.on(middle));
    QVERIFY(!app.canvas->topology().linkItem(q(gone))->isHovered());
}

QTEST_MAIN(LinkChoiceTest)
#include "link_choice_test.moc"
