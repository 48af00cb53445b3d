// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cluster/node_count.h"

#include <fmt/format.h>

#include <algorithm>

namespace pw {

std::string addNodeCopy(Cluster& cluster, const std::string& node) {
    const auto taken = [&cluster](const std::string& id) {
        return cluster.node(id) != nullptr || cluster.findSwitch(id) != nullptr ||
               cluster.link(id) != nullptr;
    };
    const auto fresh = [&taken](const std::string& id) {
        std::string name = id + "-extra";
        for (int i = 2; taken(name); ++i)
            name = fmt::format("{}-extra{}", id, i);
        return name;
    };
    Node copy = *cluster.node(node);
    copy.id = fresh(node);
    const std::size_t links = cluster.links.size();
    for (std::size_t i = 0; i < links; ++i) {
        Link link = cluster.links[i];
        if (link.a != node && link.b != node)
            continue;
        link.id = fresh(link.id);
        (link.a == node ? link.a : link.b) = copy.id;
        cluster.links.push_back(std::move(link));
    }
    cluster.nodes.push_back(std::move(copy));
    return cluster.nodes.back().id;
}

void removeNodes(Cluster& cluster, const std::set<std::string, std::less<>>& ids) {
    const auto gone = [&ids](const std::string& id) { return ids.contains(id); };
    std::erase_if(cluster.nodes, [&](const Node& node) { return gone(node.id); });
    std::erase_if(cluster.links, [&](const Link& link) { return gone(link.a) || gone(link.b); });
    for (NvlinkDomain& domain : cluster.nvlinkDomains)
        std::erase_if(domain.nodes, gone);
    std::erase_if(cluster.nvlinkDomains, [](const NvlinkDomain& domain) { return domain.nodes.empty(); });
}

Status setNodeCount(Cluster& cluster, std::string_view kind, std::size_t count) {
    const DeviceKind* wanted = findKind(cluster, kind);
    std::vector<std::string> drawn;
    for (const Node& node : cluster.nodes)
        if (const DeviceKind* own = findKind(cluster, node.kind);
            wanted != nullptr && own != nullptr && own->name == wanted->name)
            drawn.push_back(node.id);
    if (wanted != nullptr && count == 0 && drawn.empty())
        return Ok{};
    if (drawn.empty())
        return badInput("cluster.node_count", std::string(kind),
                        {"is the kind of no node of {cluster}", {{"cluster", cluster.name}}});
    if (count <= drawn.size()) {
        removeNodes(cluster, {drawn.begin() + static_cast<std::ptrdiff_t>(count), drawn.end()});
        return Ok{};
    }
    for (const NvlinkDomain& domain : cluster.nvlinkDomains)
        if (std::find(domain.nodes.begin(), domain.nodes.end(), drawn.front()) != domain.nodes.end())
            return badInput("cluster.node_count", std::string(kind),
                            {"has {count} nodes in NVLink domains; more of them have to be drawn",
                             {{"count", drawn.size()}}});
    for (std::size_t n = drawn.size(); n < count; ++n)
        addNodeCopy(cluster, drawn.front());
    return Ok{};
}

} // namespace pw
