// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/exchange/imports/import.h"

namespace pw {

// Timed collectives as a file of their own, as printLinks() writes it (schema "pipewright-links-1"): what
// `import --out` makes of somebody's output and `profiles links --out` hands on.
bool recogniseLinkFile(std::string_view text, const std::filesystem::path& path);
Result<Imported> importLinkFile(std::string_view text, const std::filesystem::path& path,
                                const ImportHints& hints);

// What is wrong with a measurement, whoever made it; empty if nothing.
std::string linkProblem(const LinkMeasurement& measurement);

// "all_reduce over 8 ranks, 40 samples: 24 us and 230 GB/s of bus bandwidth, within 3.1 %; ..."
std::string describe(const std::vector<LinkMeasurement>& measurements);

} // namespace pw
