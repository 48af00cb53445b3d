// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/problem/software.h"

#include "core/base/units.h"
#include "core/problem/word_field.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>

namespace pw {

namespace {

constexpr double kMaxBucket = 1024.0;       // GiB
constexpr std::int64_t kMaxRanks = 131'072; // as many as a cluster may have devices

struct ChoiceField {
    const char* key;
    Choice Software::*field;
};

constexpr ChoiceField kChoices[] = {
    {"fused_attention", &Software::fusedAttention},
    {"overlap_gradients", &Software::overlapGradients},
    {"overlap_gather", &Software::overlapGather},
    {"gradients_fp32", &Software::gradFp32},
    {"dropout", &Software::dropout},
    {"per_tensor", &Software::perTensor},
    {"overlap_tensor", &Software::overlapTensor},
    {"overlap_tensor_backward", &Software::overlapTensorBackward},
    {"overlap_transfers", &Software::overlapTransfers},
    {"fused_loss", &Software::fusedLoss},
    {"rowwise_scales", &Software::rowwiseScales},
};

} // namespace

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
    if (software.shardRanks < 0 || software.shardRanks > kMaxRanks)
        found.push_back({Severity::Error,
                         "recipe.range",
                         "software/shard_ranks",
                         {"sharding is over {value} ranks; expected a whole number from {limit}",
                          {{"value", software.shardRanks}, {"limit", fmt::format("0 to {}", kMaxRanks)}}}});
    return found;
}

Software softwareFromJson(const JsonReader& reader) {
    Software software;
    software.kernels =
        readWord(reader, "launch", software.kernels, {Launch::Eager, Launch::Fused, Launch::Compiled});
    for (const ChoiceField& choice : kChoices)
        software.*choice.field =
            readWord(reader, choice.key, Choice::Auto, {Choice::Auto, Choice::On, Choice::Off});
    software.bucketBytes = reader.withUnit("bucket", parseBytes, software.bucketBytes);
    software.shardRanks = static_cast<int>(reader.count("shard_ranks", 0, kMaxRanks, software.shardRanks));
    return software;
}

Json toJson(const Software& software) {
    Json json{{"launch", name(software.kernels)},
              {"bucket", software.bucketBytes},
              {"shard_ranks", software.shardRanks}};
    for (const ChoiceField& choice : kChoices)
        json[choice.key] = name(software.*choice.field);
    return json;
}

} // namespace pw
