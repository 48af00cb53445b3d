// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/exchange/imports/import.h"

#include <filesystem>
#include <string_view>

namespace pw {

// SimAI's topology text: a line of counts, the ids of NVSwitches and switches, then a line for every link.
bool recogniseSimai(std::string_view text, const std::filesystem::path& path);
Result<Imported> importSimai(std::string_view text, const std::filesystem::path& path,
                             const ImportHints& hints);

} // namespace pw
