// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/search/run.h"

namespace pw {

// What the other planners find, judged in this run: where a gap is left they sometimes look in better places
// (on 25 random clusters of 8 to 64 GPUs in 7, by up to 9 %). Plans outside the Space (Metis' mixed stages)
// are taken too, whose gap is against the bound for any shape, but where all plans of the Space can be tried;
// with wider axes only plans of these, and where the Space has them plans that are cut inside blocks. Up to
// 128 GPUs all that search the Space are asked; beyond that, or where all stages are to be alike, those that
// stay quick, and harp where blocks may be cut. `work`: of each; 0 = its default, and where the best plan is
// proven to be near the bound no more than about a fortieth of the time in which this run has done `done`.
// They run beside each other, on `options.threads`.
void considerOthers(SearchRun& run, const SearchOptions& options, std::int64_t work, std::int64_t done,
                    const std::stop_token& stop);

} // namespace pw
