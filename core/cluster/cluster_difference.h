// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/wording.h"
#include "core/cluster/cluster.h"

#include <string>
#include <vector>

namespace pw {

std::string lanesText(const Link& link); // "400 Gbit/s", "8 x 400 Gbit/s"

// What sets two drawings apart, for people: "16 and 24 nodes", "link leaf1-spine1: 4 x 400 Gbit/s and
// 8 x 400 Gbit/s", "8 links: 200 Gbit/s and 400 Gbit/s", the first figure that of `a`. What is in one of them
// alone is told by counts; of what has the same name in both, by its figures. Empty where they differ in
// places alone.
std::vector<Wording> clusterDifferences(const Cluster& a, const Cluster& b);

} // namespace pw
