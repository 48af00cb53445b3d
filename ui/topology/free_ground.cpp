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

// Nodes and switches that the edit adds, and what they cover.
struct Added {
    ItemIds ids;
    std::vector<QRectF> boxes;
};

Added addedBy(const Cluster& before, const Cluster& after) {
    std::unordered_set<std::string_view> known;
    eachPlace(before, [&](const std::string& id, const QRectF&) { known.insert(id); });
    Added added;
    eachPlace(after, [&](const std::string& id, const QRectF& box) {
        if (known.contains(id))
            return;
        added.ids.insert(id);
        added.boxes.push_back(box);
    });
    return added;
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

QRectF clusterExtent(const Cluster& cluster) {
    QRectF all;
    eachPlace(cluster, [&all](const std::string&, const QRectF& box) { all |= box; });
    return all;
}

Result<Project> onFreeGround(const Project& before, Result<Project> edited, double gap) {
    if (!edited)
        return edited;
    std::vector<QRectF> there;
    eachPlace(before.cluster, [&](const std::string&, const QRectF& box) { there.push_back(box); });
    BoxIndex index(extentOf(there), there.size());
    for (const QRectF& box : there)
        index.add(box);
    const Added added = addedBy(before.cluster, edited->cluster);
    if (std::ranges::none_of(added.boxes, [&](const QRectF& box) {
            return index.any(box.adjusted(-gap, -gap, gap, gap), [](std::size_t) { return true; });
        }))
        return edited;
    const QRectF whole = extentOf(added.boxes);
    const QPointF by = freeSpot(there, whole.topLeft(), whole.size()) - whole.topLeft();
    return moveItems(*edited, added.ids, by.x(), by.y());
}

Result<Project> centredAt(const Project& before, Result<Project> edited, QPointF middle) {
    if (!edited)
        return edited;
    const Added added = addedBy(before.cluster, edited->cluster);
    const QPointF by = middle - extentOf(added.boxes).center();
    return moveItems(*edited, added.ids, snapped(by.x()), snapped(by.y()));
}

Result<Project> cornerAt(const Project& before, Result<Project> edited, QPointF corner) {
    if (!edited)
        return edited;
    const Added added = addedBy(before.cluster, edited->cluster);
    const QPointF by = corner - extentOf(added.boxes).topLeft();
    return moveItems(*edited, added.ids, by.x(), by.y());
}

namespace {

std::vector<ItemBox> boxesOf(const Cluster& cluster) {
    std::vector<ItemBox> boxes;
    eachPlace(cluster, [&](const std::string& id, const QRectF& box) {
        boxes.push_back({id, box.x(), box.y(), box.width(), box.height()});
    });
    return boxes;
}

} // namespace

Result<Project> inRows(const Result<Project>& edited) {
    return edited ? tidyItems(*edited, boxesOf(edited->cluster)) : edited;
}

Result<Project> spreadOut(const Result<Project>& edited) {
    if (!edited)
        return edited;
    std::set<std::pair<double, double>> corners;
    const std::vector<ItemBox> boxes = boxesOf(edited->cluster);
    for (const ItemBox& box : boxes)
        corners.emplace(box.x, box.y);
    return corners.size() == boxes.size() ? edited : inRows(edited);
}

} // namespace pw
