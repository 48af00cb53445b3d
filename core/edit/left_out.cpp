// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cluster/cluster.h"
#include "core/edit/edit.h"
#include "core/problem/problem.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>

// What no plan may use, as a drawing is edited: by items that are chosen there.

namespace pw {

namespace {

// Of one node: its flags among those of all devices, and what of it is meant.
struct Part {
    const Node* node = nullptr;
    std::size_t first = 0;  // device
    std::vector<int> slots; // none: all of it
};

std::string deviceName(const Node& node, int slot) {
    return fmt::format("{}.g{}", node.id, slot);
}

// The nodes that these switches cut off: all of whose links lead to them.
ItemIds nodesBehind(const Cluster& cluster, const ItemIds& switches) {
    ItemIds behind;
    for (const Link& l : cluster.links)
        for (const std::string* end : {&l.a, &l.b})
            if (switches.contains(end == &l.a ? l.b : l.a))
                behind.insert(*end);
    if (behind.empty())
        return behind;
    for (const Link& l : cluster.links)
        for (const std::string* end : {&l.a, &l.b})
            if (!switches.contains(end == &l.a ? l.b : l.a))
                behind.erase(*end);
    std::erase_if(behind, [&](const std::string& id) { return !cluster.node(id); });
    return behind;
}

std::vector<Part> partsNamed(const Cluster& cluster, const ItemIds& items) {
    std::vector<Part> parts;
    std::size_t first = 0;
    for (const Node& node : cluster.nodes) {
        Part part{&node, first, {}};
        for (int slot = 0; slot < node.gpus; ++slot)
            if (items.contains(deviceName(node, slot)))
                part.slots.push_back(slot);
        if (items.contains(node.id))
            part.slots.clear();
        if (items.contains(node.id) || !part.slots.empty())
            parts.push_back(part);
        first += static_cast<std::size_t>(node.gpus);
    }
    return parts;
}

std::vector<Part> partsAmong(const Cluster& cluster, const ItemIds& items) {
    std::vector<Part> parts = partsNamed(cluster, items);
    return parts.empty() ? partsNamed(cluster, nodesBehind(cluster, items)) : parts;
}

using Names = std::set<std::string_view>;

Names namesIn(const std::vector<std::string>& list) {
    return {list.begin(), list.end()};
}

// Links and switches among the items, where these stand for no node: no node is cut off by the switches, or
// they are themselves what is left out.
std::vector<std::string> networkAmong(const Project& project, const ItemIds& items) {
    const Cluster& cluster = project.cluster;
    std::vector<std::string> names;
    if (!partsNamed(cluster, items).empty())
        return names;
    const Names out = namesIn(project.forbidden);
    bool itself = false;
    for (const Switch& item : cluster.switches)
        if (items.contains(item.id)) {
            names.push_back(item.id);
            itself = itself || out.contains(item.id);
        }
    if (!itself && !nodesBehind(cluster, items).empty())
        return {};
    for (const Link& link : cluster.links)
        if (items.contains(link.id))
            names.push_back(link.id);
    return names;
}

Result<Project> leaveNetworkOut(const Project& project, const std::vector<std::string>& list, bool out) {
    const Names names = namesIn(list);
    Project edited = project;
    std::erase_if(edited.forbidden, [&](const std::string& name) { return names.contains(name); });
    if (out) {
        edited.forbidden.insert(edited.forbidden.end(), list.begin(), list.end());
        return edited;
    }
    const std::vector<bool> closed = closedLinks(edited.cluster, edited.forbidden);
    for (std::size_t i = 0; i < closed.size(); ++i) {
        const Link& link = edited.cluster.links[i];
        if (!closed[i] || !names.contains(link.id))
            continue;
        const bool atA = edited.cluster.findSwitch(link.a) && namesIn(edited.forbidden).contains(link.a);
        return badInput("edit.leave_out", link.id,
                        {"is left out with {whole}, which stands among what is left out",
                         {{"whole", atA ? link.a : link.b}}});
    }
    return edited;
}

bool isOut(const Part& part, const std::vector<bool>& allowed) {
    const auto out = [&](int slot) { return !allowed[part.first + static_cast<std::size_t>(slot)]; };
    if (!part.slots.empty())
        return std::ranges::all_of(part.slots, out);
    for (int slot = 0; slot < part.node->gpus; ++slot)
        if (!out(slot))
            return false;
    return true;
}

// The names that stand for exactly this part, its node's devices among them.
std::vector<std::string> namesOf(const Part& part) {
    std::vector<std::string> names;
    if (part.slots.empty()) {
        names.push_back(part.node->id);
        for (int slot = 0; slot < part.node->gpus; ++slot)
            names.push_back(deviceName(*part.node, slot));
    }
    for (const int slot : part.slots)
        names.push_back(deviceName(*part.node, slot));
    return names;
}

void removeNames(std::vector<std::string>& from, const std::vector<std::string>& names) {
    std::erase_if(from, [&](const std::string& name) { return std::ranges::count(names, name) > 0; });
}

} // namespace

Result<Project> leaveOut(const Project& project, const ItemIds& items, bool out) {
    if (const std::vector<std::string> network = networkAmong(project, items); !network.empty())
        return leaveNetworkOut(project, network, out);
    const std::vector<Part> parts = partsAmong(project.cluster, items);
    if (parts.empty())
        return badInput("edit.leave_out", "selection",
                        "holds no node, GPU, switch or link that could be left out");
    Project edited = project;
    const std::vector<bool> before = allowedDevices(project.cluster, project.forbidden);
    for (const Part& part : parts) {
        if (out && isOut(part, before))
            continue;
        const std::vector<std::string> names = namesOf(part);
        removeNames(edited.forbidden, names);
        if (!out)
            continue;
        const auto named = part.slots.empty() ? names.begin() + 1 : names.end();
        edited.forbidden.insert(edited.forbidden.end(), names.begin(), named);
    }
    if (out)
        return edited;
    const std::vector<bool> after = allowedDevices(edited.cluster, edited.forbidden);
    for (const Part& part : parts)
        if (isOut(part, after)) {
            const bool byNode = std::ranges::count(edited.forbidden, part.node->id) > 0;
            return badInput("edit.leave_out", namesOf(part).front(),
                            {"is left out with {whole}, which stands among what is left out",
                             {{"whole", byNode ? part.node->id : part.node->kind}}});
        }
    return edited;
}

LeavingOut whatToLeaveOut(const Project& project, const ItemIds& items) {
    const std::size_t network = networkAmong(project, items).size();
    return {network > 0 ? 0 : partsAmong(project.cluster, items).size(), network};
}

bool areLeftOut(const Project& project, const ItemIds& items) {
    const std::vector<std::string> network = networkAmong(project, items);
    if (network.empty()) {
        const std::vector<Part> parts = partsAmong(project.cluster, items);
        const std::vector<bool> allowed = allowedDevices(project.cluster, project.forbidden);
        return !parts.empty() && std::ranges::all_of(parts, [&](const Part& p) { return isOut(p, allowed); });
    }
    Names out = namesIn(project.forbidden);
    const std::vector<bool> closed = closedLinks(project.cluster, project.forbidden);
    for (std::size_t i = 0; i < closed.size(); ++i)
        if (closed[i])
            out.insert(project.cluster.links[i].id);
    return std::ranges::all_of(network, [&](const std::string& name) { return out.contains(name); });
}

} // namespace pw
