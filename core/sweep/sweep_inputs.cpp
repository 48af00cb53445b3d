// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sweep/sweep_inputs.h"

#include "core/base/file.h"
#include "core/base/hash.h"
#include "core/base/in_file.h"
#include "core/base/json.h"
#include "core/calibrate/calibration.h"
#include "core/cluster/price.h"
#include "core/document/plan_file.h"
#include "core/exchange/imports/import_table.h"
#include "core/formats/source.h"
#include "core/project/project.h"
#include "core/store/store.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace pw {

namespace {

namespace fs = std::filesystem;

class InputReader {
public:
    InputReader(const SweepDocument& sweep, const std::string& file, const fs::path& folder,
                Diagnostics& notes)
        : m_sweep(sweep), m_file(file), m_folder(folder), m_notes(notes) {}
    InputReader(const InputReader&) = delete;
    InputReader& operator=(const InputReader&) = delete;

    Result<SweepInputs> read();

private:
    std::string path(const std::string& name) const { return (m_folder / name).string(); }
    Status readBase();
    Status readCalibrationFile();
    Status readClusters();
    Status readModels();
    Status readPlans();
    Status readMeasured();
    Status addCluster(const std::string& name, Cluster cluster, const std::string& place);

    const SweepDocument& m_sweep;
    const std::string& m_file;
    const fs::path& m_folder;
    Diagnostics& m_notes;
    Calibration m_calibration;
    std::optional<Project> m_project;
    SweepInputs m_inputs;
};

Status InputReader::readBase() {
    if (!m_sweep.base.project.empty()) {
        const std::string project = path(m_sweep.base.project);
        const Result<std::string> text = readFile(project);
        if (!text)
            return text.error();
        Result<Project> read = readProject(*text, project, &m_notes);
        if (!read)
            return read.error();
        m_project = *std::move(read);
        m_inputs.recipe = m_project->recipe;
        m_inputs.forbidden = m_project->forbidden;
    }
    std::map<std::string, std::string> stated;
    const Json recipe = Json::parse(m_sweep.base.recipe);
    for (const auto& [key, value] : recipe.items())
        stated[key] = value.dump();
    Result<Recipe> changed = changedRecipe(m_inputs.recipe, stated, m_file, "/base/recipe");
    if (!changed)
        return changed.error();
    m_inputs.recipe = *std::move(changed);
    m_inputs.forbidden.insert(m_inputs.forbidden.end(), m_sweep.base.forbidden.begin(),
                              m_sweep.base.forbidden.end());
    return Ok{};
}

Status InputReader::readCalibrationFile() {
    if (m_sweep.base.calibration.empty())
        return Ok{};
    const std::string file = path(m_sweep.base.calibration);
    const Result<std::string> text = readFile(file);
    if (!text)
        return text.error();
    Result<Calibration> calibration = readCalibration(*text, file);
    if (!calibration)
        return calibration.error();
    m_calibration = *std::move(calibration);
    m_inputs.recipe = calibrated(std::move(m_inputs.recipe), m_calibration);
    return Ok{};
}

// Prices are for kinds, which not every cluster has.
Status InputReader::addCluster(const std::string& name, Cluster cluster, const std::string& place) {
    if (const Status sound = statusOf(checkCluster(cluster)); !sound)
        return inFile(sound.error(), place);
    cluster = calibrated(std::move(cluster), m_calibration);
    for (const auto& [kind, price] : m_sweep.base.prices)
        if (const Status priced = setPrice(cluster, kind, price); !priced)
            return inFile(priced.error(), m_file + "#/base/prices");
    // The figures of the catalogue go along: whoever works the sweep off may have another one.
    std::map<std::string, DeviceKind> kinds;
    for (const Node& node : cluster.nodes)
        if (const DeviceKind* kind = findKind(cluster, node.kind); kind != nullptr)
            kinds.emplace(kind->name, *kind);
    cluster.kinds.clear();
    for (auto& [kindName, kind] : kinds)
        cluster.kinds.push_back(std::move(kind));
    m_inputs.clusters[name] = std::move(cluster);
    return Ok{};
}

Status InputReader::readClusters() {
    const auto add = [this](const std::string& name, const std::string& file) -> Status {
        const Result<std::string> text = readFile(file);
        if (!text)
            return text.error();
        Result<Cluster> cluster = readCluster(*text, file, &m_notes);
        return cluster ? addCluster(name, *std::move(cluster), file) : Status(cluster.error());
    };
    if (const SweepAxis* axis = m_sweep.axis(AxisKind::Cluster)) {
        for (const std::string& value : axis->values)
            if (Status added = add(plainValue(value), path(plainValue(value))); !added)
                return added;
        return Ok{};
    }
    if (!m_sweep.base.cluster.empty())
        return add("", path(m_sweep.base.cluster));
    return addCluster("", m_project->cluster, path(m_sweep.base.project));
}

Status InputReader::readModels() {
    const auto add = [this](const std::string& name, const std::string& file) -> Status {
        Result<Model> model = readModelFile(file, &m_notes);
        if (!model)
            return model.error();
        m_inputs.models.emplace(name, *std::move(model));
        return Ok{};
    };
    if (const SweepAxis* axis = m_sweep.axis(AxisKind::Model)) {
        for (const std::string& value : axis->values)
            if (Status added = add(plainValue(value), path(plainValue(value))); !added)
                return added;
        return Ok{};
    }
    if (!m_sweep.base.model.empty())
        return add("", path(m_sweep.base.model));
    const std::optional<Model>& model = m_project->model;
    if (!model)
        return badInput("project.no_model", path(m_sweep.base.project),
                        "the project has no model: give one as `model` of the sweep's base");
    m_inputs.models.emplace("", *model);
    return Ok{};
}

Status InputReader::readPlans() {
    const SweepAxis* axis = m_sweep.axis(AxisKind::Plan);
    if (axis == nullptr)
        return Ok{};
    for (const std::string& value : axis->values) {
        if (plainValue(value) == kSearchAnew)
            continue;
        const PlanArgument argument = planArgument(plainValue(value));
        const std::string file = path(argument.file);
        const Result<std::string> text = readText(file);
        if (!text)
            return text.error();
        const Result<PlanFile> plans = readPlanFile(*text, file);
        if (!plans)
            return plans.error();
        append(m_notes, plans->notes);
        if (argument.index < 1 || argument.index > plans->plans.size())
            return badInput("plan.index", fmt::format("{}#/plans", file),
                            {"plan {index} does not exist, the file holds {count}",
                             {{"index", argument.index}, {"count", plans->plans.size()}}});
        m_inputs.plans[plainValue(value)] = toJson(*plans->problem, plans->plans[argument.index - 1]).dump();
    }
    return Ok{};
}

Status InputReader::readMeasured() {
    if (m_sweep.base.profiles.empty()) {
        if (m_project)
            m_inputs.profiles = m_project->profiles;
        return Ok{};
    }
    const Result<ProfileStore> store =
        ProfileStore::open(path(m_sweep.base.profiles), ProfileStore::Mode::ReadOnly);
    if (!store)
        return store.error();
    Result<std::vector<ProfileRow>> rows = store->rows();
    if (!rows)
        return rows.error();
    // Of these models alone: a folder that travels need not carry the rest.
    std::erase_if(*rows, [this](const ProfileRow& row) {
        return std::ranges::none_of(m_inputs.models, [&row](const auto& model) {
            return sameModelName(row.model, model.second.name);
        });
    });
    m_inputs.profiles = *std::move(rows);
    return Ok{};
}

Result<SweepInputs> InputReader::read() {
    for (const auto step :
         {&InputReader::readBase, &InputReader::readCalibrationFile, &InputReader::readClusters,
          &InputReader::readModels, &InputReader::readPlans, &InputReader::readMeasured})
        if (const Status done = (this->*step)(); !done)
            return done.error();
    return std::move(m_inputs);
}

} // namespace

