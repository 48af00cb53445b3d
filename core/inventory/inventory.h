// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/diagnostics.h"
#include "core/base/json.h"
#include "core/base/quantity.h"

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pw {

// What tools and schedulers say about machines. No format says everything: nvidia-smi's matrix has no models,
// Slurm no bandwidths, a topology dump no host names. What a file is silent on stays empty here, files about
// the same hosts complete one another, and only then is it turned into a Cluster, where what is still
// missing is asked for and never guessed.

struct InventoryGpu {
    int index = 0;     // in the host
    std::string model; // as the driver or the scheduler calls it: "NVIDIA A100-SXM4-80GB", "a100"
    std::optional<Bytes> memory;
    std::string busId;                  // "0000:10:00.0"
    std::optional<BytesPerSecond> pcie; // to the host, one direction
    int compute = 0;                    // capability: 80 is 8.0; 0 = unknown
    std::optional<int> numa;
    // Over all NVLinks that lead to switches, one direction.
    std::optional<BytesPerSecond> toSwitch;
    bool operator==(const InventoryGpu&) const = default;
};

// What lies between two GPUs of a host, by their indices.
struct GpuPair {
    int a = 0, b = 0;
    std::string path; // nvidia-smi's word: "NV12", "PIX", "PXB", "PHB", "NODE", "SYS"; "" = unknown
    int nvlinks = 0;
    std::optional<BytesPerSecond> bandwidth; // one direction
    bool operator==(const GpuPair&) const = default;
};

struct InventoryNic {
    std::string name;
    std::optional<BytesPerSecond> bandwidth;
    std::optional<Seconds> latency;
    bool operator==(const InventoryNic&) const = default;
};

struct InventoryHost {
    std::string name;            // "" = the file is about one host and does not say which
    std::optional<int> gpuCount; // where a file counts GPUs; they need not be listed
    std::vector<InventoryGpu> gpus;
    std::vector<GpuPair> pairs;
    std::vector<InventoryNic> nics;
    std::optional<BytesPerSecond> betweenGpus; // of any two, one direction, where a file says so for the host
    std::optional<Seconds> gpuLatency;
    // Rates of GPUs and pairs are what collectives get out of the links (NCCL's own figures), not line rates.
    bool ratesAsUsed = false;
    // What NVLink joins this host to, beyond itself: the same text on every host of a domain; "" = nothing.
    std::string nvlinkDomain;
    std::optional<Bytes> memory; // of the host
    std::optional<int> numaNodes, processors, nvswitches;
    std::string note;  // partition, features: for people
    std::string where; // file and place, for messages
    bool operator==(const InventoryHost&) const = default;
};

struct InventorySwitch {
    std::string name;
    bool operator==(const InventorySwitch&) const = default;
};

struct InventoryCable {
    std::string a, b; // hosts or switches
    std::optional<BytesPerSecond> bandwidth;
    std::optional<Seconds> latency;
    int lanes = 1;
    bool operator==(const InventoryCable&) const = default;
};

// A host that a file has but does not offer, and why: down, drained, shared, in slices.
struct ExcludedHost {
    std::string name, reason;
    bool operator==(const ExcludedHost&) const = default;
};

struct Inventory {
    std::vector<InventoryHost> hosts;
    std::vector<InventorySwitch> switches;
    std::vector<InventoryCable> cables;
    std::vector<ExcludedHost> excluded;
    std::string medium = {}; // of the whole network, of networkKinds(); "" = the file does not say
    bool operator==(const Inventory&) const = default;
};

// One for all, where files say different things about the same hosts: by host name, or, where a file is about
// one host and does not name it, that one; GPUs by bus id or by number. Bad input where they contradict each
// other. Hosts that any file excludes are out. `files` are for messages.
Result<Inventory> joinInventories(std::vector<Inventory> parts, const std::vector<std::string>& files);

int gpuCount(const Inventory& inventory); // that are listed
// InventoryHost::nvlinkDomain of a fabric's cluster and the clique in it, as drivers and labels have them.
// The cluster of GPUs that are joined inside one host only is all zeros: "".
std::string nvlinkDomainOf(std::string_view clusterUuid, std::string_view clique);
// What there is of everything.
struct InventoryCounts {
    std::size_t hosts = 0, switches = 0, cables = 0, excluded = 0;
    int gpus = 0;                      // gpuCount()
    std::map<std::string, int> models; // listed GPUs by their model; "" = unknown
    std::map<std::string, int> paths;  // pairs of GPUs by what lies between them, where that is known
    std::size_t numaNodes = 0;         // that GPUs are known to be at
};
InventoryCounts countsOf(const Inventory& inventory);
// "2 hosts, 12 GPUs (8 x NVIDIA A100-SXM4-80GB, 4 x unknown model), 1 switch".
std::string describe(const Inventory& inventory);
Json toJson(const Inventory& inventory);

} // namespace pw
