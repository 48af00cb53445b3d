// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/plan.h"

namespace pw {

// The tensor partition of a stage (core/partition) in a plan: what makes one sound, how files and people read
// it.

// What is wrong with the partition of a stage whose replicas are sound: devices that are no power of two of
// equal ones, a model whose blocks cannot be divided so, ways that do not use the devices up or do not fit an
// operator, what a partition does not go with. `where`: a JSON pointer below the stage's `partition`.
struct PartitionFault {
    std::string where;
    Wording wording;
};
std::vector<PartitionFault> partitionFaults(const Problem& problem, const Stage& stage,
                                            std::int64_t microbatchSize);

// "none", or an object with a sequence for every operator: {"norm": "M.M", "qkv": "K.P2x2", ...}. Read in the
// order of the block's operators.
Json toJson(const partition::BlockWays& ways);
partition::BlockWays partitionFromJson(const JsonReader& stage, const Problem& problem,
                                       const std::vector<Replica>& replicas);

bool hasPartition(const Plan& plan);

// "none", or what it is called wherever it is shown: "PrimePar partition, predicted: norm M.M, qkv K.P2x2,
// ..."
std::string partitionText(const Stage& stage);

} // namespace pw
