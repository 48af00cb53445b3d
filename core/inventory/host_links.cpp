// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/inventory/host_links.h"

#include "core/base/units.h"

#include <algorithm>
#include <cmath>

namespace pw {

namespace {

constexpr double kSameRate = 0.05; // a stated rate within this of the kind's own is that one

} // namespace

std::vector<Remark> linkInside(const InventoryHost& host, const DeviceKind& kind, Node& node) {
    std::vector<Remark> remarks;
    std::optional<BytesPerSecond> rate = host.betweenGpus;
    const auto least = [&rate](const std::optional<BytesPerSecond>& other) {
        if (other && (!rate || other->value < rate->value))
            rate = other;
    };
    const std::size_t n = host.gpus.size();
    const bool wholeMatrix = n > 1 && host.pairs.size() == n * (n - 1) / 2;
    if (!rate)
        for (const InventoryGpu& gpu : host.gpus)
            least(gpu.toSwitch);
    if (!rate && wholeMatrix && std::all_of(host.pairs.begin(), host.pairs.end(), [](const GpuPair& p) {
            return p.bandwidth.has_value();
        }))
        for (const GpuPair& pair : host.pairs)
            least(pair.bandwidth);
    if (rate && host.ratesAsUsed && kind.intraBandwidth.value > 0) {
        remarks.push_back(
            {"import.nvlink",
             node.id,
             {"NVLink counts with {rate} of {kind} (the file's {stated} are what NCCL gets out of it)",
              {{"rate", formatByteRate(kind.intraBandwidth)},
               {"kind", kind.name},
               {"stated", formatByteRate(*rate)}}}});
        rate.reset();
    }
    const bool noNvlink = wholeMatrix && !rate &&
                          std::all_of(host.pairs.begin(), host.pairs.end(),
                                      [](const GpuPair& p) { return p.nvlinks == 0 && !p.path.empty(); });
    if (noNvlink && kind.intraBandwidth.value > 0) {
        rate = kind.pcie;
        remarks.push_back({"import.pcie",
                           node.id,
                           {"the matrix has no NVLink: {kind} talk over PCIe at {rate}",
                            {{"kind", kind.name}, {"rate", formatByteRate(kind.pcie)}}}});
    }
    if (rate && std::abs(rate->value / kind.intraBandwidth.value - 1) > kSameRate)
        node.intraBandwidth = *rate;
    if (host.gpuLatency)
        node.intraLatency = *host.gpuLatency;
    return remarks;
}

HostUplink uplinkOf(const InventoryHost& host) {
    HostUplink up;
    double sum = 0, first = 0;
    bool equal = true;
    for (const InventoryNic& nic : host.nics) {
        if (!nic.bandwidth)
            return {};
        first = sum == 0 ? nic.bandwidth->value : first;
        equal = equal && nic.bandwidth->value == first;
        sum += nic.bandwidth->value;
        if (nic.latency)
            up.latency = nic.latency;
    }
    if (host.nics.empty())
        return {};
    up.lanes = equal ? static_cast<int>(std::min<std::size_t>(host.nics.size(), 1024)) : 1;
    up.bandwidth = BytesPerSecond(equal ? first : sum);
    return up;
}

} // namespace pw
