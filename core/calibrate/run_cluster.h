// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/calibrate/gpu_text.h"
#include "core/calibrate/network_text.h"

#include <string>
#include <vector>

namespace pw {

// Draws the machine of a run: nodes of `gpusPerNode` of each kind in the order of the text, all on one switch
// if there are several. GPUs come in the order of the ranks. Adds what it had to assume.
Result<Cluster> runCluster(const GpuText& gpus, const NetworkText& network, int gpuCount, int gpusPerNode,
                           const CommConstants& constants, std::vector<std::string>& assumptions);

} // namespace pw
