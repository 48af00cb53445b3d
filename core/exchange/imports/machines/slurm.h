// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/exchange/imports/import.h"

#include <filesystem>
#include <string_view>

namespace pw {

// Slurm's topology.conf, gres.conf and `scontrol show node` (text or --json), told apart by their content.
// Each has a part: switches, GPU counts and link counts, state and types. None has memory or bandwidth.
bool recogniseSlurm(std::string_view text, const std::filesystem::path& path);
Result<Imported> importSlurm(std::string_view text, const std::filesystem::path& path,
                             const ImportHints& hints);

} // namespace pw
