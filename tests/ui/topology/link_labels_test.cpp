// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/app_fixture.h"
#include "ui/base/theme.h"
#include "ui/topology/canvas.h"
#include "ui/topology/canvas_edits.h"
#include "ui/topology/geometry.h"
#include "ui/topology/items.h"

#include <QGraphicsView>
#include <QTest>

using namespace pw;

namespace {

QRectF areaOf(const LabelWish& wish, const LabelPlace& place, double scale) {
    const QSizeF label = place.brief ? wish.brief : wish.label;
    const QSizeF size =
        QSizeF(label.width() + wish.mark.width(), std::max(label.height(), wish.mark.height())) / scale;
    return {place.at - QPointF(size.width() / 2.0, size.height() / 2.0), size};
}

} // namespace

class LinkLabelsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void labelsCoverNothing();
    void whatDoesNotFitIsLeftOut();
    void labelsMoveAlongTheirWays();
    void marksComeFirst();
    void aLabelGivesWayToOneWithoutOtherRoom();
    void choosingMovesNoLabel();
    void shorterLabelsStandWhereLongerDoNot();
    void labelsKeepAwayFromOtherWays();
    void labelsOfTemplatesBelongToTheirLinks();
    void everyTemplateHasLabels();
    void labelsAndEndsArePainted();
    void kindsAreReadWhenSmall();
    void linesCrossNoNames();
    void stageNumbersAreNotCut();
};

// Of 24 nodes and their switch, at every scale.
void LinkLabelsTest::labelsCoverNothing() {
    std::vector<QRectF> boxes;
    std::vector<LinkEnds> links;
    for (std::size_t i = 0; i < 24; ++i) {
        const std::size_t column = i % 6, row = i / 6;
        boxes.emplace_back(QPointF(288.0 * double(column), 240.0 * double(row)), nodeSize(8));
        links.push_back({i, 24});
    }
    boxes.emplace_back(QPointF(700, 1100), kSwitchSize);
    const std::vector<QPolygonF> ways = routeLinks(boxes, links);
    std::vector<LabelWish> wishes;
    for (std::size_t i = 0; i < ways.size(); ++i)
        wishes.push_back({ways[i], {64, 18}, i % 3 ? QSizeF(0, 0) : QSizeF(18, 18), false});
    int shown = 0;
    for (const double scale : {0.02, 0.1, 0.3, 0.4, 0.5, 0.6, 0.8, 1.0}) {
        const std::vector<LabelPlace> places = placeLabels(wishes, boxes, scale);
        std::vector<QRectF> taken = boxes;
        for (std::size_t i = 0; i < places.size(); ++i) {
            if (!places[i].label)
                continue;
            ++shown;
            const QRectF area = areaOf(wishes[i], places[i], scale);
            for (const QRectF& other : taken)
                QVERIFY2(!other.intersects(area), qPrintable(QStringLiteral("%1 at %2").arg(i).arg(scale)));
            for (std::size_t k = 0; k < ways.size(); ++k)
                for (qsizetype leg = 0; k != i && leg + 1 < ways[k].size(); ++leg)
                    QVERIFY(!QRectF(ways[k][leg], ways[k][leg + 1])
                                 .normalized()
                                 .adjusted(0, 0, 1, 1)
                                 .intersects(area));
            taken.push_back(area);
        }
    }
    QVERIFY(shown > 24);
}

void LinkLabelsTest::whatDoesNotFitIsLeftOut() {
    const std::vector<QRectF> boxes = {{0, 0, 256, 140}, {356, 44, 112, 52}};
    const std::vector<LabelWish> wishes = {
        {QPolygonF(QList<QPointF>{{256, 70}, {356, 70}}), {64, 18}, {18, 18}, false}};
    const LabelPlace whole = placeLabels(wishes, boxes, 1.0).front();
    QVERIFY(whole.label);
    QCOMPARE(whole.at, QPointF(306, 70));
    QVERIFY(!placeLabels(wishes, boxes, 0.5).front().label); // though its mark alone would have room
    QVERIFY(!placeLabels(wishes, boxes, 0.1).front().label);
    QVERIFY(placeLabels(wishes, boxes, 1.0).front() == whole); // it comes back
    // Of two that want one place, the one that is chosen has it.
    std::vector<LabelWish> both(2, {QPolygonF(QList<QPointF>{{256, 70}, {356, 70}}), {64, 18}, {}, false});
    both[1].first = true;
    both[1].way.translate(0, 20);
    const std::vector<LabelPlace> places = placeLabels(both, boxes, 1.0);
    QVERIFY(places[1].label);
    QVERIFY(!placeLabels({both[0], both[0]}, boxes, 1.0)[1].label);
}

