// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/pipewright/launch_steps.h"

#include "core/evaluate/launch_stated.h"

#include <algorithm>

namespace pw {
namespace {

// Of the iteration: for one step, for what is told at once, for what is to be the best plan.
constexpr double kStep = 1e-6, kTold = 1e-3, kWorthTelling = 1e-4;
constexpr std::int64_t kPasses = 4; // of a stage, as much work as one candidate
constexpr std::size_t kStepped = 4;

bool isSteppable(const Problem& problem, const Plan& plan) {
    if (plan.pipelines.size() != 1)
        return false;
    const Pipeline& pipeline = plan.pipelines.front();
    const std::size_t stages = pipeline.stages.size();
    return usesLaunchCounts(pipeline.schedule.kind) && pipeline.schedule.kind != ScheduleKind::GPipe &&
           pipeline.schedule.chunks == 1 && stages > 1 && problem.space().allows(ScheduleKind::H1F1B, stages);
}

class LaunchStepper {
public:
    // Until the run's work is `limit`.
    LaunchStepper(SearchRun& run, const FoundPlan& start, std::int64_t limit)
        : m_run(run), m_limit(limit), m_plan(withLaunchCounts(start.plan, start.evaluation)),
          m_pipeline(m_plan.pipelines.front()), m_launch(m_pipeline.schedule.launch),
          m_time(start.evaluation.iteration.value), m_told(m_time) {
        m_pipeline.schedule.kind = ScheduleKind::H1F1B;
    }

    void climb() {
        const std::size_t stages = m_launch.size();
        for (bool better = true; better;) {
            better = false;
            for (std::size_t last = 0; last + 1 < stages && !over(); ++last)
                for (const bool alone : {false, true})
                    for (const int by : {1, -1})
                        while (!over() && isBetter(alone ? last : 0, last, by))
                            better = true;
        }
        tell(kStep);
    }

private:
    bool over() const { return m_run.stopped() || m_run.work() >= m_limit; }

    bool isAllowed(std::size_t at) const {
        const auto behind = static_cast<std::int64_t>(m_launch.size() - at);
        return m_launch[at] >= m_launch[at + 1] && m_launch[at] >= std::min(behind, m_pipeline.microbatches);
    }

    // `by` micro-batches more on these stages.
    bool isBetter(std::size_t first, std::size_t last, int by) {
        const std::vector<int> before = m_launch;
        for (std::size_t i = first; i <= last; ++i)
            m_launch[i] += by;
        bool allowed = first == 0 || m_launch[first - 1] >= m_launch[first];
        for (std::size_t i = first; i <= last; ++i)
            allowed = allowed && isAllowed(i);
        if (allowed && evaluated() < m_time * (1.0 - kStep)) {
            m_time = m_now;
            tell(kTold); // so that a stop finds it
            return true;
        }
        m_launch = before;
        return false;
    }

    // The plan that is faster by so much than what was told, where it is worth to be the best one.
    void tell(double by) {
        if (m_time < m_told * (1.0 - by) && m_time < m_run.best() * (1.0 - kWorthTelling)) {
            m_run.consider(m_plan);
            m_told = m_time;
        }
    }

    double evaluated() {
        const auto judged = evaluate(m_run.problem(), m_run.table(), m_plan,
                                     {.keepOps = false, .stop = &m_run.interrupted()});
        m_run.spend(1 + static_cast<std::int64_t>(m_launch.size()) * m_pipeline.microbatches / kPasses);
        m_now = kNever;
        if (judged && judged->feasible)
            m_now = judged->iteration.value;
        return m_now;
    }

    SearchRun& m_run;
    const std::int64_t m_limit;
    Plan m_plan;
    Pipeline& m_pipeline;
    std::vector<int>& m_launch;
    double m_time, m_told, m_now = kNever; // s
};

} // namespace

bool stepLaunches(SearchRun& run, std::int64_t work) {
    const auto phase = run.phase("launches");
    const double before = run.best();
    const std::int64_t limit = run.work() + work;
    const auto starts = run.bestPlans(kStepped);
    for (const std::shared_ptr<const FoundPlan>& start : starts)
        if (isSteppable(run.problem(), start->plan) && // another one takes no bound from the best
            (start == starts.front() || run.covered(start->plan)))
            LaunchStepper(run, *start, limit).climb();
    return run.best() < before;
}

bool hasLaunchesToStep(const Space& space) {
    return std::ranges::any_of(
        space.schedules, [](const ScheduleChoice& choice) { return choice.kind == ScheduleKind::H1F1B; });
}

} // namespace pw