Result<SweepInputs> readSweepInputs(const SweepDocument& sweep, const std::string& file,
                                    const fs::path& folder, Diagnostics& notes) {
    return InputReader(sweep, file, folder, notes).read();
}

Result<Recipe> changedRecipe(const Recipe& base, const std::map<std::string, std::string>& changes,
                             const std::string& file, const std::string& pointer) {
    if (changes.empty())
        return base;
    Json document = toJson(base);
    if (changes.contains("stack"))
        document.erase("software"); // of the stack before
    for (const auto& [key, value] : changes)
        document[key] = Json::parse(value);
    const JsonReader reader(document, file, pointer);
    Result<Recipe> recipe = recipeFromJson(reader);
    if (!recipe)
        return recipe.error();
    const Diagnostics unread = reader.unread(); // whose places begin at the recipe itself
    for (const auto& [key, value] : changes)
        for (const Diagnostic& found : unread)
            if (found.where == fmt::format("{}#/{}", file, pointerEscape(key)))
                return badInput("sweep.recipe", reader.where(key),
                                {"\"{key}\" is no key of a recipe", {{"key", key}}});
    return recipe;
}

PackedInputs packed(const SweepInputs& inputs) {
    PackedInputs files;
    const auto pack = [&files](const std::string& text) {
        std::string hash = hashText(text);
        files.files[hash] = text;
        return hash;
    };
    Json index = {{"clusters", Json::object()}, {"models", Json::object()}, {"plans", Json::object()}};
    for (const auto& [name, cluster] : inputs.clusters)
        index["clusters"][name] = pack(printJson(toJson(cluster)));
    for (const auto& [name, model] : inputs.models)
        index["models"][name] = pack(printJson(toJson(model)));
    for (const auto& [name, entry] : inputs.plans)
        index["plans"][name] = pack(printJson(Json::parse(entry)));
    Json rows = Json::array();
    for (const ProfileRow& row : inputs.profiles)
        rows.push_back(toJson(row));
    index["base"] = pack(printJson(Json{
        {"recipe", toJson(inputs.recipe)}, {"profiles", std::move(rows)}, {"forbidden", inputs.forbidden}}));
    files.index = index.dump();
    return files;
}

