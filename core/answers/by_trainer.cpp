// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/answers/by_trainer.h"

#include "core/answers/shared_searches.h"
#include "core/answers/target_search.h"
#include "core/base/in_file.h"
#include "core/base/one_line.h"
#include "core/base/units.h"
#include "core/plan/plan.h"
#include "core/search/planners.h"
#include "core/search/proof/scope_coverage.h"

#include <nlohmann/json.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace pw {
namespace {

std::vector<std::string> textsOf(const JsonReader& reader, const char* key) {
    std::vector<std::string> texts;
    for (const JsonReader& item : reader.array(key)) {
        if (item.value().is_string())
            texts.push_back(item.value().get<std::string>());
        else
            item.fail("json.type", item.where(), "expected a text");
    }
    return texts;
}

double timeOf(const BestByTrainer::Row& row) {
    return row.best ? row.best->evaluation.iteration.value : kNever;
}

// What was found under another question, judged under this one; nothing if it is no plan of it. Over fewer
// kinds of GPU the precision may be another.
std::optional<FoundPlan> judged(const Problem& problem, const Problem& foundUnder, const FoundPlan& found) {
    if (foundUnder.hash() == problem.hash())
        return found;
    Result<Evaluation> again = evaluate(problem, found.plan);
    if (!again || !again->feasible)
        return std::nullopt;
    return FoundPlan{found.plan, *std::move(again), found.foundBy};
}

struct FoundUnder {
    std::shared_ptr<const Problem> problem;
    FoundPlan found;
};

// What was found for one trainer, or for any, may be the best that another runs: searches end, and each looks
// elsewhere.
void shareFound(const std::vector<FoundUnder>& known, BestByTrainer& answer, const std::stop_token& stop) {
    for (BestByTrainer::Row& row : answer.rows) {
        if (stop.stop_requested())
            return;
        for (const auto& [problem, found] : known) {
            const bool sameQuestion = problem->hash() == row.asked.problem->hash();
            if (sameQuestion && found.evaluation.iteration.value >= timeOf(row))
                continue;
            std::optional<FoundPlan> here = judged(*row.asked.problem, *problem, found);
            if (!here || here->evaluation.iteration.value >= timeOf(row) ||
                !canRun(*row.trainer, *row.asked.problem, here->plan))
                continue;
            row.best = std::move(here);
            row.refused.reset();
        }
    }
}

// One that a trainer runs may be found by its search alone. The bound may not speak of such a plan, which may
// shard more than any that was searched: then nothing is proven of the best any more.
void addToOpen(const Problem& problem, BestByTrainer& answer) {
    std::vector<FoundPlan>& open = answer.open.plans;
    const std::string before = open.empty() ? std::string() : canonicalKey(open.front().plan);
    for (const BestByTrainer::Row& row : answer.rows)
        if (row.best)
            if (auto found = judged(problem, *row.asked.problem, *row.best);
                found && (open.empty() || found->evaluation.iteration < open.front().evaluation.iteration))
                open.insert(open.begin(), *std::move(found));
    markDifferences(problem, open, answer.open.differing);
    if (open.empty() || canonicalKey(open.front().plan) == before)
        return;
    SearchOutcome& outcome = answer.open;
    outcome.optimalInOwnSpace = false;
    if (outcome.status == SearchStatus::Optimal || outcome.status == SearchStatus::Infeasible)
        outcome.status = SearchStatus::Feasible;
    if (outcome.bound.value.value > 0.0 && !contains(outcome.bound.scope, problem, open.front().plan)) {
        outcome.bound = {};
        outcome.covered = false;
    }
}

// canonicalKey() of what `open` lists, in the order in which its plans are named.
std::vector<std::string> listedKeys(const BestByTrainer& answer) {
    std::vector<std::string> keys;
    for (const std::vector<FoundPlan>* plans : {&answer.open.plans, &answer.open.differing})
        for (const FoundPlan& found : *plans)
            keys.push_back(canonicalKey(found.plan));
    return keys;
}

// The row's best plan where it answers the problem itself; null: there is none, or it is of fewer kinds.
const FoundPlan* ownPlan(const BestByTrainer::Row& row, const Problem& problem) {
    return row.best && row.asked.problem->hash() == problem.hash() ? &*row.best : nullptr;
}

// How plans are called, by canonicalKey(). Those beyond the list have no number of their own.
std::map<std::string, std::string> namesByPlan(const Problem& problem, const BestByTrainer& answer,
                                               const PlanNames& names) {
    std::map<std::string, std::string> found;
    std::size_t at = 0;
    for (std::string& key : listedKeys(answer))
        found.emplace(std::move(key), planName(names, at++));
    for (const FoundPlan& plan : plansBeyondOpen(problem, answer))
        if (at < names.size())
            found.emplace(canonicalKey(plan.plan), names[at++]);
    return found;
}

} // namespace

