// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/import_files.h"
#include "app/cli/session.h"

#include "core/base/file.h"
#include "core/exchange/imports/profile_file.h"

#include <fmt/format.h>

namespace pw::cli {

namespace {

Result<Answer> importCommand(const Session& session, const ImportFlags& flags, const std::string& out) {
    Result<ImportedFiles> imported = importFiles(session, flags);
    if (!imported)
        return imported.error();
    const std::string text =
        imported->model ? printJson(toJson(*imported->model)) : printProfiles(imported->rows);
    if (Status written = writeFileAtomically(out, text); !written)
        return written.error();
    Json document = imported->document();
    document["out"] = out;
    return Answer{std::move(document), imported->text() + fmt::format("written to {}\n", out), {}};
}

} // namespace

Command addImport(CLI::App& app) {
    struct Flags {
        ImportFlags files;
        std::string out;
    };
    auto flags = std::make_shared<Flags>();
    CLI::App* sub =
        app.add_subcommand("import", "read files of others: a model's config.json, measured layer times");
    flags->files.addTo(*sub);
    sub->add_option("--out", flags->out, "file to write")->type_name("FILE")->required();
    return {sub,
            [flags](const Session& session) { return importCommand(session, flags->files, flags->out); }};
}

} // namespace pw::cli
