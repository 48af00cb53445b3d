// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/cluster/cluster.h"

#include <set>
#include <string>

namespace pw {

std::set<std::string> allIds(const Cluster& cluster); // NVLink domains, too
// "n7", of three digits "n007": the lowest number from `next` on that is free. The name is taken, and `next`
// moves behind it.
std::string takeNumbered(std::set<std::string>& taken, const std::string& prefix, int& next, int digits = 1);

} // namespace pw
