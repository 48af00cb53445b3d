// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/problem/recipe.h"

#include <optional>
#include <string>
#include <string_view>

namespace pw {

// How published tables word what a recipe and a plan hold. What is not stated stays empty or Auto, and so
// does what is not understood, which `unknown` says. A precision that is not understood is refused, naming
// the column, and so is a schedule that is known and not simulated.

// "fp16-mixed", "amp_bf16", "fp8-rowwise", "mixed (unstated)". Formats of 4 bits count as fp8.
Result<Precision> parsePrecision(std::string_view text);

struct RecomputeText {
    bool stated = false, unknown = false;
    Recompute mode = Recompute::None;
    int layers = 0;          // of a stage, with mode Full: the first so many; 0 = all
    bool everyOther = false; // "selective layer": whole blocks, but only every second one
};
RecomputeText parseRecompute(std::string_view text);

struct ShardingText {
    std::optional<int> zero; // 0 to 3; empty = not stated
    int ranks = 0;           // shards lie on so many neighbouring ranks; 0 = on all
    bool withinNode = false; // on those of a node (HSDP), where no number is stated
    bool overlapped = false; // the text says that communication is hidden
    bool unknown = false;
};
ShardingText parseSharding(std::string_view text);

struct ScheduleText {
    bool stated = false;
    std::string kind; // by the name that schedules have in files ("1f1b", "zb-2p"); "" = not stated
    bool unknown = false;
};
Result<ScheduleText> parseSchedule(std::string_view text);

} // namespace pw
