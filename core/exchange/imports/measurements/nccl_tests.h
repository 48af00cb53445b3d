// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/exchange/imports/import.h"

#include <filesystem>
#include <string_view>

namespace pw {

// Output of nccl-tests, as printed or as its -J file: timed collectives, fitted to latency and bandwidth.
bool recogniseNcclTests(std::string_view text, const std::filesystem::path& path);
Result<Imported> importNcclTests(std::string_view text, const std::filesystem::path& path,
                                 const ImportHints& hints);

} // namespace pw
