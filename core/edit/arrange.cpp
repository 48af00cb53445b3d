// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/edit/arrange.h"

#include "core/edit/edit_detail.h"
#include "core/plan/plan.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace pw {

namespace {

// Moves one node or switch to a corner; a locked one stays.
void place(Project& project, const std::string& id, double x, double y) {
    if (project.annotations.locked.contains(id))
        return;
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

} // namespace

Result<Project> alignItems(const Project& project, const std::vector<ItemBox>& boxes, Alignment line) {
    if (const Status enough = checkBoxes(project, boxes, 2); !enough)
        return enough.error();
    double left = boxes.front().x, top = boxes.front().y, right = left, bottom = top;
    for (const ItemBox& box : boxes) {
        left = std::min(left, box.x);
        top = std::min(top, box.y);
        right = std::max(right, box.x + box.width);
        bottom = std::max(bottom, box.y + box.height);
    }
    Project edited = project;
    for (const ItemBox& box : boxes) {
        double x = box.x, y = box.y;
        switch (line) {
        case Alignment::Left:
            x = left;
            break;
        case Alignment::Centre:
            x = (left + right - box.width) / 2.0;
            break;
        case Alignment::Right:
            x = right - box.width;
            break;
        case Alignment::Top:
            y = top;
            break;
        case Alignment::Middle:
            y = (top + bottom - box.height) / 2.0;
            break;
        case Alignment::Bottom:
            y = bottom - box.height;
            break;
        }
        place(edited, box.id, x, y);
    }
    return edited;
}

Result<Project> distributeItems(const Project& project, std::vector<ItemBox> boxes, bool horizontally) {
    if (const Status enough = checkBoxes(project, boxes, 3); !enough)
        return enough.error();
    const auto at = [horizontally](const ItemBox& b) { return horizontally ? b.x : b.y; };
    const auto length = [horizontally](const ItemBox& b) { return horizontally ? b.width : b.height; };
    std::stable_sort(boxes.begin(), boxes.end(),
                     [&](const ItemBox& a, const ItemBox& b) { return at(a) < at(b); });
    double room = at(boxes.back()) - at(boxes.front());
    for (std::size_t i = 0; i + 1 < boxes.size(); ++i)
        room -= length(boxes[i]);
    const double gap = room / static_cast<double>(boxes.size() - 1);
    Project edited = project;
    double next = at(boxes.front());
    for (const ItemBox& box : boxes) {
        if (&box != &boxes.back())
            place(edited, box.id, horizontally ? next : box.x, horizontally ? box.y : next);
        next += length(box) + gap;
    }
    return edited;
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
    const auto renamed = [](const std::string& id) { return "\x01" + id; };
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
