// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/cluster/cluster.h"

namespace pw {

// Gives the items of a cluster that came from files their places on the drawing: nodes in rows, switches
// above them by how many switches they are away from a node.
void placeItems(Cluster& cluster);

} // namespace pw
