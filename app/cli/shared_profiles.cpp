// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/shared_profiles.h"

#include "app/cli/stored_plans.h"
#include "app/cli/table.h"

#include "core/share/share.h"

#include <fmt/format.h>

namespace pw::cli {

namespace {

struct Places {
    std::string database, folder;
};

Result<Answer> publish(const Session& session, const Places& places) {
    const Result<ProfileStore> store = openStoreAt(session, places.database, ProfileStore::Mode::ReadOnly);
    if (!store)
        return store.error();
    const Result<Published> done = publishProfiles(*store, places.folder);
    if (!done)
        return done.error();
    std::string text;
    for (const auto& [word, names] : {std::pair("written", &done->written), {"replaced", &done->replaced}})
        for (const std::string& name : *names)
            text += fmt::format("{:<10} {}\n", word, name);
    text += fmt::format("{} written, {} replaced, {} there already\n", done->written.size(),
                        done->replaced.size(), done->unchanged.size());
    if (done->changed > 0)
        text +=
            fmt::format("{} of the same source and date had other figures in what was replaced; if somebody "
                        "else measured them, take the file back and give yours another source\n",
                        counted(done->changed, "point"));
    return Answer{Json{{"folder", places.folder},
                       {"written", done->written},
                       {"replaced", done->replaced},
                       {"changed_points", done->changed},
                       {"unchanged", done->unchanged}},
                  std::move(text),
                  {}};
}

Result<Answer> pull(const Session& session, const Places& places) {
    const Result<Pulled> done = pullProfiles(places.folder, places.database, session.stop);
    if (!done)
        return done.error();
    if (const auto& journal = done->journal)
        session.note(Diagnostics{*journal});
    std::string text = fmt::format("{}: {} added, {} replaced, {} there already\n",
                                   counted(static_cast<std::int64_t>(done->files), "file"),
                                   counted(static_cast<std::int64_t>(done->added), "point"), done->replaced,
                                   done->unchanged);
    if (done->newerHere > 0)
        text += fmt::format("{} points left out: the database has them of a later date\n", done->newerHere);
    return Answer{Json{{"database", places.database},
                       {"files", done->files},
                       {"added", done->added},
                       {"replaced", done->replaced},
                       {"newer_here", done->newerHere},
                       {"unchanged", done->unchanged}},
                  std::move(text),
                  {}};
}

} // namespace

Command addPublish(CLI::App& parent) {
    auto places = std::make_shared<Places>();
    CLI::App* sub = parent.add_subcommand(
        "publish", "write all that a database has measured to a folder that others pull from");
    sub->fallthrough();
    sub->add_option("DB", places->database, "the database")->required()->type_name("DB");
    sub->add_option("DIR", places->folder, "the folder, made if its parent is there")
        ->required()
        ->type_name("DIR");
    return {sub, [places](const Session& session) { return publish(session, *places); }};
}

Command addPull(CLI::App& parent) {
    auto places = std::make_shared<Places>();
    CLI::App* sub = parent.add_subcommand(
        "pull", "take all that others have published in a folder into a database, all or nothing");
    sub->fallthrough();
    sub->add_option("DIR", places->folder, "the folder")->required()->type_name("DIR");
    sub->add_option("DB", places->database, "the database, made if there is none")
        ->required()
        ->type_name("DB");
    return {sub, [places](const Session& session) { return pull(session, *places); }, true};
}

} // namespace pw::cli
