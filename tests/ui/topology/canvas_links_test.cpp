// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later

// Links on the canvas: several at once, an end that is led elsewhere, and what they tell.

#include "tests/ui/topology/shown_canvas.h"
#include "ui/base/theme.h"
#include "ui/topology/items.h"

#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QMenu>
#include <QSignalSpy>
#include <QToolTip>

using namespace pw;

namespace {

struct ShownLinks : ShownCanvas {
    ShownLinks() {
        drawSample();
        document.apply(addNodes(*document.project(), "V100-SXM2-16GB", 4, 1, {480, 320}),
                       QStringLiteral("n4"));
        document.apply(addSwitch(*document.project(), "Ethernet", {304, 240}), QStringLiteral("s2"));
        Link first = *cluster().link("n1-s1");
        first.bandwidth = BytesPerSecond(50e9);
        first.lanes = 4;
        document.apply(setLinks(*document.project(), {first}), QStringLiteral("4x400G"));
        show();
        canvas->setZoom(0.8);
    }
    // The middle of the square at an end of a chosen link.
    QPoint grip(const char* link, LinkItem::End end) const {
        return at(canvas->topology().linkItem(QString::fromLatin1(link))->grip(end, canvas->zoom()).center());
    }
    const QPolygonF& way(const char* link) const {
        return canvas->topology().linkItem(QString::fromLatin1(link))->way();
    }
    void choose(std::initializer_list<const char*> ids) {
        QSet<QString> items;
        for (const char* id : ids)
            items.insert(QString::fromLatin1(id));
        selection.setItems(items);
    }
    void click(const char* id) { QTest::mouseClick(canvas->viewport(), Qt::LeftButton, {}, middleOf(id)); }
    bool linked(const char* a, const char* b) const {
        for (const Link& l : cluster().links)
            if ((l.a == a && l.b == b) || (l.a == b && l.b == a))
                return true;
        return false;
    }
    // Names of the commands of the menu for what is chosen.
    QStringList offered() const {
        QContextMenuEvent event(QContextMenuEvent::Keyboard, {}, {});
        QApplication::sendEvent(canvas, &event);
        QStringList names;
        for (QMenu* menu : canvas->findChildren<QMenu*>()) {
            for (const QAction* action : menu->actions())
                names << action->objectName();
            menu->close();
        }
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        return names;
    }
};

} // namespace

class CanvasLinksTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void anEndIsDraggedToAnotherSwitch() {
        ShownLinks app;
        const Link before = *app.cluster().link("n1-s1");
        const int steps = app.undoSteps();
        app.choose({"n1-s1"});
        app.drag(app.at(app.way("n1-s1").back()), app.middleOf("s2"));
        QCOMPARE(app.undoSteps(), steps + 1);
        const Link* moved = app.cluster().link("n1-s2");
        QVERIFY(moved);
        QCOMPARE(moved->a, std::string("n1"));
        QCOMPARE(moved->b, std::string("s2"));
        QCOMPARE(moved->bandwidth, before.bandwidth);
        QCOMPARE(moved->lanes, before.lanes);
        QCOMPARE(app.selection.items(), QSet<QString>{QStringLiteral("n1-s2")});
        app.document.undoStack()->undo();
        QVERIFY(*app.cluster().link("n1-s1") == before);
        // The end at the node as well.
        app.choose({"n1-s1"});
        app.drag(app.at(app.way("n1-s1").front()), app.middleOf("n4"));
        QVERIFY(app.linked("n4", "s1") && !app.linked("n1", "s1"));
    }

    void anEndThatLeadsNowhereStays() {
        ShownLinks app;
        const Project before = *app.document.project();
        QSignalSpy refused(&app.document, &Document::failed);
        app.choose({"n1-s1"});
        const QPoint end = app.at(app.way("n1-s1").back());
        app.drag(end, {20, 20}); // free ground
        app.drag(end, app.middleOf("s1"));
        QCOMPARE(refused.size(), 0);
        app.drag(app.at(app.way("n1-s1").front()), app.middleOf("n2")); // which is linked to s1 already
        QCOMPARE(refused.size(), 1);
        QVERIFY(*app.document.project() == before);
        // Esc gives it up.
        QTest::mousePress(app.canvas->viewport(), Qt::LeftButton, {}, end);
        QTest::mouseMove(app.canvas->viewport(), app.middleOf("s2"));
        QTest::keyClick(app.canvas, Qt::Key_Escape);
        QTest::mouseRelease(app.canvas->viewport(), Qt::LeftButton, {}, app.middleOf("s2"));
        QVERIFY(*app.document.project() == before);
        // An end of a link that is not chosen is not taken hold of.
        app.choose({});
        app.drag(end, app.middleOf("s2"));
        QCOMPARE(app.cluster().links, before.cluster.links);
    }

    // Wherever a link can be clicked: its squares are drawn, and lead it elsewhere.
    void endsAreTakenHoldOfAtAnyScale() {
        for (const double zoom : {1.5, 0.6, 0.44, 0.3, 0.21, 0.1}) {
            ShownLinks app;
            app.canvas->setZoom(zoom);
            app.canvas->centerOn(app.canvas->topology().content().center());
            app.choose({"n1-s1"});
            const QPoint end = app.grip("n1-s1", LinkItem::End::B);
            const QImage shown = app.canvas->viewport()->grab().toImage();
            int lit = 0; // of the line alone some 2 by 8
            for (int x = -8; x <= 8; ++x)
                for (int y = -8; y <= 8; ++y)
                    lit += shown.pixelColor(end + QPoint(x, y)) == theme().accent;
            app.choose({});
            const QImage plain = app.canvas->viewport()->grab().toImage();
            int before = 0;
            for (int x = -8; x <= 8; ++x)
                for (int y = -8; y <= 8; ++y)
                    before += plain.pixelColor(end + QPoint(x, y)) == theme().accent;
            QVERIFY2(lit >= before + 18, qPrintable(QStringLiteral("%1 at %2").arg(lit).arg(zoom)));
            app.choose({"n1-s1"});
            app.drag(end, app.middleOf("s2"));
            QVERIFY2(app.linked("n1", "s2") && !app.linked("n1", "s1"), qPrintable(QString::number(zoom)));
        }
    }

    // Beside its square an end is not taken hold of: the box that is under the pointer there is moved.
    void aSmallBoxIsMovedBesideTheEndsAtIt() {
        for (const double zoom : {0.44, 0.3, 0.21}) {
            ShownLinks app;
            app.canvas->setZoom(zoom);
            app.canvas->centerOn(app.canvas->topology().content().center());
            app.choose({"n1-s1"});
            const std::vector<Link> links = app.cluster().links;
            const QRectF node = app.canvas->topology().boxOf(QStringLiteral("n1"));
            const QPointF end = app.way("n1-s1").front();
            QLineF inwards(end, QPointF(node.center().x(), end.y()));
            inwards.setLength(5.0 / zoom);
            const QPoint beside = app.at(inwards.p2());
            QCOMPARE(app.canvas->topology().boxAt(app.canvas->mapToScene(beside)), QStringLiteral("n1"));
            app.drag(beside, beside - QPoint(60, 60)); // onto free ground
            QCOMPARE(app.cluster().links, links);
            const QPointF by = app.canvas->topology().boxOf(QStringLiteral("n1")).topLeft() - node.topLeft();
            QVERIFY2(by.x() < 0.0 && by.y() < 0.0, qPrintable(QString::number(zoom)));
        }
    }

    // The ends of two links at a switch are nearer to each other than a square is wide: on the line of the
    // other one it is the other one that is meant.
    void theNearerLinkIsMeant() {
        int meant = 0;
        for (const double zoom : {0.4, 0.3, 0.21}) {
            ShownLinks app;
            app.document.apply(addLink(*app.document.project(), "n3", "s1"), QStringLiteral("l3"));
            app.canvas->setZoom(zoom);
            app.canvas->centerOn(app.canvas->topology().content().center());
            app.choose({"n2-s1"});
            const std::vector<Link> links = app.cluster().links;
            const QPolygonF& way = app.way("n3-s1");
            const QLineF other(way.back(), way[way.size() - 2]);
            const QPoint on = app.at(other.pointAt(std::min(0.9, 4.0 / zoom / other.length())));
            const QPointF scene = app.canvas->mapToScene(on);
            if (app.canvas->topology().itemAt(scene, 6.0 / zoom) != QLatin1String("n3-s1"))
                continue; // a label lies there
            meant +=
                QLineF(app.way("n2-s1").back(), scene).length() * zoom < 7.0; // so near to the other's end
            app.drag(on, app.middleOf("s2"));
            QCOMPARE(app.cluster().links, links);
            app.choose({"n2-s1"});
            QTest::mouseClick(app.canvas->viewport(), Qt::LeftButton, {}, on);
            QCOMPARE(app.selection.items(), QSet<QString>{QStringLiteral("n3-s1")});
            // In the middle of the square it is the chosen one.
            app.choose({"n2-s1"});
            app.drag(app.grip("n2-s1", LinkItem::End::B), app.middleOf("s2"));
            QVERIFY2(app.linked("n2", "s2") && !app.linked("n2", "s1"), qPrintable(QString::number(zoom)));
        }
        QVERIFY(meant > 0);
    }

    // It covers a part of its edge: a click that drags nothing chooses what lies below.
    void aClickOnAnEndMeansTheBoxBelow() {
        ShownLinks app;
        app.canvas->setZoom(0.6);
        app.choose({"n1-s1"});
        const QRectF node = app.canvas->topology().boxOf(QStringLiteral("n1"));
        QLineF inwards(app.way("n1-s1").front(), node.center());
        inwards.setLength(2.0 / app.canvas->zoom());
        const std::vector<Link> links = app.cluster().links;
        QTest::mouseClick(app.canvas->viewport(), Qt::LeftButton, {}, app.at(inwards.p2()));
        QCOMPARE(app.selection.items(), QSet<QString>{QStringLiteral("n1")});
        QCOMPARE(app.cluster().links, links);
        // On the link itself it stays chosen.
        app.choose({"n1-s1"});
        inwards.setLength(-2.0 / app.canvas->zoom());
        QTest::mouseClick(app.canvas->viewport(), Qt::LeftButton, {}, app.at(inwards.p2()));
        QCOMPARE(app.selection.items(), QSet<QString>{QStringLiteral("n1-s1")});
    }

    // Where all is chosen every link could be meant: what is grabbed on a box moves the drawing.
    void aChosenBoxIsMovedBesideTheEndsAtIt() {
        ShownLinks app;
        const std::vector<Link> links = app.cluster().links;
        app.canvas->selectAll();
        const QRectF node = app.canvas->topology().boxOf(QStringLiteral("n1"));
        const QRectF hub = app.canvas->topology().boxOf(QStringLiteral("s1"));
        QLineF inwards(app.way("n1-s1").front(), node.center());
        inwards.setLength(2.0 / app.canvas->zoom());
        const QPoint beside = app.at(inwards.p2());
        app.drag(beside, beside + QPoint(80, 80));
        QCOMPARE(app.cluster().links, links);
        const QPointF by = app.canvas->topology().boxOf(QStringLiteral("n1")).topLeft() - node.topLeft();
        QVERIFY(by.x() > 0.0 && by.y() > 0.0);
        QCOMPARE(app.canvas->topology().boxOf(QStringLiteral("s1")).topLeft() - hub.topLeft(), by);
        // With the link alone it is the end that is grabbed there.
        app.document.undoStack()->undo();
        app.choose({"n1-s1"});
        app.drag(beside, app.middleOf("n4"));
        QVERIFY(app.linked("n4", "s1") && !app.linked("n1", "s1"));
    }

    void twoOfTheChosenNodesMeanEachOther() {
        ShownLinks app;
        app.choose({"n2", "n3", "n4"});
        QTest::keyClick(app.canvas, Qt::Key_L);
        app.click("n3");
        app.click("n4");
        QCOMPARE(app.cluster().links.size(), 3u);
        QVERIFY(app.linked("n3", "n4"));
        // The same by one drag.
        app.choose({"n2", "n3", "n4"});
        app.drag(app.middleOf("n2"), app.middleOf("n3"));
        QCOMPARE(app.cluster().links.size(), 4u);
        QVERIFY(app.linked("n2", "n3"));
    }

    void aSwitchGathersAllThatAreChosen() {
        ShownLinks app;
        app.choose({"n3", "n4", "s2"}); // itself chosen or not
        QTest::keyClick(app.canvas, Qt::Key_L);
        app.click("n3");
        app.click("s2");
        QVERIFY(app.linked("n3", "s2") && app.linked("n4", "s2"));
        QCOMPARE(app.cluster().links.size(), 4u);
        app.choose({"n3", "n4"});
        app.click("n4");
        app.click("s1");
        QVERIFY(app.linked("n3", "s1") && app.linked("n4", "s1"));
    }

    void aSecondClickOnTheFirstEndLinksNothing() {
        ShownLinks app;
        app.choose({"n3", "n4"});
        QTest::keyClick(app.canvas, Qt::Key_L);
        app.click("n3");
        app.click("n3");
        QCOMPARE(app.cluster().links.size(), 2u);
    }

    // Several are chosen and the switch that gathers them is clicked first; dragged from, it begins a link of
    // its own. Among chosen items of both sorts a node means the nodes.
    void aSwitchThatIsClickedFirstGathersWhatIsChosen() {
        ShownLinks app;
        app.document.apply(addSwitch(*app.document.project(), "Ethernet", {700, 40}), {});
        app.canvas->fit();
        const int steps = app.undoSteps();
        app.choose({"n1", "n2", "n3"});
        QTest::keyClick(app.canvas, Qt::Key_L);
        app.click("s3");
        QVERIFY(app.linked("n1", "s3") && app.linked("n2", "s3") && app.linked("n3", "s3"));
        QVERIFY(!app.linked("n4", "s3"));
        QCOMPARE(app.undoSteps(), steps + 1);
        app.document.undoStack()->undo();
        app.drag(app.middleOf("s3"), app.middleOf("s1"));
        QVERIFY(app.linked("s3", "s1") && !app.linked("n1", "s3"));
        app.choose({"n1", "n2", "s1", "s2"});
        app.drag(app.middleOf("n1"), app.middleOf("s3"));
        QVERIFY(app.linked("n1", "s3") && app.linked("n2", "s3") && !app.linked("s2", "s3"));
    }

    // By rate, lanes and what they join.
    void linksLikeTheseAreChosenTogether() {
        ShownLinks app;
        app.document.apply(addLink(*app.document.project(), "n3", "s1"), {});
        app.document.apply(addLink(*app.document.project(), "s1", "s2"), {});
        const std::string trunk = app.cluster().links.back().id;
        Link wide = *app.cluster().link("n1-s1");
        wide.lanes = 4;
        app.document.apply(setLinks(*app.document.project(), {wide}), {});
        QAction* alike = app.commands->action("canvas.selectAlike");
        app.choose({"n1"});
        QVERIFY(!alike->isEnabled());
        app.choose({"n2-s1"});
        QVERIFY(alike->isEnabled());
        alike->trigger();
        QSet<QString> expected;
        for (const Link& link : app.cluster().links)
            if (link.id != trunk && link.id != "n1-s1")
                expected.insert(q(link.id));
        QCOMPARE(app.selection.items(), expected);
        QVERIFY(expected.contains(QStringLiteral("n2-s1")) && expected.size() > 1);
        app.choose({trunk.c_str(), "n1-s1"});
        alike->trigger();
        QCOMPARE(app.selection.items(), (QSet<QString>{q(trunk), QStringLiteral("n1-s1")}));
    }

    void theMenuOfSeveralLinksThem() {
        ShownLinks app;
        app.choose({"n3", "n4"});
        const QStringList ofSeveral = app.offered();
        QVERIFY(ofSeveral.contains(QStringLiteral("canvas.linkThese")));
        QVERIFY(!ofSeveral.contains(QStringLiteral("canvas.rename")));
        app.commands->action("canvas.linkThese")->trigger();
        QCOMPARE(app.canvas->tool(), TopologyCanvas::Tool::Link);
        app.click("s2");
        QVERIFY(app.linked("n3", "s2") && app.linked("n4", "s2"));
        app.canvas->setTool(TopologyCanvas::Tool::Select);
        app.choose({"n3"});
        const QStringList ofOne = app.offered();
        QVERIFY(!ofOne.contains(QStringLiteral("canvas.linkThese")));
        QVERIFY(ofOne.contains(QStringLiteral("canvas.rename")));
    }

    // Click, L, click in the time of a double click: the second one begins the link.
    void aQuickSecondClickBeginsTheLink() {
        ShownLinks app;
        QTest::keyClick(app.canvas, Qt::Key_L);
        const QPoint at = app.at(app.canvas->topology().boxOf(QStringLiteral("n3")).center());
        QTest::mouseDClick(app.canvas->viewport(), Qt::LeftButton, {}, at);
        QVERIFY(!app.linked("n3", "s2"));
        app.canvas->setTool(TopologyCanvas::Tool::Select);
        QTest::mouseClick(app.canvas->viewport(), Qt::LeftButton, {}, at);
        QTest::keyClick(app.canvas, Qt::Key_L);
        QMouseEvent second(QEvent::MouseButtonDblClick, at, app.canvas->viewport()->mapToGlobal(at),
                           Qt::LeftButton, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(app.canvas->viewport(), &second);
        app.click("s2");
        QVERIFY(app.linked("n3", "s2"));
    }

    void theToolIsPutDownWithTheProject() {
        ShownLinks app;
        app.choose({"n3"});
        QTest::keyClick(app.canvas, Qt::Key_L);
        app.click("n3");
        app.document.reset();
        QCOMPARE(app.canvas->tool(), TopologyCanvas::Tool::Select);
    }

    void linksTellWhatTheyAre() {
        ShownLinks app;
        const LinkItem* item = app.canvas->topology().linkItem(QStringLiteral("n2-s1"));
        const QPolygonF& way = item->way();
        QLineF longest;
        for (qsizetype i = 1; i < way.size(); ++i)
            if (const QLineF leg(way[i - 1], way[i]); leg.length() > longest.length())
                longest = leg;
        const QPoint at = app.at(longest.center());
        const QString tip = app.canvas->tipAt(at);
        for (const char* said : {"n2", "s1", "100 Gbit/s", "20 us", "%"})
            QVERIFY2(tip.contains(QLatin1String(said)), qPrintable(tip));
        // Shown as it is, in lines: labels are plain text.
        QHelpEvent rests(QEvent::ToolTip, at, app.canvas->viewport()->mapToGlobal(at));
        QApplication::sendEvent(app.canvas->viewport(), &rests);
        QCOMPARE(QToolTip::text(), tip);
        QCOMPARE(tip.count(QLatin1Char('\n')), 3);
        QVERIFY(!tip.contains(QLatin1Char('<')));
        // Where something is wrong with one, that too.
        const Link* link = app.cluster().link("n1-s1");
        QVERIFY(linkTip(*link, {}).contains(QStringLiteral("4 \u00d7 400 Gbit/s")));
        QVERIFY(linkTip(*link, {Severity::Warning, QStringLiteral("too narrow")})
                    .endsWith(QStringLiteral("\ntoo narrow")));
        QVERIFY(app.canvas->tipAt({5, 5}).isEmpty());
    }
};

QTEST_MAIN(CanvasLinksTest)
#include "canvas_links_test.moc"
