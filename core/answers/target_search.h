// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/answers/node_groups.h"
#include "core/answers/target_question.h"

#include <stop_token>

namespace pw {

// An export target as a constraint of a search (--target).

// Of a search for a target this many plans are looked through, since some of the fastest may be refused.
inline constexpr int kLookedThrough = 256;

class SharedSearches;

// Searches plans of the problem that the target can run and keeps the options' `top` best of them. What the
// capability says of schedules, recompute, sharding and sequence parallelism narrows the Space and what the
// recipe leaves open; one recompute setting for all stages is a search for each setting; equal stages are
// searched by the uniform planner as well; plans of one stage are searched by themselves where the target can
// run no pipeline of those that were found, and where it shards more than the optimiser, which is what fits
// more into memory there. What else the target refuses shows only in a whole plan, so that nothing is proven
// of the best. If plans were found and none can run, `refused` gets the refusals of the best of them.
Result<SearchOutcome> searchForTarget(const std::shared_ptr<const Problem>& problem,
                                      const SearchOptions& options, const ExporterRow& target,
                                      SearchObserver& observer, const std::stop_token& stop,
                                      std::optional<Error>& refused);
// The same beside other targets.
Result<SearchOutcome> searchForTarget(const std::shared_ptr<const Problem>& problem,
                                      const SearchOptions& options, const ExporterRow& target,
                                      SharedSearches& shared, const std::stop_token& stop,
                                      std::optional<Error>& refused);

// What a question that is asked once more keeps to.
struct AskedAgain {
    std::size_t top = 1;                    // plans that are wanted
    Seconds open = Seconds(0.0);            // of the fastest plan for any trainer; 0: not known
    std::vector<std::string> required = {}; // what every plan uses
};

// Asks a question that the outcome answers once more without the kinds that keep its precision down, where
// that is worth a search (withFewerKinds()), by `searcher`, which searches for the target with the budget of
// any search. Where the best of that and of the plans known, judged without those kinds, is faster, or no
// slower than one that leaves them idle, `asked` and `outcome` are of that question then; else they stay. A
// note where they stay since that search failed.
std::optional<Diagnostic> askWithFewerKinds(TargetQuestion& asked, const ExporterRow& target,
                                            const AskedAgain& again, const Searcher& searcher,
                                            SearchOutcome& outcome);

// Puts what is `known` of a question `foundUnder`, as far as the target runs it, with what was found for the
// target, judged under `problem`, and keeps the `top` best: searches end, and each looks elsewhere. Nothing
// is proven of a best plan that was not the search's own.
void takeKnown(const Problem& problem, const ExporterRow& target, const Problem& foundUnder,
               SearchOutcome known, std::size_t top, SearchOutcome& found);

// Why the target can run no plan of the problem, where no search is needed to tell.
std::optional<Error> neverRuns(const Problem& problem, const ExporterRow& target);

// Whether it says of plans that it cannot run them; others draw or describe any.
bool constrains(const ExporterRow& target);

// Leaves out of the options' axes those that the target could run nothing of.
void restrictTo(const Capability& capability, SearchOptions& options);

// A plan that was found under another question for the target, as the target would run it, judged under
// `problem`; nothing where it cannot.
std::optional<FoundPlan> asItRuns(const Problem& problem, const ExporterRow& target, FoundPlan found);

// Keeps the `top` best plans that the target can run. The error if none is left of some.
std::optional<Error> keepRunnable(const Problem& problem, const ExporterRow& target, std::size_t top,
                                  SearchOutcome& outcome);

} // namespace pw
