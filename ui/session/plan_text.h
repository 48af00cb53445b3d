// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/session/candidates.h"

namespace pw {

QString planTitle(const Candidate& candidate);         // "Plan 17"
QString planSummary(const Plan& plan);                 // "4 stages, H-1F1B, 64 micro-batches"
QString scheduleText(const Plan& plan);                // "H-1F1B", of several pipelines each kind once
QString microbatchText(const Plan& plan);              // "64 of 4 sequences"; of several pipelines each
QString launchText(const Plan& plan);                  // "5 4 3 1"
int stageCount(const Plan& plan);                      // over all pipelines
QString markedIteration(const Evaluation& evaluation); // "∴ 15.82 s", without the mark if measured
// What the iteration is worth: "13.34 to 19.49 s".
QString expectedText(const ErrorBand& band, Seconds iteration);
// What that rests on: "12 cases of 3 sources", or that no measured case is near.
QString basisText(const ErrorBand& band);
// The nearest case: "Zero bubble zb-0012"; `differences`: what sets it apart where it is not near.
QString nearestText(const ErrorBand& band);
QStringList differencesOf(const ErrorBand& band, const Features& features);
// "68 %", rounded down: what is less than a limit reads so, and nothing is certain.
QString probabilityText(double probability);
// A plan beside the best one, which comes first in the comparison: "tie", "slower", or "faster", as one of
// another file can be.
QString besideText(const TimeComparison& beside);
// With how likely it is that the one with the shorter predicted time takes less: "tie, 68 %".
QString besideFigure(const TimeComparison& beside);
// What that is the probability of: "68 % that plan 4 is faster", "97 % that it is faster than plan 4".
QString besideNote(const TimeComparison& beside, const Candidate& best);
// The same of two plans in a sentence, with what is predicted.
QString besideSentence(const TimeComparison& beside, const Candidate& plan, const Candidate& best);
QString bubbleHelp(double idleShare); // says what it is (idle_share.h), with the plan document's figure
const DeviceMemory* fullestDevice(const Evaluation& evaluation); // by share of its capacity; null if none
QString deviceId(const Problem& problem, DeviceIndex device);    // "n1.g0"
// The same on a node that the drawing calls otherwise.
QString drawnDeviceId(const Problem& problem, DeviceIndex device, const NodeNames& drawn);

} // namespace pw
