// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/links/link_measurement.h"

#include <optional>
#include <string_view>

namespace pw {

// What stands in single lines of the output of nccl-tests.

inline constexpr int kMostNcclRanks = 131'072;

// "#  Rank  0 Group  0 Pid   4242 on     a100-0 device  0 [0000:10:00] NVIDIA A100-SXM4-80GB"; nothing
// if `line`, which begins with '#', is another.
std::optional<LinkDevice> ncclDeviceOf(std::string_view line);

// Without what Open MPI's mpirun writes in front of every line, and Kubeflow's MPI operator with it, up to
// the name of the stream: --tag-output "[1,0]<stdout>:" (version 5 also "[host:1,0]" or
// "[name,0][host:pid]"), --timestamp-output "Fri Nov 27 15:46:20 2026<stdout>:" (version 5 in brackets), both
// "...2026[1,0]<stdout>:".
std::string_view withoutMpiTag(std::string_view line);

} // namespace pw
