// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/evaluate/evaluation.h"
#include "core/plan/plan.h"
#include "core/problem/problem.h"

namespace pw {

// Model FLOPs utilisation (Chowdhery et al., PaLM, 2022): what a forward and a backward pass of the global
// batch need, the backward counted twice the forward and nothing that is computed again, over what all GPUs
// of the plan could have done at their dense peak of the question's precision in the iteration; 0 to 1, a
// share. The attention is counted as the cost model counts it. 0 where a peak or the iteration is not known.
double modelFlopsUtilisation(const Problem& problem, const Plan& plan, Seconds iteration);

// Of the memory that a plan may use of a device, what it needs at its peak, on the fullest one; 1 = full.
double fullestShare(const Evaluation& evaluation);

} // namespace pw
