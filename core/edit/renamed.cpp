// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/edit/edit.h"

#include "core/base/json.h"
#include "core/edit/edit_detail.h"

#include <nlohmann/json.hpp>

#include <string_view>
#include <unordered_map>

namespace pw {
namespace {

using Places = std::unordered_map<std::string, std::string>;

// The name of a device, "n1.g3", by the map of its node's; others stay.
template <class Names>
std::string mappedDevice(const Names& names, const std::string& name) {
    const std::size_t dot = name.rfind(".g");
    const auto node = dot == std::string::npos ? names.end() : names.find(name.substr(0, dot));
    return node == names.end() ? name : node->second + name.substr(dot);
}

// Likewise, and that of a node or switch itself.
template <class Names>
std::string mapped(const Names& names, const std::string& name) {
    const auto whole = names.find(name);
    return whole == names.end() ? mappedDevice(names, name) : whole->second;
}

// What the project says of its drawing, with every name replaced by the place of its item.
struct Nameless {
    Cluster cluster;
    std::vector<std::string> forbidden;
    bool operator==(const Nameless&) const = default;
};

Nameless nameless(const Project& project) {
    Nameless result{project.cluster, project.forbidden};
    Places names;
    const auto replace = [&](auto& items, std::string_view prefix) {
        for (std::size_t i = 0; i < items.size(); ++i) {
            const std::string place = std::string(prefix) + std::to_string(i);
            names.emplace(items[i].id, place);
            items[i].id = place;
        }
    };
    replace(result.cluster.nodes, "node ");
    replace(result.cluster.switches, "switch ");
    replace(result.cluster.nvlinkDomains, "domain ");
    for (NvlinkDomain& domain : result.cluster.nvlinkDomains)
        for (std::string& node : domain.nodes)
            node = mapped(names, node);
    for (std::size_t i = 0; i < result.cluster.links.size(); ++i) {
        Link& link = result.cluster.links[i];
        names.emplace(link.id, "link " + std::to_string(i));
        link.id.clear();
        link.a = mapped(names, link.a);
        link.b = mapped(names, link.b);
    }
    for (std::string& name : result.forbidden)
        name = mapped(names, name);
    return result;
}

// Device names stand alone in an entry, in lists and as values; what only mentions one is a sentence, and a
// node may well be called "full", as a way of recomputing is.
void renameDevices(Json& value, const NewNames& names) {
    if (value.is_string())
        value = mappedDevice(names, value.get<std::string>());
    else if (value.is_structured())
        for (Json& part : value)
            renameDevices(part, names);
}

} // namespace

bool differInNamesOnly(const Project& a, const Project& b) {
    return a.cluster != b.cluster && a.model == b.model && a.recipe == b.recipe && a.profiles == b.profiles &&
           a.cluster.nodes.size() == b.cluster.nodes.size() && nameless(a) == nameless(b);
}

NodeNames renamedNodes(const Project& a, const Project& b) {
    NodeNames names;
    for (std::size_t i = 0; i < a.cluster.nodes.size(); ++i)
        if (const std::string& was = a.cluster.nodes[i].id, &is = b.cluster.nodes[i].id; was != is)
            names.emplace(was, is);
    return names;
}

std::string edit_detail::renamed(const NewNames& names, const std::string& name) {
    return mapped(names, name);
}

void edit_detail::renameInPlans(const Project& before, Project& edited, const NewNames& names) {
    if (edited.plans.empty() && !edited.search)
        return;
    const auto asked = problemOf(before), now = problemOf(edited);
    if (!asked || !now)
        return; // what asks nothing has no plans that answer it
    const std::string &from = (*asked)->hash(), &to = (*now)->hash();
    for (KeptPlan& kept : edited.plans) {
        Result<Json> entry = parseJson(kept.entry, kept.name);
        if (kept.problemHash != from || !entry)
            continue;
        renameDevices(*entry, names);
        kept.entry = entry->dump();
        kept.problemHash = to;
    }
    if (edited.search && edited.search->problemHash == from)
        edited.search->problemHash = to;
}

} // namespace pw
