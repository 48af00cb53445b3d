// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/problem/problem.h"

#include <string>
#include <vector>

namespace pw {

// GPUs that a job is started on, node by node in rank order.
struct GpuPool {
    std::string name; // "A100-40 and V100-16"
    std::vector<std::vector<DeviceIndex>> nodes;
    bool all = false; // every allowed GPU
    int gpus() const;
};

// All allowed GPUs; then those of each smaller set of device kinds, larger sets first. A mixed pool is there
// in the order of the file, and again with the roomiest kinds in front, where 1F1B holds most activations, if
// that is another order. Last, of each kind, 1, 2, 4, ... and all of the nodes on one switch, as people leave
// out what hangs on slow links.
std::vector<GpuPool> gpuPools(const Problem& problem);

} // namespace pw
