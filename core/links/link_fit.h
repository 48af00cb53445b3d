// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/links/link_measurement.h"

#include "core/base/json.h"

#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace pw {

// Bus over algorithm bandwidth of a collective over n ranks, as nccl-tests defines it: what every link
// carries for each byte of the buffer. Nothing for a collective that is not known.
std::optional<double> busFactor(std::string_view collective, int ranks);
const std::vector<std::string>& knownCollectives();

// Nothing with fewer than two sizes, or where longer messages take no longer.
std::optional<LinkFit> fitLink(std::span<const LinkSample> samples, double factor);

// File form; link_file.h reads it.
inline constexpr const char* kLinksSchema = "pipewright-links-1";
Json toJson(const LinkMeasurement& measurement);
std::string printLinks(const std::vector<LinkMeasurement>& measurements);

} // namespace pw
