// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/exchange/exports/capability.h"

#include <cstdint>
#include <string>

namespace pw {

// A model of torchtitan's, by the sizes that its registries name (torchtitan/models/FAMILY/__init__.py of
// main at b5bcd76c and of 0.2.2). 0.1 and 0.2 take no other sizes; for main torchtitan_transformers.h has
// others.
struct TitanModel {
    const char* family; // folder and Python module
    const char* flavor;
    const char* configuration; // function of main's config_registry whose data and learning rate are taken
    std::int64_t blocks, hidden, ffn, heads, kvHeads, headDim, vocab;
    bool tied = false;
    std::int64_t experts = 0, perToken = 0, expertFfn = 0, shared = 0, dense = 0; // dense: blocks in front
    std::int64_t queryRank = 0;                                                   // of latent attention
    double rotaryBase = 0.0;                                                      // 0: that of the family
};

// The one that `model` is, to the parameter, and whose family can have rotary positions like the model's;
// null where there is none.
const TitanModel* titanModelOf(const Model& model);

// What the flavor is told where the model's rotary positions are scaled otherwise than its own, or the norms'
// epsilon is another: Python of configure(config) of main, and before main that of a module which the trainer
// imports (experimental.custom_import). Empty where the flavor has them as the model does.
std::string titanNumbers(const TitanModel& titan, const Model& model);
std::string titanNumbersModule(const TitanModel& titan, const Model& model, const std::string& release);

// Why a release does not train the model of this question, whatever the plan.
void checkTitanModel(const Problem& problem, const std::string& release, std::vector<Refusal>& refusals);
// What its model asks of a plan.
void checkTitanPlan(const Problem& problem, const Plan& plan, const std::string& release,
                    std::vector<Refusal>& refusals);

} // namespace pw
