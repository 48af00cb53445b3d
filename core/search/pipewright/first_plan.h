// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/search/run.h"

namespace pw {

// On a large cluster the spaces of all micro-batch sizes and their bound take longer than somebody waits for
// a first answer. So a few sizes are searched before them, those whose pipelines would idle least: stages of
// all classes, alike in replicas and tensor-parallel size, with the layers that suit them best. What is found
// is one of the run's plans like any other. Does nothing on a small cluster, whose spaces are there at once.
void findFirstPlan(SearchRun& run, int threads);

} // namespace pw
