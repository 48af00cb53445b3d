// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/device_names.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

namespace pw {

namespace {

constexpr std::size_t kFewDevices = 2; // no longer as ids than as a range

// Slots first..last of each of the nodes.
struct Range {
    std::vector<int> nodes;
    int first = 0, last = 0;
    std::size_t devices() const { return nodes.size() * static_cast<std::size_t>(last - first + 1); }
};

const Device& deviceAt(const Topology& topology, DeviceIndex device) {
    return topology.devices()[static_cast<std::size_t>(device)];
}

// Slots that follow each other on one node.
std::vector<Range> runsOf(const Topology& topology, const std::vector<DeviceIndex>& devices) {
    std::vector<Range> runs;
    for (const DeviceIndex d : devices) {
        const Device& device = deviceAt(topology, d);
        if (!runs.empty() && runs.back().nodes.front() == device.node && runs.back().last + 1 == device.slot)
            runs.back().last = device.slot;
        else
            runs.push_back({{device.node}, device.slot, device.slot});
    }
    return runs;
}

const std::string& nodeId(const Topology& topology, int node) {
    return topology.cluster().nodes[static_cast<std::size_t>(node)].id;
}

int nodeOf(const Topology& topology, const std::string& id) { // -1 if there is none
    const DeviceIndex first = topology.find(id + ".g0");
    return first < 0 ? -1 : deviceAt(topology, first).node;
}

Json rangeJson(const Topology& topology, const Range& range) {
    Json json{{"first", range.first}, {"last", range.last}};
    if (range.nodes.size() == 1) {
        json["node"] = nodeId(topology, range.nodes.front());
        return json;
    }
    Json& nodes = json["nodes"] = Json::array();
    for (const int node : range.nodes)
        nodes.push_back(nodeId(topology, node));
    return json;
}

template <class Take>
void eachDevice(const Topology& topology, const Range& range, const Take& take) {
    for (const int node : range.nodes)
        for (int slot = range.first; slot <= range.last; ++slot)
            take(topology.firstOfNode(node) + slot);
}

std::optional<int> slotAt(const JsonReader& range, const char* key) {
    constexpr std::int64_t kMost = 1'000'000; // of any node
    const Json& object = range.value();
    const auto at = object.find(key);
    if (at != object.end() && at->is_number_integer())
        if (const auto slot = at->get<std::int64_t>(); slot >= 0 && slot <= kMost)
            return static_cast<int>(slot);
    range.fail("plan.range", range.where(key), "expected the number of a GPU in its node, from 0 on");
    return std::nullopt;
}

} // namespace

DeviceNames usualNames(const Topology& topology) {
    return topology.devices().size() > kMostNamedEach ? DeviceNames::Ranges : DeviceNames::Each;
}

Json namesOf(const Topology& topology, const std::vector<DeviceIndex>& devices, DeviceNames names) {
    Json list = Json::array();
    if (names == DeviceNames::Each) {
        for (const DeviceIndex d : devices)
            list.push_back(deviceAt(topology, d).id);
        return list;
    }
    std::vector<Range> ranges;
    for (Range& run : runsOf(topology, devices)) {
        if (!ranges.empty() && ranges.back().first == run.first && ranges.back().last == run.last)
            ranges.back().nodes.push_back(run.nodes.front());
        else
            ranges.push_back(std::move(run));
    }
    for (const Range& range : ranges) {
        if (range.devices() > kFewDevices)
            list.push_back(rangeJson(topology, range));
        else
            eachDevice(topology, range, [&](DeviceIndex d) { list.push_back(deviceAt(topology, d).id); });
    }
    return list;
}

std::vector<Json> namesOfSet(const Topology& topology, const std::vector<DeviceIndex>& devices) {
    std::map<std::pair<int, int>, std::size_t> known; // by first and last slot
    std::vector<Range> ranges;
    for (Range& run : runsOf(topology, devices)) {
        const auto [at, fresh] = known.try_emplace({run.first, run.last}, ranges.size());
        if (fresh)
            ranges.push_back(std::move(run));
        else
            ranges[at->second].nodes.push_back(run.nodes.front());
    }
    std::vector<Json> names;
    names.reserve(ranges.size());
    for (const Range& range : ranges)
        names.push_back(range.devices() == 1
                            ? Json(deviceAt(topology, topology.firstOfNode(range.nodes[0]) + range.first).id)
                            : rangeJson(topology, range));
    return names;
}

DeviceReader::DeviceReader(const Topology& topology)
    : m_topology(topology), m_named(topology.devices().size(), false) {}

std::vector<DeviceIndex> DeviceReader::read(const JsonReader& holder) {
    std::vector<DeviceIndex> devices;
    for (const JsonReader& item : holder.array("devices")) {
        if (item.value().is_object()) {
            readRange(item, devices);
            continue;
        }
        const DeviceIndex d =
            item.value().is_string() ? m_topology.find(item.value().get<std::string>()) : -1;
        if (d < 0) {
            item.fail("plan.device", item.where(),
                      {"unknown device {device}; expected an id such as \"n1.g0\"",
                       {{"device", item.value().dump()}}});
            continue;
        }
        m_named[static_cast<std::size_t>(d)] = true; // one that serves two places is checkPlan()'s to tell
        devices.push_back(d);
    }
    return devices;
}

void DeviceReader::readRange(const JsonReader& range, std::vector<DeviceIndex>& into) {
    range.passOver({"node", "nodes", "first", "last"});
    const bool one = range.value().contains("node"), several = range.value().contains("nodes");
    if (one == several)
        return range.fail("plan.range", range.where(),
                          one ? "has \"node\" and \"nodes\"; expected one of them"
                              : "has neither \"node\" nor \"nodes\"; expected one of them");
    const std::optional<int> first = slotAt(range, "first"), last = slotAt(range, "last");
    if (!first || !last)
        return;
    if (*first > *last)
        return range.fail("plan.range", range.where(),
                          {"{first} to {last}; expected a first GPU that is not behind the last one",
                           {{"first", *first}, {"last", *last}}});
    const auto add = [&](const Json& name, const std::string& where) {
        const int node = name.is_string() ? nodeOf(m_topology, name.get_ref<const std::string&>()) : -1;
        if (node < 0) {
            range.fail("plan.range", where,
                       {"unknown node {node}; expected one of the cluster's", {{"node", name.dump()}}});
            return false;
        }
        const int gpus = m_topology.cluster().nodes[static_cast<std::size_t>(node)].gpus;
        if (*last >= gpus) {
            range.fail("plan.range", where,
                       {"{first} to {last} of {node}, which has GPUs 0 to {most}",
                        {{"first", *first}, {"last", *last}, {"node", name.dump()}, {"most", gpus - 1}}});
            return false;
        }
        const DeviceIndex begin = m_topology.firstOfNode(node);
        for (DeviceIndex d = begin + *first; d <= begin + *last; ++d) {
            if (m_named[static_cast<std::size_t>(d)]) {
                range.fail("plan.range", where,
                           {"names {device}, which stands in this plan before",
                            {{"device", deviceAt(m_topology, d).id}}});
                return false;
            }
            m_named[static_cast<std::size_t>(d)] = true;
            into.push_back(d);
        }
        return true;
    };
    if (one) {
        add(range.value()["node"], range.where("node"));
        return;
    }
    const std::vector<JsonReader> nodes = range.array("nodes");
    if (nodes.empty() && range.value()["nodes"].is_array())
        range.fail("plan.range", range.where("nodes"), "names no node");
    for (const JsonReader& node : nodes)
        if (!add(node.value(), node.where()))
            return; // one mistake a range
}

} // namespace pw
