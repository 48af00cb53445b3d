// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/exports/export_set.h"

#include "core/base/file.h"
#include "core/base/hash.h"
#include "core/base/json.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <memory>
#include <set>
#include <system_error>

namespace pw {

namespace {

namespace fs = std::filesystem;

constexpr const char* kSchema = "pipewright-export-1";
constexpr std::string_view kStaging = ".pipewright-export.";

// By file: the hashes of the texts that exports wrote, more than one only while an export goes on, and the
// plan that the file is of, none while it goes on.
struct Manifest {
    Json files = Json::object();
    Json plans = Json::object();

    bool knows(const std::string& file, const std::string& text) const {
        const auto hashes = files.find(file);
        return hashes != files.end() && hashes->is_array() &&
               std::find(hashes->begin(), hashes->end(), hashText(text)) != hashes->end();
    }
    std::string text() const {
        return printJson(Json{{"schema", kSchema}, {"files", files}, {"plans", plans}});
    }
};

// A damaged one knows nothing.
Manifest readManifest(const fs::path& folder, const Disk& disk) {
    Manifest manifest;
    const Result<std::string> text = readFile(folder / kExportManifest, kWholeFileLimit, disk);
    if (!text)
        return manifest;
    const Result<Json> document = parseJson(*text, kExportManifest);
    if (!document || !document->is_object())
        return manifest;
    for (const auto& [key, part] : {std::pair("files", &manifest.files), std::pair("plans", &manifest.plans)})
        if (const auto found = document->find(key); found != document->end() && found->is_object())
            *part = *found;
    return manifest;
}

// A folder of its own inside the target, gone with everything in it when the export ends.
class StagingFolder {
public:
    StagingFolder(const fs::path& target, const Disk& disk)
        : m_disk(disk), m_path(disk.makeOwnFolder(target / kStaging, m_code)) {}
    ~StagingFolder() {
        if (!m_path.empty())
            static_cast<void>(m_disk.removeAll(m_path));
    }
    StagingFolder(const StagingFolder&) = delete;
    StagingFolder& operator=(const StagingFolder&) = delete;
    const fs::path& path() const { return m_path; } // empty if it could not be made
    const std::error_code& code() const { return m_code; }

private:
    const Disk& m_disk;
    std::error_code m_code;
    fs::path m_path; // behind the code that making it sets
};

// Only while the folder's lock is held.
void removeDeadStaging(const fs::path& folder, const Disk& disk) {
    std::vector<fs::path> there;
    static_cast<void>(disk.list(folder, there));
    for (const fs::path& path : there)
        if (path.filename().string().starts_with(kStaging))
            static_cast<void>(disk.removeAll(path));
}

Error writeError(const fs::path& path, const std::error_code& code) {
    return failure("export.write", path.string(),
                   {"cannot be written: {reason}", {{"reason", code.message()}}});
}

// What stands in the way of files: those that somebody else has written, and folders of their names.
Status checkThere(const std::vector<ExportFile>& files, const fs::path& folder, const Manifest& known,
                  Replace replace, const Disk& disk) {
    std::vector<Error> changed;
    for (const ExportFile& file : files) {
        const fs::path path = folder / file.name;
        FileFacts facts;
        const bool missing = static_cast<bool>(disk.facts(path, facts));
        if (!missing && facts.folder)
            return badInput("export.folder", path.string(), "is a folder; an exported file goes there");
        if (replace == Replace::All || missing)
            continue;
        const Result<std::string> there = readFile(path, kWholeFileLimit, disk);
        if (there && (*there == file.text || known.knows(file.name, *there)))
            continue;
        changed.push_back(badInput("export.changed", path.string(),
                                   known.files.contains(file.name) ? "was changed since it was exported"
                                                                   : "was not written by an export"));
    }
    if (changed.empty())
        return Ok{};
    Error error = badInput("export.changed", folder.string(),
                           "holds files that somebody has written since; nothing was exported"
                           "{?. --force replaces them}");
    error.reasons = std::move(changed);
    return error;
}

Status stage(const std::vector<ExportFile>& files, const fs::path& staging, const fs::path& target,
             const Disk& disk) {
    for (const ExportFile& file : files) {
        const fs::path path = staging / file.name;
        if (const std::error_code problem = makeFolders(path.parent_path(), disk))
            return writeError(target / file.name, problem);
        if (const Status written = writeFileAtomically(path, file.text, disk); !written) {
            Error error = written.error(); // of the file that people know
            error.where = (target / file.name).string();
            return error;
        }
        constexpr unsigned kExecuted = 0111; // by all
        FileFacts facts;
        if (path.extension() == ".sh" && !disk.facts(path, facts)) // else `bash FILE` runs it all the same
            static_cast<void>(disk.permit(path, facts.permissions | kExecuted));
    }
    return Ok{};
}

Status moveAll(const std::vector<ExportFile>& files, const fs::path& from, const fs::path& to,
               const Disk& disk) {
    std::set<fs::path> folders;
    for (const ExportFile& file : files) {
        const fs::path path = to / file.name;
        std::error_code problem = makeFolders(path.parent_path(), disk);
        if (!problem)
            problem = disk.rename(from / file.name, path);
        if (problem)
            return writeError(path, problem);
        folders.insert(path.parent_path());
    }
    for (const fs::path& folder : folders)
        if (const std::error_code problem = disk.syncFolder(folder))
            return writeError(folder, problem);
    return Ok{};
}

// The lines of a script up to its first command: what is said to people and to sbatch.
std::size_t behindComment(std::string_view script) {
    std::size_t at = 0;
    while (at < script.size() && script[at] == '#')
        at = std::min(script.find('\n', at), script.size() - 1) + 1;
    return at;
}

// The same for Python, which has its docstring and its __future__ before anything else.
std::size_t behindFuture(std::string_view program) {
    constexpr std::string_view kFuture = "\nfrom __future__ import annotations\n";
    const std::size_t future = program.find(kFuture);
    return future == std::string_view::npos ? behindComment(program) : future + kFuture.size();
}

// Trainers that are started with a program of the export, and the runner; their other modules are its own.
bool isStartedByPython(const fs::path& file) {
    return file.filename() == "run.py" || file == "plan.py";
}

std::string questionInBash(const std::string& name, const std::vector<std::string>& names,
                           const std::string& plan) {
    // Slurm runs a copy of what it is given.
    const char* folder = name.ends_with(".sbatch")
                             ? R"sh("${SLURM_SUBMIT_DIR:-$(dirname "${BASH_SOURCE[0]}")}")sh"
                             : R"sh("$(dirname "${BASH_SOURCE[0]}")")sh";
    return fmt::format(
        R"sh(# All files of this export are of one plan, or nothing runs.
for file in {1}; do
    grep -qsF "\"$file\": \"{2}\"" {0}/{3} || {{
        echo "$0: {3} does not say that $file is of the same plan as this script: export the plan again" >&2
        exit 1
    }}
done
)sh",
        folder, fmt::join(names, " "), plan, kExportManifest);
}

// By a function, so that the program's own names stay its own.
std::string questionInPython(const std::string& name, const std::vector<std::string>& names,
                             const std::string& plan) {
    std::string manifest = kExportManifest; // as seen from the program's folder
    for (auto folders = std::count(name.begin(), name.end(), '/'); folders > 0; --folders)
        manifest.insert(0, "../");
    return fmt::format(
        R"py(

# All files of this export are of one plan, or nothing runs.
def _ask_for_the_whole_set():
    import os
    import sys
    try:
        with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "{0}"), encoding="utf-8") as manifest:
            said = manifest.read()
    except (OSError, ValueError):
        said = ""
    for file in "{1}".split():
        if '"' + file + '": "{2}"' not in said:
            sys.exit(__file__ + ": {3} does not say that " + file +
                     " is of the same plan as this program: export the plan again")


_ask_for_the_whole_set()

)py",
        manifest, fmt::join(names, " "), plan, kExportManifest);
}

} // namespace

