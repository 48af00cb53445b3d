// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sweep/prepared_sweep.h"

#include "core/sweep/collect.h"

namespace pw {

Result<PreparedSweep> prepareSweep(std::string_view text, const std::string& file,
                                   const std::filesystem::path& folder, const ExpansionOptions& options,
                                   Diagnostics& notes) {
    Result<SweepDocument> sweep = readSweep(text, file, &notes);
    if (!sweep)
        return sweep.error();
    if (const Status named = checkAxisNames(*sweep); !named)
        return named.error();
    Result<SweepInputs> inputs = readSweepInputs(*sweep, file, folder, notes);
    if (!inputs)
        return inputs.error();
    const Result<Composer> composer = Composer::make(*sweep, *inputs, file);
    if (!composer)
        return composer.error();
    Result<Expansion> expansion = expand(*sweep, *composer, file, options);
    if (!expansion)
        return expansion.error();
    return PreparedSweep{*std::move(sweep), *std::move(inputs), *std::move(expansion)};
}

} // namespace pw
