// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/disk.h"
#include "core/base/result.h"
#include "core/exchange/exports/export.h"

#include <filesystem>
#include <string>
#include <vector>

namespace pw {

// The files of an export belong together: a launch script of one plan beside settings of another runs, with
// stages on the wrong nodes. The folder's manifest says for every file of which plan it is, and each script
// asks it for all files of its set before it does anything.
//
//   staging folder inside the target  -- all files, synchronised
//   manifest without a plan for them  -- from here on every script refuses
//   each file renamed into its place
//   manifest with the plan            -- the set is whole
//
// A kill, a full disk or another export leaves the old set, the new one, or scripts that refuse to run. The
// staging folder is inside the target since that may be a mount, or all of a disk that its owner may write
// to. Two exports into one folder take turns; staging folders that are found there then are of dead ones. The
// manifest has no dot in front: `cp DIR/*` and `scp DIR/*` take it along.

inline constexpr const char* kExportManifest = "pipewright-export.json";

// What tells plans apart: the hash of the problem and the plan.
std::string exportedPlan(const Problem& problem, const Plan& plan);

// Gives every script of bash among the files, and every program of Python that a training is started with,
// the question for the others, behind its comment.
void bindTogether(std::vector<ExportFile>& files, const std::string& plan);

// Writes all files or none, and the manifest. Files that somebody has changed since, or that no export wrote,
// are refused unless `replace` says All.
Status writeSet(const std::vector<ExportFile>& files, const std::string& plan,
                const std::filesystem::path& folder, Replace replace, const Disk& disk = systemDisk());

} // namespace pw
