// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/topology/geometry.h"

#include "ui/topology/detours.h"
#include "ui/topology/tracks.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

namespace pw {

namespace {

constexpr double kTileWidth = 55.0, kTileHeight = 46.0, kTileGap = 6.0, kPad = 9.0;
constexpr double kPortStep = 12.0;

enum Side { Left, Right, Top, Bottom };

using Sides = std::pair<Side, Side>;

double gapAcross(const QRectF& a, const QRectF& b) {
    return std::max(b.left() - a.right(), a.left() - b.right());
}

double gapDown(const QRectF& a, const QRectF& b) {
    return std::max(b.top() - a.bottom(), a.top() - b.bottom());
}

Sides sidewaysSides(const QRectF& a, const QRectF& b) {
    return b.center().x() >= a.center().x() ? Sides{Right, Left} : Sides{Left, Right};
}

Sides uprightSides(const QRectF& a, const QRectF& b) {
    return b.center().y() >= a.center().y() ? Sides{Bottom, Top} : Sides{Top, Bottom};
}

// Which sides face each other. Boxes beside each other are joined sideways, boxes above each other upright.
Sides facingSides(const QRectF& a, const QRectF& b) {
    return gapAcross(a, b) >= gapDown(a, b) ? sidewaysSides(a, b) : uprightSides(a, b);
}

bool isSideways(Side side) {
    return side == Left || side == Right;
}

QPointF portAt(const QRectF& box, Side side, double offset) {
    switch (side) {
    case Left:
        return {box.left(), box.center().y() + offset};
    case Right:
        return {box.right(), box.center().y() + offset};
    case Top:
        return {box.center().x() + offset, box.top()};
    case Bottom:
        break;
    }
    return {box.center().x() + offset, box.bottom()};
}

QPolygonF joined(QPointF a, QPointF b, bool sideways) {
    QPolygonF way;
    way << a;
    if (sideways && a.y() != b.y()) {
        const double x = std::round((a.x() + b.x()) / 2.0);
        way << QPointF(x, a.y()) << QPointF(x, b.y());
    } else if (!sideways && a.x() != b.x()) {
        const double y = std::round((a.y() + b.y()) / 2.0);
        way << QPointF(a.x(), y) << QPointF(b.x(), y);
    }
    way << b;
    return way;
}

// As a link leaves its boxes: by the sides that face each other; where another box stands in that way and the
// way between the other two sides is free, by those. So links of boxes that stand close in a row leave it
// upwards, and not through one gap.
Sides sidesFor(const std::vector<QRectF>& boxes, LinkEnds link, const Detours& detours) {
    const QRectF &a = boxes[link.a], &b = boxes[link.b];
    const Sides facing = facingSides(a, b);
    const bool sideways = isSideways(facing.first);
    const Sides other = sideways ? uprightSides(a, b) : sidewaysSides(a, b);
    const auto isFree = [&](const Sides& sides) {
        return detours.isClear(
            joined(portAt(a, sides.first, 0.0), portAt(b, sides.second, 0.0), isSideways(sides.first)), link);
    };
    const bool apart = (sideways ? gapDown(a, b) : gapAcross(a, b)) >= 2.0 * kGrid;
    return apart && !isFree(facing) && isFree(other) ? other : facing;
}

// Of two ports above each other. What others lie on it is not asked: they cross.
bool mayBeStraight(QPointF a, QPointF b, LinkEnds ends, const Detours& detours) {
    if (!ends.slants || !isSlanted({a, b}))
        return false;
    return std::ranges::all_of(legBoxes({a, b}), [&](const QRectF& part) {
        return detours.isClear({{part.topLeft(), part.bottomRight()}}, ends);
    });
}

struct Port {
    std::size_t link = 0;
    bool atA = false;
    double towards = 0.0; // where the other end lies along the side
};

// One number a link, the same for all of one hub: of its ends, the one with more links.
std::vector<int> lanesOf(std::size_t boxes, const std::vector<LinkEnds>& links) {
    std::vector<std::size_t> degree(boxes, 0);
    for (const LinkEnds& link : links) {
        ++degree[link.a];
        ++degree[link.b];
    }
    std::vector<int> laneOf(boxes, -1), lanes;
    int hubs = 0;
    for (const LinkEnds& link : links) {
        int& lane = laneOf[degree[link.a] > degree[link.b] ? link.a : link.b];
        if (lane < 0)
            lane = hubs++ % Detours::kLanes;
        lanes.push_back(lane);
    }
    return lanes;
}

} // namespace

QSizeF nodeSize(int gpus) {
    const int rows = std::max(1, (gpus + kTilesPerRow - 1) / kTilesPerRow);
    return {kNodeWidth, kNodeHeader + rows * kTileHeight + (rows - 1) * kTileGap + kPad + 1.0};
}

QRectF tileRect(int slot) {
    const int column = slot % kTilesPerRow, row = slot / kTilesPerRow;
    return {kPad + column * (kTileWidth + kTileGap), kNodeHeader + row * (kTileHeight + kTileGap), kTileWidth,
            kTileHeight};
}

int tileAt(QPointF inNode, int gpus) {
    for (int slot = 0; slot < gpus; ++slot)
        if (tileRect(slot).contains(inNode))
            return slot;
    return -1;
}

bool isSlanted(const QLineF& leg) {
    return leg.dx() != 0.0 && leg.dy() != 0.0;
}

std::vector<QRectF> legBoxes(const QLineF& leg) {
    constexpr double kFinest = 4.0; // px, the narrow side of a box of a slanted leg
    const double narrow = std::min(std::abs(leg.dx()), std::abs(leg.dy()));
    const int parts = std::max(1, static_cast<int>(std::ceil(narrow / kFinest)));
    std::vector<QRectF> boxes;
    for (int part = 0; part < parts; ++part)
        boxes.push_back(
            QRectF(leg.pointAt(double(part) / parts), leg.pointAt(double(part + 1) / parts)).normalized());
    return boxes;
}

double snapped(double v) {
    return std::round(v / kGrid) * kGrid;
}

std::vector<QPolygonF> routeLinks(const std::vector<QRectF>& boxes, const std::vector<LinkEnds>& links) {
    const Detours detours(boxes);
    std::map<std::pair<std::size_t, Side>, std::vector<Port>> sides;
    std::vector<bool> isAcross(links.size());
    for (std::size_t i = 0; i < links.size(); ++i) {
        const QRectF &a = boxes[links[i].a], &b = boxes[links[i].b];
        const auto [sideA, sideB] = links.size() > Tracks::kMostLinks ? facingSides(a, b)
                                    : links[i].slants && gapDown(a, b) >= 2.0 * kGrid
                                        ? uprightSides(a, b) // a leaf far to the side is below its spine
                                        : sidesFor(boxes, links[i], detours);
        const bool sideways = isAcross[i] = isSideways(sideA);
        sides[{links[i].a, sideA}].push_back({i, true, sideways ? b.center().y() : b.center().x()});
        sides[{links[i].b, sideB}].push_back({i, false, sideways ? a.center().y() : a.center().x()});
    }
    std::vector<QPointF> startOf(links.size()), endOf(links.size());
    for (auto& [key, ports] : sides) {
        std::stable_sort(ports.begin(), ports.end(),
                         [](const Port& l, const Port& r) { return l.towards < r.towards; });
        const QRectF& box = boxes[key.first];
        const double length = isSideways(key.second) ? box.height() : box.width();
        const double step = std::min(kPortStep, (length - 16.0) / static_cast<double>(ports.size()));
        for (std::size_t k = 0; k < ports.size(); ++k) {
            const double offset =
                (static_cast<double>(k) - static_cast<double>(ports.size() - 1) / 2.0) * step;
            (ports[k].atA ? startOf : endOf)[ports[k].link] = portAt(box, key.second, offset);
        }
    }
    const std::vector<int> lanes = lanesOf(boxes.size(), links);
    std::vector<QPolygonF> ways(links.size());
    std::vector<std::size_t> straight;
    for (std::size_t i = 0; i < links.size(); ++i) {
        const bool sideways = isAcross[i];
        QPointF a = startOf[i], b = endOf[i];
        if (!sideways && links.size() <= Tracks::kMostLinks && mayBeStraight(a, b, links[i], detours)) {
            straight.push_back(i);
            continue;
        }
        // Two lone ports that nearly face each other make one straight line instead of a small step.
        const double apart = sideways ? std::abs(a.y() - b.y()) : std::abs(a.x() - b.x());
        if (apart > 0.0 && apart < kPortStep)
            (sideways ? b.ry() : b.rx()) = sideways ? a.y() : a.x();
        ways[i] = detours.around(joined(a, b, sideways), links[i], sideways, lanes[i]);
    }
    Tracks::separate(ways, links, detours);
    for (const std::size_t i : straight)
        ways[i] << startOf[i] << endOf[i];
    return ways;
}

std::vector<double> roomAtEnds(const std::vector<QPolygonF>& ways, const std::vector<LinkEnds>& links) {
    struct AtBox {
        QPointF at;
        std::size_t link = 0;
    };
    std::map<std::size_t, std::vector<AtBox>> boxes;
    for (std::size_t i = 0; i < ways.size(); ++i) {
        if (ways[i].isEmpty())
            continue;
        boxes[links[i].a].push_back({ways[i].front(), i});
        boxes[links[i].b].push_back({ways[i].back(), i});
    }
    std::vector<double> room(ways.size(), std::numeric_limits<double>::infinity());
    // Neighbours on a side have one coordinate in common.
    const auto measure = [&](std::vector<AtBox>& ends, auto common, auto along) {
        std::ranges::sort(ends, {}, [&](const AtBox& e) { return std::pair(common(e.at), along(e.at)); });
        for (std::size_t k = 1; k < ends.size(); ++k) {
            if (common(ends[k].at) != common(ends[k - 1].at))
                continue;
            const double gap = along(ends[k].at) - along(ends[k - 1].at);
            for (const std::size_t link : {ends[k - 1].link, ends[k].link})
                room[link] = std::min(room[link], gap);
        }
    };
    const auto x = [](QPointF p) { return p.x(); };
    const auto y = [](QPointF p) { return p.y(); };
    for (auto& [box, ends] : boxes) {
        measure(ends, y, x);
        measure(ends, x, y);
    }
    return room;
}

QPolygonF routeToPoint(const QRectF& box, QPointF end) {
    const Side side = facingSides(box, QRectF(end, QSizeF(0, 0))).first;
    return joined(portAt(box, side, 0.0), end, isSideways(side));
}

double distanceTo(const QPolygonF& way, QPointF at) {
    double least = std::numeric_limits<double>::infinity();
    for (qsizetype i = 1; i < way.size(); ++i) {
        const QPointF leg = way[i] - way[i - 1], from = at - way[i - 1];
        const double square = QPointF::dotProduct(leg, leg);
        const double share =
            square > 0.0 ? std::clamp(QPointF::dotProduct(from, leg) / square, 0.0, 1.0) : 0.0;
        const QPointF apart = from - leg * share;
        least = std::min(least, std::hypot(apart.x(), apart.y()));
    }
    return least;
}

} // namespace pw
