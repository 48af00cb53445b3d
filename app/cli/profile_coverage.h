// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/session.h"

namespace pw::cli {

// `profiles coverage`: how far the measurements of the database reach, by layers and by operators, and with
// --plan how much of that plan they cover.
Command addCoverage(CLI::App& parent);

} // namespace pw::cli
