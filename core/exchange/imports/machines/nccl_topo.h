// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/exchange/imports/import.h"

#include <filesystem>
#include <string_view>

namespace pw {

// What NCCL writes to NCCL_TOPO_DUMP_FILE, and the topology files that clouds ship for it: PCI tree, NVLinks
// and network cards of one host or several. Cloud files list devices by class only.
bool recogniseNcclTopo(std::string_view text, const std::filesystem::path& path);
Result<Imported> importNcclTopo(std::string_view text, const std::filesystem::path& path,
                                const ImportHints& hints);

} // namespace pw
