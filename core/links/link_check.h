// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/wording.h"
#include "core/links/link_measurement.h"

#include <optional>

namespace pw {

// What a sound measurement stays within.
struct LinkLimits {
    static constexpr int ranks = 131'072;
    static constexpr int devices = 1023;   // number of a GPU in its host
    static constexpr double bytes = 1e18;  // of a message
    static constexpr double seconds = 1e6; // that it may take
    static constexpr double rate = 1e18;   // bytes/s
};

// What is wrong with a measurement, whoever made it.
std::optional<Wording> linkProblem(const LinkMeasurement& measurement);

// "all_reduce over 8 ranks, 40 samples: 24 us and 230 GB/s of bus bandwidth, within 3.1 %; ..."
std::string describe(const std::vector<LinkMeasurement>& measurements);

} // namespace pw
