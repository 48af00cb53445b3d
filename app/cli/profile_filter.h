// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/session.h"

#include "core/profile/profile.h"

#include <string>
#include <vector>

namespace pw::cli {

// Which points of the database a command is about.
struct ProfileFilter {
    std::string model, source; // empty = all
    void addTo(CLI::App& sub);
};

// Bad input if there are none.
Result<std::vector<ProfileRow>> storedRows(const Session& session, const ProfileFilter& filter);
Error noStoredRows(const Session& session);

} // namespace pw::cli
