// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/clock.h"
#include "core/base/trace.h"
#include "core/evaluate/evaluation.h"
#include "core/search/difference.h"
#include "core/search/proof/bound.h"
#include "core/search/space/rejection.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pw {

enum class SearchStatus { Optimal, Feasible, Stopped, Budget, Infeasible };
const char* name(SearchStatus s);
std::optional<SearchStatus> statusFromName(std::string_view text); // nothing: none of those names

struct SearchOptions {
    std::string planner = "pipewright";
    std::int64_t work = 0;  // evaluated stage candidates; 0 = the planner's default
    double timeLimit = 0.0; // seconds of wall clock, gives up repeatability; 0 = none
    std::uint64_t seed = 1;
    int threads = 0;                  // 0 = all cores; results do not depend on it
    int top = 8;                      // plans to return
    std::vector<std::string> without; // parts left out, each once, in the order of searchPartTable()
    bool uses(std::string_view part) const;
    bool proves = true;                  // a bound is asked for; of a part of a question none is
    bool partitions = false;             // the Space has tensor partitions, whether the problem's has or not
    bool fineCuts = false;               // the Space has cuts inside blocks, likewise
    WiderSpace wider;                    // axes that the Space has besides its own
    const Clock* clock = &systemClock(); // of the time limit and of what is said about time; never null
    TraceSink* trace = nullptr;          // is told what each phase does; null: nobody asks
};

struct FoundPlan {
    Plan plan;
    Evaluation evaluation;
    // The phase that found it, behind those that it lies within: "patterns", "other planners / haap / hops".
    std::string foundBy = {};
    // By what it is set apart from the fastest plan of its list, of all that are so the fastest one.
    std::vector<Difference> differs = {};
};

// Marks what sets plans of the problem apart from the first of `plans`, which are in order, best first, and
// leaves of `differing` those that are marked and no plans of that list, by their times. Marks of before
// count for nothing: lists may have been put together or filtered since.
void markDifferences(const Problem& problem, std::vector<FoundPlan>& plans,
                     std::vector<FoundPlan>& differing);

struct SearchProgress {
    double elapsed = 0.0;
    // Of the whole search, those that it asks besides with it, and of all that one question takes (ask.h); of
    // several planners, of the one whose turn it is. The limit is 0 where it is not known: who is asked goes
    // by limits of its own. `work` never falls, and never passes a limit that is told with it.
    std::int64_t work = 0, workLimit = 0;
    std::int64_t evaluated = 0; // plans simulated
    Seconds best, bound;        // 0 = none yet
    Rejections rejected;
};

// Called by one of the search's threads at a time; must return quickly and must not throw.
class SearchObserver {
public:
    virtual ~SearchObserver() = default;
    virtual void progress(const SearchProgress&) {}
    virtual void found(const FoundPlan&) {} // a new best plan
};

struct SearchOutcome {
    SearchStatus status = SearchStatus::Infeasible; // Budget: work or time limit; Stopped: by the stop token
    bool timeLimit = false;                         // the time limit, not the work, ended it
    std::vector<FoundPlan> plans;                   // best first, of equals the least memory
    std::vector<FoundPlan> differing;               // set apart from the first, and not among `plans`
    Bound bound;                                    // that holds for the best plan; none unless `covered`
    bool covered = true;                            // whether there is one that may
    bool optimalInOwnSpace = false;                 // the best of all that the planner searches by design
    std::int64_t work = 0, evaluated = 0;
    std::int64_t cacheLookups = 0, cacheHits = 0;
    std::int64_t operatorEvaluations = 0; // unit costs of operators worked out, kept ones once
    Rejections rejected;
    std::vector<Wording> reasons; // for Infeasible: what is missing, in numbers
    Diagnostics notes;            // what the planner has to say about its answer, in words
    double wall = 0.0;
    std::vector<Phase> phases; // that make up the wall time, where a sink was handed in; else none
    std::string planner;
    std::vector<std::string> without; // parts of the planner that were left out
    std::uint64_t seed = 1;
    double gap() const {
        return plans.empty() ? 0.0 : plans.front().evaluation.iteration / bound.value - 1.0;
    }
    // Whether the bound alone proves the best plan to be that: bounds are rounded down.
    bool meetsBound() const {
        constexpr double kRounding = 2e-9;
        return !plans.empty() && bound.value.value > 0.0 && gap() <= kRounding;
    }
};

// A whole search as a phase of something larger.
Phase phaseOf(const SearchOutcome& outcome, std::string name);

// The status in words: a budget that the clock ended is a "time limit".
std::string endText(const SearchOutcome& outcome);

} // namespace pw
