// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/exchange/exports/export.h"

namespace pw {

// The rows of exporterTable(), one file each.

// FlagScale's heterogeneous training files in the layout of November 2025 (FlagOpen/FlagScale da4935ec):
// train and experiment YAML, hostfile and the script that starts them. The trainer leaves several bad plans
// to fail in a running job, or to train something else silently; every rule is applied here, and what it
// cannot run is refused.
ExportResult exportFlagscale(const ExportInput& input);

// Trace Event Format, as chrome://tracing and Perfetto open it. A process is a stage, its threads are
// compute, forward sends, backward sends and gradient sync; of identical replicas one is drawn.
ExportResult exportChromeTrace(const ExportInput& input);

// The plan document of `plan --out` with this one plan: what `evaluate --plan` and other copies of the
// program read.
ExportResult exportPlanDocument(const ExportInput& input);

} // namespace pw
