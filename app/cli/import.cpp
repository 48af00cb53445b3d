// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/import_files.h"
#include "app/cli/session.h"

#include "core/base/file.h"
#include "core/exchange/imports/link_fit.h"
#include "core/exchange/imports/profile_file.h"

#include <fmt/format.h>

#include <filesystem>

namespace pw::cli {

namespace {

// The file that a sort of import becomes.
struct Written {
    std::string text;
    Json document;
};

Result<Written> clusterFile(ImportedFiles& imported, const ImportFlags& flags, const std::string& out) {
    const Result<ClusterAnswers> answers = flags.answers();
    if (!answers)
        return answers.error();
    const std::string name = std::filesystem::path(out).stem().string();
    const Result<Cluster> cluster =
        clusterOf(std::get<Inventory>(imported.all.what), *answers, name, imported.all.notes);
    if (!cluster)
        return cluster.error();
    append(imported.all.notes, checkCluster(*cluster));
    const Json json = toJson(*cluster);
    return Written{printJson(json), Json{{"cluster", json}}};
}

Result<Written> fileOf(ImportedFiles& imported, const ImportFlags& flags, const std::string& out) {
    if (const Model* model = imported.model())
        return Written{printJson(toJson(*model)), {}};
    if (const auto* links = std::get_if<std::vector<LinkMeasurement>>(&imported.all.what))
        return Written{printLinks(*links), {}};
    if (std::holds_alternative<Inventory>(imported.all.what))
        return clusterFile(imported, flags, out);
    return Written{printProfiles(*imported.rows()), {}};
}

Result<Answer> importCommand(const Session& session, const ImportFlags& flags, const std::string& out) {
    Result<ImportedFiles> imported = importFiles(session, flags);
    if (!imported)
        return imported.error();
    const Result<Written> made = fileOf(*imported, flags, out);
    if (!made)
        return made.error();
    if (Status written = writeFileAtomically(out, made->text); !written)
        return written.error();
    Json document = imported->document();
    if (made->document.is_object())
        document.update(made->document);
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
        app.add_subcommand("import", "read files of others: models, machines, measured layers and links");
    flags->files.addTo(*sub);
    flags->files.addAnswersTo(*sub);
    sub->add_option("--out", flags->out, "file to write")->type_name("FILE")->required();
    return {sub,
            [flags](const Session& session) { return importCommand(session, flags->files, flags->out); }};
}

} // namespace pw::cli
