// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace pw::cli {

// "a,b,c" into its parts; blanks around them are dropped, empty parts are refused.
Result<std::vector<std::string>> parseList(std::string_view flag, std::string_view text);

// Times of a list flag in seconds: plain numbers or with a unit ("1,2,500 us"), finite and not negative.
Result<std::vector<double>> parseTimes(std::string_view flag, std::string_view text);

// Integers of a list flag in [low, high].
Result<std::vector<std::int64_t>> parseCounts(std::string_view flag, std::string_view text, std::int64_t low,
                                              std::int64_t high);
// One such number, at least 1; an empty text leaves the value as it is.
Status takeCount(const char* flag, const std::string& text, std::int64_t most, std::int64_t& value);

// What is wrong with one entry of a list flag, counted from 1: "entry 2: the wording", with its values.
Error badEntry(std::string_view flag, std::size_t entry, const Wording& why);

// A check of CLI11: empty for the name of an export format, else what is wrong with it.
std::string isExportFormat(const std::string& text);

} // namespace pw::cli
