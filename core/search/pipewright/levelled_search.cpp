// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/pipewright/levelled_search.h"

#include "core/evaluate/evaluation.h"
#include "core/search/pipewright/pipewright.h"

namespace pw {
namespace {

// Tells of the work that the other search does.
class Forwarded : public SearchObserver {
public:
    explicit Forwarded(SearchRun& run) : m_run(run) {}
    void progress(const SearchProgress& now) override { m_run.reportOthers(now.work); }

private:
    SearchRun& m_run;
};

} // namespace

bool considerLevelled(SearchRun& run, const Levelled& level, const SearchOptions& options, std::int64_t work,
                      const std::stop_token& stop) {
    // Of the best time: what is worth to be told apart, and what another bound may be given up for.
    constexpr double kBetter = 1e-4, kWorth = 0.005;
    if (run.interrupted()())
        return false;
    const auto phase = run.phase("levelled");
    SearchOptions own = options;
    own.work = work;
    if (!level.wider && own.uses("bound"))
        own.without.push_back("bound"); // of another question
    own.timeLimit = options.timeLimit > 0.0 ? std::max(1e-3, options.timeLimit - run.elapsed()) : 0.0;
    own.trace = nullptr;
    Forwarded observer(run);
    const SearchOutcome outcome = runPipewright(*level.problem, own, observer, stop, Drawing::AsItIs);
    run.spendOthers(outcome.work);
    const bool bounds = level.wider && outcome.covered && outcome.bound.value.value > 0.0 &&
                        outcome.bound.scope.takesSharded() && !outcome.bound.scope.wider.any() &&
                        !outcome.bound.scope.ruledLaunches; // which are others here
    const double before = run.best();
    bool better = false; // the best comes first there, which need not be the best here
    for (const FoundPlan& found : outcome.plans) {
        const auto judged =
            evaluate(run.problem(), run.table(), found.plan, {.keepOps = false, .stop = &run.interrupted()});
        if (judged && judged->feasible &&
            judged->iteration.value < (1.0 - (bounds ? kBetter : kWorth)) * before) {
            run.consider(found.plan, SearchRun::Charge::One);
            better = true;
        }
    }
    if (better && bounds)
        run.setLevelBound(level.problem, outcome.bound);
    return better && run.best() < before;
}

} // namespace pw
