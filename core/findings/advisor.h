// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/compare/stage_time.h"
#include "core/findings/findings.h"
#include "core/whatif/costing.h"

#include <functional>
#include <map>

namespace pw {

// What the rules share: the plan as it stands, and a way to try others.
class Advisor {
public:
    // Without `runs`, every edit may be tried.
    Advisor(const std::shared_ptr<const Problem>& problem, const Plan& plan, const std::stop_token& stop,
            std::function<bool(const Problem&, const Plan&)> runs);
    Status judge(); // first

    const Problem& problem() const { return m_costing.problem(); }
    const Plan& plan() const { return m_plan; }
    const Pipeline& pipeline() const { return m_plan.pipelines.front(); }
    const Evaluation& now() const { return m_now.evaluation; }
    const std::vector<StageFigures>& figures() const { return m_now.evaluation.pipelines.front().stages; }
    const std::vector<StageTime>& times() const { return m_times; }
    int stages() const { return static_cast<int>(pipeline().stages.size()); }
    double iteration() const { return m_now.evaluation.iteration.value; }
    bool stopped() const { return m_stop.stop_requested(); }
    int tried() const { return m_tried; }
    int refused() const { return m_refused; } // edits, each once

    // The fullest device of a stage, by share of its capacity; null without known capacities.
    const DeviceMemory* fullest(int stage) const;

    // A remedy and what it comes to.
    struct Trial {
        std::string remedy;
        std::optional<Plan> plan;
        std::shared_ptr<const Problem> problem;
        Seconds iteration;
        bool feasible = false;
    };
    // Judges an edit, unless it was refused; kept as `best` if it fits and is faster than what that holds.
    void attempt(const Result<Plan>& edited, const std::string& remedy, std::optional<Trial>& best);
    void attempt(const Result<std::shared_ptr<const Problem>>& changed, const std::string& remedy,
                 std::optional<Trial>& best);
    // The finding with the trial as its remedy, if that gains something worth the words.
    Finding with(Finding finding, const std::optional<Trial>& best) const;
    static constexpr double kWorth = 0.001; // of the iteration

private:
    whatif::Costing m_costing;
    Plan m_plan;
    std::stop_token m_stop;
    std::function<bool(const Problem&, const Plan&)> m_runs;
    whatif::Costed m_now;
    std::vector<StageTime> m_times;
    std::map<std::string, std::optional<Evaluation>> m_known; // by canonical key: rules try the same edits
    int m_tried = 0, m_refused = 0;
};

std::string rateText(BytesPerSecond rate); // "100 Gbit/s"

// The rules, in files by what they look at.
void findOverflow(Advisor& advisor, std::vector<Finding>& found);
void findTightMemory(Advisor& advisor, std::vector<Finding>& found);
void findRecompute(Advisor& advisor, std::vector<Finding>& found);
void findSlack(Advisor& advisor, std::vector<Finding>& found);
void findSlowStages(Advisor& advisor, std::vector<Finding>& found);
void findIdleStages(Advisor& advisor, std::vector<Finding>& found);
void findUnused(Advisor& advisor, std::vector<Finding>& found);
void findLinks(Advisor& advisor, std::vector<Finding>& found);
void findBusyLink(Advisor& advisor, std::vector<Finding>& found);
void findSync(Advisor& advisor, std::vector<Finding>& found);
void findTensorParallel(Advisor& advisor, std::vector<Finding>& found);
void findFillAndDrain(Advisor& advisor, std::vector<Finding>& found);
void findSchedule(Advisor& advisor, std::vector<Finding>& found);

} // namespace pw
