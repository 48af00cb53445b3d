// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/calibrate/run_table.h"
#include "core/model/model.h"

#include <string>
#include <vector>

namespace pw {

// The row, with sizes of a published model where it names one and leaves them out.
RunRow completed(RunRow row, std::vector<std::string>& assumptions);

// The transformer that a row describes: sizes by its columns, structure (gated MLP, norms, biases, positions,
// tied head) by the model's name and what model_ref says of it, or, where both say nothing, by the
// feed-forward width and the count of parameters. Experts: run_experts.h. Heads that are not stated are as
// many as published models of that width have, and such that `tp` tensor-parallel ranks divide them.
// `vocabularyMultiple`: the trainer pads the vocabulary to a multiple of it (1 = not). Adds what it had to
// assume to `assumptions`.
Result<Model> runModel(const RunRow& row, int tp, std::int64_t vocabularyMultiple,
                       std::vector<std::string>& assumptions);

} // namespace pw
