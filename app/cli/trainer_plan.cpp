// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/trainer_plan.h"

#include "app/cli/inputs.h"

#include "core/exchange/imports/import_table.h"

#include <algorithm>
#include <filesystem>

namespace pw::cli {

namespace {

constexpr std::size_t kMostFiles = 4096; // of a folder
} // namespace

Result<std::optional<TrainerPlan>> readTrainerPlan(const Session& session, const std::string& argument,
                                                   const std::vector<std::string>& more,
                                                   const std::string& modelFile, std::int64_t vocabulary) {
    namespace fs = std::filesystem;
    std::optional<TrainerPlan> none;
    std::vector<std::string> files = {argument};
    std::error_code ignored;
    const bool folder = fs::is_directory(argument, ignored);
    if (folder) {
        files.clear();
        for (fs::recursive_directory_iterator at(argument, ignored), end; at != end && !ignored;
             at.increment(ignored))
            if (at->is_regular_file(ignored))
                files.push_back(at->path().string());
        if (files.size() > kMostFiles)
            return badInput("plan.part", argument,
                            {"holds {count} files, more than {limit}: name those of the plan, with --with "
                             "for all but one",
                             {{"count", files.size()}, {"limit", kMostFiles}}});
        std::sort(files.begin(), files.end());
    } else if (!fs::exists(argument, ignored)) {
        return none; // FILE:k, or nothing at all
    }
    const std::size_t ofFolder = folder ? files.size() : 0; // which may hold others, too
    files.insert(files.end(), more.begin(), more.end());
    std::optional<Model> model;
    if (!modelFile.empty()) {
        Result<Model> read = readModel(session, modelFile);
        if (!read)
            return read.error();
        model = *std::move(read);
    }
    ImportHints hints;
    hints.model = model ? &*model : nullptr;
    hints.vocabulary = vocabulary;
    std::vector<Imported> parts;
    std::vector<std::string> taken;
    for (std::size_t i = 0; i < files.size(); ++i) {
        const std::string& file = files[i];
        const bool found = i < ofFolder;
        const Result<const ImporterRow*> row = recogniseFile(file);
        if (!row || *row == nullptr) {
            if (found)
                continue;
            if (file == argument)
                return none;
            return row ? badInput("plan.part", file, "is no part of a trainer's plan that is known")
                       : row.error();
        }
        if (!found && std::string_view((*row)->kind) == "run")
            return badInput(
                "plan.part", file,
                "is what the runner ran, and no plan: the plan that it ran goes to --plan, this file to "
                "--measured");
        Result<Imported> part = importFile(file, (*row)->kind, hints);
        if (!part)
            return part.error();
        const bool useful =
            std::holds_alternative<TrainerPlan>(part->what) || std::holds_alternative<Inventory>(part->what);
        if (!useful && found)
            continue;
        if (!useful)
            return badInput("plan.part", file, {"is no plan: {summary}", {{"summary", part->summary}}});
        session.note(part->notes);
        parts.push_back(*std::move(part));
        taken.push_back(file);
    }
    if (parts.empty())
        return badInput("plan.part", argument, "holds no file of a trainer that is known");
    Result<Imported> joined = joinImported(std::move(parts), taken);
    if (!joined)
        return joined.error();
    TrainerPlan* plan = std::get_if<TrainerPlan>(&joined->what);
    if (plan == nullptr)
        return badInput("plan.part", argument, {"is no plan: {summary}", {{"summary", joined->summary}}});
    return std::optional(std::move(*plan));
}

} // namespace pw::cli
