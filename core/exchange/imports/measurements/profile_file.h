// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/exchange/imports/import.h"

#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace pw {

// Measured rows as a file of their own: what `import` makes of a profiler's output and `profiles export`
// hands on, with the provenance of every row. JSON (Document, schema "pipewright-profiles-1") or CSV (Table),
// plain or gzip. A million of them is a file of some 300 MB, so both are read row by row.
enum class ProfileFormat { Document, Table };
inline constexpr const char* kProfileFileKind = "pipewright-profiles";

// What a list of rows begins with, each row, what stands between two, and the end.
std::string profileFileHead(ProfileFormat format);
std::string printProfile(const ProfileRow& row, ProfileFormat format);
const char* profileFileSeparator(ProfileFormat format);
std::string profileFileEnd(ProfileFormat format);
std::string printProfiles(const std::vector<ProfileRow>& rows,
                          ProfileFormat format = ProfileFormat::Document);

// By the beginning of the text.
bool recogniseProfileFile(std::string_view head, const std::filesystem::path& path);
// Hands every row to `take`, whose error ends the reading. Field errors of rows are collected, 20 at most. A
// row without a source gets the file's name for one.
Status eachProfile(const std::filesystem::path& path, const std::function<Status(const ProfileRow&)>& take,
                   const std::stop_token& stop = {});
Result<Imported> importProfileFile(const std::filesystem::path& path, const ImportHints& hints);

} // namespace pw
