// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/exchange/imports/models/hf_family.h"

// Where the families of Hugging Face configurations state their experts, and what of them a class builds
// whatever the file says.
namespace pw::experts {

inline constexpr HfExperts kMixtral{
    .count = {"num_local_experts"}, .perToken = {"num_experts_per_tok"}, .ffn = {"intermediate_size"}};
inline constexpr HfExperts kGptOss{.count = {"num_local_experts"},
                                   .perToken = {"num_experts_per_tok", "experts_per_token"},
                                   .ffn = {"intermediate_size"},
                                   .routerBias = true,
                                   .bias = true};
inline constexpr HfExperts kQwenExperts{
    .count = {"num_experts", "num_local_experts"}, // the latter in release 5
    .perToken = {"num_experts_per_tok"},
    .ffn = {"moe_intermediate_size"},
    .dense = denseSteps};
inline constexpr HfExperts kQwenShared{.count = {"num_experts", "num_local_experts"},
                                       .perToken = {"num_experts_per_tok"},
                                       .ffn = {"moe_intermediate_size"},
                                       .sharedFfn = "shared_expert_intermediate_size",
                                       .oneShared = true,
                                       .sharedGate = true,
                                       .dense = denseSteps};
inline constexpr HfExperts kDeepseekV2{.count = {"n_routed_experts", "num_local_experts"},
                                       .perToken = {"num_experts_per_tok"},
                                       .ffn = {"moe_intermediate_size"},
                                       .shared = "n_shared_experts",
                                       .optional = true,
                                       .dense = denseFirst};
inline constexpr HfExperts kDeepseek{.count = {"n_routed_experts", "num_local_experts"},
                                     .perToken = {"num_experts_per_tok"},
                                     .ffn = {"moe_intermediate_size"},
                                     .shared = "n_shared_experts",
                                     .routerBias = true,
                                     .optional = true,
                                     .dense = denseFirst};
inline constexpr HfExperts kLlama4{.count = {"num_local_experts"},
                                   .perToken = {"num_experts_per_tok"},
                                   .ffn = {"intermediate_size"},
                                   .sharedFfn = "intermediate_size",
                                   .oneShared = true,
                                   .dense = denseInterleaved};
inline constexpr HfExperts kMinimaxM2{.count = {"num_local_experts"},
                                      .perToken = {"num_experts_per_tok"},
                                      .ffn = {"intermediate_size"},
                                      .routerBias = true};
inline constexpr HfExperts kMinimaxM3{.count = {"num_local_experts"},
                                      .perToken = {"num_experts_per_tok"},
                                      .ffn = {"intermediate_size"},
                                      .sharedFfn = "shared_intermediate_size",
                                      .oneShared = true,
                                      .routerBias = true,
                                      .dense = denseFirst};
inline constexpr HfExperts kLaguna{.count = {"num_experts"},
                                   .perToken = {"num_experts_per_tok"},
                                   .ffn = {"moe_intermediate_size"},
                                   .sharedFfn = "shared_expert_intermediate_size",
                                   .oneShared = true,
                                   .routerBias = true};
inline constexpr HfExperts kErnie{.count = {"moe_num_experts"},
                                  .perToken = {"moe_k"},
                                  .ffn = {"moe_intermediate_size"},
                                  .shared = "moe_num_shared_experts",
                                  .routerBias = true,
                                  .dense = denseOutside};
inline constexpr HfExperts kHunyuan{.count = {"num_experts"},
                                    .perToken = {"moe_topk"},
                                    .ffn = {"moe_intermediate_size", "intermediate_size"},
                                    .shared = "num_shared_expert"};

} // namespace pw::experts
