// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/exchange/imports/import.h"

#include <filesystem>
#include <string_view>

namespace pw {

// Metis' clusterfile.json: {address: {instance_type, inter_bandwidth, intra_bandwidth, memory}}, bandwidths
// in bytes per second, memory in GiB.
bool recogniseMetisCluster(std::string_view text, const std::filesystem::path& path);
Result<Imported> importMetisCluster(std::string_view text, const std::filesystem::path& path,
                                    const ImportHints& hints);

} // namespace pw
