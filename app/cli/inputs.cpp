// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/inputs.h"

#include "core/base/file.h"
#include "core/cluster/network_kind.h"
#include "core/exchange/imports/import_table.h"
#include "core/store/store.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>

namespace pw::cli {

Result<Project> readProjectFlag(const Session& session) {
    if (session.project.empty())
        return usage("--project is required");
    const Result<std::string> text = readFile(session.project);
    if (!text)
        return text.error();
    Diagnostics notes;
    session.event(LogLevel::Info, session.project, "read as a project");
    Result<Project> project = readProject(*text, session.project, &notes);
    if (project)
        append(notes, unknownMedia(project->cluster));
    session.note(notes);
    return project;
}

Result<Cluster> readCluster(const Session& session, const std::string& file) {
    if (!file.empty()) {
        const Result<std::string> text = readFile(file);
        if (!text)
            return text.error();
        Diagnostics notes;
        session.event(LogLevel::Info, file, "read as a cluster");
        Result<Cluster> cluster = pw::readCluster(*text, file, &notes);
        if (cluster)
            append(notes, unknownMedia(*cluster));
        session.note(notes);
        return cluster;
    }
    if (session.project.empty())
        return usage("a cluster file is required, or --project");
    const Result<Project> project = readProjectFlag(session);
    if (!project)
        return project.error();
    return project->cluster;
}

Result<Model> readModel(const Session& session, const std::string& file) {
    if (!file.empty()) {
        Diagnostics notes;
        session.event(LogLevel::Info, file, "read as a model");
        Result<Model> model = readModelFile(file, &notes);
        session.note(notes);
        return model;
    }
    if (session.project.empty())
        return usage("a model file is required, or --project");
    const Result<Project> project = readProjectFlag(session);
    if (!project)
        return project.error();
    if (!project->model)
        return badInput("project.no_model", session.project,
                        "the project has no model: give one with --model");
    return *project->model;
}

Result<Calibration> readCalibrationFlag(const Session& session) {
    if (session.calibration.empty())
        return Calibration{};
    const Result<std::string> text = readFile(session.calibration);
    if (!text)
        return text.error();
    session.event(LogLevel::Info, session.calibration, "read as a calibration");
    Result<Calibration> calibration = readCalibration(*text, session.calibration);
    if (calibration && calibration->emulated && !session.emulated)
        return badInput("calibration.emulated", session.calibration,
                        "was fitted to an emulated run, which says nothing of real GPUs; --emulated takes it "
                        "nevertheless");
    return calibration;
}

Result<std::vector<ProfileRow>> readProfiles(const Session& session, const std::string& model) {
    const Result<ProfileStore> store = ProfileStore::open(session.profiles, ProfileStore::Mode::ReadOnly);
    if (!store)
        return store.error();
    session.event(LogLevel::Info, session.profiles, "read as a database of profiles");
    Result<std::vector<ProfileRow>> named = store->rows(model);
    if (!named || !named->empty())
        return named;
    return store->rows();
}

void adoptProfiles(const Session& session, const std::string& model, std::vector<ProfileRow>& rows) {
    const std::string from = session.profiles.empty() ? session.project : session.profiles;
    const std::vector<std::string> taken = adoptRows(rows, model);
    if (!taken.empty())
        session.note(LogLevel::Warning, from,
                     fmt::format("{}: the measurements of {} are taken for {}'s", from,
                                 fmt::join(taken, ", "), model));
    std::set<std::string> others;
    for (const ProfileRow& row : rows) {
        if (row.model == model)
            return;
        others.insert(row.model);
    }
    if (others.empty())
        session.note(LogLevel::Warning, "profiles",
                     "no measured profiles: every time and memory is an estimate ∴");
    else
        session.note(LogLevel::Warning, from,
                     fmt::format("{} has measurements of {}, none of {}: every time and memory is an "
                                 "estimate ∴",
                                 from.empty() ? "the plan's problem" : from, fmt::join(others, ", "), model));
}

} // namespace pw::cli
