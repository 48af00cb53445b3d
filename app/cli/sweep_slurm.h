// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/session.h"

#include "core/sweep/slurm_job.h"

namespace pw::cli {

struct SlurmRun {
    SlurmOptions options;
    std::string through; // words before every command, as in "ssh login"; empty: Slurm is here
    bool dryRun = false;
};

// Submits the chunks that are open and that no earlier submission has waiting or running. The answer names
// jobs and commands. Failure: no Slurm, or sbatch refused, in its words and with what was submitted before.
Result<Answer> submitToSlurm(const SweepFolder& folder, const SlurmRun& run);

// Cancels what is still queued of earlier submissions.
Result<Answer> cancelOnSlurm(const SweepFolder& folder, const std::string& through);

// Adds the chunks that wait, run or are held, the last with Slurm's reason; failure if Slurm does not say.
Status addQueue(const SweepFolder& folder, const std::string& through, Answer& answer);

} // namespace pw::cli