// Where the middle and the quarters of the way are covered.
void LinkLabelsTest::labelsMoveAlongTheirWays() {
    const LabelWish wish{QPolygonF(QList<QPointF>{{0, 0}, {800, 0}}), {60, 18}, {}};
    std::vector<QRectF> boxes = {{160, -50, 280, 100}, {560, -50, 80, 100}};
    const LabelPlace moved = placeLabels({wish}, boxes, 1.0).front();
    QVERIFY(moved.label);
    QCOMPARE(moved.at, QPointF(100, 0));
    boxes.emplace_back(60, -50, 80, 100);
    const LabelPlace further = placeLabels({wish}, boxes, 1.0).front();
    QVERIFY(further.label);
    QCOMPARE(further.at, QPointF(500, 0));
    boxes.emplace_back(-100, -50, 1000, 100);
    QVERIFY(!placeLabels({wish}, boxes, 1.0).front().label);
}

// Of two that want one place that with a warning has it, and rather than be left out it lies across a way.
void LinkLabelsTest::marksComeFirst() {
    const std::vector<QRectF> boxes = {{-20, -50, 20, 100}, {100, -50, 20, 100}};
    LabelWish plain{QPolygonF(QList<QPointF>{{0, 0}, {100, 0}}), {60, 18}, {}, false, {30, 15}};
    LabelWish warned = plain;
    warned.mark = {18, 18};
    const std::vector<QRectF> corridor = {
        boxes[0], boxes[1], {0, -30, 100, 20}, {0, 10, 100, 20}}; // one label high
    QVERIFY(placeLabels({plain}, corridor, 1.0)[0].label);
    std::vector<LabelPlace> places = placeLabels({plain, warned}, corridor, 1.0);
    QVERIFY(places[1].label); // though they lie on one line
    QVERIFY(!places[0].label);
    // Where a way that is not its own leaves no room.
    const std::vector<QRectF> narrow = {boxes[0], boxes[1], {0, -40, 100, 28}, {0, 12, 100, 28}};
    LabelWish other = plain;
    other.way.translate(0, 6);
    QVERIFY(!placeLabels({plain, other}, narrow, 1.0)[0].label);
    QVERIFY(placeLabels({warned, other}, narrow, 1.0)[0].label);
    // So does that of the link that is chosen, which is lit.
    LabelWish chosen = plain;
    chosen.first = true;
    const LabelPlace lit = placeLabels({chosen, other}, narrow, 1.0)[0];
    QVERIFY(lit.label && lit.brief);
}

// The first of two stands where the second alone could: it goes along its way, and both are read.
void LinkLabelsTest::aLabelGivesWayToOneWithoutOtherRoom() {
    const std::vector<QRectF> boxes = {{-20, -50, 20, 100}, {400, -50, 20, 100}};
    // 16 px apart: a label lies on no other way, and two above each other overlap.
    LabelWish aside{QPolygonF(QList<QPointF>{{0, -4}, {400, -4}}), {60, 18}, {}, false};
    const LabelWish near{QPolygonF(QList<QPointF>{{160, 12}, {240, 12}}), {60, 18}, {}, false};
    QCOMPARE(placeLabels({aside}, boxes, 1.0)[0].at, QPointF(200, -4));
    const std::vector<LabelPlace> places = placeLabels({aside, near}, boxes, 1.0);
    QVERIFY(places[0].label && places[1].label);
    QCOMPARE(places[1].at.x(), 200.0);
    QVERIFY(!areaOf(aside, places[0], 1.0).intersects(areaOf(near, places[1], 1.0)));
    // A label with a warning gives way to none.
    aside.mark = {18, 18};
    const std::vector<LabelPlace> warned = placeLabels({aside, near}, boxes, 1.0);
    QCOMPARE(warned[0].at, QPointF(200, -4));
    QVERIFY(!warned[1].label);
}

