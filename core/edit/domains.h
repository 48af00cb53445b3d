// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/edit/edit.h"

namespace pw {

// Edits of the NVLink domains of a drawing. A node is in one of them at most. A domain that these edits leave
// with a single node joins nothing any more and goes. Items that are no nodes are passed over.

// How nodes are to share NVLink.
struct DomainWish {
    std::string name; // of the domain; of several, what their names begin with. "" = "d1", "d2", ...
    int gpus = 0;     // of a domain at most, whole nodes in the order of the drawing; 0 = no bound
    BytesPerSecond bandwidth{0}; // as NvlinkDomain has them
    Seconds latency{2e-6};
};

const NvlinkDomain* domainOf(const Cluster& cluster, std::string_view node); // null: it is in none

// Puts the nodes into new domains; they leave those that they were in. A rest of one node stays outside. Bad
// input: fewer than two nodes share NVLink then, the name is taken, or what checkCluster says of a domain.
Result<Project> shareDomain(const Project& project, const ItemIds& items, const DomainWish& wish);
// Into a domain that is there, behind its own nodes.
Result<Project> joinDomain(const Project& project, const ItemIds& items, const std::string& domain);
// Bad input: none of the items is in a domain.
Result<Project> leaveDomain(const Project& project, const ItemIds& items);
// Bandwidth and latency, by id; the nodes stay.
Result<Project> setDomain(const Project& project, const NvlinkDomain& domain);

} // namespace pw