Result<BestByTrainer> bestByTrainer(const std::shared_ptr<const Problem>& problem,
                                    const SearchOptions& options, SearchObserver& observer,
                                    const std::stop_token& stop) {
    BestByTrainer answer;
    SharedSearches searches(observer);
    const Result<SearchOutcome>& open = searches.search(problem, options, stop);
    if (!open)
        return open.error();
    answer.open = *open;
    std::vector<FoundUnder> known;
    for (const FoundPlan& found : answer.open.plans)
        known.push_back({problem, found});
    std::set<const ExporterRow*> searched; // that were not refused before any search
    for (const ExporterRow& trainer : exporterTable()) {
        if (!trainer.trainer || trainer.write == nullptr || stop.stop_requested())
            continue;
        BestByTrainer::Row row;
        row.trainer = &trainer;
        row.asked = questionFor(problem, trainer);
        row.leftOut = noteOf(row.asked, *problem, trainer);
        Result<SearchOutcome> found =
            searchForTarget(row.asked.problem, options, trainer, searches, stop, row.refused);
        if (found)
            searched.insert(&trainer);
        if (!found)
            row.refused = found.error();
        else if (!found->plans.empty())
            row.best = found->plans.front();
        else if (!row.refused)
            row.refused = refusalOf(*found);
        if (found && row.refused && row.leftOut) // no search: the reasons hold with these as well
            row.refused->because(*row.leftOut);
        for (std::size_t i = 0; found && i < found->plans.size(); ++i)
            known.push_back({row.asked.problem, std::move(found->plans[i])});
        answer.rows.push_back(std::move(row));
    }
    shareFound(known, answer, stop);
    const std::vector<FoundPlan>& ofAny = answer.open.plans;
    const AskedAgain again{.open = ofAny.empty() ? Seconds() : ofAny.front().evaluation.iteration};
    for (BestByTrainer::Row& row : answer.rows) {
        if ((!row.best && !searched.contains(row.trainer)) || row.leftOut || stop.stop_requested())
            continue;
        SearchOutcome own;
        if (row.best)
            own.plans = {*row.best};
        row.leftOut = askWithFewerKinds(
            row.asked, *row.trainer, again,
            [&](const std::shared_ptr<const Problem>& without) {
                std::optional<Error> ignored; // what is known remains
                return searchForTarget(without, options, *row.trainer, searches, stop, ignored);
            },
            own);
        if (row.asked.leftOut.empty())
            continue;
        row.best = std::move(own.plans.front());
        row.refused.reset();
        row.leftOut = noteOf(row.asked, *problem, *row.trainer);
    }
    for (const BestByTrainer::Row& row : answer.rows) // what those that were asked again found, too
        if (row.best)
            known.push_back({row.asked.problem, *row.best});
    shareFound(known, answer, stop);
    addToOpen(*problem, answer);
    std::ranges::stable_sort(answer.rows, std::less(), timeOf);
    answer.asked = searches.asked();
    answer.made = searches.made();
    return answer;
}

std::vector<FoundPlan> plansBeyondOpen(const Problem& problem, const BestByTrainer& answer) {
    const std::vector<std::string> listed = listedKeys(answer);
    std::set<std::string> known(listed.begin(), listed.end());
    std::vector<FoundPlan> beyond;
    for (const BestByTrainer::Row& row : answer.rows)
        if (const FoundPlan* own = ownPlan(row, problem); own && known.insert(canonicalKey(own->plan)).second)
            beyond.push_back(*own);
    return beyond;
}

