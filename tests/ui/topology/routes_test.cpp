// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/file.h"
#include "core/project/project.h"
#include "ui/topology/box_index.h"
#include "ui/topology/geometry.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <set>

using namespace pw;

namespace {

int below(std::mt19937& random, int limit) {
    return static_cast<int>(random() % static_cast<unsigned>(limit));
}

struct DrawnRoutes {
    std::vector<QRectF> boxes;
    std::vector<LinkEnds> links;
    bool isFree(const QRectF& box) const { // kGrid apart from all others
        const QRectF wide = box.adjusted(-kGrid, -kGrid, kGrid, kGrid);
        return std::ranges::none_of(boxes, [&](const QRectF& other) { return other.intersects(wide); });
    }
    void grid(int columns, int rows, int gpus) {
        const QSizeF size = nodeSize(gpus);
        for (int row = 0; row < rows; ++row)
            for (int column = 0; column < columns; ++column)
                boxes.emplace_back(QPointF(288.0 * column, 192.0 * row), size);
    }
};

bool crosses(QPointF from, QPointF to, const QRectF& box) {
    const QRectF leg = QRectF(from, to).normalized(), inside = box.adjusted(0.5, 0.5, -0.5, -0.5);
    return leg.right() > inside.left() && leg.left() < inside.right() && leg.bottom() > inside.top() &&
           leg.top() < inside.bottom();
}

// As the canvas gives them to the router: nodes, then switches.
DrawnRoutes drawnOf(const Cluster& cluster) {
    DrawnRoutes drawn;
    std::map<std::string, std::size_t> index;
    const auto add = [&](const std::string& id, QPointF at, QSizeF size) {
        index[id] = drawn.boxes.size();
        drawn.boxes.emplace_back(at, size);
    };
    for (const Node& node : cluster.nodes)
        add(node.id, {node.at.x, node.at.y}, nodeSize(node.gpus));
    for (const Switch& item : cluster.switches)
        add(item.id, {item.at.x, item.at.y}, kSwitchSize);
    for (const Link& link : cluster.links)
        drawn.links.push_back({index.at(link.a), index.at(link.b)});
    return drawn;
}

// Of the longest piece that lies on the other way, or less than 4 px beside it.
double sharedLength(const QPolygonF& a, const QPolygonF& b) {
    double most = 0.0;
    for (qsizetype i = 0; i + 1 < a.size(); ++i)
        for (qsizetype j = 0; j + 1 < b.size(); ++j) {
            const QRectF one = QRectF(a[i], a[i + 1]).normalized(),
                         other = QRectF(b[j], b[j + 1]).normalized();
            const double x = std::min(one.right(), other.right()) - std::max(one.left(), other.left());
            const double y = std::min(one.bottom(), other.bottom()) - std::max(one.top(), other.top());
            if (one.width() == 0.0 && other.width() == 0.0 && x > -4.0)
                most = std::max(most, y);
            if (one.height() == 0.0 && other.height() == 0.0 && y > -4.0)
                most = std::max(most, x);
        }
    return most;
}

// The first two that lie on each other for more than a corner's width; empty where none do.
QString sharedBy(const std::vector<QPolygonF>& ways) {
    for (std::size_t a = 0; a < ways.size(); ++a)
        for (std::size_t b = a + 1; b < ways.size(); ++b)
            if (const double shared = sharedLength(ways[a], ways[b]); shared > 4.0)
                return QStringLiteral("links %1 and %2 share %3 px").arg(a).arg(b).arg(shared);
    return {};
}

// What is wrong with the ways, or nothing: legs that are neither level nor upright, that cross the box of a
// node, also of their own; ends that lie on no edge.
QString faultOf(const DrawnRoutes& drawn) {
    const std::vector<QPolygonF> ways = routeLinks(drawn.boxes, drawn.links);
    for (std::size_t i = 0; i < ways.size(); ++i) {
        const QPolygonF& way = ways[i];
        for (qsizetype leg = 0; leg + 1 < way.size(); ++leg) {
            if (way[leg].x() != way[leg + 1].x() && way[leg].y() != way[leg + 1].y())
                return QStringLiteral("link %1, leg %2 is slanted").arg(i).arg(leg);
            for (std::size_t box = 0; box < drawn.boxes.size(); ++box)
                if (crosses(way[leg], way[leg + 1], drawn.boxes[box]))
                    return QStringLiteral("link %1, leg %2 crosses box %3").arg(i).arg(leg).arg(box);
        }
        for (const auto& [end, box] :
             {std::pair{way.front(), drawn.links[i].a}, {way.back(), drawn.links[i].b}})
            if (!drawn.boxes[box].adjusted(-1, -1, 1, 1).contains(end))
                return QStringLiteral("link %1 ends off its box").arg(i);
    }
    return {};
}

} // namespace

class RoutesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // A click means the nearest of lanes that lie close to each other.
    void distancesAreToTheNearestLeg() {
        const QPolygonF way({QPointF(0, 0), QPointF(10, 0), QPointF(10, 20)});
        QCOMPARE(distanceTo(way, QPointF(4, 3)), 3.0);
        QCOMPARE(distanceTo(way, QPointF(13, 24)), 5.0);
        QCOMPARE(distanceTo(way, QPointF(10, 7)), 0.0);
        QVERIFY(std::isinf(distanceTo({}, QPointF())));
    }

    void waysGoAroundOtherNodes_data();
    void waysGoAroundOtherNodes();
    void waysGoAroundInRandomDrawings();
    void aFreeWayStaysDirect();
    void endsThatStandCloseHaveLittleRoom();
    void waysOfTheRacksLieOnNoOther();
    void waysOfCloseSpinesLieOnNoOther_data();
    void waysOfCloseSpinesLieOnNoOther();
    void leavesAndSpinesAreJoinedByStraightLines();
    void aNeighbourSendsAWayUpwards();
    void waysGoAsideInAGap();
    void theWaysOfALargeSwitchStayTogether();
    void closeAndOverlappingBoxesAreJoinedAllTheSame();
    void theIndexFindsWhatIsThere();
};

void RoutesTest::waysGoAroundOtherNodes_data() {
    QTest::addColumn<QRectF>("hub");
    QTest::addColumn<int>("gpus");
    const QSizeF size = kSwitchSize;
    for (const int gpus : {4, 8}) {
        const auto add = [&](const char* where, QPointF at) {
            QTest::addRow("%s, %d GPUs", where, gpus) << QRectF(at, size) << gpus;
        };
        add("above", {600, -160});
        add("below", {64, 1300});
        add("left", {-240, 300});
        add("right", {1900, 700});
        add("far away", {4000, -3000});
    }
}

// Six columns of six rows and a switch beside them, and each node with its fourth neighbour.
void RoutesTest::waysGoAroundOtherNodes() {
    QFETCH(QRectF, hub);
    QFETCH(int, gpus);
    DrawnRoutes drawn;
    drawn.grid(6, 6, gpus);
    drawn.boxes.push_back(hub);
    for (std::size_t i = 0; i < 36; ++i)
        drawn.links.push_back({i, 36});
    for (std::size_t i = 0; i + 4 < 36; ++i)
        drawn.links.push_back({i, i + 4});
    QVERIFY2(faultOf(drawn).isEmpty(), qPrintable(faultOf(drawn)));
}

