// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/schedule/op_lists.h"

#include <vector>

namespace pw {

// Seconds below which no lists of split passes have their largest span, for two chunks a stage in a V, under
// a limit of what each stage's forwards may hold (this project's; an exhaustive search over small pipelines
// checks it). The largest, over the stages, of
//
//   - its passes, and what it must stand idle before its first gradient, when only the forwards that fit into
//     its memory can run, and after its last forward, when only what they left behind can;
//   - the way of one micro-batch from its first forward to its last weight gradient there;
//   - that way, with the passes of any later stage, or the transfers of any later link, of which a V has
//   twice
//     as many a direction as one chunk a stage has, for all micro-batches in its middle;
//   - memory times time: what the micro-batches hold, for at least their way, over the limit.
double spanBoundOfV(const ChunkedPipeline& pipeline, int microbatches, const std::vector<double>& limit,
                    bool overlap);

} // namespace pw
