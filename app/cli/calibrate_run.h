// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/session.h"

#include <string>

namespace pw::cli {

// Whether the file is a run of the runner, and no table of runs. Only its beginning and end are not enough to
// tell, so that it is read whole.
Result<bool> isRunRecord(const std::string& file);

// `calibrate run.json`: factors from one run of the runner (core/overlay/run_fit.h).
Result<Answer> calibrateRun(const std::string& file, const std::string& out);

} // namespace pw::cli
