// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cluster/network_kind.h"

#include "core/base/text.h"

#include <algorithm>

namespace pw {

namespace {

// "RoCE RDMA over 100G Ethernet" is RoCE; RDMA alone is what a text says that names no more. One share serves
// all remote memory access: runs over RoCE differ among each other by more than from those over InfiniBand
// (InternEvo's fit best at 0.9, the zero-bubble ones at 0.5), and no run has Slingshot.
constexpr NetworkKind kNetworks[] = {
    {"InfiniBand", true, &CommConstants::rdmaShare},    {"RoCE", true, &CommConstants::rdmaShare},
    {"Omni-Path", true, &CommConstants::rdmaShare},     {"EFA", false, &CommConstants::efaShare},
    {"Slingshot", true, &CommConstants::rdmaShare},     {"RDMA", true, &CommConstants::rdmaShare},
    {"Ethernet", false, &CommConstants::ethernetShare},
};
constexpr const NetworkKind& kPlainEthernet = kNetworks[std::size(kNetworks) - 1];

} // namespace

std::span<const NetworkKind> networkKinds() {
    return kNetworks;
}

const NetworkKind* networkKind(std::string_view medium) {
    const auto at = std::find_if(std::begin(kNetworks), std::end(kNetworks), [&](const NetworkKind& kind) {
        return lowered(kind.name) == lowered(medium);
    });
    return at == std::end(kNetworks) ? nullptr : at;
}

double usableShare(const CommConstants& constants, std::string_view medium) {
    const NetworkKind* kind = networkKind(medium);
    return constants.*(kind ? *kind : kPlainEthernet).share;
}

Seconds usualLatency(std::string_view medium) {
    const NetworkKind* kind = networkKind(medium);
    return kind && kind->remote ? Seconds(5e-6) : Seconds(20e-6);
}

Diagnostics unknownMedia(const Cluster& cluster) {
    Diagnostics found;
    for (const Switch& s : cluster.switches)
        if (!s.medium.empty() && networkKind(s.medium) == nullptr)
            found.push_back({Severity::Warning,
                             "cluster.medium",
                             s.id,
                             {"The medium \"{value}\" of switch {switch} is not known and counts as Ethernet",
                              {{"value", s.medium}, {"switch", s.id}}}});
    return found;
}

const Switch* decidingSwitch(const Cluster& cluster, const Link& link) {
    const Switch* decides = nullptr;
    for (const std::string_view end : {std::string_view(link.a), std::string_view(link.b)})
        if (const Switch* at = cluster.findSwitch(end);
            at && (!decides || decides->medium.empty() || networkKind(at->medium) == &kPlainEthernet))
            decides = at;
    return decides;
}

std::string_view mediumOf(const Cluster& cluster, const Link& link) {
    const Switch* decides = decidingSwitch(cluster, link);
    return decides && !decides->medium.empty() ? std::string_view(decides->medium) : kPlainEthernet.name;
}

bool reachesSwitch(const DeviceKind& kind) {
    return kind.intraBandwidth.value > 0.0 &&
           (kind.fabric == Fabric::Switched || kind.fabric == Fabric::Reducing ||
            kind.fabric == Fabric::Mesh);
}

} // namespace pw
