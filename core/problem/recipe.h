// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/cluster/cluster.h"
#include "core/problem/software.h"

#include <optional>
#include <string_view>
#include <vector>

namespace pw {

enum class Optimizer { Adam, Sgd };
enum class Recompute { None, Selective, Full };
const char* name(Optimizer o);
const char* name(Recompute r);
std::optional<Recompute> recomputeFromName(std::string_view text); // none, selective, full

// How the model is trained, as the user states it. What is `auto` or empty is for the search to choose.
struct Recipe {
    std::int64_t gbs = 256; // sequences per optimiser step
    std::int64_t seq = 2048;
    Precision precision = Precision::Auto;
    Optimizer optimizer = Optimizer::Adam;
    // Sharding over data-parallel ranks: -1 auto (the search tries 0 and 1), 0 none, 1 optimiser states, 2
    // also gradients, 3 also weights (FSDP).
    int zero = -1;
    std::vector<Recompute> recompute; // allowed modes; empty = auto (all)
    Choice sequenceParallel = Choice::Auto;
    std::vector<std::int64_t> mbs;  // allowed sequences per micro-batch and replica; empty = auto
    Bytes reserve = gibibytes(1.0); // per GPU: context, collective library, allocator
    double expertLoad = 1.0; // tokens of the busiest expert-parallel rank over the mean; 1 = spread evenly
    double fitChance = 0.5;  // with which a plan fits its devices (memory_span.h); 0.5 = as it is predicted
    std::string stack;       // whose capabilities these are (software_stack.h); "" = the usual ones
    Software software;       // what the trainer is able to do
    bool operator==(const Recipe&) const = default;
};

struct RecipeLimits {
    static constexpr std::int64_t batch = 1'000'000; // sequences a step; published runs stay below 20,000
    static constexpr std::int64_t sequence = std::int64_t{1} << 24; // tokens
    static constexpr double expertLoad = 64.0;
    static constexpr double leastFitChance = 0.5, mostFitChance = 0.999;
};

// What is out of range, all of it; `where` is the field's JSON key ("gbs").
Diagnostics recipeProblems(const Recipe& recipe);
// The same as one bad input, with JSON pointers below `where`.
Status checkRecipe(const Recipe& recipe, const std::string& where);
// File form: {gbs, seq, precision, optimizer, zero, recompute, sequence_parallel, mbs, reserve, stack,
// software}, all optional but gbs and seq; expert_load is written where it is not 1, fit_chance where not
// 0.5. `zero`, `recompute` and `mbs` may be "auto"; `recompute` and `mbs` are else a value or a list. `stack`
// names software stacks that ship, whose capabilities `software` changes; a name that does not ship says
// whose a whole `software` is. Both are written only where one is named or differs from the defaults, so that
// questions which say nothing about it keep their hash.
Result<Recipe> recipeFromJson(const JsonReader& reader);
Json toJson(const Recipe& recipe);

} // namespace pw
