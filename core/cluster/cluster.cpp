// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cluster/cluster.h"

#include "core/base/units.h"
#include "core/cluster/network_kind.h"

#include <nlohmann/json.hpp>

namespace pw {

namespace {

constexpr const char* kSchema = "pipewright-cluster-1";

template <class Item>
const Item* findById(const std::vector<Item>& items, std::string_view id) {
    for (const Item& item : items)
        if (item.id == id)
            return &item;
    return nullptr;
}

Point readPoint(const JsonReader& reader) {
    if (!reader.has("at"))
        return {};
    const JsonReader at = reader.object("at");
    return {at.number("x", -1e7, 1e7), at.number("y", -1e7, 1e7)};
}

Json pointJson(Point p) {
    return Json{{"x", p.x}, {"y", p.y}};
}

Node readNode(const JsonReader& reader) {
    Node node;
    node.id = reader.text("id");
    node.kind = reader.text("kind");
    node.gpus = static_cast<int>(reader.count("gpus", 1, 1024));
    node.intraBandwidth = BytesPerSecond(reader.withUnit("intra_bandwidth", parseBandwidth, 0.0));
    node.intraLatency = Seconds(reader.withUnit("intra_latency", parseDuration, node.intraLatency.value));
    node.memoryTaken = Bytes(reader.withUnit("memory_taken", parseBytes, 0.0));
    node.speed = reader.number("speed", 0.01, 10.0, 1.0);
    node.at = readPoint(reader);
    return node;
}

Link readLink(const JsonReader& reader) {
    Link link;
    link.a = reader.text("a");
    link.b = reader.text("b");
    link.id = reader.text("id", link.a + "-" + link.b);
    link.bandwidth = BytesPerSecond(reader.withUnit("bandwidth", parseBandwidth));
    link.lanes = static_cast<int>(reader.count("lanes", 1, 1024, 1));
    link.latency = Seconds(reader.withUnit("latency", parseDuration, link.latency.value));
    // 0 until the switches are known; a stated one lies above.
    link.efficiency = reader.has("efficiency") ? reader.number("efficiency", 0.01, 1.0) : 0.0;
    link.flowBandwidth = BytesPerSecond(reader.withUnit("flow_bandwidth", parseBandwidth, 0.0));
    return link;
}

NvlinkDomain readDomain(const JsonReader& reader) {
    NvlinkDomain domain;
    domain.id = reader.text("id");
    for (const JsonReader& item : reader.array("nodes")) {
        if (!item.value().is_string())
            item.fail("cluster.domain", item.where(), "is no text; expected the name of a node");
        domain.nodes.push_back(item.value().is_string() ? item.value().get<std::string>() : std::string());
    }
    domain.bandwidth = BytesPerSecond(reader.withUnit("bandwidth", parseBandwidth, 0.0));
    domain.latency = Seconds(reader.withUnit("latency", parseDuration, domain.latency.value));
    return domain;
}

} // namespace

const Node* Cluster::node(std::string_view id) const {
    return findById(nodes, id);
}

const Switch* Cluster::findSwitch(std::string_view id) const {
    return findById(switches, id);
}

const Link* Cluster::link(std::string_view id) const {
    return findById(links, id);
}

int Cluster::gpuCount() const {
    int sum = 0;
    for (const Node& n : nodes)
        sum += n.gpus;
    return sum;
}

Result<Cluster> clusterFromJson(const JsonReader& reader) {
    if (const std::string schema = reader.text("schema"); !schema.empty() && schema != kSchema)
        reader.fail("cluster.schema", reader.where("schema"),
                    {"is \"{schema}\"; this version reads \"{expected}\"",
                     {{"schema", schema}, {"expected", kSchema}}});
    Cluster cluster;
    cluster.name = reader.text("name", "");
    if (reader.has("kinds"))
        for (const JsonReader& item : reader.array("kinds"))
            if (Result<DeviceKind> kind = deviceKindFromJson(item)) {
                const DeviceKind* known = Catalogue::builtin().find(kind->name);
                if (known && !item.has("fabric")) // written before there was the word
                    kind->fabric = known->fabric;
                cluster.kinds.push_back(*std::move(kind));
            }
    for (const JsonReader& item : reader.array("nodes"))
        cluster.nodes.push_back(readNode(item));
    if (reader.has("switches"))
        for (const JsonReader& item : reader.array("switches"))
            cluster.switches.push_back({item.text("id"), item.text("medium", "Ethernet"), readPoint(item)});
    if (reader.has("links"))
        for (const JsonReader& item : reader.array("links"))
            cluster.links.push_back(readLink(item));
    for (Link& link : cluster.links)
        if (link.efficiency == 0.0)
            link.efficiency = usableShare(ConstantSet::builtin().comm(), mediumOf(cluster, link));
    if (reader.has("nvlink_domains"))
        for (const JsonReader& item : reader.array("nvlink_domains"))
            cluster.nvlinkDomains.push_back(readDomain(item));
    if (Status s = reader.status(); !s)
        return s.error();
    return cluster;
}

Result<Cluster> readCluster(std::string_view text, const std::string& file, Diagnostics* notes) {
    const Result<Json> document = parseJson(text, file);
    if (!document)
        return document.error();
    const JsonReader reader(*document, file);
    if (document->is_object() && document->value("schema", Json()) == "pipewright-project") {
        if (notes != nullptr && document->contains("forbidden") && !(*document)["forbidden"].empty())
            notes->push_back(
                {Severity::Warning, "cluster.project", file,
                 "is a project, of which the drawing alone is read: what it leaves out is used here"});
        return clusterFromJson(reader.object("cluster"));
    }
    Result<Cluster> cluster = clusterFromJson(reader);
    if (cluster && notes != nullptr)
        append(*notes, reader.unread());
    return cluster;
}

Json toJson(const Cluster& cluster) {
    Json kinds = Json::array();
    for (const DeviceKind& kind : cluster.kinds)
        kinds.push_back(toJson(kind));
    Json nodes = Json::array();
    for (const Node& n : cluster.nodes)
        nodes.push_back(Json{{"id", n.id},
                             {"kind", n.kind},
                             {"gpus", n.gpus},
                             {"intra_bandwidth", n.intraBandwidth.value},
                             {"intra_latency", n.intraLatency.value},
                             {"memory_taken", n.memoryTaken.value},
                             {"speed", n.speed},
                             {"at", pointJson(n.at)}});
    Json switches = Json::array();
    for (const Switch& s : cluster.switches)
        switches.push_back(Json{{"id", s.id}, {"medium", s.medium}, {"at", pointJson(s.at)}});
    Json links = Json::array();
    for (const Link& l : cluster.links) {
        links.push_back(Json{{"id", l.id},
                             {"a", l.a},
                             {"b", l.b},
                             {"bandwidth", l.bandwidth.value},
                             {"lanes", l.lanes},
                             {"latency", l.latency.value},
                             {"efficiency", l.efficiency}});
        if (l.flowBandwidth.value > 0.0)
            links.back()["flow_bandwidth"] = l.flowBandwidth.value;
    }
    Json json{{"schema", kSchema},
              {"name", cluster.name},
              {"kinds", std::move(kinds)},
              {"nodes", std::move(nodes)},
              {"switches", std::move(switches)},
              {"links", std::move(links)}};
    for (const NvlinkDomain& d : cluster.nvlinkDomains) // only where there are any: others keep their hash
        json["nvlink_domains"].push_back(Json{{"id", d.id},
                                              {"nodes", d.nodes},
                                              {"bandwidth", d.bandwidth.value},
                                              {"latency", d.latency.value}});
    return json;
}

} // namespace pw
