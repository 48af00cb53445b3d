// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/accuracy/tie.h"
#include "core/answers/faster_links.h"
#include "core/answers/node_groups.h"
#include "core/search/search.h"

#include <string>
#include <vector>

namespace pw {

// What is asked next about plans that were found: is the order of the first ones sure, what should be
// measured to be surer, what does a slow or a lost node cost, which node would help.

// How sure it is that the first plan takes less time than another (core/accuracy/tie.h).
struct OrderAnswer {
    std::size_t plan = 1; // index into SearchOutcome::plans
    TimeComparison beside;
};

// One layer's times on one kind at one tensor-parallel size and micro-batch: what profilers measure. Moved
// down and up by its uncertainty, as a profile row of all layers like it, with the plans evaluated anew; that
// is what such a measurement could do, also to other sizes that are scaled by it.
struct MeasurementAnswer {
    std::string kind;     // of the catalogue
    std::string layer;    // "embedding", "block", "head"; models with unlike blocks: "block 3"
    int profileLayer = 0; // as in ProfileRow: of the first layer like it
    int tp = 1, mbs = 1;
    Provenance provenance = Provenance::Estimated; // of its times now
    double share = 0.0; // of the computing time of the first plan or the second, the larger of both
    double low = 1.0,
           high = 1.0; // by which its times may be off: 1 % where measured, else the band of plan 1
    double ratioLow = 1.0, ratioHigh = 1.0; // fastest other plan / first plan, at low and at high
    bool flips = false;                     // another plan is first at one of them
    std::size_t becomesFirst = 0;           // which, if so
    double swing() const;                   // of the logarithm of that ratio
};

// A node at 90 % of its speed: the worst one of its group, for one plan that uses the group.
struct SlowNodeAnswer {
    std::size_t plan = 0;
    int group = 0;
    std::string node;
    Seconds iteration;
};
inline constexpr double kSlowSpeed = 0.9;

struct LostNodeAnswer {
    int group = 0;
    Seconds iteration; // of the fastest plan found without one node of the group; 0: none
    std::vector<bool>
        goesOn; // by plan: it leaves a node of the group out, which takes the place of the lost one
};

struct Answers {
    std::vector<NodeGroup> groups;
    double ratio = 0.0; // fastest other plan / first plan as it stands; 0: one plan only
    std::vector<OrderAnswer> order;
    std::vector<MeasurementAnswer>
        measurements; // the five that move the ratio most, those that flip it first
    std::vector<SlowNodeAnswer> slow;
    std::vector<LostNodeAnswer> lost;
    std::vector<ExtraNode> extras;   // the most helpful first
    std::vector<FasterLinks> faster; // likewise
    std::size_t plans = 0;           // how many of the first plans were looked at
    bool stopped = false;            // what comes after the stop is missing
};

// `outcome` is of this problem and has a plan.
Result<Answers> answersAround(const Problem& problem, const SearchOutcome& outcome, const Searcher& searcher,
                              const std::stop_token& stop);

// Key `answers` of the plan document.
Json toJson(const Answers& answers, const SearchOutcome& outcome);

// The parts, for answersAround() and tests. `plans`: so many of the first.
std::vector<MeasurementAnswer> measurementsThatMatter(const Problem& problem, const SearchOutcome& outcome,
                                                      std::size_t plans, const std::stop_token& stop);
Result<std::vector<SlowNodeAnswer>> slowNodes(const Problem& problem, const std::vector<NodeGroup>& groups,
                                              const SearchOutcome& outcome, std::size_t plans,
                                              const std::stop_token& stop);

} // namespace pw
