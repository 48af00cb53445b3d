// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/edit/edit.h"

#include "core/cluster/item_ids.h"
#include "core/edit/edit_detail.h"

#include "core/cluster/network_kind.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>

// Links between nodes and switches: which may be, what a new one is like, and where one leads.

namespace pw {

std::string edit_detail::takeLinkId(ItemIds& taken, const std::string& a, const std::string& b) {
    std::string id = a + '-' + b;
    for (int copy = 2; !taken.insert(id).second; ++copy)
        id = fmt::format("{}-{}-{}", a, b, copy);
    return id;
}

bool edit_detail::isOwnName(const Link& link) {
    const std::string plain = link.a + '-' + link.b;
    if (!link.id.starts_with(plain))
        return false;
    const std::string_view rest = std::string_view(link.id).substr(plain.size());
    if (rest.empty())
        return true;
    const auto digit = [](char c) { return c >= '0' && c <= '9'; };
    return rest.size() > 1 && rest[0] == '-' && rest[1] != '0' && rest != "-1" &&
           std::all_of(rest.begin() + 1, rest.end(), digit);
}

namespace {

constexpr BytesPerSecond kCable{12.5e9}, kInfiniBandCable{25e9}; // 100 and 200 Gbit/s

// Of each switch, what its links to the same sort of end have in common: to nodes of a kind and size, to
// nodes, or to switches. Every link is looked at once, however many are added to the drawing.
class LinksOfSwitches {
public:
    explicit LinksOfSwitches(const Cluster& cluster) {
        for (const Switch& s : cluster.switches)
            m_sorts.emplace(s.id, kSwitch);
        for (const Node& node : cluster.nodes)
            m_sorts.emplace(node.id, node.kind + '\n' + std::to_string(node.gpus));
        for (const Link& link : cluster.links)
            add(link);
    }

    void add(const Link& link) {
        for (const auto& [hub, other] : {std::pair(&link.a, &link.b), std::pair(&link.b, &link.a)})
            if (isSwitch(*hub))
                for (const std::string& sort : sortsOf(*other))
                    if (const auto [at, isFirst] = m_common.try_emplace({*hub, sort}, Common{link}); !isFirst)
                        at->second.meet(link);
    }

    // Figure by figure that goes for one more: as the nodes like it have it, else as all nodes; between two
    // switches the links of `b` come first.
    void lead(Link& link) const {
        for (const auto& [hub, other] : {std::pair(&link.b, &link.a), std::pair(&link.a, &link.b)})
            if (isSwitch(*hub))
                for (const std::string& sort : sortsOf(*other))
                    if (const auto at = m_common.find({*hub, sort}); at != m_common.end())
                        return at->second.giveTo(link);
    }

private:
    struct Common {
        Link first;
        bool bandwidth = true, lanes = true, latency = true, efficiency = true; // all have that of the first

        void meet(const Link& link) {
            bandwidth = bandwidth && link.bandwidth == first.bandwidth;
            lanes = lanes && link.lanes == first.lanes;
            latency = latency && link.latency == first.latency;
            efficiency = efficiency && link.efficiency == first.efficiency;
        }
        void giveTo(Link& link) const {
            if (bandwidth)
                link.bandwidth = first.bandwidth;
            if (lanes)
                link.lanes = first.lanes;
            if (latency)
                link.latency = first.latency;
            if (efficiency)
                link.efficiency = first.efficiency;
        }
    };
    static constexpr const char* kSwitch = "switch";
    static constexpr const char* kNode = "node";

    bool isSwitch(const std::string& id) const {
        const auto at = m_sorts.find(id);
        return at != m_sorts.end() && at->second == kSwitch;
    }
    // Of an end, the narrowest first.
    std::vector<std::string> sortsOf(const std::string& id) const {
        const auto at = m_sorts.find(id);
        if (at == m_sorts.end())
            return {};
        return at->second == kSwitch ? std::vector<std::string>{kSwitch}
                                     : std::vector<std::string>{at->second, kNode};
    }

    std::unordered_map<std::string, std::string> m_sorts; // by id: switch, or kind and GPUs of a node
    std::map<std::pair<std::string, std::string>, Common> m_common; // switch, sort of the other end
};

void appendLink(Project& edited, ItemIds& taken, LinksOfSwitches& others, const std::string& a,
                const std::string& b) {
    Link link;
    link.id = edit_detail::takeLinkId(taken, a, b);
    link.a = a;
    link.b = b;
    // Between two switches the slower medium decides: there is no InfiniBand cable into an Ethernet port.
    const std::string_view medium = mediumOf(edited.cluster, link);
    link.bandwidth = medium == "InfiniBand" ? kInfiniBandCable : kCable;
    link.latency = usualLatency(medium);
    link.efficiency = usableShare(ConstantSet::builtin().comm(), medium);
    others.lead(link);
    others.add(link);
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
    ItemIds taken = allIds(edited.cluster);
    LinksOfSwitches others(project.cluster);
    std::optional<Error> refused;
    for (const std::string& end : from)
        if (Wording why = linkRefusal(edited.cluster, end, to); why.message.empty())
            appendLink(edited, taken, others, end, to);
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
        if (edit_detail::isOwnName(*found)) {
            ItemIds taken = allIds(rest);
            moved.id = edit_detail::takeLinkId(taken, moved.a, moved.b);
        }
        std::ranges::replace(edited.forbidden, found->id, moved.id); // what is left out stays so
        *found = std::move(moved);
    }
    if (movedId != nullptr)
        *movedId = found->id;
    return edited;
}

} // namespace pw
