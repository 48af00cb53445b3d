// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/diagnostics.h"
#include "core/base/json.h"
#include "core/base/quantity.h"

#include <optional>
#include <string>
#include <vector>

namespace pw {

// The number formats that arithmetic can run in. `Auto` is resolved against the devices of a plan
// (bf16 if every used kind has it, else fp16, else fp32; resources/manual/project-file.md#recipe).
enum class Precision { Auto, Fp32, Tf32, Fp16, Bf16, Fp8 };
const char* name(Precision p);
std::optional<Precision> precisionFromName(std::string_view text);

// How the GPUs of a node are joined.
enum class Fabric {
    Pcie,     // through the host only
    Bridge,   // cables between pairs, PCIe beyond them
    Mesh,     // every GPU to every other by its own link
    CubeMesh, // NVLink of eight P100 or V100; a node of four is half of it
    Switched, // a switch that gives every GPU its full rate
    Reducing, // a switch that also adds up and multicasts
};
const char* name(Fabric f);
std::optional<Fabric> fabricFromName(std::string_view text);

// One kind of accelerator, as its datasheet has it. Rates are dense and per device, bandwidths one direction.
// A peak of 0 means that the kind cannot run that precision.
struct DeviceKind {
    std::string name;      // "A100-SXM4-40GB", the catalogue key
    std::string shortName; // "A100-40", for tables and tiles
    std::string vendor;
    Bytes memory; // what the driver reports as total (39.6 GiB on an A100 of 40 GB)
    BytesPerSecond memoryBandwidth;
    FlopsPerSecond fp32, tf32, fp16, bf16, fp8;
    BytesPerSecond intraBandwidth; // between two GPUs of a node; 0 = only PCIe
    std::string intraLink;         // "NVLink3+NVSwitch"
    std::string typicalNetwork;    // of servers with this kind: "8x200Gb/s HDR IB per node"; "" = unknown
    Fabric fabric = Fabric::Pcie;
    int nvlinkDomain = 0; // GPUs that NVLink joins in the usual rack, over its nodes; 0 = those of a node
    BytesPerSecond pcie;  // to the host, whatever the bus is called
    double watts = 0.0;
    double pricePerHour = 0.0;   // in the user's currency; 0 = unknown
    int computeUnits = 0;        // over which the tiles of a product are dealt out; 0 = unknown
    double processNm = 0.0;      // manufacturing process, as the vendor names it; 0 = unknown
    double attentionShare = 0.0; // of the dense peak, by published fused kernels; 0 = unknown
    // Attainable shares of the peaks and the time of a launch, where they were measured on this kind; 0 =
    // what the calibration has for all kinds.
    double matmulEfficiency = 0.0;
    double memoryEfficiency = 0.0;
    Seconds launchOverhead{0.0};
    std::string source; // where the figures are from
    std::string date;   // "2024-03": when the vendor announced the kind; "" = not known

    FlopsPerSecond peak(Precision p) const;
    bool operator==(const DeviceKind&) const = default;
};

// All kinds that a cluster may name: those that ship, then the user's own.
class Catalogue {
public:
    Catalogue() = default;
    explicit Catalogue(std::vector<DeviceKind> kinds) : m_kinds(std::move(kinds)) {}
    static const Catalogue& builtin(); // resources/catalogue/devices.json, compiled in
    const DeviceKind* find(std::string_view nameOrShortName) const;
    const std::vector<DeviceKind>& kinds() const { return m_kinds; }

private:
    std::vector<DeviceKind> m_kinds;
};

struct Point {
    double x = 0.0, y = 0.0; // scene units of the drawing (px at 100 %)
    bool operator==(const Point&) const = default;
};

struct Node {
    std::string id; // unique among nodes and switches; GPUs are "<id>.g<k>"
    std::string kind;
    int gpus = 0;
    BytesPerSecond intraBandwidth{0}; // 0 = the kind's own
    Seconds intraLatency{2e-6};
    Bytes memoryTaken{0}; // in use on every GPU of the node by somebody else
    double speed = 1.0;   // 0.9 = throttled to 90 %
    Point at;
    bool operator==(const Node&) const = default;
};

struct Switch {
    std::string id;
    std::string medium; // "Ethernet", "InfiniBand"
    Point at;
    bool operator==(const Switch&) const = default;
};

// A full-duplex cable bundle between two items. Every lane has `bandwidth` each way.
struct Link {
    std::string id; // "n1-s1"; unique
    std::string a, b;
    BytesPerSecond bandwidth; // of one lane, one direction, line rate
    int lanes = 1;
    Seconds latency{5e-6};
    double efficiency = 0.88; // usable share of the line rate: as over Ethernet (network_kind.h)
    // Of one flow between two GPUs, such as a TCP connection of a cloud: rings and transfers of one GPU a
    // node get no more, those of several so much for each. 0 = as much as a lane carries.
    BytesPerSecond flowBandwidth{0};
    bool operator==(const Link&) const = default;
    BytesPerSecond usable() const { return BytesPerSecond(bandwidth.value * lanes * efficiency); }
};

// Nodes whose GPUs one NVLink fabric joins: 18 trays of four in an NVL72 rack, say. Between any two of their
// GPUs data goes as it does inside a node; the nodes' links lead to everything else.
struct NvlinkDomain {
    std::string id; // unique among nodes, switches and domains
    std::vector<std::string> nodes;
    BytesPerSecond bandwidth{0}; // between two GPUs, one direction; 0 = the nodes' own
    Seconds latency{2e-6};
    bool operator==(const NvlinkDomain&) const = default;
};

// The drawing itself: what the user made and what the file holds. Devices, paths and classes are derived
// (topology.h). `kinds` are this file's own device kinds, which win over the catalogue's.
struct Cluster {
    std::string name;
    std::vector<DeviceKind> kinds;
    std::vector<Node> nodes;
    std::vector<Switch> switches;
    std::vector<Link> links;
    std::vector<NvlinkDomain> nvlinkDomains;
    bool operator==(const Cluster&) const = default;

    const Node* node(std::string_view id) const;
    const Switch* findSwitch(std::string_view id) const;
    const Link* link(std::string_view id) const;
    int gpuCount() const;
};

// By name, then by short name: the cluster's own kinds first, then the catalogue's. Null if there is none.
const DeviceKind* findKind(const Cluster& cluster, std::string_view kind);

// Everything that stops (Error) or weakens (Warning) planning on this drawing: unknown kinds, nodes without a
// link, links to nothing, zero bandwidths, duplicate ids, GPUs that share a narrow link.
Diagnostics checkCluster(const Cluster& cluster);

// File form (schema "pipewright-cluster-1", documented in resources/schemas/cluster.schema.json).
Result<Cluster> clusterFromJson(const JsonReader& reader);
// Of a project file its drawing. `notes` gets the keys of a cluster's file that are not known.
Result<Cluster> readCluster(std::string_view text, const std::string& file, Diagnostics* notes = nullptr);
Json toJson(const Cluster& cluster);
Result<DeviceKind> deviceKindFromJson(const JsonReader& reader);
Json toJson(const DeviceKind& kind);

} // namespace pw
