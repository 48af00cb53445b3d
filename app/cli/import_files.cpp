// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/import_files.h"

#include "app/cli/inputs.h"

#include "core/base/file.h"
#include "core/exchange/imports/import.h"
#include "core/exchange/imports/profile_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>

namespace pw::cli {

namespace {

std::string knownKinds() {
    std::string text;
    for (const ImporterRow& row : importerTable())
        text += (text.empty() ? "" : ", ") + std::string(row.kind);
    return text;
}

bool isKind(const std::string& word) {
    return std::any_of(importerTable().begin(), importerTable().end(),
                       [&](const ImporterRow& row) { return word == row.kind; });
}

Status take(ImportedFiles& all, Imported one, const std::string& file) {
    if (Model* model = std::get_if<Model>(&one.what)) {
        if (all.model || !all.rows.empty())
            return badInput("import.mixed", file, "a model is imported alone, one file at a time");
        all.model = std::move(*model);
    } else {
        if (all.model)
            return badInput("import.mixed", file, "a model is imported alone, one file at a time");
        auto& rows = std::get<std::vector<ProfileRow>>(one.what);
        all.rows.insert(all.rows.end(), std::make_move_iterator(rows.begin()),
                        std::make_move_iterator(rows.end()));
    }
    all.kinds.push_back(one.kind);
    all.files.push_back(file);
    all.summaries.push_back(one.summary);
    all.notes.insert(all.notes.end(), one.notes.begin(), one.notes.end());
    return Ok{};
}

// Our own rows, as `profiles export` writes them, need no importer and no hints.
Result<Imported> importOne(const std::string& file, const std::string& kind, const ImportHints& hints) {
    const Result<std::string> text = readFile(file);
    if (!text)
        return text.error();
    if (!kind.empty() || !isProfileFile(*text))
        return importFile(file, kind, hints);
    Result<std::vector<ProfileRow>> rows = pw::readProfiles(*text, file);
    if (!rows)
        return rows.error();
    const std::size_t count = rows->size();
    return Imported{"pipewright-profiles", fmt::format("{} measured points", count), {}, *std::move(rows)};
}

} // namespace

void ImportFlags::addTo(CLI::App& sub) {
    sub.add_option("[KIND] FILE", arguments,
                   "files, after one of: " + knownKinds() + " (without: by content)")
        ->required();
    sub.add_option("--model", model, "the model that was measured, to check the layers against")
        ->type_name("M");
    sub.add_option("--model-name", modelName, "the measured model's name, where no model is at hand")
        ->type_name("NAME");
    sub.add_option("--device", device, "the measured device kind, where the file does not say")
        ->type_name("KIND");
}

Json ImportedFiles::document() const {
    Json messages = Json::array();
    for (const Diagnostic& d : notes)
        messages.push_back({{"code", d.code}, {"where", d.where}, {"message", d.message}});
    Json list = Json::array();
    for (std::size_t i = 0; i < files.size(); ++i)
        list.push_back({{"file", files[i]}, {"kind", kinds[i]}, {"summary", summaries[i]}});
    Json document = {{"imported", std::move(list)}, {"notes", std::move(messages)}, {"rows", rows.size()}};
    if (model) {
        document["model"] = toJson(*model);
        document["parameters"] = parameterCount(*model);
    }
    return document;
}

std::string ImportedFiles::text() const {
    std::string text;
    for (std::size_t i = 0; i < files.size(); ++i)
        text += fmt::format("{} ({}): {}\n", files[i], kinds[i], summaries[i]);
    for (const Diagnostic& d : notes)
        text += fmt::format("note: {}: {}\n", d.where, d.message);
    return text;
}

Result<ImportedFiles> importFiles(const Session& session, const ImportFlags& flags) {
    std::vector<std::string> files = flags.arguments;
    std::string kind;
    std::error_code ignored;
    if (isKind(files.front()) && (files.size() > 1 || !std::filesystem::exists(files.front(), ignored))) {
        kind = files.front();
        files.erase(files.begin());
    }
    if (files.empty())
        return usage(fmt::format("import {}: which file?", kind));
    if (kind.empty() && files.size() > 1 && !std::filesystem::exists(files.front(), ignored))
        return usage(fmt::format("\"{}\" is no file and none of {}", files.front(), knownKinds()));

    std::optional<Model> model;
    if (!flags.model.empty() || !session.project.empty()) {
        Result<Model> read = readModel(session, flags.model);
        if (!read)
            return read.error();
        model = *std::move(read);
    }
    const ImportHints hints{model ? &*model : nullptr, flags.modelName, flags.device};
    ImportedFiles all;
    for (const std::string& file : files) {
        Result<Imported> one = importOne(file, kind, hints);
        if (!one)
            return one.error();
        if (Status taken = take(all, *std::move(one), file); !taken)
            return taken.error();
    }
    return all;
}

} // namespace pw::cli
