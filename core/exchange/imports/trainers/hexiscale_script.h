// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/exchange/imports/import.h"

#include <filesystem>
#include <string_view>

namespace pw {

// A script that starts HexiScale: batches and chunks of the pipelines, precision, sharding. The stages are in
// a JSON beside it (hexiscale_json.h), and the model is for the user to name.
bool recogniseHexiscaleScript(std::string_view text, const std::filesystem::path& path);
Result<Imported> importHexiscaleScript(std::string_view text, const std::filesystem::path& path,
                                       const ImportHints& hints);

} // namespace pw
