// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/exchange/imports/import.h"

#include <filesystem>
#include <string_view>

namespace pw {

// ASTRA-sim's network.yml, and the logical dimensions of its ns-3 backend: NPUs in dimensions, the first of
// which is taken for the inside of a node. Nothing about the devices.
bool recogniseAstraSim(std::string_view text, const std::filesystem::path& path);
Result<Imported> importAstraSim(std::string_view text, const std::filesystem::path& path,
                                const ImportHints& hints);

} // namespace pw
