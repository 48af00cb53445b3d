// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/exchange/imports/import.h"

#include <filesystem>
#include <string_view>

namespace pw {

// `lstopo file.xml`, format 2.x or 3.x: GPUs by their NVML or CUDA devices, NVSwitches, the NVLink matrix.
bool recogniseHwloc(std::string_view text, const std::filesystem::path& path);
Result<Imported> importHwloc(std::string_view text, const std::filesystem::path& path,
                             const ImportHints& hints);

} // namespace pw
