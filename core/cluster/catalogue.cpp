// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/units.h"
#include "core/cluster/cluster.h"

#include <nlohmann/json.hpp>

#include <cstdio>
#include <cstdlib>

namespace pw {

namespace embedded {
extern const char* const devicesJson; // resources/catalogue/devices.json, written into a unit by the build
}

namespace {

constexpr double kMaxRate = 1e18;  // FLOP/s of one device
constexpr double kMaxBytes = 1e15; // a petabyte of memory, or of traffic a second

double checkedRate(const JsonReader& reader, const char* key, bool optional) {
    return optional ? reader.number(key, 0.0, kMaxRate, 0.0) : reader.number(key, 0.0, kMaxRate);
}

double checkedBandwidth(const JsonReader& reader, const char* key, double fallback) {
    const double value = reader.withUnit(key, parseBandwidth, fallback);
    if (value > kMaxBytes)
        reader.fail("cluster.range", reader.where(key), "is above 1 PB/s");
    return value;
}

} // namespace

const char* name(Precision p) {
    switch (p) {
    case Precision::Auto:
        return "auto";
    case Precision::Fp32:
        return "fp32";
    case Precision::Tf32:
        return "tf32";
    case Precision::Fp16:
        return "fp16";
    case Precision::Bf16:
        return "bf16";
    case Precision::Fp8:
        return "fp8";
    }
    return "auto";
}

std::optional<Precision> precisionFromName(std::string_view text) {
    for (Precision p : {Precision::Auto, Precision::Fp32, Precision::Tf32, Precision::Fp16, Precision::Bf16,
                        Precision::Fp8})
        if (text == name(p))
            return p;
    return std::nullopt;
}

const char* name(Fabric f) {
    switch (f) {
    case Fabric::Pcie:
        return "pcie";
    case Fabric::Bridge:
        return "bridge";
    case Fabric::Mesh:
        return "mesh";
    case Fabric::CubeMesh:
        return "cube-mesh";
    case Fabric::Switched:
        return "switch";
    case Fabric::Reducing:
        return "reducing-switch";
    }
    return "pcie";
}

std::optional<Fabric> fabricFromName(std::string_view text) {
    for (Fabric f :
         {Fabric::Pcie, Fabric::Bridge, Fabric::Mesh, Fabric::CubeMesh, Fabric::Switched, Fabric::Reducing})
        if (text == name(f))
            return f;
    return std::nullopt;
}

FlopsPerSecond DeviceKind::peak(Precision p) const {
    switch (p) {
    case Precision::Fp32:
        return fp32;
    case Precision::Tf32:
        return tf32;
    case Precision::Fp16:
        return fp16;
    case Precision::Bf16:
        return bf16;
    case Precision::Fp8:
        return fp8;
    case Precision::Auto:
        break;
    }
    return FlopsPerSecond(0.0);
}

Result<DeviceKind> deviceKindFromJson(const JsonReader& reader) {
    DeviceKind kind;
    kind.name = reader.text("name");
    kind.shortName = reader.text("short_name", kind.name);
    kind.vendor = reader.text("vendor", "");
    kind.memory = Bytes(reader.withUnit("memory", parseBytes));
    if (kind.memory.value > kMaxBytes)
        reader.fail("cluster.range", reader.where("memory"), "is above 1 PB");
    kind.memoryBandwidth = BytesPerSecond(reader.withUnit("memory_bandwidth", parseBandwidth));
    kind.fp32 = FlopsPerSecond(checkedRate(reader, "fp32", false));
    kind.tf32 = FlopsPerSecond(checkedRate(reader, "tf32", true));
    kind.fp16 = FlopsPerSecond(checkedRate(reader, "fp16", true));
    kind.bf16 = FlopsPerSecond(checkedRate(reader, "bf16", true));
    kind.fp8 = FlopsPerSecond(checkedRate(reader, "fp8", true));
    kind.intraBandwidth = BytesPerSecond(checkedBandwidth(reader, "intra_bandwidth", 0.0));
    kind.intraLink = reader.text("intra_link", "");
    kind.typicalNetwork = reader.text("typical_network", "");
    const Fabric usual = kind.intraBandwidth.value > 0.0 ? Fabric::Switched : Fabric::Pcie;
    const std::optional<Fabric> fabric = fabricFromName(reader.text("fabric", name(usual)));
    if (!fabric)
        reader.fail("cluster.fabric", reader.where("fabric"),
                    "is none of pcie, bridge, mesh, cube-mesh, switch, reducing-switch");
    kind.fabric = fabric.value_or(usual);
    kind.nvlinkDomain = static_cast<int>(reader.count("nvlink_domain", 0, 1024, 0));
    kind.pcie = BytesPerSecond(checkedBandwidth(reader, "pcie", 0.0));
    kind.watts = reader.number("watts", 0.0, 1e6, 0.0);
    kind.pricePerHour = reader.number("price_per_hour", 0.0, 1e6, 0.0);
    kind.computeUnits = static_cast<int>(reader.count("compute_units", 0, 1'000'000, 0));
    kind.processNm = reader.number("process_nm", 0.0, 1000.0, 0.0);
    kind.attentionShare = reader.number("attention_share", 0.0, 1.0, 0.0);
    kind.matmulEfficiency = reader.number("matmul_efficiency", 0.0, 1.0, 0.0);
    kind.memoryEfficiency = reader.number("memory_efficiency", 0.0, 1.0, 0.0);
    kind.launchOverhead =
        Seconds(reader.withUnit("launch_overhead", parseDuration, kind.launchOverhead.value));
    kind.source = reader.text("source", "");
    kind.date = reader.text("date", "");
    if (Status s = reader.status(); !s)
        return s.error();
    return kind;
}

Json toJson(const DeviceKind& kind) {
    Json json{{"name", kind.name},
              {"short_name", kind.shortName},
              {"vendor", kind.vendor},
              {"memory", kind.memory.value},
              {"memory_bandwidth", kind.memoryBandwidth.value},
              {"fp32", kind.fp32.value},
              {"tf32", kind.tf32.value},
              {"fp16", kind.fp16.value},
              {"bf16", kind.bf16.value},
              {"fp8", kind.fp8.value},
              {"intra_bandwidth", kind.intraBandwidth.value},
              {"intra_link", kind.intraLink},
              {"fabric", name(kind.fabric)},
              {"pcie", kind.pcie.value},
              {"watts", kind.watts},
              {"price_per_hour", kind.pricePerHour},
              {"compute_units", kind.computeUnits},
              {"process_nm", kind.processNm},
              {"attention_share", kind.attentionShare},
              {"matmul_efficiency", kind.matmulEfficiency},
              {"memory_efficiency", kind.memoryEfficiency},
              {"launch_overhead", kind.launchOverhead.value},
              {"source", kind.source}};
    if (!kind.typicalNetwork.empty())
        json["typical_network"] = kind.typicalNetwork;
    if (kind.nvlinkDomain > 0)
        json["nvlink_domain"] = kind.nvlinkDomain;
    if (!kind.date.empty())
        json["date"] = kind.date;
    return json;
}

const Catalogue& Catalogue::builtin() {
    static const Catalogue catalogue = [] {
        // The text is part of the program: a mistake in it is ours, found by the first test that runs.
        const auto fatal = [](const Error& e) {
            std::fprintf(stderr, "device catalogue: %s\n", e.text().c_str());
            std::abort();
        };
        const Result<Json> document = parseJson(embedded::devicesJson, "devices.json");
        if (!document)
            fatal(document.error());
        std::vector<DeviceKind> kinds;
        for (const JsonReader& item : JsonReader(*document, "devices.json").array("kinds")) {
            Result<DeviceKind> kind = deviceKindFromJson(item);
            if (!kind)
                fatal(kind.error());
            kinds.push_back(*std::move(kind));
        }
        return Catalogue(std::move(kinds));
    }();
    return catalogue;
}

const DeviceKind* Catalogue::find(std::string_view nameOrShortName) const {
    for (const DeviceKind& kind : m_kinds)
        if (kind.name == nameOrShortName)
            return &kind;
    for (const DeviceKind& kind : m_kinds)
        if (kind.shortName == nameOrShortName)
            return &kind;
    return nullptr;
}

const DeviceKind* findKind(const Cluster& cluster, std::string_view kind) {
    for (const DeviceKind& own : cluster.kinds)
        if (own.name == kind)
            return &own;
    for (const DeviceKind& own : cluster.kinds)
        if (own.shortName == kind)
            return &own;
    return Catalogue::builtin().find(kind);
}

} // namespace pw
