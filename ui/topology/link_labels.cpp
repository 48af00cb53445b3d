// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/topology/link_labels.h"

#include "ui/topology/box_index.h"
#include "ui/topology/geometry.h"

#include <QLineF>

#include <algorithm>
#include <numeric>
#include <optional>

namespace pw {

namespace {

constexpr double kApart = 1.0;         // px between labels, and to what they may not cover
constexpr double kBeside = 2.0;        // px between a way and a label beside it
constexpr double kFromWays = 3.0;      // px more, to a way that is not near
constexpr std::size_t kFewLinks = 256; // so few that those left out are tried before the others
constexpr int kRounds = 3;
constexpr int kBriefTries = 2048; // some 10 ms; a drawing with more links shows most of them in stacks

// A label as it seeks its place, in the scene. `apart` from its leg it may also stand; without that, on it
// only, and on legs that are no shorter than it is.
struct LabelFit {
    QSizeF size;
    std::optional<double> toOthers; // to ways that are not its own; nothing: it may lie across them
    std::optional<double> apart{};
};

// What is drawn so far: boxes and labels that nothing may cover, and ways.
class Ground {
public:
    Ground(const std::vector<LabelWish>& wishes, const std::vector<QRectF>& boxes, const QRectF& all)
        : m_covered(all, boxes.size() + wishes.size()), m_legs(all, 4 * wishes.size()) {
        for (const QRectF& box : boxes)
            m_covered.add(box);
        for (std::size_t i = 0; i < wishes.size(); ++i)
            for (qsizetype leg = 0; leg + 1 < wishes[i].way.size(); ++leg)
                for (const QRectF& part : legBoxes({wishes[i].way[leg], wishes[i].way[leg + 1]})) {
                    m_legs.add(part.adjusted(-1, -1, 1, 1));
                    m_owner.push_back(i);
                }
    }
    bool isFree(const QRectF& area, std::size_t owner, std::optional<double> toOthers) const {
        if (m_covered.any(area, [](std::size_t) { return true; }))
            return false;
        if (!toOthers)
            return true;
        const double far = *toOthers;
        return !m_legs.any(area.adjusted(-far, -far, far, far),
                           [&](std::size_t leg) { return m_owner[leg] != owner; });
    }
    void cover(const QRectF& area) { m_covered.add(area); }

private:
    BoxIndex m_covered, m_legs;
    std::vector<std::size_t> m_owner;
};

// The middle of a free place on a leg of the way, the longest leg first: at its middle, then at quarters, and
// so on down to `finest` parts, before it leaves the leg by half or by the whole of its size.
std::optional<QPointF> placeOn(const LabelWish& wish, std::size_t owner, const LabelFit& fit,
                               const Ground& ground, int finest) {
    const QSizeF size = fit.size;
    const auto extentOn = [size](const QLineF& leg) {
        return leg.dx() == 0.0 ? size.height() : size.width();
    };
    std::vector<QLineF> legs;
    for (qsizetype i = 0; i + 1 < wish.way.size(); ++i) {
        const QLineF leg(wish.way[i], wish.way[i + 1]);
        if (leg.length() >= (fit.apart ? extentOn(leg) / 2.0 : extentOn(leg)))
            legs.push_back(leg);
    }
    std::ranges::stable_sort(legs, [](const QLineF& l, const QLineF& r) { return l.length() > r.length(); });
    const QPointF half(size.width() / 2.0, size.height() / 2.0);
    for (const QLineF& leg : legs) {
        const QPointF beside = leg.dx() == 0.0 ? QPointF(half.x() + fit.apart.value_or(0.0), 0.0)
                                               : QPointF(0.0, half.y() + fit.apart.value_or(0.0));
        for (const double side : {0.0, 0.5, -0.5, 1.0, -1.0}) {
            for (int parts = 2; parts <= finest; parts *= 2) {
                for (int part = 1; part < parts; part += 2) {
                    const QPointF at = leg.pointAt(double(part) / parts) + side * beside;
                    if (ground.isFree(QRectF(at - half, size), owner, fit.toOthers))
                        return at;
                }
                if (leg.length() / parts < extentOn(leg) / 8.0)
                    break;
            }
            if (!fit.apart)
                break;
        }
    }
    return std::nullopt;
}

// Whether that of a chosen link may lie across any way.
enum class OfChosen { AsAll, Anywhere };

std::vector<LabelPlace> placeInOrder(const std::vector<LabelWish>& wishes,
                                     const std::vector<std::size_t>& order, const std::vector<QRectF>& boxes,
                                     double scale, OfChosen chosen) {
    QRectF all;
    for (const QRectF& box : boxes)
        all |= box;
    Ground ground(wishes, boxes, all);
    const bool few = wishes.size() <= kFewLinks; // of many, which are small, any place on their way will do
    const int finest = wishes.size() <= 64 ? 32 : few ? 8 : 4;
    const auto inScene = [scale](QSizeF px) { return (px + QSizeF(2 * kApart, 2 * kApart)) / scale; };
    std::vector<LabelPlace> places(wishes.size());
    int tries = kBriefTries;
    for (const std::size_t i : order) {
        const LabelWish& wish = wishes[i];
        const double near = kFromWays / scale;
        LabelFit fit{inScene({wish.label.width() + wish.mark.width(), wish.label.height()}),
                     few ? near : 0.0};
        auto at = placeOn(wish, i, fit, ground, finest);
        if (!at && few) {
            fit.toOthers = 0.0;
            at = placeOn(wish, i, fit, ground, finest);
        }
        if (!at && !wish.brief.isEmpty() && tries-- > 0) {
            places[i].brief = true;
            fit = {inScene({wish.brief.width() + wish.mark.width(),
                            std::max(wish.brief.height(), wish.mark.height())}),
                   near, kBeside / scale};
            at = placeOn(wish, i, fit, ground, finest);
            if (!at && (!wish.mark.isEmpty() || (wish.first && chosen == OfChosen::Anywhere))) {
                fit.toOthers.reset();
                at = placeOn(wish, i, fit, ground, finest);
            }
        }
        if (!at) {
            places[i] = {};
            continue;
        }
        places[i].at = *at;
        places[i].label = true;
        ground.cover(QRectF(*at - QPointF(fit.size.width() / 2.0, fit.size.height() / 2.0), fit.size));
    }
    return places;
}

} // namespace

std::vector<LabelPlace> placeLabels(const std::vector<LabelWish>& wishes, const std::vector<QRectF>& boxes,
                                    double scale) {
    const auto isMarked = [&](std::size_t i) { return !wishes[i].mark.isEmpty(); };
    std::vector<std::size_t> order(wishes.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_partition(order, isMarked);
    std::vector<LabelPlace> places = placeInOrder(wishes, order, boxes, scale, OfChosen::AsAll);
    const auto isShown = [](const LabelPlace& place) { return place.label; };
    for (int round = 0; round < kRounds && wishes.size() <= kFewLinks; ++round) {
        if (std::ranges::all_of(places, isShown))
            break;
        std::vector<std::size_t> other = order;
        std::ranges::stable_partition(other, [&](std::size_t i) { return isMarked(i) || !places[i].label; });
        std::ranges::stable_partition(other, isMarked);
        std::vector<LabelPlace> tried = placeInOrder(wishes, other, boxes, scale, OfChosen::AsAll);
        if (std::ranges::count_if(tried, isShown) <= std::ranges::count_if(places, isShown))
            break;
        order = std::move(other);
        places = std::move(tried);
    }
    // Only then: a click on a label would move it from under the pointer else.
    const auto waits = [&](std::size_t i) { return wishes[i].first && !places[i].label; };
    if (std::ranges::any_of(order, waits))
        places = placeInOrder(wishes, order, boxes, scale, OfChosen::Anywhere);
    if (std::ranges::any_of(order, waits)) {
        std::ranges::stable_partition(order, waits);
        places = placeInOrder(wishes, order, boxes, scale, OfChosen::Anywhere);
    }
    return places;
}

} // namespace pw
