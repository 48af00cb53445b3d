// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/plan.h"
#include "core/search/space/chain.h"

namespace pw {

// Whether stages have in common what the Space asks of all stages of a plan (Space::alike).
bool areAlike(const AlikeStages& asked, const StageOption& a, const StageOption& b);
bool areAlike(const ChainSpace& space, const Chain& chain);
bool areAlike(const AlikeStages& asked, const Plan& plan);

} // namespace pw
