// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace pw {

struct Cluster;

// Whether launch files can find a machine by the name: what host lists, shell scripts and YAML hold as it is.
// Letters, digits, underscores and, but at the beginning, dots and dashes. Slurm and Kubernetes ask for less
// (RFC 1123 has no underscore), and are asked by who writes their files.
bool isHostName(std::string_view name);

// A name that is one, as much like that of the item as can be, and that no item of the cluster has.
std::string asHostName(const Cluster& cluster, std::string_view id);

} // namespace pw
