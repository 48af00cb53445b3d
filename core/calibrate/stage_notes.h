// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace pw {

// How the notes of a row lay a pipeline out, where they do. Two forms are read:
//   "pipeline layer boundaries [0, 9, 15, 21, 30] of 30 DeepSpeed pipe modules"
//   "layers_per_stage=[12, 14] (of num_all_layers incl. embed/head); stages: 2xRTX-3090/tp2 |
//   2xTitan-RTX/tp2"
// Stages are apart by bars, the replicas of one by commas.
struct StageNotes {
    struct Group { // devices of one kind that hold replicas of a stage
        int count = 0;
        std::string kind; // as the note puts it
        int tp = 0;       // 0 = not stated
    };
    // Transformer blocks of each stage; empty = not stated. Their sum is `blocks`.
    std::vector<int> blocks;
    std::vector<std::vector<Group>> stages; // empty = not stated
};

// Nothing of the kind in the notes, or a layout that does not hold `blocks` transformer blocks, reads as not
// stated.
StageNotes parseStageNotes(std::string_view notes, int blocks);

// Blocks of each of `parts` stages or chunks by the column stage_layers, in the order in which micro-batches
// pass them; empty where it says nothing that holds `blocks` of them. Read are
//   "embedding+126+loss split evenly"    both ends count as a layer each
//   "[12, 14, 14, 12]"                   with or without the ends, which are then a layer each
//   "Et*3|(tt|)*29m|L"                   Megatron-Core's pipeline layout: t is a block, E the embedding, m a
//                                        layer that predicts further tokens, L the loss, | begins a part
std::vector<int> parseStageLayers(std::string_view text, int blocks, int parts);

} // namespace pw
