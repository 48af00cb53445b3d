// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cluster/node_count.h"

#include "core/cluster/item_ids.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

namespace pw {

namespace {

// Names that no item of a cluster has: "n1-extra", "n1-extra2", ...
class FreshNames {
public:
    explicit FreshNames(const Cluster& cluster) : m_taken(allIds(cluster)) {}
    std::string next(const std::string& id) {
        const std::string first = id + "-extra";
        int& number = m_next.try_emplace(id, 2).first->second;
        return m_taken.insert(first).second ? first : takeNumbered(m_taken, first, number);
    }

private:
    std::set<std::string> m_taken;
    std::map<std::string, int> m_next; // the number from which on none was tried
};

std::string deviceId(const std::string& node, int slot) { // as Topology has it
    return fmt::format("{}.g{}", node, slot);
}

std::string addNodeCopies(Cluster& cluster, const std::string& node, std::size_t count,
                          std::vector<std::string>* forbidden) {
    FreshNames names(cluster);
    const std::set<std::string> closed =
        forbidden ? std::set(forbidden->begin(), forbidden->end()) : std::set<std::string>();
    std::vector<Link> own;
    for (const Link& link : cluster.links)
        if (link.a == node || link.b == node)
            own.push_back(link);
    const Node drawn = *cluster.node(node);
    std::vector<int> closedSlots;
    for (int slot = 0; slot < drawn.gpus; ++slot)
        if (closed.contains(deviceId(node, slot)))
            closedSlots.push_back(slot);
    for (std::size_t n = 0; n < count; ++n) {
        Node copy = drawn;
        copy.id = names.next(node);
        for (const int slot : closedSlots)
            forbidden->push_back(deviceId(copy.id, slot));
        for (Link link : own) {
            const bool isClosed = closed.contains(link.id);
            link.id = names.next(link.id);
            if (isClosed)
                forbidden->push_back(link.id);
            (link.a == node ? link.a : link.b) = copy.id;
            cluster.links.push_back(std::move(link));
        }
        cluster.nodes.push_back(std::move(copy));
    }
    return cluster.nodes.back().id;
}

} // namespace

std::string addNodeCopy(Cluster& cluster, const std::string& node, std::vector<std::string>* forbidden) {
    return addNodeCopies(cluster, node, 1, forbidden);
}

void removeNodes(Cluster& cluster, const std::set<std::string, std::less<>>& ids) {
    const auto gone = [&ids](const std::string& id) { return ids.contains(id); };
    std::erase_if(cluster.nodes, [&](const Node& node) { return gone(node.id); });
    std::erase_if(cluster.links, [&](const Link& link) { return gone(link.a) || gone(link.b); });
    for (NvlinkDomain& domain : cluster.nvlinkDomains)
        std::erase_if(domain.nodes, gone);
    std::erase_if(cluster.nvlinkDomains, [](const NvlinkDomain& domain) { return domain.nodes.empty(); });
}

Status setNodeCount(Cluster& cluster, std::string_view kind, std::size_t count,
                    std::vector<std::string>* forbidden) {
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
    addNodeCopies(cluster, drawn.front(), count - drawn.size(), forbidden);
    return Ok{};
}

} // namespace pw
