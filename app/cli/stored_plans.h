// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/session.h"

#include "core/store/store.h"

namespace pw::cli {

// The database of --profiles, which nothing is read from or written to unasked.
Result<ProfileStore> openStore(const Session& session, ProfileStore::Mode mode);
// A database that another argument names. That it is kept without a write-ahead log is said.
Result<ProfileStore> openStoreAt(const Session& session, const std::string& path, ProfileStore::Mode mode);
// For writing, and nothing is said of it but that another program is waited for: who writes has read files
// for it, or is about to search for hours, and others may be importing for minutes.
Result<ProfileStore> openPatiently(const Session& session, const std::string& path);

// `profiles plans`: what `plan --keep` has kept.
Command addFoundPlans(CLI::App& parent);

// Keeps the plans of a plan document in the database at `path` and tells document and answer how many there
// are now. A failure is the answer's: what was found is printed all the same.
void keepPlans(const Session& session, const std::string& path, Json& document, Answer& answer);

} // namespace pw::cli
