// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/import_files.h"
#include "app/cli/profile_coverage.h"
#include "app/cli/profile_filter.h"
#include "app/cli/session.h"
#include "app/cli/shared_profiles.h"
#include "app/cli/stored_links.h"
#include "app/cli/stored_plans.h"
#include "app/cli/table.h"

#include "core/base/file.h"
#include "core/base/units.h"
#include "core/exchange/imports/measurements/profile_file.h"
#include "core/store/store.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace pw::cli {

namespace {

Result<Answer> list(const Session& session) {
    const Result<ProfileStore> store = openStore(session, ProfileStore::Mode::ReadOnly);
    if (!store)
        return store.error();
    const auto sources = store->sources();
    if (!sources)
        return sources.error();
    Json rows = Json::array();
    Table table(
        {"source", "model", "device kinds", ">points", ">collectives", "date", "software", "licence"});
    for (const ProfileStore::SourceRow& row : *sources) {
        rows.push_back({{"source", row.source},
                        {"model", row.model},
                        {"kinds", row.kinds},
                        {"rows", row.rows},
                        {"links", row.links},
                        {"date", row.date},
                        {"software", row.software},
                        {"licence", row.licence}});
        table.add({row.source, row.model, fmt::format("{}", fmt::join(row.kinds, ", ")),
                   fmt::format("{}", row.rows), fmt::format("{}", row.links), row.date, row.software,
                   row.licence});
    }
    return Answer{Json{{"sources", std::move(rows)}}, table.text(), {}};
}

Result<Answer> show(const Session& session, const ProfileFilter& filter) {
    const Result<std::vector<ProfileRow>> rows = storedRows(session, filter);
    if (!rows)
        return rows.error();
    Json list = Json::array();
    Table table({"model", "kind", ">layer", ">tp", ">mbs", ">seq", "precision", ">forward", ">backward",
                 ">update", "source"});
    for (const ProfileRow& row : *rows) {
        list.push_back(toJson(row));
        table.add({row.model, row.kind, fmt::format("{}", row.layer), fmt::format("{}", row.tp),
                   fmt::format("{}", row.mbs), row.seq > 0 ? fmt::format("{}", row.seq) : "unstated",
                   row.precision.empty() ? "unstated" : row.precision, formatDuration(row.forward),
                   formatDuration(row.backward), formatDuration(row.update), row.source});
    }
    return Answer{Json{{"rows", std::move(list)}}, table.text(), {}};
}

Result<Answer> importLinks(ProfileStore& store, const ImportedFiles& imported,
                           const std::vector<LinkMeasurement>& links) {
    const Result<int> added = store.addLinks(links);
    if (!added)
        return added.error();
    Json document = imported.document();
    document["added"] = *added;
    return Answer{
        std::move(document), imported.text() + fmt::format("{} timed collectives stored\n", *added), {}};
}

Result<Answer> import(const Session& session, const ImportFlags& flags) {
    Result<ImportedFiles> imported = importFiles(session, flags, true);
    if (!imported)
        return imported.error();
    const auto* links = std::get_if<std::vector<LinkMeasurement>>(&imported->all.what);
    if (imported->rows() == nullptr && links == nullptr)
        return badInput("profiles.sort", imported->files.front(),
                        {"holds neither measured layers nor timed collectives: {summary}",
                         {{"summary", imported->all.summary}}});
    if (links != nullptr && !imported->parked.empty())
        return badInput("import.mixed", imported->parked.front(),
                        "holds measured layers; import timed collectives by themselves");
    Result<ProfileStore> store = openStore(session, ProfileStore::Mode::ReadWrite);
    if (!store)
        return store.error();
    if (links != nullptr)
        return importLinks(*store, *imported, *links);
    // Files and rows in one transaction.
    const Result<std::int64_t> added = store->addFrom([&](const ProfileStore::Take& take) -> Status {
        for (const ProfileRow& row : *imported->rows())
            if (Status taken = take(row); !taken)
                return taken;
        for (const std::string& file : imported->parked) {
            std::int64_t rows = 0;
            const Status read = eachProfile(
                file,
                [&](const ProfileRow& row) {
                    ++rows;
                    return take(row);
                },
                session.stop);
            if (!read)
                return read;
            imported->kinds.emplace_back(kProfileFileKind);
            imported->files.push_back(file);
            imported->summaries.push_back(counted(rows, "measured point"));
        }
        return Ok{};
    });
    if (!added)
        return added.error();
    Json document = imported->document();
    document["added"] = document["rows"] = *added;
    return Answer{std::move(document), imported->text() + counted(*added, "point") + " stored\n", {}};
}

Result<Answer> exportRows(const Session& session, const ProfileFilter& filter, const std::string& out,
                          bool csv) {
    const Result<ProfileStore> store = openStore(session, ProfileStore::Mode::ReadOnly);
    if (!store)
        return store.error();
    const ProfileFormat format = csv || std::filesystem::path(out).extension() == ".csv"
                                     ? ProfileFormat::Table
                                     : ProfileFormat::Document;
    std::string text = profileFileHead(format);
    std::int64_t count = 0;
    const Status read = store->eachRow(filter.model, filter.source, [&](const ProfileRow& row) -> Status {
        text += (count++ == 0 ? "" : profileFileSeparator(format)) + printProfile(row, format);
        return Ok{};
    });
    if (!read)
        return read.error();
    if (count == 0)
        return noStoredRows(session);
    text += profileFileEnd(format);
    if (Status written = writeFileAtomically(out, text); !written)
        return written.error();
    return Answer{
        Json{{"out", out}, {"rows", count}}, fmt::format("{} points written to {}\n", count, out), {}};
}

Result<Answer> remove(const Session& session, const std::string& source) {
    // Read-only first: a mistyped path must not leave an empty database behind.
    if (const Result<ProfileStore> there = openStore(session, ProfileStore::Mode::ReadOnly); !there)
        return there.error();
    Result<ProfileStore> store = openStore(session, ProfileStore::Mode::ReadWrite);
    if (!store)
        return store.error();
    const Result<int> removed = store->remove(source);
    if (!removed)
        return removed.error();
    if (*removed == 0)
        return badInput("profiles.none", source,
                        {"is no source in {database}", {{"database", session.profiles}}});
    return Answer{Json{{"source", source}, {"removed", *removed}},
                  fmt::format("{} points and collectives removed\n", *removed),
                  {}};
}

Result<Answer> check(const Session& session) {
    const Result<ProfileStore> store = openStore(session, ProfileStore::Mode::ReadOnly);
    if (!store)
        return store.error();
    if (Status sound = store->check(); !sound)
        return sound.error();
    return Answer{Json{{"profiles", session.profiles}, {"ok", true}}, "the database is sound\n", {}};
}

} // namespace

