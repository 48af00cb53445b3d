// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/exchange/imports/import.h"

#include <filesystem>

namespace pw {

// Layer times as Metis (ATC 2024) reads them, one file DeviceType.<TYPE>_tp<N>_bs<M>.json a point:
// milliseconds of forward and backward together, the embedding first and the head last. The sum is measured
// and its parts are not, so one third counts as forward and two as backward; the optimiser's time is shared
// out by parameters. total_memory does not match its layers in published files and is passed over.
bool recogniseMetis(std::string_view text, const std::filesystem::path& path);
Result<Imported> importMetis(std::string_view text, const std::filesystem::path& path,
                             const ImportHints& hints);

} // namespace pw
