// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/document/search_summary.h"

#include "core/document/plan_figures.h"

#include <nlohmann/json.hpp>

#include <limits>

namespace pw {

namespace {

constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();

// A figure that is one member of the outcome.
template <auto member>
SearchFigure figure(const char* key) {
    using Value = std::remove_cvref_t<decltype(std::declval<SearchOutcome>().*member)>;
    return {key, [](const SearchOutcome& o) { return Json(o.*member); },
            [](const JsonReader& reader, const char* k, SearchOutcome& o) {
                Value& value = o.*member;
                if constexpr (std::is_same_v<Value, bool>)
                    value = reader.flag(k, value);
                else if constexpr (std::is_same_v<Value, double>)
                    value = reader.number(k, 0.0, 1e12, value);
                else if constexpr (std::is_same_v<Value, std::string>)
                    value = reader.text(k, value);
                else
                    value = static_cast<Value>(reader.count(k, 0, kMost, static_cast<std::int64_t>(value)));
            }};
}

void readWithout(const JsonReader& reader, const char* key, SearchOutcome& outcome) {
    if (reader.has(key))
        for (const JsonReader& part : reader.array(key))
            if (part.value().is_string())
                outcome.without.push_back(part.value().get<std::string>());
}

void readStatus(const JsonReader& reader, const char* key, SearchOutcome& outcome) {
    const std::string text = reader.text(key, name(outcome.status));
    if (const std::optional<SearchStatus> status = statusFromName(text))
        outcome.status = *status;
    else
        reader.fail("search.status", reader.where(key),
                    {"\"{text}\" is no end of a search", {{"text", text}}});
}

void readCache(const JsonReader& reader, const char* key, SearchOutcome& outcome) {
    if (!reader.has(key))
        return;
    const JsonReader cache = reader.object(key);
    outcome.cacheLookups = cache.count("lookups", 0, kMost, 0);
    outcome.cacheHits = cache.count("hits", 0, kMost, 0);
}

Json rejectedJson(const SearchOutcome& outcome) {
    Json counts = Json::object();
    for (const auto& [reason, count] : outcome.rejected)
        counts[words(reason)] = count;
    return counts;
}

void readRejected(const JsonReader& reader, const char* key, SearchOutcome& outcome) {
    if (!reader.has(key))
        return;
    const JsonReader counts = reader.object(key);
    for (const auto& [text, of] : counts.members()) {
        const std::int64_t count = counts.count(text, 0, kMost);
        if (const std::optional<Rejection> reason = rejectionFromWords(text))
            outcome.rejected[*reason] = count;
    }
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

const std::vector<SearchFigure>& searchFigures() {
    using O = SearchOutcome;
    static const std::vector<SearchFigure> table = {
        figure<&O::planner>("planner"),
        {"without", [](const O& o) { return Json(o.without); }, readWithout},
        figure<&O::seed>("seed"),
        {"status", [](const O& o) { return Json(name(o.status)); }, readStatus},
        figure<&O::timeLimit>("time_limit"),
        figure<&O::wall>("wall_s"),
        figure<&O::work>("work"),
        figure<&O::evaluated>("evaluated"),
        {"cache",
         [](const O& o) {
             return Json{{"lookups", o.cacheLookups}, {"hits", o.cacheHits}};
         },
         readCache},
        figure<&O::operatorEvaluations>("operator_evaluations"),
        {"rejected", rejectedJson, readRejected},
        {"optimal_in_own_space", [](const O& o) { return Json(o.optimalInOwnSpace && !o.plans.empty()); },
         [](const JsonReader& reader, const char* key, O& o) {
             o.optimalInOwnSpace = reader.flag(key, o.optimalInOwnSpace);
         }},
    };
    return table;
}

void readSearchFigures(const JsonReader& reader, SearchOutcome& outcome) {
    for (const SearchFigure& figure : searchFigures())
        figure.read(reader, figure.key, outcome);
}

Json boundJson(const SearchOutcome& outcome) {
    const ProofScope& scope = outcome.bound.scope;
    return Json{{"space", scope.text()},
                {"scope", toJson(scope)},
                {"kind", outcome.bound.kind},
                {"covers_best", outcome.covered},
                {"certificate", outcome.bound.certificate ? *outcome.bound.certificate : Json(nullptr)}};
}

Diagnostics notesFrom(const JsonReader& reader) {
    Diagnostics notes;
    if (reader.has("notes"))
        for (const JsonReader& note : reader.array("notes"))
            notes.push_back(diagnosticFrom(note));
    return notes;
}

Json searchSummary(const SearchOutcome& outcome) {
    const double bound = outcome.bound.value.value;
    Json notes = Json::array();
    for (const Diagnostic& note : outcome.notes)
        notes.push_back(toJson(note));
    Json summary = {{"notes", std::move(notes)},
                    {"lower_bound_s", bound > 0.0 ? Json(bound) : Json(nullptr)},
                    {"bound", boundJson(outcome)}};
    writeFigures(summary, searchFigures(), outcome);
    return summary;
}

Result<SearchOutcome> searchFromSummary(const JsonReader& reader) {
    SearchOutcome outcome;
    outcome.status = SearchStatus::Feasible;
    readSearchFigures(reader, outcome);
    outcome.notes = notesFrom(reader);
    const JsonReader bound = reader.object("bound");
    outcome.covered = bound.flag("covers_best", true);
    outcome.bound =
        boundFrom(bound, reader.number("lower_bound_s", 0.0, std::numeric_limits<double>::max(), 0.0));
    if (const Status read = reader.status(); !read)
        return read.error();
    return outcome;
}

} // namespace pw
