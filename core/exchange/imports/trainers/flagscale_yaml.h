// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/exchange/imports/import.h"

#include <filesystem>
#include <string_view>

namespace pw {

// FlagScale's training YAML with heterogeneous process meshes, and its experiment YAML, of which the GPUs
// that each host is shown matter. The hosts are in a hostfile (hostfile.h). Layout of November 2025.
bool recogniseFlagscaleYaml(std::string_view text, const std::filesystem::path& path);
Result<Imported> importFlagscaleYaml(std::string_view text, const std::filesystem::path& path,
                                     const ImportHints& hints);

} // namespace pw
