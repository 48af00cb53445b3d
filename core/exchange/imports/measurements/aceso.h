// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/exchange/imports/import.h"

#include <filesystem>

namespace pw {

// What Aceso's profiler (EuroSys 2024) writes, sizes in MiB:
//
//   <model>_<size>_mbs<b>_tp<t>_algo<a>.csv      microseconds of every operator. A block is the sum of 13 of
//                                                them; the last norm counts to the head, and the device kind
//                                                is not said
//   prim_<model>_<size>_<collective>_<n>gpus.csv a collective over sizes, in ms
//   p2p_{intra,inter}_node.csv                   one row of sizes, one of GB/s
//
// Operators are kept as they are beside the layers that they make. `algo` tells two ways to divide an
// operator apart; each is a source of its own.
bool recogniseAcesoOps(std::string_view text, const std::filesystem::path& path);
Result<Imported> importAcesoOps(std::string_view text, const std::filesystem::path& path,
                                const ImportHints& hints);
bool recogniseAcesoLinks(std::string_view text, const std::filesystem::path& path);
Result<Imported> importAcesoLinks(std::string_view text, const std::filesystem::path& path,
                                  const ImportHints& hints);

} // namespace pw
