// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/cluster/cluster.h"

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace pw {

// A drawing with more or fewer of the nodes that it has: what one could buy or rent, or what is left when
// something broke.

// Adds a copy of the node, with copies of its links to the same places, outside of NVLink domains. Returns
// its id, "n1-extra", "n1-extra2", ... The cluster has a node of that id. `forbidden`: what plans leave out,
// or null; where it names GPUs or links of the node, those of the copy are added to it.
std::string addNodeCopy(Cluster& cluster, const std::string& node,
                        std::vector<std::string>* forbidden = nullptr);

// Without these nodes, their links, and the NVLink domains that are left with nothing.
void removeNodes(Cluster& cluster, const std::set<std::string, std::less<>>& ids);

// Exactly `count` nodes of a device kind, which is given by name or short name: the first ones as they are
// drawn, beyond them copies of the first. Bad input: no node of that kind is drawn (but 0 of a known kind
// are), or copies are asked of one in an NVLink domain, whose switches hold no more.
// `forbidden`: as above.
Status setNodeCount(Cluster& cluster, std::string_view kind, std::size_t count,
                    std::vector<std::string>* forbidden = nullptr);

} // namespace pw
