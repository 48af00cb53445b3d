// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/topology/detours.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace pw {

namespace {

constexpr double kStub = kGrid / 2.0; // from a box to the way that passes it
constexpr double kNear = 4.0 * kGrid; // a gap between boxes, at most
constexpr double kLane = 5.0;         // between ways of different switches
constexpr double kClear = 3.0;        // what a way keeps from boxes at least
constexpr double kBend = 2.0 * kGrid; // a bend costs as much as this length
constexpr int kMostTries = 8;   // of a column or row, each beside the box that was in the way of the last
constexpr int kMostTurns = 256; // of a walk

QRectF unite(const std::vector<QRectF>& boxes) {
    QRectF all;
    for (const QRectF& box : boxes)
        all |= box;
    return all;
}

double costOf(const QPolygonF& way) {
    double cost = 0.0;
    for (qsizetype i = 0; i + 1 < way.size(); ++i)
        cost += (way[i + 1] - way[i]).manhattanLength() + kBend;
    return cost;
}

// Without points that are there twice or lie on a straight leg.
QPolygonF simplified(const QPolygonF& way) {
    QPolygonF kept;
    for (const QPointF& point : way) {
        if (!kept.isEmpty() && kept.back() == point)
            continue;
        while (kept.size() > 1) {
            const QPointF before = kept[kept.size() - 2], last = kept.back();
            const bool straight = (before.x() == last.x() && last.x() == point.x()) ||
                                  (before.y() == last.y() && last.y() == point.y());
            if (!straight)
                break;
            kept.removeLast();
        }
        kept << point;
    }
    return kept;
}

} // namespace

// One link, seen so that it leads up or down: a sideways one is transposed.
class Detours::Path {
public:
    Path(const BoxIndex& index, LinkEnds ends, bool sideways)
        : m_index(index), m_ends(ends), m_sideways(sideways) {}

    QPointF turned(QPointF p) const { return m_sideways ? p.transposed() : p; }
    QPolygonF turned(const QPolygonF& way) const {
        QPolygonF all;
        for (const QPointF& point : way)
            all << turned(point);
        return all;
    }

    // The box that the leg meets; the first one from `from` on if `first`, else any.
    std::optional<QRectF> met(QPointF from, QPointF to, bool first = false) const {
        const QRectF leg = QRectF(turned(from), turned(to)).normalized();
        std::optional<QRectF> found;
        double nearest = std::numeric_limits<double>::max();
        m_index.any(leg.adjusted(-kClear, -kClear, kClear, kClear), [&](std::size_t index) {
            const QRectF box = m_index.box(index);
            if (index == m_ends.a || index == m_ends.b) { // a way may run along its ends, not through them
                const QRectF inside = box.adjusted(0.5, 0.5, -0.5, -0.5);
                if (leg.right() < inside.left() || leg.left() > inside.right() ||
                    leg.bottom() < inside.top() || leg.top() > inside.bottom())
                    return false;
            }
            const QRectF seen = turnedBox(box);
            const double away =
                from.x() == to.x()
                    ? std::min(std::abs(seen.top() - from.y()), std::abs(seen.bottom() - from.y()))
                    : std::min(std::abs(seen.left() - from.x()), std::abs(seen.right() - from.x()));
            if (away < nearest) {
                nearest = away;
                found = seen;
            }
            return !first;
        });
        return found;
    }

    bool isClear(const QPolygonF& way) const {
        for (qsizetype i = 0; i + 1 < way.size(); ++i)
            if (met(way[i], way[i + 1]))
                return false;
        return true;
    }

    // How far from `port` a way turns: in the middle of the gap before the next box, where there is one.
    double stub(QPointF port, double direction, double aside) const {
        const auto box = met(port + QPointF(0, direction), port + QPointF(0, direction * kNear), true);
        if (!box)
            return kStub + aside;
        const double gap = std::min(std::abs(box->top() - port.y()), std::abs(box->bottom() - port.y()));
        const double least = std::min(kStub, gap / 2.0);
        return std::clamp(gap / 2.0 + (aside > kLane ? -kLane : aside), least, gap - least);
    }

