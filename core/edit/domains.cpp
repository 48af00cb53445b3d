// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/edit/domains.h"

#include "core/cluster/item_ids.h"
#include "core/edit/edit_detail.h"

#include <algorithm>
#include <utility>

namespace pw {

namespace {

NvlinkDomain* findDomain(Cluster& cluster, std::string_view id) {
    const auto at = std::ranges::find(cluster.nvlinkDomains, id, &NvlinkDomain::id);
    return at == cluster.nvlinkDomains.end() ? nullptr : &*at;
}

std::vector<const Node*> nodesAmong(const Cluster& cluster, const ItemIds& items) {
    std::vector<const Node*> nodes;
    for (const Node& node : cluster.nodes)
        if (items.contains(node.id))
            nodes.push_back(&node);
    return nodes;
}

// Whether any of them was in a domain.
bool takeOut(Cluster& cluster, const ItemIds& items) {
    ItemIds left; // domains
    for (NvlinkDomain& domain : cluster.nvlinkDomains)
        if (std::erase_if(domain.nodes, [&](const std::string& id) { return items.contains(id); }) > 0)
            left.insert(domain.id);
    std::erase_if(cluster.nvlinkDomains, [&](const NvlinkDomain& domain) {
        return domain.nodes.size() < 2 && left.contains(domain.id);
    });
    return !left.empty();
}

Status checkDomain(const Cluster& cluster, const NvlinkDomain& domain) {
    Cluster alone;
    alone.kinds = cluster.kinds;
    for (const Node* node : nodesAmong(cluster, {domain.nodes.begin(), domain.nodes.end()}))
        alone.nodes.push_back(*node);
    alone.nvlinkDomains = {domain};
    return edit_detail::checkItem(alone, domain.id);
}

// Node by node while the GPUs of a domain last.
std::vector<NvlinkDomain> dealt(const std::vector<const Node*>& nodes, const DomainWish& wish) {
    std::vector<NvlinkDomain> domains;
    int gpus = 0;
    for (const Node* node : nodes) {
        if (domains.empty() || (wish.gpus > 0 && gpus + node->gpus > wish.gpus)) {
            domains.push_back({{}, {}, wish.bandwidth, wish.latency});
            gpus = 0;
        }
        domains.back().nodes.push_back(node->id);
        gpus += node->gpus;
    }
    std::erase_if(domains, [](const NvlinkDomain& domain) { return domain.nodes.size() < 2; });
    return domains;
}

} // namespace

const NvlinkDomain* domainOf(const Cluster& cluster, std::string_view node) {
    for (const NvlinkDomain& domain : cluster.nvlinkDomains)
        if (std::ranges::find(domain.nodes, node) != domain.nodes.end())
            return &domain;
    return nullptr;
}

Result<Project> shareDomain(const Project& project, const ItemIds& items, const DomainWish& wish) {
    std::vector<NvlinkDomain> domains = dealt(nodesAmong(project.cluster, items), wish);
    if (domains.empty())
        return badInput("edit.domain", "", "an NVLink domain needs two nodes at least");
    Project edited = project;
    takeOut(edited.cluster, items);
    ItemIds taken = allIds(edited.cluster);
    const bool named = domains.size() == 1 && !wish.name.empty();
    if (named && taken.contains(wish.name))
        return edit_detail::nameTaken(wish.name);
    int next = 1;
    for (NvlinkDomain& domain : domains) {
        domain.id = named ? wish.name : takeNumbered(taken, wish.name.empty() ? "d" : wish.name, next);
        if (const Status sound = checkDomain(edited.cluster, domain); !sound)
            return sound.error();
        edited.cluster.nvlinkDomains.push_back(std::move(domain));
    }
    return edited;
}

Result<Project> joinDomain(const Project& project, const ItemIds& items, const std::string& domain) {
    Project edited = project;
    const NvlinkDomain* there = findDomain(edited.cluster, domain);
    if (there == nullptr)
        return edit_detail::unknownItem(domain);
    ItemIds added = items;
    for (const std::string& id : there->nodes)
        added.erase(id);
    takeOut(edited.cluster, added);
    NvlinkDomain& joined = *findDomain(edited.cluster, domain);
    for (const Node* node : nodesAmong(edited.cluster, added))
        joined.nodes.push_back(node->id);
    if (const Status sound = checkDomain(edited.cluster, joined); !sound)
        return sound.error();
    return edited;
}

Result<Project> leaveDomain(const Project& project, const ItemIds& items) {
    Project edited = project;
    if (!takeOut(edited.cluster, items))
        return badInput("edit.domain", "", "none of the chosen nodes is in an NVLink domain");
    return edited;
}

Result<Project> setDomain(const Project& project, const NvlinkDomain& domain) {
    Project edited = project;
    NvlinkDomain* target = findDomain(edited.cluster, domain.id);
    if (target == nullptr)
        return edit_detail::unknownItem(domain.id);
    target->bandwidth = domain.bandwidth;
    target->latency = domain.latency;
    if (const Status sound = checkDomain(edited.cluster, *target); !sound)
        return sound.error();
    return edited;
}

} // namespace pw