std::vector<AnswerTable> tablesOf(const Problem& problem, const BestByTrainer& answer,
                                  const PlanNames& names) {
    AnswerTable table{
        "", {"trainer", kPlanHeading, ">predicted iteration", ">beside any trainer", "GPUs a stage"}, {}};
    const std::map<std::string, std::string> named = namesByPlan(problem, answer, names);
    table.text = answer.open.plans.empty()
                     ? "no plan for any trainer"
                     : fmt::format("best plan for any trainer: {}; {} searches, {} of them made",
                                   formatDuration(answer.open.plans.front().evaluation.iteration),
                                   answer.asked, answer.made);
    AnswerTable reasons;
    const auto add = [&reasons](const BestByTrainer::Row& row, const std::string& why) {
        reasons.text += fmt::format("{}{}: {}", reasons.text.empty() ? "" : "\n", row.trainer->label, why);
    };
    // With kinds left out the precision may be another, and a trainer's own plan the fastest of all.
    const std::vector<FoundPlan>& open = answer.open.plans;
    const Seconds ofAll = open.empty() ? Seconds() : open.front().evaluation.iteration;
    Seconds least = ofAll;
    for (const BestByTrainer::Row& row : answer.rows)
        if (row.best)
            least = std::min(least, row.best->evaluation.iteration);
    if (least < ofAll)
        table.text += fmt::format("\nfastest: {} with kinds of GPU left out; of all kinds, in {}, the best "
                                  "plan takes {}",
                                  formatDuration(least), name(problem.precision()), formatDuration(ofAll));
    for (const BestByTrainer::Row& row : answer.rows) {
        if (!row.best) {
            add(row, row.refused ? inOneLine(*row.refused) : std::string());
            continue;
        }
        const Seconds own = row.best->evaluation.iteration;
        const FoundPlan* plan = ownPlan(row, problem);
        const auto name = plan ? named.find(canonicalKey(plan->plan)) : named.end();
        table.rows.push_back({row.trainer->label, name == named.end() ? std::string() : name->second,
                              formatDuration(own),
                              open.empty() ? std::string() : fmt::format("{:.2f} times", own / least),
                              stagesText(problem, row.best->plan)});
        if (row.leftOut)
            add(row, row.leftOut->message);
    }
    std::vector<AnswerTable> tables = {std::move(table)};
    if (!reasons.text.empty())
        tables.push_back(std::move(reasons));
    return tables;
}

Json toJson(const Problem& problem, const BestByTrainer& answer, DeviceNames names) {
    Json list = Json::array();
    for (const BestByTrainer::Row& row : answer.rows) {
        Json entry = {{"target", row.trainer->format}, {"release", row.trainer->releases.front().label}};
        if (row.best) {
            entry["iteration_s"] = row.best->evaluation.iteration.value;
            entry["plan"] = toJson(problem, row.best->plan, names);
            if (!row.asked.leftOut.empty()) {
                entry["left_out"] = row.asked.leftOut;
                entry["forbidden"] = row.asked.problem->space().forbidden;
            }
        } else {
            entry["refused"] = row.refused->text();
        }
        list.push_back(std::move(entry));
    }
    return list;
}

Result<std::optional<PlanForTrainer>> planForTrainer(const Json& document,
                                                     const std::shared_ptr<const Problem>& problem,
                                                     std::string_view format, const std::string& file) {
    const JsonReader reader(document, file);
    std::optional<PlanForTrainer> none;
    if (!reader.has("best_by_target"))
        return none;
    for (const JsonReader& entry : reader.array("best_by_target")) {
        if (entry.text("target") != format || !entry.has("plan"))
            continue;
        PlanForTrainer found{{problem}, {}};
        if (entry.has("forbidden")) {
            const auto without = problem->withForbidden(textsOf(entry, "forbidden"));
            if (!without)
                return inFile(without.error(), file);
            found.asked = {*without, textsOf(entry, "left_out"), (*without)->precision()};
        }
        Result<Plan> plan = planFromJson(entry.object("plan"), *found.asked.problem);
        if (!plan)
            return inFile(plan.error(), file);
        found.plan = *std::move(plan);
        if (const Status read = reader.status(); !read)
            return read.error();
        return std::optional(std::move(found));
    }
    if (const Status read = reader.status(); !read)
        return read.error();
    return none;
}

} // namespace pw