void RoutesTest::waysGoAroundInRandomDrawings() {
    for (unsigned seed = 1; seed <= 60; ++seed) {
        std::mt19937 random(seed);
        DrawnRoutes drawn;
        const int wanted = 4 + below(random, 60), side = 40 + below(random, 160); // in steps of the grid
        for (int i = 0; i < 4 * wanted && std::ssize(drawn.boxes) < wanted; ++i) {
            const QPointF at(kGrid * below(random, side), kGrid * below(random, side));
            const QRectF box(at, below(random, 4) == 0 ? kSwitchSize : nodeSize(4 + 4 * below(random, 3)));
            if (drawn.isFree(box))
                drawn.boxes.push_back(box);
        }
        for (std::size_t i = 0; i < 2 * drawn.boxes.size(); ++i) {
            const LinkEnds ends{random() % drawn.boxes.size(), random() % drawn.boxes.size()};
            if (ends.a != ends.b)
                drawn.links.push_back(ends);
        }
        const QString fault = faultOf(drawn);
        QVERIFY2(fault.isEmpty(), qPrintable(QStringLiteral("seed %1: %2").arg(seed).arg(fault)));
    }
}

void RoutesTest::aFreeWayStaysDirect() {
    const std::vector<QRectF> boxes = {{0, 0, 256, 140}, {400, 44, 112, 52}, {0, 400, 256, 140}};
    const std::vector<QPolygonF> ways = routeLinks(boxes, {{0, 1}, {0, 2}});
    QCOMPARE(ways[0].size(), 2);
    QCOMPARE(ways[1].size(), 2);
}

// Sixteen nodes on one switch: each cable has the step of its neighbours at the switch, the lone one at a
// node of its own has none to mind.
void RoutesTest::endsThatStandCloseHaveLittleRoom() {
    std::vector<QRectF> boxes{{0, 0, 112, 52}};
    std::vector<LinkEnds> links;
    for (int i = 0; i < 16; ++i) {
        boxes.push_back({300.0 * i - 2400.0, 400, 256, 140});
        links.push_back({0, boxes.size() - 1});
    }
    const std::vector<QPolygonF> ways = routeLinks(boxes, links);
    const std::vector<double> room = roomAtEnds(ways, links);
    for (const double of : room)
        QVERIFY2(of > 0.0 && of <= 112.0 / 15.0, qPrintable(QString::number(of)));
    const std::vector<QRectF> pair{{0, 0, 256, 140}, {400, 44, 112, 52}};
    QVERIFY(std::isinf(roomAtEnds(routeLinks(pair, {{0, 1}}), {{0, 1}}).front()));
}

// The template with four leaves and two spines: each way can be followed by eye.
void RoutesTest::waysOfTheRacksLieOnNoOther() {
    const auto project = readProject(*readFile(PW_SOURCE_DIR "/samples/projects/racks-64.pwx"), "racks");
    QVERIFY(project);
    const DrawnRoutes drawn = drawnOf(project->cluster);
    QCOMPARE(drawn.links.size(), std::size_t(16));
    QVERIFY2(faultOf(drawn).isEmpty(), qPrintable(faultOf(drawn)));
    const std::vector<QPolygonF> ways = routeLinks(drawn.boxes, drawn.links);
    QVERIFY2(sharedBy(ways).isEmpty(), qPrintable(sharedBy(ways)));
}

void RoutesTest::waysOfCloseSpinesLieOnNoOther_data() {
    QTest::addColumn<double>("gap");
    for (const double gap : {16.0, 32.0, 64.0, 128.0})
        QTest::addRow("%g", gap) << gap;
}

