// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/edit/edit.h"

#include "core/cluster/item_ids.h"
#include "core/edit/edit_detail.h"

#include "core/cluster/drawing_room.h"
#include "core/cluster/host_name.h"
#include "core/cluster/network_kind.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace pw {

namespace edit_detail {

Status checkItem(const Cluster& part, const std::string& id) {
    Diagnostics found = checkCluster(part);
    std::erase_if(found, [&id](const Diagnostic& d) { return d.where != id; });
    return statusOf(found);
}

Error nameTaken(const std::string& name) {
    return badInput("edit.name", name, {"the name {name} is taken", {{"name", name}}});
}

} // namespace edit_detail

using edit_detail::checkItem;
using edit_detail::pruneForbidden;
using edit_detail::takeLinkId;
using edit_detail::unknownItem;

namespace {

constexpr double kSceneLimit = 1e7; // what a cluster file may hold, and far beyond what can be drawn
constexpr int kMaxGpus = 131072;

template <class Item>
Item* find(std::vector<Item>& items, std::string_view id) {
    const auto at = std::find_if(items.begin(), items.end(), [id](const Item& i) { return i.id == id; });
    return at == items.end() ? nullptr : &*at;
}

Status checkKnown(const Cluster& cluster, const ItemIds& items) {
    const ItemIds known = allIds(cluster);
    for (const std::string& id : items)
        if (!known.contains(id))
            return unknownItem(id);
    return Ok{};
}

bool onScene(Point p) {
    return std::abs(p.x) <= kSceneLimit && std::abs(p.y) <= kSceneLimit; // false for NaN
}

Error offScene(const std::string& id) {
    return badInput("edit.position", id,
                    {"the position is off the drawing; expected within {limit} px of its origin",
                     {{"limit", fmt::format("{:.0f}", kSceneLimit)}}});
}

Status checkGpuCount(const Cluster& cluster) {
    if (const int gpus = cluster.gpuCount(); gpus > kMaxGpus)
        return badInput("edit.gpus", "",
                        {"the cluster would have {gpus} GPUs; expected at most {limit}",
                         {{"gpus", gpus}, {"limit", kMaxGpus}}});
    return Ok{};
}

} // namespace

Result<Project> addNodes(const Project& project, const std::string& kind, int gpusPerNode, int count,
                         Point at) {
    const DeviceKind* known = findKind(project.cluster, kind);
    if (known == nullptr)
        return badInput("edit.kind", kind, {"\"{kind}\" is no known device kind", {{"kind", kind}}});
    if (count < 1 || count > kMaxGpus || gpusPerNode < 1 || gpusPerNode > 1024)
        return badInput(
            "edit.count", "",
            {"{nodes} nodes of {gpus} GPUs; expected at least one of each, and at most 1024 GPUs a node",
             {{"nodes", count}, {"gpus", gpusPerNode}}});
    Project edited = project;
    ItemIds taken = allIds(edited.cluster);
    int next = 1;
    const int columns = static_cast<int>(std::ceil(std::sqrt(count)));
    for (int i = 0; i < count; ++i) {
        Node node;
        node.id = takeNumbered(taken, "n", next);
        node.kind = known->name;
        node.gpus = gpusPerNode;
        const int row = i / columns;
        node.at = {at.x + kNodeStep * (i % columns), at.y + nodeRoom(gpusPerNode) * row};
        if (!onScene(node.at))
            return offScene(node.id);
        edited.cluster.nodes.push_back(std::move(node));
    }
    if (const Status fits = checkGpuCount(edited.cluster); !fits)
        return fits.error();
    return edited;
}

Result<Project> addSwitch(const Project& project, const std::string& medium, Point at) {
    if (medium.empty())
        return badInput("edit.medium", "", "a switch needs a medium, such as Ethernet or InfiniBand");
    Project edited = project;
    ItemIds taken = allIds(edited.cluster);
    int next = 1;
    std::string id = takeNumbered(taken, "s", next);
    if (!onScene(at))
        return offScene(id);
    edited.cluster.switches.push_back({std::move(id), medium, at});
    return edited;
}

Result<Project> moveItems(const Project& project, const ItemIds& items, double dx, double dy) {
    if (const Status known = checkKnown(project.cluster, items); !known)
        return known.error();
    Project edited = project;
    std::string lost;
    const auto shift = [&](auto& list) {
        for (auto& item : list)
            if (items.contains(item.id) && !project.annotations.locked.contains(item.id)) {
                item.at = {item.at.x + dx, item.at.y + dy};
                if (!onScene(item.at))
                    lost = item.id;
            }
    };
    shift(edited.cluster.nodes); // links follow their ends
    shift(edited.cluster.switches);
    if (!lost.empty())
        return offScene(lost);
    return edited;
}

