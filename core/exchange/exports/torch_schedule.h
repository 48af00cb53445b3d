// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/evaluate/evaluation.h"

namespace pw {

// The simulated order of a pipeline's passes as torch.distributed.pipelining reads it
// (pytorch 00722e64, torch/distributed/pipelining/schedules.py, compute-only form): a row a rank, cells in
// order of time, "<stage><kind><micro-batch>" with F forward, B the whole backward, I the gradient of the
// input and W that of the weights. The columns are steps of equal length in which every pass has its input;
// an empty cell is idle. Needs an evaluation with ops.
//
//     0F0,0F1,,0B0,0F2,0B1,,0B2
//     ,1F0,1B0,1F1,1B1,1F2,1B2,
std::string torchScheduleCsv(const PipelineFigures& figures);

} // namespace pw
