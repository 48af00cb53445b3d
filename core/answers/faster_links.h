// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/answers/node_groups.h"

namespace pw {

// What links of the drawing are worth at twice their bandwidth: a plan is made for the links that there are,
// so what a faster network brings is seen only where plans are searched for anew. Links that are alike (of
// one rate, between the same kinds of items) are one group, which changes as one.
struct FasterLinks {
    std::string name; // "link s1-s2 (50 Gbit/s)", "16 links of 8 x 400 Gbit/s, H100-80 to switch"
    std::vector<std::string> links; // ids
    double busy = 0.0;              // share of the plan's iteration for which the busiest of them is
    Seconds same;                   // the plan as it is, on the faster links
    Seconds iteration;              // of the fastest plan found on them, which may be that one
    Seconds bound;                  // no plan of the space takes less; 0: none proven
};
inline constexpr double kFasterFactor = 2.0;

// Three groups: those that `plan` keeps busiest, and of those that it leaves alone the slowest, which it may
// avoid for being slow; the most helpful first. The searcher is asked once for each.
Result<std::vector<FasterLinks>> fasterLinks(const Problem& problem, const Plan& plan, Seconds now,
                                             const Searcher& searcher, const std::stop_token& stop);

} // namespace pw
