// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/answers/by_trainer.h"

#include "core/base/one_line.h"
#include "core/base/units.h"
#include "core/plan/plan.h"
#include "core/search/planners.h"

#include <nlohmann/json.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace pw {
namespace {

double timeOf(const BestByTrainer::Row& row) {
    return row.best ? row.best->evaluation.iteration.value : kNever;
}

// What was found for one trainer, or for any, may be the best that another runs: searches end, and each looks
// elsewhere. Among those of one problem: with fewer kinds the precision is another.
void shareFound(const Problem& problem, BestByTrainer& answer, const std::stop_token& stop) {
    for (BestByTrainer::Row& row : answer.rows) {
        const std::string& own = row.asked.problem->hash();
        std::vector<FoundPlan> all;
        if (own == problem.hash())
            all = answer.open.plans;
        for (const BestByTrainer::Row& other : answer.rows)
            if (other.best && other.asked.problem->hash() == own)
                all.push_back(*other.best);
        std::ranges::stable_sort(all, std::less(),
                                 [](const FoundPlan& f) { return f.evaluation.iteration.value; });
        for (const FoundPlan& found : all) {
            if (found.evaluation.iteration.value >= timeOf(row) || stop.stop_requested())
                break;
            if (exportRefusals(*row.trainer, *row.asked.problem, found.plan).empty()) {
                row.best = found;
                row.refused.reset();
                break;
            }
        }
    }
}

} // namespace

Result<BestByTrainer> bestByTrainer(const std::shared_ptr<const Problem>& problem,
                                    const SearchOptions& options, SearchObserver& observer,
                                    const std::stop_token& stop) {
    BestByTrainer answer;
    SharedSearches searches;
    const Result<SearchOutcome>& open = searches.search(problem, options, observer, stop);
    if (!open)
        return open.error();
    answer.open = *open;
    for (const ExporterRow& trainer : exporterTable()) {
        if (!trainer.trainer || trainer.write == nullptr || stop.stop_requested())
            continue;
        BestByTrainer::Row row;
        row.trainer = &trainer;
        row.asked = questionFor(problem, trainer);
        row.leftOut = noteOf(row.asked, *problem, trainer);
        Result<SearchOutcome> found =
            searchForTarget(row.asked.problem, options, trainer, observer, stop, row.refused, &searches);
        if (!found)
            row.refused = found.error();
        else if (!found->plans.empty())
            row.best = std::move(found->plans.front());
        else if (!row.refused)
            row.refused = refusalOf(*found);
        if (found && row.refused && row.leftOut) // no search: the reasons hold with these as well
            row.refused->because(*row.leftOut);
        answer.rows.push_back(std::move(row));
    }
    shareFound(*problem, answer, stop);
    // One that a trainer runs may be found by its search alone.
    for (const BestByTrainer::Row& row : answer.rows)
        if (row.best && !row.leftOut &&
            (answer.open.plans.empty() || timeOf(row) < answer.open.plans.front().evaluation.iteration.value))
            answer.open.plans.insert(answer.open.plans.begin(), *row.best);
    markDifferences(answer.open.plans, answer.open.differing);
    std::ranges::stable_sort(answer.rows, std::less(), timeOf);
    answer.asked = searches.asked();
    answer.made = searches.made();
    return answer;
}

AnswerTable tableOf(const Problem& problem, const BestByTrainer& answer) {
    AnswerTable table{"", {"trainer", ">predicted iteration", ">beside any trainer", "GPUs a stage"}, {}};
    std::vector<std::string> lines;
    for (const BestByTrainer::Row& row : answer.rows) {
        if (!row.best) {
            lines.push_back(fmt::format("{}: {}", row.trainer->label,
                                        row.refused ? inOneLine(*row.refused) : std::string()));
            continue;
        }
        const Seconds own = row.best->evaluation.iteration;
        const std::vector<FoundPlan>& open = answer.open.plans;
        table.rows.push_back({row.trainer->label, formatDuration(own),
                              open.empty()
                                  ? std::string()
                                  : fmt::format("{:.2f} times", own / open.front().evaluation.iteration),
                              stagePattern(problem, row.best->plan)});
        if (row.leftOut)
            lines.push_back(fmt::format("{}: {}", row.trainer->label, row.leftOut->message));
    }
    table.text = answer.open.plans.empty()
                     ? "no plan for any trainer"
                     : fmt::format("best plan for any trainer: {}; {} searches, {} of them made",
                                   formatDuration(answer.open.plans.front().evaluation.iteration),
                                   answer.asked, answer.made);
    for (const std::string& line : lines)
        table.text += "\n" + line;
    return table;
}

Json toJson(const Problem& problem, const BestByTrainer& answer, DeviceNames names) {
    Json list = Json::array();
    for (const BestByTrainer::Row& row : answer.rows) {
        Json entry = {{"target", row.trainer->format}, {"release", row.trainer->releases.front().label}};
        if (row.best) {
            entry["iteration_s"] = row.best->evaluation.iteration.value;
            entry["plan"] = toJson(problem, row.best->plan, names);
            if (!row.asked.leftOut.empty())
                entry["left_out"] = row.asked.leftOut;
        } else {
            entry["refused"] = row.refused->text();
        }
        list.push_back(std::move(entry));
    }
    return list;
}

} // namespace pw
