// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/calibrate/gpu_text.h"
#include "core/calibrate/network_text.h"

#include <string>
#include <vector>

namespace pw {

// Draws the machine of a run: nodes of `gpusPerNode` of each kind in the order of the text, all on one switch
// if there are several. GPUs come in the order of the ranks. `nvlinkDomain` GPUs are joined by NVLink, 0 = as
// is usual for the kind; where the run has more, in domains of equal size if that leaves them more than half
// full, as schedulers deal out racks (16 of 18 trays). Adds what it had to assume.
Result<Cluster> runCluster(const GpuText& gpus, const NetworkText& network, int gpuCount, int gpusPerNode,
                           int nvlinkDomain, const CommConstants& constants,
                           std::vector<std::string>& assumptions);

} // namespace pw
