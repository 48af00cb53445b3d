// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/session.h"

#include <string>
#include <vector>

namespace pw::cli {

// calibrate --constants: fits the model's own constants, prints the errors with all runs in and with sources
// or frameworks left out, and writes the constants in the form of constants.json.
struct ConstantsFlags {
    std::vector<std::string> files;    // none: the published runs that ship
    std::vector<std::string> leaveOut; // "source", "framework"
    std::string out;
    int threads = 0;
};
Result<Answer> calibrateConstants(const Session& session, const ConstantsFlags& flags);

} // namespace pw::cli
