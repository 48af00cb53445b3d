// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/profile_filter.h"

#include "app/cli/stored_plans.h"

namespace pw::cli {

void ProfileFilter::addTo(CLI::App& sub) {
    sub.add_option("--model", model, "only this model's points")->type_name("NAME");
    sub.add_option("--source", source, "only this source's points")->type_name("SOURCE");
}

Error noStoredRows(const Session& session) {
    return badInput("profiles.none", session.profiles, "holds no such measurements");
}

Result<std::vector<ProfileRow>> storedRows(const Session& session, const ProfileFilter& filter) {
    const Result<ProfileStore> store = openStore(session, ProfileStore::Mode::ReadOnly);
    if (!store)
        return store.error();
    Result<std::vector<ProfileRow>> rows = store->rows(filter.model, filter.source);
    if (rows && rows->empty())
        return noStoredRows(session);
    return rows;
}

} // namespace pw::cli
