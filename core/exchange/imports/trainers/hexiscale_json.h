// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/exchange/imports/import.h"

#include <filesystem>
#include <string_view>

namespace pw {

// HexiScale's all_hetero_configs.json: tensor-parallel sizes, layers and ranks of every pipeline's stages.
bool recogniseHexiscaleJson(std::string_view text, const std::filesystem::path& path);
Result<Imported> importHexiscaleJson(std::string_view text, const std::filesystem::path& path,
                                     const ImportHints& hints);

} // namespace pw