std::vector<Command> addProfiles(CLI::App& app) {
    CLI::App* parent = app.add_subcommand("profiles", "the database of measured profiles (--profiles DB)");
    parent->require_subcommand(1);
    parent->fallthrough();
    std::vector<Command> commands;
    const auto add = [&](const char* name, const char* help) {
        CLI::App* sub = parent->add_subcommand(name, help);
        sub->fallthrough();
        return sub;
    };

    commands.push_back({add("list", "sources with their models and devices"), list});

    auto shown = std::make_shared<ProfileFilter>();
    CLI::App* sub = add("show", "the measured points");
    shown->addTo(*sub);
    commands.push_back({sub, [shown](const Session& session) { return show(session, *shown); }});

    auto files = std::make_shared<ImportFlags>();
    sub = add("import", "store the measured layers or timed collectives of files, all or none");
    files->addTo(*sub);
    commands.push_back({sub, [files](const Session& session) { return import(session, *files); }, true});

    struct Export {
        ProfileFilter filter;
        std::string out;
        bool csv = false;
    };
    auto handed = std::make_shared<Export>();
    sub = add("export", "write measured points to a file for another store: JSON, or CSV for a name in .csv");
    handed->filter.addTo(*sub);
    sub->add_option("--out", handed->out, "file to write")->type_name("FILE")->required();
    sub->add_flag("--csv", handed->csv, "CSV whatever the name");
    commands.push_back({sub, [handed](const Session& session) {
                            return exportRows(session, handed->filter, handed->out, handed->csv);
                        }});

    commands.push_back(addCoverage(*parent));
    commands.push_back(addStoredLinks(*parent));

    auto source = std::make_shared<std::string>();
    sub = add("remove", "remove all that a source has measured");
    sub->add_option("SOURCE", *source, "as `profiles list` names it")->required();
    commands.push_back({sub, [source](const Session& session) { return remove(session, *source); }});

    commands.push_back({add("check", "full integrity check"), check});
    commands.push_back(addFoundPlans(*parent));
    commands.push_back(addPublish(*parent));
    commands.push_back(addPull(*parent));
    return commands;
}

} // namespace pw::cli
