// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/exchange/exports/capability.h"

#include <vector>

namespace pw {

// What a search for an export target asks in place of what was asked: the recipe and the Space, as far as the
// target has them.

// Whether the target shards more than the optimiser where it shards at all, which no planner does where less
// has room: what is found with a sharded optimiser is given the sharding that it has.
bool reshards(const Recipe& asked, const Capability& can);

// One recipe, or one for every sharding and for every recompute setting that all stages may have.
std::vector<Recipe> recipesFor(const Recipe& asked, const Capability& can);

// A Space for all kinds of GPU that it runs on, or one for those of each vendor, or one for each kind, as far
// as the target uses them together. Where it runs on none, a Space whose question it refuses.
std::vector<Space> spacesFor(const Problem& problem, const Capability& can);

} // namespace pw