// A click on a label chooses its link: no label may jump from under the pointer for that.
void LinkLabelsTest::choosingMovesNoLabel() {
    AppFixture app;
    app.document.adopt(*clusterTemplates().at(3).make(Project(), "A100-SXM4-80GB", {0, 0}), {});
    TopologyCanvas canvas(app.context, &app.window);
    canvas.resize(900, 600);
    const auto places = [&] {
        std::vector<LabelPlace> all;
        for (const Link& link : app.cluster().links)
            all.push_back(canvas.topology().linkItem(QString::fromStdString(link.id))->labelPlace());
        return all;
    };
    int compared = 0;
    for (const double zoom : {0.25, 0.37, 0.43, 0.5, 1.0}) {
        app.selection.setItems({});
        canvas.setZoom(zoom);
        const std::vector<LabelPlace> before = places();
        for (std::size_t i = 0; i < before.size(); ++i) {
            app.selection.setItems({QString::fromStdString(app.cluster().links[i].id)});
            QVERIFY(places()[i].label); // what is chosen has its label
            if (before[i].label) {
                QVERIFY(places() == before);
                ++compared;
            }
        }
    }
    QVERIFY(compared > 10);
}

void LinkLabelsTest::shorterLabelsStandWhereLongerDoNot() {
    // From one box to another above it, between two walls.
    const std::vector<QRectF> boxes = {
        {100, 0, 100, 40}, {100, 300, 100, 40}, {0, 0, 60, 340}, {240, 0, 60, 340}};
    LabelWish wish{QPolygonF(QList<QPointF>{{150, 40}, {150, 300}}), {90, 18}, {}, false, {40, 15}};
    const auto placed = [&](const std::vector<LabelWish>& wishes, double scale) {
        return placeLabels(wishes, boxes, scale);
    };
    LabelPlace place = placed({wish}, 0.6).front();
    QVERIFY(place.label && !place.brief); // 150 of 180
    place = placed({wish}, 0.4).front();
    QVERIFY(place.label && place.brief); // 225 of 180; the shorter one takes 100
    QCOMPARE(place.at, QPointF(150, 170));
    place = placed({wish}, 0.1).front();
    QVERIFY(!place.label && !place.brief);
    wish.brief = {};
    QVERIFY(!placed({wish}, 0.4).front().label);
    // It may stand beside its way, and across no other one, whatever that says.
    wish.brief = {40, 15};
    LabelWish other = wish;
    other.way = QPolygonF(QList<QPointF>{{160, 40}, {160, 300}});
    std::vector<LabelPlace> places = placed({wish, other}, 0.4);
    QVERIFY(!places[0].label && !places[1].label); // 105 and what keeps them apart, of 90 and of 80
    places = placed({wish, other}, 0.6);
    const QRectF area = areaOf(wish, places[0], 0.6);
    QVERIFY(places[0].brief);
    QVERIFY(area.right() < 160 && area.left() > 60); // left of its own way
}

// Where there is a choice, no other way runs right beside a label.
void LinkLabelsTest::labelsKeepAwayFromOtherWays() {
    const LabelWish wish{QPolygonF(QList<QPointF>{{0, 0}, {800, 0}}), {60, 18}, {}};
    LabelWish other = wish;
    other.way =
        QPolygonF(QList<QPointF>{{300, -13}, {500, -13}}); // beside the middle, and covered by no label
    const std::vector<LabelPlace> places = placeLabels({wish, other}, {{-50, -50, 900, 10}}, 1.0);
    QVERIFY(places[0].label);
    QVERIFY2(places[0].at.x() < 270 || places[0].at.x() > 530, qPrintable(QString::number(places[0].at.x())));
    other.way = QPolygonF(QList<QPointF>{{-100, -13}, {900, -13}}); // all along
    QCOMPARE(placeLabels({wish, other}, {{-50, -50, 900, 10}}, 1.0)[0].at, QPointF(400, 0));
}

