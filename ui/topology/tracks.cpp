// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/topology/tracks.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <utility>

namespace pw {

namespace {

constexpr int kSweeps = 2; // a leg that was moved may have come onto another

// A leg as its line and what it takes of that: an upright one has `at` = x and lies from `low` to `high` in
// y.
struct Leg {
    bool upright = false;
    double at = 0.0, low = 0.0, high = 0.0;
};

Leg legOf(const QPolygonF& way, qsizetype k) {
    const QPointF a = way[k], b = way[k + 1];
    const bool upright = a.x() == b.x();
    const auto [low, high] = upright ? std::minmax({a.y(), b.y()}) : std::minmax({a.x(), b.x()});
    return {upright, upright ? a.x() : a.y(), low, high};
}

double sharedLength(const Leg& a, const Leg& b) {
    if (a.upright != b.upright || std::abs(a.at - b.at) >= Tracks::kApart)
        return 0.0;
    const double length = std::min(a.high, b.high) - std::max(a.low, b.low);
    return length > Tracks::kShared ? length : 0.0;
}

int crossings(const QPolygonF& a, const QPolygonF& b) {
    int count = 0;
    for (qsizetype i = 0; i + 1 < a.size(); ++i)
        for (qsizetype j = 0; j + 1 < b.size(); ++j) {
            const Leg one = legOf(a, i), other = legOf(b, j);
            if (one.upright != other.upright && other.low < one.at && one.at < other.high &&
                one.low < other.at && other.at < one.high)
                ++count;
        }
    return count;
}

// All legs by their line, so that a leg is held against those near it alone.
class Legs {
public:
    explicit Legs(const std::vector<QPolygonF>& ways) {
        for (std::size_t link = 0; link < ways.size(); ++link)
            add(link, ways[link]);
    }
    void add(std::size_t link, const QPolygonF& way) {
        for (qsizetype k = 0; k + 1 < way.size(); ++k) {
            const Leg leg = legOf(way, k);
            m_lines[lineOf(leg, 0)].emplace_back(link, leg);
        }
    }
    void remove(std::size_t link, const QPolygonF& way) {
        for (qsizetype k = 0; k + 1 < way.size(); ++k)
            std::erase_if(m_lines[lineOf(legOf(way, k), 0)],
                          [link](const auto& entry) { return entry.first == link; });
    }
    // Calls take(link, length) for what other links share with the leg, until it returns true.
    template <class Take>
    void eachShared(std::size_t link, const Leg& leg, Take take) const {
        for (const int beside : {-1, 0, 1})
            if (const auto line = m_lines.find(lineOf(leg, beside)); line != m_lines.end())
                for (const auto& [other, its] : line->second)
                    if (const double length = other == link ? 0.0 : sharedLength(leg, its);
                        length > 0.0 && take(other, length))
                        return;
    }
    // Of all legs of the way, or some length beyond `enough`.
    double shared(std::size_t link, const QPolygonF& way, double enough) const {
        double sum = 0.0;
        for (qsizetype k = 0; k + 1 < way.size() && sum <= enough; ++k)
            eachShared(link, legOf(way, k), [&](std::size_t, double length) {
                sum += length;
                return sum > enough;
            });
        return sum;
    }

private:
    using Line = std::pair<bool, long>; // upright?, in steps of kApart
    static Line lineOf(const Leg& leg, int beside) {
        return {leg.upright, std::lround(std::floor(leg.at / Tracks::kApart)) + beside};
    }
    std::map<Line, std::vector<std::pair<std::size_t, Leg>>> m_lines;
};

// The way with leg k aside; empty where a leg before or behind it would turn round or all but vanish.
QPolygonF moved(const QPolygonF& way, qsizetype k, double aside) {
    constexpr double kLeast = 6.0; // px, of the legs before and behind
    QPolygonF result = way;
    const bool upright = legOf(way, k).upright;
    for (const qsizetype point : {k, k + 1})
        (upright ? result[point].rx() : result[point].ry()) += aside;
    for (const qsizetype beside : {k - 1, k + 1}) {
        if (beside < 0 || beside + 1 >= way.size())
            continue;
        const QPointF before = way[beside + 1] - way[beside], now = result[beside + 1] - result[beside];
        if (QPointF::dotProduct(before, now) <= 0.0 || now.manhattanLength() < kLeast)
            return {};
    }
    return result;
}

// The end lies on the edge of its box, which it meets with an upright leg or with a level one.
bool isWithinItsEdge(QPointF end, const QRectF& box, bool upright) {
    return upright ? end.x() >= box.left() + Tracks::kCorner && end.x() <= box.right() - Tracks::kCorner
                   : end.y() >= box.top() + Tracks::kCorner && end.y() <= box.bottom() - Tracks::kCorner;
}

} // namespace

void Tracks::separate(std::vector<QPolygonF>& ways, const std::vector<LinkEnds>& links,
                      const Detours& detours) {
    if (links.size() > kMostLinks)
        return;
    Legs legs(ways);
    const auto moveAside = [&](std::size_t link, qsizetype k) {
        std::set<std::size_t> together;
        legs.eachShared(link, legOf(ways[link], k), [&](std::size_t other, double) {
            together.insert(other);
            return together.size() >= kMostTogether;
        });
        if (together.empty() || together.size() >= kMostTogether)
            return;
        const auto crossed = [&](const QPolygonF& way) {
            int count = 0;
            for (const std::size_t other : together)
                count += crossings(way, ways[other]);
            return count;
        };
        const qsizetype last = ways[link].size() - 2;
        const auto endsWell = [&](const QPolygonF& way) {
            return (k != 0 ||
                    isWithinItsEdge(way.front(), detours.box(links[link].a), legOf(way, 0).upright)) &&
                   (k != last ||
                    isWithinItsEdge(way.back(), detours.box(links[link].b), legOf(way, last).upright));
        };
        const int most = k == 0 || k == last ? kMostAtAnEnd : kMostTracks;
        QPolygonF best = ways[link];
        double length = legs.shared(link, best, std::numeric_limits<double>::max());
        int crosses = crossed(best);
        for (int i = 0; i < 2 * most && (length > 0.0 || crosses > 0); ++i) { // the near ones first
            const double aside = (i % 2 == 0 ? kStep : -kStep) * (1 + i / 2);
            const QPolygonF way = moved(ways[link], k, aside);
            const double itsLength = way.isEmpty() ? length + 1.0 : legs.shared(link, way, length);
            if (itsLength > length)
                continue;
            const int itsCrosses = crossed(way);
            if ((itsLength < length || itsCrosses < crosses) && endsWell(way) &&
                detours.isClear(way, links[link])) {
                length = itsLength;
                crosses = itsCrosses;
                best = way;
            }
        }
        if (best == ways[link])
            return;
        legs.remove(link, ways[link]);
        legs.add(link, best);
        ways[link] = best;
    };
    for (int sweep = 0; sweep < kSweeps; ++sweep)
        for (std::size_t link = 0; link < ways.size(); ++link)
            for (qsizetype k = 1; k + 2 < ways[link].size(); ++k)
                moveAside(link, k);
    for (std::size_t link = 0; link < ways.size(); ++link)
        if (ways[link].size() > 2) // a straight one has no bend to take up a step
            for (const qsizetype k : {qsizetype{0}, ways[link].size() - 2})
                moveAside(link, k);
}

} // namespace pw
