// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/cluster/cluster.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pw {

// GPUs of one kind in a run, as its text names them.
struct GpuPart {
    DeviceKind kind; // of the catalogue, or one made from it where memory or power are stated otherwise
    int count = 0;   // 0 = not stated: all GPUs of the run; never so of one of several
    int perNode = 0; // 0 = not stated
};

struct GpuText {
    std::vector<GpuPart> parts; // in the order of the text
    std::vector<std::string> assumptions;
};

// What else is known of the run that helps to tell variants of one chip apart.
struct GpuHints {
    std::optional<double> memoryGb; // nominal
    bool pcie = false;              // GPUs of a node talk over PCIe
};

// Reads texts such as "A100-SXM4-80GB", "H100-SXM-96GB-HBM2e(500W)", "V100-32GB (DGX-2H)" and mixtures such
// as "8xRTX-3090+16xRTX-2080 (2x8)" or "32 H100, 16 A100" by their content: chip, form, memory, power limit,
// counts. A chip that the catalogue lacks is refused, naming the field, and so are several of which the text
// does not tell how many of each.
Result<GpuText> parseGpus(std::string_view text, const GpuHints& hints, const Catalogue& catalogue);

} // namespace pw
