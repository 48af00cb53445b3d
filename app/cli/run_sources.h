// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/calibrate/constants_fit.h"

#include <string>
#include <vector>

namespace pw::cli {

// Tables of measured runs, each under its file's name without the ending; without files the published ones
// that ship, with their layer times. Bad input if two rows have one id. `notes` gets the columns that nothing
// reads.
Result<std::vector<RunSource>> readRunSources(const std::vector<std::string>& files,
                                              Diagnostics* notes = nullptr);

} // namespace pw::cli
