// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/plan/plan.h"

namespace pw::whatif {

// What the time of a plan does when one thing changes and all others stay: the bandwidth or the latency of a
// link or of all links, the size of a micro-batch, the place of a boundary, the tensor-parallel size of a
// stage. Every point is evaluated as any plan is.
struct SliceParameter {
    enum class Kind { AllLinks, AllLatencies, Link, Latency, Microbatch, Boundary, Tp };
    Kind kind = Kind::AllLinks;
    std::string link; // of Link and Latency
    int index = 0;    // the boundary, or the stage of Tp
    // Of Boundary: the stage in front of it, and which of its chunks ends there; -1: it has one.
    int stage = -1, chunk = -1;
    bool operator==(const SliceParameter&) const = default;
    bool isOfLinks() const { return kind <= Kind::Latency; }
};
// Those with more than one value that the plan could have. Links that are left
// out have none; single latencies are those of links between sites.
std::vector<SliceParameter> sliceParameters(const Problem& problem, const Plan& plan);

struct SlicePoint {
    double at = 0.0; // factor of the bandwidth or latency, sequences, fine layer behind the boundary, tp
    Seconds iteration;
    bool fits = true;         // into the memory
    bool now = false;         // as the plan is
    std::optional<Plan> plan; // none where the cluster changes and not the plan
};
// Ascending; without values that the plan cannot have. A boundary: the blocks around its place. Ends early
// where `stop` is set.
Result<std::vector<SlicePoint>> slice(const Problem& problem, const Plan& plan,
                                      const SliceParameter& parameter, const std::stop_token& stop);

inline constexpr Seconds kFarLatency(1e-3); // from which on a link is one between sites
inline constexpr std::size_t kMostFar = 16; // of more of them none has a curve of its own
inline constexpr double kSliceFactors[] = {0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 4.0};
inline constexpr int kSliceBlocks = 12; // before and behind a boundary

} // namespace pw::whatif
