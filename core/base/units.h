// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/quantity.h"
#include "core/base/result.h"

#include <string>
#include <string_view>

namespace pw {

// Sizes, rates and times as people write them: "40 GiB", "100 Gbit/s", "12.5 GB/s", "20 us". GB is 1e9 and
// GiB is 2^30; bit is an eighth of a byte. A number without a unit is in base units (bytes, bytes per second,
// seconds). Always the C locale; nan, inf, negative and trailing text are refused with what is accepted.
Result<double> parseBytes(std::string_view text);     // 0 allowed
Result<double> parseBandwidth(std::string_view text); // bytes per second, above 0
Result<double> parseDuration(std::string_view text);  // seconds, 0 allowed

// For people: "39.6 GiB", "100 Gbit/s", "12.5 GB/s", "15.82 s", "7.6 ms", "20 us".
std::string formatGibibytes(Bytes bytes); // one decimal, with unit
std::string formatBitRate(BytesPerSecond rate);
std::string formatByteRate(BytesPerSecond rate);
std::string formatDuration(Seconds time);
std::string formatSpan(Seconds low, Seconds high); // "14.90 to 17.80 s", "980.0 ms to 1.20 s"

} // namespace pw
