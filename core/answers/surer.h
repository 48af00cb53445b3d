// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/answers/node_groups.h"
#include "core/search/search.h"

#include <memory>

namespace pw {

// What to be surer that it fits costs. A search goes by what fits as predicted, and of the plans that it
// meets on its way those that need less memory are there by chance: the price of one may be three times what
// it has to be. Where neither the fastest plan nor one that takes hardly longer is likely to fit
// (kLikelyToFit), a short search of the same question with devices as full as that chance allows is asked for
// the fastest that is.
bool wantsSurer(const Problem& problem, const SearchOutcome& outcome);
// Stage candidates of that search: a part of what the one before took.
std::int64_t workForSurer(const SearchOutcome& outcome);
// Adds what it finds to the plans that differ, as the problem judges it, and its work to that of `outcome`.
// `search` is given the problem with fuller devices refused.
Status addSurer(const std::shared_ptr<const Problem>& problem, const Searcher& search,
                SearchOutcome& outcome);

} // namespace pw
