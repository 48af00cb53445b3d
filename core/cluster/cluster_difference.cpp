// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cluster/cluster_difference.h"

#include "core/base/units.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>

namespace pw {

namespace {

// Those of both by their ids, and how many stand in one alone.
template <class Item>
struct Pairs {
    std::vector<std::pair<const Item*, const Item*>> both;
    bool othersThere = false; // as many of each, and not the same
};

template <class Item>
Pairs<Item> pairsOf(const std::vector<Item>& a, const std::vector<Item>& b) {
    std::map<std::string_view, const Item*> byId;
    for (const Item& item : a)
        byId.emplace(item.id, &item);
    Pairs<Item> pairs;
    for (const Item& item : b)
        if (const auto found = byId.find(item.id); found != byId.end())
            pairs.both.emplace_back(found->second, &item);
    pairs.othersThere = a.size() == b.size() && pairs.both.size() < a.size();
    return pairs;
}

// One by its name, several by their number.
void addCount(std::vector<Wording>& list, const std::vector<std::string>& ids, const char* one,
              const char* several) {
    if (ids.size() == 1)
        list.emplace_back(one, Params{{"id", ids.front()}});
    else if (!ids.empty())
        list.emplace_back(several, Params{{"n", ids.size()}});
}

// Without what no plan depends on: prices, where figures are from, and the usual network beside the drawn
// one.
DeviceKind asked(DeviceKind kind) {
    kind.pricePerHour = 0.0;
    kind.source.clear();
    kind.date.clear();
    kind.typicalNetwork.clear();
    return kind;
}

void addLinks(std::vector<Wording>& list, const Cluster& a, const Cluster& b) {
    const Pairs<Link> links = pairsOf(a.links, b.links);
    if (a.links.size() != b.links.size())
        list.emplace_back("{a} and {b} links", Params{{"a", a.links.size()}, {"b", b.links.size()}});
    else if (links.othersThere)
        list.emplace_back("other links");
    std::map<std::pair<std::string, std::string>, std::vector<std::string>> rates; // ids by what they carry
    std::vector<std::string> ends, otherwise;
    for (const auto& [one, other] : links.both) {
        const std::pair texts(lanesText(*one), lanesText(*other));
        if (texts.first != texts.second)
            rates[texts].push_back(one->id);
        else if (one->a != other->a || one->b != other->b)
            ends.push_back(one->id);
        else if (one->latency != other->latency || one->efficiency != other->efficiency ||
                 one->flowBandwidth != other->flowBandwidth)
            otherwise.push_back(one->id);
    }
    for (const auto& [texts, ids] : rates) {
        if (ids.size() == 1)
            list.emplace_back("link {link}: {a} and {b}",
                              Params{{"link", ids.front()}, {"a", texts.first}, {"b", texts.second}});
        else
            list.emplace_back("{n} links: {a} and {b}",
                              Params{{"n", ids.size()}, {"a", texts.first}, {"b", texts.second}});
    }
    addCount(list, ends, "the ends of link {id}", "the ends of {n} links");
    addCount(list, otherwise, "latency or usable share of link {id}", "latency or usable share of {n} links");
}

void addNodes(std::vector<Wording>& list, const Cluster& a, const Cluster& b) {
    const Pairs<Node> nodes = pairsOf(a.nodes, b.nodes);
    if (a.nodes.size() != b.nodes.size())
        list.emplace_back("{a} and {b} nodes", Params{{"a", a.nodes.size()}, {"b", b.nodes.size()}});
    else if (nodes.othersThere)
        list.emplace_back("other nodes");
    if (a.gpuCount() != b.gpuCount())
        list.emplace_back("{a} and {b} GPUs", Params{{"a", a.gpuCount()}, {"b", b.gpuCount()}});
    std::vector<std::string> otherKind, figures;
    for (const auto& [one, other] : nodes.both) {
        Node like = *other;
        like.at = one->at;
        if (one->kind != other->kind)
            otherKind.push_back(one->id);
        else if ((like.gpus == one->gpus || a.gpuCount() == b.gpuCount()) && !(like == *one))
            figures.push_back(one->id);
    }
    addCount(list, otherKind, "the kind of node {id}", "the kind of {n} nodes");
    addCount(list, figures, "figures of node {id}", "figures of {n} nodes");
}

} // namespace

std::string lanesText(const Link& link) {
    const std::string rate = formatBitRate(link.bandwidth);
    return link.lanes == 1 ? rate : fmt::format("{} x {}", link.lanes, rate);
}

std::vector<Wording> clusterDifferences(const Cluster& a, const Cluster& b) {
    std::vector<Wording> list;
    addNodes(list, a, b);
    if (a.switches.size() != b.switches.size())
        list.emplace_back("{a} and {b} switches", Params{{"a", a.switches.size()}, {"b", b.switches.size()}});
    const auto differs = [](const auto& pair) { return pair.first->medium != pair.second->medium; };
    if (std::ranges::any_of(pairsOf(a.switches, b.switches).both, differs))
        list.emplace_back("the medium of switches");
    addLinks(list, a, b);
    if (!(a.nvlinkDomains == b.nvlinkDomains))
        list.emplace_back("the NVLink domains");
    for (const DeviceKind& kind : a.kinds) {
        const auto like = std::ranges::find(b.kinds, kind.name, &DeviceKind::name);
        if (like != b.kinds.end() && !(asked(*like) == asked(kind)))
            list.emplace_back("figures of {kind}", Params{{"kind", kind.name}});
    }
    return list;
}

} // namespace pw
