// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/evaluate/evaluation.h"

#include <array>
#include <span>
#include <string>
#include <vector>

namespace pw {

// What a prediction's error may depend on, of any configuration: a published run and a user's plan go through
// the same function and can be held side by side. Sizes are base-2 logarithms, so that 1 is a doubling;
// choices are 0 to 1; shares are 0 to 1. Averages over the devices of a plan where they differ.
enum class Feature : std::uint8_t {
    Arithmetic,      // peak of a device at the plan's precision
    MemoryBandwidth, // of a device
    Pcie,            // share of devices without links of their own in the node
    Network,         // of a GPU, between nodes; a single node counts as 25 GB/s
    Gpus,
    Nodes,
    Tensor,          // tensor-parallel ranks
    TensorOverNodes, // share of devices whose tensor-parallel group spans nodes
    Stages,
    Data, // replicas of a stage, all pipelines together
    Context,
    Expert,
    LocalTokens, // of a micro-batch on one device
    Rounds,      // micro-batches for each stage
    Hidden,
    Sequence,
    HeadGrouping, // query heads for each key-value head
    Experts,      // the model has some
    NumberFormat, // 0 fp32 or tf32, 1 16 bits, 2 fp8
    Recompute,    // 0 none, 0.5 selective, 1 all blocks
    Sharding,     // ZeRO stage / 3
    Chunks,       // of a stage
    SplitBackward,
    EagerKernels,
    CompiledKernels,
    FusedAttention,
    OverlapGradients,
    Mixed,         // devices of several kinds
    Measured,      // share of the computing time that rests on measured layers
    TensorTime,    // share of the iteration in exposed tensor-parallel communication
    GradientTime,  // in exposed gradient sums
    BubbleTime,    // in which a stage stands still
    OptimizerTime, // in the optimiser step
};
inline constexpr std::size_t kFeatures = static_cast<std::size_t>(Feature::OptimizerTime) + 1;

struct Features {
    std::array<double, kFeatures> values{};
    double& operator[](Feature f) { return values[static_cast<std::size_t>(f)]; }
    double operator[](Feature f) const { return values[static_cast<std::size_t>(f)]; }
};

Features featuresOf(const Problem& problem, const Plan& plan, const Evaluation& evaluation);

// How much a unit of each feature sets two configurations apart, in one place: chosen by what the cost model
// does with it and by hand, the same for every source. A distance of 1 is about one clear difference, such as
// another generation of devices or another schedule.
struct FeatureRow {
    Feature feature;
    const char* name; // column of the table of residuals
    double weight;
    const char* label; // for people: what differs
};
std::span<const FeatureRow> featureTable(); // in the order of the enumeration

double distance(const Features& a, const Features& b);
// The labels of the features that set two configurations apart most: "tensor parallel", "precision".
std::vector<std::string> differences(const Features& a, const Features& b);

} // namespace pw
