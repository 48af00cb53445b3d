// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/project/project.h"

#include "core/plan/plan.h"
#include "core/project/unknown_keys.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

namespace pw {

namespace {

constexpr const char* kSchema = "pipewright-project";

// Every version that was ever written, and the step from it to the next. Rows are never removed.
struct Version {
    int number;
    void (*toNext)(Json&); // null for the newest
};
constexpr std::array kVersions = {Version{1, nullptr}};
static_assert(kVersions.back().number == kProjectVersion);

// What every project begins with, behind a byte order mark and blanks.
bool beginsAsObject(std::string_view text) {
    constexpr std::string_view kMark = "\xEF\xBB\xBF";
    if (text.starts_with(kMark))
        text.remove_prefix(kMark.size());
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    return first != std::string_view::npos && text[first] == '{';
}

// Of a text that is something else altogether what the parser stumbled over says little by itself.
Error notAProject(const Error& unparsed) {
    Error error = badInput(unparsed.code, unparsed.where,
                           "is not a Pipewright project: the file does not hold a JSON document");
    error.reasons = {unparsed};
    return error;
}

// Brings the document to the newest version, or says why that cannot be.
Status migrate(Json& document, const std::string& file) {
    const JsonReader reader(document, file);
    if (!document.is_object() || reader.text("schema", "") != kSchema)
        return badInput("project.schema", reader.where("schema"),
                        {"is not a Pipewright project; expected \"{schema}\"", {{"schema", kSchema}}});
    const std::int64_t version = reader.count("version", 1, 1'000'000);
    if (const Status read = reader.status(); !read)
        return read.error();
    if (version > kProjectVersion)
        return badInput("project.newer", reader.where("version"),
                        {"the project was saved by a newer Pipewright (file version {version}; this one "
                         "reads up to {newest}); open it there, or update this program",
                         {{"version", version}, {"newest", kProjectVersion}}});
    for (const Version& v : kVersions)
        if (v.number >= version && v.toNext != nullptr)
            v.toNext(document);
    document["version"] = kProjectVersion;
    return Ok{};
}

constexpr std::int64_t kMostCompared = 64; // a place beyond what any view shows

KeptPlan planFromJson(const JsonReader& reader) {
    KeptPlan plan;
    plan.name = reader.text("name");
    plan.note = reader.text("note", "");
    plan.pinned = reader.flag("pinned", false);
    plan.problemHash = reader.text("problem_hash", "");
    plan.base = reader.text("base", "");
    plan.entry = reader.object("entry").value().dump();
    plan.compared = static_cast<int>(reader.count("compared", 0, kMostCompared, 0));
    return plan;
}

// What a project never looks into: as it is, or for the keys alone that stand around it.
enum class Opaque { Whole, Left };

// Made by this program or read from a file that parsed, so it parses again.
Json opaqueJson(const std::string& text, const std::string& name, Opaque opaque) {
    const Result<Json> parsed = opaque == Opaque::Whole ? parseJson(text, name) : Result<Json>(Json());
    return parsed ? *parsed : Json::object();
}

Json planJson(const KeptPlan& plan, Opaque opaque) {
    Json json{{"name", plan.name},
              {"note", plan.note},
              {"pinned", plan.pinned},
              {"problem_hash", plan.problemHash},
              {"entry", opaqueJson(plan.entry, plan.name, opaque)}};
    if (!plan.base.empty())
        json["base"] = plan.base;
    if (plan.compared > 0)
        json["compared"] = plan.compared;
    return json;
}

Json projectJson(const Project& project, Opaque opaque) {
    Json profiles = Json::array(), plans = Json::array();
    for (const ProfileRow& row : project.profiles)
        profiles.push_back(toJson(row));
    for (const KeptPlan& plan : project.plans)
        plans.push_back(planJson(plan, opaque));
    Json document{{"schema", kSchema},
                  {"version", kProjectVersion},
                  {"name", project.name},
                  {"cluster", toJson(project.cluster)},
                  {"model", project.model ? toJson(*project.model) : Json()},
                  {"recipe", toJson(project.recipe)},
                  {"profiles", std::move(profiles)},
                  {"plans", std::move(plans)},
                  {"forbidden", project.forbidden}};
    for (const KeptQuestion& question : project.questions)
        document["questions"].push_back({{"problem_hash", question.problemHash},
                                         {"problem", opaqueJson(question.problem, "problem", opaque)}});
    if (project.search)
        document["search"] = {{"problem_hash", project.search->problemHash},
                              {"summary", opaqueJson(project.search->summary, "search", opaque)}};
    if (project.demand)
        document["demand"] = opaqueJson(*project.demand, "demand", opaque);
    if (project.answers)
        document["answers"] = opaqueJson(*project.answers, "answers", opaque);
    if (!project.annotations.empty())
        document["annotations"] = toJson(project.annotations);
    return document;
}

std::string unstatedRows(const Project& project) {
    std::size_t rows = 0, unstated = 0;
    for (const ProfileRow& row : project.profiles)
        if (row.model == project.model->name) {
            ++rows;
            unstated += row.precision.empty() ? 1 : 0;
        }
    return unstated == 0 ? std::string() : fmt::format("{} of {}", unstated, rows);
}

void noteWeakness(const Project& project, Diagnostics& found) {
    const Model& model = *project.model;
    const auto ofModel = [&model](const ProfileRow& row) { return row.model == model.name; };
    if (std::none_of(project.profiles.begin(), project.profiles.end(), ofModel))
        found.push_back(
            {Severity::Note,
             "project.estimates_only",
             "profiles",
             {"no measurement of {model} is at hand: every time is an estimate", {{"model", model.name}}}});
    else if (const std::string share = unstatedRows(project); !share.empty())
        found.push_back({Severity::Note,
                         "project.unstated_precision",
                         "profiles",
                         {"{value} measured rows do not state their precision; they are used for any",
                          {{"value", share}}}});
    if (model.learnedPositions == 0 && model.positions > 0 && project.recipe.seq > model.positions)
        found.push_back(
            {Severity::Warning,
             "project.long_sequence",
             "model.seq",
             {"the sequence length is {value}, beyond the {limit} positions that {model} was made for",
              {{"value", project.recipe.seq}, {"limit", model.positions}, {"model", model.name}}}});
}

} // namespace

Diagnostics checkProject(const Project& project) {
    Diagnostics found = checkCluster(project.cluster);
    for (Diagnostic problem : recipeProblems(project.recipe)) {
        problem.where = "model." + problem.where;
        found.push_back(std::move(problem));
    }
    if (!project.model) {
        found.push_back({Severity::Error, "project.no_model", "model", "no model is chosen"});
        return found;
    }
    if (const Status sound = checkModel(*project.model, "model#"); !sound)
        append(found, diagnosticsOf(sound.error()));
    if (hasErrors(found))
        return found;
    for (Diagnostic& problem :
         questionProblems(project.cluster, *project.model, project.recipe, project.forbidden))
        found.push_back(std::move(problem));
    noteWeakness(project, found);
    return found;
}

Result<std::shared_ptr<const Problem>> problemOf(const Project& project) {
    if (!project.model)
        return badInput("project.no_model", "model", "no model is chosen");
    Space space;
    space.forbidden = project.forbidden;
    return Problem::make(project.cluster, *project.model, project.recipe, project.profiles, std::move(space));
}

Result<Project> readProject(std::string_view text, const std::string& file, Diagnostics* notes) {
    Result<Json> document = parseJson(text, file);
    if (!document)
        return beginsAsObject(text) ? document.error() : notAProject(document.error());
    if (const Status current = migrate(*document, file); !current)
        return current.error();

    const JsonReader reader(*document, file);
    Project project;
    std::optional<Error> refused; // by a check that looks at more than one field
    const auto take = [&refused](auto result, auto& into) {
        if (result)
            into = *std::move(result);
        else if (!refused)
            refused = result.error();
    };
    project.name = reader.text("name", "");
    take(clusterFromJson(reader.object("cluster")), project.cluster);
    if (reader.has("model"))
        take(modelFromJson(reader.object("model")), project.model);
    if (reader.has("recipe"))
        take(recipeFromJson(reader.object("recipe")), project.recipe);
    if (reader.has("profiles"))
        for (const JsonReader& item : reader.array("profiles"))
            take(profileRowFromJson(item), project.profiles.emplace_back());
    if (reader.has("plans"))
        for (const JsonReader& item : reader.array("plans"))
            project.plans.push_back(planFromJson(item));
    if (reader.has("questions"))
        for (const JsonReader& item : reader.array("questions"))
            project.questions.push_back({item.text("problem_hash"), item.object("problem").value().dump()});
    if (reader.has("search")) {
        const JsonReader search = reader.object("search");
        project.search = KeptSearch{search.text("problem_hash"), search.object("summary").value().dump()};
    }
    if (reader.has("demand"))
        project.demand = reader.object("demand").value().dump();
    if (reader.has("answers") && !reader.array("answers").empty())
        project.answers = reader.value()["answers"].dump();
    if (reader.has("forbidden"))
        for (const JsonReader& item : reader.array("forbidden")) {
            if (item.value().is_string())
                project.forbidden.push_back(item.value().get<std::string>());
            else
                item.fail("json.type", item.where(), "expected the id of a node or device, or a device kind");
        }
    if (reader.has("annotations"))
        project.annotations = annotationsFromJson(reader.object("annotations"));
    if (const Status read = reader.status(); !read)
        return read.error();
    if (refused)
        return *std::move(refused);
    if (notes != nullptr) {
        reader.passOver({"schema", "version"});
        append(*notes, reader.unread());
    }
    if (const Json unknown = unknownKeys(*document, projectJson(project, Opaque::Left)); !unknown.is_null())
        project.unknown = unknown.dump();
    return project;
}

std::string printProject(const Project& project) {
    Json document = projectJson(project, Opaque::Whole);
    if (!project.unknown.empty())
        if (const Result<Json> unknown = parseJson(project.unknown, project.name))
            restoreUnknownKeys(document, *unknown);
    return printJson(document);
}

} // namespace pw
