// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/answers/deadline.h"

#include "core/base/units.h"
#include "core/search/proof/launch_count_bound.h"

#include <nlohmann/json.hpp>

namespace pw {

namespace {

Json orNull(Seconds time) {
    return time.value > 0.0 ? Json(time.value) : Json(nullptr);
}

Json setJson(const DeadlineAnswer& answer, const NodeSet& set) {
    Json nodes = Json::array();
    for (std::size_t g = 0; g < answer.groups.size(); ++g)
        nodes.push_back({{"class", answer.groups[g].name},
                         {"nodes", set.counts[g]},
                         {"of", answer.groups[g].count()},
                         {"gpus_per_node", answer.groups[g].gpus}});
    return Json{{"gpus", set.gpus},
                {"nodes", std::move(nodes)},
                {"iteration_s", orNull(set.iteration)},
                {"lower_bound_s", orNull(set.bound)},
                {"out_of_reach", set.proven ? "proven" : "searched"},
                {"reason", set.states ? set.states->message : std::string()}};
}

} // namespace

void sayHowFar(Error& refusal, const NodeSet& all, const ProofScope& scope) {
    if (all.iteration.value > 0.0)
        refusal.because({"the fastest found takes {time}", {{"time", formatDuration(all.iteration)}}});
    if (all.states)
        refusal.because(*all.states);
    if (all.bound.value >= LaunchCountBound::kNothingFits)
        refusal.because("no part of the model fits any of them: out of reach");
    else if (all.bound.value > 0.0)
        refusal.because(
            {all.proven ? "no plan of the space ({space}) takes less than {bound}: out of reach"
                        : "no plan of the space ({space}) takes less than {bound}: not proven out of reach",
             {{"space", scope.text()}, {"bound", formatDuration(all.bound)}}});
    else
        refusal.because("no lower bound is proven: not proven out of reach");
}

std::optional<Error> refusalOf(const DeadlineAnswer& answer) {
    if (answer.met)
        return std::nullopt;
    const NodeSet& all = answer.all;
    if (all.counts.empty())
        return stopped("search.stopped", "stopped before a plan was found");
    Error error = infeasible("deadline.not_met", "--deadline",
                             {"no plan of the space found over all {gpus} GPUs takes at most {deadline}",
                              {{"gpus", all.gpus}, {"deadline", deadlineText(answer.deadline, answer.run)}}});
    sayHowFar(error, all, answer.outcome.bound.scope);
    for (const ExtraNode& extra : answer.extras)
        error.reasons.push_back(infeasible(
            "deadline.one_more", "",
            {extra.nodes == 1 ? "one more node of {class}: {result}"
                              : "{count} more nodes of {class}: {result}",
             {{"count", extra.nodes},
              {"class", answer.groups[static_cast<std::size_t>(extra.group)].name},
              {"result", extra.iteration.value > 0.0
                             ? formatDuration(extra.iteration) +
                                   runTimeText(extra.iteration, answer.run, answer.problem->recipe())
                             : std::string("no plan")}}}));
    return error;
}

Json toJson(const DeadlineAnswer& answer) {
    Json smaller = Json::array(), extras = Json::array(), more = Json::array();
    for (const NodeSet& set : answer.smaller)
        smaller.push_back(setJson(answer, set));
    for (const ExtraNode& extra : answer.extras) {
        Json entry = {{"class", answer.groups[static_cast<std::size_t>(extra.group)].name},
                      {"iteration_s", orNull(extra.iteration)},
                      {"lower_bound_s", orNull(extra.bound)},
                      {"meets", answer.meets(extra)}};
        if (extra.nodes > 1)
            entry["nodes"] = extra.nodes;
        (extra.nodes > 1 ? more : extras).push_back(std::move(entry));
    }
    Json document = {{"deadline_s", answer.deadline.value},
                     {"met", answer.met},
                     {"all", answer.all.counts.empty() ? Json(nullptr) : setJson(answer, answer.all)},
                     {"fewest_proven", answer.fewest},
                     {"smaller", std::move(smaller)},
                     {"not_searched", answer.notSearched < 0 ? Json(nullptr) : Json(answer.notSearched)},
                     {"searches", answer.searches},
                     {"search_limit", answer.searchLimit},
                     {"extra_nodes", std::move(extras)},
                     {"more_nodes", std::move(more)}};
    if (answer.run)
        document["run"] = {{"stated", answer.run->stated},
                           {"time_s", answer.run->time.value},
                           {"tokens", answer.run->tokens},
                           {"iterations", answer.run->iterations}};
    document["set"] = nullptr;
    if (answer.met) {
        Json set = setJson(answer, answer.best);
        set.erase("out_of_reach");
        set["gpus_in_use"] = usedGpus(answer.outcome.plans.front().plan);
        document["set"] = std::move(set);
    }
    return document;
}

} // namespace pw
