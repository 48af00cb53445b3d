// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/session.h"

namespace pw::cli {

// `profiles links`: the timed collectives of the database, to look at, hand on or put onto a cluster.
Command addStoredLinks(CLI::App& parent);

} // namespace pw::cli