std::string exportedPlan(const Problem& problem, const Plan& plan) {
    return hashText(problem.hash() + canonicalKey(plan));
}

void bindTogether(std::vector<ExportFile>& files, const std::string& plan) {
    std::vector<std::string> names;
    names.reserve(files.size());
    for (const ExportFile& file : files)
        names.push_back(file.name);
    for (ExportFile& file : files)
        if (file.text.starts_with("#!/bin/bash\n"))
            file.text.insert(behindComment(file.text), questionInBash(file.name, names, plan));
        else if (isStartedByPython(file.name))
            file.text.insert(behindFuture(file.text), questionInPython(file.name, names, plan));
}

Status writeSet(const std::vector<ExportFile>& files, const std::string& plan, const fs::path& folder,
                Replace replace, const Disk& disk) {
    std::error_code problem;
    const fs::path absolute = fs::absolute(folder, problem).lexically_normal();
    const fs::path target = absolute.has_filename() ? absolute : absolute.parent_path();
    FileFacts there;
    if (!disk.facts(target, there) && !there.folder)
        return badInput("export.folder", target.string(), "is a file; expected a folder");
    problem = makeFolders(target, disk);
    if (problem)
        return writeError(target, problem);
    // File systems that know no locks let everybody in.
    const std::unique_ptr<HeldFolder> held = disk.hold(target, problem);
    if (problem == std::errc::operation_would_block)
        return failure("export.busy", target.string(), "another export writes here just now");
    Manifest manifest = readManifest(target, disk);
    if (const Status possible = checkThere(files, target, manifest, replace, disk); !possible)
        return possible;
    if (held)
        removeDeadStaging(target, disk);
    const StagingFolder staging(target, disk);
    if (staging.path().empty())
        return writeError(target, staging.code());
    if (const Status staged = stage(files, staging.path(), target, disk); !staged)
        return staged;

    for (const ExportFile& file : files) {
        Json& hashes = manifest.files[file.name];
        if (!hashes.is_array())
            hashes = Json::array();
        hashes.push_back(hashText(file.text));
        manifest.plans.erase(file.name);
    }
    if (const Status begun = writeFileAtomically(target / kExportManifest, manifest.text(), disk); !begun)
        return begun;
    if (const Status moved = moveAll(files, staging.path(), target, disk); !moved)
        return moved;
    for (const ExportFile& file : files) {
        manifest.files[file.name] = {hashText(file.text)};
        manifest.plans[file.name] = plan;
    }
    return writeFileAtomically(target / kExportManifest, manifest.text(), disk);
}

} // namespace pw
