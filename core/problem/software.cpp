// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/problem/software.h"

#include "core/base/units.h"
#include "core/problem/kernel_rates.h"
#include "core/problem/word_field.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace pw {

namespace {

constexpr double kMaxBucket = 1024.0;       // GiB
constexpr std::int64_t kMaxRanks = 131'072; // as many as a cluster may have devices

struct ChoiceField {
    const char* key;
    Choice Software::*field;
};

constexpr double kMostBetween = 600.0; // s
constexpr double kMostStall = 10.0;    // s

constexpr ChoiceField kChoices[] = {
    {"fused_attention", &Software::fusedAttention},
    {"overlap_gradients", &Software::overlapGradients},
    {"overlap_gather", &Software::overlapGather},
    {"gradients_fp32", &Software::gradFp32},
    {"dropout", &Software::dropout},
    {"per_tensor", &Software::perTensor},
    {"owner_broadcasts", &Software::ownerBroadcasts},
    {"overlap_tensor", &Software::overlapTensor},
    {"overlap_tensor_backward", &Software::overlapTensorBackward},
    {"overlap_transfers", &Software::overlapTransfers},
    {"fused_loss", &Software::fusedLoss},
    {"overlap_parameters", &Software::overlapParameters},
    {"fused_accumulation", &Software::fusedAccumulation},
    {"fused_update", &Software::fusedUpdate},
    {"repeat_core", &Software::repeatCore},
    {"weights_fp8", &Software::weightsFp8},
};

constexpr const char* kAutomatic = "auto";

// Named tables of resources/kernels.
struct KernelField {
    const char* key;
    std::string Software::*field;
    std::vector<std::string> (*names)();
};
constexpr KernelField kKernels[] = {{"products", &Software::products, productLibraries},
                                    {"attention", &Software::attention, attentionLibraries}};

std::string readKernel(const JsonReader& reader, const KernelField& kernel, const std::string& fallback) {
    const std::string text = reader.text(kernel.key, fallback.empty() ? kAutomatic : fallback);
    if (text == kAutomatic)
        return {};
    const std::vector<std::string> names = kernel.names();
    if (std::ranges::find(names, text) == names.end())
        reader.fail("recipe.choice", reader.where(kernel.key),
                    {"is \"{text}\"; expected one of {names}",
                     {{"text", text}, {"names", fmt::format("auto, {}", fmt::join(names, ", "))}}});
    return text;
}

} // namespace

const char* name(Graphs graphs) {
    return graphs == Graphs::None ? "none" : graphs == Graphs::Layer ? "layer" : "iteration";
}

const char* name(Scaling scaling) {
    switch (scaling) {
    case Scaling::Tensor:
        return "tensor";
    case Scaling::Delayed:
        return "delayed";
    case Scaling::Row:
        return "row";
    case Scaling::Block:
        return "block";
    case Scaling::Mxfp8:
        return "mxfp8";
    case Scaling::Nvfp4:
        return "nvfp4";
    }
    return "tensor";
}

const char* name(Choice c) {
    return c == Choice::Auto ? "auto" : c == Choice::On ? "on" : "off";
}

const char* name(Launch launch) {
    return launch == Launch::Eager ? "eager" : launch == Launch::Fused ? "fused" : "compiled";
}

Diagnostics softwareProblems(const Software& software) {
    Diagnostics found;
    const double bucket = software.bucketBytes;
    if (!std::isfinite(bucket) || bucket < 0.0 || toGibibytes(Bytes(bucket)) > kMaxBucket)
        found.push_back({Severity::Error,
                         "recipe.range",
                         "software/bucket",
                         {"the gradient bucket is {value} bytes; expected 0 to {limit}",
                          {{"value", bucket}, {"limit", fmt::format("{:.0f} GiB", kMaxBucket)}}}});
    const double between = software.betweenSteps;
    if (!std::isfinite(between) || between < 0.0 || between > kMostBetween)
        found.push_back({Severity::Error,
                         "recipe.range",
                         "software/between_steps",
                         {"{value} s pass between iterations; expected 0 to {limit}",
                          {{"value", between}, {"limit", fmt::format("{:.0f} s", kMostBetween)}}}});
    const double stall = software.stageStall;
    if (!std::isfinite(stall) || stall < 0.0 || stall > kMostStall)
        found.push_back({Severity::Error,
                         "recipe.range",
                         "software/stage_stall",
                         {"{value} s pass for each block and rank; expected 0 to {limit}",
                          {{"value", stall}, {"limit", fmt::format("{:.0f} s", kMostStall)}}}});
    if (software.shardRanks < 0 || software.shardRanks > kMaxRanks)
        found.push_back({Severity::Error,
                         "recipe.range",
                         "software/shard_ranks",
                         {"sharding is over {value} ranks; expected a whole number from {limit}",
                          {{"value", software.shardRanks}, {"limit", fmt::format("0 to {}", kMaxRanks)}}}});
    return found;
}

Software softwareFromJson(const JsonReader& reader, Software software) {
    software.kernels =
        readWord(reader, "launch", software.kernels, {Launch::Eager, Launch::Fused, Launch::Compiled});
    for (const ChoiceField& choice : kChoices)
        software.*choice.field =
            readWord(reader, choice.key, software.*choice.field, {Choice::Auto, Choice::On, Choice::Off});
    if (isOn(readWord(reader, "rowwise_scales", Choice::Auto, {Choice::Auto, Choice::On, Choice::Off}),
             false))
        software.scaling = Scaling::Row;
    software.scaling = readWord(
        reader, "scaling", software.scaling,
        {Scaling::Tensor, Scaling::Delayed, Scaling::Row, Scaling::Block, Scaling::Mxfp8, Scaling::Nvfp4});
    software.graphs =
        readWord(reader, "graphs", software.graphs, {Graphs::None, Graphs::Layer, Graphs::Iteration});
    for (const KernelField& kernel : kKernels)
        software.*kernel.field = readKernel(reader, kernel, software.*kernel.field);
    software.bucketBytes = reader.withUnit("bucket", parseBytes, software.bucketBytes);
    software.betweenSteps = reader.withUnit("between_steps", parseDuration, software.betweenSteps);
    software.stageStall = reader.withUnit("stage_stall", parseDuration, software.stageStall);
    software.shardRanks = static_cast<int>(reader.count("shard_ranks", 0, kMaxRanks, software.shardRanks));
    return software;
}

Json toJson(const Software& software) {
    Json json{{"launch", name(software.kernels)},
              {"bucket", software.bucketBytes},
              {"between_steps", software.betweenSteps},
              {"shard_ranks", software.shardRanks}};
    if (software.stageStall > 0.0) // younger than projects whose problem is known by what is written here
        json["stage_stall"] = software.stageStall;
    for (const ChoiceField& choice : kChoices)
        json[choice.key] = name(software.*choice.field);
    json["scaling"] = name(software.scaling);
    json["graphs"] = name(software.graphs);
    for (const KernelField& kernel : kKernels)
        json[kernel.key] = (software.*kernel.field).empty() ? kAutomatic : software.*kernel.field;
    return json;
}

} // namespace pw
