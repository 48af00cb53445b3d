// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/exchange/imports/import.h"

#include <filesystem>
#include <string_view>

namespace pw {

// The matrix that `nvidia-smi topo -m` prints: which link lies between every two GPUs of one host, nothing
// about the GPUs themselves.
bool recogniseNvidiaTopo(std::string_view text, const std::filesystem::path& path);
Result<Imported> importNvidiaTopo(std::string_view text, const std::filesystem::path& path,
                                  const ImportHints& hints);

} // namespace pw