Result<Project> removeItems(const Project& project, const ItemIds& items) {
    if (const Status known = checkKnown(project.cluster, items); !known)
        return known.error();
    for (const std::string& id : items)
        if (project.annotations.locked.contains(id))
            return badInput("edit.locked", id, {"{item} is locked; unlock it first", {{"item", id}}});
    Project edited = project;
    Cluster& cluster = edited.cluster;
    const auto named = [&items](const auto& item) { return items.contains(item.id); };
    std::erase_if(cluster.nodes, named);
    std::erase_if(cluster.switches, named);
    std::erase_if(cluster.links,
                  [&](const Link& l) { return named(l) || items.contains(l.a) || items.contains(l.b); });
    for (NvlinkDomain& domain : cluster.nvlinkDomains)
        std::erase_if(domain.nodes, [&](const std::string& node) { return items.contains(node); });
    std::erase_if(cluster.nvlinkDomains, [&](const NvlinkDomain& d) { return named(d) || d.nodes.empty(); });
    pruneForbidden(edited);
    edit_detail::pruneAnnotations(edited);
    return edited;
}

namespace {

// How copies are called: as what they are copies of, by a number behind it and of as many digits. What comes
// from elsewhere keeps its name where that is free.
class CopyNames {
public:
    explicit CopyNames(ItemIds& taken) : m_taken(taken) {}
    std::string of(const std::string& id) {
        const std::string own = id.substr(id.starts_with(edit_detail::kStranger) ? 1 : 0);
        if (m_taken.insert(own).second)
            return own;
        constexpr std::size_t kMostDigits = 8;
        const std::size_t digits = std::min(own.size() - 1 - own.find_last_not_of("0123456789"), kMostDigits);
        const std::string stem = own.substr(0, own.size() - digits);
        const int behind = digits > 0 ? std::stoi(own.substr(stem.size())) + 1 : 1;
        return takeNumbered(m_taken, stem, m_next.try_emplace(stem, behind).first->second,
                            std::max(1, static_cast<int>(digits)));
    }

private:
    ItemIds& m_taken;
    std::map<std::string, int> m_next; // by what stands in front of the number
};

} // namespace

Result<Project> duplicateItems(const Project& project, const ItemIds& items, double dx, double dy,
                               ItemIds* copies) {
    if (const Status known = checkKnown(project.cluster, items); !known)
        return known.error();
    Project edited = project;
    Cluster& cluster = edited.cluster;
    ItemIds taken = allIds(cluster);
    ItemIds made;
    std::map<std::string, std::string> copyOf;
    int nextDomain = 1;
    CopyNames names(taken);
    // In file order, so that the copies of a row of nodes are numbered like the row.
    const auto copyAll = [&](const auto& originals, auto& into) {
        for (auto item : originals) {
            if (!items.contains(item.id))
                continue;
            std::string id = names.of(item.id);
            copyOf.emplace(item.id, id);
            made.insert(id);
            item.id = std::move(id);
            item.at = {item.at.x + dx, item.at.y + dy};
            into.push_back(std::move(item));
        }
    };
    copyAll(project.cluster.nodes, cluster.nodes);
    copyAll(project.cluster.switches, cluster.switches);
    if (copyOf.empty())
        return badInput("edit.copy", "",
                        "links alone cannot be copied; select the nodes and switches at their ends");
    for (Link link : project.cluster.links) {
        const auto a = copyOf.find(link.a), b = copyOf.find(link.b);
        if (a == copyOf.end() || b == copyOf.end())
            continue;
        link.a = a->second;
        link.b = b->second;
        link.id = takeLinkId(taken, link.a, link.b);
        made.insert(link.id);
        cluster.links.push_back(std::move(link));
    }
    for (NvlinkDomain domain : project.cluster.nvlinkDomains) { // those that are copied whole
        const auto copied = [&](const std::string& node) { return copyOf.contains(node); };
        if (!std::all_of(domain.nodes.begin(), domain.nodes.end(), copied))
            continue;
        for (std::string& node : domain.nodes)
            node = copyOf.at(node);
        domain.id = takeNumbered(taken, "d", nextDomain);
        cluster.nvlinkDomains.push_back(std::move(domain));
    }
    for (const std::string& id : made) {
        const Node* node = cluster.node(id);
        const Switch* item = cluster.findSwitch(id);
        if ((node != nullptr && !onScene(node->at)) || (item != nullptr && !onScene(item->at)))
            return offScene(id);
    }
    if (const Status fits = checkGpuCount(cluster); !fits)
        return fits.error();
    if (copies != nullptr)
        *copies = std::move(made);
    return edited;
}

Result<Project> setNode(const Project& project, const Node& node) {
    Project edited = project;
    Node* target = find(edited.cluster.nodes, node.id);
    if (target == nullptr)
        return unknownItem(node.id);
    Cluster alone;
    alone.kinds = project.cluster.kinds;
    alone.nodes = {node};
    if (const Status sound = checkItem(alone, node.id); !sound)
        return sound.error();
    if (!onScene(node.at))
        return offScene(node.id);
    *target = node;
    if (const Status fits = checkGpuCount(edited.cluster); !fits)
        return fits.error();
    pruneForbidden(edited);
    return edited;
}

