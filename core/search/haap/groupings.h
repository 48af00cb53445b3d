// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/search/space/chain.h"

#include <functional>
#include <vector>

namespace pw {

// A run of stages on one class of nodes.
struct StageGroup {
    int cls = 0;
    std::vector<int> sizes; // devices of each stage, from the pipeline's end
};
using Grouping = std::vector<StageGroup>; // from the pipeline's end

// All GPUs of a class over so many stages as evenly as stages may be cut: whole nodes, or parts of one node.
// Empty if there is no way.
std::vector<int> evenSizes(const ChainClass& cls, int stages);

// Orders in which classes may follow each other: every order of every set of up to five classes; of more, the
// sets of the fastest and of the roomiest, in order of speed and of memory, both ways.
std::vector<std::vector<int>> classOrders(const std::vector<ChainClass>& classes);

// Every number of stages on each class of `order`, fewest first, up to `most` in all. `take` says whether to
// go on.
void forEachGrouping(const std::vector<ChainClass>& classes, const std::vector<int>& order, int most,
                     const std::function<bool(const Grouping&)>& take);

} // namespace pw
