// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/exchange/imports/import.h"

#include <filesystem>
#include <string_view>

namespace pw {

// `nvidia-smi --query-gpu=index,name,memory.total,pci.bus_id --format=csv`: the GPUs of one host.
bool recogniseNvidiaGpus(std::string_view text, const std::filesystem::path& path);
Result<Imported> importNvidiaGpus(std::string_view text, const std::filesystem::path& path,
                                  const ImportHints& hints);

} // namespace pw
