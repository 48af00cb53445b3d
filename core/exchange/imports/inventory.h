// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/diagnostics.h"
#include "core/base/quantity.h"

#include <optional>
#include <string>
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
    bool operator==(const Inventory&) const = default;
};

} // namespace pw
