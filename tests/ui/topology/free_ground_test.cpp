// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later

// Whatever is added to a drawing, and however, lands on nothing that stands there.

#include "tests/ui/app_fixture.h"
#include "ui/imports/import_offer.h"
#include "ui/topology/canvas.h"
#include "ui/topology/canvas_edits.h"
#include "ui/topology/drag_payload.h"
#include "ui/topology/free_ground.h"
#include "ui/topology/geometry.h"

#include <QTest>

using namespace pw;

namespace {

QString overlapOf(const Cluster& cluster) {
    std::vector<std::pair<std::string, QRectF>> boxes;
    for (const Node& n : cluster.nodes)
        boxes.emplace_back(n.id, QRectF(QPointF(n.at.x, n.at.y), nodeSize(n.gpus)));
    for (const Switch& item : cluster.switches)
        boxes.emplace_back(item.id, QRectF(QPointF(item.at.x, item.at.y), kSwitchSize));
    for (std::size_t i = 0; i < boxes.size(); ++i)
        for (std::size_t k = 0; k < i; ++k)
            if (boxes[i].second.intersects(boxes[k].second))
                return QString::fromStdString(boxes[i].first + " and " + boxes[k].first);
    return {};
}

struct DrawnGround : AppFixture {
    TopologyCanvas canvas{context, &window};
    DrawnGround() {
        drawSample();
        canvas.resize(1000, 700);
        window.show();
    }
    int steps() { return document.undoStack()->index(); }
};

} // namespace

class FreeGroundTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void copiesStandBesideWhatTheyAreOf() {
        DrawnGround app;
        app.selection.setItems({QStringLiteral("n1"), QStringLiteral("s1")});
        for (int i = 0; i < 3; ++i)
            app.canvas.duplicateItems();
        QVERIFY(copyChosen(app.context));
        for (int i = 0; i < 3; ++i)
            app.canvas.pasteItems();
        QCOMPARE(app.cluster().nodes.size(), std::size_t{9});
        QCOMPARE(overlapOf(app.cluster()), QString());
        // Together, as they stand to each other.
        const QPointF apart(app.cluster().switches[0].at.x - app.cluster().nodes[0].at.x,
                            app.cluster().switches[0].at.y - app.cluster().nodes[0].at.y);
        for (std::size_t i = 1; i < app.cluster().switches.size(); ++i) {
            const Point node = app.cluster().nodes[2 + i].at, fabric = app.cluster().switches[i].at;
            QCOMPARE(QPointF(fabric.x - node.x, fabric.y - node.y), apart);
        }
    }

    void whatWasCutComesBackToItsPlace() {
        DrawnGround app;
        const Point home = app.cluster().node("n2")->at;
        app.selection.setItems({QStringLiteral("n2")});
        QVERIFY(cutChosen(app.context));
        app.canvas.pasteItems();
        QCOMPARE(app.cluster().node("n2")->at, home);
    }

    void everythingFromThePaletteHasRoom() {
        const QPointF places[] = {{60, 40}, {350, 70}, {-100, -100}, {600, 300}};
        for (const ClusterTemplate& row : clusterTemplates()) {
            if (!row.make)
                continue;
            DrawnGround app;
            const int before = app.steps();
            for (const QPointF at : places)
                app.canvas.place(DragPayload{QStringLiteral("template"), QLatin1String(row.key), {}}, at,
                                 false);
            QCOMPARE(app.steps(), before + 4);
            QVERIFY2(overlapOf(app.cluster()).isEmpty(), qPrintable(overlapOf(app.cluster())));
        }
        DrawnGround app;
        for (const QPointF at : places) {
            app.canvas.place(DragPayload{QStringLiteral("switch"), QStringLiteral("Ethernet"), {}}, at,
                             false);
            app.canvas.placeFree(DragPayload{QStringLiteral("kind"), QStringLiteral("V100-SXM2-16GB"), {}});
            app.canvas.placeFree(DragPayload{QStringLiteral("template"), QStringLiteral("racks"), {}});
        }
        QCOMPARE(app.cluster().switches.size(), std::size_t{1 + 4 + 4 * 6});
        QVERIFY2(overlapOf(app.cluster()).isEmpty(), qPrintable(overlapOf(app.cluster())));
    }

    // Also where they would only touch it.
    void whatIsPastedKeepsAGap() {
        DrawnGround app;
        app.selection.setItems({QStringLiteral("n1")});
        QVERIFY(copyChosen(app.context));
        const QRectF n1 = app.canvas.topology().boxOf(QStringLiteral("n1"));
        QVERIFY(paste(app.context, n1.center() - QPointF(0, n1.height() + 2.0)));
        const QString copy = *app.selection.items().begin();
        const QRectF wide = app.canvas.topology().boxOf(copy).adjusted(-kGrid, -kGrid, kGrid, kGrid);
        for (const QString& id : app.canvas.topology().boxes())
            if (id != copy)
                QVERIFY2(!wide.intersects(app.canvas.topology().boxOf(id)), qPrintable(id));
    }

    void whatHasRoomStaysWhereItWasPut() {
        DrawnGround app;
        const Project& project = *app.document.project();
        const Result<Project> far = addSwitch(project, "Ethernet", {3001, 3007});
        QCOMPARE(onFreeGround(project, far)->cluster.switches.back().at, (Point{3001, 3007}));
        const Result<Project> moved = moveItems(project, {"n1"}, 480, 0); // onto n2, by hand
        QCOMPARE(*onFreeGround(project, moved), *moved);
        const Result<Project> refused = addSwitch(project, "", {});
        QCOMPARE(onFreeGround(project, refused).error().code, refused.error().code);
    }

    void filesWithoutPlacesAreTidied() {
        Project project =
            *addSwitch(*addNodes(Project(), "A100-SXM4-40GB", 8, 5, {0, 0}), "Ethernet", {0, 900});
        for (const char* node : {"n1", "n2", "n3", "n4", "n5"})
            project = *addLink(project, node, "s1");
        QCOMPARE(spreadOut(project)->cluster, project.cluster); // they stand apart
        for (Node& node : project.cluster.nodes)
            node.at = {};
        ImportReading reading;
        reading.content = project.cluster;
        const ImportOffer offer = offerOf(Project(), reading, {});
        QVERIFY(!overlapOf(project.cluster).isEmpty());
        QCOMPARE(overlapOf(offer.edited->cluster), QString());
        QCOMPARE(offer.edited->cluster.nodes.size(), std::size_t{5});
    }
};

QTEST_MAIN(FreeGroundTest)
#include "free_ground_test.moc"