// Of a drawing at any scale: a label lies over no way but its own.
void LinkLabelsTest::labelsOfTemplatesBelongToTheirLinks() {
    for (const ClusterTemplate& row : clusterTemplates()) {
        if (!row.make || row.gpus <= 8)
            continue;
        AppFixture app;
        app.document.adopt(*row.make(Project(), "A100-SXM4-80GB", {0, 0}), {});
        TopologyCanvas canvas(app.context, &app.window);
        canvas.resize(900, 600);
        const auto item = [&](const Link& link) {
            return canvas.topology().linkItem(QString::fromStdString(link.id));
        };
        for (const double zoom : {0.25, 0.31, 0.4, 0.56, 0.8, 1.0}) {
            canvas.setZoom(zoom);
            for (const Link& link : app.cluster().links) {
                if (item(link)->look().mark.severity) // it may lie anywhere
                    continue;
                const QRectF label = item(link)->labelArea();
                for (const Link& other : app.cluster().links) {
                    const QPolygonF& way = item(other)->way();
                    for (qsizetype leg = 0; &other != &link && leg + 1 < way.size(); ++leg)
                        QVERIFY2(std::ranges::none_of(legBoxes({way[leg], way[leg + 1]}),
                                                      [&](const QRectF& part) {
                                                          return part.adjusted(0, 0, 1, 1).intersects(label);
                                                      }),
                                 qPrintable(QStringLiteral("%1 of %2 at %3")
                                                .arg(QString::fromStdString(link.id), QLatin1String(row.key))
                                                .arg(zoom)));
                }
            }
        }
    }
}

void LinkLabelsTest::everyTemplateHasLabels() {
    for (const ClusterTemplate& row : clusterTemplates()) {
        if (!row.make || row.gpus <= 8)
            continue;
        AppFixture app;
        app.document.adopt(*row.make(Project(), "A100-SXM4-80GB", {0, 0}), {});
        TopologyCanvas canvas(app.context, &app.window);
        canvas.resize(900, 600);
        for (const double zoom : {0.5, 1.0}) {
            canvas.setZoom(zoom);
            int shown = 0;
            for (const Link& link : app.cluster().links) {
                const LinkItem* item = canvas.topology().linkItem(QString::fromStdString(link.id));
                shown += item->labelPlace().label;
                QVERIFY2(!item->look().brief.contains(QLatin1Char(' ')), qPrintable(item->look().brief));
                QVERIFY(item->look().brief.endsWith(QLatin1Char('G')));
            }
            QVERIFY2(shown >= 1,
                     qPrintable(QStringLiteral("%1 at %2").arg(QLatin1String(row.key)).arg(zoom)));
        }
    }
}

// The picture of a node shows of which kind its GPUs are, whatever else is said.
void LinkLabelsTest::kindsAreReadWhenSmall() {
    const auto shown = [](const char* kind, const char* name, double zoom) {
        AppFixture app;
        Project project = *addNodes(Project(), kind, 8, 1, {0, 0});
        project = *renameItem(project, "n1", name);
        app.document.adopt(project, {});
        TopologyCanvas canvas(app.context, &app.window);
        canvas.resize(400, 300);
        app.window.show();
        canvas.setZoom(zoom);
        canvas.centerOn(128, 70);
        return canvas.viewport()->grab().toImage();
    };
    for (const double zoom : {0.7, 0.5, 0.37, 0.25, 0.21, 0.19, 0.14})
        for (const char* name : {"n1", "compute-node-0001"})
            QVERIFY2(shown("A100-SXM4-80GB", name, zoom) != shown("V100-SXM2-16GB", name, zoom),
                     qPrintable(QString::number(zoom)));
    // Too small for letters.
    QCOMPARE(shown("A100-SXM4-80GB", "n1", 0.05), shown("V100-SXM2-16GB", "n1", 0.05));
}

