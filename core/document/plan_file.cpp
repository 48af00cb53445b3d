// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/document/plan_file.h"

#include "core/base/in_file.h"
#include "core/document/plan_document.h"
#include "core/document/plan_figures.h"
#include "core/document/search_summary.h"

#include <nlohmann/json.hpp>

#include <charconv>
#include <limits>

namespace pw {
namespace {

void passOverAll(const JsonReader& file, const std::vector<JsonReader>& entries) {
    passOverFigures(file, searchFigures());
    passOverFigures(file, outcomeFigures());
    for (const char* key : addedKeys())
        file.passOver({key});
    for (const JsonReader& entry : entries) {
        passOverFigures(entry, entryFigures());
        passOverFigures(entry, foundFigures());
        entry.passOver({"planner", "runs_with"}); // of a tournament; of exports
        for (const JsonReader& pipeline : entry.array("pipelines"))
            for (const JsonReader& stage : pipeline.array("stages"))
                passOverFigures(stage, stageFigures());
    }
}

std::vector<Phase> phasesIn(const JsonReader& holder) {
    constexpr double kMost = std::numeric_limits<double>::max();
    std::vector<Phase> phases;
    if (!holder.has("phases"))
        return phases;
    for (const JsonReader& entry : holder.array("phases")) {
        const auto best = [&](const char* key) { return Seconds(entry.number(key, 0.0, kMost, 0.0)); };
        phases.push_back(
            {entry.text("name", ""), entry.count("work", 0, std::numeric_limits<std::int64_t>::max(), 0),
             entry.number("seconds", 0.0, kMost, 0.0), best("before_s"), best("after_s"), phasesIn(entry)});
    }
    return phases;
}

} // namespace

std::vector<JsonReader> planEntries(const JsonReader& document) {
    std::vector<JsonReader> entries = document.array("plans");
    if (document.has("differing"))
        for (JsonReader& entry : document.array("differing"))
            entries.push_back(std::move(entry));
    return entries;
}

std::vector<Difference> differencesOf(const JsonReader& entry) {
    std::vector<Difference> list;
    if (entry.has("differs"))
        for (const JsonReader& item : entry.array("differs"))
            if (const auto known = item.value().is_string()
                                       ? differenceFromName(item.value().get_ref<const std::string&>())
                                       : std::nullopt)
                list.push_back(*known);
    return list;
}

Result<PlanFile> readPlanFile(std::string_view text, const std::string& file) {
    const Result<Json> parsed = parseJson(text, file);
    if (!parsed)
        return parsed.error();
    const JsonReader reader(*parsed, file);
    const std::string schema = reader.text("schema");
    if (const Status read = reader.status(); !read)
        return read.error();
    if (schema != kPlanSchema)
        return badInput(
            "plan.schema", reader.where("schema"),
            {"\"{schema}\"; expected \"{expected}\"", {{"schema", schema}, {"expected", kPlanSchema}}});
    const JsonReader question = reader.object("problem");
    const std::vector<JsonReader> entries = planEntries(reader);
    if (const Status read = reader.status(); !read)
        return read.error();
    auto problem = Problem::fromJson(question);
    if (!problem)
        return inFile(problem.error(), file);
    PlanFile result;
    result.problem = *problem;
    for (const JsonReader& entry : entries) {
        auto plan = planFromJson(entry, *result.problem);
        if (!plan)
            return inFile(plan.error(), file);
        result.plans.push_back(*std::move(plan));
    }
    passOverAll(reader, entries);
    result.notes = reader.unread();
    return result;
}

std::vector<Phase> phasesOf(const JsonReader& document) {
    return document.has("search") ? phasesIn(document.object("search")) : std::vector<Phase>();
}

PlanArgument planArgument(const std::string& argument) {
    const std::size_t colon = argument.rfind(':');
    if (colon == std::string::npos || colon + 1 == argument.size())
        return {argument};
    const char* end = argument.data() + argument.size();
    std::size_t index = 0;
    const auto [rest, problem] = std::from_chars(argument.data() + colon + 1, end, index);
    if (problem != std::errc() || rest != end)
        return {argument};
    return {argument.substr(0, colon), index};
}

} // namespace pw
