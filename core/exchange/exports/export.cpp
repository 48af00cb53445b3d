// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/exports/export.h"

#include "core/base/file.h"
#include "core/base/hash.h"
#include "core/base/json.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>
#include <stdlib.h>
#include <system_error>

namespace pw {

namespace {

namespace fs = std::filesystem;

// A folder of its own beside the target, gone with everything in it when the export ends.
class TemporaryFolder {
public:
    explicit TemporaryFolder(const fs::path& beside) {
        std::string pattern =
            (beside.parent_path() / ("." + beside.filename().string() + ".XXXXXX")).string();
        if (mkdtemp(pattern.data()) != nullptr)
            m_path = pattern;
    }
    ~TemporaryFolder() {
        std::error_code ignored;
        if (!m_path.empty())
            fs::remove_all(m_path, ignored);
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    const fs::path& path() const { return m_path; } // empty if it could not be made

private:
    fs::path m_path;
};

Error refused(const ExporterRow& exporter, const std::vector<Refusal>& refusals) {
    Error error = infeasible(refusals.front().code, refusals.front().where,
                             std::string(exporter.label) + " cannot run this plan; nothing was written");
    for (const Refusal& r : refusals)
        error.reasons.push_back(reasonOf(r));
    return error;
}

constexpr const char* kManifest = ".pipewright-export.json";
constexpr const char* kManifestSchema = "pipewright-export-1";

// Hashes by file name of what exports wrote into the folder; a damaged list knows nothing.
Json knownFiles(const fs::path& folder) {
    const Result<std::string> text = readFile(folder / kManifest);
    if (!text)
        return Json::object();
    const Result<Json> list = parseJson(*text, kManifest);
    const bool sound = list && list->is_object() && list->contains("files") && (*list)["files"].is_object();
    return sound ? (*list)["files"] : Json::object();
}

// Files of the folder that an export would replace although somebody else has written them.
std::vector<Error> changedFiles(const std::vector<ExportFile>& files, const fs::path& folder,
                                const Json& known) {
    std::vector<Error> changed;
    for (const ExportFile& file : files) {
        const fs::path path = folder / file.name;
        std::error_code problem;
        if (!fs::exists(path, problem))
            continue;
        const Result<std::string> there = readFile(path);
        if (there && *there == file.text)
            continue;
        if (!known.contains(file.name))
            changed.push_back(badInput("export.changed", path.string(), "was not written by an export"));
        else if (!there || known[file.name] != hashText(*there))
            changed.push_back(badInput("export.changed", path.string(), "was changed since it was exported"));
    }
    return changed;
}

Status moveFiles(const std::vector<ExportFile>& files, const fs::path& from, const fs::path& to) {
    std::error_code problem;
    for (const ExportFile& file : files) {
        fs::create_directories((to / file.name).parent_path(), problem);
        if (!problem)
            fs::rename(from / file.name, to / file.name, problem);
        if (problem)
            return failure("export.write", (to / file.name).string(), problem.message());
    }
    return Ok{};
}

} // namespace

const ExporterRow* exporterRow(std::string_view format) {
    for (const ExporterRow& row : exporterTable())
        if (format == row.format)
            return &row;
    return nullptr;
}

const ExportRelease* findRelease(const ExporterRow& exporter, std::string_view name) {
    for (const ExportRelease& release : exporter.releases)
        if (name.empty() || name == release.name)
            return &release;
    return nullptr;
}

namespace {

bool canTake(const CapabilityRow& feature, const ExporterRow& row, const Problem& problem, const Plan& plan) {
    return row.write != nullptr && refusalsOf(feature, row.capability, problem, plan).empty();
}

std::vector<Refusal> ownRefusals(const ExporterRow& row, const Problem& problem, const Plan& plan,
                                 const std::string& release) {
    std::vector<Refusal> refusals;
    if (row.check != nullptr)
        row.check(problem, plan, release.empty() ? row.releases.front().name : release, refusals);
    return refusals;
}

// A kind that the plan leaves idle may have kept all others from bf16.
void precisionNote(const Problem& problem, const Plan& plan, Diagnostics& notes) {
    if (problem.recipe().precision != Precision::Auto || problem.precision() == Precision::Bf16)
        return;
    const std::vector<const DeviceKind*> used = usedKinds(problem, plan);
    std::vector<std::string> idle;
    for (const DeviceKind& kind : problem.topology().kinds())
        if (kind.bf16.value <= 0.0 && std::find(used.begin(), used.end(), &kind) == used.end())
            idle.push_back(kind.shortName);
    if (everyKindHasBf16(problem, plan) && !idle.empty())
        notes.push_back(
            {Severity::Warning,
             "export.precision",
             "recipe",
             {"{precision}, because {kinds}, which the plan leaves idle, has no bf16: search again "
              "with --forbid {forbidden}",
              {{"precision", name(problem.precision())},
               {"kinds", fmt::format("{}", fmt::join(idle, " and "))},
               {"forbidden", fmt::format("{}", fmt::join(idle, ","))}}}});
}

bool canTakeAll(const ExporterRow& row, const Problem& problem, const Plan& plan) {
    const std::vector<CapabilityRow>& features = capabilityTable();
    return std::all_of(features.begin(), features.end(),
                       [&](const CapabilityRow& f) { return canTake(f, row, problem, plan); }) &&
           ownRefusals(row, problem, plan, {}).empty();
}

} // namespace

std::vector<Refusal> exportRefusals(const ExporterRow& exporter, const Problem& problem, const Plan& plan,
                                    const std::string& release) {
    std::vector<Refusal> refusals;
    const auto addAll = [&](std::vector<Refusal> more, const auto& takes) {
        std::vector<std::string> targets;
        for (const ExporterRow& row : exporterTable())
            if (!more.empty() && row.trainer && &row != &exporter && takes(row))
                targets.emplace_back(row.format);
        for (Refusal& refusal : more) {
            refusal.targets = targets;
            refusals.push_back(std::move(refusal));
        }
    };
    for (const CapabilityRow& feature : capabilityTable())
        addAll(refusalsOf(feature, exporter.capability, problem, plan),
               [&](const ExporterRow& row) { return canTake(feature, row, problem, plan); });
    addAll(ownRefusals(exporter, problem, plan, release),
           [&](const ExporterRow& row) { return canTakeAll(row, problem, plan); });
    return refusals;
}

std::vector<Refusal> questionRefusals(const ExporterRow& exporter, const Problem& problem) {
    std::vector<Refusal> refusals;
    for (const CapabilityRow& feature : capabilityTable())
        if (feature.ofAnyPlan)
            for (Refusal& refusal : refusalsOf(feature, exporter.capability, problem, {}))
                refusals.push_back(std::move(refusal));
    return refusals;
}

std::vector<const ExporterRow*> expressibleBy(const Problem& problem, const Plan& plan) {
    std::vector<const ExporterRow*> rows;
    for (const ExporterRow& row : exporterTable())
        if (canTakeAll(row, problem, plan))
            rows.push_back(&row);
    return rows;
}

ExportResult makeExport(const ExporterRow& exporter, const ExportInput& input) {
    ExportResult result;
    result.refusals = exportRefusals(exporter, input.problem, input.plan, input.release);
    if (!result.refusals.empty())
        return result;
    ExportInput chosen = input;
    if (chosen.release.empty())
        chosen.release = exporter.releases.front().name;
    result.files = exporter.write(chosen);
    if (exporter.trainer)
        precisionNote(input.problem, input.plan, result.notes);
    if (exporter.notes != nullptr)
        exporter.notes(input.problem, input.plan, chosen.release, result.notes);
    return result;
}

std::optional<OfferedPlan> bestRunnable(const ExporterRow& exporter, const std::string& release,
                                        const Problem& problem, const std::vector<FoundPlan>& plans,
                                        Seconds refused) {
    const std::vector<CapabilityRow>& features = capabilityTable();
    for (std::size_t i = 0; i < plans.size(); ++i)
        if (std::all_of(
                features.begin(), features.end(),
                [&](const CapabilityRow& f) { return canTake(f, exporter, problem, plans[i].plan); }) &&
            ownRefusals(exporter, problem, plans[i].plan, release).empty())
            return OfferedPlan{i, plans[i].evaluation.iteration / refused - 1.0};
    return std::nullopt;
}

std::string text(const OfferedPlan& offer) {
    return fmt::format("plan {}, {:.1f} % slower", offer.index + 1, 100.0 * offer.slower);
}

void restrictTo(const Capability& capability, Space& space) {
    if (!capability.partitions)
        space.partitions = false;
    if (capability.cp == Grain::No)
        space.maxCp = 1;
    if (capability.ep == Grain::No)
        space.maxEp = 1;
    if (capability.tp == Grain::No)
        space.maxTp = 1;
    space.alike.tp = capability.tp == Grain::Plan;
    space.alike.replicas = capability.dp != Replication::Stages;
    space.alike.gpus = !capability.stageSizes;
    if (capability.schedules.empty())
        return;
    space.schedules.clear();
    space.interleaved = space.interleaved && capability.takes(ScheduleKind::Interleaved);
    for (const ScheduleChoice& choice : capability.schedules)
        if (usesLaunchCounts(choice.kind))
            space.schedules.push_back(choice);
}

Status writeExport(const ExporterRow& exporter, const ExportResult& result, const fs::path& folder,
                   Replace replace) {
    if (!result.refusals.empty())
        return refused(exporter, result.refusals);

    std::error_code problem;
    const fs::path target = fs::absolute(folder, problem).lexically_normal();
    const fs::path place = target.has_filename() ? target : target.parent_path();
    if (fs::exists(place, problem) && !fs::is_directory(place, problem))
        return badInput("export.folder", place.string(), "is a file; expected a folder");
    Json known = knownFiles(place);
    if (replace == Replace::Unchanged)
        if (std::vector<Error> changed = changedFiles(result.files, place, known); !changed.empty()) {
            Error error = badInput("export.changed", place.string(),
                                   "holds files that somebody has written since; nothing was exported. "
                                   "--force replaces them");
            error.reasons = std::move(changed);
            return error;
        }
    std::vector<ExportFile> files = result.files;
    for (const ExportFile& file : result.files)
        known[file.name] = hashText(file.text);
    files.push_back({kManifest, printJson(Json{{"schema", kManifestSchema}, {"files", std::move(known)}})});
    fs::create_directories(place.parent_path(), problem);
    const TemporaryFolder temporary(place);
    if (problem || temporary.path().empty())
        return failure("export.write", place.string(), "the folder cannot be written to");
    for (const ExportFile& file : files) {
        const fs::path path = temporary.path() / file.name;
        fs::create_directories(path.parent_path(), problem);
        if (problem)
            return failure("export.write", path.string(), problem.message());
        if (Status written = writeFileAtomically(path, file.text); !written)
            return written;
        if (path.extension() == ".sh")
            fs::permissions(path, fs::perms::owner_exec | fs::perms::group_exec | fs::perms::others_exec,
                            fs::perm_options::add, problem);
    }
    return moveFiles(files, temporary.path(), place);
}

} // namespace pw
