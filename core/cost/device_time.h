// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/constants.h"
#include "core/cluster/cluster.h"
#include "core/model/operators.h"
#include "core/problem/kernel_rates.h"
#include "core/problem/software.h"

#include <string>

namespace pw {

// Device physics: what one operator takes on one kind of accelerator. Reconstruction; the fitted constants
// stand in resources/calibration/constants.json, section "compute", with what they were fitted to.
//
// Matrix products: tiles of the output are dealt out to the compute units in whole waves, each tile walking
// the inner dimension after a start-up worth `startup` steps; the best of a few tile shapes counts. The rate
// of a unit is the kind's best measured share of its peak times what trained models sustain of it, and never
// more than its power limit allows at the energy that a FLOP costs in its process (the reason why a 500 W and
// a 700 W part, or a 70 W T4, do not share a number). Below that the operands' way through memory counts.
//
// Software that names its libraries (Software::products, attention) has the rates that are published for them
// on the kind instead (KernelRates), times what training sustains of them; its kernels stand in a queue that
// the host keeps full (unless each elementary operator is a kernel of its own), or in a graph. Such rates
// hold under the power limit that they were measured with.
class DeviceTime {
public:
    // `speed`: of the node, 0.9 = throttled to 90 %.
    DeviceTime(const ComputeConstants& constants, const DeviceKind& kind, Precision precision, double speed,
               const Software& software);

    struct Times {
        double forward = 0.0, inputGrad = 0.0, weightGrad = 0.0; // s
    };
    Times operator()(const Operator& op) const;
    // Bytes of a number that sequence-parallel ranks gather for a quantised product, scales with it:
    // operands are narrowed first, but for those with a scale a row (published: Transformer Engine's
    // gather_along_first_dim and torchtitan's float8 tensor parallelism).
    double gatheredBytes() const { return m_gatheredBytes; }
    double memory(double bytes) const;               // one kernel over memory; nothing for no bytes
    double bandwidth() const { return m_bandwidth; } // attainable, bytes/s
    double hostCall() const { return m_hostCall; }   // s of the host for one framework call

private:
    double product(double groups, double m, double n, double k, bool quantised) const;
    void takeLibraries(const ComputeConstants& constants, const DeviceKind& kind, const Software& software,
                       double speed);
    double attentionRate(const Operator& op, KernelRates::Pass pass) const;

    double m_rate8 = 0.0, m_rate = 0.0; // FLOP/s attainable by full tiles; of fp8 and of the precision itself
    double m_attention = 0.0;           // FLOP/s of fused attention kernels of which no library is named
    double m_attentionBackward = 0.0;
    std::string m_attentionLibrary, m_kind; // "" = none is named
    double m_attentionShare = 1.0;          // of that library's rates
    double m_bandwidth = 0.0, m_launch = 0.0, m_hostCall = 0.0, m_startup = 0.0;
    double m_quantiseBytes = 0.0;  // per element of an fp8 operand
    bool m_quantiseWeights = true; // for every pass, not once a step
    double m_gatheredBytes = 2.0;
    double m_turnBytes = 0.0; // per element of an fp8 operand that was gathered before it was turned
    double m_elementBytes = 2.0;
    int m_units = 0; // 0 = unknown: no waves
};

} // namespace pw
