// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/diagnostics.h"
#include "core/base/disk.h"
#include "core/base/result.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace pw {

class ProfileStore;

// What publishing wrote, took away and found there already: names of files.
struct Published {
    std::vector<std::string> written, replaced, unchanged;
    std::int64_t changed = 0; // points of `replaced` that have other figures now, of the same date
};

// Writes every source of the database to the folder (profile_folder.h), which is made if its parent is there.
// A file of the same source that was there before, and of which every point is in the new one, goes: it has
// been measured anew or added to. Whoever publishes at the same moment loses nothing: a file is whole or not
// there, and only those go that were seen before one's own was written, so that of two that replace each
// other one at least stays.
Result<Published> publishProfiles(const ProfileStore& store, const std::filesystem::path& folder,
                                  const Disk& disk = systemDisk());

// What pulling did to the database: measured points and timed collectives that it had not, those that took
// the place of its own, and those that were left out since its own have a later date.
struct Pulled {
    int files = 0;
    std::int64_t added = 0, replaced = 0, newerHere = 0, unchanged = 0;
    std::optional<Diagnostic> journal; // ProfileStore::journalNote()
};

// Takes all that a folder holds into the database, or with any error none of it; a second time nothing
// changes. Of several files with one point of one source the latest date counts, and what was published
// counts before what the database has of the same date. Two files that contradict each other in a point of
// one source and date are refused: nobody can say which it is. `database` is made if there is something to
// take.
Result<Pulled> pullProfiles(const std::filesystem::path& folder, const std::filesystem::path& database,
                            const std::stop_token& stop);

} // namespace pw
