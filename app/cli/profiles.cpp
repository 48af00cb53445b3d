// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/import_files.h"
#include "app/cli/session.h"
#include "app/cli/table.h"

#include "core/base/file.h"
#include "core/base/units.h"
#include "core/exchange/imports/profile_file.h"
#include "core/store/store.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace pw::cli {

namespace {

Result<ProfileStore> openStore(const Session& session, ProfileStore::Mode mode) {
    if (session.profiles.empty())
        return usage("--profiles DB is required: the database is never chosen for you");
    return ProfileStore::open(session.profiles, mode);
}

Result<Answer> list(const Session& session) {
    const Result<ProfileStore> store = openStore(session, ProfileStore::Mode::ReadOnly);
    if (!store)
        return store.error();
    const auto sources = store->sources();
    if (!sources)
        return sources.error();
    Json rows = Json::array();
    Table table({"source", "model", "device kinds", ">points", "date", "licence"});
    for (const ProfileStore::SourceRow& row : *sources) {
        rows.push_back({{"source", row.source},
                        {"model", row.model},
                        {"kinds", row.kinds},
                        {"rows", row.rows},
                        {"date", row.date},
                        {"licence", row.licence}});
        table.add({row.source, row.model, fmt::format("{}", fmt::join(row.kinds, ", ")),
                   fmt::format("{}", row.rows), row.date, row.licence});
    }
    return Answer{Json{{"sources", std::move(rows)}}, table.text(), {}};
}

struct Filter {
    std::string model, source;
    void addTo(CLI::App& sub) {
        sub.add_option("--model", model, "only this model's points")->type_name("NAME");
        sub.add_option("--source", source, "only this source's points")->type_name("SOURCE");
    }
};

Result<std::vector<ProfileRow>> filtered(const Session& session, const Filter& filter) {
    const Result<ProfileStore> store = openStore(session, ProfileStore::Mode::ReadOnly);
    if (!store)
        return store.error();
    Result<std::vector<ProfileRow>> rows = store->rows(filter.model, filter.source);
    if (rows && rows->empty())
        return badInput("profiles.none", session.profiles, "holds no such measurements");
    return rows;
}

Result<Answer> show(const Session& session, const Filter& filter) {
    const Result<std::vector<ProfileRow>> rows = filtered(session, filter);
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

Result<Answer> import(const Session& session, const ImportFlags& flags) {
    Result<ImportedFiles> imported = importFiles(session, flags);
    if (!imported)
        return imported.error();
    if (imported->rows() == nullptr)
        return badInput("profiles.sort", imported->files.front(),
                        fmt::format("holds no measured layers: {}", imported->all.summary));
    Result<ProfileStore> store = openStore(session, ProfileStore::Mode::ReadWrite);
    if (!store)
        return store.error();
    const Result<int> added = store->add(*imported->rows());
    if (!added)
        return added.error();
    Json document = imported->document();
    document["added"] = *added;
    return Answer{std::move(document), imported->text() + fmt::format("{} points stored\n", *added), {}};
}

Result<Answer> exportRows(const Session& session, const Filter& filter, const std::string& out) {
    const Result<std::vector<ProfileRow>> rows = filtered(session, filter);
    if (!rows)
        return rows.error();
    if (Status written = writeFileAtomically(out, printProfiles(*rows)); !written)
        return written.error();
    return Answer{Json{{"out", out}, {"rows", rows->size()}},
                  fmt::format("{} points written to {}\n", rows->size(), out),
                  {}};
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
        return badInput("profiles.none", source, "is no source in " + session.profiles);
    return Answer{
        Json{{"source", source}, {"removed", *removed}}, fmt::format("{} points removed\n", *removed), {}};
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

    auto shown = std::make_shared<Filter>();
    CLI::App* sub = add("show", "the measured points");
    shown->addTo(*sub);
    commands.push_back({sub, [shown](const Session& session) { return show(session, *shown); }});

    auto files = std::make_shared<ImportFlags>();
    sub = add("import", "store the measurements of files, all or none");
    files->addTo(*sub);
    commands.push_back({sub, [files](const Session& session) { return import(session, *files); }});

    struct Export {
        Filter filter;
        std::string out;
    };
    auto handed = std::make_shared<Export>();
    sub = add("export", "write measured points to a file for another store");
    handed->filter.addTo(*sub);
    sub->add_option("--out", handed->out, "file to write")->type_name("FILE")->required();
    commands.push_back(
        {sub, [handed](const Session& session) { return exportRows(session, handed->filter, handed->out); }});

    auto source = std::make_shared<std::string>();
    sub = add("remove", "remove all points of a source");
    sub->add_option("SOURCE", *source, "as `profiles list` names it")->required();
    commands.push_back({sub, [source](const Session& session) { return remove(session, *source); }});

    commands.push_back({add("check", "full integrity check"), check});
    return commands;
}

} // namespace pw::cli
