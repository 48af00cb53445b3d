// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/exchange/exports/capability.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace pw::features {

// The rows of capabilityTable(): for each what a capability allows, in a word or two, and every reason why a
// plan does not go with it. Plans need not have passed checkPlan.

using Refusals = std::vector<Refusal>;

std::string modelAllowed(const Capability& can);
std::string precisionAllowed(const Capability& can);
std::string optimizerAllowed(const Capability& can);
std::string vendorAllowed(const Capability& can);
std::string vendorsAllowed(const Capability& can);
std::string batchAllowed(const Capability& can);
std::string scheduleAllowed(const Capability& can);
std::string unevenAllowed(const Capability& can);
std::string subLayerAllowed(const Capability& can);
std::string layerOrderAllowed(const Capability& can);
std::string emptyAllowed(const Capability& can);
std::string virtualAllowed(const Capability& can);
std::string tpAllowed(const Capability& can);
std::string divideAllowed(const Capability& can);
std::string sequenceAllowed(const Capability& can);
std::string dpAllowed(const Capability& can);
std::string sizeAllowed(const Capability& can);
std::string placementAllowed(const Capability& can);
std::string mixAllowed(const Capability& can);
std::string splitAllowed(const Capability& can);
std::string shapeAllowed(const Capability& can);
std::string recomputeAllowed(const Capability& can);
std::string shardingAllowed(const Capability& can);
std::string cpAllowed(const Capability& can);
std::string epAllowed(const Capability& can);
std::string partitionAllowed(const Capability& can);

void checkModel(const Capability& can, const Problem& problem, const Plan& plan, Refusals& out);
void checkPrecision(const Capability& can, const Problem& problem, const Plan& plan, Refusals& out);
void checkOptimizer(const Capability& can, const Problem& problem, const Plan& plan, Refusals& out);
void checkVendor(const Capability& can, const Problem& problem, const Plan& plan, Refusals& out);
void checkVendors(const Capability& can, const Problem& problem, const Plan& plan, Refusals& out);
void checkBatch(const Capability& can, const Problem& problem, const Plan& plan, Refusals& out);
void checkSchedule(const Capability& can, const Problem& problem, const Plan& plan, Refusals& out);
void checkUneven(const Capability& can, const Problem& problem, const Plan& plan, Refusals& out);
void checkSubLayer(const Capability& can, const Problem& problem, const Plan& plan, Refusals& out);
void checkLayerOrder(const Capability& can, const Problem& problem, const Plan& plan, Refusals& out);
void checkEmpty(const Capability& can, const Problem& problem, const Plan& plan, Refusals& out);
void checkVirtual(const Capability& can, const Problem& problem, const Plan& plan, Refusals& out);
void checkTp(const Capability& can, const Problem& problem, const Plan& plan, Refusals& out);
void checkDivide(const Capability& can, const Problem& problem, const Plan& plan, Refusals& out);
void checkSequence(const Capability& can, const Problem& problem, const Plan& plan, Refusals& out);
void checkDp(const Capability& can, const Problem& problem, const Plan& plan, Refusals& out);
void checkSize(const Capability& can, const Problem& problem, const Plan& plan, Refusals& out);
void checkPlacement(const Capability& can, const Problem& problem, const Plan& plan, Refusals& out);
void checkMix(const Capability& can, const Problem& problem, const Plan& plan, Refusals& out);
void checkSplit(const Capability& can, const Problem& problem, const Plan& plan, Refusals& out);
void checkShape(const Capability& can, const Problem& problem, const Plan& plan, Refusals& out);
void checkRecompute(const Capability& can, const Problem& problem, const Plan& plan, Refusals& out);
void checkSharding(const Capability& can, const Problem& problem, const Plan& plan, Refusals& out);
void checkCp(const Capability& can, const Problem& problem, const Plan& plan, Refusals& out);
void checkEp(const Capability& can, const Problem& problem, const Plan& plan, Refusals& out);
void checkPartition(const Capability& can, const Problem& problem, const Plan& plan, Refusals& out);

inline const char* yes(bool allowed) {
    return allowed ? "yes" : "no";
}

// Of what a target has: their names, or "any" where it states none.
template <class T>
std::string namesOrAny(const std::vector<T>& values) {
    std::vector<std::string> names;
    for (const T& value : values)
        names.emplace_back(name(value));
    return names.empty() ? "any" : fmt::format("{}", fmt::join(names, ", "));
}

// Told with its pipeline and what it is called.
template <class Visit>
void eachStage(const Plan& plan, const Visit& visit) {
    for (std::size_t p = 0; p < plan.pipelines.size(); ++p)
        for (std::size_t i = 0; i < plan.pipelines[p].stages.size(); ++i)
            visit(plan.pipelines[p], plan.pipelines[p].stages[i], stageName(plan, p, i));
}

} // namespace pw::features
