// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/evaluate/evaluation.h"
#include "core/exchange/imports/measurements/kineto.h"

namespace pw {

// A measured rank laid over the stage of the plan that it ran: seconds of one step, the mean of the trace's.
struct StageOverlay {
    int pipeline = 0, stage = 0, rank = 0;
    std::string device; // of the plan
    int steps = 0;
    struct Pair {
        Seconds measured, predicted;
        Seconds difference() const { return predicted - measured; }
        // Predicted over measured, less one; 0 where nothing was measured.
        double error() const { return measured.value > 0.0 ? difference() / measured : 0.0; }
    };
    Pair iteration;     // from one step to the next
    Pair computing;     // kernels and tensor-parallel collectives, each instant counted once
    Pair communication; // other collectives while nothing is computed
    Pair idle;          // what is left of the iteration
    Diagnostics notes;  // that the trace is of another GPU than the plan's
};

// Lays traces over an evaluated plan (with its ops kept). Ranks count through the plan as launch files place
// them: pipeline by pipeline, stage by stage, replica by replica, in tensor-parallel order; the replicas
// before the stages where only that order keeps a node's ranks together (launch_order.h). Refuses a trace
// whose world is not the plan's GPUs and two traces of one rank. A trace of another kind of GPU is laid over
// and noted. One entry a trace, by rank.
Result<std::vector<StageOverlay>> overlay(const Problem& problem, const Plan& plan,
                                          const Evaluation& evaluation,
                                          const std::vector<KinetoTrace>& traces);

// Of one step, from the kernels in it: the union of their times, s.
struct StepTimes {
    Seconds iteration, computing, communication;
    int steps = 0;
};
StepTimes stepTimes(const KinetoTrace& trace);

} // namespace pw