Result<Project> setSwitch(const Project& project, const Switch& item) {
    Project edited = project;
    Switch* target = find(edited.cluster.switches, item.id);
    if (target == nullptr)
        return unknownItem(item.id);
    if (item.medium.empty())
        return badInput("edit.medium", item.id, "a switch needs a medium, such as Ethernet or InfiniBand");
    if (!onScene(item.at))
        return offScene(item.id);
    // Links that have what is usual for the medium follow it.
    const CommConstants& constants = ConstantSet::builtin().comm();
    struct Usual {
        bool share, latency;
    };
    std::vector<Usual> usual;
    for (const Link& link : edited.cluster.links) {
        const std::string_view medium = mediumOf(edited.cluster, link);
        usual.push_back(
            {link.efficiency == usableShare(constants, medium), link.latency == usualLatency(medium)});
    }
    *target = item;
    for (std::size_t i = 0; i < usual.size(); ++i) {
        Link& link = edited.cluster.links[i];
        const std::string_view medium = mediumOf(edited.cluster, link);
        if (usual[i].share)
            link.efficiency = usableShare(constants, medium);
        if (usual[i].latency)
            link.latency = usualLatency(medium);
    }
    return edited;
}

Result<Project> setLinks(const Project& project, const std::vector<Link>& links) {
    Project edited = project;
    for (const Link& link : links) {
        Link* target = find(edited.cluster.links, link.id);
        if (target == nullptr)
            return unknownItem(link.id);
        if (target->a != link.a || target->b != link.b)
            return badInput("edit.link", link.id,
                            "the ends of a link cannot be changed; remove it and draw another");
        Cluster alone;
        alone.switches = {{link.a, "Ethernet", {}}, {link.b, "Ethernet", {}}};
        alone.links = {link};
        if (const Status sound = checkItem(alone, link.id); !sound)
            return sound.error();
        *target = link;
    }
    return edited;
}

Result<Project> renameItem(const Project& project, const std::string& id, const std::string& newId) {
    return renameItems(project, {{id, newId}});
}

Result<Project> renameItems(const Project& project, const NewNames& names) {
    Project edited = project;
    Cluster& cluster = edited.cluster;
    ItemIds taken = allIds(cluster);
    for (const auto& [id, newId] : names) {
        if (!taken.contains(id))
            return unknownItem(id);
        if (newId.empty())
            return badInput("cluster.id_empty", id, "the name is empty");
        Cluster alone; // the check knows what a name may look like, of whatever it is
        alone.switches = {{newId, "Ethernet", {}}};
        if (const Status sound = checkItem(alone, newId); newId != id && !sound) {
            Error why = sound.error();
            why.where = id;
            return why;
        }
        if (newId != id && !taken.insert(newId).second)
            return edit_detail::nameTaken(newId);
    }
    const auto rename = [&names](std::string& id) {
        const auto at = names.find(id);
        if (at != names.end())
            id = at->second;
        return at != names.end();
    };
    // Of items that share a name the first one is renamed, so that each can have its own again.
    NewNames left = names;
    const auto renameFirst = [&](std::string& id) {
        const auto at = left.find(id);
        const bool is = at != left.end();
        if (is) {
            id = at->second;
            left.erase(at);
        }
        return is;
    };
    std::set<const Link*> given;                 // another name by this
    std::map<std::string, std::string> ownNames; // of links, by the old ones
    for (Link& link : cluster.links)
        if (renameFirst(link.id))
            given.insert(&link);
    for (NvlinkDomain& domain : cluster.nvlinkDomains) {
        renameFirst(domain.id);
        for (std::string& node : domain.nodes)
            rename(node);
    }
    for (Node& node : cluster.nodes)
        renameFirst(node.id);
    for (Switch& item : cluster.switches)
        renameFirst(item.id);
    for (Link& link : cluster.links) {
        const bool ownName = !given.contains(&link) && edit_detail::isOwnName(link);
        const bool moved = static_cast<int>(rename(link.a)) + static_cast<int>(rename(link.b)) > 0;
        if (ownName && moved) {
            std::string own = takeLinkId(taken, link.a, link.b);
            ownNames.emplace(link.id, own);
            link.id = std::move(own);
        }
    }
    edit_detail::renameAnnotated(edited, names);
    for (std::string& name : edited.forbidden) {
        const auto link = ownNames.find(name);
        name = link != ownNames.end() ? link->second : edit_detail::renamed(names, name);
    }
    edit_detail::renameInPlans(project, edited, names);
    return edited;
}

Result<Project> nameForHosts(const Project& project, const ItemIds& items) {
    NewNames names;
    ItemIds taken = allIds(project.cluster);
    std::map<std::string, int> next; // number of a name that is taken: thousands may come to the same
    for (const std::string& id : items) {
        if (isHostName(id))
            continue;
        const std::string plain = hostNameLike(id);
        std::string name = plain;
        for (int& number = next.try_emplace(plain, 1).first->second; !taken.insert(name).second;)
            name = fmt::format("{}-{}", plain, ++number);
        names.emplace(id, std::move(name));
    }
    return renameItems(project, names);
}

Result<Project> nameForHosts(const Project& project) {
    ItemIds nodes;
    for (const Node& node : project.cluster.nodes)
        nodes.insert(node.id);
    return nameForHosts(project, nodes);
}

} // namespace pw