// The line of a link ends at the edge of its box, into which a name reaches when the drawing is small.
void LinkLabelsTest::linesCrossNoNames() {
    AppFixture app;
    Project project = *addNodes(Project(), "A100-SXM4-80GB", 8, 1, {0, 0});
    project = *renameItem(project, "n1", "compute-node-0001");
    project = *addSwitch(project, "Ethernet", {72, -800});
    project = *addLink(project, "compute-node-0001", "s1");
    app.document.adopt(project, {});
    TopologyCanvas canvas(app.context, &app.window);
    canvas.resize(400, 300);
    app.window.show();
    canvas.setZoom(0.21);
    canvas.centerOn(128, 0);
    const auto shown = [&](bool chosen) { // the line in another colour
        app.selection.setItems(chosen ? QSet<QString>{QString::fromStdString(app.cluster().links.front().id)}
                                      : QSet<QString>());
        return canvas.viewport()->grab().toImage();
    };
    const QImage plain = shown(false), lit = shown(true);
    const LinkItem* link = canvas.topology().linkItem(QString::fromStdString(app.cluster().links.front().id));
    const QPoint end = canvas.mapFromScene(link->way().front());
    const auto differs = [&](int down) {
        for (int across = -4; across <= 4; ++across)
            if (plain.pixelColor(end + QPoint(across, down)) != lit.pixelColor(end + QPoint(across, down)))
                return true;
        return false;
    };
    QVERIFY(differs(-8));                 // above the name
    for (int down = 1; down <= 8; ++down) // within the box, where the name stands
        QVERIFY2(!differs(down), qPrintable(QString::number(down)));
}

// The title of a small node is higher than its place and takes a part of the first row of GPUs: the numbers
// there stand in the rest of it, as whole as those of the second row.
void LinkLabelsTest::stageNumbersAreNotCut() {
    NodeLook look;
    look.id = QStringLiteral("n1");
    look.planned = true;
    for (int gpu = 0; gpu < 8; ++gpu) {
        look.tiles.emplace_back();
        look.tiles.back().stage = 4;
    }
    for (const double zoom : {0.31, 0.32, 0.36, 0.4, 0.45, 0.49}) {
        QGraphicsScene scene;
        auto* item = new NodeItem(QStringLiteral("n1"));
        scene.addItem(item);
        item->setLook(look);
        QGraphicsView view(&scene);
        view.setTransform(QTransform::fromScale(zoom, zoom));
        view.resize(300, 200);
        const QImage shown = view.grab().toImage();
        const auto ink = [&](int slot) { // how far the pixels of a tile are from its colour
            const QRectF tile = tileRect(slot);
            const double top = std::max(tile.top() * zoom, 14.0) / zoom; // below the title
            const QRect seen = view.mapFromScene(QRectF(QPointF(tile.left(), top), tile.bottomRight()))
                                   .boundingRect()
                                   .adjusted(2, 1, -2, -1);
            const QRgb ground = theme().stage(4).rgb();
            int sum = 0;
            for (int x = seen.left(); x <= seen.right(); ++x)
                for (int y = seen.top(); y <= seen.bottom(); ++y)
                    sum += std::abs(qGreen(shown.pixel(x, y)) - qGreen(ground));
            return sum;
        };
        QVERIFY2(ink(0) > 0.93 * ink(4) && ink(4) > 500,
                 qPrintable(QStringLiteral("%1 of %2 at %3").arg(ink(0)).arg(ink(4)).arg(zoom)));
    }
}

void LinkLabelsTest::labelsAndEndsArePainted() {
    AppFixture app;
    app.document.apply(addNodes(*app.document.project(), "A100-SXM4-40GB", 8, 1, {0, 0}),
                       QStringLiteral("n1"));
    app.document.apply(addSwitch(*app.document.project(), "Ethernet", {480, 48}), QStringLiteral("s1"));
    app.document.apply(addLink(*app.document.project(), "n1", "s1"), QStringLiteral("l1"));
    TopologyCanvas canvas(app.context, &app.window);
    canvas.resize(900, 600);
    app.window.show();
    const LinkItem* link = canvas.topology().linkItem(QString::fromStdString(app.cluster().links.front().id));
    for (const double zoom : {0.6, 1.0}) {
        canvas.setZoom(zoom);
        QVERIFY(link->labelPlace().label);
        const QImage shown = canvas.viewport()->grab().toImage();
        const auto colourAt = [&](QPointF scene, QPoint by) {
            return shown.pixelColor(canvas.mapFromScene(scene) + by);
        };
        const LabelWish wish = link->labelWish();
        const int left = static_cast<int>((wish.label.width() + wish.mark.width()) / 2.0 - wish.mark.width());
        QCOMPARE(colourAt(link->labelPlace().at, QPoint(3 - left, -5)), theme().panel);
        QCOMPARE(colourAt(link->way().front(), QPoint(0, 0)), theme().node);
    }
}

QTEST_MAIN(LinkLabelsTest)
#include "link_labels_test.moc"
