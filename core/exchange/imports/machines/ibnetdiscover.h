// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/exchange/imports/import.h"

#include <filesystem>
#include <string_view>

namespace pw {

// What `ibnetdiscover` of infiniband-diags prints: every switch and every channel adapter of a subnet, with
// what is at the other end of each port, the width and the speed. A host is the first word that its adapters
// are called by; adapters that bear no host's name (the maker's default, "localhost") are a host each, which
// is a warning. The aggregation nodes inside of switches are no hosts. Cables of one rate between the same
// two ends are one with so many lanes; a cable that both ends list is one.
//
// A rate is what the encoding leaves of the signalling rate (InfiniBand Architecture Specification, volume 2:
// 8b/10b up to QDR, 64b/66b from FDR10 on, PAM4 rates by their names from HDR on), one direction.
bool recogniseIbnetdiscover(std::string_view text, const std::filesystem::path& path);
Result<Imported> importIbnetdiscover(std::string_view text, const std::filesystem::path& path,
                                     const ImportHints& hints);

} // namespace pw
