// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/exports/export.h"

#include "core/base/file.h"
#include "core/exchange/exports/exporters.h"
#include "core/plan/stage_partition.h"

#include <fmt/format.h>
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
    Error error{ErrorKind::Infeasible,
                refusals.front().code,
                refusals.front().where,
                std::string(exporter.release) + " cannot run this plan; nothing was written",
                {}};
    for (const Refusal& r : refusals)
        error.reasons.push_back(r.code + " " + r.where + ": " + r.message);
    return error;
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

ExportResult makeExport(const ExporterRow& exporter, const ExportInput& input) {
    ExportResult result = exporter.make(input);
    if (exporter.partitions)
        return result;
    std::vector<Refusal> refusals;
    for (std::size_t p = 0; p < input.plan.pipelines.size(); ++p)
        for (std::size_t i = 0; i < input.plan.pipelines[p].stages.size(); ++i) {
            const Stage& stage = input.plan.pipelines[p].stages[i];
            if (stage.partition.empty())
                continue;
            refusals.push_back(
                {"E_PARTITION",
                 input.plan.pipelines.size() > 1 ? fmt::format("stage {}.{}", p, i)
                                                 : fmt::format("stage {}", i),
                 fmt::format("{}; no trainer known runs tensor partitions. {}", partitionText(stage),
                             input.unpartitioned.empty() ? "Search without them (--partitions off)"
                                                         : "The best without: " + input.unpartitioned)});
        }
    if (refusals.empty())
        return result;
    result.files.clear();
    result.refusals.insert(result.refusals.begin(), refusals.begin(), refusals.end());
    return result;
}

namespace {

std::string planNumber(std::size_t index, double slower) {
    return fmt::format("plan {}, {:.1f} % slower", index + 1, 100.0 * slower);
}

} // namespace

std::string bestUnpartitioned(const std::vector<FoundPlan>& plans, Seconds iteration) {
    for (std::size_t i = 0; i < plans.size(); ++i)
        if (!hasPartition(plans[i].plan))
            return planNumber(i, plans[i].evaluation.iteration / iteration - 1.0);
    return {};
}

std::string bestUnpartitioned(const Json& document, Seconds iteration) {
    const JsonReader file(document, "");
    const std::vector<JsonReader> plans = file.array("plans");
    for (std::size_t i = 0; i < plans.size(); ++i) {
        bool divided = false;
        for (const JsonReader& pipeline : plans[i].array("pipelines"))
            for (const JsonReader& stage : pipeline.array("stages"))
                divided = divided || (stage.has("partition") && stage.value()["partition"] != "none");
        const double time = plans[i].number("iteration_s", 0.0, 1e300, 0.0);
        if (!divided && time > 0.0)
            return planNumber(i, time / iteration.value - 1.0);
    }
    return {};
}

const std::vector<ExporterRow>& exporterTable() {
    static const std::vector<ExporterRow> table = {
        {"flagscale",
         "FlagScale",
         "FlagScale, November 2025 layout",
         exportFlagscale,
         {{ScheduleKind::OneFOneB, LaunchRule::Artifact}},
         false},
        {"chrome-trace",
         "Chrome trace",
         "Trace Event Format (Perfetto, chrome://tracing)",
         exportChromeTrace,
         {},
         true},
        {"plan", "Plan document", "Pipewright plan document", exportPlanDocument, {}, true},
    };
    return table;
}

Status exportPlan(const ExporterRow& exporter, const ExportInput& input, const fs::path& folder) {
    return writeExport(exporter, makeExport(exporter, input), folder);
}

Status writeExport(const ExporterRow& exporter, const ExportResult& result, const fs::path& folder) {
    if (!result.refusals.empty())
        return refused(exporter, result.refusals);

    std::error_code problem;
    const fs::path target = fs::absolute(folder, problem).lexically_normal();
    const fs::path place = target.has_filename() ? target : target.parent_path();
    if (fs::exists(place, problem) && !fs::is_directory(place, problem))
        return badInput("export.folder", place.string(), "is a file; expected a folder");
    fs::create_directories(place.parent_path(), problem);
    const TemporaryFolder temporary(place);
    if (problem || temporary.path().empty())
        return failure("export.write", place.string(), "the folder cannot be written to");
    for (const ExportFile& file : result.files) {
        const fs::path path = temporary.path() / file.name;
        fs::create_directories(path.parent_path(), problem);
        if (problem)
            return failure("export.write", path.string(), problem.message());
        if (Status written = writeFileAtomically(path, file.text); !written)
            return written;
    }
    return moveFiles(result.files, temporary.path(), place);
}

ExportResult exportPlanDocument(const ExportInput& input) {
    SearchOutcome outcome = input.outcome;
    outcome.plans = {FoundPlan{input.plan, input.evaluation}};
    return {{{"plan.json", printJson(planDocument(input.problem, outcome))}}, {}};
}

} // namespace pw
