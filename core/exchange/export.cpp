// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/export.h"

#include "core/base/file.h"
#include "core/exchange/exporters.h"

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

const std::vector<ExporterRow>& exporterTable() {
    static const std::vector<ExporterRow> table = {
        {"flagscale",
         "FlagScale",
         "FlagScale, November 2025 layout",
         exportFlagscale,
         {{ScheduleKind::OneFOneB, LaunchRule::Artifact}}},
        {"chrome-trace",
         "Chrome trace",
         "Trace Event Format (Perfetto, chrome://tracing)",
         exportChromeTrace,
         {}},
        {"plan", "Plan document", "Pipewright plan document", exportPlanDocument, {}},
    };
    return table;
}

Status exportPlan(const ExporterRow& exporter, const ExportInput& input, const fs::path& folder) {
    return writeExport(exporter, exporter.make(input), folder);
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
