// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/session.h"

#include "core/sweep/sweep_folder.h"

namespace pw::cli {

struct LocalRun {
    int jobs = 0; // child processes at a time; 0 = as many as there are cores
    bool retryFailed = false;
};

// Works off the open chunks on this machine: a child process each (`sweep work`), so that one that dies takes
// one search with it. It is started again and goes on behind what is done. Back when nothing is open that can
// be worked off, or a stop was asked for and all children have ended. Failure: children that end without
// getting anywhere, with the last lines of what they said.
Status runLocally(const Session& session, const SweepFolder& folder, const LocalRun& run);

} // namespace pw::cli
