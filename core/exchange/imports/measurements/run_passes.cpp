// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/imports/measurements/run_passes.h"

#include "core/base/median.h"

#include <algorithm>
#include <set>
#include <tuple>

namespace pw {

int StageOps::slowestRank() const {
    return std::max_element(ofRank.begin(), ofRank.end(),
                            [](const auto& a, const auto& b) { return a.second < b.second; })
        ->first;
}

Seconds StageOps::slowest() const {
    return ofRank.at(slowestRank());
}

Seconds StageOps::middle() const {
    std::vector<double> values;
    values.reserve(ofRank.size());
    for (const auto& [rank, seconds] : ofRank)
        values.push_back(seconds.value);
    return Seconds(median(std::move(values)));
}

std::vector<const RunStep*> countedSteps(const RunRecord& run) {
    std::vector<const RunStep*> recorded;
    for (const RunStep& step : run.steps)
        if (step.recorded)
            recorded.push_back(&step);
    if (recorded.size() > 1 && recorded.front() == &run.steps.front())
        recorded.erase(recorded.begin());
    return recorded;
}

std::vector<StageOps> stageOps(const RunRecord& run) {
    std::set<int> counted;
    for (const RunStep* step : countedSteps(run))
        counted.insert(step->step);
    std::map<std::tuple<int, int, RunOpKind>, std::map<int, std::vector<double>>> found;
    for (const RunOp& op : run.ops)
        if (counted.contains(op.step))
            found[{op.pipeline, op.stage, op.kind}][op.rank].push_back(op.end - op.start);
    std::vector<StageOps> list;
    for (auto& [key, ranks] : found) {
        StageOps one;
        std::tie(one.pipeline, one.stage, one.kind) = key;
        for (auto& [rank, durations] : ranks) {
            one.count += static_cast<std::int64_t>(durations.size());
            one.ofRank[rank] = Seconds(median(std::move(durations)));
        }
        list.push_back(std::move(one));
    }
    return list;
}

} // namespace pw
