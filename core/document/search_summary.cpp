// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/document/search_summary.h"

#include <nlohmann/json.hpp>

#include <array>

namespace pw {

namespace {

constexpr std::int64_t kMost = 1'000'000'000'000'000'000; // of a count
constexpr std::array kStatuses = {SearchStatus::Optimal, SearchStatus::Feasible, SearchStatus::Stopped,
                                  SearchStatus::Budget, SearchStatus::Infeasible};

SearchStatus statusFrom(const JsonReader& reader) {
    const std::string text = reader.text("status");
    for (const SearchStatus status : kStatuses)
        if (text == name(status))
            return status;
    if (!text.empty())
        reader.fail("search.status", reader.where("status"),
                    {"\"{text}\" is no end of a search", {{"text", text}}});
    return SearchStatus::Feasible;
}

Bound boundFrom(const JsonReader& reader, double value) {
    Bound bound;
    bound.value = Seconds(value);
    bound.kind = reader.text("kind", "");
    bound.scope = proofScopeFromJson(reader.object("scope"));
    if (reader.has("certificate"))
        bound.certificate = std::make_shared<const Json>(reader.object("certificate").value());
    return bound;
}

} // namespace

Json searchSummary(const SearchOutcome& outcome) {
    const Bound& bound = outcome.bound;
    const bool bounded = bound.value.value > 0.0;
    return Json{{"planner", outcome.planner},
                {"without", outcome.without},
                {"seed", outcome.seed},
                {"status", name(outcome.status)},
                {"time_limit", outcome.timeLimit},
                {"wall_s", outcome.wall},
                {"work", outcome.work},
                {"evaluated", outcome.evaluated},
                {"operator_evaluations", outcome.operatorEvaluations},
                {"cache", {{"lookups", outcome.cacheLookups}, {"hits", outcome.cacheHits}}},
                {"rejected", outcome.rejected},
                {"optimal_in_own_space", outcome.optimalInOwnSpace},
                {"lower_bound_s", bounded ? Json(bound.value.value) : Json(nullptr)},
                {"bound",
                 {{"scope", toJson(bound.scope)},
                  {"kind", bound.kind},
                  {"covers_best", outcome.covered},
                  {"certificate", bound.certificate ? *bound.certificate : Json(nullptr)}}}};
}

Result<SearchOutcome> searchFromSummary(const JsonReader& reader) {
    SearchOutcome outcome;
    outcome.planner = reader.text("planner");
    if (reader.has("without"))
        for (const JsonReader& part : reader.array("without"))
            if (part.value().is_string())
                outcome.without.push_back(part.value().get<std::string>());
    outcome.seed = static_cast<std::uint64_t>(reader.count("seed", 0, kMost, 1));
    outcome.status = statusFrom(reader);
    outcome.timeLimit = reader.flag("time_limit", false);
    outcome.wall = reader.number("wall_s", 0.0, 1e12, 0.0);
    outcome.work = reader.count("work", 0, kMost, 0);
    outcome.evaluated = reader.count("evaluated", 0, kMost, 0);
    outcome.operatorEvaluations = reader.count("operator_evaluations", 0, kMost, 0);
    const JsonReader cache = reader.object("cache");
    outcome.cacheLookups = cache.count("lookups", 0, kMost, 0);
    outcome.cacheHits = cache.count("hits", 0, kMost, 0);
    const JsonReader rejected = reader.object("rejected");
    for (const auto& [reason, count] : rejected.members())
        outcome.rejected[reason] = rejected.count(reason, 0, kMost);
    outcome.optimalInOwnSpace = reader.flag("optimal_in_own_space", false);
    const JsonReader bound = reader.object("bound");
    outcome.covered = bound.flag("covers_best", true);
    outcome.bound = boundFrom(bound, reader.number("lower_bound_s", 0.0, 1e12, 0.0));
    if (const Status read = reader.status(); !read)
        return read.error();
    return outcome;
}

} // namespace pw
