// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/profile.h"

#include <string>
#include <vector>

namespace pw {

// What a ProfileTable can answer of one curve of points: the micro-batches at which all of its layers are
// measured. Between the first and the last of them times are interpolated; outside, and at any other
// tensor-parallel size, they are not.
struct ProfileReach {
    std::string model, kind;
    int tp = 1;
    std::int64_t seq = 0;                          // 0 = unstated
    std::string precision;                         // "" = unstated
    int firstLayer = 0, lastLayer = 0, layers = 0; // `layers` is less where some between are missing
    std::vector<int> microbatches;
    std::vector<std::string> sources;
};

// Sorted by (model, kind, tp, seq, precision). Rows of single operators are passed over.
std::vector<ProfileReach> reachOf(const std::vector<ProfileRow>& rows);

// The same of single operators, by name; figures without a time are passed over.
struct OperatorReach {
    std::string model, kind;
    int tp = 1;
    std::int64_t seq = 0;               // 0 = unstated
    std::string precision;              // "" = unstated
    std::vector<std::string> operators; // sorted
    std::vector<int> microbatches;      // at which any of them is timed
    std::vector<std::string> sources;
};
std::vector<OperatorReach> operatorReachOf(const std::vector<ProfileRow>& rows);

} // namespace pw
