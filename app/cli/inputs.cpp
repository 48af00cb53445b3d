// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/inputs.h"

#include "core/base/file.h"
#include "core/exchange/import.h"
#include "core/store/store.h"

#include <fmt/format.h>

namespace pw::cli {

Result<Project> readProjectFlag(const Session& session) {
    if (session.project.empty())
        return usage("--project is required");
    const Result<std::string> text = readFile(session.project);
    if (!text)
        return text.error();
    return readProject(*text, session.project);
}

Result<Cluster> readCluster(const Session& session, const std::string& file) {
    if (!file.empty()) {
        const Result<std::string> text = readFile(file);
        if (!text)
            return text.error();
        return pw::readCluster(*text, file);
    }
    if (session.project.empty())
        return usage("a cluster file is required, or --project");
    const Result<Project> project = readProjectFlag(session);
    if (!project)
        return project.error();
    return project->cluster;
}

Result<Model> readModel(const Session& session, const std::string& file) {
    if (!file.empty())
        return readModelFile(file);
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

Result<std::vector<ProfileRow>> readProfiles(const Session& session, const std::string& model) {
    const Result<ProfileStore> store = ProfileStore::open(session.profiles, ProfileStore::Mode::ReadOnly);
    if (!store)
        return store.error();
    const Result<std::vector<ProfileRow>> rows = store->rows(model);
    if (rows && rows->empty())
        session.note(LogLevel::Warning, fmt::format("{} holds no measurements of {}: times are estimates ∴",
                                                    session.profiles, model));
    return rows;
}

} // namespace pw::cli
