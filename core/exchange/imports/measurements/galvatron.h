// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/exchange/imports/import.h"

#include <filesystem>

namespace pw {

// What Galvatron's profilers write, all of it JSON of one level or two with the meaning in the keys:
//
//   computation_profiling_*  layernum[L]_bszB_seqS       ms of a whole pass of L layers
//                            layertype_0_bszB_seqS       ms of one layer and sample; layertype_other: the
//                            rest
//   memory_profiling_*       <pp>_<tp>_<dp>[_c][_vtp]_sp MB by rank; layertype_0_sp and other_memory_pp_* by
//   layer allreduce_, pp_size_*    GB/s between so many GPUs; overlap_coe
//
// Only the forward pass is timed and neither the GPU nor the head alone, so the figures are kept as they are,
// beside the layers, and price no plan.
bool recogniseGalvatron(std::string_view text, const std::filesystem::path& path);
Result<Imported> importGalvatron(std::string_view text, const std::filesystem::path& path,
                                 const ImportHints& hints);
bool recogniseGalvatronLinks(std::string_view text, const std::filesystem::path& path);
Result<Imported> importGalvatronLinks(std::string_view text, const std::filesystem::path& path,
                                      const ImportHints& hints);

} // namespace pw
