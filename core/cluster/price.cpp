// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cluster/price.h"

#include <algorithm>

namespace pw {

Status setPrice(Cluster& cluster, std::string_view kind, double perHour) {
    const DeviceKind* known = findKind(cluster, kind);
    if (known == nullptr)
        return badInput("cluster.kind", std::string(kind), "is no device kind");
    if (!(perHour >= 0.0 && perHour <= 1e6))
        return badInput("cluster.price", std::string(kind), "a price is 0 to 1e6 an hour");
    const auto own = std::find_if(cluster.kinds.begin(), cluster.kinds.end(),
                                  [&](const DeviceKind& k) { return k.name == known->name; });
    if (own != cluster.kinds.end()) {
        own->pricePerHour = perHour;
        return Ok{};
    }
    DeviceKind priced = *known;
    priced.pricePerHour = perHour;
    cluster.kinds.push_back(std::move(priced));
    return Ok{};
}

} // namespace pw
