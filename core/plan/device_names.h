// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/cluster/topology.h"

#include <vector>

namespace pw {

class Problem;
struct Plan;

// How documents name devices. Each by its id ("n1.g0") is what everybody reads; of 16,384 devices that is
// 56 MB for eight plans, nearly all of it the same few figures beside the next id. A range stands for all its
// devices, node by node in the order given and slot by slot within a node:
//
//   {"node": "n1", "first": 0, "last": 7}             n1.g0 ... n1.g7
//   {"nodes": ["n1", "n2"], "first": 0, "last": 3}    n1.g0 ... n1.g3 n2.g0 ... n2.g3
//
// The order of a `devices` list is the order of ranks, so ranges follow it and never sort. Readers take both.
enum class DeviceNames { Each, Ranges };

// What documents on disk do where nobody says: ranges on clusters of more devices than this.
inline constexpr std::size_t kMostNamedEach = 1024;
DeviceNames usualNames(const Topology& topology);

// The devices in their order, as a list of ids and ranges. Two devices or fewer in a row stay ids.
Json namesOf(const Topology& topology, const std::vector<DeviceIndex>& devices, DeviceNames names);

// A set of devices, ascending, in as few names as there are different spans of slots: each an id or a range,
// by its first device.
std::vector<Json> namesOfSet(const Topology& topology, const std::vector<DeviceIndex>& devices);

// The structural part of the plan document's `pipelines` (plan.h) with devices so named.
Json toJson(const Problem& problem, const Plan& plan, DeviceNames names);

// Reads the `devices` lists of one plan. A range that names a device of an earlier name is refused without
// being opened, so that no text makes more entries than the cluster has devices and it has ids itself.
class DeviceReader {
public:
    explicit DeviceReader(const Topology& topology);
    // The list `devices` of `holder`; what is wrong is told to the reader, with the place of the name.
    std::vector<DeviceIndex> read(const JsonReader& holder);

private:
    void readRange(const JsonReader& range, std::vector<DeviceIndex>& into);

    const Topology& m_topology;
    std::vector<bool> m_named;
};

} // namespace pw
