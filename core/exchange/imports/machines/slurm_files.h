// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/text.h"
#include "core/inventory/inventory.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace pw::slurm {

// Files of Slurm, and what its commands print, that say something about GPUs. Mistakes go to `faults`.
Inventory readTopology(std::string_view text, TextFaults& faults, Diagnostics& notes);
Inventory readGres(std::string_view text, TextFaults& faults);
Inventory readConf(std::string_view text, TextFaults& faults);  // slurm.conf
Inventory readNodes(std::string_view text, TextFaults& faults); // scontrol show node
Inventory readSinfo(std::string_view text, TextFaults& faults); // sinfo's table, with a column GRES
bool isSinfo(std::string_view text);                            // by its first line
Result<Inventory> readNodesJson(std::string_view text, const std::string& file);

// Lines of a .conf as keys in lower case and values: comments gone, a line that ends in a backslash joined
// with the next one.
struct ConfLine {
    std::map<std::string, std::string> values;
    int number = 1;
};
std::vector<ConfLine> confLines(std::string_view text, TextFaults& faults);

// "gpu:a100:8(S:0-1),gpu:v100:2" by type ("" = none), and "cpu=32,gres/gpu=8,gres/gpu:a100=8".
using TypedCounts = std::map<std::string, int>;
Result<TypedCounts> gresCounts(std::string_view text);
Result<TypedCounts> tresCounts(std::string_view text);

std::string inCapitals(std::string_view word); // ASCII

// A node as scontrol has it in either form; adds it to the inventory, or to its excluded ones.
struct NodeRecord {
    std::string name, gres, tres, state, reason, partitions, features, where;
    double memoryMb = 0.0; // which are MiB; 0 = not said
};
void addNode(const NodeRecord& record, Inventory& found, TextFaults& faults);

} // namespace pw::slurm