    // The best of the ways through one free column or row, or nothing.
    QPolygonF through(QPointF from, QPointF to, double beside) const {
        QPolygonF best;
        const auto consider = [&](const QPolygonF& way) {
            const QPolygonF plain = simplified(way);
            if ((best.isEmpty() || costOf(plain) < costOf(best)) && isClear(plain))
                best = plain;
        };
        for (const double side : {-1.0, 1.0}) {
            for (const double start : {from.x(), to.x()})
                if (const auto x = freeColumn(start, from.y(), to.y(), side, beside))
                    consider({{from, {*x, from.y()}, {*x, to.y()}, to}});
            if (const auto y = freeRow((from.y() + to.y()) / 2.0, from.x(), to.x(), side, beside))
                consider({{from, {from.x(), *y}, {to.x(), *y}, to}});
        }
        return best;
    }

    // Up or down to the row of `to`, then along it, around each box on the way. Steps beside a box are free
    // of others where boxes stand apart.
    QPolygonF walk(QPointF from, QPointF to) const {
        QPolygonF way;
        way << from;
        QPointF at = from;
        for (int turn = 0; turn < kMostTurns && at != to; ++turn) {
            const bool upright = at.y() != to.y();
            const QPointF aim = upright ? QPointF(at.x(), to.y()) : to;
            const auto box = met(at, aim, true);
            if (!box) {
                way << (at = aim);
                continue;
            }
            const QRectF round = box->adjusted(-kStub, -kStub, kStub, kStub);
            if (upright) {
                const bool down = to.y() > at.y();
                at.setY(down ? round.top() : round.bottom());
                way << at;
                const bool left = to.x() <= round.left() ||
                                  (to.x() < round.right() && at.x() - round.left() < round.right() - at.x());
                way << (at = {left ? round.left() : round.right(), at.y()});
                const bool beside = to.y() > round.top() && to.y() < round.bottom();
                way << (at = {at.x(), beside ? to.y() : down ? round.bottom() : round.top()});
            } else {
                const bool right = to.x() > at.x();
                at.setX(right ? round.left() : round.right());
                way << at;
                const bool over = at.y() - round.top() < round.bottom() - at.y();
                way << (at = {at.x(), over ? round.top() : round.bottom()});
                way << (at = {right ? round.right() : round.left(), at.y()});
            }
        }
        const QPolygonF plain = simplified(way);
        return at == to && isClear(plain) ? plain : QPolygonF();
    }

private:
    QRectF turnedBox(const QRectF& box) const {
        return m_sideways ? QRectF(box.y(), box.x(), box.height(), box.width()) : box;
    }

    // The first free column from x on, left (-1) or right (1), each try beside the box that is in the way.
    std::optional<double> freeColumn(double x, double top, double bottom, double side, double beside) const {
        for (int i = 0; i < kMostTries; ++i) {
            const auto box = met({x, top}, {x, bottom});
            if (!box)
                return x;
            x = side < 0.0 ? box->left() - beside : box->right() + beside;
        }
        return std::nullopt;
    }
    std::optional<double> freeRow(double y, double left, double right, double side, double beside) const {
        for (int i = 0; i < kMostTries; ++i) {
            const auto box = met({left, y}, {right, y});
            if (!box)
                return y;
            y = side < 0.0 ? box->top() - beside : box->bottom() + beside;
        }
        return std::nullopt;
    }

    const BoxIndex& m_index;
    LinkEnds m_ends;
    bool m_sideways;
};

Detours::Detours(const std::vector<QRectF>& boxes) : m_index(unite(boxes), boxes.size()) {
    for (const QRectF& box : boxes)
        m_index.add(box);
}

bool Detours::isClear(const QPolygonF& way, LinkEnds ends) const {
    return Path(m_index, ends, false).isClear(way);
}

QPolygonF Detours::around(const QPolygonF& direct, LinkEnds ends, bool sideways, int lane) const {
    const Path path(m_index, ends, sideways);
    const QPolygonF seen = path.turned(direct);
    if (path.isClear(seen) || m_index.box(ends.a).intersects(m_index.box(ends.b)))
        return direct;
    const QPointF a = seen.front(), b = seen.back();
    const double down = b.y() >= a.y() ? 1.0 : -1.0, aside = kLane * lane;
    const QPointF from = a + QPointF(0, down * path.stub(a, down, aside)),
                  to = b - QPointF(0, down * path.stub(b, -down, aside));
    QPolygonF way = path.through(from, to, kStub + aside);
    if (way.isEmpty() && lane > 0)
        way = path.through(from, to, kStub);
    if (way.isEmpty())
        way = path.walk(from, to);
    if (way.isEmpty())
        return direct;
    way = simplified(QPolygonF() << a << way << b);
    return way.size() < 2 ? direct : path.turned(way); // boxes that touch
}

} // namespace pw
