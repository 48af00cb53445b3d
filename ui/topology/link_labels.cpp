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

constexpr double kApart = 1.0; // px between labels, and to what they may not cover

// What is drawn so far: boxes and labels that nothing may cover, and ways.
class Ground {
public:
    Ground(const std::vector<LabelWish>& wishes, const std::vector<QRectF>& boxes, const QRectF& all)
        : m_covered(all, boxes.size() + wishes.size()), m_legs(all, 4 * wishes.size()) {
        for (const QRectF& box : boxes)
            m_covered.add(box);
        for (std::size_t i = 0; i < wishes.size(); ++i)
            for (qsizetype leg = 0; leg + 1 < wishes[i].way.size(); ++leg) {
                m_legs.add(
                    QRectF(wishes[i].way[leg], wishes[i].way[leg + 1]).normalized().adjusted(-1, -1, 1, 1));
                m_owner.push_back(i);
            }
    }
    bool isFree(const QRectF& area, std::size_t owner) const {
        return !m_covered.any(area, [](std::size_t) { return true; }) &&
               !m_legs.any(area, [&](std::size_t leg) { return m_owner[leg] != owner; });
    }
    void cover(const QRectF& area) { m_covered.add(area); }

private:
    BoxIndex m_covered, m_legs;
    std::vector<std::size_t> m_owner;
};

// The middle of a free place of `size` on a leg of the way, the longest leg first.
std::optional<QPointF> placeOn(const LabelWish& wish, std::size_t owner, QSizeF size, const Ground& ground) {
    std::vector<QLineF> legs;
    for (qsizetype i = 0; i + 1 < wish.way.size(); ++i) {
        const QLineF leg(wish.way[i], wish.way[i + 1]);
        if (leg.length() >= (leg.dx() == 0.0 ? size.height() : size.width()))
            legs.push_back(leg);
    }
    std::ranges::stable_sort(legs, [](const QLineF& l, const QLineF& r) { return l.length() > r.length(); });
    for (const QLineF& leg : legs)
        for (const double share : {0.5, 0.25, 0.75}) {
            const QPointF at = leg.pointAt(share);
            if (ground.isFree(QRectF(at - QPointF(size.width() / 2.0, size.height() / 2.0), size), owner))
                return at;
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
    for (const std::size_t i : order) {
        const LabelWish& wish = wishes[i];
        QSizeF size = inScene({wish.label.width() + wish.mark.width(), wish.label.height()});
        auto at = placeOn(wish, i, size, ground);
        places[i].label = at.has_value();
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
