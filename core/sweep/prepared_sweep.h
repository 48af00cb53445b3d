// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sweep/expansion.h"

#include <filesystem>
#include <string>
#include <string_view>

namespace pw {

// A sweep that is read and checked, as writeSweepFolder() takes it: nothing is written yet.
struct PreparedSweep {
    SweepDocument sweep;
    SweepInputs inputs;
    Expansion expansion;
};

// `text` of a document called `file`, whose relative names begin at `folder`. Bad input with all places, or
// infeasible, as readSweep(), checkAxisNames(), readSweepInputs() and expand() have it; stopped by the token.
// `notes`: keys that are not known.
Result<PreparedSweep> prepareSweep(std::string_view text, const std::string& file,
                                   const std::filesystem::path& folder, const ExpansionOptions& options,
                                   Diagnostics& notes);

} // namespace pw
