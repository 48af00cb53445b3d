// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/topology/link_labels.h"

#include "ui/topology/box_index.h"

#include <QLineF>

#include <algorithm>
#include <numeric>
#include <optional>

namespace pw {

namespace {

constexpr double kApart = 1.0;    // px between labels, and to what they may not cover
constexpr double kBeside = 2.0;   // px between a way and a label beside it
constexpr int kBriefTries = 4096; // some 10 ms; a drawing with more links shows most of them in stacks

// What is drawn so far: boxes and labels that nothing may cover, and ways.
class Ground {
public:
    Ground(const std::vector<LabelWish>& wishes, const std::vector<QRectF>& boxes, const QRectF& all)
        : m_wishes(wishes), m_covered(all, boxes.size() + wishes.size()), m_legs(all, 4 * wishes.size()) {
        for (const QRectF& box : boxes)
            m_covered.add(box);
        for (std::size_t i = 0; i < wishes.size(); ++i)
            for (qsizetype leg = 0; leg + 1 < wishes[i].way.size(); ++leg) {
                m_legs.add(
                    QRectF(wishes[i].way[leg], wishes[i].way[leg + 1]).normalized().adjusted(-1, -1, 1, 1));
                m_owner.push_back(i);
            }
    }
    bool isFree(const QRectF& area, std::size_t owner, bool brief) const {
        return !m_covered.any(area, [](std::size_t) { return true; }) &&
               !m_legs.any(area, [&](std::size_t leg) {
                   const std::size_t other = m_owner[leg];
                   return other != owner && !(brief && m_wishes[other].text == m_wishes[owner].text);
               });
    }
    void cover(const QRectF& area) { m_covered.add(area); }

private:
    const std::vector<LabelWish>& m_wishes;
    BoxIndex m_covered, m_legs;
    std::vector<std::size_t> m_owner;
};

// The middle of a free place of `size` on a leg of the way, the longest leg first. A shorter label may also
// stand beside its leg, `apart` from it.
std::optional<QPointF> placeOn(const LabelWish& wish, std::size_t owner, QSizeF size, const Ground& ground,
                               std::optional<double> apart = {}) {
    std::vector<QLineF> legs;
    for (qsizetype i = 0; i + 1 < wish.way.size(); ++i) {
        const QLineF leg(wish.way[i], wish.way[i + 1]);
        if (leg.length() >= (leg.dx() == 0.0 ? size.height() : size.width()))
            legs.push_back(leg);
    }
    std::ranges::stable_sort(legs, [](const QLineF& l, const QLineF& r) { return l.length() > r.length(); });
    const QPointF half(size.width() / 2.0, size.height() / 2.0);
    for (const QLineF& leg : legs) {
        const QPointF beside = leg.dx() == 0.0 ? QPointF(half.x() + apart.value_or(0.0), 0.0)
                                               : QPointF(0.0, half.y() + apart.value_or(0.0));
        for (const double share : {0.5, 0.25, 0.75})
            for (const double side : {0.0, 1.0, -1.0}) {
                const QPointF at = leg.pointAt(share) + side * beside;
                if (ground.isFree(QRectF(at - half, size), owner, apart.has_value()))
                    return at;
                if (!apart)
                    break;
            }
    }
    return std::nullopt;
}

} // namespace

std::vector<LabelPlace> placeLabels(const std::vector<LabelWish>& wishes, const std::vector<QRectF>& boxes,
                                    double scale) {
    QRectF all;
    for (const QRectF& box : boxes)
        all |= box;
    Ground ground(wishes, boxes, all);
    std::vector<std::size_t> order(wishes.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_partition(order, [&](std::size_t i) { return wishes[i].first; });
    std::vector<LabelPlace> places(wishes.size());
    const auto inScene = [scale](QSizeF px) { return (px + QSizeF(2 * kApart, 2 * kApart)) / scale; };
    int tries = kBriefTries;
    for (const std::size_t i : order) {
        const LabelWish& wish = wishes[i];
        QSizeF size = inScene({wish.label.width() + wish.mark.width(), wish.label.height()});
        auto at = placeOn(wish, i, size, ground);
        places[i].label = at.has_value();
        if (!at && !wish.brief.isEmpty() && tries-- > 0) {
            size = inScene(
                {wish.brief.width() + wish.mark.width(), std::max(wish.brief.height(), wish.mark.height())});
            at = placeOn(wish, i, size, ground, kBeside / scale);
            places[i].label = places[i].brief = at.has_value();
        }
        if (!at && !wish.mark.isEmpty())
            at = placeOn(wish, i, size = inScene(wish.mark), ground);
        if (!at)
            continue;
        places[i].at = *at;
        places[i].mark = !wish.mark.isEmpty();
        ground.cover(QRectF(*at - QPointF(size.width() / 2.0, size.height() / 2.0), size));
    }
    return places;
}

} // namespace pw