// Two spines beside each other over four leaves of two nodes, as a drawing of racks has them: what leads from
// one spine does not pass through the gap to the other.
void RoutesTest::waysOfCloseSpinesLieOnNoOther() {
    QFETCH(double, gap);
    DrawnRoutes drawn;
    for (int node = 0; node < 8; ++node)
        drawn.boxes.emplace_back(QPointF(288.0 * node + 32.0 * (node / 2), 256.0), nodeSize(8));
    for (std::size_t leaf = 0; leaf < 4; ++leaf) {
        drawn.boxes.emplace_back(QPointF(608.0 * double(leaf) + 216.0, 128.0), kSwitchSize);
        drawn.links.push_back({2 * leaf, 8 + leaf});
        drawn.links.push_back({2 * leaf + 1, 8 + leaf});
    }
    const double middle = (8.0 * 288.0 + 96.0 - 32.0) / 2.0;
    drawn.boxes.emplace_back(QPointF(middle - gap / 2.0 - kSwitchSize.width(), 0.0), kSwitchSize);
    drawn.boxes.emplace_back(QPointF(middle + gap / 2.0, 0.0), kSwitchSize);
    for (std::size_t leaf = 8; leaf < 12; ++leaf) {
        drawn.links.push_back({leaf, 12});
        drawn.links.push_back({leaf, 13});
    }
    QVERIFY2(faultOf(drawn).isEmpty(), qPrintable(faultOf(drawn)));
    const std::vector<QPolygonF> ways = routeLinks(drawn.boxes, drawn.links);
    const QRectF between(drawn.boxes[12].topRight(), drawn.boxes[13].bottomLeft());
    for (const QPolygonF& way : ways)
        for (qsizetype leg = 0; leg + 1 < way.size(); ++leg)
            QVERIFY(!crosses(way[leg], way[leg + 1], between));
    QVERIFY2(sharedBy(ways).isEmpty(), qPrintable(sharedBy(ways)));
}

// Eight leaves below two spines, the outer ones further to the side than below. Where a box stands between,
// and for nodes, ways stay right-angled.
void RoutesTest::leavesAndSpinesAreJoinedByStraightLines() {
    std::vector<QRectF> boxes = {{QPointF(1400, 0), kSwitchSize}, {QPointF(1700, 0), kSwitchSize}};
    std::vector<LinkEnds> links;
    for (std::size_t leaf = 2; leaf < 10; ++leaf) {
        boxes.emplace_back(QPointF(400.0 * double(leaf - 2), 180), kSwitchSize);
        links.push_back({leaf, 0, true});
        links.push_back({leaf, 1, true});
    }
    for (const QPolygonF& way : routeLinks(boxes, links)) {
        QCOMPARE(way.size(), 2);
        QCOMPARE(std::min(way[0].y(), way[1].y()), kSwitchSize.height());
        QCOMPARE(std::max(way[0].y(), way[1].y()), 180.0);
    }
    for (LinkEnds& link : links)
        link.slants = false;
    for (const QPolygonF& way : routeLinks(boxes, links))
        for (qsizetype leg = 0; leg + 1 < way.size(); ++leg)
            QVERIFY(!isSlanted({way[leg], way[leg + 1]}));
    const std::vector<QRectF> blocked = {boxes[0], {QPointF(400, 180), kSwitchSize}, {900, 90, 112, 60}};
    const QPolygonF way = routeLinks(blocked, {{1, 0, true}}).front();
    QVERIFY(way.size() > 2);
    for (qsizetype leg = 0; leg + 1 < way.size(); ++leg) {
        QVERIFY(!isSlanted({way[leg], way[leg + 1]}));
        QVERIFY(!crosses(way[leg], way[leg + 1], blocked[2]));
    }
    // What a slanted line may lie on is near it, and all of it.
    const QLineF line(0, 0, 300, 120);
    const std::vector<QRectF> parts = legBoxes(line);
    QCOMPARE(parts.front().topLeft(), line.p1());
    QCOMPARE(parts.back().bottomRight(), line.p2());
    for (const QRectF& part : parts)
        QVERIFY(part.height() <= 4.0 && part.width() <= 10.1);
}

