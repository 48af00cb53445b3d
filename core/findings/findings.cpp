// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/findings/advisor.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace pw {
namespace {

struct Rule {
    FindingRule row;
    void (*find)(Advisor&, std::vector<Finding>&);
    bool needsFeasible; // what does not fit has one finding only: that
};

const std::vector<Rule>& rules() {
    static const std::vector<Rule> list = {
        {{"overflow", "devices that need more memory than they have"}, findOverflow, false},
        {{"tight", "memory that the plan may turn out to lack"}, findTightMemory, true},
        {{"slow-stage", "stages that are slower than the mean"}, findSlowStages, true},
        {{"idle-stage", "stages that idle for longer than the schedule asks"}, findIdleStages, true},
        {{"link", "stages that wait for a transfer"}, findLinks, true},
        {{"busy-link", "the link that is busy for most of the iteration"}, findBusyLink, true},
        {{"recompute", "recompute that memory would not need"}, findRecompute, true},
        {{"slack", "memory that is left unused"}, findSlack, true},
        {{"unused", "devices in no stage"}, findUnused, true},
        {{"sync", "gradient sums that nothing hides"}, findSync, true},
        {{"tensor-parallel", "stages that spend their time in tensor-parallel communication"},
         findTensorParallel,
         true},
        {{"fill", "iterations that fill and drain more than they work"}, findFillAndDrain, true},
        {{"schedule", "another order of the same passes"}, findSchedule, true}};
    return list;
}

} // namespace

const std::vector<FindingRule>& findingRules() {
    static const std::vector<FindingRule> rows = [] {
        std::vector<FindingRule> list;
        for (const Rule& rule : rules())
            list.push_back(rule.row);
        return list;
    }();
    return rows;
}

Result<Findings> findingsOf(const std::shared_ptr<const Problem>& problem, const Plan& plan,
                            const std::stop_token& stop, const PlanRunner& runner) {
    Findings findings;
    if (plan.pipelines.size() != 1) {
        findings.lacking.emplace_back("edits are tried on plans with one pipeline only");
        return findings;
    }
    const bool limited = runner.runs && runner.runs(*problem, plan);
    Advisor advisor(problem, plan, stop, limited ? runner.runs : nullptr);
    if (const Status judged = advisor.judge(); !judged)
        return judged.error();
    for (const Rule& rule : rules()) {
        if (advisor.stopped())
            break;
        if (!rule.needsFeasible || advisor.now().feasible)
            rule.find(advisor, findings.list);
    }
    if (!advisor.now().feasible)
        findings.lacking.emplace_back("the other rules wait for a plan that fits");
    std::stable_sort(findings.list.begin(), findings.list.end(), [](const Finding& a, const Finding& b) {
        const bool e = a.severity == Severity::Error, f = b.severity == Severity::Error;
        return e != f ? e : a.gain > b.gain;
    });
    // The same remedy helps against several losses; it is worth its gain once. That a stage idles is told all
    // the same: nothing else says so.
    std::set<std::string> offered;
    std::erase_if(findings.list, [&](const Finding& finding) {
        return finding.plan && !offered.insert(canonicalKey(*finding.plan)).second &&
               finding.severity != Severity::Error && finding.rule != "idle-stage";
    });
    findings.tried = advisor.tried();
    findings.refused = advisor.refused();
    if (findings.refused > 0)
        findings.lacking.push_back(
            fmt::format("{} edits to plans that {} cannot run", findings.refused, runner.label));
    if (runner.runs && !limited)
        findings.lacking.push_back(
            fmt::format("whether {} can run what would help: it cannot run this plan either", runner.label));
    findings.stopped = advisor.stopped();
    return findings;
}

} // namespace pw
