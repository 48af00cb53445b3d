// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/edit/arrange.h"

#include "core/edit/edit_detail.h"
#include "core/plan/plan.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

namespace pw {

namespace {

constexpr double kGrid = 16.0;   // px, of the drawing
constexpr double kApart = kGrid; // between boxes that would lie on each other

// Moves one node or switch to a corner.
void place(Project& project, const std::string& id, double x, double y) {
    const auto put = [&](auto& list) {
        for (auto& item : list)
            if (item.id == id)
                item.at = {x, y};
    };
    put(project.cluster.nodes);
    put(project.cluster.switches);
}

Status checkBoxes(const Project& project, const std::vector<ItemBox>& boxes, std::size_t least) {
    for (const ItemBox& box : boxes)
        if (project.cluster.node(box.id) == nullptr && project.cluster.findSwitch(box.id) == nullptr)
            return edit_detail::unknownItem(box.id);
    if (boxes.size() < least)
        return badInput("edit.arrange", "",
                        {"{chosen} nodes or switches are chosen; at least {least} are needed",
                         {{"chosen", boxes.size()}, {"least", least}}});
    return Ok{};
}

// Along a column of boxes or, not `down`, along a row.
double startOf(const ItemBox& box, bool down) {
    return down ? box.y : box.x;
}

double& startOf(ItemBox& box, bool down) {
    return down ? box.y : box.x;
}

double lengthOf(const ItemBox& box, bool down) {
    return down ? box.height : box.width;
}

double endOf(const ItemBox& box, bool down) {
    return startOf(box, down) + lengthOf(box, down);
}

bool overlap(const ItemBox& a, const ItemBox& b) {
    return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

bool anyOverlap(const std::vector<ItemBox>& boxes) {
    for (std::size_t i = 0; i < boxes.size(); ++i)
        for (std::size_t k = 0; k < i; ++k)
            if (overlap(boxes[i], boxes[k]))
                return true;
    return false;
}

// Boxes of which one would lie on another, or on one of `standing`, go on to behind it, in their order; the
// others keep their places.
void keepApart(std::vector<ItemBox>& boxes, std::vector<ItemBox> standing, bool down) {
    const auto byStart = [down](const ItemBox& a, const ItemBox& b) {
        return startOf(a, down) < startOf(b, down);
    };
    std::ranges::stable_sort(standing, byStart);
    for (ItemBox& box : boxes) {
        // Once through is enough: what begins further in front and is passed is not met again.
        for (const ItemBox& other : standing)
            if (overlap(box, other))
                startOf(box, down) = kGrid * std::ceil((endOf(other, down) + kApart) / kGrid);
        standing.insert(std::ranges::upper_bound(standing, box, byStart), box);
    }
}

// `placed`: where `boxes` are to go, in the same order.
Project withPlaces(const Project& project, const std::vector<ItemBox>& boxes, std::vector<ItemBox> placed,
                   std::vector<ItemBox> standing, bool down) {
    const auto isLocked = [&](const ItemBox& box) { return project.annotations.locked.contains(box.id); };
    std::ranges::copy_if(boxes, std::back_inserter(standing), isLocked);
    std::erase_if(placed, isLocked);
    keepApart(placed, std::move(standing), down);
    Project edited = project;
    for (const ItemBox& box : placed)
        place(edited, box.id, box.x, box.y);
    return edited;
}

} // namespace

Result<Project> alignItems(const Project& project, std::vector<ItemBox> boxes, Alignment line,
                           const std::vector<ItemBox>& others) {
    if (const Status enough = checkBoxes(project, boxes, 2); !enough)
        return enough.error();
    const bool down = line == Alignment::Left || line == Alignment::Centre || line == Alignment::Right;
    std::ranges::stable_sort(boxes, [down](const ItemBox& a, const ItemBox& b) {
        return std::pair(startOf(a, down), startOf(a, !down)) <
               std::pair(startOf(b, down), startOf(b, !down));
    });
    double left = boxes.front().x, top = boxes.front().y, right = left, bottom = top;
    for (const ItemBox& box : boxes) {
        left = std::min(left, box.x);
        top = std::min(top, box.y);
        right = std::max(right, box.x + box.width);
        bottom = std::max(bottom, box.y + box.height);
    }
    std::vector<ItemBox> aligned = boxes;
    for (ItemBox& box : aligned) {
        switch (line) {
        case Alignment::Left:
            box.x = left;
            break;
        case Alignment::Centre:
            box.x = (left + right - box.width) / 2.0;
            break;
        case Alignment::Right:
            box.x = right - box.width;
            break;
        case Alignment::Top:
            box.y = top;
            break;
        case Alignment::Middle:
            box.y = (top + bottom - box.height) / 2.0;
            break;
        case Alignment::Bottom:
            box.y = bottom - box.height;
            break;
        }
    }
    return withPlaces(project, boxes, std::move(aligned), others, down);
}

Result<Project> distributeItems(const Project& project, std::vector<ItemBox> boxes, bool horizontally,
                                const std::vector<ItemBox>& others) {
    if (const Status enough = checkBoxes(project, boxes, 3); !enough)
        return enough.error();
    const bool down = !horizontally;
    std::ranges::stable_sort(boxes, {}, [down](const ItemBox& box) { return startOf(box, down); });
    double room = startOf(boxes.back(), down) - startOf(boxes.front(), down);
    for (std::size_t i = 0; i + 1 < boxes.size(); ++i)
        room -= lengthOf(boxes[i], down);
    const auto spread = [&](double gap) {
        std::vector<ItemBox> placed = boxes;
        for (std::size_t i = 1; i < placed.size(); ++i)
            startOf(placed[i], down) = startOf(placed[i - 1], down) + lengthOf(placed[i - 1], down) + gap;
        return placed;
    };
    std::vector<ItemBox> placed = spread(room / static_cast<double>(boxes.size() - 1));
    placed.back() = boxes.back(); // whatever rounding says
    if (room < 0.0 && anyOverlap(placed))
        placed = spread(kApart);
    return withPlaces(project, boxes, std::move(placed), others, down);
}

Result<std::string> copyItems(const Project& project, const ItemIds& items) {
    const Cluster& cluster = project.cluster;
    Cluster part;
    std::set<std::string> kinds;
    for (const Node& node : cluster.nodes)
        if (items.contains(node.id)) {
            part.nodes.push_back(node);
            kinds.insert(node.kind);
        }
    for (const Switch& item : cluster.switches)
        if (items.contains(item.id))
            part.switches.push_back(item);
    if (part.nodes.empty() && part.switches.empty())
        return badInput("edit.copy", "",
                        "links alone cannot be copied; select the nodes and switches at their ends");
    for (const Link& link : cluster.links)
        if (items.contains(link.a) && items.contains(link.b))
            part.links.push_back(link);
    for (const NvlinkDomain& domain : cluster.nvlinkDomains) // those that are copied whole
        if (std::ranges::all_of(domain.nodes, [&](const std::string& id) { return items.contains(id); }))
            part.nvlinkDomains.push_back(domain);
    for (const DeviceKind& kind : cluster.kinds)
        if (kinds.contains(kind.name))
            part.kinds.push_back(kind);
    return printJson(toJson(part));
}

Result<Project> pasteItems(const Project& project, std::string_view text, double dx, double dy,
                           ItemIds* copies) {
    const Result<Json> document = parseJson(text, "clipboard");
    if (!document)
        return document.error();
    Result<Cluster> part = clusterFromJson(JsonReader(*document, "clipboard"));
    if (!part)
        return part.error();
    // Pasted beside the drawing under names that nobody has, and from there copied as a duplicate would be.
    Project both = project;
    ItemIds strangers;
    const auto renamed = [](const std::string& id) { return edit_detail::kStranger + id; };
    for (Node node : part->nodes) {
        node.id = renamed(node.id);
        strangers.insert(node.id);
        both.cluster.nodes.push_back(std::move(node));
    }
    for (Switch item : part->switches) {
        item.id = renamed(item.id);
        strangers.insert(item.id);
        both.cluster.switches.push_back(std::move(item));
    }
    for (Link link : part->links) {
        link.id = renamed(link.id);
        link.a = renamed(link.a);
        link.b = renamed(link.b);
        strangers.insert(link.id);
        both.cluster.links.push_back(std::move(link));
    }
    for (NvlinkDomain domain : part->nvlinkDomains) {
        domain.id = renamed(domain.id);
        std::ranges::transform(domain.nodes, domain.nodes.begin(), renamed);
        both.cluster.nvlinkDomains.push_back(std::move(domain));
    }
    for (const DeviceKind& kind : part->kinds)
        if (std::none_of(both.cluster.kinds.begin(), both.cluster.kinds.end(),
                         [&kind](const DeviceKind& k) { return k.name == kind.name; }))
            both.cluster.kinds.push_back(kind);
    Result<Project> copied = duplicateItems(both, strangers, dx, dy, copies);
    if (!copied)
        return copied;
    return removeItems(*copied, strangers);
}

} // namespace pw
