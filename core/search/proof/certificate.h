// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/base/quantity.h"
#include "core/problem/problem.h"
#include "core/search/proof/scope.h"

namespace pw {

// What a certificate speaks of, by its form: the capacity bound's of any shape, the launch-count bound's of
// chains and uniform grids.
ProofScope::Family familyOf(const Json& certificate);

// Recomputes a certificate, this bound's or the capacity bound's, from the problem alone and says whether it
// proves `value`. One of another form proves nothing. Of this bound's, which speaks of chains, uniform grids
// are tried again where `grids` says that the bound holds for them too, and plans of one stage under the ZeRO
// stages `sharded`.
bool provesBound(const Problem& problem, const Json& certificate, Seconds value, bool grids = true,
                 const std::vector<int>& sharded = {});

} // namespace pw
