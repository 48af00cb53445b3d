// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/exchange/imports/import.h"

#include <filesystem>
#include <string_view>

namespace pw {

// `kubectl get nodes -o json` with the labels of NVIDIA's GPU feature discovery. Nodes whose GPUs are in
// slices or shared are excluded.
bool recogniseKubernetes(std::string_view text, const std::filesystem::path& path);
Result<Imported> importKubernetes(std::string_view text, const std::filesystem::path& path,
                                  const ImportHints& hints);

} // namespace pw
