// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/pipewright/launch_steps.h"

#include "core/evaluate/launch_stated.h"
#include "core/search/exhaustive/enumerate.h"

#include <algorithm>

namespace pw {
namespace {

constexpr double kStep = 1e-6, kWorthAll = 1e-4; // of the iteration: for one step, for all of them together
constexpr std::int64_t kPasses = 4;              // of a stage, as much work as one candidate

bool isSteppable(const Problem& problem, const Plan& plan) {
    if (plan.pipelines.size() != 1)
        return false;
    const Pipeline& pipeline = plan.pipelines.front();
    return usesLaunchCounts(pipeline.schedule.kind) && pipeline.schedule.kind != ScheduleKind::GPipe &&
           pipeline.schedule.chunks == 1 && pipeline.stages.size() > 1 &&
           std::ranges::any_of(problem.space().schedules, [](const ScheduleChoice& choice) {
               return choice.kind == ScheduleKind::H1F1B;
           });
}

} // namespace

bool stepLaunches(SearchRun& run, std::int64_t work) {
    const auto phase = run.phase("launches");
    const Problem& problem = run.problem();
    const std::shared_ptr<const FoundPlan> best = run.bestPlan();
    if (!best || !isSteppable(problem, best->plan) || !tooLargeToEnumerate(problem))
        return false;
    Plan plan = withLaunchCounts(best->plan, best->evaluation);
    Pipeline& pipeline = plan.pipelines.front();
    std::vector<int>& launch = pipeline.schedule.launch;
    pipeline.schedule.kind = ScheduleKind::H1F1B;
    const std::size_t stages = launch.size();
    const std::int64_t each = 1 + static_cast<std::int64_t>(stages) * pipeline.microbatches / kPasses;
    const double before = best->evaluation.iteration.value;
    double time = before;
    const auto falls = [&](std::size_t at) { return launch[at] >= launch[at + 1]; };
    // `by` micro-batches more on these stages.
    const auto isBetter = [&](std::size_t first, std::size_t last, int by) {
        const std::vector<int> old = launch;
        for (std::size_t i = first; i <= last; ++i)
            launch[i] += by;
        if (falls(last) && (first == 0 || falls(first - 1))) {
            const auto judged =
                evaluate(problem, run.table(), plan, {.keepOps = false, .stop = &run.interrupted()});
            run.spend(each);
            if (judged && judged->feasible && judged->iteration.value < time * (1.0 - kStep)) {
                time = judged->iteration.value;
                return true;
            }
        }
        launch = old;
        return false;
    };
    const std::int64_t limit = run.work() + work;
    const auto over = [&] { return run.stopped() || run.work() >= limit; };
    for (bool better = true; better;) {
        better = false;
        for (std::size_t last = 0; last + 1 < stages && !over(); ++last)
            for (const bool alone : {false, true})
                for (const int by : {1, -1})
                    while (!over() && isBetter(alone ? last : 0, last, by))
                        better = true;
    }
    return time < before * (1.0 - kWorthAll) && run.consider(plan) < before;
}

} // namespace pw
