// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/problem/space.h"

#include <string>
#include <vector>

namespace pw {

// What a bound speaks of: "no plan is faster" means no plan of these. A value, so that nobody puts its words
// together anew or reads them apart; scope_coverage.h says whether a plan is one of them.
struct ProofScope {
    enum class Family {
        Chains,         // single pipelines of whole blocks, launch-count schedules, one class a stage
        ChainsAndGrids, // and uniform grids, which may interleave chunks and mix kinds of device
        AnyOrder,       // chains, whatever order they take GPUs in: a class may be left and entered again
        AnyShape        // every plan whose stages run in a way that the Space has
    };
    Family family = Family::Chains;
    bool partitions = false;  // stages may divide their blocks by tensor partitions
    int cp = 1, ep = 1;       // largest context- and expert-parallel size
    bool foldExperts = false; // whole experts may lie over tensor-parallel ranks too (Space::foldExperts)
    std::vector<int> sharded; // plans of one stage under these ZeRO stages, too, which were all tried
    WiderSpace wider;         // further axes that were tried to their end
    // Nodes that differ by their cables are one class, with the way that most of them have: levelled.h, where
    // that is nowhere narrower.
    bool levelled = false;
    // Of launch counts those that the rules of the Space's schedules give (LaunchRule): what trying all plans
    // speaks of. The bounds speak of any.
    bool ruledLaunches = false;
    // In words, as plan documents have it under bound.space.
    std::string text() const;
    // Whether plans of one stage are told apart by what they shard: other families speak of all or of none.
    bool takesSharded() const { return family == Family::Chains || family == Family::ChainsAndGrids; }
    bool operator==(const ProofScope&) const = default;
};

const char* name(ProofScope::Family family);

// As plan documents have it under bound.scope.
Json toJson(const ProofScope& scope);
ProofScope proofScopeFromJson(const JsonReader& reader); // records what is wrong with it

} // namespace pw
