// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/topology/free_ground.h"

#include "core/edit/arrange.h"
#include "ui/topology/box_index.h"
#include "ui/topology/geometry.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <string_view>
#include <unordered_set>
#include <utility>

namespace pw {

namespace {

QRectF placeOf(const Node& node) {
    return {QPointF(node.at.x, node.at.y), nodeSize(node.gpus)};
}

QRectF placeOf(const Switch& item) {
    return {QPointF(item.at.x, item.at.y), kSwitchSize};
}

// Calls take(id, place) for every node and switch.
template <class Take>
void eachPlace(const Cluster& cluster, Take take) {
    for (const Node& node : cluster.nodes)
        take(node.id, placeOf(node));
    for (const Switch& item : cluster.switches)
        take(item.id, placeOf(item));
}

QRectF extentOf(const std::vector<QRectF>& boxes) {
    QRectF all;
    for (const QRectF& box : boxes)
        all |= box;
    return all;
}

} // namespace

QPointF freeSpot(const std::vector<QRectF>& taken, QPointF wanted, QSizeF size) {
    const QRectF all = extentOf(taken);
    const auto inTheWay = [&](const QRectF& area) -> const QRectF* {
        const QRectF wide = area.adjusted(-kGrid, -kGrid, kGrid, kGrid);
        const auto found =
            std::ranges::find_if(taken, [&](const QRectF& box) { return box.intersects(wide); });
        return found == taken.end() ? nullptr : &*found;
    };
    const auto behind = [](double edge) { return std::ceil(edge / kGrid) * kGrid + 2.0 * kGrid; };
    QRectF area(QPointF(snapped(wanted.x()), snapped(wanted.y())), size);
    const QRectF* box = inTheWay(area);
    if (!box)
        return area.topLeft();
    // Along the row of what stands there, as far as the drawing goes or four nodes; then row by row below.
    const double right = std::max(all.right(), all.left() + 4.0 * (kNodeWidth + 2.0 * kGrid));
    area.moveTop(box->top());
    while (area.top() < all.bottom() + 3.0 * kGrid) {
        do {
            box = inTheWay(area);
            if (!box)
                return area.topLeft();
            area.moveLeft(behind(box->right()));
        } while (area.right() <= right);
        double next = behind(all.bottom());
        for (const QRectF& other : taken)
            if (other.bottom() + kGrid > area.top())
                next = std::min(next, behind(other.bottom()));
        area.moveTopLeft({all.left(), std::max(next, area.top() + kGrid)});
    }
    return area.topLeft();
}

Result<Project> onFreeGround(const Project& before, Result<Project> edited) {
    if (!edited)
        return edited;
    std::unordered_set<std::string_view> known;
    std::vector<QRectF> there;
    eachPlace(before.cluster, [&](const std::string& id, const QRectF& box) {
        known.insert(id);
        there.push_back(box);
    });
    BoxIndex index(extentOf(there), there.size());
    for (const QRectF& box : there)
        index.add(box);
    ItemIds added;
    QRectF whole;
    bool touches = false;
    eachPlace(edited->cluster, [&](const std::string& id, const QRectF& box) {
        if (known.contains(id))
            return;
        added.insert(id);
        whole |= box;
        touches = touches || index.any(box, [](std::size_t) { return true; });
    });
    if (!touches)
        return edited;
    const QPointF by = freeSpot(there, whole.topLeft(), whole.size()) - whole.topLeft();
    return moveItems(*edited, added, by.x(), by.y());
}

Result<Project> spreadOut(Result<Project> edited) {
    if (!edited)
        return edited;
    std::set<std::pair<double, double>> corners;
    std::vector<ItemBox> boxes;
    eachPlace(edited->cluster, [&](const std::string& id, const QRectF& box) {
        corners.emplace(box.x(), box.y());
        boxes.push_back({id, box.x(), box.y(), box.width(), box.height()});
    });
    return corners.size() == boxes.size() ? edited : tidyItems(*edited, boxes);
}

} // namespace pw
