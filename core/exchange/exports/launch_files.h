// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/exchange/exports/export.h"
#include "core/exchange/launch_order.h"

namespace pw {

// Files that start a plan's ranks where the order of the nodes is the placement of the stages: `launch.sh`,
// run on every node, hands the node's GPUs to torchrun with static rendezvous (ranks start at the sum of the
// local world sizes of the nodes with a lower rank; with c10d they would follow the order of arrival), and
// `slurm.sbatch` runs a command on every node of a Slurm job, heterogeneous where nodes differ. `command` is
// what the Slurm script runs unless it is given another; empty: launch.sh with the script's arguments.
std::vector<ExportFile> launchFiles(const Problem& problem, const LaunchOrder& order,
                                    const std::string& command);

// `kubernetes.yaml`: a pod a node, each bound to its node by name, all of whose GPUs it takes, and the
// service under which they find the first one. The script of the export runs in every pod, in a volume that
// holds the export. `image` is a container image with what the script needs.
ExportFile kubernetesPods(const Problem& problem, const LaunchOrder& order, const std::string& script,
                          const std::string& image);

// "# node 0: n1 0,1,2,3" for each node in rank order: what an importer reads the placement from.
std::string placementComment(const Problem& problem, const LaunchOrder& order);

// Node names stand in shell scripts, host lists and YAML: letters, digits, dots, dashes, underscores.
void checkHostNames(const Problem& problem, const LaunchOrder& order, std::vector<Refusal>& refusals);

} // namespace pw
