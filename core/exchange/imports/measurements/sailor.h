// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/exchange/imports/import.h"

#include <filesystem>
#include <string_view>

namespace pw {

// Layer times as Sailor's profiler writes them, <MODEL>/<GPU>/profile.json:
//
//   {micro-batch: {tensor-parallel size: {layer: [forward, backward, update]}}}     seconds
//
// profiles_tmp.json holds many of them as {model: {gpu: ..}}, and one run of the profiler, named
// profile_<model>_<gpu>_<tp>_<mbs>.json, is {"timing": {layer: ..}, "memory": ..}, of which the times are
// read.
//
// Layer 0 is the embedding, the last one the head; one more than that is a final norm of its own, and counts
// to the head. Precision and sequence length are not in the file, so the rows match any and say so.
bool recogniseSailor(std::string_view text, const std::filesystem::path& path);
Result<Imported> importSailor(std::string_view text, const std::filesystem::path& path,
                              const ImportHints& hints);

} // namespace pw
