// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/cluster/cluster.h"

#include <optional>
#include <string_view>
#include <vector>

namespace pw {

// The device kind that a GPU is, by what a driver or a scheduler calls it: "NVIDIA A100-SXM4-80GB", "Tesla
// V100-SXM2-16GB", "NVIDIA H100 80GB HBM3". Where the name fits several ("a100") or only its chip is known
// ("Tesla V100-SXM3-32GB-H"), there is no kind and the candidates are for a person to choose from. Memory
// narrows the choice where it is known; the driver reports a little less than the name says.
struct DeviceMatch {
    const DeviceKind* kind = nullptr;
    std::vector<const DeviceKind*> candidates;
};
DeviceMatch matchDevice(const Catalogue& catalogue, std::string_view reported, std::optional<Bytes> memory);

} // namespace pw
