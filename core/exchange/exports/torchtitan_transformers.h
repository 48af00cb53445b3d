// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/exchange/exports/capability.h"

#include <string>
#include <vector>

namespace pw {

// Models of sizes that torchtitan's own registries do not have, by its transformers backend
// (torchtitan/experiments/transformers_modeling_backend of main at b5bcd76c, which asks for transformers
// 5.9.0). It builds what a config.json says, by the name of a hub or from a folder
// (model.py:406 to 415: PretrainedConfig.get_config_dict and AutoConfig.from_pretrained take both), with
// random weights, so that the file is written beside the configuration.

// Hugging Face's model_type that `model` is built as, to the parameter: "llama", "qwen2", "qwen3", "mixtral"
// or "qwen3_moe"; null where it is none of them.
const char* transformersFamily(const Model& model);

// Why the backend does not train the model of this question, whatever the plan.
void checkTransformersModel(const Problem& problem, std::vector<Refusal>& refusals);
// What it asks of a plan.
void checkTransformersPlan(const Problem& problem, const Plan& plan, std::vector<Refusal>& refusals);

// Sequences of a micro-batch that one rank has.
std::int64_t sequencesOnRank(const Pipeline& pipeline);

// The model as config.json. It has a family.
std::string transformersConfig(const Problem& problem);

// Of the Python file: what it imports, what configure(config) says of the model, and the configuration that
// planned() starts from. `sequences` as above.
std::string transformersImports();
std::string transformersModel(const Model& model, std::int64_t sequences);
inline constexpr const char* kTransformersConfiguration = "transformers_modeling_backend_full";

} // namespace pw
