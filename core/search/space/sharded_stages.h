// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/search/space/chain.h"
#include "core/search/space/uniform_grid.h"

#include <functional>
#include <optional>
#include <vector>

namespace pw {

// Plans of one stage whose replicas shard gradients (ZeRO-2) or weights too (ZeRO-3). Pipelines of several
// stages shard the optimiser at most, here as in the trainers, so that these are all that the chains of the
// Space leave out. They make room, and trainers that shard more hide more of what they send. Where the recipe
// leaves sharding open, ZeRO-3 is there for room alone: the same stage under ZeRO-2 would not fit. Few
// trainers run it, and what it may save besides is little.

// The ZeRO stages from 2 on that they may have: what the recipe asks for or, where it leaves that open, what
// the Space allows; none where it asks for less.
std::vector<int> furtherSharding(const Problem& problem);

// One of these, with as few blocks recomputed as memory may allow.
struct ShardedStage {
    const ChainSpace* space = nullptr;
    ChainStage stage; // the whole model
    int zero = 0;
    double least = 0.0; // s: all micro-batches, one behind the other

    const StageOption& option() const { return space->options()[static_cast<std::size_t>(stage.option)]; }
    // In how many numbers of recomputed blocks the option may run, and with so many of them: the last is all.
    int ways() const { return option().plain ? space->blocks() : 1; }
    // The number that `stage` has.
    int fewest() const { return stage.recomputed > 0 ? stage.recomputed : ways(); }
    Plan plan(int recomputed) const;
};

// Whole pools as one stage whose nodes are of several classes, which no stage of a chain spans (one slower
// cable makes a class of its node): the plans under this ZeRO stage that may be faster than `below`() s,
// those left out for which less sharding has room. False if `counter` says to end before that.
bool eachShardedPool(const Problem& problem, const CostTable& table, int zero,
                     const std::function<double()>& below, const std::function<void(Plan)>& visit,
                     const GridCounter& counter);

// Those under one of these ZeRO stages that may end below `below` s, the most promising first.
// `stop` is asked for every option; what is there once it says true is not all.
std::vector<ShardedStage> shardedStages(const ChainSpaces& spaces, int zero, double below,
                                        const std::function<bool()>& stop);

// The plan with what its one stage shards beyond the optimiser taken back, where it is one of these; else
// nothing. It is one of the Space's if the other is a chain of it, or a pool of several classes.
std::optional<Plan> withoutFurtherSharding(const Problem& problem, const Plan& plan);
bool isShardedStage(const Problem& problem, const Plan& plan);

// s: the least that any of them takes, pools with them, if that is below `below`, which it is else. Nothing
// if it is stopped.
std::optional<double> leastOfShardedStages(const Problem& problem, const CostTable& table,
                                           const ChainSpaces& spaces, const std::vector<int>& sharding,
                                           double below, const std::function<bool()>& stop);

} // namespace pw
