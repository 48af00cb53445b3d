// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/answers/node_groups.h"
#include "core/answers/run_deadline.h"
#include "core/search/search.h"

namespace pw {

// The fewest GPUs that meet a deadline, by whole nodes: sets of nodes are numbers a group (node_groups.h),
// and each set that is looked at is searched as a problem of its own.
//
//   1. All nodes; where their plan is too slow, whole groups less. What the plan found leaves unused is
//      dropped.
//   2. For each group to begin with, and then the slower kinds first: the fewest nodes of that group by
//      bisection, the others kept.
//   3. The largest sets with fewer GPUs than the best: one that meets the deadline is the new best; the
//   others
//      are proven out of reach by their lower bound, or only searched.
//
// Where all nodes are too slow, more of the drawn ones are looked for: one of each group, then of the two
// groups that bring most as many as would do if time fell with the GPUs, and from there more by half each
// time, as long as that brings something and they are at most 4,096, then back by bisection to within a
// thirty-second.
//
// A set is out of reach with every set inside it that has the same precision, since a smaller Space has no
// faster plans. Deterministic as the searches are; their number is limited (deadlineSearches).
struct NodeSet {
    NodeCounts counts;
    int gpus = 0;
    Seconds iteration;             // of the fastest plan found; 0: none
    Seconds bound;                 // no plan of its Space takes less; 0: none proven
    bool proven = false;           // out of reach: by the bound, or since the states do not fit
    std::optional<Wording> states; // that do not fit, in numbers
    Precision precision = Precision::Auto;
};

struct DeadlineAnswer {
    Seconds deadline;
    std::optional<RunDeadline> run; // the same, where it was stated of a whole run
    std::vector<NodeGroup> groups;
    bool met = false;
    NodeSet all;  // every node
    NodeSet best; // the fewest GPUs that were found to meet it; `all` if it is not met
    std::shared_ptr<const Problem> problem; // of `best`
    SearchOutcome outcome;                  // its plans
    std::vector<NodeSet> smaller; // the largest with fewer GPUs: those that were searched, the largest first
    std::int64_t notSearched = 0; // more of these; -1: too many to count
    bool fewest = false;          // proven over the Space: all of these are out of reach
    int searches = 0, searchLimit = 0;
    bool stopped = false; // before all was looked at
    // Only where it is not met: one more node of each group, the fastest first; then, where none of these
    // meets it, the fewest more nodes of one group found that do, and behind them the most that do not.
    std::vector<ExtraNode> extras;

    bool meets(const ExtraNode& extra) const {
        return extra.iteration.value > 0.0 && extra.iteration <= deadline;
    }
    const ExtraNode* enough() const; // of the extras; null: none
};

int deadlineSearches(int gpus); // at most: 64, fewer beyond 512 GPUs, at least 24

// A stop ends it with the best so far.
Result<DeadlineAnswer> meetDeadline(const std::shared_ptr<const Problem>& problem, Seconds deadline,
                                    const Searcher& searcher, const std::stop_token& stop);

// Adds to a refusal how far a deadline is away that no plan meets: `all` is of every node.
void sayHowFar(Error& refusal, const NodeSet& all, const ProofScope& scope);
// Refused: not met, with the numbers.
std::optional<Error> refusalOf(const DeadlineAnswer& answer);
// Key `deadline` of the plan document.
Json toJson(const DeadlineAnswer& answer);

} // namespace pw
