// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/search/harp/fine_layers.h"
#include "core/search/harp/harp_programme.h"
#include "core/search/harp/sub_clusters.h"
#include "core/search/space/chain.h"

#include <functional>

namespace pw {

// What the programme reads for one micro-batch size: sub-clusters are its clusters, stage options of the
// Space their submeshes and logical shapes, with recompute among them. A way's id is the index of its option.
//
// A boundary takes the bytes of the residual stream, all that is alive between two fine layers, over the
// network of its place (published); between stages of the size in front, largest tensor parallelism each
// (this project's: a part of a node has a part of the NICs). Nodes of one class may be far apart, so the time
// between hosts is not that inside one, and launch counts treat it as they do everywhere in this program.

// False from `spend` (told the priced stages) ends it with what it has.
HarpInput harpTables(const ChainSpace& space, const StageRuns& runs, const std::vector<SubCluster>& clusters,
                     const std::function<bool(std::int64_t)>& spend);

} // namespace pw
