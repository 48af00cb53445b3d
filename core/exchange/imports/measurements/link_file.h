// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/exchange/imports/import.h"

#include <filesystem>

namespace pw {

// Timed collectives as a file of their own, as printLinks() writes it (schema "pipewright-links-1"): what
// `import --out` makes of somebody's output and `profiles links --out` hands on.
bool recogniseLinkFile(std::string_view text, const std::filesystem::path& path);
Result<Imported> importLinkFile(std::string_view text, const std::filesystem::path& path,
                                const ImportHints& hints);

} // namespace pw
