// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/edit/edit.h"

#include "core/edit/edit_detail.h"

#include "core/cluster/network_kind.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

// Links between nodes and switches: which may be, what a new one is like, and where one leads.

namespace pw {

std::string edit_detail::takeLinkId(ItemIds& taken, const std::string& a, const std::string& b) {
    std::string id = a + '-' + b;
    for (int copy = 2; !taken.insert(id).second; ++copy)
        id = fmt::format("{}-{}-{}", a, b, copy);
    return id;
}

namespace {

struct LinkDefaults {
    double bandwidth; // bytes per second of one lane and direction, line rate
    double latency;   // seconds
};
constexpr LinkDefaults kEthernet{12.5e9, 20e-6}; // 100 Gbit/s
constexpr LinkDefaults kInfiniBand{25e9, 5e-6};  // 200 Gbit/s

bool isInfiniBand(const Cluster& cluster, std::string_view id) {
    const Switch* s = cluster.findSwitch(id);
    return s != nullptr && s->medium == "InfiniBand";
}

// Of the links that the switch has, those to the same sort of end: to nodes, or to switches.
std::vector<const Link*> linksLike(const Cluster& cluster, std::string_view hub, bool toSwitch) {
    std::vector<const Link*> alike;
    for (const Link& l : cluster.links)
        if ((l.a == hub || l.b == hub) && (cluster.findSwitch(l.a == hub ? l.b : l.a) != nullptr) == toSwitch)
            alike.push_back(&l);
    return alike;
}

// What those have in common, figure by figure, goes for one more; between two switches those of `b` come
// first.
void followOthers(const Cluster& cluster, Link& link) {
    for (const auto& [hub, other] : {std::pair(&link.b, &link.a), std::pair(&link.a, &link.b)}) {
        if (cluster.findSwitch(*hub) == nullptr)
            continue;
        const std::vector<const Link*> others =
            linksLike(cluster, *hub, cluster.findSwitch(*other) != nullptr);
        if (others.empty())
            continue;
        const auto take = [&](auto figure) {
            const auto same = [&](const Link* l) { return l->*figure == others.front()->*figure; };
            if (std::all_of(others.begin(), others.end(), same))
                link.*figure = others.front()->*figure;
        };
        take(&Link::bandwidth);
        take(&Link::lanes);
        take(&Link::latency);
        take(&Link::efficiency);
        return;
    }
}

void appendLink(Project& edited, ItemIds& taken, const std::string& a, const std::string& b) {
    // Between two switches the slower medium decides: there is no InfiniBand cable into an Ethernet port.
    bool infiniBand = isInfiniBand(edited.cluster, a) || isInfiniBand(edited.cluster, b);
    for (const std::string& end : {a, b})
        if (edited.cluster.findSwitch(end) != nullptr && !isInfiniBand(edited.cluster, end))
            infiniBand = false;
    const LinkDefaults& cable = infiniBand ? kInfiniBand : kEthernet;
    Link link;
    link.id = edit_detail::takeLinkId(taken, a, b);
    link.a = a;
    link.b = b;
    link.bandwidth = BytesPerSecond(cable.bandwidth);
    link.latency = Seconds(cable.latency);
    link.efficiency = usableShare(ConstantSet::builtin().comm(), mediumOf(edited.cluster, link));
    followOthers(edited.cluster, link);
    edited.cluster.links.push_back(std::move(link));
}

} // namespace

Wording linkRefusal(const Cluster& cluster, std::string_view a, std::string_view b) {
    for (const std::string_view end : {a, b})
        if (cluster.node(end) == nullptr && cluster.findSwitch(end) == nullptr)
            return {"there is no node or switch called \"{item}\"", {{"item", end}}};
    if (a == b)
        return {"{item} cannot be linked to itself", {{"item", a}}};
    for (const Link& l : cluster.links)
        if ((l.a == a && l.b == b) || (l.a == b && l.b == a))
            return {"{a} and {b} are already linked; give the link more lanes instead", {{"a", a}, {"b", b}}};
    return {};
}

Result<Project> addLink(const Project& project, const std::string& a, const std::string& b) {
    return addLinks(project, {a}, b);
}

Result<Project> addLinks(const Project& project, const std::vector<std::string>& from,
                         const std::string& to) {
    Project edited = project;
    ItemIds taken = edit_detail::allIds(edited.cluster);
    std::optional<Error> refused;
    for (const std::string& end : from)
        if (Wording why = linkRefusal(edited.cluster, end, to); why.message.empty())
            appendLink(edited, taken, end, to);
        else if (!refused)
            refused = badInput("edit.link", end, std::move(why));
    if (refused && edited.cluster.links.size() == project.cluster.links.size())
        return *std::move(refused);
    return edited;
}

Result<Project> moveLinkEnd(const Project& project, const std::string& link, const std::string& from,
                            const std::string& to, std::string* movedId) {
    Project edited = project;
    std::vector<Link>& links = edited.cluster.links;
    const auto found = std::find_if(links.begin(), links.end(), [&](const Link& l) { return l.id == link; });
    if (found == links.end())
        return edit_detail::unknownItem(link);
    if (found->a != from && found->b != from)
        return edit_detail::unknownItem(from);
    if (to != from) {
        Link moved = *found;
        (moved.a == from ? moved.a : moved.b) = to;
        Cluster rest = project.cluster; // the link itself is not in the way
        std::erase_if(rest.links, [&](const Link& l) { return l.id == link; });
        if (Wording why = linkRefusal(rest, moved.a, moved.b); !why.message.empty())
            return badInput("edit.link", link, std::move(why));
        if (moved.id == found->a + '-' + found->b) {
            ItemIds taken = edit_detail::allIds(rest);
            moved.id = edit_detail::takeLinkId(taken, moved.a, moved.b);
        }
        *found = std::move(moved);
    }
    if (movedId != nullptr)
        *movedId = found->id;
    return edited;
}

} // namespace pw
