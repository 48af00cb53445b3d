// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/exchange/imports/import.h"

#include <filesystem>
#include <string_view>

namespace pw {

// Hosts and their GPUs, a line each: "HOST slots=8 [type=A100]". DeepSpeed, Metis and FlagScale read such.
bool recogniseHostfile(std::string_view text, const std::filesystem::path& path);
Result<Imported> importHostfile(std::string_view text, const std::filesystem::path& path,
                                const ImportHints& hints);

} // namespace pw
