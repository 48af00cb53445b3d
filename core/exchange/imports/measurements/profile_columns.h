// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/profile.h"

#include <array>
#include <cstdint>
#include <string>
#include <type_traits>
#include <variant>

namespace pw {

// The columns of measured rows as a file of their own (profile_file.h).

// Where a column's value goes: the members of a row's JSON, in this order.
using ProfileField = std::variant<std::string ProfileRow::*, int ProfileRow::*, std::int64_t ProfileRow::*,
                                  double ProfileRow::*, Seconds ProfileRow::*, Bytes ProfileRow::*>;
struct ProfileColumn {
    const char* name;
    ProfileField field;
    bool needed = false;
};
const std::array<ProfileColumn, 18>& profileColumns();
// In the order in which the members of an object stand.
const std::array<const ProfileColumn*, 18>& profileColumnsByName();

// Their names as a CSV file has them.
std::string profileCsvHead();

// Members that count, and the largest that is read.
template <class T>
inline constexpr bool kIsProfileCount = std::is_same_v<T, int> || std::is_same_v<T, std::int64_t>;
template <class T>
inline constexpr std::int64_t kMostProfileCount = std::is_same_v<T, int> ? 1'000'000 : std::int64_t{1} << 40;

// A value as a CSV file has it.
std::string profileCellText(const ProfileRow& row, const ProfileField& field);
// What the text must be instead; empty if it has been set.
std::string setProfileCell(ProfileRow& row, const ProfileField& field, const std::string& text);

} // namespace pw
