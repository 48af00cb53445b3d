// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/calibrate/calibration.h"
#include "core/calibrate/layer_table.h"
#include "core/calibrate/run_table.h"
#include "core/plan/plan.h"

#include <memory>
#include <string>
#include <vector>

namespace pw {

// A published run as a question and a plan that evaluate() judges, with everything that the row left open and
// that was assumed.
struct RunCase {
    std::shared_ptr<const Problem> problem;
    Plan plan;
    std::vector<std::string> assumptions;
};

// Reads a row by its content alone: no rule here knows a source, a set or an id. Ranks lie as Megatron-LM
// lays them, tensor parallel innermost, then context, data and pipeline parallel, unless the notes say
// otherwise. What cannot be predicted is refused as `unsupported` (see unsupported.h) with the column as its
// place; what contradicts itself is bad input. `calibration` changes the machine that is drawn and the
// constants; `layers` are measured times to rest on where they are of the row's model and GPUs; the problem
// has `constants`, and so does what the drawing assumes of links.
Result<RunCase> runCase(const RunRow& row, const Calibration& calibration = {},
                        const std::vector<LayerTime>& layers = {},
                        const ConstantSet& constants = ConstantSet::builtin());

} // namespace pw
