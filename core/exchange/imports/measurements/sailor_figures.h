// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/exchange/imports/import.h"

#include <filesystem>

namespace pw {

// What Sailor keeps beside its layer times.
//
//   llm_info.json  {model: {tp: {layer: {params_floats, .., params_bytes, ..}}}} at micro-batch 1: sizes,
//   kept
//                  beside the layers. Bytes are not always four a float, so both are read.
//   network_coeffs {"inter": {gpu: {count: [[c2, c1, c0], most]}}} and intra_node_bandwidths {gpu: {count:
//   ..}}:
//                  a fit of the bandwidth over the size of a message, and its highest measured value, B/s.
bool recogniseSailorModel(std::string_view text, const std::filesystem::path& path);
Result<Imported> importSailorModel(std::string_view text, const std::filesystem::path& path,
                                   const ImportHints& hints);
bool recogniseSailorLinks(std::string_view text, const std::filesystem::path& path);
Result<Imported> importSailorLinks(std::string_view text, const std::filesystem::path& path,
                                   const ImportHints& hints);

// GB/s = c2 x^2 + c1 x + c0 with x = log2(size in MB of 1e6 bytes). The fit may exceed what was measured.
struct SailorLink {
    double c2 = 0.0, c1 = 0.0, c0 = 0.0;
    double most = 0.0;                    // bytes a second
    double fitted(double bytes) const;    // bytes a second
    double bandwidth(double bytes) const; // the same, at most `most`
};

} // namespace pw
