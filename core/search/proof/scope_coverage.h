// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/search/proof/scope.h"

namespace pw {

class Problem;
struct Plan;

// A family of the problem's Space: with its tensor partitions, which no bound of any shape speaks of, and as
// far as its replicas may share sequences and experts.
ProofScope scopeOf(const Problem& problem, ProofScope::Family family);

// Whether the plan belongs to what the scope speaks of, on this problem's devices and under its recipe.
bool contains(const ProofScope& scope, const Problem& problem, const Plan& plan);

// Whether the launch counts of all its pipelines are those that a schedule of the Space gives them.
bool hasRuledLaunches(const Problem& problem, const Plan& plan);

} // namespace pw
