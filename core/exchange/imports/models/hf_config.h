// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/exchange/imports/import.h"

#include <filesystem>
#include <string_view>

namespace pw {

// The config.json that Hugging Face puts beside a model. `model_type` decides which keys hold which size; a
// type that Pipewright cannot build is refused with the list of those it can.
bool recogniseHfConfig(std::string_view text, const std::filesystem::path& path);
Result<Imported> importHfConfig(std::string_view text, const std::filesystem::path& path,
                                const ImportHints& hints);

} // namespace pw
