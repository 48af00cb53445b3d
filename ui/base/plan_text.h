// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/base/candidates.h"

namespace pw {

QString planTitle(const Candidate& candidate);         // "Plan 17"
QString planSummary(const Plan& plan);                 // "4 stages, H-1F1B, 64 micro-batches"
QString scheduleText(const Plan& plan);                // "H-1F1B"
QString launchText(const Plan& plan);                  // "5 4 3 1"
int stageCount(const Plan& plan);                      // over all pipelines
QString markedIteration(const Evaluation& evaluation); // "∴ 15.82 s", without the mark if measured
const DeviceMemory* fullestDevice(const Evaluation& evaluation); // by share of its capacity; null if none
QString deviceId(const Problem& problem, DeviceIndex device);    // "n1.g0"

} // namespace pw