Result<SweepInputs> unpacked(const JsonReader& index,
                             const std::function<Result<std::string>(const std::string& hash)>& fetch) {
    SweepInputs inputs;
    std::optional<Error> wrong;
    // One file, read as a document by `take`. The first that is none ends it.
    const auto unpack = [&](const JsonReader& reader, std::string_view key, const auto& take) {
        const std::string hash = reader.text(key);
        if (wrong || hash.empty())
            return;
        const Result<std::string> text = fetch(hash);
        const Result<Json> document =
            text ? parseJson(*text, "inputs/" + hash + ".json") : Result<Json>(text.error());
        if (!document) {
            wrong = document.error();
            return;
        }
        if (hashText(*text) != hash) {
            wrong = badInput("sweep.input", "inputs/" + hash + ".json",
                             "is not what it was when the sweep was made: its content has another hash");
            return;
        }
        if (const Status taken = take(JsonReader(*document, "inputs/" + hash + ".json")); !taken)
            wrong = taken.error();
    };
    const auto each = [&](const char* key, const auto& take) {
        const JsonReader list = index.object(key);
        for (const auto& member : list.members())
            unpack(list, member.first,
                   [&](const JsonReader& file) -> Status { return take(member.first, file); });
    };
    each("clusters", [&](const std::string& name, const JsonReader& file) -> Status {
        Result<Cluster> cluster = clusterFromJson(file);
        if (!cluster)
            return cluster.error();
        inputs.clusters[name] = *std::move(cluster);
        return file.status();
    });
    each("models", [&](const std::string& name, const JsonReader& file) -> Status {
        Result<Model> model = modelFromJson(file);
        if (!model)
            return model.error();
        inputs.models.emplace(name, *std::move(model));
        return file.status();
    });
    each("plans", [&](const std::string& name, const JsonReader& file) -> Status {
        inputs.plans[name] = file.value().dump();
        return Ok{};
    });
    unpack(index, "base", [&](const JsonReader& file) -> Status {
        Result<Recipe> recipe = recipeFromJson(file.object("recipe"));
        for (const JsonReader& item : file.array("profiles"))
            if (Result<ProfileRow> row = profileRowFromJson(item))
                inputs.profiles.push_back(*std::move(row));
        for (const JsonReader& item : file.array("forbidden"))
            inputs.forbidden.push_back(item.value().is_string() ? item.value().get<std::string>() : "");
        if (Status sound = file.status(); !sound)
            return sound;
        inputs.recipe = *std::move(recipe);
        return Ok{};
    });
    if (wrong)
        return *wrong;
    if (const Status sound = index.status(); !sound)
        return sound.error();
    return inputs;
}

} // namespace pw
