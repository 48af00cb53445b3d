// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cluster/item_ids.h"

#include <fmt/format.h>

namespace pw {

std::set<std::string> allIds(const Cluster& cluster) {
    std::set<std::string> ids;
    for (const Node& n : cluster.nodes)
        ids.insert(n.id);
    for (const Switch& s : cluster.switches)
        ids.insert(s.id);
    for (const Link& l : cluster.links)
        ids.insert(l.id);
    for (const NvlinkDomain& d : cluster.nvlinkDomains)
        ids.insert(d.id);
    return ids;
}

std::string takeNumbered(std::set<std::string>& taken, const std::string& prefix, int& next, int digits) {
    while (true)
        if (std::string id = fmt::format("{}{:0{}}", prefix, next++, digits); taken.insert(id).second)
            return id;
}

} // namespace pw
