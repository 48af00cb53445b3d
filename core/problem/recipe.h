// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/cluster/cluster.h"

#include <optional>
#include <string_view>
#include <vector>

namespace pw {

enum class Optimizer { Adam, Sgd };
enum class Recompute { None, Selective, Full };
enum class Choice { Auto, On, Off };
const char* name(Optimizer o);
const char* name(Recompute r);
std::optional<Recompute> recomputeFromName(std::string_view text); // none, selective, full

// How the model is trained, as the user states it. What is `auto` or empty is for the search to choose.
struct Recipe {
    std::int64_t gbs = 256; // sequences per optimiser step
    std::int64_t seq = 2048;
    Precision precision = Precision::Auto;
    Optimizer optimizer = Optimizer::Adam;
    int zero = -1;                    // optimiser sharding over data-parallel ranks: -1 auto, 0 or 1
    std::vector<Recompute> recompute; // allowed modes; empty = auto (all)
    Choice sequenceParallel = Choice::Auto;
    std::vector<std::int64_t> mbs;  // allowed sequences per micro-batch and replica; empty = auto
    Bytes reserve = gibibytes(1.0); // per GPU: context, collective library, allocator
    bool operator==(const Recipe&) const = default;
};

// What is out of range, all of it; `where` is the field's JSON key ("gbs").
Diagnostics recipeProblems(const Recipe& recipe);
// The same as one bad input, with JSON pointers below `where`.
Status checkRecipe(const Recipe& recipe, const std::string& where);
// File form: {gbs, seq, precision, optimizer, zero, recompute, sequence_parallel, mbs, reserve}, all optional
// but gbs and seq. `zero`, `recompute` and `mbs` may be "auto"; `recompute` and `mbs` are else a value or a
// list.
Result<Recipe> recipeFromJson(const JsonReader& reader);
Json toJson(const Recipe& recipe);

} // namespace pw
