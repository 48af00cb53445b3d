// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/evaluate/deciding_stages.h"

#include "core/base/name_ranges.h"

#include <algorithm>
#include <cstddef>

namespace pw {

DecidingStages decidingStages(const Evaluation& evaluation) {
    constexpr double kAlike = 0.995; // of the busiest
    std::vector<double> busy;
    for (const PipelineFigures& pipeline : evaluation.pipelines)
        busy.insert(busy.end(), pipeline.simulation.busy.begin(), pipeline.simulation.busy.end());
    DecidingStages deciding;
    if (busy.empty())
        return deciding;
    const double most = *std::ranges::max_element(busy);
    deciding.computing = Seconds(most);
    for (std::size_t i = 0; i < busy.size(); ++i)
        if (busy[i] >= kAlike * most)
            deciding.stages.push_back(static_cast<int>(i));
    return deciding;
}

std::string stageNumbers(const std::vector<int>& stages) {
    std::vector<std::string> numbers;
    for (const int stage : stages)
        numbers.push_back(std::to_string(stage));
    const std::vector<std::string> items = nameRanges(numbers);
    std::string text;
    for (std::size_t i = 0; i < items.size(); ++i)
        text += (i == 0 ? "" : i + 1 == items.size() ? " and " : ", ") + items[i];
    return text;
}

} // namespace pw