// Further to the side than above, and yet the way leaves the row at once where the next box stands in it.
void RoutesTest::aNeighbourSendsAWayUpwards() {
    const std::vector<QRectF> boxes = {{0, 200, 256, 140}, {288, 200, 256, 140}, {600, 0, 112, 52}};
    const QPolygonF way = routeLinks(boxes, {{0, 2}}).front();
    QCOMPARE(way.size(), 4);
    QCOMPARE(way.front().y(), 200.0);
    QCOMPARE(way.back().y(), 52.0);
    // Alone it goes sideways, as the gap is wider there.
    const QPolygonF alone = routeLinks({boxes[0], boxes[2]}, {{0, 1}}).front();
    QCOMPARE(alone.front().x(), 256.0);
    QCOMPARE(alone.back().x(), 600.0);
    // Where the way upwards is no freer it stays sideways, around the box.
    const QPolygonF covered =
        routeLinks({boxes[0], boxes[1], boxes[2], {-40, 100, 600, 52}}, {{0, 2}}).front();
    QCOMPARE(covered.front().x(), 256.0);
}

// Every box above is joined with every one below: no upright leg is free, all level ones lie in one gap.
void RoutesTest::waysGoAsideInAGap() {
    DrawnRoutes drawn;
    for (int i = 0; i < 3; ++i) {
        drawn.boxes.emplace_back(QPointF(160.0 * i, 0), kSwitchSize);
        drawn.boxes.emplace_back(QPointF(160.0 * i + 80.0, 600), kSwitchSize);
    }
    for (std::size_t above = 0; above < 6; above += 2)
        for (std::size_t below = 1; below < 6; below += 2)
            drawn.links.push_back({above, below});
    QVERIFY2(faultOf(drawn).isEmpty(), qPrintable(faultOf(drawn)));
    const std::vector<QPolygonF> ways = routeLinks(drawn.boxes, drawn.links);
    for (std::size_t a = 0; a < ways.size(); ++a)
        for (std::size_t b = a + 1; b < ways.size(); ++b)
            QVERIFY2(sharedLength(ways[a], ways[b]) <= 4.0,
                     qPrintable(QStringLiteral("%1, %2").arg(a).arg(b)));
}

// Forty links have no room beside each other: they are one line, as before.
void RoutesTest::theWaysOfALargeSwitchStayTogether() {
    DrawnRoutes drawn;
    drawn.grid(40, 1, 4);
    drawn.boxes.emplace_back(QPointF(20'000, 600), kSwitchSize);
    for (std::size_t i = 0; i < 40; ++i)
        drawn.links.push_back({i, 40});
    const std::vector<QPolygonF> ways = routeLinks(drawn.boxes, drawn.links);
    QVERIFY(sharedLength(ways[0], ways[1]) > 100.0);
    QVERIFY2(faultOf(drawn).isEmpty(), qPrintable(faultOf(drawn)));
}

void RoutesTest::closeAndOverlappingBoxesAreJoinedAllTheSame() {
    const std::vector<QRectF> boxes = {
        {0, 0, 256, 140}, {256, 0, 256, 140}, {512, 0, 256, 140}, {40, 40, 256, 140}};
    for (const QPolygonF& way : routeLinks(boxes, {{0, 1}, {0, 2}, {0, 3}, {3, 2}}))
        QVERIFY(way.size() >= 2);
}

void RoutesTest::theIndexFindsWhatIsThere() {
    std::mt19937 random(5);
    const auto box = [&](int side) {
        return QRectF(below(random, 3000), below(random, 900), 1 + below(random, side),
                      1 + below(random, side));
    };
    std::vector<QRectF> boxes;
    BoxIndex index(QRectF(500, 0, 2000, 900), 200); // some lie outside
    for (int i = 0; i < 200; ++i) {
        boxes.push_back(box(400));
        index.add(boxes.back());
    }
    for (int i = 0; i < 500; ++i) {
        const QRectF area = box(900);
        std::set<std::size_t> found, there;
        index.any(area, [&](std::size_t each) { return found.insert(each), false; });
        for (std::size_t each = 0; each < boxes.size(); ++each)
            if (boxes[each].intersects(area))
                there.insert(each);
        QCOMPARE(found, there);
    }
}

QTEST_MAIN(RoutesTest)
#include "routes_test.moc"
