// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/exchange/imports/import.h"

#include <string>
#include <string_view>
#include <vector>

namespace pw {

// Measured rows as a file of their own (schema "pipewright-profiles-1"): what `import` makes of a profiler's
// output and `profiles export` hands on, with the provenance of every row.
std::string printProfiles(const std::vector<ProfileRow>& rows);
Result<std::vector<ProfileRow>> readProfiles(std::string_view text, const std::string& file);
bool recogniseProfileFile(std::string_view text, const std::filesystem::path& path);
Result<Imported> importProfileFile(std::string_view text, const std::filesystem::path& path,
                                   const ImportHints& hints);

} // namespace pw
