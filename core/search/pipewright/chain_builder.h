// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/search/run.h"

#include <vector>

namespace pw {

// Builds chains of one micro-batch size that may end by a deadline, from the last stage to the first, keeping
// `width` partial chains for every number of layers left. What a partial chain needs to tell its front: V,
// the launch-count bound of its stages, with V' = max(B t, t + 2c + V); its launch count, which is the memory
// of the next stage; the devices used; the layers left.
struct ChainSearch {
    std::size_t space = 0; // index into SearchRun::spaces()
    std::vector<double>
        prices; // blocks that a GPU of each class is worth (launch_count_bound.h), to rank partial chains
    double deadline = 0.0;                                           // s
    enum class Launch { Ceil, Artifact, One } launch = Launch::Ceil; // for which memory is reserved
    int width = 24;
};

// Finished chains, least bound first, at most `width`.
std::vector<Chain> buildChains(SearchRun& run, const ChainSearch& search);

} // namespace pw
