// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <string>
#include <vector>

namespace pw {

// Megatron-LM's side of an export, written from the description of its argument checks: reads a command line,
// expands the pipeline layout by its grammar and applies every rule, those that the trainer asserts and those
// that it forgets.

using MegatronArguments = std::map<std::string, std::string>; // "--num-layers" -> "32"; bare flags: ""

// Flags with the word behind them, if that is none. Later ones win.
MegatronArguments megatronArguments(const std::vector<std::string>& words);

// The layout's segments, virtual-stage-major, each a run of the letters E, t, m, L. Faults: unknown letters.
//     layout := stage ( '|' stage )*     stage := ( item )*
//     item   := 'E' | 'L' | 't' | 'm' | group '*' INT | CHAR '*' INT     group := '(' text ')'
std::vector<std::string> expandLayout(const std::string& layout, std::vector<std::string>& faults);

struct MegatronJob {
    std::vector<std::string> faults; // rules that are broken
    int tp = 1, pp = 1, vpp = 1, cp = 1, dp = 1;
    long microbatches = 0;
    std::vector<int> layers;     // by virtual stage
    std::vector<int> recomputed; // likewise: layers that run forward twice
    std::vector<int> stageOfRank;
    std::vector<int> replicaOfRank;
};
MegatronJob checkMegatronJob(const MegatronArguments& arguments, int world);

} // namespace pw
